"""A rehearsal: its players write, and a moderator who does what is due brings the game to its end."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from datetime import datetime
from functools import cache
from pathlib import Path

import pytest

from begun import copy_of
from knightfall.errors import InputError
from knightfall.mafia.rehearsed_players import ALIKE, PLAYERS, VOLUNTEER, Planted
from knightfall.services.machine import session_of
from knightfall.services.rehearsal import MODERATOR, begin_rehearsal, is_rehearsal, step
from knightfall.services.rehearsal_thread import PM_FILE
from knightfall.services.threads import Link, gather
from knightfall.services.window.inbox import MailStatus
from knightfall.votes.tally import UncountedReason
from long_runs import first
from services.journal_folder import court
from services.rehearsing import Host

SEEDS = range(10)


def host(folder: Path, seed: int = 1) -> Host:
    """A rehearsal that was begun."""
    one = Host(folder / "rehearsal", bytes([seed]) * 16)
    copy_of(f"rehearsal {seed}", lambda place: Host(place, one.seed).begin(), one.folder)
    return one


@cache
def played(seed: int) -> Host:
    """A rehearsal to its end."""
    folder = Path(tempfile.mkdtemp(prefix="rehearsal-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return host(folder, seed).play()


@pytest.mark.long
@pytest.mark.parametrize("seed", first(2, SEEDS))
def test_a_moderator_who_does_what_is_due_comes_to_the_end(seed: int) -> None:
    done = played(seed)
    assert done.table.game.outcome(done.table.state) is not None
    assert len(done.steps) <= 30


@pytest.mark.long
@pytest.mark.parametrize("seed", first(2, SEEDS))
def test_all_that_is_wrong_on_purpose_is_met_by_a_question_or_a_caution(seed: int) -> None:
    done = played(seed)
    assert done.planted() == {str(one) for one in Planted}
    numbers = {one.at: place for place, one in enumerate(done.record.posts, start=1)}
    asked = {doubt.post: doubt for answer in done.counts for doubt in answer.questions}
    passed = {one.post: one.why for answer in done.counts for one in answer.uncounted}
    for post in done.record.posts:
        number = numbers[post.at]
        match post.planted:
            case Planted.MISSPELT:
                assert asked[number].candidates == ALIKE
            case Planted.UNCLEAR:
                assert asked[number].name == "the loud one"
            case Planted.QUOTED:
                assert passed[number] is UncountedReason.QUOTED
            case Planted.AFTER_END:
                assert passed[number] is UncountedReason.AFTER_HAMMER
    met = {one.mail.at: one for one in reversed(done.cases)}
    for pm in done.record.pms:
        case = met[datetime.fromisoformat(pm.at)]
        assert (case.mail.slot, case.mail.text) == (pm.slot, pm.text)
        match pm.planted:
            case Planted.UNKNOWN_WORD:
                assert case.status is MailStatus.TALK
                assert case.meant == (pm.text.replace("murder", "mafia kill"),)
            case Planted.LATE_ORDER:
                assert case.status is MailStatus.LATE
            case _:
                assert case.status in (MailStatus.TAKEN, MailStatus.TALK)
    assert any("Prod them by name" in line for found in done.steps for line in found.said)
    assert VOLUNTEER in {one.author for one in done.record.posts}


def nothing_secret(done: Host) -> None:
    """Players name no role; what the moderator posts is read for secrets before it is written."""
    words = ("mafia", "goon", "roleblock", "cop", "doctor", "heal", "vanilla", "town")
    said = [one.text.casefold() for one in done.record.posts if one.author != MODERATOR]
    assert said
    assert not [text for text in said for word in words if word in text]
    public = [one.name for one in (done.folder / "public").iterdir()]
    assert public
    assert not [name for name in public if "rehears" in name]


@pytest.mark.long
@pytest.mark.parametrize("seed", first(2, SEEDS))
def test_nothing_secret_stands_in_the_thread(seed: int) -> None:
    nothing_secret(played(seed))
    assert len([one for one in played(seed).record.posts if one.author != MODERATOR]) > 10


@pytest.mark.long
def test_both_sides_win_sometimes() -> None:
    winners = {str(played(seed).table.game.outcome(played(seed).table.state)) for seed in SEEDS}
    assert len({one.split("slots")[0] for one in winners}) > 1


@pytest.mark.long
def test_the_same_seed_and_the_same_acts_give_the_same_game(tmp_path: Path) -> None:
    again = host(tmp_path, 0).play()
    assert again.record == played(0).record
    assert played(1).record.posts != played(0).record.posts


def test_players_go_on_a_little_each_time_and_then_wait(tmp_path: Path) -> None:
    one = host(tmp_path)
    counts = []
    for _ in range(8):
        one.players_go_on()
        counts.append(len(one.record.posts))
    assert counts[0] < counts[1]
    assert counts[-1] == counts[-3]
    assert not one.steps[-1].posts
    assert "wait for you" in one.steps[-1].said[-1]
    assert one.table.windows[0].title == "Day 1"


@pytest.mark.long
def test_players_wait_for_the_post_that_begins_a_day(tmp_path: Path) -> None:
    one = host(tmp_path).play(until="Day 2")
    first = one.players_go_on()
    assert not first.posts
    assert first.said[-1] == "The players wait for your post that begins Day 2."
    one.post_what_is_due()
    assert one.players_go_on().posts


@pytest.mark.long
def test_players_wait_at_night_for_whom_nobody_replaced(tmp_path: Path) -> None:
    one = host(tmp_path).play(4)
    assert one.table.windows[0].title == "Night 1"
    sent = [len(one.record.pms)]
    for _ in range(4):
        one.players_go_on()
        sent.append(len(one.record.pms))
    assert sent[-1] == sent[-2]
    assert one.record.vanished not in {pm.slot for pm in one.record.pms}


def test_a_vote_after_the_deadline_comes_once(tmp_path: Path) -> None:
    one = host(tmp_path)
    one.post_what_is_due()
    one.players_go_on()
    one.set_deadline("1h")
    one.clock.sleep(3 * 3600)
    first, second = one.players_go_on(), one.players_go_on()
    assert [post.planted for post in first.posts] == [Planted.AFTER_END]
    assert not second.posts
    passed = {missed.why for missed in one.count().uncounted}
    assert UncountedReason.LATE in passed


def test_the_thread_is_read_as_from_a_forum_and_no_network_is_asked(tmp_path: Path) -> None:
    one = host(tmp_path)
    one.players_go_on()
    found = gather(Link(one.record.url), session_of(one.folder))
    assert found.platform == "phpbb"
    assert [post.author for post in found.posts] == [post.author for post in one.record.posts]
    assert {post.author for post in found.posts} <= {*PLAYERS, MODERATOR}


def test_what_the_moderator_posted_stands_in_the_thread_and_nothing_secret(tmp_path: Path) -> None:
    one = host(tmp_path)
    one.post_what_is_due()
    one.players_go_on()
    own = [post.text for post in one.record.posts if post.author == MODERATOR]
    assert any("Rehearsal" in text for text in own[1:])
    nothing_secret(one)


@pytest.mark.long
def test_who_looks_twice_reads_each_pm_once(tmp_path: Path) -> None:
    one = host(tmp_path).play(4)
    texts = (one.folder / PM_FILE).read_text(encoding="utf-8")
    assert texts.count("murder") == 1


def test_a_game_that_is_no_rehearsal_has_players_of_its_own(tmp_path: Path) -> None:
    folder = court(tmp_path / "court")
    session = session_of(folder)
    assert not is_rehearsal(session)
    with pytest.raises(InputError, match="no rehearsal"):
        step(session)


def test_a_folder_that_holds_a_game_is_no_place_for_a_rehearsal(tmp_path: Path) -> None:
    folder = court(tmp_path / "court")
    with pytest.raises(InputError, match="contains a game already"):
        begin_rehearsal(folder, b"s" * 16, session_of(folder))
