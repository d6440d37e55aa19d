"""`knightfall vc --wait`: a night's sleep, then the count that nobody can argue with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from command_line import CliRunner
from fetch.threads import Forum
from knightfall.cli import app
from knightfall.cli.format_day import awaited_line
from knightfall.errors import DecisionNeeded, InputError, ServerFault, TopicMissing
from knightfall.services.count.votecount import Counted, VotecountAnswer, answer_of, post_of
from knightfall.services.day.close import awaited_day, count_at_deadline, wait
from knightfall.services.day.end import PATIENCE
from knightfall.services.requests import PAUSE, CountRequest
from knightfall.votes.tally import UncountedReason
from services.end_of_day import AHEAD, Evening, Game, board, game, vote

LEFT = 300.0
"""Seconds from the still clock's start to the deadline."""
SAID = (("Ada", vote("Fen")), ("Boro", vote("Fen")))


def waited(played: Game, **words: Any) -> VotecountAnswer:
    """The answer after the wait; its post is added to what the evening printed."""
    wanted = replace(CountRequest(), **words)
    awaited = awaited_day(wanted, played.session)
    played.err.append(awaited_line(awaited))
    wait(awaited, played.followed)
    final = count_at_deadline(awaited, wanted, played.followed).final
    done = Counted(final.count, final.source, final.thread, final.setup, final.site)
    answer = answer_of(done, wanted, played.session)
    played.out.extend(post_of(answer, wanted, played.session).parts)
    return answer


def test_the_count_is_made_after_the_deadline_and_kept(tmp_path: Path) -> None:
    evening = Evening(Forum(board(*SAID)))
    evening.happens[LEFT - 60] = lambda forum: forum.posts.append((104, "Kestrel", vote("Ada")))
    with game(tmp_path, evening, ends=AHEAD, rules='death = "plurality"') as played:
        waited(played)
    assert evening.clock.elapsed() >= LEFT + PAUSE
    assert played.err[0] == "Day 1 ends Sat 21 Nov 2026, 12:05 UTC, in 5 min. Ctrl-C stops waiting."
    assert "Final votecount 1 (to post 4)" in played.out[0]
    assert "Ada (1)" in played.out[0]
    file = tmp_path / "public" / "votecount-1.F.txt"
    assert file.read_text(encoding="utf-8").rstrip() == played.out[0].rstrip()


def test_a_vote_that_shows_up_between_two_reads_is_in_the_count(tmp_path: Path) -> None:
    evening = Evening(Forum(board(*SAID)))
    evening.happens[LEFT + 30] = lambda forum: forum.posts.append((104, "Kestrel", vote("Ada")))
    with game(tmp_path, evening, ends=AHEAD) as played:
        waited(played)
    assert "#4 by Kestrel is new" in played.told
    assert "Ada (1): " in played.out[0]


def test_posts_after_the_deadline_neither_count_nor_keep_it_waiting(tmp_path: Path) -> None:
    evening = Evening(Forum(board(*SAID)), stamps={104: "2026-11-21T12:05:10+00:00"})
    evening.happens[LEFT + 30] = lambda forum: forum.posts.append((104, "Kestrel", vote("Ada")))
    with game(tmp_path, evening, ends=AHEAD) as played:
        answer = waited(played)
    assert evening.clock.waited.count(PAUSE) == 1
    assert "Ada" not in played.out[0].split("Not voting")[0].replace("Ada (2)", "")
    assert [(missed.voter, missed.why) for missed in answer.uncounted] == [("Kestrel", UncountedReason.LATE)]


@pytest.mark.parametrize("began", [0.0, LEFT - 10])
def test_a_forum_that_is_down_for_a_while_makes_it_later(tmp_path: Path, began: float) -> None:
    evening = Evening(Forum(board(*SAID)), down=(began, LEFT + 1000))
    with game(tmp_path, evening, ends=AHEAD) as played:
        waited(played)
    pauses = [line.rsplit(" in ", 1)[1] for line in played.err if "Trying again" in line]
    assert pauses[:3] == ["30 s.", "60 s.", "120 s."]
    assert "Boro" in played.out[0]
    assert ("It may be back in time" in played.told) is (began == 0)


