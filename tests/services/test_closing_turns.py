"""The desk at the moment of truth: refused is not received, nothing closes unseen, no clock plays on."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import Result

from begun import begin
from command_line import CliRunner
from fetch.loopback import StillClock
from knightfall.cli import app
from knightfall.engine.entries import Closed, Started, encode
from knightfall.engine.heads import without_line
from knightfall.errors import DecisionNeeded
from knightfall.fetch import clock as system_clock
from knightfall.services.now import now_of
from knightfall.services.requests import NewGameRequest
from services.first_night import Quay, quay, session_of_test

ROOT = Path(__file__).parents[2]
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
    assert "To Elm: I could not accept “VOTE: Elm”: you cannot vote for yourself." in sent.stderr
    told = next(Path("private").glob("*receipt*Elm*")).read_text(encoding="utf-8")
    assert "SELF_VOTE" not in told
    missing = run("missing").stdout
    assert "Elm" in missing.splitlines()[0]
    assert "Elm: refused: “VOTE: Elm”: you cannot vote for yourself" in missing


@pytest.mark.usefixtures("court")
def test_a_message_of_nobody_is_a_question() -> None:
    assert status(run("submit", "Nobody", "VOTE: Ada")) == 3


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
    assert "Nothing is on file from: Ada" in asked.stderr
    assert "Refused from Elm: “VOTE: Elm”" in asked.stderr
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
    assert "Round 2 ended at" in str(late.exception)
    assert run("log").stdout.count("closed") == 1
    before = (court.now() - timedelta(hours=2)).isoformat()
    assert run("submit", "Kestrel", "VOTE: Lumen", "--at", before).exit_code == 0
    assert run("commit", "vote", "--yes").exit_code == 0
    after = run("submit", "Kestrel", "VOTE: Fen", "--at", before)
    assert status(after) == 3
    assert "in time for Round 2, which entry" in str(after.exception)
    assert "come out otherwise" in str(after.exception)
    lines = run("log").stdout.count("closed")
    placed = run("submit", "Kestrel", "VOTE: Fen", "--at", before, "--late")
    assert placed.exit_code == 0 and "Written again: " in placed.stderr
    assert run("log").stdout.count("closed") == lines
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
    from knightfall.services.window.turns import close, look

    seen = look("night", harbour.session)
    assert "The mafia has no kill planned." in seen.doubts
    assert any(doubt.startswith("Nothing is on file from: ") for doubt in seen.doubts)
    close("night", "plain", harbour.session)


@pytest.mark.usefixtures("court")
def test_a_tie_of_the_court_is_closed_at_its_time_alone() -> None:
    run("commit", "vote", "--yes")  # nobody has a vote: all are tied
    told = str(run("post", "results").exception)
    assert "its post comes when Tie of round 1 is closed" in told
    for early in (run("commit", "tie", "--yes"), run("commit", "tie")):
        assert isinstance(early.exception, DecisionNeeded)
        assert "give a reason: --why" in str(early.exception)
        assert "anyway?" not in early.stderr
    assert run("commit", "tie", "--yes", "--why", "the King has answered").exit_code == 0
    assert "closed before its time" in run("log").stdout.replace("\n      ", " ")


@pytest.mark.usefixtures("court")
def test_an_undone_closing_says_what_goes_with_it_and_its_texts_are_void() -> None:
    elect("Boro")
    posts = {file.name for file in Path("public").iterdir()}
    asked = run("undo", "--why", "too early")
    assert status(asked) == 3
    assert "This reopens: Round 1." in asked.stderr
    assert "These texts would no longer be valid" in asked.stderr
    done = run("undo", "--why", "too early", typed="yes\n")
    assert done.exit_code == 0, done.exception
    left = {file.name for file in Path("public").iterdir()}
    void = {file.name for file in Path("private/void/public").iterdir()}
    assert void and void == posts - left
    assert "Round 1 (vote" in run("missing").stdout
    assert run("undo", "--why", "it was right", "--yes").exit_code == 0
    assert {file.name for file in Path("public").iterdir()} == posts


@pytest.mark.usefixtures("court")
def test_what_is_taken_back_under_a_closing_is_asked_and_the_closing_is_written_anew() -> None:
    elect("Boro")
    last_vote = max(int(row.split()[0]) for row in run("log").stdout.splitlines() if "sends: VOTE" in row)
    closed = str(last_vote + 1)
    run("post", "results", "--posted")
    posts = f"{closed:0>3}-*-round.txt"
    [before] = Path("public").glob(posts)
    said = without_line(before.read_text("utf-8"))
    asked = run("undo", str(last_vote), "--why", "it was a joke")
    assert status(asked) == 3
    assert f"These would have a different result: {closed} (round 1 closed)." in asked.stderr
    assert "Posted since (tell your players what no longer applies): results 1." in asked.stderr

    done = run("undo", str(last_vote), "--why", "it was a joke", "--yes")
    assert done.exit_code == 0, done.exception
    [now] = Path("public").glob(posts)
    assert without_line(now.read_text("utf-8")) != said
    assert f"public/{now.name}" in done.stderr.partition("Written again:")[2]
    assert "No longer valid (tell your players): results 1." in run("status").stdout
    assert run("undo", "--why", "it was none", "--yes").exit_code == 0
    [again] = Path("public").glob(posts)
    assert (again.name, without_line(again.read_text("utf-8"))) == (before.name, said)
    assert "Void" not in run("status").stdout


def test_a_dawn_that_is_void_comes_next_again_until_another_was_posted(
    tmp_path: Path, clock: StillClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "night"
    players = (*ELEVEN, "Moth", "Nettle", "Opal", "Pike", "Quill", "Rook", "Sorrel")
    request = NewGameRequest("knight_errant", players, folder, b"a seed of the desk", b"salt" * 8)
    begin(request, session_of_test(folder, clock))
    monkeypatch.chdir(folder)
    run("submit", "moderator", "no elimination")
    run("commit", "day", "--yes")
    dealt = json.loads(Path("private/deal.json").read_text("utf-8"))["cards"]
    goon, other = [name for name, card in dealt.items() if card.startswith("Mafia")][:2]
    town = [name for name, card in dealt.items() if card == "Vanilla Townie"]
    run("submit", goon, f"kill {town[0]}")
    run("submit", other, f"kill {town[1]}")
    # Nobody is asked for a message of an open night, whatever the other's receipt said of it.
    first = next(row.split()[0] for row in run("log").stdout.splitlines() if f"{goon} sends" in row)
    assert run("undo", first, "--why", "mistyped").exit_code == 0
    assert run("commit", "night", "--yes").exit_code == 0
    run("post", "dawn", "--posted")
    assert "post dawn --posted" not in run("status").stdout
    last = next(row.split()[0] for row in run("log").stdout.splitlines() if f"{other} sends" in row)
    assert run("undo", last, "--why", "not from them", "--yes").exit_code == 0
    void = run("status").stdout
    assert "No longer valid (tell your players): dawn 1." in void and "post dawn --posted" in void
    assert town[1] not in run("post", "dawn", "--posted").stdout
    assert "Void" not in run("status").stdout


@pytest.mark.usefixtures("court")
def test_what_was_bought_before_anything_was_closed_is_no_role_pm() -> None:
    run("submit", "moderator", "garnets Elm 20")
    run("submit", "Elm", "ANNOYED?")
    assert run("pm", "results").stdout.splitlines()[1].endswith("your results")
    assert "PMs not sent: role PMs (11), results before anything was closed (2)." in run(
        "status"
    ).stdout.replace("\n  ", " ")


@pytest.mark.usefixtures("court")
def test_a_pm_that_was_left_out_of_earlier_results_is_not_forgotten() -> None:
    run("submit", "moderator", "garnets Elm 20")
    run("submit", "moderator", "garnets Boro 20")
    assert run("pm", "mark", "sent", "Elm", "--batch", "result-e0").exit_code == 0
    elect("Ada")
    run("submit", "moderator", "garnets Fen 20")
    assert "results before anything was closed (1)" in run("status").stdout.replace("\n  ", " ")


@pytest.mark.usefixtures("court")
def test_the_log_calls_a_sender_by_the_name_they_have_now() -> None:
    run("replace", "Boro", "Zed", "--why", "left")
    run("submit", "Zed", "VOTE: Ada")
    assert "Zed (was Boro) sends: VOTE: Ada" in " ".join(run("log").stdout.split())


def test_a_line_of_the_moderator_that_is_taken_is_said_to_be(
    tmp_path: Path, clock: StillClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "night"
    request = NewGameRequest("empowered", tuple(ELEVEN[:9]), folder, b"a seed of the desk", b"salt" * 8)
    begin(request, session_of_test(folder, clock))
    monkeypatch.chdir(folder)
    for row in run("missing").stdout.partition("Missing: ")[2].partition(".")[0].split(", "):
        run("submit", row, "role Strongman")
    assert run("commit", "--yes").exit_code == 0
    # Who was dealt no role since is still owed the first PM.
    assert "PMs not sent: role PMs (7), second role PMs (2)" in run("status").stdout
    assert 'knightfall submit moderator "eliminate …"' in run("status").stdout
    assert 'Say it with: knightfall submit moderator "…"' in str(run("commit", "--yes").exception)
    taken = run("submit", "moderator", "tie Ada, Elm")
    assert taken.exit_code == 0
    assert "Recorded as entry " in taken.stderr


@pytest.mark.usefixtures("court")
def test_taking_the_beginning_back_is_asked_and_one_line_is_not() -> None:
    run("submit", "Ada", "VOTE: Boro")
    assert run("undo", "--why", "mistyped").exit_code == 0
    whole = run("undo", "1", "--why", "wrong post")
    assert status(whole) == 3
    assert "This entry started the game, so the whole game is undone." in whole.stderr


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
    number = next(row.split()[0] for row in rows if row.endswith("round 1 closed"))
    run("undo", number, "--why", "too early", "--yes")
    assert "No longer valid (tell your players): results 1." in run("status").stdout


@pytest.mark.usefixtures("court")
def test_commit_alone_closes_what_has_its_time_and_not_what_is_always_open() -> None:
    """The shop of the court is open for the whole match and awaits nobody."""
    assert "Garnets (shop)" in run("missing").stdout
    assert run("commit", "--yes").exit_code == 0
    assert "Tie of round 1" in run("missing").stdout


@pytest.mark.usefixtures("court")
def test_yes_closes_and_says_all_the_same_who_was_silent() -> None:
    run("submit", "Ada", "VOTE: Boro")
    closed = run("commit", "--yes")
    assert closed.exit_code == 0
    assert "Nothing is on file from: Boro, Cinder" in closed.stderr


@pytest.mark.usefixtures("court")
def test_what_is_taken_back_first_is_the_closing_and_not_its_reason() -> None:
    run("commit", "vote", "--yes")
    run("commit", "tie", "--yes", "--why", "the King has answered")
    assert "Entry" in (asked := run("undo", "--why", "no, wait").stderr)
    assert "This reopens: Tie of round 1." in asked


@pytest.fixture
def kettle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The game of the guide, its first day read to the hammer; the commands run in its folder."""
    shutil.copytree(ROOT / "fixtures" / "demo" / "kettle", tmp_path / "kettle")
    monkeypatch.chdir(tmp_path / "kettle")
    url = "https://forum.example/viewtopic.php?t=4711"
    names = ("Alder", "Bryony", "Clover", "Dill", "Elder", "Fennel")
    begin = (
        "new",
        "custom-mafia",
        *names,
        "--title",
        "Kettle Lane",
        "--setup",
        "setup.toml",
        "--out",
        "lane",
    )
    made = (*begin, "--out", "lane", "--site", "phpbb", "--moderator", "Wren", "--thread", f"game={url}")
    monkeypatch.setattr("secrets.token_bytes", lambda size: b"7" * size)  # Clover is no mafioso
    run(*made)
    monkeypatch.chdir(tmp_path / "kettle" / "lane")
    run("phase", "open", "day", "1", "--ends", "2024-04-07 20:00", "--past")
    run("read", "--from-html", "../day-1.html")
    run("fix", "7", "--to", "Clover", "--why", "asked by PM")
    return tmp_path / "kettle" / "lane"


