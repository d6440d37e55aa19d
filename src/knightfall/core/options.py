"""Which of a game's questions did the moderator answer otherwise?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from knightfall.core.game import Option
from knightfall.errors import InputError


@dataclass(frozen=True, slots=True)
class Chosen:
    """The value of every option by name. `house` names those that differ from the default: quick to ask."""

    values: Mapping[str, str]
    house: frozenset[str] = frozenset()

    def __getitem__(self, name: str) -> str:
        return self.values[name]


def defaults(options: Sequence[Option]) -> Chosen:
    """What holds where the moderator says nothing."""
    return Chosen({option.name: option.default for option in options})


def choose(game: str, options: Sequence[Option], given: Mapping[str, object]) -> Chosen:
    """What the moderator chose, defaults elsewhere; `game` is its name in messages.

    Raises InputError for an unknown option, with the nearest, and for a value that it does not have.
    """
    by_name = {option.name: option for option in options}
    values = dict(defaults(options).values)
    for name, value in given.items():
        option = by_name.get(name)
        if option is None:
            raise InputError(f"{game} has no option “{name}”{nearest(name, by_name)}")
        text = _said(option, str(value).lower())
        if text not in option.values and not (option.pattern and re.fullmatch(option.pattern, text)):
            raise InputError(
                f"{name} = {value!r}: expected one of {', '.join(option.values)} ({option.ruling})."
            )

        values[name] = text
    return Chosen(values, frozenset(name for name in values if values[name] != by_name[name].default))


def _said(option: Option, text: str) -> str:
    """A TOML `true` says yes where the choice is between yes and no."""
    same = {"true": "yes", "false": "no"}.get(text, text)
    return same if same in option.values else text


def nearest(name: str, known: Iterable[str]) -> str:
    """How a complaint about an unknown name ends: with the one that may be meant."""
    near = get_close_matches(name, known, n=1)
    return f"; did you mean “{near[0]}”?" if near else "."
