"""What stands beside a tally: questions, what looks like a vote and does not count, and sentences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from knightfall.names import NO_ELIMINATION_WORDS, squash
from knightfall.votes.tally import Doubt, Tally, Uncounted, UncountedReason

_NOBODY = frozenset(word for word in NO_ELIMINATION_WORDS if len(word) > 5)
"""Words for no elimination that stand in no other words."""


@dataclass(frozen=True, slots=True)
class Remarks:
    """What a moderator should know beside the tally of a day.

    `questions` are the votes that only they can read, with whom these may mean; `not_counted` is all that
    looks like a vote and does not count, in the order of the posts; `assumed` tells what neither the game
    file nor a post says, `notes` what everybody may know of the day, `lost` which decisions have lost their
    posts, a sentence each.
    """

    questions: tuple[Doubt, ...] = ()
    not_counted: tuple[Uncounted, ...] = ()
    assumed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


def uncounted_and_missed(tally: Tally, misses: Iterable[Uncounted]) -> tuple[Uncounted, ...]:
    """What a tally did not count and the near misses, each once and all in the order of their posts."""
    # A text that the tally has already is not listed again for its form.
    told = {(one.post, squash(one.text)) for one in tally.not_counted}
    told |= {(one.post, squash(one.text)) for one in tally.questions}
    fresh = (missed for missed in misses if (missed.post, squash(missed.text)) not in told)

    # Post → the names of those for whom a vote in it counted.
    voted: dict[int, list[str]] = {}
    moved = {move.post for move in tally.history}
    for move in tally.history:
        if move.joined:
            names = map(squash, move.vote.target.names) if move.vote.target else _NOBODY
            voted.setdefault(move.post, []).extend(names)

    # Words that were not bold, in a post whose vote for the very same player counts, are no news to anybody;
    # nor is a plain “unvote” in a post that moves or takes back its writer's vote.
    news = [
        missed
        for missed in dict.fromkeys((*tally.not_counted, *fresh))
        if missed.why is not UncountedReason.NOT_BOLD
        or not (
            any(name in squash(missed.text) for name in voted.get(missed.post, ()))
            or (missed.post in moved and squash(missed.text) == "unvote")
        )
    ]
    return tuple(sorted(news, key=lambda missed: missed.post))
