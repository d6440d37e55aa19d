"""A game file as values: players, threads, days, rules and terms, with what was decided since."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from knightfall.engine.prods import Absence, Prod, ProdRule
from knightfall.engine.spans import EXPECTED, parse_span
from knightfall.errors import SetupError
from knightfall.votes.config import CountConfig

VOTES = "votes"
"""The kind of a folder in which votes are counted and nothing else is played."""


@dataclass(frozen=True, slots=True)
class Setup(CountConfig):
    """A game file as values: what its counts need, and the rest."""

    kind: str = "votes"
    options: Mapping[str, object] = field(default_factory=dict)
    """The game's own options as written; the game checks them."""
    site: str | None = None
    tags: tuple[str, ...] | None = None
    """Which tags the board has; None: those of its site, or of its dialect."""
    theme: str | None = None
    template: str | None = None
    """How the votecount looks: a theme of ours, or the name of a template in the game's folder."""
    log_line: bool = True
    check_page: str = ""
    """Whether the posts of a begun game end with the head of its log."""
    url: str | None = None
    threads: tuple[ThreadSetup, ...] = ()
    """Every thread of the game; `url` is the one whose posts are counted: that for votes, else the game's."""
    roles: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Slot → role, of those whose role the file tells. Secret until the slot is flipped."""
    prods: ProdRule = field(default_factory=ProdRule)
    v_la: tuple[tuple[str, tuple[Absence, ...]], ...] = ()
    """(slot, its announced absences), in days of `zone`."""
    prodded: tuple[Prod, ...] = ()
    """The prods that were sent."""

    @property
    def votes_apart(self) -> bool:
        """Whether votes are counted in a thread of their own, in which nobody talks."""
        return any(thread.role == "vote" for thread in self.threads)


@dataclass(frozen=True, slots=True)
class ThreadSetup:
    """A thread of the game: `role` is game, vote, signup, private or dead, `members` who may read a room,
    `room` which one it is, such as “mafia” ("": as its members tell).

    `zone` is that in which its pages show times to who reads them, where they do not tell it themselves.
    """

    role: str
    url: str
    members: tuple[str, ...] = ()
    zone: str = ""
    room: str = ""

    @property
    def secret(self) -> bool:
        """Whether not everybody may read it."""
        return self.role in ("private", "dead")


_SPAN = re.compile(r"[1-9][0-9]{0,3}[dhm]")


def _span(value: object) -> timedelta:
    """“48h”, “2d” or “90m”: a file keeps to the short form. Raises ValueError, saying what was expected."""
    if not isinstance(value, str) or _SPAN.fullmatch(value) is None:
        raise ValueError(EXPECTED)
    return parse_span(value).total


def _day(value: object) -> object:
    """TOML gives dates; a time, a number or a text is not one."""
    if not isinstance(value, date) or isinstance(value, datetime):
        raise ValueError("a date such as 2026-11-28")
    return value


FiledSpan = Annotated[timedelta, BeforeValidator(_span)]
_Date = Annotated[date, BeforeValidator(_day)]


class AbsenceTable(BaseModel):
    """An entry of `v_la` as it stands in the file; both days are part of it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    begins: Annotated[_Date, Field(alias="from")]
    to: _Date


def absences_of(player: str, tables: tuple[AbsenceTable, ...], source: str) -> tuple[Absence, ...]:
    """A player's announced absences. Raises SetupError where one ends before it begins."""
    for table in tables:
        if table.to < table.begins:
            raise SetupError(
                f"{source}: player “{player}”: v_la: found from {table.begins} to {table.to}, "
                "expected the first day, then the last one."
            )
    return tuple(Absence(table.begins, table.to) for table in tables)
