"""A whole game on the page leaves the journal, posts and PMs that the same game leaves by commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from playthroughs.moderator import moderating
from web import court, play
from web.hands import form_hand
from web.same_game import same_forum, same_game
from web.served import in_turn, served


@pytest.mark.long  # by default the court is played here, and commands play a week of this game
def test_without_javascript_the_page_plays_the_game_that_commands_play(
    by_commands: Path, tmp_path: Path
) -> None:
    with same_forum(), moderating(tmp_path, play.BEGINS) as mod:
        play.whole_game(mod, play.ByPage(mod, form_hand(served(tmp_path))))
        same_game(by_commands, mod.folder)
        assert (mod.folder / "public" / "archive" / "index.html").exists()


@pytest.mark.long
def test_without_javascript_the_page_plays_the_court_that_commands_play(
    court_by_commands: Path, tmp_path: Path
) -> None:
    with same_forum(), moderating(tmp_path, court.BEGINS) as mod:
        page = served(tmp_path, random=in_turn(court.SEED, court.SALT))
        court.whole_court(mod, court.CourtByPage(mod, form_hand(page)))
        same_game(court_by_commands, mod.folder)
