"""The verb of a rehearsal: a sample game whose players are played."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from knightfall.cli.format_due import next_line
from knightfall.cli.terminal import FILE, echo, real_session
from knightfall.cli.ways import quoted

if TYPE_CHECKING:
    from knightfall.services.rehearsal import RehearsalStep

_WIDTH = 70
"""So many letters of what somebody wrote are shown."""


def rehearse(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="FOLDER", help="The rehearsal (default: the one here, or rehearsal/)."),
    ] = None,
) -> None:
    """Host a sample game whose players are played. Example: knightfall rehearse

    The first time it makes a game of nine in a new folder. Every other time the players there go on: they
    post by day and send PMs at night, some of them wrong or late. You moderate with the same commands as any
    game; nothing is counted or closed for you. No forum is needed.
    """
    from secrets import token_bytes

    from knightfall.services.game.due import due
    from knightfall.services.rehearsal import begin_rehearsal, step

    place = folder or (Path() if Path(FILE).exists() else Path("rehearsal"))
    if (place / FILE).exists():
        session = real_session(place, allow_private=False)
        show_step(step(session))
    else:
        begin_rehearsal(place, token_bytes(32), real_session(place, allow_private=False))
        session = real_session(place, allow_private=False)
        echo(f"A rehearsal lies in {place}: nine players, who are played. You moderate, as Wren.")
        echo(f"Go there: cd {quoted(place)}")
        echo("Do what is due. Then let the players go on: knightfall rehearse")
    if line := next_line(due(session)):
        echo(line)


def show_step(found: RehearsalStep) -> None:
    """Print what the players did, a line each, and what the moderator should know."""
    from knightfall.services.window.turns import shortened

    for post in found.posts:
        echo(f"In the thread, {post.author}: {shortened(post.text, _WIDTH)}")
    for pm in found.pms:
        echo(f"PM of {pm.author}: {shortened(pm.text, _WIDTH)}")
    for line in found.said:
        echo(line)
