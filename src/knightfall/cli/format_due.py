"""What is due, as the terminal tells it after something was done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from knightfall.cli.terminal import aside
from knightfall.cli.ways import command, in_commands

if TYPE_CHECKING:
    from knightfall.sentence import Way
    from knightfall.services.game.due import Due
    from knightfall.services.session import Session


def next_line(found: Sequence[Due], about: Way | None = None) -> str:
    """“Next: knightfall vc”: the first that is due, or that way where it is, and what it is where that does
    not tell enough; "" where nothing is."""
    told = [one for one in found if not one.offered]
    if not told:
        return ""
    first = next((one for one in told if one.way == about), told[0])
    said = f"{in_commands(first.what)}: " if first.needs_words else ""
    return f"Next: {said}{command(first.way)}"


def tell_next(session: Session, about: Way | None = None) -> None:
    """Tell beside the answer what is due first (`about`: that way, where it is) after something was done;
    nothing where nothing is, or where that cannot be told now: what was done is done."""
    from knightfall.errors import KnightfallError
    from knightfall.services.game.due import due

    try:
        line = next_line(due(session), about)
    except KnightfallError:
        return
    if line:
        aside(line)
