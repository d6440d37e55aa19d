"""Which post tells who fell, and as what? It is written only for a day that was closed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from knightfall.app.calendar.day_table import elimination_post
from knightfall.app.count.names import bears
from knightfall.app.diary.journal import journal_of
from knightfall.app.guarding.outgoing import released
from knightfall.app.people.dead import begun
from knightfall.app.play.table import table_of
from knightfall.app.ports import Ports, Say
from knightfall.app.setup_now import setup_of
from knightfall.app.speech import speech_of
from knightfall.core.entries import Closed
from knightfall.core.journal import Record
from knightfall.core.roster import Slot
from knightfall.errors import DecisionNeeded
from knightfall.markup.dialects import dialect
from knightfall.setups.closed import closed_days, eliminated
from knightfall.setups.setup import Setup
from knightfall.writeups.render import render


def flip(
    name: str | None,
    game: Path,
    day: int | None,
    wanted: str | None,
    ports: Ports,
    out: Say,
    err: Say,
    allow: str = "",
) -> None:
    """Prints the post. Raises DecisionNeeded where the day (None: the latest) was not closed, or `name` is
    not who fell: then nothing is shown. Says on `err` whose role the game file does not tell."""
    if wanted:
        dialect(wanted)  # an unknown one is told first
    setup = setup_of(game, ports)
    record, number, fallen = _closed(day, ports)
    _refuse_other(name, number, fallen, setup)
    speech = speech_of(wanted, setup, ports)
    played = _of_game(record, game, speech, ports)
    if played is not None:
        out(released(played, game, ports, allow))
        return
    roles = {one: _role(one, setup) for one in fallen}
    text = render("any/flip", _facts(number, roles, setup), speech)
    out(released(text, game, ports, allow))
    for one in (one for one, role in roles.items() if role is None):
        err(f"{setup.source} has no role for {one}, so the post tells none. It goes in the [[player]]: role.")


def _of_game(record: Record, game: Path, speech: str, ports: Ports) -> str | None:
    """The post of the begun game, which has the cards; None where none was begun, or it told nothing."""
    if not begun(journal_of(ports)):
        return None
    return elimination_post(record, table_of(game, ports), speech)


def _closed(day: int | None, ports: Ports) -> tuple[Record, int, tuple[str, ...]]:
    """The record that closed the day, the day, and who fell on it."""
    found = dict(closed_days(journal_of(ports)))
    number = max(found, default=None) if day is None else day
    record = found.get(number) if number is not None else None
    if number is None or record is None or not isinstance(record.entry, Closed):
        which = "No day is" if number is None else f"Day {number} is not"
        raise DecisionNeeded(
            f"{which} closed, so nothing is shown of anybody's role. Count, check and confirm first: "
            "knightfall phase close"
        )
    return record, number, eliminated(record.entry)


def _refuse_other(name: str | None, day: int, fallen: tuple[str, ...], setup: Setup) -> None:
    """A slip of the hand must not show another's role."""
    if name is None or any(_is(name, one, setup) for one in fallen):
        return
    said = ", ".join(fallen) or setup.terms.no_elimination
    raise DecisionNeeded(
        f"Day {day} was closed with {said}, not with “{name}”. Nothing is shown. To close it otherwise: "
        "knightfall log, knightfall undo, then knightfall phase close"
    )


def _is(name: str, fallen: str, setup: Setup) -> bool:
    slot = _slot(fallen, setup)
    return bears(slot, name) if slot else name.strip().casefold() == fallen.casefold()


def _role(name: str, setup: Setup) -> str | None:
    """The role of a slot, whoever holds it now."""
    slot = _slot(name, setup)
    return next((setup.roles[one] for one in (slot.names if slot else (name,)) if one in setup.roles), None)


def _slot(name: str, setup: Setup) -> Slot | None:
    return setup.roster.slot_of(name) if setup.roster else None


def _facts(day: int, roles: Mapping[str, str | None], setup: Setup) -> dict[str, object]:
    return {
        "day": day,
        "fallen": [{"name": name, "role": role} for name, role in roles.items()],
        "eliminate_word": setup.terms.eliminate,
        "nobody": setup.terms.no_elimination,
    }
