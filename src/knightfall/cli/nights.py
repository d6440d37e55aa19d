"""Which night is meant: that of a file, or one of the game of the folder we are in?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    from knightfall.app.nights.night_file import NightFile

Number: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--night", min=1, help="A night of your game; the open one, else the last, where not given."
    ),
]
Game: TypeAlias = Annotated[
    Path | None, typer.Option(help="A game folder or its game.toml; else the folder you are in.")
]


def night_meant(file: Path | None, number: int | None, game: Path | None) -> NightFile:
    """The night of the file; without one that of the game. Raises InputError where both are named, or
    neither is there."""
    from knightfall.app.nights.night_file import read_night
    from knightfall.app.nights.night_here import night_here
    from knightfall.cli.folder import game_needed
    from knightfall.cli.ports import real_ports
    from knightfall.errors import InputError

    if file is not None and (number is not None or game is not None):
        raise InputError("Either a night file, or a night of a game: not both.")
    if file is not None:
        return read_night(file)
    folder = game_needed(game)
    return night_here(number, folder, real_ports(folder, allow_private=False))
