"""Who lives on a day of a thread without a game file: by the moderator's votecounts, deaths and replacements.

A votecount of the day that lists everybody who lives is the surest source. Without one, those of the day
before live on without whom the moderator's posts tell dead; without any, those of the opening post. What the
sources state is held against each other; where they differ, the answer has doubts and the readings that are
possible. Nobody is dead for having been left out of a list, and nobody lives again for being listed.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from knightfall.models import Roster
from knightfall.names import fold
from knightfall.votes.moderator_posts import DayTold, Told
from knightfall.votes.player_list import Renamed
from knightfall.votes.seats import Seat, Seats, once
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
class LivingList:
    """A list of all who live, in post `post`; `alive` is the number that the post states itself."""

    post: int
    names: tuple[str, ...]
    alive: int | None = None


# ---- Lists of the living


def lists_of(thread: ThreadRead, day: DayTold, until: int) -> tuple[LivingList, ...]:
    """The lists of all who live that were posted while a day ran."""
    read = (LivingList(one.post, _everybody_read(thread, day, one), one.alive) for one in day.running(until))
    return tuple(one for one in read if one.names)


def last_list_before(thread: ThreadRead, day: DayTold, until: int) -> LivingList | None:
    """The last list of a day before; None where there is none."""
    earlier = [one for one in thread.days if one.number < day.number]
    found = (lists[-1] for one in reversed(earlier) if (lists := lists_of(thread, one, until)))
    return next(found, None)


def opening_list(thread: ThreadRead, day: DayTold, playing: Set[str]) -> tuple[str, ...]:
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
    return () if reminds or many(omitted, names) else names


def many(some: Sequence[str], others: Sequence[object]) -> bool:
    """Whether these are too many for strays beside the others."""
    return len(some) > 1 and 4 * len(some) > len(others)


def missing_seats(
    thread: ThreadRead,
    day: DayTold,
    until: int,
    seats: Seats,
    lists: Sequence[LivingList],
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
    told = told_dead(thread, seats.all, since, until, day.number)

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


def strangers_among(
    thread: ThreadRead, seats: Seats, living: Sequence[Seat], voting: Set[str], until: int
) -> list[str]:
    """Who votes, plays by how they post, and has no seat; nobody where as many who live never post, and they
    are few: these may be the same. One vote by somebody who hardly posts is a spectator's."""
    unknown = thread.playing(sorted(who for who in voting if seats.of(who) is None), until)
    silent = [seat for seat in living if not any(fold(name) in thread.posters for name in seat.names)]
    return unknown if len(unknown) > len(silent) or many(unknown, living) else []


# ---- Deaths, by the posts that tell them


def told_dead(
    thread: ThreadRead, seats: Sequence[Seat], since: int, until: int, day: int, sure: bool = False
) -> dict[Seat, int]:
    """The seats whose death a moderator's post behind `since` and not behind `until` tells, each with the
    first such post: by its words or by the full wagon that ended a day before `day`. `sure`: by a sentence
    of its own; else to stand at the beginning of a line of such a post is enough."""
    told = [one for one in thread.told_since if since < one.post <= until]
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
    found: dict[Seat, int] = {}
    for one in told if seats else ():
        dead = one.dead(sure)
        for seat in seats if dead else ():
            if seat.held_by(dead):
                found.setdefault(seat, one.post)
    return found


def died_within(day: DayTold, living: Sequence[Seat], after: int, until: int) -> dict[Seat, int]:
    """The seats whose death a post in the middle of the day tells, behind post `after`, each with that post,
    and which no later one tells alive again; what ends the day tells of a death behind it."""
    told = [one for one in day.running(until) if one.post > after]
    died = _first_tellings((one for one in told if day.ended is None or one.post < day.ended), living, True)
    return {seat: post for seat, post in died.items() if not _lives_again(told, seat, post)}


def is_revived(thread: ThreadRead, seat: Seat, died: int, until: int) -> bool:
    """Whether a post behind that of a death tells that they live again."""
    told = (one for one in thread.told_since if one.post <= until)
    return _lives_again(told, seat, died)


def _lives_again(told: Iterable[Told], seat: Seat, died: int) -> bool:
    """Whether one of these posts, from that of a death on, tells that they live again."""
    return any(seat.held_by(one.revived) for one in told if one.post >= died)


def said_names(seats: Iterable[Seat]) -> str:
    return ", ".join(seat.name for seat in seats)


# ---- Doubts, and the readings that they leave


def nobody_takes_fewer(thread: ThreadRead, until: int) -> bool:
    """Whether a post by then tells that no elimination takes fewer votes."""
    return any(one.fewer_for_nobody for one in thread.told if one.post <= until)


class Doubts:
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
        fewer = nobody_takes_fewer(thread, until)
        return PlayersTold(tuple(readings), said, tuple(self.said), fewer_for_nobody=fewer)


def reading_of(
    seats: Seats, living: Sequence[Seat], start: int, gone: Mapping[Seat, int], post: int | None
) -> Living:
    """The reading by which these seats live, but for those of `gone`, which died in the posts given there;
    all others died before the day, which began with post `start`, or in the post that `gone` has."""
    left = {seat: start for seat in seats.all if seat not in living}
    left |= {seat: max(died, start) for seat, died in gone.items()}
    return Living(seats.roster(left), sum(seat not in gone for seat in living), post)


def reading_of_number(first: Living, alive: int, post: int | None, needed: int | None = None) -> Living:
    """The reading by which another number lives: who, nobody can tell, so its threshold stands beside it."""
    return Living(first.roster, alive, post, needed or alive // 2 + 1, post)


def with_threshold(
    thread: ThreadRead, day: DayTold, until: int, first: Living, doubts: Doubts, beside: str
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
    if needed == len(first.roster.alive_at(said.post)) // 2 + 1:
        needed = majority  # it was half plus one of those who lived when it was said
    if needed != majority and (needed > majority or day.counts_taking(needed, until) < 2):
        doubts.add(
            f"The moderator says that it takes {needed} votes, but {beside}.",
            replace(first, needed=needed, stated=said.post),
        )
        return first
    # Half plus one of them follows who dies and falls while the day goes on.
    return replace(first, needed=None if needed == majority else needed, stated=said.post)


def renamed_in(roster: Roster, renamed: Iterable[Renamed]) -> Roster:
    """The roster with the accounts that were taken for its players."""
    for one in renamed:
        roster = one.applied(roster)
    return roster


def living_at(one: Living, post: int) -> frozenset[str]:
    return frozenset(slot.name for slot in one.roster.alive_at(post))
