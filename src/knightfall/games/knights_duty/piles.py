"""The cards in the pile of an attack, and how likely a hit is.

Bow 1 Hit 3 Misses, spear 2 and 2, sword 3 and 1 (KD-16); inspiration adds a Hit (KD-17); a shield turns one
Hit into a Shield (KD-18).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from knightfall.engine.game import Chosen
from knightfall.games.knights_duty.plan import Token


class Card(StrEnum):
    """A battle card. Dodge and Miss are one card under two names (KD-16)."""

    HIT = "Hit"
    MISS = "Miss"
    SHIELD = "Shield"


class Pile(NamedTuple):
    """How many of each card."""

    hit: int
    miss: int
    shield: int = 0

    def cards(self) -> tuple[Card, ...]:
        """Every card, Hits first."""
        return (Card.HIT,) * self.hit + (Card.MISS,) * self.miss + (Card.SHIELD,) * self.shield

    def counts(self) -> dict[str, int]:
        """By the cards' names."""
        return {"Hit": self.hit, "Miss": self.miss, "Shield": self.shield}


PRINTED: Mapping[Token, Pile] = {Token.BOW: Pile(1, 3), Token.SPEAR: Pile(2, 2), Token.SWORD: Pile(3, 1)}
"""KD-16: what each weapon is worth."""


class Defence(NamedTuple):
    """What the target does this round: shield, parry or neither, and whether it uses an inspiration token."""

    guard: Token | None = None
    inspired: bool = False


def make_pile(weapon: Token, inspired: bool, defence: Defence, rules: Chosen) -> Pile:
    """The pile of one attack: a fresh one for each."""
    pile = PRINTED[weapon]
    if inspired:  # KD-17: first of all
        pile = Pile(pile.hit + 1, pile.miss, pile.shield)
    if defence.inspired:
        # KD-22: the defender's token takes a Hit away (R02) or adds a Shield (R03).
        if rules["inspiration"] == "token_shield":
            pile = Pile(pile.hit, pile.miss, pile.shield + 1)
        else:
            pile = Pile(max(pile.hit - 1, 0), pile.miss, pile.shield)
    if defence.guard is Token.SHIELD:
        # KD-18: one Hit becomes a Shield; without a Hit nothing does, or a Shield is added all the same.
        if pile.hit:
            return Pile(pile.hit - 1, pile.miss, pile.shield + 1)
        return Pile(0, pile.miss, pile.shield + (rules["kd_18"] == "adds_a_shield"))
    if defence.guard is Token.PARRY and rules["parry_pile"] == "shield_card":
        # KD-19, the variant: a parry turns one Miss into a Shield.
        return Pile(pile.hit, pile.miss - 1, pile.shield + 1) if pile.miss else pile
    return pile


def chance(pile: Pile, card: Card = Card.HIT) -> Fraction:
    """How likely one card drawn from the pile is this one: by counting all of them."""
    cards = pile.cards()
    return Fraction(sum(one is card for one in cards), len(cards))


def disarms(weapon: Token, card: Card, guard: Token | None, rules: Chosen) -> bool:
    """KD-20: a failed attack on a parrying target; never a bow (older editions: any weapon). KD-19, the
    variant: only the Shield card."""
    if guard is not Token.PARRY or card is Card.HIT:
        return False
    if weapon is Token.BOW and rules["kd_20"] == "not_bows":
        return False
    return rules["parry_pile"] == "no_card" or card is Card.SHIELD
