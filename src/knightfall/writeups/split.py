"""How is a post divided that is longer than its site allows?

Between blocks and lines where that can be done, else behind a comma, between words, within a word. Each part
says which of how many it is: in the title of the box it begins with, or on a line of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from knightfall.errors import InputError
from knightfall.markup.dialects import Dialect, measure
from knightfall.markup.nodes import Area, Block, Bold, Nodes, Text
from knightfall.writeups.pieces import Cut, Piece, letters, pieces, rebuilt

MOST = 99
"""More parts than this are no posts: the limit is taken for a mistake."""


def split(nodes: Nodes, dialect: Dialect, limit: int | None = None) -> tuple[Nodes, ...]:
    """The post in parts that fit `limit`, in the dialect's unit (None: the dialect's own limit).

    A post that fits is one part and stays as it is. Raises InputError where the limit has room for nothing.
    """
    most = dialect.max_length if limit is None else limit
    if most is None or measure(dialect.write(nodes), dialect) <= most:
        return (nodes,)
    for room in (9, MOST):
        parts = _Knife(nodes, dialect, most, room).parts()
        if len(parts) == 1:
            return tuple(parts)  # only blank lines were too many
        if 1 < len(parts) <= room:
            return tuple(_marked(part, n, len(parts)) for n, part in enumerate(parts, 1))
    raise _too_small(dialect, most)


def _too_small(dialect: Dialect, limit: int) -> InputError:
    return InputError(
        f"A limit of {limit} {unit(dialect)} has no room for this post, not even in {MOST} parts. "
        "Give a larger one."
    )


def unit(dialect: Dialect) -> str:
    """What the dialect's limit counts, in words."""
    return "bytes" if dialect.unit == "bytes" else "characters"


@dataclass(frozen=True, slots=True)
class _Knife:
    """What is cut, and how large a part may be; `room` is the largest number of parts its mark must hold."""

    nodes: Nodes
    dialect: Dialect
    limit: int
    room: int

    def parts(self) -> list[Nodes]:
        """The parts, without marks; more than `room` of them are cut no further."""
        left: Sequence[Piece] = _trimmed(pieces(self.nodes))
        parts: list[Nodes] = []
        while left and len(parts) <= self.room:
            taken, left = self._first(left)
            parts.append(rebuilt(self.nodes, taken))
        return parts

    def _first(self, left: Sequence[Piece]) -> tuple[Sequence[Piece], Sequence[Piece]]:
        """As many pieces as fit, cut as well as can be; and those that are left."""
        for cut in (Cut.LINE, Cut.COMMA, Cut.WORD):
            if size := self._most(left, cut):
                return _trimmed(left[:size]), _trimmed(left[size:])
        end = next((n for n, piece in enumerate(left) if n and piece.cut > Cut.LETTER), len(left))
        word = [letter for piece in left[:end] for letter in letters(piece)]
        size = self._most(word, Cut.LETTER)
        if not size:
            raise _too_small(self.dialect, self.limit)
        return _trimmed(word[:size]), _trimmed((*word[size:], *left[end:]))

    def _most(self, left: Sequence[Piece], cut: Cut) -> int:
        """How many pieces fit, cut so well; 0 where not even the first of them do."""
        ends = [n for n, piece in enumerate(left) if n and piece.cut >= cut]
        return _last((*ends, len(left)), lambda end: self._fits(left[:end]))

    def _fits(self, taken: Sequence[Piece]) -> bool:
        part = _marked(rebuilt(self.nodes, _trimmed(taken)), self.room, self.room)
        return measure(self.dialect.write(part), self.dialect) <= self.limit


def _last(ends: Sequence[int], fits: Callable[[int], bool]) -> int:
    """The last end that fits, 0 where the first does not: ever longer steps, then halves."""
    low, high = -1, 0
    while high < len(ends) and fits(ends[high]):
        low, high = high, 2 * high + 1
    high = min(high, len(ends))
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(ends[middle]) else (low, middle)
    return ends[low] if low >= 0 else 0


def _trimmed(taken: Sequence[Piece]) -> Sequence[Piece]:
    """Without the blanks that a part would begin or end with."""
    solid = [n for n, piece in enumerate(taken) if not piece.blank]
    if not solid:
        return ()
    *most, last = taken[solid[0] : solid[-1] + 1]
    node = Text(last.node.text.rstrip()) if isinstance(last.node, Text) else last.node
    return (*most, replace(last, node=node))


def _marked(part: Nodes, number: int, total: int) -> Nodes:
    """The part with “(1/2)” in the title of the box it begins with, else on a line before it."""
    mark = f"({number}/{total})"
    match part:
        case (Area(_, title) as area, *rest) if title:
            return (replace(area, title=f"{title} {mark}"), *rest)
        case _:
            return (Block((Bold((Text(mark),)),)), *part)
