"""Defaults of each game for how its days are voted on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

VOTES = "votes"
"""The kind of a folder in which votes are counted and nothing else is played."""


@dataclass(frozen=True, slots=True)
class House:
    """How a game's file begins. `death` and `tie` as in its [rules]; `asked` are options by name."""

    death: str = ""
    tie: str = "no_elimination"
    asked: tuple[str, ...] = ()


_HOUSES: Mapping[str, House] = {
    VOTES: House("majority"),
    "knight_errant": House("majority", asked=("setup",)),
    "custom_mafia": House("majority"),
    "empowered": House("plurality", "anti_town", ("phases",)),  # EM-R26, EM-R28: most votes at the deadline
    "kings_court": House(asked=("kc_02",)),
    "knight_fight": House(asked=("anomalies", "move_time", "reserve")),
    "knights_duty": House(asked=("board", "kd_31")),
}


def house_of(kind: str, options: Mapping[str, object]) -> House:
    """The rule that a game of this kind begins with, as its options have it."""
    house = _HOUSES.get(kind, House())
    if options.get("em_r26") == "uniform":  # EM-R26, as the moderator may choose it
        return House(house.death, "random", house.asked)
    return house
