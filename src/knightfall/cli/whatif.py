"""knightfall whatif: what would another line, or another ruling, have changed?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def whatif(
    night: Annotated[Path, typer.Argument(metavar="NIGHT.toml", help="The night, as for resolve.")],
    edits: Annotated[
        list[str],
        typer.Argument(
            metavar="EDIT...", help="“remove Juniper:protect”, “add Ada: track Boro”, “set em_r3 = snapshot”."
        ),
    ],
) -> None:
    """Decide a night again with something added, removed or ruled otherwise; only what changes is shown."""
    from knightfall.app.night_file import read_night
    from knightfall.app.whatif import whatif as changed

    typer.echo(changed(read_night(night), edits))
