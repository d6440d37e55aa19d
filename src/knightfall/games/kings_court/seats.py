"""The table of the court: who got how many votes in which round of an attempt, and who sat down when.

Public facts only: the counts of rounds whose result was posted.
"""

from __future__ import annotations

from dataclasses import dataclass

from knightfall.engine.game import SlotId
from knightfall.games.kings_court.state import Poll, State


@dataclass(frozen=True, slots=True)
class Cell:
    """One player in one round: votes received; `joins` in this round; `seated` already before it."""

    votes: int
    joins: bool = False
    seated: bool = False


@dataclass(frozen=True, slots=True)
class Seat:
    """One player over the rounds; `place` in the court, None: outside; `king` where that is known."""

    name: SlotId
    place: int | None
    king: bool
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Seats:
    """The table: the court in order of election first, then those outside."""

    attempt: int
    rounds: tuple[int, ...]
    rows: tuple[Seat, ...]


def seats_of(state: State, deal: int | None = None) -> Seats:
    """The table of one deal, the latest by default."""
    wanted = state.deals if deal is None else deal
    polls = tuple(poll for poll in state.polls if poll.deal == wanted)
    court = tuple(slot for poll in polls for slot in poll.elected)
    order = (*court, *(slot for slot in state.slots if slot not in court))
    rounds = tuple(poll.round for poll in polls)
    attempt = polls[0].attempt if polls else state.attempt
    return Seats(attempt, rounds, tuple(_seat(slot, court, polls) for slot in order))


def _seat(slot: SlotId, court: tuple[SlotId, ...], polls: tuple[Poll, ...]) -> Seat:
    cells, seated = [], False
    for poll in polls:
        joins = slot in poll.elected
        cells.append(Cell(poll.counts.get(slot, 0), joins, seated))
        seated = seated or joins
    place = court.index(slot) + 1 if slot in court else None
    return Seat(slot, place, any(poll.king == slot for poll in polls), tuple(cells))
