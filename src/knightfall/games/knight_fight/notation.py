"""How a move is written, and what a written line asks for. Reading and writing are inverse.

`E4`, `F6>E4`, `F6-E4`, each with ` MANURE C3`; `BID 3: E4`, `TRAP: E4`, `NO TRAP`, `FOR X: D7`, `SIDE: X`,
`RESIGN`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from knightfall.games.knight_fight.board import Board, Side, name_of
from knightfall.games.knight_fight.state import Move

_SQUARE = r"[A-Za-z]{1,2}\d{1,3}"
_MOVE = re.compile(
    rf"(?:(?P<source>{_SQUARE})\s*[>\-–→]\s*)?(?P<target>{_SQUARE})(?:[\s,]+MANURE:?\s*(?P<manure>{_SQUARE}))?",
    re.I,
)
_BID = re.compile(r"BID\s*:?\s*(?P<chips>[^\s:]{1,12})\s*[:\s]\s*(?P<move>.+)", re.I)
_TRAP = re.compile(rf"TRAP\s*[:\s]\s*(?P<square>{_SQUARE})", re.I)
_NO_TRAP = re.compile(r"NO\s+TRAP", re.I)
_FOR = re.compile(r"FOR\s+(?P<side>[XO])\s*[:\s]\s*(?P<move>.+)", re.I)
_RESIGN = re.compile(r"(?:I\s+)?RESIGN(?:\s+(?:THE|THIS)\s+BOUT)?", re.I)
_SIDE = re.compile(r"SIDE\s*[:\s]\s*(?P<side>[XO])", re.I)


@dataclass(frozen=True, slots=True)
class Written:
    """A move by the names of its squares, on the board or not."""

    target: str
    source: str | None = None
    manure: str | None = None


@dataclass(frozen=True, slots=True)
class BidLine:
    """`chips` as written: what it is worth is judged later."""

    chips: str
    move: Written


@dataclass(frozen=True, slots=True)
class TrapLine:
    """None declines."""

    square: str | None


@dataclass(frozen=True, slots=True)
class ProxyLine:
    """A move for the other side."""

    side: Side
    move: Written


@dataclass(frozen=True, slots=True)
class SideLine:
    """The side that is chosen."""

    side: Side


@dataclass(frozen=True, slots=True)
class ResignLine:
    """The bout is given up."""


Line: TypeAlias = Written | BidLine | TrapLine | ProxyLine | SideLine | ResignLine


def match_line(text: str) -> Line | None:
    """What the line asks for; None where it is no command."""
    said = text.strip().rstrip(".!").strip()
    if found := _SIDE.fullmatch(said):
        return SideLine(Side[found["side"].upper()])
    if _RESIGN.fullmatch(said):
        return ResignLine()
    if _NO_TRAP.fullmatch(said):
        return TrapLine(None)
    if found := _TRAP.fullmatch(said):
        return TrapLine(found["square"].upper())
    found = _FOR.fullmatch(said) or _BID.fullmatch(said)
    move = match_move(found["move"] if found else said)
    if found is None or move is None:
        return move
    if found.re is _FOR:
        return ProxyLine(Side[found["side"].upper()], move)
    return BidLine(found["chips"], move)


def match_move(text: str) -> Written | None:
    """A move as written; None where it is none."""
    found = _MOVE.fullmatch(text.strip())
    if found is None:
        return None
    source, manure = (found[part] and found[part].upper() for part in ("source", "manure"))
    return Written(found["target"].upper(), source, manure)


def placed(board: Board, written: Written) -> Move | None:
    """The move on this board; None where a square that it names is not there (OFF_BOARD)."""
    target = board.square(written.target)
    source = board.square(written.source) if written.source else 0
    manure = board.square(written.manure) if written.manure else 0
    return None if target is None or source is None or manure is None else Move(target, source, manure)


def write_move(move: Move) -> str:
    """The move as a player writes it."""
    target, source, manure = move
    plain = f"{name_of(source)}>{name_of(target)}" if source else name_of(target)
    return f"{plain} MANURE {name_of(manure)}" if manure else plain
