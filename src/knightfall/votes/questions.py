"""Questions that help: whom an unclear vote may mean, by all that is known, and which one answer settles.

Candidates come first from the moderator's own votecounts, then from answers in earlier games on the site,
then from how the thread uses the name, and last from its spelling; where none of them tells, nobody is
offered. `informed` adds them to the doubts of a count, and the posts in which a vote must stand that the
moderator counted and nobody read; `grouped` puts together the doubts that one answer settles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

import regex

from knightfall.markup.html import parse_html
from knightfall.markup.html_style import HtmlStyle
from knightfall.markup.nodes import Nodes, Quote
from knightfall.models import Post, Slot
from knightfall.names import Matched, squash, words
from knightfall.votes.ballots import Action, Region
from knightfall.votes.nickname_book import Teaching, known_players
from knightfall.votes.nicknames import ClaimBasis, DayRead, ballot_claims, nickname, teachable
from knightfall.votes.posted_votecounts import SURE_RULES, PostedVotecount
from knightfall.votes.rule import Rule
from knightfall.votes.tally import Doubt, Tally, Vote
from knightfall.votes.vote_parser import EVERY_FORM, lines_of, read_lines

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
    if rule.capacity(anew.vote.voter) != 1:
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
    day = days[-1]
    called = _called_so(counted.questions, days)
    doubts = [
        _with_candidates(replace(doubt, earlier=_earlier(doubt, day, book)), day, called, posts, html_style)
        for doubt in counted.questions
    ]
    doubts += _overlooked(counted, day, posts, html_style)
    return tuple(sorted(doubts, key=lambda doubt: doubt.post))


def _called_so(doubts: Iterable[Doubt], days: Sequence[DayRead]) -> dict[str, Counter[str]]:
    """Of each name in the doubts, squashed: whom the other uses of it meant, and how often."""
    wanted = {squash(doubt.name) for doubt in doubts if doubt.name}
    called: dict[str, Counter[str]] = {key: Counter() for key in wanted}
    for day in days if wanted else ():
        for claim in ballot_claims(day):
            if claim.slot is not None and claim.because is not ClaimBasis.OPEN:
                key = squash(claim.text)
                if key in called:
                    called[key][claim.slot.name] += 1
    return called


def _earlier(doubt: Doubt, day: DayRead, book: Sequence[Teaching]) -> tuple[tuple[str, Teaching], ...]:
    """Whom the book knows by the name of the doubt, but for its voter."""
    voter = day.roster.slot_of(doubt.voter)
    if not doubt.name or voter is None:
        return ()
    known = known_players(doubt.name, book, day.roster, doubt.post)
    return tuple((name, taught) for name, taught in known if name != voter.name)


def _with_candidates(
    doubt: Doubt,
    day: DayRead,
    called: dict[str, Counter[str]],
    posts: Sequence[Post],
    html_style: HtmlStyle,
) -> Doubt:
    """The doubt on a name with its candidates, the best evidence first; another one as it is."""
    voter = day.roster.slot_of(doubt.voter)
    if not doubt.name or voter is None:
        return doubt

    # Where the moderator's own count has the vote.
    shown = _shown(doubt, voter, day)
    by_count = [shown[0].name] if shown else []

    # Whom others called so, in votes and, where no vote tells, in what they answered.
    uses = called.get(squash(doubt.name), Counter[str]())
    by_use = [name for name, _ in uses.most_common()]
    if not by_count and not by_use:
        by_use = list(_answered(doubt, day, posts, html_style))

    living = {slot.name for slot in day.roster.alive_at(doubt.post)}
    by_book = (name for name, _ in doubt.earlier)
    found = dict.fromkeys((*by_count, *by_book, *by_use, *doubt.candidates))
    others = living - {voter.name}
    offered = [name for name in found if name in others or name in doubt.candidates]
    return replace(doubt, candidates=tuple(offered[:MOST]), count=shown[1] if shown else None)


def _shown(doubt: Doubt, voter: Slot, day: DayRead) -> tuple[Slot, int] | None:
    """Whom the moderator's last count before the voter's next ballot lists the vote under, and the number of
    that count; None where it is nobody, or a vote that they had before."""
    after = _ballots_of(voter, day, doubt.post + 1)
    until = min(after, default=day.until + 1)
    counts = [posted for posted in day.posted if doubt.post < posted.post < until and _lists(posted, voter)]
    row = counts[-1].row_of(voter) if counts else None
    if row is None or row.target is None or not row.target.alive_at(doubt.post):
        return None
    before = _standing(day, doubt.post - 1).get(voter.name, ())
    had = any(vote.target is not None and vote.target.name == row.target.name for vote in before)
    return None if had else (row.target, counts[-1].post)


def _lists(posted: PostedVotecount, voter: Slot) -> bool:
    return any(one.name == voter.name for row in posted.rows for one in row.voters)


def _ballots_of(voter: Slot, day: DayRead, first: int) -> list[int]:
    """The posts of the day from `first` on in which the voter has a live ballot."""
    return [
        post.number
        for post in day.ballots
        if first <= post.number <= day.until
        and any(ballot.region is Region.LIVE for ballot in post.ballots)
        and _is(day.roster.slot_of(post.author), voter)
    ]


def _is(slot: Slot | None, other: Slot) -> bool:
    return slot is not None and slot.name == other.name


ANSWERS = 2
"""Posts that must answer somebody by a name before they are offered."""


def _answered(doubt: Doubt, day: DayRead, posts: Sequence[Post], html_style: HtmlStyle) -> Iterator[str]:
    """Who is called so in posts that quote just one player: in two of them at least, and in most."""
    key = squash(doubt.name)
    if len(key) < 3 or nickname(doubt.name) is None:
        return
    written = f" {' '.join(words(doubt.name))} "
    quoted: Counter[str] = Counter()
    for post in posts:
        body = post.body.lower()
        if "quote" not in body or key[:3] not in body:
            continue
        nodes = parse_html(post.body, html_style)
        if not any(written in f" {' '.join(words(line.text))} " for line in lines_of(nodes)):
            continue
        author = day.roster.slot_of(post.author)
        found = {slot.name for name in _quoted(nodes) if (slot := day.roster.slot_of(name)) is not None}
        found -= {author.name} if author else set()
        if len(found) == 1:
            quoted[found.pop()] += 1
    for name, times in quoted.most_common(1):
        if times >= ANSWERS and times * 2 > quoted.total():
            yield name


def _quoted(nodes: Nodes) -> Iterator[str]:
    """Who is quoted in a post itself, not within another quote."""
    for node in nodes:
        if isinstance(node, Quote):
            if node.author:
                yield node.author
        else:
            yield from _quoted(getattr(node, "children", ()))


# ---- Votes that only the moderator counted

# A verb anywhere in a line, and what stands behind it.
_VOTE = regex.compile(
    r"(?<![\w'’])(?:v|vot\w{0,3}|hammer)\b[^\w@]*(?:for\s+)?(?P<name>\S.*)$", regex.IGNORECASE
)


def _overlooked(
    counted: Tally, day: DayRead, posts: Sequence[Post], html_style: HtmlStyle
) -> Iterator[Doubt]:
    """Posts with a vote that the moderator's last count of the voter has, and this one has not: one that was
    not read, or one whose name was guessed for another player. Of a day that ended one or two votes short of
    a hammer, posts that may hold these, too."""
    last = counted.at if counted.hammer is None else counted.hammer.post
    moments: dict[int, dict[str, tuple[Vote, ...]]] = {}
    found: dict[str, Doubt] = {}
    for voter in day.roster.alive_at(day.until):
        posted = next((one for one in reversed(day.posted) if _lists(one, voter)), None)
        row = posted.row_of(voter) if posted else None
        if posted is None or row is None or row.target is None:
            continue

        # Whom they vote for by our count as of that one, where they have not moved since.
        if posted.post not in moments:
            moments[posted.post] = _standing(day, posted.post - 1)
        mine = moments[posted.post].get(voter.name, ())
        agrees = any(vote.target is not None and vote.target.name == row.target.name for vote in mine)
        if agrees or len(mine) > 1 or _ballots_of(voter, day, posted.post):
            continue

        # Where a question on a vote of theirs is open, that is it.
        since = max((n for n in _ballots_of(voter, day, day.day.start) if n < posted.post), default=0)
        asked = (doubt.post for doubt in counted.questions if _is(day.roster.slot_of(doubt.voter), voter))
        if any(since <= post < posted.post for post in asked):
            continue

        # A line for just that player, in a post since their last ballot and before the first count of it.
        since_then = (one for one in day.posted if one.post > since)
        first = next(one.post for one in since_then if _is(_shown_for(one, voter), row.target))
        doubt = _post_for(row.target, voter, day, posts, html_style, (since + 1, min(first - 1, last)))
        if doubt is None:
            doubt = _guess(mine, voter, row.target, day, last)
        if doubt is not None:
            found[voter.name] = replace(doubt, count=posted.post)
    yield from found.values()
    if counted.hammer is None and day.day.end is not None:
        yield from _lacking(counted, day, posts, html_style, found.keys())


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


def _lacking(
    counted: Tally, day: DayRead, posts: Sequence[Post], html_style: HtmlStyle, asked: Set[str]
) -> Iterator[Doubt]:
    """Posts that may hold the votes which the leading wagon of a day that ended lacks, the newest first; as
    many as one can look through, and none where two wagons lead."""
    leading = [wagon for wagon in counted.wagons if wagon.count == counted.wagons[0].count]
    if len(leading) != 1 or leading[0].target is None or not 0 < (leading[0].lacks or 0) <= SHORT_OF:
        return
    target = leading[0].target
    on_it = {vote.voter.name for vote in leading[0].votes}
    open_ = {slot.name for d in counted.questions if (slot := day.roster.slot_of(d.voter)) is not None}
    doubts: list[Doubt] = []
    for voter in day.roster.alive_at(day.until):
        if voter.name not in on_it | open_ | asked and voter.name != target.name:
            since = max(_ballots_of(voter, day, day.day.start), default=0)
            doubt = _post_for(target, voter, day, posts, html_style, (since + 1, counted.at), plain=False)
            doubts += [doubt] if doubt else []
    yield from sorted(doubts, key=lambda doubt: -doubt.post)[:SHORT_OF]


def _post_for(
    target: Slot,
    voter: Slot,
    day: DayRead,
    posts: Sequence[Post],
    html_style: HtmlStyle,
    span: tuple[int, int],
    plain: bool = True,
) -> Doubt | None:
    """A question on the newest post of the voter from the first to the last of `span` that holds a vote for
    the target in a form of some board; else, if `plain`, in which a sentence speaks of one."""
    first, last = max(span[0], day.day.start), span[1]
    spoken: Doubt | None = None
    for post in reversed(posts):
        if post.number < first:
            break
        own = post.number <= last and not post.hidden and _is(day.roster.slot_of(post.author), voter)
        if own and post.number not in day.moderation.fixes:
            said, formal = _line_for(target, voter, post, day, html_style)
            doubt = Doubt(post.number, post.author, said, (target.name,), post.url)
            if formal:
                return doubt
            spoken = spoken or (doubt if said and plain else None)
    return spoken


def _standing(day: DayRead, post: int) -> dict[str, tuple[Vote, ...]]:
    """The votes that stand as of a post, by the voter's name."""
    votes: dict[str, tuple[Vote, ...]] = {}
    for wagon in day.tally_at(post).wagons:
        for vote in wagon.votes:
            votes[vote.voter.name] = (*votes.get(vote.voter.name, ()), vote)
    return votes


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
