"""The page beside other programs and users of the same machine, in a real browser and on a real server."""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from secrets import token_bytes
from threading import Thread
from typing import Any

import pytest
from fastapi import UploadFile
from playwright.sync_api import Error as PlaywrightError

from begun import begin
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest
from knightfall.web import logs, peer, ports, server
from knightfall.web.start_file import write_start
from knightfall.web.uploads import kept_files, new_folder
from web.browser import PATIENCE, browsing
from web.firefox import FirefoxError, FirefoxTab, firefoxing
from web.hands import come_in
from web.served import running

PLAYERS = tuple(f"Slot{number}" for number in range(1, 12))


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with a court in it."""
    folder = tmp_path / "court"
    begin(NewGameRequest("kings_court", PLAYERS, folder, b"s" * 32, b"t" * 32, "Court"), session_of(folder))
    return tmp_path


@dataclass
class Visiting:
    """A real browser: `tab` opens a tab; `comes_in` lets one in by
    the address of the start."""

    tab: Callable[[], Any]
    comes_in: Callable[[Any, str], None]


@pytest.fixture(params=["Chromium", "Firefox"], scope="module")
def visiting(request: pytest.FixtureRequest) -> Iterator[Visiting]:
    if request.param == "Chromium":
        with browsing() as browser:
            yield Visiting(lambda: browser.new_context().new_page(), come_in)
        return

    def comes_in(tab: FirefoxTab, address: str) -> None:
        tab.goto(address)
        tab.wait_for("!location.pathname.startsWith('/open/') && document.readyState === 'complete'")

    with firefoxing() as firefox:
        yield Visiting(firefox.open, comes_in)


LURE = """<!doctype html><title>Lure</title><script>
window.tries = async (roots) => {
  const told = [], heard = [];
  addEventListener("message", ({ origin, data }) => heard.push([origin, String(data)]));
  for (const root of roots) for (const path of PATHS) {
    for (const mode of ["cors", "no-cors"]) {
      try {
        const answer = await fetch(root + path, { mode, credentials: "include" });
        told.push([answer.url, answer.type, [...answer.headers], await answer.text()]);
      } catch {}
    }
    const frame = document.createElement("iframe"), script = document.createElement("script");
    frame.src = script.src = root + path;
    document.body.append(frame, script);
    try { told.push(frame.contentWindow.location.href) } catch {}
  }
  await new Promise((done) => setTimeout(done, 1500));
  for (const frame of document.querySelectorAll("iframe")) {
    try { told.push(frame.contentDocument.documentElement.outerHTML) } catch {}
  }
  return { told, heard, cookie: document.cookie, names: performance.getEntries().map((one) => one.name) };
};
</script><body>"""
PATHS = (
    "/",
    "/games/court/log",
    "/here",
    "/api/v1/games",
    "/static/page.js",
    "/go/x",
    "/helper/here?nonce=x",
)


@contextmanager
def lure(seen: list[Mapping[str, str]]) -> Iterator[int]:
    """Another server of this machine, which tries what it can; it keeps the heads of what it is asked."""

    class Lure(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(dict(self.headers))
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(LURE.replace("PATHS", str(list(PATHS))).encode())

        def log_message(self, *_: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Lure) as other:
        thread = Thread(target=other.serve_forever, daemon=True)
        thread.start()
        yield other.server_port
        other.shutdown()


@pytest.mark.long
def test_a_file_opens_the_page_in_a_browser_and_is_its_owners_alone(desk: Path, visiting: Visiting) -> None:
    with running(desk) as page:
        access = page.access
        plain, here = f"http://{access.plain_host}/open/{access.start}", f"http://{access.host}/here"
        file = write_start(desk, page.address, plain, here)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        tab = visiting.tab()
        visiting.comes_in(tab, file.as_uri())
        arrived = "document.readyState === 'complete' && location.href"
        until(lambda: tab.evaluate(arrived) == f"{access.home}/")
        assert "Court" in tab.evaluate("document.body.innerText")
        # A form goes through, though no page of ours tells whence it comes; and so does a script.
        tab.goto(f"{access.home}/games/court/log")
        tab.evaluate("document.querySelector('form.eyes button').click()")
        until(lambda: "done=" in tab.evaluate("location.search"))
        assert tab.evaluate("location.pathname") == f"/{access.key}/games/court/log"
        assert "Secrets are hidden" in tab.evaluate("document.documentElement.innerHTML")


@pytest.mark.long
@pytest.mark.parametrize("tells", [True, False], ids=["it tells users", "it tells no users"])
def test_no_other_port_or_site_gets_a_byte_a_name_or_a_session(
    desk: Path, visiting: Visiting, tells: bool
) -> None:
    """On every name of this machine, that of the run included, in the browser that was let in."""
    heads: list[Mapping[str, str]] = []
    user = peer.user_here if tells else lambda: None
    with running(desk, random=token_bytes, user=user) as page, lure(heads) as port:
        access = page.access
        name = access.host.partition(":")[0]
        tab = visiting.tab()
        visiting.comes_in(tab, page.address)
        for at in ("127.0.0.1", "localhost", "other.localhost", name):
            tab.goto(f"{access.home}/games/court")
            tab.evaluate(f"void (location.href = 'http://{at}:{port}/lure')")
            lured = f"location.hostname + !!window.tries === '{at}true'"
            until(partial(tab.evaluate, lured))
            known = [f"http://127.0.0.1:{access.port}", f"http://localhost:{access.port}"]
            found = tab.evaluate(f"tries({[*known, f'http://{access.host}'] if at == name else known})")
            told = str(found)
            assert access.key not in told
            assert "Court" not in told
            assert found["heard"] == []
            assert "knightfall-" not in found["cookie"]
            if at != name:
                assert name not in told.replace(f"http://{at}:{port}", "")
        assert not [one for one in heads if access.key in str(one) or access.host in one.get("Referer", "")]
        # The cookie comes along to another port of the same name, and is worth nothing there.
        [cookie, *_] = {one["Cookie"] for one in heads if "Cookie" in one}
        assert cookie.startswith("knightfall-")
        hosts = (access.host, f"127.0.0.1:{access.port}", f"localhost:{access.port}")
        for answer in asked(access.port, hosts, PATHS, cookie):
            assert answer.startswith(("403 ", "204 ")) or answer.endswith('{"proofs":[]}')
            assert not [one for one in (name, access.key, "Court") if one in answer]
        tab.goto(f"{access.home}/games/court")
        assert "Court" in tab.evaluate("document.body.innerText")


@pytest.mark.long
def test_an_address_that_a_thief_uses_ends_every_session(desk: Path, visiting: Visiting) -> None:
    with running(desk) as page:
        tab, thief = visiting.tab(), visiting.tab()
        visiting.comes_in(tab, page.address)
        twice = (f"/open/{page.access.start}", f"/open/{page.access.start}?again=1")
        _, again = asked(page.access.port, (page.access.host,), twice)
        assert "used by two browsers" in again
        tab.goto(f"{page.access.home}/games/court")
        assert "What it opened was ended" in tab.evaluate("document.body.innerText")
        thief.goto(f"{page.access.home}/games/court")
        assert "What it opened was ended" in thief.evaluate("document.body.innerText")


def until(it: Callable[[], object]) -> None:
    """Wait until it is so; while a page is left there is nothing to be asked."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with suppress(FirefoxError, PlaywrightError):
            if it():
                return
        time.sleep(0.05)
    raise AssertionError(f"After {PATIENCE:g} seconds it is not so: {it()}")


