"""Who plays in a thread without a game file: by the moderator's votecounts, deaths and replacements.

A votecount of the day that lists everybody who lives is the surest source. Without one, those of the day
before live on without whom the moderator's posts tell dead. What the sources state is held against each
other; where they differ, the answer has doubts, and no threshold can be sure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache, partial

from knightfall.errors import InputError
from knightfall.markup.html import parse_html
from knightfall.markup.html_style import HtmlStyle
from knightfall.models import Departure, DepartureKind, Holder, Post, Roster, Slot, roster_of
from knightfall.names import Matched, Names, fold, squash
from knightfall.sentence import Way, sentence
from knightfall.votes.ballots import Action, Ballot, Forms
from knightfall.votes.moderator_posts import (
    DayTold,
    Told,
    days_told,
    deaths_by_nickname,
    tells_death_of,
    told_by,
)
from knightfall.votes.player_list import Listed, Renamed, claimed_players, listed_players, slots_of
from knightfall.votes.posted_votecounts import PostedVotecount, PostedWagon, names_of_posters
from knightfall.votes.tally import Day
from knightfall.votes.vote_parser import BodyReader, body_reader


@dataclass(frozen=True, slots=True)
class PlayersTold:
    """Who plays on a day. `said` tells where that comes from, `needed` is the threshold where a post states
    it, `fewer_for_nobody`: no elimination takes fewer votes. `doubts` are what does not agree, a sentence
    each."""

    roster: Roster
    said: str
    needed: int | None = None
    fewer_for_nobody: bool = False
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ThreadRead:
    """What a thread tells as far as it was read: who moderates, the names of all others who post, its days,
    the list of its opening post, and who wrote each post that holds a vote. `claimed` are the lists in it
    that may be of players, whoever has posted."""

    moderators: tuple[str, ...]
    names: Names
    days: tuple[DayTold, ...]
    listed: tuple[Listed, ...]
    voters: dict[int, str]
    claimed: tuple[tuple[str, ...], ...] = ()

    def day(self, number: int) -> DayTold | None:
        """The day of that number."""
        return next((day for day in self.days if day.number == number), None)

    def voted(self, start: int, until: int) -> frozenset[str]:
        """Who voted from one post to another."""
        return frozenset(who for post, who in self.voters.items() if start <= post <= until)


def read_thread(
    posts: Sequence[Post], html_style: HtmlStyle, forms: Forms, moderators: Sequence[str] = ()
) -> ThreadRead:
    """What a thread tells, by its posts in order. Who moderates is given, else who wrote the opening post and
    whoever posts a votecount of others and votes for nobody."""
    reader = body_reader(html_style, forms)
    mods = list(moderators or (posts[0].author,))
    folded = {name.casefold() for name in mods}
    authors = {post.author for post in posts}
    names = names_of_posters(authors, mods)
    others = frozenset(author for author in authors if author.casefold() not in folded)
    opening = parse_html(posts[0].body, html_style)
    listed = listed_players(opening, others)
    tell = cache(partial(told_by, html_style=html_style, names=names))
    if not moderators:
        players = {name for entry in listed for name in entry.folded}
        for author in _counters(posts, names, folded, tell):
            voted = (
                isinstance(names.surely(ballot.text), Matched)
                for post in posts
                if post.author == author
                for ballot in reader.ballots(post.body)
            )
            if fold(author) not in players and not any(voted):
                mods.append(author)
                folded.add(author.casefold())
    moderating = {author for author in authors if author.casefold() in folded}
    by_players = [post for post in posts if post.author not in moderating]
    voters = {
        post.number: post.author for post in by_players if not post.hidden and reader.ballots(post.body)
    }
    told = (tell(post) for post in posts[1:] if post.author in moderating)
    days = days_told(told, [post.number for post in by_players], voters, posts[0].number)
    claimed = () if listed else claimed_players(opening)
    return ThreadRead(tuple(mods), names, days, listed, voters, claimed)


def _counters(
    posts: Sequence[Post], names: Names, moderators: Set[str], tell: Callable[[Post], Told]
) -> tuple[str, ...]:
    """Who posts whole votecounts, and is listed in none."""
    counters: dict[str, None] = {}
    players: set[str] = set()
    for post in posts:
        if "voting" in post.body.lower():
            told = tell(post)
            if told.count and told.lists_all:
                counters[post.author] = None
                players.update(accounts_in(told.count, names))
    return tuple(one for one in counters if one not in players and one.casefold() not in moderators)


def players_told(thread: ThreadRead, number: int, until: int) -> PlayersTold | None:
    """Who plays on day `number` as of post `until`; None where no votecount of a moderator lists them."""
    day = thread.day(number)
    if day is None:
        return None
    running, stated = day.running(until), day.stated(until)

    # Of the counts of the day those of the right size; a day that was too short for one has its last.
    lists = [(one.post, _everybody_read(thread, day, one)) for one in running]
    if not any(names for _, names in lists) and not any(one.needed for one in running):
        ended = (one for one in day.told if one.post == day.ended and one.post <= until)
        lists = [(one.post, everybody_in(one, thread.names)) for one in ended]
    full = [(post, names) for post, names in lists if names]
    if stated is not None:
        full = [(post, names) for post, names in full if len(names) == stated.alive] or full
    return _listed_today(thread, day, until, full) if full else _outlived(thread, day, until)


def _omitted(thread: ThreadRead, names: Sequence[str], start: int, until: int) -> tuple[str, ...]:
    """Who voted from post `start` to `until` and has no seat among those of these names."""
    seats = _Seats(thread, names, until, until)
    voting = sorted(thread.voted(start, until))
    return tuple(who for who in voting if (seat := seats.of(who)) is None or not _among(seat, seats.living))


def _everybody_read(thread: ThreadRead, day: DayTold, one: Told) -> tuple[str, ...]:
    """All who live by a post of the day; nothing where it states no number and omits many who voted before
    it, or lists only some who do not vote while others do: it does not tell of everybody."""
    names = everybody_in(one, thread.names)
    if one.alive is not None or one.needed is not None:
        return names
    omitted = _omitted(thread, names, day.start, one.post)
    reminds = one.count is not None and not one.has_votes and bool(omitted)
    return () if reminds or _many(omitted, names) else names


def _many(some: Sequence[str], others: Sequence[object]) -> bool:
    """Whether these are too many for strays beside the others."""
    return len(some) > 1 and 4 * len(some) > len(others)


def players_answered(thread: ThreadRead, alive: Sequence[str], day: Day, until: int) -> PlayersTold:
    """Those who were alive when the day began, as the moderator answered; a name that is no account's is one
    of somebody who has not posted."""
    names: list[str] = []
    silent: list[str] = []
    for name in alive:
        meant = thread.names.match(name)
        names.append(meant.slot.name if isinstance(meant, Matched) else name)
        silent += [] if isinstance(meant, Matched) else [name]
    told = thread.day(day.number) or DayTold(day.number, day.start)
    found = _listed_today(thread, told, until, [(day.start, tuple(names))])
    beside = f"; {', '.join(silent)} did not post yet" if silent else ""
    said = f"Players: the {len(names)} whom you named as alive{beside}."
    return replace(found, said=said, doubts=(), needed=None)


def renamed_by_counts(
    thread: ThreadRead, posts: Sequence[Post], roster: Roster, reader: BodyReader, until: int
) -> tuple[Renamed, ...]:
    """The accounts that vote, are not listed, and stand in the moderator's votecounts under the listed name
    of somebody who never posts: in every count where the account's vote is where the name stands, two at
    least, one of them not idle; without a second candidate on either side."""
    posting = {fold(post.author) for post in posts}
    mods = {fold(name) for name in thread.moderators}
    voting = {who for post, who in thread.voters.items() if post <= until}
    strangers = [who for who in sorted(voting) if roster.slot_of(who) is None and fold(who) not in mods]
    unused = [(slot, name) for slot in roster.slots for name in slot.names if fold(name) not in posting]
    counts = [(day.start, one) for day in thread.days for one in day.told if one.count and one.post <= until]
    if not (strangers and unused):
        return ()
    said: dict[str, list[tuple[int, Sequence[Ballot]]]] = {author: [] for author in strangers}
    for post in posts:
        if post.author in said:
            said[post.author].append((post.number, reader.ballots(post.body)))
    rows = {name: [one.count.row_listing((name,)) for _, one in counts if one.count] for _, name in unused}
    fitting: list[Renamed] = []
    for author in strangers:
        votes = [_standing(said[author], start, one.post) for start, one in counts]
        for slot, name in unused:
            agreed = [_stands(thread.names, row, vote) for row, vote in zip(rows[name], votes, strict=True)]
            sure = [one for one in agreed if one is not None]
            if len(sure) > 1 and all(sure) and any(row and not row.idle for row in rows[name]):
                fitting.append(Renamed(slot, author, name))
    authors, names = Counter(one.author for one in fitting), Counter(one.listed for one in fitting)
    return tuple(one for one in fitting if authors[one.author] == names[one.listed] == 1)


def _standing(ballots: Sequence[tuple[int, Sequence[Ballot]]], start: int, until: int) -> str:
    """Whom the last vote before a post and since the start of its day is for, as written; "" for no vote."""
    said = [one for post, found in ballots if start <= post < until for one in found]
    return said[-1].text if said and said[-1].action is Action.VOTE else ""


def _stands(names: Names, row: PostedWagon | None, vote: str) -> bool | None:
    """Whether a row of a votecount, which lists a name, is where a vote for `vote` belongs; None where there
    is no such row, or it names nobody we know."""
    if row is None or not (row.idle or row.target):
        return None
    if row.idle or not vote:
        return row.idle and not vote
    meant = names.match(vote)
    return isinstance(meant, Matched) and row.target is not None and meant.slot.name == row.target.name


# ---- Seats


Seat = list[Holder]


class _Seats:
    """Who is known to have held which seat, oldest holder first."""

    def __init__(self, thread: ThreadRead, living: Sequence[str], listed_at: int, until: int) -> None:
        self.names = thread.names
        self.all: list[Seat] = []
        self.living = [self.add(name) for name in living]
        sitting = {fold(name) for name in living}

        # The opening post and the moderator's notes add who held a seat before; nobody who sits moves.
        for entry in thread.listed:
            self._hold([Holder(name) for name in (*reversed(entry.replaced), entry.name)])
        for one in (told for day in thread.days for told in day.told if told.post <= until):
            for pair in one.replaced:
                new, old = self._account(pair.new), self._account(pair.old)
                if new and old and not {fold(new), fold(old)} <= sitting:
                    self._replace(new, old, one.post)
        for seat in self.living:
            _in_order(seat, sitting, listed_at)

    def of(self, name: str) -> Seat | None:
        """The seat that somebody of this name has or had."""
        key = fold(name)
        return next((seat for seat in self.all if any(fold(one.name) == key for one in seat)), None)

    def add(self, name: str) -> Seat:
        """The seat of that name; a new one where there is none."""
        seat = self.of(name)
        if seat is None:
            seat = [Holder(name)]
            self.all.append(seat)
        return seat

    def _account(self, written: str) -> str:
        """The account that a written name surely means, or a name that is listed; "" for other words."""
        meant = self.names.surely(written)
        if isinstance(meant, Matched):
            return meant.slot.name
        return written if self.of(written) is not None else ""

    def _hold(self, holders: Seat) -> None:
        """All these held one seat."""
        free = [one for one in holders if self.of(one.name) is None]
        taken = {id(seat): seat for one in holders if (seat := self.of(one.name)) is not None}
        if len(taken) == 1:
            next(iter(taken.values()))[:0] = free
        elif free:
            self.all.append(free)

    def _replace(self, new: str, old: str, post: int) -> None:
        """`new` has the seat of `old` from that post on."""
        before, after = self.of(old), self.of(new)
        if before is not None and after is None:
            before.append(Holder(new, post))
        elif before is None and after is not None:
            place = next(i for i, one in enumerate(after) if fold(one.name) == fold(new))
            after[place : place + 1] = [Holder(old), Holder(new, post)]
        elif before is not None and after is not None and before is not after and len(after) == 1:
            before.append(Holder(new, post))
            self.all = [seat for seat in self.all if seat is not after]
            self.living = [before if seat is after else seat for seat in self.living]

    def roster(self, left: Callable[[Seat], int | None]) -> Roster:
        """The slots; `left` tells from which post on one is dead."""
        slots = []
        for seat in self.all:
            post = left(seat)
            gone = None if post is None else Departure(DepartureKind.KILLED, post)
            slots.append(Slot(tuple(seat), left=gone))
        return roster_once(slots)


def _in_order(seat: Seat, sitting: Set[str], listed_at: int) -> None:
    """Put whoever was listed as living at post `listed_at` behind those who came before, and before those who
    came later; since when those before held the seat does not matter."""
    place = next((i for i, one in enumerate(seat) if fold(one.name) in sitting), None)
    if place is None:
        return
    sitter = seat[place]
    others = [one for one in seat if one is not sitter]
    before = [Holder(one.name) for one in others if one.from_post <= listed_at]
    seat[:] = [*before, sitter, *(one for one in others if one.from_post > listed_at)]


def everybody_in(one: Told, names: Names) -> tuple[str, ...]:
    """All who live by a post, by their accounts; nothing where it does not list them all."""
    if one.count is not None and one.lists_all:
        return accounts_in(one.count, names)
    meant = [names.match(name) for name in one.roll]
    known = tuple(found.slot.name for found in meant if isinstance(found, Matched))
    return known if len(set(known)) == len(one.roll) else ()


def accounts_in(count: PostedVotecount, names: Names) -> tuple[str, ...]:
    """All whom a votecount lists, wagons and idle together, by their accounts; a stranger may be the
    misspelt name of somebody who is not listed."""
    voters = [voter.name for row in count.rows for voter in row.voters]
    strangers = [name for row in count.rows for name in row.strangers]
    for written in strangers:
        meant = names.match(written)
        known = isinstance(meant, Matched) and meant.slot.name not in voters
        voters.append(meant.slot.name if known and isinstance(meant, Matched) else written)
    return tuple(dict.fromkeys(voters))


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


def _among(seat: Seat, seats: Iterable[Seat]) -> bool:
    return any(seat is one for one in seats)


def _same(some: Iterable[Seat], others: Iterable[Seat]) -> bool:
    return [id(seat) for seat in some] == [id(seat) for seat in others]


# ---- The ways to tell


def _fewer_for_nobody(thread: ThreadRead, until: int) -> bool:
    """Whether a post by then tells that no elimination takes fewer votes."""
    return any(one.fewer_for_nobody for day in thread.days for one in day.told if one.post <= until)


def _listed_today(
    thread: ThreadRead,
    day: DayTold,
    until: int,
    lists: Sequence[tuple[int, tuple[str, ...]]],
) -> PlayersTold:
    """Those whom the last list of the day, a whole votecount or a roll, names. `lists` are (post, names)."""
    last, names = lists[-1]
    seats = _Seats(thread, names, last, until)
    living = [seat for i, seat in enumerate(seats.living) if not _among(seat, seats.living[:i])]

    # Who was listed this morning and is no more died by the post that tells it, else by the next list.
    fell: list[tuple[Seat, int]] = []
    for name in lists[0][1]:
        seat = seats.add(name)
        if not _among(seat, living):
            missing = next((post for post, listed in lists if name not in listed), until)
            told = (one.post for one in day.told if any(squash(name) in squash(line) for line in one.deaths))
            fell.append((seat, next((post for post in told if post <= missing), missing)))
    for before in (one for earlier in thread.days if earlier.number < day.number for one in earlier.told):
        for name in everybody_in(before, thread.names):
            seats.add(name)

    def left(seat: Seat) -> int | None:
        return None if _among(seat, living) else next((at for one, at in fell if one is seat), day.start)

    stated, said = day.stated(until), day.thresholds(until)
    needed, count = said[-1] if said else None, len(living)
    doubts: list[str] = []
    if count < len(seats.living):
        doubts.append(f"Post #{last} seems to list one player twice.")
    if stated is not None and stated.alive != count:
        doubts.append(
            f"Post #{stated.post} says that {stated.alive} are alive, but post #{last} lists {count}."
        )
    elif needed is not None and needed != count // 2 + 1 and day.counts_taking(needed, until) < 2:
        doubts.append(
            f"The moderator says that it takes {needed} votes, but post #{last} lists {count} players."
        )
    doubts += _died_since(day, living, last, until)
    return PlayersTold(
        seats.roster(left),
        f"Players: the {count} whom the moderator lists in post #{last}.",
        needed,
        _fewer_for_nobody(thread, until),
        tuple(doubts),
    )


def _died_since(day: DayTold, living: Sequence[Seat], last: int, until: int) -> Iterator[str]:
    """A sentence for each post behind the last list that tells of a death in the middle of the day."""
    names = Names([Slot(tuple(seat)) for seat in living])
    for one in day.running(until):
        if one.post > last and (day.ended is None or one.post < day.ended):
            gone = {slot.name: None for line in one.deaths for slot in deaths_by_nickname(line, names)}
            if gone:
                yield f"Post #{one.post} tells that {', '.join(gone)} died, whom post #{last} still lists."


def _died_after_voting(thread: ThreadRead, day: DayTold, living: Sequence[Seat], until: int) -> Iterator[str]:
    """A sentence for each post that tells the death of somebody who voted before it on the day."""
    names = Names([Slot(tuple(seat)) for seat in living])
    for one in day.running(until):
        if day.ended is None or one.post < day.ended:
            voted = thread.voted(day.start, one.post)
            dead = (slot for line in one.deaths for slot in deaths_by_nickname(line, names))
            gone = {slot.name: None for slot in dead if voted & set(slot.names)}
            if gone:
                yield f"Post #{one.post} tells that {', '.join(gone)} died, who voted on day {day.number}."


def _outlived(thread: ThreadRead, day: DayTold, until: int) -> PlayersTold | None:
    """Those of the last votecount of a day before, without who has died since."""
    lists = (
        (one.post, _everybody_read(thread, earlier, one))
        for earlier in thread.days
        if earlier.number < day.number
        for one in earlier.running(until)
    )
    since, names = next(((post, names) for post, names in reversed([*lists]) if names), (0, ()))
    if not names:
        return None
    seats = _Seats(thread, names, since, until)
    living = seats.living
    voting = [seat for name in thread.voted(day.start, until) if (seat := seats.of(name)) is not None]

    # Who died, by the lines that tell of one death, by the opening post, by lines that tell of several, by
    # nicknames in such lines and by the full wagons. Whoever votes today lives, and what ends the day tells
    # of a death behind it.
    ended = until + 1 if day.ended is None else day.ended
    told = [one for each in thread.days for one in each.told if since < one.post <= until]
    told = [one for one in told if one.post < ended]
    lines = [line for one in told for line in one.deaths]
    hammered = {name for each in thread.days if each.number < day.number for name in each.hammered(since)}
    nicknames = Names([Slot(tuple(seat)) for seat in living])
    nicknamed = {slot.name for line in lines for slot in deaths_by_nickname(line, nicknames)}
    listed = {
        fold(name) for entry in thread.listed if entry.dead_on(day.number, True) for name in entry.folded
    }

    def dead(test: Callable[[str], bool]) -> list[Seat]:
        fallen = (seat for seat in living if any(test(one.name) for one in seat))
        return [seat for seat in fallen if not _among(seat, voting)]

    ways = [
        dead(lambda name: any(tells_death_of(name, line, alone=True) for line in lines)),
        dead(lambda name: fold(name) in listed),
        dead(lambda name: any(tells_death_of(name, line, alone=False) for line in lines)),
    ]
    known = {id(seat) for seat in (*ways[0], *dead(lambda name: name in hammered | nicknamed))}
    ways.append([seat for seat in living if id(seat) in known])
    stated, said = day.stated(until), day.thresholds(until)
    needed, alive = said[-1] if said else None, stated.alive if stated else None
    if alive is None and needed is None:
        alive = day.stated_at_end(until)

    def agrees(way: list[Seat]) -> bool:
        count = len(living) - len(way)
        return count == alive if alive is not None else needed is not None and count // 2 + 1 == needed

    fitting = next((way for way in ways if agrees(way)), None)
    chosen = ways[0] if fitting is None else fitting
    count = len(living) - len(chosen)
    doubts: list[str] = []
    if fitting is None and stated is not None:
        doubts.append(
            f"Post #{stated.post} says that {alive} are alive; by the deaths that were told it would be "
            f"{count}."
        )
    elif fitting is None and (needed is not None or not _same(ways[0], ways[1])):
        doubts.append(
            f"No post says how many are alive on day {day.number}; by the deaths that were told it would be "
            f"{count}."
        )

    alive_now = [seat for seat in living if not _among(seat, chosen)]
    doubts += _died_after_voting(thread, day, alive_now, until)

    def left(seat: Seat) -> int | None:
        return None if _among(seat, alive_now) else day.start

    return PlayersTold(
        seats.roster(left),
        f"Players: the {count} whom the moderator lists in post #{since} and who have not died since.",
        needed,
        _fewer_for_nobody(thread, until),
        tuple(doubts),
    )


def _claimed(thread: ThreadRead, alive: int, until: int, posted: Sequence[str]) -> Roster | None:
    """Those of a list in the opening post, few of whom may have posted: as many as the moderator says are
    alive, and among them everybody who posted. None where no list is so."""
    accounts = {fold(author): author for author in posted}
    for run in thread.claimed:
        names = tuple(accounts.get(fold(name), name) for name in run)
        if len(set(map(fold, names))) != alive or len(names) != alive:
            continue
        seats = _Seats(thread, names, 0, until)
        if posted and all(seats.of(author) is not None for author in posted):
            return seats.roster(lambda _: None)
    return None


def listed_players_told(
    thread: ThreadRead, posts: Sequence[Post], moderators: Set[str], day: Day, until: int
) -> PlayersTold:
    """Those whom the opening post lists, else everybody who posts. A later day needs to know who is dead."""
    authors = tuple(dict.fromkeys(post.author for post in posts if post.author not in moderators))
    doubts: list[str] = []
    told = thread.day(day.number)
    stated = told.stated(until) if told else None
    posted = [post.author for post in posts if post.number <= until and post.author not in moderators]
    alive_then = stated.alive if stated is not None and day.number == 1 else None
    claimed = None if alive_then is None else _claimed(thread, alive_then, until, posted)
    if not thread.listed and claimed is not None:
        roster = claimed
        said = f"Players: the {len(roster.slots)} listed in the opening post, as many as are alive."
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
        roster = roster_once(slots_of(thread.listed, day.number, day.start, day.end is None))
        dead = len(roster.slots) - len(roster.alive_at(day.start))
        said = f"Players: the {len(roster.slots)} listed in the opening post, {dead} of them dead."
    alive = len(roster.alive_at(day.start))
    if stated is not None and stated.alive != alive:
        doubts.append(
            f"Post #{stated.post} says that {stated.alive} are alive, but by this list it would be {alive}."
        )
    elif stated is None and not thread.listed:
        doubts.append("More may play than have posted so far.")
    elif stated is None and day.number > 1:
        fallen = [slot for slot in roster.slots if not slot.alive_at(day.start)]
        voting = thread.voted(day.start, until)
        if not fallen or any(voting & set(slot.names) for slot in fallen):
            doubts.append(f"No post says who is alive on day {day.number}.")
    living = {fold(name) for slot in roster.alive_at(day.start) for name in slot.names}
    others = [who for who in sorted(thread.voted(day.start, until)) if fold(who) not in living]
    if thread.listed and not doubts and _many(others, roster.alive_at(day.start)):
        doubts.append(f"The opening post does not list as alive {', '.join(others)}, who vote.")
    needed = told.thresholds(until)[-1:] if told and stated and not doubts else ()
    return PlayersTold(roster, said, next(iter(needed), None), False, tuple(doubts))
