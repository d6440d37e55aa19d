"""Who may see a value.

A secret is a property of the value, not of a page that shows it: a field that is not for everybody says so
where it is declared (`rows: tuple[Row, ...] = field(metadata=SECRET)`), a property by `@secret`, and where it
depends on the value that has it, by a rule (`secret_where`). What is made on the way, such as a sentence
with a name in it, is a `Secret`. Who shows values to strangers asks: the page while private eyes are on, and
the archive for everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Generic, TypeAlias, TypeVar

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

Rule: TypeAlias = Callable[[Any], bool]
"""Whether a field of this value is secret."""

_AUDIENCE = "audience"


class Audience(Enum):
    """For whom a value is: the moderator sees what is for everybody, too."""

    EVERYBODY = "everybody"
    MODERATOR = "moderator"

    def sees(self, audience: Audience) -> bool:
        """Whether one of these readers may see what is for that audience."""
        return self is Audience.MODERATOR or audience is Audience.EVERYBODY


class View(Enum):
    """Who will read a count: the players, who may not see hidden weights, or the moderator."""

    PUBLIC = "public"
    MOD = "mod"


def secret_where(rule: Rule) -> Mapping[str, Rule]:
    """The metadata of a field that is secret where the rule says so of the value that has it."""
    return {_AUDIENCE: rule}


SECRET: Mapping[str, Rule] = secret_where(lambda _: True)
"""The metadata of a field that is never for everybody."""


def secret(getter: F) -> F:
    """Marks the getter of a property that is never for everybody."""
    return secret_if(lambda _: True)(getter)


def secret_if(rule: Rule) -> Callable[[F], F]:
    """Marks the getter of a property that is secret where the rule says so of the value that has it."""

    def mark(getter: F) -> F:
        setattr(getter, _AUDIENCE, rule)
        return getter

    return mark


@dataclass(frozen=True, slots=True)
class Secret(Generic[T]):
    """A value that is not for everybody, and what everybody may see instead (None: only that it is there)."""

    value: T
    instead: Any = None

    def __repr__(self) -> str:
        """Nothing of the value: a secret that is printed by mistake tells none."""
        return "Secret(…)"


def is_secret(owner: object, name: str) -> bool:
    """Whether that field or property of a value is not for everybody."""
    kind: Any = type(owner)
    rule = _rules(kind).get(name)
    return rule is not None and rule(owner)


@cache
def _rules(kind: Any) -> Mapping[str, Rule]:
    """Name → rule, of the fields and properties of a class that say for whom they are."""
    found: dict[str, Rule] = {}
    for base in reversed(kind.__mro__):
        for name, value in vars(base).items():
            rule = getattr(value.fget, _AUDIENCE, None) if isinstance(value, property) else None
            if rule is not None:
                found[name] = rule
    if is_dataclass(kind):
        found |= {part.name: part.metadata[_AUDIENCE] for part in fields(kind) if _AUDIENCE in part.metadata}
    return found
