"""knightfall why: how did a player's night come about?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def why(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A living player of the night.")],
    night: Annotated[Path, typer.Argument(metavar="NIGHT.toml", help="The night, as for resolve.")],
) -> None:
    """Say why a player lived or died, why his actions failed, what he was told: each step with its ruling."""
    from knightfall.app.night_file import read_night
    from knightfall.app.why import why as explained

    typer.echo(explained(name, read_night(night)))
