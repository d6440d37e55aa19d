"""Knight's Duty as a game: setup, windows, stages, real cards, the moderator's hand, endings."""

from __future__ import annotations

from datetime import timedelta

import pytest

from duty_table import NOON, attacks, close, knight, laid, play, send, six_played, table
from knightfall.engine.entries import Closed, Drawn, Entry, Started, Submitted
from knightfall.engine.game import Announced, Message, Noted, announced, noted, told
from knightfall.engine.journal import append
from knightfall.engine.replay import replay
from knightfall.engine.rng import ScriptedRng, SeededRng
from knightfall.errors import InputError
from knightfall.games.knights_duty import KNIGHTS_DUTY, Phase, State, Token
from knightfall.games.knights_duty.events import DrawRow, Ending, ModeratorLimit, TurnPost
from knightfall.games.knights_duty.views import seen_by
from knightfall.sentence import SlotId

NAMES = tuple(map(SlotId, ("Ada", "Bob", "Cyd")))


def opened(**options: object) -> State:
    return KNIGHTS_DUTY.setup(NAMES, options, SeededRng(b"")).state


def where(state: State) -> dict[str, str]:
    return {slot: knight.pos for slot, knight in state.knights.items()}


def test_starts_go_in_seat_order_and_the_silent_get_the_first_free() -> None:
    state = send(opened(), "Cyd", "START C7, a3\nWEAPON bow").state
    state = send(state, "Ada", "clan red").state
    after = close(state).state
    assert where(after) == {"Ada": "C7", "Bob": "A3", "Cyd": "G7"}
    assert [knight.weapon for knight in after.knights.values()] == [Token.SWORD, Token.SWORD, Token.BOW]
    assert [knight.clan for knight in after.knights.values()] == ["red", "purple", "yellow"]


def test_a_start_that_is_none_is_refused_and_the_rest_of_the_message_stands() -> None:
    step = send(opened(), "Ada", "START E5\nWEAPON spear\nhello")
    assert [refusal.code for _, refusal in step.refused] == ["UNKNOWN_START", "UNKNOWN_COMMAND"]
    assert close(step.state).state.knights[SlotId("Ada")].weapon is Token.SPEAR


@pytest.mark.parametrize(
    ("options", "weapon"),
    [
        ({"kd_27": "none"}, None),
        ({"kd_27": "fixed", "fixed_weapon": "bow"}, Token.BOW),
        ({"edition": "r02"}, None),
    ],
)
def test_the_start_weapon_can_be_none_or_fixed(options: dict[str, object], weapon: Token | None) -> None:
    step = send(opened(**options), "Ada", "WEAPON spear")
    assert [refusal.code for _, refusal in step.refused] == ["NO_CHOICE"]
    assert close(step.state).state.knights[SlotId("Ada")].weapon is weapon


@pytest.mark.parametrize("count", [0, 1, 7])
def test_two_to_six_players_or_none(count: int) -> None:
    with pytest.raises(InputError, match="2 to 6 players"):
        KNIGHTS_DUTY.setup([SlotId(f"P{n}") for n in range(count)], {}, SeededRng(b""))


def test_a_turn_is_open_for_48_hours_or_as_the_option_says() -> None:
    assert KNIGHTS_DUTY.windows(opened())[0].closes is None
    for hours, expected in (("48", timedelta(hours=48)), ("24", timedelta(hours=24))):
        [window] = KNIGHTS_DUTY.windows(close(opened(kd_31=hours)).state)
        assert (window.kind, window.secret, window.slots) == ("turn", True, NAMES)
        assert window.closes == NOON + expected
    assert KNIGHTS_DUTY.windows(close(opened(kd_31="none")).state)[0].closes is None


def test_what_is_not_open_cannot_be_closed() -> None:
    step = KNIGHTS_DUTY.close(opened(), "turn", NOON, SeededRng(b""))
    assert [refusal.code for _, refusal in step.refused] == ["WRONG_PHASE"]


def test_one_turn_is_one_post_with_three_blocks_a_pm_each_and_a_sheet() -> None:
    step = six_played()
    assert [event.kind for event in announced(step.events)] == ["turn"]
    post = step.events[0].facts
    assert isinstance(post, TurnPost)
    assert [block.number for block in post.rounds] == [1, 2, 3]
    assert [event.slots for event in told(step.events)] == [(slot,) for slot in step.state.living]
    assert [event.kind for event in noted(step.events)] == ["moderator_turn"]
    assert step.state.out == ("Elm",)


def test_the_draws_of_a_turn_stand_in_its_post_in_words() -> None:
    post = six_played().events[0].facts
    assert isinstance(post, TurnPost)
    assert DrawRow("Elm's card against Cinder in round 1", "Hit") in post.draws
    assert len(post.draws) == 7


