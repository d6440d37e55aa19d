"""What the verbs of phases and of the end of a day print."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from knightfall.cli.ways import in_commands
from knightfall.engine.entries import Extended, Opened
from knightfall.engine.spans import format_span
from knightfall.markup.dialects.moments import offset_name, zone_name
from knightfall.services.day.close import EXCERPT, question_lines
from knightfall.services.day.end import margin
from knightfall.services.day.phases import counts_posts, last_counted, shown
from knightfall.votes.tally import Uncounted, UncountedReason
from knightfall.writeups.facts import from_now, full_time, utc_time
from knightfall.writeups.vote_words import REASONS, RULES, hammer_condition, vote_excerpt

if TYPE_CHECKING:
    from knightfall.config.setup import Setup
    from knightfall.models import Slot
    from knightfall.services.day.close import AwaitedDay, ClosedDay, DayClosing, Flip
    from knightfall.services.day.phases import ClockChange, PhaseChange, PhaseLock
    from knightfall.services.watch.events import WatchEvent
    from knightfall.services.watch.follow import WatchRequest
    from knightfall.votes.votecount import Votecount


def closing_lines(found: DayClosing) -> Iterator[str]:
    """All that the moderator looks at beside the final count before they confirm who is eliminated."""
    count = found.count
    yield from count.assumed

    # How the day ends, the margin, and the votes that came too late.
    if hammer := count.tally.hammer:
        by = f" by {hammer.voter.name}" if hammer.voter else ", when a death lowered the votes needed"
        post = count.posts.get(hammer.post)
        when = f" at {post.time:%Y-%m-%d %H:%M:%S} UTC" if post and post.time else ""
        yield f"Hammer: #{hammer.post}{by} on {_name(hammer.target, count)}{when}.{_link(hammer.url)}"
        if condition := hammer_condition(hammer):
            yield condition
    elif count.least is not None:
        yield f"The most votes at the deadline decide{_least(count.least)}."
        if count.agreed:
            yield f"Everyone alive is voting for {_name(count.agreed.target, count)}, so the day may end now."
    else:
        yield "No hammer."
    wagons = count.tally.wagons
    top = ", ".join(f"{_name(wagon.target, count)} {wagon.size}" for wagon in wagons[:2])
    yield f"Top: {top}; margin {_votes(margin(wagons))}." if wagons else "Nobody has any votes."
    if found.end.tied:
        tied = ", ".join(name or count.terms.no_elimination for name in found.end.tied)
        yield f"Tied: {tied}. The game's rule and seed decide: {next(iter(found.choices))}."
    yield from _missed_lines("After the hammer, not counted", count, UncountedReason.AFTER_HAMMER)
    yield from _missed_lines("After the day was over, not counted", count, UncountedReason.DAY_OVER)
    yield from _missed_lines("After the deadline, not counted", count, UncountedReason.LATE)
    yield from _near_lines(count)

    yield from _eye_check(found)
    if found.questions and not found.deciding:
        yield "Open questions that can't change the result:"
        yield from question_lines(found.questions)


_FORM = (UncountedReason.NOT_BOLD, UncountedReason.NO_FORM, UncountedReason.UNKNOWN_NAME)


def _near_lines(count: Votecount) -> Iterator[str]:
    """What living players wrote that may have been meant as a vote; after a hammer it changes nothing."""
    hammer = count.tally.hammer
    near = [
        one for one in count.not_counted if one.why in _FORM and (hammer is None or one.post < hammer.post)
    ]
    if near:
        yield f"Look like votes, but were not counted ({len(near)}):"
        for one in near:
            said = f"“{vote_excerpt(one.text, EXCERPT)}”: {REASONS[one.why]}."
            yield f"  #{one.post} {one.voter} {said}{_link(one.url)}"
        yield f'  To count one: knightfall fix {near[0].post} --to NAME --why "…"'


def _missed_lines(what: str, count: Votecount, why: UncountedReason) -> Iterator[str]:
    missed: list[Uncounted] = [one for one in count.not_counted if one.why is why]
    if missed:
        yield f"{what} ({len(missed)}):"
        for one in missed:
            yield f"  #{one.post} {one.voter} “{vote_excerpt(one.text, EXCERPT)}”{_link(one.url)}"


def _eye_check(found: DayClosing) -> Iterator[str]:
    """Each reason to look twice, and the votes that decide."""
    narrow = found.narrow
    if narrow is None:
        return
    reasons = []
    if narrow.margin is not None:
        reasons.append(f"The margin is {_votes(narrow.margin)}.")
    if narrow.exact_hammer:
        reasons.append("The hammer had exactly the votes needed.")
    if narrow.alive is not None:
        reasons.append(f"Only {narrow.alive} players are alive.")
    if narrow.locked:
        reasons.append("Votes lock on this day, so a wrong elimination can end the game.")
    posts = "this vote" if len(narrow.votes) == 1 else f"these {len(narrow.votes)} votes"
    yield f"{' '.join(reasons)} Please check {posts} yourself before you go on:"
    for one in narrow.votes:
        vote = one.vote
        marks = ["edited"] * one.edited + [RULES.get(vote.rule, vote.rule)]
        said, target = vote_excerpt(vote.text, EXCERPT), _name(vote.target, found.count)
        # Of a decision the text is why it was made, not what the player wrote.
        words = (
            f": {', '.join(marks)} ({said})"
            if vote.rule == "moderator"
            else f", “{said}”: {', '.join(marks)}"
        )
        yield f"  #{vote.post} {vote.voter.name} on {target}{words}.{_link(vote.url)}"


def confirmation(found: DayClosing) -> str:
    """The question that is put to the moderator, who types a name."""
    choices = " | ".join(found.choices)
    if len(found.choices) > 1:
        asks = f"The rules leave day {found.day} to you. Lock the thread, then type one of: {choices}"
    else:
        asks = f"Lock the thread, then type {choices} to close day {found.day}"
    return f"{asks}. Anything else keeps the day open: "


def reason_question(found: DayClosing) -> str:
    """The question that is put to the moderator who chose where the rules leave the day to them."""
    return f"Why? It is kept in the log and never posted (day {found.day}): "


def mistyped_line(typed: str, found: DayClosing) -> str:
    """What was typed is none of the choices, or could be another player."""
    return f"You typed “{typed.strip()}”, expected {' | '.join(found.choices)}."


def closed_line(closed: ClosedDay) -> str:
    """That the day is closed, with whom, and what to do next."""
    return (
        f"Closed (entry {closed.record.number}): {', '.join(closed.eliminated) or 'nobody'} is eliminated. "
        f"Final votecount: {closed.file}. To write the flip: knightfall flip"
    )


def role_remarks(found: Flip) -> Iterator[str]:
    """Whose role the game file does not tell."""
    for name in found.without_role:
        yield (f"{found.source} has no role for {name}, so the post has none. Add it to their [[player]].")


def awaited_line(awaited: AwaitedDay) -> str:
    """Until when a final count waits."""
    ends = full_time(awaited.closes, awaited.setup.zone or ZoneInfo("UTC"))
    if awaited.at >= awaited.closes:
        return f"The deadline of day {awaited.day} was {ends}. Counting now."
    return f"Day {awaited.day} ends {ends}, {from_now(awaited.closes, awaited.at)}. Ctrl-C stops waiting."


def _least(least: int) -> str:
    return f" (at least {least})" if least > 1 else ""


def _name(target: Slot | None, count: Votecount) -> str:
    return target.name if target else count.terms.no_elimination


def _votes(number: int) -> str:
    return f"{number} vote{'' if number == 1 else 's'}"


def _link(url: str | None) -> str:
    return f" {url}" if url else ""


def deadline_line(deadline: datetime, setup: Setup, now: datetime) -> str:
    """“Deadline Wed 25 Nov 2026, 20:00 EST (UTC-5) = Thu 26 Nov 01:00 UTC, in 4 d 13 h.”"""
    there = deadline.astimezone(setup.zone or UTC)
    line = f"Deadline {shown(deadline, setup.zone)}"
    if there.utcoffset():
        offset = offset_name(there)
        line += (
            f" = {utc_time(deadline)}"
            if zone_name(there) == offset
            else f" ({offset}) = {utc_time(deadline)}"
        )
    return f"{line}, {from_now(deadline, now)}."


def boundary_line(deadline: datetime, setup: Setup) -> str:
    """“Posts count up to 19:59:59 (boundary “before”).”"""
    boundary, last = setup.rule.boundary.value, last_counted(deadline, setup)
    if last is None:
        return f"Posts count until you lock the thread (boundary “{boundary}”): knightfall phase lock"
    return f"Posts count up to {last:%H:%M:%S} (boundary “{boundary}”)."


def phase_remarks(change: PhaseChange) -> Iterator[str]:
    """What may not be as the moderator thinks, told before what was done."""
    if change.elsewhere:
        yield (
            f"Warning: this is still open in the game: {', '.join(change.elsewhere)}. The new deadline "
            f"counts from when {change.title} opens there."
        )
    if change.overdue is not None:
        ago = format_span(change.overdue)
        counts = (
            "Posts since then count now."
            if counts_posts(change.title)
            else "Messages since then count now: submit those again that were refused as late."
        )
        yield f"The old deadline was {ago} ago. {counts}"
    for title, ends in change.also:
        yield f"By it {title} now ends {shown(ends, change.setup.zone)}."
    if change.clocks is not None:
        yield clocks_line(change.clocks, change.setup.zone)


def clocks_line(clocks: ClockChange, zone: ZoneInfo | None) -> str:
    """Where the clocks change on the way: what the other reading of the span would be."""
    meant = "add that many hours" if clocks.other.endswith("h") else "keep the time of day"
    return (
        f"The clocks change before then, so {clocks.by} ends {shown(clocks.ends, zone)}. To {meant} "
        f"instead: --by {clocks.other}."
    )


def phase_lines(change: PhaseChange) -> Iterator[str]:
    """What was done to a phase, and its deadline in full."""
    match change.record.entry:
        case Opened(begins=begins):
            said = f"{change.title} is open"
            if begins is not None:
                zone = change.setup.zone or ZoneInfo("UTC")
                said += f" from {full_time(begins, zone)} ({from_now(begins, change.record.at)})"
        case Extended():
            said = f"{change.title} has a new deadline"
        case _:
            said = f"{change.title} is paused"
    number, entry = change.record.number, change.record.entry
    if isinstance(entry, Opened) and entry.ahead:  # it goes with the closing behind it
        yield f"{said} (entry {number})."
    else:
        yield f'Entry {number}: {said}. Undo it with: knightfall undo {number} --why "…"'
    if change.deadline is not None:
        line = deadline_line(change.deadline, change.setup, change.record.at)
        yield f"{line} {boundary_line(change.deadline, change.setup)}" if counts_posts(change.title) else line


def lock_line(lock: PhaseLock) -> str:
    """That a thread was locked, and for a day what comes next."""
    phase = f"{lock.kind.capitalize()} {lock.number}"
    line = f"{phase} is locked after post {lock.post} (entry {lock.record.number})"
    if lock.kind == "day":
        return f"{line}. Later posts don't count. Next: knightfall phase close --day {lock.number}"
    return f"{line}."


def event_line(event: WatchEvent, request: WatchRequest) -> str:
    """An event of a watch on a line."""
    # What a watch loads is loaded for a watch alone: closing a day and flipping start without it.
    from knightfall.services.watch.events import Watching, event_words

    said = in_commands(event_words(event))
    if isinstance(event, Watching) and not request.once:
        every = f"{request.every / 60:g} min"
        said += f" Checking every {every}, more often near a hammer or the deadline. Press Ctrl-C to stop."
    return said
