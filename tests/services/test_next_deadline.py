"""A closing that says until when what opens then lasts: all its texts tell that deadline, in each game."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from command_line import run
from fetch.threads import Forum
from knightfall.engine.entries import Closed, Opened, Started
from knightfall.engine.journal import Journal, append
from knightfall.errors import InputError
from knightfall.services.day.close import close as close_day
from knightfall.services.day.phases import NextPhase, check_ends, extend, next_phase
from knightfall.services.game.undo import undo
from knightfall.services.requests import PhaseRequest, PostOptions
from knightfall.services.window.turns import close, submit
from knightfall.services.window.waiting import pending
from salt_harbour import NAMES
from services.end_of_day import Evening, board, game
from services.test_phases_of_every_game import begun
from services.voting_day import VotingDay, voting_day

NEW = "Wed 25 Nov 2026, 17:30:20 UTC"
"""Noon of 21 November, and 101 hours, 30 minutes and 20 seconds."""
MOMENT = re.compile(r"\w{3} \d\d \w{3} \d{4}, [\d:]+ UTC")
BOARDS = ("knight_fight", "knights_duty", "kings_court")
MAFIA = ("custom_mafia", "knight_errant", "empowered")


def board_game(folder: Path, kind: str) -> VotingDay:
    """A game on a board as it was dealt; in a King's Court there is a vote that counts."""
    game = begun(folder, kind)
    if kind == "kings_court":
        submit(NAMES[0], f"VOTE: {NAMES[1]}", "plain", game.session)
    return game


def closed(game: VotingDay, kind: str) -> NextPhase:
    """The game behind a closing whose next deadline is said with it."""
    ends = check_ends("2026-11-25 17:30:20", game.session)
    done = close(kind, "plain", game.session, "", "as agreed", ends)
    assert done.opened is not None
    return next_phase(done.opened, PostOptions("plain"), game.session)


def texts(game: VotingDay, number: int) -> str:
    """All that the entry led to, for everybody and in private."""
    files = (
        *(game.folder / "public").glob(f"{number:03}-*"),
        *(game.folder / "private").glob(f"{number:03}-*"),
    )
    return "\n".join(file.read_text(encoding="utf-8") for file in sorted(files))


@pytest.mark.parametrize("kind", BOARDS)
def test_every_text_of_a_closing_on_a_board_tells_the_deadline_that_was_said_with_it(
    tmp_path: Path, kind: str
) -> None:
    played = board_game(tmp_path, kind)
    following = closed(played, played.table.windows[0].kind)
    number = len(played.ledger.journal)
    assert following.told
    assert NEW in following.change.post.text
    assert "old deadline" not in following.change.post.text
    said = texts(played, number)
    assert NEW in said
    assert len(MOMENT.findall(said)) == said.count(NEW)
    post = played.post("results").text
    assert post.count(NEW) == 1
    assert len(MOMENT.findall(post)) == 1
    assert pending(played.table)[0].until == following.change.deadline


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", MAFIA)
def test_the_posts_of_a_day_and_of_a_night_tell_the_deadline_that_was_said_with_the_closing(
    tmp_path: Path, kind: str
) -> None:
    played = voting_day(tmp_path, kind)
    ends = check_ends("2026-11-25 17:30:20", played.session)
    day = close_day(played.look(early="it is enough"), "No Elimination", played.session, ends)
    assert day.opened is not None
    night = next_phase(day.opened, PostOptions("plain"), played.session)
    assert NEW in night.change.post.text
    assert "hours" not in texts(played, day.record.number)  # such as the game's own
    assert played.post("end-of-day").text.count(NEW) == 1
    played.wait(2)
    dawn = closed(played, "night")
    assert NEW in dawn.change.post.text
    assert "hours" not in texts(played, len(played.ledger.journal))
    assert played.post("dawn").text.count(NEW) == 1


@pytest.mark.parametrize("kind", BOARDS)
def test_who_takes_the_closing_back_takes_the_deadline_back_that_was_said_with_it(
    tmp_path: Path, kind: str
) -> None:
    played = board_game(tmp_path, kind)
    window = played.table.windows[0]
    until = pending(played.table)[0].until
    closed(played, window.kind)
    assert [type(r.entry) for r in played.ledger.journal[-2:]] == [Opened, Closed]
    posted = set((played.folder / "public").iterdir())
    taken = undo(None, "too soon", played.session)
    assert any("-deadline-" in file.name for file in taken.void)
    assert played.table.windows[0].title == window.title
    assert pending(played.table)[0].until == until
    undo(None, "it was right", played.session)
    assert set((played.folder / "public").iterdir()) == posted
    assert played.post("results").text.count(NEW) == 1


def test_a_turn_without_a_clock_of_its_own_is_told_with_the_deadline_that_was_said(tmp_path: Path) -> None:
    folder = tmp_path / "duty"
    assert (
        run("new", "knights-duty", "Ada", "Boro", "--out", str(folder), "--option", "kd_31=none").exit_code
        == 0
    )
    done = run("commit", "--yes", "--next-ends", "50h", "--game", str(folder))
    assert done.exit_code == 0, done.output
    assert "Turn 1 is open until " in done.stdout
    assert all("by " in file.read_text() for file in (folder / "private").glob("*-turn_pm-*"))


@pytest.mark.parametrize("kind", BOARDS)
def test_results_tell_a_deadline_that_was_moved_since(tmp_path: Path, kind: str) -> None:
    played = board_game(tmp_path, kind)
    close(played.table.windows[0].kind, "plain", played.session, "", "as agreed")
    request = PhaseRequest(played.table.windows[0].kind, ends="2026-11-25 17:30:20", shorten=True)
    extend(request, PostOptions(), played.session)
    post = played.post("results").text
    assert post.count(NEW) == 1
    assert len(MOMENT.findall(post)) == 1


def test_a_deadline_of_what_opens_next_needs_a_game_that_knows_what_does(tmp_path: Path) -> None:
    with (
        game(tmp_path, Evening(Forum(board()))) as votes_only,
        pytest.raises(InputError, match="needs a game"),
    ):
        check_ends("2026-11-25 17:30", votes_only.session)


def test_a_deadline_that_no_text_of_the_closing_tells_has_a_post_of_its_own(tmp_path: Path) -> None:
    played = voting_day(tmp_path, "custom_mafia")
    close_day(played.look(early="it is enough"), "No Elimination", played.session)
    dawn = closed(played, "night")
    assert not dawn.told
    assert dawn.change.deadline == played.clock.now() + timedelta(hours=101, minutes=30, seconds=20)


def test_a_game_whose_clock_closes_by_itself_tells_the_deadline_that_was_said_too(tmp_path: Path) -> None:
    played = board_game(tmp_path, "kings_court")
    journal: Journal = ()
    for record in played.ledger.journal:
        old = isinstance(record.entry, Started)
        entry = replace(record.entry, timeouts="close") if isinstance(record.entry, Started) else record.entry
        assert old == (record.number == 1)
        journal = append(journal, entry, record.at, record.author)
    played.ledger.journal = journal
    played.wait(30)  # round 1 was over six hours ago
    following = closed(played, "vote")
    assert following.told
    assert played.table.windows[0].title == "Round 2"
    assert pending(played.table)[0].until == following.change.deadline
    assert NEW in texts(played, len(played.ledger.journal))
