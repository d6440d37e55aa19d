"""A plan: which tokens there are, how many a turn, and how an entry is written.

Swords reach two spaces, spears three, bows four (KD-13). A plan is a tuple of entries, entry k for round k.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from knightfall.sentence import Sentence, SlotId, joined


class Token(StrEnum):
    """What lies face down in a knight's corner."""

    SWORD = "sword"
    SPEAR = "spear"
    BOW = "bow"
    SHIELD = "shield"
    PARRY = "parry"
    MOVE = "move"
    PASS = "pass"
    INSPIRATION = "inspiration"


WEAPONS = (Token.SWORD, Token.SPEAR, Token.BOW)
REACH: Mapping[str, int] = {Token.SWORD: 2, Token.SPEAR: 3, Token.BOW: 4}
"""KD-13: the farthest space a weapon reaches; the nearest is one away."""

LIMITS: Mapping[str, int] = {
    **dict.fromkeys((*WEAPONS, Token.SHIELD, Token.PARRY), 2),
    Token.MOVE: 3,
    Token.INSPIRATION: 1,
}
"""KD-03: tokens of a kind in one turn. Passes are no tokens and have no limit."""

ROUNDS = 3
WOUNDED_ROUNDS = 2
"""KD-04, KD-06: rounds of a turn, and how many of them a knight with the Heart down acts in."""


class Extra(StrEnum):
    """What an option lets a player add to an entry."""

    YIELD = "yield"
    FIRST = "first"
    LAST = "last"
    INSPIRED = "inspired"


@dataclass(frozen=True, slots=True)
class Entry:
    """One token with its orders. `only`: nobody but the named; `pick`: which card, from 1 (0: any)."""

    token: Token
    direction: str | None = None
    targets: tuple[SlotId, ...] = ()
    only: bool = False
    extras: frozenset[Extra] = frozenset()
    pick: int = 0


Plan: TypeAlias = tuple[Entry, ...]

PASS = Entry(Token.PASS)


def entry_at(plan: Sequence[Entry], number: int) -> Entry:
    """What round `number` (from 1) plays; KD-04: nothing laid is a pass."""
    return plan[number - 1] if number <= len(plan) else PASS


def write_entry(entry: Entry) -> Sentence:
    """`MOVE NE`, `SWORD @ Bob, Cyd ONLY`: what `read_entry` reads back."""
    words: list[object] = [entry.token.upper(), *([entry.direction] if entry.direction else [])]
    if entry.targets:
        words += ["@", joined(", ", entry.targets)]
    words += ["ONLY"] * entry.only
    words += [extra.upper() for extra in sorted(entry.extras)]
    return joined(" ", [*words, f"PICK {entry.pick}"] if entry.pick else words)


def numbered(plan: Sequence[Entry]) -> tuple[str, ...]:
    """`1 MOVE NE`, `2 SWORD @ Bob`: a plan as a receipt repeats it."""
    return tuple(joined(" ", (number, write_entry(entry))) for number, entry in enumerate(plan, start=1))


def write_plan(plan: Sequence[Entry]) -> str:
    """A plan as the lines of a message."""
    return joined("\n", (joined(": ", pair) for pair in enumerate(map(write_entry, plan), start=1)))
