"""What an answer says, declared once: a terminal's text and the page's HTML are made of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import fill
from typing import TypeAlias

from knightfall.sentence import Sentence, joined
from knightfall.writeups.tables import WIDTH, table


@dataclass(frozen=True, slots=True)
class Rows:
    """A table, a cell a head in each row."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    ruled: bool = True
    """Whether text has a line below the heads."""
    typed: frozenset[int] = frozenset()
    """Columns of what is typed into commands: a face without commands leaves them out."""

    def without_typed(self) -> Rows:
        """The table as a face without commands shows it."""

        def kept(cells: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(cell for place, cell in enumerate(cells) if place not in self.typed)

        return Rows(kept(self.heads), tuple(map(kept, self.rows)), self.ruled)


@dataclass(frozen=True, slots=True)
class Item:
    """One of a list: its number or name, what it says, and what belongs to it."""

    head: str
    text: str
    below: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Items:
    """A list whose lines are folded beside their heads, in a column of so many letters; numbers stand at its
    right."""

    items: tuple[Item, ...]
    column: int


@dataclass(frozen=True, slots=True)
class AsIs:
    """Text whose lines and blanks stay as they are."""

    text: str


Block: TypeAlias = str | Sentence | Rows | Items | AsIs


@dataclass(frozen=True, slots=True)
class Report:
    """Paragraphs, tables and lists in their order; `remarks` are told beside them."""

    blocks: tuple[Block, ...]
    remarks: tuple[str | Sentence, ...] = ()

    def text(self) -> str | Sentence:
        """The blocks as text of a terminal, one below the other."""
        return joined("\n", tuple(_text(block) for block in self.blocks))


def _text(block: Block) -> str | Sentence:
    match block:
        case Rows(heads, rows, ruled=True):
            return table(rows, heads)
        case Rows(heads, rows):
            return table([heads, *rows], tablefmt="plain")
        case Items(items, column):
            return "\n".join(line for item in items for line in _item_lines(item, column))
        case AsIs(text):
            return text
    return block


def _item_lines(item: Item, column: int) -> Iterator[str]:
    indent = " " * column
    head = f"{item.head.rjust(column - 2)}  " if item.head.isdigit() else item.head.ljust(column)
    yield fill(item.text, WIDTH, initial_indent=head, subsequent_indent=indent)
    for text in item.below:
        yield fill(text, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ")
