"""What a server says is never believed further than it has to be."""

from __future__ import annotations

import os
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fetch.loopback import Reply, StillClock, client, in_turn, serving
from fetch.test_manners import lent, pages_read
from fetch.threads import Forum, page, thread
from knightfall.config.game_file import read_setup
from knightfall.errors import (
    AccessDenied,
    IncompleteRead,
    KnightfallError,
    LayoutChanged,
    RateLimited,
    SetupError,
    SiteRefused,
)
from knightfall.fetch.client import Client
from knightfall.fetch.saved import decoded
from knightfall.forums.base import Request, Response, same_server
from knightfall.forums.gaps import missing_pages
from knightfall.forums.pages import MOST_PAGES, read_chunk
from knightfall.storage.database import Database, named

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
PAGE = Reply(b"<html><body>A page</body></html>")


@pytest.mark.parametrize("asked", ["121", "999999"])
def test_a_pause_that_is_too_long_is_told_and_not_waited(asked: str) -> None:
    clock = StillClock()
    with (
        serving(Forum(thread(8)), Reply(f"User-agent: *\nCrawl-delay: {asked}".encode())) as server,
        pytest.raises(RateLimited, match=r"robots\.txt\) to wait .* between two pages, which is too long"),
    ):
        pages_read(server, clock)
    assert sum(clock.waited) == 0


def test_a_pause_that_a_site_asks_for_is_told_once() -> None:
    told: list[str] = []
    with serving(Forum(thread(12)), Reply(b"User-agent: *\nCrawl-delay: 7")) as server:
        asking = replace_notice(told)
        asking.get(Request(f"{server.root}viewtopic.php?t=5"))
        for start in ("&start=3", "&start=6"):
            asking.follow(Request(f"{server.root}viewtopic.php?t=5{start}"))
    assert [sentence.partition(" ")[2] for sentence in told] == [
        "asks programs to wait 7 s between two pages: I do."
    ]


def replace_notice(told: list[str]) -> Client:
    asking = client(StillClock(), delay=0)
    asking.notice = told.append
    return asking


@pytest.mark.parametrize(
    "header",
    ["²", "soon", "-1", "9" * 400, "Fri, 31 Dec 9999 23:59:59 -1200", "Mon, 01 Jan 0001 00:00:00 +1400", ""],
)
def test_any_retry_after_leads_to_a_page_or_to_a_sentence(header: str) -> None:
    busy = Reply(status=503, headers={"Retry-After": header.encode().decode("latin-1")})
    with serving(in_turn(busy, PAGE)) as server:
        try:
            found = client(StillClock()).get(Request(server.root))
        except SiteRefused as told:
            assert "it wants no more pages before" in str(told)
        else:
            assert found.status == 200


@pytest.mark.parametrize(
    "target", ["http://[::1", "http://a\u2100b/", "http://a:99999999/", "//[", "http://:x/"]
)
def test_a_redirect_to_what_is_no_address_is_a_sentence(target: str) -> None:
    sent = Reply(status=302, headers={"Location": target.encode().decode("latin-1")})
    with serving(in_turn(sent)) as server, pytest.raises((SiteRefused, KnightfallError)) as told:
        client(StillClock()).get(Request(server.root))
    assert told.value.exit_status in (2, 6)


@pytest.mark.parametrize(
    "name", ["undefined", "idna", "punycode", "unicode_escape", "utf-7", "hex", "\0", "x" * 99]
)
def test_a_page_chooses_no_codec_that_is_no_charset(name: str) -> None:
    assert decoded(b"Zo\xeb +ADw-", f"text/html; charset={name}") == "Zoë +ADw-"


def test_a_link_to_another_port_is_no_page_of_the_thread() -> None:
    assert same_server("https://forum.example:443/a", "http://forum.example/b")
    assert not same_server("http://forum.example:8912/a", "http://forum.example:8911/b")
    assert not same_server("http://forum.example:8912/a", "http://forum.example/b")


def test_no_page_leads_to_a_private_server_that_nobody_named(tmp_path: Path) -> None:
    with serving(in_turn(PAGE)) as named_one, serving(in_turn(PAGE)) as other:
        asking = lent(tmp_path)
        asking.get(Request(named_one.root))
        with pytest.raises(AccessDenied, match="leads on to"):
            asking.follow(Request(other.root))
        assert (other.asked, other.robots) == ([], [])


