"""Replay records of Knight Fight: positions turn by turn, the legal moves of one, its picture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from knightfall.errors import InputError
from knightfall.games.knight_fight.board import SIDES
from knightfall.games.knight_fight.bout import Bout
from knightfall.games.knight_fight.facts import closed_colour, threats
from knightfall.games.knight_fight.moves import placements
from knightfall.games.knight_fight.notation import write_move
from knightfall.games.knight_fight.record import positions, read


@dataclass(frozen=True, slots=True)
class Replay:
    """The positions of a record up to a turn, the one before its first turn included."""

    positions: tuple[Bout, ...]


@dataclass(frozen=True, slots=True)
class SideMoves:
    """What a side may do: its moves as written, a colour it may not place on ("" for none), and for each way
    to win at once "six points" or "four in a row"."""

    side: str
    moves: tuple[str, ...]
    closed_colour: str
    threats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LegalMoves:
    """The moves of a position: of who is to move, in Bidding of both; of nobody where it has ended."""

    position: Bout
    sides: tuple[SideMoves, ...]


def replay(path: Path, turn: int | None = None) -> Replay:
    """Play a record again, up to turn number `turn` where one is given.

    Raises InputError for a file that cannot be read and a turn that does not follow or is not there.
    """
    try:
        record = read(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path}: the file cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text (byte {error.start}).") from error
    found = tuple(bout for bout in positions(record) if turn is None or len(bout.record) <= turn)
    if turn is not None and len(found[-1].record) < turn:
        raise InputError(f"{path}: turn {turn} is asked for; the record has {len(found[-1].record)}.")
    return Replay(found)


def legal_moves(path: Path, turn: int | None = None) -> LegalMoves:
    """The legal moves of the last position, or of the one after a turn. Raises as `replay` does."""
    bout = replay(path, turn).positions[-1]
    if bout.ended:
        return LegalMoves(bout, ())
    win = "six points" if bout.has("T") else "four in a row"
    sides = SIDES if bout.has("B") else (bout.to_move,)
    return LegalMoves(
        bout,
        tuple(
            SideMoves(
                side.name,
                tuple(sorted(map(write_move, placements(bout, side)))),
                closed_colour(bout, side) or "",
                tuple(win for threat in threats(bout) if threat["side"] == side.name),
            )
            for side in sides
        ),
    )
