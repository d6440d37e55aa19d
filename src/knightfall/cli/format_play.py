"""What the verbs of days, nights and rounds print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from difflib import ndiff
from shlex import quote
from textwrap import fill, indent
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from tabulate import tabulate

from knightfall.engine.game import SlotId
from knightfall.engine.journal import Delivered, Extended, Opened, Published, Replaced, Started, Submitted
from knightfall.engine.spans import format_span
from knightfall.services.close_day import EXCERPT, question_lines
from knightfall.services.day_end import margin
from knightfall.services.phases import last_counted, shown
from knightfall.services.session import CountedAsKept, ForumDown, HeldStill, ReadAgain, Step
from knightfall.storage.drafts import PUBLIC
from knightfall.votes.tally import Uncounted, UncountedReason
from knightfall.writeups.facts import from_now, full_time
from knightfall.writeups.journal import entry_line
from knightfall.writeups.vote_words import RULES, vote_excerpt

if TYPE_CHECKING:
    from pathlib import Path

    from knightfall.config.setup import Setup
    from knightfall.engine.game import Refusal
    from knightfall.engine.journal import Record
    from knightfall.mafia.events import Attacked
    from knightfall.mafia.explain_night import Dependence, NightChanges, PlayerExplanation
    from knightfall.models import Slot
    from knightfall.services.awaited import Missing
    from knightfall.services.close_day import AwaitedDay, ClosedDay, DayClosing, Flip
    from knightfall.services.closing_preview import ClosingPreview, PlayerClosing, TextChange
    from knightfall.services.inbox import Case, Intake
    from knightfall.services.journal import Log
    from knightfall.services.phases import ClockChange, PhaseChange, PhaseLock
    from knightfall.services.resolve_night import NightPreview, ResolvedNight
    from knightfall.services.status import GameStatus
    from knightfall.services.turns import History, Receipt, Submissions
    from knightfall.services.undo import UndoLook
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
    elif count.least is not None:
        yield f"The most votes at the deadline decide{_least(count.least)}."
        if count.agreed:
            yield f"All the living vote for {_name(count.agreed.target, count)}: the day may end now."
    else:
        yield "No hammer."
    wagons = count.tally.wagons
    top = ", ".join(f"{_name(wagon.target, count)} {wagon.size}" for wagon in wagons[:2])
    yield f"Top: {top}; margin {_votes(margin(wagons))}." if wagons else "Nobody has a vote."
    if found.end.tied:
        tied = ", ".join(name or count.terms.no_elimination for name in found.end.tied)
        yield f"Tied: {tied}. The game draws by its seed and its own rule: {next(iter(found.choices))}."
    yield from _missed_lines("After the hammer, void", count, UncountedReason.AFTER_HAMMER)
    yield from _missed_lines("After the deadline, not counted", count, UncountedReason.LATE)

    yield from _eye_check(found)
    if found.questions and not found.deciding:
        yield "Open questions that change nothing, however they are answered:"
        yield from question_lines(found.questions)


def _missed_lines(what: str, count: Votecount, why: UncountedReason) -> Iterator[str]:
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


def mistyped_line(typed: str, found: DayClosing) -> str:
    """What was typed is none of the choices, or could be another player."""
    return f"You typed “{typed.strip()}”, expected {' | '.join(found.choices)}."


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
    ends = full_time(awaited.closes, awaited.setup.zone or ZoneInfo("UTC"))
    if awaited.at >= awaited.closes:
        return f"The deadline of day {awaited.day} was {ends}: counting now."
    return f"Day {awaited.day} ends {ends}, {from_now(awaited.closes, awaited.at)}. Waiting; Ctrl-C stops."


def _least(least: int) -> str:
    return f", of {least} or more" if least > 1 else ""


def _name(target: Slot | None, count: Votecount) -> str:
    return target.name if target else count.terms.no_elimination


def _votes(number: int) -> str:
    return f"{number} vote{'' if number == 1 else 's'}"


def _link(url: str | None) -> str:
    return f" {url}" if url else ""


def deadline_line(deadline: datetime, setup: Setup, now: datetime) -> str:
    """“Deadline Wed 25 Nov 2026, 20:00 EST (UTC-5) = Thu 26 Nov 01:00 UTC, in 4 d 13 h. Last counted second:
    19:59:59 (boundary “before”).”"""
    there = deadline.astimezone(setup.zone or UTC)
    line = f"Deadline {shown(deadline, setup.zone)}"
    if there.utcoffset():
        line += f" ({_offset(there)}) = {deadline.astimezone(UTC):%a %d %b %H:%M} UTC"
    line += f", {from_now(deadline, now)}"
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
        ago = format_span(change.overdue)
        yield f"The old deadline was {ago} ago: what was posted since counts from now on."
    if change.clocks is not None:
        yield clocks_line(change.clocks, change.setup.zone)


def clocks_line(clocks: ClockChange, zone: ZoneInfo | None) -> str:
    """Where the clocks change on the way: what the other reading of the span would be."""
    meant = "so much time passes" if clocks.other.endswith("h") else "the same time of day"
    return (
        f"The clocks change on the way: {clocks.by} ends {shown(clocks.ends, zone)}. If you mean that "
        f"{meant}, it is --by {clocks.other}."
    )


def phase_lines(change: PhaseChange) -> Iterator[str]:
    """What was done to a phase, and its deadline in full."""
    match change.record.entry:
        case Opened(begins=begins):
            said = f"{change.title} is open"
            if begins is not None:
                zone = change.setup.zone or ZoneInfo("UTC")
                said += f" from {full_time(begins, zone)} on ({from_now(begins, change.record.at)})"
        case Extended():
            said = f"{change.title} has another deadline"
        case _:
            said = f"The clock of {change.title} stands still"
    number = change.record.number
    yield f'{said}, entry {number}. Take it back with: knightfall undo {number} --why "…"'
    if change.deadline is not None:
        yield deadline_line(change.deadline, change.setup, change.record.at)


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
    # What a watch loads is loaded for a watch alone: closing a day and flipping start without it.
    from knightfall.services.watch_events import ChannelDown, LookFailed, LookSucceeded, Noticed, Watching

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
                ends = full_time(closes, zone)
                ahead = f"It ends {ends}, in {format_span(timedelta(seconds=left))}."
                said.append(ahead if left > 0 else f"It ended {ends}.")
            if counted:
                said.append(f"Its final count was made: public/votecount-{day}.F.txt.")
            if not request.once:
                every = f"{request.every / 60:g} min"
                said.append(f"A look every {every}, oftener near a hammer or the deadline; Ctrl-C stops.")
            return " ".join(said)


WIDTH = 80
NOTHING = "Nothing changes."
NOT_WRITTEN = "Nothing was written; an open night is closed by knightfall commit."
_MARKS = {"powered": "Powered", "incarcerated": "Incarcerated", "lost": "Adaptability lost"}
_COLUMNS = {"actor": 11, "action": 21, "fate": 8, "because": 22, "ruling": 6}
_SHOWN = 3  # changes in one line: the gravest come first


def format_night(night: ResolvedNight) -> str:
    """The moderator's sheet, the posts, the PMs; at the end what depends on a ruling."""
    title = f" of {night.title}" if night.title else ""
    parts = [_headed(f"Night {night.number}{title}: for the moderator only", _sheet(night))]
    parts += [_headed("Public", text) for text in night.public]
    parts += [_headed(f"PM to {', '.join(pm.to)}", pm.text) for pm in night.private]
    if night.depends:
        lines = "\n".join(format_dependences(night.depends))
        parts.append(_headed("Depends on a ruling: for the moderator only", lines))
    return "\n\n".join(parts)


