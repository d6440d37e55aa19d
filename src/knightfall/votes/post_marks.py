"""Decisions follow their posts: each mark of a post is looked up in the thread as it reads now.

A decision on a post (`Fix`) holds for that very post with that very text. What holds from a post on, or up
to it (a replacement, a death, a day), needs its place alone, so another text changes nothing there. Where a
thread or a mark has no ids, the number and the author are all there is to go by.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise
from typing import TypeVar

from knightfall.models import BoundPost, Post, PostMark
from knightfall.sentence import Way, sentence
from knightfall.votes.config import CountConfig, DaySetup, RosterChange, with_changes
from knightfall.votes.tally import Fix

C = TypeVar("C", bound=CountConfig)


class Became(Enum):
    """What became of a post since it was marked."""

    SAME = "same"
    EDITED = "edited"
    HIDDEN = "hidden"
    OTHER_AUTHOR = "other author"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a marked post stands now. `number` is the first post's behind it where it is `GONE`; `sure` tells
    whether that is known, or only the number of old."""

    number: int
    became: Became = Became.SAME
    post: Post | None = None
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Strayed:
    """A decision whose post is not as it was marked: what it is, and where its post stands now.

    `asks`: the moderator has to say how to go on; else it is only told. `on_votes`: it decides on the votes
    of the post, not on who plays from there on.
    """

    bound: BoundPost
    place: Place
    about: str
    asks: bool
    on_votes: bool = False

    @property
    def sentence(self) -> str:
        """What the moderator is told, and what they can do."""
        mark, entry = self.bound.mark, self.bound.entry
        post = f"#{mark.number} by {mark.author}"
        again = Way("undo", entry=entry)
        if self.on_votes and self.place.became is Became.GONE:
            return sentence(
                "The post on which you decided ({post}; entry {entry}, {about}) is gone. Take that back: "
                "{again}",
                post=post,
                entry=entry,
                about=self.about,
                again=again,
            )
        if self.on_votes:
            return f"#{self.place.number} {self.words}."
        if not self.asks:
            return (
                f"The post that entry {entry} names ({post}) is gone. {self.about} holds from its place on: "
                f"#{self.place.number} is the first post behind it."
            )
        fault = "is gone"
        if self.place.post is not None:
            fault = f"cannot be told from #{self.place.number} by {self.place.post.author}"
        return sentence(
            "The post that entry {entry} names ({post}) {fault}, so {about} may hold from a wrong post on. "
            "Take it back, then say it again: {again}",
            entry=entry,
            post=post,
            fault=fault,
            about=self.about,
            again=again,
        )

    @property
    def words(self) -> str:
        """What became of the post, after its number: “was edited after you decided on it (entry 7, an
        unvote)”."""
        entry = f"(entry {self.bound.entry}, {self.about})"
        since = f"after you decided on it {entry}"
        match self.place.became:
            case Became.HIDDEN:
                return f"was deleted or hidden {since}"
            case Became.OTHER_AUTHOR:
                return f"is not the post by {self.bound.mark.author} that you decided on {entry}"
        return f"was edited {since}"


class PostIndex:
    """The posts of a thread by id and number, to look marks up in."""

    def __init__(self, posts: tuple[Post, ...]) -> None:
        self._posts = posts
        self._by_id = {post.id: post for post in posts}
        self._by_number = {post.number: post for post in posts}
        self._has_ids = not all(_without_id(post.id, post.number) for post in posts)
        # Ids that rise with the posts tell where a post stood that is gone.
        known = [(int(post.id), post.number) for post in posts if post.id.isascii() and post.id.isdigit()]
        rising = all(a[0] < b[0] for a, b in pairwise(known))
        self._rising = known if rising and self._has_ids else []

    def at(self, number: int) -> Post | None:
        """The post that has that number now."""
        return self._by_number.get(number)

    def find(self, mark: PostMark) -> Place:
        """Where the post is, and whether it says what it said."""
        if not self._has_ids or _without_id(mark.id, mark.number):
            post = self._by_number.get(mark.number)
        else:
            post = self._by_id.get(mark.id)
        if post is None:
            return self._gap(mark)
        now = PostMark.of(post)
        became = Became.SAME
        if now.author != mark.author:
            became = Became.OTHER_AUTHOR
        elif now.sha256 != mark.sha256:
            became = Became.EDITED if now.sha256 else Became.HIDDEN
        return Place(post.number, became, post)

    def _gap(self, mark: PostMark) -> Place:
        """The place of a post that is not there."""
        if not (self._rising and mark.id.isascii() and mark.id.isdigit()):
            return Place(mark.number, Became.GONE, sure=False)
        at = bisect(self._rising, (int(mark.id), 0))
        if at < len(self._rising):
            return Place(self._rising[at][1], Became.GONE)
        return Place(self._posts[-1].number + 1, Became.GONE)

    def position(self, number: int, mark: PostMark) -> Place:
        """Where something begins that was said of post `number`, which is the marked one or stands behind it.

        Its text plays no part, nor does its author where the forum has ids of its own.
        """
        place, behind = self.find(mark), number - mark.number
        if place.became is Became.GONE and place.sure:
            return replace(place, number=place.number + max(behind - 1, 0))
        if place.became is Became.GONE:
            return replace(place, number=number)
        told_by_id = self._has_ids and not _without_id(mark.id, mark.number)
        foreign = place.became is Became.OTHER_AUTHOR and not told_by_id
        became = Became.OTHER_AUTHOR if foreign else Became.SAME
        return Place(place.number + behind, became, place.post, sure=not foreign)


