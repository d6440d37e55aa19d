"""Who lives on a day of a thread without a game file: by the moderator's votecounts, deaths and replacements.

A votecount of the day that lists everybody who lives is the surest source. Without one, those of the day
before live on without whom the moderator's posts tell dead; without any, those of the opening post. What the
sources state is held against each other; where they differ, the answer has doubts and the readings that are
possible. Nobody is dead for having been left out of a list, and nobody lives again for being listed.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import TypeAlias

from knightfall.errors import InputError
from knightfall.models import Departure, DepartureKind, Holder, Post, Roster, roster_of
from knightfall.names import Matched, Names, fold, squash, words
from knightfall.sentence import Way, sentence
from knightfall.votes.deaths_told import (
    deaths_by_nickname,
    flipped,
    surely_tells_death_of,
    tells_death_of,
)
from knightfall.votes.moderator_posts import DayTold, Told
from knightfall.votes.player_list import Listed
from knightfall.votes.seats import Seat, Seats, names_of_seats, once
from knightfall.votes.tally import Day
from knightfall.votes.thread_read import ThreadRead, everybody_in

# ---- What is told


@dataclass(frozen=True, slots=True)
class Living:
    """One reading of who lives on a day: the roster by it, and how many live at the last post that counts.

    `post` is the post that it goes by (None: the list of the opening post, or who posts). `needed` is the
    threshold where the moderator states one that is not more than half of them, or where nobody can tell who
    of the roster lives; `stated` is the post that states the threshold, fitting or not.
    """

    roster: Roster
    alive: int
    post: int | None = None
    needed: int | None = None
    stated: int | None = None

    @property
    def threshold(self) -> int:
        """Votes that eliminate an ordinary player by this reading."""
        return self.needed or self.alive // 2 + 1


@dataclass(frozen=True, slots=True)
class PlayersTold:
    """Who plays on a day. `readings` are the possible ones, that which is counted by first; `doubts` are what
    does not agree, a sentence each: with doubts and one reading nobody can tell what else is possible.

    `said` tells where the first reading comes from; `answered`: from the moderator's own answer.
    `fewer_for_nobody`: no elimination takes fewer votes.
    """

    readings: tuple[Living, ...]
    said: str
    doubts: tuple[str, ...] = ()
    answered: bool = False
    fewer_for_nobody: bool = False

    @property
    def roster(self) -> Roster:
        """Who plays by the reading that is counted by."""
        return self.readings[0].roster


@dataclass(frozen=True, slots=True)
class _List:
    """A list of all who live, in post `post`; `alive` is the number that the post states itself."""

    post: int
    names: tuple[str, ...]
    alive: int | None = None


Fallen: TypeAlias = Callable[[int], Set[str]]
"""Whom a day before eliminated by our own count of it, where that is sure."""


def players_told(thread: ThreadRead, number: int, until: int, fallen: Fallen) -> PlayersTold | None:
    """Who plays on day `number` as of post `until`; None where no votecount of a moderator lists them, nor
    does a post before the game list them for a later day."""
    day = thread.day(number)
    if day is None:
        return None
    lists = _lists_of(thread, day, until)
    if not lists and not any(one.needed for one in day.running(until)):
        # A day that was too short for a count has its last.
        ended = (one for one in day.told if one.post == day.ended and one.post <= until)
        last = (_List(one.post, everybody_in(one, thread.names), one.alive) for one in ended)
        lists = tuple(one for one in last if one.names)
    return _listed_today(thread, day, until, lists) if lists else _outlived(thread, day, until, fallen)


def players_answered(thread: ThreadRead, alive: Sequence[str], day: Day, until: int) -> PlayersTold:
    """Those who were alive when the day began, as the moderator answered, without whose death a post tells
    since; a name that is no account's is one of somebody who has not posted."""
    names: list[str] = []
    silent: list[str] = []
    for name in alive:
        meant = thread.names.match(name)
        names.append(meant.slot.name if isinstance(meant, Matched) else name)
        silent += [] if isinstance(meant, Matched) else [name]
    told = thread.day(day.number) or DayTold(day.number, day.start)
    seats = Seats(thread, names, day.start, until)
    seats.remember(thread, told)
    living = once(seats.living)
    gone = _died_on(told, living, day.start, until)
    first = _reading(seats, living, day.start, gone, day.start)
    beside = f"; {', '.join(silent)} did not post yet" if silent else ""
    died = f"; {_names(gone)} died since" if gone else ""
    said = f"Players: the {len(names)} whom you named as alive{beside}{died}."
    fewer = _fewer_for_nobody(thread, until)
    return PlayersTold((first,), said, answered=True, fewer_for_nobody=fewer)


