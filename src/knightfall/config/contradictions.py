"""Where a game file contradicts itself, or the thread that it tells of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from knightfall.config.setup import Setup
from knightfall.forums import html_style_of
from knightfall.models import Roster, Slot, Thread
from knightfall.names import squash
from knightfall.votes.ballots import Region, platform_forms
from knightfall.votes.config import DaySetup
from knightfall.votes.vote_parser import PostReader

SHOWN = 3
"""So many posts are named."""


def contradictions(setup: Setup, thread: Thread | None = None) -> Iterator[str]:
    """A sentence for each contradiction, with what it is between; `thread` is the one that is counted, as far
    as it was read (None: nothing of it is looked at)."""
    roster = setup.listed or setup.roster
    if roster is not None:
        yield from _of_names(roster, setup)
        yield from _of_lives(roster)
        yield from _of_fixes(setup.roster or roster, setup)
    yield from _of_days(setup.days)
    if thread is not None:
        yield from _of_clock(setup.days, thread)
        if roster is not None:
            yield from _of_the_dead(setup.roster or roster, setup, thread)


def _of_names(roster: Roster, setup: Setup) -> Iterator[str]:
    """Moderators that play, and aliases that mean somebody else too."""
    for name in setup.moderators:
        slot = roster.slot_of(name)
        if slot is not None:
            yield (
                f"{name} is in moderators and in the player list, so their votes never count. Take them out "
                "of one of the two."
            )
    taken: dict[str, Slot] = {}
    for slot in roster.slots:
        for alias in slot.aliases:
            other = next(
                (one for one in roster.slots if one is not slot and squash(alias) in map(squash, one.names)),
                taken.get(squash(alias)),
            )
            taken.setdefault(squash(alias), slot)
            if other is not None and other is not slot:
                what = "the name" if squash(alias) in map(squash, other.names) else "an alias"
                yield f"“{alias}” is an alias of {slot.name} and {what} of {other.name}. Keep it for one."


def _of_lives(roster: Roster) -> Iterator[str]:
    """Slots that somebody took over when they were dead, or of which two had the same turn."""
    for slot in roster.slots:
        for holder in slot.holders[1:]:
            if slot.left is not None and not slot.back and holder.from_post > slot.left.post:
                yield (
                    f"{slot.name} left at post {slot.left.post}, but {holder.name} takes over at post "
                    f"{holder.from_post}. Correct left or replaces."
                )
        for one, other in pairwise(slot.holders):
            if one.from_post == other.from_post:
                yield (
                    f"{one.name} and {other.name} both hold the slot of {slot.name} from post "
                    f"{one.from_post} on. Give each of them their own from_post."
                )


def _of_fixes(roster: Roster, setup: Setup) -> Iterator[str]:
    """Decisions for who is no player."""
    for fix in setup.fixes:
        if fix.to and roster.slot_of(fix.to) is None:
            yield f"The decision on post {fix.post} is for “{fix.to}”, who is not in the player list."


def _of_days(days: Iterable[DaySetup]) -> Iterator[str]:
    """Days that end before they begin, overlap, or are reset outside of themselves."""
    ordered = sorted(days, key=lambda day: day.number)
    for day in ordered:
        if day.start is not None and day.end is not None and day.end < day.start:
            yield f"Day {day.number} starts at post {day.start} and ends at post {day.end}, before it."
        for post in day.resets:
            early = day.start is not None and post < day.start
            if early or (day.end is not None and post > day.end):
                yield f"Day {day.number} is reset at post {post}, which is not in it."
        if day.begins is not None and day.deadline is not None and day.deadline <= day.begins:
            yield f"Day {day.number} begins after its own deadline."
    for day, after in pairwise(ordered):
        if day.start is not None and after.start is not None and after.start <= day.start:
            yield (
                f"Day {after.number} starts at post {after.start}, but day {day.number} at post {day.start}. "
                "The posts must rise with the days."
            )
        elif day.end is not None and after.start is not None and after.start <= day.end:
            yield (
                f"Day {day.number} ends at post {day.end}, but day {after.number} starts at post "
                f"{after.start}: the days overlap."
            )
        if day.deadline is not None and after.deadline is not None and after.deadline <= day.deadline:
            yield f"The deadline of day {after.number} is not after that of day {day.number}."


def _of_clock(days: Iterable[DaySetup], thread: Thread) -> Iterator[str]:
    """Deadlines from before the first post of their day."""
    times = {post.number: post.time for post in thread.posts}
    for day in days:
        begun = times.get(day.start) if day.start is not None else None
        if begun is not None and day.deadline is not None and day.deadline <= begun:
            yield (
                f"The deadline of day {day.number} is before its first post (#{day.start}), so no vote of "
                "that day can count. Correct ends or start_post."
            )


def _of_the_dead(roster: Roster, setup: Setup, thread: Thread) -> Iterator[str]:
    """Who goes on voting when the file has them dead: in another day, or more than once."""
    left = {slot.name: gone for slot in roster.slots if (gone := slot.left) is not None and not slot.back}
    if not left:
        return
    first = min(gone.post for gone in left.values())
    moderators = frozenset(name.casefold() for name in setup.moderators)
    forms = setup.rule.forms if setup.forms_given else platform_forms(thread.platform)
    posts = (post for post in thread.posts if post.number > first)
    voted: dict[str, list[int]] = {}
    reader = PostReader(html_style_of(thread.platform), forms, moderators)
    for post in reader.ballots_by_post(posts):
        slot = roster.slot_of(post.author)
        gone = left.get(slot.name) if slot else None
        live = any(ballot.region is Region.LIVE for ballot in post.ballots)
        if slot is not None and gone is not None and live and post.number > gone.post:
            voted.setdefault(slot.name, []).append(post.number)
    starts = [day.start for day in setup.days if day.start is not None]
    for name, numbers in voted.items():
        last = left[name].post
        later = any(last < start <= numbers[-1] for start in starts)
        if later or len(numbers) > 1:
            more = f" and {len(numbers) - SHOWN} more" if len(numbers) > SHOWN else ""
            shown = ", ".join(f"#{number}" for number in numbers[:SHOWN])
            yield f"{name} left at post {last}, but votes in {shown}{more}. Is left right?"
