"""A rehearsal on the page: begun by a button, hosted by the ordinary pages, its PMs read back first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from web.hands import form_hand
from web.served import served

BEGIN, GO_ON = "Try it with nine players who are played for you", "Let the players go on"


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "home"))


def test_a_rehearsal_is_hosted_on_the_page_up_to_its_first_night(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    hand.go("/")
    hand.press(BEGIN)
    assert hand.path.partition("?")[0] == "/games/rehearsal"
    assert "Rehearsal" in hand.text
    for posts in ("The players wrote 6 posts.", "The players wrote"):
        hand.go("/games/rehearsal")
        hand.press(GO_ON)
        assert posts in hand.text
        assert hand.path.startswith("/games/rehearsal/votes")
    assert "the loud one" in hand.text
    while "after the hammer" not in hand.text:
        hand.go("/games/rehearsal")
        hand.press(GO_ON)
        hand.go("/games/rehearsal/votes")
    hand.go("/games/rehearsal/close")
    hand.press("Read and count", {"the forum is not asked": True})
    [target] = json.loads((tmp_path / "rehearsal/private/rehearsal.json").read_text("utf-8"))[
        "targets"
    ].values()
    hand.press("Close the day", {"Lock the thread": target})
    hand.go("/games/rehearsal")
    hand.press(GO_ON)
    assert hand.path.startswith("/games/rehearsal/messages/")
    assert "murder" in hand.text
    assert "roleblock" in hand.text
    assert "may mean" in hand.text


def test_a_second_rehearsal_has_a_folder_of_its_own(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    for _ in range(2):
        hand.go("/")
        hand.press(BEGIN)
    assert (tmp_path / "rehearsal" / "game.toml").exists()
    assert (tmp_path / "rehearsal-2" / "game.toml").exists()


def test_private_eyes_hide_who_never_writes_and_the_buttons_stay(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    hand.go("/")
    hand.press(BEGIN)
    for _ in range(3):
        hand.go("/games/rehearsal")
        hand.press(GO_ON)
    assert "has not written since the game began" in hand.text
    hand.press("Private eyes")
    hand.go("/games/rehearsal")
    hand.press(GO_ON)
    assert "has not written since the game began" not in hand.text
