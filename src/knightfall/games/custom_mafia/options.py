"""Which questions may a moderator of a custom game answer otherwise, and what did this one choose?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from knightfall.core.game import Option
from knightfall.core.options import choose, defaults


def _option(name: str, number: int, question: str, *values: str) -> Option:
    return Option(name, values, f"CM-R{number}", question)


OPTIONS: tuple[Option, ...] = (
    _option("knots", 2, "Actions that change each other in a ring", "ask", "list"),
    _option("doctor_saves", 10, "Kills that one doctor stops", "one", "all"),
    _option("bomb", 15, "The kill that a Bomb strikes back with", "kill", "certain"),
    _option("blocked_shot", 20, "A shot whose action was blocked", "spent", "refunded"),
    _option("cop_sees_killer", 23, "A cop's answer for a Serial Killer", "guilty", "innocent"),
    _option("carrier", 32, "Who carries the mafia's kill may also use his own ability", "no", "yes"),
    _option("self_target", 33, "An action on oneself", "no", "yes"),
    _option("mafia_wins", 37, "The mafia wins at", "parity", "majority", "last_side"),
    _option("killer_wins", 38, "A Serial Killer wins", "last_alive", "one_on_one"),
    _option("jester", 39, "When a Jester is eliminated, the game", "goes_on", "ends"),
    _option("lovers_know", 35, "Lovers know each other", "yes", "no"),
)
_DEFAULTS = defaults(OPTIONS).values


@dataclass(frozen=True, slots=True)
class Rules:
    """The chosen values by name; `house`: which differ from the default, quick to ask."""

    chosen: Mapping[str, str] = field(default_factory=lambda: dict(_DEFAULTS))
    house: frozenset[str] = frozenset()

    def __getitem__(self, name: str) -> str:
        return self.chosen[name]


DEFAULT_RULES = Rules()


def parse_options(given: Mapping[str, object]) -> Rules:
    """Read the options of a setup. Raises InputError with the choices."""
    chosen = choose("Custom Mafia", OPTIONS, given)
    return Rules(chosen.values, chosen.house) if chosen.house else DEFAULT_RULES