def _fewer_for_nobody(thread: ThreadRead, until: int) -> bool:
    """Whether a post by then tells that no elimination takes fewer votes."""
    return any(one.fewer_for_nobody for day in thread.days for one in day.told if one.post <= until)


# ---- Lists of the living


def _lists_of(thread: ThreadRead, day: DayTold, until: int) -> tuple[_List, ...]:
    """The lists of all who live that were posted while a day ran."""
    read = (_List(one.post, _everybody_read(thread, day, one), one.alive) for one in day.running(until))
    return tuple(one for one in read if one.names)


def _last_list_before(thread: ThreadRead, day: DayTold, until: int) -> _List | None:
    """The last list of a day before; None where there is none."""
    earlier = [one for one in thread.days if one.number < day.number]
    found = (lists[-1] for one in reversed(earlier) if (lists := _lists_of(thread, one, until)))
    return next(found, None)


def _opening(thread: ThreadRead, day: DayTold, playing: Set[str]) -> tuple[str, ...]:
    """All who live by the opening post: its list of players, else a list in it that has all who play, too."""
    if thread.listed:
        return tuple(one.name for one in thread.listed if not one.dead_on(day.number, latest=True))
    folded = {fold(name) for name in playing}
    return next((run for run in thread.claimed if folded <= {fold(name) for name in run}), ())


def _everybody_read(thread: ThreadRead, day: DayTold, one: Told) -> tuple[str, ...]:
    """All who live by a post of the day; nothing where it states no number and omits many who voted before
    it, or lists only some who do not vote while others do: it does not tell of everybody."""
    names = everybody_in(one, thread.names)
    if not names or one.alive is not None or one.needed is not None:
        return names
    seats = Seats(thread, names, one.post, one.post)
    voting = thread.voted(day.start, one.post)
    omitted = [who for who in voting if seats.of(who) not in seats.living]
    reminds = one.count is not None and not one.has_votes and bool(omitted)
    return () if reminds or _many(omitted, names) else names


def _many(some: Sequence[str], others: Sequence[object]) -> bool:
    """Whether these are too many for strays beside the others."""
    return len(some) > 1 and 4 * len(some) > len(others)


def _missing(
    thread: ThreadRead,
    day: DayTold,
    until: int,
    seats: Seats,
    lists: Sequence[_List],
    risen: Container[Seat],
) -> list[Seat]:
    """The seats of those who lived by the lists before the last one and are not in that, although no post
    tells their death; the last list is one of the day.

    Who is left out while as many come in was replaced. Of those whom only a list of the day before has, a
    number that the moderator states tells as much as a death; but not of one who votes on the day. `risen`
    are the dead whom the last list has.
    """
    listed = set(map(seats.add, lists[-1].names))
    everybody = [once(map(seats.add, one.names)) for one in lists]
    voting = thread.voted(day.start, until)
    stated = {one.alive for one in day.running(until)}
    known = once(seat for here in everybody for seat in here)
    since = max((one.post for one in lists if one.post < day.start), default=0)
    absent = [seat for seat in known if seat not in listed]
    votes = [seat for who in sorted(voting) if (seat := seats.of(who)) is not None and seat not in listed]
    if not absent and not votes:
        return []
    told = _deaths_told(thread, seats.all, since, until, day.number)

    living: list[Seat] = []
    replaced: set[Seat] = set()
    for place, here in enumerate(everybody):
        absent = [seat for seat in living if seat not in here and seat not in told]
        morning = place > 0 and lists[place - 1].post < day.start
        if morning and not stated.isdisjoint((len(here), sum(seat not in risen for seat in here))):
            absent = [seat for seat in absent if seat.held_by(voting)]
        if len(absent) <= sum(seat not in living for seat in here):
            replaced.update(absent)
            absent = []
        living = [*here, *absent]
    missing = [seat for seat in living if seat not in listed]
    most = max(sum(seat not in told for seat in here) for here in everybody)
    if len(missing) + sum(seat not in risen for seat in listed) > most:
        # There never were so many: others came in later for them.
        missing = [seat for seat in missing if seat.held_by(voting)]
    return once([*missing, *(seat for seat in votes if seat not in told and seat not in replaced)])


