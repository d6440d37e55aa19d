"""The PMs a moderator owes: batches in an order that tells nothing, how far each has come."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from itertools import groupby
from typing import Any, TypeAlias
from zoneinfo import ZoneInfo

from knightfall.audience import SECRET, Audience
from knightfall.config.setup import Setup
from knightfall.engine.entries import (
    Closed,
    Delivered,
    Entry,
    Prodded,
    Removed,
    Replaced,
    Revived,
    Ruled,
    Started,
    Submitted,
)
from knightfall.engine.game import Told, told
from knightfall.engine.journal import Journal, Record, adopted_until, entry_of, standing, start_of
from knightfall.engine.json_text import JsonAnswer, plain_value
from knightfall.engine.replay import Taken
from knightfall.engine.rng import SeededRng
from knightfall.errors import DecisionNeeded, InputError
from knightfall.models import Roster
from knightfall.names import slot_named
from knightfall.sentence import SlotId, Way, sentence
from knightfall.services.fair_deal import cards_of_fair_deal
from knightfall.services.now import now_of
from knightfall.services.publish import PRIVATE_FOLDER, safe_name
from knightfall.services.running import (
    RunningGame,
    begun,
    closings,
    holders,
    shown,
    slot_meant,
    text_zone,
    told_to,
)
from knightfall.services.session import Session, entered, entered_once, in_turn, journal_of
from knightfall.services.threads import is_rich, speech_of
from knightfall.writeups.events import private_message
from knightfall.writeups.journal import batch_words, window_words

ROLE, RESULT, PROD = "role", "result", "prod"
"""The families of PMs; a batch is called `role-1`, `result-2`."""
ROLE_PM, RECEIPT = "role_pm", "receipt"
STATES = ("copied", "sent", "confirmed")
"""How far a PM has come, in their order: each includes the ones before."""
REPLACES = "This replaces what I sent you before ({})."
"""The first line of a PM in whose place another one was sent."""
MARKS = STATES[1:]
"""The states that the moderator notes by hand."""
NOWHERE = sentence("PMs belong to a game: {in_game}.", in_game=Way("in_game"))


class NoSuchPm(InputError):
    """There is no such PM: the message says whose and which there are."""

    secret = True


class SameText(DecisionNeeded):
    """The very same text went to somebody else: the message says to whom."""

    secret = True


@dataclass(frozen=True, slots=True)
class Pm:
    """A PM of a batch to a slot, and who holds that now.

    `event` is what is told, in the words of the templates of `game`; `plain` is its text without markup, by
    which the same text is known again.
    """

    kind: str
    slot: SlotId
    holder: str
    game: str
    event: Told = field(metadata=SECRET)
    plain: str = field(metadata=SECRET)
    entry: int = 0
    """The entry that led to it."""
    zone: ZoneInfo | None = None
    """By which its deadlines are told; its digest knows of none."""
    checks: tuple[str, ...] = field(default=(), metadata=SECRET)
    """What opens the card that it tells."""

    @property
    def room(self) -> tuple[SlotId, ...]:
        """All slots that it is told to."""
        return self.event.slots

    @property
    def sha256(self) -> str:
        """The digest of its plain text, as the ledger keeps it."""
        return sha256(self.plain.encode()).hexdigest()

    def text(self, dialect: str) -> str:
        """As it is pasted."""
        return private_message(self.game, self.event, dialect, self.zone, self.checks)


@dataclass(frozen=True, slots=True, repr=False)
class PmBatch(JsonAnswer):
    """PMs that belong together, in the order in which they are sent; `subject` is the same for all, and
    `words` say which they are: “results of night 1”. Of a batch that every slot has a PM of everybody may
    know; of any other one whose PMs they are, how many, and that there are any is for the moderator."""

    kind: str
    subject: str
    pms: tuple[Pm, ...]
    words: str = ""
    audience: Audience = Audience.MODERATOR

    def to_dict(self) -> dict[str, Any]:
        """{batch: its kind, subject, words, to: [names, in the order of sending]}; no text of a PM."""
        return {
            "batch": self.kind,
            "subject": self.subject,
            "words": self.words,
            "to": [pm.holder for pm in self.pms],
        }

    @property
    def title(self) -> str:
        """“Results of night 1”, at the beginning of a line."""
        return self.words[:1].upper() + self.words[1:]


def batches(table: RunningGame, family: str, title: str) -> tuple[PmBatch, ...]:
    """The batches of a family, oldest first. The same text twice to the same slot in one batch is one PM.

    Whoever holds a slot now is owed all of its PMs under their own name. Everybody else is called as they
    were when it was told, or when the slot changed hands: what was sent once does not change any more.
    """
    written, game = standing(table.journal), table.game.spec.id
    # The game file is read once for all of them.
    zone, cards = text_zone(table), cards_of_fair_deal(table.folder)
    dealt = next((one.number for one in written if isinstance(one.entry, Started)), 0)
    held, since = holders(written), _held_since(written)
    found = []
    for kind, words, about, events in _role_batches(table) if family == ROLE else _result_batches(table):
        pms: dict[tuple[SlotId, str], Pm] = {}
        for number, event in events:
            for slot in event.slots:
                known = max(number, since.get(slot, 0))
                then = holders(tuple(r for r in written if r.number <= known)) if held else {}
                own = told_to(event, slot, then)
                # The first PM of the deal to a slot opens its card.
                first = family == ROLE and number == dealt and not any(slot == one for one, _ in pms)
                checks = (cards.line(slot),) if cards is not None and first and slot in cards.cards else ()
                plain, holder = private_message(game, own, checks=checks), held.get(slot, slot)
                pm = Pm(kind, slot, holder, game, own, plain, number, zone, checks)
                pms[slot, pm.sha256] = pm
        if events:
            sent = shuffled(tuple(pms.values()), table.seed)
            to_all = family == ROLE and _goes_to_all(sent, table)
            audience = Audience.EVERYBODY if to_all else Audience.MODERATOR
            found.append(PmBatch(kind, f"{title} – {about}", sent, words, audience))
    return tuple(found)


def _goes_to_all(pms: tuple[Pm, ...], table: RunningGame) -> bool:
    """Whether each slot of the game has one of these PMs, and none has two."""
    started = start_of(table.journal)
    return started is not None and sorted(pm.slot for pm in pms) == sorted(started.slots)


def batches_for(slot: SlotId, table: RunningGame, title: str) -> tuple[PmBatch, ...]:
    """The batches that hold a PM for the slot, newest first; of the same entry results before roles."""
    both = (*reversed(batches(table, RESULT, title)), *reversed(batches(table, ROLE, title)))
    told_at = {
        batch.kind: max((pm.entry for pm in batch.pms if pm.slot == slot), default=0) for batch in both
    }
    own = (batch for batch in both if told_at[batch.kind])
    return tuple(sorted(own, key=lambda batch: told_at[batch.kind], reverse=True))


def shuffled(pms: tuple[Pm, ...], seed: bytes) -> tuple[Pm, ...]:
    """The PMs in an order that only who knows the seed can know.

    Each has its own place by its own draw, so that one more moves no other.
    """
    draw = SeededRng(seed).at("letters")
    span = range(1 << 62)
    return tuple(sorted(pms, key=lambda pm: draw.choice(f"{pm.kind}:{pm.slot}:{pm.sha256}", span)))


def _role_batches(table: RunningGame) -> Iterator[tuple[str, str, str, list[tuple[int, Told]]]]:
    """Kind, words, subject and events (each with its entry) of the role PMs at the start, and whenever roles
    were dealt again."""
    roles = (one for one in _told(table) if _is_role(*one, table))
    batched = groupby(roles, key=lambda one: one[1] if one[0] else 0)
    for place, (_, told_then) in enumerate(batched, start=1):
        kind = f"{ROLE}-{place}"
        yield kind, batch_words(kind), "your role", [(number, event) for _, number, event in told_then]


def _result_batches(table: RunningGame) -> Iterator[tuple[str, str, str, list[tuple[int, Told]]]]:
    """Kind, words, subject and events (each with its entry) of what was told since each closing.

    They are numbered by its night or turn, else by the closing entry (0: nothing was closed yet).
    """
    results = (one for one in _told(table) if not _is_role(*one, table))
    for part, told_then in groupby(results, key=lambda one: one[0]):
        events = [(entry, event) for _, entry, event in told_then]
        period = next((event.facts.period for _, event in events if event.facts.period), None)
        if period is None:
            kind = f"{RESULT}-e{part}"
            yield kind, _since_words(part, table) or batch_words(kind), "your results", events
        else:
            word, number = period
            about = f"{word} {number}"
            yield f"{RESULT}-{number}", f"results of {about}", f"your results, {about}", events


def _since_words(closing: int, table: RunningGame) -> str:
    """What was told since a closing: “results after vote 2”; "" where nothing was closed yet."""
    entries = {one.number: one.entry for one in closings(table) if one.number <= closing}
    windows = [one.window for one in entries.values() if isinstance(one, Closed)]
    if closing not in entries:
        return ""
    return f"results after {window_words(windows[-1])} {windows.count(windows[-1])}"


def _is_role(part: int, entry: int, event: Told, table: RunningGame) -> bool:
    """Whether it belongs to the role PMs: told when the game began, or a role that was dealt again."""
    begins = part == 0 and isinstance(entry_of(table.journal, entry).entry, Started)
    return begins or event.kind == ROLE_PM


def _told(table: RunningGame) -> Iterator[tuple[int, int, Told]]:
    """Everything that was told and answers no message, each behind two entries: the one that closed something
    last before it (0: none), and its own."""
    entries = {record.number: record.entry for record in table.journal}
    closed = 0
    for number, group in groupby(table.replay.taken, key=lambda one: one.number):
        taken = tuple(group)
        closed = number if _closes(entries[number], taken) else closed
        for event in (event for one in taken for event in told(one.events)):
            if event.kind != RECEIPT and not event.facts.answers:
                yield closed, number, event


def _closes(entry: Entry, taken: tuple[Taken, ...]) -> bool:
    """Whether a window was closed: by the entry, or because its time was up before it."""
    if isinstance(entry, Closed):
        return not taken[-1].refused
    # The last of what these entries led to is their own; what came before it are windows that ran out.
    own = isinstance(entry, Started | Submitted | Removed | Revived)
    return any(not one.refused for one in (taken[:-1] if own else taken))


@dataclass(frozen=True, slots=True, repr=False)
class PmProgress(JsonAnswer):
    """How far a PM has come, by which entry; `state` "" where nothing was done.

    `other`: how far an earlier text of the batch came, which says something else: `copied`, `sent` (or
    confirmed), "" where there was none.
    """

    state: str = ""
    since: datetime | None = None
    entry: int = 0
    other: str = ""

    def reached(self, state: str) -> bool:
        """Whether it has come so far."""
        return bool(self.state) and STATES.index(self.state) >= STATES.index(state)


def _held_since(journal: Journal) -> dict[SlotId, int]:
    """Slot → the entry by which its holder came, of those that changed hands."""
    return {r.entry.slot: r.number for r in standing(journal) if isinstance(r.entry, Replaced)}


def told_elsewhere(journal: Journal) -> frozenset[SlotId]:
    """The slots whose holders know their roles from another moderator: all who had them when a game was taken
    in."""
    bound = adopted_until(journal)
    started = start_of(journal) if bound else None
    since = _held_since(journal)
    return frozenset(slot for slot in (started.slots if started else ()) if since.get(slot, 0) <= bound)


Noted: TypeAlias = tuple[tuple[Record, Delivered], ...]
"""All that is noted of PMs to those who hold their slots now."""


def delivered(journal: Journal) -> Noted:
    """All that a journal notes of PMs to those who hold their slots now."""
    since = _held_since(journal)
    return tuple(
        (record, record.entry)
        for record in standing(journal)
        if isinstance(record.entry, Delivered) and record.number > since.get(record.entry.slot, 0)
    )


def progress_of(
    kind: str, slot: SlotId, digest: str, noted: Noted, beside: Collection[str] = ()
) -> PmProgress:
    """How far the PM of that text has come; `beside` are the digests of what stands in that batch with it."""
    of_slot = [pair for pair in noted if (pair[1].kind, pair[1].slot) == (kind, slot)]
    own = [pair for pair in of_slot if pair[1].sha256 == digest]
    if not own:
        of_slot = [pair for pair in of_slot if pair[1].sha256 not in beside]
        sent = any(entry.state in MARKS for _, entry in of_slot)
        return PmProgress(other="sent" if sent else "copied" if of_slot else "")
    record, entry = max(own, key=lambda pair: STATES.index(pair[1].state))
    return PmProgress(entry.state, record.at, record.number)


def _progress(pm: Pm, batch: PmBatch, noted: Noted) -> PmProgress:
    """How far a PM of a batch has come."""
    beside = {one.sha256 for one in batch.pms if one.slot == pm.slot}
    return progress_of(pm.kind, pm.slot, pm.sha256, noted, beside)


def _text_of(pm: Pm, batch: PmBatch, noted: Noted, writer: str) -> str:
    """A PM as it is pasted, which says so where it replaces one that was sent."""
    text = pm.text(writer)
    replaces = _progress(pm, batch, noted).other == MARKS[0]
    return f"{REPLACES.format(batch.words)}\n\n{text}" if replaces else text


@dataclass(frozen=True, slots=True, repr=False)
class Marked(JsonAnswer):
    """What was noted: the state, and each player with the words for the batch that was meant."""

    state: str
    pms: tuple[tuple[str, str], ...]


@in_turn
def note(kind: str, slot: SlotId, state: str, digest: str, session: Session) -> None:
    """Writes how far a PM has come; a prod that was sent counts as one from now on, if it did not before."""
    entered_once(Delivered(kind, slot, state, digest), session, NOWHERE)
    family, _, number = kind.partition("-")
    if state == "sent" and family == PROD:
        records = standing(journal_of(session))
        prods = sum(isinstance(record.entry, Prodded) and record.entry.slot == slot for record in records)
        if prods < int(number):
            entered(Prodded(slot), session, NOWHERE)


@in_turn
def mark(state: str, names: tuple[str, ...], batch: str | None, session: Session) -> Marked:
    """Note the state for all who are named, or for nobody.

    Of each, the batch that is named is meant; else the newest with a PM for them, which is the one that `pm
    show` shows, unless another one was copied since and is not marked so far. A prod may have been sent by
    its draft. Raises InputError for a state, a name or a batch that cannot be.
    """
    if state not in MARKS:
        raise InputError(f"mark {state}: expected {' or '.join(MARKS)}.")
    journal, held = journal_of(session), holders(journal_of(session))
    due = []
    for slot in dict.fromkeys(recipient(name, session) for name in names):
        found = batches_for(slot, now_of(session).running, "") if begun(journal) else ()
        pms = [pm for one in found for pm in one.pms if pm.slot == slot]
        noted = [(record.number, entry) for record, entry in delivered(journal) if entry.slot == slot]
        kind = batch or (pms[0].kind if pms else noted[-1][1].kind if noted else "")

        # Copied since: who has a clipboard means that one, until it is marked.
        newest = pms[0].entry if pms else 0
        copied = [e for number, e in noted if e.state == "copied" and number > newest]
        if batch is None and copied:
            last = copied[-1]
            marked = {e.state for _, e in noted if (e.kind, e.sha256) == (last.kind, last.sha256)}
            if not pms or not marked & set(STATES[STATES.index(state) :]):
                kind = last.kind

        # Every text of that batch for them; a prod that nobody copied is known by its draft alone.
        texts = [pm.sha256 for pm in pms if pm.kind == kind]
        texts += [entry.sha256 for _, entry in noted if entry.kind == kind]
        draft = session.folder / PRIVATE_FOLDER / f"{kind}-{safe_name(slot)}.txt"
        if not texts and kind.startswith(f"{PROD}-") and draft.exists():
            texts = [sha256(draft.read_bytes()).hexdigest()]
        if not texts:
            which = f" of {batch}" if batch else ""
            raise NoSuchPm(f"There is no PM{which} for {shown(slot, held)}, so nothing was marked.")
        words = next((one.words for one in found if one.kind == kind), batch_words(kind))
        due.append((slot, kind, words, tuple(dict.fromkeys(texts))))
    for slot, kind, digest in ((slot, kind, digest) for slot, kind, _, digests in due for digest in digests):
        # What has come so far already is not noted again; what is confirmed was sent.
        known = {e.state for _, e in delivered(journal) if (e.kind, e.slot, e.sha256) == (kind, slot, digest)}
        for step in MARKS[: MARKS.index(state) + 1]:
            if not known & set(STATES[STATES.index(step) :]):
                note(kind, slot, step, digest, session)
    return Marked(state, tuple((held.get(slot, slot), words) for slot, _, words, _ in due))


def recipient(name: str, session: Session) -> SlotId:
    """The slot that a name means: by the game's own matching where one was begun, else by the player list.

    Raises InputError where it means nobody, or two.
    """
    if begun(journal_of(session)):
        slot = slot_meant(now_of(session).running, name)
        if slot is None:
            raise InputError("PMs go to players, not to the moderator. Name players.")
        return slot
    return listed_slot(name, now_of(session).setup, session)


def listed_slot(name: str, setup: Setup, session: Session) -> SlotId:
    """The slot of that name or alias where no game was begun. Raises InputError for a name of nobody."""
    # Without a thread the player list knows of nobody who came.
    came = holders(journal_of(session)).items()
    known = next((slot for slot, now in came if now.casefold() == name.strip().casefold()), None)
    if known is not None:
        return known
    roster = setup.roster
    for slot, alias in setup.aliases:
        roster = roster and roster.with_alias(slot, alias)
    return slot_id(slot_named(name, roster), roster)


def slot_id(name: str, roster: Roster | None) -> SlotId:
    """The slot that somebody holds, by the name of its first holder."""
    slot = roster.slot_of(name) if roster else None
    return SlotId(slot.holders[0].name if slot else name)


@dataclass(frozen=True, slots=True, repr=False)
class LedgerRow(JsonAnswer):
    """One PM of a batch by its recipient; `kind` says under which name it was sent where that was earlier."""

    name: str
    progress: PmProgress
    kind: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class PmLedger(JsonAnswer):
    """How far each PM of a batch has come as of `at`, in the order of the alphabet.

    `earlier` was sent under the same name and is not due any more: prods, which are due but once.
    `elsewhere` are other batches with how many PMs that nobody copied.
    """

    batch: PmBatch
    at: datetime
    rows: tuple[LedgerRow, ...]
    earlier: tuple[LedgerRow, ...] = field(metadata=SECRET)
    elsewhere: tuple[tuple[PmBatch, int], ...] = field(metadata=SECRET)

    def to_dict(self) -> dict[str, Any]:
        """{at, batch, subject, words, to as of a batch, pms: [{name, state, since, entry, batch}], earlier:
        [the same], elsewhere: [{batch, left}]}; no text of a PM."""

        def row_of(row: LedgerRow) -> dict[str, Any]:
            progress = row.progress
            since, entry = plain_value(progress.since), progress.entry
            return {
                "name": row.name,
                "state": progress.state,
                "since": since,
                "entry": entry,
                "batch": row.kind or self.batch.kind,
            }

        return {
            "at": plain_value(self.at),
            **self.batch.to_dict(),
            "pms": [row_of(row) for row in self.rows],
            "earlier": [row_of(row) for row in self.earlier],
            "elsewhere": [{"batch": batch.kind, "left": left} for batch, left in self.elsewhere],
        }


@dataclass(frozen=True, slots=True, repr=False)
class PmToSend(JsonAnswer):
    """A PM as it goes to its player.

    `text` is in the dialect of the site, `rich` where that is no markup; `first`: no PM of its batch was
    copied before.
    """

    pm: Pm
    batch: PmBatch
    text: str = field(metadata=SECRET)
    rich: bool
    first: bool

    def __repr__(self) -> str:
        return f"PmToSend({self.pm.holder}, {self.pm.kind})"

    def to_dict(self) -> dict[str, Any]:
        """{to: who gets it, slot, batch, subject, text, rich}."""
        return {
            "to": self.pm.holder,
            "slot": str(self.pm.slot),
            "batch": self.pm.kind,
            "subject": self.batch.subject,
            "text": self.text,
            "rich": self.rich,
        }


def known_batches(family: str, session: Session) -> tuple[PmBatch, ...]:
    """The batches of the game's roles or results. Raises InputError where there are none yet."""
    table = now_of(session).running
    found = batches(table, family, now_of(session).title)
    if found:
        return found
    game = table.game.spec.name
    raise NoSuchPm(
        f"{game} has no secrets for players at its start, so there are no role PMs to send."
        if family == ROLE
        else f"There are no results in {game}: nothing that was closed gave a player private information."
    )


