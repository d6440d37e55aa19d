"""The days and the living of a thread, as the moderator's own posts tell them.

`days_told` walks through what the posts tell (`moderator_posts.Told`) and finds where each day begins;
`living_told` says who lives on a day and how many votes it takes, from counts and statements that agree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from knightfall.models import Departure, DepartureKind, Holder, Roster, Slot
from knightfall.names import Ambiguous, Matched, Names, fold, squash
from knightfall.votes.moderator_posts import DEATH, Told
from knightfall.votes.player_list import Listed
from knightfall.votes.posted_votecounts import PostedVotecount


@dataclass(frozen=True, slots=True)
class DayTold:
    """A day: the post that it is counted from, and `because`, the post that says so (None: it is the first).

    `ended` is the moderator's post that closes it."""

    number: int
    start: int
    told: tuple[Told, ...] = ()
    ended: int | None = None


def listed_in(count: PostedVotecount) -> tuple[str, ...]:
    """All that a count lists as voters or idle, by name."""
    return tuple(
        dict.fromkeys(name for row in count.rows for name in (*(v.name for v in row.voters), *row.strangers))
    )


def is_whole(told: Told) -> bool:
    """Whether the count lists everybody who lives, wagons and idle together."""
    if told.count is None:
        return False
    size = len(listed_in(told.count))
    if told.alive is not None:
        return size == told.alive
    if told.needed is not None and size // 2 + 1 != told.needed:
        return False
    return any(row.idle for row in told.count.rows)


def size_told(told: Told) -> int | None:
    """How many live by this post."""
    if told.alive is not None:
        return told.alive
    return len(listed_in(told.count)) if told.count is not None and is_whole(told) else None


def is_hammered(told: Told, needed: int | None) -> bool:
    """Whether the count has a wagon with as many votes as it takes."""
    if told.count is None:
        return False
    enough = needed or len(listed_in(told.count)) // 2 + 1
    return any(not row.idle and len(row.voters) + len(row.strangers) >= enough for row in told.count.rows)


def days_told(posts: Sequence[Told], voters: Mapping[int, str], first: int) -> tuple[DayTold, ...]:
    """The days in order. `voters` has the numbers of posts with votes and who made them."""
    votes = sorted(voters.items())
    days = [DayTold(1, first)]
    told: list[Told] = []
    pending: Told | None = None
    sure = False
    alive: int | None = None
    needed: int | None = None

    def voted(after: int, before: int) -> int:
        return len({who for post, who in votes if after < post < before})

    def open_day(number: int, start: int) -> None:
        nonlocal told, pending, alive, needed, sure
        ended = pending.post if pending else None
        days[-1] = replace(days[-1], told=tuple(told), ended=ended)
        days.append(DayTold(number, start))
        told, pending, alive, needed, sure = [], None, None, None, False

    for one in posts:
        day = days[-1]
        size = size_told(one)
        played = voted(day.start - 1, one.post) > 1
        shrank = size is not None and alive is not None and size < alive
        fewer = one.needed is not None and needed is not None and one.needed < needed
        with_votes = one.count is not None and any(not row.idle and row.voters for row in one.count.rows)
        hammered = is_hammered(one, needed)
        resumed = pending is not None and voted(pending.post, one.post) > 2

        if one.opens == day.number + 1 and played:
            # A post that tells the end of one day and the beginning of the next belongs to the first.
            both = (pending is None or resumed) and bool(hammered or one.closes or one.dead)
            if both:
                pending = one
            open_day(one.opens, one.post + both)
        elif one.opens is not None and one.opens > day.number and played and pending is not None:
            open_day(one.opens, one.post)
        elif one.opens == 1 and len(days) == 1 and not any(t.count for t in told):
            days[-1] = replace(day, start=one.post)
        elif one.count_day is not None and day.number < one.count_day and played and (pending or one.count_day == day.number + 1):
            begun = pending.post + 1 if pending else day.start
            open_day(one.count_day, begun if with_votes else one.post)
        elif pending is not None and (shrank or fewer or (one.dawns and not resumed) or (sure and resumed and one.count)):
            open_day(day.number + 1, one.post if not with_votes and not resumed else pending.post + 1)
        elif hammered and fewer and played:
            # The next day begins with the post that ends this one.
            pending = one
            told.append(one)
            open_day(day.number + 1, one.post + 1)
            needed = one.needed
            continue
        elif pending is not None and resumed and not sure and one.count is not None and size == alive:
            pending = None
        if (one.closes or hammered) and voted(days[-1].start - 1, one.post) > 1 and pending is None:
            pending = one
        sure = sure or (pending is not None and hammered)
        told.append(one)
        alive = size if size is not None else alive
        needed = one.needed if one.needed is not None else needed
    days[-1] = replace(days[-1], told=tuple(told), ended=pending.post if pending else None)
    return tuple(days)


@dataclass(frozen=True, slots=True)
class LivingTold:
    """Who plays on a day by the moderator's posts. `needed` is the threshold where it is stated, `doubts` are
    sentences on what does not agree: where there are any, no threshold is sure."""

    roster: Roster
    said: str
    needed: int | None = None
    one_fewer: bool = False
    doubts: tuple[str, ...] = ()


