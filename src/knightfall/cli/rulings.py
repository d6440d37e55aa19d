"""knightfall rulings: by which rulings is a game decided?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.screen import echo


def rulings(
    game: Annotated[str, typer.Argument(metavar="GAME", help="For instance knight-errant, empowered.")],
    folder: Annotated[
        Path | None, typer.Option("--game", help="A game folder or its game.toml: what was chosen there.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same for programs.")] = False,
) -> None:
    """Every numbered ruling of a game, with the options it leaves to you, their values and what holds.

    Example: knightfall rulings knight-errant --game salt-harbour
    """
    from knightfall.app.rulings import rulings as listed

    echo(listed(game, folder, as_json))
