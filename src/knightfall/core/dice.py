"""How do the moderator's own dice and cards take the place of the seed's?

A value is held under its label until the next draw of that label; whatever nobody holds a value for comes
from the fallback. In which order values were held does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from knightfall.core.rng import Rng, ScriptedRng

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class HandRng:
    """`held`: values by label, the first first; taken out as they are drawn. Raises StateDamaged for a value
    that is none of the options."""

    fallback: Rng
    held: dict[str, list[object]] = field(default_factory=dict)

    def at(self, *path: object) -> HandRng:
        return HandRng(self.fallback.at(*path), self.held)

    def choice(self, label: str, options: Sequence[T], repeat: int = 0) -> T:
        return self._source(label).choice(label, options, repeat)

    def choices(self, label: str, options: Sequence[T], count: int, repeat: int = 0) -> tuple[T, ...]:
        return self._source(label).choices(label, options, count, repeat)

    def sample(self, label: str, options: Sequence[T], count: int, repeat: int = 0) -> tuple[T, ...]:
        return self._source(label).sample(label, options, count, repeat)

    def hold(self, label: str, value: object) -> None:
        """For the next draw of this label that no held value waits for yet."""
        self.held.setdefault(label, []).append(value)

    def _source(self, label: str) -> Rng:
        waiting = self.held.get(label)
        return ScriptedRng([(label, waiting.pop(0))], self.fallback) if waiting else self.fallback
