"""What became of the lines that players sent: which actions stand, which lines were refused and why?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from knightfall.core.game import Refusal, SlotId
from knightfall.mafia.night import Action

Refused: TypeAlias = tuple[SlotId, str, Refusal]
"""Who sent it, the line as written, why it was not taken."""


@dataclass(frozen=True, slots=True)
class Taken:
    """`actions` in order of arrival: a replaced one is gone."""

    actions: tuple[Action, ...]
    refused: tuple[Refused, ...]
