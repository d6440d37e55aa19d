"""A take-over that is killed at any instant is completed by the same call."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from sqlite3 import Connection

import pytest

from fetch.boards import Prosilver
from knightfall.services.hand_marks import taken_over
from knightfall.services.journal import rule
from knightfall.services.keep.hand_over import HandOverRequest, hand_over
from knightfall.services.keep.verify import verify_game
from knightfall.services.pasted import keep_pasted
from knightfall.services.session import Session, journal_of
from knightfall.services.threads import Kept, gather, versions_of
from knightfall.storage.database import Database
from long_runs import LONG_JOB
from playthroughs.moderator import Moderator, moderating
from services.test_hand_over import a_game, public, session_at, taken
from services.test_pasted import BEGAN, copy_of, written
from services.test_pasted import ROOT as FORUM
from web import play


def killed_at(instant: int, mod: Moderator, texts: list[str], name: str) -> bool:
    """Take the game over in a process of its own, which ends at that write; False: it came to its end."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    seen = 0

    def here() -> None:
        nonlocal seen
        seen += 1
        if seen == instant:
            os._exit(9)

    fsync, move, writing = os.fsync, Path.replace, Database.writing

    def cut_fsync(handle: int) -> None:
        here()
        fsync(handle)

    def cut_move(self: Path, to: Path) -> Path:
        here()
        return move(self, to)

    @contextmanager
    def cut_writing(self: Database) -> Iterator[Connection]:
        here()
        with writing(self) as connection:
            yield connection
            here()
        here()

    os.fsync, Path.replace, Database.writing = cut_fsync, cut_move, cut_writing  # type: ignore[assignment,method-assign]
    try:
        taken(mod, texts, name)
    finally:
        os._exit(0)


def a_game_with_pages(mod: Moderator) -> tuple[Session, str]:
    """A game whose thread was pasted, one page of it twice: a post was edited in between."""
    session, board = a_game(mod), Prosilver(written(8))
    board.root = FORUM
    for number in (1, 2):
        keep_pasted(copy_of(board, number), session)
    board.posts[2] = replace(board.posts[2], text="[unvote]", edited=BEGAN + timedelta(hours=1))
    mod.turns_to(mod.clock.now() + timedelta(hours=1))
    return session, keep_pasted(copy_of(board, 1), session).pages.url


def told(url: str, session: Session) -> tuple[object, ...]:
    """All that a hand-over brings, as it is kept in a folder."""
    files = session.folder.rglob("*")
    names = sorted(
        one.relative_to(session.folder).as_posix() for one in files if one.suffix in (".txt", ".json")
    )
    versions = [(one.post.body, one.first_seen) for one in versions_of(url, 3, session=session)]
    takers = [(one.entry, one.author) for one in taken_over(session)]
    return journal_of(session), gather(Kept(url), session), versions, names, takers, public(session.folder)


@pytest.mark.wider
@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is killed here by what only POSIX has")
def test_a_take_over_that_is_killed_at_any_write_is_completed_by_the_same_call(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        session, url = a_game_with_pages(mod)
        texts = list(hand_over(HandOverRequest(), session).posts)
        taken(mod, texts, "whole")
        expected = told(url, session_at(mod, mod.desk / "whole"))
        instant = 1
        while killed_at(instant, mod, texts, "cut"):
            taken(mod, texts, "cut")
            heir = session_at(mod, mod.desk / "cut")
            assert told(url, heir) == expected, instant
            shutil.rmtree(mod.desk / "cut")
            instant += 1 if LONG_JOB else 16
        assert instant > 30
        assert verify_game(session_at(mod, mod.desk / "cut")).missing == ()


@pytest.mark.wider
@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is killed here by what only POSIX has")
def test_a_game_that_is_killed_while_it_is_brought_up_is_completed_by_the_same_call(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        first = hand_over(HandOverRequest(), a_game(mod))
        taken(mod, list(first.posts), "start")
        mod.turns_to(mod.clock.now() + timedelta(minutes=5))
        rule("May one sing?", "Yes.", "so", session_at(mod, mod.desk / "start", "Hollis"))
        session, board = session_at(mod, mod.folder), Prosilver(written(8))
        board.root = FORUM
        for question in ("May one whisper?", "May one hum?"):
            rule(question, "No.", "so", session_at(mod, mod.folder))
        url = keep_pasted(copy_of(board, 1), session).pages.url
        file = mod.folder / "game.toml"
        file.write_text(f"# one\n{file.read_text()}")
        texts = list(hand_over(HandOverRequest(since=first.entry), session_at(mod, mod.folder)).posts)

        def begin(name: str) -> None:
            shutil.rmtree(mod.desk / name, ignore_errors=True)
            shutil.copytree(mod.desk / "start", mod.desk / name)

        begin("whole")
        done = taken(mod, texts, "whole")
        assert (done.fresh, done.notes) == (2, ("game.toml was changed by Wren and is as they have it.",))
        journal, thread, versions, names, _, posts = told(url, session_at(mod, mod.desk / "whole"))
        instant = 1
        begin("cut")
        while killed_at(instant, mod, texts, "cut"):
            taken(mod, texts, "cut")
            found = told(url, session_at(mod, mod.desk / "cut"))
            assert (*found[:4], found[5]) == (journal, thread, versions, names, posts), instant
            assert (mod.desk / "cut" / "game.toml").read_text() == file.read_text()
            begin("cut")
            instant += 1 if LONG_JOB else 8
        assert instant > 15


def test_a_draft_that_a_killed_program_left_is_no_other_file(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        done = hand_over(HandOverRequest(), a_game(mod))
        heir = mod.desk / "heir"
        (heir / "private").mkdir(parents=True)
        (heir / ".game.toml.abc.machine-99999999.draft").write_text("half", encoding="utf-8")
        assert taken(mod, list(done.posts), "heir").entry == done.entry


def test_the_same_hand_over_again_adds_no_copy_and_no_version(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        session, url = a_game_with_pages(mod)
        texts = list(hand_over(HandOverRequest(), session).posts)
        taken(mod, texts, "heir")
        heir = session_at(mod, mod.desk / "heir")
        before, rows = told(url, heir), mod.desk / "heir" / "game.db"
        size = rows.stat().st_size
        assert taken(mod, texts, "heir").fresh == 0
        assert told(url, session_at(mod, mod.desk / "heir")) == before
        assert rows.stat().st_size == size


def test_an_older_copy_of_a_page_never_stands_for_a_newer_one(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        session, board = a_game(mod), Prosilver(written(8))
        board.root = FORUM
        first = hand_over(HandOverRequest(), session)
        taken(mod, list(first.posts), "heir")
        keep_pasted(copy_of(board, 1), session)
        later = hand_over(HandOverRequest(), session_at(mod, mod.folder))
        board.posts[2] = replace(board.posts[2], text="[unvote]", edited=BEGAN + timedelta(hours=1))
        mod.turns_to(mod.clock.now() + timedelta(hours=1))
        heir = session_at(mod, mod.desk / "heir")
        url = keep_pasted(copy_of(board, 1), heir).pages.url
        before = gather(Kept(url), heir)
        [note] = taken(mod, list(later.posts), "heir").notes
        assert note == f"A copy of page 1 of {url} is older than what is here, which stays."
        assert gather(Kept(url), session_at(mod, mod.desk / "heir")) == before