def test_a_forum_that_is_down_for_days_ends_the_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    patience = PATIENCE / 6  # a day of it takes 444 requests
    monkeypatch.setattr("knightfall.services.day.end.PATIENCE", patience)
    evening = Evening(Forum(board(*SAID)), down=(0, 9 * patience))
    with game(tmp_path, evening, ends=AHEAD) as played, pytest.raises(ServerFault):
        waited(played)
    assert LEFT + patience < evening.clock.elapsed() < LEFT + 1.1 * patience
    assert played.out == []


def test_what_cannot_work_is_told_before_the_wait(tmp_path: Path) -> None:
    evening = Evening(Forum(board(*SAID)))
    with game(tmp_path, evening, ends=AHEAD) as played:
        file = tmp_path / "game.toml"
        file.write_text(file.read_text(encoding="utf-8").replace("t=5", "t=6"), encoding="utf-8")
        with pytest.raises(TopicMissing):
            waited(played)
    assert evening.clock.elapsed() < LEFT


@pytest.mark.parametrize(("boundary", "grace"), [("before", 0), ("second", 1), ("minute", 60)])
def test_it_waits_for_the_last_instant_that_counts(tmp_path: Path, boundary: str, grace: int) -> None:
    evening = Evening(Forum(board(*SAID)))
    with game(tmp_path, evening, ends=AHEAD, rules=f'boundary = "{boundary}"') as played:
        wait(awaited_day(CountRequest(), played.session), played.session)
    assert evening.clock.elapsed() == LEFT + grace


def test_a_deadline_that_is_over_is_counted_at_once(tmp_path: Path) -> None:
    evening = Evening(Forum(board(*SAID)))
    with game(tmp_path, evening) as played:
        waited(played)
    assert played.err[0].endswith("Counting now.")
    assert sum(evening.clock.waited) == PAUSE


def test_the_time_that_is_left_is_shown_about_once_a_second(tmp_path: Path) -> None:
    left: list[float] = []
    with game(tmp_path, Evening(Forum(board(*SAID))), ends=AHEAD) as played:
        wait(awaited_day(CountRequest(), played.session), played.session, left.append)
    assert left[:2] == [LEFT, LEFT - 1]
    assert left[-1] == 1


def test_a_question_is_told_after_the_count_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with game(tmp_path, Evening(Forum(board(("Ada", vote("Xylophone")))))) as played:
        monkeypatch.setattr("knightfall.cli.terminal.real_session", lambda *_words, **_more: played.session)
        result = CliRunner().invoke(app, ["vc", "--wait", "--game", str(tmp_path)])
    assert isinstance(result.exception, DecisionNeeded)
    assert "#2 Ada: “" in str(result.exception)
    final = (tmp_path / "public" / "votecount-1.F.txt").read_text(encoding="utf-8")
    assert "1 vote is still unclear" in final


def test_without_a_deadline_there_is_nothing_to_wait_for(tmp_path: Path) -> None:
    with game(tmp_path, Evening(Forum(board(*SAID))), ends=None) as played:
        with pytest.raises(InputError, match="has no deadline for any day") as raised:
            waited(played)
        assert "ends = " in str(raised.value)
        with pytest.raises(InputError, match="has no deadline for day 2"):
            waited(played, day=2)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ({"at": "3"}, "“wait” only works for a game's own thread"),
        ({"stored": True}, "“wait” only works for a game's own thread"),
        ({"dialect": "nonsense"}, "nonsense"),
    ],
)
def test_what_does_not_go_with_it_is_refused(tmp_path: Path, words: dict[str, object], says: str) -> None:
    with (
        game(tmp_path, Evening(Forum(board(*SAID))), ends=AHEAD) as played,
        pytest.raises(InputError, match=says),
    ):
        waited(played, **words)


def test_without_a_game_there_is_no_deadline_to_wait_for(tmp_path: Path) -> None:
    with (
        game(tmp_path, Evening(Forum(board(*SAID))), ends=AHEAD) as played,
        pytest.raises(InputError, match="needs the deadline of a game"),
    ):
        awaited_day(CountRequest(), replace(played.session, game=None))


def test_the_command_prints_the_post_alone_on_stdout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with game(tmp_path, Evening(Forum(board(*SAID))), ends=AHEAD) as played:
        monkeypatch.setattr("knightfall.cli.terminal.real_session", lambda *_words, **_more: played.session)
        result = CliRunner().invoke(app, ["vc", "--wait", "--game", str(tmp_path)])
    assert result.exit_code == 0
    assert result.stdout.startswith("Final votecount 1")
    assert "Ctrl-C stops waiting." in result.stderr
    assert "Saved: public/votecount-1.F.txt." in result.stderr
