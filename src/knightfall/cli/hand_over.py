"""The verbs by which a game goes from one moderator to another."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.format_due import tell_next
from knightfall.cli.options import verb
from knightfall.cli.terminal import Place, aside, echo, progress_bar, real_session, session_of_game
from knightfall.services.keep.hand_over import HandOverRequest


@verb
def hand_over(request: partial[HandOverRequest], *, place: Place) -> None:
    """Write the game as text for your co-moderators' topic. Example: knightfall hand-over

    The text has all that another moderator needs to go on: journal, game file, deal and secret, and pages
    that no forum shows again. Post it where moderators alone can read. Whoever takes over needs all of its
    parts.
    """
    from knightfall.services.game.hand_marks import note_handed_over
    from knightfall.services.keep.hand_over import hand_over as handed

    session = session_of_game(place.game)
    done = handed(request(), session)
    echo("\n\n".join(done.posts))
    note_handed_over(done.entry, done.digest, session)
    parts = "1 post" if len(done.parts) == 1 else f"{len(done.parts)} posts"
    aside(f"{done.line} {parts}.")


@verb
def take_over(
    file: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE...]", help="Texts or saved pages with the parts (default: standard input)."
        ),
    ] = None,
    into: Annotated[
        Path, typer.Option(metavar="DIR", help="An empty folder, or the game's own (default: this one).")
    ] = Path(),
    stored: Annotated[bool, typer.Option("--stored", help="Do not read the game's thread now.")] = False,
    *,
    place: Place,
) -> None:
    """Go on with a game that another moderator handed over. Example: knightfall take-over topic.html

    In an empty folder the game is made of it. In a folder of the same game what is new is added; where you
    both went on, what bears on nothing of yours is added behind it, and the rest is named.

    Then the game's thread is read, so that you see what happened since.

    Exit status 3: an entry of theirs was not added, since it bears on what you wrote.
    """
    from knightfall.cli.format_game import taken_over_lines
    from knightfall.fetch.saved import decoded, saved_bytes
    from knightfall.services.keep.take_over import take_over as taken

    texts = [decoded(saved_bytes(one)) for one in file or ()] or [sys.stdin.read()]
    done = taken(
        texts, into.resolve(), lambda folder: real_session(folder, place.allow_private, place.cookies)
    )
    for line in taken_over_lines(done):
        echo(line)
    if not stored:
        read_on(done.folder, place)
    tell_next(real_session(done.folder, place.allow_private, place.cookies))
    if any(not one.merged and one.against for one in done.forks):
        raise typer.Exit(3)


def read_on(folder: Path, place: Place) -> None:
    """Read the whole thread of a game; what stands against it is told."""
    from knightfall.errors import KnightfallError
    from knightfall.services.running import setup_of
    from knightfall.services.threads import read, source_here

    session = real_session(folder, place.allow_private, place.cookies)
    if setup_of(session).url is None:
        return
    try:
        with progress_bar(session, "Reading the thread") as reading:
            found = read(source_here((), False, False, True, reading), reading)
    except KnightfallError as error:
        aside(f"The thread was not read: {error}")
    else:
        aside(f"The thread is read up to post {found.thread.posts[-1].number}.")
