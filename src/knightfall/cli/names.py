"""Which option names a list of players, and who stands in it?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    from knightfall.engine.game import SlotId

OPTION = "--players-from"
PIPED = Path("-")
PlayersFrom: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--players",
        OPTION,
        metavar="FILE",
        help="The names: one a line, a CSV, what signup wrote; - is piped.",
    ),
]


def listed(file: Path) -> tuple[SlotId, ...]:
    """The players of a list, or of what is piped in. Raises SetupError and InputError where it is no list."""
    import sys

    from knightfall.services.new_game import names_of
    from knightfall.services.session import read_text

    if file == PIPED:
        return names_of(sys.stdin.read(), "standard input")
    return names_of(read_text(file), str(file))
