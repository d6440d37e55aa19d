"""Names that forums allow, and a game in which a player is called otherwise.

Every name here is built around “Mist”, who sits beside: what strips or cuts too much finds the wrong one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from knightfall.sentence import SlotId

T = TypeVar("T")

ODD = (
    *("-Mist-", "=Mist", ":Mist", "@Mist", "!Mist!", "+Mist+", "?Mist", "Mist?", "Mist!", "Mist."),
    *("Mist,", "Mist;", "Mist:", "~Mist~", "_Mist_", "*Mist*", "**Mist**", "[b]Mist[/b]", "[Mist]"),
    *("(Mist)", "{Mist}", "<Mist>", ">Mist", "#Mist", "##Mist", "/Mist", "•Mist", "$Mist", "%Mist"),
    *("Mist / Fog", "Mist, Jr.", "Mist, Boro", "Mist and Boro", "Mist & Boro", "Mist + Boro"),
    *("Mist > Boro", "Mist by Boro", "Mist to Boro", "Mist with Boro", "Mist of Boro", "Mist: VOTE"),
    *("Mist invisible", "Mist ONLY", "Mist obliterate", "Mist 3", "3 Mist", "3 to Mist", "+2"),
    *("?", "-", "moderator", "Vote", "Kill", "No Action", "Sword", "N", "“Mist”"),
)
NAMESAKE = SlotId("Mist")


def as_called(value: T, names: Mapping[str, str]) -> T:
    """The same at any depth, with everybody called otherwise; the names of `names` stand nowhere else."""
    return _called(value, names)  # type: ignore[no-any-return]


def _called(value: Any, names: Mapping[str, str]) -> Any:
    match value:
        case str():
            found = str(value)
            for was, now in names.items():
                found = found.replace(was, now)
            return SlotId(found) if isinstance(value, SlotId) else found if found != value else value
        case Mapping():
            return {_called(key, names): _called(one, names) for key, one in value.items()}
        case tuple() if hasattr(value, "_fields"):
            return type(value)(*(_called(one, names) for one in value))
        case list() | tuple() | frozenset():
            return type(value)(_called(one, names) for one in value)
        case _ if is_dataclass(value) and not isinstance(value, type):
            told = {
                part.name: _called(getattr(value, part.name), names) for part in fields(value) if part.init
            }
            return replace(value, **told)
    return value


class First:
    """A source of chance that always takes the first: names in labels decide nothing."""

    def at(self, *_path: object) -> First:
        return self

    apart = at

    def choice(self, _label: str, options: Sequence[T], _repeat: int = 0) -> T:
        return options[0]

    def choices(self, _label: str, options: Sequence[T], count: int, _repeat: int = 0) -> tuple[T, ...]:
        return (options[0],) * count

    def sample(self, _label: str, options: Sequence[T], count: int, _repeat: int = 0) -> tuple[T, ...]:
        return tuple(options[:count])
