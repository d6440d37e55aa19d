"""What the closing of a window leads to in any game: as it stands, about one player, or done otherwise.

Nothing is written: the closing is entered on trial behind the journal, and its texts are read. A mafia game
says far more of its nights: `resolve_night`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime

from knightfall.engine.game import Awaited, Window
from knightfall.engine.journal import Closed, Journal, Record, Started, Submitted, standing
from knightfall.errors import DecisionNeeded, InputError
from knightfall.sentence import SlotId
from knightfall.services.game_state import (
    MODERATOR,
    RunningGame,
    before,
    closings,
    holders,
    refusal_lines,
    shown,
    since_closing,
    slot_meant,
    table_of,
)
from knightfall.services.session import Session
from knightfall.services.turns import Receipt, outcome_of

_EDITS = re.compile(
    r"(?P<verb>add|remove)\s+(?P<name>[^:]+?)\s*(?::\s*(?P<line>.+))?"
    r"|set\s+(?P<option>\w+)\s*=\s*(?P<value>.+)",
    re.IGNORECASE | re.DOTALL,
)
"""An edit of `compare`: a line of somebody, or the value of an option."""
_FORMS = "“add NAME: LINE”, “remove NAME”, “remove NAME: LINE”, “set OPTION = VALUE”"


@dataclass(frozen=True, slots=True)
class TrialClosing:
    """A window of a game just before it closes: `table` is how the game stands, `closing` closes it;
    `is_open` where that is still to come."""

    window: Window
    table: RunningGame
    closing: Closed
    at: datetime
    is_open: bool


@dataclass(frozen=True, slots=True)
class ClosingPreview:
    """The texts of a closing, and whose lines it would not take. For the moderator only."""

    title: str
    is_open: bool
    receipt: Receipt

    def to_dict(self) -> dict[str, object]:
        """{window, open, texts: [{whose, kind, text}], refused: [{line, code, text}]}."""
        return {
            "window": self.title,
            "open": self.is_open,
            "texts": [asdict(text) for text in self.receipt.texts],
            "refused": [
                {"line": line, "code": why.code, "text": why.text} for line, why in self.receipt.refused
            ],
        }


@dataclass(frozen=True, slots=True)
class PlayerClosing:
    """What a closing means for one player: what stands of theirs, what they are told, and each line of the
    posts and of the moderator's sheets that names them. `silence`: what sending nothing does."""

    title: str
    name: str
    awaited: bool
    standing: tuple[str, ...]
    silence: str
    told: tuple[str, ...]
    named: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TextChange:
    """A text of a closing that reads otherwise, "" where there is none."""

    whose: str
    kind: str
    before: str
    after: str


def trial_of(session: Session, number: int | None = None) -> TrialClosing:
    """The open window, or what was closed `number`-th of its kind. Raises InputError where there is none."""
    table = table_of(session)
    windows = table.windows
    if number is None and windows:
        # The window that the phase is about comes first; a shop beside it stays open.
        return TrialClosing(windows[0], table, Closed(windows[0].kind), table.journal[-1].at, is_open=True)
    kind = windows[0].kind if windows else ""
    closed = [
        (record, record.entry)
        for record in closings(table)
        if isinstance(record.entry, Closed) and kind in ("", record.entry.window)
    ]
    wanted = number or len(closed)
    if not 1 <= wanted <= len(closed):
        what = f"“{kind}”" if kind else "a window"
        raise InputError(f"There is no number {wanted}: {what} has been closed {len(closed)} times.")
    record, entry = closed[wanted - 1]
    then = before(table, record.number)
    window = next(one for one in then.windows if one.kind == entry.window)
    return TrialClosing(window, then, entry, record.at, is_open=False)


def preview(trial: TrialClosing, dialect: str = "plain") -> ClosingPreview:
    """Close on trial. Raises DecisionNeeded where the game asks the moderator something first."""
    return ClosingPreview(trial.window.title, trial.is_open, outcome_of(_closed(trial), dialect))


