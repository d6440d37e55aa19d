"""The desk at the moment of truth: refused is not received, nothing closes unseen, no clock plays on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from app.quay import Quay, quay, session_of_test
from fetch.loopback import StillClock
from knightfall.cli import app
from knightfall.engine.journal import Closed, Started, encode
from knightfall.errors import DecisionNeeded
from knightfall.fetch import clock as system_clock
from knightfall.services.new_game import NewGameRequest, begin

ELEVEN = ["Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Hollis", "Iris", "Juniper", "Kestrel", "Lumen"]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> StillClock:
    """A clock that stands until it is turned."""
    still = StillClock()
    monkeypatch.setattr(system_clock, "SystemClock", lambda: still)
    return still


def run(*words: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(app, list(words), input=typed)


def status(result: Result) -> int:
    return getattr(result.exception, "exit_status", result.exit_code)


@pytest.fixture
def court(tmp_path: Path, clock: StillClock, monkeypatch: pytest.MonkeyPatch) -> StillClock:
    """A King's Court of eleven whose King is neither Ada nor Boro; the commands run in its folder."""
    folder = tmp_path / "court"
    request = NewGameRequest("kings_court", tuple(ELEVEN), folder, b"a seed of the desk", b"salt" * 8)
    begin(request, session_of_test(folder, clock))
    monkeypatch.chdir(folder)
    return clock


@pytest.mark.usefixtures("court")
def test_a_refused_message_is_missing_and_its_receipt_says_why_without_codes() -> None:
    sent = run("submit", "Elm", "VOTE: Elm")
    assert status(sent) == 3
    assert "To Elm: I could not take “VOTE: Elm”: you cannot vote for yourself." in sent.stderr
    told = next(Path("private").glob("*receipt*Elm*")).read_text(encoding="utf-8")
    assert "SELF_VOTE" not in told
    missing = run("missing").stdout
    assert "Elm" in missing.splitlines()[0]
    assert "Elm: not taken: “VOTE: Elm”: you cannot vote for yourself" in missing


@pytest.mark.usefixtures("court")
def test_who_takes_the_vote_back_is_missing_again() -> None:
    run("submit", "Elm", "VOTE: Fen")
    assert "Elm" not in run("missing").stdout
    run("submit", "Elm", "UNVOTE")
    assert "Elm" in run("missing").stdout


@pytest.mark.usefixtures("court")
def test_a_commit_says_what_is_missing_and_asks() -> None:
    run("submit", "Elm", "VOTE: Elm")
    asked = run("commit", "vote")
    assert status(asked) == 3
    assert "Nothing was sent by: Ada" in asked.stderr
    assert "Not taken of Elm: “VOTE: Elm”" in asked.stderr
    assert "There was nobody to ask" in str(asked.exception)
    assert "no" in str(run("commit", "vote", typed="no\n").exception)
    assert run("log").stdout.count("closed") == 0
    assert run("commit", "vote", typed="yes\n").exit_code == 0
    assert run("log").stdout.count("closed") == 1


def elect(name: str) -> None:
    """Two vote for the one, nobody for another."""
    for voter in [one for one in ELEVEN if one != name][:2]:
        run("submit", voter, f"VOTE: {name}")
    run("commit", "vote", "--yes")


def test_a_late_message_moves_nothing_and_can_be_said_to_be_in_time(court: StillClock) -> None:
    elect("Boro")
    court.sleep(25 * 3600)
    late = run("submit", "Kestrel", "VOTE: Lumen")
    assert status(late) == 3
    assert "The time of Round 2 was up at" in str(late.exception)
    assert run("log").stdout.count("closed") == 1
    before = (court.now() - timedelta(hours=2)).isoformat()
    assert run("submit", "Kestrel", "VOTE: Lumen", "--at", before).exit_code == 0
    assert run("commit", "vote", "--yes").exit_code == 0
    after = run("submit", "Kestrel", "VOTE: Fen", "--at", before)
    assert "closed what was open at" in str(after.exception)
    ahead = run("submit", "Kestrel", "VOTE: Fen", "--at", (court.now() + timedelta(hours=1)).isoformat())
    assert status(ahead) == 2


def test_when_a_message_was_sent_is_typed_in_words_and_told_in_full(court: StillClock) -> None:
    elect("Boro")
    court.sleep(600)
    sent = run("submit", "Kestrel", "VOTE: Lumen", "--at", "5 min ago")
    assert sent.exit_code == 0, sent.exception
    assert f"As of {court.now() - timedelta(minutes=5):%a %d %b %Y, %H:%M} UTC, 5 min ago." in sent.stderr


