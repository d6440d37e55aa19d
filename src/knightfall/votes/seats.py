"""Seats: who held which of them, as a thread without a game file tells, and the roster that they make."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from knightfall.models import Departure, DepartureKind, Holder, Roster, Slot
from knightfall.names import Matched, Names, fold
from knightfall.votes.moderator_posts import DayTold, newcomer
from knightfall.votes.thread_read import ThreadRead, everybody_in


class Seat:
    """A seat and who is known to have held it, oldest holder first; two seats are never equal."""

    def __init__(self, *holders: Holder) -> None:
        self.holders = list(holders)

    @property
    def name(self) -> str:
        """Who holds it now."""
        return self.holders[-1].name

    @property
    def names(self) -> tuple[str, ...]:
        """All who held it."""
        return tuple(one.name for one in self.holders)

    def held_by(self, names: Iterable[str]) -> bool:
        """Whether somebody of these names held it."""
        folded = {fold(name) for name in self.names}
        return any(fold(name) in folded for name in names)

    def slot(self) -> Slot:
        """The seat as a slot of the living."""
        return Slot(tuple(self.holders))


def names_of_seats(seats: Iterable[Seat]) -> Names:
    """The names of those who have these seats."""
    return Names([seat.slot() for seat in seats])


def once(seats: Iterable[Seat]) -> list[Seat]:
    """The seats, each once."""
    return list(dict.fromkeys(seats))


class Seats:
    """All seats that are known; `living` are those of the names given, which post `listed_at` lists."""

    def __init__(self, thread: ThreadRead, living: Sequence[str], listed_at: int, until: int) -> None:
        self.names = thread.names
        self.all: list[Seat] = []
        self._by_name: dict[str, Seat] = {}
        """Every holder's name, folded, and their seat."""
        self.living = [self.add(name) for name in living]
        sitting = {fold(name) for name in living}
        # The list of players may have been edited since, so that it has both; in any other nobody moves.
        edited = listed_at == thread.listed_at

        # The opening post and the moderator's notes add who held a seat before.
        for entry in thread.listed:
            self._hold([Holder(name) for name in (*reversed(entry.replaced), entry.name)])
        for one in (told for day in thread.days for told in day.told if told.post <= until):
            for pair in one.replaced:
                old = self._account(pair.old)
                new = self._account(pair.new) or (newcomer(pair) if self.of(old) else "")
                if new and old and (edited or not {fold(new), fold(old)} <= sitting):
                    self._replace(new, old, one.post)
        for seat in self.living:
            _put_in_order(seat, sitting, listed_at)

    def of(self, name: str) -> Seat | None:
        """The seat that somebody of this name has or had."""
        return self._by_name.get(fold(name))

    def add(self, name: str) -> Seat:
        """The seat of that name; a new one where there is none."""
        seat = self.of(name)
        if seat is None:
            seat = self._new(Holder(name))
        return seat

    def _new(self, *holders: Holder) -> Seat:
        seat = Seat(*holders)
        self.all.append(seat)
        self._know(seat)
        return seat

    def _know(self, seat: Seat) -> None:
        self._by_name.update((fold(name), seat) for name in seat.names)

    def remember(self, thread: ThreadRead, day: DayTold) -> None:
        """Give a seat to everybody whom a list of a day before names: who is known is no stranger."""
        for one in (one for earlier in thread.days if earlier.number < day.number for one in earlier.told):
            for name in everybody_in(one, thread.names):
                self.add(name)

    def lend(self, seat: Seat, name: str) -> None:
        """Somebody of that name, whom no list has, holds a seat now."""
        seat.holders.append(Holder(name))
        self._know(seat)

    def roster(self, left: Mapping[Seat, int]) -> Roster:
        """The slots; `left` has the seats of the dead, with the post from which on they are."""
        slots = []
        for seat in self.all:
            gone = Departure(DepartureKind.KILLED, left[seat]) if seat in left else None
            slots.append(replace(seat.slot(), left=gone))
        return roster_once(slots)

    def _account(self, written: str) -> str:
        """The account that a written name surely means, or a name that is listed; "" for other words."""
        meant = self.names.surely(written)
        if isinstance(meant, Matched):
            return meant.slot.name
        return written if self.of(written) is not None else ""

    def _hold(self, holders: list[Holder]) -> None:
        """All these held one seat."""
        free = [one for one in holders if self.of(one.name) is None]
        taken = once(seat for one in holders if (seat := self.of(one.name)) is not None)
        if len(taken) == 1:
            taken[0].holders[:0] = free
            self._know(taken[0])
        elif free:
            self._new(*free)

    def _replace(self, new: str, old: str, post: int) -> None:
        """`new` has the seat of `old` from that post on."""
        before, after = self.of(old), self.of(new)
        if before is not None and after is None:
            before.holders.append(Holder(new, post))
            self._know(before)
        elif before is None and after is not None:
            place = next(i for i, name in enumerate(after.names) if fold(name) == fold(new))
            after.holders[place : place + 1] = [Holder(old), Holder(new, post)]
            self._know(after)
        elif before is not None and before is after:
            self._since(before, new, old, post)
        elif before is not None and after is not None and len(after.holders) == 1:
            before.holders.append(Holder(new, post))
            self._know(before)
            self.all.remove(after)
            self.living = [before if seat is after else seat for seat in self.living]

    def _since(self, seat: Seat, new: str, old: str, post: int) -> None:
        """`new` has had the seat, which `old` had before, from that post on."""
        places = {fold(one.name): place for place, one in enumerate(seat.holders)}
        place = places[fold(new)]
        if places[fold(old)] < place and not seat.holders[place].from_post:
            seat.holders[place] = Holder(seat.holders[place].name, post)


def _put_in_order(seat: Seat, sitting: set[str], listed_at: int) -> None:
    """Put whoever was listed as living at post `listed_at` behind those who came before, and before those who
    came later; since when those before held the seat does not matter."""
    sitter = next((one for one in seat.holders if fold(one.name) in sitting), None)
    if sitter is None:
        return
    others = [one for one in seat.holders if one is not sitter]
    before = [Holder(one.name) for one in others if one.from_post <= listed_at]
    seat.holders = [*before, sitter, *(one for one in others if one.from_post > listed_at)]


def roster_once(slots: Iterable[Slot]) -> Roster:
    """The roster of these slots; a name that stands twice is left with the first that has it, the living
    before the dead."""
    seen: set[str] = set()
    kept: list[Slot] = []
    for slot in sorted(slots, key=lambda slot: slot.left is not None):
        holders = tuple(one for one in slot.holders if one.name.casefold() not in seen)
        seen.update(one.name.casefold() for one in holders)
        if holders:
            kept.append(replace(slot, holders=holders))
    return Roster(tuple(kept))
