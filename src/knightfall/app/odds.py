"""How likely does an attack in Knight's Duty hit? By counting every card of the pile."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from tabulate import tabulate

from knightfall.app.plain_values import as_object
from knightfall.core.options import Chosen
from knightfall.errors import InputError
from knightfall.games.knights_duty import (
    WEAPONS,
    Card,
    Defence,
    Pile,
    Token,
    chance,
    disarms,
    make_pile,
    parse_options,
)

_GUARDS = (None, Token.SHIELD, Token.PARRY)


@dataclass(frozen=True, slots=True)
class Odds:
    """One attack: its pile, and the chances of a hit and of being disarmed."""

    weapon: Token
    inspired: bool
    guard: Token | None
    pile: Pile
    hit: Fraction
    disarmed: Fraction


def odds(
    weapon: str | None,
    shield: bool = False,
    parry: bool = False,
    hill: bool = False,
    edition: str = "current",
    as_json: bool = False,
) -> str:
    """The chances of one attack, or a table of all where no weapon is named.

    JSON: {schema, odds: [{weapon, inspired, guard, pile, hit: "3/5", disarmed: "0"}]}. Raises InputError for
    another weapon or edition, and for shield and parry at once.
    """
    if shield and parry:
        raise InputError("A knight shields or parries, never both in one round: give one of them.")
    rules = parse_options({"edition": edition})
    guard = Token.SHIELD if shield else Token.PARRY if parry else None
    if weapon is None:
        found = _every(guard, hill, rules)
        return _as_json(found) if as_json else _table(found)
    one = odds_of(_weapon(weapon), hill, guard, rules)
    return _as_json([one]) if as_json else _sentence(one)


def _every(guard: Token | None, hill: bool, rules: Chosen) -> list[Odds]:
    """Every weapon against every defence, or against the one that is asked for."""
    guards = (guard,) if guard else _GUARDS
    ways = product(WEAPONS, (True,) if hill else (False, True), guards)
    return [odds_of(weapon, inspired, against, rules) for weapon, inspired, against in ways]


def odds_of(weapon: Token, inspired: bool, guard: Token | None, rules: Chosen) -> Odds:
    """KD-16 to KD-20: the pile of such an attack, and what its cards do."""
    pile = make_pile(weapon, inspired, Defence(guard), rules)
    lost = sum((chance(pile, card) for card in Card if disarms(weapon, card, guard, rules)), Fraction(0))
    return Odds(weapon, inspired, guard, pile, chance(pile), lost)


def _weapon(written: str) -> Token:
    for weapon in WEAPONS:
        if written.strip().casefold() == weapon:
            return weapon
    raise InputError(f"No weapon “{written}”; there are {', '.join(WEAPONS)}.")


def _sentence(one: Odds) -> str:
    """`sword, inspired, against a shield: 3 Hit 1 Miss 1 Shield, a hit 3/5 (60 %)`."""
    said = str(one.weapon) + (", inspired" if one.inspired else "")
    said += f", against a {one.guard}" if one.guard else ""
    lost = f", disarmed {_percent(one.disarmed)}" if one.disarmed else ""
    return f"{said}: {_cards(one.pile)}, a hit {_percent(one.hit)}{lost}"


def _cards(pile: Pile) -> str:
    return " ".join(f"{count} {card}" for card, count in pile.counts().items() if count)


def _percent(part: Fraction) -> str:
    return f"{part} ({round(float(part) * 100, 1):g} %)" if part else "0"


def _table(rows: list[Odds]) -> str:
    heads = ("Weapon", "Inspired", "Against", "Pile", "Hit", "Disarmed")
    return tabulate(
        [
            (
                one.weapon,
                "yes" if one.inspired else "no",
                one.guard or "nothing",
                _cards(one.pile),
                _percent(one.hit),
                _percent(one.disarmed),
            )
            for one in rows
        ],
        heads,
        disable_numparse=True,
    )


def _as_json(rows: list[Odds]) -> str:
    values = [
        {
            "weapon": one.weapon,
            "inspired": one.inspired,
            "guard": one.guard,
            "pile": one.pile.counts(),
            "hit": str(one.hit),
            "disarmed": str(one.disarmed),
        }
        for one in rows
    ]
    return as_object({"odds": values})
