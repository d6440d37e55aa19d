"""Vote presets: how the days of each game are voted on, unless the moderator says otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

VOTES = "votes"
"""The kind of a folder in which votes are counted and nothing else is played."""


@dataclass(frozen=True, slots=True)
class VotePreset:
    """How a game's file begins. `death` and `tie` as in its [rules]; `asked` are options by name."""

    death: str = ""
    tie: str = "no_elimination"
    asked: tuple[str, ...] = ()


_PRESETS: Mapping[str, VotePreset] = {
    VOTES: VotePreset("majority"),
    "knight_errant": VotePreset("majority", asked=("setup",)),
    "custom_mafia": VotePreset("majority"),
    "empowered": VotePreset(
        "plurality", "anti_town", ("phases",)
    ),  # EM-R26, EM-R28: most votes at the deadline
    "kings_court": VotePreset(asked=("kc_02",)),
    "knight_fight": VotePreset(asked=("anomalies", "move_time", "reserve")),
    "knights_duty": VotePreset(asked=("board", "kd_31")),
}


def vote_preset(kind: str, options: Mapping[str, object]) -> VotePreset:
    """The rule that a game of this kind begins with, as its options have it."""
    preset = _PRESETS.get(kind, VotePreset())
    if options.get("em_r26") == "uniform":  # EM-R26, as the moderator may choose it
        return VotePreset(preset.death, "random", preset.asked)
    return preset
