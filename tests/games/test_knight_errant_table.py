"""The table, the walk, the 48 codes and the deal."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from knightfall.engine.rng import SeededRng
from knightfall.errors import InputError
from knightfall.games.knight_errant import CODES, KNIGHT_ERRANT, ROLES, parse_code, parse_options
from knightfall.games.knight_errant.options import SetupCode
from knightfall.sentence import SlotId
from salt_harbour import NAMES


def test_there_are_48_codes_and_their_chances_add_up() -> None:
    assert len(CODES) == 48
    assert sum(setup.probability for setup in CODES.values()) == 1


@pytest.mark.parametrize(("code", "chance"), [("A1-RD", 32), ("B1-DL", 48), ("C3-LU", 64)])
def test_corner_edge_and_centre_have_their_chances(code: str, chance: int) -> None:
    assert CODES[code].probability == Fraction(1, chance)


def test_two_cells_may_give_the_same_ability_but_no_role_is_crossed_twice() -> None:
    """The setup post says both."""
    twice = [setup for setup in CODES.values() if max(setup.shots.values()) > 1]
    assert len(twice) == 13
    assert all(len(set(setup.powers)) == len(setup.powers) for setup in CODES.values())


def test_the_published_example() -> None:
    setup = CODES["A1-RD"]
    assert setup.cells == ("A1", "B1", "C1", "C2")
    assert setup.powers == (
        "Town 3-Shot Commuter",
        "Mafia Bulletproof",
        "Town Gunsmith",
        "Mafia Even-Night Watcher",
    )
    assert setup.shots == {"commute": 1, "bulletproof": 1, "gunsmith": 1, "watch": 1, "strong_kill": 1}


@pytest.mark.few(12)
@pytest.mark.parametrize("setup", CODES.values(), ids=CODES)
def test_every_code_is_13_town_4_mafia_and_the_killer(setup: SetupCode) -> None:
    sides = Counter(str(ROLES[role].alignment) for role in setup.roles)
    cards = Counter(setup.roles)
    assert sides == {"town": 13, "mafia": 4, "sk": 1}
    assert (cards["Vanilla Townie"], cards["Town Mason"], cards["Mafia Goon"]) == (9, 2, 2)
    assert sum(setup.shots.values()) == 5


def test_a_repeated_ability_gives_two_uses() -> None:
    twice = Counter(a for setup in CODES.values() for a, uses in setup.shots.items() if uses == 2)
    assert twice == {"bulletproof": 8, "roleblock": 6}


@pytest.mark.parametrize("text", ["a1-rd", "A1 RD", "A1RD"])
def test_a_code_is_read_in_any_case(text: str) -> None:
    assert parse_code(text).code == "A1-RD"


def test_a_wrong_code_is_told_the_codes_of_its_cell() -> None:
    with pytest.raises(InputError, match="A1-RD, A1-DR"):
        parse_code("A1-LU")


def test_the_deal_is_a_function_of_the_seed() -> None:
    first, again, other = (
        KNIGHT_ERRANT.setup(NAMES, {}, SeededRng(seed)).state for seed in (b"one", b"one", b"two")
    )
    assert first == again
    assert first.cards != other.cards


def test_a_named_code_is_dealt_whole() -> None:
    state = KNIGHT_ERRANT.setup(NAMES, {"setup": "d4-ul"}, SeededRng(b"one")).state
    assert sorted(card.name for card in state.cards.values()) == sorted(CODES["D4-UL"].roles)


@pytest.mark.parametrize("names", [NAMES[:-1], (*NAMES[:-1], NAMES[0].upper())])
def test_eighteen_different_names_are_needed(names: tuple[SlotId, ...]) -> None:
    with pytest.raises(InputError):
        KNIGHT_ERRANT.setup(names, {}, SeededRng(b"one"))


def test_bad_options_name_what_is_expected() -> None:
    with pytest.raises(InputError, match="did you mean “ke_r24”"):
        parse_options({"ke-r24": "spent"})
    with pytest.raises(InputError, match="spent, refunded"):
        parse_options({"ke_r24": "lost"})
