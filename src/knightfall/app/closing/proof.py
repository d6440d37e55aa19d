"""On which posts does a closed day rest, so that it can be proved later?"""

from __future__ import annotations

import json
from hashlib import sha256

from knightfall.posts import Post
from knightfall.votes.votecount import Votecount


def evidence_of(count: Votecount) -> str:
    """The digest of the posts that the count rests on, and their numbers: “sha256:9f2c… posts 1-84”.

    It is over id, author and body of each, so the same posts read at any later time give the same digest.
    """
    posts = resting_on(count)
    told = [[post.id, post.author, post.body] for post in posts]
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    span = f"{posts[0].number}-{posts[-1].number}" if posts else "none"
    return f"sha256:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()} posts {span}"


def resting_on(count: Votecount) -> tuple[Post, ...]:
    """The posts of the day in order: those in time, and where there was a hammer none behind it."""
    hammer, day = count.tally.hammer, count.day
    last = hammer.post if hammer else count.tally.at
    within = (post for number, post in sorted(count.posts.items()) if day.start <= number <= last)
    return tuple(post for post in within if count.rule.in_time(post.time, day.deadline))
