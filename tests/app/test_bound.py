"""Decisions stay with their posts, on a forum that counts its posts anew and lets them be edited."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from app.evening import PLAYERS, board, vote
from fetch.loopback import serving
from fetch.threads import Forum
from knightfall.cli import app
from knightfall.engine.journal import Fixed
from knightfall.fetch.clock import SystemClock
from knightfall.storage.ledger import Ledger

DAY = "[[day]]\nnumber = 1\nstart_post = 1\n"


@dataclass
class Place:
    """A game folder that we stand in, and its forum: post n has the id 100 + n."""

    folder: Path
    forum: Forum

    def delete(self, number: int) -> None:
        """The forum deletes a post, and counts those behind it anew."""
        del self.forum.posts[number - 1]

    def edit(self, number: int, body: str) -> None:
        identity, author, _ = self.forum.posts[number - 1]
        self.forum.posts[number - 1] = (identity, author, body)

    def run(self, *words: str, status: int = 0, answers: str | None = None) -> Result:
        result = CliRunner().invoke(app, list(words), input=answers)
        ended = getattr(result.exception, "exit_status", result.exit_code)
        assert ended == status, f"{result.output}\n{result.exception}"
        return result

    def read(self) -> str:
        return self.run("read", "--again", "--allow-private-host").stdout

    def count(self, *words: str, status: int = 0) -> dict[str, Any]:
        return dict(json.loads(self.run("vc", "--stored", "--json", *words, status=status).stdout))

    def wagons(self, *words: str, status: int = 0) -> dict[str | None, list[str]]:
        found = self.count(*words, status=status)["wagons"]
        return {wagon["target"]: [voter["slot"] for voter in wagon["voters"]] for wagon in found}

    def asked(self) -> str:
        """What a count asks, with exit status 3."""
        return str(self.run("vc", "--stored", status=3).exception)


@contextmanager
def place(
    folder: Path, patch: pytest.MonkeyPatch, *said: tuple[str, str], more: str = DAY
) -> Iterator[Place]:
    forum = Forum(board(*said))
    patch.chdir(folder)
    patch.setenv("KNIGHTFALL_DELAY", "0")
    patch.setenv("KNIGHTFALL_AUTHOR", "Wren")
    with serving(forum) as server:
        players = "".join(f'[[player]]\nname = "{name}"\n' for name in PLAYERS)
        thread = f'[[thread]]\nrole = "game"\nurl = "{server.root}viewtopic.php?t=5"\n'
        head = 'schema = 1\n[game]\nmoderators = ["Wren"]\nsite = "plain"\ntimezone = "UTC"\n'
        (folder / "game.toml").write_text(head + thread + players + more, encoding="utf-8")
        found = Place(folder, forum)
        found.read()
        yield found


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    """Posts 2 to 6: talk, three votes, talk."""
    said = [("Ada", "Hello."), ("Boro", vote("Fen")), ("Cinder", vote("Fen")), ("Fen", vote("Ada"))]
    with place(tmp_path, monkeypatch, *said, ("Kestrel", "Hm.")) as found:
        yield found


def test_a_decision_follows_its_post_when_the_forum_counts_anew(game: Place) -> None:
    game.run("fix", "3", "--unvote", "--why", "said so by PM")
    assert game.wagons() == {"Fen": ["Cinder"], "Ada": ["Fen"]}
    game.delete(2)
    told = game.read()
    assert "Posts from #2 on have other numbers now than before." in told
    assert "undo it and say it again" not in told
    assert game.wagons() == {"Fen": ["Cinder"], "Ada": ["Fen"]}
    assert "#2 counts as an unvote (said so by PM)" in game.run("vc", "--stored", "--footnotes").stdout


def test_the_mark_of_a_decision_stands_in_the_journal(game: Place) -> None:
    game.run("fix", "3", "--unvote", "--why", "said so by PM")
    ledger = Ledger.open(game.folder / "game.db")
    entry = ledger.records()[-1].entry
    ledger.close()
    assert isinstance(entry, Fixed)
    assert entry.mark is not None
    assert (entry.mark.number, entry.mark.id, entry.mark.author) == (3, "103", "Boro")
    assert len(entry.mark.sha256) == 64
    game.run("verify")
    game.run("export", "copy.jsonl")
    assert '"mark": {"number": 3, "id": "103", "author": "Boro"' in (game.folder / "copy.jsonl").read_text()


def test_a_decision_whose_post_is_gone_lands_on_nobody_and_asks(game: Place) -> None:
    game.run("fix", "3", "--to", "Kestrel", "--why", "clear")
    game.delete(3)
    game.read()
    assert game.wagons(status=3) == {"Fen": ["Cinder"], "Ada": ["Fen"]}
    asked = game.asked()
    assert "The post on which you decided (#3 by Boro; entry 1, a vote for Kestrel) is gone" in asked
    assert "knightfall undo 1" in asked
    game.run("undo", "1", "--why", "the post is gone")
    assert game.wagons() == {"Fen": ["Cinder"], "Ada": ["Fen"]}


def test_the_last_post_that_is_gone_asks_too(game: Place) -> None:
    game.run("fix", "6", "--to", "Ada", "--why", "by PM")
    game.delete(6)
    game.read()
    assert "(#6 by Kestrel; entry 1, a vote for Ada) is gone" in game.asked()
    assert game.wagons("--at", "4") == {"Fen": ["Boro", "Cinder"]}


@pytest.mark.parametrize("decision", ["--ignore", "--count", "--unvote", "--no-elimination"])
def test_a_post_that_was_edited_since_is_neither_counted_nor_ignored_but_asked(
    game: Place, decision: str
) -> None:
    game.edit(3, vote("Kestrel") + " Sure.")
    game.read()
    game.run("fix", "3", decision, "--why", "as said")
    before = game.wagons()
    game.edit(3, vote("Ada") + " No, wait.")
    game.read()
    found = game.count(status=3)
    [question] = found["questions"]
    assert (question["post"], question["voter"]) == (3, "Boro")
    assert "was edited after you decided on it (entry 1, " in question["why"]
    assert all("Boro" not in names for names in game.wagons(status=3).values())
    assert "#3 Boro was edited after you decided on it (entry 1, " in game.asked()
    assert "decide again" in game.asked()
    game.run("fix", "3", decision, "--why", "still so")
    assert game.count()["questions"] == []
    if decision != "--count":
        assert game.wagons() == before


def test_until_then_the_earlier_vote_stands(game: Place) -> None:
    game.edit(6, "I am with Ada.")
    game.forum.posts.insert(5, (1055, "Kestrel", vote("Fen")))
    game.read()
    game.run("fix", "7", "--to", "Ada", "--why", "clear")
    assert game.wagons()["Ada"] == ["Fen", "Kestrel"]
    game.edit(7, "I am with nobody.")
    game.read()
    assert game.wagons(status=3)["Fen"] == ["Boro", "Cinder", "Kestrel"]


def test_another_author_under_the_same_number_is_asked(game: Place) -> None:
    game.run("fix", "3", "--unvote", "--why", "so")
    identity, _, body = game.forum.posts[2]
    game.forum.posts[2] = (identity, "Kestrel", body)
    game.read()
    assert "is not the post by Boro that you decided on (entry 1, an unvote)" in game.asked()


def test_a_count_as_of_an_earlier_post_knows_nothing_of_later_decisions(game: Place) -> None:
    game.run("fix", "5", "--ignore", "--why", "a joke")
    game.edit(5, vote("Boro"))
    game.delete(2)
    game.read()
    assert game.wagons("--at", "3") == {"Fen": ["Boro", "Cinder"]}
    assert "#4 Fen was edited" in game.asked()


def test_an_undone_decision_asks_nothing(game: Place) -> None:
    game.run("fix", "3", "--unvote", "--why", "so")
    game.run("undo", "--why", "wrong")
    game.delete(3)
    game.read()
    game.count()


def test_entries_without_marks_count_by_number_and_are_warned_of(game: Place) -> None:
    ledger = Ledger.open(game.folder / "game.db")
    ledger.append(Fixed("3", "unvote", "of old"), SystemClock().now(), "Wren")
    ledger.close()
    assert game.wagons() == {"Fen": ["Cinder"], "Ada": ["Fen"]}
    game.delete(2)
    assert "What you decided by number (fix, replace, modkill, phase open --post) means" in game.read()
    assert game.wagons() == {"Fen": ["Boro"], "Ada": ["Fen"]}
