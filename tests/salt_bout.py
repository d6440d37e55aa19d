"""A table for two: a match of Knight Fight begun, lines said at seconds of the turn, whole random matches."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from knightfall.engine.game import Event, Message
from knightfall.engine.playout import Playout, play
from knightfall.engine.rng import SeededRng
from knightfall.games.knight_fight import KNIGHT_FIGHT, State
from knightfall.games.knight_fight.board import SIDES, names
from knightfall.games.knight_fight.state import Bout, Table
from knightfall.sentence import SlotId

ADA, BORO = SlotId("Ada"), SlotId("Boro")
"""The DMO, who plays X in bout 1, and the EC."""
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def random_match(letters: str, seed: int, options: dict[str, object] | None = None) -> Playout[State]:
    chance, draw = SeededRng(b"chance %d" % seed), SeededRng(b"draw %d" % seed)
    given = {"anomalies": letters or "none", **(options or {})}
    return play(KNIGHT_FIGHT, (ADA, BORO), given, chance, draw, 4_000)


@dataclass
class Play:
    """A match on its way; every call gives the codes of what was refused."""

    letters: str = ""
    options: dict[str, object] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    draw: SeededRng = field(default_factory=lambda: SeededRng(b"salt"))
    begun: bool = True

    def __post_init__(self) -> None:
        given = {"anomalies": self.letters or "none", **self.options}
        step = KNIGHT_FIGHT.setup((ADA, BORO), given, self.draw)
        self.state, self.now = step.state, NOON
        self.events += step.events
        if self.begun:
            self.say(ADA, "SIDE: X")

    def say(self, slot: SlotId | None, text: str, seconds: float = 0) -> list[str]:
        """At so many seconds of the turn that is open."""
        at = self.since + timedelta(seconds=seconds)
        step = KNIGHT_FIGHT.submit(self.state, Message(slot, text, at), self.draw)
        self.state, self.now = step.state, at
        self.events += step.events
        return [refusal.code for _, refusal in step.refused]

    def close(self, kind: str) -> list[str]:
        """The time of a window is up."""
        window = next((w for w in KNIGHT_FIGHT.windows(self.state) if w.kind == kind), None)
        at = (window and window.closes) or self.now
        step = KNIGHT_FIGHT.close(self.state, kind, at, self.draw)
        self.state, self.now = step.state, at
        self.events += step.events
        return [refusal.code for _, refusal in step.refused]

    @property
    def since(self) -> datetime:
        return self.state.table.turn.since if self.state.table else self.now

    @property
    def table(self) -> Table:
        assert self.state.table is not None
        return self.state.table

    @property
    def bout(self) -> Bout:
        return self.table.bout

    def knights(self) -> list[str]:
        return [" ".join(names(self.bout.knights[side])) for side in SIDES]

    def windows(self) -> list[tuple[str, tuple[SlotId, ...], bool]]:
        return [(w.kind, w.slots, w.secret) for w in KNIGHT_FIGHT.windows(self.state)]

    def closes(self, kind: str) -> float:
        """In seconds after the turn began."""
        window = next(w for w in KNIGHT_FIGHT.windows(self.state) if w.kind == kind)
        assert window.closes is not None
        return (window.closes - self.since).total_seconds()

    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]
