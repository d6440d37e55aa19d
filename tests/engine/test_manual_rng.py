"""Values of the moderator's own cards in a journal: for the closing they were typed in for, and no other."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from knightfall.engine.entries import Closed, Drawn, Entry, Started, Submitted
from knightfall.engine.journal import Journal, append
from knightfall.engine.replay import replay
from knightfall.engine.rng import ManualRng, SeededRng
from knightfall.errors import StateDamaged
from knightfall.games.knights_duty import KNIGHTS_DUTY, State
from knightfall.sentence import SlotId

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
ADA, BOB = SlotId("Ada"), SlotId("Bob")
NEAR = (Submitted(ADA, "START A3\nWEAPON bow"), Submitted(BOB, "START C7\nWEAPON bow"), Closed("setup"))
SHOT = "kd.card:R1:Ada->Bob"


def chain(*entries: Entry, hours: int = 1) -> Journal:
    journal: Journal = ()
    for number, entry in enumerate((Started("knights_duty", (ADA, BOB)), *entries)):
        journal = append(journal, entry, NOON + timedelta(hours=hours * number), "Wren")
    return journal


def left_by(journal: Journal) -> State:
    return replay(journal, KNIGHTS_DUTY, lambda: SeededRng(b"duel at noon")).state


def cards(state: State) -> list[str]:
    return [f"{attack.attacker}:{attack.card}" for played in state.rounds for attack in played.attacks]


@pytest.mark.parametrize("card", ["Hit", "Miss"])
def test_a_card_typed_in_later_leaves_the_turns_before_as_they_were(card: str) -> None:
    before = chain(*NEAR, Submitted(ADA, "BOW"), Closed("turn"), Submitted(ADA, "BOW"))
    typed = chain(*(r.entry for r in before[1:]), Drawn(SHOT, card), Closed("turn"))
    first = replay(typed[:6], KNIGHTS_DUTY, lambda: SeededRng(b"duel at noon"))
    assert cards(first.state) == cards(left_by(before))
    assert cards(left_by(typed)) == [f"Ada:{card}"]


def test_cards_are_typed_in_in_any_order() -> None:
    plans = (Submitted(ADA, "BOW"), Submitted(BOB, "BOW"))
    typed = (Drawn("kd.card:R1:Bob->Ada", "Miss"), Drawn(SHOT, "Hit"))
    for drawn in (typed, typed[::-1]):
        assert cards(left_by(chain(*NEAR, *plans, *drawn, Closed("turn")))) == ["Ada:Hit", "Bob:Miss"]


def test_a_card_that_nobody_drew_does_not_wait_for_a_later_turn() -> None:
    unused = chain(*NEAR, Drawn(SHOT, "Hit"), Closed("turn"), Submitted(ADA, "BOW"), Closed("turn"))
    plain = chain(*NEAR, Closed("turn"), Submitted(ADA, "BOW"), Closed("turn"))
    assert left_by(plain).rounds[0].attacks == left_by(unused).rounds[0].attacks
    assert cards(left_by(unused)) == ["Ada:Miss"]


def test_a_closing_after_the_deadline_closes_once() -> None:
    """Two days a turn: the moderator comes three days later, and the next turn is still open."""
    late = append(chain(*NEAR, Submitted(ADA, "BOW")), Closed("turn"), NOON + timedelta(hours=80), "Wren")
    found = replay(late, KNIGHTS_DUTY, lambda: SeededRng(b"duel at noon"))
    assert found.state.turn == 2
    [taken] = [taken for taken in found.taken if taken.number == late[-1].number]
    assert [event.kind for event in taken.events].count("turn") == 1


def test_a_held_value_goes_to_the_next_draw_of_its_label_only() -> None:
    rng = ManualRng(SeededRng(b"seed"))
    rng.hold("lot", "b")
    assert rng.at("night", 1).choice("lot", "abc") == "b"
    assert rng.at("night", 2).choice("lot", "abc") == SeededRng(b"seed").at("night", 2).choice("lot", "abc")
    rng.hold("order", ["c", "a", "b"])
    assert rng.sample("order", "abc", 3) == ("c", "a", "b")
    rng.hold("dice", ["6", "6"])
    assert rng.choices("dice", "123456", 2) == ("6", "6")
    rng.hold("lot", "z")
    with pytest.raises(StateDamaged, match="not one of"):
        rng.choice("lot", "abc")