def _without_id(identity: str, number: int) -> bool:
    """Whether that id only says the number: files and print pages have no ids."""
    return identity in (str(number), f"n{number}")


def present_number(number: int, mark: PostMark | None, posts: Iterable[Post]) -> int:
    """The number that a post has now, for a link; the old one where nothing better is known."""
    found = tuple(posts)
    return number if mark is None or not found else PostIndex(found).position(number, mark).number


def unmarked_numbers(config: CountConfig) -> tuple[int, ...]:
    """The post numbers of file and journal that stand for whichever post has them now."""
    numbers = [fix.post for fix in config.fixes if fix.bound is None]
    numbers += [change.post for change in config.changes if change.post is not None and not change.bound]
    for day in config.days:
        numbers += [day.start] if day.start is not None and day.start_bound is None else []
        numbers += day.resets
        numbers += [day.end] if day.end is not None and day.end_bound is None else []
    roster = config.listed or config.roster
    for slot in roster.slots if roster else ():
        numbers += [holder.from_post for holder in slot.holders]
        numbers += [left.post for left in slot.departures]
    return tuple(numbers)


def bind(config: C, posts: tuple[Post, ...]) -> tuple[C, tuple[Strayed, ...]]:
    """The config with every post number as these posts have it now, and the decisions that lost their post.

    A decision on the votes of a post that is gone is left out; one on a post that changed is still in it.
    Decisions without marks keep their numbers.
    """
    marks = [one.bound for one in config.fixes] + [one.bound for one in config.changes]
    marks += [bound for day in config.days for bound in (day.start_bound, day.end_bound)]
    if not posts or not any(marks):
        return config, ()
    index, strayed = PostIndex(posts), list[Strayed]()

    # On votes: the latest of a post counts.
    fixes: dict[int, Fix] = {}
    changed: dict[int, Strayed] = {}
    for fix in config.fixes:
        number = fix.post
        lost: Strayed | None = None
        if fix.bound is not None:
            place = index.find(fix.bound.mark)
            number = place.number
            if place.became is not Became.SAME:
                lost = Strayed(fix.bound, place, _decision(fix), asks=True, on_votes=True)
        if lost is not None and lost.place.post is None:
            strayed.append(lost)
            continue
        fixes.pop(number, None)
        changed.pop(number, None)
        fixes[number] = replace(fix, post=number)
        if lost is not None:
            changed[number] = lost
    strayed += changed.values()

    def placed(number: int, bound: BoundPost, about: str) -> int:
        place = index.position(number, bound.mark)
        if place.became is not Became.SAME:
            strayed.append(Strayed(bound, place, about, asks=not place.sure))
        return place.number

    # People: from a post on.
    changes: list[RosterChange] = []
    for change in config.changes:
        if change.bound is None or change.post is None:
            changes.append(change)
        else:
            about = f"what it says of {change.slot}"
            changes.append(replace(change, post=placed(change.post, change.bound, about)))
    roster = config.roster
    if changes != list(config.changes) and config.listed is not None:
        roster = with_changes(config.listed, changes)

    # Days: from a post on, and up to one. The last post of a day that is gone is the one before it.
    found: list[DaySetup] = []
    for day in config.days:
        start, end = day.start, day.end
        if day.start_bound is not None and start is not None:
            start = placed(start, day.start_bound, f"the beginning of day {day.number}")
        if day.end_bound is not None and end is not None:
            gone = index.position(end, day.end_bound.mark)
            end = placed(end, day.end_bound, f"the end of day {day.number}")
            if gone.became is Became.GONE and gone.sure:
                end -= 1
        found.append(replace(day, start=start, end=end))
    bound = replace(
        config, fixes=tuple(fixes.values()), changes=tuple(changes), roster=roster, days=tuple(found)
    )
    return bound, tuple(strayed)


def _decision(fix: Fix) -> str:
    """What was decided, for a sentence: “a vote for Kestrel”."""
    if fix.to is not None:
        return f"a vote for {fix.to or 'no elimination'}"
    if fix.unvote:
        return "an unvote"
    return "votes ignored" if fix.ignore else "counts as it stands"
