"""One turn of a record, written and read. `write_entry` and `parse_entry` are inverse.

`X E4`, `X F6>E4 MANURE C3`, with `TRAPPED`, `TRAP C3` (it was not sprung), `VANISHED F6`, `STAND-IN` or
`RANDOM` and `75 s` after it where they apply; `X ILLEGAL H7`, `X ILLEGAL`, `X CANNOT MOVE`;
`BIDS 3 5 O PAYS 5`, `-` for no bid; `REPAINTED`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from knightfall.errors import InputError
from knightfall.games.knight_fight.board import Board, Side, Squares, name_of
from knightfall.games.knight_fight.bout import Bidden, Entry, How, Move, Passed, Played, Repainted, Why
from knightfall.games.knight_fight.notation import match_move, placed, write_move

_MOVE = r"(?P<move>(?:[A-Z]\d+>)?[A-Z]\d+(?: MANURE [A-Z]\d+)?)"
_TIME = r"(?: (?P<seconds>\d+(?:\.\d+)?) s)?"
_PLAYED = re.compile(
    rf"(?P<side>[XO]) {_MOVE}(?P<trapped> TRAPPED)?(?: TRAP (?P<trap>[A-Z]\d+))?"
    rf"(?: VANISHED (?P<vanished>[A-Z]\d+))?(?: (?P<how>STAND-IN|RANDOM))?{_TIME}"
)
_PASSED = re.compile(rf"(?P<side>[XO]) (?P<why>ILLEGAL|CANNOT MOVE)(?: {_MOVE})?{_TIME}")
_BIDS = re.compile(r"BIDS (?P<x>\d+|-) (?P<o>\d+|-) (?P<side>[XO]) PAYS (?P<paid>\d+)")
_REPAINTED = "REPAINTED"
_HOWS = {How.OWN: "", How.STAND_IN: "STAND-IN", How.RANDOM: "RANDOM"}
_WHYS = {Why.ILLEGAL: "ILLEGAL", Why.STUCK: "CANNOT MOVE"}


def write_entry(entry: Entry) -> str:
    """The line of a turn, without its number."""
    match entry:
        case Played():
            return " ".join(part for part in _played(entry) if part)
        case Passed(side, why, move, seconds):
            return " ".join(
                part
                for part in (side.name, _WHYS[why], write_move(move) if move else "", _time(seconds))
                if part
            )
        case Bidden((x, o), winner, paid):
            return f"BIDS {_bid(x)} {_bid(o)} {winner.name} PAYS {paid}"
        case Repainted():
            return _REPAINTED


def _played(entry: Played) -> Iterator[str]:
    yield entry.side.name
    yield write_move(entry.move)
    yield "TRAPPED" if entry.trapped else f"TRAP {name_of(entry.trap)}" if entry.trap else ""
    yield f"VANISHED {name_of(entry.vanished)}" if entry.vanished else ""
    yield _HOWS[entry.how]
    yield _time(entry.seconds)


def _time(seconds: float) -> str:
    whole = round(seconds)  # nobody keeps time more exactly than that
    return f"{whole} s" if whole else ""


def _bid(chips: int | None) -> str:
    return "-" if chips is None else str(chips)


def parse_entry(board: Board, text: str, number: int) -> Entry:
    """The turn that a line says. Raises InputError with the number of the line."""
    said = " ".join(text.split())
    if said.upper() == _REPAINTED:
        return Repainted()
    try:
        if found := _BIDS.fullmatch(said):
            return Bidden((_chips(found["x"]), _chips(found["o"])), Side[found["side"]], int(found["paid"]))
        if found := _PASSED.fullmatch(said):
            why = next(why for why, word in _WHYS.items() if word == found["why"])
            return Passed(Side[found["side"]], why, _move(board, found["move"]), _seconds(found["seconds"]))
        if found := _PLAYED.fullmatch(said):
            move = _move(board, found["move"]) or Move(0)
            how = next(how for how, word in _HOWS.items() if word == (found["how"] or ""))
            trap = move.target if found["trapped"] else _square(board, found["trap"])
            vanished = _square(board, found["vanished"])
            seconds = _seconds(found["seconds"])
            return Played(Side[found["side"]], move, how, bool(found["trapped"]), vanished, trap, seconds)
        raise ValueError("expected a turn, for instance X E4")
    except ValueError as error:
        raise InputError(f"line {number} of the record: {said!r}: {error}.") from error


def _move(board: Board, text: str | None) -> Move | None:
    written = match_move(text) if text else None
    move = placed(board, written) if written else None
    if text and move is None:
        raise ValueError(f"{text} is not on the board")
    return move


def _square(board: Board, name: str | None) -> Squares:
    square = board.square(name) if name else 0
    if square is None:
        raise ValueError(f"{name} is not on the board")
    return square


def _seconds(text: str | None) -> float:
    return float(text or 0)


def _chips(text: str) -> int | None:
    return None if text == "-" else int(text)
