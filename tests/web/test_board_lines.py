"""A player's line put together on the page, part by part: by clicks on the board, words and numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from begun import begin
from knightfall.services.game.players import replace_player
from knightfall.services.machine import session_of
from knightfall.services.now import now_of
from knightfall.services.requests import NewGameRequest, PostOptions
from knightfall.services.window import turns
from web.hands import FormHand, form_hand
from web.served import served

THREE = ("Ada", "Boro", "Cinder")
MOST_CHOICES = 150
"""More choices than this in all lists of a page are no help."""


def table(kind: str, players: tuple[str, ...], folder: Path, **options: object) -> Path:
    request = NewGameRequest(
        kind, players, folder / "harbour", b"s" * 32, b"t" * 32, "Salt Harbour", options=options
    )
    begin(request, session_of(folder / "harbour"))
    return folder / "harbour"


def duel(folder: Path, letters: str) -> FormHand:
    """A bout with these anomalies, Ada playing X."""
    made = table("knight_fight", THREE[:2], folder, anomalies=letters)
    turns.submit("Ada", "SIDE: X", None, session_of(made))
    return form_hand(served(folder))


def melee(folder: Path) -> FormHand:
    """The first turn of Knight's Duty: Ada on A3, Boro on C7, Cinder on G7."""
    made = table("knights_duty", THREE, folder)
    for name, start in zip(THREE, ("A3", "C7", "G7"), strict=True):
        turns.submit(name, f"START {start}", None, session_of(made))
    turns.close("setup", None, session_of(made))
    return form_hand(served(folder))


def build(hand: FormHand, player: str) -> None:
    hand.go(f"/games/harbour/board/play?player={player}")


def click(hand: FormHand, space: str) -> None:
    """A space of the board that can be clicked."""
    links: Any = hand.tree.xpath("//svg//a")
    found = [one for one in links if one.get("aria-label").split(":")[0] == space]
    assert found, f"{space} cannot be clicked: {[one.get('aria-label') for one in links]}"
    hand.go(found[0].get("href"))


def said_last(hand: FormHand) -> str:
    hand.go("/games/harbour/log")
    return hand.text


def test_a_move_and_a_named_attack_are_one_plan_of_clicks(tmp_path: Path) -> None:
    hand = melee(tmp_path)
    build(hand, "Ada")
    click(hand, "B3")
    hand.press("SWORD")
    click(hand, "C7")
    hand.press("nobody else")
    hand.press("SHIELD")
    assert "MOVE SW / SWORD @ Boro ONLY / SHIELD" in hand.text
    hand.press("Play it")
    assert "The message of Ada is recorded." in hand.text
    assert "MOVE SW / SWORD @ Boro ONLY / SHIELD" in said_last(hand)


def test_a_plan_can_be_played_as_soon_as_it_is_one_though_more_may_follow(tmp_path: Path) -> None:
    hand = melee(tmp_path)
    build(hand, "Boro")
    click(hand, "D7")
    assert "So far: MOVE SW" in hand.text
    assert "Or go on:" in hand.text
    hand.press("Play it")
    assert "The message of Boro is recorded." in hand.text


@pytest.mark.few(1)
@pytest.mark.parametrize("chips", ["0", "3", "20"])
def test_any_bid_goes_with_any_square(tmp_path: Path, chips: str) -> None:
    hand = duel(tmp_path, "b")
    build(hand, "Ada")
    hand.press("Next", {"Bid": chips})
    click(hand, "E4")
    hand.press("Play it")
    assert "The message of Ada is recorded." in hand.text
    assert f"BID {chips}: E4" in said_last(hand)


def test_a_number_out_of_its_range_is_refused_in_words(tmp_path: Path) -> None:
    hand = duel(tmp_path, "b")
    build(hand, "Ada")
    hand.press("Next", {"Bid": "21"})
    assert hand.status == 400
    assert "from 0 to 20" in hand.text


@pytest.mark.few(1)
@pytest.mark.parametrize("square", ["A1", "L11", "F5"])
def test_manure_goes_on_any_free_square(tmp_path: Path, square: str) -> None:
    hand = duel(tmp_path, "a")
    build(hand, "Ada")
    click(hand, "E4")
    hand.press("with manure")
    click(hand, square)
    hand.press("Play it")
    assert f"E4 MANURE {square}" in said_last(hand)


def test_the_board_page_holds_no_flood_of_choices(tmp_path: Path) -> None:
    hand = melee(tmp_path)
    hand.go("/games/harbour/board")
    assert len(hand.tree.xpath("//option")) <= MOST_CHOICES
    assert "part by part" in hand.text
    hand.press("Click on the board for Ada")
    assert hand.tree.xpath("//svg//a")


def test_a_line_of_a_game_without_a_board_to_click_is_put_together_too(tmp_path: Path) -> None:
    people = tuple(f"P{letter}" for letter in "abcdefghijk")
    made = table("kings_court", people, tmp_path, garnets="5")
    king = king_of(made)
    other = next(name for name in people if name != king)
    hand = form_hand(served(tmp_path))
    hand.go("/games/harbour/board")
    assert f"Put it together for {king}" in hand.text
    build(hand, king)
    hand.press("TIEBREAK")
    others = [name for name in people if name != king][:3]
    for name in others:
        hand.press(name)
    hand.press("Play it")
    assert f"TIEBREAK: {' > '.join(others)}" in said_last(hand)
    build(hand, other)
    hand.press("Next", {"Give": "2"})
    hand.press(f"to {king}")
    hand.press("Play it")
    assert f"GIVE: 2 to {king}" in said_last(hand)


def king_of(folder: Path) -> str:
    return str(now_of(session_of(folder)).running.state.king)


def test_what_the_game_does_not_wait_for_can_be_said_as_well(tmp_path: Path) -> None:
    hand = duel(tmp_path, "n")
    build(hand, "Boro")
    assert "Rarely needed" in hand.text
    hand.press("resign the bout")
    hand.press("Play it")
    assert "RESIGN" in said_last(hand)


def test_a_line_names_who_holds_a_slot_now(tmp_path: Path) -> None:
    hand = melee(tmp_path)
    replace_player("Boro", "Zed", None, "away", PostOptions(), session_of(tmp_path / "harbour"))
    build(hand, "Ada")
    hand.press("SWORD")
    assert "C7: @ Zed" in [one.get("aria-label") for one in hand.tree.xpath("//svg//a")]
    click(hand, "C7")
    assert "So far: SWORD @ Zed" in hand.text
    hand.press("Play it")
    assert "is recorded." in hand.text
    assert "recorded, but refused" not in hand.text
    assert "SWORD @ Zed" in said_last(hand)


def test_a_line_that_cannot_be_sent_any_more_is_refused_in_words(tmp_path: Path) -> None:
    hand = duel(tmp_path, "none")
    hand.go("/games/harbour/board/play?player=Ada&pick=A1")
    assert hand.status == 400
    assert "“A1” cannot be sent any more." in hand.text
