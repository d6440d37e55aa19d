"""What does a votecount post say of each wagon: the votes on it, and those that left it?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from knightfall.core.roster import Slot
from knightfall.posts import Post
from knightfall.votes.standing import Vote, Wagon
from knightfall.votes.tally import Tally

if TYPE_CHECKING:
    from knightfall.votes.votecount import Terms

Posts = Mapping[int, Post]
"""The posts of the thread by number: their ids and addresses make the links."""


def wagons_facts(tally: Tally, posts: Posts, terms: Terms, history: bool = True) -> list[dict[str, Any]]:
    """Each wagon, biggest first: {name, count, needed, bonus, closeness, hammered, voters, left}.

    `left` are the votes that are gone, nothing without `history`: a long day has thousands.
    """
    wagons = (_wagon(tally, wagon, posts, terms) for wagon in tally.wagons)
    gone = (_left(tally, wagon.target, posts) if history else [] for wagon in tally.wagons)
    return [{**wagon, "left": left} for wagon, left in zip(wagons, gone, strict=True)]


def emptied_facts(tally: Tally, posts: Posts, terms: Terms) -> list[dict[str, Any]]:
    """Who had votes and has none now, in the order of the first ones: {name, left}."""
    standing = {_name(wagon.target, terms) for wagon in tally.wagons}
    had = {_name(move.vote.target, terms): move.vote.target for move in tally.history}
    left = {name: _left(tally, target, posts) for name, target in had.items() if name not in standing}
    return [{"name": name, "left": votes} for name, votes in left.items() if votes]


def _wagon(tally: Tally, wagon: Wagon, posts: Posts, terms: Terms) -> dict[str, Any]:
    return {
        "name": _name(wagon.target, terms),
        "count": wagon.count,
        "needed": wagon.needed,
        "bonus": wagon.count - sum(vote.weight for vote in wagon.votes),
        "closeness": terms.closeness_mark(wagon.needed - wagon.count),
        "hammered": tally.hammer is not None and tally.hammer.target == wagon.target,
        "voters": [_voter(vote, posts) for vote in wagon.votes],
    }


def _left(tally: Tally, target: Slot | None, posts: Posts) -> list[dict[str, Any]]:
    """The votes that came and went again, in the order of voting; `until` is the post where each ended."""
    # Whether it is the end of a vote that stood for longer than a post.
    gone = [
        move
        for move in tally.history
        if (not move.joined and move.post != move.vote.post) and move.vote.target == target
    ]
    gone.sort(key=lambda move: move.vote.post)
    return [{**_voter(move.vote, posts), "until": post_facts(move.post, posts)} for move in gone]


def _voter(vote: Vote, posts: Posts) -> dict[str, Any]:
    return {
        "name": vote.voter.name,
        "weight": vote.weight,
        "until": None,
        **post_facts(vote.post, posts),
        **({} if vote.post in posts else {"url": vote.url}),
    }


def post_facts(number: int, posts: Posts) -> dict[str, Any]:
    """What a link to a post needs: number, post_id, url."""
    post = posts.get(number)
    return {"number": number, "post_id": post.id if post else None, "url": post.url if post else None}


def _name(target: Slot | None, terms: Terms) -> str:
    return target.name if target else terms.no_elimination
