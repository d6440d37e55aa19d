"""What the thread of a running game tells of it, for whoever takes it over: who holds which seat, who has
left it and how, what they were, and which day or night it is.

Every day is read as its count reads it; what two readings of a day do not agree on, or no post tells, comes
back as a doubt at the seat or at the whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from knightfall.models import DepartureKind, Holder, Slot, Thread
from knightfall.names import fold
from knightfall.votes.config import Ask, CountConfig
from knightfall.votes.count import Basis, Habits, Settled, days_settled
from knightfall.votes.living import told_dead
from knightfall.votes.role_told import role_told
from knightfall.votes.seats import Seat, names_of_seats
from knightfall.votes.thread_read import ThreadRead


@dataclass(frozen=True, slots=True)
class LeftTold:
    """How a seat left the living: on day `day`, or in the night after it where `night`; `post` tells it
    (None: no post is known to)."""

    how: DepartureKind
    day: int
    night: bool = False
    post: int | None = None


@dataclass(frozen=True, slots=True)
class SeatTold:
    """A seat: who held it, oldest first, how it left (None: it lives), the role that was shown ("" where none
    was read) and the post that showed it. `doubts` are why a part of that is not sure, a sentence each."""

    holders: tuple[Holder, ...]
    left: LeftTold | None = None
    role: str = ""
    role_post: int | None = None
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
class DayRead:
    """A day that has begun: its first post, and the post that ended it (None: it runs, or nobody knows)."""

    number: int
    start: int
    ended: int | None = None


@dataclass(frozen=True, slots=True)
class GameTold:
    """A running game as its thread tells it. It stands in day `number`, or with `night` in the night after
    it. `listed_at` is the post that lists who lives (None: no single one does); `doubts` concern the whole."""

    moderators: tuple[str, ...]
    seats: tuple[SeatTold, ...]
    days: tuple[DayRead, ...]
    night: bool
    listed_at: int | None
    said: str
    doubts: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """Of the day that runs, or that came before the night that does."""
        return self.days[-1].number

    @property
    def living(self) -> tuple[SeatTold, ...]:
        """The seats that live."""
        return tuple(one for one in self.seats if one.left is None)


def game_told(thread: Thread, habits: Habits, config: CountConfig, ask: Ask) -> GameTold:
    """What the thread tells of the game by the post that is asked for. Raises as `votecount`."""
    read, days = days_settled(thread, habits, config, ask)
    return _Telling(thread, read, days).game()


class _Telling:
    """The way from the days of a thread to the seats of its game."""

    def __init__(self, thread: Thread, read: ThreadRead, days: Sequence[Settled]) -> None:
        self.read, self.days, self.last = read, days, days[-1].basis
        self.until = self.last.until
        self.seats = list(_seats_of(read, days))
        self.by_name = {fold(name): seat for seat in self.seats for name in seat.names}
        self.told = [one for day in read.days for one in day.told if one.post <= self.until]
        self.posts = thread.posts
        self.posted = {fold(post.author): post.number for post in thread.posts if post.number <= self.until}
        """Whoever posts, folded → the last post of theirs."""
        self.lived = {one.basis.day.number: self._alive(one.basis, one.basis.day.start) for one in days}
        """Day → who lived when it began."""
        self._pair_those_who_came_in()
        self.fell = {one.basis.day.number: self._eliminated(one) for one in days}
        """Day → whom it has eliminated."""

    def game(self) -> GameTold:
        """All that is told."""
        days = tuple(
            DayRead(day.number, day.start, self._ended(day.number))
            for day in (one.basis.day for one in self.days)
        )
        night = days[-1].ended is not None
        self.alive = self._alive(self.last, self.until)
        if night:
            self.alive -= self.fell[days[-1].number]
        return GameTold(
            self.read.moderators,
            tuple(map(self._seat_told, self.seats)),
            days,
            night,
            self.last.known.living.post,
            self.last.known.living.said,
            tuple(self._doubts(days[-1])),
        )

    def _seat_told(self, seat: Seat) -> SeatTold:
        left = None if seat in self.alive else self._left(seat)
        role_post, role = (None, "") if left is None else self._role(seat, left)
        return SeatTold(tuple(seat.holders), left, role, role_post, tuple(self._doubts_on(seat, left)))

    def _of(self, slot: Slot) -> Seat:
        return next(self.by_name[fold(name)] for name in slot.names if fold(name) in self.by_name)

    def _alive(self, basis: Basis, post: int) -> set[Seat]:
        return {self._of(slot) for slot in basis.roster.alive_at(post)}

    def _ended(self, number: int) -> int | None:
        """The post that ended a day."""
        told = self.read.day(number)
        ended = None if told is None else told.ended
        return ended if ended is not None and ended <= self.until else None

    def _pair_those_who_came_in(self) -> None:
        """Give who is listed on a day for the first time the seat of who is listed no more and died by no
        post, where there is one of either: nobody comes into a game but for somebody else."""
        self.paired: dict[Seat, tuple[str, str]] = {}
        for before, after in pairwise(self.days):
            earlier, later = self.lived[before.basis.day.number], self.lived[after.basis.day.number]
            came = [seat for seat in later if self._first_day(seat) == after.basis.day.number]
            gone = [
                seat
                for seat in earlier - later
                if not any(seat in self.lived[n] for n in self.lived if n > before.basis.day.number)
            ]
            since, until = before.basis.day.start - 1, after.basis.day.start
            died = told_dead(self.read, gone, since, self.until, self.last.day.number + 1)
            lost = [seat for seat in gone if seat not in died and seat not in self._eliminated(before)]
            if len(came) == len(lost) == 1:
                self._join(lost[0], came[0], until)

    def _join(self, old: Seat, new: Seat, post: int) -> None:
        self.paired[old] = (old.name, new.name)
        old.holders += [Holder(one.name, max(one.from_post, post)) for one in new.holders]
        self.seats.remove(new)
        self.by_name.update((fold(name), old) for name in old.names)
        for there in self.lived.values():
            if new in there:
                there.remove(new)
                there.add(old)

    def _first_day(self, seat: Seat) -> int:
        return next((number for number, there in self.lived.items() if seat in there), 0)

    # ---- How a seat left

    def _eliminated(self, day: Settled) -> set[Seat]:
        """Whom a day has eliminated: by the moderator's words behind it, else by its hammer."""
        number, start = day.basis.day.number, day.basis.day.start
        told, after = self.read.day(number), self.read.day(number + 1)
        if told is None:
            return set()
        first = start if told.ended is None else told.ended
        end = self.until if after is None else after.opened
        said = [one for one in self.told if first <= one.post <= end]
        named = {slot.name for one in said for slot in one.eliminated(names_of_seats(self.seats), number)}
        alive = self.lived[number]
        found = {self.by_name[fold(name)] for name in named} & alive
        hammer = day.counted.hammer
        if not found and hammer is not None and hammer.target is not None:
            found = {self._of(hammer.target)} & alive
        return found or {seat for seat in alive if seat.held_by(told.hammered(0))}

    def _left(self, seat: Seat) -> LeftTold:
        """How a seat left, by the last day on which it lived."""
        number = max((number for number, there in self.lived.items() if seat in there), default=0)
        if number == 0:
            return LeftTold(DepartureKind.KILLED, 0, night=True)
        day = next(one for one in self.days if one.basis.day.number == number)
        start = day.basis.day.start
        post = told_dead(self.read, [seat], start - 1, self.until, self.last.day.number + 1).get(seat)
        if seat in self.fell[number]:
            return LeftTold(DepartureKind.ELIMINATED, number, post=post)
        running = seat not in self._alive(day.basis, day.basis.until)
        return LeftTold(DepartureKind.KILLED, number, night=not running, post=post)

    def _role(self, seat: Seat, left: LeftTold) -> tuple[int | None, str]:
        """The role that was shown of a seat since the day on which it left, and the post that shows it."""
        first = next((one.basis.day.start for one in self.days if one.basis.day.number == left.day), 0)
        best: tuple[int | None, str] = (None, "")
        names = names_of_seats(self.seats)
        for one in (*self.told, self.read.opening):
            if one.post == self.read.opening.post or (one.post >= first and one.turns):
                role = role_told(seat.name, one.lines, names)
                if len(role) > len(best[1]):
                    best = one.post, role
            if " " in best[1]:
                break
        return best

    def _told_dead_since(self, seat: Seat) -> int | None:
        """The post that seems to tell the death of somebody who lives by the list that is counted by."""
        day = self.last.day
        since = max(self._ended(day.number) or 0, self.last.known.living.post or 0, day.start)
        return told_dead(self.read, [seat], since, self.until, day.number).get(seat)

    # ---- What is not sure

    def _doubts(self, last: DayRead) -> Iterator[str]:
        """What is not sure of the whole."""
        known = self.last.known
        if not any(reading.names for reading in known.living.readings):
            yield from known.living.doubts
        yield from known.day.doubts
        if last.ended is not None and not self.fell[last.number] and not self._nobody_fell(last):
            yield f"Day {last.number} has ended, and no post tells who was eliminated."
        began = self._began_with()
        if began is not None and began != len(self.seats):
            yield f"The game began with {began} players, and {len(self.seats)} seats were read."
        if strangers := self._strangers():
            said = ", ".join(f"{name} (#{self.posted[fold(name)]})" for name in strangers)
            yield f"Posting, and neither listed nor a moderator: {said}. Did they replace somebody?"

    def _strangers(self) -> list[str]:
        """Who has posted since the game was on, more than once, and has no seat."""
        mods = set(map(fold, self.read.moderators))
        since = self.days[0].basis.day.start
        times = Counter(post.author for post in self.posts if since <= post.number <= self.until)
        seated = {fold(name) for name in self.by_name} | mods
        listed = {name for entry in self.read.listed for name in entry.folded}
        often = (name for name, count in times.items() if count > 1 or fold(name) in listed)
        return [name for name in often if fold(name) not in seated]

    def _nobody_fell(self, day: DayRead) -> bool:
        hammer, told = self.days[-1].counted.hammer, self.read.day(day.number)
        spared = told is not None and any(one.spared for one in told.told if one.post >= (day.ended or 0))
        return spared or (hammer is not None and hammer.target is None)

    def _began_with(self) -> int | None:
        """How many lived on the first day by its posts; None where none says it."""
        first = self.read.days[0]
        stated = first.stated(self.until)
        return stated.alive if stated is not None else len(self.lived[self.days[0].basis.day.number])

    def _doubts_on(self, seat: Seat, left: LeftTold | None) -> Iterator[str]:
        """What is not sure of a seat."""
        readings = [{self._of(slot) for slot in one.roster.alive_at(self.until)} for one in self.last.living]
        if len({seat in there for there in readings}) > 1:
            yield from self.last.known.living.doubts
        if seat in self.paired:
            old, new = self.paired[seat]
            yield f"{old} is listed no more and {new} for the first time on one day: no post tells that {new} replaced them."
        elif self._first_day(seat) > self.days[0].basis.day.number:
            yield f"{seat.name} is first listed on day {self._first_day(seat)}: no post tells whom they replaced."
        if left is None and (died := self._told_dead_since(seat)) is not None:
            yield f"Post #{died} seems to tell that {seat.name} is dead."
        if left is not None and left.post is None and seat not in self.fell.get(left.day, ()):
            yield f"No post tells of the death of {seat.name}, who is listed last on day {left.day}."
        last = {name: self.posted.get(fold(name), -1) for name in seat.names}
        if left is None and max(last.values()) < 0:
            yield f"Nobody called {seat.name} has posted."
        if left is None and max(last, key=lambda name: last[name]) != seat.name and max(last.values()) >= 0:
            latest = max(last, key=lambda name: last[name])
            yield f"{latest} posted last for this seat (#{last[latest]}), and {seat.name} is listed."


