"""knightfall rulings: by which rulings is a game decided?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.options import AsJson
from knightfall.cli.screen import echo


def rulings(
    game: Annotated[str, typer.Argument(metavar="GAME", help="For instance knight-errant, empowered.")],
    folder: Annotated[
        Path | None, typer.Option("--game", help="A game folder or its game.toml: what was chosen there.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the rulings of a game, with what they leave to you.

    Example: knightfall rulings knight-errant --game salt-harbour

    Of each its number and its options, with their values and what holds.
    """
    from knightfall.app.rulings import rulings as listed

    echo(listed(game, folder, as_json))
