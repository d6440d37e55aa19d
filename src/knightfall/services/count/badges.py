"""The count of a thread post by post, for badges at the posts themselves: what everybody may know of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from knightfall.audience import View
from knightfall.engine.json_text import JsonAnswer
from knightfall.models import Post
from knightfall.services.count.votecount import VotecountAnswer, count_votes
from knightfall.services.requests import CountRequest
from knightfall.services.session import Session
from knightfall.votes.tally import Hammer, Move, UncountedReason
from knightfall.votes.votecount import Votecount
from knightfall.writeups.vote_words import REASONS


class BadgeKind(Enum):
    """What became of what a post says."""

    COUNTS = "counts"
    MOVED = "moved"
    UNCOUNTED = "uncounted"
    QUESTION = "question"


@dataclass(frozen=True, slots=True, repr=False)
class Badge:
    """What is said at a post; `url` is the address of the post, by which it is found on its page."""

    post: int
    url: str
    kind: BadgeKind
    text: str


@dataclass(frozen=True, slots=True, repr=False)
class Badges(JsonAnswer):
    """The badges of a thread in the order of its posts, and its wagons; as of the post `at`, of a thread
    whose last post is `last`. `complete` tells whether all of the day was read."""

    title: str
    day: int
    at: int
    last: int
    complete: bool
    hammer: str
    wagons: tuple[tuple[str, str, tuple[str, ...]], ...]
    """Each with its target, its size and its voters in order of voting."""

    not_voting: tuple[str, ...]
    badges: tuple[Badge, ...]

    def to_dict(self) -> dict[str, Any]:
        """{title, day, at, last, complete, hammer, wagons: [{target, size, voters}], not_voting, badges:
        [{post, url, kind, text}]}."""
        return {
            "title": self.title,
            "day": self.day,
            "at": self.at,
            "last": self.last,
            "complete": self.complete,
            "hammer": self.hammer,
            "wagons": [
                {"target": target, "size": size, "voters": list(voters)}
                for target, size, voters in self.wagons
            ],
            "not_voting": list(self.not_voting),
            "badges": [
                {"post": one.post, "url": one.url, "kind": one.kind.value, "text": one.text}
                for one in self.badges
            ],
        }


def badges(request: CountRequest, session: Session) -> Badges:
    """The badges of the thread that is asked for, without what is hidden from players. Raises what a count
    raises."""
    answer = count_votes(replace(request, view=View.PUBLIC), session)
    seen, thread = answer.seen, answer.counted.thread
    nobody, hammer = seen.terms.no_elimination, _seen_hammer(seen)
    return Badges(
        thread.title,
        seen.day.number,
        seen.tally.at,
        thread.posts[-1].number,
        seen.complete,
        f"{hammer.target.name if hammer.target else nobody}, #{hammer.post}" if hammer else "",
        tuple(
            (
                wagon.target.name if wagon.target else nobody,
                wagon.size,
                tuple(vote.voter.name for vote in wagon.votes),
            )
            for wagon in seen.tally.wagons
        ),
        tuple(slot.name for slot in seen.tally.not_voting),
        tuple(
            sorted(_badges(answer, {post.number: post for post in thread.posts}), key=lambda one: one.post)
        ),
    )


def _badges(answer: VotecountAnswer, posts: dict[int, Post]) -> Iterator[Badge]:
    """Every badge, in no order."""

    def badge(post: int, kind: BadgeKind, text: str) -> Badge:
        return Badge(post, (posts[post].url if post in posts else None) or "", kind, text)

    seen = answer.seen
    silent = seen.tally.hammer is not None and _seen_hammer(seen) is None
    for post, kind, text in _votes(seen):
        yield badge(post, kind, text)
    for missed in answer.uncounted:
        if silent and missed.why is UncountedReason.AFTER_HAMMER:
            continue  # which hidden weight made it late?
        yield badge(missed.post, BadgeKind.UNCOUNTED, f"does not count: {REASONS[missed.why]}")
    for doubt in answer.questions:
        yield badge(doubt.post, BadgeKind.QUESTION, f"a question: “{doubt.text}”")


def _seen_hammer(count: Votecount) -> Hammer | None:
    """The hammer, where players see that the votes suffice: hidden weights are for the moderator alone."""
    hammer = count.tally.hammer
    if hammer is None or count.rule.show_weights:
        return hammer
    wagon = next((one for one in count.tally.wagons if one.target == hammer.target), None)
    return hammer if wagon is not None and wagon.lacks == 0 else None


def _votes(count: Votecount) -> Iterator[tuple[int, BadgeKind, str]]:
    """Each vote that came to stand, and where it ceased to."""
    nobody = count.terms.no_elimination
    ended: dict[tuple[str, int, str], Move] = {}
    for move in count.tally.history:
        if not move.joined:
            ended[_key(move, nobody)] = move
    for move in count.tally.history:
        if not move.joined:
            continue
        key = _key(move, nobody)
        if (end := ended.get(key)) is None:
            yield move.post, BadgeKind.COUNTS, f"counts for {key[2]}"
        else:
            yield move.post, BadgeKind.MOVED, f"counted for {key[2]} until #{end.post}"


def _key(move: Move, nobody: str) -> tuple[str, int, str]:
    """By which the beginning and the end of a vote are known as those of one vote."""
    vote = move.vote
    return vote.voter.name, vote.post, vote.target.name if vote.target else nobody