def format_preview(found: NightPreview) -> str:
    """The moderator's sheet, who dies, how many PMs go out and how long they are, and who sent nothing."""
    lines: list[str] = []
    if found.resolved is None:
        lines += ["Ruling needed: closing the night will ask you this.", found.question]
    else:
        sheet = found.resolved.sheet
        lines += [_sheet(found.resolved), ""]
        lines.append(f"Deaths: {', '.join(death.name for death in sheet.deaths) or 'nobody'}.")
        if silent := sheet.silent:
            lines.append(f"Sent nothing that stands ({found.silence}): {', '.join(silent)}.")
        # How uniform the PMs are: who sees only their size should learn nothing.
        if sizes := found.pm_sizes:
            length = f"{sizes[0]} to {sizes[-1]} characters long"
            lines.append(f"PMs to send: {len(sizes)}, of one shape, {length}.")
        else:
            lines.append("PMs to send: none.")
        if depends := format_dependences(found.resolved.depends):
            lines += ["Depends on a ruling:", *depends]
        else:
            lines.append("No ruling matters tonight.")
    head = f"Night {found.number} of {found.title}, as it stands: for the moderator only"
    end = ["", NOT_WRITTEN] if found.is_open else []
    return "\n".join([_headed(head, "\n".join(lines)), *end])


