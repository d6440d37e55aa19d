"""The book of nicknames on the page: an answer is offered in the next game on the site, and forgotten."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from begun import begin
from fetch.loopback import serving
from fetch.threads import Forum
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest
from web.hands import FormHand, form_hand
from web.served import served

NAMES = ("Ada", "Boro", "Cinder", "Dorn", "Elm", "Moth")
TITLE = "Salt <b>Lane</b>"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The moderator's own folder."""
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def read(desk: Path, name: str, title: str, root: str) -> FormHand:
    """A game on the forum at that root, whose thread was read, on its votecount."""
    request = NewGameRequest(
        "votes", NAMES, desk / name, b"", b"", title, site="phpbb",
        moderators=("Wren",), threads=(("game", f"{root}viewtopic.php?t=5"),),
    )  # fmt: skip
    begin(request, session_of(desk / name))
    hand = form_hand(served(desk))
    hand.go(f"/games/{name}/votes")
    hand.press("Read the thread")
    return hand


def test_an_answer_on_the_page_is_offered_in_the_next_game_and_can_be_forgotten(tmp_path: Path) -> None:
    desk = tmp_path / "games"
    forum = Forum([(100, "Wren", "<b>Day 1 begins.</b>"), (101, "Ada", "<b>Vote: lampman</b>")])
    with serving(forum) as server:
        hand = read(desk, "lane", TITLE, server.root)
        hand.press("Count for them", {"For": "Moth"})
        assert "Post 2 is decided. In the count as of post 2, Ada votes for Moth." in hand.text
        hand = read(desk, "moor", "Dry Moor", server.root)
        assert "1 vote needs your decision" in hand.text
        assert f"Count for Moth (as in {TITLE})" in hand.text
        assert "Not voting (6)" in hand.text

        hand.go("/games/moor/nicknames")
        assert "Your book of nicknames on 127.0.0.1" in hand.text
        assert f"“lampman” for Moth as in {TITLE}" in hand.text
        hand.press("Forget it")
        assert "“lampman” is forgotten." in hand.text
        assert "Nothing yet." in hand.text
        hand.go("/games/moor/votes")
        assert "as in Salt" not in hand.text

        hand.press("Learn this nickname", {"For": "Moth", "Nickname to learn": "lampman"})
        assert "“lampman” means Moth from now on." in hand.text
        hand.go("/games/moor/nicknames")
        assert "“lampman” for Moth as in Dry Moor" in hand.text


def test_a_damaged_book_is_told_on_the_page_and_stops_nothing(tmp_path: Path, home: Path) -> None:
    home.mkdir()
    (home / "nicknames.json").write_text(json.dumps({"schema": 1}), encoding="utf-8")
    forum = Forum([(100, "Wren", "<b>Day 1 begins.</b>"), (101, "Ada", "<b>Vote: lampman</b>")])
    with serving(forum) as server:
        hand = read(tmp_path / "games", "lane", "Salt Lane", server.root)
        assert "1 vote needs your decision" in hand.text
        hand.press("Count for them", {"For": "Moth"})
        assert "Ada votes for Moth" in hand.text
        assert "your book of nicknames is as it was" in hand.text
        hand.go("/games/lane/nicknames")
        assert "cannot be read" in hand.text
