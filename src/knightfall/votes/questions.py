"""Questions that help: whom an unclear vote may mean, by all that is known, and which one answer settles.

Candidates come first from the moderator's own votecounts, then from answers in earlier games on the site,
then from how the thread uses the name, and last from its spelling; where none of them tells, nobody is
offered. `informed` adds them to the doubts of a count, and the posts in which a vote must stand that the
moderator counted and nobody read; `grouped` puts together the doubts that one answer settles.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter

import regex

from knightfall.markup.html import parse_html
from knightfall.markup.html_style import HtmlStyle
from knightfall.models import Post, Slot
from knightfall.names import Matched, squash
from knightfall.votes.ballots import Action, Region
from knightfall.votes.called_names import called_in_replies
from knightfall.votes.lines import lines_of
from knightfall.votes.nickname_book import Teaching, known_players
from knightfall.votes.nicknames import ClaimBasis, DayRead, ballot_claims, nickname, teachable
from knightfall.votes.posted_votecounts import SURE_RULES, PostedVotecount
from knightfall.votes.rule import Rule
from knightfall.votes.tally import Doubt, Tally, Vote
from knightfall.votes.vote_parser import EVERY_FORM, read_lines

MOST = 4
"""So many candidates are offered."""


# ---- What one answer settles


@dataclass(frozen=True, slots=True)
class Question:
    """The doubts that one answer settles, in the order of their posts; `name` is what was written in each of
    them, "" where the doubt is not about a name alone."""

    doubts: tuple[Doubt, ...]
    name: str = ""

    @property
    def candidates(self) -> tuple[str, ...]:
        """Whom any of them may mean, those of the first doubt first."""
        return tuple(dict.fromkeys(name for doubt in self.doubts for name in doubt.candidates))[:MOST]

    @property
    def count(self) -> int | None:
        """The post of the moderator's own votecount that shows one of them for the first candidate."""
        shown = (doubt for doubt in self.doubts if doubt.count is not None)
        first = next(shown, None)
        return first.count if first and first.candidates[:1] == self.candidates[:1] else None

    @property
    def unvote(self) -> bool:
        """Whether an unvote seems to be meant, and nobody tells otherwise."""
        return not self.candidates and all(doubt.unvote for doubt in self.doubts)

    @property
    def alias(self) -> str | None:
        """The name that an answer could teach; None where what was written is no name."""
        return teachable(self.name)

    @property
    def earlier(self) -> Mapping[str, Teaching]:
        """Candidate → where an earlier game on the site called them so."""
        return {name: taught for doubt in self.doubts for name, taught in doubt.earlier}


def grouped(doubts: Iterable[Doubt]) -> tuple[Question, ...]:
    """The doubts as questions, in the order of their first posts: those on one name are one."""
    by_name: dict[object, list[Doubt]] = {}
    for place, doubt in enumerate(doubts):
        key = squash(doubt.name) if doubt.name and not doubt.why else place
        by_name.setdefault(key, []).append(doubt)
    return tuple(Question(tuple(same), "" if same[0].why else same[0].name) for same in by_name.values())


# ---- What an answer may change


def unreplaced(doubts: Iterable[Doubt], tally: Tally, rule: Rule) -> tuple[Doubt, ...]:
    """The doubts whose answers may change a count: not those on a vote that its voter has cast anew since,
    where it could not have been the hammer before that."""
    return tuple(doubt for doubt in doubts if not _is_replaced(doubt, tally, rule))


def _is_replaced(doubt: Doubt, tally: Tally, rule: Rule) -> bool:
    later = (move for move in tally.history if move.joined and move.post > doubt.post)
    anew = next((move for move in later if doubt.voter in move.vote.voter.names), None)
    if anew is None or doubt.why or rule.unvote_first or rule.max_changes is not None or rule.locked_at:
        return False
    if rule.capacity(anew.vote.voter, anew.vote.post) != 1:
        return False  # their later vote may stand beside it
    needed = [one for one in (tally.needed, *(wagon.needed for wagon in tally.wagons)) if one is not None]
    if not needed:
        return True

    # Whether one vote more, between the doubt and the vote that replaced it, could have made a hammer.
    bonus = max((wagon.target.bonus for wagon in tally.wagons if wagon.target), default=0)
    sizes: Counter[str | None] = Counter()
    most = 0
    for move in tally.history:
        if move.post > anew.post:
            break
        if move.post > doubt.post:
            most = max(most, *sizes.values(), 0)
        target = move.vote.target
        sizes[target.name if target else None] += move.vote.weight if move.joined else -move.vote.weight
    return most + bonus + 1 < min(needed)


