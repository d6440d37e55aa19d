"""Lists that grow with a game, a page at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import urlencode

T = TypeVar("T")
R = TypeVar("R")
AT_ONCE = 100
"""So many rows stand on one page."""


@dataclass(frozen=True, slots=True)
class Paged(Generic[T]):
    """The rows of one page of a list: which page it is, how many there are, and of how many rows."""

    rows: tuple[T, ...]
    number: int
    pages: int
    total: int

    def shown_as(self, show: Callable[[T], R]) -> Paged[R]:
        """The same page with each of its rows as it is shown."""
        return Paged(tuple(map(show, self.rows)), self.number, self.pages, self.total)

    @property
    def first(self) -> int:
        """The place of the first row in the whole list."""
        return (self.number - 1) * AT_ONCE + 1

    @property
    def last(self) -> int:
        """The place of the last row in the whole list."""
        return self.first + len(self.rows) - 1

    def query(self, number: int, said: Mapping[str, str], name: str) -> str:
        """What the address of another page of the list asks for, by its name, beside what else it says."""
        return urlencode({key: value for key, value in (*said.items(), (name, str(number))) if value})


def paged(rows: Sequence[T], asked: str) -> Paged[T]:
    """The page of a list that was asked for by its number; the nearest one where there is none such."""
    pages = max(1, -(-len(rows) // AT_ONCE))
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 9 else 1
    number = min(max(1, number), pages)
    start = (number - 1) * AT_ONCE
    return Paged(tuple(rows[start : start + AT_ONCE]), number, pages, len(rows))
