"""The table of the court: who got how many votes in which round of an attempt, and who sat down when.

Also in letters of one width. Public facts only: the counts of rounds whose result was posted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from knightfall.games.kings_court.state import Poll, State
from knightfall.sentence import SlotId

_COLUMNS, _SEAT, _CELL = 80, "Seat  ", 5  # of the table in letters


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

    @property
    def called(self) -> str:
        """The name, and whether they are the King."""
        return f"{self.name} (King)" if self.king else self.name


@dataclass(frozen=True, slots=True)
class Seats:
    """The table: the court in order of election first, then those outside."""

    attempt: int
    rounds: tuple[int, ...]
    rows: tuple[Seat, ...]


def seats_of(state: State, deal: int | None = None) -> Seats:
    """The table of one deal, the latest by default; until a round of an attempt is over that of the attempt
    before it, which an early King ended."""
    wanted = state.deals if deal is None else deal
    last = state.polls[-1] if state.polls else None
    if deal is None and last is not None and last.deal != wanted and last.attempt != state.attempt:
        wanted = last.deal
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


def court_text(seats: Seats) -> str:
    """The table in letters of one width, at most 80 columns: of many rounds only the latest fit."""
    wide = max(len("Player"), *(len(seat.called) for seat in seats.rows))
    room = max(1, (_COLUMNS - len(_SEAT) - wide - 2) // _CELL)
    left_out = max(0, len(seats.rounds) - room)
    heads = "".join(f"{f'R{number}':<{_CELL}}" for number in seats.rounds[left_out:])
    lines = [f"The court, attempt {seats.attempt}", f"{_SEAT}{'Player':<{wide}}  {heads}".rstrip()]
    for seat in seats.rows:
        cells = "".join(f"{_letters_of(cell):<{_CELL}}" for cell in seat.cells[left_out:])
        lines.append(f"{seat.place or '–':<{len(_SEAT)}}{seat.called:<{wide}}  {cells}".rstrip())
    if seats.rounds:
        lines.append("Votes received in each round; ◄ joined the court, · was in it already.")
    else:
        lines.append("No round is over yet.")
    if left_out:
        lines.append(f"Left out: the first {left_out} round{'s' * (left_out > 1)}.")
    return "\n".join(lines)


def _letters_of(cell: Cell) -> str:
    if cell.joins:
        return f"{cell.votes} ◄"
    return "·" if cell.seated else str(cell.votes)


def called(seats: Seats, names: Mapping[SlotId, str]) -> Seats:
    """The table with the names of who holds the slots now."""
    rows = tuple(replace(seat, name=SlotId(names.get(seat.name, seat.name))) for seat in seats.rows)
    return replace(seats, rows=rows)
