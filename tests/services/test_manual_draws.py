"""`knightfall draw`: real cards typed in, in a game's folder."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from begun import new_game
from knightfall.cli import app
from knightfall.errors import InputError
from knightfall.fetch.clock import SystemClock
from knightfall.sentence import SlotId
from knightfall.services.window.turns import Draw

NAMES = ("Ada", "Bob", "Cyd")


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def closed(*words: str) -> Result:
    """A window closed while some still have time to send."""
    return run("commit", *words, "--yes", "--why", "all have played")


def begun(folder: Path, *options: str) -> None:
    """Ada stands on A3 with a bow, Bob four spaces away on C7."""
    new_game(folder, "knights-duty", *NAMES, *options)
    assert run("submit", "Ada", "WEAPON bow", "--game", str(folder)).exit_code == 0
    assert closed("--game", str(folder)).exit_code == 0


@pytest.fixture
def duel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ada shoots at Bob in the first and in the second round."""
    begun(tmp_path / "duel")
    monkeypatch.chdir(tmp_path / "duel")
    run("submit", "Ada", "BOW @ Bob / BOW @ Bob")
    return tmp_path / "duel"


@pytest.mark.usefixtures("duel")
def test_without_a_label_the_draws_ahead_are_listed_with_their_piles() -> None:
    listed = run("draw").stdout
    assert "kd.card:R1:Ada->Bob  1 of 1 Hit, 3 Miss" in listed
    assert "kd.card:R2:Ada->Bob  1 of 1 Hit, 3 Miss" in listed
    assert max(map(len, listed.splitlines())) <= 80


@pytest.mark.few(1)
@pytest.mark.parametrize("cards", [("Hit", "Hit"), ("Miss", "Hit")])
@pytest.mark.usefixtures("duel")
def test_the_cards_typed_in_decide_the_turn(cards: tuple[str, str]) -> None:
    said = run("draw", "R2:Ada->Bob", cards[1]).stdout
    assert f"drawn by hand: card, R2, Ada → Bob = {cards[1]}. Undo it with" in said
    assert "kd.card:R1:Ada->Bob" in said.partition("Still to draw")[2]
    assert "Nothing is left to draw" in run("draw", "kd.card:R1:ada->bob", cards[0].lower()).stdout
    post = closed("turn").stdout
    assert "kd.card" not in post
    drawn = (
        f"Ada's card against Bob in round {number}: {card}" for number, card in enumerate(cards, start=1)
    )
    assert f"Drawn by hand in turn 1: {'; '.join(drawn)}. I drew them myself" in post
    assert ("Bob is critically wounded" in post) == (cards == ("Hit", "Hit"))


@pytest.mark.usefixtures("duel")
def test_a_card_is_taken_back_like_any_decision() -> None:
    drawn = run("draw", "R1:Ada->Bob", "Hit").stdout
    number = drawn.partition(":")[0]
    assert run("undo", number, "--why", "misread").exit_code == 0
    assert "kd.card:R1:Ada->Bob" in run("draw").stdout
    assert "drawn by hand" in run("log").stdout


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("R3:Ada->Bob", "Hit"), "“R3:Ada->Bob” is not drawn when this closes.\nStill to draw"),
        (("R1:Ada->Bob", "Heart"), "found “Heart”, expected 1 of 1 Hit, 3 Miss"),
        (("R1:Ada->Bob",), "found “nothing”, expected 1 of"),
        (("R1:Ada->Bob", "Hit", "Miss"), "found “Hit Miss”, expected 1 of"),
    ],
)
@pytest.mark.usefixtures("duel")
def test_what_is_not_drawn_is_refused_with_what_is(words: tuple[str, ...], says: str) -> None:
    before = run("log").stdout
    result = run("draw", *words)
    assert isinstance(result.exception, InputError)
    assert says in str(result.exception)
    assert run("log").stdout == before


def test_the_target_shuffles_and_the_attacker_picks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun(tmp_path / "duel", "--option", "cards=picked")
    monkeypatch.chdir(tmp_path / "duel")
    assert "PICK 2" in run("submit", "Ada", "BOW @ Bob PICK 2 / PASS / BOW @ Bob PICK 4").stderr
    assert run("submit", "Bob", "SHUFFLE 4 1 3 2 5").exit_code == 0
    assert run("draw").stdout.startswith("Nothing is left to draw")
    post = closed().stdout
    assert "drew Hit" in post.partition("Turn 1, round 2")[0]
    assert "drew Miss" in post.partition("Turn 1, round 3")[2]


