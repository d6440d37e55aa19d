"""How many of each role there are, who gets which, and who may play."""

from __future__ import annotations

from collections import Counter

import pytest

from knightfall.engine.game import noted
from knightfall.engine.rng import ScriptedRng, SeededRng
from knightfall.errors import InputError
from knightfall.games.empowered import EMPOWERED, parse_options
from knightfall.games.empowered.abilities import MAFIA_ROLES, TOWN_ROLES
from knightfall.games.empowered.options import numbers
from knightfall.sentence import SlotId
from tin_valley import NAMES

EIGHT = {role.name for role in TOWN_ROLES}


def table(players: int) -> tuple[SlotId, ...]:
    return tuple(SlotId(f"Player {number:02}") for number in range(1, players + 1))


@pytest.mark.parametrize(
    ("players", "mafia", "others", "copies"),
    [
        (5, 2, 1, 2),
        (6, 2, 2, 2),
        (15, 3, 9, 2),
        (20, 4, 12, 2),
        (24, 4, 16, 3),
        (40, 8, 24, 4),
        (60, 12, 36, 5),
    ],
)
def test_the_published_numbers(players: int, mafia: int, others: int, copies: int) -> None:
    found = numbers(players)
    assert (found.mafia, found.empowerers, found.others, found.copies) == (mafia, mafia, others, copies)


@pytest.mark.few(14)
@pytest.mark.parametrize("players", EMPOWERED.spec.players)
def test_every_table_is_dealt_by_the_rule(players: int) -> None:
    state = EMPOWERED.setup(table(players), {}, SeededRng(b"deal")).state
    cards = Counter(role.name for role in state.cards.values())
    fifth = max(2, players // 5)
    others = players - 2 * fifth
    assert (cards["Mafioso"], cards["Empowerer"]) == (fifth, fifth)
    copies = next(k for k in range(2, 99) if 8 * k > others)
    assert sum(cards[name] for name in EIGHT) == others
    assert all(cards[name] <= copies for name in EIGHT)
    assert numbers(players).copies == copies


@pytest.mark.parametrize("players", [0, 4, 61])
def test_other_tables_are_refused(players: int) -> None:
    with pytest.raises(InputError, match="5 to 60"):
        EMPOWERED.setup(table(players), {}, SeededRng(b""))


def test_names_that_differ_by_capitals_are_refused() -> None:
    with pytest.raises(InputError, match="Ada, ada"):
        EMPOWERED.setup(tuple(map(SlotId, ("Ada", "ada", "Boro", "Elm", "Fen"))), {}, SeededRng(b""))


@pytest.mark.few(14)
@pytest.mark.parametrize("players", EMPOWERED.spec.players)
def test_the_moderator_is_warned_where_a_third_are_mafiosi(players: int) -> None:
    step = EMPOWERED.setup(table(players), {}, SeededRng(b"deal"))
    assert ("caution" in {note.kind for note in noted(step.events)}) == (players in (5, 6))


def test_the_list_is_shuffled_and_dealt_from_its_start_in_slot_order() -> None:
    names = [role.name for role in TOWN_ROLES for _ in range(2)]
    script: list[tuple[str, object]] = [
        ("em.mafia", ["Boro", "Fen"]),
        ("em.empowerers", ["Ada", "Elm"]),
        ("em.roles", names[::-1]),
    ]
    state = EMPOWERED.setup(NAMES[:8], {}, ScriptedRng(script, SeededRng(b""))).state
    assert [role.name for role in state.cards.values()] == [
        *("Empowerer", "Mafioso", "Bomb", "Bomb", "Empowerer", "Mafioso", "Vigilante", "Vigilante")
    ]


def test_the_deal_is_a_function_of_the_seed() -> None:
    deals = [EMPOWERED.setup(NAMES, {}, SeededRng(seed)).state for seed in (b"one", b"one", b"two")]
    assert deals[0] == deals[1]
    assert deals[0].cards != deals[2].cards


def test_over_many_deals_everyone_gets_everything_about_equally_often() -> None:
    seen = {slot: Counter[str]() for slot in NAMES[:12]}
    for seed in range(400):
        state = EMPOWERED.setup(NAMES[:12], {}, SeededRng(b"%d" % seed)).state
        for slot, role in state.cards.items():
            seen[slot][role.name] += 1
    assert all(40 < count["Mafioso"] < 100 for count in seen.values())
    assert all(10 < count[name] < 60 for count in seen.values() for name in EIGHT)


def test_bad_options_name_what_is_expected() -> None:
    with pytest.raises(InputError, match="did you mean “em_r23”"):
        parse_options({"em-r23": "first"})
    with pytest.raises(InputError, match="latest, first"):
        parse_options({"em_r23": "last"})


def test_nobody_is_dealt_a_role_of_the_mafia() -> None:
    cards = EMPOWERED.setup(NAMES, {}, SeededRng(b"")).state.cards.values()
    assert not {role.name for role in cards} & {role.name for role in MAFIA_ROLES}