ASKS = """
import encodings.idna, itertools, json, os, socket, sys
family, address, port, hosts, paths, cookie, user = json.loads(sys.argv[1])
if user is not None:
    os.setuid(user)
told = []
for host, path in itertools.product(hosts, paths):
    try:
        connection = socket.socket(getattr(socket, family))
        connection.settimeout(10)
        connection.connect((address, port))
    except ConnectionRefusedError:
        told.append("nobody listens")
        continue
    with connection:
        head = f"GET {path} HTTP/1.0\\r\\nHost: {host}\\r\\nOrigin: chrome-extension://{'a' * 32}\\r\\n"
        connection.sendall(f"{head}Cookie: {cookie}\\r\\n\\r\\n".encode())
        told.append(b"".join(iter(lambda: connection.recv(65536), b"")).decode().removeprefix("HTTP/1.1 "))
print(json.dumps(told))
"""
"""A program that asks the page, as another user where one is named."""
WAYS_IN = {
    "IPv4": ("AF_INET", "127.0.0.1"),
    "IPv4 as IPv6": ("AF_INET6", "::ffff:127.0.0.1"),
    "IPv6": ("AF_INET6", "::1"),
}


def asked(
    port: int,
    hosts: tuple[str, ...],
    paths: tuple[str, ...],
    cookie: str = "",
    way: str = "IPv4",
    user: int | None = None,
) -> list[str]:
    """What a program is answered by each name at each path, status first."""
    words = json.dumps([*WAYS_IN[way], port, hosts, paths, cookie, user])
    ran = subprocess.run([sys.executable, "-c", ASKS, words], capture_output=True, text=True, check=True)
    return list(json.loads(ran.stdout))


