"""Texts of what the services answer that keep track of players: sign-ups, changes of slots, PMs."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from tabulate import tabulate

from knightfall.engine.journal import Removed, Replaced
from knightfall.services.publish import PRIVATE_FOLDER
from knightfall.writeups.journal import entry_line

if TYPE_CHECKING:
    from knightfall.engine.journal import Record
    from knightfall.services.players import Absence, Prods, SlotChange
    from knightfall.services.pms import Marked, PmBatch, PmLedger, PmProgress, PmToSend
    from knightfall.services.signups import SignupsRead, SignupsWritten
    from knightfall.votes.signups import Signup

EXCERPT = 60
"""So much of an unclear post is shown."""


# ── slots ────────────────────────────────────────────────────────────────────────────────────────


def slot_change_line(change: SlotChange) -> str:
    """What became of a slot, since which post, and how that is taken back."""
    match change.record.entry:
        case Replaced(name=new):
            said = f"{new} replaces {change.name}"
        case Removed(how="modkill"):
            said = f"{change.name} is out of the game"
        case Removed():
            said = f"{change.name} is dead"
        case _:
            said = f"{change.name} lives again"
    since = f" from post {change.from_post} on" if change.from_post is not None else ""
    number = change.record.number
    return (
        f"{said}{since}, entry {number}; counts as of earlier posts stay as they were. Take it back "
        f'with: knightfall undo {number} --why "…"'
    )


def absence_line(absence: Absence) -> str:
    """Who is away when."""
    return (
        f"{absence.name} is away from {absence.first:%a %d %b} to {absence.last:%a %d %b}, entry "
        f"{absence.record.number}: no prod is due in these days."
    )


def prod_drafts_line(prods: Prods) -> str:
    """For whom reminders lie in the folder."""
    return f"Drafts as of post {prods.at}, in {PRIVATE_FOLDER}/: {', '.join(prods.names)}."


def prods_line(prods: Prods) -> str:
    """Who was prodded, by which entries."""
    if not prods.entries:
        return "Nobody was prodded yet: without --draft it counts as sent."
    numbers = ", ".join(str(record.number) for record, _ in prods.entries)
    return f"Prodded: {', '.join(prods.names)} (entry {numbers})."


# ── sign-ups ─────────────────────────────────────────────────────────────────────────────────────


def signups_line(found: SignupsRead) -> str:
    """“31 posts read. 13 in, 2 backups, 4 spectators, 1 out (Pike, #17); 0 unclear.”"""
    lists = found.lists
    out = ", ".join(f"{one.name}, #{one.post}" for one in lists.out)
    counts = (
        f"{len(lists.players)} in",
        f"{len(lists.backups)} backup{'s' * (len(lists.backups) != 1)}",
        f"{len(lists.spectators)} spectator{'s' * (len(lists.spectators) != 1)}",
        f"{len(lists.out)} out{f' ({out})' if out else ''}",
    )
    return f"{len(found.posts)} posts read. {', '.join(counts)}; {len(lists.unclear)} unclear."


def signups_text(found: SignupsRead) -> str:
    """The lists with the posts that they rest on, then what is unclear, with links."""
    lines = list[str]()
    for title, people in found.groups:
        if people:
            lines.append(f"{title} ({len(people)})")
            lines += (f"{place:3}. {one.name} {_posts_of(one, found)}" for place, one in enumerate(people, 1))
    if found.lists.unclear:
        lines.append(f"Unclear, not counted ({len(found.lists.unclear)})")
    for said in found.lists.unclear:
        text = said.text if len(said.text) <= EXCERPT else f"{said.text[: EXCERPT - 1]}…"
        lines.append(f"  #{said.post} {said.author}: “{text}”{' (edited)' * (said.post in found.edited)}")
        if url := found.posts[said.post].url:
            lines.append(f"      {url}")
    return "\n".join(lines)


def _posts_of(one: Signup, found: SignupsRead) -> str:
    """“#4 (edited; again #9; confirmed #12)”."""
    notes = ["edited"] * (one.post in found.edited) + ["decided by you"] * (one.post in found.decided)
    notes += [f"again {', '.join(f'#{post}' for post in one.again)}"] if one.again else []
    notes += [f"confirmed #{one.confirmed}"] if one.confirmed is not None else []
    return f"#{one.post}" + (f" ({'; '.join(notes)})" if notes else "")


def signups_written_lines(written: SignupsWritten) -> Iterator[str]:
    """What was written into the game's folder, or how its player list differs."""
    if written.listed:
        yield f"{written.file} lists players already: it stays as it is."
        yield f"Signed up and not in it: {', '.join(written.missing) or 'nobody'}."
        yield f"In it and not signed up: {', '.join(written.extra) or 'nobody'}."
    elif written.names:
        yield f"{len(written.names)} player{'s' * (len(written.names) != 1)} written into {written.file}."
    yield f"The list to post is in {written.post}."


def signup_decision_line(record: Record) -> str:
    """What a post of the sign-up thread means by now."""
    undo = f'knightfall undo {record.number} --why "…"'
    return f"{record.number}: {entry_line(record.entry)}. Take it back: {undo}"


# ── PMs ──────────────────────────────────────────────────────────────────────────────────────────


def pm_ledger_lines(found: PmLedger) -> Iterator[str]:
    """A batch as a table, under a line that sums it up."""
    batch, stands = found.batch, [row.progress for row in found.rows]
    counts = [
        f"{sum(one.reached(state) for one in stands)} {state}" for state in ("copied", "sent", "confirmed")
    ]
    yield f"{batch.kind}: {len(stands)} PM{'s' * (len(stands) != 1)}; {', '.join(counts)}."
    yield f"Subject: {batch.subject}"
    rows = [
        (f"{row.name} ({row.kind})" if row.kind else row.name, *_progress_cells(row.progress, found.at))
        for row in (*found.rows, *found.earlier)
    ]
    if rows:
        yield tabulate(rows, ("to", "state", "since"), disable_numparse=True)


def _progress_cells(progress: PmProgress, now: datetime) -> tuple[str, str]:
    """How far a PM has come, in words, and since when."""
    if not progress.state:
        state = "changed since it was sent" if progress.other else "–"
    else:
        words = {"copied": "copied, not marked as sent", "sent": "sent, not confirmed"}
        state = words.get(progress.state, progress.state)
    if progress.since is None:
        return state, ""
    since = f"{progress.since:%d %b %H:%M UTC}"
    age = int((now - progress.since).total_seconds() // 3600)
    return state, since if progress.state == "confirmed" else f"{since} ({age} h)"


def pm_ledger_remarks(found: PmLedger) -> Iterator[str]:
    """What the moderator should look at beside the ledger, and what to type next."""
    yield from length_warning(found.batch)
    copied = sorted(row.name for row in found.rows if row.progress.state == "copied")
    if copied:
        yield f"Copied and not marked as sent: {', '.join(copied)}. knightfall pm mark sent NAME…"
    if not all(row.progress.state for row in found.rows):
        yield f"The next one: knightfall pm {found.batch.kind.partition('-')[0]}s --copy-next"
    for kind, count in found.elsewhere:
        yield f"{kind}: {count} not copied. knightfall pm {kind.partition('-')[0]}s --batch {kind}"


def length_warning(batch: PmBatch) -> Iterator[str]:
    """A warning where role PMs are so unlike in length that their sizes tell roles."""
    lengths, most = [len(pm.plain) for pm in batch.pms if pm.event.kind == "role_pm"], 2.0
    if lengths and max(lengths) > most * min(lengths):
        yield (
            f"These role PMs have {min(lengths)} to {max(lengths)} characters, which differ by more than a "
            f"factor of {most:g}: who sees their sizes can tell roles. Pad the short ones."
        )


def marked_line(marked: Marked) -> str:
    """Of which PMs the state was noted."""
    return f"{marked.state.capitalize()}: {', '.join(f'{slot} ({kind})' for slot, kind in marked.pms)}."


def pms_text(pms: tuple[PmToSend, ...]) -> str:
    """PMs in full, each under its recipient and subject."""
    return "\n\n".join(
        f"{one.pm.kind} → {one.pm.holder}\nSubject: {one.batch.subject}\n\n{one.text}" for one in pms
    )
