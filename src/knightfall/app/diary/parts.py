"""How long could a post be at most, when it went out in these parts?

A post is cut as late as can be, so the longest of its parts is limit enough to cut it there again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from knightfall.markup.dialects import Dialect, measure
from knightfall.writeups.split import MOST

GAP = "\n\n"
FEW = 9
"""Up to so many parts a mark has one digit on each side."""
UNCUT = 10**9
"""No post is so long."""

_MARK = re.compile(r"\\?\((\d{1,2})/(\d{1,2})\\?\)")


def limits(posted: str, speech: Dialect) -> tuple[int, ...]:
    """The limits, in the dialect's unit, under which such a text may have been cut so: in the parts that it
    names, and not at all, for (1/2) may be a wagon."""
    parts = parts_of(posted)
    if len(parts) < 2:
        return (UNCUT,)
    room = FEW if len(parts) <= FEW else MOST
    longest = max(
        measure(part, speech) + len(f"{room}/{room}") - len(f"{number}/{len(parts)}")
        for number, part in enumerate(parts, start=1)
    )
    return (longest, UNCUT)


def parts_of(posted: str) -> tuple[str, ...]:
    """The parts of a text that says (1/2) in the first line of each; all of it where it does not."""
    blocks = posted.split(GAP)
    for total in _totals(blocks[0]):
        starts = tuple(_starts(blocks, total))
        if len(starts) == total:
            ends = (*starts[1:], len(blocks))
            return tuple(GAP.join(blocks[start:end]) for start, end in zip(starts, ends, strict=True))
    return (posted,)


def _totals(block: str) -> Iterator[int]:
    """Of how many parts the first line may say that it is the first."""
    yield from (total for number, total in _marks(block) if number == 1 and 1 < total <= MOST)


def _starts(blocks: list[str], total: int) -> Iterator[int]:
    """Which blocks begin a part."""
    number = 1
    for place, block in enumerate(blocks):
        if (number, total) in _marks(block):
            yield place
            number += 1


def _marks(block: str) -> list[tuple[int, int]]:
    """“(2/3)” in the first line of a block."""
    return [(int(number), int(total)) for number, total in _MARK.findall(block.partition("\n")[0])]
