"""Where does a page stand on a board that counts in posts, not in pages? And where does the next begin?"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paging:
    """`start` posts come before the page, `size` posts make a page (None where there is only one)."""

    start: int
    page: int
    pages: int
    size: int | None
    total: int | None = None

    @property
    def following(self) -> int | None:
        """The offset of the next page; None on the last."""
        return None if self.size is None or self.page >= self.pages else self.start + self.size
