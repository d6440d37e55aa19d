"""A bout as a record, to be read back and played again. `write` and `read` are inverse.

First the position it began with, one `Key: value` a line: Anomalies, Options, Board, X, O, Manure, Manure
left, Chips, Lost the latest bid, Colours, Latest, Banned, Moves, Reserve, To move. Pairs are of X, then of O;
`-` is nothing, and what is default is left out.

Then one numbered line for each turn: `X E4`, `X F6>E4 MANURE C3`, with `TRAPPED`, `TRAP C3` (it was not
sprung), `VANISHED F6`, `STAND-IN` or `RANDOM` and `75 s` after it where they apply; `X ILLEGAL H7`,
`X ILLEGAL`, `X CANNOT MOVE`; `BIDS 3 5 O PAYS 5`, `-` for no bid; `REPAINTED`.

What a player could not know before the end stands in it too, so it is published when the bout is over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from knightfall.errors import InputError
from knightfall.games.knight_fight.anomalies.bidding import refunded, settle
from knightfall.games.knight_fight.anomalies.coloration import read_colours, write_colours
from knightfall.games.knight_fight.anomalies.horse_trap import lift_ban
from knightfall.games.knight_fight.anomalies.tic_tac_toe import fresh
from knightfall.games.knight_fight.board import SIDES, Board, Pair, Side, Squares, each, name_of, names
from knightfall.games.knight_fight.notation import match_move, placed, write_move
from knightfall.games.knight_fight.options import OPTIONS, Rules, letters_of, parse_options
from knightfall.games.knight_fight.rules import able, act, fault, let_pass, passed_turn, ready
from knightfall.games.knight_fight.state import (
    Bidden,
    Bout,
    Entry,
    How,
    Move,
    Passed,
    Played,
    Repainted,
    Why,
    charged,
    emptied,
)

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


_NONE = "-"
_OWN_LINE = ("anomalies", "rows", "cols")


@dataclass(frozen=True, slots=True)
class _Field:
    """A part of the position under its key: how it is written and read. Any: each part has its own type."""

    key: str
    part: str
    write: Callable[[Board, Any], str]
    read: Callable[[Board, str], Any]


def _square_of(board: Board, name: str) -> Squares:
    square = board.square(name)
    if square is None:
        raise ValueError(f"“{name}” is no square of this board")
    return square


def _squares(board: Board, text: str) -> Squares:
    return sum({_square_of(board, name) for name in text.split() if name != _NONE})


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
    x, o = (0 if name == _NONE else _square_of(board, name) for name in text.split())
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


_NUMBERED = re.compile(r"\s*\d+\.\s+(.*)")
_HEAD = re.compile(r"\s*([A-Za-z ]+?)\s*:\s*(.*)")


@dataclass(frozen=True, slots=True)
class Record:
    """The position in which a bout began, and its turns."""

    first: Bout
    entries: tuple[Entry, ...] = ()


def record_of(first: Bout, bout: Bout) -> Record:
    """The record of a bout that began so."""
    return Record(replace(first, record=()), bout.record[len(first.record) :])


def write(record: Record) -> str:
    """The record as text."""
    return "\n".join([*write_head(record.first), *turn_lines(record.entries)]) + "\n"


def turn_lines(entries: Iterable[Entry]) -> list[str]:
    """One numbered line for each turn."""
    return [f"{number}. {write_entry(entry)}" for number, entry in enumerate(entries, start=1)]


def read(text: str) -> Record:
    """A record, or the beginning of one: a position. Raises InputError with the line that cannot be read."""
    head: dict[str, str] = {}
    turns: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if found := _NUMBERED.fullmatch(line):
            turns.append((number, found[1]))
        elif found := _HEAD.fullmatch(line):
            head[found[1].lower()] = found[2].strip()
        elif line.strip():
            raise InputError(
                f"line {number} of the record: {line.strip()!r}; expected “Key: value” or “1. X E4”."
            )
    first = read_head(head)
    return Record(first, tuple(parse_entry(first.rules.board, line, number) for number, line in turns))


def positions(record: Record) -> Iterator[Bout]:
    """The position at the beginning and after each turn. Raises InputError at a turn that does not fit."""
    bout = round_ = ready(record.first)
    yield bout
    # How many turns the position holds: who cannot move passes without more ado (KF-43).
    while (number := (len(bout.record) - len(record.first.record))) < len(record.entries):
        entry, rest = record.entries[number], record.entries[number + 1 :]
        round_ = bout if isinstance(entry, Bidden) else round_
        bout = _after(bout, round_, entry, rest)
        yield bout
        if bout.record[: number + 1] != record.entries[: number + 1]:
            raise InputError(f"turn {number + 1} of the record does not follow: {write_entry(entry)}.")


def _after(bout: Bout, round_: Bout, entry: Entry, rest: tuple[Entry, ...]) -> Bout:
    """One turn further; `round_` is the position before the latest bids."""
    match entry:
        case _ if bout.ended:
            raise InputError(f"the record goes on after the end of the bout: {write_entry(entry)}.")
        case Played(side=side) | Passed(side=side) if not bout.has("B") and side != bout.to_move:
            raise InputError(f"the record has a turn out of order: {write_entry(entry)}.")
        case Played():
            if code := fault(bout, entry.side, entry.move):
                raise InputError(f"the record has an illegal move: {write_entry(entry)} ({code}).")
            own = entry.how is How.OWN
            before = charged(bout, entry.side, entry.seconds) if own else emptied(bout, entry.side)  # KF-09
            return act(before, entry.side, entry.move, entry.trap, entry.how, entry.seconds)
        case Passed(side, Why.ILLEGAL, move, seconds) if not bout.has("B"):
            return passed_turn(charged(bout, side, seconds), side, move, seconds)
        case Passed(why=Why.ILLEGAL):
            # P10: the winner of the bids passed, then the loser plays; or passes too, and the round is
            # over.
            after = let_pass(bout, entry.side, entry.move)
            bids = next((e for e in reversed(bout.record) if isinstance(e, Bidden)), None)
            if bids is None or bids.winner != entry.side:
                return ready(after)
            after = refunded(round_, lift_ban(after, entry.side))
            goes_on = bool(rest) and _is_loser(rest[0], entry)
            return after if goes_on else ready(after)
        case Bidden():
            return settle(bout, entry, able(bout))
        case _:
            raise InputError(f"the record has a turn that does not follow: {write_entry(entry)}.")


def _is_loser(following: Entry, entry: Passed) -> bool:
    if isinstance(following, Played):
        return following.side != entry.side
    return isinstance(following, Passed) and following.why is Why.ILLEGAL and following.side != entry.side
