"""The ways to tell who plays on a day of a thread without a game file.

A list of the day, one of a day before without who has died since, the list of players, the moderator's own
answer: each way holds what it finds against all that is stated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import pairwise
from typing import TypeAlias

from knightfall.errors import InputError
from knightfall.models import Departure, DepartureKind, Holder, Post, Roster, roster_of
from knightfall.names import Matched, Names, fold, squash
from knightfall.sentence import Way, sentence
from knightfall.votes.deaths_told import deaths_by_nickname, tells_death_of
from knightfall.votes.living import (
    Doubts,
    Living,
    LivingList,
    PlayersTold,
    died_within,
    is_revived,
    last_list_before,
    lists_of,
    many,
    missing_seats,
    nobody_takes_fewer,
    opening_list,
    reading_of,
    reading_of_number,
    said_names,
    strangers_among,
    told_dead,
    with_threshold,
)
from knightfall.votes.moderator_posts import DayTold, Told
from knightfall.votes.player_list import Listed
from knightfall.votes.seats import Seat, Seats, names_of_seats, once
from knightfall.votes.tally import Day
from knightfall.votes.thread_read import ThreadRead, everybody_in

Fallen: TypeAlias = Callable[[int], Set[str]]
"""Whom a day before eliminated by our own count of it, where that is sure."""


def players_told(thread: ThreadRead, number: int, until: int, fallen: Fallen) -> PlayersTold | None:
    """Who plays on day `number` as of post `until`; None where no votecount of a moderator lists them, nor
    does a post before the game list them for a later day."""
    day = thread.day(number)
    if day is None:
        return None
    lists = lists_of(thread, day, until)
    if not lists and not any(one.needed for one in day.running(until)):
        # A day that was too short for a count has its last.
        ended = (one for one in day.told if one.post == day.ended and one.post <= until)
        last = (LivingList(one.post, everybody_in(one, thread.names), one.alive) for one in ended)
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
    gone = died_within(told, living, day.start, until)
    first = reading_of(seats, living, day.start, gone, day.start)
    beside = f"; {', '.join(silent)} did not post yet" if silent else ""
    died = f"; {said_names(gone)} died since" if gone else ""
    said = f"Players: the {len(names)} whom you named as alive{beside}{died}."
    fewer = nobody_takes_fewer(thread, until)
    return PlayersTold((first,), said, answered=True, fewer_for_nobody=fewer)


def _listed_today(thread: ThreadRead, day: DayTold, until: int, lists: Sequence[LivingList]) -> PlayersTold:
    """Those whom the last list of the day, a whole votecount or a roll, names; of lists of several sizes one
    of as many as the moderator says. It is held against what was told before and behind it."""
    stated = day.stated(until)
    sized = [one for one in lists if stated is not None and len(one.names) == stated.alive] or lists
    last = sized[-1]
    before = last_list_before(thread, day, until)
    seats = Seats(thread, last.names, last.post, until)
    listed = once(seats.living)
    left_by = _left_by_lists(day, seats, sized, listed, until)
    seats.remember(thread, day)
    doubts = Doubts()
    dawn = max(day.start, day.opened)

    # Whose death was told before the list does not live again for being listed.
    risen: dict[Seat, int] = {}
    if before is not None:
        holders = {Seat(Holder(name)): seat for name, seat in zip(last.names, seats.living, strict=True)}
        buried = told_dead(thread, [*holders], before.post, last.post, day.number, sure=True)
        told = ((holders[one], post) for one, post in buried.items() if post != day.ended)
        risen = {seat: post for seat, post in told if not is_revived(thread, seat, post, until)}

    # Who is missing although no post tells their death: by the last list of a day before, where there is none
    # by the opening post, and by those of the day that do not contradict themselves.
    voting = thread.voted(day.start, until)
    base = before or LivingList(
        day.start if day.number == 1 else 0, opening_list(thread, day, {*last.names, *voting})
    )
    begun = [seat for name in base.names if (seat := seats.of(name)) is not None and seat not in listed]
    fell = died_within(day, begun, dawn, last.post - 1)
    left_by = {seat: at for seat, at in fell.items() if thread.voted(dawn + 1, at - 1)} | left_by
    running = [one for one in lists if one.post < last.post and one.alive in (None, len(one.names))]
    missing = missing_seats(thread, day, until, seats, [base, *running, last], risen)
    if stated is not None and stated.post >= last.post and stated.alive == len(listed):
        # The number that is stated bears the list out, but for those who vote on.
        missing = [seat for seat in missing if seat.held_by(thread.voted(last.post + 1, until))]
    living = [*listed, *missing]

    # Who died since, in the middle of the day. A number that is stated behind it bears that out.
    since = died_within(day, listed, last.post, until)
    borne_out = stated is not None and since and stated.alive == len(living) - len(risen) - len(since)
    gone = left_by | risen | (since if borne_out else {})

    def read(those: Sequence[Seat], dead: Mapping[Seat, int]) -> Living:
        left = {seat: post for seat, post in dead.items() if those is listed or seat not in missing}
        return reading_of(seats, those, day.start, left, last.post)

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
            f"Post #{died} tells that {said_names(risen)} died, whom post #{last.post} lists again.", other
        )
    for post in sorted(set(since.values())) if not borne_out else ():
        dead = {seat: at for seat, at in since.items() if at == post}
        doubts.add(
            f"Post #{post} tells that {said_names(dead)} died, whom post #{last.post} still lists.",
            read(living, gone | dead),
        )
    if missing:
        doubts.add(
            f"Post #{last.post} does not list {said_names(missing)}, and no post tells of their death.",
            read(listed, gone),
        )
    if len(listed) < len(seats.living):
        twice = first.alive + len(seats.living) - len(listed)
        doubts.add(
            f"Post #{last.post} seems to list one player twice.", reading_of_number(first, twice, last.post)
        )
    strangers = strangers_among(thread, seats, listed, voting)
    if strangers and (stated is None or stated.alive != first.alive):
        more = reading_of_number(first, first.alive + len(strangers), None)
        doubts.add(f"Post #{last.post} does not list {', '.join(strangers)}, who vote.", more)

    # What is stated of their number and of the threshold; where the list has the dead, nothing of it.
    said = f"Players: the {len(listed)} whom the moderator lists in post #{last.post}."
    if risen and first.alive < len(living):
        said = (
            f"Players: the {first.alive} who live of those whom the moderator lists in post #{last.post}; "
            f"{said_names(risen)} died before it."
        )
    elif missing:
        said = f"{said[:-1]}, and {said_names(missing)}."
    if not risen and stated is not None and stated.alive is not None and stated.alive != first.alive:
        doubts.add(
            f"Post #{stated.post} says that {stated.alive} are alive, but post #{last.post} lists "
            f"{len(listed)}.",
            reading_of_number(first, stated.alive, stated.post, stated.needed),
        )
    elif not risen:
        beside = f"post #{last.post} lists {len(listed)} players"
        first = with_threshold(thread, day, until, first, doubts, beside)
    return doubts.told(first, said, thread, until)


def _left_by_lists(
    day: DayTold, seats: Seats, lists: Sequence[LivingList], listed: Sequence[Seat], until: int
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
    before = last_list_before(thread, day, until)
    by_opening = before is None and day.number > 1 and bool(thread.listed)
    if by_opening:
        alive_first = (one.name for one in thread.listed if not one.dead_on(1, latest=False))
        before = LivingList(thread.listed_at, tuple(alive_first))
    return None if before is None else _Outlived(thread, day, until, before, by_opening).told_by(fallen)


class _Outlived:
    """Who outlived a list from before the day, by all that was told since.

    Whoever votes on the day lives, and what ends the day tells of a death behind it. `died` are those told
    dead in the middle of the day after having voted on it.
    """

    def __init__(
        self, thread: ThreadRead, day: DayTold, until: int, before: LivingList, by_opening: bool
    ) -> None:
        self.thread, self.day, self.until, self.since = thread, day, until, before.post
        self.by_opening = by_opening
        self.seats = Seats(thread, before.names, before.post, until)
        self.living = once(self.seats.living)
        self.names = names_of_seats(self.living)
        self.votes = thread.voted(day.start, until)
        self.voting = {seat for name in self.votes if (seat := self.seats.of(name)) is not None}
        ended = until + 1 if day.ended is None else day.ended
        # What ended a day tells, behind the count that lists the living, who fell.
        fell = any(each.ended == before.post for each in thread.days if each.number < day.number)
        first = before.post if fell else before.post + 1
        told = (one for each in thread.days for one in each.told if first <= one.post <= until)
        self.told = [one for one in told if one.post < ended]
        died = died_within(day, self.living, day.start, until)
        self.died = {seat: at for seat, at in died.items() if seat.held_by(thread.voted(day.start, at))}

        # How many live and how many votes decide, as the day states it.
        self.stated = day.stated(until)
        said = day.thresholds(until)
        self.needed = said[-1] if said else None
        self.alive = self.stated.alive if self.stated else None
        if self.alive is None and self.needed is None:
            self.alive = day.stated_at_end(until)

    def _dead(self, test: Callable[[str], bool]) -> list[Seat]:
        fallen = (seat for seat in self.living if any(map(test, seat.names)))
        return [seat for seat in fallen if seat not in self.voting]

    def _ways(self) -> tuple[list[list[Seat]], list[Seat], list[Seat]]:
        """Who died by each way to tell, the surest first; then those by words, and by the list of players."""
        lines = [line for one in self.told for line in one.deaths]
        earlier = [each for each in self.thread.days if each.number < self.day.number]
        hammered = {name for each in earlier for name in each.hammered(self.since)}
        nicknamed = {slot.name for line in lines for slot in deaths_by_nickname(line, self.names)}
        entries = (entry for entry in self.thread.listed if entry.dead_on(self.day.number, True))
        listed = {fold(name) for entry in entries for name in entry.folded}
        revealed = {slot for one in self.told for slot in one.dead(self.names)}
        shown = [seat for seat in self.living if seat.name in revealed and seat not in self.voting]
        lined = self._dead(lambda name: any(tells_death_of(name, line, alone=True) for line in lines))
        by_list = self._dead(lambda name: fold(name) in listed)
        by_words = [seat for seat in self.living if seat in lined or seat in shown]
        if self.by_opening:
            # The list itself tells of deaths, with the day of each.
            by_words = by_list = [seat for seat in self.living if seat in by_words or seat in by_list]
        loose = self._dead(lambda name: any(tells_death_of(name, line, alone=False) for line in lines))
        known = {*by_words, *self._dead(lambda name: name in hammered | nicknamed)}
        all_known = [seat for seat in self.living if seat in known]
        return [by_words, shown, lined, by_list, loose, all_known], by_words, by_list

    def _fits(self, count: int) -> bool:
        """Whether so many living are what the day states."""
        if self.alive is not None:
            return count == self.alive
        return self.needed is not None and count // 2 + 1 == self.needed

    def _agrees(self, way: Sequence[Seat]) -> bool:
        """Whether a way leaves as many as the day states, before or after who died in its middle."""
        count = len(self.living) - len(way)
        return self._fits(count) or (
            bool(self.died) and self._fits(count - sum(seat not in way for seat in self.died))
        )

    def told_by(self, fallen: Fallen) -> PlayersTold:
        """Who plays; `fallen` are the deaths of the days before by our own counts of them, which are asked
        for only where nobody says how many are left, or not all deaths are told."""
        ways, by_words, by_list = self._ways()
        fitting = next((way for way in ways if self._agrees(way)), None)
        chosen, told_all = by_words, False
        if fitting is None:
            ended = [one for one in self.thread.days if one.number < self.day.number]
            ended = [one for one in ended if one.ends_behind(self.since)]
            own = {one.number: fallen(one.number) for one in ended}
            fell = self._dead(lambda name: any(name in names for names in own.values()))
            with_own = [
                [seat for seat in self.living if seat in way or seat in fell] for way in (by_words, ways[-1])
            ]
            fitting = next((way for way in with_own if self._agrees(way)), None)
            awake = {seat.name for seat in self.voting}
            told_all = _each_told([*ended, self.day], own, self.told, self.names, awake)
            chosen = with_own[told_all]
        unsure = "" if told_all else self._unsure(by_words, by_list)
        return self._read(chosen if fitting is None else fitting, fitting is not None, unsure)

    def _unsure(self, by_words: Sequence[Seat], by_list: Sequence[Seat]) -> str:
        """Why nobody can tell who lives, where the day states no number; {} is how many it would be."""
        if self.needed is not None or by_words != by_list:
            said = f"No post says how many are alive on day {self.day.number}; by the deaths that were told "
            return said + "it would be {}."
        if not by_words and not any(one.spared for one in self.told):
            return f"No post tells who died since post #{self.since}, nor that nobody did."
        return ""

    def _read(self, dead: Sequence[Seat], fits: bool, unsure: str) -> PlayersTold:
        """Who plays where these are dead; `fits`: so many are left as the day states."""
        thread, stated, doubts = self.thread, self.stated, Doubts()
        alive_now = [seat for seat in self.living if seat not in dead]
        count = len(alive_now)

        # Who is told dead when the day had gone on for a while lived until then.
        dawn = max(self.day.start, self.day.opened)
        late = died_within(self.day, dead, dawn, self.until)
        late = {seat: post for seat, post in late.items() if thread.voted(dawn + 1, post - 1)}

        def read(gone: Mapping[Seat, int]) -> Living:
            there = [seat for seat in self.living if seat in late or seat in alive_now]
            return reading_of(self.seats, there, self.day.start, {**late, **gone}, self.since)

        first = read({})
        if not fits and stated is not None and stated.alive is not None:
            doubts.add(
                f"Post #{stated.post} says that {stated.alive} are alive; by the deaths that were told it "
                f"would be {count}.",
                reading_of_number(first, stated.alive, stated.post, stated.needed),
            )
        elif not fits and unsure:
            doubts.add(unsure.format(count))

        # A number that is stated bears the deaths in the middle of the day out; else they are in doubt.
        died = {seat: post for seat, post in self.died.items() if seat in alive_now}
        if fits and died and not self._fits(count):
            first, died = read(died), {}
        for post in sorted(set(died.values())):
            gone = {seat: at for seat, at in died.items() if at == post}
            told = f"Post #{post} tells that {said_names(gone)} died, who voted on day {self.day.number}."
            doubts.add(told, read(gone))
        strangers = strangers_among(thread, self.seats, alive_now, self.votes)
        place = _place(thread, self.since)
        if strangers:
            more = reading_of_number(first, first.alive + len(strangers), None)
            doubts.add(f"{_capital(place)} does not list {', '.join(strangers)}, who vote.", more)
        if fits:
            first = with_threshold(thread, self.day, self.until, first, doubts, f"{first.alive} are alive")
        said = f"Players: the {first.alive} whom the moderator lists in {place} and who have not died since."
        return doubts.told(first, said, thread, self.until)


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


def _without_the_dead(
    thread: ThreadRead, roster: Roster, day: Day, until: int, stated: Told | None
) -> tuple[Roster, tuple[str, ...]]:
    """Those who posted, and who of them died before a later day: by the deaths that were told, where these
    leave as many as the moderator says are alive."""
    seats = [Seat(*slot.holders) for slot in roster.slots]
    if day.number == 1 or stated is None or stated.alive is None or stated.alive >= len(seats):
        return roster, ()
    died = told_dead(thread, seats, 0, until, day.number)
    if stated.alive != len(seats) - len(died):
        return roster, ()
    for seat in died:
        roster = roster.with_departure(seat.name, Departure(DepartureKind.KILLED, day.start))
    return roster, tuple(seat.name for seat in died)


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
        roster, gone = _without_the_dead(thread, roster_of(authors), day, until, stated)
        died_before = f", without {', '.join(gone)}, who died" if gone else ""
        said = (
            f"Players: the {len(authors)} who posted{died_before}. No list of players was found in the "
            "opening post."
        )
    else:
        roster = _listed_seats(thread, day, until)
        dead = len(roster.slots) - len(roster.alive_at(day.start))
        said = f"Players: the {len(roster.slots)} listed in {thread.list_place}, {dead} of them dead."
    living = roster.alive_at(day.start)
    fallen = [slot for slot in roster.slots if slot not in living]
    doubts = Doubts()

    # Who died in the middle of the day. A number that is stated behind it bears that out.
    seats = {slot.name: Seat(*slot.holders) for slot in living}
    died = {seat.name: post for seat, post in died_within(told, [*seats.values()], day.start, until).items()}
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
            reading_of_number(first, stated.alive, stated.post, stated.needed),
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
    unlisted = len(others) > len(silent) or many(others, living)
    if thread.listed and not doubts.said and unlisted:
        more = reading_of_number(first, first.alive + len(others), None)
        place = _capital(thread.list_place)
        doubts.add(f"{place} does not list as alive {', '.join(others)}, who vote.", more)
    longer = _longer_list(thread, posted, first.alive) if thread.listed and stated is None else ()
    if longer and not doubts.said and day.number == 1:
        doubts.add(
            f"The opening post has a list of {len(longer)}, too, and everybody who posted is on it.",
            reading_of_number(first, len(longer), None),
        )
    if not doubts.said:
        beside = f"by this list {first.alive} are alive"
        first = with_threshold(thread, told, until, first, doubts, beside)
    return doubts.told(first, said, thread, until)
