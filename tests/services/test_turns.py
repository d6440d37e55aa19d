"""`knightfall new`, `submit`, `commit`, `submissions`, `missing` and `games`: a game of a folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import Result

from begun import new_game
from command_line import CliRunner
from fetch.loopback import StillClock
from knightfall.cli import app
from knightfall.engine.entries import Removed, Revived
from knightfall.errors import DecisionNeeded, InputError, StateDamaged
from knightfall.games import GAMES
from knightfall.sentence import SlotId
from knightfall.services.session import journal_of
from knightfall.services.window.turns import enter
from services.first_night import session_of_test

NAMES = ("Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Hollis", "Iris", "Juniper", "Kestrel", "Lumen")


def run(*words: str, text: str | None = None) -> Result:
    return CliRunner().invoke(app, list(words), input=text)


@pytest.fixture
def court(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A King's Court that was begun, and in whose folder we stand."""
    folder = new_game(tmp_path / "court", "kings-court", *NAMES, "--title", "Salt Court")
    monkeypatch.chdir(folder)
    return folder


def test_every_game_on_board_is_listed_and_can_be_begun(tmp_path: Path) -> None:
    listed = run("games").stdout
    assert max(map(len, listed.splitlines())) <= 80
    for game in GAMES:
        assert f"\n{game.spec.id} " in listed
        names = [f"Player {number}" for number in range(1, game.spec.players[0] + 1)]
        made = run("new", game.spec.id, *names, "--out", str(tmp_path / game.spec.id))
        assert made.stdout.startswith(
            f"Created {tmp_path / game.spec.id}: {game.spec.name}, {len(names)} players"
        )


def test_a_new_game_has_its_file_its_proof_and_its_first_texts(court: Path) -> None:
    assert 'kind = "kings_court"\ntitle = "Salt Court"' in (court / "game.toml").read_text()
    assert (court / "private" / "deal.json").stat().st_mode & 0o077 == 0
    proof = json.loads((court / "private" / "deal.json").read_text())
    assert proof["commitment"] in (court / "public" / "commitment.txt").read_text()
    assert (court / "public" / "001-01-opening.txt").read_text().startswith("King's Court")
    pms = sorted(file.name for file in (court / "private").glob("*-role_pm-*.txt"))
    assert len(pms) == len(NAMES)
    assert run("fair", "verify", "private/deal.json").exit_code == 0


@pytest.mark.usefixtures("court")
def test_messages_are_taken_in_and_the_round_is_closed() -> None:
    assert "On file for round 1: VOTE: Boro" in run("submit", "ada", "VOTE: Boro").stderr
    assert "Refused: “VOTE: Elm”: you cannot vote for yourself" in run("submit", "Elm", "VOTE: Elm").stderr
    assert "VOTE: Cinder" in run("submit", "Fen", "-", text="[b]vote: cin[/b]\n").stderr
    assert "Missing: Boro, Cinder, Dusk, Elm, Hollis" in run("missing").stdout
    assert "[b]vote: cin[/b]" in run("submissions").stdout
    for name in ("Boro", "Cinder", "Dusk"):
        run("submit", name, "VOTE: Ada")
    closed = run("commit", "vote", "--yes", "--as", "phpbb")
    assert "[b]Ada[/b] joins the court" in closed.stdout
    assert "Fen" not in closed.stdout.partition("joins")[2]
    assert run("submissions").stdout.strip() == "No messages in the current phase."


def test_what_goes_out_lies_in_public_and_nothing_secret_does(court: Path) -> None:
    run("submit", "Ada", "VOTE: Boro")
    assert [file.name for file in (court / "public").glob("002-*")] == []
    [receipt] = (court / "private").glob("002-*-receipt-Ada.txt")
    assert "VOTE: Boro" in receipt.read_text()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("submit", "Zed", "VOTE: Ada"), "No player is called “Zed”"),
        (("submit", "Ada", ""), "The message is empty"),
        (("commit", "--yes", "night"), "“night” is not open"),
        (("new", "kings-court", *NAMES, "--out", "."), "contains a game already"),
        (("new", "chess", "Ada", "--out", "x"), "There is no game called “chess”. Games: knight_errant"),
        (("new", "kings-court", "Ada", "--out", "x"), "11"),
        (("new", "kings-court", *NAMES, "--out", "x", "--option", "kc"), "expected NAME=VALUE"),
        (("new", "kings-court", *NAMES, "--out", "x", "--option", "kc_0=1"), "no option “kc_0”"),
    ],
)
@pytest.mark.usefixtures("court")
def test_what_cannot_be_done_says_why(words: tuple[str, ...], says: str) -> None:
    result = run(*words)
    assert isinstance(result.exception, DecisionNeeded if "Zed" in words else InputError)
    assert says in str(result.exception)


