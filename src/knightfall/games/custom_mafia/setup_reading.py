"""A setup as it was read out of a post: its rows, and the table that is dealt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from knightfall.errors import InputError
from knightfall.games.custom_mafia.abilities import Ability
from knightfall.games.custom_mafia.open_setups import OpenSetup
from knightfall.games.custom_mafia.roles import own_name
from knightfall.games.custom_mafia.setup_lines import SetupRow
from knightfall.mafia.roles import THREATS, Alignment, Role

MOST_LEFT_OUT = 600
"""Letters of a part that was left out, which are shown."""
MOST_DEALS = 1000
"""So many deals a setup with drawn numbers may have."""


@dataclass(frozen=True, slots=True)
class SetupReading:
    """A setup as it was read. `rest`: what all the others are where no line says it; None where one does, or
    where Vanilla Townies are counted. `named`: the open setup that the post names and has no lines for."""

    text: str
    rows: tuple[SetupRow, ...]
    rest: Role | None = None
    named: OpenSetup | None = None

    @property
    def doubts(self) -> tuple[SetupRow, ...]:
        """What has to be decided before it can be dealt."""
        return tuple(row for row in self.rows if row.doubt)

    @property
    def cards(self) -> tuple[SetupRow, ...]:
        """The rows that are cards."""
        return tuple(row for row in self.rows if row.roles)

    @property
    def least(self) -> int:
        """Players that it needs."""
        return self.named.players if self.named else sum(row.count or 0 for row in self.cards)

    @property
    def is_filled(self) -> bool:
        """Whether there may be more."""
        return self.rest is not None or any(row.count is None for row in self.cards)

    @property
    def left_out(self) -> tuple[SetupRow, ...]:
        """What stands in the post and is no card: headings, rules, players, dates."""
        return tuple(row for row in self.rows if not row.roles and not row.doubt)

    def table(self, name: str = "") -> Mapping[str, Any]:
        """The table of a setup file. Raises InputError with every doubt, and where it has no card."""
        if self.doubts:
            raise InputError("\n".join(f"“{row.typed}”: {row.doubt}" for row in self.doubts))
        if self.named is not None:
            return dict(self.named.table)
        if not self.cards:
            raise InputError("The setup has no roles. Write one on each line, such as “2 Goons”.")
        sides = {role.alignment for row in self.cards for role in row.roles}
        if sides.isdisjoint(THREATS):
            raise InputError("There is neither mafia nor a Serial Killer in the setup: add one of them.")
        # CM-R70.
        seer = any(Ability.SEER in role.abilities for row in self.cards for role in row.roles)
        if seer and Alignment.WEREWOLVES not in sides:
            raise InputError(
                "A Seer looks for werewolves, and there is none in the setup. Write Cop for who finds the "
                "mafia, or Werewolf for who is to be found."
            )
        if sum(row.count is None for row in self.cards) > 1:
            raise InputError("Two lines say what all the others are. Keep one of them.")
        slots = [row.slots for row in self.cards if not row.grid and not row.drawn]
        if self.rest is not None:
            slots.append({"role": self.rest.name, "fill": True})
        own = {own_name(row.roles[0]): row.says for row in self.cards if row.says}
        cards = {"cards": own} if own else {}
        return {"schema": 1, "name": name.strip() or "Custom", "slots": slots, **cards, **self._drawn()}

    def _drawn(self) -> Mapping[str, Any]:
        """What is drawn by the deal: the matrix, or every deal of the numbers that are drawn."""
        grids = [row for row in self.cards if row.grid]
        dice = [row for row in self.cards if row.drawn]
        if len(grids) > 1:
            raise InputError(
                "There are two matrices in the setup: one row or column can be drawn of one only."
            )
        both = bool(grids) and grids[0].ways == "one row or column"
        if not dice:
            columns = {"columns": True} if both else {}
            rows = [{"roles": [role.name for role in one]} for grid in grids for one in grid.grid]
            return {**columns, "row": rows} if rows else {}
        filling = next(
            (row.roles for row in self.cards if row.count is None), (self.rest,) if self.rest else ()
        )
        if len(filling) != 1:
            raise InputError("A number is drawn, and no line says what all the others are: write “rest: …”.")
        fill = filling[0].name
        groups = [[role.name for role in one] for grid in grids for one in grid.grid]
        if both:
            groups += [[role.name for role in one] for one in zip(*grids[0].grid, strict=True)]
        deals: list[Mapping[str, Any]] = []
        for group in groups or [[]]:
            for thrown in product(*(row.drawn for row in dice)):
                roles, weight = list(group), 1
                for row, (number, ways) in zip(dice, thrown, strict=True):
                    roles += [row.roles[0].name] * number + [fill] * ((row.count or 0) - number)
                    weight *= ways
                deals.append({"roles": roles, **({"weight": weight} if weight > 1 else {})})
        if len(deals) > MOST_DEALS:
            raise InputError(
                f"The numbers that are drawn give {len(deals)} deals; at most {MOST_DEALS} are dealt."
            )
        return {"row": deals}

    def mended(self, row: int, line: str) -> str:
        """The text with another line in the place of a row."""
        one = self.rows[row]
        return f"{self.text[: one.start]}{line}{self.text[one.end :]}"


@dataclass(slots=True)
class CountedHeading:
    """A heading that says how many cards follow."""

    place: int
    number: int
    cards: int = 0
    open: bool = True


@dataclass(slots=True)
class PostState:
    """What was read so far. `section`: in the cards, or out of them; `side` what the heading says."""

    text: str
    plain: str
    rows: list[SetupRow] = field(default_factory=list)
    side: str = ""
    out: str = ""
    after_blank: bool = False
    numbers: list[tuple[int, SetupRow]] = field(default_factory=list)
    """How many players the post says there are, each with the line that says it."""
    headings: list[CountedHeading] = field(default_factory=list)
    known: list[tuple[int, OpenSetup, bool]] = field(default_factory=list)
    variants: list[range] = field(default_factory=list)
    """The places of rows that are each a whole deal, as “A: 2 Goons, 7 VT”."""
    unsure: bool = False
    first: int = -1
    """The place of the first row below a heading of the setup."""

    def line_of(self, place: int) -> int:
        return self.text.count("\n", 0, place) + 1

    def line_at(self, place: int) -> str:
        """The line that a letter stands on, as it is written."""
        end = self.text.find("\n", place)
        return self.text[self.text.rfind("\n", 0, place) + 1 : end if end >= 0 else len(self.text)]

    def take(self, row: SetupRow) -> None:
        self.rows.append(row)
        if row.roles and self.headings and self.headings[-1].open:
            heading = self.headings[-1]
            heading.cards += row.count or 0
            if row.count is None or row.drawn or row.grid:
                self.headings[-1] = replace(heading, open=False)

    def turn(self, *, side: str = "", out: str = "", unsure: bool = False) -> None:
        """Go on below a heading: of the setup, with the side that it says, or out of the cards."""
        self.side, self.out, self.unsure = side, out, unsure
        if not out and self.first < 0:
            self.first = len(self.rows)

    def leave(self, start: int, end: int, said: str, why: str = "Left out: no cards.") -> None:
        if said.strip():
            self.rows.append(SetupRow(self.line_of(start), start, end, said, remark=why))
