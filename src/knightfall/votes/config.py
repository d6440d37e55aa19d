"""What the moderator's file and journal tell a count of a game: people, days, rule and decisions, as values.

A post number is the clock: whatever happened at post n changes no count as of an earlier one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from knightfall.models import BoundPost, Departure, DepartureKind, Holder, Roster, VoteMark
from knightfall.names import squash
from knightfall.votes.nickname_book import Teaching
from knightfall.votes.rule import Death, Rule
from knightfall.votes.tally import Day, Fix
from knightfall.votes.votecount import Terms


@dataclass(frozen=True, slots=True)
class Ask:
    """Which count is wanted: of which day, and as of which post or instant (None: the latest)."""

    day: int | None = None
    at_post: int | None = None
    at_time: datetime | None = None


LIVES_OR_NOT = "+-"
"""Before a name that is answered alone: they live, or they do not."""


@dataclass(frozen=True, slots=True)
class DayAnswer:
    """What the moderator answered about a day of a thread without a game file: which post opened it (None:
    not said), who was alive then (none: not said; see `changes`), and how many votes eliminate."""

    day: int
    opened: int | None = None
    alive: tuple[str, ...] = ()
    needed: int | None = None

    @property
    def changes(self) -> bool:
        """Whether it only says of some that they live (“+Ada”) or do not (“-Ada”)."""
        return bool(self.alive) and all(name[0] in LIVES_OR_NOT for name in self.alive)

    def then(self, later: DayAnswer) -> DayAnswer:
        """The answer with what was answered later of the same day; what that leaves out stays."""
        opened = self.opened if later.opened is None else later.opened
        needed = later.needed or self.needed
        if not (later.changes and self.alive):
            return DayAnswer(self.day, opened, later.alive or self.alive, needed)
        about = {squash(name[1:]) for name in later.alive}
        if self.changes:
            kept = (name for name in self.alive if squash(name[1:]) not in about)
            return DayAnswer(self.day, opened, (*kept, *later.alive), needed)
        kept = (name for name in self.alive if squash(name) not in about)
        living = (name[1:] for name in later.alive if name[0] == "+")
        return DayAnswer(self.day, opened, (*kept, *living), needed)


DEATHS = {death.value: death for death in Death}
"""The answers on what eliminates in a house."""
NOT = "no "
"""Before a form that the moderator says is none."""
DEADLINE = "deadline"
"""The answer that votes are late that may be, by the end of the day which a post tells; with NOT before it
none is late by that."""
NOBODY = "nobody:"
"""Before a word by which votes mean nobody."""


def house_answers(earlier: Iterable[str], later: Iterable[str]) -> tuple[str, ...]:
    """All that was answered about a house: a later answer about what eliminates, or about a form, takes the
    place of an earlier one about that."""
    found: dict[str, str] = {}
    for word in (*earlier, *later):
        found["" if word in DEATHS else word.removeprefix(NOT)] = word
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class Answers:
    """What was asked and answered about a thread that has no game file: of its days, at most one each, of the
    house (see `house.check_answers`), who moderates, and who `replaced` whom, (new, old) each."""

    days: tuple[DayAnswer, ...] = ()
    house: tuple[str, ...] = ()
    moderators: tuple[str, ...] = ()
    replaced: tuple[tuple[str, str], ...] = ()

    def then(self, later: Answers) -> Answers:
        """These with later ones, which take the place of those about the same."""
        days = {one.day: one for one in self.days}
        for one in later.days:
            days[one.day] = days[one.day].then(one) if one.day in days else one
        return Answers(
            tuple(days[day] for day in sorted(days)),
            house_answers(self.house, later.house),
            later.moderators or self.moderators,
            later.replaced or self.replaced,
        )


NO_FILE = "no game file"


@dataclass(frozen=True, slots=True)
class CountConfig:
    """What the moderator says of a game for its counts. `roster` is None where no players are listed; `days`
    has at most one entry a day number; `forms_given` tells whether the vote forms were chosen."""

    source: str = NO_FILE
    title: str | None = None
    zone: ZoneInfo | None = None
    moderators: tuple[str, ...] = ()
    terms: Terms = field(default_factory=Terms)
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
    changes: tuple[RosterChange, ...] = ()
    """What the journal says of people: who replaced whom, left, or lives again; `roster` knows it, too."""
    marks: tuple[MarkChange, ...] = ()
    """What a game says of votes that are not like the others, in order."""
    answers: tuple[DayAnswer, ...] = ()
    """What was asked and answered about a thread that has no game file; at most one a day."""
    house: tuple[str, ...] = ()
    """What was answered about the rules of such a thread: see `house.check_answers`."""
    replaced: tuple[tuple[str, str], ...] = ()
    """(new, old) of whom was answered to have replaced somebody there."""

    nicknames: tuple[Teaching, ...] = ()
    """What answers in earlier games on the site taught: questions offer it, nothing is counted by it."""
    listed: Roster | None = None
    """The players as the file lists them, without `changes`."""

    @property
    def filed(self) -> bool:
        """Whether there is a game file."""
        return self.source != NO_FILE

    def day(self, number: int) -> DaySetup | None:
        """The day of that number."""
        return next((day for day in self.days if day.number == number), None)

    def answer(self, number: int) -> DayAnswer | None:
        """What was answered about the day of that number."""
        return next((answer for answer in self.answers if answer.day == number), None)


@dataclass(frozen=True, slots=True)
class RosterChange:
    """From `post` on (None: from the first post after `at`) the slot is held by `name`, or it has left so
    (`how`); with neither it lives again. `bound` is the post that was meant by the number."""

    slot: str
    post: int | None
    at: datetime
    name: str = ""
    how: DepartureKind | None = None
    bound: BoundPost | None = None

    def on(self, roster: Roster, post: int) -> Roster:
        """The roster with it, from that post on."""
        if self.name:
            return roster.with_holder(self.slot, Holder(self.name, post))
        if self.how:
            return roster.with_departure(self.slot, Departure(self.how, post))
        return roster.with_return(self.slot, post)

    def sentence(self, roster: Roster, post: int) -> str:
        """What everybody may know of it, never why; under the name of who held the slot before."""
        slot = roster.slot_of(self.slot)
        who = slot.holder_at(post - 1) if slot else self.slot
        if self.name:
            return f"{self.name} replaces {who} as of #{post}."
        if self.how:
            left = "has died" if self.how is DepartureKind.KILLED else "is no longer in the game"
            return f"{who} {left} as of #{post}."
        return f"{who} is alive again as of #{post}."


@dataclass(frozen=True, slots=True)
class MarkChange:
    """From the first post after `at` on (None: from the beginning) the slot's votes weigh so much, and it
    takes so many votes more against it."""

    slot: str
    at: datetime | None
    weight: int
    needed_delta: int

    def on(self, roster: Roster, first_after: Callable[[datetime], int]) -> Roster:
        """The roster with it."""
        post = 0 if self.at is None else first_after(self.at)
        return roster.with_mark(self.slot, VoteMark(post, self.weight, self.needed_delta))


def with_changes(
    roster: Roster, changes: Iterable[RosterChange], first_after: Callable[[datetime], int] | None = None
) -> Roster:
    """The roster with the changes; `first_after` finds the post for those that name none (None: those wait
    until a thread is counted). Raises InputError where a name would hold two slots."""
    for change in changes:
        post = first_after(change.at) if change.post is None and first_after else change.post
        roster = roster if post is None else change.on(roster, post)
    return roster


@dataclass(frozen=True, slots=True)
class DaySetup:
    """A day as file and journal tell it; `start` None means: the post that opens it, by its own words, else
    the first one after `begins`. `stood` has its earlier deadlines, each with the instant at which it was
    changed; `filed` tells whether the file lists the day, `closed` whether the moderator closed it;
    `start_bound` and `end_bound` are the posts that were meant by the numbers."""

    number: int
    start: int | None = None
    deadline: datetime | None = None
    end: int | None = None
    begins: datetime | None = None
    stood: tuple[tuple[datetime, datetime | None], ...] = ()
    filed: bool = True
    closed: bool = False
    start_bound: BoundPost | None = None
    end_bound: BoundPost | None = None
    resets: tuple[int, ...] = ()
    """The posts with which all votes go while the day goes on."""

    def deadline_at(self, moment: datetime | None) -> datetime | None:
        """The deadline as it stood at that instant (None: as it stands)."""
        earlier = (ends for changed, ends in self.stood if moment is not None and moment < changed)
        return next(earlier, self.deadline)

    def counted_from(self, start: int, end: int | None = None, moment: datetime | None = None) -> Day:
        """The day for the count as known at `moment`, from post `start` and to post `end` where nothing else
        is said."""
        first = start if self.start is None else self.start
        last = end if self.end is None else self.end
        return Day(self.number, first, last, self.deadline_at(moment), self.resets)
