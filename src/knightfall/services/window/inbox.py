"""Take in the messages of a source: each is taken, was taken before, comes too late, or is a question.

One message is one entry, whole. A message that was taken is never taken again; one that comes too late, was
changed since, or has no sender is told and not taken. What holds no command of the game is talk. The good
ones are taken, whatever is wrong with others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from enum import Enum
from itertools import chain

from knightfall.engine.commands import lines_of
from knightfall.engine.entries import Submitted
from knightfall.engine.game import Message, Refusal
from knightfall.engine.journal import Record, instant, standing
from knightfall.engine.json_text import JsonAnswer
from knightfall.engine.rng import SeededRng
from knightfall.errors import InputError, KnightfallError
from knightfall.sentence import SlotId, Way, joined, sentence
from knightfall.services.now import now_of
from knightfall.services.publish import guarded
from knightfall.services.requests import MailRequest
from knightfall.services.running import RunningGame, before, closings, overdue
from knightfall.services.session import Session, in_turn
from knightfall.services.window.ear import likely_meant
from knightfall.services.window.left_out import left_out, message_digest, rule_out
from knightfall.services.window.placing import Placing, placing_of
from knightfall.services.window.receipts import Receipt, outcome_of, receipt_of, void_for_the_last
from knightfall.services.window.sources import (
    FORM,
    Delivery,
    Mail,
    from_form,
    from_pages,
    from_pms,
    from_threads,
    senders_of,
)
from knightfall.services.window.turns import dialect_here
from knightfall.services.window.twilight import in_twilight
from knightfall.services.window.waiting import UNKNOWN
from knightfall.writeups.facts import short_time

_LOOK_BACK = 3
"""So many closings ago nobody asks any more why something was not taken."""


class MailStatus(Enum):
    """What became of a message."""

    TAKEN = "taken"
    LATE = "late"
    OVERDUE = "overdue"
    """After the deadline of a window that is not closed yet."""
    UNREAD = "unread"
    """In time, but what it was for was closed before anybody read it."""
    EARLY = "early"
    """Before what is open now was opened, by itself."""
    EDITED = "edited"
    KNOWN = "known"
    UNDONE = "undone"
    TALK = "talk"
    UNHEARD = "unheard"
    """From somebody who plays no more, such as the dead."""
    QUESTION = "question"
    LEFT_OUT = "left out"
    """By a ruling of the moderator, which is `entry`."""
    AGAIN = "again"
    """The same words without a time as in an earlier round."""


@dataclass(frozen=True, slots=True, repr=False)
class Case(JsonAnswer):
    """A message and what became of it: `entry` its number in the journal (0: none), `window` what it was for,
    `receipt` what the game answered where it was taken, `placing` what would change if it were, where it is
    read late; `meant` what it may have been meant as, where no line of it is in the game's own words."""

    mail: Mail
    status: MailStatus
    entry: int = 0
    window: str = ""
    receipt: Receipt | None = None
    placing: Placing | None = None
    meant: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Intake(JsonAnswer):
    """What a source held and what became of it.

    `notes` say what was assumed, `passed` what it holds for nobody; `troubles` could not be read. `stopped`
    is the error at which taking stopped, as at a secret that a post would give away; the cases stand.
    """

    cases: tuple[Case, ...]
    notes: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    troubles: tuple[KnightfallError, ...] = ()
    stopped: KnightfallError | None = None
    dry: bool = False

    @property
    def questions(self) -> tuple[str, ...]:
        """Whose messages the moderator has to decide; each once."""
        asked = (case.mail.question for case in self.cases if case.status is MailStatus.QUESTION)
        return tuple(dict.fromkeys(asked))

    @property
    def taken(self) -> int:
        """How many messages were taken."""
        return sum(case.status is MailStatus.TAKEN for case in self.cases)


