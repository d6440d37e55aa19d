"""A running game that was read, and what became of it, as text."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from tabulate import tabulate

from knightfall.cli.ways import in_commands
from knightfall.services.game.adopt import TakenIn
from knightfall.services.game.adoption import Adoption

WIDTH = 90
_HEADS = ("player", "before", "fate", "role", "read in")
_COLUMNS = (20, 24, 24, 24, 24)


def adoption_lines(found: Adoption) -> Iterator[str]:
    """What was read: in which phase the game is, its table, what is not sure, and where it was read."""
    living = sum(seat.left is None for seat in found.seats)
    yield f"{found.title}: {found.phase}, {living} of {len(found.seats)} players live ({found.kind})."
    yield ""
    rows = [
        [
            f"{seat.name} (?)" if seat.doubts else seat.name,
            seat.earlier,
            seat.fate,
            seat.card or seat.role,
            seat.source,
        ]
        for seat in found.seats
    ]
    yield tabulate(rows, _HEADS, tablefmt="simple", maxcolwidths=list(_COLUMNS), disable_numparse=True)
    doubts = [
        *(in_commands(one) for one in found.doubts),
        *(f"{seat.name}: {' '.join(map(in_commands, seat.doubts))}" for seat in found.seats if seat.doubts),
        *(f"Line {number} of the role list names nobody: “{text}”" for number, text in found.unread),
    ]
    if doubts:
        yield "\nNot sure:"
        yield from (_item(one) for one in doubts)
    yield "\nTaken from the thread:"
    yield from (_item(in_commands(one)) for one in found.said)


def taken_in_lines(done: TakenIn) -> Iterator[str]:
    """What was made."""
    phase = done.window.replace("-", " ").capitalize()
    yield f"{done.folder}: {phase}, {done.alive} live. {done.entries} entries tell what was before."
    yield from done.notes


def _item(text: str) -> str:
    return fill(text, WIDTH, initial_indent="  ", subsequent_indent="    ")
