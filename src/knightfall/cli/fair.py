"""The verbs of a deal that nobody can choose."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.terminal import aside


def check_page(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it, such as check.html.")],
) -> None:
    """Write the page by which players check a deal. Example: knightfall check-page check.html

    One file without a network, the same for every game: put it where players can open it. They paste posts,
    and it says that the cards are as dealt, or what is not.
    """
    from knightfall.services.keep.check_page import write_check_page

    aside(f"{write_check_page(file)} holds nothing of a game: anybody may have it.")
