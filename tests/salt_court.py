"""The invented court of every King's Court test: eleven names, who is what, and a table to play at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from knightfall.engine.game import Event, Facts, Message, Refusal, Step, announced, told
from knightfall.engine.rng import Rng, SeededRng
from knightfall.games.kings_court import KINGS_COURT, Deal, Role, State, parse_options
from knightfall.sentence import SlotId

_NAMES = "Ada Boro Cinder Dusk Elm Fen Hollis Iris Juniper Kestrel Lumen"
COURT = tuple(map(SlotId, _NAMES.split()))
ADA, BORO, CINDER, DUSK, ELM, FEN, HOLLIS, IRIS, JUNIPER, KESTREL, LUMEN = COURT
DUKES, NOBLES = COURT[1:6], COURT[6:]
F = TypeVar("F", bound=Facts)
NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)


def seated(*court: SlotId, **changes: object) -> State:
    """Ada is King, Boro to Fen Dukes, Hollis to Lumen Nobles; Boro and Hollis are annoyed; 5 garnets each."""
    options = {key: value for key, value in changes.items() if key not in State._fields}
    told: dict[str, Any] = {key: value for key, value in changes.items() if key in State._fields}
    roles = {slot: _role(slot) for slot in COURT}
    deal = Deal(roles, ADA, frozenset({BORO, HOLLIS}), dict.fromkeys(COURT, (ELM, HOLLIS, IRIS)))
    plain = State(COURT, parse_options(options), deal, dict.fromkeys(COURT, 5), opened=NOON)
    return plain._replace(court=court, round=len(court) + 1, **told)


def _role(slot: SlotId) -> Role:
    if slot == ADA:
        return Role.KING
    return Role.DUKE if slot in DUKES else Role.NOBLE


@dataclass(slots=True)
class Table:
    """A match being played: what was told and refused so far."""

    state: State
    draw: Rng = field(default_factory=lambda: SeededRng(b"salt"))
    events: list[Event] = field(default_factory=list)
    refused: list[tuple[str, Refusal]] = field(default_factory=list)
    now: datetime = NOON

    def say(self, slot: SlotId | None, text: str, aliases: Mapping[str, SlotId] | None = None) -> list[str]:
        """Send a message; returns the codes of refused lines."""
        return self._take(
            KINGS_COURT.submit(self.state, Message(slot, text, self.now, aliases or {}), self.draw)
        )

    def close(self, kind: str) -> list[str]:
        """The time of a window is up."""
        self.now += timedelta(hours=24)
        return self._take(KINGS_COURT.close(self.state, kind, self.now, self.draw))

    def vote(self, **votes: str) -> None:
        """`vote(Cinder="Ada Boro")`: Ada and Boro vote for Cinder; then the deadline."""
        for target, voters in votes.items():
            for voter in voters.split():
                assert self.say(SlotId(voter), f"VOTE: {target}") == []
        self.close("vote")

    def elect(self, target: SlotId) -> None:
        """Everyone outside votes for the one, who votes for another."""
        other = next(slot for slot in self.state.outside if slot != target)
        for voter in self.state.outside:
            self.say(voter, f"VOTE: {other if voter == target else target}")
        self.close("vote")

    def told(self, slot: SlotId, kind: type[F]) -> list[F]:
        """What PMs of this kind told the slot."""
        return [e.facts for e in told(self.events) if slot in e.slots and isinstance(e.facts, kind)]

    def posted(self, kind: type[F]) -> list[F]:
        """What posts of this kind said."""
        return [e.facts for e in announced(self.events) if isinstance(e.facts, kind)]

    def _take(self, step: Step[State]) -> list[str]:
        self.state = step.state
        self.events += step.events
        self.refused += step.refused
        return [str(refusal.code) for _, refusal in step.refused]
