"""Whole games in Chromium: a person clicks and types, makes the mistakes of people, and types no command."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from knightfall.engine.playout import START
from playthroughs.moderator import Moderator
from web import hosted_games as games
from web.hosted_games import BEGINS, Hosted, hosting

CLICKS = 60
"""Of eighteen players, four days and three nights, without those that a mistake costs."""
EVE = START - timedelta(days=1)


def plays(
    script: Callable[[Hosted], None], desk: Path, begins: datetime = BEGINS, seed: str = games.SEED
) -> Hosted:
    """A person plays the script, from “Host a game” to the archive. No command is run, no file of the game is
    written by hand, and nothing in public/ tells what not everybody may know."""

    def no_command(*_: object, **__: object) -> None:
        raise AssertionError("a command was typed, or a file written")

    with pytest.MonkeyPatch.context() as patch, hosting(desk, begins, seed) as game:
        for name in ("types", "runs", "writes"):
            patch.setattr(Moderator, name, no_command)
        script(game)
        assert game.mod.given_away() == []
        return game


@pytest.mark.long
def test_eighteen_play_knight_errant_within_sixty_clicks(tmp_path: Path) -> None:
    game = plays(games.knight_errant, tmp_path, seed=games.ARMOURED)
    assert game.person.clicks <= CLICKS, "\n".join(game.person.steps)


@pytest.mark.long
@pytest.mark.parametrize("script", [games.custom_mafia, games.empowered])
def test_a_game_of_days_and_nights_is_hosted_by_clicks_alone(
    script: Callable[[Hosted], None], tmp_path: Path
) -> None:
    plays(script, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize(
    "script",
    [games.kings_court, games.knight_fight, games.knight_fight_with_anomalies, games.knights_duty],
)
def test_a_match_on_a_board_is_hosted_by_clicks_alone(
    script: Callable[[Hosted], None], tmp_path: Path
) -> None:
    plays(script, tmp_path, EVE)
