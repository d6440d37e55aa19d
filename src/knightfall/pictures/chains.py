"""Who voted for whom when, over a whole day: each voter's votes as a chain of links?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from knightfall.core.roster import Slot
from knightfall.votes.standing import Move, Vote
from knightfall.votes.tally import Day, Tally


class Kind(Enum):
    """What a link tells: a vote, one beside another that stands, one taken back, one that a death ended."""

    VOTE = ""
    BESIDE = "+ "
    BACK = "–"
    FELL = "†"


@dataclass(frozen=True, slots=True)
class Link:
    """One thing that a voter did. `target` is None where all his votes went; `hammer` marks the last vote."""

    kind: Kind
    target: str | None
    post: int
    hammer: bool = False


@dataclass(frozen=True, slots=True)
class Chain:
    """What one voter did, oldest first; nothing where he never voted."""

    voter: str
    alive: bool
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Chains:
    """Everybody's votes of a day from post `start` to post `end`, in the order of the roster."""

    day: int
    start: int
    end: int
    chains: tuple[Chain, ...]


def chains_of(tally: Tally, day: Day, slots: Iterable[Slot], nobody: str) -> Chains:
    """The chains of a count: of all who lived when the day began. `nobody` names no elimination."""
    living = (slot for slot in slots if slot.alive_at(day.start))
    chains = tuple(
        Chain(slot.name, slot.alive_at(tally.at), _links(slot.name, tally, nobody)) for slot in living
    )
    return Chains(day.number, day.start, tally.at, chains)


def _links(voter: str, tally: Tally, nobody: str) -> tuple[Link, ...]:
    moves = [move for move in tally.history if move.vote.voter.name == voter]
    standing: list[Vote] = []
    links = []
    for index, move in enumerate(moves):
        if move.joined:
            vote, hammer = move.vote, tally.hammer
            last = hammer and (hammer.voter, hammer.target, hammer.post) == (
                vote.voter,
                vote.target,
                vote.post,
            )
            kind = Kind.BESIDE if standing else Kind.VOTE
            links.append(Link(kind, _name(move, nobody), move.post, bool(last)))
            standing.append(move.vote)
            continue
        standing.remove(move.vote)
        # A vote that is moved leaves one wagon and joins another in one post: that is one link.
        later = moves[index + 1 :]
        makes_room = any(other.joined and other.post == move.post for other in later)
        if not makes_room:
            fell = any(slot and not slot.alive_at(move.post) for slot in (move.vote.voter, move.vote.target))
            kind = Kind.FELL if fell else Kind.BACK
            links.append(Link(kind, _name(move, nobody) if standing else None, move.post))
    return tuple(links)


def _name(move: Move, nobody: str) -> str:
    return move.vote.target.name if move.vote.target else nobody