def is_root() -> None:
    """Skips the test, and says so, where nobody can become another user."""
    if not hasattr(os, "getuid") or os.getuid() != 0:
        pytest.skip("not tried as another user of the machine: only root can become one")


@pytest.mark.few(1)
@pytest.mark.parametrize("way", WAYS_IN)
def test_another_user_of_the_machine_gets_nothing_though_they_know_all(desk: Path, way: str) -> None:
    is_root()
    if peer.user_here() is None:
        pytest.skip("not tried: this system does not tell whose program asks")
    with running(desk, random=token_bytes) as page:
        access = page.access
        cookie = f"{access.cookie}={access.sessions.let_in(access.start, 'Firefox')}"
        paths = (f"/{access.key}/", f"/open/{access.start}", "/helper/here?nonce=0", "/static/style.css")
        hosts = (access.host, access.plain_host)
        for other in asked(access.port, hosts, paths, cookie, way, 65534):
            if way == "IPv6":
                assert other == "nobody listens"
                continue
            assert other.startswith("403 ")
            assert "Refused: another user of this machine asked." in other
            assert len(other.partition("\r\n\r\n")[2]) < 60
            assert not [one for one in (access.host, access.key, "Court") if one in other]
        if way != "IPv6":
            [own] = asked(access.port, (access.host,), (f"/{access.key}/",), cookie, way)
            assert "Court" in own
        assert len(access.sessions.all()) == 1


@pytest.mark.parametrize("way", WAYS_IN)
def test_where_no_user_is_told_another_one_gets_nothing_by_what_they_can_know(desk: Path, way: str) -> None:
    """They have the cookie, and even the name; what is missing is the key."""
    is_root()
    with running(desk, random=token_bytes, user=lambda: None) as page:
        access = page.access
        assert not access.tells_users
        cookie = f"{access.cookie}={access.sessions.let_in(access.start, 'Firefox')}"
        names = (access.host, access.plain_host, f"localhost:{access.port}", f"x.localhost:{access.port}", "")
        paths = ("/", "/games/court/log", "/open/x", "/helper/here?nonce=0", f"/{'0' * 32}/", "/go/x")
        for other in asked(access.port, names, paths, cookie, way, 65534):
            assert other == "nobody listens" or other.startswith("403 ") or other.endswith('{"proofs":[]}')
            assert (other == "nobody listens") == (way == "IPv6")
            assert not [one for one in (access.host, access.key, "Court") if one in other]


