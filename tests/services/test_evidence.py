"""`knightfall evidence`, and what `read` and `vc` say of posts that a forum changed meanwhile."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import Result

from command_line import CliRunner
from fetch.loopback import Server, serving
from fetch.threads import Forum, thread
from knightfall.cli import app
from knightfall.errors import InputError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path))
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    yield tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def url_of(server: Server) -> str:
    return server.root + "viewtopic.php?t=5"


def read(server: Server, *words: str) -> str:
    result = run("read", url_of(server), "--allow-private-host", *words)
    assert result.exit_code == 0, result.output
    return result.stdout


def game() -> Forum:
    posts = thread(8)
    posts[0] = (100, "Ada", "Players:<br>1. Boro<br>2. Elm")
    posts[4] = (108, "Boro", "Hm.<br><b>Vote: Elm</b>")
    return Forum(posts)


@pytest.mark.usefixtures("home")
def test_a_changed_and_a_vanished_post_are_told_after_the_table() -> None:
    forum = game()
    with serving(forum) as server:
        assert "changed" not in read(server)
        forum.posts[4] = (108, "Boro", "Hm.<br><b>Vote: Ada</b>")
        del forum.posts[6]
        told = read(server, "--again").splitlines()
    assert told[told.index("Complete    yes") + 1 :] == [
        "Post 5 (Boro) changed.",
        "   Hm.",
        "  -Vote: Elm",
        "  +Vote: Ada",
        "Post 7 (Ada) vanished.",
        "  it said: Post number 7.",
        "Posts from #7 on have other numbers now than before. What you decided by number (fix, replace, "
        "modkill, phase open --post) means the post that has it now: see knightfall log, undo it and say it "
        "again.",
    ]


@pytest.mark.usefixtures("home")
def test_a_changed_post_of_an_earlier_page_is_found_by_reading_again_only() -> None:
    forum = game()
    with serving(forum) as server:
        read(server)
        forum.posts[4] = (108, "Boro", "Other")
        assert "Post 5" not in read(server)
        assert "Post 5 (Boro) changed." in read(server, "--again")
        assert "Post 5" not in read(server, "--again")


@pytest.mark.usefixtures("home")
def test_the_count_says_that_a_post_changed_after_it_was_counted() -> None:
    forum = game()
    with serving(forum) as server:
        count = ("vc", url_of(server), "--allow-private-host")
        assert run(*count).exit_code == 0
        forum.posts = [*forum.posts[:4], *forum.posts[5:]]
        again = run(*count)
    assert again.exit_code == 0
    assert "Post 5 (Boro) vanished after it was counted (" in again.stderr
    assert "it said: Hm. Vote: Elm" in again.stderr


@pytest.mark.usefixtures("home")
def test_every_version_of_a_post_is_shown_with_times_hashes_and_what_differs() -> None:
    forum = game()
    with serving(forum) as server:
        read(server)
        forum.posts[4] = (108, "Boro", "Hm.<br><b>Vote: Ada</b>")
        read(server, "--again")
        shown = run("evidence", "#5", url_of(server))
        as_json = json.loads(run("evidence", "5", url_of(server), "--json").stdout)
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    assert lines[0].startswith("Post #5 by Boro, http://")
    assert [line.split(":")[0] for line in lines if line.startswith("Version")] == ["Version 1", "Version 2"]
    assert "  -Vote: Elm" in lines
    assert "  +Vote: Ada" in lines
    assert lines[-1].endswith("UTC  Post 5 (Boro) changed.")
    first, second = as_json["versions"]
    assert f"  text sha256    {first['sha256']}" in lines
    assert f"  forum's clock  {first['server_date']}" in lines
    assert (first["text"], second["text"]) == ("Hm.\nVote: Elm", "Hm.\nVote: Ada")
    assert (first["superseded"], second["superseded"]) == (second["first_seen"], None)


def test_the_thread_of_a_game_need_not_be_named(home: Path) -> None:
    with serving(game()) as server:
        read(server, "--game", str(home / "salt"))
    assert "Vote: Elm" in run("evidence", "5", "--game", str(home / "salt")).stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["five", "https://a.example/viewtopic.php?t=1"], "five is not a post number"),
        (["5"], "Give the address of the thread, or the folder of a game: --game"),
        (["5", "https://a.example/viewtopic.php?t=1"], "Post 5 of"),
        (["5", "--game", "nowhere"], "holds no thread yet"),
    ],
)
def test_evidence_that_is_not_there_says_what_to_give(home: Path, words: list[str], says: str) -> None:
    result = run("evidence", *words)
    assert isinstance(result.exception, InputError)
    assert says in str(result.exception)
    assert not list(home.rglob("*.db"))


def test_a_login_in_the_folder_of_a_game_is_refused(home: Path) -> None:
    cookies = home / "salt" / "cookies.txt"
    cookies.parent.mkdir()
    cookies.touch(mode=0o600)
    result = run("read", "https://a.example/", "--game", str(home / "salt"), "--cookies", str(cookies))
    assert isinstance(result.exception, InputError)
    assert "Move it somewhere else" in str(result.exception)


@pytest.mark.usefixtures("home")
def test_explain_tells_which_version_of_a_post_counts() -> None:
    forum = game()
    with serving(forum) as server:
        read(server)
        assert "versions" not in run("explain", "Elm", url_of(server), "--stored").stdout
        forum.posts[4] = (108, "Boro", "Hm, hm.<br><b>Vote: Elm</b>")
        read(server, "--again")
        wagon = run("explain", "Elm", url_of(server), "--stored").stdout
        post = run("explain", "5", url_of(server), "--stored").stdout
    for shown in (wagon, post):
        assert "#5 has 2 known versions. This uses version 2, first seen" in shown
