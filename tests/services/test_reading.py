"""`knightfall read` from end to end: a real server, a real database, the command itself."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import Result

from command_line import CliRunner
from fetch.killing import LATEST, PAGES, killed_read
from fetch.loopback import Reply, StillClock, client, serving
from fetch.threads import PER_PAGE, Forum, thread
from knightfall.cli import app
from knightfall.errors import (
    AccessDenied,
    IncompleteRead,
    InputError,
    KnightfallError,
    NotAForum,
    PastTheEnd,
    RateLimited,
    ServerFault,
    UnknownServer,
)
from knightfall.services.session import Session, evidence_file, game_database
from knightfall.services.threads import FEWEST, Link, PostLines, SavedPages, Source, gather, source_of
from knightfall.storage.store import Store
from long_runs import first

FIXTURES = Path(__file__).parents[2] / "fixtures"
DEMO = [str(FIXTURES / "demo" / f"thread-p{number}.html") for number in (1, 2, 3)]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path))
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    yield tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["read", *words])


def session(path: Path) -> Session:
    clock = StillClock()
    return Session(clock, client(clock, delay=0), lambda _thread: Store.open(path))


def test_saved_pages_print_a_small_table() -> None:
    result = run("--from-html", *DEMO)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "Title       Salt Harbour [Day 1]",
        "Forum       phpbb",
        "Pages       3",
        "Posts       58",
        "First post  #1 Wren, 2026-11-18 20:07 UTC",
        "Last post   #58 Lumen, 2026-11-20 16:58 UTC",
        "Complete    yes",
        "Newest edits: #11 Juniper, 2026-11-19 04:31 UTC.",
    ]


def test_a_long_title_fits_80_columns(tmp_path: Path) -> None:
    long = Path(DEMO[2]).read_text(encoding="utf-8").replace("Salt Harbour", "Salt Harbour " * 12)
    (tmp_path / "long.html").write_text(long, encoding="utf-8")
    assert max(map(len, run("--from-html", str(tmp_path / "long.html")).stdout.splitlines())) <= 80


def test_json_tells_every_post() -> None:
    told = json.loads(run("--json", "--from-html", *DEMO).stdout)
    assert list(told) == ["schema", "platform", "title", "complete", "pages", "posts"]
    assert (told["platform"], told["complete"], told["pages"], len(told["posts"])) == ("phpbb", True, 3, 58)
    edited = told["posts"][10]
    text = edited.pop("text")
    assert edited == {
        "id": "443",
        "number": 11,
        "author": "Juniper",
        "author_id": "209",
        "time": "2026-11-19T04:09:52Z",
        "approximate": False,
        "edited": "2026-11-19T04:31:00Z",
        "hidden": False,
        "url": "https://forum.example/viewtopic.php?p=443#p443",
    }
    assert text == "Back from work. Vote: Boro until I see one of those questions."


def test_a_saved_middle_page_is_printed_and_called_incomplete() -> None:
    result = run("--json", "--from-html", DEMO[1])
    assert result.exit_code == 4
    assert json.loads(result.stdout)["complete"] is False
    assert "Pages 1, 3 of 3 are missing." in result.stderr


def test_a_single_saved_page_that_is_the_whole_thread_is_complete() -> None:
    assert run("--from-html", str(FIXTURES / "forums" / "phpbb" / "prosilver-33.html")).exit_code == 0


def test_a_thread_on_a_forum_is_read_and_kept(home: Path) -> None:
    with serving(Forum(thread(8))) as server:
        result = run(server.root + "viewtopic.php?t=5", "--allow-private-host")
    assert result.exit_code == 0
    assert "Posts       8" in result.stdout
    (kept,) = (home / "threads").glob("*.db")
    found = Store.open(kept).thread(server.root + "viewtopic.php?t=5")
    assert found is not None
    assert len(found.posts) == 8


def test_the_pages_are_kept_with_the_game_where_one_is_given(home: Path) -> None:
    with serving(Forum(thread(2))) as server:
        run(server.root + "viewtopic.php?t=5", "--allow-private-host", "--game", str(home / "salt-harbour"))
    assert (home / "salt-harbour" / "game.db").exists()
    assert not (home / "threads").exists()


def test_a_second_read_fetches_only_the_last_page_and_what_is_new(tmp_path: Path) -> None:
    forum = Forum(thread(8))
    with serving(forum) as server:
        source = Link(server.root + "viewtopic.php?p=110#p110")
        first = gather(Link(server.root + "viewtopic.php?t=5"), session(tmp_path / "a.db"))
        server.asked.clear()
        second = gather(Link(server.root + "viewtopic.php?t=5"), session(tmp_path / "a.db"))
        assert server.asked == ["/viewtopic.php?t=5&start=6"]
        forum.posts = thread(10)
        server.asked.clear()
        third = gather(source, session(tmp_path / "a.db"))
    assert server.asked == [
        "/viewtopic.php?p=110",
        "/viewtopic.php?t=5&start=6",
        "/viewtopic.php?t=5&start=9",
        "/viewtopic.php?t=5&start=6",
    ]
    assert first == second
    assert [post.number for post in third.posts] == list(range(1, 11))
    assert third.complete


def test_progress_is_told_page_by_page(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    with serving(Forum(thread(8))) as server:
        link = Link(server.root + "viewtopic.php?t=5")
        gather(link, replace(session(tmp_path / "a.db"), progress=lambda *step: told.append(step)))
    assert told == [(1, 3), (2, 3), (3, 3)]


FAULTS: list[tuple[Reply, type[KnightfallError], int, str]] = [
    (Reply(b"", 404), PastTheEnd, 4, "answers 404"),
    (Reply(b"", 429, {"Retry-After": "1"}), RateLimited, 6, "429"),
    (Reply(b"", 500), ServerFault, 6, "answers 500"),
    (Reply(b"<html><body>x" * 90, cut=500), ServerFault, 6, "cut the connection"),
    (Reply(silent=True), ServerFault, 6, "cut the connection"),
    (Reply(b'<html><body id="phpbb"><div', length=False), IncompleteRead, 4, "Page 2 of 3 ended early"),
    (Reply(b""), IncompleteRead, 4, "Page 2 of 3 is empty"),
    (Reply(b"<html><body>Be right back</body></html>"), NotAForum, 4, "no thread of a forum"),
    (
        Reply(b"", 302, {"Location": "http://192.168.0.1/"}),
        AccessDenied,
        6,
        "redirects to http://192.168.0.1/",
    ),
]


@pytest.mark.parametrize(("reply", "error", "status", "says"), FAULTS)
def test_a_fault_on_the_second_page_keeps_the_first(
    tmp_path: Path, reply: Reply, error: type[KnightfallError], status: int, says: str
) -> None:
    forum = Forum(thread(8))
    with serving(lambda path: reply if "start=3" in path else forum(path)) as server:
        link = Link(server.root + "viewtopic.php?t=5")
        with pytest.raises(error) as caught:
            gather(link, session(tmp_path / "a.db"))
        assert caught.value.exit_status == status
        assert says in str(caught.value)
        assert "Kept from earlier: posts #1 to #3." in str(caught.value)
        kept = Store.open(tmp_path / "a.db").thread(link.url)
        assert kept is not None
        assert kept.missing == ("Pages 2-3 of 3 are missing.",)


def test_an_unknown_server_and_a_private_one_are_named(home: Path) -> None:
    assert isinstance(run("https://nowhere.invalid/viewtopic.php?t=1").exception, UnknownServer)
    refused = run("http://127.0.0.1/viewtopic.php?t=1").exception
    assert isinstance(refused, InputError)
    assert "--allow-private-host" in str(refused)
    assert not list(home.rglob("*.db"))


def command(home: Path, *words: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "KNIGHTFALL_HOME": str(home), "KNIGHTFALL_DELAY": "0"}
    code = "from knightfall.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, "read", *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_the_command_ends_with_the_status_of_the_fault(tmp_path: Path) -> None:
    process = command(tmp_path, "https://nowhere.invalid/viewtopic.php?t=1")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, b"")
    assert b'There is no server "nowhere.invalid"' in err


@pytest.mark.parametrize("seed", first(1, range(3)))  # scripts/soak-reads tries 200 moments
def test_a_read_that_is_killed_keeps_every_page_it_fetched_and_the_next_completes_it(
    tmp_path: Path, seed: int
) -> None:
    moment = random.Random(seed)
    with serving(Forum(thread(PAGES * PER_PAGE))) as server:
        kill = killed_read(server, moment.randint(0, PAGES), moment.uniform(0, LATEST), tmp_path)
    read = PAGES + 1 - max(kill.kept, 1)
    # Of many the last one is looked at beforehand and the first once more, of few each but the last.
    assert kill.fetched == (read + 2 if read > FEWEST else 2 * read - 1)


@pytest.mark.parametrize(
    ("words", "html", "jsonl", "source"),
    [
        (["https://a.example/viewtopic.php?t=1"], False, False, Link("https://a.example/viewtopic.php?t=1")),
        (["a.html", "b.html"], True, False, SavedPages((Path("a.html"), Path("b.html")))),
        (["posts.jsonl"], False, True, PostLines(Path("posts.jsonl"))),
        ([DEMO[0]], False, False, SavedPages((Path(DEMO[0]),))),
    ],
)
def test_words_name_a_source(words: list[str], html: bool, jsonl: bool, source: Source) -> None:
    assert source_of(words, html, jsonl) == source


@pytest.mark.parametrize(
    ("words", "html", "jsonl"),
    [([], False, False), (["a"], True, True), (["https://a.example", "https://b.example"], False, False)],
)
def test_words_that_name_nothing_or_too_much_are_refused(words: list[str], html: bool, jsonl: bool) -> None:
    with pytest.raises(InputError):
        source_of(words, html, jsonl)


def test_the_database_of_a_game_stands_in_its_folder(tmp_path: Path) -> None:
    assert game_database(tmp_path) == tmp_path / "game.db"
    assert game_database(tmp_path / "game.toml") == tmp_path / "game.db"
    assert game_database(tmp_path / "other.db") == tmp_path / "other.db"


def test_the_database_of_a_thread_without_game_has_a_name_of_its_own() -> None:
    first = evidence_file("https://a.example/viewtopic.php?t=1", {})
    second = evidence_file("https://a.example/viewtopic.php?t=2", {})
    assert first != second
    assert first.parent == second.parent
    assert first.parent.parent.name == "knightfall"


def test_the_demo_forum_serves_the_demo_thread(home: Path) -> None:
    script = FIXTURES.parent / "scripts" / "py" / "demo_forum.py"
    forum = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
    assert forum.stdout is not None
    try:
        result = run(forum.stdout.readline().strip(), "--allow-private-host", "--game", str(home))
    finally:
        forum.kill()
        forum.communicate(timeout=60)
    assert result.exit_code == 0
    assert "Posts       58" in result.stdout


def test_help_starts_in_a_blink() -> None:
    heavy = "('requests', 'sqlite3', 'bs4', 'lxml', 'rich.progress')"
    code = f"import sys, knightfall.cli.count; sys.exit(any(name in sys.modules for name in {heavy}))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