def test_a_row_that_the_system_leaves_out_is_looked_for_again_and_an_orphan_is_nobodys(
    tmp_path: Path,
) -> None:
    own, asks = ("127.0.0.1", 8765), ("127.0.0.1", 40000)
    ends = f"{peer._written(asks, b'')} {peer._written(own, b'')}"
    mapped = f"{peer._written(asks, peer._MAPPED)} {peer._written(own, peer._MAPPED)}"
    assert mapped.split()[0] == "0000000000000000FFFF00000100007F:9C40" or sys.byteorder == "big"
    table = tmp_path / "tcp6"
    for row, found in (
        (f"  1: {ends} 01 00000000:00000000 02:00000000 00000000  1000        0 77 2", 1000),
        (f"  1: {mapped} 01 00000000:00000000 02:00000000 00000000  1000        0 77 2", 1000),
        (f"  1: {ends} 06 00000000:00000000 03:00000000 00000000     0        0 0 3", None),
        ("  sl  local_address rem_address", None),
    ):
        table.write_text(f"{row}\n", encoding="ascii")
        assert peer.uid_of_peer(asks, own, (tmp_path / "none", table)) == found
    assert peer.uid_of_peer(("testclient", 1), own, (table,)) is None


def test_half_a_head_is_not_waited_for_without_end(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "HEAD", 0.3)
    with running(desk) as page, socket.create_connection(("127.0.0.1", page.access.port), 5) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nHost: ")
        began = time.monotonic()
        assert slow.recv(1_000) == b""
        assert time.monotonic() - began < 4


def test_the_port_of_last_time_is_taken_again_and_kept_while_another_program_has_it(tmp_path: Path) -> None:
    def bound(games: str, port: int | None = None) -> ports.BoundPort:
        return ports.bind(port, tmp_path / games, tmp_path)

    first = bound("games")
    with first.socket:
        first.socket.listen()
        with bound("others").socket as second:
            assert second.getsockname()[1] != first.port
        meanwhile = bound("games")
        with meanwhile.socket:
            assert meanwhile.port != first.port
            assert meanwhile.taken == first.port
    # What helpers know holds until another port is asked for.
    again = bound("games")
    again.socket.close()
    assert (again.port, again.taken) == (first.port, None)
    chosen = bound("games", meanwhile.port)
    chosen.socket.close()
    assert bound("games").port == meanwhile.port


def test_what_is_refused_in_a_loop_is_said_a_few_times_and_then_counted() -> None:
    import logging

    now = 0.0
    few = logs.SoMany(lambda: now)
    record = logging.LogRecord("knightfall.web", logging.WARNING, "", 0, "Refused: %s", ("so",), None)
    assert sum(few.filter(record) for _ in range(1_000)) == logs.A_MINUTE
    now = 61.0
    assert few.filter(record)
    assert record.getMessage() == "Refused: so (980 more lines were not shown.)"


def given(filename: str) -> UploadFile:
    """A file as a browser sends it."""
    return UploadFile(BytesIO(b"<p>Page</p>"), filename=filename)


NAMES = (
    "..",
    ".",
    "/",
    "a\x00b.html",
    "ä" * 300 + ".html",
    "1",
    "1",
    "C:\\x\\y.htm",
    "CON:*?.html",
    "x" * 400,
)


def test_every_name_of_a_file_can_be_kept() -> None:
    with new_folder() as folder:
        kept = kept_files([given(name) for name in NAMES], folder)
        assert len(kept) == len(set(kept)) == len(NAMES)
        assert [path.name for path in kept[:3]] == ["page.html"] * 3
        assert kept[3].name == "ab.html"
        assert kept[4].name.endswith("ä.html")
        assert kept[7].name == "y.htm"
        for path in kept:
            assert path.is_relative_to(folder)
            assert path.read_bytes() == b"<p>Page</p>"


def test_ports_and_tokens_lie_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own"
    monkeypatch.setenv("KNIGHTFALL_HOME", str(own))
    bound = ports.bind(None, tmp_path / "games")
    bound.socket.close()
    page = server.page_of(tmp_path / "games", "", lambda _: session_of(None), bound.port)
    page.access.tokens.create("bot", datetime(2026, 3, 1, tzinfo=UTC), token_bytes)
    assert {file.name for file in own.glob("*.json")} == {"ports.json", "api-tokens.json"}
