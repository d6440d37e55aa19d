"""Could a vote that nobody has decided on change how the day ends?

The extremes are tried: all such votes on one target, for each target, and all of them taken back or ignored.
No other reading gives a target more votes, or the leader fewer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from knightfall.votes.outcome import UNDECIDED, Outcome, day_outcome
from knightfall.votes.tally import Doubt, Fix
from knightfall.votes.votecount import Votecount

Recount = Callable[[tuple[Fix, ...]], Votecount]
"""The same count with these decisions beside those that were made."""


def deciding(count: Votecount, recount: Recount) -> tuple[Doubt, ...]:
    """The open questions where their answers can change who is eliminated; none where they cannot."""
    doubts = count.tally.questions
    if not doubts or all(_falls(recount(fixes)) == _falls(count) for fixes in _extremes(count)):
        return ()
    return doubts


def ending(count: Votecount) -> Outcome:
    """How the day ends if it ends now."""
    return day_outcome(count.tally, count.rule, count.day.number, over=True) or UNDECIDED


def _falls(count: Votecount) -> tuple[frozenset[str], bool]:
    """Who is eliminated, and whether that is open."""
    outcome = ending(count)
    return frozenset(slot.name for slot in outcome.eliminated), outcome == UNDECIDED


def _extremes(count: Votecount) -> Iterator[tuple[Fix, ...]]:
    posts = tuple(dict.fromkeys(doubt.post for doubt in count.tally.questions))
    yield tuple(Fix(post, ignore=True) for post in posts)
    yield tuple(Fix(post, unvote=True) for post in posts)
    for target in ("", *_living(count)):
        yield tuple(Fix(post, to=target) for post in posts)


def _living(count: Votecount) -> tuple[str, ...]:
    voting = {vote.voter.name for wagon in count.tally.wagons for vote in wagon.votes}
    targets = {wagon.target.name for wagon in count.tally.wagons if wagon.target}
    return tuple(sorted(voting | targets | {slot.name for slot in count.tally.not_voting}))
