"""The posts that game.toml names: a file has numbers alone, so what they meant when they were first counted
is kept beside it, and the moderator is told when a number means another post."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from knightfall.config.game_file import read_setup
from knightfall.config.setup import Setup
from knightfall.models import PostMark, Thread
from knightfall.services.session import Session
from knightfall.votes.post_marks import Became, PostIndex


@dataclass(frozen=True, slots=True)
class FiledPost:
    """A number of a post in game.toml, and what it says there; `on_votes`: it decides on the post's votes."""

    number: int
    what: str
    on_votes: bool = False


def filed_posts(setup: Setup) -> Iterator[FiledPost]:
    """Every post that a game file names, as the file has it."""
    for day in setup.days:
        if day.start is not None:
            yield FiledPost(day.start, f"start_post of day {day.number}")
        if day.end is not None:
            yield FiledPost(day.end, f"end_post of day {day.number}")
    for slot in setup.roster.slots if setup.roster else ():
        for holder in slot.holders[1:]:
            yield FiledPost(holder.from_post, f"from_post of {holder.name}")
        if slot.left:
            yield FiledPost(slot.left.post, f"left.post of {slot.name}")
    for fix in setup.fixes:
        meant = fix.to if fix.to is not None else "ignore" * fix.ignore + "unvote" * fix.unvote
        yield FiledPost(fix.post, f"[[fix]] {meant or 'no elimination'}", on_votes=True)


def note_filed_posts(thread: Thread, session: Session) -> None:
    """Keep which posts the numbers of the game file mean, of those that were never counted before."""
    if not _is_kept(thread, session):
        return
    posts = {post.number: post for post in thread.posts}
    marks = {
        _key(one, thread): json.dumps(asdict(PostMark.of(posts[one.number])), ensure_ascii=False)
        for one in filed_posts(read_setup(session.file))
        if one.number in posts
    }
    store = session.store(thread.url or "")
    try:
        if marks.keys() - store.kept_marks().keys():
            store.keep_marks(marks, session.clock.now())
    finally:
        store.close()


def filed_elsewhere(thread: Thread, session: Session) -> tuple[str, ...]:
    """A sentence for each number of the game file that means another post than when it was first counted."""
    if not _is_kept(thread, session):
        return ()
    store = session.store(thread.url or "")
    try:
        kept = store.kept_marks()
    finally:
        store.close()
    if not kept:
        return ()
    index = PostIndex(thread.posts)
    return tuple(
        said
        for one in filed_posts(read_setup(session.file))
        if (found := kept.get(_key(one, thread)))
        and (said := _moved(one, PostMark(**json.loads(found)), index))
    )


def _moved(filed: FiledPost, mark: PostMark, index: PostIndex) -> str:
    """What is told of a number; "" where it means what it meant."""
    place = index.find(mark)
    was = f"game.toml, {filed.what}: #{filed.number} was by {mark.author} when it was first counted"
    other = index.at(filed.number)
    now = f"is by {other.author} now" if other else "is no post now"
    if place.became is Became.GONE:
        return f"{was}. That post is gone, and #{filed.number} {now}. Correct the file."
    if place.became is Became.OTHER_AUTHOR:
        return f"{was}, and {now}. Correct the file if it means another post."
    if place.number != filed.number:
        return f"{was}. That post is #{place.number} now, and #{filed.number} {now}. Correct the file."
    if filed.on_votes and place.became is not Became.SAME:
        return f"{was}, and was edited or deleted since. Is the decision still right?"
    return ""


def _is_kept(thread: Thread, session: Session) -> bool:
    """Whether the thread lies with a game that has a file."""
    return (
        session.game is not None
        and session.ledger is not None
        and not session.past
        and thread.url is not None
        and bool(thread.posts)
        and session.file.exists()
    )


def _key(filed: FiledPost, thread: Thread) -> str:
    return f"{thread.url} {filed.number} {filed.what}"