def test_a_night_that_cannot_be_closed_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"Player {number}" for number in range(1, 19)]
    run("new", "knight-errant", *names, "--out", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    result = run("commit", "day", "--yes")
    assert isinstance(result.exception, DecisionNeeded)
    assert "Nothing was closed." in str(result.exception)
    assert "UNDECIDED" not in str(result.exception)
    assert len(run("log").stdout.splitlines()) == 1
    run("submit", "moderator", "no elimination")
    assert run("commit", "day", "--yes").exit_code == 0


def test_an_entry_that_the_game_refuses_is_not_written(court: Path) -> None:
    session = session_of_test(court, StillClock())
    before = journal_of(session)
    with pytest.raises(DecisionNeeded, match="Nothing was written"):
        enter(Revived(SlotId("Ada")), "plain", session)
    assert journal_of(session) == before
    # So it is said by the line that the entry stands for, and one that the game takes is written.
    record, receipt = enter(Removed(SlotId("Ada")), "plain", session, allow="they asked for it")
    assert (record.number, receipt is not None) == (len(before) + 1, True)
    with pytest.raises(DecisionNeeded, match="Nothing was written"):
        enter(Removed(SlotId("Ada")), "plain", session)


def test_a_seed_that_was_changed_or_lost_is_damage(court: Path) -> None:
    (court / "private" / "deal.json").write_text("{}")
    assert isinstance(run("missing").exception, StateDamaged)
    (court / "private" / "deal.json").unlink()
    assert "It holds the random seed of the game" in str(run("missing").exception)


def test_a_folder_without_a_game_says_how_to_begin_one(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text("schema = 1\n")
    assert "There is no game in" in str(run("missing", "--game", str(tmp_path)).exception)


@pytest.mark.usefixtures("court")
def test_a_name_or_a_number_is_explained_from_the_journal_as_of_any_entry() -> None:
    for name in ("Boro", "Cinder", "Dusk"):
        run("submit", name, "VOTE: Ada")
    run("commit", "vote", "--yes")
    shown = run("explain", "Ada").stdout
    assert "2  Boro sends: VOTE: Ada" in shown
    assert "Boro, receipt:" in shown
    assert "joins the court" in shown
    assert "joins the court" not in run("explain", "Ada", "--at", "4").stdout
    assert max(map(len, shown.splitlines())) <= 80
    told = json.loads(run("explain", "Ada", "--json").stdout)
    assert (told["about"], [entry["entry"] for entry in told["entries"]][:2]) == ("Ada", [1, 2])
    receipt = next(one for one in told["entries"][1]["told"] if one["kind"] == "receipt")
    assert receipt["whose"] == "Boro" and "Ada" in receipt["line"]
    assert "expected an entry from 1 to 5" in str(run("explain", "Ada", "--at", "9").exception)
    assert "Nothing so far mentions" in str(run("explain", "Zed").exception)


def test_the_board_of_a_game_is_drawn_as_everybody_sees_it(court: Path) -> None:
    for name in ("Boro", "Cinder", "Dusk"):
        run("submit", name, "VOTE: Ada")
    run("commit", "vote", "--yes")
    [drawn] = run("plot", "board").stdout.split()
    assert Path(drawn).name == "board-005.svg"
    assert (court / "public" / "board-005.svg").read_text().startswith("<svg")
    assert run("plot", "board", "--out", "court.png").exit_code == 0
    assert (court / "court.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("game", ["knights-duty", "knight-fight", "knight-errant"])
def test_a_board_is_drawn_where_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    amount = {"knight-errant": 18}.get(game, 2)
    run("new", game, *(f"Player {number}" for number in range(1, amount + 1)), "--out", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    result = run("plot", "board")
    if game == "knights-duty":
        assert Path(result.stdout.strip()).exists()
    else:
        says = {"knight-errant": "has no board to draw", "knight-fight": "No bout has begun"}[game]
        assert says in str(result.exception)