def test_cookies_go_to_no_other_port(tmp_path: Path) -> None:
    with serving(in_turn(Reply(PAGE.body, headers={"Set-Cookie": "sid=SECRET"}))) as one:
        with serving(in_turn(PAGE)) as other:
            asking = lent(tmp_path)
            assert asking.get(Request(one.root)).private
            assert not asking.get(Request(other.root)).private
            assert asking.get(Request(one.root)).private
        assert "Cookie" not in other.headers[0]
        assert "sid=SECRET" in one.headers[1]["Cookie"]


@pytest.mark.parametrize(
    ("named", "asked", "lends"),
    [
        ("https://forum.example/t?t=1", "https://forum.example/t?t=1&page=2", True),
        ("https://forum.example/", "https://www.forum.example/", True),
        ("http://forum.example/", "https://forum.example/", True),
        ("https://forum.example/", "http://forum.example/", False),
        ("https://forum.example:8443/", "https://forum.example/", False),
        ("https://forum.example/", "https://forum.example:8443/", False),
        ("https://forum.example/", "https://pictures.forum.example/", False),
        ("https://forum.example/", "https://other.example/", False),
        ("https://forum.example/", "http://[::1", False),
    ],
)
def test_a_login_goes_to_the_host_and_the_port_that_were_named_only(
    named: str, asked: str, lends: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = lent(tmp_path, "forum.example")
    monkeypatch.setattr("socket.getaddrinfo", refused)
    with pytest.raises(KnightfallError):
        asking.get(Request(named))
    assert asking.lends_to(asked) == lends


def refused(*_asked: object, **_more: object) -> None:
    raise OSError("no names here")


def read(text: str) -> None:
    read_chunk(Response("https://forum.example/viewtopic.php?t=5", 200, text), "the page", NOW)


def test_a_page_that_shows_a_post_twice_is_not_counted() -> None:
    posts = thread(2)
    with pytest.raises(IncompleteRead, match=r"shows post #\d twice"):
        read(page([*posts, posts[0]], 0).decode())


@pytest.mark.parametrize(
    ("bomb", "says"),
    [
        ("<div>" * 21_000, "nested more than 20,000 levels deep"),
        ("<b " + " ".join(f"a{n}=1" for n in range(1_000)) + ">", "more than 500 attributes"),
    ],
)
def test_a_page_that_no_forum_writes_is_refused_with_its_reason(bomb: str, says: str) -> None:
    text = page(thread(2), 0).decode()
    with pytest.raises(LayoutChanged, match=says):
        read(text.replace("</body>", f"{bomb}</body>"))


def test_a_post_that_is_nested_as_deep_as_it_can_be_stops_no_page() -> None:
    posts = [(100, "Ada", "<b>" * 8_000 + "x" + "</b>" * 8_000), (102, "Boro", "<b>vote: Ada</b>")]
    found = read_chunk(
        Response("https://forum.example/viewtopic.php?t=5", 200, page(posts, 0).decode()), "it", NOW
    )
    assert [post.author for post in found[1].posts] == ["Ada", "Boro"]


def test_a_total_that_no_thread_has_is_not_believed() -> None:
    text = page(thread(5), 0).decode()
    assert "5 posts" in text
    for total in ("999999999999", "9" * 5_000):
        with pytest.raises(KnightfallError, match="No count was made"):
            read(text.replace("5 posts", f"{total} posts"))


def test_missing_pages_are_told_however_many_they_are() -> None:
    assert missing_pages((1, 3, 4), 10**12) == (f"Pages 2, 5-{10**12} of {10**12} are missing.",)
    assert missing_pages((1, 3), 3) == ("Page 2 of 3 is missing.",)
    assert missing_pages(range(1, MOST_PAGES), MOST_PAGES - 1) == ()


def test_the_database_of_a_game_is_its_owners_alone_whatever_the_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    database = Database.open(tmp_path / "game.db")
    with database.writing() as connection:
        connection.execute("SELECT 1")
        assert {oct(file.stat().st_mode & 0o777) for file in tmp_path.iterdir()} == {"0o600"}
    database.close()


def test_what_is_there_twice_is_no_damage(tmp_path: Path) -> None:
    fault = named(tmp_path / "game.db", sqlite3.IntegrityError("UNIQUE constraint failed"))
    assert isinstance(fault, IncompleteRead)
    assert "damaged" not in str(fault)


def test_a_game_file_that_is_none_is_a_sentence(tmp_path: Path) -> None:
    deep = tmp_path / "deep.toml"
    deep.write_text("a = " + "[" * 50_000)
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    for file, says in ((deep, "nested too deep"), (pipe, "no file"), (Path("/dev/zero"), "no file")):
        with pytest.raises(SetupError, match=says):
            read_setup(file)
