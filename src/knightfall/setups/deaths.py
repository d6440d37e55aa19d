"""Whom did the game itself let die, so that nobody has to tell the votecount?

What a game tells everybody about its dead is laid over the game file: who died in a night is dead from the
beginning of the day after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from knightfall.setups.setup import Setup

_WHEN = re.compile(r"(day|night) ([0-9]+)")


@dataclass(frozen=True, slots=True)
class Death:
    """A slot that the game took from the living; `when` in the game's words, as “night 2”."""

    slot: str
    when: str


def mourned(setup: Setup, deaths: Iterable[Death], night_first: bool = False) -> Setup:
    """The setup in which they are dead. `night_first`: in this game night 1 comes before day 1. Whom a closed
    day eliminated, or the moderator took out, is dead by those entries already."""
    known = {name for _, name in setup.fallen} | {change.slot for change in setup.changes if change.how}
    slain: list[tuple[int, str]] = []
    for death in deaths:
        found = _WHEN.fullmatch(death.when)
        if found and (found[1] == "night" or death.slot not in known):
            slain.append((int(found[2]) - (night_first and found[1] == "night"), death.slot))

    return replace(setup, slain=tuple(slain))