def _seats_of(read: ThreadRead, days: Sequence[Settled]) -> Iterable[Seat]:
    """The seats that lived on a day, each once, in the order of the list of players or in which they were read.

    Lists have notes where names stand; a name of nobody who posts and who is in no list of the living is none.
    """
    lived = {fold(slot.name) for day in days for slot in _alive_first(day)}
    early = {fold(entry.name) for entry in read.listed if entry.day == 0}
    known = lived | read.posters | early
    found: list[list[Holder]] = []
    for day in reversed(days):
        living = {slot.names for slot in _alive_first(day)}
        taken: list[list[Holder]] = []
        """The seats of those who live on this day: no two of them are one."""
        for slot in sorted(day.basis.roster.slots, key=lambda slot: slot.names not in living):
            holders = [one for one in slot.holders if fold(one.name) in known]
            names = {fold(one.name) for one in holders}
            own = [one for one in found if names & {fold(h.name) for h in one}]
            free = [one for one in own if not any(one is other for other in taken)]
            if slot.names in living and own and not free:
                for one in own:
                    one[:] = [h for h in one if fold(h.name) not in names]
            there = {fold(h.name) for one in found for h in one}
            fresh = [h for h in holders if fold(h.name) not in there]
            if not free:
                found.append(fresh)
                free = [fresh]
            else:
                free[0][:0] = fresh
            for other in free[1:]:
                free[0][:0] = other
                found[:] = [one for one in found if one is not other]
            if slot.names in living:
                taken.append(free[0])
    entries = enumerate(read.listed)
    order = {fold(name): place for place, entry in entries for name in (entry.name, *entry.replaced)}

    def place(holders: list[Holder]) -> int:
        return min((order[fold(h.name)] for h in holders if fold(h.name) in order), default=len(order))

    there = (one for one in found if any(fold(h.name) in lived | early for h in one))
    return [Seat(*holders) for holders in sorted(there, key=place)]


def _alive_first(day: Settled) -> tuple[Slot, ...]:
    """Who lived when a day began."""
    return day.basis.roster.alive_at(day.basis.day.start)
