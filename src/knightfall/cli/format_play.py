"""What the verbs of messages, of how a game stands and of its journal print."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from textwrap import fill
from typing import TYPE_CHECKING

from knightfall.cli.format_night import refused_lines
from knightfall.cli.ways import command, in_commands
from knightfall.engine.entries import Closed, Delivered, Published, Started
from knightfall.writeups.facts import short_time
from knightfall.writeups.journal import entry_line, post_words, sent_words
from knightfall.writeups.tables import WIDTH

if TYPE_CHECKING:
    from pathlib import Path
    from zoneinfo import ZoneInfo

    from knightfall.engine.journal import Record
    from knightfall.services.game.due import Due
    from knightfall.services.game.status import GameStatus
    from knightfall.services.game.undo import UndoLook
    from knightfall.services.session import Say
    from knightfall.services.window.inbox import Intake
    from knightfall.services.window.receipts import Receipt
    from knightfall.services.window.turns import History
    from knightfall.services.window.waiting import Missing


LONG = 44
"""So much of a message stands in a list of messages."""


def decision_line(record: Record) -> str:
    """An entry that was just written, and how it is taken back."""
    return (
        f"{record.number}: {entry_line(record.entry, record.at)}. Undo it with: "
        f'knightfall undo {record.number} --why "…"'
    )


def closed_day_lines(closing: Record | None) -> Iterator[str]:
    """That a decision changes no day that is closed, and how that day is opened again."""
    if closing is not None and isinstance(closing.entry, Closed):
        day = closing.entry.window.replace("-", " ").capitalize()
        yield (
            f"{day} is closed (entry {closing.number}) and stays as it ended. To close it by another count: "
            f'knightfall undo {closing.number} --why "…"'
        )


def undo_lines(look: UndoLook, said: Mapping[int, str]) -> Iterator[str]:
    """What taking an entry back takes back with it, a sentence each; `said` is what the log says of each
    entry by its number."""
    yield f"Entry {look.record.number}: {said[look.record.number]}."
    if isinstance(look.record.entry, Started):
        yield "This entry started the game, so the whole game is undone."
    if look.reopens:
        yield f"This reopens: {', '.join(look.reopens)}."
    if look.follows:
        rest = ", ".join(f"{one.number} ({said[one.number]})" for one in look.follows[:5])
        more = f" and {len(look.follows) - 5} more" if len(look.follows) > 5 else ""
        yield f"These would no longer be valid: {rest}{more}."
    if look.changes:
        rest = ", ".join(f"{one.number} ({said[one.number]})" for one in look.changes[:5])
        more = f" and {len(look.changes) - 5} more" if len(look.changes) > 5 else ""
        yield f"These would have a different result: {rest}{more}."
    if look.waits:
        rest = ", ".join(str(one.number) for one in look.waits)
        yield f"These wait until it is closed again, and keep what was sent for them: {rest}."
    if look.files:
        yield f"These texts would no longer be valid: {', '.join(file.name for file in look.files)}."
    if look.posted:
        posts = ", ".join(
            post_words(f"{one.entry.kind} {one.entry.number}")
            for one in look.posted
            if isinstance(one.entry, Published)
        )
        yield f"Posted since (tell your players what no longer applies): {posts}."
    if look.sent:
        entries = (one.entry for one in look.sent)
        sent = ", ".join(f"{one.kind} to {one.slot}" for one in entries if isinstance(one, Delivered))
        yield f"PMs sent since (send them anew where they change): {sent}."


def receipt_lines(receipt: Receipt) -> Iterator[str]:
    """Beside the public posts: receipts in full, who else gets something in private, and what was refused."""
    if receipt.left is not None:
        before, now = receipt.left
        yield (
            f"{before} was replaced by {now}, so this is recorded as {now}'s message. To take it back: "
            f'knightfall undo {receipt.entry} --why "…"'
        )
    if receipt.by_head:
        yield receipt.by_head
    if receipt.waits:
        yield receipt.waits
    yield from _receipts(receipt)
    if receipt.void:
        yield f"No longer valid, moved to private/void: {', '.join(file.name for file in receipt.void)}."
    if receipt.anew:
        yield f"Written again: {', '.join(f'{file.parent.name}/{file.name}' for file in receipt.anew)}."
    others = [text.whose for text in receipt.texts if not text.is_public and text.kind != "receipt"]
    if others:
        yield f"In private/{receipt.entry:03}-…: {', '.join(dict.fromkeys(others))}."
    yield from picture_lines(receipt.pictures)
    yield from refused_lines(receipt.refused)


def picture_lines(pictures: Sequence[Path]) -> Iterator[str]:
    """Which pictures of the board belong to the post; nothing where none does."""
    if pictures:
        one = "The picture for the post" if len(pictures) == 1 else "The pictures for the post"
        yield f"{one}: {', '.join(f'{path.parent.name}/{path.name}' for path in pictures)}"


def show_receipt(receipt: Receipt, out: Say, err: Say) -> None:
    """Tell what an entry led to: public posts go to `out`, everything else to `err`."""
    for post in receipt.public:
        out(post)
    for line in receipt_lines(receipt):
        err(line)


def preview_lines(receipt: Receipt) -> Iterator[str]:
    """What a message would be answered, and what of it would be refused."""
    yield from _receipts(receipt)
    yield from refused_lines(receipt.refused)


def _receipts(receipt: Receipt) -> Iterator[str]:
    yield from (f"To {text.whose}: {text.text}" for text in receipt.texts if text.kind == "receipt")


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
    from knightfall.services.window.waiting import time_left

    lines = [found.title if found.title == found.game else f"{found.title} ({found.game})", ""]
    for one in found.windows:
        if hammer := found.hammered(one):
            ends = f", hammered: {hammer.who}, #{hammer.post}"
        elif one.until is not None:
            ends = f", until {_clocks(one.until, found.zone)}, {time_left(one.until, found.at)}"
        else:
            ends = ", paused" if one.stopped else ", no deadline"
        lines.append(f"Open: {one.window.title} ({one.window.kind}){ends}.")
        if one.absent:
            lines.append(f"  Waiting for: {', '.join(found.shown[slot] for slot in one.absent)}.")
        for slot in one.slots:
            lines += [
                f"  Refused: {found.shown[slot.slot]}: “{line}” ({why.text})." for line, why in slot.refused
            ]
    if not found.windows:
        won = f" Winner: {found.winner}." if found.winner else ""
        lines.append(f"The game is over.{won}" if found.is_over else "Nothing is open.")
    lines += ["", f"Alive ({len(found.alive)}): {', '.join(found.alive) or 'nobody'}."]
    if found.dead:
        lines.append(
            f"Dead ({len(found.dead)}): {', '.join(f'{one.name} ({one.how})' for one in found.dead)}."
        )
    if found.silent:
        lines.append(f"Due a prod: {', '.join(found.silent)}.")
    if found.questions:
        lines += ["", f"Votes that need your decision ({len(found.questions)}):"]
        lines += [f"  {in_commands(question)}" for question in found.questions]
    waiting = [f"{found.batch_words[kind]} ({count})" for kind, count in found.unsent.items()]
    if found.posted or found.void or waiting:
        lines.append("")
    if found.posted:
        lines.append(f"Posted: {', '.join(map(post_words, found.posted))}.")
    if found.void:
        lines.append(f"No longer valid (tell your players): {', '.join(map(post_words, found.void))}.")
    if waiting:
        lines.append(f"PMs not sent: {', '.join(waiting)}.")
    lines += ["", "Next:", *due_lines(found.next)]
    return "\n".join(fill(line, WIDTH, subsequent_indent="  ") if line.strip() else line for line in lines)


def due_lines(found: Sequence[Due]) -> Iterator[str]:
    """Each command that comes next; where that does not tell enough, a line before it says what it is."""
    for one in found:
        if one.needs_words:
            yield f"  {in_commands(one.what)}."
        yield f"  {'  ' * one.needs_words}{command(one.way)}"
    if not found:
        yield "  Nothing is due."


def _clocks(instant: datetime, game: ZoneInfo) -> str:
    """“21 Nov 22:36 CET = 21 Nov 21:36 UTC”: by the game's clock, UTC and that of this machine."""
    return " = ".join(dict.fromkeys(short_time(instant.astimezone(zone)) for zone in (game, UTC, None)))


