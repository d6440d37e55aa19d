"""Every post and PM of a game as it is pasted on five boards, to be read as a player of each would.

To accept a change: run this module with KNIGHTFALL_GOLDEN=write and read the diff.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from knightfall.engine.game import Announced
from knightfall.games import GAMES
from knightfall.games.knight_fight.events import Clock as ClockPost
from knightfall.writeups.events import public_post
from markup.board_tags import BOARDS, faults
from writeups.whole_games import texts_of

GOLDEN = Path(__file__).parents[2] / "fixtures/golden/dialects"
DIALECTS = ("mafiascum", "phpbb", "smf", "xenforo", "discourse")
every_game = pytest.mark.parametrize("game", [game.spec.id for game in GAMES])


@pytest.mark.few(6)
@pytest.mark.parametrize("dialect", DIALECTS)
@every_game
def test_every_text_of_a_game_reads_as_in_its_golden_file(game: str, dialect: str) -> None:
    said = "\n".join(f"=== {one.heading} ===\n{one.write(dialect)}\n" for one in texts_of(game))
    file = GOLDEN / f"{game}.{dialect}.txt"
    if os.environ.get("KNIGHTFALL_GOLDEN") == "write":
        file.write_text(said, encoding="utf-8")
    assert said == file.read_text(encoding="utf-8")


@pytest.mark.few(2)
@every_game
def test_every_board_reads_every_text_of_a_game(game: str) -> None:
    found = [
        f"{board}, {one.heading}: {fault}"
        for one in texts_of(game)
        for board in BOARDS
        for fault in faults(board, one.write(board))
    ]
    assert found == []


@pytest.mark.few(2)
@every_game
def test_no_pm_holds_what_is_for_the_moderator_alone(game: str) -> None:
    found = [one.heading for one in texts_of(game) if "moderator only" in one.write("plain")]
    assert found == []


NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)
NEW_YORK = ZoneInfo("America/New_York")


def test_a_deadline_of_a_game_is_told_by_the_games_clock_and_utc() -> None:
    event = Announced(ClockPost(False, "", NOON + timedelta(hours=30)))
    told = public_post("knight_fight", event, zone=NEW_YORK)
    assert "until Wed 04 Mar 2026, 13:00 EST = Wed 04 Mar 18:00 UTC." in told


def test_without_a_zone_a_deadline_is_told_in_utc() -> None:
    event = Announced(ClockPost(False, "", NOON + timedelta(hours=30)))
    assert "until Wed 04 Mar 2026, 18:00 UTC." in public_post("knight_fight", event)


@pytest.mark.parametrize("dialect", ["mafiascum", "discourse"])
def test_a_board_that_counts_down_is_left_to_count(dialect: str) -> None:
    event = Announced(ClockPost(False, "", NOON + timedelta(hours=30)))
    told = public_post("knight_fight", event, dialect, zone=NEW_YORK)
    assert "countdown" in told