def test_real_cards_come_through_the_journal() -> None:
    journal = append((), Started("knights_duty", NAMES[:2], {"kd_31": "none"}), NOON, "mod")
    entries: list[Entry] = [
        Closed("setup"),
        Submitted(NAMES[0], "MOVE SE / MOVE SE / SWORD @ Bob"),
        Submitted(NAMES[1], "MOVE W / MOVE W / PARRY"),
        Drawn("kd.card:R3:Ada->Bob", "Miss"),
        Closed("turn"),
    ]
    for entry in entries:
        journal = append(journal, entry, NOON, "mod")
    state = replay(journal, KNIGHTS_DUTY, lambda: SeededRng(b"any")).state
    assert attacks(state) == {"R3:Ada": "Bob:Miss:disarmed"}


def test_the_target_lays_out_the_cards_and_the_attacker_picks() -> None:
    state = table({"Ada": "E2", "Bob": "E3", "Cyd": "A1"}, cards="picked")
    own = {"Ada": "SWORD @ Bob PICK 2", "Bob": "SHUFFLE 4 3 2 1 5"}
    state = send(send(state, "Ada", own["Ada"]).state, "Bob", own["Bob"]).state
    [attack] = close(state, ScriptedRng([], SeededRng(b""))).state.rounds[0].attacks
    assert ([str(card) for card in attack.shuffle], attack.pick) == (["Miss", "Hit", "Hit", "Hit"], 2)
    assert attack.card == "Hit"
    silent = laid(table({"Ada": "E2", "Bob": "E3"}, cards="picked"), {"Ada": "SWORD"})
    drawn = ScriptedRng([("kd.shuffle:R1:Ada->Bob", ["Miss", "Hit", "Hit", "Hit"])], SeededRng(b""))
    assert attacks(close(silent, drawn).state) == {"R1:Ada": "Bob:Miss"}


def test_in_stages_movers_and_attackers_are_asked_after_the_reveal() -> None:
    state = table({"Ada": "E4", "Bob": "E6", "Cyd": "A1"}, mode="staged")
    state = laid(state, {"Ada": "MOVE\nSWORD", "Bob": "PASS\nPARRY", "Cyd": "SHIELD"})
    step = close(state)
    assert (step.state.phase, [event.kind for event in told(step.events)]) == (Phase.MOVES, ["question"])
    assert KNIGHTS_DUTY.windows(step.state)[0].slots == ("Ada",)
    assert "MOVE NE" not in str(KNIGHTS_DUTY.view(step.state, None).facts)
    assert [r.code for _, r in send(step.state, "Bob", "NE").refused] == ["WRONG_PHASE"]
    assert [r.code for _, r in send(step.state, "Ada", "PARRY").refused] == ["WRONG_TOKEN"]
    state = close(send(step.state, "Ada", "e").state).state
    assert (state.phase, where(state)["Ada"], len(state.rounds)) == (Phase.ATTACKS, "E5", 2)
    state = send(state, "Ada", "@ Bob ONLY").state
    after = close(state, ScriptedRng([("kd.card:R2:Ada->Bob", "Miss")], SeededRng(b""))).state
    assert (after.phase, after.turn) == (Phase.TURN, 2)
    assert attacks(after) == {"R2:Ada": "Bob:Miss:disarmed"}
    assert after.rounds[1].attacks[0].inspired


def test_a_stage_nobody_is_asked_in_is_passed_over() -> None:
    state = table({"Ada": "E4", "Bob": "E6"}, mode="staged")
    after = close(laid(state, {"Ada": "SHIELD\nBOW", "Bob": "PARRY"})).state
    assert (after.phase, after.turn, len(after.rounds)) == (Phase.TURN, 2, 3)


def test_who_is_silent_in_a_stage_stays_and_strikes_the_nearest() -> None:
    state = table({"Ada": "E4", "Bob": "E5"}, mode="staged")
    state = close(laid(state, {"Ada": "MOVE\nSWORD"})).state
    state = close(state).state
    assert (where(state)["Ada"], state.phase) == ("E4", Phase.ATTACKS)
    assert set(attacks(close(state).state)) == {"R2:Ada"}


def test_a_modkill_takes_a_knight_out_and_can_end_the_game() -> None:
    state = table({"Ada": "E2", "Bob": "E3", "Cyd": "E4"})
    step = KNIGHTS_DUTY.submit(state, Message(None, "modkill bob", NOON), SeededRng(b""))
    assert step.state.out == ("Bob",)
    back = KNIGHTS_DUTY.submit(step.state, Message(None, "revive Bob", NOON), SeededRng(b"")).state
    assert (back.out, list(back.living)) == ((), ["Ada", "Bob", "Cyd"])
    last = KNIGHTS_DUTY.submit(step.state, Message(None, "modkill Cyd", NOON), SeededRng(b""))
    assert [event.kind for event in last.events] == ["modkill", "ending"]
    outcome = KNIGHTS_DUTY.outcome(last.state)
    assert outcome is not None
    assert outcome.slots == ("Ada",)
    assert KNIGHTS_DUTY.windows(last.state) == ()


