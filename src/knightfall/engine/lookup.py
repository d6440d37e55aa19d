"""Questions about a game that a face asks without knowing the game: setups, odds, moves of a record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from knightfall.parameters import Parameter


class Answer(Protocol):
    """What a game answers: for programs and for people."""

    def to_dict(self) -> dict[str, object]:
        """The published JSON values."""
        ...

    def text(self) -> str:
        """The answer as text of at most 80 columns. An answer that can be drawn has a `scene()`, too."""
        ...


@dataclass(frozen=True, slots=True)
class Lookup:
    """A question that a game answers from its rules alone.

    `help` tells what it does, first in one line. `answer` is called with one argument a parameter, by name;
    it raises InputError for what cannot be asked.
    """

    help: str
    answer: Callable[..., Answer]
    parameters: tuple[Parameter, ...] = ()
    example: Mapping[str, object] = field(default_factory=dict)
    """What may be asked: the parameters that are said, with what each is; True is a switch."""
    draws: bool = False
    """Whether its answers have a `scene()`."""
    live: Callable[[Any], str] | None = None
    """The text that it asks for, from the state of a game that is being played."""