def take_in(request: MailRequest, session: Session) -> Intake:
    """Take what the source that is asked for holds, in the order in which it was sent.

    Raises InputError where the source cannot be read at all; what of it is unclear is in the answer.
    """
    table, setup, now = now_of(session).running, now_of(session).setup, session.clock.now()
    senders = senders_of(table, setup)
    found: Delivery
    if request.threads:
        found = from_threads(setup, senders, request, session)
    elif request.pms is not None:
        found = from_pms(request.pms, senders, setup.zone, request.dates, now)
    elif request.form is not None:
        found = from_form(request.form, senders, setup.zone, request, now)
    elif request.pages:
        found = from_pages(request.pages, senders, setup.zone, now)
    else:
        raise InputError(
            sentence(
                "Whose message is this? Give its player and text, or say where messages are: {threads}, "
                "{pms}, {pages} or {form}.",
                threads=Way("field", name="threads"),
                pms=Way("field", name="from_pms", value="FILE"),
                pages=Way("field", name="from_page", value="FILE"),
                form=Way("field", name="from_form", value="FILE"),
            )
        )
    cases = list[Case]()
    stopped: KnightfallError | None = None
    # The game as it is by now: another program may have taken the same messages while the threads were read.
    with nullcontext() if request.dry else session.turn:
        here = frozenset(mail.ref for mail in found.mails)
        taker = _Taker(now_of(session).running, session.clock.now(), request, session, here)
        try:
            for mail in sorted(found.mails, key=lambda one: one.at or taker.now):
                cases.append(taker.take(mail))
                if session.progress:
                    session.progress(len(cases), len(found.mails))
        except KnightfallError as error:
            stopped = error
    return Intake(tuple(cases), found.notes, found.passed, found.troubles, stopped, request.dry)


class _Taker:
    """Takes messages one after the other; `table` is the game with those taken so far, `here` are the
    references of all that the source holds."""

    def __init__(
        self, table: RunningGame, now: datetime, request: MailRequest, session: Session, here: frozenset[str]
    ) -> None:
        self.table, self.now, self.request, self.session = table, now, request, session
        self.closed = closings(table)
        counts = {record.number for record in standing(table.journal)}
        self.known = _by_ref(record for record in table.journal if record.number in counts)
        self.undone = _by_ref(record for record in table.journal if record.number not in counts)
        # A sheet that grew holds all that it held before; another one may hold the same words anew.
        self.grew = all(ref in here for ref in self.known if ref.startswith(FORM))

    def take(self, mail: Mail) -> Case:
        """What becomes of the message; the order of the questions matters."""
        if mail.ref in self.known:
            number, text = self.known[mail.ref]
            anew = mail.ref.startswith(FORM) and mail.at is None and not self.grew
            if anew and self.closed and number < self.closed[-1].number:
                return Case(mail, MailStatus.AGAIN, number)
            return Case(mail, MailStatus.KNOWN if text == mail.text else MailStatus.EDITED, number)
        if ruling := left_out(self.table.journal).get(digest_of(mail)):
            return Case(mail, MailStatus.LEFT_OUT, ruling.number)
        if mail.ref in self.undone and self.undone[mail.ref][1] == mail.text:
            return Case(mail, MailStatus.UNDONE, self.undone[mail.ref][0])
        # Since when has been open what is open now?
        opens = [window.opens for window in self.table.windows if window.opens]
        known = (*map(instant, self.closed[-1:]), *([min(opens)] if opens else ()))
        if known and mail.at and mail.at <= max(known):
            return self._of_the_past(mail, mail.at)
        if mail.left and self.request.leave_out.strip():
            return self._left_out(mail)
        if mail.question:
            return Case(mail, MailStatus.QUESTION)
        return self._tried(mail) if lines_of(mail.text) else Case(mail, MailStatus.TALK)

    def _left_out(self, mail: Mail) -> Case:
        """Of somebody who has left, and not asked about again."""
        if self.request.dry:
            return Case(mail, MailStatus.LEFT_OUT)
        record = leave_mail_out(mail, self.request.leave_out, self.session)
        self.table = now_of(self.session).running
        return Case(mail, MailStatus.LEFT_OUT, record.number)

    def _tried(self, mail: Mail) -> Case:
        """Taken, if the game takes a line of it or would listen to its sender; else talk, or too late."""
        at = max(min(mail.at or self.now, self.now), self.table.journal[-1].at)
        sent = min(mail.at or self.now, self.now)
        over = overdue(self.table, sent, mail.slot) if mail.slot is not None else None
        if over is not None:
            if not _understood(self.table, mail, at):
                return Case(mail, MailStatus.TALK)
            return Case(mail, MailStatus.OVERDUE, window=over[0].title)
        entry = in_twilight(self.table, Submitted(mail.slot, mail.text, mail.ref, when=sent), self.session)
        after = self.table.after(entry, at, "")
        number = after.journal[-1].number
        own = [taken for taken in after.replay.taken if taken.number == number]
        refused = own[-1].refused
        some_taken = len(refused) < len(lines_of(mail.text))
        if not some_taken and _is_talk(refused):
            heard = [likely_meant(line, mail.slot, self.table) for line in lines_of(mail.text)]
            return Case(mail, MailStatus.TALK, meant=tuple(dict.fromkeys(chain.from_iterable(heard))))
        if some_taken or _listens(after, mail.slot):
            self.table, receipt = _entered(self.table, entry, at, self.request, self.session)
            return Case(mail, MailStatus.TAKEN, receipt.entry, receipt=receipt)
        if len(own) > 1:  # the window ran out before it, by itself
            return self._late(mail, self.table, MailStatus.LATE)
        last = before(self.table, self.closed[-1].number) if self.closed else None
        late = self._late(mail, last, MailStatus.LATE)
        gone = mail.slot is not None and mail.slot not in self.table.game.playing(self.table.state)
        return Case(mail, MailStatus.UNHEARD) if gone and late.status is MailStatus.TALK else late

    def _of_the_past(self, mail: Mail, at: datetime) -> Case:
        """Posted before what is open now was opened, and never taken."""
        recent = self.closed[-_LOOK_BACK:]
        ended = next((record for record in recent if at <= instant(record)), None)
        too_old = len(self.closed) > _LOOK_BACK and at <= instant(self.closed[-_LOOK_BACK - 1])
        if too_old or mail.question:
            return Case(mail, MailStatus.TALK)
        if ended is None:
            return self._late(mail, self.table, MailStatus.EARLY)
        case = self._late(mail, before(self.table, ended.number), MailStatus.UNREAD, ended.number)
        return self._placed(case, at) if case.status is MailStatus.UNREAD else case

    def _placed(self, case: Case, at: datetime) -> Case:
        """What was in time and is read late: put in its place where that is wanted, else with what would
        change by it."""
        mail, session = case.mail, self.session
        entry = Submitted(mail.slot, mail.text, mail.ref, when=at)
        if self.request.late:
            self.table, receipt = _entered(self.table, entry, self.now, self.request, session)
            return Case(mail, MailStatus.TAKEN, receipt.entry, receipt=receipt)
        then = self.table.after(entry, self.now, session.author)
        return replace(case, placing=placing_of(self.table, then, "plain"))

    def _late(self, mail: Mail, ended: RunningGame | None, status: MailStatus, entry: int = 0) -> Case:
        """Too late for what was open then; talk where the game would not have understood it then, either."""
        at = mail.at or self.now
        if ended is None or not ended.windows or not _understood(ended, mail, at):
            return Case(mail, MailStatus.TALK)
        window = next((one.title for one in ended.windows if mail.slot in one.slots), ended.windows[0].title)
        return Case(mail, status, entry, window)


