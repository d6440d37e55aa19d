"""What the thread of a running game tells of it, for whoever takes it over: who holds which seat, who has
left it and how, what they were, and which day or night it is.

Every day is read as its count reads it. What two readings of a day do not agree on, and what no post tells,
comes back as a doubt: at the seat where it concerns one, else at the whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import pairwise

from knightfall.models import DepartureKind, Holder, Slot, Thread
from knightfall.names import fold, slips, squash
from knightfall.sentence import Sentence
from knightfall.votes.config import Ask, CountConfig
from knightfall.votes.count import Basis, Habits, Settled, days_settled
from knightfall.votes.deadlines import Stated, stated
from knightfall.votes.known import How
from knightfall.votes.living import told_dead
from knightfall.votes.role_told import is_vanilla, role_told
from knightfall.votes.rule import Rule
from knightfall.votes.seats import Seat, names_of_seats
from knightfall.votes.thread_read import ThreadRead

# ---- What is told


@dataclass(frozen=True, slots=True)
class LeftTold:
    """How a seat left the living: on day `day`, or in the night after it where `night` (day 0: before the
    first day); `post` tells it (None: no post is known to)."""

    how: DepartureKind
    day: int
    night: bool = False
    post: int | None = None


@dataclass(frozen=True, slots=True)
class SeatTold:
    """A seat: who held it, oldest first, how it left (None: it lives), the role that was shown ("" where none
    was read) and the post that shows it. `heard`: somebody of these names has posted. `doubts` are why a part
    of that is not sure, a sentence each."""

    holders: tuple[Holder, ...]
    left: LeftTold | None = None
    role: str = ""
    role_post: int | None = None
    heard: bool = True
    doubts: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Who holds it now."""
        return self.holders[-1].name

    @property
    def names(self) -> tuple[str, ...]:
        """All who held it."""
        return tuple(one.name for one in self.holders)


@dataclass(frozen=True, slots=True)
class DayOfGame:
    """A day that has begun: its first post, the post that ended it (None: it runs, or no post says so), and
    the names of whom it eliminated."""

    number: int
    start: int
    ended: int | None = None
    eliminated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GameTold:
    """A running game as its thread tells it. It stands in the last of its `days`, or with `night` in the
    night after that. `rule` is that of the house; `said` tells what was taken from which post, `doubts` what
    is not sure of the whole, a sentence each. `deadline` is until when the day or night goes, as a post told
    last (None: none does)."""

    moderators: tuple[str, ...]
    seats: tuple[SeatTold, ...]
    days: tuple[DayOfGame, ...]
    night: bool
    rule: Rule
    said: tuple[Sentence | str, ...] = ()
    doubts: tuple[str, ...] = ()
    deadline: Stated | None = None

    @property
    def number(self) -> int:
        """Of the day that runs, or that came before the night that does."""
        return self.days[-1].number

    @property
    def living(self) -> tuple[SeatTold, ...]:
        """The seats that live."""
        return tuple(one for one in self.seats if one.left is None)


def game_told(
    thread: Thread, habits: Habits, config: CountConfig, ask: Ask, now: datetime | None = None
) -> GameTold:
    """What the thread tells of the game by the post that is asked for; a post that shows no time is taken for
    one of `now`. Raises as `votecount`."""
    read, days = days_settled(thread, habits, config, ask)
    found = _Telling(thread, read, days).game()
    posts = {post.number: post for post in thread.posts if post.number <= days[-1].basis.until}
    ends = stated(read, posts, found.number, config.zone, found.night, now)
    return replace(found, deadline=ends[-1] if ends else None)


# ---- How it is read


@dataclass
class _Day:
    """A day as it was settled, with who lived when it began and when it was last heard of."""

    settled: Settled
    began: set[Seat] = field(default_factory=set)
    lasted: set[Seat] = field(default_factory=set)
    fell: set[Seat] = field(default_factory=set)

    @property
    def number(self) -> int:
        return self.settled.basis.day.number

    @property
    def start(self) -> int:
        return self.settled.basis.day.start