def closed_by(*words: str, typed: str | None = None) -> tuple[object, dict[str, str]]:
    """Close the day with these words: what stands in the journal, and every text; then take it back."""
    before = {file.name for file in Path("public").iterdir()}
    done = run(*words, typed=typed)
    assert done.exit_code == 0, done.exception
    table = now_of(session_of_test(Path(), StillClock())).running
    [entry] = [record.entry for record in table.journal[-1:]]
    texts = {
        file.name.partition("-")[2]: without_line(file.read_text("utf-8"))
        for file in Path("public").iterdir()
        if file.name not in before
    }
    run("undo", "--why", "once more", "--yes")
    return entry, texts


@pytest.mark.usefixtures("kettle")
def test_a_day_is_closed_alike_by_commit_and_by_the_close_of_the_phase() -> None:
    by_phase = closed_by("phase", "close", "--stored", typed="Clover\n")
    assert isinstance(by_phase[0], Closed) and "\n".join(by_phase[0].lines) == "eliminate Clover"
    Path("public/votecount-1.F.txt").unlink()
    for words, typed in (
        (("commit", "--stored"), "clover\n"),
        (("commit", "day", "--stored"), "Clover\n"),
        (("commit", "day", "--stored", "--yes"), None),
    ):
        assert closed_by(*words, typed=typed) == by_phase
        Path("public/votecount-1.F.txt").unlink()


@pytest.mark.usefixtures("kettle")
def test_a_closing_opens_what_comes_next_and_writes_its_post_and_nothing_where_the_time_is_none() -> None:
    wrong = run("commit", "--stored", "--yes", "--next-ends", "25:00")
    assert status(wrong) == 2
    assert "Open: Day 1" in run("status").stdout
    ends = datetime.now(UTC) + timedelta(days=2)
    done = run("commit", "--stored", "--yes", "--next-ends", f"{ends:%Y-%m-%d} 20:00", "--posted")
    assert done.exit_code == 0, done.exception
    assert done.stdout.startswith("[b]Day 1 voting is over.[/b]")
    assert f"must reach me by {ends:%a %d %b %Y}, 20:00 UTC" in done.stdout
    standing = run("status").stdout
    assert f"Open: Night 1 (night), until {ends:%d %b} 20:00 UTC" in standing
    assert "Alive (5): Alder, Bryony, Dill, Elder, Fennel." in standing
    assert "Dead (1): Clover (eliminated, day 1)." in standing
    assert "Posted: end-of-day 1." in standing
