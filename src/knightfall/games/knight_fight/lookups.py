"""What can be looked up about Knight Fight: a record played again, and the legal moves where it ends."""

from __future__ import annotations

from dataclasses import dataclass

from knightfall.engine.json_text import JsonAnswer
from knightfall.engine.lookup import Lookup
from knightfall.errors import InputError
from knightfall.games.knight_fight.board import SIDES
from knightfall.games.knight_fight.notation import write_move
from knightfall.games.knight_fight.pictures import ending, picture, standing_lines
from knightfall.games.knight_fight.record import positions, read, record_of, turn_lines, write
from knightfall.games.knight_fight.rules import placements
from knightfall.games.knight_fight.state import Bout, Phase, State
from knightfall.games.knight_fight.views import closed_colour, drawn_board, everything, threats
from knightfall.parameters import Parameter, TextFile
from knightfall.pictures.board import board_scene
from knightfall.pictures.scene import Scene


@dataclass(frozen=True, slots=True, repr=False)
class Replay(JsonAnswer):
    """The positions of a record, the one before its first turn included; `every`: tell of each."""

    positions: tuple[Bout, ...]
    every: bool = False

    def to_dict(self) -> dict[str, object]:
        """{turns: [{turn, board: lines, standing: lines}]}; turn 0 is the position before the first."""
        return {
            "turns": [
                {
                    "turn": len(bout.record),
                    "board": drawn_board(everything(bout)).text.splitlines(),
                    "standing": list(standing_lines(bout)),
                }
                for bout in self.positions
            ]
        }

    def text(self) -> str:
        """The last position, or each: its latest turn, the board, what each side has."""
        texts: list[str] = []
        for bout in self.positions if self.every else self.positions[-1:]:
            turn = turn_lines(bout.record)[-1:]
            texts.append("\n".join([*turn, drawn_board(everything(bout)).text, *standing_lines(bout)]))
        return "\n\n".join(texts)

    def scene(self) -> Scene:
        """The last position as a picture."""
        return board_scene(picture(self.positions[-1]))


@dataclass(frozen=True, slots=True)
class SideMoves:
    """What a side may do: its moves as written, a colour it may not place on ("" for none), and for each way
    to win at once "six points" or "four in a row"."""

    side: str
    moves: tuple[str, ...]
    closed_colour: str
    threats: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class LegalMoves(JsonAnswer):
    """The moves of a position: of who is to move, in Bidding of both; of nobody where it has ended."""

    position: Bout
    sides: tuple[SideMoves, ...]

    def to_dict(self) -> dict[str, object]:
        """{moves: [{side, moves, closed_colour, threats}]}."""
        return {
            "moves": [
                {
                    "side": one.side,
                    "moves": list(one.moves),
                    "closed_colour": one.closed_colour,
                    "threats": list(one.threats),
                }
                for one in self.sides
            ]
        }

    def text(self) -> str:
        """The moves of each side, the colour closed to it and a win within one move."""
        if self.position.ended:
            return ending(self.position)
        lines: list[str] = []
        for one in self.sides:
            noun = "move" if len(one.moves) == 1 else "moves"
            lines.append(f"{one.side} has {len(one.moves)} legal {noun}: {' '.join(one.moves)}")
            if one.closed_colour:
                lines.append(f"{one.side} may not place on {one.closed_colour}.")
            lines += [f"{one.side} is one move from {win}." for win in one.threats]
        return "\n".join(lines)


def replay(record: TextFile, turn: int | None = None, every: bool = False) -> Replay:
    """Play a record again, up to turn number `turn` where one is given.

    Raises InputError for a turn that does not follow or is not there.
    """
    parsed = read(record.text)
    found = tuple(bout for bout in positions(parsed) if turn is None or len(bout.record) <= turn)
    if turn is not None and len(found[-1].record) < turn:
        raise InputError(f"{record.name}: turn {turn} is asked for; the record has {len(found[-1].record)}.")
    return Replay(found, every)


def legal_moves(record: TextFile, turn: int | None = None) -> LegalMoves:
    """The legal moves of the last position, or of the one after a turn. Raises as `replay` does."""
    bout = replay(record, turn).positions[-1]
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
                tuple(win for threat in threats(bout) if threat.side == side.name),
            )
            for side in sides
        ),
    )


def record_so_far(state: State) -> str:
    """The record of the bout that is being played, else of the latest. Raises InputError before the first."""
    if state.table is not None:
        return write(record_of(state.table.first, state.table.bout))
    if not state.done:
        raise InputError("No bout has begun: who chooses says SIDE: X or SIDE: O.")
    return write(record_of(state.done[-1].first, state.done[-1].bout))


def record_at_hand(state: State) -> str:
    """The record of the bout that is being played. Raises InputError where none is."""
    if state.table is None and state.done:
        over = state.phase is Phase.OVER
        raise InputError(f"{'The match' if over else 'The bout'} is over, so there is no move to make now.")
    return record_so_far(state)


_RECORD = Parameter(
    "record",
    "A record, or the beginning of one; or a game's folder: its bout as it stands.",
    TextFile,
    metavar="RECORD",
    positional=True,
    required=True,
)
_TURN = Parameter("turn", "The position after this turn; else the last.", int, least=0)
LOOKUPS = {
    "replay": Lookup(
        "Play a record of Knight Fight again by the rules.\n\nThe board, what each has, who won.",
        replay,
        (_RECORD, _TURN, Parameter("every", "The board after each turn.", bool, default=False, flag="all")),
        {"record": "bout.txt", "turn": 12},
        draws=True,
        live=record_so_far,
    ),
    "moves": Lookup(
        "List the legal moves of a position of Knight Fight.\n\nIt tells whether one of them wins.",
        legal_moves,
        (_RECORD, _TURN),
        {"record": "bout.txt"},
        live=record_at_hand,
    ),
}
"""By the name of the verb that asks."""
