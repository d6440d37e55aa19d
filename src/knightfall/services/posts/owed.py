"""The texts for everybody that an entry of the journal owes: what they are, what they say, which are missing.

A text is written behind its entry: a program that ends between the two leaves an entry without its text. Who
writes them and who looks for them ask the same functions, so that what is missing can be written again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from knightfall.audience import secret_where
from knightfall.engine.entries import Away, Removed, Replaced, Revived, Started
from knightfall.engine.game import Event, Noted, Told, announced
from knightfall.engine.journal import Journal, Record, adopted_until, entry_of, standing
from knightfall.engine.json_text import JsonAnswer
from knightfall.services.boards import draw_for_post
from knightfall.services.deal import parse_proof, tell_commitment
from knightfall.services.guard import released
from knightfall.services.heads import lined
from knightfall.services.now import Now, now_of
from knightfall.services.pms import RECEIPT
from knightfall.services.posts.people import announcement, called, told_by_the_game
from knightfall.services.publish import PRIVATE_FOLDER, file_names, safe_name
from knightfall.services.running import COMMITMENT_FILE, MODERATOR, RunningGame, behind
from knightfall.services.session import DEAL_FILE, Session, in_turn, journal_of, read_text
from knightfall.services.window.receipts import outcome_of
from knightfall.services.window.turns import dialect_here
from knightfall.storage.drafts import PUBLIC, write_draft
from knightfall.writeups.render import render

V_LA = "v_la"
_NOT_PUBLIC = secret_where(lambda one: one.half != PUBLIC)
_TEXT = re.compile(r"(?P<entry>[0-9]{3,})-(?:[0-9]{2}-)?(?P<kind>.+)\.txt")
"""The file of a text for everybody: `004-02-dawn.txt` where a game made it, else `005-removal.txt`."""


@dataclass(frozen=True, slots=True, repr=False)
class OwedText(JsonAnswer):
    """A text that an entry owes, by the half of the folder and the kind that its file is called after: of a
    private one with the slot, such as `role_pm-Ada`."""

    entry: int
    kind: str = field(metadata=_NOT_PUBLIC)
    half: str = PUBLIC


def owed_texts(journal: Journal, table: RunningGame | None) -> Iterator[OwedText]:
    """What every entry that stands owes, oldest first; `table`: the game begun by this journal, if any. No
    receipt is owed: it tells what stood when it was sent."""
    led: dict[int, list[str]] = {}
    private: dict[int, list[str]] = {}
    for taken in table.replay.taken if table else ():
        led.setdefault(taken.number, []).extend(event.kind for event in announced(taken.events))
        private.setdefault(taken.number, []).extend(_private_kinds(taken.events))
    refused = {taken.number for taken in table.replay.taken if taken.refused} if table else set()
    told = adopted_until(journal)  # up to here another moderator told it
    for record in (one for one in standing(journal) if one.number > told):
        kinds = led.get(record.number, [])
        yield from (OwedText(record.number, kind) for kind in kinds)
        for kind in private.get(record.number, ()):
            yield OwedText(record.number, kind, PRIVATE_FOLDER)
        if record.number not in refused:
            yield from (OwedText(record.number, kind) for kind in _own(record, tuple(kinds)))


def _private_kinds(events: Iterable[Event]) -> Iterator[str]:
    """What the files of the private texts of events are called after, by slots."""
    for event in events:
        match event:
            case Told(slots=slots, kind=kind) if kind != RECEIPT:
                yield from (f"{kind}-{safe_name(slot)}" for slot in slots)
            case Noted(kind=kind):
                yield f"{kind}-{MODERATOR}"


def _own(record: Record, kinds: tuple[str, ...]) -> tuple[str, ...]:
    """The kinds of what an entry owes in our own words, beside what the game announced by it."""
    match record.entry:
        case Replaced() | Removed() | Revived() if not told_by_the_game(kinds):
            return (called(record.entry),)
        case Away():
            return (V_LA,)
    return ()


def own_texts(record: Record, context: Now, dialect: str) -> Mapping[str, str]:
    """The posts of an entry in our own words, by what they are called in `public/`; `context` is the game as
    the entry leaves it."""
    taken = context.table.replay.taken if context.table else ()
    events = announced(event for one in taken if one.number == record.number for event in one.events)
    found: dict[str, str] = {}
    for kind in _own(record, tuple(event.kind for event in events)):
        match record.entry:
            case Replaced() | Removed() | Revived():
                section = announcement(record.entry, record.number, context)
                text = render(section.template, section.facts, dialect)
            case Away(slot=slot, first=first, last=last):
                text = absence_text(context.holder(slot), first, last, dialect)
        found[f"{record.number:03}-{kind}"] = text
    return found


def absence_text(name: str, first: str, last: str, dialect: str) -> str:
    """The post of an announced absence, from its first day to its last (ISO dates)."""
    days = {word: f"{date.fromisoformat(day):%d %b %Y}" for word, day in (("first", first), ("last", last))}
    return render(f"any/{V_LA}", {"name": name, **days}, dialect)


def missing_texts(session: Session) -> tuple[OwedText, ...]:
    """The texts that entries owe and that are not in the folder, oldest first."""
    journal = journal_of(session)
    table = now_of(session).table
    return missing_of(journal, table, session.folder)


def missing_of(journal: Journal, table: RunningGame | None, folder: Path) -> tuple[OwedText, ...]:
    """The same of a journal that was read, and of the game that it leads to."""
    owed = Counter(owed_texts(journal, table))
    if not owed:
        return ()
    there, slots = Counter[OwedText](), _slots_by_name(journal)
    for half in (PUBLIC, PRIVATE_FOLDER):
        for found in (_TEXT.fullmatch(file.name) for file in (folder / half).glob("*.txt")):
            if found is not None:
                kind = found["kind"] if half == PUBLIC else _by_slot(found["kind"], slots)
                there[OwedText(int(found["entry"]), kind, half)] += 1
    return tuple((owed - there).elements())


def _slots_by_name(journal: Journal) -> Mapping[str, str]:
    """How files call whoever ever held a slot → how they call the slot."""
    entries = [record.entry for record in journal]
    return {safe_name(one.name): safe_name(one.slot) for one in entries if isinstance(one, Replaced)}


def _by_slot(kind: str, slots: Mapping[str, str]) -> str:
    """What the file of a private text is called after, by the slot of whose holder it is."""
    name = max((one for one in slots if kind.endswith(f"-{one}")), key=len, default="")
    return f"{kind.removesuffix(name)}{slots[name]}" if name else kind


@in_turn
def write_missing(session: Session, allow: str = "") -> tuple[Path, ...]:
    """Write the texts again that entries owe and that are not in the folder, as they were when the entries
    were written; return their files.

    Raises SecretGuard where one gives something away and `allow` has no reason: then those before it are
    written.
    """
    journal, speech, written = journal_of(session), dialect_here(None, session), list[Path]()
    table = now_of(session).table
    if table is not None and not (commitment := session.folder / COMMITMENT_FILE).exists():
        tell_commitment(session.folder, parse_proof(DEAL_FILE, read_text(session.folder / DEAL_FILE)))
        written.append(commitment)
    for number in dict.fromkeys(one.entry for one in missing_texts(session)):
        record = entry_of(journal, number)
        if table is not None and not isinstance(record.entry, Started):  # the first posts have no picture
            written += draw_for_post(behind(table, record))
        for half, name, text in texts_of_entry(record, journal, table, session, speech):
            if not (session.folder / half / name).exists():
                said = lined(released(text, session, allow), speech, session) if half == PUBLIC else text
                written.append(write_draft(session.folder, half, name, said))
    return tuple(written)


def texts_of_entry(
    record: Record, journal: Journal, table: RunningGame | None, session: Session, speech: str
) -> tuple[tuple[str, str, str], ...]:
    """Every text that an entry led to in a dialect, as the entry left the game: (half of the folder, name of
    the file, text) each. `table` is the game that the journal leads to, if one was begun."""
    texts = list[tuple[str, str, str]]()
    if table is not None:
        made = outcome_of(behind(table, record), speech).texts
        names = file_names(record.number, made)
        texts = [(text.folder, name, text.text) for text, name in zip(made, names, strict=True)]
    if _own(record, ()):
        # As the entry left the game, without what was taken back since.
        stood = tuple(one for one in standing(journal) if one.number <= record.number)
        context = now_of(session).at(stood, record.at)
        own = own_texts(record, context, speech)
        texts += [(PUBLIC, f"{name}.txt", text) for name, text in own.items()]
    return tuple(texts)
