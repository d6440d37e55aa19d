"""`knightfall signup …`: who signed up, from a forum or a file, into the game file and a post."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from command_line import CliRunner
from fetch.loopback import serving
from fetch.threads import Forum
from knightfall.cli import app, clipboard
from knightfall.config.game_file import read_setup
from knightfall.errors import DecisionNeeded, StateDamaged

SAID = (
    ("Wren", "Sign up here: /in to play."),
    ("Ada", "/in"),
    ("Boro", "In!"),
    ("Pike", "/in"),
    ("Moth [b]", "/sub"),
    ("Pike", "sorry, /out"),
    ("Ada", "<blockquote>/out</blockquote>join"),
    ("Rook", "maybe in?"),
    ("Elm", "<b>/spec</b>"),
    ("Boro", "confirmed"),
)
SOURCE = ("posts.jsonl", "--from-jsonl")


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game folder that we stand in, without players, and a sign-up thread as a file."""
    (tmp_path / "game.toml").write_text(
        '# mine\nschema = 1\n[game]\ntitle = "Gull Rock"\nmoderators = ["Wren"]\n', encoding="utf-8"
    )
    lines = [
        {"number": n, "id": str(900 + n), "user": who, "content": text}
        for n, (who, text) in enumerate(SAID, start=1)
    ]
    (tmp_path / "posts.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lists() -> dict[str, Any]:
    return dict(json.loads(run("signup", "read", *SOURCE, "--json").stdout))


@pytest.mark.usefixtures("folder")
def test_the_lists_are_told_with_their_posts_and_what_is_unclear_with_its_link() -> None:
    result = run("signup", "read", *SOURCE)
    assert result.stderr == "10 posts read. 2 in, 1 backup, 1 spectator, 1 out (Pike, #6); 1 unclear.\n"
    assert result.stdout.splitlines() == [
        "Players (2)",
        "  1. Ada #2 (again #7)",
        "  2. Boro #3 (confirmed #10)",
        "Backups (1)",
        "  1. Moth [b] #5",
        "Spectators (1)",
        "  1. Elm #9",
        "Out (1)",
        "  1. Pike #6",
        "Unclear, not counted (1)",
        "  #8 Rook: “maybe in?”",
        "How every post was read (10)",
        "  #1 Wren, moderator: “Sign up here: /in to play.”",
        "  #2 Ada, in: “/in”",
        "  #3 Boro, in: “In!”",
        "  #4 Pike, in: “/in”",
        "  #5 Moth [b], sub: “/sub”",
        "  #6 Pike, out: “sorry, /out”",
        "  #7 Ada, in: “join”",
        "  #8 Rook, UNCLEAR: “maybe in?”",
        "  #9 Elm, spec: “/spec”",
        "  #10 Boro, confirm: “confirmed”",
    ]
    assert isinstance(result.exception, DecisionNeeded)
    assert "knightfall signup decide 8 in|out|sub|spec|ignore" in str(result.exception)


@pytest.mark.usefixtures("folder")
def test_json_says_the_same() -> None:
    found = lists()
    assert [one["name"] for one in found["players"]] == ["Ada", "Boro"]
    assert found["players"][1] | {"url": ""} == {
        "name": "Boro", "post": 3, "url": "", "again": [], "confirmed": 10, "edited": False, "decided": False,
    }  # fmt: skip
    assert found["unclear"] == [{"post": 8, "url": None, "author": "Rook", "text": "maybe in?"}]


@pytest.mark.usefixtures("folder")
def test_a_decision_settles_what_is_unclear_and_is_no_vote() -> None:
    said = run("signup", "decide", "#8", "in", "--why", "asked him by PM").stdout
    assert said.startswith("1: post 8:")
    assert "signup in (asked him by PM)" in said
    assert [one["name"] for one in lists()["players"]] == ["Ada", "Boro", "Rook"]
    assert lists()["players"][2]["decided"]
    assert run("signup", "read", *SOURCE).exit_code == 0
    counted = run("vc", *SOURCE, "--game", ".")
    assert not isinstance(counted.exception, StateDamaged)
    run("signup", "decide", "8", "ignore", "--why", "a joke")
    assert [one["name"] for one in lists()["players"]] == ["Ada", "Boro"]
    run("undo", "--why", "no joke")
    assert [one["name"] for one in lists()["players"]] == ["Ada", "Boro", "Rook"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("last", "in", "--why", "x"), "not a post number"),
        (("8", "maybe", "--why", "x"), "expected one of in, out, sub, spec, ignore"),
        (("8", "in"), "Give a reason"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_decision_that_says_nothing_is_not_written(words: tuple[str, ...], says: str) -> None:
    assert says in str(run("signup", "decide", *words).exception)
    assert "signup" not in run("log").stdout


def test_nothing_is_written_while_something_is_unclear(folder: Path) -> None:
    result = run("signup", "read", *SOURCE, "--write")
    assert isinstance(result.exception, DecisionNeeded)
    assert read_setup(folder).roster is None
    assert not (folder / "public").exists()


def test_the_players_of_the_file_follow_the_sign_ups_until_the_deal(folder: Path) -> None:
    file = folder / "game.toml"
    file.write_text(file.read_text() + '\n[[player]]\nname = "Uncle"  # promised me\n\n[[day]]\nnumber = 1\n')
    before = file.read_text()
    run("signup", "decide", "8", "ignore", "--why", "a joke")
    result = run("signup", "read", *SOURCE, "--write", "--as", "mafiascum")
    assert result.exit_code == 0, result.output
    assert "game.toml now lists 3 players.\nAdded: Ada, Boro.\n" in result.stderr
    assert "Not signed up, but kept because you added them: Uncle." in result.stderr
    assert file.read_text().startswith(before)
    assert players(folder) == ["Uncle", "Ada", "Boro"]
    assert (folder / "public" / "signups.txt").read_text() == result.stdout

    # Somebody comes, somebody goes; what the moderator added to a table makes it theirs.
    run("signup", "decide", "8", "in", "--why", "he meant it")
    run("signup", "decide", "7", "out", "--why", "by PM")
    again = run("signup", "read", *SOURCE, "--write").stderr
    assert "game.toml now lists 3 players.\nAdded: Rook.\nRemoved: Ada.\n" in again
    assert file.read_text().startswith(before)
    assert players(folder) == ["Uncle", "Boro", "Rook"]
    same = file.read_text()
    assert "Added" not in run("signup", "read", *SOURCE, "--write").stderr
    assert file.read_text() == same
    file.write_text(
        same.replace('name = "Rook" # signed up\n', 'name = "Rook" # signed up\naliases = ["R"]\n')
    )
    run("signup", "decide", "8", "out", "--why", "he did not")
    assert "kept because you added them: Uncle, Rook." in run("signup", "read", *SOURCE, "--write").stderr
    assert players(folder) == ["Uncle", "Boro", "Rook"]


def players(folder: Path) -> list[str]:
    roster = read_setup(folder).roster
    return [slot.name for slot in roster.slots] if roster else []


def test_words_of_who_has_not_signed_up_wait_for_the_moderator(folder: Path) -> None:
    more = [(11, "Quill", "I'd like to play"), (12, "Fern", "Me!"), (13, "Ada", "nice")]
    with (folder / "posts.jsonl").open("a") as file:
        for n, who, text in more:
            file.write("\n" + json.dumps({"number": n, "id": str(900 + n), "user": who, "content": text}))
    result = run("signup", "read", *SOURCE)
    assert isinstance(result.exception, DecisionNeeded)
    assert "3 unclear and not counted: #8, #11, #12." in str(result.exception)
    assert "  #11 Quill, UNCLEAR: “I'd like to play”\n" in result.stdout
    assert "  #13 Ada, not about signing up: “nice”\n" in result.stdout
    run("signup", "decide", "11", "in", "--why", "clear enough")
    assert "  #11 Quill, in (decided by you): “I'd like to play”\n" in run("signup", "read", *SOURCE).stdout
    assert lists()["read"][10] == {"post": 11, "author": "Quill", "reading": "in", "text": "I'd like to play"}


@pytest.mark.parametrize(
    ("game", "number", "says"),
    [
        ("knight-errant", 16, "Knight-Errant is a game for 18 players: 16 so far, 2 more needed."),
        ("knight-errant", 18, ""),
        ("knight-errant", 20, "Knight-Errant is a game for 18 players: 20 so far, 2 too many."),
        ("votes", 2, ""),
    ],
)
def test_the_number_of_players_is_checked_against_the_game(
    folder: Path, game: str, number: int, says: str
) -> None:
    head = (folder / "game.toml").read_text().replace("[game]", f'[game]\nkind = "{game}"')
    (folder / "game.toml").write_text(head)
    posts = [{"number": n, "id": str(n), "user": f"Tern {n}", "content": "/in"} for n in range(1, number + 1)]
    (folder / "posts.jsonl").write_text("\n".join(map(json.dumps, posts)), encoding="utf-8")
    first, written = run("signup", "read", *SOURCE), run("signup", "read", *SOURCE, "--write")
    assert (lists()["complaint"] or "") == says
    for result in (first, written):
        assert result.exit_code == 0, result.output
        assert says in result.stderr
    assert len(players(folder)) == number


def test_players_whom_the_moderator_wrote_count_for_the_number_too(folder: Path) -> None:
    head = (folder / "game.toml").read_text().replace("[game]", '[game]\nkind = "knight-errant"')
    by_hand = "".join(f'[[player]]\nname = "Gull {n}"\n' for n in range(1, 15))
    (folder / "game.toml").write_text(f"{head}{by_hand}", encoding="utf-8")
    run("signup", "decide", "8", "in", "--why", "x")
    for words in ((), ("--write",), ("--write",)):
        said = run("signup", "read", *SOURCE, *words).stderr
        assert "Knight-Errant is a game for 18 players: 17 so far, 1 more needed." in said
    assert len(players(folder)) == 17


def test_a_setup_says_how_many_it_is_for(folder: Path) -> None:
    slots = '[[slots]]\nrole = "Mafia Goon"\n[[slots]]\nrole = "Vanilla Townie"\ncount = 6\n'
    (folder / "seven.toml").write_text(f'schema = 1\nname = "Seven"\n{slots}', encoding="utf-8")
    made = run("new", "custom-mafia", "Kettle", "--setup", "seven.toml", "--moderator", "Wren")
    assert made.exit_code == 0, made.output
    run("signup", "decide", "8", "in", "--why", "x", "--game", "kettle")
    complaint = run("signup", "read", *SOURCE, "--game", "kettle").stderr.splitlines()[-1]
    assert complaint.startswith("3 players so far, and this setup cannot be dealt to them: ")
    assert "7" in complaint


@pytest.mark.usefixtures("folder")
def test_the_post_links_each_word_in_the_dialect_of_the_site(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []
    monkeypatch.setattr(clipboard, "copy", lambda *copied: texts.append(copied[0]))
    post = run("signup", "read", *SOURCE, "--as", "mafiascum", "--copy").stdout
    assert texts == [post.rstrip("\n")]
    assert "[b]Players (2)[/b]" in post
    assert "Ada ([post=#902]#2[/post])" in post
    assert "Pike" not in post
    assert "Moth [b]" not in post  # a name is never markup


def test_any_name_of_an_account_gets_into_the_file_as_it_is(folder: Path) -> None:
    names = ["No", "007", 'a "b" \\ c', "x]\x7f[[y", "עדה", "[b]"]
    lines = [
        json.dumps({"number": n, "id": str(n), "user": who, "content": "/in"})
        for n, who in enumerate(names, 1)
    ]
    (folder / "posts.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert run("signup", "read", *SOURCE, "--write").exit_code == 0
    roster = read_setup(folder).roster
    assert roster is not None
    assert [slot.name for slot in roster.slots] == names


def test_without_a_file_the_thread_of_the_game_with_that_role_is_read(folder: Path) -> None:
    with (folder / "game.toml").open("a") as file:
        file.write('[[thread]]\nrole = "game"\nurl = "https://f.example/viewtopic.php?t=1"\n')
        file.write('[[thread]]\nrole = "signup"\nurl = "https://f.example/viewtopic.php?t=2"\n')
    assert "viewtopic.php?t=2 has never been read" in str(run("signup", "read", "--stored").exception)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path))
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    monkeypatch.chdir(tmp_path)
    yield tmp_path


@pytest.mark.usefixtures("home")
def test_from_a_forum_the_last_version_counts_and_edits_are_marked() -> None:
    said = (("Wren", "Sign up!"), ("Ada", "/in"), ("Boro", "/sub"), ("Elm", "/in"), ("Rook", "in?"))
    forum = Forum([(number, *one) for number, one in enumerate(said, start=101)])
    with serving(forum) as server:
        words = ("signup", "read", server.root + "viewtopic.php?t=5", "--allow-private-host")
        first = run(*words)
        forum.posts[2] = (103, "Boro", "/in")
        second = run(*words)
        third = run(*words)
        post = run(*words, "--as", "discourse").stdout
    assert "Moderator: Wren, who wrote the opening post." in first.stderr
    assert "  1. Boro #3\n" in first.stdout
    assert "#5 Rook: “in?”\n      http://127.0.0.1" in first.stdout
    assert "Ada \\([\\#2](http://127.0.0.1" in post
    for result in (second, third):
        assert result.stdout.splitlines()[1:4] == ["  1. Ada #2", "  2. Boro #3 (edited)", "  3. Elm #4"]


@pytest.mark.usefixtures("folder")
def test_a_decision_on_a_post_that_is_not_there_is_told() -> None:
    run("signup", "decide", "99", "in", "--why", "typo")
    told = run("signup", "read", *SOURCE).stderr
    assert "Entry 1 decides on post 99, which the thread does not have." in told


def test_what_comes_next_is_the_deal_only_where_the_number_of_players_fits(folder: Path) -> None:
    text = (folder / "game.toml").read_text(encoding="utf-8")
    players = "".join(f'[[player]]\nname = "P{n}"\n' for n in range(17))
    kind = text.replace("[game]", '[game]\nkind = "knight_errant"')
    (folder / "game.toml").write_text(f"{kind}\n{players}", encoding="utf-8")
    shown = run("status").stdout
    assert "knightfall file --thread signup=URL" in shown
    assert "knightfall deal" not in shown
    thread = '[[thread]]\nrole = "signup"\nurl = "https://forum.example/viewtopic.php?t=90001"\n'
    (folder / "game.toml").write_text(f"{kind}\n{players}{thread}", encoding="utf-8")
    shown = run("status").stdout
    assert "knightfall signup read --write" in shown
    assert "knightfall deal" not in shown
    (folder / "game.toml").write_text(f'{kind}\n{players}[[player]]\nname = "P17"\n', encoding="utf-8")
    assert "knightfall deal" in run("status").stdout