def _entered(
    table: RunningGame, entry: Submitted, at: datetime, request: MailRequest, session: Session
) -> tuple[RunningGame, Receipt]:
    """The game with the message, and what it answers; nothing is written in a dry run."""
    if request.dry:
        after = table.after(entry, at, session.author)
        return after, outcome_of(after)
    speech = dialect_here(request.dialect or None, session)
    void = void_for_the_last(table.after(entry, at, session.author), speech, session, request.allow)
    after, texts = guarded(table, entry, speech, session, request.allow, at)
    return after, receipt_of(after, speech, session, texts, void)


def digest_of(mail: Mail) -> str:
    """What a message of a source is known by."""
    return message_digest(mail.ref, mail.text)


@in_turn
def leave_mail_out(mail: Mail, why: str, session: Session) -> Record:
    """Keep why a message of a source does not count: it is not asked about again while the ruling stands.
    Raises InputError without a reason."""
    return rule_out(mail.left or mail.slot or "nobody", mail.at, digest_of(mail), why, session)


def _listens(table: RunningGame, slot: SlotId | None) -> bool:
    """Whether the game takes messages of that slot at all where it stands; the moderator's always."""
    return slot is None or table.game.listens(table.state, slot)


def _refused(
    table: RunningGame, slot: SlotId | None, text: str, at: datetime
) -> tuple[tuple[str, Refusal], ...]:
    return table.game.submit(table.state, Message(slot, text, at), SeededRng(b"")).refused


def _understood(table: RunningGame, mail: Mail, at: datetime) -> bool:
    """Whether the game listens to the sender where it stands, and a line of the message is a command."""
    if not _listens(table, mail.slot):
        return False
    refused = _refused(table, mail.slot, mail.text, at)
    return len(refused) < len(lines_of(mail.text)) or not _is_talk(refused)


def _is_talk(refused: tuple[tuple[str, Refusal], ...]) -> bool:
    return bool(refused) and all(why.code == UNKNOWN for _, why in refused)


def _by_ref(records: Iterable[Record]) -> dict[str, tuple[int, str]]:
    """By the reference of their message: the number and the text of entries that came from a source."""
    return {
        record.entry.post: (record.number, record.entry.text)
        for record in records
        if isinstance(record.entry, Submitted) and record.entry.post
    }


# ── in words ─────────────────────────────────────────────────────────────────────────────────────

