"""knightfall resolve: what does a night come to?"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer


def resolve(
    night: Annotated[Path, typer.Argument(metavar="NIGHT.toml", help="The night: roles, shots, actions.")],
    dialect: Annotated[
        str, typer.Option("--as", metavar="DIALECT", help="Dialect of posts and PMs.")
    ] = "plain",
    as_json: Annotated[bool, typer.Option("--json", help="Everything as one JSON object.")] = False,
    flavour: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Your own words before the dawn post, in BBCode.")
    ] = None,
    allow_leak: Annotated[
        str | None,
        typer.Option(metavar="REASON", help="Print flavour that gives a secret away all the same."),
    ] = None,
) -> None:
    """Decide a night: the moderator's view with causes, the public dawn post, a PM for each result.

    Flavour that names a living player's role, ability or target is refused (exit 5).
    """
    from knightfall.app.flavour import approved
    from knightfall.app.night_file import read_night, read_text
    from knightfall.app.resolve import print_night

    known = read_night(night)
    tell = partial(typer.echo, err=True)
    words = approved(known, read_text(flavour), allow_leak, tell) if flavour else ""
    typer.echo(print_night(known, dialect, as_json, words))
