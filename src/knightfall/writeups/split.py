"""A post in as many parts as a site allows, cut between lines, every tag closed and opened again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import groupby

import regex

from knightfall.errors import InputError
from knightfall.markup.dialects import Dialect, measure
from knightfall.markup.dialects.tree import children, is_block
from knightfall.markup.nodes import (
    Area,
    Block,
    Bold,
    Break,
    Code,
    Countdown,
    Image,
    Listing,
    Mention,
    Name,
    Node,
    Nodes,
    Table,
    Text,
    VoteTag,
)

_WORDS = re.compile(r"\S+\s*|\s+")
# A letter as readers see it, with its accents and joiners.
_LETTERS = regex.compile(r"\X")
_WHOLE = (Break, Mention, Image, VoteTag, Countdown)


class Cut(IntEnum):
    """How well a post can be cut before a piece."""

    LETTER = 0
    WORD = 1
    COMMA = 2
    LINE = 3


@dataclass(frozen=True, slots=True)
class Piece:
    """A node without children, or a part of a text; `path` holds its place in each node from the root on, in
    lists and tables also those of item, row and cell; `cut` tells how well the post is cut before it."""

    path: tuple[int, ...]
    node: Node
    cut: Cut

    @property
    def blank(self) -> bool:
        """A line end or mere space: nothing that a part may begin or end with."""
        return isinstance(self.node, Break) or (isinstance(self.node, Text) and not self.node.text.strip())


def pieces(nodes: Nodes) -> tuple[Piece, ...]:
    """All pieces of a post in order; taken together again they make the same post."""
    reader = _Reader([])
    reader.read(nodes, ())
    return tuple(reader.found)


def letters(piece: Piece) -> tuple[Piece, ...]:
    """A word in its letters, such as a reader sees them; other pieces stay whole."""
    if not isinstance(piece.node, Text | Code):
        return (piece,)
    kind = type(piece.node)
    cut = tuple(Piece(piece.path, kind(found), Cut.LETTER) for found in _LETTERS.findall(piece.node.text))
    return (replace(cut[0], cut=piece.cut), *cut[1:]) if cut else (piece,)


def rebuilt(nodes: Nodes, taken: Sequence[Piece]) -> Nodes:
    """The post with only these of its pieces."""
    return _level(nodes, [(piece.path, piece.node) for piece in taken])


_Way = tuple[tuple[int, ...], Node]


@dataclass(slots=True)
class _Reader:
    """One walk over a post; `cut` is what the next piece gets."""

    found: list[Piece]
    cut: Cut = Cut.LINE

    def read(self, nodes: Nodes, path: tuple[int, ...]) -> None:
        for place, node in enumerate(nodes):
            ends_lines = is_block(node) or isinstance(node, Break)
            self.cut = Cut.LINE if ends_lines else self.cut
            self._node(node, (*path, place))
            self.cut = Cut.LINE if ends_lines else self.cut

    def _node(self, node: Node, path: tuple[int, ...]) -> None:
        match node:
            case Name():
                self._found(path, node, self.cut)
                self.cut = Cut.LETTER
            case Text(text) if text:
                for word in _WORDS.findall(text):
                    spaced = word[0].isspace()
                    self._found(
                        path, replace(node, text=word), max(self.cut, Cut.WORD) if spaced else self.cut
                    )
                    if not word[-1].isspace():
                        self.cut = Cut.LETTER
                    elif word.rstrip().endswith((",", ";")):
                        self.cut = Cut.COMMA
                    else:
                        self.cut = Cut.WORD

            case Code(text) if "\n" in text:
                for line in text.splitlines(keepends=True):
                    self._found(path, Code(line), Cut.LINE)
            case Listing(items) if any(items):
                for place, item in enumerate(items):
                    self.cut = Cut.LINE
                    self.read(item, (*path, place))
            case Table(rows) if any(map(any, rows)):
                for place, row in enumerate(rows):
                    self.cut = Cut.LINE
                    for column, cell in enumerate(row):
                        self.read(cell, (*path, place, column))
                        self.cut = Cut.WORD
            case _ if isinstance(node, _WHOLE) or not children(node):
                self._found(path, node, self.cut)
            case _:
                self.read(children(node), path)

    def _found(self, path: tuple[int, ...], node: Node, cut: Cut) -> None:
        self.found.append(Piece(path, node, cut))
        self.cut = Cut.LETTER


def _level(nodes: Nodes, ways: Sequence[_Way]) -> Nodes:
    return tuple(_one(nodes[place], tuple(inner)) for place, inner in _by_place(ways))


def _by_place(ways: Sequence[_Way]) -> Iterator[tuple[int, list[_Way]]]:
    """The ways in groups by their first step, without it."""
    for place, group in groupby(ways, key=lambda way: way[0][0]):
        yield place, [(path[1:], node) for path, node in group]


def _one(node: Node, ways: Sequence[_Way]) -> Node:
    match node:
        case Text() | Code() if not ways[0][0]:
            return type(node)("".join(part.text for _, part in ways if isinstance(part, Text | Code)))
        case _ if not ways[0][0]:
            return node
        case Listing(items):
            return replace(node, items=tuple(_level(items[n], inner) for n, inner in _by_place(ways)))
        case Table(rows, head):
            kept = tuple(_cells(rows[n], dict(_by_place(inner))) for n, inner in _by_place(ways))
            return Table(kept, head and ways[0][0][0] == 0)
        case _:
            return replace(node, children=_level(children(node), ways))  # type: ignore[arg-type]  # all have children


def _cells(row: tuple[Nodes, ...], ways: dict[int, list[_Way]]) -> tuple[Nodes, ...]:
    """A row with all its cells, those empty of which nothing is taken."""
    return tuple(_level(cell, ways[n]) if n in ways else () for n, cell in enumerate(row))


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
        f"A limit of {limit} {unit(dialect)} is too small for this post, even in {MOST} parts. "
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
    node = replace(last.node, text=last.node.text.rstrip()) if isinstance(last.node, Text) else last.node
    return (*most, replace(last, node=node))


def _marked(part: Nodes, number: int, total: int) -> Nodes:
    """The part with “(1/2)” in the title of the box it begins with, else on a line before it."""
    mark = f"({number}/{total})"
    match part:
        case (Area(_, title) as area, *rest) if title:
            return (replace(area, title=f"{title} {mark}"), *rest)
        case _:
            return (Block((Bold((Text(mark),)),)), *part)
