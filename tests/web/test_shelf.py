"""A game is put away and brought back, and deleted where its name is typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from knightfall.services.machine import session_of
from knightfall.services.running import begun
from knightfall.services.session import journal_of
from web.hands import FormHand, form_hand
from web.served import served
from web.test_pages import begun as a_game

HERE = "/games/harbour"
FIELD = "to delete this game for ever"


@pytest.fixture
def hand(tmp_path: Path) -> FormHand:
    a_game("custom_mafia", tmp_path / "harbour")
    a_game("kings_court", tmp_path / "court")
    return form_hand(served(tmp_path))


def listed(hand: FormHand) -> list[str]:
    hand.go("/")
    return [one.get("href") for one in hand.tree.xpath("//ul[contains(@class, 'games')]//h3/a")]


def test_a_game_that_is_put_away_is_listed_apart_and_comes_back(hand: FormHand) -> None:
    assert listed(hand) == ["/games/court", HERE]
    hand.go(f"{HERE}/end")
    hand.press("Put it away")
    assert "The game is put away." in hand.text
    assert listed(hand) == ["/games/court"]
    assert "Put away (1)" in hand.text
    hand.press("harbour")
    hand.press("Bring it back")
    assert listed(hand) == ["/games/court", HERE]


def test_a_game_is_deleted_only_where_its_name_is_typed(hand: FormHand, tmp_path: Path) -> None:
    folder = tmp_path / "harbour"
    hand.go(f"{HERE}/end")
    hand.press("Delete the game", {FIELD: "court"})
    assert "You typed “court”, expected harbour. Nothing was deleted." in hand.refusal
    assert begun(journal_of(session_of(folder)))
    hand.press("Delete the game", {FIELD: "harbour"})
    assert "harbour is deleted." in hand.text
    assert not folder.exists()
    assert listed(hand) == ["/games/court"]
    hand.go(HERE)
    assert hand.status == 404
    # Another one of that name has nothing of it.
    a_game("kings_court", folder)
    hand.go(f"{HERE}/log")
    assert "Board" in hand.text
    assert f"{len(journal_of(session_of(folder)))} entr" in hand.text


def test_files_that_are_not_the_games_stay_and_are_named(hand: FormHand, tmp_path: Path) -> None:
    (tmp_path / "harbour" / "thesis.odt").write_text("mine", encoding="utf-8")
    hand.go(f"{HERE}/end")
    hand.press("Delete the game", {FIELD: "harbour"})
    assert "are not the game's, and stay: thesis.odt" in hand.text
    assert [one.name for one in (tmp_path / "harbour").iterdir()] == ["thesis.odt"]
