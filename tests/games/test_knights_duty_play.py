"""Random play of Knight's Duty: what holds in every position, whatever is played and by which options."""

from __future__ import annotations

import pytest

from duty_table import table
from knightfall.engine.playout import Playout, play
from knightfall.engine.replay import replay
from knightfall.engine.rng import SeededRng
from knightfall.games.knights_duty import KNIGHTS_DUTY, OPTIONS, Phase, State
from knightfall.games.knights_duty.state import LIMITS
from knightfall.games.knights_duty.views import turn_pms
from knightfall.sentence import SlotId
from knightfall.writeups.events import private_message
from long_runs import first
from properties.knights_duty import broken_laws

NAMES = tuple(map(SlotId, ("Ada", "Boro", "Cinder", "Dusk_77", "Elm", "Fen")))
FLIPPED = [
    {option.name: value}
    for option in OPTIONS
    for value in option.values[1:]
    if option.name not in ("board", "fixed_weapon", "kd_31")
]


def played(players: int, seed: int, **options: object) -> Playout[State]:
    slots, draw = NAMES[:players], SeededRng(b"draw %d" % seed)
    return play(KNIGHTS_DUTY, slots, {"max_turns": 60, **options}, SeededRng(b"chance %d" % seed), draw, 500)


@pytest.mark.few(2)
@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("seed", first(2, range(6)))
def test_the_laws_hold_in_random_games(players: int, seed: int) -> None:
    playout = played(players, seed)
    assert playout.ended
    assert playout.refused == ()
    assert list(broken_laws(playout.states)) == []
    final = playout.state
    assert final.phase is Phase.OVER
    assert set(final.out) == set(final.knights) - set(final.living)


@pytest.mark.few(2)
@pytest.mark.parametrize("options", first(15, FLIPPED), ids=str)
def test_every_option_plays_to_the_end_and_replays(options: dict[str, str]) -> None:
    playout = played(4, 3, **options)
    assert playout.ended
    assert playout.refused == ()
    assert list(broken_laws(playout.states)) == []
    replayed = replay(playout.journal, KNIGHTS_DUTY, lambda: SeededRng(b"draw 3"))
    assert replayed.state == playout.state


@pytest.mark.few(2)
@pytest.mark.parametrize("mode", ["orders", "staged"])
@pytest.mark.parametrize("seed", range(3))
def test_no_plan_shows_before_its_round(mode: str, seed: int) -> None:
    """Whatever was laid for rounds not yet revealed, no other view changes with it."""
    for state in played(3, seed, mode=mode).states:
        shown = len(state.rounds) if state.phase in (Phase.MOVES, Phase.ATTACKS) else 0
        for slot, plan in state.plans.items():
            hidden = {**state.plans, slot: plan[:shown]}
            other = type(state)(
                **{name: getattr(state, name) for name in State.__slots__} | {"plans": hidden}
            )
            for viewer in {None, *NAMES[:3]} - {slot}:
                assert KNIGHTS_DUTY.view(other, viewer) == KNIGHTS_DUTY.view(state, viewer)


def test_what_legal_offers_has_every_token_but_no_inspiration() -> None:
    state = played(2, 1).states[-3]
    text = "\n".join(line for slot in state.living for line in KNIGHTS_DUTY.legal(state, slot))
    assert all(token.upper() in text for token in (*LIMITS, "pass") if token != "inspiration")
    assert "INSPIRATION" not in text


@pytest.mark.parametrize(("start", "way"), [("A3", "E"), ("C7", "W"), ("E4", "NE")])
def test_the_example_of_a_plan_leads_to_a_space(start: str, way: str) -> None:
    """KD-10: a step off the board would spend the token."""
    state = table({"Ada": start, "Boro": "I1"})
    [told] = [event for event in turn_pms(state) if event.slots == (SlotId("Ada"),)]
    line = f"1: MOVE {way}\n"
    assert line in private_message("knights_duty", told)
    assert state.board.steps[start].get(way)