# ---- Whom a doubt may mean


def informed(
    counted: Tally,
    days: Sequence[DayRead],
    posts: Sequence[Post],
    html_style: HtmlStyle,
    book: Sequence[Teaching] = (),
) -> tuple[Doubt, ...]:
    """The doubts of the last of the `days`, each with its candidates by all evidence, and with those of which
    only the moderator's own votecounts tell. `posts` are those of the thread, as far as the count goes;
    `book` is what answers in earlier games on its site taught."""
    voters = _Voters(days[-1], posts)
    named = [
        replace(doubt, earlier=_earlier(doubt, days[-1], book)) for doubt in counted.questions if doubt.name
    ]
    shown = {doubt: _shown(doubt, voters) for doubt in named}
    used = _called_so(named, days)
    untold = {doubt.name for doubt in named if shown[doubt] is None and not used[squash(doubt.name)]}
    names = [name for name in untold if nickname(name) is not None]
    answered = called_in_replies(names, days[-1].roster, posts, html_style)
    doubts = [
        _with_candidates(doubt, voters, shown[doubt], used[squash(doubt.name)], answered.get(doubt.name))
        for doubt in named
    ]
    doubts += [_borne_out(doubt, voters) for doubt in counted.questions if not doubt.name]
    doubts += _overlooked(counted, voters, html_style)
    return tuple(sorted(doubts, key=lambda doubt: doubt.post))


class _Voters:
    """What a day and its thread tell of each voter, by the name of their slot: sorted out once for all
    doubts."""

    def __init__(self, day: DayRead, posts: Sequence[Post]) -> None:
        self.day = day
        self._thread = posts

    @cached_property
    def ballots(self) -> defaultdict[str, list[int]]:
        """The posts of the day with live ballots of theirs, in order."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for post in self.day.ballots:
            voter = self.day.roster.slot_of(post.author)
            live = any(ballot.region is Region.LIVE for ballot in post.ballots)
            if voter is not None and live and post.number <= self.day.until:
                found[voter.name].append(post.number)
        return found

    @cached_property
    def posts(self) -> defaultdict[str, list[Post]]:
        """The posts of the thread that they wrote, in order."""
        found: defaultdict[str, list[Post]] = defaultdict(list)
        for post in self._thread:
            if (voter := self.day.roster.slot_of(post.author)) is not None:
                found[voter.name].append(post)
        return found

    @cached_property
    def counts(self) -> defaultdict[str, list[PostedVotecount]]:
        """The moderator's votecounts that list them, in order."""
        found: defaultdict[str, list[PostedVotecount]] = defaultdict(list)
        for posted in self.day.posted:
            for name in {voter.name for row in posted.rows for voter in row.voters}:
                found[name].append(posted)
        return found

    def standing(self, voter: Slot, post: int) -> tuple[Vote, ...]:
        """Their votes that stand as of a post."""
        moments = self._standing[voter.name]
        place = bisect_right(moments, post, key=itemgetter(0))
        return moments[place - 1][1] if place else ()

    @cached_property
    def _standing(self) -> defaultdict[str, list[tuple[int, tuple[Vote, ...]]]]:
        """Their votes from each post on at which these moved."""
        found: defaultdict[str, list[tuple[int, tuple[Vote, ...]]]] = defaultdict(list)
        for move in self.day.tally_at(self.day.until).history:
            moments = found[move.vote.voter.name]
            before = moments[-1][1] if moments else ()
            after = (*before, move.vote) if move.joined else tuple(v for v in before if v != move.vote)
            moments.append((move.post, after))
        return found


def _called_so(doubts: Iterable[Doubt], days: Sequence[DayRead]) -> dict[str, Counter[str]]:
    """Of each name in the doubts, squashed: whom the other uses of it meant, and how often."""
    wanted = {squash(doubt.name) for doubt in doubts}
    used: dict[str, Counter[str]] = {key: Counter() for key in wanted}
    for day in days if wanted else ():
        for claim in ballot_claims(day):
            if claim.slot is not None and claim.because is not ClaimBasis.OPEN:
                key = squash(claim.text)
                if key in used:
                    used[key][claim.slot.name] += 1
    return used


def _earlier(doubt: Doubt, day: DayRead, book: Sequence[Teaching]) -> tuple[tuple[str, Teaching], ...]:
    """Whom the book knows by the name of the doubt, but for its voter."""
    voter = day.roster.slot_of(doubt.voter)
    if not doubt.name or voter is None:
        return ()
    known = known_players(doubt.name, book, day.roster, doubt.post)
    return tuple((name, taught) for name, taught in known if name != voter.name)