def _headed(title: str, text: str) -> str:
    """The text under a line with its title."""
    return f"{f'── {title} ':─<{WIDTH}}\n{text.strip()}"


def _reader(whose: str) -> str:
    return "Public" if whose == PUBLIC else f"To {whose}"


def _sheet(night: ResolvedNight) -> str:
    """The trace as a table, then deaths, results, uses, and what deserves a second look."""
    sheet = night.sheet

    def deadly(death: Attacked) -> str:
        cause = night.causes.get(death.name)
        return f"{death.name} dies{f' by {cause}' if cause else ''}: {_attacks(death)}"

    lines = [
        *map(deadly, sheet.deaths),
        *(f"{one.name} lives: {_attacks(one)}" for one in sheet.survived),
        *(f"{mark}: {', '.join(names) or 'nobody'}" for mark, names in sheet.marks),
        *(f"{one.actor} is told: {one.action}: {one.answer or 'no message'}" for one in sheet.results),
        *(f"{use.slot} used: {use.ability} ({use.uses})" for use in sheet.spent),
        *(f"{slot}: not taken: “{line}”: {why.code}: {why.text}." for slot, line, why in night.refused),
        *(f"Have a look: {one.text} ({one.ruling})" for one in (*sheet.cautions, *night.cautions)),
    ]
    table = "Nobody did anything."
    if rows := [[getattr(row, column) for column in _COLUMNS] for row in sheet.trace]:
        heads = [column.capitalize() for column in _COLUMNS]
        table = tabulate(rows, heads, tablefmt="simple", maxcolwidths=list(_COLUMNS.values()))
    wrapped = [fill(line, WIDTH, subsequent_indent="  ") for line in lines]
    return "\n".join([table, *(["", *wrapped] if wrapped else [])])


def _attacks(death: Attacked) -> str:
    return "; ".join(f"{attack.kill} ({attack.because})" for attack in death.attacks)


def format_dependences(found: Sequence[Dependence]) -> tuple[str, ...]:
    """A sentence each: `With em_r3 = snapshot: Cinder is not powered; Boro lives. (EM-R3)`."""
    lines: list[str] = []
    for one in found:
        texts = [change.text for change in one.changes]
        more = len(texts) - _SHOWN
        changes = "; ".join(texts[:_SHOWN]) + (f"; and {more} more" if more > 0 else "")
        sentence = f"With {one.option.name} = {one.value}: {changes}. ({one.option.ruling})"
        lines.append(fill(sentence, WIDTH, subsequent_indent="  "))
    return tuple(lines)


def format_explanation(found: PlayerExplanation) -> str:
    """The steps about one player, each indented below what rests on it."""
    lines = [f"Night {found.night}, {found.slot} ({found.role}): for the moderator only"]
    for step in found.steps:
        text = f"{step.text} ({step.ruling})." if step.ruling else f"{step.text}."
        indent = "  " * step.depth
        lines.append(fill(text, WIDTH, initial_indent=indent, subsequent_indent=indent + "    "))
    return "\n".join(lines)


def format_changes(found: NightChanges) -> str:
    """A line for each change, the gravest first; “Nothing changes.” otherwise."""
    texts = [f"{change.text} ({change.why})" if change.why else change.text for change in found.changes]
    return "\n".join(fill(f"{text}.", WIDTH, subsequent_indent="  ") for text in texts) or NOTHING


