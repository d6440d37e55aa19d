"""The posts of a day of which no vote was counted: late ones, those of people who are on no list, the unread.

A wrong reading may hide in any of them, so each can be decided like a vote that was counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from knightfall.models import Post
from knightfall.services.count.looked import words_of
from knightfall.services.count.votecount import VotecountAnswer
from knightfall.votes.tally import LATE_REASONS, Uncounted


class Apart(StrEnum):
    """Why a post is listed."""

    LATE = "late"
    """After the deadline, the lock or the hammer."""
    STRANGER = "stranger"
    """Of an account that is on no list."""
    UNREAD = "unread"
    """No vote was found in it, or what was found was left aside."""


@dataclass(frozen=True, slots=True)
class PostApart:
    """A post of which no vote was counted, with what of it looks like a vote."""

    number: int
    author: str
    time: datetime | None
    url: str | None
    kind: Apart
    missed: tuple[Uncounted, ...]
    edited: bool
    decided: bool


def posts_apart(answer: VotecountAnswer) -> tuple[PostApart, ...]:
    """Every post of the day, up to the last that was read, of which no vote was counted and nothing is asked,
    in order; the moderator's own are left out."""
    done = answer.counted
    count, roster = done.count, done.setup.roster if done.setup else None
    moderators = {name.casefold() for name in done.setup.moderators} if done.setup else set[str]()
    counted = {move.post for move in count.tally.history}
    counted |= {move.vote.post for move in count.tally.history}
    counted |= {one.post for one in count.questions}
    missed: dict[int, list[Uncounted]] = {}
    for one in count.not_counted:
        missed.setdefault(one.post, []).append(one)
    fixed = {fix.post for fix in count.fixes}
    found = []
    for post in done.thread.posts:
        if post.number < count.day.start or post.number in counted or post.hidden:
            continue
        if post.author.casefold() in moderators:
            continue
        own = tuple(missed.get(post.number, ()))
        if roster is not None and roster.slot_of(post.author) is None:
            kind = Apart.STRANGER
        elif _is_late(post, own, answer):
            kind = Apart.LATE
        else:
            kind = Apart.UNREAD
        found.append(
            PostApart(
                post.number,
                post.author,
                post.time,
                post.url,
                kind,
                own,
                post.edited is not None,
                post.number in fixed,
            )
        )
    return tuple(found)


def _is_late(post: Post, missed: tuple[Uncounted, ...], answer: VotecountAnswer) -> bool:
    """Whether a post came after the day was over by its deadline, its lock or its hammer."""
    count = answer.counted.count
    tally, day = count.tally, count.day
    if any(one.why in LATE_REASONS for one in missed) or (day.end is not None and post.number > day.end):
        return True
    if tally.hammer is not None and post.number > tally.hammer.post:
        return True
    return not count.rule.in_time(post.time, day.deadline)


def words_of_decided(answer: VotecountAnswer) -> Mapping[int, str]:
    """What the posts say that the moderator decided on: their own words, by number."""
    done = answer.counted
    fixed = {fix.post for fix in done.count.fixes}
    return {one.number: words_of(one, done.thread) for one in done.thread.posts if one.number in fixed}