EXCERPT = 60
"""So many letters of a message are quoted."""
_QUIET = frozenset({MailStatus.KNOWN, MailStatus.TALK, MailStatus.UNHEARD, MailStatus.UNDONE})
_COUNTED: Mapping[MailStatus, str] = {
    MailStatus.TAKEN: "recorded",
    MailStatus.LATE: "too late",
    MailStatus.OVERDUE: "after a deadline",
    MailStatus.UNREAD: "not read in time",
    MailStatus.EARLY: "too early",
    MailStatus.EDITED: "edited since",
    MailStatus.QUESTION: "unclear",
    MailStatus.AGAIN: "the same as in an earlier round",
    MailStatus.KNOWN: "already recorded",
    MailStatus.LEFT_OUT: "left out",
    MailStatus.UNDONE: "undone earlier",
    MailStatus.TALK: "without a command",
    MailStatus.UNHEARD: "from somebody who is out of the game",
}


def is_skipped(case: Case) -> bool:
    """Whether it is nothing that the moderator has to know: known before, talk, or of somebody who is out."""
    return case.status in _QUIET and not case.meant


def case_words(case: Case, dry: bool, zone: tzinfo = UTC) -> str:
    """What became of one message, and what can be done about it; its time by the clocks of `zone`."""
    mail, entry = case.mail, case.entry
    time = f", {short_time(mail.at.astimezone(zone))}" if mail.at else ""
    head = f"{mail.where}{time}, {mail.slot or 'unknown sender'}"
    line = " / ".join(mail.text.split("\n"))
    said = f"{head}: “{line if len(line) <= EXCERPT else f'{line[: EXCERPT - 1]}…'}”"
    match case.status:
        case MailStatus.TAKEN:
            return f"{said} would be recorded." if dry else f"{said}: recorded as entry {entry}."
        case MailStatus.LATE:
            return f"{said} came after {case.window} was closed, so it was not recorded."
        case MailStatus.OVERDUE:
            return sentence(
                "{said} came after the deadline of {window}, so it was not recorded. Either close it or "
                "extend it, and read again: {close}; {extend}",
                said=said,
                window=case.window,
                close=Way("close", title=case.window),
                extend=Way("extend", kind=case.window, by="24h"),
            )
        case MailStatus.UNREAD:
            changes = case.placing.changes if case.placing else ()
            return joined(
                "\n",
                (
                    sentence(
                        "{said} was in time for {window}, but it was read after entry {entry} closed that, "
                        "so it was not recorded. To let it count, read again with {place}.",
                        said=said,
                        window=case.window,
                        entry=entry,
                        place=Way("field", name="late"),
                    ),
                    *changes,
                ),
            )
        case MailStatus.AGAIN:
            return sentence(
                "{said}: the same words without a time were recorded as entry {entry}, for what is closed by "
                "now. If these are new: {submit}",
                said=said,
                entry=entry,
                submit=Way("submit", slot=mail.slot, text=line),
            )
        case MailStatus.EARLY:
            return sentence(
                "{said} came before {window} was open, so it was not recorded. To record it for {window}: "
                "{submit}.",
                said=said,
                window=case.window,
                submit=Way("submit", slot=mail.slot),
            )
        case MailStatus.EDITED:
            return sentence(
                "{said}: edited since it was recorded as entry {entry}, which still applies. To use the new "
                "text: {undo}, and read again.",
                said=said,
                entry=entry,
                undo=Way("undo", entry=entry),
            )
        case MailStatus.KNOWN:
            return f"{head}: already recorded, as entry {entry}."
        case MailStatus.LEFT_OUT:
            return f"{said}: left out, as entry {entry} says." if entry else f"{said} would be left out."
        case MailStatus.UNDONE:
            return f"{head}: recorded as entry {entry}, which was undone."
        case MailStatus.TALK if case.meant:
            return sentence(
                "{said}: in no words of the game, so it was not recorded. It may mean {meant}. To record "
                "that: {submit}",
                said=said,
                meant=joined(" or ", [f"“{' / '.join(one.splitlines())}”" for one in case.meant]),
                submit=Way("submit", slot=mail.slot, text=case.meant[0]),
            )
        case MailStatus.TALK:
            return f"{said}: no command, skipped."
        case MailStatus.UNHEARD:
            return f"{said}: they are out of the game, skipped."
        case MailStatus.QUESTION:
            return mail.question
    raise AssertionError(case)


def counts_words(intake: Intake) -> str:
    """“3 recorded, 1 too late, 4 without a command”; "" where no message was found."""
    counts = Counter(case.status for case in intake.cases)
    return ", ".join(f"{counts[status]} {word}" for status, word in _COUNTED.items() if counts[status])