def chosen(found: tuple[PmBatch, ...], kind: str | None) -> PmBatch:
    """The batch of that name, else the latest. Raises InputError that names those there are."""
    if kind is None:
        return found[-1]
    match = next((batch for batch in found if batch.kind == kind), None)
    if match is None:
        known = ", ".join(f"{one.kind} ({one.words})" for one in found)
        raise NoSuchPm(f"There is no batch “{kind}”. Batches: {known}.")
    return match


def ledger(batch: PmBatch, others: tuple[PmBatch, ...], session: Session) -> PmLedger:
    """How far each PM of a batch has come, and which other batches are not all copied."""
    noted = delivered(journal_of(session))
    rows = tuple(
        LedgerRow(pm.holder, _progress(pm, batch, noted))
        for pm in sorted(batch.pms, key=lambda one: one.holder.casefold())
    )
    due = {(pm.kind, pm.slot, pm.sha256) for pm in batch.pms}
    sent = (entry for _, entry in noted if entry.kind.startswith(f"{batch.kind}-"))
    earlier = tuple(
        LedgerRow(entry.slot, progress_of(*key, noted), entry.kind)
        for key, entry in {(e.kind, e.slot, e.sha256): e for e in sent}.items()
        if key not in due
    )
    left = ((other, sum(not done for done in _copied(other, noted))) for other in others)
    elsewhere = tuple((other, count) for other, count in left if other.kind != batch.kind and count)
    return PmLedger(batch, session.clock.now(), rows, earlier, elsewhere)


