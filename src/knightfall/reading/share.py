"""A part of the living that eliminates, as rules and files write it: “2/3”, “>1/2+1”, “1-1”."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the living that eliminates: at least so much of them, or more than that, and `plus` votes."""

    part: Fraction = Fraction(1, 2)
    above: bool = True
    plus: int = 0

    def votes(self, alive: int) -> int:
        """So many votes are that part of so many."""
        whole = self.part * alive
        votes = (
            whole.numerator // whole.denominator + 1
            if self.above
            else -(-whole.numerator // whole.denominator)
        )
        return max(votes + self.plus, 1)

    @classmethod
    def parse(cls, written: str) -> Share:
        """“2/3”, “>3/5”, “>1/2+1”, “1-1”. Raises ValueError for another text."""
        found = _SHARE.fullmatch(written.replace(" ", ""))
        if found is None or not Fraction(found["part"]):
            raise ValueError(f"“{written}” is no part of the living, such as “2/3”, “>1/2+1” or “1-1”")
        return cls(Fraction(found["part"]), bool(found["above"]), int(found["plus"] or 0))

    def __str__(self) -> str:
        return f"{'>' if self.above else ''}{self.part}{f'{self.plus:+}' if self.plus else ''}"


_SHARE = re.compile(r"(?P<above>>?)(?P<part>\d{1,3}(?:/[1-9]\d{0,2})?)(?P<plus>[+-]\d{1,2})?")


MORE_THAN_HALF = Share()