def why(name: str, trial: TrialClosing) -> PlayerClosing:
    """Tell what a closing means for one player. Raises InputError for a name that is nobody's."""
    table = trial.table
    slot = slot_meant(table, name)
    if slot is None:
        raise InputError(f"“{name}” is you; name a player.")
    held = holders(table.journal)
    called, receipt = held.get(slot, slot), outcome_of(_closed(trial))
    awaited = table.game.awaits(table.state, trial.window)
    mine = next((one for one in awaited if one.slot == slot), None)
    silence = table.game.silence(trial.window.kind)
    others = [text for text in receipt.texts if text.whose != called]
    word = re.compile(rf"(?<!\w){re.escape(called)}(?!\w)")
    return PlayerClosing(
        trial.window.title,
        shown(slot, held),
        mine is not None,
        (mine or Awaited(slot)).standing,
        silence.text if silence else "",
        tuple(text.text for text in receipt.texts if text.whose == called),
        tuple(dict.fromkeys(line for text in others for line in text.text.splitlines() if word.search(line))),
    )


def compare(trial: TrialClosing, edits: Sequence[str]) -> tuple[TextChange, ...]:
    """The texts that differ once the edits hold. Raises InputError for an edit that is none or is refused."""
    edited = trial
    for edit in edits:
        edited = _edited(edited, edit)
    was, now = (_by_reader(outcome_of(_closed(one))) for one in (trial, edited))
    keys = dict.fromkeys((*was, *now))
    return tuple(
        TextChange(*key[:2], was.get(key, ""), now.get(key, ""))
        for key in keys
        if was.get(key, "") != now.get(key, "")
    )


def _closed(trial: TrialClosing) -> RunningGame:
    after = trial.table.after(trial.closing, trial.at, MODERATOR)
    if after.last_refused:
        head = f"{trial.window.title} cannot be closed yet."
        raise DecisionNeeded("\n".join((head, *refusal_lines(after.last_refused))))
    return after


def _by_reader(receipt: Receipt) -> dict[tuple[str, str, int], str]:
    """Texts by whose they are, their kind, and which of these they are."""
    found: dict[tuple[str, str, int], str] = {}
    so_far: Counter[tuple[str, str]] = Counter()
    for text in receipt.texts:
        reader = (text.whose, text.kind)
        found[(*reader, so_far[reader])] = text.text
        so_far[reader] += 1
    return found


def _edited(trial: TrialClosing, edit: str) -> TrialClosing:
    """The game as it would stand had the edit been so."""
    found = _EDITS.fullmatch(edit.strip())
    if found is None or (found["verb"] and found["verb"].lower() == "add" and not found["line"]):
        raise InputError(f"“{edit}” is not a change that I understand. Expected {_FORMS}.")
    table = trial.table
    if found["option"]:
        return replace(
            trial, table=table.at(tuple(_with_option(table.journal, found["option"], found["value"])))
        )
    slot, line = slot_meant(table, found["name"]), found["line"]
    if slot is None:
        raise InputError(f"“{found['name']}” is you; name a player.")
    if found["verb"].lower() == "remove":
        return replace(trial, table=_without(table, slot, line, edit))
    after = table.after(Submitted(slot, line), trial.at, MODERATOR)
    if after.last_refused:
        raise InputError("\n".join((f"“{edit}” was refused.", *refusal_lines(after.last_refused))))
    return replace(trial, table=after)


def _with_option(journal: Journal, option: str, value: str) -> Iterator[Record]:
    for record in standing(journal):
        if isinstance(record.entry, Started):
            options = {**record.entry.options, option: value}
            yield replace(record, entry=replace(record.entry, options=options))
        else:
            yield record


def _without(table: RunningGame, slot: SlotId, line: str | None, edit: str) -> RunningGame:
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
        elif line is not None:
            rest = [
                one for one in entry.text.splitlines() if one.strip().casefold() != line.strip().casefold()
            ]
            kept.append(replace(record, entry=replace(entry, text="\n".join(rest))))
    if tuple(kept) == standing(table.journal):
        raise InputError(f"“{edit}”: {slot} has sent nothing like that since the last closing.")
    return table.at(tuple(kept))
