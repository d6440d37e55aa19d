"""What has changed since an earlier count of the same day?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from knightfall.core.roster import Slot
from knightfall.votes.standing import Move, Vote


@dataclass(frozen=True, slots=True)
class Change:
    """A voter's votes then and now; `post` is where the last of it happened. Empty: he did not vote."""

    voter: Slot
    before: tuple[Slot | None, ...]
    now: tuple[Slot | None, ...]
    post: int


def changes_since(history: Iterable[Move], post: int) -> tuple[Change, ...]:
    """Whose votes stand otherwise than at `post`, in the order of their last moves.

    Who went to and fro and votes as before has not changed.
    """
    then, now, last = _empty(), _empty(), dict[str, int]()
    for move in history:
        _apply(now, move)
        if move.post <= post:
            _apply(then, move)
        else:
            last.pop(move.vote.voter.name, None)
            last[move.vote.voter.name] = move.post
    voters = {vote.voter.name: vote.voter for votes in (then, now) for vote in votes.values()}
    pairs = ((voters.get(name), _targets(then, name), _targets(now, name), at) for name, at in last.items())
    return tuple(
        Change(voter, before, after, at)
        for voter, before, after, at in pairs
        if voter is not None and before != after
    )


def _empty() -> dict[tuple[str, str | None], Vote]:
    return {}


def _apply(votes: dict[tuple[str, str | None], Vote], move: Move) -> None:
    key = (move.vote.voter.name, move.vote.target.name if move.vote.target else None)
    if move.joined:
        votes[key] = move.vote
    else:
        votes.pop(key, None)


def _targets(votes: dict[tuple[str, str | None], Vote], voter: str) -> tuple[Slot | None, ...]:
    return tuple(vote.target for (name, _), vote in votes.items() if name == voter)
