"""Format a day as text: its phases and deadlines, its closing, the wait for its end, a watch."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from knightfall.engine.journal import Extended, Opened
from knightfall.services.close_day import EXCERPT, question_lines
from knightfall.services.day_end import margin
from knightfall.services.phases import DAYS, last_counted, lasting, shown
from knightfall.services.session import CountedAsKept, ForumDown, HeldStill, ReadAgain, Step
from knightfall.services.watch_events import ChannelDown, LookFailed, LookSucceeded, Noticed, Watching
from knightfall.votes.tally import Uncounted, Why
from knightfall.writeups.facts import local_time
from knightfall.writeups.vote_words import RULES, vote_excerpt

if TYPE_CHECKING:
    from knightfall.config.setup import Setup
    from knightfall.models import Slot
    from knightfall.services.close_day import AwaitedDay, ClosedDay, DayClosing, Flip
    from knightfall.services.phases import ClockChange, PhaseChange, PhaseLock
    from knightfall.services.watch import WatchRequest
    from knightfall.services.watch_events import WatchEvent
    from knightfall.votes.votecount import Votecount


def step_line(step: Step) -> str:
    """A step of a long read, told while it goes on."""
    match step:
        case ReadAgain(number, of, why, pause):
            head = f"Read {number} of at most {of}."
            return f"{f'{head} {why}' if why else head} Reading every page again in {pause:.0f} s."
        case HeldStill(posts, pause):
            return f"Stable: two reads of all {posts} posts agree, {pause:.0f} s apart."
        case CountedAsKept(last):
            return (
                f"Counted as it was read before, as far as #{last}; the forum was not asked. Were its pages "
                "saved after you locked the thread?"
            )
        case ForumDown(cause, None):
            return f"{cause} It may be back in time: waiting all the same."
        case ForumDown(cause, pause):
            return f"{cause} Trying again in {pause:.0f} s."


def closing_lines(found: DayClosing) -> Iterator[str]:
    """All that the moderator looks at beside the final count before they confirm who is eliminated."""
    count = found.count
    yield from count.assumed

    # How the day ends, the margin, and the votes that came too late.
    if hammer := count.tally.hammer:
        by = f" by {hammer.voter.name}" if hammer.voter else ", where a death lowered what is needed"
        post = count.posts.get(hammer.post)
        when = f" at {post.time:%Y-%m-%d %H:%M:%S} UTC" if post and post.time else ""
        yield f"Hammer: #{hammer.post}{by} on {_name(hammer.target, count)}{when}.{_link(hammer.url)}"
    else:
        yield "No hammer."
    wagons = count.tally.wagons
    top = ", ".join(f"{_name(wagon.target, count)} {wagon.count}/{wagon.needed}" for wagon in wagons[:2])
    yield f"Top: {top}; margin {_votes(margin(wagons))}." if wagons else "Nobody has a vote."
    yield from _missed_lines("After the hammer, void", count, Why.AFTER_HAMMER)
    yield from _missed_lines("After the deadline, not counted", count, Why.LATE)

    yield from _eye_check(found)
    if found.questions and not found.deciding:
        yield "Open questions that change nothing, however they are answered:"
        yield from question_lines(found.questions)


def _missed_lines(what: str, count: Votecount, why: Why) -> Iterator[str]:
    missed: list[Uncounted] = [one for one in count.tally.not_counted if one.why is why]
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
        reasons.append("The hammer was exactly the votes needed.")
    if narrow.alive is not None:
        reasons.append(f"Only {narrow.alive} are alive.")
    if narrow.locked:
        reasons.append("Votes lock on this day: a wrong elimination can end the game.")
    posts = "this vote" if len(narrow.votes) == 1 else f"these {len(narrow.votes)} votes"
    yield f"{' '.join(reasons)} Please check {posts} by eye before you go on:"
    for one in narrow.votes:
        vote = one.vote
        marks = ["edited"] * one.edited + [RULES.get(vote.rule, vote.rule)]
        said, target = vote_excerpt(vote.text, EXCERPT), _name(vote.target, found.count)
        yield f"  #{vote.post} {vote.voter.name} on {target}, “{said}”: {', '.join(marks)}.{_link(vote.url)}"


def confirmation(found: DayClosing) -> str:
    """The question that is put to the moderator, who types a name."""
    choices = " | ".join(found.choices)
    if len(found.choices) > 1:
        asks = f"The rules leave day {found.day} to you. Lock the thread, then type one of: {choices}"
    else:
        asks = f"Lock the thread, then type {choices} to close day {found.day}"
    return f"{asks}. Anything else closes nothing: "


def closed_line(closed: ClosedDay) -> str:
    """That the day is closed, with whom, and what to do next."""
    return (
        f"Closed, entry {closed.record.number}: {', '.join(closed.eliminated) or 'nobody'} is eliminated. "
        f"Final votecount: {closed.file}. The post with the flip: knightfall flip"
    )


def role_remarks(found: Flip) -> Iterator[str]:
    """Whose role the game file does not tell."""
    for name in found.without_role:
        yield (
            f"{found.source} has no role for {name}, so the post tells none. It goes in the [[player]]: role."
        )


def awaited_line(awaited: AwaitedDay) -> str:
    """Until when a final count waits."""
    zone = awaited.setup.zone
    shown = local_time(awaited.closes, zone) if zone else f"{awaited.closes:%a %d %b %Y, %H:%M UTC}"
    if awaited.at >= awaited.closes:
        return f"The deadline of day {awaited.day} was {shown}: counting now."
    left = timedelta(seconds=round((awaited.closes - awaited.at).total_seconds()))
    return f"Day {awaited.day} ends {shown}, in {left}. Waiting; Ctrl-C stops."


def _name(target: Slot | None, count: Votecount) -> str:
    return target.name if target else count.terms.no_elimination


def _votes(number: int) -> str:
    return f"{number} vote{'' if number == 1 else 's'}"


def _link(url: str | None) -> str:
    return f" {url}" if url else ""


def deadline_line(deadline: datetime, setup: Setup) -> str:
    """“Deadline Wed 25 Nov 2026, 20:00 EST (UTC-5) = Thu 26 Nov 01:00 UTC. Last counted second: 19:59:59
    (boundary “before”).”"""
    there = deadline.astimezone(setup.zone or UTC)
    line = f"Deadline {shown(deadline, setup.zone)}"
    if there.utcoffset():
        line += f" ({_offset(there)}) = {deadline.astimezone(UTC):%a %d %b %H:%M} UTC"
    boundary, last = setup.rule.boundary.value, last_counted(deadline, setup)
    if last is None:
        return (
            f"{line}. Posts count until you lock the thread (boundary “{boundary}”): knightfall phase lock."
        )
    return f"{line}. Last counted second: {last:%H:%M:%S} (boundary “{boundary}”)."


def _offset(there: datetime) -> str:
    """“UTC-5”, “UTC+5:30”."""
    minutes = int((there.utcoffset() or timedelta()).total_seconds()) // 60
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'-' if minutes < 0 else '+'}{hours}{f':{rest:02}' if rest else ''}"


def phase_remarks(change: PhaseChange) -> Iterator[str]:
    """What may not be as the moderator thinks, told before what was done."""
    if change.elsewhere:
        yield (
            f"In the game it is {', '.join(change.elsewhere)} still: this deadline is told to people, not to "
            "the game."
        )
    if change.overdue is not None:
        ago = lasting(change.overdue)
        yield f"The old deadline was {ago} ago: what was posted since counts from now on."
    if change.clocks is not None:
        yield clocks_line(change.clocks, change.setup.zone)


def clocks_line(clocks: ClockChange, zone: ZoneInfo | None) -> str:
    """Where the clocks change on the way: what the other reading of the span would be."""
    meant = "so much time passes" if clocks.by.endswith(DAYS) else "the same time of day"
    return (
        f"The clocks change on the way: {clocks.by} ends {shown(clocks.ends, zone)}. If you mean that "
        f"{meant}, it is --by {clocks.other}."
    )


def phase_lines(change: PhaseChange) -> Iterator[str]:
    """What was done to a phase, and its deadline in full."""
    match change.record.entry:
        case Opened():
            said = f"{change.title} is open"
        case Extended():
            said = f"{change.title} has another deadline"
        case _:
            said = f"The clock of {change.title} stands still"
    number = change.record.number
    yield f'{said}, entry {number}. Take it back with: knightfall undo {number} --why "…"'
    if change.deadline is not None:
        yield deadline_line(change.deadline, change.setup)


def lock_line(lock: PhaseLock) -> str:
    """That a thread was locked, and for a day what comes next."""
    line = (
        f"{lock.kind.capitalize()} {lock.number} is locked after post {lock.post}, entry {lock.record.number}"
    )
    if lock.kind == "day":
        return f"{line}: no later post counts for it. Next: knightfall phase close --day {lock.number}"
    return f"{line}."


def event_line(event: WatchEvent, request: WatchRequest) -> str:
    """An event of a watch on a line."""
    match event:
        case Noticed(notice, zone):
            return f"[{notice.at.astimezone(zone):%H:%M}] {notice.words}"
        case LookFailed(cause):
            return f"{cause} I go on trying, and say when it works again."
        case LookSucceeded():
            return "All is well again; I go on where I was."
        case ChannelDown(name):
            return f"The {name} takes no messages now. The terminal has them; I go on trying."
        case Watching(day, title, closes, left, zone, counted):
            of = f"day {day} of " if day is not None else ""
            said = [f"Watching {of}{title or 'the game'}."]
            if closes is not None and left is not None:
                ends = local_time(closes, zone)
                ahead = f"It ends {ends}, in {timedelta(seconds=round(left))}."
                said.append(ahead if left > 0 else f"It ended {ends}.")
            if counted:
                said.append(f"Its final count was made: public/votecount-{day}.F.txt.")
            if not request.once:
                every = f"{request.every / 60:g} min"
                said.append(f"A look every {every}, oftener near a hammer or the deadline; Ctrl-C stops.")
            return " ".join(said)
