"""What is a role? A name, a side, abilities with their shots, traits: data, no behaviour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

Shots: TypeAlias = int | None
"""How often an ability may be used in the whole game; None: every night."""


class Alignment(StrEnum):
    """Whose victory a role works for."""

    TOWN = "town"
    MAFIA = "mafia"
    SERIAL_KILLER = "sk"


@dataclass(frozen=True, slots=True)
class Role:
    """One card. `abilities` are what its holder may submit; `even_only` those of even nights alone."""

    name: str
    alignment: Alignment
    abilities: Mapping[str, Shots] = field(default_factory=dict)
    traits: frozenset[str] = frozenset()
    even_only: frozenset[str] = frozenset()
