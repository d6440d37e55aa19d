"""knightfall why: how did a player's night come about?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.nights import Game, Number, night_meant
from knightfall.cli.screen import echo


def why(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A living player of the night.")],
    night: Annotated[
        Path | None, typer.Argument(metavar="[NIGHT.toml]", help="The night, as for resolve.")
    ] = None,
    number: Number = None,
    game: Game = None,
) -> None:
    """Say why a player lived or died, and what he was told.

    Why his actions failed, too; each step with its ruling. In a game's folder of the night that is open, as
    it stands, or of --night N.
    Example: knightfall why Ada --night 1
    """
    from knightfall.app.nights.why import why as explained

    echo(explained(name, night_meant(night, number, game)))
