"""Who gets what in King's Court, and who never does again."""

from __future__ import annotations

import pytest

from knightfall.engine.game import Told, told
from knightfall.engine.rng import SeededRng
from knightfall.errors import InputError
from knightfall.games.kings_court import KINGS_COURT, Role, State, parse_options
from knightfall.games.kings_court.events import RolePm
from knightfall.games.kings_court.options import FIGURES, OPTIONS
from knightfall.games.kings_court.state import deal
from knightfall.sentence import SlotId
from salt_court import ADA, BORO, COURT, Table, seated

SEEDS = range(30)


def dealt(seed: int, **options: object) -> State:
    return KINGS_COURT.setup(COURT, options, SeededRng(b"deal %d" % seed)).state


@pytest.mark.few(10)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_deal_has_a_king_five_dukes_five_nobles_and_one_annoyed_of_each(seed: int) -> None:
    deal = dealt(seed).deal
    assert [len(deal.team(role)) for role in Role] == [1, 5, 5]
    assert sorted(deal.roles[slot] for slot in deal.annoyed) == ["Duke", "Noble"]


@pytest.mark.few(15)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("lists", ["per_player", "shared", "king_excluded"])
def test_a_list_has_a_noble_a_duke_and_a_third(seed: int, lists: str) -> None:
    deal = dealt(seed, hint_lists=lists).deal
    for reader, names in deal.hints.items():
        assert len(set(names)) == 3
        assert {"Duke", "Noble"} <= {deal.roles[name] for name in names}
        assert lists == "shared" or reader not in names
        assert lists != "king_excluded" or deal.king not in names
    assert (len(set(deal.hints.values())) == 1) == (lists == "shared")


def test_the_third_of_a_list_can_be_the_king() -> None:
    deals = [dealt(seed).deal for seed in SEEDS]
    assert any(deal.king in names for deal in deals for names in deal.hints.values())


def test_by_option_lists_show_the_annoyed_as_what_they_are_claimed_to_be() -> None:
    for seed in SEEDS:
        deal = dealt(seed, annoyed_scope="lists").deal
        assert all({"Duke", "Noble"} <= {deal.claimed(n) for n in names} for names in deal.hints.values())


@pytest.mark.parametrize("names", [COURT[:10], (*COURT, "Moth"), (*COURT[:10], "ADA")])
def test_anything_but_eleven_different_names_is_refused(names: tuple[SlotId, ...]) -> None:
    with pytest.raises(InputError):
        KINGS_COURT.setup(names, {}, SeededRng(b""))


def test_everyone_is_told_the_role_and_nobody_who_is_annoyed() -> None:
    step = KINGS_COURT.setup(COURT, {}, SeededRng(b"one"))
    pms = told(step.events)
    assert [pm.slots for pm in pms] == [(slot,) for slot in COURT]
    rules, roles = step.state.rules.public(OPTIONS), step.state.deal.roles
    assert [pm.facts for pm in pms] == [RolePm(slot, roles[slot], 1, 0, rules, FIGURES) for slot in COURT]
    assert not any("annoyed" in str(KINGS_COURT.view(step.state, slot)) for slot in (None, *COURT))


def test_balances_come_from_the_season() -> None:
    assert set(dealt(1).garnets.values()) == {0}
    assert set(dealt(1, garnets=7).garnets.values()) == {7}
    assert set(dealt(1, garnets="7").garnets.values()) == {7}  # as --option says it
    some = dealt(1, garnets={"Ada": 4})
    assert (some.garnets[ADA], some.garnets[BORO]) == (4, 0)


@pytest.mark.parametrize("garnets", [-1, 1.5, True, "many", {"Nobody": 3}, {"Ada": -2}])
def test_a_balance_that_is_none_is_refused(garnets: object) -> None:
    with pytest.raises(InputError, match="garnets"):
        dealt(1, garnets=garnets)


@pytest.mark.few(10)
@pytest.mark.parametrize("seed", SEEDS)
def test_kings_of_earlier_attempts_cannot_be_king(seed: int) -> None:
    past = COURT[:3]
    assert deal(COURT, parse_options({}), SeededRng(b"%d" % seed), 4, past).king not in past


def test_a_new_attempt_clears_all_but_balances_and_counters() -> None:
    table = Table(seated(BORO, attempt=2, past_kings=(COURT[5],), totals={BORO: 6}, learned=(BORO,)))
    table.elect(ADA)
    state = table.state
    assert (state.attempt, state.round, state.court, state.learned) == (3, 1, (), ())
    assert (state.totals, state.past_kings, state.prizes.moe) == ({}, (COURT[5], ADA), {ADA: 1})
    assert state.garnets == {**dict.fromkeys(COURT, 5), ADA: 3}
    assert state.king not in (ADA, COURT[5])
    new = [e for e in table.events if isinstance(e, Told) and e.kind == "role_pm"]
    assert len(new) == 11
