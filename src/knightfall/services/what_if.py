"""What closing a window leads to, in any game: as it stands, about one player, or done otherwise.

Nothing is written. The closing is entered on trial behind the journal, as `turns.close` enters it, so the
texts are those that closing would write. A what-if changes the position itself: an action is taken out of it,
what is added the game takes as it takes any message.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any

from knightfall.engine.entries import Closed, Entry, Started, Submitted, options_of
from knightfall.engine.game import Awaited, Event, Message, Noted, Refusal, Window, noted
from knightfall.engine.journal import Journal, Record, entry_of, instant, standing, start_of, window_name
from knightfall.engine.json_text import JsonAnswer
from knightfall.engine.replay import Taken
from knightfall.engine.what_if import (
    FORMS,
    NIGHT_FORMS,
    Add,
    Change,
    Choose,
    Edit,
    Remove,
    Step,
    TextChange,
    WhatIf,
    Why,
    parse_edit,
)
from knightfall.errors import DecisionNeeded, InputError
from knightfall.games import loaded
from knightfall.mafia import explain_night
from knightfall.mafia.decide import PendingNight, decide
from knightfall.mafia.events import CautionNote, EarlyClosing, NightSheet, RingQuestion
from knightfall.mafia.explain_night import EditedNight, NightReport
from knightfall.mafia.night_file import NightFileGame
from knightfall.mafia.state import Phase
from knightfall.sentence import SlotId, Way, parts_of, sentence
from knightfall.services.day.standing_votes import VotedDay, voted_day, voter_name
from knightfall.services.flavour import ClosedNight, FlavourCheck, check_words
from knightfall.services.now import now_of
from knightfall.services.publish import Text, texts_of
from knightfall.services.running import (
    MODERATOR,
    Holders,
    RunningGame,
    before,
    closings,
    holders,
    line_now,
    moderators_word,
    names_of,
    noted_now,
    refusal_lines,
    shown,
    since_closing,
    slot_meant,
)
from knightfall.services.session import Session, journal_of
from knightfall.services.window.turns import closing_entry, ends_by_votes
from knightfall.writeups.events import moderator_sheet
from knightfall.writeups.render import Written, render
from knightfall.writeups.text_lines import lines_naming

NIGHT = "night"


@dataclass(frozen=True, slots=True, repr=False)
class Preview(JsonAnswer):
    """What closing a window leads to. For the moderator only.

    `title` is that of the game, `window` that of the window, of that `kind`; `number` is which night it is,
    None for another window. `is_open` where it is still to be closed in a game's folder. `texts` go out by
    the closing, `refused` are lines sent for it that were not taken, with who sent them; `cautions` are worth
    a look, beside those of the sheet of a night. `report` is what a game knows of its nights, `day` how a day
    stands that a thread votes on. `question` is what the moderator has to say ("": nothing); `stays_open`:
    the window cannot be closed before that is said.
    """

    title: str
    window: str
    kind: str
    number: int | None
    is_open: bool
    texts: tuple[Text, ...] = ()
    refused: tuple[tuple[str, str, Refusal], ...] = ()
    cautions: tuple[CautionNote, ...] = ()
    report: NightReport | None = None
    day: VotedDay | None = None
    question: str = ""
    stays_open: bool = False

    @property
    def public(self) -> tuple[str, ...]:
        """The posts for everybody."""
        return tuple(text.text for text in self.texts if text.is_public)

    @property
    def private(self) -> tuple[Text, ...]:
        """The PMs."""
        return tuple(text for text in self.texts if text.is_pm)

    @property
    def decided(self) -> tuple[str, ...]:
        """A line for each tie of a night that was drawn, and each loop of actions that needed no decision."""
        return tuple(render("mafia/lots", self.report.sheet).splitlines()) if self.report else ()

    @property
    def pm_sizes(self) -> tuple[int, ...]:
        """The lengths of the PMs, shortest first: who sees only these should learn nothing."""
        return tuple(sorted(len(text.text) for text in self.private))

    def to_dict(self) -> dict[str, object]:
        """{title, window, open, texts: [{whose, kind, text}], public: [posts], private: [{to, text}],
        refused: [{slot, line, code, text}], cautions, depends, question}; of a night {night, moderator: the
        sheet's facts} too, of a day that a thread votes on {day}."""
        found: dict[str, object] = {
            "title": self.title,
            "window": self.window,
            "open": self.is_open,
            "texts": [{"whose": one.whose, "kind": one.kind, "text": one.text} for one in self.texts],
            "public": list(self.public),
            "private": [{"to": [text.whose], "text": text.text} for text in self.private],
            "refused": [
                {"slot": slot, "line": line, "code": why.code, "text": why.text}
                for slot, line, why in self.refused
            ],
            "cautions": [asdict(caution) for caution in self.cautions],
            "depends": [one.to_dict() for one in self.report.depends] if self.report else [],
            "question": self.question,
        }
        if self.number is not None:
            found["night"] = self.number
        if self.report is not None:
            causes, sheet = self.report.causes, self.report.sheet
            deaths = [
                asdict(death) | ({"cause": causes[death.name]} if causes.get(death.name) else {})
                for death in sheet.deaths
            ]
            found["moderator"] = asdict(sheet) | {"deaths": deaths}
        if self.day is not None:
            found["day"] = self.day.to_dict()
        return found


@dataclass(frozen=True, slots=True)
class Trial:
    """A window on trial: `table` is the game just before it is closed, `closing` the entry that closes it at
    an instant (None: what was entered last has closed it). `is_open` where that is still to come; `day` is
    how a day stands that a thread votes on. `asks`: what has to be said before there is a closing ("":
    nothing)."""

    table: RunningGame
    window: Window
    closing: Entry | None
    at: datetime
    is_open: bool
    day: VotedDay | None = None
    asks: str = ""

    @property
    def night(self) -> PendingNight | None:
        """The night that is closed, with all that stands in it; None where it is no night."""
        return _pending_night(self.table) if _is_night(self.table) else None

    @property
    def held(self) -> Holders:
        """Who holds the slots, of those that changed hands."""
        return holders(self.table.journal)

    def closed(self) -> RunningGame:
        """The game behind the closing. What its rules close at its time alone is closed at that time."""
        if self.closing is None:
            return self.table
        after = self.table.after(self.closing, self.at, MODERATOR)
        until = self.window.closes
        if after.last_refused and isinstance(self.closing, Closed) and until and until > self.at:
            return self.table.after(replace(self.closing, ended=until), self.at, MODERATOR)
        return after


def has_nights(session: Session) -> bool:
    """Whether the game of the folder is a mafia game, which knows more of its nights than their texts."""
    started = start_of(journal_of(session))
    return started is None or isinstance(loaded(started.game), NightFileGame)


# ── Which window. ───────────────────────────────────────────────────────────────────────────────────────────


def trial_of(session: Session, window: str | None = None, number: int | None = None) -> Trial:
    """The open window (of that kind), or the `number`-th that was closed: of a mafia game the night of that
    number, where no kind is said. Nothing open: what was closed last. Raises InputError where there is none.
    """
    table = now_of(session).running
    open_ = [one for one in table.windows if window in (None, one.kind)]
    if number is None:
        if open_:
            return _open(table, open_[0], session)
        if window is None and (last := _last_closed(table)) is not None:
            return last
        raise InputError(_not_there(table, window))
    kind = window or (NIGHT if isinstance(table.game, NightFileGame) else open_[0].kind if open_ else "")
    if kind == NIGHT and isinstance(table.game, NightFileGame):
        return _night(table, number, session)
    closed = [record for record in closings(table) if kind in ("", _kind_of(record))]
    if not 1 <= number <= len(closed):
        what = f"“{kind}”" if kind else "a window"
        raise InputError(f"There is no number {number}: {what} has been closed {len(closed)} times.")
    return _past(table, closed[number - 1])


def _not_there(table: RunningGame, window: str | None) -> str:
    if window is None:
        return "Nothing was opened or closed in this game yet."
    now = ", ".join(f"{one.title} ({one.kind})" for one in table.windows) or "nothing"
    return f"“{window}” is not open. Open now: {now}."


def _open(table: RunningGame, window: Window, session: Session) -> Trial:
    """What closing the open window now would do; a day that a thread votes on closes as its count stands."""
    now = session.clock.now()
    if not ends_by_votes(window, session):
        return Trial(table, window, closing_entry(table, window, now), now, is_open=True)
    return _by_votes(Trial(table, window, None, now, is_open=True), voted_day(table, window, session))


def _by_votes(trial: Trial, day: VotedDay) -> Trial:
    """The trial of a day as these votes close it."""
    asks = ""
    if day.unread:
        said = "The votes in the thread close {title}. {unread}"
        asks = sentence(said, title=trial.window.title, unread=day.unread)
    elif day.closing is None:
        choices = " | ".join(day.choices)
        asks = f"The votes do not settle who is eliminated, so you will be asked: {choices}."
    return replace(trial, closing=day.closing, day=day, asks=asks)


def _kind_of(record: Record) -> str:
    """The kind of the window that an entry closed: “day” for `day-2`."""
    assert isinstance(record.entry, Closed)
    kind, _, number = record.entry.window.rpartition("-")
    return kind if kind and number.isdecimal() else record.entry.window


def _past(table: RunningGame, record: Record) -> Trial:
    """What was closed with an entry, as the game stood then."""
    then, entry = before(table, record.number), record.entry
    assert isinstance(entry, Closed)
    closed = (one for one in then.windows if entry.window in (one.kind, window_name(one)))
    window = next(closed, None)
    if window is None:
        raise InputError(f"Entry {record.number} closed “{entry.window}”, which was not open in the game.")
    return Trial(then, window, entry, record.at, is_open=False)


def _last_closed(table: RunningGame) -> Trial | None:
    """What was closed last, be it a night that ended by itself; None where nothing was."""
    nights, closed = _closed_nights(table), closings(table)
    last = nights[max(nights)] if nights else None
    if last is not None and (not closed or last.number >= closed[-1].number):
        return _past_night(table, last)
    return _past(table, closed[-1]) if closed else None


def _night(table: RunningGame, number: int, session: Session) -> Trial:
    """The night of that number, open or closed. Raises InputError where there is none."""
    closed = _closed_nights(table)
    open_ = table.state.number if _is_night(table) else None
    if number == open_:
        return _open(table, table.windows[0], session)
    if number in closed:
        return _past_night(table, closed[number])
    none = f"There is no night {number}."
    known = [*(f"{night} (closed)" for night in closed), *([f"{open_} (open)"] if open_ else [])]
    if known:
        raise InputError(f"{none} Nights of this game: {', '.join(known)}.")
    if not table.windows:
        raise InputError(f"{none} The game is over.")
    window = table.windows[0]
    way = Way("close", title=window.title, kind=window.kind)
    way = Way("close_day") if ends_by_votes(window, session) else way
    raise InputError(sentence("{none} Close {title} first: {way}.", none=none, title=window.title, way=way))


def _is_night(table: RunningGame) -> bool:
    return isinstance(table.game, NightFileGame) and table.state.phase is Phase.NIGHT


def _closed_nights(table: RunningGame) -> dict[int, Taken]:
    """What closed each night that is over, by its number."""
    found = {}
    for taken in table.replay.taken:
        for sheet in noted(taken.events):
            if isinstance(sheet.facts, NightSheet):
                found[sheet.facts.night] = taken
    return found


def _past_night(table: RunningGame, taken: Taken) -> Trial:
    """A night that is over, just before its end: by a closing, by the last player who was ready (EM-R27), by
    the moderator's ruling on a ring, or because its time was up."""
    record = entry_of(table.journal, taken.number)
    entry, then = record.entry, before(table, taken.number)
    if isinstance(entry, Closed):
        return _past(table, record)
    if not _is_night(then):
        raise InputError(
            f"Entry {taken.number} opened and closed that night at once, so nobody could send anything."
        )
    window = then.windows[0]
    at = instant(record)
    closing = closing_entry(then, window, at)
    if isinstance(entry, Submitted) and closing.ended is None:
        if entry.slot is None:
            return Trial(then, window, entry, at, is_open=False)
        # The message stands, but the night is still open.
        night = _pending_night(then)
        step = night.game.take_in(night.state, Message(entry.slot, entry.text, at, night.names), night.chance)
        then = then.after(entry, record.at, record.author).with_state(step.state)
    return Trial(then, window, closing, at, is_open=False)


def _pending_night(table: RunningGame) -> PendingNight:
    """A mafia game as a night is decided in it, or will be: what stands, and what was sent for it."""
    assert isinstance(table.game, NightFileGame)  # whoever asks has looked
    started = start_of(table.journal)
    sent = {record.number: record.entry for record in since_closing(table)}
    senders = (one.slot for one in sent.values() if isinstance(one, Submitted))
    return PendingNight(
        table.game,
        table.state,
        options_of(started, table.game.spec) if started else {},
        tuple(_refused_since(table)),
        senders=frozenset(slot for slot in senders if slot is not None),
        names=dict(table.replay.pending.aliases),
        seed=table.seed_now,
        held=table.replay.pending.held,
    )


def _has_planned(table: RunningGame, slot: SlotId) -> bool:
    """Whether an action of the slot stands in a mafia game, for this night or the one to come."""
    if not isinstance(table.game, NightFileGame):
        return False
    return any(action.actor == slot for action in table.game.standing_orders(table.state))


def _refused_since(table: RunningGame) -> Iterator[tuple[SlotId, str, Refusal]]:
    """The lines that were not taken since something was closed, with who sent them."""
    sent = {record.number: record.entry for record in since_closing(table)}
    for taken in table.replay.taken:
        entry = sent.get(taken.number)
        if isinstance(entry, Submitted) and entry.slot is not None:
            yield from ((entry.slot, line, why) for line, why in taken.refused)


# ── As it stands. ───────────────────────────────────────────────────────────────────────────────────────────


def preview(
    session: Session,
    window: str | None = None,
    number: int | None = None,
    dialect: str = "plain",
    flavour: str = "",
) -> Preview:
    """What closing a window leads to; `window` and `number` as in `trial_of`. `flavour` stands before the
    dawn of a night."""
    trial = trial_of(session, window, number)
    table, night, held = trial.table, trial.night, trial.held
    after = trial.closed()
    refused = _still_open(trial, after)
    events = () if refused or trial.asks else after.last_events
    found = None
    if night is not None and events:
        found = explain_night.report(night, events)
        found = found and _named(found, held)
    cautions = _cautions(trial, events) if found is None else found.cautions
    return Preview(
        _title(session, table),
        trial.window.title,
        trial.window.kind,
        night.number if night else None,
        trial.is_open,
        tuple(texts_of(after, events, dialect, flavour)),
        tuple((held.get(slot, str(slot)), line, why) for slot, line, why in _refused_since(table)),
        cautions,
        found,
        trial.day,
        trial.asks or refused or _ring(after, events),
        stays_open=bool(refused),
    )


def check_flavour(
    session: Session, text: str, reason: str | None = None, number: int | None = None
) -> FlavourCheck:
    """Check a text for the dawn of the night that is open, or of that number, as `flavour.check_words` does.
    Raises InputError where that is no night."""
    trial = trial_of(session, None, number)
    night, after = trial.night, trial.closed()
    if night is None:
        raise InputError(f"{trial.window.title} is no night, so no dawn comes after it.")
    if asked := _still_open(trial, after) or _ring(after, after.last_events):
        raise DecisionNeeded(asked)
    return check_words(
        ClosedNight(night.game, night.state, after.state, after.last_events, trial.held), text, reason
    )


def _title(session: Session, table: RunningGame) -> str:
    """What the game is called."""
    title = now_of(session).setup.title if session.file.exists() else ""
    return title or table.game.spec.name


def _still_open(trial: Trial, after: RunningGame) -> str:
    """What the moderator has to say before the window can be closed ("": nothing)."""
    if trial.closing is None or not after.last_refused:
        return ""
    head = f"{trial.window.title} cannot be closed yet."
    return "\n".join((head, *refusal_lines(after.last_refused)))


def _ring(after: RunningGame, events: tuple[Event, ...]) -> str:
    """The question that closing a night puts to the moderator; "" where there is none."""
    asked = (event for event in noted(events) if isinstance(event.facts, RingQuestion))
    held = holders(after.journal)
    return next((moderator_sheet(after.game.spec.id, noted_now(event, held)) for event in asked), "")


def _cautions(trial: Trial, events: tuple[Event, ...]) -> tuple[CautionNote, ...]:
    """What is worth a look: by the events, and by the game of a window that is still open."""
    told = (event.facts for event in noted(events))
    found = [one for one in told if isinstance(one, CautionNote) and not isinstance(one, EarlyClosing)]
    if trial.day is not None and trial.day.count is not None:
        found += [CautionNote(text, "") for text in trial.day.count.lost]
    if trial.is_open and trial.night is None:
        said = trial.table.game.cautions(trial.table.state, trial.window)
        found += [CautionNote(text, "") for text in said]
    return tuple(found)


def _named(found: NightReport, held: Holders) -> NightReport:
    """A report in which everybody is called as they are now."""
    if not held:
        return found

    def now(facts: Any) -> Any:
        return noted_now(Noted(facts), held).facts

    depends = (replace(one, changes=_changes_named(one.changes, held)) for one in found.depends)
    return NightReport(
        now(found.sheet),
        {SlotId(held.get(slot, slot)): cause for slot, cause in found.causes.items()},
        tuple(now(caution) for caution in found.cautions),
        tuple(depends),
    )


def _changes_named(changes: tuple[Change, ...], held: Holders) -> tuple[Change, ...]:
    return tuple(Change(line_now(one.text, held), line_now(one.why, held)) for one in changes)


# ── About one player. ───────────────────────────────────────────────────────────────────────────────────────


def why(session: Session, name: str, window: str | None = None, number: int | None = None) -> Why:
    """What a closing means for one player. Raises InputError for a name that is nobody's, DecisionNeeded
    where the moderator has to say something before it can be closed."""
    trial = trial_of(session, window, number)
    if trial.night is not None:
        return _why_of_night(explain_night.why(name, trial.night), trial.held)
    table, held = trial.table, trial.held
    slot = slot_meant(table, name)
    if slot is None:
        raise InputError(f"“{name}” is you; name a player.")
    called, after = held.get(slot, str(slot)), trial.closed()
    if asked := _still_open(trial, after):
        raise DecisionNeeded(asked)
    texts = () if trial.asks else tuple(texts_of(after, after.last_events, "plain"))
    awaited = table.game.awaits(table.state, trial.window)
    mine = next((one for one in awaited if one.slot == slot), None)
    silence = table.game.silence(trial.window.kind)
    names = dict.fromkeys((called, shown(slot, held)))
    lines = (
        line
        for text in texts
        if not (text.is_pm and text.whose == called) and isinstance(text.text, Written)
        for name in names
        for line in lines_naming(text.text.nodes, name)
    )
    votes = trial.day.votes_of(called) if trial.day else ()
    return Why(
        trial.window.title,
        shown(slot, held),
        awaited=mine is not None or trial.day is not None,
        standing=(
            *(mine or Awaited(slot)).standing,
            *(f"{' '.join(vote.text.split())} (#{vote.post})" for vote in votes),
        ),
        silence=silence.text if silence else "",
        told=tuple(text.text for text in texts if text.is_pm and text.whose == called),
        named=tuple(dict.fromkeys((*_wagon_of(trial, called), *lines))),
    )


def _wagon_of(trial: Trial, name: str) -> Iterator[str]:
    """Who votes for a player, in a line; nothing where nobody does."""
    for wagon in trial.day.count.tally.wagons if trial.day and trial.day.count else ():
        if wagon.target is not None and name in wagon.target.names:
            votes = ", ".join(f"{vote.voter.name} (#{vote.post})" for vote in wagon.votes)
            yield f"{name} has {wagon.size}: {votes}"


def _why_of_night(found: Why, held: Holders) -> Why:
    """The chains of causes with everybody called as they are now."""
    return replace(
        found,
        name=shown(SlotId(found.name), held),
        steps=tuple(Step(step.depth, line_now(step.text, held), step.ruling) for step in found.steps),
    )


# ── Done otherwise. ─────────────────────────────────────────────────────────────────────────────────────────


def what_if(
    session: Session, changes: Sequence[str], window: str | None = None, number: int | None = None
) -> WhatIf:
    """What is different once the changes hold. A line that the game does not take changes nothing, and is in
    the answer with the reason. Raises InputError for a change that is none, names nobody, or takes away what
    is not there."""
    trial = trial_of(session, window, number)
    slots, aliases = names_of(trial.table)
    forms = FORMS if trial.night is None else NIGHT_FORMS
    edits = tuple(parse_edit(text, slots, aliases, forms) for text in changes)
    edited = _edited(trial, edits, session)
    held = trial.held
    told: tuple[Change, ...] = ()
    question = ""
    if trial.night is not None and edited.night is not None:
        try:
            decide(edited.night.night)
        except DecisionNeeded as asked:
            question = asked.message
        else:
            # A ring that the changes undo: what was before nobody can say, and the texts tell what is now.
            with suppress(DecisionNeeded):
                told = explain_night.compare(trial.night, edited.night)
    was, (now, asks) = _texts(trial)[0], _texts(edited.trial)
    keys = dict.fromkeys((*was, *now))
    return WhatIf(
        _changes_named(told, held),
        tuple(
            TextChange(*key[:2], was.get(key, ""), now.get(key, ""))
            for key in keys
            if was.get(key, "") != now.get(key, "")
        ),
        tuple((held.get(SlotId(name), name), line, why_not) for name, line, why_not in edited.refused),
        line_now(question, held) or asks,
    )


def examples(session: Session) -> tuple[str, ...]:
    """Changes that could be asked for now, in the words of the game, of messages alone. Secret: for the
    moderator's eyes."""
    table = now_of(session).running
    if not table.windows:
        return ()
    window, held, game = table.windows[0], holders(table.journal), table.game
    found: list[str] = []
    if ends_by_votes(window, session):
        players = [held.get(slot, str(slot)) for slot in game.playing(table.state)]
        found += [f"add {players[0]}: vote {players[-1]}", f"remove {players[0]}"]
    else:
        awaited = game.awaits(table.state, window)
        sent = next((one.slot for one in awaited if one.standing), awaited[0].slot if awaited else None)
        found += [f"remove {held.get(sent, str(sent))}"] if sent else []
        lines = (
            (held.get(slot, str(slot)) if slot else moderators_word(table), line_now(line, held))
            for slot in (*window.slots, None)
            for line in _naming_somebody(game.legal(table.state, slot))
        )
        found += [f"add {name}: {line}" for name, line in islice(lines, 1)]
    return tuple(found)


def _naming_somebody(lines: Iterable[str]) -> Iterator[str]:
    """The first of the lines in which somebody is named; the first of all where none is."""
    some = tuple(islice(lines, 50))
    named = (line for line in some if any(isinstance(part, SlotId) for part in parts_of(line)))
    yield from islice((*named, *some), 1)


@dataclass(frozen=True, slots=True)
class _Edited:
    """A trial under edits, the lines that were not taken; of a night what the edits did to it."""

    trial: Trial
    refused: tuple[tuple[str, str, Refusal], ...] = ()
    night: EditedNight | None = None


def _edited(trial: Trial, edits: Sequence[Edit], session: Session) -> _Edited:
    """The window as it would be closed had the edits been so."""
    if trial.night is not None:
        night = explain_night.edited(trial.night, edits)
        table = trial.table.with_state(night.night.state)
        return _Edited(replace(trial, table=table), night.refused, night)

    refused: list[tuple[str, str, Refusal]] = []
    votes: list[Add | Remove] = []
    table, decided = trial.table, False
    for edit in sorted(edits, key=lambda one: isinstance(one, Choose)):
        if isinstance(edit, Choose):
            table = _with_option(table, edit)
            continue
        slot = slot_meant(table, edit.name)
        if isinstance(edit, Add):
            after = table.after(Submitted(slot, edit.line), trial.at, MODERATOR)
            if not after.last_refused:
                table, decided = after, decided or slot is None
            elif slot is not None and trial.day is not None:
                votes.append(Add(voter_name(table, slot), edit.line))
            else:
                refused += ((edit.name, line, why) for line, why in after.last_refused)
            continue
        if slot is None:
            raise InputError(f"“{edit.name}” is you; name a player.")
        if _has_planned(table, slot):
            # For the night to come, by day.
            night = explain_night.edited(_pending_night(table), (edit,))
            table = table.with_state(night.night.state)
        elif trial.day is not None:
            votes.append(Remove(voter_name(table, slot), edit.line))
        else:
            table = _without(table, slot, edit)
    # What closes it then: the votes, what the moderator said, or a message that was added.
    done = replace(trial, table=table)
    if trial.window.title not in (one.title for one in table.windows):
        done = replace(done, closing=None, asks="")
    elif decided and trial.day is not None:
        done = replace(done, closing=closing_entry(table, trial.window, trial.at), day=None, asks="")
    elif trial.day is not None:
        day = voted_day(table, trial.window, session, votes)
        refused += day.refused
        done = _by_votes(done, day)
    return _Edited(done, tuple(refused))


def _texts(trial: Trial) -> tuple[dict[tuple[str, str, int], str], str]:
    """The texts of a closing by whose they are, their kind, and which of these they are; and what the
    moderator has to say before there are any ("": nothing)."""
    after = trial.closed()
    asked = trial.asks or _still_open(trial, after)
    found: dict[tuple[str, str, int], str] = {}
    so_far: Counter[tuple[str, str]] = Counter()
    for text in () if asked else texts_of(after, after.last_events, "plain"):
        reader = (text.whose, text.kind)
        found[(*reader, so_far[reader])] = text.text
        so_far[reader] += 1
    return found, asked


def _with_option(table: RunningGame, edit: Choose) -> RunningGame:
    """The game under another value of an option: as it stands, or played again. Raises InputError where there
    is no such option or value."""
    started = start_of(table.journal)
    given = options_of(started, table.game.spec) if started else {}
    options = {**given, edit.option: edit.value}
    state = table.game.under(table.state, options)
    if state is not None:
        return table.with_state(state)
    return table.at(tuple(_restarted(table.journal, options)))


def _restarted(journal: Journal, options: Mapping[str, object]) -> Iterator[Record]:
    """The records that stand, with a game begun under other options."""
    for record in standing(journal):
        entry = record.entry
        yield replace(record, entry=replace(entry, options=options)) if isinstance(entry, Started) else record


def _without(table: RunningGame, slot: SlotId, edit: Remove) -> RunningGame:
    """The game without what a player sent since the last closing, or without one line of it."""
    sent = {
        record.number
        for record in since_closing(table)
        if isinstance(record.entry, Submitted) and record.entry.slot == slot
    }
    kept: list[Record] = []
    for record in standing(table.journal):
        entry = record.entry
        if record.number not in sent or not isinstance(entry, Submitted):
            kept.append(record)
        elif edit.line:
            meant = edit.line.casefold()
            rest = [one for one in entry.text.splitlines() if one.strip().casefold() != meant]
            kept.append(replace(record, entry=replace(entry, text="\n".join(rest))))
    if tuple(kept) == standing(table.journal):
        what = f"remove {edit.name}{f': {edit.line}' if edit.line else ''}"
        raise InputError(f"“{what}”: {slot} has sent nothing like that since the last closing.")
    return table.at(tuple(kept))
