"""knightfall resolve: what does a night come to?"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.nights import Game, Number, night_meant
from knightfall.cli.options import AsJson
from knightfall.cli.screen import echo


def resolve(
    night: Annotated[
        Path | None,
        typer.Argument(metavar="[NIGHT.toml]", help="The night: roles, shots, actions; else your game's."),
    ] = None,
    dialect: Annotated[
        str, typer.Option("--as", metavar="DIALECT", help="Dialect of posts and PMs.")
    ] = "plain",
    as_json: AsJson = False,
    flavour: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Your own words before the dawn post, in BBCode.")
    ] = None,
    allow_leak: Annotated[
        str | None,
        typer.Option(metavar="REASON", help="Print flavour that gives a secret away all the same."),
    ] = None,
    preview: Annotated[
        bool, typer.Option("--preview", help="Only causes, deaths, how many PMs, and what hangs on a ruling.")
    ] = False,
    number: Number = None,
    game: Game = None,
) -> None:
    """Decide a night: causes for you, the dawn post, the PMs.

    In a game's folder it is the night that is open, as it stands, or --night N; nothing is written.
    Example: knightfall resolve --preview

    Flavour that names a living player's role, ability or target is refused (exit 5).
    """
    from knightfall.app.nights.flavour import approved
    from knightfall.app.nights.preview import preview as shown
    from knightfall.app.nights.preview import ruling_asked
    from knightfall.app.nights.resolve import print_night
    from knightfall.app.text_file import read_text
    from knightfall.errors import DecisionNeeded

    known = night_meant(night, number, game)
    question = ruling_asked(known)
    if question and as_json:
        raise DecisionNeeded(f"The night waits for your ruling.\n{question}")
    if preview or question:
        echo(shown(known))
        return
    tell = partial(echo, err=True)
    words = approved(known, read_text(flavour), allow_leak, tell) if flavour else ""
    echo(print_night(known, dialect, as_json, words))
