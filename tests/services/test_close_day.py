"""`knightfall phase close` and `flip`: a day ends once, on what two reads show, as the moderator types it."""

from __future__ import annotations

import stat
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from command_line import at_terminal
from fetch.threads import Forum
from knightfall.cli import app
from knightfall.cli.format_day import closed_line, closing_lines, role_remarks
from knightfall.engine.entries import Closed, Fixed, Ruled, Undone
from knightfall.errors import DecisionNeeded, EvidenceError, InputError
from knightfall.services.count.votecount import counted
from knightfall.services.day import end
from knightfall.services.day.close import DayClosing, close, flip, look
from knightfall.services.day.end import TRIES
from knightfall.services.keep.verify import verify_game
from knightfall.services.requests import PAUSE, ClosingRequest, CountRequest, FlipRequest
from knightfall.services.session import journal_of
from knightfall.services.threads import Link, gather
from knightfall.votes.tally import UncountedReason
from services.end_of_day import AHEAD, PAST, Evening, Game, board, game, vote

ON_FEN = (("Ada", vote("Fen")), ("Boro", vote("Fen")), ("Cinder", vote("Fen")))
"""Posts 2 to 4; the last one is the hammer."""


def looked(played: Game, early: str = "", day: int | None = None) -> DayClosing:
    """How the day would be closed, said as the command says it."""
    found = look(ClosingRequest(day, early), played.followed)
    played.out.append(found.text)
    played.err.extend(closing_lines(found))
    return found


def closing(
    played: Game, typed: str | None = "Fen", early: str = "", day: int | None = None, why: str = ""
) -> None:
    found = looked(played, early, day).because(why)
    played.err.append(closed_line(close(found, typed, played.session)))


def flipped(played: Game, name: str | None = None, dialect: str | None = None) -> str:
    found = flip(FlipRequest(name, None, dialect), played.session)
    played.err.extend(role_remarks(found))
    return found.text


def closed(played: Game) -> list[Closed]:
    return [r.entry for r in journal_of(played.session) if isinstance(r.entry, Closed)]


def test_a_day_is_closed_as_it_was_typed_with_its_evidence_and_its_last_count(tmp_path: Path) -> None:
    evening = Evening(Forum(board(*ON_FEN, ("Kestrel", vote("Ada")))))
    with game(tmp_path, evening) as played:
        closing(played)
        entry = closed(played)[0]
    assert (entry.window, "\n".join(entry.lines)) == ("day-1", "eliminate Fen")
    assert entry.evidence is not None
    assert entry.evidence.startswith("sha256:")
    assert entry.evidence.endswith(" posts 1-4")
    assert "Hammer: #4 by Cinder on Fen" in played.told
    assert "viewtopic.php?p=104" in played.told
    assert "margin 3 votes" in played.told
    assert "After the hammer, not counted (1):\n  #5 Kestrel “Vote: Ada”" in played.told
    file = tmp_path / "public" / "votecount-1.F.txt"
    assert file.read_text(encoding="utf-8").rstrip() == played.out[0].rstrip()
    assert "Final votecount 1" in played.out[0]
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert [one.name for one in file.parent.iterdir()] == [file.name]


