"""Mistakes of a moderator of a Knight Fight, and of any game where they came up there, by the commands that
are typed."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from begun import begin
from fetch.loopback import StillClock
from knightfall.fetch import clock as system_clock
from knightfall.services.requests import NewGameRequest
from playthroughs.test_late_mistakes import run, said, status
from services.first_night import session_of_test


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> StillClock:
    still = StillClock()
    monkeypatch.setattr(system_clock, "SystemClock", lambda: still)
    return still


@pytest.fixture
def duel(tmp_path: Path, clock: StillClock, monkeypatch: pytest.MonkeyPatch) -> StillClock:
    """Ada is X, Boro is O; an hour for each move, half an hour of reserve, manure and traps."""
    folder = tmp_path / "duel"
    request = NewGameRequest(
        "knight_fight",
        ("Ada", "Boro"),
        folder,
        b"a seed of the duel",
        b"salt" * 8,
        moderators=("Wren",),
        options={"anomalies": "A+H", "move_time": "1h", "reserve": "30m"},
    )
    begin(request, session_of_test(folder, clock))
    monkeypatch.chdir(folder)
    assert run("submit", "Ada", "SIDE: X").exit_code == 0
    return clock


@pytest.mark.usefixtures("duel")
def test_the_log_names_who_left_a_slot_that_changed_hands_twice() -> None:
    run("replace", "Boro", "Cinder")
    run("submit", "Cinder", "TRAP: E4")
    run("replace", "Cinder", "Boro")
    run("submit", "Boro", "TRAP: G4")
    log = said(run("log"))
    assert "Cinder replaces Boro" in log
    assert "Cinder (was Boro) sends: TRAP: E4" in log
    assert "Boro replaces Cinder" in log
    assert "Boro sends: TRAP: G4" in log


@pytest.mark.usefixtures("duel")
def test_where_several_things_are_open_the_commands_that_close_one_are_named() -> None:
    told = said(run("commit", "--yes"))
    assert "knightfall commit trap or knightfall commit turn" in told


@pytest.mark.usefixtures("duel")
def test_a_closing_without_a_text_says_that_it_is_closed() -> None:
    told = said(run("commit", "trap", "--yes"))
    assert "A trap against move 1 is closed (entry 3). Undo it with: knightfall undo 3" in told


@pytest.mark.usefixtures("duel")
def test_an_entry_that_was_taken_back_names_the_undo_that_brings_it_back() -> None:
    run("submit", "Boro", "TRAP: E4")
    run("undo", "3", "--yes", "--why", "not theirs")
    told = said(run("undo", "3", "--why", "again"))
    assert 'Entry 3 was taken back already. To let it count again: knightfall undo 4 --why "…"' in told


@pytest.mark.usefixtures("duel")
def test_the_first_post_stays_valid_when_a_side_is_chosen_anew() -> None:
    run("post", "opening", "--posted")
    run("undo", "2", "--yes", "--why", "they meant O")
    run("submit", "Ada", "SIDE: O")
    assert "No longer valid" not in said(run("status"))


def test_a_moderator_does_not_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for game, rest in (("knight-fight", ()), ("kings-court", tuple("ABCDEFGHI"))):
        refused = run("new", game, "Ada", "Wren", *rest, "--out", "game", "--moderator", "wren")
        assert status(refused) == 2
        assert "Wren is a moderator of this game and cannot play in it" in said(refused)
        assert not Path("game").exists()


def test_a_move_in_the_reserve_is_not_called_late_by_the_end_of_the_trap(duel: StillClock) -> None:
    duel.sleep(75 * 60)
    told = said(run("submit", "Ada", "E4"))
    assert "Nothing was recorded: A trap against move 1 ended at 21 Nov 13:00 UTC and has to be" in told
    assert "closed first: knightfall commit trap" in told
    assert "in time" not in told
    when = told.partition('--at "')[2].partition('"')[0]
    assert run("commit", "trap", "--yes").exit_code == 0
    duel.sleep(600)
    moved = said(run("submit", "Ada", "E4", "--at", when))
    assert "Move 1: X E4." in moved
    assert "X 15:00, O 30:00" in moved


def test_a_move_after_its_own_deadline_is_told_that_deadline(duel: StillClock) -> None:
    duel.sleep(91 * 60)
    told = said(run("submit", "Ada", "E4"))
    assert "Move 1 ended at 21 Nov 13:30 UTC, 1 min before this message" in told
    assert "knightfall commit turn" in told
    assert '--at "2026-11-21 13:30+0000"' in told
    assert run("commit", "turn", "--yes").exit_code == 0
    assert "closed as of 2026-11-21 13:30 UTC" in said(run("log"))


def test_a_side_that_is_not_chosen_yet_is_not_closed_in_silence(
    tmp_path: Path, clock: StillClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "sides"
    begin(
        NewGameRequest(
            "knight_fight", ("Ada", "Boro"), folder, b"s" * 32, b"t" * 32, options={"move_time": "24h"}
        ),
        session_of_test(folder, clock),
    )
    monkeypatch.chdir(folder)
    clock.sleep(3600)
    refused = run("commit", "--yes")
    assert status(refused) == 3
    told = " ".join(said(refused).split())
    assert "Choice of sides for bout 1 is open until 22 Nov 12:00 UTC, 23 h left." in told
    assert "Who has not chosen yet: Ada." in told and "give a reason: --why" in told
    assert status(run("commit", "--yes", "--why", "she asked for it")) == 0
    assert "she asked for it" in said(run("log"))


@pytest.mark.usefixtures("duel")
def test_a_new_deadline_is_that_of_its_own_window() -> None:
    told = said(run("phase", "extend", "turn", "--by", "2h"))
    assert "Move 1 now ends: Sat 21 Nov 2026, 15:30 UTC" in told
    assert "trap" not in told
    assert "A trap against move 1 (trap, until 21 Nov 13:00 UTC" in " ".join(said(run("missing")).split())


@pytest.mark.usefixtures("duel")
def test_a_receipt_asks_for_no_move_that_is_on_file_and_answers_the_same_line_again() -> None:
    told = said(run("submit", "Ada", "E4\nthanks"))
    assert "For move 1 I have: E4." in told
    assert "It is your move" not in told
    assert "For move 1 I have: E4." in said(run("submit", "Ada", "E4"))


def test_a_pasted_pm_is_read_without_its_head(duel: StillClock, tmp_path: Path) -> None:
    pm = tmp_path / "pm.txt"
    pm.write_text("From: Ada\nTo: Wren\nSent: Sat Nov 21\nSubject: Re: move\n\nE4\n", encoding="utf-8")
    refused = run("submit", "Boro", "--from", str(pm))
    assert status(refused) == 3
    assert "By its first lines this PM is from Ada, not from Boro, so nothing was recorded." in said(refused)
    taken = run("submit", "Ada", "--from", str(pm))
    assert status(taken) == 0
    assert "I could not accept" not in said(taken)
    assert "For move 1 I have: E4." in said(taken)
    assert "Its head says “Sat Nov 21”, which is not a time: it is recorded as sent now." in said(taken)
    pm.write_text("From: Ada\nSubject: Re: move\n\nE55\n", encoding="utf-8")
    assert status(run("submit", "Ada", "--from", str(pm))) == 3
    assert len(duel.waited) == 0


def test_a_pasted_pm_was_sent_when_its_head_says(duel: StillClock, tmp_path: Path) -> None:
    began, now = (duel.now() + timedelta(minutes=minutes) for minutes in (10, 90))
    pm = tmp_path / "pm.txt"
    pm.write_text(f"From: Ada\nSent: {now + timedelta(hours=3):%b %d, %Y %I:%M %p}\n\nE4\n", encoding="utf-8")
    refused = run("submit", "Ada", "--from", str(pm))
    assert status(refused) == 3
    assert "still to come: the head shows another clock than the game's. Nothing was recorded" in said(
        refused
    )
    duel.sleep(5400)  # the hour for the move is over
    assert status(run("submit", "Ada", "E4")) == 3
    pm.write_text(f"From: Ada\nSent: {began:%b %d, %Y %I:%M %p}\n\nE4\n", encoding="utf-8")
    taken = run("submit", "Ada", "--from", str(pm))
    assert status(taken) == 0
    assert f"It is recorded as sent on {began:%d %b %H:%M} UTC, as its head says." in said(taken)


@pytest.mark.usefixtures("duel")
def test_a_trap_that_may_still_change_is_not_closed_while_the_move_is_awaited() -> None:
    run("submit", "Boro", "TRAP: E4")
    assert "knightfall commit trap" not in said(run("status"))


def test_a_stand_in_is_offered_no_square_of_their_own_trap(
    duel: StillClock,
) -> None:
    run("submit", "Boro", "TRAP: E4")
    duel.sleep(91 * 60)
    run("commit", "turn", "--yes")
    told = said(run("submit", "Boro", "FOR X: A1"))
    assert "that is not a knight's move from a knight of your rival's" in told
    assert "You can change it" not in told
    assert "You can move for X: G4, D5," in told


@pytest.mark.usefixtures("duel")
def test_whose_move_is_on_file_is_not_awaited_for_a_trap() -> None:
    run("submit", "Ada", "E4")
    assert "Missing: Boro. If" in said(run("missing"))


@pytest.mark.usefixtures("duel")
def test_a_paused_move_is_not_said_to_have_had_no_deadline_and_a_move_of_before_is_not_open() -> None:
    run("phase", "stop", "turn", "--why", "the forum is down")
    told = said(run("phase", "extend", "turn", "--by", "1h"))
    assert "Move 1 is paused, so --by cannot be used." in told
    assert "“turn 7” is not open" in said(run("phase", "extend", "turn", "7", "--by", "1h"))


def test_a_message_of_long_ago_names_the_first_closing_since(duel: StillClock) -> None:
    duel.sleep(91 * 60)
    run("commit", "turn", "--yes")
    duel.sleep(61 * 60)
    run("commit", "stand_in", "--yes")
    assert "which entry 3 closed" in said(run("submit", "Boro", "TRAP: E4", "--at", "2026-11-21 13:15"))


def test_a_draw_of_one_of_many_is_listed_without_numbers(duel: StillClock) -> None:
    duel.sleep(91 * 60)
    run("commit", "turn", "--yes")
    assert "1 of D5, D7, E4, E8, G4, G8, H5, H7" in said(run("draw"))


def test_a_knight_that_fell_is_not_replaced(
    tmp_path: Path, clock: StillClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "duty"
    names = ("Ada", "Boro", "Cinder")
    begin(
        NewGameRequest("knights_duty", names, folder, b"a seed of the duty", b"salt" * 8),
        session_of_test(folder, clock),
    )
    monkeypatch.chdir(folder)
    run("commit", "--yes")
    assert run("submit", "moderator", "MODKILL Boro").exit_code == 0
    refused = run("replace", "Boro", "Dill")
    assert status(refused) == 2
    assert "is out of the game, so there is nobody to replace" in said(refused)


SETUP = """schema = 1
[[slots]]
role = "Mafia Goon"
[[slots]]
role = "{role}"
[[slots]]
role = "Vanilla Townie"
fill = true
"""


def test_a_role_that_there_is_not_is_told_before_a_folder_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("marsh.toml").write_text(SETUP.format(role="Serial Kiler"), encoding="utf-8")
    refused = run("new", "custom-mafia", "Marsh", "--setup", "marsh.toml")
    assert status(refused) == 2
    assert "the nearest is Serial Killer" in said(refused)
    assert not Path("marsh").exists()
    mistyped = run("new", "custom-mafia", "Marsh", "--setup", "marsh.tml")
    assert "--setup marsh.tml: expected a setup's code, or a file: .toml, or .txt" in said(mistyped)
    Path("marsh.toml").write_text(SETUP.format(role="Serial Killer"), encoding="utf-8")
    assert run("new", "custom-mafia", "Marsh", "--setup", "marsh.toml").exit_code == 0


@pytest.mark.usefixtures("duel")
def test_a_mistake_told_after_the_end_does_not_say_that_the_game_goes_on() -> None:
    assert "the game continues" in run("post", "error").stdout
    assert run("submit", "moderator", "FORFEIT Ada").exit_code == 0
    told = run("post", "error").stdout
    assert "the game continues" not in told
    assert "The game is over" in told