def test_a_pile_laid_out_by_hand_is_typed_in_card_by_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(tmp_path / "duel", "--option", "cards=picked")
    monkeypatch.chdir(tmp_path / "duel")
    run("submit", "Ada", "BOW @ Bob PICK 3")
    assert "kd.shuffle:R1:Ada->Bob  4 of 1 Hit, 3 Miss" in run("draw").stdout
    assert "expected 4 of" in str(run("draw", "R1:Ada->Bob", "Hit", "Hit", "Miss", "Miss").exception)
    assert run("draw", "R1:Ada->Bob", "Miss", "Miss", "Hit", "Miss").exit_code == 0
    assert "drew Hit" in closed().stdout


def test_a_card_drawn_after_the_deadline_is_for_the_turn_that_ran_out(
    duel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = datetime.now(UTC) + timedelta(hours=60)
    monkeypatch.setattr(SystemClock, "now", lambda _: late)
    assert run("draw", "R1:Ada->Bob", "Hit").exit_code == 0
    post = closed("turn").stdout
    assert "Drawn by hand in turn 1: Ada's card against Bob in round 1: Hit. I drew it myself" in post
    assert "Bob is maimed" in post
    assert "Turn 2 (turn" in run("missing").stdout
    assert len(list((duel / "public").glob("*-turn.txt"))) == 1


def test_there_is_nothing_to_draw_before_the_first_turn(tmp_path: Path) -> None:
    run("new", "knights-duty", *NAMES, "--out", str(tmp_path / "duel"))
    assert run("draw", "--game", str(tmp_path / "duel")).stdout.startswith("Nothing is left to draw")


def test_the_colours_of_a_board_are_no_pile_to_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row can be painted in 3^12 ways: they are counted, never walked through."""
    bout = tmp_path / "bout"
    run("new", "knight-fight", "Ada", "Bob", "--out", str(bout), "--option", "anomalies=C")
    monkeypatch.chdir(bout)
    assert "kf.colors  11 of 531441 such as RRRRRRRRRRRR" in run("draw").stdout
    refused = run("draw", "kf.colors", *["RBY"] * 11)
    assert "expected 11 of 531441" in str(refused.exception)
    assert run("draw", "kf.colors", *["rbyrbyrbyrby", "BYRBYRBYRBYR"] * 5, "RRRRRRRRRRRB").exit_code == 0
    assert run("submit", "Ada", "SIDE: X").exit_code == 0
    assert "Still to draw" in run("draw").stdout or "Nothing is left" in run("draw").stdout


@pytest.mark.few(1)
@pytest.mark.usefixtures("duel")
@pytest.mark.parametrize("target", ["Zed Quill", "bob"])
def test_draws_call_people_as_they_are_called_now_and_take_either_name(target: str) -> None:
    assert run("replace", "Bob", "Zed Quill").exit_code == 0
    listed = run("draw").stdout
    assert "kd.card:R1:Ada->Zed Quill  1 of 1 Hit, 3 Miss" in listed
    assert "Bob" not in listed
    said = run("draw", f"R1:Ada->{target}", "Hit").stdout
    assert "drawn by hand: card, R1, Ada → Zed Quill = Hit. Undo it with" in said
    assert "Bob" not in said
    again = str(run("draw", f"R1:Ada->{target}", "Hit").exception)
    assert "card, R1, Ada → Zed Quill was drawn by hand already: Hit" in again
    assert "found “Heart”" in str(run("draw", f"R2:Ada->{target}", "Heart").exception)
    assert "card, R1, Ada → Zed Quill =" in run("log").stdout
    post = closed("turn").stdout
    assert "Drawn by hand in turn 1: Ada's card against Zed Quill in round 1: Hit." in post


@pytest.mark.parametrize("chosen", ["Zed Quill", "Bob"])
def test_a_name_is_drawn_as_it_is_now_or_as_it_was(chosen: str) -> None:
    draw = Draw("kd.target:R1:Ada", (SlotId("Bob"), SlotId("Cyd")), held={SlotId("Bob"): "Zed Quill"})
    assert draw.expected == "1 of Zed Quill, Cyd"
    assert draw.option_meant(chosen) == "Bob"
    assert draw.option_meant("Yew") == ""