def test_nothing_else_that_is_entered_after_the_deadline_closes_a_window(court: StillClock) -> None:
    elect("Boro")
    court.sleep(25 * 3600)
    assert run("rule", "May one whisper?", "No", "--why", "house rule").exit_code == 0
    assert "Round 2 (vote" in run("missing").stdout
    closed = run("commit", "vote", "--yes")
    assert closed.exit_code == 0, closed.exception
    ended = " as of " + (court.now() - timedelta(hours=1)).strftime("%Y-%m-%d %H:%M")
    assert ended in run("log").stdout.replace("\n      ", " ")


def test_a_late_move_of_a_fight_plays_no_other_move(
    tmp_path: Path, clock: StillClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("new", "knight-fight", "Rook", "Kite", "--out", str(tmp_path / "bout"))
    monkeypatch.chdir(tmp_path / "bout")
    run("submit", "Rook", "SIDE: X")
    clock.sleep(15 * 60)
    late = run("submit", "Rook", "E4")
    assert status(late) == 3
    assert not list(Path("public").glob("*turn*"))


def test_an_older_journal_keeps_its_digests() -> None:
    assert "timeouts" not in encode(Started("kings_court", ()))["fields"]
    assert "ended" not in encode(Closed("vote"))["fields"]
    moment = datetime.fromisoformat("2026-11-24T20:00:00+00:00")
    assert encode(Closed("vote", ended=moment))["fields"]["ended"] == moment.isoformat()


@pytest.fixture
def harbour(tmp_path: Path) -> Iterator[Quay]:
    with quay(tmp_path) as found:
        yield found


def test_a_mafia_without_a_kill_is_told_before_the_night_is_closed(harbour: Quay) -> None:
    from knightfall.services.turns import close, look

    seen = look("night", harbour.session)
    assert "The mafia has no kill planned." in seen.doubts
    assert any(doubt.startswith("Nothing was sent by: ") for doubt in seen.doubts)
    close("night", "plain", harbour.session)


@pytest.mark.usefixtures("court")
def test_a_tie_of_the_court_is_closed_at_its_time_alone() -> None:
    run("commit", "vote", "--yes")  # nobody has a vote: all are tied
    early = run("commit", "tie", "--yes")
    assert isinstance(early.exception, DecisionNeeded)
    assert run("commit", "tie", "--yes", "--why", "the King has answered").exit_code == 0
    assert "closed before its time" in run("log").stdout.replace("\n      ", " ")


@pytest.mark.usefixtures("court")
def test_an_undone_closing_says_what_goes_with_it_and_its_texts_are_void() -> None:
    elect("Boro")
    posts = {file.name for file in Path("public").iterdir()}
    asked = run("undo", "--why", "too early")
    assert status(asked) == 3
    assert "Open again then: Round 1." in asked.stderr
    assert "Its texts are void" in asked.stderr
    done = run("undo", "--why", "too early", typed="yes\n")
    assert done.exit_code == 0, done.exception
    left = {file.name for file in Path("public").iterdir()}
    void = {file.name for file in Path("private/void/public").iterdir()}
    assert void and void == posts - left
    assert "Round 1 (vote" in run("missing").stdout
    assert run("undo", "--why", "it was right", "--yes").exit_code == 0
    assert {file.name for file in Path("public").iterdir()} == posts


@pytest.mark.usefixtures("court")
def test_taking_the_beginning_back_is_asked_and_one_line_is_not() -> None:
    run("submit", "Ada", "VOTE: Boro")
    assert run("undo", "--why", "mistyped").exit_code == 0
    whole = run("undo", "1", "--why", "wrong post")
    assert status(whole) == 3
    assert "This is the game itself: all of it is taken back." in whole.stderr


def test_status_says_what_is_open_who_is_awaited_and_what_comes_next(court: StillClock) -> None:
    first = run("status").stdout
    assert "Open: Round 1 (vote)" in first
    assert "Alive (11): Ada, Boro," in first
    assert first.rstrip().splitlines()[-1].strip() == "knightfall missing --draft"
    elect("Boro")
    court.sleep(25 * 3600)
    over = run("status").stdout
    assert "over for 1 h" in over
    assert over.rstrip().splitlines()[-1].strip() == "knightfall commit vote"


@pytest.mark.usefixtures("court")
def test_status_names_what_was_posted_and_is_void() -> None:
    elect("Boro")
    assert run("post", "results", "--posted").exit_code == 0
    assert "Posted: results 1." in run("status").stdout
    rows = run("log").stdout.splitlines()
    number = next(row.split()[0] for row in rows if row.endswith("vote closed"))
    run("undo", number, "--why", "too early", "--yes")
    assert "Void, tell your players: results 1." in run("status").stdout
