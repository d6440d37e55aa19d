"""Journals of whole games, and everything that can be done to the records of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache

from hypothesis import strategies as st

from knightfall.engine.entries import Ruled, Submitted, Undone
from knightfall.engine.journal import START, Journal, Record, append, record_after
from knightfall.engine.playout import play
from knightfall.engine.rng import SeededRng
from knightfall.games import game_ids, loaded
from salt_harbour import NAMES


@cache
def played(kind: str) -> Journal:
    """A game of that kind as it was played at random, with a message taken back and a ruling among it."""
    game = loaded(kind)
    slots = NAMES[: game.spec.players[0]]
    whole: Journal = ()
    for record in play(game, slots, {}, SeededRng(b"chance"), SeededRng(b"draw"), 4).journal[:30]:
        whole = append(whole, record.entry, record.at, record.author)
        if record.number == 3:
            whole = append(whole, Undone(3, "a slip"), record.at, record.author)
            whole = append(whole, Ruled("May one whisper?", "no", "as ever"), record.at, "Pike")
    return whole


def cut(records: Sequence[Record], one: int, _: int) -> list[Record]:
    """One of them is gone."""
    return [*records[:one], *records[one + 1 :]]


def exchange(records: Sequence[Record], one: int, other: int) -> list[Record]:
    """Two of them stand in each other's place."""
    found = list(records)
    found[one], found[other] = found[other], found[one]
    return found


def move(records: Sequence[Record], one: int, other: int) -> list[Record]:
    """One of them stands elsewhere."""
    found = cut(records, one, 0)
    found.insert(other, records[one])
    return found


def double(records: Sequence[Record], one: int, _: int) -> list[Record]:
    """One of them stands there twice."""
    return [*records[: one + 1], *records[one:]]


def other_entry(records: Sequence[Record], one: int, other: int) -> list[Record]:
    """One of them says something else: what another one says, or a message that nobody sent."""
    entry = records[other].entry
    found = replace(records[one], entry=Submitted(None, "forged") if entry == records[one].entry else entry)
    return [*records[:one], found, *records[one + 1 :]]


def other_author(records: Sequence[Record], one: int, _: int) -> list[Record]:
    """One of them was written by somebody else."""
    return [*records[:one], replace(records[one], author="Rook"), *records[one + 1 :]]


def other_time(records: Sequence[Record], one: int, other: int) -> list[Record]:
    """One of them was written at another time."""
    at = records[one].at + timedelta(seconds=other + 1)
    return [*records[:one], replace(records[one], at=at), *records[one + 1 :]]


DEEDS: Mapping[str, Callable[[Sequence[Record], int, int], list[Record]]] = {
    deed.__name__: deed for deed in (cut, exchange, move, double, other_entry, other_author, other_time)
}


@dataclass(frozen=True)
class Tampering:
    """What was done to which records of a journal, and how many behind the first that is not as it was had
    number and hashes made right again, too."""

    kind: str
    deed: str
    one: int
    other: int
    mended: int

    def done(self) -> Journal:
        """The journal then. The records behind those that were mended are as they were written, as many as
        are left; at least one is."""
        whole = played(self.kind)
        found = DEEDS[self.deed](whole, self.one, self.other)
        first = next(
            (n for n, pair in enumerate(zip(found, whole, strict=False)) if pair[0] != pair[1]), len(whole)
        )
        last = min(first + self.mended, len(found) - 2)
        mended: list[Record] = found[:first]
        for record in found[first : last + 1]:
            mended.append(
                record_after(mended[-1] if mended else None, record.entry, record.at, record.author)
            )
        return (*mended, *found[last + 1 :])

    def with_own_hashes(self) -> Journal:
        """The same with nothing mended but that each record has the hash of what it says and of what it says
        stood before it: number and `before` are as they were."""
        whole = played(self.kind)
        return tuple(map(own_hash, DEEDS[self.deed](whole, self.one, self.other)))


def own_hash(record: Record) -> Record:
    """The record with the hash of its content."""
    behind = Record(record.number - 1, record.at, "", record.entry, START, record.before)
    return record_after(behind if record.number > 1 else None, record.entry, record.at, record.author)


def tamperings(kind: str) -> st.SearchStrategy[Tampering]:
    """Everything that can be done to a game's journal with one record behind it left as it was."""
    size = len(played(kind))
    inside = st.integers(0, size - 2)
    return st.builds(
        Tampering, st.just(kind), st.sampled_from(sorted(DEEDS)), inside, inside, st.integers(0, size)
    ).filter(lambda one: DEEDS[one.deed](played(kind), one.one, one.other) != list(played(kind)))


KINDS = game_ids()