@in_turn
def next_pm(
    batch: PmBatch, whose: str | None, dialect: str | None, same_text: str, session: Session
) -> PmToSend | None:
    """The next PM that was not copied, or that of the player who is named; None where all were copied.

    Raises InputError where there is no such PM, DecisionNeeded where the very same text went to somebody else
    and `same_text` gives no reason for it; the reason is kept as a ruling.
    """
    noted = delivered(journal_of(session))
    copied = _copied(batch, noted)
    waiting = [pm for pm, done in zip(batch.pms, copied, strict=True) if not done]
    if whose is None:
        pm = waiting[0] if waiting else None
    else:
        own = pms_of(batch, whose, session)
        pm = next((one for one in own if one in waiting), own[0])
    if pm is None:
        return None
    _refuse_second_reader(pm, same_text, session)
    writer = speech_of(dialect, now_of(session).file, session)
    return PmToSend(pm, batch, _text_of(pm, batch, noted, writer), is_rich(writer), not any(copied))


def _refuse_second_reader(pm: Pm, same_text: str, session: Session) -> None:
    """Raise SameText where the very same text went to somebody else and `same_text` gives no reason for it;
    the reason is kept as a ruling."""
    # No text goes to a second player unless it is told to both, or the moderator says why.
    same = (pair for pair in delivered(journal_of(session)) if pair[1].sha256 == pm.sha256)
    twin = next((pair for pair in same if pair[1].slot not in pm.room), None)
    if twin is not None:
        record, entry = twin
        if not same_text.strip():
            raise SameText(
                sentence(
                    "Not copied: this exact text was {state} for {slot} already ({kind}, entry {entry}).\n"
                    "Look at both: {own}, {other}.\n"
                    "If entry {entry} is wrong: {undo}; if both are right: {same}.",
                    state=entry.state,
                    slot=entry.slot,
                    kind=entry.kind,
                    entry=record.number,
                    own=Way("show_pm", slot=pm.holder),
                    other=Way("show_pm", slot=entry.slot),
                    undo=Way("undo", entry=record.number),
                    same=Way("field", name="same_text", value="…"),
                )
            )
        question = f"May the text of {entry.kind} for {entry.slot} go to {pm.slot}, too?"
        entered_once(Ruled(question, "yes", same_text.strip()), session, NOWHERE)


