"""The position that a record begins with, written and read.

One `Key: value` a line; what is default is left out.

Keys: Anomalies, Options, Board, X, O, Manure, Manure left, Chips, Lost the latest bid, Colours, Latest,
Banned, Moves, Reserve, To move. Pairs are of X, then of O; `-` is nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from knightfall.errors import InputError
from knightfall.games.knight_fight.anomalies.coloration import read_colours, write_colours
from knightfall.games.knight_fight.anomalies.tic_tac_toe import fresh
from knightfall.games.knight_fight.board import SIDES, Board, Pair, Side, Squares, each, name_of, names
from knightfall.games.knight_fight.bout import Bout
from knightfall.games.knight_fight.options import OPTIONS, Rules, letters_of, parse_options

_NONE = "-"
_OWN_LINE = ("anomalies", "rows", "cols")


@dataclass(frozen=True, slots=True)
class _Field:
    """A part of the position under its key: how it is written and read. Any: each part has its own type."""

    key: str
    part: str
    write: Callable[[Board, Any], str]
    read: Callable[[Board, str], Any]


def _square(board: Board, name: str) -> Squares:
    square = board.square(name)
    if square is None:
        raise ValueError(f"“{name}” is no square of this board")
    return square


def _squares(board: Board, text: str) -> Squares:
    return sum({_square(board, name) for name in text.split() if name != _NONE})


def _number(text: str) -> float:
    value = float(text)
    return int(value) if value.is_integer() else value


def _numbers(_board: Board, text: str) -> Pair[float]:
    x, o = map(_number, text.split())
    return x, o


def _pair(_board: Board, pair: Pair[float]) -> str:
    return f"{pair[0]:g} {pair[1]:g}"


def _latest(_board: Board, pair: Pair[Squares]) -> str:
    return " ".join(name_of(square) if square else _NONE for square in pair)


def _read_latest(board: Board, text: str) -> Pair[Squares]:
    x, o = (0 if name == _NONE else _square(board, name) for name in text.split())
    return x, o


def _side(_board: Board, text: str) -> Side:
    return Side[text.upper()]


_FIELDS: tuple[_Field, ...] = (
    _Field("Manure", "manure", lambda _, squares: " ".join(names(squares)), _squares),
    _Field("Manure left", "manure_left", _pair, _numbers),
    _Field("Chips", "chips", _pair, _numbers),
    _Field("Lost the latest bid", "bid_loser", lambda _, side: side.name, _side),
    _Field(
        "Colours",
        "colours",
        lambda board, colours: " ".join(write_colours(board, colours)),
        lambda board, text: read_colours(board, text.upper().split()),
    ),
    _Field("Latest", "last", _latest, _read_latest),
    _Field(
        "Banned",
        "banned",
        lambda _, pair: " ".join(side.name for side in SIDES if pair[side]),
        lambda _, text: ("X" in text.upper(), "O" in text.upper()),
    ),
    _Field("Moves", "moves", lambda _, number: str(number), lambda _, text: int(text)),
    _Field("Reserve", "reserve", _pair, _numbers),
    _Field("To move", "to_move", lambda _, side: side.name, _side),
)


def write_head(bout: Bout) -> list[str]:
    """The lines of a position."""
    rules = bout.rules
    lines = [f"Anomalies: {letters_of(rules.anomalies) or 'none'}", *_options(rules)]
    lines.append(f"Board: {rules.board.cols} x {rules.board.rows}")
    lines += [f"{side.name}: {_knights(bout, side)}" for side in SIDES]
    usual = _usual(rules)
    for field in _FIELDS:
        value = getattr(bout, field.part)
        if value != getattr(usual, field.part):
            lines.append(f"{field.key}: {field.write(rules.board, value)}")
    return lines


def _usual(rules: Rules) -> Bout:
    return Bout(rules, rules.start, reserve=(rules.reserve, rules.reserve))


def _options(rules: Rules) -> list[str]:
    usual = {option.name: option.default for option in OPTIONS}
    said = [f"{n} = {v}" for n, v in rules.chosen.items() if v != usual[n] and n not in _OWN_LINE]
    return [f"Options: {'; '.join(said)}"] if said else []


def _knights(bout: Bout, side: Side) -> str:
    written = (
        name_of(square).lower() if square & bout.weak else name_of(square)
        for square in each(bout.knights[side])
    )
    return " ".join(written) or _NONE


def read_head(head: Mapping[str, str]) -> Bout:
    """The position, from values by key in small letters. Raises InputError with the key that is wrong."""
    known = {"anomalies", "options", "board", "x", "o", *(field.key.lower() for field in _FIELDS)}
    if odd := [key for key in head if key not in known]:
        raise InputError(f"the record has the unknown key “{odd[0]}”; known: {', '.join(sorted(known))}.")
    said = dict(part.split("=", 1) for part in head.get("options", "").split(";") if "=" in part)
    given: dict[str, object] = {name.strip(): value.strip() for name, value in said.items()}
    cols, _, rows = head.get("board", "12 x 11").lower().partition("x")
    size = {"cols": cols.strip(), "rows": rows.strip()}
    bout = _placed(_usual(parse_options(given | size | {"anomalies": head.get("anomalies", "none")})), head)
    for field in _FIELDS:
        if field.key.lower() in head:
            bout = replace(bout, **{field.part: _read(field, bout.rules.board, head)})
    return replace(bout, binding=bout.last, points=fresh(bout))


def _read(field: _Field, board: Board, head: Mapping[str, str]) -> Any:
    text = head[field.key.lower()]
    try:
        return field.read(board, text)
    except (ValueError, KeyError) as error:
        raise InputError(f"the record's “{field.key}: {text}” cannot be read: {error}.") from error


def _placed(bout: Bout, head: Mapping[str, str]) -> Bout:
    """Knights of both sides; small letters are weakened."""
    board, knights, weak = bout.rules.board, list(bout.knights), 0
    for side in SIDES:
        if said := head.get(side.name.lower()):
            knights[side] = _checked(board, side, said)
            weak |= _checked(board, side, " ".join(name for name in said.split() if name[0].islower()))
    return replace(bout, knights=(knights[0], knights[1]), weak=weak)


def _checked(board: Board, side: Side, said: str) -> Squares:
    try:
        return _squares(board, said)
    except ValueError as error:
        raise InputError(f"the record's “{side.name}: {said}” cannot be read: {error}.") from error