def _borne_out(doubt: Doubt, voters: _Voters) -> Doubt:
    """A doubt on whether a vote counts with the moderator's own count that has it, where one does."""
    shown = _shown(doubt, voters) if doubt.candidates and not doubt.why else None
    return replace(doubt, count=shown[1]) if shown and doubt.candidates == (shown[0].name,) else doubt


def _with_candidates(
    doubt: Doubt,
    voters: _Voters,
    shown: tuple[Slot, int] | None,
    used: Counter[str],
    answered: str | None,
) -> Doubt:
    """The doubt on a name with its candidates, the best evidence first: where the moderator's own count has
    the vote, whom others called so in votes and, where none of this tells, in what they answered."""
    day = voters.day
    voter = day.roster.slot_of(doubt.voter)
    if voter is None:
        return doubt
    by_count = [shown[0].name] if shown else []
    by_use = [name for name, _ in used.most_common()]
    by_answer = [answered] if answered and not by_count and not by_use else []
    living = {slot.name for slot in day.roster.alive_at(doubt.post)}
    by_book = (name for name, _ in doubt.earlier)
    found = dict.fromkeys((*by_count, *by_book, *by_use, *by_answer, *doubt.candidates))
    others = living - {voter.name}
    offered = [name for name in found if name in others or name in doubt.candidates]
    return replace(doubt, candidates=tuple(offered[:MOST]), count=shown[1] if shown else None)


def _shown(doubt: Doubt, voters: _Voters) -> tuple[Slot, int] | None:
    """Whom the moderator's last count before the voter's next ballot lists the vote under, and the number of
    that count; None where it is nobody, or a vote that they had before."""
    voter = voters.day.roster.slot_of(doubt.voter)
    if voter is None:
        return None
    ballots, counts = voters.ballots[voter.name], voters.counts[voter.name]
    after = bisect_right(ballots, doubt.post)
    until = ballots[after] if after < len(ballots) else voters.day.until + 1
    place = bisect_left(counts, until, key=lambda posted: posted.post)
    posted = counts[place - 1] if place and counts[place - 1].post > doubt.post else None
    row = posted.row_of(voter) if posted else None
    if posted is None or row is None or row.target is None or not row.target.alive_at(doubt.post):
        return None
    before = voters.standing(voter, doubt.post - 1)
    had = any(vote.target is not None and vote.target.name == row.target.name for vote in before)
    return None if had else (row.target, posted.post)


def _is(slot: Slot | None, other: Slot) -> bool:
    return slot is not None and slot.name == other.name


# ---- Votes that only the moderator counted

# A verb anywhere in a line, and what stands behind it.
_VOTE = regex.compile(
    r"(?<![\w'’])(?:v|vot\w{0,3}|hammer)\b[^\w@]*(?:for\s+)?(?P<name>\S.*)$", regex.IGNORECASE
)


def _overlooked(counted: Tally, voters: _Voters, html_style: HtmlStyle) -> Iterator[Doubt]:
    """Posts with a vote that the moderator's last count of the voter has, and this one has not: one that was
    not read, or one whose name was guessed for another player. Of a day that ended one or two votes short of
    a hammer, posts that may hold these, too."""
    day = voters.day
    last = counted.at if counted.hammer is None else counted.hammer.post
    asked: defaultdict[str, list[int]] = defaultdict(list)
    for doubt in counted.questions:
        if (slot := day.roster.slot_of(doubt.voter)) is not None:
            asked[slot.name].append(doubt.post)
    found: dict[str, Doubt] = {}
    for voter in day.roster.alive_at(day.until):
        posted = next(reversed(voters.counts[voter.name]), None)
        row = posted.row_of(voter) if posted else None
        if posted is None or row is None or row.target is None:
            continue

        # Whom they vote for by our count as of that one, where they have not moved since.
        mine = voters.standing(voter, posted.post - 1)
        agrees = any(vote.target is not None and vote.target.name == row.target.name for vote in mine)
        ballots = [post for post in voters.ballots[voter.name] if post >= day.day.start]
        if agrees or len(mine) > 1 or (ballots and ballots[-1] >= posted.post):
            continue

        # Where a question on a vote of theirs is open, that is it.
        since = ballots[-1] if ballots else 0
        if any(since <= post < posted.post for post in asked.get(voter.name, ())):
            continue

        # A line for just that player, in a post since their last ballot and before the first count of it.
        since_then = (one for one in day.posted if one.post > since)
        first = next(one.post for one in since_then if _is(_shown_for(one, voter), row.target))
        meant = _post_for(row.target, voter, voters, html_style, (since + 1, min(first - 1, last)))
        if meant is None:
            meant = _guess(mine, voter, row.target, day, last)
        if meant is not None:
            found[voter.name] = replace(meant, count=posted.post)
    yield from found.values()
    if counted.hammer is None and day.day.end is not None:
        yield from _lacking(counted, voters, html_style, found.keys() | asked.keys())


