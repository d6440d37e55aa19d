"""Decisions stay with their posts, on a forum that counts its posts anew and lets them be edited."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from command_line import CliRunner
from fetch.loopback import serving
from fetch.threads import Forum
from knightfall.cli import app
from knightfall.engine.entries import Fixed
from knightfall.fetch.clock import SystemClock
from knightfall.storage.ledger import Ledger
from services.end_of_day import PLAYERS, board, vote

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


@pytest.mark.few(2)
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
    assert "decide. It reads" in game.asked()
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


# ── people and days: from a post on ──────────────────────────────────────────────────────────────


def test_a_replacement_holds_from_its_post_on_whatever_number_that_has(game: Place) -> None:
    game.run("replace", "Boro", "Rook", "--at", "4")
    game.forum.posts.append((107, "Rook", vote("Ada")))
    game.delete(2)
    game.read()
    rows = json.loads(game.run("roster", "--stored", "--json").stdout)["slots"]
    assert "Rook" in [row["player"] for row in rows]
    assert game.wagons() == {"Fen": ["Cinder"], "Ada": ["Fen", "Rook"]}
    assert "Rook replaces Boro as of #3." in game.run("vc", "--stored").stdout


def test_a_death_goes_with_its_post(game: Place) -> None:
    game.run("kill", "Kestrel", "--at", "5", "--why", "shot")
    game.delete(2)
    game.read()
    assert "Kestrel has died as of #4." in game.run("vc", "--stored").stdout
    assert game.count("--at", "3")["alive"] == 5
    assert game.count()["alive"] == 4
    game.run("revive", "Kestrel", "--at", "5", "--why", "it missed")
    game.delete(2)
    game.read()
    assert "Kestrel is alive again as of #4." in game.run("vc", "--stored").stdout
    assert game.count("--at", "3")["alive"] == 4


def test_what_holds_from_the_next_post_on_stays_behind_the_last_one(game: Place) -> None:
    game.run("modkill", "Kestrel", "--why", "a second account")
    game.forum.posts.append((107, "Ada", "Oh no."))
    game.delete(2)
    game.read()
    assert game.count("--at", "5")["alive"] == 5
    assert game.count("--at", "6")["alive"] == 4


def test_a_replacement_whose_post_is_gone_holds_from_its_place_on_and_says_so(game: Place) -> None:
    game.run("replace", "Boro", "Rook", "--at", "4")
    game.delete(4)
    game.delete(2)
    game.read()
    told = game.run("vc", "--stored").stderr
    assert "The post that entry 1 names (#4 by Cinder) is gone." in told
    assert "#3 is the first post behind it." in told
    assert "Rook replaces Boro as of #3." in game.run("vc", "--stored").stdout


def test_an_edit_changes_no_place(game: Place) -> None:
    game.run("replace", "Boro", "Rook", "--at", "4")
    before = game.wagons()
    game.edit(4, vote("Fen") + " Really.")
    game.read()
    assert game.wagons() == before


@pytest.fixture
def two_days(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    """Votes in posts 2 to 4, then talk of the moderator that opens nothing by itself."""
    said = [("Boro", "Hi."), ("Ada", vote("Fen")), ("Cinder", vote("Fen")), ("Wren", "Go on.")]
    with place(tmp_path, monkeypatch, *said, ("Fen", vote("Ada")), more="") as found:
        yield found


def test_a_day_begins_with_the_post_that_was_named(two_days: Place) -> None:
    two_days.run("phase", "open", "day", "1", "--post", "1", "--ends", "48h")
    two_days.run("phase", "open", "day", "2", "--post", "5", "--ends", "72h")
    two_days.delete(2)
    two_days.read()
    assert two_days.wagons("--day", "1") == {"Fen": ["Ada", "Cinder"]}
    assert two_days.wagons("--day", "2") == {"Ada": ["Fen"]}


def test_a_lock_stays_behind_its_post(two_days: Place) -> None:
    two_days.run("phase", "open", "day", "1", "--post", "1", "--ends", "48h")
    two_days.run("phase", "lock", "day", "1", "--post", "4")
    two_days.delete(2)
    two_days.read()
    assert two_days.wagons() == {"Fen": ["Ada", "Cinder"]}
    two_days.delete(3)
    two_days.read()
    assert two_days.wagons() == {"Fen": ["Ada"]}


def test_a_day_that_was_closed_ends_where_it_ended(two_days: Place) -> None:
    two_days.run("phase", "open", "day", "1", "--post", "1", "--ends", "48h")
    two_days.run("fix", "6", "--to", "Fen", "--why", "by PM")
    two_days.run("phase", "close", "--stored", "--early", "a hammer by PM", answers="Fen\n")
    two_days.forum.posts.append((107, "Boro", vote("Ada")))
    two_days.edit(6, "I take all of it back.")
    two_days.delete(2)
    two_days.read()
    found = two_days.count("--day", "1")
    assert found["at"]["post"] == 5
    assert {w["target"]: [v["slot"] for v in w["voters"]] for w in found["wagons"]} == {
        "Fen": ["Ada", "Cinder", "Fen"]
    }
    assert any("Day 1 is closed, so that stands." in said for said in found["assumed"])


def test_a_question_on_an_edited_post_keeps_a_day_open_where_it_decides(two_days: Place) -> None:
    two_days.run("phase", "open", "day", "1", "--post", "1", "--ends", "48h")
    two_days.run("fix", "6", "--to", "Fen", "--why", "by PM")
    two_days.edit(6, vote("Ada") + " Definitely.")
    two_days.read()
    told = two_days.run("phase", "close", "--stored", "--early", "why not", status=3, answers="Fen\n")
    assert "was edited after you decided on it (entry 2, a vote for Fen)" in str(told.exception)
    two_days.delete(6)
    two_days.read()
    told = two_days.run("phase", "close", "--stored", "--early", "why not", status=3, answers="Fen\n")
    assert "Day 1 stays open:\nThe post on which you decided" in str(told.exception)


def test_a_count_that_was_posted_stays_what_it_was(game: Place) -> None:
    game.run("fix", "5", "--to", "Boro", "--why", "by PM")
    game.run("vc", "--stored", "--posted")
    game.forum.posts.append((107, "Kestrel", vote("Boro")))
    game.delete(2)
    game.read()
    told = game.run("vc", "--stored").stderr
    assert "Changes since the last posted count: Kestrel – → Boro (#6)." in told


# ── views of one thread, and threads without ids ─────────────────────────────────────────────────


def lines(folder: Path, name: str, posts: list[tuple[int, str, str, str]]) -> str:
    """Posts as JSON Lines: (number, id, author, body)."""
    rows = [
        json.dumps({"number": number, "id": identity, "user": user, "content": content})
        for number, identity, user, content in posts
    ]
    (folder / name).write_text("\n".join(rows), encoding="utf-8")
    return name


def wagons_in(found: Result) -> dict[str, list[str]]:
    return {w["target"]: [v["slot"] for v in w["voters"]] for w in json.loads(found.stdout)["wagons"]}


def test_the_numbers_of_a_view_with_deleted_posts_are_not_those_of_the_players(game: Place) -> None:
    game.run("fix", "3", "--unvote", "--why", "by PM")
    posts = [(f"{identity}", author, body) for identity, author, body in game.forum.posts]
    posts.insert(1, ("1015", "Spammer", vote("Ada")))
    posts[0] = ("101", "Wren", "<b>Day 1 begins.</b>")
    numbered = [(number, *post) for number, post in enumerate(posts, start=1)]
    file = lines(game.folder, "mine.jsonl", numbered)
    found = game.run("vc", "--from-jsonl", file, "--game", ".", "--json")
    assert wagons_in(found) == {"Fen": ["Cinder"], "Ada": ["Fen"]}


@pytest.mark.parametrize("identity", ["{}", "n{}"])
def test_without_ids_the_number_and_the_author_are_gone_by(game: Place, identity: str) -> None:
    game.run("fix", "3", "--unvote", "--why", "by PM")
    posts = [
        (number, identity.format(number), author, body)
        for number, (_, author, body) in enumerate(game.forum.posts, start=1)
    ]
    same = game.run("vc", "--from-jsonl", lines(game.folder, "a.jsonl", posts), "--game", ".", "--json")
    assert wagons_in(same) == {"Fen": ["Cinder"], "Ada": ["Fen"]}
    shifted = [
        (number - (number > 2), identity.format(number - (number > 2)), author, body)
        for number, _, author, body in posts
        if number != 2
    ]
    file = lines(game.folder, "b.jsonl", shifted)
    asked = game.run("vc", "--from-jsonl", file, "--game", ".", "--json", status=3)
    assert wagons_in(asked) == {"Fen": ["Boro"], "Ada": ["Fen"]}
    assert "is not the post by Boro that you decided on (entry 1, an unvote)" in str(asked.exception)


def test_a_number_in_a_gap_is_no_post_to_decide_on(game: Place) -> None:
    told = game.run("fix", "9", "--ignore", "--why", "x", status=2)
    assert "Post 9 is not in the thread" in str(told.exception)


# ── sign-ups ─────────────────────────────────────────────────────────────────────────────────────


def test_a_decision_on_a_signup_follows_its_post_and_asks_when_it_was_edited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with place(
        tmp_path, monkeypatch, ("Ada", "/in"), ("Boro", "/spec"), ("Rook", "maybe in?"), more=""
    ) as game:
        file = tmp_path / "game.toml"
        text = file.read_text(encoding="utf-8").replace('role = "game"', 'role = "signup"')
        file.write_text(text, encoding="utf-8")
        read = ("signup", "read", "--allow-private-host", "--json")
        game.run(*read, status=3)
        game.run("signup", "decide", "4", "in", "--why", "by PM")
        assert [one["name"] for one in json.loads(game.run(*read).stdout)["players"]] == ["Ada", "Rook"]
        game.delete(3)
        found = json.loads(game.run(*read).stdout)
        assert [(one["name"], one["post"]) for one in found["players"]] == [("Ada", 2), ("Rook", 3)]
        game.edit(3, "/in")
        found = json.loads(game.run(*read, status=3).stdout)
        assert [one["post"] for one in found["unclear"]] == [3]
        assert "#3 was edited after you decided on it (entry 1, in)." in found["assumed"]
        game.delete(3)
        found = json.loads(game.run(*read).stdout)
        assert "The post on which you decided (#4 by Rook; entry 1, in) is gone." in found["assumed"][0]


# ── numbers in game.toml ─────────────────────────────────────────────────────────────────────────


FILED = """[[day]]
number = 1
start_post = 2
[[fix]]
post = 4
to = "Kestrel"
why = "clear"
"""


def test_a_number_of_the_file_that_means_another_post_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = [("Wren", "Go."), ("Boro", vote("Fen")), ("Cinder", vote("Fen")), ("Fen", vote("Ada"))]
    with place(tmp_path, monkeypatch, *said, more=FILED) as game:
        assert game.wagons() == {"Fen": ["Boro"], "Kestrel": ["Cinder"], "Ada": ["Fen"]}
        assert "was by" not in game.run("vc", "--stored").stderr
        game.delete(1)
        assert "What you decided by number" in game.read()
        told = game.run("vc", "--stored").stderr
        assert (
            "game.toml, start_post of day 1: #2 was by Wren when it was first counted. That post is #1 now, "
            "and #2 is by Boro now. Correct the file."
        ) in " ".join(told.split())
        assert "game.toml, [[fix]] Kestrel: #4 was by Cinder when it was first counted" in told
        file = tmp_path / "game.toml"
        text = file.read_text(encoding="utf-8").replace("start_post = 2", "start_post = 1")
        file.write_text(text.replace("post = 4", "post = 3"), encoding="utf-8")
        assert "was by" not in game.run("vc", "--stored").stderr
        game.edit(3, "Never mind.")
        game.read()
        assert (
            "was edited or deleted since. Is the decision still right?" in game.run("vc", "--stored").stderr
        )
        game.delete(3)
        game.read()
        assert "That post is gone, and #3 is by Fen now." in game.run("vc", "--stored").stderr
