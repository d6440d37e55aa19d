"""`knightfall flip`: the post that tells who fell, and as what."""

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.folder import game_needed
from knightfall.cli.options import AllowLeak
from knightfall.cli.screen import echo


def flip(
    name: Annotated[
        str | None, typer.Argument(help="Who was eliminated; it must be who the day was closed with.")
    ] = None,
    game: Annotated[
        Path | None, typer.Option(help="A game folder or its game.toml; else the folder you are in.")
    ] = None,
    dialect: Annotated[
        str | None, typer.Option("--as", metavar="DIALECT", help="Dialect of the post, e.g. mafiascum.")
    ] = None,
    day: Annotated[int | None, typer.Option(min=1, help="Which day; the latest closed one else.")] = None,
    allow_leak: AllowLeak = "",
) -> None:
    """Print the post that tells who was eliminated and the role. Example: knightfall flip

    Only after knightfall phase close. Exit status 3: the day is not closed, or was closed
    with somebody else; nothing is shown then.
    """
    from knightfall.cli.context import real_session
    from knightfall.services.close_day import flip as told

    folder = game_needed(game)
    session = real_session(folder, allow_private=False)
    told(name, day, dialect, session, echo, _aside, allow_leak)


def _aside(sentence: str) -> None:
    echo(sentence, err=True)
