"""Whom did the game of this folder itself let die? The votecount must know, and nobody types it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from knightfall.core.entries import Started
from knightfall.core.journal import Journal, standing
from knightfall.setups.deaths import Death, mourned
from knightfall.setups.setup import Setup

if TYPE_CHECKING:  # who counts a thread without a game need not wait for all games
    from knightfall.app.play.table import Table
    from knightfall.app.ports import Ports


def with_the_dead(setup: Setup, folder: Path, journal: Journal, ports: Ports) -> Setup:
    """The setup with the dead of the begun game; the same where none was begun. Raises StateDamaged where the
    game's seed is not as it was written."""
    if not begun(journal):
        return setup
    from knightfall.app.play.table import table_of
    from knightfall.mafia.state import State

    table = table_of(folder, ports)
    first = isinstance(table.state, State) and table.state.night_first
    return mourned(setup, _deaths(table), first)


def begun(journal: Journal) -> bool:
    """Whether a game was begun, so that there is a table."""
    return any(isinstance(record.entry, Started) for record in standing(journal))


def _deaths(table: Table) -> Iterator[Death]:
    """What the game tells everybody of its dead."""
    facts: Mapping[str, Any] = table.game.view(table.state, None).facts
    for row in facts.get("dead", ()):
        if isinstance(row, Mapping) and "name" in row and "when" in row:
            yield Death(str(row["name"]), str(row["when"]))