@dataclass(frozen=True, slots=True)
class PmAtHand:
    """The PM of a batch with which the moderator goes on, and how far it has come (a state of `STATES`, ""
    for nothing yet)."""

    sending: PmToSend
    state: str


@dataclass(frozen=True, slots=True)
class PmQueue:
    """The PMs of a family as the moderator goes through them: the batches that there are, the one that was
    chosen, how far each of its PMs has come, and the one that is next (None: all were sent)."""

    batches: tuple[PmBatch, ...]
    batch: PmBatch
    ledger: PmLedger
    at_hand: PmAtHand | None


def batches_seen(family: str, reader: Audience, session: Session) -> tuple[PmBatch, ...]:
    """The batches of a family of which such a reader may know, oldest first; none where no game was begun."""
    if not begun(journal_of(session)):
        return ()
    table = now_of(session).running
    found = batches(table, family, now_of(session).title)
    return tuple(one for one in found if reader.sees(one.audience))


def pm_queue(
    family: str, kind: str | None, whose: str | None, reader: Audience, session: Session
) -> PmQueue | None:
    """The queue of a batch, the latest where none is named; of one player's PMs where somebody is named; None
    where there is none that such a reader may know of.

    Raises NoSuchPm for a batch that there is not.
    """
    known = batches_seen(family, reader, session)
    if not known or (reader is not Audience.MODERATOR and kind not in (None, *(one.kind for one in known))):
        return None
    batch = chosen(known, kind)
    held = ledger(batch, known, session)
    at_hand = pm_at_hand(batch, whose, session)
    return PmQueue(known, batch, held, at_hand)