class _Telling:
    """The way from the days of a thread to the seats of its game."""

    def __init__(self, thread: Thread, read: ThreadRead, settled: Sequence[Settled]) -> None:
        self.read, self.posts, self.last = read, thread.posts, settled[-1].basis
        self.until = self.last.until
        self.told = [one for one in read.told_since if one.post <= self.until]
        known = [post for post in thread.posts if post.number <= self.until]
        self.first_post = {fold(post.author): post.number for post in reversed(known)}
        self.last_post = {fold(post.author): post.number for post in known}

        self.spelt = _accounts_meant(thread, read, settled)
        self.seats = _seats_of(read, settled, self.spelt)
        self.by_name = {fold(name): seat for seat in self.seats for name in seat.names}
        self.days = [
            _Day(one, self._alive(one.basis, one.basis.day.start), self._alive(one.basis, one.basis.until))
            for one in settled
        ]
        for day in self.days:
            day.fell = self._eliminated(day)
        self.paired: dict[Seat, tuple[str, str]] = {}
        """Seat → who left and who came, where only that they did at one time tells that it is one seat."""
        for before, after in pairwise(self.days):
            self._pair(before, after)

    def game(self) -> GameTold:
        """All that is told."""
        days = tuple(
            DayOfGame(
                day.number, day.start, self._ended(day.number), tuple(sorted(seat.name for seat in day.fell))
            )
            for day in self.days
        )
        night = days[-1].ended is not None
        alive = self._alive(self.last, self.until) - (self.days[-1].fell if night else set())
        if not night:
            days = (*days[:-1], DayOfGame(days[-1].number, days[-1].start))
        return GameTold(
            self.read.moderators,
            tuple(self._seat_told(seat, seat in alive) for seat in self.seats),
            days,
            night,
            self.last.house,
            self.last.assumed,
            tuple(self._doubts(days[-1])),
        )

    def _seat_told(self, seat: Seat, lives: bool) -> SeatTold:
        left = None if lives else self._left(seat)
        post, role = (None, "") if left is None else self._role(seat, left)
        holders = tuple(self._dated(seat.holders))
        heard = any(fold(name) in self.last_post for name in seat.names)
        return SeatTold(holders, left, role, post, heard, tuple(self._doubts_on(seat, left)))

    def _dated(self, holders: Sequence[Holder]) -> Iterator[Holder]:
        """The holders, whoever came later from a post on: where no post tells when, from their first one, and
        who has not posted yet from behind the last one of who held it before."""
        for before, one in zip((None, *holders), holders, strict=False):
            if before is None or one.from_post:
                yield one
                continue
            behind = self.last_post.get(fold(before.name), self.last.day.start) + 1
            yield Holder(one.name, self.first_post.get(fold(one.name), behind))

    def _of(self, slot: Slot) -> Seat:
        names = (fold(self.spelt.get(fold(name), name)) for name in slot.names)
        return next(self.by_name[name] for name in names if name in self.by_name)

    def _alive(self, basis: Basis, post: int) -> set[Seat]:
        return {self._of(slot) for slot in basis.roster.alive_at(post)}

    def _ended(self, number: int) -> int | None:
        """The post that ended a day."""
        told = self.read.day(number)
        ended = None if told is None else told.ended
        return ended if ended is not None and ended <= self.until else None

    # ---- Who came in for whom

    def _pair(self, before: _Day, after: _Day) -> None:
        """Give who is listed on a day for the first time the seat of who is listed no more and of whose death
        no post tells, where there is one of either: nobody comes into a game but for somebody else."""
        earlier = {seat for day in self.days if day.number <= before.number for seat in day.began}
        later = {seat for day in self.days if day.number > before.number for seat in day.began}
        came = [seat for seat in after.began if seat not in earlier]
        gone = [seat for seat in self.seats if seat in before.began and seat not in later | before.fell]
        lost = [seat for seat in gone if self._died(seat, before.start) is None]
        if len(came) == len(lost) == 1:
            self._join(lost[0], came[0], after.start)

    def _join(self, old: Seat, new: Seat, post: int) -> None:
        self.paired[old] = (old.name, new.name)
        old.holders += [Holder(one.name, max(one.from_post, post)) for one in new.holders]
        self.seats.remove(new)
        self.by_name.update((fold(name), old) for name in old.names)
        for day in self.days:
            for there in (day.began, day.lasted, day.fell):
                if new in there:
                    there.remove(new)
                    there.add(old)

    # ---- How a seat left

    def _eliminated(self, day: _Day) -> set[Seat]:
        """Whom a day has eliminated: by the moderator's words behind it, else by its hammer."""
        told, after = self.read.day(day.number), self.read.day(day.number + 1)
        if told is None:
            return set()
        first = day.start if told.ended is None else told.ended
        end = self.until if after is None else after.opened
        said = [one for one in self.told if first <= one.post <= end]
        named = {fold(name) for one in said for name in one.eliminated(day.number)}
        found = {self.by_name[name] for name in named & self.by_name.keys()} & day.began
        hammer = day.settled.counted.hammer
        if not found and hammer is not None and hammer.target is not None:
            found = {self._of(hammer.target)} & day.began
        return found or {seat for seat in day.began if seat.held_by(told.hammered(0))}

    def _left(self, seat: Seat) -> LeftTold:
        """How a seat left, by the last day on which it lived."""
        lived = [day for day in self.days if seat in day.began]
        if not lived:
            return LeftTold(DepartureKind.KILLED, 0, night=True)
        day = lived[-1]
        # They lived when the day began, and who lasted until it ended: an earlier post has them in a list.
        fell, lasted = seat in day.fell, seat in day.lasted
        ended = self._ended(day.number)
        since = ended - 1 if ended is not None and (fell or lasted) else day.start
        post = self._died(seat, since) or self._died(seat, day.start)
        if fell:
            return LeftTold(DepartureKind.ELIMINATED, day.number, post=post)
        return LeftTold(DepartureKind.KILLED, day.number, night=lasted, post=post)

    def _died(self, seat: Seat, since: int) -> int | None:
        """The first post behind `since` that tells the death of a seat."""
        return told_dead(self.read, [seat], since, self.until, self.last.day.number + 1).get(seat)

    def _role(self, seat: Seat, left: LeftTold) -> tuple[int | None, str]:
        """The post that shows the role of a seat since the day on which it left, and the role: one that says
        more than the side, where a post does."""
        first = next((day.start for day in self.days if day.number == left.day), 0)
        opening = self.read.opening
        turning = (one for one in self.told if one.post >= first and one.turns)
        names = names_of_seats(self.seats)
        found: tuple[int | None, str] = (None, "")
        for one in (*turning, opening):
            role = role_told(seat.name, one.lines, names)
            if role and not is_vanilla(role):
                return one.post, role
            found = found if found[1] or not role else (one.post, role)
        return found

    def _told_dead_since(self, seat: Seat) -> int | None:
        """The post that seems to tell the death of somebody who lives by the list that is counted by."""
        day = self.last.day
        since = max(self._ended(day.number) or 0, self.last.known.living.post or 0, day.start)
        return told_dead(self.read, [seat], since, self.until, day.number).get(seat)

    # ---- What is not sure

    def _doubts(self, last: DayOfGame) -> Iterator[str]:
        """What is not sure of the whole."""
        known = self.last.known
        if not any(reading.names for reading in known.living.readings):
            yield from known.living.doubts
        yield from known.day.doubts
        if last.ended is not None and not self.days[-1].fell and not self._nobody_fell(last.ended):
            yield f"Day {last.number} has ended, and no post tells who was eliminated."
        first = self.days[0].settled.basis
        if first is not self.last and first.known.living.how is How.OPEN:
            yield f"Who played on day {first.day.number} is not sure. {' '.join(first.known.living.doubts)}"
        began = self._began_with()
        if began != len(self.seats):
            yield f"The game began with {began} players, and {len(self.seats)} seats were read."
        if strangers := self._strangers():
            said = ", ".join(f"{name} (#{self.last_post[fold(name)]})" for name in strangers)
            yield f"Posting, and neither listed nor a moderator: {said}. Did they replace somebody?"

    def _strangers(self) -> list[str]:
        """Who posts since the game is on and has no seat: more than once, or somebody who is listed."""
        seated = {*self.by_name, *map(fold, self.read.moderators)}
        listed = {name for entry in self.read.listed for name in entry.folded}
        since = self.days[0].start
        times = Counter(post.author for post in self.posts if since <= post.number <= self.until)
        often = (name for name, count in times.items() if count > 1 or fold(name) in listed)
        return [name for name in often if fold(name) not in seated]

    def _nobody_fell(self, ended: int) -> bool:
        """Whether the last day has ended without an elimination, by its hammer or the moderator's words."""
        hammer, told = self.days[-1].settled.counted.hammer, self.read.day(self.days[-1].number)
        spared = told is not None and any(one.spared() for one in told.told if one.post >= ended)
        return spared or (hammer is not None and hammer.target is None)

    def _began_with(self) -> int:
        """How many lived on the first day, as its posts state it or list them."""
        stated = self.read.days[0].stated(self.until)
        alive = None if stated is None else stated.alive
        return len(self.days[0].began) if alive is None else alive

    def _doubts_on(self, seat: Seat, left: LeftTold | None) -> Iterator[str]:
        """What is not sure of a seat."""
        readings = [{self._of(slot) for slot in one.roster.alive_at(self.until)} for one in self.last.living]
        if len({seat in there for there in readings}) > 1:
            yield from self.last.known.living.doubts
        first = next((day.number for day in self.days if seat in day.began), 0)
        if seat in self.paired:
            old, new = self.paired[seat]
            yield f"{old} is listed no more, and {new} for the first time then: no post tells why."
        elif first > self.days[0].number:
            yield f"{seat.name} is first listed on day {first}: no post tells whom they replaced."
        if left is None:
            yield from self._doubts_on_living(seat)
        elif left.post is None and left.how is not DepartureKind.ELIMINATED and left.day:
            yield f"No post tells of the death of {seat.name}, who is listed last on day {left.day}."

    def _doubts_on_living(self, seat: Seat) -> Iterator[str]:
        """What is not sure of somebody who lives: whether they do, and whether it is they."""
        died = self._told_dead_since(seat)
        if died is not None:
            yield f"Post #{died} seems to tell that {seat.name} is dead."
        posted = {name: self.last_post[fold(name)] for name in seat.names if fold(name) in self.last_post}
        latest = max(posted, key=lambda name: posted[name], default="")
        if latest not in ("", seat.name):
            yield f"{latest} posted last for this seat (#{posted[latest]}), and {seat.name} is listed."


