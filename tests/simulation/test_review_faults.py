"""Faults of setups that two volunteers would find by hand, and no more than these."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from knightfall.engine.playout import seat_names
from knightfall.engine.rng import SeededRng
from knightfall.games.custom_mafia.options import SETUP
from knightfall.games.custom_mafia.options import parse_options as rules_of
from knightfall.games.custom_mafia.roles import parse_role
from knightfall.games.custom_mafia.setup import deal, parse_setup
from knightfall.simulation.deals import deals_of
from knightfall.simulation.review_faults import (
    Numbers,
    Remark,
    Weight,
    confirmed,
    mislynches,
    numbers_of,
    remarks,
)
from simulation.classics import CLASSICS
from simulation.planted import OFF_THE_LIST, PLANTED, VT, G, setup, thirteen


def reviewed(table: Mapping[str, Any], strict: str = "") -> tuple[Remark, ...]:
    read = parse_setup(table)
    players = max(9, read.least) if read.filled else read.least
    return remarks(read, deals_of(read, players), rules_of(read.given), strict)


def counted(table: Mapping[str, Any]) -> Numbers:
    read = parse_setup(table)
    return numbers_of(read, deals_of(read, read.least), rules_of(read.given), read.least)


def test_forty_faults_are_planted() -> None:
    assert len(PLANTED) + len(OFF_THE_LIST) >= 48


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_found(name: str) -> None:
    table, key, word = PLANTED[name]
    assert [one for one in reviewed(table) if one.key == key and word in one.text]


@pytest.mark.parametrize("name", OFF_THE_LIST)
def test_what_is_no_normal_game_is_found_under_strict_alone(name: str) -> None:
    table, word = OFF_THE_LIST[name]
    keys = {"off_list", "hybrid"}
    assert [one for one in reviewed(table, "normal") if one.key in keys and word in one.text]
    assert not [one for one in reviewed(table) if one.key in keys]


@pytest.mark.parametrize("name", CLASSICS)
def test_a_classic_setup_has_two_alarms_at_most(name: str) -> None:
    alarms = [one for one in reviewed(tomllib.loads(CLASSICS[name])) if one.weight is not Weight.NOTE]
    assert len(alarms) <= 2, alarms
    assert not [one for one in alarms if one.weight is Weight.FAULT and one.share == 1], alarms


def test_a_normal_setup_has_no_word_off_the_list() -> None:
    table = setup(
        f"2 × {G}",
        "Mafia Ninja Rolecop",
        "Town 2-Shot Vigilante",
        "Town Weak Doctor",
        "Town Odd-Night Tracker",
        "2 × Town Mason",
        "Town 1-Shot Cop 1-Shot Doctor",
        f"4 × {VT}",
    )
    assert [one.text for one in reviewed(table, "normal") if one.key in ("off_list", "hybrid")] == []


def test_a_fault_of_some_deals_says_of_how_many() -> None:
    table = setup(f"2 × {G}", f"6 × {VT}", {"one_of": ["Town Miller", "Town Cop"], "count": 2})
    [miller] = [one for one in reviewed(table) if one.key == "idle"]
    assert miller.share == pytest.approx(1 / 4)  # two Millers
    assert miller.role == "Town Miller"


def test_a_card_that_looks_otherwise_to_a_check_of_the_game_is_of_use() -> None:
    for roles in (("Town Miller", "Town Cop"), ("Mafia Godfather", "Town Cop")):
        assert not [one for one in reviewed(thirteen(*roles)) if one.key == "idle"]


@pytest.mark.parametrize("role", ["Mafia Traitor", "Mafia Encryptor", "Town Fruit Vendor", "Town Macho Cop"])
def test_cards_that_do_something_else_than_kill_or_look_are_of_use(role: str) -> None:
    assert not [one for one in reviewed(thirteen(role, "Town Tracker", "Town Doctor")) if one.key == "idle"]


def test_under_an_option_the_game_is_reviewed_by_that_option() -> None:
    roles = (f"3 × {G}", f"3 × {VT}")
    assert [one.key for one in reviewed(setup(*roles)) if one.key == "over"] == ["over"]
    assert "over" not in {one.key for one in reviewed(setup(*roles, wins={"mafia": "majority"}))}


def test_what_is_confirmed_by_a_claim_hangs_on_what_the_players_know() -> None:
    told = {one.key: one.text for one in reviewed(thirteen("Town Cop", "Town Tracker"))}
    assert "Town Cop, Town Tracker" in told["claims"]
    secret = {one.key for one in reviewed(thirteen("Town Cop", "Town Tracker", reveal_setup=False))}
    assert "claims" not in secret
    masons = {one.key: one.text for one in reviewed(thirteen(*["Town Mason"] * 2, reveal_setup=False))}
    assert "2 × Town Mason" in masons["claims"]
    drawn = setup(f"3 × {G}", f"8 × {VT}", {"pick": 2, "from": ["Town Cop", "Town Doctor", "Town Tracker"]})
    assert "claims" not in {one.key for one in reviewed(drawn)}


def test_who_is_told_to_everybody_is_confirmed_however_little_they_know() -> None:
    read = parse_setup(setup(f"2 × {G}", "Innocent Child", f"6 × {VT}", reveal_setup=False))
    assert confirmed(read, deals_of(read, 9)) == {"Town Innocent Child": 1}


# ── Deals and numbers. ────────────────────────────────────────────────────────────────────────────────────


DRAWN = setup(
    f"2 × {G}",
    {"pick": 2, "from": ["Town Cop", "Town Doctor", "Town Tracker", "Town Doctor"]},
    {"one_of": ["Town Watcher", VT], "count": 2},
    row=[{"roles": ["Mafia Ninja", VT]}, {"roles": [G, "Town Cop"]}, {"roles": [VT, VT]}],
    columns=True,
)


@pytest.mark.long
def test_the_chances_of_the_deals_are_those_of_the_draw() -> None:
    """Beside 4,000 deals of the game itself."""
    with pytest.raises(Exception, match="row"):  # columns of another length than the rows
        parse_setup({**DRAWN, "row": [{"roles": [VT]}, {"roles": [VT, VT]}]})
    table = {**DRAWN, "columns": False}
    read = parse_setup(table)
    found = deals_of(read, read.least)
    assert found.complete
    assert sum(one.chance for one in found.deals) == pytest.approx(1)
    slots, number = seat_names(read.least), 4_000
    seen = Counter(
        frozenset(
            Counter(r.name for r in deal(slots, {SETUP: table}, SeededRng(b"%d" % n)).cards.values()).items()
        )
        for n in range(number)
    )
    expected: Counter[frozenset[tuple[str, int]]] = Counter()
    for one in found.deals:
        expected[frozenset(one.cards.items())] += one.chance  # type: ignore[assignment]
    assert set(seen) <= set(expected)
    for cards, chance in expected.items():
        assert abs(seen[cards] / number - chance) < 5 * (chance * (1 - chance) / number) ** 0.5


def test_of_very_many_deals_a_sample_is_looked_at() -> None:
    several = [
        "Town Cop",
        "Town Doctor",
        "Town Tracker",
        "Town Watcher",
        VT,
        "Town Vigilante",
        "Town Bodyguard",
    ]
    read = parse_setup(setup(f"3 × {G}", {"one_of": several, "count": 20}))
    found = deals_of(read, 23)
    assert not found.complete
    assert sum(one.chance for one in found.deals) == pytest.approx(1)


@pytest.mark.parametrize(
    ("town", "mafia", "night_first", "allowed"),
    [
        # 7 players, 2 mafia: 6, 5 | 4: the second is the last. 9 and 2: 8, 7 | 6, 5 | 4.
        (5, 2, False, 1),
        (7, 2, False, 2),
        (10, 3, False, 3),
        (4, 2, False, 0),
        (6, 2, True, 1),
        (2, 1, False, 0),
        (3, 1, False, 0),
        (4, 1, False, 1),
    ],
)
def test_wrong_eliminations_that_a_town_can_afford(
    town: int, mafia: int, night_first: bool, allowed: int
) -> None:
    roles = [parse_role(VT)] * town + [parse_role(G)] * mafia
    assert mislynches(roles, rules_of({}), night_first) == allowed


@pytest.mark.parametrize(
    ("table", "town", "mafia"),
    [
        (setup(f"2 × {G}", f"7 × {VT}"), "Day 2", "Day 3"),
        (setup(f"2 × {G}", f"7 × {VT}", starts="night"), "Day 2", "Night 3"),
        # 8, then 6 after both kills, 5, 3 with two Goons.
        (setup(f"2 × {G}", "Town Vigilante", f"6 × {VT}"), "Night 1", "Night 2"),
        # A Goon by day; then the last one and the killer meet. Or 8, 6, 5, and both kills of Night 2.
        (setup("Serial Killer", f"2 × {G}", f"6 × {VT}"), "Night 1", "Night 2"),
    ],
)
def test_the_earliest_end_of_each_side(table: Mapping[str, Any], town: str, mafia: str) -> None:
    found = counted(table)
    assert (found.town_end, found.mafia_end) == (town, mafia)
