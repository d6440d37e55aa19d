"""What is known of a game before its thread is read, as typed values?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from knightfall.core.roster import Roster
from knightfall.core.silence import Absence, Prod, ProdRule
from knightfall.setups.change import Change
from knightfall.votes.election import Rule
from knightfall.votes.tally import Day, Fix
from knightfall.writeups.facts import Terms


@dataclass(frozen=True, slots=True)
class Setup:
    """A game file as values. `roster` is None where the file lists no players; `days` has at most one entry a
    day number; `forms_given` tells whether the file chose the vote forms itself."""

    source: str
    kind: str = "votes"
    options: Mapping[str, object] = field(default_factory=dict)
    """The game's own options as written; the game checks them."""
    title: str | None = None
    site: str | None = None
    zone: ZoneInfo | None = None
    moderators: tuple[str, ...] = ()
    theme: str | None = None
    template: str | None = None
    """How the votecount looks: a theme of ours, or the name of a template in the game's folder."""
    terms: Terms = field(default_factory=Terms)
    url: str | None = None
    threads: tuple[ThreadSetup, ...] = ()
    """Every thread of the game; `url` is the one whose posts are counted: that for votes, else the game's."""
    rule: Rule = field(default_factory=Rule)
    forms_given: bool = False
    roster: Roster | None = None
    days: tuple[DaySetup, ...] = ()
    fixes: tuple[Fix, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()
    """(slot, alias) that were learned beside the player list, whether the file or the thread has that."""
    fallen: tuple[tuple[int, str], ...] = ()
    """(day, slot) of whom a closed day eliminated: dead from the beginning of the next day on."""
    slain: tuple[tuple[int, str], ...] = ()
    """(day, slot) of whom the game itself let die after that day: dead from the beginning of the next one."""
    changes: tuple[Change, ...] = ()
    """What the journal says of people: who replaced whom, left, or lives again; `roster` knows it, too."""
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

    def day(self, number: int) -> DaySetup | None:
        """The day of that number."""
        return next((day for day in self.days if day.number == number), None)


@dataclass(frozen=True, slots=True)
class ThreadSetup:
    """A thread of the game: `role` is game, vote, signup, private or dead, `members` who may read a room."""

    role: str
    url: str
    members: tuple[str, ...] = ()

    @property
    def secret(self) -> bool:
        """Whether not everybody may read it."""
        return self.role in ("private", "dead")


@dataclass(frozen=True, slots=True)
class DaySetup:
    """A day as file and journal tell it; `start` None means: the post that opens it, by its own words, else
    the first one after `begins`. `stood` has its earlier deadlines, each with the instant at which it was
    changed; `filed` tells whether the file lists the day."""

    number: int
    start: int | None = None
    deadline: datetime | None = None
    end: int | None = None
    begins: datetime | None = None
    stood: tuple[tuple[datetime, datetime | None], ...] = ()
    filed: bool = True

    def deadline_at(self, moment: datetime | None) -> datetime | None:
        """The deadline as it stood at that instant (None: as it stands)."""
        earlier = (ends for changed, ends in self.stood if moment is not None and moment < changed)
        return next(earlier, self.deadline)

    def counted_from(self, start: int, end: int | None = None, moment: datetime | None = None) -> Day:
        """The day for the count as known at `moment`, from post `start` and to post `end` where nothing else
        is said."""
        first = start if self.start is None else self.start
        return Day(self.number, first, end if self.end is None else self.end, self.deadline_at(moment))