# ---- The seats of all days


def _accounts_meant(thread: Thread, read: ThreadRead, days: Sequence[Settled]) -> dict[str, str]:
    """Names of people who live by a list and never post, folded → the account that is meant: one that posts,
    lives by no list and is a slip of the pen away, where there is no second one on either side."""
    lived = {fold(slot.name) for day in days for slot in _alive_first(day)}
    mods = set(map(fold, read.moderators))
    posting = {fold(post.author): post.author for post in thread.posts}
    silent, free = lived - posting.keys(), posting.keys() - lived - mods
    near = [(one, other) for one in silent for other in free if _a_slip_away(one, other)]
    once = Counter(name for pair in near for name in pair)
    return {one: posting[other] for one, other in near if once[one] == once[other] == 1}


def _a_slip_away(one: str, other: str) -> bool:
    return min(len(one), len(other)) >= SHORTEST and slips(squash(one), squash(other)) <= 1


SHORTEST = 4
"""Shorter names that are a letter apart are two."""


def _seats_of(read: ThreadRead, days: Sequence[Settled], spelt: Mapping[str, str]) -> list[Seat]:
    """The seats that lived on a day, each once, in the order of the list of players or as they were read;
    `spelt` are names of lists as they are meant.

    Lists have notes where names stand: a name of nobody who posts and who is in no list of the living is
    none. Two who live on one day have two seats, whatever a list says of who replaced whom.
    """
    lived = {fold(spelt.get(fold(slot.name), slot.name)) for day in days for slot in _alive_first(day)}
    early = {fold(entry.name) for entry in read.listed if entry.day == 0}
    known = lived | read.posters | early
    found: list[Seat] = []
    for day in reversed(days):
        living = {slot.names for slot in _alive_first(day)}
        taken: list[Seat] = []
        for slot in sorted(day.basis.roster.slots, key=lambda slot: slot.names not in living):
            named = (replace(one, name=spelt.get(fold(one.name), one.name)) for one in slot.holders)
            holders = [one for one in named if fold(one.name) in known]
            if slot.names in living:
                taken.append(_seat_of_living(holders, found, taken))
            else:
                _seat_for(holders, found, taken)
    entries = enumerate(read.listed)
    order = {fold(name): place for place, entry in entries for name in (entry.name, *entry.replaced)}

    def place(seat: Seat) -> int:
        return min((order[fold(name)] for name in seat.names if fold(name) in order), default=len(order))

    return sorted((seat for seat in found if seat.held_by(lived | early)), key=place)