def format_closing(found: ClosingPreview) -> str:
    """Every text of a closing under its reader, and what would not be taken."""
    stands = "as it stands" if found.is_open else "as it was closed"
    head = f"{found.title}, {stands}: for the moderator only. Nothing was written."
    parts = [
        _headed("Public" if text.whose == PUBLIC else f"To {text.whose}", text.text)
        for text in found.receipt.texts
    ]
    return "\n\n".join([head, *parts, *_refusals(found.receipt.refused)])


def format_player_closing(found: PlayerClosing) -> str:
    """What stands of a player, what they are told, and where they are named."""
    lines = [f"{found.title}, {found.name}: for the moderator only"]
    if found.standing:
        lines.append(f"{found.name} sent: {'; '.join(found.standing)}.")
    elif found.awaited:
        lines.append(f"{found.name} sent nothing{f' ({found.silence})' if found.silence else ''}.")
    else:
        lines.append(f"Nothing is awaited of {found.name}.")
    lines += [f"{found.name} is told:\n{indent(text, '  ')}" for text in found.told]
    lines += [f"Told of {found.name}: {line}" for line in found.named]
    return "\n".join(lines)


def format_text_changes(changes: tuple[TextChange, ...]) -> str:
    """The lines that go (-) and come (+), a paragraph a text; “Nothing changes.” otherwise."""
    parts = list[str]()
    for change in changes:
        lines = ndiff(change.before.splitlines(), change.after.splitlines())
        told = "\n".join(line for line in lines if line[0] in "+-")
        parts.append(_headed(_reader(change.whose), told))
    return "\n\n".join(parts) or NOTHING


LONG = 44
"""So much of a message stands in a list of messages."""


def decision_line(record: Record) -> str:
    """An entry that was just written, and how it is taken back."""
    return (
        f"{record.number}: {entry_line(record.entry)}. Take it back with: knightfall undo {record.number} "
        '--why "…"'
    )


def undo_lines(look: UndoLook) -> Iterator[str]:
    """What taking an entry back takes back with it, a sentence each."""
    yield f"Entry {look.record.number}: {entry_line(look.record.entry)}."
    if isinstance(look.record.entry, Started):
        yield "This is the game itself: all of it is taken back."
    if look.reopens:
        yield f"Open again then: {', '.join(look.reopens)}."
    if look.follows:
        rest = ", ".join(f"{one.number} ({entry_line(one.entry)})" for one in look.follows[:5])
        more = f" and {len(look.follows) - 5} more" if len(look.follows) > 5 else ""
        yield f"These lose their ground: {rest}{more}."
    if look.changes:
        rest = ", ".join(f"{one.number} ({entry_line(one.entry)})" for one in look.changes[:5])
        more = f" and {len(look.changes) - 5} more" if len(look.changes) > 5 else ""
        yield f"These come out otherwise: {rest}{more}."
    if look.files:
        yield f"Its texts are void: {', '.join(file.name for file in look.files)}."
    if look.posted:
        posts = ", ".join(
            f"{one.entry.kind} {one.entry.number}" for one in look.posted if isinstance(one.entry, Published)
        )
        yield f"Posted since, tell your players what does not hold of it: {posts}."


def log_text(log: Log) -> str:
    """A paragraph an entry: number, instant, who, what and why; a PM went to who held the slot then."""
    held, paragraphs = dict[SlotId, str](), list[str]()
    for one in log.entries:
        entry, said = one.record.entry, entry_line(one.record.entry)
        if isinstance(entry, Replaced) and not one.undone:
            held[entry.slot] = entry.name
        elif isinstance(entry, Delivered):
            now = held.get(entry.slot, entry.slot)
            name = now if now == entry.slot else f"{now} (was {entry.slot})"
            said = f"{entry.kind} for {name}: {entry.state}"
        elif isinstance(entry, Submitted) and entry.slot in held:
            said = f"{held[entry.slot]} (was {entry.slot}){said.removeprefix(str(entry.slot))}"
        head = f"{one.record.at:%Y-%m-%d %H:%M:%S %Z} {one.record.author}: {said}"
        paragraphs.append(
            fill(
                f"{head}{' [taken back]' if one.undone else ''}",
                WIDTH,
                initial_indent=f"{one.record.number:>4}  ",
                subsequent_indent=" " * 6,
            )
        )
    return "\n".join(paragraphs) or "Nothing yet."


