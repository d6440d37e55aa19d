"""Whom the board games await, over random play: exactly who can still change what a closing leads to."""

from __future__ import annotations

from typing import Any

import pytest

from knightfall.engine.game import Game
from knightfall.engine.playout import START, play
from knightfall.engine.rng import SeededRng
from knightfall.games.kings_court import KINGS_COURT, Phase
from knightfall.games.knight_fight import KNIGHT_FIGHT
from knightfall.games.knights_duty import KNIGHTS_DUTY
from knightfall.sentence import SlotId
from long_runs import first, spread
from properties.awaits import broken
from salt_court import ADA, COURT, Table, seated

PLAYED = [
    (KINGS_COURT, 11, {"garnets": 12}),
    (KINGS_COURT, 11, {"tie_publish": "at_once", "check_delivery": "immediate"}),
    (KNIGHT_FIGHT, 2, {}),
    (KNIGHT_FIGHT, 2, {"anomalies": "H", "rows": 5, "cols": 6}),
    (KNIGHT_FIGHT, 2, {"anomalies": "BH", "rows": 5, "cols": 6}),
    (KNIGHT_FIGHT, 2, {"anomalies": "ACNS", "rows": 7, "cols": 6}),
    (KNIGHTS_DUTY, 3, {"max_turns": 5}),
]


@pytest.mark.few(1)
@pytest.mark.wider
@pytest.mark.parametrize("seed", first(1, (1, 2)))
@pytest.mark.parametrize(("game", "players", "options"), PLAYED)
def test_a_slot_is_awaited_where_a_line_of_it_changes_what_closing_leads_to(
    game: Game[Any], players: int, options: dict[str, object], seed: int
) -> None:
    slots: tuple[SlotId, ...] = COURT[:players]
    chance, draw = SeededRng(b"chance %d" % seed), SeededRng(b"draw %d" % seed)
    playout = play(game, slots, options, chance, draw, 30)
    moments = spread(6, playout.states[:: max(1, len(playout.states) // 25)])
    found = [said for state in moments for said in broken(game, state, slots, START)]
    assert found == []


def test_a_king_who_has_nothing_to_decide_is_not_awaited() -> None:
    """KC-08: tied with exactly one other, that other joins."""
    for rivals, awaited in (("Boro", ()), ("Boro Cinder", (ADA,))):
        table = Table(seated())
        votes = {"Ada": "Dusk Elm"} | dict(zip(rivals.split(), ("Fen Iris", "Hollis Lumen"), strict=False))
        table.vote(**votes)
        assert table.state.phase is Phase.TIE
        window = KINGS_COURT.windows(table.state)[0]
        assert tuple(one.slot for one in KINGS_COURT.awaits(table.state, window)) == awaited