class _Seats:
    """Slots under way: who is known to have held the same seat."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.seats: list[list[Holder]] = []

    def of(self, name: str) -> list[Holder] | None:
        key = fold(name)
        return next((seat for seat in self.seats if any(fold(one.name) == key for one in seat)), None)

    def add(self, name: str) -> list[Holder]:
        found = self.of(name)
        if found is None:
            found = [Holder(name)]
            self.seats.append(found)
        return found

    def written(self, text: str) -> str:
        """The account that a written name means, else the name as written."""
        meant = self.names.match(text)
        return meant.slot.name if isinstance(meant, Matched) else text.strip()

    def hold(self, older: Sequence[Holder]) -> None:
        """All names of a seat: added to the one that some of them have; nobody who sits already moves."""
        free = [one for one in older if self.of(one.name) is None]
        sitting = {id(seat): seat for one in older if (seat := self.of(one.name)) is not None}
        if len(sitting) == 1:
            next(iter(sitting.values()))[:0] = free
        elif free:
            self.seats.append(free)

    def replace(self, new: str, old: str, post: int) -> None:
        """`new` holds the seat of `old` from that post on."""
        before, after = self.of(old), self.of(new)
        if before is not None and after is None:
            before.append(Holder(new, post))
        elif after is not None and before is None:
            place = next(i for i, one in enumerate(after) if fold(one.name) == fold(new))
            after[place] = Holder(after[place].name, post)
            after.insert(place, Holder(old))
        elif before is not None and after is not None and before is not after and len(after) == 1:
            before.append(Holder(new, post))
            self.seats.remove(after)


def living_told(days: Sequence[DayTold], day: DayTold, until: int, names: Names, listed: Sequence[Listed], voted: Sequence[str] = ()) -> LivingTold | None:
    """Who plays on `day` as of post `until`; None where the moderator's posts list nobody."""
    counts = [t for t in day.told if t.count is not None and t.post <= until and t.post != day.ended]
    alive_at = {t.post: t.alive for t in day.told if t.alive is not None and t.post <= until and t.post != day.ended}
    alive = alive_at[max(alive_at)] if alive_at else None
    stated = [t.needed for t in day.told if t.needed is not None and t.post <= until and t.post != day.ended]
    if not stated and not counts:
        last = [t for t in day.told if t.post == day.ended]
        counts = [t for t in last if t.count is not None and is_whole(t)]
    needed = stated[-1] if stated else None
    whole = [t for t in counts if is_whole(t)]
    if alive is not None:
        whole = [t for t in whole if len(listed_in(t.count)) == alive] or whole
    if not whole:
        return _outlived(days, day, until, names, listed, alive, needed, voted)

    seats = _Seats(names)
    # Everybody who was listed on this day or before; who is not in the last count is dead or was replaced.
    now = whole[-1]
    current = [_account(name, now.count, names) for name in listed_in(now.count)]
    for name in current:
        seats.add(name)
    for entry in listed:
        seats.hold([Holder(name) for name in (*reversed(entry.replaced), entry.name)])
    for told in (t for d in days for t in d.told if t.post <= until):
        for new, old in told.replaced:
            pair = seats.written(new), seats.written(old)
            if not {fold(one) for one in pair} <= {fold(one) for one in current}:
                seats.replace(*pair, told.post)
    first = whole[0]
    living = [seats.of(name) for name in current]
    leavers: list[tuple[list[Holder], int]] = []
    for name in (_account(n, first.count, names) for n in listed_in(first.count)):
        seat = seats.of(name)
        if seat is None:
            seat = seats.add(name)
        if not any(seat is one for one in living):
            after = next((t.post for t in whole if name not in [_account(n, t.count, names) for n in listed_in(t.count)]), until)
            dead = next((t.post for t in day.told if t.post <= after and any(squash(name) in squash(line) for line in t.dead)), after)
            leavers.append((seat, dead))
    for earlier in days:
        if earlier.number < day.number:
            for t in earlier.told:
                if t.count is not None and is_whole(t):
                    for name in listed_in(t.count):
                        seats.add(_account(name, t.count, names))

    slots = []
    for seat in seats.seats:
        left = None
        if not any(seat is one for one in living):
            post = next((at for one, at in leavers if one is seat), day.start)
            left = Departure(DepartureKind.KILLED, post)
        slots.append(Slot(tuple(seat), left=left))
    roster = told_roster(slots)
    count = len({id(seat) for seat in living})

    doubts: list[str] = []
    majority = count // 2 + 1
    if len(current) != count:
        doubts.append(f"The votecount in post #{now.post} lists somebody twice.")
    if alive is not None and alive != count:
        doubts.append(f"Post #{max(alive_at)} says that {alive} are alive, but the votecount in post #{now.post} lists {count}.")
    if needed is not None and needed != majority and stated.count(needed) < 2:
        doubts.append(f"The moderator says that it takes {needed} votes, but {count} are listed as alive.")
    if alive is None and needed is None and not any(row.idle for row in now.count.rows):
        doubts.append(f"No post says how many are alive; the votecount in post #{now.post} lists {count}.")
    nobody = next((t.needed_for_nobody for t in reversed(day.told) if t.needed_for_nobody and t.post != day.ended), None)
    said = f"Players: the {count} in the votecount of post #{now.post}."
    return LivingTold(roster, said, needed, nobody is not None and nobody < (needed or majority), tuple(doubts))


