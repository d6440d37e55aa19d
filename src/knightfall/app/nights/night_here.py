"""What is a night of the game of a folder: the one that is open, or one that was closed?

The position is that of the game itself, before the night was closed; what was sent stands in it. So the same
questions can be asked of it as of a night file, and the answer to “what if nothing changed” is what was, or
will be, closed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from knightfall.app.nights.night_file import CUSTOM_ID, EMPOWERED_ID, KNIGHT_ERRANT_ID, NightFile
from knightfall.app.nights.past import before, since_closing
from knightfall.app.nights.verdict import chance, game_of, words_of
from knightfall.app.play.table import Table, names_of, refusal_lines, table_of
from knightfall.app.ports import Ports
from knightfall.app.setup_now import setup_of
from knightfall.core.entries import Drawn, Started, Submitted
from knightfall.core.game import Event, Message, Refusal, SlotId, Told, noted
from knightfall.core.journal import Taken
from knightfall.errors import DecisionNeeded, InputError
from knightfall.games.empowered.state import READY, has_lost, plans
from knightfall.mafia.state import Phase, State

KINDS = (KNIGHT_ERRANT_ID, EMPOWERED_ID, CUSTOM_ID)
SHEET, RECEIPT = "moderator_night", "receipt"


def night_here(number: int | None, folder: Path, ports: Ports) -> NightFile:
    """The night of that number; None: the open one, else the last. Raises InputError where there is none."""
    table = table_of(folder, ports)
    if table.game.spec.id not in KINDS:
        raise InputError(f"{table.game.spec.name} has no nights. What was told: knightfall explain NAME.")
    title = setup_of(folder, ports).title or table.game.spec.name
    closed = _closed(table)
    open_ = table.state.number if table.state.phase is Phase.NIGHT else None
    wanted = number or open_ or max(closed, default=None)
    if wanted is not None and wanted == open_:
        return _pending(table, title)
    if wanted not in closed:
        raise InputError(f"{_none(number)} {_known(closed, open_)}")
    return _past(table, closed[wanted], title)


def _none(number: int | None) -> str:
    return "There was no night yet." if number is None else f"There is no night {number}."


def _known(closed: dict[int, Taken], open_: int | None) -> str:
    told = [*(f"{night} (closed)" for night in closed), *([f"{open_} (open)"] if open_ else [])]
    return (
        f"Nights of this game: {', '.join(told)}." if told else "Close the day first: knightfall commit day."
    )


def _closed(table: Table) -> dict[int, Taken]:
    """What closed each night that is over."""
    found = {}
    for taken in table.replay.taken:
        for sheet in noted(taken.events):
            if sheet.kind == SHEET:
                found[int(str(sheet.facts["night"]))] = taken
    return found


def _pending(table: Table, title: str) -> NightFile:
    """What the closing will lead to. Raises DecisionNeeded where the game cannot close the night."""
    night = _night(table, table.state, title)
    kind = table.windows[0].kind
    ready = replace(table.state, since=None)  # before its deadline, too: this is only to see
    step = game_of(night).close(ready, kind, table.journal[-1].at, chance(night))
    if step.refused:
        raise DecisionNeeded("\n".join(("The night cannot be closed yet.", *refusal_lines(step.refused))))
    return replace(night, ending=step.events)


def _past(table: Table, taken: Taken, title: str) -> NightFile:
    then = before(table, taken.number)
    state: State[Any] = then.state
    entry = table.journal[taken.number - 1].entry
    if isinstance(entry, Submitted) and entry.slot is not None:  # the last player was ready: EM-R27
        said = "\n".join(line for line in entry.text.splitlines() if line.strip().casefold() != READY)
        message = Message(entry.slot, said, table.journal[taken.number - 1].at, names_of(table)[1])
        state = then.game.submit(state, message, chance(_night(then, state, title))).state
    if state.phase is not Phase.NIGHT:
        raise InputError(f"Entry {taken.number} opened and closed that night at once: nobody sent anything.")
    return replace(_night(then, state, title), ending=_without_receipts(taken.events))


def _without_receipts(events: Sequence[Event]) -> tuple[Event, ...]:
    return tuple(event for event in events if not (isinstance(event, Told) and event.kind == RECEIPT))


def _night(table: Table, state: State[Any], title: str) -> NightFile:
    kind = table.game.spec.id
    night = NightFile(
        kind,
        title,
        state.number,
        {slot: card.name for slot, card in state.living.items()},
        _options(table),
        {},
        state.shots,
        frozenset(slot for slot in state.living if kind == EMPOWERED_ID and has_lost(state, slot)),
        state.code,
        position=state,
        names={name: slot for name, slot in names_of(table)[1].items() if slot in state.living},
        refused=tuple(_refused(table)),
        seed=table.seed,
        drawn=tuple(_drawn(table)),
    )
    return replace(night, lines=_lines(night, state))


def _options(table: Table) -> dict[str, object]:
    started = next(record.entry for record in table.journal if isinstance(record.entry, Started))
    return dict(started.options)


def _lines(night: NightFile, state: State[Any]) -> dict[SlotId, tuple[str, ...]]:
    """What stands, as each would have to send it."""
    lines: dict[SlotId, tuple[str, ...]] = {}
    for action in plans(state):
        lines[action.actor] = (*lines.get(action.actor, ()), words_of(night).notation(action))
    return lines


def _refused(table: Table) -> Iterator[tuple[SlotId, str, Refusal]]:
    """The lines that were not taken since the night opened."""
    entries = {record.number: record.entry for record in since_closing(table)}
    for taken in table.replay.taken:
        entry = entries.get(taken.number)
        if isinstance(entry, Submitted) and entry.slot is not None:
            yield from ((entry.slot, line, why) for line, why in taken.refused)


def _drawn(table: Table) -> Iterator[tuple[str, object]]:
    for record in since_closing(table):
        if isinstance(record.entry, Drawn):
            yield record.entry.label, record.entry.value