def receipt_lines(receipt: Receipt) -> Iterator[str]:
    """Beside the public posts: receipts in full, who else gets something in private, and what was refused."""
    yield from _receipts(receipt)
    others = [text.whose for text in receipt.texts if text.whose != PUBLIC and text.kind != "receipt"]
    if others:
        yield f"In private/{receipt.entry:03}-…: {', '.join(dict.fromkeys(others))}."
    yield from picture_lines(receipt.pictures)
    yield from _refusals(receipt.refused)


def picture_lines(pictures: Sequence[Path]) -> Iterator[str]:
    """Which pictures of the board belong to the post; nothing where none does."""
    if pictures:
        one = "The picture for the post" if len(pictures) == 1 else "The pictures for the post"
        yield f"{one}: {', '.join(f'{path.parent.name}/{path.name}' for path in pictures)}"


def preview_lines(receipt: Receipt) -> Iterator[str]:
    """What a message would be answered, and what of it would be refused."""
    yield from _receipts(receipt)
    yield from _refusals(receipt.refused)


def _receipts(receipt: Receipt) -> Iterator[str]:
    yield from (f"To {text.whose}: {text.text}" for text in receipt.texts if text.kind == "receipt")


def submissions_text(found: Submissions) -> str:
    """A table of entry, instant, sender and first words."""
    rows = [
        (one.entry, f"{one.at:%d %b %H:%M}", one.sender, shortened(one.message, LONG))
        for one in found.entries
    ]
    heads = ("entry", "time", "from", "message")
    return tabulate(rows, heads, disable_numparse=True) if rows else "Nothing since the last closing."


def shortened(text: str, width: int) -> str:
    """The lines of a text in one, cut off at the width."""
    line = " / ".join(text.split("\n"))
    return line if len(line) <= width else f"{line[: width - 1]}…"


def history_text(history: History) -> str:
    """Each entry, and under it each line with who was told it."""
    lines = list[str]()
    for one in history.entries:
        lines.append(fill(f"{one.entry}  {one.said}", WIDTH, subsequent_indent="   "))
        for told in one.told:
            line = f"{told.whose}, {told.kind}: {told.line}"
            lines.append(fill(line, WIDTH, initial_indent="   ", subsequent_indent="     "))
    return "\n".join(lines)


def status_text(found: GameStatus) -> str:
    """A paragraph each: what is open, who lives, what waits for the moderator, what comes next."""
    from knightfall.services.awaited import time_left

    lines = [f"{found.title} ({found.game})", ""]
    for one in found.windows:
        if one.until is not None:
            zones = (found.zone, UTC, None)  # the game's, UTC, that of this machine
            clocks = dict.fromkeys(f"{one.until.astimezone(zone):%d %b %H:%M %Z}" for zone in zones)
            ends = f", until {' = '.join(clocks)}, {time_left(one.until, found.at)}"
        else:
            ends = ", its clock stands still" if one.stopped else ", no deadline is set"
        lines.append(f"Open: {one.window.title} ({one.window.kind}){ends}.")
        if one.absent:
            lines.append(f"  Awaited: {', '.join(found.shown[slot] for slot in one.absent)}.")
        for slot in one.slots:
            lines += [
                f"  Refused: {found.shown[slot.slot]}: “{line}” ({why.text})." for line, why in slot.refused
            ]
    if not found.windows:
        lines.append("Nothing is open.")
    lines += ["", f"Alive ({len(found.alive)}): {', '.join(found.alive) or 'nobody'}."]
    if found.dead:
        lines.append(
            f"Dead ({len(found.dead)}): {', '.join(f'{one.name} ({one.how})' for one in found.dead)}."
        )
    if found.silent:
        lines.append(f"Due a prod: {', '.join(found.silent)}.")
    if found.questions:
        lines += ["", f"Votes that wait for your decision ({len(found.questions)}):"]
        lines += [f"  {question}" for question in found.questions]
    waiting = [f"{count} of {kind}" for kind, count in found.unsent.items()]
    if found.posted or found.void or waiting:
        lines.append("")
    if found.posted:
        lines.append(f"Posted: {', '.join(found.posted)}.")
    if found.void:
        lines.append(f"Void, tell your players: {', '.join(found.void)}.")
    if waiting:
        lines.append(f"PMs not sent: {', '.join(waiting)}.")
    lines += ["", "Next:", *(f"  {command}" for command in found.next)]
    return "\n".join(fill(line, WIDTH, subsequent_indent="  ") if line.strip() else line for line in lines)


