"""Texts of what the services of a running game answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from shlex import quote
from textwrap import fill
from typing import TYPE_CHECKING

from tabulate import tabulate

from knightfall.storage.drafts import PUBLIC
from knightfall.writeups.journal import entry_line

if TYPE_CHECKING:  # who prints one answer need not load what answers the others
    from knightfall.engine.game import Refusal
    from knightfall.engine.journal import Record
    from knightfall.services.awaited import Missing
    from knightfall.services.decisions import Log
    from knightfall.services.inbox import Case, Intake
    from knightfall.services.turns import History, Receipt, Submissions

WIDTH = 80
LONG = 44
"""So much of a message stands in a list of messages."""


def decision_line(record: Record) -> str:
    """An entry that was just written, and how it is taken back."""
    return (
        f"{record.number}: {entry_line(record.entry)}. Take it back with: knightfall undo {record.number} "
        '--why "…"'
    )


def log_text(log: Log) -> str:
    """A paragraph an entry: number, instant, who, what and why."""
    paragraphs = (
        fill(
            f"{one.record.at:%Y-%m-%d %H:%M:%S %Z} {one.record.author}: {entry_line(one.record.entry)}"
            f"{' [taken back]' if one.undone else ''}",
            WIDTH,
            initial_indent=f"{one.record.number:>4}  ",
            subsequent_indent=" " * 6,
        )
        for one in log.entries
    )
    return "\n".join(paragraphs) or "Nothing yet."


def receipt_lines(receipt: Receipt) -> Iterator[str]:
    """Beside the public posts: receipts in full, who else gets something in private, and what was refused."""
    yield from _receipts(receipt)
    others = [text.whose for text in receipt.texts if text.whose != PUBLIC and text.kind != "receipt"]
    if others:
        yield f"In private/{receipt.entry:03}-…: {', '.join(dict.fromkeys(others))}."
    yield from _refusals(receipt.refused)


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


def missing_text(found: Missing) -> str:
    """Whose message is awaited in each open window, with the time left and the default."""
    from knightfall.services.awaited import time_left

    lines = list[str]()
    for one in found.windows:
        ends = f", until {one.until:%d %b %H:%M UTC}, {time_left(one.until, found.at)}" if one.until else ""
        ends = ", its clock stands still" if one.stopped else ends
        absent = ", ".join(found.shown[slot] for slot in one.absent)
        waits = f"missing: {absent}" if absent else "nobody is missing"
        default = f"; who sends nothing: {one.default}" if one.absent and one.default else ""
        lines.append(f"{one.window.title} ({one.window.kind}{ends}): {waits}{default}.")
    return "\n".join(lines) or "The game is over."


# By the values of `MailStatus`, so that who prints a decision need not load the readers of threads.
_QUIET = ("known", "talk", "undone")
_COUNTED: Mapping[str, str] = {
    "taken": "taken",
    "late": "too late",
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
