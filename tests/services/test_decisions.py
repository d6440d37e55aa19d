"""`knightfall fix`, `alias`, `undo`, `log` and `near`: the moderator decides, and it is kept."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from knightfall.cli import app
from knightfall.errors import InputError, StateDamaged

PLAYERS = ("Ada", "Boro", "Cinder", "Kestrel", "Kestis", "Mr. O'Brien-Smith")
SAID = (
    ("Ada", "<b>Vote: Kest</b>"),
    ("Boro", "vote Kestrel"),
    ("Cinder", "<b>Vote: the bird</b>"),
    ("Kestrel", "<b>Vote: Ada</b>"),
)
"""Posts 2 to 5: one that fits two, one that is not bold, one by a nickname, one plain vote."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game folder that we stand in, with a thread of five posts."""
    players = "".join(f"[[player]]\nname = {json.dumps(name)}\n" for name in PLAYERS)
    (tmp_path / "game.toml").write_text(
        f'schema = 1\n[game]\nmoderators = ["Wren"]\n[rules]\nforms = ["bold", "bold_colon"]\n{players}',
        encoding="utf-8",
    )
    posts = [("Wren", "Day 1 begins."), *SAID]
    lines = [
        json.dumps({"number": number, "id": str(number), "user": user, "content": content})
        for number, (user, content) in enumerate(posts, start=1)
    ]
    (tmp_path / "posts.jsonl").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KNIGHTFALL_AUTHOR", "Wren")
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def count(*words: str) -> dict[str, Any]:
    result = run("vc", "--from-jsonl", "posts.jsonl", "--game", ".", "--json", *words)
    return dict(json.loads(result.stdout))


def wagons() -> dict[str, list[str]]:
    return {w["target"]: [v["slot"] for v in w["voters"]] for w in count()["wagons"]}


@pytest.mark.usefixtures("folder")
def test_each_kind_of_decision_counts_from_then_on() -> None:
    assert wagons() == {"Ada": ["Kestrel"]}
    run("fix", "2", "--to", "kestrel", "--why", "he means the bird")
    run("fix", "#3", "--count", "--why", "bold is not needed when clear")
    run("fix", "4", "--no-elimination", "--why", "said so by PM")
    run("fix", "5", "--ignore", "--why", "a joke")
    assert wagons() == {"Kestrel": ["Ada", "Boro"], None: ["Cinder"]}
    assert count()["questions"] == []
    run("fix", "4", "--unvote", "--why", "he corrects himself")
    assert wagons() == {"Kestrel": ["Ada", "Boro"]}


@pytest.mark.usefixtures("folder")
def test_an_alias_is_a_name_from_then_on() -> None:
    assert run("alias", "Kestrel", "the bird", "--why", "all say so").stdout.startswith(
        "1: “the bird” means Kestrel (all say so)"
    )
    assert wagons()["Kestrel"] == ["Cinder"]


@pytest.mark.usefixtures("folder")
def test_an_undo_takes_a_decision_back_and_can_be_undone_itself() -> None:
    run("fix", "2", "--to", "Kestrel", "--why", "clear")
    run("undo", "--why", "wrong post")
    assert "Kestrel" not in wagons()
    run("undo", "2", "--why", "right post after all")
    assert wagons()["Kestrel"] == ["Ada"]


@pytest.mark.usefixtures("folder")
def test_the_log_tells_who_decided_what_and_why() -> None:
    run("fix", "2", "--to", "Kestrel", "--why", "clear")
    run("undo", "1", "--why", "no")
    first, second = json.loads(run("log", "--json").stdout)["entries"]
    assert (first["author"], first["undone"], first["fields"]["reads"]) == ("Wren", True, "vote Kestrel")
    assert (second["entry"], second["number"]) == ("undone", 2)
    shown = run("log").stdout
    assert "Wren: post 2: decided as a vote for Kestrel (clear) [undone]" in " ".join(shown.split())
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.usefixtures("folder")
def test_decisions_are_footnotes_where_they_are_wanted() -> None:
    run("fix", "2", "--to", "Kestrel", "--why", "clear [/b]")
    words = ("vc", "--from-jsonl", "posts.jsonl", "--game", ".", "--as", "phpbb")
    assert "counts as a vote for" not in run(*words).stdout
    assert "#2 counts as a vote for Kestrel (clear " in run(*words, "--footnotes").stdout
    assert "[/b])" not in run(*words, "--footnotes").stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("fix", "x", "--ignore", "--why", "y"), "x is not a post number"),
        (("fix", "2", "--ignore"), "Give a reason"),
        (("fix", "2", "--why", "y"), "Found 0 decisions, expected exactly one"),
        (("fix", "2", "--ignore", "--unvote", "--why", "y"), "Found 2 decisions"),
        (("fix", "2", "--to", "Kestrl", "--why", "y"), "No player is called “Kestrl”. Nearest: Kestrel"),
        (("alias", "Ada", "boro", "--why", "y"), "“boro” is already a name of Boro"),
        (("alias", "Nobody", "x", "--why", "y"), "No player is called “Nobody”"),
        (("undo", "--why", "y"), "The journal is empty"),
        (("undo", "7", "--why", "y"), "There is no entry 7 to undo"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_cannot_be_decided_says_why(words: tuple[str, ...], says: str) -> None:
    result = run(*words)
    assert isinstance(result.exception, InputError)
    assert says in str(result.exception)
    assert run("log").stdout.strip() == "Nothing yet."


def test_a_decision_needs_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "Run it in a folder that has a game.toml" in str(
        run("fix", "2", "--ignore", "--why", "y").exception
    )


def test_a_decision_in_the_file_that_names_nobody_is_an_error_not_a_vote_for_nobody(folder: Path) -> None:
    with (folder / "game.toml").open("a", encoding="utf-8") as file:
        file.write('[[fix]]\npost = 2\nto = "Zed"\nwhy = "x"\n')
    result = run("vc", "--from-jsonl", "posts.jsonl", "--game", ".")
    assert "The decision on post 2 names “Zed”, who is not a player" in str(result.exception)


def test_a_changed_byte_of_the_journal_is_found(folder: Path) -> None:
    run("fix", "2", "--to", "Kestrel", "--why", "clear")
    with sqlite3.connect(folder / "game.db") as raw:
        raw.execute("update journal set entry = replace(entry, 'clear', 'clean')")
    raw.close()
    result = run("log")
    assert isinstance(result.exception, StateDamaged)
    assert "Record 1 of the journal was changed or damaged" in str(result.exception)


@pytest.mark.usefixtures("folder")
def test_near_lists_what_looks_like_a_vote_and_nothing_else() -> None:
    shown = run("near", "--from-jsonl", "posts.jsonl", "--game", ".").stdout
    assert shown.startswith("Day 1, to post 5: 3 posts to check.")
    assert "#2 Ada: needs your decision, could be Kestrel or Kestis: “Vote: Kest”" in shown
    assert "#3 Boro: not bold: “vote Kestrel”" in shown
    listed = json.loads(run("near", "--from-jsonl", "posts.jsonl", "--game", ".", "--json").stdout)
    assert (listed["day"], listed["at"]) == (1, 5)
    assert [(entry["post"], entry["reason"]) for entry in listed["near"]] == [
        (2, "question"),
        (3, "not_bold"),
        (4, "question"),
    ]
