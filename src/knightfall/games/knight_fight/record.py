"""A bout as a record, to be read back and played again. `write` and `read` are inverse.

First the position it began with (`record_head`), then one numbered line for each turn (`record_lines`). What
a player could not know before the end stands in it too, so it is published when the bout is over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from knightfall.errors import InputError
from knightfall.games.knight_fight.action import act, let_pass, passed_turn, ready
from knightfall.games.knight_fight.anomalies.bidding import refunded, settle
from knightfall.games.knight_fight.anomalies.horse_trap import lift_ban
from knightfall.games.knight_fight.bout import Bidden, Bout, Entry, How, Passed, Played, Why
from knightfall.games.knight_fight.moves import able, fault
from knightfall.games.knight_fight.record_head import read_head, write_head
from knightfall.games.knight_fight.record_lines import parse_entry, write_entry
from knightfall.games.knight_fight.table import charged, emptied

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