def test_a_draw_is_won_by_nobody() -> None:
    state = table({"Ada": "E2", "Bob": "E3", "Cyd": knight("E4", heart=False)}, max_turns="1")
    outcome = KNIGHTS_DUTY.outcome(close(state).state)
    assert outcome is not None
    assert (outcome.winner, outcome.slots, outcome.drawn) == (None, (), ("Ada", "Bob"))


@pytest.mark.parametrize("stage", [Phase.MOVES, Phase.ATTACKS])
def test_a_modkill_in_the_middle_of_a_stage_breaks_nothing(stage: Phase) -> None:
    state = table({"Ada": "E4", "Bob": "E5", "Cyd": "E6"}, mode="staged")
    plans = {"Ada": "MOVE NE\nSWORD @ Bob", "Bob": "MOVE W\nSWORD @ Ada", "Cyd": "PASS\nPARRY"}
    state = close(laid(state, plans)).state
    while state.phase is not stage:
        state = close(state).state
    state = KNIGHTS_DUTY.submit(state, Message(None, "modkill Ada", NOON), SeededRng(b"")).state
    while state.turn == 1 and state.phase is not Phase.OVER:
        state = close(state).state
    assert "Ada" not in state.living
    assert all(attack.attacker != "Ada" for played in state.rounds for attack in played.attacks)


def test_a_last_turn_can_be_set_in_a_long_game() -> None:
    state = table({"Ada": "E2", "Bob": knight("E9", heart=False)})
    step = KNIGHTS_DUTY.submit(state, Message(None, "last turn 2", NOON), SeededRng(b""))
    assert [event.kind for event in step.events] == ["limit"]
    after = close(close(step.state).state).state
    assert after.ending is not None
    assert (after.ending.winner, after.ending.why) == ("Ada", "limit")
    late = KNIGHTS_DUTY.submit(close(state).state, Message(None, "last turn 1", NOON), SeededRng(b""))
    assert [refusal.code for _, refusal in late.refused] == ["TOO_LATE"]


def test_the_moderator_is_reminded_that_a_long_game_has_no_end() -> None:
    state = table({"Ada": "E2", "Bob": "E9"})
    reminded = []
    while state.turn < 61:
        step = close(state)
        reminded += [e for e in step.events if isinstance(e, Noted) and e.kind == "moderator_limit"]
        state = step.state
    assert [event.facts for event in reminded] == [ModeratorLimit(60)]


def test_the_end_tells_the_story_and_the_table() -> None:
    state = table({"Ada": "E2", "Bob": "E3"})
    plans = {"Ada": "SWORD @ Bob\nSWORD @ Bob", "Bob": "PARRY"}
    cards = (("kd.card:R1:Ada->Bob", "Hit"), ("kd.card:R2:Ada->Bob", "Hit"))
    step = close(laid(state, plans), ScriptedRng([*cards], SeededRng(b"")))
    ending = step.events[-1]
    assert isinstance(ending, Announced)
    assert isinstance(ending.facts, Ending)
    assert [(deed.round, deed.wound) for deed in ending.facts.story] == [(1, "maimed"), (2, "felled")]
    scores = {row.name: row for row in ending.facts.scores}
    assert (scores[SlotId("Ada")].hits, scores[SlotId("Bob")].wounds) == (2, 2)
    assert step.state.plans == {}


def test_attackers_who_choose_go_first_or_last() -> None:
    state = table({"Ada": "E2", "Bob": knight("E3", heart=False), "Cyd": "E4"}, kd_14="attackers_choose")
    plans = {"Ada": "SWORD @ Bob, Cyd LAST", "Cyd": "SWORD @ Bob"}
    after = play(state, plans, ("kd.card:R1:Cyd->Bob", "Hit"), ("kd.card:R1:Ada->Cyd", "Miss"))
    assert attacks(after) == {"R1:Cyd": "Bob:Hit", "R1:Ada": "Cyd:Miss"}


def test_plans_show_in_no_other_view_until_their_round_is_revealed() -> None:
    before = table({"Ada": "E2", "Bob": "E3"})
    after = send(before, "Ada", "1: SWORD @ Bob\n2: PARRY").state
    for slot in (None, SlotId("Bob")):
        assert KNIGHTS_DUTY.view(after, slot) == KNIGHTS_DUTY.view(before, slot)
    own = seen_by(after, SlotId("Ada")).own
    assert own
    assert own.orders.plan == ("1 SWORD @ Bob", "2 PARRY")