def _seat_of_living(holders: Sequence[Holder], found: list[Seat], taken: Sequence[Seat]) -> Seat:
    """The seat of these holders, who live on a day; their names go out of the seats that others have on it
    (`taken`)."""
    names = {fold(one.name) for one in holders}
    if all(seat in taken for seat in found if seat.held_by(names)):
        for seat in taken:
            seat.holders = [one for one in seat.holders if fold(one.name) not in names]
    return _seat_for(holders, found, taken)


def _seat_for(holders: Sequence[Holder], found: list[Seat], taken: Sequence[Seat]) -> Seat:
    """The seat of these holders among those that were found, which they are added to: a new one where there
    is none but those that others have on the same day (`taken`)."""
    names = {fold(one.name) for one in holders}
    there = {fold(one.name) for seat in found for one in seat.holders}
    fresh = [one for one in holders if fold(one.name) not in there]
    own = [seat for seat in found if seat.held_by(names) and seat not in taken]
    if not own:
        found.append(Seat(*fresh))
        return found[-1]
    seat, *others = own
    for other in others:
        seat.holders[:0] = other.holders
        found.remove(other)
    seat.holders[:0] = fresh
    return seat


def _alive_first(day: Settled) -> tuple[Slot, ...]:
    """Who lived when a day began."""
    return day.basis.roster.alive_at(day.basis.day.start)