def pm_at_hand(batch: PmBatch, whose: str | None, session: Session) -> PmAtHand | None:
    """The PM of a batch that comes next: one that was copied and not sent, else the first that was not
    copied; where somebody is named, theirs. None where all were sent; nothing is noted."""
    noted = delivered(journal_of(session))
    stands = [(pm, progress_of(pm.kind, pm.slot, pm.sha256, noted).state) for pm in batch.pms]
    meant = stands
    if whose is not None:
        slot = recipient(whose, session)
        meant = [one for one in stands if one[0].slot == slot]
    copied = [one for one in meant if one[1] == "copied"]
    waiting = copied or [one for one in meant if not one[1]] or (meant if whose is not None else [])
    if not waiting:
        return None
    pm, state = waiting[0]
    writer = speech_of(None, now_of(session).file, session)
    first = not any(told for _, told in stands)
    text = _text_of(pm, batch, noted, writer)
    return PmAtHand(PmToSend(pm, batch, text, is_rich(writer), first), state)


@in_turn
def send_pm(batch: PmBatch, whose: str, same_text: str, session: Session) -> None:
    """Note that the PM of a player which is at hand was sent.

    Raises NoSuchPm where nothing of the batch is for them, SameText as `next_pm` does.
    """
    pms_of(batch, whose, session)
    at_hand = pm_at_hand(batch, whose, session)
    assert at_hand is not None
    _refuse_second_reader(at_hand.sending.pm, same_text, session)
    note_sent(at_hand.sending, session)


