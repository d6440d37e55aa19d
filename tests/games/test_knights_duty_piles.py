"""The piles of Knight's Duty: sizes, chances, and draws that are uniform."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from duty_table import attacks, knight, play, table
from knightfall.engine.rng import SeededRng
from knightfall.games.knights_duty import (
    EDITIONS,
    WEAPONS,
    Card,
    Defence,
    Pile,
    Token,
    chance,
    make_pile,
    parse_options,
)
from knightfall.games.knights_duty.piles import disarms
from knightfall.sentence import SlotId

GUARDS = (None, Token.SHIELD, Token.PARRY)
EVERY = list(product(WEAPONS, (False, True), GUARDS))


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_pile_has_four_cards_and_one_more_for_an_inspired_attacker(edition: str) -> None:
    rules = parse_options({"edition": edition})
    for weapon, inspired, guard in EVERY:
        pile = make_pile(weapon, inspired, Defence(guard), rules)
        assert min(pile) >= 0
        assert len(pile.cards()) == sum(pile) == 4 + inspired


def test_a_shield_without_a_hit_adds_a_card_in_older_editions_alone() -> None:
    defence = Defence(Token.SHIELD, inspired=True)
    assert make_pile(Token.BOW, False, defence, parse_options({"edition": "r02"})) == Pile(0, 3, 1)
    plain = parse_options({"edition": "r02", "kd_18": "nothing"})
    assert make_pile(Token.BOW, False, defence, plain) == Pile(0, 3, 0)


@pytest.mark.parametrize(("weapon", "inspired", "guard"), EVERY)
def test_the_chance_is_the_share_of_the_cards(weapon: Token, inspired: bool, guard: Token | None) -> None:
    pile = make_pile(weapon, inspired, Defence(guard), parse_options({}))
    hits = [card for card in pile.cards() if card is Card.HIT]
    assert chance(pile) == Fraction(len(hits), len(pile.cards()))
    assert sum(chance(pile, card) for card in Card) == 1


def test_a_bow_cannot_hit_a_shield_but_an_inspired_one_can() -> None:
    rules = parse_options({})
    assert make_pile(Token.BOW, False, Defence(Token.SHIELD), rules) == Pile(0, 3, 1)
    assert make_pile(Token.BOW, True, Defence(Token.SHIELD), rules) == Pile(1, 3, 1)


def test_no_card_disarms_where_nobody_parries() -> None:
    rules = parse_options({})
    for weapon, card, guard in product(WEAPONS, Card, GUARDS):
        expected = guard is Token.PARRY and card is not Card.HIT and weapon is not Token.BOW
        assert disarms(weapon, card, guard, rules) == expected


def test_every_card_of_a_pile_is_drawn_equally_often() -> None:
    state = table({"Ada": "E2", "Bob": "E3", "Cyd": "A1"})
    drawn = Counter(
        attacks(play(state, {"Ada": "SWORD @ Bob", "Bob": "SHIELD"}, draw=SeededRng(b"%d" % seed)))["R1:Ada"]
        for seed in range(1000)
    )
    assert abs(drawn["Bob:Hit"] - 500) < 60
    assert abs(drawn["Bob:Miss"] - 250) < 60
    assert abs(drawn["Bob:Shield"] - 250) < 60


def test_a_defenders_token_takes_a_hit_away_or_adds_a_shield_once() -> None:
    plans = {"Ada": "SWORD @ Bob ONLY\nSWORD @ Bob ONLY", "Bob": "PASS INSPIRED\nPASS INSPIRED"}
    cards = (("kd.card:R1:Ada->Bob", "Miss"), ("kd.card:R2:Ada->Bob", "Miss"))
    for option, first in (("token", Pile(2, 1)), ("token_shield", Pile(3, 1, 1))):
        state = play(table({"Ada": "E2", "Bob": "E3"}, inspiration=option), plans, *cards)
        piles = [attack.pile for played in state.rounds for attack in played.attacks]
        assert piles == [first, Pile(3, 1)]
        assert not state.knights[SlotId("Bob")].fresh


def test_an_attackers_token_adds_a_hit_and_the_hill_refreshes_it() -> None:
    state = table({"Ada": "E4", "Bob": "E6"}, inspiration="token")
    plans = {"Ada": "SWORD @ Bob INSPIRED\nMOVE E\nSWORD @ Bob INSPIRED"}
    cards = (("kd.card:R1:Ada->Bob", "Miss"), ("kd.card:R3:Ada->Bob", "Miss"))
    played = play(state, plans, *cards)
    assert [a.pile for r in played.rounds for a in r.attacks] == [Pile(4, 1), Pile(4, 1)]


def test_an_inspiration_action_waits_for_an_attack_that_has_a_target() -> None:
    """KD-22, the variant: where nobody was in range the action is not used up, and one attack uses it up."""
    state = table({"Ada": "E2", "Bob": "E5"}, inspiration="action")
    plans = {"Ada": "INSPIRATION\nSWORD\nSWORD", "Bob": "PASS\nPASS\nMOVE W"}
    late = play(state, plans, ("kd.card:R3:Ada->Bob", "Miss"))
    assert attacks(late) == {"R2:Ada": "forfeit", "R3:Ada": "Bob:Miss"}
    near = table({"Ada": "E2", "Bob": "E3"}, inspiration="action")
    cards = (("kd.card:R2:Ada->Bob", "Miss"), ("kd.card:R3:Ada->Bob", "Miss"))
    soon = play(near, {"Ada": plans["Ada"]}, *cards)
    piles = [[one.pile for played in found.rounds for one in played.attacks] for found in (late, soon)]
    assert piles == [[None, Pile(4, 1)], [Pile(4, 1), Pile(3, 1)]]


def test_felling_a_knight_refreshes_the_token_in_r03() -> None:
    state = table({"Ada": "E2", "Bob": knight("E3", heart=False), "Cyd": "I1"}, inspiration="token_shield")
    after = play(state, {"Ada": "SWORD @ Bob INSPIRED"}, ("kd.card:R1:Ada->Bob", "Hit"))
    assert after.out == ("Bob",)
    assert after.knights[SlotId("Ada")].fresh
