"""knightfall whatif: what would another line, or another ruling, have changed?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.nights import Game, Number, night_meant
from knightfall.cli.screen import echo


def whatif(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[NIGHT.toml] EDIT...",
            help="“remove Juniper:protect”, “add Ada: track Boro”, “set em_r3 = snapshot”.",
        ),
    ],
    number: Number = None,
    game: Game = None,
) -> None:
    """Decide a night again with something done otherwise.

    Added, removed or ruled otherwise; only what changes is shown. In a game's folder it is the night that is
    open, or --night N; nothing is written.
    Example: knightfall whatif "remove Ada:heal" "set ke_r28 = visit"
    """
    from knightfall.app.nights.whatif import whatif as changed
    from knightfall.errors import InputError

    file, edits = (Path(words[0]), words[1:]) if words[0].endswith(".toml") else (None, words)
    if not edits:
        raise InputError("What is to be different? Say for instance “remove Ada:heal”.")
    echo(changed(night_meant(file, number, game), edits))