def missing_text(found: Missing) -> str:
    """Whose message is awaited in each open window, with the time left and the default."""
    from knightfall.services.awaited import time_left

    lines = list[str]()
    for one in found.windows:
        ends = f", until {one.until:%d %b %H:%M UTC}, {time_left(one.until, found.at)}" if one.until else ""
        ends = ", its clock stands still" if one.stopped else ends
        absent = ", ".join(found.shown[slot] for slot in one.absent)
        waits = f"missing: {absent}" if absent else "nobody is missing"
        refused = [
            f"  {found.shown[slot.slot]}: not taken: “{line}”: {why.text}"
            for slot in one.slots
            for line, why in slot.refused
        ]
        default = f"; who sends nothing: {one.default}" if one.absent and one.default else ""
        lines += [f"{one.window.title} ({one.window.kind}{ends}): {waits}{default}.", *refused]
    return "\n".join(lines) or "The game is over."


# By the values of `MailStatus`, so that who prints a decision need not load the readers of threads.
_QUIET = ("known", "talk", "undone")
_COUNTED: Mapping[str, str] = {
    "taken": "taken",
    "late": "too late",
    "overdue": "after a deadline",
    "unread": "not read in time",
    "early": "too early",
    "edited": "changed since",
    "question": "in question",
    "known": "taken before",
    "undone": "undone before",
    "talk": "without a command",
}


def is_told(case: Case, verbose: bool) -> bool:
    """Whether the moderator hears of it as it comes; questions come at the end."""
    return case.status.value != "question" and (verbose or case.status.value not in _QUIET)


def case_line(case: Case, dry: bool) -> str:
    """What became of one message, and what can be done about it."""
    mail, entry = case.mail, case.entry
    time = f", {mail.at:%d %b %H:%M} UTC" if mail.at else ""
    head = f"{mail.where}{time}, {mail.slot or 'nobody known'}"
    said = f"{head}: “{shortened(mail.text, 60)}”"
    match case.status.value:
        case "taken":
            return f"{said} would be taken." if dry else f"{said}: taken as entry {entry}."
        case "late":
            return f"{said} came after {case.window} had closed: not taken."
        case "overdue":
            return (
                f"{said} came after the deadline of {case.window}, which is not closed: not taken. Close it "
                "(knightfall commit) and read again, or give it more time (knightfall phase extend)."
            )
        case "unread":
            return (
                f"{said} was in time for {case.window}, but entry {entry} closed that before it was read: "
                f"not taken. To let it count: knightfall undo {entry} --why WHY, read again, close again."
            )
        case "early":
            return (
                f"{said} came before {case.window} was open: not taken. If it is meant for that: knightfall "
                f"submit {quote(str(mail.slot))} TEXT."
            )
        case "edited":
            return (
                f"{said}: changed since it was taken as entry {entry}, which stands. To take it as it is "
                f"now: knightfall undo {entry} --why WHY, and read again."
            )
        case "known":
            return f"{head}: taken before, as entry {entry}."
        case "undone":
            return f"{head}: entry {entry} took it and was undone."
        case "talk":
            return f"{said}: no command, passed over."
    return mail.question


def intake_summary(intake: Intake) -> str:
    """“3 taken, 1 too late, 4 without a command (-v lists what was passed over).”"""
    counts = Counter(case.status.value for case in intake.cases)
    told = [f"{counts[status]} {word}" for status, word in _COUNTED.items() if counts[status]]
    if not told:
        return "No message was found."
    hidden = " (-v lists what was passed over)" if any(counts[status] for status in _QUIET) else ""
    return f"{', '.join(told)}{hidden}.{' Nothing was written.' if intake.dry else ''}"


def _refusals(refused: tuple[tuple[str, Refusal], ...]) -> Iterator[str]:
    yield from (f"{why.code}: {why.text} (“{line}”)" for line, why in refused)
