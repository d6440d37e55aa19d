"""“If it closed now” speaks of what is open, at the terminal and on the page: by day of the day."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from begun import begin
from fetch.loopback import StillClock, serving
from fetch.threads import Forum
from knightfall.cli import app
from knightfall.services.machine import session_of
from knightfall.services.now import now_of
from knightfall.services.requests import NewGameRequest
from knightfall.services.window import turns
from services.first_night import session_of_test
from web.hands import FormHand, form_hand
from web.served import served

PLAYERS = ("Ada", "Boro", "Cinder", "Elm", "Fen", "Gale", "Iris")
CARDS = [{"role": "Mafia Goon"}, {"role": "Town Doctor"}, {"role": "Vanilla Townie", "fill": True}]
"""One kills, one heals."""


def run(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(app, [*words, "--game", str(folder)])


def holders_of(folder: Path) -> Mapping[str, str]:
    """Who holds each card; of several the last."""
    table = now_of(session_of(folder)).running
    return {card: str(slot) for slot, card in table.game.roles(table.state).items()}


@pytest.fixture
def lane(tmp_path: Path) -> Path:
    """A custom game at day 1, in which the moderator decides the day."""
    folder = tmp_path / "lane"
    begin(
        NewGameRequest(
            "custom_mafia", PLAYERS, folder, b"s" * 32, b"t" * 32, "Lane", options={"setup": {"slots": CARDS}}
        ),
        session_of_test(folder, StillClock()),
    )
    return folder


def night_over(folder: Path) -> str:
    """Nobody is eliminated on day 1, and the last townsman dies in night 1, who is returned."""
    session = session_of(folder)
    cards = holders_of(folder)
    turns.submit("moderator", "no elimination", None, session)
    turns.close("day", None, session)
    turns.submit(cards["Mafia Goon"], f"kill {cards['Vanilla Townie']}", None, session)
    turns.close("night", None, session)
    return cards["Vanilla Townie"]


def hand_at(folder: Path, page: str) -> FormHand:
    hand = form_hand(served(folder.parent))
    hand.go(f"/games/{folder.name}/{page}")
    return hand


def preview_of(hand: FormHand) -> str:
    [card] = hand.tree.xpath("//section[@aria-labelledby='preview-head']")
    return " ".join(card.text_content().split())


def test_by_day_the_page_tells_nothing_of_the_night_before(lane: Path) -> None:
    dead = night_over(lane)
    told = preview_of(hand_at(lane, "night"))
    assert "Day 2" in told
    assert "Deaths" not in told
    assert dead not in told


def test_before_the_first_night_the_page_tells_nothing_of_nights(lane: Path) -> None:
    told = preview_of(hand_at(lane, "night"))
    assert "Day 1" in told
    assert "night" not in told.partition("What if")[0].casefold().replace("night falls", "")


def test_by_day_the_verbs_speak_of_the_day_and_with_a_number_of_the_night(lane: Path) -> None:
    dead = night_over(lane)
    townie = holders_of(lane)["Town Doctor"]
    asked = run(lane, "resolve")
    assert asked.exit_code == 1  # a question of the game, as an exception
    assert "Day 2 cannot be closed yet" in str(asked.exception)
    run(lane, "submit", "moderator", f"eliminate {townie}")
    shown = run(lane, "resolve")
    assert f"{townie}" in shown.stdout and "Town Doctor" in shown.stdout, shown.exception
    assert "Day 2, as it stands: for the moderator only" in shown.stdout
    assert f"{dead} dies" not in shown.stdout
    assert "Nothing was written" in shown.stdout
    assert f"Deaths: {dead}." in run(lane, "resolve", "--preview", "--night", "1").stdout
    why = run(lane, "why", townie).stdout
    assert why.startswith(f"Day 2, {townie}")
    assert f"About {townie}: " in why
    assert f"{dead} died" in run(lane, "why", dead, "--night", "1").stdout
    changed = run(lane, "whatif", "add moderator: no elimination").stdout
    assert f"- {townie}" in changed.replace("- The town voted out ", "- ") or f"{townie}" in changed
    assert "Nothing changes" not in changed


@pytest.mark.parametrize("words", [("resolve",), ("why", "Ada"), ("whatif", "set em_r26 = uniform")])
def test_before_day_one_the_verbs_speak_of_the_choice_of_roles(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    folder = tmp_path / "empty"
    names = ("Ada", "Boro", "Cinder", "Elm", "Fen", "Gale", "Iris", "Juniper", "Kit")
    begin(
        NewGameRequest("empowered", names, folder, b"s" * 32, b"t" * 32, "Choice"),
        session_of_test(folder, StillClock()),
    )
    told = run(folder, *words)
    assert "night yet" not in str(told.exception)
    assert "The mafiosi choose their roles cannot be closed yet." in str(told.exception)
    assert "no role chosen yet by" in str(told.exception)


def test_the_examples_of_a_change_come_from_the_game_itself(tmp_path: Path) -> None:
    folder = tmp_path / "court"
    names = (*PLAYERS, "Juniper", "Kit", "Lumen", "Moth")
    begin(
        NewGameRequest("kings_court", names, folder, b"s" * 32, b"t" * 32, "Court"),
        session_of_test(folder, StillClock()),
    )
    told = preview_of(hand_at(folder, "night"))
    assert "What if" in told
    assert "heal" not in told and "track" not in told
    assert "VOTE: " in told.partition("What if")[2]


def test_by_day_the_page_tells_how_the_votes_of_the_thread_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    votes = [(102 + place, name, "<b>Vote: Ada</b>") for place, name in enumerate(PLAYERS[1:5])]
    with serving(Forum([(101, "Wren", "<b>Day 1 begins.</b>"), *votes[:3]])) as server:
        request = NewGameRequest(
            "custom_mafia", PLAYERS, tmp_path / "lane", b"s" * 32, b"t" * 32, "Lane", site="phpbb",
            moderators=("Wren",), threads=(("game", f"{server.root}viewtopic.php?t=5"),),
            options={"setup": {"slots": CARDS}},
        )  # fmt: skip
        begin(request, session_of(tmp_path / "lane"))
        hand = hand_at(tmp_path / "lane", "night")
        assert "The votes in the thread close Day 1. It was not read yet" in preview_of(hand)
        hand.go("/games/lane/votes")
        hand.press("Read the thread")
        hand.go("/games/lane/night")
        assert "As of post 4: Ada 3/4." in preview_of(hand)
        assert "you will be asked: No Elimination | Ada" in preview_of(hand)
        assert "“add Ada: vote Iris”" in preview_of(hand)
        hand.press("See", {"What if": "add Fen: vote Ada"})
        assert "Day 1 is over. Ada is eliminated." in preview_of(hand)
        hand.press("See", {"What if": "dance"})
        told = preview_of(hand)
        assert "“dance” is not a change that I understand." in told
        assert "As of post 4" in told  # a wrong change hides nothing
        hand.press("Private eyes: off")
        told = preview_of(hand)
        assert "hidden by private eyes" in told
        assert "Ada" not in told
