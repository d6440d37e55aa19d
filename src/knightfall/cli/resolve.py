"""knightfall resolve: what does a night come to?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def resolve(
    night: Annotated[Path, typer.Argument(metavar="NIGHT.toml", help="The night: roles, shots, actions.")],
    dialect: Annotated[
        str, typer.Option("--as", metavar="DIALECT", help="Dialect of posts and PMs.")
    ] = "plain",
    as_json: Annotated[bool, typer.Option("--json", help="Everything as one JSON object.")] = False,
) -> None:
    """Decide a night: the moderator's view with causes, the public dawn post, a PM for each result."""
    from knightfall.app.night_file import read_night
    from knightfall.app.resolve import print_night

    typer.echo(print_night(read_night(night), dialect, as_json))
