"""Purchases, covers, gifts and their freeze."""

from __future__ import annotations

import pytest

from knightfall.engine.game import Noted
from knightfall.engine.rng import ScriptedRng, SeededRng
from knightfall.games.kings_court import Phase
from knightfall.games.kings_court.events import (
    AnnoyedAnswer,
    Balance,
    BalanceChanged,
    Gift,
    PeekAnswer,
    Receipt,
    StepSheet,
)
from knightfall.sentence import SlotId
from salt_court import ADA, BORO, CINDER, COURT, DUSK, HOLLIS, IRIS, LUMEN, Table, seated

RICH = dict.fromkeys(COURT, 40)


def roles_seen(table: Table, slot: SlotId) -> list[object]:
    return [told.role for told in table.told(slot, PeekAnswer)]


def test_a_peek_costs_eight_and_shows_the_true_role() -> None:
    table = Table(seated(garnets=RICH))
    table.say(CINDER, "PEEK: Hollis")
    assert (roles_seen(table, CINDER), table.state.garnets[CINDER]) == (["Noble"], 32)


def test_by_option_a_peek_shows_the_annoyed_as_claimed() -> None:
    table = Table(seated(garnets=RICH, annoyed_scope="peeks"))
    table.say(CINDER, "PEEK: Hollis")
    assert roles_seen(table, CINDER) == ["Duke"]


@pytest.mark.parametrize(("slot", "annoyed"), [(BORO, True), (HOLLIS, True), (CINDER, False), (ADA, False)])
def test_the_annoyed_can_find_out_for_three(slot: SlotId, annoyed: bool) -> None:
    table = Table(seated(garnets=RICH))
    table.say(slot, "ANNOYED?")
    (told,) = table.told(slot, AnnoyedAnswer)
    assert (told.annoyed, told.balance) == (annoyed, 37)


@pytest.mark.parametrize(
    ("kept", "script", "seen"),
    [
        ("sticky", ["Noble"], (["Noble", "Noble"], ["Noble"])),
        ("per_peeker", ["Noble", "Duke"], (["Noble", "Noble"], ["Duke"])),
        ("per_peek", ["Noble", "Duke", "Duke"], (["Noble", "Duke"], ["Duke"])),
    ],
)
def test_the_king_shows_a_cover(kept: str, script: list[str], seen: tuple[list[str], list[str]]) -> None:
    draw = ScriptedRng([("kc.peek_king", role) for role in script], SeededRng(b""))
    table = Table(seated(garnets=RICH, king_cover=kept), draw)
    table.say(BORO, "PEEK: Ada\nPEEK: Ada")
    table.say(CINDER, "PEEK: Ada")
    assert (roles_seen(table, BORO), roles_seen(table, CINDER)) == seen
    assert draw.unused == ()


def test_court_members_may_buy_and_nobody_after_the_king_has_joined() -> None:
    table = Table(seated(BORO, CINDER, HOLLIS, garnets=RICH))
    assert table.say(BORO, "PEEK: Iris") == []
    table.elect(ADA)
    assert table.say(BORO, "PEEK: Iris\nANNOYED?") == ["WRONG_PHASE"] * 2


def test_by_option_purchases_are_paid_when_sent_and_answered_at_the_deadline() -> None:
    table = Table(seated(BORO, CINDER, HOLLIS, garnets=RICH, kc_26="at_deadline"))
    table.say(BORO, "PEEK: Iris\nANNOYED?")
    assert table.state.garnets[BORO] == 29
    assert not table.told(BORO, PeekAnswer) and not table.told(BORO, AnnoyedAnswer)
    assert table.told(BORO, Receipt)[-1].standing == ("PEEK: Iris", "ANNOYED")
    table.elect(ADA)
    assert len(table.told(BORO, PeekAnswer)) == len(table.told(BORO, AnnoyedAnswer)) == 1


def test_a_gift_is_told_to_both_and_nobody_else() -> None:
    table = Table(seated())
    assert table.say(BORO, "GIVE: 3 to Cinder") == []
    assert (table.state.garnets[BORO], table.state.garnets[CINDER]) == (2, 8)
    assert [len(table.told(slot, Gift)) for slot in (BORO, CINDER, DUSK)] == [1, 1, 0]
    assert table.say(BORO, "GIVE: 3 to Cinder") == ["INSUFFICIENT_GARNETS"]


def test_gifts_are_frozen_from_the_king_joining_until_the_opponent_is_named() -> None:
    table = Table(seated(BORO, CINDER, HOLLIS, totals={LUMEN: -1}))
    table.elect(ADA)
    assert table.state.phase is Phase.DMO
    assert table.say(BORO, "GIVE: 1 to Dusk") == ["FROZEN"]
    table.say(LUMEN, "DMO: Iris")
    assert table.say(BORO, "GIVE: 1 to Dusk") == []


def test_an_early_king_freezes_nothing() -> None:
    table = Table(seated(IRIS))
    table.elect(ADA)
    assert table.say(BORO, "GIVE: 1 to Dusk") == []
    last = Table(seated(IRIS, attempt=4, past_kings=(BORO, CINDER, DUSK)))
    last.elect(ADA)
    assert last.state.phase is Phase.DONE
    assert last.say(BORO, "GIVE: 1 to Dusk") == []


@pytest.mark.parametrize(
    ("line", "balance"),
    [("garnets Boro 12", 12), ("garnets Boro +2", 7), ("garnets Boro -5", 0), ("garnets: boro = 3", 3)],
)
def test_the_moderator_says_what_somebody_has(line: str, balance: int) -> None:
    """KC-01: balances come from the season; only their owner is told."""
    table = Table(seated())
    assert table.say(None, line) == []
    assert table.state.garnets == {**dict.fromkeys(COURT, 5), BORO: balance}
    assert table.told(BORO, BalanceChanged) == [BalanceChanged(BORO, 5, balance)]
    assert not any(table.told(slot, BalanceChanged) for slot in COURT if slot != BORO)
    (sheet,) = (e.facts for e in table.events if isinstance(e, Noted))
    assert isinstance(sheet, StepSheet) and Balance(BORO, balance) in sheet.balances


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("garnets Boro", "BAD_ARGS"),
        ("garnets Rook 3", "UNKNOWN_TARGET"),
        ("garnets Boro -6", "BAD_AMOUNT"),
        ("garnets Boro many", "BAD_ARGS"),
    ],
)
def test_a_line_on_garnets_that_says_no_balance_changes_nothing(line: str, code: str) -> None:
    table = Table(seated())
    assert table.say(None, line) == [code]
    assert table.state.garnets == dict.fromkeys(COURT, 5)