def _outlived(
    days: Sequence[DayTold], day: DayTold, until: int, names: Names, listed: Sequence[Listed],
    alive: int | None, needed: int | None, voted: Sequence[str],
) -> LivingTold | None:
    """Who plays on a day without a count of its own: those of the day before, without who has died since."""
    before = [one for one in days if one.number < day.number]
    known = next(
        ((one, t) for one in reversed(before) for t in reversed(one.told) if t.count is not None and is_whole(t) and t.post != one.ended),
        None,
    )
    if known is None:
        return None
    since = known[1].post
    seats = _Seats(names)
    current = [_account(name, known[1].count, names) for name in listed_in(known[1].count)]
    for name in current:
        seats.add(name)
    for entry in listed:
        seats.hold([Holder(name) for name in (*reversed(entry.replaced), entry.name)])
    for told in (t for d in days for t in d.told if t.post <= until):
        for new, old in told.replaced:
            pair = seats.written(new), seats.written(old)
            if not {fold(one) for one in pair} <= {fold(one) for one in current}:
                seats.replace(*pair, told.post)
    living = list({id(seat): seat for name in current if (seat := seats.of(name)) is not None}.values())
    alive_by_vote = [seat for name in voted if (seat := seats.of(name)) is not None]

    # Ways to tell who died, the strictest first: by the lines that tell of one death, of several, by the
    # opening post. Whoever votes on this day lives.
    lines = [line for d in days for t in d.told if since < t.post <= until for line in t.dead]
    fallen = {fold(name) for entry in listed if entry.dead_on(day.number, True) for name in (entry.name, *entry.replaced)}

    def gone(test: Callable[[str], bool]) -> list[list[Holder]]:
        return [
            seat for seat in living
            if any(test(one.name) for one in seat) and not any(seat is one for one in alive_by_vote)
        ]

    ways = [
        gone(lambda name: any(_dies(name, line, names) for line in lines)),
        gone(lambda name: fold(name) in fallen),
        gone(lambda name: any(_dies(name, line) for line in lines)),
    ]
    counts = [len(living) - len(way) for way in ways]

    def agrees(count: int) -> bool:
        if alive is not None:
            return count == alive
        if needed is not None:
            return count // 2 + 1 == needed
        return False

    fitting = [way for way, count in zip(ways, counts, strict=True) if agrees(count)]
    told_twice = {fold(seat[0].name) for seat in ways[0]} == {fold(seat[0].name) for seat in ways[1]}
    dead = fitting[0] if fitting else ways[0]
    slots = [
        Slot(
            tuple(seat),
            left=None
            if any(seat is one for one in living) and not any(seat is one for one in dead)
            else Departure(DepartureKind.KILLED, day.start),
        )
        for seat in seats.seats
    ]
    count = len(living) - len(dead)
    doubts = []
    if not fitting and alive is not None:
        doubts.append(f"{alive} are said to be alive; by the deaths that were told it would be {count}.")
    elif not fitting and (needed is not None or not told_twice):
        doubts.append(f"No post says how many are alive on day {day.number}; by the deaths that were told it would be {count}.")
    said = f"Players: those of the votecount in post #{since}, without who has died since: {count}."
    return LivingTold(told_roster(slots), said, needed, False, tuple(doubts))


def _dies(name: str, line: str, names: Names | None = None) -> bool:
    """Whether a line tells of the death of that player: their name stands near its beginning, and the word
    behind it; with `names`, nobody else is named in it."""
    written, said = fold(name), fold(line)
    place = said.find(written)
    if place < 0 or len(written) < 2:
        return False
    before, after = said[:place], said[place + len(written) :]
    if (before and before[-1].isalnum()) or (after and after[0].isalnum()):
        return False
    if names is not None and ("," in before or len(after) > 160 or re.search(r"[(\[]\d+[)\]]", after[:8])):
        return False
    return len(before) < 30 and bool(DEATH.search(after[:90]))


def _account(name: str, count: PostedVotecount, names: Names) -> str:
    """The account of a listed name: a stranger may be a misspelt one that the count does not list."""
    meant = names.match(name)
    if isinstance(meant, Matched) and (fold(meant.slot.name) == fold(name) or meant.slot.name not in listed_in(count)):
        return meant.slot.name
    return name


def told_roster(slots: Sequence[Slot]) -> Roster:
    """The roster, a name that stands twice only with the first slot that has it, the living before the dead."""
    seen: set[str] = set()
    kept = []
    for slot in sorted(slots, key=lambda slot: slot.left is not None):
        holders = tuple(one for one in slot.holders if one.name.casefold() not in seen)
        seen.update(one.name.casefold() for one in holders)
        if holders:
            kept.append(replace(slot, holders=holders))
    return Roster(tuple(kept))
