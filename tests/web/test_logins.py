"""A login on the page: cookies are pasted, tried on a page of the forum, kept for it alone, and removed."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from fetch.boards import Prosilver
from fetch.loopback import Reply, Server, StillClock, serving
from fetch.threads import login
from knightfall.fetch.client import Client, Manners
from knightfall.fetch.cookies import Loan, parse_cookies
from knightfall.forums.base import Request
from knightfall.services.count.votecount import count_votes
from knightfall.services.lender import Lender
from knightfall.services.machine import session_of
from knightfall.services.requests import CountRequest
from knightfall.storage.logins import Login, Logins
from services.test_pasted import written
from web.hands import FormHand, form_hand
from web.served import served

KEY = "canary-77"
GREETING = '<li id="username_logged_in"><a href="./ucp.php"><span class="username">Wren</span></a></li>'
OUT = '<a href="./ucp.php?mode=logout">Logout</a>'
ENTRY = '<a href="./ucp.php?mode=login">Login</a>'


class Members(Prosilver):
    """A board whose thread only members may read, and that greets them."""

    def rendered(self, number: int) -> str:
        return super().rendered(number).replace(ENTRY, f"{GREETING}{OUT}")


def brought(headers: Mapping[str, str]) -> str:
    found = SimpleCookie(headers.get("Cookie", "")).get("sid")
    return found.value if found is not None else ""


def door(_path: str, headers: Mapping[str, str]) -> Reply | None:
    """The login page for who comes without the key."""
    return None if brought(headers) == KEY else Reply(login())


@pytest.fixture
def forum(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Server, Members]]:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "own"))
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    board = Members(written(8))
    with serving(board, door=door) as server:
        board.root = server.root
        yield server, board


def in_form(form: str, host: str, key: str = KEY) -> str:
    """Cookies as a browser gives them."""
    rows = [{"domain": host, "path": "/", "name": "sid", "value": key, "secure": False, "session": True}]
    return {
        "netscape": f"# Netscape HTTP Cookie File\n{host}\tFALSE\t/\tFALSE\t0\tsid\t{key}\n",
        "json": json.dumps(rows),
        "line": f"Cookie: sid={key}; style=2",
    }[form]


def logs_in(hand: FormHand, address: str, cookies: str) -> None:
    hand.go("/logins")
    hand.press("Log in", {"A page of the forum": address, "Cookies of your browser": cookies})


@pytest.mark.few(1)
@pytest.mark.parametrize("form", ["netscape", "json", "line"])
def test_a_login_is_tried_kept_and_used_for_every_later_read(
    forum: tuple[Server, Members], tmp_path: Path, form: str
) -> None:
    server, board = forum
    hand = form_hand(served(tmp_path / "games"))
    hand.press("Go on", {"Address of the thread": board.url})
    assert "shows a login form" in hand.text
    logs_in(hand, board.url, in_form(form, urlsplit(server.root).hostname or ""))
    assert f"Logged in to {urlsplit(server.root).netloc} as Wren." in hand.text
    [file] = (tmp_path / "own" / "logins").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700

    hand.go("/")
    hand.press("Go on", {"Address of the thread": board.url})
    assert "Posts 1–8, complete" in hand.text
    # The command line reads with it, too, and what it reads is private.
    session = session_of(None, allow_private=True)
    assert count_votes(CountRequest((board.url,), again=True), session).counted.count.tally.at == 8
    assert session.fetch.get(Request(board.url)).private

    # It is named, never shown, and goes when it is removed.
    hand.go("/logins")
    assert "as Wren" in hand.text
    assert KEY not in hand.body
    hand.press("Remove")
    assert "No login is kept" in hand.text
    assert not file.exists()
    hand.go("/")
    hand.press("Go on", {"Address of the thread": board.url})
    assert "shows a login form" in hand.text


def test_what_logs_nobody_in_is_told_apart_and_nothing_is_kept(
    forum: tuple[Server, Members], tmp_path: Path
) -> None:
    server, board = forum
    host = urlsplit(server.root).hostname or ""
    hand = form_hand(served(tmp_path / "games"))
    for cookies, said in (
        (in_form("json", host, "canary-old"), "These cookies did not log you in"),
        (
            in_form("json", ".canary.example"),
            f"None of these cookies is for {host}: they are for canary.example",
        ),
        ("canary", "is not a cookie file"),
    ):
        asked = len(server.asked)
        logs_in(hand, board.url, cookies)
        assert said in hand.refusal
        assert len(server.asked) == asked + ("did not log" in said)
        assert hand.value("A page of the forum") == board.url
        assert hand.value("Cookies of your browser") == ""
        assert KEY not in hand.body
    assert not (tmp_path / "own" / "logins").exists()


def test_a_login_that_fails_leaves_the_one_that_is_kept(
    forum: tuple[Server, Members], tmp_path: Path
) -> None:
    _, board = forum
    hand = form_hand(served(tmp_path / "games"))
    logs_in(hand, board.url, in_form("line", ""))
    logs_in(hand, board.url, in_form("line", "", "old"))
    assert "did not log you in" in hand.refusal
    assert session_of(None, allow_private=True).fetch.get(Request(board.url)).private


def kept(own: Path, server: str, host: str, secure: bool = False) -> Callable[[str], Loan]:
    """Asks for what is kept, after a login was."""
    scheme = "https" if secure else "http"
    jar = parse_cookies(f"Cookie: sid={KEY}", "It", f"{scheme}://{host}/")
    logins = Logins(own)
    logins.keep(Login(server, "Wren", datetime(2026, 11, 1, tzinfo=UTC), tuple(jar)))
    return Lender(logins, StillClock()).loan


def test_a_login_goes_to_no_other_server_nor_port_and_not_over_http_where_it_is_of_https(
    tmp_path: Path,
) -> None:
    page = Reply(b"<html><body>Soup</body></html>")
    with serving(lambda _: page) as first, serving(lambda _: page) as second:
        own = urlsplit(first.root)
        assert own.hostname

        def reader(secure: bool) -> Client:
            keeps = kept(tmp_path, own.netloc, own.hostname or "", secure)
            client = Client(StillClock(), lambda pause: pause, True, Manners(delay=0))
            client.loan = keeps
            return client

        found = reader(secure=False)
        found.get(Request(first.root))
        found.get(Request(second.root))
        reader(secure=False).get(Request(second.root))
        assert first.headers[-1]["Cookie"] == f"sid={KEY}"
        assert not any("Cookie" in headers for headers in second.headers)
        assert not reader(secure=True).get(Request(first.root)).private
        assert "Cookie" not in first.headers[-1]


def test_a_damaged_file_of_a_login_is_none(tmp_path: Path) -> None:
    logins = Logins(tmp_path)
    (tmp_path / "logins").mkdir()
    for text in ("", "{}", '{"schema": 2}', "[" * 100_000):
        (tmp_path / "logins" / "forum.example.json").write_text(text)
        assert logins.all() == ()
        assert logins.of("https://www.forum.example/viewtopic.php?t=9") is None


def test_a_login_that_another_version_wrote_is_none(tmp_path: Path) -> None:
    logins = Logins(tmp_path)
    logins.keep(Login("forum.example", "Wren", datetime(2026, 11, 21, tzinfo=UTC), ()))
    assert logins.of("https://forum.example/")
    file = tmp_path / "logins" / "forum.example.json"
    file.write_text(file.read_text("utf-8").replace('"schema": 1', '"schema": 2'), "utf-8")
    assert logins.of("https://forum.example/") is None
