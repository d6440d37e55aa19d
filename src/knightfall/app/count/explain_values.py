"""Why does a count stand as it does, for programs: the votes of a wagon, or all that was read in one post?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from knightfall.posts import Post, PostVersion
from knightfall.votes.standing import Vote, Wagon
from knightfall.votes.votecount import Votecount
from knightfall.writeups.facts import doubt_json, uncounted_json, vote_json, wagon_json

Kept: TypeAlias = Callable[[int], tuple[PostVersion, ...]]
"""The versions of a post that were seen, oldest first."""


def wagon_values(count: Votecount, wagon: Wagon, kept: Kept) -> dict[str, Any]:
    """{at, wagon: as `vc --json` has it, each vote with weight and score, versions: [{post, seen, read}]}."""
    voters = [_vote_values(vote) for vote in wagon.votes]
    versions = _versions((vote.post for vote in wagon.votes), kept)
    return {"at": count.tally.at, "wagon": wagon_json(wagon) | {"voters": voters}, "versions": versions}


def post_values(count: Votecount, number: int, kept: Kept) -> dict[str, Any]:
    """{at, post, counts: [votes with their target, None for no elimination], not_counted, questions,
    versions}; the last three as `vc --json` and `wagon_values` have them."""
    tally = count.tally
    votes = [vote for wagon in tally.wagons for vote in wagon.votes if vote.post == number]
    return {
        "at": tally.at,
        "post": _post_values(count.posts[number]),
        "counts": [
            {"target": vote.target.name if vote.target else None} | _vote_values(vote) for vote in votes
        ],
        "not_counted": [uncounted_json(missed) for missed in tally.not_counted if missed.post == number],
        "questions": [doubt_json(doubt) for doubt in tally.questions if doubt.post == number],
        "versions": _versions([number], kept),
    }


def _vote_values(vote: Vote) -> dict[str, Any]:
    return {**vote_json(vote), "weight": vote.weight, "score": vote.score}


def _versions(posts: Iterable[int], kept: Kept) -> list[dict[str, int]]:
    """Only of posts that were seen in more than one: how many, and which of them is read here."""
    seen = ((post, kept(post)) for post in posts)
    return [
        {"post": post, "seen": len(all_), "read": all_[-1].number} for post, all_ in seen if len(all_) > 1
    ]


def _post_values(post: Post) -> dict[str, Any]:
    return {
        "number": post.number,
        "author": post.author,
        "time": post.time,
        "approximate": post.approximate,
        "edit_note": post.edit_note,
        "url": post.url,
    }