def _strangers(thread: ThreadRead, seats: Seats, living: Sequence[Seat], voting: Set[str]) -> list[str]:
    """Who votes and has no seat; nobody where as many who live never post, and they are few: these may be
    the same."""
    unknown = sorted(who for who in voting if seats.of(who) is None)
    silent = [seat for seat in living if not any(fold(name) in thread.posters for name in seat.names)]
    return unknown if len(unknown) > len(silent) or _many(unknown, living) else []


# ---- Deaths, by the posts that tell them


def _deaths_told(
    thread: ThreadRead, seats: Sequence[Seat], since: int, until: int, day: int, sure: bool = False
) -> dict[Seat, int]:
    """The seats whose death a moderator's post behind `since` and not behind `until` tells, each with the
    first such post: by its words or by the full wagon that ended a day before `day`. `sure`: by a sentence
    of its own; else to stand at the beginning of a line of such a post is enough."""
    told = [one for each in thread.days for one in each.told if since < one.post <= until]
    found = _first_tellings(told, seats, sure)
    for each in thread.days:
        if each.number < day and each.ended is not None and since < each.ended <= until:
            hammered = each.hammered(since)
            for seat in seats:
                if seat.held_by(hammered):
                    found.setdefault(seat, each.ended)
    return found


def _first_tellings(told: Iterable[Told], seats: Sequence[Seat], sure: bool) -> dict[Seat, int]:
    """The seats whose death these posts tell, each with the first of them."""
    names = names_of_seats(seats)
    tells = surely_tells_death_of if sure else partial(tells_death_of, alone=False)
    found: dict[Seat, int] = {}
    for one in told:
        named = one.dead(names) | {s.name for line in one.deaths for s in deaths_by_nickname(line, names)}
        flips = () if sure else (flipped(line, names) for line in one.flips)
        named |= {slot.name for slot in flips if slot is not None}
        for seat in seats:
            if seat.name in named or any(tells(name, line) for name in seat.names for line in one.deaths):
                found.setdefault(seat, one.post)
    return found


def _died_on(day: DayTold, living: Sequence[Seat], after: int, until: int) -> dict[Seat, int]:
    """The seats whose death a post in the middle of the day tells, behind post `after`, each with that post;
    what ends the day tells of a death behind it."""
    told = (one for one in day.running(until) if one.post > after)
    return _first_tellings((one for one in told if day.ended is None or one.post < day.ended), living, True)


def _revived(thread: ThreadRead, seat: Seat, died: int, until: int) -> bool:
    """Whether a post behind that of a death tells that they live again."""
    told = (one for day in thread.days for one in day.told if died <= one.post <= until)
    lines = [f" {' '.join(words(line))} " for one in told for line in one.revived]
    return any(f" {' '.join(words(name))} " in line for name in seat.names for line in lines)


def _names(seats: Iterable[Seat]) -> str:
    return ", ".join(seat.name for seat in seats)


# ---- Doubts, and the readings that they leave


