"""Into which pieces may a post be cut, and which post do some of its pieces make?

A piece is a word or a node that is never cut (a line end, a mention, a vote), with the way to it from the
root. Whatever stands around the pieces that are taken is closed and opened again: a box keeps its title, a
list its kind; the head of a table is a row like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import groupby

import regex

from knightfall.markup.dialects.tree import children, is_block
from knightfall.markup.nodes import (
    Break,
    Code,
    Countdown,
    Image,
    Listing,
    Mention,
    Node,
    Nodes,
    Table,
    Text,
    VoteTag,
)

_WORDS = re.compile(r"\S+\s*|\s+")
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
            case Text(text) if text:
                for word in _WORDS.findall(text):
                    spaced = word[0].isspace()
                    self._found(path, Text(word), max(self.cut, Cut.WORD) if spaced else self.cut)
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
                    self._row(row, (*path, place))
            case _ if isinstance(node, _WHOLE) or not children(node):
                self._found(path, node, self.cut)
            case _:
                self.read(children(node), path)

    def _row(self, row: tuple[Nodes, ...], path: tuple[int, ...]) -> None:
        self.cut = Cut.LINE
        for place, cell in enumerate(row):
            self.read(cell, (*path, place))
            self.cut = Cut.WORD

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