def note_copied(sending: PmToSend, session: Session) -> int:
    """Note that a PM is on the clipboard, and return how many of its batch were copied so far."""
    return _note("copied", sending, session)


def note_sent(sending: PmToSend, session: Session) -> int:
    """Note that a PM was sent, and return how many of its batch were copied so far."""
    return _note("sent", sending, session)


def _note(state: str, sending: PmToSend, session: Session) -> int:
    """Note how far a PM has come; how many of its batch were copied so far."""
    note(sending.pm.kind, sending.pm.slot, state, sending.pm.sha256, session)
    return sum(_copied(sending.batch, delivered(journal_of(session))))


def pms_of(batch: PmBatch, name: str, session: Session) -> tuple[Pm, ...]:
    """The PMs of a batch for one player. Raises InputError where nobody is meant, or nothing is for them."""
    slot = recipient(name, session)
    own = tuple(pm for pm in batch.pms if pm.slot == slot)
    if not own:
        holder = shown(slot, holders(journal_of(session)))
        raise NoSuchPm(f"There is no PM for {holder} among the {batch.words} ({batch.kind}).")
    return own


def pms_for(name: str, kind: str | None, dialect: str | None, session: Session) -> tuple[PmToSend, ...]:
    """The PMs of one player, of the latest batch that holds any for them, or of the batch that is named.

    Raises InputError where there is none.
    """
    table = now_of(session).running
    found = batches_for(recipient(name, session), table, now_of(session).title)
    if not found:
        raise NoSuchPm(f"There is no role PM and no result for {name} yet.")
    batch = chosen(found, kind) if kind else found[0]
    writer = speech_of(dialect, now_of(session).file, session)
    own = pms_of(batch, name, session)
    return tuple(PmToSend(pm, batch, pm.text(writer), is_rich(writer), False) for pm in own)


def _copied(batch: PmBatch, noted: Noted) -> tuple[bool, ...]:
    """Whether each PM of the batch was copied."""
    return tuple(progress_of(p.kind, p.slot, p.sha256, noted).reached("copied") for p in batch.pms)