def test_a_closing_is_looked_at_without_a_trace_and_written_as_it_was_shown(tmp_path: Path) -> None:
    with game(tmp_path, Evening(Forum(board(*ON_FEN)))) as played:
        found = looked(played)
        assert journal_of(played.session) == ()
        assert not (tmp_path / "public").exists()
        assert (found.day, found.choices, found.deciding) == (1, {"Fen": ("Fen",)}, False)
        assert found.narrow is not None
        assert [one.vote.post for one in found.narrow.votes] == [2, 3, 4]
        done = close(found, "Fen", played.session)
        assert (done.record.entry,) == found.entries(("Fen",)) == tuple(closed(played))
        assert (done.eliminated, done.file) == (("Fen",), Path("public/votecount-1.F.txt"))


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The instants as of which a day is counted, one after the other."""
    found, really = list[datetime](), vars(end)["votecount"]

    def votecount(*given: Any) -> Any:
        found.append(given[-1])
        return really(*given)

    monkeypatch.setattr(end, "votecount", votecount)
    return found


def test_a_thread_that_holds_still_is_counted_once(tmp_path: Path, counts: list[datetime]) -> None:
    with game(tmp_path, Evening(Forum(board(*ON_FEN)))) as played:
        closing(played)
        assert closed(played)
    assert len(counts) == 1


def test_what_comes_between_two_reads_is_counted(tmp_path: Path, counts: list[datetime]) -> None:
    evening = Evening(Forum(board(*ON_FEN)))
    evening.happens[PAUSE / 2] = lambda forum: forum.posts.append((105, "Kestrel", "hm"))
    with game(tmp_path, evening) as played:
        found = looked(played)
    assert len(counts) == 2
    assert 5 in found.count.posts


def test_a_time_that_is_up_between_two_reads_is_up(tmp_path: Path, counts: list[datetime]) -> None:
    with game(tmp_path, Evening(Forum(board(*ON_FEN[:2]))), ends="2026-11-21T12:00:30Z") as played:
        found = looked(played, early="all agreed to sleep")
    first, second = counts
    deadline = found.count.day.deadline
    assert deadline is not None and first < found.count.rule.closes(deadline) < second
    assert found.count.outcome is not None


def test_a_post_that_arrives_between_two_reads_is_waited_for(tmp_path: Path) -> None:
    evening = Evening(Forum(board(*ON_FEN)))
    evening.happens[PAUSE / 2] = lambda forum: forum.posts.append((105, "Kestrel", "hm"))
    with game(tmp_path, evening, ends=AHEAD) as played:
        closing(played)
    assert "By this read, up to post 4, it ends with: Fen." in played.told
    assert "#5 by Kestrel is new. Reading every page again in 60 s." in played.told
    assert "Hammer: #4 by Cinder on Fen" in played.told
    assert evening.clock.waited.count(PAUSE) == 2
    assert ["\n".join(entry.lines) for entry in closed(played)] == ["eliminate Fen"]


def test_a_day_that_is_running_by_the_first_read_is_told_at_once(tmp_path: Path) -> None:
    evening = Evening(Forum(board(*ON_FEN[:2])))
    with game(tmp_path, evening, ends=AHEAD) as played, pytest.raises(DecisionNeeded, match="still running"):
        closing(played)
    assert evening.clock.waited.count(PAUSE) == 0
    assert closed(played) == []


def test_a_vote_that_is_edited_between_two_reads_counts_as_it_reads_last_and_is_to_be_checked(
    tmp_path: Path,
) -> None:
    said = (("Ada", vote("Fenn")), *ON_FEN[1:], ("Kestrel", "hm"))
    evening = Evening(Forum(board(*said)))
    evening.happens[PAUSE / 2] = lambda forum: forum.posts.__setitem__(2, (103, "Boro", vote("Fen") + "!"))
    with game(tmp_path, evening) as played:
        closing(played)
    assert "#3 by Boro was changed" in played.told
    check = played.told.split("yourself before you go on")[1].splitlines()
    assert check[1].startswith("  #3 Boro on Fen, “Vote: Fen!”: edited, the name as listed. http")
    assert check[2].startswith("  #2 Ada on Fen, “Vote: Fenn”: a few letters wrong. http")


def test_a_vote_that_is_deleted_between_two_reads_does_not_count(tmp_path: Path) -> None:
    evening = Evening(Forum(board(*ON_FEN)))
    evening.happens[PAUSE / 2] = lambda forum: forum.posts.pop()
    with game(tmp_path, evening, ends=AHEAD) as played, pytest.raises(DecisionNeeded, match="still running"):
        closing(played)
    assert closed(played) == []


def test_a_thread_that_will_not_hold_still_closes_nothing(tmp_path: Path) -> None:
    evening = Evening(Forum(board(*ON_FEN)))
    for number in range(TRIES):
        evening.happens[number * PAUSE] = lambda forum: forum.posts.append(
            (forum.posts[-1][0] + 1, "Ada", "chatter")
        )
    with (
        game(tmp_path, evening) as played,
        pytest.raises(EvidenceError, match="keeps changing: no two of 6 reads, 60 s apart") as raised,
    ):
        closing(played)
    assert "Lock the thread" in str(raised.value)
    assert "by Ada is new" in str(raised.value)
    assert closed(played) == []


@pytest.mark.parametrize("typed", ["fen", "FEN", " Fen "])
def test_the_name_may_be_typed_in_any_case(tmp_path: Path, typed: str) -> None:
    with game(tmp_path, Evening(Forum(board(*ON_FEN)))) as played:
        closing(played, typed)
        assert ["\n".join(entry.lines) for entry in closed(played)] == ["eliminate Fen"]


@pytest.mark.parametrize("typed", ["Ada", "fe", "yes", "Fen Fen", "No Elimination"])
def test_another_word_than_the_name_closes_nothing_and_shows_no_role(tmp_path: Path, typed: str) -> None:
    with game(tmp_path, Evening(Forum(board(*ON_FEN)))) as played:
        with pytest.raises(DecisionNeeded, match=r"expected Fen\. Nothing was closed"):
            closing(played, typed)
        with pytest.raises(DecisionNeeded, match="Count, check and confirm first: close the day"):
            flipped(played)
    assert closed(played) == []
    assert not (tmp_path / "public").exists()
    assert "Goon" not in played.told


@pytest.mark.parametrize("typed", [None, "", " \n"])
def test_where_nobody_types_nothing_is_closed(tmp_path: Path, typed: str | None) -> None:
    with (
        game(tmp_path, Evening(Forum(board(*ON_FEN)))) as played,
        pytest.raises(DecisionNeeded, match="To close it: confirm it with “Fen”"),
    ):
        closing(played, typed)
    assert closed(played) == []


def test_what_is_posted_while_the_question_stands_open_stops_the_closing(tmp_path: Path) -> None:
    evening = Evening(Forum(board(*ON_FEN)))
    with game(tmp_path, evening) as played:
        found = looked(played)
        evening.forum.posts[3] = (104, "Cinder", "I never voted")
        with pytest.raises(DecisionNeeded, match="changed before you answered"):
            close(found, "Fen", played.session)
    assert closed(played) == []


def test_chatter_after_the_hammer_while_the_question_stands_open_does_not(tmp_path: Path) -> None:
    evening = Evening(Forum(board(*ON_FEN)))
    with game(tmp_path, evening) as played:
        found = looked(played)
        evening.forum.posts.append((109, "Ada", "gg"))
        close(found, "Fen", played.session)
    assert len(closed(played)) == 1


def test_a_day_that_runs_is_closed_early_only_with_a_reason(tmp_path: Path) -> None:
    with game(tmp_path, Evening(Forum(board(*ON_FEN[:2]))), ends="2026-11-25T20:00:00Z") as played:
        with pytest.raises(
            DecisionNeeded, match=r"no hammer, and the deadline is Wed 25 Nov 2026, 20:00 UTC"
        ):
            closing(played)
        closing(played, "No Elimination", early="all agreed to sleep")
        entries = [record.entry for record in journal_of(played.session)]
    assert entries[0] == Ruled("Does day 1 end before its time?", "yes", "all agreed to sleep")
    assert isinstance(entries[1], Closed)
    assert entries[1].lines == ("no elimination",)


def test_a_day_whose_votecount_says_otherwise_is_closed_only_with_a_reason(tmp_path: Path) -> None:
    wrong = "Votecount 1.1<br>Fen (1): Ada<br>Ada (2): Boro, Cinder<br>Not voting (1): Fen"
    posts = board(*ON_FEN, ("Wren", wrong))
    with game(tmp_path, Evening(Forum(posts)), ends=PAST) as played:
        with pytest.raises(DecisionNeeded, match="two counts differ") as stopped:
            closing(played)
        assert "By the posts Fen leads; by the votecount in #5 and the votes since then Ada." in str(
            stopped.value
        )
        assert "Boro: Ada there, Fen here (#3)." in str(stopped.value)
        assert not closed(played)
        found = look(ClosingRequest(despite="I mixed up two wagons"), played.followed)
        close(found, "Fen", played.session)
        entries = [record.entry for record in journal_of(played.session)]
    assert entries[0] == Ruled("Is the votecount in #5 right?", "no", "I mixed up two wagons")


def test_a_day_without_hammer_and_deadline_says_so(tmp_path: Path) -> None:
    with (
        game(tmp_path, Evening(Forum(board(*ON_FEN[:2]))), ends=None) as played,
        pytest.raises(DecisionNeeded, match="has no deadline for it"),
    ):
        closing(played)


def test_at_a_deadline_that_the_rules_leave_open_the_moderator_may_choose(tmp_path: Path) -> None:
    with game(tmp_path, Evening(Forum(board(*ON_FEN[:2])))) as played:
        with pytest.raises(DecisionNeeded, match=r"expected No Elimination \| Fen"):
            closing(played, "Ada")
        closing(played, "Fen", why="two of three wanted it")
    assert ["\n".join(entry.lines) for entry in closed(played)] == ["eliminate Fen"]


def test_a_plurality_with_a_margin_of_one_lists_both_wagons_to_check(tmp_path: Path) -> None:
    said = (*ON_FEN[:2], ("Fen", vote("Ada")))
    with game(tmp_path, Evening(Forum(board(*said))), rules='death = "plurality"') as played:
        closing(played)
    assert "The most votes at the deadline decide.\nTop: Fen 2, Ada 1; margin 1 vote." in played.told
    assert (
        "The margin is 1 vote. Only 5 players are alive. Please check these 3 votes yourself" in played.told
    )
    assert ["\n".join(entry.lines) for entry in closed(played)] == ["eliminate Fen"]


def test_all_who_are_tied_fall_where_the_rules_say_so(tmp_path: Path) -> None:
    said = (("Ada", vote("Fen")), ("Fen", vote("Ada")))
    rules = 'death = "plurality"\ntie = "all"'
    with game(tmp_path, Evening(Forum(board(*said))), rules=rules) as played:
        closing(played, "Fen, Ada")
        assert flipped(played) == (
            "Day 1 is over. Fen is eliminated.\nFen was: Mafia Goon.\n"
            "Day 1 is over. Ada is eliminated.\nAda was: Town Medic."
        )
    assert closed(played)[0].lines == ("eliminate Fen", "eliminate Ada")


def test_a_late_vote_is_told_and_does_not_count(tmp_path: Path) -> None:
    late = {104: "2026-11-20T20:00:00+00:00"}
    evening = Evening(Forum(board(*ON_FEN)), stamps=late)
    with game(tmp_path, evening, rules='death = "both"') as played:
        closing(played)
    assert "After the deadline, not counted (1):\n  #4 Cinder “Vote: Fen” http" in played.told
    assert str(closed(played)[0].evidence).endswith(" posts 1-3")


@pytest.mark.parametrize(
    ("wagon", "rules"),
    [
        (2, ""),  # it may be the hammer
        (1, 'death = "plurality"'),  # it may be a tie
        (0, 'death = "plurality"'),  # it may be the only vote
    ],
)
def test_a_question_that_may_change_the_end_stops_the_closing(tmp_path: Path, wagon: int, rules: str) -> None:
    said = (*ON_FEN[:wagon], ("Cinder", vote("Xylophone")), ("Kestrel", "hm"))
    with (
        game(tmp_path, Evening(Forum(board(*said))), rules=rules) as played,
        pytest.raises(DecisionNeeded, match="Day 1 stays open: 1 vote") as raised,
    ):
        closing(played)
    assert f"knightfall fix {wagon + 2} --to NAME" in at_terminal(raised.value)
    assert closed(played) == []


@pytest.mark.parametrize(
    ("said", "rules"),
    [
        ((("Kestrel", vote("Xylophone")), *ON_FEN), ""),
        ((("Kestrel", vote("Xylophone")), *ON_FEN[:2]), 'death = "plurality"'),
    ],
)
def test_a_question_that_changes_nothing_is_told_and_does_not_stop_it(
    tmp_path: Path, said: tuple[tuple[str, str], ...], rules: str
) -> None:
    with game(tmp_path, Evening(Forum(board(*said))), rules=rules) as played:
        closing(played)
    assert "Open questions that can't change the result" in played.told
    assert "may still change" not in (tmp_path / "public" / "votecount-1.F.txt").read_text(encoding="utf-8")
    assert "#2 Kestrel wrote “Vote: Xylophone”" in played.told
    assert len(closed(played)) == 1


def test_a_question_that_was_decided_no_longer_stops_it(tmp_path: Path) -> None:
    said = (*ON_FEN[:2], ("Cinder", vote("Xylophone")))
    with game(tmp_path, Evening(Forum(board(*said)))) as played:
        assert played.session.ledger is not None
        ledger = played.session.ledger()
        ledger.append(Fixed("4", "vote Fen", "asked him"), played.session.clock.now(), "Wren")
        ledger.close()
        closing(played)
    assert "Hammer: #4 by Cinder on Fen" in played.told


def test_a_day_is_closed_once_until_that_is_undone(tmp_path: Path) -> None:
    with game(tmp_path, Evening(Forum(board(*ON_FEN)))) as played:
        closing(played)
        with pytest.raises(DecisionNeeded, match=r"Day 1 was already closed by Wren \(entry 1\)"):
            closing(played, day=1)
        with pytest.raises(DecisionNeeded, match="Day 1 was already closed"):
            closing(played)
        assert "Mafia Goon" in flipped(played)
        assert played.session.ledger is not None
        ledger = played.session.ledger()
        ledger.append(Undone(1, "wrong day"), played.session.clock.now(), "Wren")
        ledger.close()
        with pytest.raises(DecisionNeeded, match="No day is closed"):
            flipped(played)
        closing(played)
    assert len(closed(played)) == 2


def test_who_fell_is_dead_on_the_next_day_and_alive_on_his_own(tmp_path: Path) -> None:
    evening = Evening(Forum(board(*ON_FEN)))
    with game(tmp_path, evening, more="[[day]]\nnumber = 2\nstart_post = 5\n") as played:
        closing(played, day=1)
        evening.forum.posts += board(("Fen", vote("Ada")), ("Ada", vote("Fen")), ("Boro", vote("Ada")))
        evening.forum.posts[4:] = [(100 + n, a, b) for n, (_, a, b) in enumerate(evening.forum.posts[4:], 5)]
        second = counted(CountRequest(), played.session).count
        first = counted(CountRequest(day=1), played.session).count
    assert (second.day.number, second.tally.alive, second.tally.needed) == (2, 4, 3)
    assert [(missed.voter, missed.why) for missed in second.tally.not_counted] == [
        ("Fen", UncountedReason.DEAD_VOTER),
        ("Ada", UncountedReason.DEAD_TARGET),
    ]
    assert [(wagon.target.name if wagon.target else None) for wagon in second.tally.wagons] == ["Ada"]
    assert (first.tally.alive, first.tally.hammer is not None) == (5, True)


def test_the_evidence_is_the_same_whenever_the_same_posts_are_counted(tmp_path: Path) -> None:
    evening = Evening(Forum(board(*ON_FEN)))
    with game(tmp_path, evening) as played:
        closing(played)
        evening.forum.posts.append((109, "Ada", "gg"))
        gather(Link(f"{played.server.root}viewtopic.php?t=5", again=True), played.session)
        ledger = played.session.ledger() if played.session.ledger else None
        assert ledger is not None
        ledger.append(Undone(1, "again"), played.session.clock.now(), "Wren")
        ledger.close()
        close(looked(played), "Fen", played.session)
    first, second = closed(played)
    assert first.evidence == second.evidence


def test_the_flip_tells_name_and_role_after_the_closing_only(tmp_path: Path) -> None:
    with game(tmp_path, Evening(Forum(board(*ON_FEN)))) as played:
        with pytest.raises(DecisionNeeded, match="no role is shown"):
            flipped(played)
        closing(played)
        assert flipped(played, "fen", "phpbb") == (
            "[b]Day 1 is over.[/b] [b]Fen[/b] is eliminated.\nFen was: [b]Mafia Goon[/b]."
        )
        with pytest.raises(DecisionNeeded, match="closed with Fen, not with “Ada”") as raised:
            flipped(played, "Ada")
    assert "Medic" not in str(raised.value)


def test_a_role_that_no_file_tells_is_not_told(tmp_path: Path) -> None:
    said = tuple((name, vote("Kestrel")) for name in ("Ada", "Boro", "Cinder"))
    with game(tmp_path, Evening(Forum(board(*said)))) as played:
        closing(played, "Kestrel")
        assert flipped(played) == "Day 1 is over. Kestrel is eliminated."
    assert "has no role for Kestrel" in played.told


def test_a_day_without_elimination_has_its_own_post(tmp_path: Path) -> None:
    said = tuple((name, vote("No Elimination")) for name in ("Ada", "Boro", "Cinder"))
    with game(tmp_path, Evening(Forum(board(*said)))) as played:
        closing(played, "No Elimination")
        assert flipped(played) == "Day 1 is over: No Elimination."
        with pytest.raises(DecisionNeeded, match="closed with No Elimination, not with “Fen”"):
            flipped(played, "Fen")


def test_a_game_without_a_thread_says_what_is_missing(tmp_path: Path) -> None:
    with game(tmp_path, Evening(Forum(board(*ON_FEN)))) as played:
        (tmp_path / "game.toml").write_text("schema = 1\n", encoding="utf-8")
        with pytest.raises(InputError, match="no game thread"):
            closing(played)


def test_the_commands_ask_on_stderr_and_read_a_pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with game(tmp_path, Evening(Forum(board(*ON_FEN)))) as played:
        monkeypatch.setattr("knightfall.cli.terminal.real_session", lambda *_words, **_more: played.session)
        runner, words = CliRunner(), ["phase", "close", "--game", str(tmp_path)]
        silent = runner.invoke(app, words, input="")
        assert isinstance(silent.exception, DecisionNeeded)
        done = runner.invoke(app, words, input="Fen\n")
        flip_ = runner.invoke(app, ["flip", "Fen", "--game", str(tmp_path)])
    assert done.exit_code == 0
    assert "Final votecount 1" in done.stdout
    assert "type Fen to close day 1" in done.stderr
    assert "type Fen" not in done.stdout
    assert flip_.stdout.endswith("Fen was: Mafia Goon.\n")


def test_a_post_after_the_deadline_does_not_make_the_thread_restless(tmp_path: Path) -> None:
    evening = Evening(Forum(board(*ON_FEN)), stamps={105: PAST.replace("Z", "+00:00")})
    evening.happens[PAUSE / 2] = lambda forum: forum.posts.append((105, "Ada", "too late for me"))
    with game(tmp_path, evening) as played:
        closing(played)
    assert evening.clock.waited.count(PAUSE) == 1


def test_a_final_count_that_was_changed_since_is_told_by_verify(tmp_path: Path) -> None:
    with game(tmp_path, Evening(Forum(board(*ON_FEN)))) as played:
        close(looked(played), "Fen", played.session)
        assert verify_game(played.session).texts == ()
        file = tmp_path / "public" / "votecount-1.F.txt"
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace("Cinder", "Kestrel"), encoding="utf-8")
        found = verify_game(played.session)
        said = "public/votecount-1.F.txt tells other votes than those with which day 1 was closed"
        assert (found.texts, found.exit_status) == ((said,), 1)


def test_what_is_written_behind_the_last_post_that_counts_makes_no_fault_of_a_final_count(
    tmp_path: Path,
) -> None:
    forum = Forum(board(*ON_FEN))
    forum.posts.append((forum.posts[-1][0] + 1, "Ada", "What a day."))
    with game(tmp_path, Evening(forum)) as played:
        close(looked(played), "Fen", played.session)
        assert verify_game(played.session).texts == ()
