"""A game at the table: take in one message, close what is open, type in draws, tell what led to what.

Nothing is kept beside the journal: each answer replays it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import TypeVar
from zoneinfo import ZoneInfo

from knightfall.audience import SECRET, secret_where
from knightfall.config.instants import Side, parse_instant
from knightfall.config.setup import Setup
from knightfall.engine.entries import (
    Closed,
    Drawn,
    Entry,
    Opened,
    Removed,
    Replaced,
    Revived,
    Ruled,
    Started,
    Submitted,
)
from knightfall.engine.game import Window
from knightfall.engine.journal import (
    Journal,
    Record,
    append,
    before_entry,
    course_of,
    instant,
    standing,
    window_name,
)
from knightfall.engine.json_text import JsonAnswer, plain_value
from knightfall.engine.replay import replay
from knightfall.engine.rng import Chance
from knightfall.engine.spans import time_of_day
from knightfall.errors import DecisionNeeded, InputError, TimeError
from knightfall.models import PostMark
from knightfall.names import Ambiguous, Unknown, match_name
from knightfall.sentence import Sentence, SlotId, Way, joined, sentence
from knightfall.services.heads import lined
from knightfall.services.now import now_of, zone_of
from knightfall.services.publish import guarded, looked_at, texts_of
from knightfall.services.running import (
    Holders,
    RunningGame,
    begun,
    holders,
    is_voted_on,
    line_now,
    moderators_word,
    names_of,
    opened_by,
    overdue,
    refusal_lines,
    shown,
    since_closing,
    slot_meant,
    text_zone,
)
from knightfall.services.session import NO_GAME, Session, entered, entered_once, in_turn, journal_of
from knightfall.services.threads import PLAIN, NamedPost, is_rich, kept_thread, speech_of
from knightfall.services.window.left_out import MessageLeftOut, left_out, rule_out, typed_digest
from knightfall.services.window.pasted_pm import PastedPm, without_head
from knightfall.services.window.placing import PlacingNeeded, placing_of
from knightfall.services.window.receipts import Receipt, outcome_of, receipt_of, void_for_the_last
from knightfall.services.window.twilight import in_twilight
from knightfall.services.window.waiting import pending, time_left
from knightfall.storage.drafts import PUBLIC, write_public
from knightfall.writeups.facts import short_time
from knightfall.writeups.journal import (
    draw_words,
    drawn_words,
    entry_lines,
    label_words,
    sent_words,
    values_words,
)
from knightfall.writeups.report import Report, Rows

T = TypeVar("T")


@dataclass(frozen=True, slots=True, repr=False)
class Closing(JsonAnswer):
    """A window that was closed, and what that led to; `opened` gave what opened by it its deadline (None:
    nobody said one, or nothing opened)."""

    window: Window
    receipt: Receipt
    opened: Record | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Submission(JsonAnswer):
    """A message since something was last closed: `slot` None is the moderator, `sender` who is shown; it was
    entered `at` then."""

    entry: int
    at: datetime
    sent: datetime
    slot: SlotId | None
    sender: str
    message: str


@dataclass(frozen=True, slots=True, repr=False)
class Submissions(JsonAnswer):
    """The messages since something was last closed, oldest first."""

    entries: tuple[Submission, ...] = field(metadata=SECRET)
    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("UTC"))

    def to_dict(self) -> dict[str, object]:
        """{submissions: [{entry, at, sent, from, message}]}; the message whole."""
        return {
            "submissions": [
                {
                    "entry": one.entry,
                    "at": plain_value(one.at),
                    "sent": plain_value(one.sent),
                    "from": one.slot or one.sender,
                    "message": one.message,
                }
                for one in self.entries
            ]
        }

    def report(self) -> Report:
        """A table of entry, instant, sender and first words."""

        def told(at: datetime) -> str:
            return f"{at.astimezone(self.zone):%d %b %H:%M}"

        rows = tuple(
            (
                str(one.entry),
                sent_words(one.sent, one.at, told),
                one.sender,
                shortened(one.message, LONG),
            )
            for one in self.entries
        )
        if not rows:
            return Report(("No messages in the current phase.",))
        return Report((Rows(("entry", "time", "from", "message"), rows),))


def shortened(text: str, width: int) -> str:
    """The lines of a text in one, cut off at the width."""
    line = " / ".join(text.split("\n"))
    return line if len(line) <= width else f"{line[: width - 1]}…"


LONG = 44
"""So much of a message is shown in a list."""
MANY = 99
_SENT = Way("field", name="sent")
"""More options than this are counted, not listed: a row of a painted board is one of 531,441."""


@dataclass(frozen=True, slots=True, repr=False)
class Draw(JsonAnswer):
    """One draw ahead: `count` of the options, which are never walked through where they are MANY. `held` is
    who holds the slots now: the label and options name slots."""

    label: str
    options: Sequence[object]
    count: int = 1
    held: Holders = field(default_factory=dict)

    @property
    def shown(self) -> str:
        """The label with everybody as they are called now."""
        return line_now(label_words(self.label, self.held), self.held)

    @property
    def words(self) -> str:
        """What is drawn, in words, with everybody as they are called now."""
        return line_now(draw_words(self.label, self.held), self.held)

    def option_shown(self, option: object) -> str:
        """An option as it is told: a name as it is now."""
        return self.held.get(SlotId(str(option)), str(option))

    @property
    def expected(self) -> str:
        """“1 of 3 Hit, 1 Miss”, “11 of 531441 such as RRRRRRRRRRRR, BRRRRRRRRRRR”."""
        if len(self.options) > MANY:
            return f"{self.count} of {len(self.options)} such as {self.options[0]}, {self.options[1]}"
        counts = Counter(map(self.option_shown, self.options))
        if len(counts) > 1 and set(counts.values()) == {1}:
            return f"{self.count} of {', '.join(counts)}"
        pile = ", ".join(f"{count} {option}" for option, count in counts.items())
        return f"{self.count} of {pile}"

    def is_called(self, label: str) -> bool:
        """Whether a label means this draw: with its kind (`kd.card:`) or without it, by either name."""
        folded = label.strip().casefold()
        known = (one.casefold() for one in (self.label, self.shown))
        return any(folded in (one, one.partition(":")[2]) for one in known)

    def option_meant(self, value: str) -> str:
        """The option that was typed, in any case and by either name; "" for none."""
        written = {self.option_shown(one).casefold(): str(one) for one in self.options}
        written |= {str(one).casefold(): str(one) for one in self.options}
        return written.get(value.casefold()) or written.get(value.strip(", ").casefold(), "")


@dataclass(frozen=True, slots=True, repr=False)
class DrawsAhead(JsonAnswer):
    """What closing the open windows draws, in that order, without what was typed in already."""

    draws: tuple[Draw, ...] = field(metadata=SECRET)

    @property
    def said(self) -> Sentence:
        """The draws with their piles, a line each."""
        if not self.draws:
            return sentence(
                "Nothing is left to draw. What comes next: {close}",
                close=Way("close", title="what is open"),
            )
        head = "Still to draw, in this order. The seed draws each one unless you type it in:"
        return joined("\n", (head, *(f"  {one.shown}  {one.expected}" for one in self.draws)))


@dataclass(frozen=True, slots=True, repr=False)
class HandDraw(JsonAnswer):
    """A draw that was typed in: its entry, the entry in words, and what is left to draw."""

    record: Record
    said: str
    left: DrawsAhead


@dataclass(frozen=True, slots=True, repr=False)
class Mention(JsonAnswer):
    """A line in which something stands: `whose` is “public”, “moderator” or the name of who was told."""

    whose: str
    kind: str
    line: str


@dataclass(frozen=True, slots=True, repr=False)
class HistoryEntry(JsonAnswer):
    """An entry of the journal, and the lines that it led to."""

    entry: int
    said: str
    told: tuple[Mention, ...]


@dataclass(frozen=True, slots=True, repr=False)
class History(JsonAnswer):
    """Every line that was told about a name or a number, under the entry that led to it."""

    about: str
    entries: tuple[HistoryEntry, ...] = field(metadata=SECRET)

    def to_dict(self) -> dict[str, object]:
        """{about, entries: [{entry, said, told: [{whose, kind, line}]}]}."""
        return {"about": self.about, "entries": [asdict(one) for one in self.entries]}


class SenderLeft(DecisionNeeded):
    """A message is from somebody who does not hold their slot any more: whose it is, is the moderator's
    decision."""

    def __init__(self, before: str, now: str) -> None:
        super().__init__(
            sentence(
                "{before} has left the game, and {now} plays in their place, so nothing was recorded. If it "
                "was meant for the slot, it counts as {now}'s: {for_slot}. Otherwise leave it out: {leave}",
                before=before,
                now=now,
                for_slot=Way("field", name="for_slot"),
                leave=Way("field", name="leave_out", value="…"),
            )
        )


@in_turn
def submit(
    who: str,
    text: str,
    dialect: str | None,
    session: Session,
    allow: str = "",
    at: datetime | None = None,
    late: bool = False,
    for_slot: bool = False,
    keep: bool = False,
) -> Receipt:
    """Take in a message of a player, or of the moderator, as of `at` (None: now): one entry, whole. It
    belongs to the window that was open then; one that was sent after the end of what is not closed yet waits
    for what comes next. `keep`: it says what stands once more, and settles what else they sent.

    Raises InputError for a name of nobody, an empty message, and an instant to come or before the game began;
    DecisionNeeded where the time of an open window was up by now and nothing says when it was sent, and where
    the head of a pasted PM names another player; SenderLeft where its sender has left the game (`for_slot`:
    it counts all the same), MessageLeftOut where it was left out before; PlacingNeeded where what it belongs
    to is closed already (`late`: it is put there); SecretGuard where a post of it gives something away and
    `allow` has no reason. Then nothing is kept.
    """
    table, speech = now_of(session).running, dialect_here(dialect, session)
    typed = _typed(table, who, text, session, at)
    entry = in_twilight(table, _message(table, typed, session, for_slot=for_slot), session)
    trial = _trial(table, entry, speech, session, late)
    looked_at(trial, speech, session, allow)
    anew = keep and _has_unsettled(table, entry.slot)
    void = void_for_the_last(trial, speech, session, allow, anew)
    after, texts = guarded(table, entry, speech, session, allow, anew=anew)
    receipt = receipt_of(after, speech, session, texts, void)
    if entry.slot is None:
        return receipt
    waits = _waits_for(after) or _of_twilight(after)
    return replace(receipt, left=typed.left, by_head=typed.by_head, waits=waits)


def _has_unsettled(table: RunningGame, slot: SlotId | None) -> bool:
    """Whether something that a slot sent for what is open is not settled."""
    rows = (row for window in pending(table) for row in (*window.slots, *window.others))
    return any(row.slot == slot and (row.refused or row.lost or row.former) for row in rows)


@in_turn
def leave_out(who: str, text: str, why: str, session: Session, at: datetime | None = None) -> Record:
    """Keep why a message that the moderator is asked about does not count: one of somebody who has left, or
    one that is read late. The same one is not asked about again while the ruling stands.

    Raises InputError without a reason and for a message that counts without a question, MessageLeftOut where
    it is left out already, and else as `submit` does.
    """
    table = now_of(session).running
    typed = _typed(table, who, text, session, at)
    try:
        _trial(table, _message(table, typed, session, for_slot=False), PLAIN, session, late=False)
    except (SenderLeft, PlacingNeeded):
        return rule_out(typed.sender, typed.at, typed.digest, why, session)
    raise InputError(
        f"{who} plays, and their message is in time: nothing asks whether it counts, so nothing was written."
    )


@dataclass(frozen=True, slots=True)
class _TypedMessage:
    """A message as it was typed or pasted: the slot (None: the moderator's own), who sent it by name, its
    words without the head of a PM, and when it was sent (None: nobody says; `by_head` tells what its head
    says of that). `left`: its sender has left, and who holds the slot now."""

    slot: SlotId | None
    sender: str
    text: str
    at: datetime | None
    by_head: str
    left: tuple[str, str] | None
    digest: str


def _typed(table: RunningGame, who: str, text: str, session: Session, at: datetime | None) -> _TypedMessage:
    """Whose message it is and when it was sent. Raises InputError and DecisionNeeded as `submit`."""
    if not text.strip():
        raise InputError("The message is empty, so nothing was recorded.")
    now = session.clock.now()
    slot, pm = _pasted(table, who, text)
    by_head = ""
    if at is None and pm.sent and slot is not None:
        at, by_head = _time_of_head(pm.sent, now, session)
    if at is not None:
        check_sent(at, table, now)
    left = None if slot is None else _left(table, who, slot)
    sender = left[0] if left else slot or who
    return _TypedMessage(slot, sender, pm.text, at, by_head, left, typed_digest(sender, at, pm.text, table))


def _message(table: RunningGame, typed: _TypedMessage, session: Session, *, for_slot: bool) -> Submitted:
    """A message as an entry. Raises DecisionNeeded as `submit`."""
    if typed.slot is None:
        return Submitted(None, typed.text, sent=typed.at)
    if not for_slot:
        ruling = left_out(table.journal).get(typed.digest)
        if ruling is not None:
            raise MessageLeftOut(typed.sender, ruling)
        if typed.left is not None:
            raise SenderLeft(*typed.left)
    now = session.clock.now()
    if typed.at is None:
        _refuse_late(table, now, typed.slot)
    return Submitted(typed.slot, typed.text, when=typed.at or now)


def _trial(table: RunningGame, entry: Submitted, dialect: str, session: Session, late: bool) -> RunningGame:
    """The game behind a message. Raises PlacingNeeded where what it belongs to is closed already."""
    trial = table.after(entry, session.clock.now(), session.author)
    placing = placing_of(table, trial, dialect) if entry.slot is not None and not late else None
    if placing is not None:
        raise PlacingNeeded(placing)
    return trial


def check_sent(at: datetime, table: RunningGame, now: datetime) -> None:
    """Raises InputError for an instant to come, and for one before the game began."""
    said = f"{at:%Y-%m-%d} {time_of_day(at)} {at:%Z}"
    if at > now:
        raise InputError(
            sentence("{sent} {at} is in the future. A message has been sent before now.", sent=_SENT, at=said)
        )
    began = next(record.at for record in table.journal if isinstance(record.entry, Started))
    if at < began:
        raise InputError(
            sentence(
                "{sent} {at} is before the game began ({began}), so nothing was recorded.",
                sent=_SENT,
                at=said,
                began=short_time(began),
            )
        )


def _waits_for(after: RunningGame) -> Sentence | str:
    """For what the last message of a game waits; "" where it does not."""
    record = after.journal[-1]
    if record not in after.replay.waiting:
        return ""
    over = overdue(after, instant(record))
    if over is None:
        return "It counts as soon as what was taken back is closed again."
    window, ended = over
    ended = ended.astimezone(text_zone(after))
    return sentence(
        "{window} had ended by then ({ended}), so it waits for what comes next: {close}",
        window=window.title,
        ended=short_time(ended),
        close=Way("close", kind=window.kind, title=window.title),
    )


def _of_twilight(after: RunningGame) -> Sentence | str:
    """What becomes of an order that was refused by day, where the day may be over in its thread; "" where
    none was, or nothing is open that is voted on."""
    day = next(filter(is_voted_on, after.windows), None)
    if day is None or not after.last_refused:
        return ""
    return sentence(
        "If the votes had ended {day} before it was sent, it counts for the night as soon as you close the "
        "day: {close}",
        day=day.title,
        close=Way("close_day"),
    )


def _sender(table: RunningGame, who: str) -> SlotId | None:
    """The slot of a name, None for the moderator. Raises DecisionNeeded for a name of nobody or of two:
    only who got the message knows whose it is."""
    try:
        return slot_meant(table, who)
    except InputError as fault:
        raise DecisionNeeded(fault.message) from None


def _pasted(table: RunningGame, who: str, text: str) -> tuple[SlotId | None, PastedPm]:
    """Whose message it is, and the message without the head of a pasted PM. Raises DecisionNeeded where that
    says another player, besides what `_sender` raises."""
    slot, pm = _sender(table, who), without_head(text)
    slots, aliases = names_of(table)
    meant = match_name(pm.sender, slots, aliases) if pm.sender and slot is not None else None
    if meant is not None and not isinstance(meant, Ambiguous | Unknown) and meant != slot:
        raise DecisionNeeded(
            sentence(
                "By its first lines this PM is from {sender}, not from {who}, so nothing was recorded. If "
                "it is {sender}'s: {submit}. If it is {who}'s, leave out those lines.",
                sender=pm.sender,
                who=who,
                submit=Way("submit", slot=pm.sender),
            )
        )
    if not pm.text.strip():
        raise InputError("The message is only the head of a PM, so nothing was recorded.")
    return slot, pm


def _time_of_head(sent: str, now: datetime, session: Session) -> tuple[datetime | None, str]:
    """When a PM was sent by its head, on the game's clocks (None: it cannot be read), and what the moderator
    is told of that. Raises DecisionNeeded for an instant to come: the head was written by another clock."""
    when = Way("field", name="sent", value="TIME")
    say = sentence("If it was sent at another time, undo it and say when: {when}", when=when)
    try:
        moment = instant_of(sent, session)
    except TimeError:
        return None, sentence(
            "Its head says “{sent}”, which is not a time: it is recorded as sent now. {say}",
            sent=sent,
            say=say,
        )
    shown_time = short_time(moment.astimezone(zone_of(session)))
    if moment > now:
        raise DecisionNeeded(
            sentence(
                "By its head the PM was sent on {time}, which is still to come: the head shows another clock "
                "than the game's. Nothing was recorded. Say when it was sent: {when}",
                time=shown_time,
                when=when,
            )
        )
    return moment, sentence(
        "It is recorded as sent on {time}, as its head says. {say}", time=shown_time, say=say
    )


def instant_of(text: str, session: Session) -> datetime:
    """When a message was sent, as a moderator typed it, in the game's zone where the text names none.

    Raises TimeError as `parse_instant` does.
    """
    return parse_instant(text, session.clock.now(), zone_of(session), _SENT, Side.BEHIND)


def _refuse_late(table: RunningGame, sent: datetime, slot: SlotId) -> None:
    """Raises DecisionNeeded for a message that comes after the deadline of what is open: no late keystroke
    moves a game on, and none counts for another round than it was meant for."""
    if over := overdue(table, sent, slot):
        window, ended = over[0], over[1].astimezone(text_zone(table))
        close = Way("close", kind=window.kind, title=window.title)
        if window.slots and slot not in window.slots:  # somebody else was late
            raise DecisionNeeded(
                sentence(
                    "Nothing was recorded: {window} ended at {ended} and has to be closed first: {close}. "
                    "Then enter this message again, with {sent}",
                    window=window.title,
                    ended=short_time(ended),
                    close=close,
                    sent=Way("field", name="sent", value=f"{sent:%Y-%m-%d %H:%M:%S%z}"),
                )
            )
        raise DecisionNeeded(
            sentence(
                "{window} ended at {ended}, {ago}, so nothing was recorded. If the message was sent in "
                "time, say when: {sent}. Otherwise close what is over: {close}. Or extend the deadline: "
                "{extend}",
                window=window.title,
                ended=short_time(ended),
                ago=_ago(ended, sent),
                sent=Way("field", name="sent", value=f"{ended:%Y-%m-%d} {time_of_day(ended)}{ended:%z}"),
                close=close,
                extend=Way("extend", kind=window.kind, by="24h"),
            )
        )


def _ago(ended: datetime, sent: datetime) -> str:
    """“2 h before this message”."""
    return f"{time_left(ended, sent).removeprefix('over for ')} before this message"


def _left(table: RunningGame, who: str, slot: SlotId) -> tuple[str, str] | None:
    """Who was named although they left, and who holds their slot now; None where the holder was named."""
    names = [
        e.name for one in standing(table.journal) if isinstance(e := one.entry, Replaced) and e.slot == slot
    ]
    now = names[-1] if names else str(slot)
    before = next((name for name in (str(slot), *names) if name.casefold() == who.strip().casefold()), now)
    return None if before.casefold() == now.casefold() else (before, now)


def dialect_here(wanted: str | None, session: Session) -> str:
    """The dialect that is wanted, else that of the game's site; plain text without a game file."""
    if wanted or not session.file.exists():
        return wanted or PLAIN
    return speech_of(None, now_of(session).setup, session)


def preview(
    who: str, text: str, session: Session, at: datetime | None = None, for_slot: bool = False
) -> Receipt:
    """What a message would lead to, as plain text; nothing is written. Raises as `submit`."""
    table = now_of(session).running
    typed = _typed(table, who, text, session, at)
    entry = in_twilight(table, _message(table, typed, session, for_slot=for_slot), session)
    trial = _trial(table, entry, "plain", session, late=False)
    waits = _waits_for(trial) or _of_twilight(trial) if entry.slot is not None else ""
    return replace(outcome_of(trial), by_head=typed.by_head, waits=waits)


@dataclass(frozen=True, slots=True, repr=False)
class ClosingLook(JsonAnswer):
    """What a moderator looks at before a window is closed: `doubts` in a sentence each; none: close it.

    `early`: its time is still to come, and by its rules it is closed then, not before; or players are
    `undecided`, who have until then to choose: it is closed for a reason alone.
    """

    window: Window
    until: datetime | None
    left: str
    """How much time is left; "" where it is over, or none was said."""
    doubts: tuple[str, ...] = field(metadata=secret_where(lambda one: one.window.secret))
    undecided: tuple[str, ...] = field(default=(), metadata=secret_where(lambda one: one.window.secret))
    early: bool = field(
        default=False, metadata=secret_where(lambda one: one.window.secret and one.window.choice)
    )


def look(kind: str | None, session: Session) -> ClosingLook:
    """Who sent nothing that stands, whose message was refused, what else the game cautions of, the time left.

    Raises InputError where nothing of that kind is open.
    """
    table, now = now_of(session).running, session.clock.now()
    window = _window_meant(table, kind)
    waits = next(one for one in pending(table) if one.window == window)
    held = holders(table.journal)
    doubts: list[str] = []
    silent = [shown(slot, held) for slot in waits.absent]
    if silent:
        default = f" ({waits.silence.text})" if waits.silence else ""
        doubts.append(f"Nothing is on file from: {', '.join(silent)}{default}.")
    for one in waits.slots:
        for line, why in one.refused:
            plan = "; ".join(line_now(order, held) for order in one.standing)
            stands = f"; still planned: {plan}" if plan else ""
            doubts.append(f"Refused from {shown(one.slot, held)}: “{line}” ({why.text}){stands}.")
    doubts += table.game.cautions(table.state, window)
    until = waits.until and waits.until.astimezone(text_zone(table))
    left = time_left(until, now) if until is not None and until > now else ""
    if left and until is not None:
        doubts.append(f"{window.title} is open until {short_time(until)}, {left}.")
    elif waits.stopped:
        doubts.append(f"{window.title} is paused.")
    undecided = tuple(silent) if window.choice and left else ()
    early = bool(left) and (window.fixed or bool(undecided))
    return ClosingLook(window, until, left, tuple(doubts), undecided, early)


def refuse_early(seen: ClosingLook, why: str) -> None:
    """Raise DecisionNeeded where a window that is closed at its time alone, or in which somebody still has
    time to choose, would be closed before it without a reason."""
    if not seen.early or why.strip() or seen.until is None:
        return
    reason = Way("field", name="why_early", value="…")
    if seen.undecided:
        raise DecisionNeeded(
            sentence(
                "{window} is open until {until}, {left}. Who has not chosen yet: {who}. Closing it now takes "
                "that time from them. If you must, give a reason: {why}",
                window=seen.window.title,
                until=short_time(seen.until),
                left=seen.left,
                who=", ".join(seen.undecided),
                why=reason,
            )
        )
    raise DecisionNeeded(
        sentence(
            "{window} is closed at {until}, whoever has answered. Closing it earlier would reveal who had "
            "nothing to send. If you must, give a reason: {why}",
            window=seen.window.title,
            until=short_time(seen.until),
            why=reason,
        )
    )


@in_turn
def close(
    kind: str | None,
    dialect: str | None,
    session: Session,
    allow: str = "",
    why_early: str = "",
    next_ends: datetime | None = None,
) -> Closing:
    """Close what is open, by its kind where several things are; as of its deadline where that has passed.
    What opens then ends at `next_ends` (None: as the game says), and every text of the closing tells so.

    Raises DecisionNeeded where the game cannot close it yet, and for a window that is closed at its time
    alone, or in which somebody still has time to choose (`why_early` lets that pass, and is kept);
    SecretGuard as `submit`: it writes nothing then.
    """
    table, now = now_of(session).running, session.clock.now()
    window = _window_meant(table, kind)
    if ends_by_votes(window, session):
        raise DecisionNeeded(
            sentence(
                "{window} is decided by the votes in the thread. What counts them, asks you, and closes the "
                "day in the game too: {close}",
                window=window.title,
                close=Way("close_day"),
            )
        )
    seen = look(window.kind, session)
    refuse_early(seen, why_early)
    entry = closing_entry(table, window, now)
    trial = table.after(entry, now, session.author)
    if trial.last_refused:
        say = sentence("Say it with: {say}", say=Way("submit", slot=moderators_word(table), text="…"))
        said = [say] if "`" in trial.last_refused[0][1].text else []
        lines = ("Nothing was closed.", *(why.text for _, why in trial.last_refused), *said)
        raise DecisionNeeded(joined("\n", lines))
    speech = dialect_here(dialect, session)
    # The reason goes before the closing, so that what is taken back first is the closing, and so does the
    # deadline of what opens then, so that the texts of the closing know it: both only where it can be closed.
    opening = opening_ahead(trial, next_ends)
    looked_at(trial, speech, session, allow)
    void = void_for_the_last(trial, speech, session, allow)
    if seen.early:
        reason = Ruled(f"Was {window.title} closed before its time?", "yes", why_early.strip())
        entered_once(reason, session, NOWHERE)
    opened = None if opening is None else entered(opening, session, NOWHERE)
    after, texts = guarded(now_of(session).running, entry, speech, session, allow)
    return Closing(window, receipt_of(after, speech, session, texts, void), opened)


def closing_entry(table: RunningGame, window: Window, now: datetime) -> Closed:
    """The entry that closes an open window now. What was over is closed as of its end: what opens next begins
    there; what was closed before and taken back is closed as of when it was."""
    name = window_name(window)
    for record in course_of(table.journal).reopened:
        assert isinstance(record.entry, Closed)
        if record.entry.window in (window.kind, name):
            return Closed(window.kind, ended=instant(record), named=name, again=record.number)
    over = overdue(table, now, kind=window.kind)
    return Closed(window.kind, ended=over[1] if over else None, named=name)


def opening_ahead(after: RunningGame, ends: datetime | None) -> Opened | None:
    """The deadline of what a closing opens, to be written before that closing; None where nobody says one,
    nothing opens, or what opens is closed at its own time alone. `after` is the game behind the closing, on
    trial."""
    window = opened_by(after)
    if ends is None or window is None or window.fixed:
        return None
    return Opened(window_name(window), until=ends, ahead=True)


def ends_by_votes(window: Window, session: Session) -> bool:
    """Whether a window is a day that is voted on in a thread: it is closed by its count, twice alike and
    confirmed, with the evidence."""
    return is_voted_on(window) and session.file.exists() and now_of(session).file.url is not None


def _window_meant(table: RunningGame, kind: str | None) -> Window:
    """The open window of that kind; None: the only one, or the only one that ends by time or awaits anybody.

    Raises InputError with those that are open."""
    known = {window.kind: window for window in table.windows}
    if not known:
        raise InputError("Nothing is open: the game is over.")
    if kind is None:
        ending = [one for one in known.values() if one.closes or table.game.awaits(table.state, one)]
        found = ending if len(known) > 1 else [*known.values()]
        kind = found[0].kind if len(found) == 1 else None
    if kind not in known:
        open_now = ", ".join(f"{one.title} ({name})" for name, one in known.items())
        asked = f"“{kind}” is not open" if kind else "Several things are open"
        closable = [name for name, one in known.items() if one.closes or table.game.awaits(table.state, one)]
        ways = (Way("close", kind=name, title=known[name].title) for name in closable or known)
        raise InputError(
            sentence(
                "{asked}. Open now: {open_now}. To close one: {ways}",
                asked=asked,
                open_now=open_now,
                ways=joined(" or ", ways),
            )
        )
    return known[kind]


def submissions(session: Session) -> Submissions:
    """All messages since something was last closed. Secret: for the moderator's eyes."""
    table = now_of(session).running
    held = holders(table.journal)
    return Submissions(
        tuple(
            Submission(
                record.number,
                record.at,
                instant(record),
                record.entry.slot,
                shown(record.entry.slot, held) if record.entry.slot else moderators_word(table),
                record.entry.text,
            )
            for record in since_closing(table)
            if isinstance(record.entry, Submitted)
        ),
        text_zone(table),
    )


@dataclass(frozen=True, slots=True)
class _RecordingRng:
    """A source of chance that remembers what it was asked for."""

    fallback: Chance
    asked: list[Draw]

    def at(self, *path: object) -> _RecordingRng:
        return _RecordingRng(self.fallback.at(*path), self.asked)

    def apart(self, *path: object) -> _RecordingRng:
        return _RecordingRng(self.fallback.apart(*path), self.asked)

    def mixed(self, value: str) -> _RecordingRng:
        return _RecordingRng(self.fallback.mixed(value), self.asked)

    def choice(self, label: str, options: Sequence[T], repeat: int = 0) -> T:
        self.asked.append(Draw(label, options))
        return self.fallback.choice(label, options, repeat)

    def choices(self, label: str, options: Sequence[T], count: int, repeat: int = 0) -> tuple[T, ...]:
        self.asked.append(Draw(label, options, count))
        return self.fallback.choices(label, options, count, repeat)

    def sample(self, label: str, options: Sequence[T], count: int, repeat: int = 0) -> tuple[T, ...]:
        self.asked.append(Draw(label, options, count))
        return self.fallback.sample(label, options, count, repeat)


def draws_ahead(session: Session) -> DrawsAhead:
    """What the next closing draws, found by closing on trial with everybody's messages as they stand."""
    table = now_of(session).running
    return _ahead(table, table.journal, _draw_instant(table, session.clock.now()))


@in_turn
def draw(label: str, values: Sequence[str], session: Session) -> HandDraw:
    """Write a card or die of the moderator's own for the next closing, as of its deadline where that passed.

    Raises InputError for a label that is not drawn, and for a value that is not in the pile.
    """
    table = now_of(session).running
    at = _draw_instant(table, session.clock.now())
    ahead = _ahead(table, table.journal, at)
    held = holders(table.journal)
    asked = next((one for one in ahead.draws if one.is_called(label)), None)
    if asked is None:
        for one in since_closing(table):
            if isinstance(one.entry, Drawn) and Draw(one.entry.label, (), held=held).is_called(label):
                raise InputError(
                    sentence(
                        "{draw} was drawn by hand already: {value} (entry {entry}). To change it, first: "
                        "{undo}",
                        draw=line_now(draw_words(one.entry.label, held), held),
                        value=line_now(values_words(one.entry.value, held), held),
                        entry=one.number,
                        undo=Way("undo", entry=one.number),
                    )
                )
        raise InputError(
            sentence("“{label}” is not drawn when this closes.\n{ahead}", label=label, ahead=ahead.said)
        )
    # No card is taken twice; of many options there is no pile. A name may be of two words.
    typed = (" ".join(values),) if asked.count == 1 else values
    if len(asked.options) > MANY:
        written = (value.strip(", ").upper() for value in typed)
        drawn = tuple(value if value in asked.options else "" for value in written)
        over = None
    else:
        drawn = tuple(map(asked.option_meant, typed))
        over = asked.count > 1 and Counter(drawn) - Counter(map(str, asked.options))
    if len(drawn) != asked.count or "" in drawn or over:
        found = " ".join(values) or "nothing"
        raise InputError(f"{asked.shown}: found “{found}”, expected {asked.expected}.")
    entry = Drawn(asked.label, drawn[0] if asked.count == 1 else drawn)
    record = entered(entry, session, NOWHERE, at)
    said = line_now(drawn_words(entry, held), held)
    return HandDraw(record, said, _ahead(table, append(table.journal, entry, at, session.author), at))


def _draw_instant(table: RunningGame, now: datetime) -> datetime:
    """Now, or the deadline that has passed: what is drawn after it is still for what it closes."""
    return min([now, *(window.closes for window in table.windows if window.closes)])


def _ahead(table: RunningGame, journal: Journal, at: datetime) -> DrawsAhead:
    """What closing any open window draws beyond what the journal drew."""

    def asked(of: Journal) -> list[Draw]:
        sources: list[_RecordingRng] = []

        def source() -> _RecordingRng:
            sources.append(_RecordingRng(table.source(), []))
            return sources[-1]

        replay(of, table.game, source)
        return sources[0].asked  # where something was undone, the next run is without the undo

    before, held = len(asked(journal)), holders(journal)
    closed = (append(journal, Closed(window.kind), at, "trial") for window in table.windows)
    return DrawsAhead(tuple(replace(one, held=held) for trial in closed for one in asked(trial)[before:]))


def is_played(session: Session) -> bool:
    """Whether the folder holds a game that is played by its journal."""
    return begun(journal_of(session))


def history(what: str, at: str | None, session: Session) -> History:
    """Each line of posts, PMs and moderator's sheets in which `what` stands, up to entry `at` (None: all).

    Raises InputError where it stands nowhere, or `at` is no entry. For the moderator's eyes.
    """
    table = now_of(session).running
    if at is not None:
        number = at.removeprefix("#")
        if not number.isdigit() or not 1 <= int(number) <= len(table.journal):
            raise InputError(
                sentence(
                    "{field} {at}: expected an entry from 1 to {last}. To see them: {log}",
                    field=Way("field", name="at_entry"),
                    at=at,
                    last=len(table.journal),
                    log=Way("log"),
                )
            )
        table = table.at(before_entry(table.journal, int(number) + 1))
    found, stands = [], {record.number for record in standing(table.journal)}
    said = entry_lines(((record, record.number in stands) for record in table.journal), text_zone(table))
    for record, said_line in zip(table.journal, said, strict=True):
        events = tuple(
            e for taken in table.replay.taken if taken.number == record.number for e in taken.events
        )
        told = tuple(
            Mention(text.whose, text.kind, line.strip())
            for text in texts_of(table, events, "plain")
            for line in text.text.splitlines()
            if what.casefold() in line.casefold()
        )
        if told:
            found.append(HistoryEntry(record.number, said_line, told))
    if not found:
        raise InputError(f"Nothing so far mentions “{what}”. Give a name or a number of the game.")
    return History(what, tuple(found))


NOWHERE = NO_GAME


@dataclass(frozen=True, slots=True, repr=False)
class Announcement(JsonAnswer):
    """A post for everybody: `file` is where it lies in the game's folder, `rich` whether it is formatted text
    instead of markup."""

    text: str
    file: str
    rich: bool


def enter(entry: Entry, dialect: str, session: Session, allow: str = "") -> tuple[Record, Receipt | None]:
    """Write an entry; return its record, and what a begun game answers (None: none was begun).

    Raises DecisionNeeded where the game does not take it, SecretGuard where a post of it gives something
    away: then nothing is written.
    """
    if not begun(journal_of(session)):
        return entered(entry, session, NOWHERE), None
    table, at = now_of(session).running, session.clock.now()

    # Does the game take it? The refusal bears the line that the replay makes of the entry.
    line: str | None = None
    match entry:
        case Removed(slot=slot, how=how):
            line = f"{how} {slot}"
        case Revived(slot=slot):
            line = f"revive {slot}"
    refused = tuple(one for one in table.after(entry, at, session.author).last_refused if one[0] == line)
    if refused:
        raise DecisionNeeded("\n".join(("Nothing was written.", *refusal_lines(refused))))

    after, texts = guarded(table, entry, dialect, session, allow, at)
    return after.journal[-1], receipt_of(after, dialect, session, texts)


def announce(name: str, text: str, dialect: str, session: Session) -> Announcement:
    """Keep a post in `public/`, with the head of the log under it in a begun game. The text has passed the
    guard before: nothing can be unwritten."""
    text = lined(text, dialect, session)
    file = write_public(session.folder, f"{name}.txt", text)
    return Announcement(text, f"{PUBLIC}/{file.name}", is_rich(dialect))


def last_post(setup: Setup, session: Session) -> NamedPost | None:
    """The last post of the game's thread that was read; None where none was."""
    thread = kept_thread(setup, session)
    last = thread.posts[-1] if thread and thread.posts else None
    return None if last is None else NamedPost(last.number, PostMark.of(last))
