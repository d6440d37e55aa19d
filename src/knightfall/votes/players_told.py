"""The ways to tell who plays on a day of a thread without a game file.

A list of the day, one of a day before without who has died since, the list of players, the moderator's own
answer: each way holds what it finds against all that is stated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import pairwise
from typing import TypeAlias

from knightfall.errors import InputError
from knightfall.models import Holder, Post
from knightfall.names import Matched, fold
from knightfall.reading.statements import Cause, Phase, When
from knightfall.sentence import Way, sentence
from knightfall.votes.living import (
    Doubts,
    Living,
    LivingList,
    PlayersTold,
    died_within,
    is_revived,
    last_list_before,
    lists_of,
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
from knightfall.votes.moderator_posts import DayTold
from knightfall.votes.seats import Seat, Seats, once
from knightfall.votes.tally import Day
from knightfall.votes.thread_read import PLAYING, ThreadRead, everybody_in

Fallen: TypeAlias = Callable[[int], Set[str]]
"""Whom a day before eliminated by our own count of it, where that is sure."""


def players_told(
    thread: ThreadRead,
    posts: Sequence[Post],
    moderators: Set[str],
    number: int,
    until: int,
    fallen: Fallen,
) -> PlayersTold:
    """Who plays on day `number` as of post `until`."""
    day = thread.day(number) or DayTold(number, posts[0].number)
    lists = lists_of(thread, day, until)
    if not lists and not any(one.needed for one in day.running(until)):
        # A day that was too short for a count has its last.
        ended = (one for one in day.told if one.post == day.ended and one.post <= until)
        last = (LivingList(one.post, everybody_in(one, thread.names), one.alive) for one in ended)
        lists = tuple(one for one in last if one.names)
    if lists:
        return _listed_today(thread, day, until, lists)
    return _since_before(thread, posts, moderators, day, until, fallen)


def players_answered(
    thread: ThreadRead, alive: Sequence[str], day: Day, until: int, lives: Set[str] = frozenset()
) -> PlayersTold:
    """Those who were alive when the day began, as the moderator answered, without whose death a post tells
    since, but for who `lives` by an answer; a name that is no account's is one of somebody who has not
    posted."""
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
    died = died_within(told, living, day.start, until)
    gone = {seat: post for seat, post in died.items() if not seat.held_by(lives)}
    first = reading_of(seats, living, day.start, gone, day.start)
    beside = f"; {', '.join(silent)} did not post yet" if silent else ""
    since = f"; {said_names(gone)} died since" if gone else ""
    said = f"Players: the {len(names)} whom you named as alive{beside}{since}."
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

    # Who died since, in the middle of the day, unless a number that is stated behind it denies that.
    since = died_within(day, listed, last.post, until)
    left = len(living) - len(risen) - len(since)
    denied = stated is not None and since and stated.post > min(since.values()) and stated.alive != left
    gone = left_by | risen | ({} if denied else since)

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
    for post in sorted(set(since.values())) if denied else ():
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
    strangers = strangers_among(thread, seats, listed, voting, until)
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
    then = None if stated is None else len(first.roster.alive_at(stated.post))
    if (
        not risen
        and stated is not None
        and stated.alive is not None
        and stated.alive not in (first.alive, then)
    ):
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
                told = (each.post for each in day.told if seat.held_by(each.dead()))
                left.setdefault(seat, next((post for post in told if post <= lacking), lacking))
    return left


def _since_before(
    thread: ThreadRead, posts: Sequence[Post], moderators: Set[str], day: DayTold, until: int, fallen: Fallen
) -> PlayersTold:
    """Those of the last list before the day, else of the list of players, else all who post; without who has
    died since."""
    before = last_list_before(thread, day, until)
    if before is not None:
        return _Outlived(thread, day, until, before, _place(thread, before.post)).told_by(fallen)
    stated = day.stated(until)
    posted = [post.author for post in posts if post.number <= until and post.author not in moderators]
    alive_then = stated.alive if stated is not None and day.number == thread.days[0].number else None
    claimed = () if alive_then is None else _claimed(thread, alive_then, posted)
    if thread.listed:
        names = tuple(one.name for one in thread.listed if not one.dead_on(1, latest=False))
        place = thread.list_place
    elif claimed:
        names, place = claimed, thread.list_place
    else:
        # Whoever posts later in the thread may be voted for before.
        everybody = (post.author for post in posts if post.author not in moderators)
        names, place = tuple(dict.fromkeys(everybody)), ""
    if not names:
        raise InputError(
            sentence(
                "Only the moderator posts here. List the players in the file of a game: {game}",
                game=Way("field", name="game", value="FOLDER"),
            )
        )
    first = LivingList(thread.listed_at if place else 0, names)
    return _Outlived(thread, day, until, first, place).told_by(fallen)


class _Outlived:
    """Who outlived a list from before the day, by all that was told since; `place` is where it stands, ""
    where it is made of those who posted.

    Whose death is told by a sentence of its own is dead until a post tells that they live again, whatever
    they post; who is shown by their role alone, or by a short name, is so unless they vote. What ends the day
    tells of a death behind it.
    """

    def __init__(self, thread: ThreadRead, day: DayTold, until: int, before: LivingList, place: str) -> None:
        self.thread, self.day, self.until, self.since, self.place = thread, day, until, before.post, place
        self.seats = Seats(thread, before.names, before.post, until)
        self.living = once(self.seats.living)
        self.lent: list[str] = []
        """Who plays without being listed, and for whom of those that nothing was heard of."""
        self.unheard = self._unheard()
        self.votes = thread.voted(day.start, until)
        self.voting = {seat for name in self.votes if (seat := self.seats.of(name)) is not None}
        # A death that is told when people have voted opens no day.
        late = bool(thread.voted(day.start, day.opened - 1))
        self.dawn = day.start if late else max(day.start, day.opened)
        ended = until + 1 if day.ended is None else day.ended
        # What ended a day tells, behind the count that lists the living, who fell.
        fell = any(each.ended == before.post for each in thread.days if each.number < day.number)
        first = before.post if fell else before.post + 1
        told = (one for one in thread.told_since if first <= one.post <= until)
        self.told = [one for one in told if one.post < ended]
        self.sure, self.weak = self._deaths()

        # How many live and how many votes decide, as the day states it.
        self.stated = day.stated(until)
        said = day.thresholds(until)
        self.needed = said[-1] if said else None
        self.alive = self.stated.alive if self.stated else None
        if self.alive is None and self.needed is None:
            self.alive = day.stated_at_end(until)

    def _deaths(self) -> tuple[dict[Seat, int], dict[Seat, int]]:
        """Whose death is told, surely and less so, each with its post; whoever lives again is in neither."""
        sure: dict[Seat, int] = {}
        weak: dict[Seat, int] = {}
        for one in self.told:
            surely, loosely = one.dead(sure=True), one.dead()
            for seat in self.living if loosely or one.revived else ():
                if seat.held_by(one.revived):
                    sure.pop(seat, None)
                    weak.pop(seat, None)
                elif seat.held_by(surely):
                    sure.setdefault(seat, one.post)
                elif seat.held_by(loosely) and seat not in self.voting:
                    weak.setdefault(seat, one.post)
        return sure, weak

    def _risen(self, seat: Seat) -> bool:
        """Whether a post tells that they live again."""
        return any(seat.held_by(one.revived) for one in self.told)

    def _unheard(self) -> list[Seat]:
        """Those of the list of players of whom nothing was heard when a day had gone by: who never posted,
        nobody voted for and no moderator spoke of, so that a list that was edited later may have them."""
        early = self.day.number == self.thread.days[0].number
        if early or self.place != self.thread.list_place or self.thread.usual_posts(self.until) < PLAYING:
            return []  # most have hardly posted yet
        silent = [seat for seat in self.living if not seat.held_by(self.thread.posts_of)]
        heard = self.thread.spoken_of(self.until) if silent else frozenset()
        unheard = [seat for seat in silent if heard.isdisjoint(map(fold, seat.names))]

        # Who plays and is not listed has the seat of one who was to come, whoever that was.
        voted = sorted(self.thread.voted(0, self.until)) if unheard else []
        unknown = self.thread.playing([who for who in voted if self.seats.of(who) is None], self.until)
        for seat, who in zip(unheard, unknown, strict=False):
            self.lent.append(f"{who} (for {seat.name})")
            self.seats.lend(seat, who)
        return unheard[len(unknown) :]

    def _listed_dead(self) -> list[Seat]:
        """Those whom the list of players tells dead by the day: one that was edited later does not say when,
        unless it says the day, so whoever votes is not."""
        # A list that tells of deaths to come was edited since: what it does not date is no news of this day.
        later = any(one.day is not None and one.day >= self.day.number for one in self.thread.listed)
        found = self._listed_by(self.day.ended is None and not later)
        dated = self._dated_dead()
        return [seat for seat in found if seat not in self.voting or seat in dated]

    def _dated_dead(self) -> list[Seat]:
        """Those whom the list of players tells dead since a day before."""
        return self._listed_by(latest=False)

    def _listed_by(self, latest: bool) -> list[Seat]:
        entries = (one for one in self.thread.listed if one.dead_on(self.day.number, latest))
        names = {fold(name) for one in entries for name in one.folded}
        return [seat for seat in self.living if not names.isdisjoint(map(fold, seat.names))]

    def _fits(self, count: int) -> bool:
        """Whether so many living are what the day states."""
        if self.alive is not None:
            return count == self.alive
        return self.needed is not None and count // 2 + 1 == self.needed

    def told_by(self, fallen: Fallen) -> PlayersTold:
        """Who plays; `fallen` are the deaths of the days before by our own counts of them."""
        sure, all_told = [*self.sure], [*self.sure, *self.weak]
        listed = [seat for seat in self.living if seat in self.sure or seat in self._listed_dead()]
        earlier = [each for each in self.thread.days if each.number < self.day.number]
        hammered = {name for each in earlier for name in each.hammered(self.since)}
        full = (seat for seat in self.living if seat.held_by(hammered) and not self._risen(seat))
        shown = [*all_told, *(seat for seat in full if seat not in self.voting)]
        ways = [all_told, sure, listed, [*listed, *self.weak], shown]
        ways += [[*way, *self.unheard] for way in ways if self.unheard]
        fitting = next((way for way in ways if self._agrees(way)), None)
        if fitting is not None:
            return self._read(fitting, True, "")

        # Nobody says how many are left, or the deaths that were told do not leave as many.
        ended = [one for one in earlier if one.ends_behind(self.since)]
        own = {one.number: fallen(one.number) for one in ended}
        fell = [seat for seat in self.living if any(seat.held_by(names) for names in own.values())]
        fell = [seat for seat in fell if seat not in self.voting and not self._risen(seat)]
        told = once([*shown, *fell, *self._dated_dead(), *self.unheard])
        with_own = once([*told, *listed])
        if self.day.number > self.thread.days[0].number and not self._untold(ended, own, told):
            with_own = told  # all is told: who else the list has as dead died later
        # Whoever begins a sentence of a post that ends or opens a day may be dead by it.
        turning = {name for one in self.told if one.turns and not one.has_votes for name in one.subjects}
        named = [seat for seat in self.living if seat.held_by(turning) and seat not in self.voting]
        closing = {name for one in self.told if one.closes and not one.has_votes for name in one.subjects}
        at_end = [seat for seat in named if seat.held_by(closing)]
        wider = ([*all_told, *fell], with_own, [*with_own, *at_end], [*with_own, *named])
        chosen = next((way for way in map(once, wider) if self._agrees(way)), None)
        if chosen is not None:
            return self._read(chosen, True, "")
        return self._read(with_own, False, self._untold(ended, own, with_own))

    def _agrees(self, way: Iterable[Seat]) -> bool:
        """Whether a way leaves as many as the day states, before or after who died in its middle."""
        dead = set(way)
        late = sum(seat in dead for seat, post in self._in_its_middle().items() if post)
        count = len(self.living) - len(dead)
        return self._fits(count) or (bool(late) and self._fits(count + late))

    def _in_its_middle(self) -> dict[Seat, int]:
        """Whose death is told when the day had gone on for a while, each with its post."""
        gone = {**self.weak, **self.sure}
        return {
            seat: post
            for seat, post in gone.items()
            if post > self.dawn
            and (self.thread.voted(self.dawn + 1, post - 1) or self.dawn == self.day.start)
        }

    def _untold(self, ended: Sequence[DayTold], own: Mapping[int, Set[str]], dead: Sequence[Seat]) -> str:
        """Why nobody can tell who lives: what a day or a night before brought is told nowhere; "" where all
        of it is told."""
        if self.needed is not None or self.alive is not None:
            return (
                f"No post says how many are alive on day {self.day.number}; by the deaths that were told it "
                "would be {}."
            )
        days = [*ended, self.day]
        for before, after in pairwise(days):
            between = [one for one in self.told if before.start < one.post <= max(after.opened, after.start)]
            names = {name for one in between for name in one.dead()} | set(own[before.number])
            dead_here = {seat for seat in self.living if seat.held_by(names)}
            spared = sum(any(one.spared(cause) for one in between) for cause in (Cause.VOTE, Cause.KILLED))
            joined = any(one.post == before.ended and one.opens(before.number) for one in self.told)
            brought = 1 if joined and not any(one.begins_night for one in between) else 2
            if len(dead_here) + spared < brought:
                return (
                    f"What day {before.number} and the night after it brought is not told: who died, or that "
                    f"nobody did. By the deaths that were told {{}} are alive."
                )
        listed_here = self.since == self.day.start == self.thread.opening.post
        if days[0].number > 1 and self.day.number > 1 and not ended and not dead and not listed_here:
            return f"No post tells who died since post #{self.since}, nor that nobody did."
        if (
            self.day.number == 1
            and self._night_first()
            and not dead
            and not any(one.spared() for one in self.told)
        ):
            return "The game began with a night, and no post tells what it brought. {} are listed."
        return ""

    def _named_at_dawn(self, living: Sequence[Seat]) -> list[Seat]:
        """Whom the post that opens the first day names without telling of a death or that nobody died, and of
        whom nothing was heard since."""
        opens = next((one for one in self.told if one.post == self.day.opened), None)
        if opens is None or opens.count or opens.roll or opens.deaths or opens.spared():
            return []
        if self.day.number != self.thread.days[0].number:
            return []
        heard = self.thread.posted(opens.post + 1, self.until)
        named = [seat for seat in living if seat.held_by(opens.named) and not seat.held_by(heard)]
        return named if 2 * len(named) < len(living) else []

    def _night_first(self) -> bool:
        """Whether a night came before the first day."""
        early = (one for one in (self.thread.opening, *self.told) if one.post <= self.dawn)
        return any(
            isinstance(one, When) and one.night and _is_first(one)
            for told in early
            for one in told.statements
        )

    def _read(self, dead: Sequence[Seat], fits: bool, unsure: str) -> PlayersTold:
        """Who plays where these are dead; `fits`: so many are left as the day states."""
        thread, stated, doubts = self.thread, self.stated, Doubts()
        middle = {seat: post for seat, post in self._in_its_middle().items() if seat in dead}
        there = [seat for seat in self.living if seat not in dead or seat in middle]
        first = reading_of(self.seats, there, self.day.start, middle, self.since if self.place else None)
        count = first.alive
        if not fits and stated is not None and stated.alive is not None:
            doubts.add(
                f"Post #{stated.post} says that {stated.alive} are alive; by the deaths that were told it "
                f"would be {count}.",
                reading_of_number(first, stated.alive, stated.post, stated.needed),
            )
        elif not fits and unsure:
            doubts.add(unsure.format(count))
        elif not self.place and not fits:
            doubts.add("More may play than have posted so far.")
        undated = [seat for seat in dead if seat not in {**self.sure, **self.weak}]
        undated = [seat for seat in undated if seat not in self.unheard]
        if undated and not fits and self.day.number == thread.days[0].number:
            doubts.add(
                f"{_capital(self.place)} has {said_names(undated)} as dead, and no post tells when they "
                "died.",
                reading_of(self.seats, [*there, *undated], self.day.start, middle, self.since),
            )
        strangers = strangers_among(thread, self.seats, there, self.votes, self.until)
        if strangers and self.place and not fits:
            more = reading_of_number(first, first.alive + len(strangers), None)
            doubts.add(f"{_capital(self.place)} does not list {', '.join(strangers)}, who vote.", more)
        longer = _longer_list(thread, self.votes, first.alive) if self.place and stated is None else ()
        if longer and not doubts.said and self.day.number == thread.days[0].number and not dead:
            doubts.add(
                f"The opening post has a list of {len(longer)}, too, and everybody who votes is on it.",
                reading_of_number(first, len(longer), None),
            )
        named = [] if doubts.said or fits else self._named_at_dawn(there)
        if named:
            left = [seat for seat in there if seat not in named]
            doubts.add(
                f"Post #{self.day.opened} opens the day and names {said_names(named)}, in words that tell "
                "nobody whether they live, and nothing was heard of them since.",
                reading_of(self.seats, left, self.day.start, middle, self.since),
            )
        if not doubts.said:
            beside = f"by this list {first.alive} are alive" if self.place else f"{first.alive} are alive"
            first = with_threshold(thread, self.day, self.until, first, doubts, beside)
        return doubts.told(first, self._said(first, there, len(dead)), thread, self.until)

    def _said(self, first: Living, living: Sequence[Seat], dead: int) -> str:
        """Where the reading comes from."""
        if not self.place:
            died = f", without the {dead} who died" if dead else ""
            listed = "No list of players was found in the opening post."
            return f"Players: the {len(self.living)} who posted{died}. {listed}"
        if self.place == self.thread.list_place:
            unheard = [seat for seat in self.unheard if seat not in living]
            of = f" Nothing was heard of {said_names(unheard)}: not counted." if unheard else ""
            if self.lent:
                lent = ", ".join(self.lent)
                of += f" Not listed, and counted for somebody of whom nothing was heard: {lent}."
            dead -= len(unheard)
            return f"Players: the {len(self.living)} listed in {self.place}, {dead} of them dead.{of}"
        whom = f"whom the moderator lists in {self.place} and who have not died since"
        return f"Players: the {first.alive} {whom}."


def _is_first(one: When) -> bool:
    return one.number == 0 or (one.number is None and one.phase in (Phase.BEGINS, Phase.TITLE, Phase.RUNS))


def _claimed(thread: ThreadRead, alive: int, posted: Sequence[str]) -> tuple[str, ...]:
    """Those of a list in the opening post, few of whom may have posted: as many as the moderator says are
    alive, and among them everybody who posted. Nothing where no list is so."""
    accounts = {fold(author): author for author in posted}
    for run in thread.claimed:
        names = tuple(accounts.get(fold(name), name) for name in run)
        if len(set(map(fold, names))) == alive == len(names) and set(accounts) <= set(map(fold, names)):
            return names if posted else ()
    return ()


def _longer_list(thread: ThreadRead, posted: Iterable[str], alive: int) -> tuple[str, ...]:
    """A list in the opening post that has everybody who posted and more than so many; nothing where there is
    none: it may be the list of the players, few of whom have posted."""
    folded = set(map(fold, posted))
    runs = (run for run in thread.claimed if len(run) > alive)
    return next((run for run in runs if folded and folded <= set(map(fold, run))), ())


def _place(thread: ThreadRead, post: int) -> str:
    """Where a list of the living stands."""
    return thread.list_place if post == thread.listed_at else f"post #{post}"


def _capital(place: str) -> str:
    return f"{place[0].upper()}{place[1:]}"