def _shown_for(posted: PostedVotecount, voter: Slot) -> Slot | None:
    row = posted.row_of(voter)
    return row.target if row else None


def _guess(mine: Sequence[Vote], voter: Slot, shown: Slot, day: DayRead, last: int) -> Doubt | None:
    """A question on a vote that was read for another player than the moderator shows, where its letters fit
    that one, but not surely, and no count of the moderator ever showed it so."""
    vote = mine[0] if mine and mine[0].rule not in SURE_RULES | {"moderator"} else None
    if vote is None or vote.target is None or vote.post > last:
        return None
    for posted in day.posted:
        if posted.post > vote.post and _is(_shown_for(posted, voter), vote.target):
            return None
    offered = (shown.name, vote.target.name)
    return Doubt(vote.post, voter.holder_at(vote.post), vote.text, offered, vote.url)


SHORT_OF = 2
"""Votes that a wagon lacks at most for its missing ones to be looked for."""


def _lacking(counted: Tally, voters: _Voters, html_style: HtmlStyle, asked: Set[str]) -> Iterator[Doubt]:
    """Posts that may hold the votes which the leading wagon of a day that ended lacks, the newest first; as
    many as one can look through, and none where two wagons lead."""
    leading = [wagon for wagon in counted.wagons if wagon.count == counted.wagons[0].count]
    if len(leading) != 1 or leading[0].target is None or not 0 < (leading[0].lacks or 0) <= SHORT_OF:
        return
    day, target = voters.day, leading[0].target
    on_it = {vote.voter.name for vote in leading[0].votes}
    doubts: list[Doubt] = []
    for voter in day.roster.alive_at(day.until):
        if voter.name not in on_it | asked and voter.name != target.name:
            since = max((post for post in voters.ballots[voter.name] if post >= day.day.start), default=0)
            doubt = _post_for(target, voter, voters, html_style, (since + 1, counted.at), plain=False)
            doubts += [doubt] if doubt else []
    yield from sorted(doubts, key=lambda doubt: -doubt.post)[:SHORT_OF]


def _post_for(
    target: Slot,
    voter: Slot,
    voters: _Voters,
    html_style: HtmlStyle,
    span: tuple[int, int],
    plain: bool = True,
) -> Doubt | None:
    """A question on the newest post of the voter from the first to the last of `span` that holds a vote for
    the target in a form of some board; else, if `plain`, in which a sentence speaks of one."""
    day = voters.day
    first, last = max(span[0], day.day.start), span[1]
    spoken: Doubt | None = None
    for post in reversed(voters.posts[voter.name]):
        if post.number < first:
            break
        if post.number <= last and not post.hidden and post.number not in day.moderation.fixes:
            said, formal = _line_for(target, voter, post, day, html_style)
            doubt = Doubt(post.number, post.author, said, (target.name,), post.url)
            if formal:
                return doubt
            spoken = spoken or (doubt if said and plain else None)
    return spoken


def _line_for(target: Slot, voter: Slot, post: Post, day: DayRead, html_style: HtmlStyle) -> tuple[str, bool]:
    """The last line of a post that votes for the target in a form of some board, and True; else one that
    speaks of a vote, or has just their name in bold, and False; "" where there is none."""
    names = day.names_at(post.number)

    def means(text: str) -> bool:
        meant = names.match(text, voter) if text.strip() else None
        return isinstance(meant, Matched) and meant.slot.name == target.name

    lines = lines_of(parse_html(post.body, html_style), asides=True)
    own = tuple(line for line in lines if line.region is not Region.QUOTED)
    ballots = (ballot for ballot in read_lines(own, EVERY_FORM) if ballot.action is Action.VOTE)
    formal = [ballot.line for ballot in ballots if not ballot.prose and means(ballot.text)]
    if formal:
        return formal[-1], True
    said = bare = ""
    for line in own:
        found = _VOTE.search(line.text)
        if found and means(found["name"]):
            said = line.text
        elif any(means(line.text[start:stop].rpartition(":")[2]) for start, stop in line.bold):
            bare = line.text
    return (said or bare).strip()[:200], False
