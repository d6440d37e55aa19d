"""Where does a game of a folder stand, and what does one more entry do to it?

The journal is replayed with the seed of `private/deal.json`; what the last entry led to is what goes out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from knightfall.app.diary.journal import entered, journal_of, rests_on_state
from knightfall.app.founding.deal import PRIVATE
from knightfall.app.founding.game_names import game_named
from knightfall.app.founding.seeded import unchanged
from knightfall.app.ports import Ports, game_folder
from knightfall.core.commands import Ambiguous, Unknown, match_name
from knightfall.core.entries import Aliased, Closed, Entry, Replaced, Started
from knightfall.core.game import Event, Game, Refusal, SlotId, Window
from knightfall.core.journal import Journal, Record, Replay, append, go_on, replay, standing
from knightfall.core.rng import SeededRng
from knightfall.errors import InputError, StateDamaged

MODERATOR = "moderator"
"""Whose messages are of no slot."""


@dataclass(frozen=True, slots=True)
class Table:
    """A game being played: its rules, its folder, what was written and where that leads."""

    game: Game[Any]
    folder: Path
    seed: bytes
    journal: Journal
    replay: Replay[Any]

    @property
    def state(self) -> Any:
        """The game's own state: only the game looks into it."""
        return self.replay.state

    @property
    def windows(self) -> tuple[Window, ...]:
        """What is open now."""
        return self.game.windows(self.state)

    def after(self, entry: Entry, at: datetime, author: str) -> Table:
        """The table with one more entry, which is not written yet."""
        journal = append(self.journal, entry, at, author)
        led = go_on(self.replay, journal, self.game, lambda: SeededRng(self.seed))
        return replace(self, journal=journal, replay=led)

    def at(self, journal: Journal) -> Table:
        """The same game where another journal of it leads."""
        return replace(self, journal=journal, replay=_replayed(self.game, journal, self.seed))

    @property
    def last_events(self) -> tuple[Event, ...]:
        """What the last entry led to, the windows included that had run out before it."""
        number = self.journal[-1].number
        return tuple(event for taken in self.replay.taken if taken.number == number for event in taken.events)

    @property
    def last_refused(self) -> tuple[tuple[str, Refusal], ...]:
        """Which lines of the last entry were not taken."""
        number = self.journal[-1].number
        return tuple(line for taken in self.replay.taken if taken.number == number for line in taken.refused)


def table_of(folder: Path, ports: Ports) -> Table:
    """The game of a folder. Raises InputError where none was begun there, DecisionNeeded where its file says
    something else by now, StateDamaged where seed or journal are not as they were written."""
    return table_with(folder, journal_of(ports))


def table_with(folder: Path, journal: Journal) -> Table:
    """The same where the journal was read already."""
    started = next((r.entry for r in standing(journal) if isinstance(r.entry, Started)), None)
    if started is None:
        raise InputError(f"No game was begun in {game_folder(folder)}: knightfall new GAME --out FOLDER.")
    unchanged(started, folder if folder.suffix == ".toml" else game_folder(folder))
    game, seed = game_named(started.game), _seed(game_folder(folder))
    return Table(game, game_folder(folder), seed, journal, _replayed(game, journal, seed))


def written(
    table: Table,
    entry: Entry,
    ports: Ports,
    look: Callable[[Table], None] | None = None,
    at: datetime | None = None,
) -> Table:
    """The table with the entry, which is in the journal now (as of `at`, where that is said); behind what
    somebody else wrote since, if that is so. Nothing is written where `look` raises at what the entry leads
    to. Raises Overtaken where the entry would not lead to the same then."""
    after = table.after(entry, at or ports.clock.now(), ports.author)
    if look is not None:
        look(after)
    nowhere = "A game is kept in a folder: --game FOLDER, or run this in it."
    if ports.seen.number is None or ports.seen.number > len(table.journal):
        ports.seen.catch_up(table.journal)
    record = entered(entry, ports, nowhere, after.journal[-1].at, partial(_same_again, after, look))
    return after if record == after.journal[-1] else after.at(journal_of(ports)[: record.number])


def _same_again(after: Table, look: Callable[[Table], None] | None, journal: Journal) -> bool:
    """Whether the table's last entry leads to the same behind another journal, as far as that matters to it;
    what it leads to there is looked at, too."""
    last = after.journal[-1]
    now = after.at(append(journal, last.entry, last.at, last.author))
    if look is not None:
        look(now)
    return not rests_on_state(last.entry) or (now.last_events, now.last_refused) == (
        after.last_events,
        after.last_refused,
    )


def slot_meant(table: Table, who: str) -> SlotId | None:
    """The slot of that name, alias or replacement; None for the moderator."""
    if who.casefold() == MODERATOR:
        return None
    slots, aliases = names_of(table)
    found = match_name(who, slots, aliases)
    if isinstance(found, Ambiguous):
        raise InputError(f"“{who}” can be {' or '.join(found.slots)}: write the name in full.")
    if isinstance(found, Unknown):
        raise InputError(f"“{who}” plays nobody here. There are {', '.join(slots)}, and {MODERATOR}.")
    return found


def names_of(table: Table) -> tuple[tuple[SlotId, ...], dict[str, SlotId]]:
    """All slots, and the other names that the journal knows for them."""
    aliases: dict[str, SlotId] = {}
    slots: tuple[SlotId, ...] = ()
    for record in standing(table.journal):
        match record.entry:
            case Replaced(slot=slot, name=name) | Aliased(slot=slot, alias=name):
                aliases[name] = slot
            case Started(slots=begun):
                slots = begun
    return slots, aliases


def before(table: Table, number: int) -> Table:
    """The game as it stood before entry `number`, without what was undone since."""
    journal = tuple(record for record in standing(table.journal) if record.number < number)
    return table.at(journal)


def closings(table: Table) -> tuple[Record, ...]:
    """The entries with which the moderator closed something, oldest first."""
    refused = {taken.number for taken in table.replay.taken if taken.refused}
    return tuple(
        record
        for record in standing(table.journal)
        if isinstance(record.entry, Closed) and record.number not in refused
    )


def since_closing(table: Table) -> Journal:
    """What was written since something was closed last, that closing included."""
    closed = closings(table)
    records = standing(table.journal)
    return tuple(record for record in records if record.number >= closed[-1].number) if closed else records


def refusal_lines(refused: tuple[tuple[str, Refusal], ...]) -> Iterator[str]:
    """A sentence for each line that was not taken."""
    yield from (f"{why.code}: {why.text} (“{line}”)" for line, why in refused)


def _replayed(game: Game[Any], journal: Journal, seed: bytes) -> Replay[Any]:
    return replay(journal, game, lambda: SeededRng(seed))


def _seed(folder: Path) -> bytes:
    file = folder / PRIVATE
    try:
        return bytes.fromhex(json.loads(file.read_text(encoding="utf-8"))["seed"])
    except OSError as error:
        raise StateDamaged(f"{file} cannot be read ({error.strerror}): the game's chance is in it.") from None
    except (ValueError, KeyError, TypeError):
        raise StateDamaged(f"{file} is not as it was written: restore it from a backup.") from None