def missing_text(found: Missing) -> str:
    """Whose message is awaited in each open window, with the time left and the default."""
    from knightfall.services.window.waiting import time_left

    lines = list[str]()
    for one in found.windows:
        ends = ", paused" if one.stopped else ""
        if one.until is not None and not one.stopped:
            ends = f", until {_clocks(one.until, found.zone)}, {time_left(one.until, found.at)}"
        absent = ", ".join(found.shown[slot] for slot in one.absent)
        waits = f"Missing: {absent}" if absent else "Nobody is missing"
        refused = [
            f"  {found.shown[slot.slot]}: refused: “{line}”: {why.text}"
            for slot in one.slots
            for line, why in slot.refused
        ]
        default = f". If nothing is sent: {one.default}" if one.absent and one.default else ""
        lines += [f"{one.window.title} ({one.window.kind}{ends}). {waits}{default}.", *refused]
    for late in found.late:
        times = sent_words(late.sent, late.entered, lambda at: short_time(at.astimezone(found.zone)))
        lines.append(f"  {late.name}: sent {times} (entry {late.entry}).")
    return "\n".join(lines) or "The game is over."


def intake_summary(intake: Intake) -> str:
    """“3 recorded, 1 too late, 4 without a command (-v lists what was skipped).”"""
    from knightfall.services.window.inbox import counts_words, is_skipped

    told = counts_words(intake)
    if not told:
        return "No messages were found."
    hidden = " (-v lists what was skipped)" if any(map(is_skipped, intake.cases)) else ""
    return f"{told}{hidden}.{' Nothing was written.' if intake.dry else ''}"
