"""What tests of the page share.

The games that were played by commands, once for every test that compares the page with them, and a folder for
what is kept beside the games.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from playthroughs.moderator import moderating
from web import court, play
from web.same_game import same_forum


@pytest.fixture(scope="session")
def by_commands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the game of Knight-Errant that was played by commands."""
    with same_forum(), moderating(tmp_path_factory.mktemp("commands"), play.BEGINS) as mod:
        play.whole_game(mod, play.ByCommand(mod))
        return mod.folder


@pytest.fixture(scope="session")
def court_by_commands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the court that was played by commands."""
    with same_forum(), moderating(tmp_path_factory.mktemp("court"), court.BEGINS) as mod:
        court.whole_court(mod, court.CourtByCommand(mod))
        return mod.folder


@pytest.fixture(scope="session")
def short_court_by_commands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the same court, of which only the beginning was played by commands."""
    with same_forum(), moderating(tmp_path_factory.mktemp("short"), court.BEGINS) as mod:
        court.short_court(mod, court.CourtByCommand(mod))
        return mod.folder


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept beside the games goes into a folder of this test alone."""
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "own"))
