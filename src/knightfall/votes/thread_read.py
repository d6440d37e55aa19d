"""What a thread without a game file tells: who moderates, who posts, its days, opening post and votes.

`read_thread` reads it; `everybody_in` and `accounts_in` tell whom a post of a moderator lists as alive,
`renamed_by_counts` which accounts these votecounts list under another name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import islice

from knightfall.markup.html import parse_html
from knightfall.markup.html_style import HtmlStyle
from knightfall.models import Holder, Post, Roster, Slot
from knightfall.names import NAME_AT_START, Matched, Names, TargetMatch, Unknown, fold
from knightfall.reading.clauses import clauses_of
from knightfall.reading.house_rules import Subject, sentences_on_votes
from knightfall.reading.statements import Replaced, assistants, statements
from knightfall.votes.ballots import Action, Ballot, Forms
from knightfall.votes.frames import Shown, examples_in, frames_in
from knightfall.votes.house import Saying, Stated, Written, standing
from knightfall.votes.moderator_posts import DayTold, Told, days_told, newcomer, own_words, told_by
from knightfall.votes.player_list import Listed, Renamed, claimed_players, listed_players
from knightfall.votes.posted_votecounts import (
    SPELLING_RULES,
    PostedVotecount,
    PostedWagon,
    names_of_posters,
    posted_votecount,
)
from knightfall.votes.vote_parser import BodyReader, body_reader


@dataclass(frozen=True, slots=True)
class ThreadRead:
    """What a thread tells as far as it was read: who moderates, the names of all others who post, its days,
    its opening post, the list of players, and who wrote each post that holds a vote. `posters` are all who
    post, folded; `claimed` are the lists beside that one which may be of players, whoever has posted."""

    moderators: tuple[str, ...]
    names: Names
    days: tuple[DayTold, ...]
    opening: Told
    listed: tuple[Listed, ...]
    voters: dict[int, str]
    posters: frozenset[str]
    claimed: tuple[tuple[str, ...], ...] = ()
    listed_at: int = 0
    """The post with the list of players: the opening post, or another one from before the game."""
    posts_of: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The posts of everybody, by their accounts."""
    called: frozenset[str] = frozenset()
    """The words by which votes name somebody."""
    replaced: tuple[tuple[str, str, int], ...] = ()
    """(new, old, post) of whom the moderator answered to have replaced somebody, from that post on."""

    def with_replaced(self, pairs: Iterable[tuple[str, str]], posts: Sequence[Post]) -> ThreadRead:
        """The same with who replaced whom as the moderator answered, (new, old): from the first post of who
        came in on."""
        found: list[tuple[str, str, int]] = []
        for new, old in pairs:
            own = (post.number for post in posts if post.author.casefold() == new.casefold())
            found.append((new, old, next(own, posts[-1].number + 1)))
        return replace(self, replaced=tuple(found))

    @property
    def told(self) -> tuple[Told, ...]:
        """What all posts of the moderators tell, the opening post first."""
        return (self.opening, *self.told_since)

    @property
    def told_since(self) -> tuple[Told, ...]:
        """What the moderators' posts behind the opening post tell, in their order."""
        return tuple(one for day in self.days for one in day.told)

    def day(self, number: int) -> DayTold | None:
        """The day of that number."""
        return next((day for day in self.days if day.number == number), None)

    def time_called(self, number: int) -> int | None:
        """The post by which a moderator said that the time for votes on that day was up; None where none did,
        or where several have voted on."""
        day = self.day(number)
        called = [one.post for one in day.told if one.calls_time and one.post == day.ended] if day else []
        after = min((one.start for one in self.days if one.number > number), default=None)
        return called[0] if called and len(self._late(called[0], after)) < PLAYING else None

    def said_of_late(self, called: int, after: int | None) -> Iterator[str]:
        """The sentence on those who voted behind the post that called time, before post `after`."""
        late = self._late(called, after)
        if late:
            said = ", ".join(f"{who} #{post}" for who, post in late.items())
            yield f"Post #{called} says that the time is up; votes behind it do not count: {said}."

    def _late(self, called: int, after: int | None) -> dict[str, int]:
        voters = sorted(self.voters.items())
        return {who: post for post, who in voters if post > called and (after is None or post < after)}

    @property
    def list_place(self) -> str:
        """Where the list of players stands."""
        return "the opening post" if self.listed_at == self.opening.post else f"post #{self.listed_at}"

    def sayings(self) -> tuple[tuple[int, tuple[Saying, ...]], ...]:
        """What the moderators' posts state of the rules of the house, each with its number: all of it before
        the game was on, later only what is said of the votes of single players."""
        early, later = self._early_and_later()
        before = ((one.post, one.sayings(self.names)) for one in early)
        since = ((one.post, tuple(standing(one.lines, self.names))) for one in later)
        return tuple(each for each in (*before, *since) if each[1])

    def _early_and_later(self) -> tuple[list[Told], list[Told]]:
        """What the moderators told before the game was on, and since."""
        on = _play_began(self.voters)
        if on is None:
            return [*self.told], []
        return [one for one in self.told if one.post < on], [one for one in self.told if one.post > on]

    def called_by_number(self, stated: Stated) -> Names:
        """The names of those who play, and, where votes are written so, their numbers on the list; `stated`
        are its `sayings`."""
        if all(one.subject is not Subject.BY_NUMBER for _, each in stated for one in each):
            return self.names
        listed = enumerate(self.listed, start=1)
        return Names([Slot((Holder(one.name),), aliases=(str(number),)) for number, one in listed])

    def written(self, stated: Stated, posts: Sequence[Post], html_style: HtmlStyle) -> Written:
        """What stands in frames in the players' posts, and what the rules show of such; where many voted in a
        form that is known, only what takes a vote back. `stated` are its `sayings`."""
        moderators = set(map(str.casefold, self.moderators))
        by_players = [post for post in posts if post.author.casefold() not in moderators]
        voters = set(self.voters.values())
        if not by_players or 2 * len(voters) > len({post.author for post in by_players}):
            other = [p for p in by_players if p.number not in self.voters and len(p.body) <= SHORT_POST]
            frames = frames_in(other, html_style, self.names)
            return Written({frame: uses for frame, uses in frames.items() if frame.undoes})
        names = self.called_by_number(stated)
        return Written(frames_in(by_players, html_style, names), self.shown(posts, html_style), names)

    def shown(self, posts: Iterable[Post], html_style: HtmlStyle) -> Shown:
        """What the moderators wrote of the forms of a vote before the game was on."""
        early, _ = self._early_and_later()
        numbers = {one.post for one in early}
        said = [*sentences_on_votes((line for one in early for line in one.lines), self.names)]
        return Shown(
            tuple(sentence for sentence, _ in said),
            tuple(dict.fromkeys(line for _, line in said)),
            examples_in((post for post in posts if post.number in numbers), html_style),
        )

    def playing(self, people: Iterable[str], until: int) -> list[str]:
        """Those of these people who write as one who plays does: some posts, votes in two, or as much as most
        who vote."""
        usual = self.usual_posts(until)
        found: list[str] = []
        for who in people:
            posts = self._posts_by(who, until)
            if (
                len(posts) >= min(PLAYING, usual or PLAYING)
                or sum(self.voters.get(post) == who for post in posts) > 1
            ):
                found.append(who)
        return found

    def usual_posts(self, until: int) -> int:
        """How many posts half of those who vote have written by then, or more; 0 where nobody votes."""
        sizes = sorted(len(self._posts_by(who, until)) for who in self.voted(0, until))
        return sizes[len(sizes) // 2] if sizes else 0

    def spoken_of(self, until: int) -> frozenset[str]:
        """Whom a vote means, or a moderator's post by then names in a statement or a list; folded."""
        told = [one for one in self.told_since if one.post <= until]
        meant = (self.names.match(text) for text in self.called)
        found = {one.slot.name for one in meant if isinstance(one, Matched)}
        for one in told:
            found.update(one.roll, everybody_in(one, self.names), one.dead(), one.revived)
            found.update(name for pair in one.replaced for name in (pair.new, pair.old))
            found.update(accounts_in(one.count, self.names) if one.count else ())
        return frozenset(map(fold, found))

    def _posts_by(self, who: str, until: int) -> list[int]:
        return [post for post in self.posts_of.get(who, ()) if post <= until]

    def posted(self, start: int, until: int) -> frozenset[str]:
        """Who posted from one post to another."""
        found = self.posts_of.items()
        return frozenset(who for who, posts in found if any(start <= one <= until for one in posts))

    def voted(self, start: int, until: int) -> frozenset[str]:
        """Who voted from one post to another."""
        return frozenset(who for post, who in self.voters.items() if start <= post <= until)


SHORT_POST = 400
"""Letters of the body of a post that may hold a few words alone."""
PLAYING = 3
"""So many people have voted where a game is on."""


def _play_began(voters: Mapping[int, str]) -> int | None:
    """The post with which so many had voted that the game was on; None where it is not."""
    voted: set[str] = set()
    for post, who in sorted(voters.items()):
        voted.add(who)
        if len(voted) >= PLAYING:
            return post
    return None


def read_thread(
    posts: Sequence[Post],
    html_style: HtmlStyle,
    forms: Forms,
    moderators: Sequence[str] = (),
    people: Iterable[str] = (),
) -> ThreadRead:
    """What a thread tells, by its posts in order. Who moderates is given, else who wrote the opening post and
    whoever posts a votecount of others and votes for nobody. `people` play, whether they have posted or
    not: one of them does not moderate."""
    reader = body_reader(html_style, forms)
    people = tuple(people)
    plays = posts[0].author.casefold() in {name.casefold() for name in people}
    mods = list(moderators or (() if plays else (posts[0].author,)))
    folded = {name.casefold() for name in mods}
    authors = {post.author for post in posts}
    others = frozenset(author for author in authors if author.casefold() not in folded)
    first = parse_html(posts[0].body, html_style)

    # The list of players: in the opening post, else in another post of theirs before the game was on.
    held = {post.number for post in posts if not post.hidden and reader.ballots(post.body)}
    called = frozenset(
        ballot.text for post in posts if post.number in held for ballot in reader.ballots(post.body)
    )
    on = _play_began(
        {post.number: post.author for post in posts if post.number in held and post.author in others}
    )
    early = [
        post for post in posts[1:] if post.author.casefold() in folded and (on is None or post.number < on)
    ]
    lists = [(posts[0].number, first)]
    lists += [(post.number, parse_html(post.body, html_style)) for post in early]
    found = ((place, listed_players(nodes, others)) for place, nodes in lists)
    listed_at, listed = next((one for one in found if one[1]), (posts[0].number, ()))
    claimed = tuple(run for _, nodes in lists for run in claimed_players(nodes))

    names = names_of_posters({*authors, *_silent(listed, authors, mods)}, mods)
    if not moderators:
        players = {name for entry in listed for name in entry.folded}
        helpers = assistants(clauses_of([line for _, nodes in lists for line in own_words(nodes)], names))
        for name in helpers:
            if name in authors and fold(name) not in players and name.casefold() not in folded:
                mods.append(name)
                folded.add(name.casefold())
        names = names_of_posters({*authors, *_silent(listed, authors, mods)}, mods)
    tell = cache(partial(told_by, html_style=html_style, names=names))
    if not moderators:
        players = {name for entry in listed for name in entry.folded}
        counters = _counters(posts, html_style, names, folded, tell)
        hosts = _announcers(posts, {fold(name) for name in folded} | players, tell) if listed else ()
        for author in dict.fromkeys((*counters, *hosts)):
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
    voters = {post.number: post.author for post in by_players if post.number in held}
    told = [tell(post) for post in posts[1:] if post.author in moderating]
    pairs = [pair for one in told for pair in one.replaced]
    more = {*_newcomers(pairs, names, mods), *_silent(listed, authors - _came_in(pairs, names), mods)}
    if any(names.whole(name) is None for name in more):
        # Who came in and has not posted yet is named in votecounts already, and so is somebody listed whose
        # name is like that of an account that came in.
        names = names_of_posters({*authors, *more}, mods)
        tell = cache(partial(told_by, html_style=html_style, names=names))
        told = [tell(post) for post in posts[1:] if post.author in moderating]
    counted = {*people, *(name for one in told for name in everybody_in(one, names))}
    playing = {fold(post.author) for post in by_players}
    for run in claimed:
        if playing and playing <= set(map(fold, run)):
            counted.update(run)
    unheard = [name for name in counted if isinstance(names.match(name), Unknown)]
    if unheard:
        # Who is listed and has not posted may be told dead, too.
        wider = names_of_posters({*authors, *more, *unheard}, mods)
        told = [replace(one, statements=statements(clauses_of(one.lines, wider))) for one in told]
    opening = tell(posts[0])
    buried = {name: one.day for one in listed if one.day is not None for name in (one.name, *one.replaced)}
    days = days_told(told, [post.number for post in by_players], voters, opening, buried)
    posters = frozenset(map(fold, authors))
    posts_of: dict[str, list[int]] = {}
    for post in posts:
        posts_of.setdefault(post.author, []).append(post.number)
    return ThreadRead(
        tuple(mods), names, days, opening, listed, voters, posters, claimed, listed_at,
        {who: tuple(numbers) for who, numbers in posts_of.items()}, called,
    )  # fmt: skip


def _silent(listed: Sequence[Listed], authors: Set[str], mods: Sequence[str]) -> list[str]:
    """Who is listed and has not posted; not an account as somebody misspelt it."""
    known, posters = {fold(author) for author in authors}, names_of_posters(authors, mods)
    found: list[str] = []
    for entry in listed:
        if known.isdisjoint(entry.folded):
            meant = posters.match(entry.name)
            apart = isinstance(meant, Matched) and meant.rule == NAME_AT_START and bool(entry.written)
            found += [entry.name] if apart or not isinstance(meant, Matched) else []
    return found


def _newcomers(pairs: Iterable[Replaced], names: Names, mods: Sequence[str]) -> Iterator[str]:
    """Who replaced somebody known and is nobody who posts or is listed, by their name as written; not one of
    which a word alone would name somebody."""
    moderators = set(map(fold, mods))
    for pair in pairs:
        name = newcomer(pair)
        if name and fold(name) not in moderators and isinstance(names.surely(pair.old), Matched):
            meant = map(names.match, {name, *name.split()})
            if all(isinstance(one, Unknown) or _by_spelling(one) for one in meant):
                yield name


def _by_spelling(meant: TargetMatch) -> bool:
    return isinstance(meant, Matched) and meant.rule in SPELLING_RULES


def _came_in(pairs: Iterable[Replaced], names: Names) -> frozenset[str]:
    """The accounts that replaced somebody: no list from before has them, however alike a name in it is."""
    meant = (names.surely(pair.new) for pair in pairs)
    return frozenset(one.slot.name for one in meant if isinstance(one, Matched))


def _counters(
    posts: Sequence[Post],
    html_style: HtmlStyle,
    names: Names,
    moderators: Set[str],
    tell: Callable[[Post], Told],
) -> tuple[str, ...]:
    """Who posts whole votecounts, and is listed in none."""
    counters: dict[str, None] = {}
    players: set[str] = set()
    for post in posts:
        if "voting" in post.body.lower():
            if post.author.casefold() not in moderators:
                # Most of these hold no count: all else that they tell takes its time.
                nodes = parse_html(post.body, html_style)
                if posted_votecount(post.number, post.author, nodes, names) is None:
                    continue
            told = tell(post)
            if told.count and told.lists_all:
                counters[post.author] = None
                players.update(accounts_in(told.count, names))
    return tuple(one for one in counters if one not in players and one.casefold() not in moderators)


def _announcers(posts: Sequence[Post], others: Set[str], tell: Callable[[Post], Told]) -> Iterator[str]:
    """Who is none of these `others` and tells two things at least that only a moderator tells: that a day or
    a night begins, who replaced whom, who died; as where the opening post is somebody else's."""
    by_author: dict[str, list[Post]] = {}
    for post in posts:
        if fold(post.author) not in others:
            by_author.setdefault(post.author, []).append(post)
    for author, theirs in by_author.items():
        told = (tell(post) for post in theirs)
        announced = (
            thing
            for one in told
            for thing in (one.opens(0) or one.begins_night, one.replaced, one.dead(sure=True))
            if thing
        )
        if len([*islice(announced, _ANNOUNCED)]) == _ANNOUNCED:
            yield author


_ANNOUNCED = 2


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
