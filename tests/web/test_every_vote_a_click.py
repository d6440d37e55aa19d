"""A vote that was counted is decided on its row; what changed since the last look is told and decided."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from begun import begin
from fetch.loopback import serving
from fetch.threads import Forum
from knightfall.services.game.status import GameStatus
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest
from knightfall.services.session import Session
from web.hands import FormHand, form_hand
from web.served import served

NAMES = ("Ada", "Boro", "Cinder", "Dorn", "Elm", "Fen", "Gale")


@contextmanager
def counted(desk: Path, votes: int = 4) -> Iterator[tuple[Forum, FormHand]]:
    """A game whose day was read and looked at: votes on Elm, of which the fourth is the hammer."""
    posts = [(100, "Wren", "<b>Day 1 begins.</b>")]
    posts += [(101 + number, name, "<b>Vote: Elm</b>") for number, name in enumerate(NAMES[:votes])]
    forum = Forum(posts)
    with serving(forum) as server:
        request = NewGameRequest(
            "votes", NAMES, desk / "lane", b"", b"", "Salt Lane", site="phpbb",
            moderators=("Wren",), threads=(("game", f"{server.root}viewtopic.php?t=5"),),
        )  # fmt: skip
        begin(request, session_of(desk / "lane"))
        hand = form_hand(served(desk))
        hand.go("/games/lane/votes")
        hand.press("Read the thread")
        yield forum, hand


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")


def test_every_counted_vote_has_its_decision_on_its_row(tmp_path: Path) -> None:
    with counted(tmp_path) as (_, hand):
        assert "Hammer: Elm, post 5" in hand.text
        hand.press("Decide how post 3 of Boro counts")
        hand.press("Count for them", {"For": "Gale"})
        assert "Post 3 is decided. In the count as of post 5, Boro votes for Gale." in hand.text
        assert "Hammer" not in hand.text
        hand.press("Decide how post 5 of Dorn counts")
        assert "Vote: Elm" in hand.text
        hand.press("Ignore post 5")
        assert "Not voting (4): Dorn, Elm, Fen, Gale" in hand.text


def test_an_edited_vote_is_told_with_both_texts_until_it_was_seen_and_decided_there(tmp_path: Path) -> None:
    with counted(tmp_path, 3) as (forum, hand):
        hand.press("I posted it")
        forum.posts[3] = (*forum.posts[3][:2], "<b>Vote: Elm</b> no wait, unvote")
        forum.posts.append((160, "Fen", "<b>Vote: Gale</b>"))
        hand.press("Read all pages again")
        hand.go("/games/lane/votes")
        assert "Since you last looked" in hand.text
        assert "1 new post. Fen → Gale (#5)" in hand.text
        assert "Post 4 (Cinder) changed" in hand.text
        assert "It said:Vote: ElmNow it says:Vote: Elm no wait, unvote" in hand.text
        for page in ("/games/lane", "/games/lane/close"):
            hand.go(page)
            assert "Since you last looked" in hand.text
        hand.go("/games/lane/votes")
        hand.press("Count for them", {"For": "Elm"}, within="Post 4 (Cinder) changed")
        assert "Cinder votes for Elm" in hand.text
        hand.press("I have seen this")
        assert "Since you last looked" not in hand.text
        hand.go("/games/lane")
        assert "Since you last looked" not in hand.text


def test_a_deleted_vote_is_told_with_what_it_said(tmp_path: Path) -> None:
    with counted(tmp_path) as (forum, hand):
        hand.press("I posted it")
        del forum.posts[4]
        hand.press("Read all pages again")
        hand.go("/games/lane")
        assert "Since you last looked: 0 new posts, 1 post deleted." in hand.text
        hand.go("/games/lane/votes")
        assert "Post 5 (Dorn)" in hand.text
        assert "It said:Vote: Elm" in hand.text


def test_many_games_are_on_the_start_page_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that would take long follow by themselves, and what is known is not asked again."""
    from knightfall.services.game.status import status
    from knightfall.web import pages, start

    for number in range(6):
        request = NewGameRequest("kings_court", (), tmp_path / f"court-{number}", b"", b"", f"Court {number}")
        begin(request, session_of(tmp_path / f"court-{number}"))
    asked: list[object] = []

    def noted(session: Session) -> GameStatus:
        asked.append(session)
        return status(session)

    monkeypatch.setattr(pages, "status", noted)
    monkeypatch.setattr(start, "AT_ONCE", -1.0)
    hand = form_hand(served(tmp_path))
    assert hand.body.count('hx-trigger="intersect once"') == 6
    assert asked == []
    row = hand.client.get("/games/court-3/row").text
    assert row.count("<li") == 1
    assert "Court 3" in row
    monkeypatch.setattr(start, "AT_ONCE", 60.0)
    for _ in range(3):
        hand.go("/")
    assert "Court 5" in hand.text
    assert len(asked) == 6
