"""The moderator's own votecounts of the day beside ours: as a second count, and for the votes in doubt.

`second_count` goes another way: the moderator's last votecount in the thread, and what moved since. Where
both ways end with the same leaders and the same full wagon, each bears the other; where they differ, one of
them has misread a vote, and a day should not be closed on either. `shown_votes` are those of our doubtful
votes that such a count has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from knightfall.votes.nicknames import DayRead
from knightfall.votes.posted_votecounts import PostedVotecount
from knightfall.votes.tally import Doubt, Fix, Tally


@dataclass(frozen=True, slots=True)
class Difference:
    """A voter whose vote the two counts see elsewhere; "" is no elimination, None no vote. `post` is the vote
    that was counted here."""

    voter: str
    here: str | None
    posted: str | None
    post: int | None = None


@dataclass(frozen=True, slots=True)
class SecondCount:
    """The votecount in post `post` held against the count as of that post, and who leads by each way in the
    end."""

    post: int
    differences: tuple[Difference, ...]
    leading: tuple[str, ...]
    leading_here: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether the same players lead on both ways."""
        return self.leading == self.leading_here


def second_count(posted: PostedVotecount, then: Tally, now: Tally) -> SecondCount | None:
    """The second count of a day: `then` is our count up to the votecount `posted`, `now` the whole one. None
    where they cannot be compared: a row of the votecount names nobody we know, or votes have weights."""
    votes = [vote for wagon in (*then.wagons, *now.wagons) for vote in wagon.votes]
    if any(vote.weight != 1 for vote in votes) or _twice(then) or _twice(now):
        return None
    theirs: dict[str, str] = {}
    for row in posted.rows:
        if row.idle or not (row.voters or row.strangers):
            continue
        if row.target is None and not row.nobody:
            return None
        theirs.update({voter.name: row.target.name if row.target else "" for voter in row.voters})

    # What differs at the votecount, among those who can vote there by both.
    ours = _votes(then)
    listed = {voter.name for row in posted.rows for voter in row.voters}
    voters = [name for name in (*ours, *(slot.name for slot in then.not_voting)) if name in listed]
    posts = {vote.voter.name: vote.post for wagon in then.wagons for vote in wagon.votes}
    differences = tuple(
        Difference(name, ours.get(name), theirs.get(name), posts.get(name))
        for name in sorted(voters)
        if ours.get(name) != theirs.get(name)
    )

    # From there on both go with the votes that came and went since.
    moved = {move.vote.voter.name for move in now.history if move.post > posted.post}
    last = _votes(now)
    alive = {slot.name for slot in now.not_voting} | last.keys()
    stayed = {name: to for name, to in theirs.items() if name in alive and name not in moved}
    second = stayed | {name: to for name, to in last.items() if name in moved or name not in listed}
    return SecondCount(posted.post, differences, _leading(second), _leading(last))


def _votes(tally: Tally) -> dict[str, str]:
    """Voter → target, "" for no elimination."""
    return {
        vote.voter.name: wagon.target.name if wagon.target else ""
        for wagon in tally.wagons
        for vote in wagon.votes
    }


def _twice(tally: Tally) -> bool:
    """Whether somebody has two votes, or votes stand against somebody that nobody gave."""
    voters = [vote.voter.name for wagon in tally.wagons for vote in wagon.votes]
    return len(set(voters)) < len(voters) or any(wagon.count != len(wagon.votes) for wagon in tally.wagons)


def _leading(votes: Mapping[str, str]) -> tuple[str, ...]:
    """Who has the most votes, by name."""
    sizes = Counter(votes.values())
    most = max(sizes.values(), default=0)
    return tuple(sorted(name for name, size in sizes.items() if size == most))


def shown_votes(doubts: Iterable[Doubt], day: DayRead, counted: Tally) -> Iterator[Fix]:
    """What the moderator's whole counts of the day show of votes that are in doubt or were not read, each in
    the place of a decision on its post. Nothing where that count has a full wagon or stands behind our
    hammer: it may have been made when the day was over; nor of a post in which another vote counts."""
    hammer = counted.hammer.post if counted.hammer else day.until
    needed = day.rule.majority(counted.alive)
    usable = [one for one in day.posted if one.whole and one.post <= hammer and one.largest < needed]
    counting = {move.post for move in counted.history if move.joined}
    doubts = tuple(doubts)
    by_post = Counter(doubt.post for doubt in doubts)
    for doubt in doubts:
        voter = day.roster.slot_of(doubt.voter)
        clear = by_post[doubt.post] == 1 and not doubt.why and doubt.post not in counting
        if doubt.count is None or voter is None or not clear:
            continue
        # The last of them that lists the voter, and not behind the one that the question tells of.
        shown = (one for one in reversed(usable) if doubt.post < one.post <= doubt.count)
        posted, row = next(((one, row) for one in shown if (row := one.row_of(voter))), (None, None))
        if posted is not None and row is not None and row.target and row.target.name in doubt.candidates:
            yield Fix(doubt.post, to=row.target.name, why=doubt.text, shown=posted.post)