class _Doubts:
    """What does not agree about the living, a sentence each, and the other readings that are possible."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.others: list[Living] = []
        self.bounded = True
        """The readings that were given are all that are possible."""

    def add(self, sentence: str, *others: Living) -> None:
        """One more doubt. Without a reading beside it nobody can tell what else is possible."""
        self.said.append(sentence)
        self.others += others
        self.bounded = self.bounded and bool(others)

    def told(self, first: Living, said: str, thread: ThreadRead, until: int) -> PlayersTold:
        """Who plays; `first` is the reading that is counted by."""
        others = [one for one in self.others if self.bounded and one != first]
        readings: list[Living] = [first]
        readings += [one for place, one in enumerate(others) if one not in others[:place]]
        fewer = _fewer_for_nobody(thread, until)
        return PlayersTold(tuple(readings), said, tuple(self.said), fewer_for_nobody=fewer)


def _reading(
    seats: Seats, living: Sequence[Seat], start: int, gone: Mapping[Seat, int], post: int | None
) -> Living:
    """The reading by which these seats live, but for those of `gone`, which died in the posts given there;
    all others died before the day, which began with post `start`, or in the post that `gone` has."""
    left = {seat: start for seat in seats.all if seat not in living}
    left |= {seat: max(died, start) for seat, died in gone.items()}
    return Living(seats.roster(left), sum(seat not in gone for seat in living), post)


def _numbered(first: Living, alive: int, post: int | None, needed: int | None = None) -> Living:
    """The reading by which another number lives: who, nobody can tell, so its threshold stands beside it."""
    return Living(first.roster, alive, post, needed or alive // 2 + 1, post)


def _with_threshold(
    thread: ThreadRead, day: DayTold, until: int, first: Living, doubts: _Doubts, beside: str
) -> Living:
    """The first reading with the threshold that the moderator states. One that does not fit the living is
    doubted, but where several votecounts state it, and it is not above half plus one of them."""
    majority = first.alive // 2 + 1
    said, opening = day.threshold(until), thread.opening
    if said is None and day.number == 1 and opening.needed is not None:
        if opening.needed != majority:
            doubts.add(
                f"The opening post says that it takes {opening.needed} votes, but {beside}.",
                replace(first, needed=opening.needed, stated=opening.post),
            )
            return first
        said = opening
    if said is None or said.needed is None:
        return first
    needed = said.needed
    if needed != majority and (needed > majority or day.counts_taking(needed, until) < 2):
        doubts.add(
            f"The moderator says that it takes {needed} votes, but {beside}.",
            replace(first, needed=needed, stated=said.post),
        )
        return first
    return replace(first, needed=needed, stated=said.post)


# ---- The ways to tell


def _listed_today(thread: ThreadRead, day: DayTold, until: int, lists: Sequence[_List]) -> PlayersTold:
    """Those whom the last list of the day, a whole votecount or a roll, names; of lists of several sizes one
    of as many as the moderator says. It is held against what was told before and behind it."""
    stated = day.stated(until)
    sized = [one for one in lists if stated is not None and len(one.names) == stated.alive] or lists
    last = sized[-1]
    before = _last_list_before(thread, day, until)
    seats = Seats(thread, last.names, last.post, until)
    listed = once(seats.living)
    left_by = _left_by_lists(day, seats, sized, listed, until)
    seats.remember(thread, day)
    doubts = _Doubts()

    # Whose death was told before the list does not live again for being listed.
    risen: dict[Seat, int] = {}
    if before is not None:
        holders = {Seat(Holder(name)): seat for name, seat in zip(last.names, seats.living, strict=True)}
        buried = _deaths_told(thread, [*holders], before.post, last.post, day.number, sure=True)
        told = ((holders[one], post) for one, post in buried.items() if post != day.ended)
        risen = {seat: post for seat, post in told if not _revived(thread, seat, post, until)}

    # Who is missing although no post tells their death: by the last list of a day before, where there is none
    # by the opening post, and by those of the day that do not contradict themselves.
    voting = thread.voted(day.start, until)
    base = before or _List(day.start if day.number == 1 else 0, _opening(thread, day, {*last.names, *voting}))
    running = [one for one in lists if one.post < last.post and one.alive in (None, len(one.names))]
    missing = _missing(thread, day, until, seats, [base, *running, last], risen)
    if stated is not None and stated.post >= last.post and stated.alive == len(listed):
        # The number that is stated bears the list out, but for those who vote on.
        missing = [seat for seat in missing if seat.held_by(thread.voted(last.post + 1, until))]
    living = [*listed, *missing]

    # Who died since, in the middle of the day. A number that is stated behind it bears that out.
    since = _died_on(day, listed, last.post, until)
    borne_out = stated is not None and since and stated.alive == len(living) - len(risen) - len(since)
    gone = left_by | risen | (since if borne_out else {})

    def read(those: Sequence[Seat], dead: Mapping[Seat, int]) -> Living:
        left = {seat: post for seat, post in dead.items() if those is listed or seat not in missing}
        return _reading(seats, those, day.start, left, last.post)

    # The deaths win where a post of the day states the number that they leave; where one states that of the
    # list, and does so behind the deaths and before the list, it is counted by the list. Else both are open.
    first = read(living, gone)
    numbers = {one.post: one.alive for one in day.running(until) if risen and one.alive is not None}
    if risen and first.alive not in numbers.values():
        again = read(living, {seat: post for seat, post in gone.items() if seat not in risen})
        died = min(risen.values())
        between = [alive for post, alive in numbers.items() if died <= post < last.post]
        first, other = (again, first) if again.alive in between else (first, again)
        doubts.add(
            f"Post #{died} tells that {_names(risen)} died, whom post #{last.post} lists again.", other
        )
    for post in sorted(set(since.values())) if not borne_out else ():
        dead = {seat: at for seat, at in since.items() if at == post}
        doubts.add(
            f"Post #{post} tells that {_names(dead)} died, whom post #{last.post} still lists.",
            read(living, gone | dead),
        )
    if missing:
        doubts.add(
            f"Post #{last.post} does not list {_names(missing)}, and no post tells of their death.",
            read(listed, gone),
        )
    if len(listed) < len(seats.living):
        twice = first.alive + len(seats.living) - len(listed)
        doubts.add(f"Post #{last.post} seems to list one player twice.", _numbered(first, twice, last.post))
    strangers = _strangers(thread, seats, listed, voting)
    if strangers and (stated is None or stated.alive != first.alive):
        more = _numbered(first, first.alive + len(strangers), None)
        doubts.add(f"Post #{last.post} does not list {', '.join(strangers)}, who vote.", more)

    # What is stated of their number and of the threshold; where the list has the dead, nothing of it.
    said = f"Players: the {len(listed)} whom the moderator lists in post #{last.post}."
    if risen and first.alive < len(living):
        said = (
            f"Players: the {first.alive} who live of those whom the moderator lists in post #{last.post}; "
            f"{_names(risen)} died before it."
        )
    elif missing:
        said = f"{said[:-1]}, and {_names(missing)}."
    if not risen and stated is not None and stated.alive is not None and stated.alive != first.alive:
        doubts.add(
            f"Post #{stated.post} says that {stated.alive} are alive, but post #{last.post} lists "
            f"{len(listed)}.",
            _numbered(first, stated.alive, stated.post, stated.needed),
        )
    elif not risen:
        beside = f"post #{last.post} lists {len(listed)} players"
        first = _with_threshold(thread, day, until, first, doubts, beside)
    return doubts.told(first, said, thread, until)


def _left_by_lists(
    day: DayTold, seats: Seats, lists: Sequence[_List], listed: Sequence[Seat], until: int
) -> dict[Seat, int]:
    """Who was listed earlier in the day and is no more, with the post that tells their death by then, else
    the next list, which lacks them."""
    left: dict[Seat, int] = {}
    for place, one in enumerate(lists):
        for name in one.names:
            seat = seats.add(name)
            if seat not in listed:
                lacking = next((later.post for later in lists[place + 1 :] if name not in later.names), until)
                told = (each.post for each in day.told if any(squash(name) in squash(x) for x in each.deaths))
                left.setdefault(seat, next((post for post in told if post <= lacking), lacking))
    return left


def _outlived(thread: ThreadRead, day: DayTold, until: int, fallen: Fallen) -> PlayersTold | None:
    """Those of the last votecount of a day before, or of the list of players, without who has died since."""
    before = _last_list_before(thread, day, until)
    opening = before is None and day.number > 1 and bool(thread.listed)
    if opening:
        alive_first = (one.name for one in thread.listed if not one.dead_on(1, latest=False))
        before = _List(thread.listed_at, tuple(alive_first))
    if before is None:
        return None
    since = before.post
    seats = Seats(thread, before.names, since, until)
    living = once(seats.living)
    votes = thread.voted(day.start, until)
    voting = {seat for name in votes if (seat := seats.of(name)) is not None}

    # Who died, by the words and the lines that tell of one death, by the opening post, by lines that tell of
    # several, by nicknames in such lines and by the full wagons, and by our own counts of the days before.
    # Whoever votes today lives, and what ends the day tells of a death behind it.
    ended = until + 1 if day.ended is None else day.ended
    told = [one for each in thread.days for one in each.told if since < one.post <= until]
    told = [one for one in told if one.post < ended]
    lines = [line for one in told for line in one.deaths]
    hammered = {name for each in thread.days if each.number < day.number for name in each.hammered(since)}
    nicknames = names_of_seats(living)
    nicknamed = {slot.name for line in lines for slot in deaths_by_nickname(line, nicknames)}
    listed = {
        fold(name) for entry in thread.listed if entry.dead_on(day.number, True) for name in entry.folded
    }

    def dead(test: Callable[[str], bool]) -> list[Seat]:
        fallen = (seat for seat in living if any(map(test, seat.names)))
        return [seat for seat in fallen if seat not in voting]

    by_list = dead(lambda name: fold(name) in listed)
    revealed = {slot for one in told for slot in one.dead(nicknames)}
    lined = dead(lambda name: any(tells_death_of(name, line, alone=True) for line in lines))
    by_words = [seat for seat in living if seat in lined or (seat.name in revealed and seat not in voting)]
    if opening:
        # The list itself tells of deaths, with the day of each.
        by_words = by_list = [seat for seat in living if seat in by_words or seat in by_list]
    ways = [
        by_words,
        [seat for seat in living if seat.name in revealed and seat not in voting],
        lined,
        by_list,
        dead(lambda name: any(tells_death_of(name, line, alone=False) for line in lines)),
    ]
    known = {*by_words, *dead(lambda name: name in hammered | nicknamed)}
    ways.append([seat for seat in living if seat in known])
    stated, said = day.stated(until), day.thresholds(until)
    needed, alive = said[-1] if said else None, stated.alive if stated else None
    if alive is None and needed is None:
        alive = day.stated_at_end(until)

    # Who is told dead in the middle of the day after having voted on it.
    died = _died_on(day, living, day.start, until)
    died = {seat: post for seat, post in died.items() if seat.held_by(thread.voted(day.start, post))}

    def fits(count: int) -> bool:
        return count == alive if alive is not None else needed is not None and count // 2 + 1 == needed

    def agrees(way: list[Seat]) -> bool:
        count = len(living) - len(way)
        return fits(count) or (bool(died) and fits(count - sum(seat not in way for seat in died)))

    fitting = next((way for way in ways if agrees(way)), None)
    chosen, told_all = by_words, False
    if fitting is None:
        # Nobody says how many are left, or not all deaths: our own counts of the days before may tell more.
        ended_since = [one for one in thread.days if one.number < day.number and one.ends_behind(since)]
        own = {one.number: fallen(one.number) for one in ended_since}
        with_own = dead(lambda name: any(name in names for names in own.values()))
        ways += [[seat for seat in living if seat in way or seat in with_own] for way in (by_words, known)]
        fitting = next((way for way in ways if agrees(way)), None)
        awake = {seat.name for seat in voting}
        told_all = _each_told([*ended_since, day], own, told, nicknames, awake)
        chosen = ways[-1] if told_all else ways[-2]
    chosen = chosen if fitting is None else fitting
    alive_now = [seat for seat in living if seat not in chosen]
    count = len(alive_now)
    doubts = _Doubts()

    def read(gone: Mapping[Seat, int]) -> Living:
        return _reading(seats, alive_now, day.start, gone, since)

    first = read({})
    if fitting is None and stated is not None and stated.alive is not None:
        doubts.add(
            f"Post #{stated.post} says that {alive} are alive; by the deaths that were told it would be "
            f"{count}.",
            _numbered(first, stated.alive, stated.post, stated.needed),
        )
    elif fitting is None and not told_all and (needed is not None or by_words != by_list):
        doubts.add(
            f"No post says how many are alive on day {day.number}; by the deaths that were told it would be "
            f"{count}."
        )
    elif fitting is None and not told_all and not by_words and not any(one.spared for one in told):
        doubts.add(f"No post tells who died since post #{since}, nor that nobody did.")
    died = {seat: post for seat, post in died.items() if seat in alive_now}
    borne_out = fitting is not None and bool(died) and not fits(count)
    if borne_out:
        first = read(died)
    for post in sorted(set(died.values())) if not borne_out else ():
        gone = {seat: at for seat, at in died.items() if at == post}
        doubts.add(f"Post #{post} tells that {_names(gone)} died, who voted on day {day.number}.", read(gone))
    strangers = _strangers(thread, seats, alive_now, votes)
    if strangers:
        more = _numbered(first, first.alive + len(strangers), None)
        doubts.add(f"{_capital(_place(thread, since))} does not list {', '.join(strangers)}, who vote.", more)
    if fitting is not None:
        first = _with_threshold(thread, day, until, first, doubts, f"{first.alive} are alive")
    return doubts.told(
        first,
        f"Players: the {first.alive} whom the moderator lists in {_place(thread, since)} and who have not "
        "died since.",
        thread,
        until,
    )


def _each_told(
    days: Sequence[DayTold],
    own: Mapping[int, Set[str]],
    told: Sequence[Told],
    names: Names,
    voting: Set[str],
) -> bool:
    """Whether between every two of these days as many deaths are told as a day and a night bring, or one and
    that nobody died beside, and nobody is named in a morning without being dead or voting since; `own` are
    the deaths of each day by our own count of it."""
    found: set[str] = set()
    for before, after in pairwise(days):
        between = [one for one in told if before.start < one.post <= after.opened]
        here = {name for one in between for name in one.dead(names)} | set(own[before.number])
        here |= {s.name for one in between for line in one.deaths for s in deaths_by_nickname(line, names)}
        if len(here - found) < 2 - any(one.spared for one in between):
            return False
        found |= here
        if not after.named_at_dawn(names) <= found | voting:
            return False
    return bool(days[1:])


def _claimed(thread: ThreadRead, alive: int, until: int, posted: Sequence[str]) -> Roster | None:
    """Those of a list in the opening post, few of whom may have posted: as many as the moderator says are
    alive, and among them everybody who posted. None where no list is so."""
    accounts = {fold(author): author for author in posted}
    for run in thread.claimed:
        names = tuple(accounts.get(fold(name), name) for name in run)
        if len(set(map(fold, names))) != alive or len(names) != alive:
            continue
        seats = Seats(thread, names, 0, until)
        if posted and all(seats.of(author) is not None for author in posted):
            return seats.roster({})
    return None


def _longer_list(thread: ThreadRead, posted: Iterable[str], alive: int) -> tuple[str, ...]:
    """A list in the opening post that has everybody who posted and more than so many; nothing where there is
    none: it may be the list of the players, few of whom have posted."""
    folded = set(map(fold, posted))
    runs = (run for run in thread.claimed if len(run) > alive)
    return next((run for run in runs if folded <= set(map(fold, run))), ())


def _listed_seats(thread: ThreadRead, day: Day, until: int) -> Roster:
    """The listed players with who replaced whom; dead are those whom the list tells dead by then, but not who
    votes on the day: a list that was edited later does not say when they died."""
    voting = thread.voted(day.start, until)
    dead = [
        fold(one.name)
        for one in thread.listed
        if one.dead_on(day.number, day.end is None) and (one.day is not None or not _votes(one, voting))
    ]
    seats = Seats(thread, [one.name for one in thread.listed], thread.listed_at, until)
    return seats.roster({seat: day.start for seat in seats.all if any(fold(n) in dead for n in seat.names)})


def _place(thread: ThreadRead, post: int) -> str:
    """Where a list of the living stands."""
    return thread.list_place if post == thread.listed_at else f"post #{post}"


def _capital(place: str) -> str:
    return f"{place[0].upper()}{place[1:]}"


def _votes(listed: Listed, voting: Set[str]) -> bool:
    return not listed.folded.isdisjoint(map(fold, voting))


def listed_players_told(
    thread: ThreadRead, posts: Sequence[Post], moderators: Set[str], day: Day, until: int
) -> PlayersTold:
    """Those whom the opening post lists, else everybody who posts. A later day needs to know who is dead."""
    authors = tuple(dict.fromkeys(post.author for post in posts if post.author not in moderators))
    told = thread.day(day.number) or DayTold(day.number, day.start)
    stated = told.stated(until)
    posted = [post.author for post in posts if post.number <= until and post.author not in moderators]
    alive_then = stated.alive if stated is not None and day.number == 1 else None
    claimed = None if alive_then is None else _claimed(thread, alive_then, until, posted)
    if not thread.listed and claimed is not None:
        roster = claimed
        said = f"Players: the {len(roster.slots)} listed in {thread.list_place}, as many as are alive."
    elif not thread.listed:
        if not authors:
            raise InputError(
                sentence(
                    "Only the moderator posts here. List the players in the file of a game: {game}",
                    game=Way("field", name="game", value="FOLDER"),
                )
            )
        roster = roster_of(authors)
        said = f"Players: the {len(authors)} who posted. No list of players was found in the opening post."
    else:
        roster = _listed_seats(thread, day, until)
        dead = len(roster.slots) - len(roster.alive_at(day.start))
        said = f"Players: the {len(roster.slots)} listed in {thread.list_place}, {dead} of them dead."
    living = roster.alive_at(day.start)
    fallen = [slot for slot in roster.slots if slot not in living]
    doubts = _Doubts()

    # Who died in the middle of the day. A number that is stated behind it bears that out.
    seats = {slot.name: Seat(*slot.holders) for slot in living}
    died = {seat.name: post for seat, post in _died_on(told, [*seats.values()], day.start, until).items()}
    without = roster
    for name, post in died.items():
        without = without.with_departure(name, Departure(DepartureKind.KILLED, post))
    first, second = Living(roster, len(living)), Living(without, len(living) - len(died))
    if died and stated is not None and stated.alive == second.alive:
        first = second
    elif died:
        doubts.add(f"Post #{min(died.values())} tells that {', '.join(died)} died.", second)

    # What is stated of their number, and who else votes.
    voting = thread.voted(day.start, until)
    if stated is not None and stated.alive is not None and stated.alive != first.alive:
        doubts.add(
            f"Post #{stated.post} says that {stated.alive} are alive, but by this list it would be "
            f"{first.alive}.",
            _numbered(first, stated.alive, stated.post, stated.needed),
        )
    elif stated is None and not thread.listed:
        doubts.add("More may play than have posted so far.")
    elif stated is None and day.number > 1:
        if not fallen or any(voting & set(slot.names) for slot in fallen):
            doubts.add(f"No post says who is alive on day {day.number}.")
    elif stated is None and fallen:
        everybody = Roster(tuple(slot.without(slot.left) if slot.left else slot for slot in roster.slots))
        doubts.add(
            f"{_capital(thread.list_place)} lists {', '.join(slot.name for slot in fallen)} as dead, and no "
            f"post of day {day.number} tells of a death.",
            Living(everybody, len(everybody.slots)),
        )
    alive = {fold(name) for slot in living for name in slot.names}
    others = [who for who in sorted(voting) if fold(who) not in alive]
    silent = [slot for slot in living if not any(fold(name) in thread.posters for name in slot.names)]
    unlisted = len(others) > len(silent) or _many(others, living)
    if thread.listed and not doubts.said and unlisted:
        more = _numbered(first, first.alive + len(others), None)
        place = _capital(thread.list_place)
        doubts.add(f"{place} does not list as alive {', '.join(others)}, who vote.", more)
    longer = _longer_list(thread, posted, first.alive) if thread.listed and stated is None else ()
    if longer and not doubts.said and day.number == 1:
        doubts.add(
            f"The opening post has a list of {len(longer)}, too, and everybody who posted is on it.",
            _numbered(first, len(longer), None),
        )
    if not doubts.said:
        beside = f"by this list {first.alive} are alive"
        first = _with_threshold(thread, told, until, first, doubts, beside)
    return doubts.told(first, said, thread, until)
