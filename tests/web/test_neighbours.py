"""The page beside other programs and users of the same machine, in a real browser and on a real server."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from secrets import token_bytes
from threading import Thread

import pytest
from fastapi import UploadFile

from begun import begin
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest
from knightfall.web import logs, peer, ports, server
from knightfall.web.start_file import write_start
from knightfall.web.uploads import kept_files, new_folder
from web.browser import browsing
from web.served import running

PLAYERS = tuple(f"Slot{number}" for number in range(1, 12))


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with a court in it."""
    folder = tmp_path / "court"
    begin(NewGameRequest("kings_court", PLAYERS, folder, b"s" * 32, b"t" * 32, "Court"), session_of(folder))
    return tmp_path


@contextmanager
def lure(seen: list[str]) -> Iterator[int]:
    """Another server of this machine: a page that leads on to itself; it keeps the cookies that it gets."""

    class Lure(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path in ("/lure", "/second"):
                seen.append(self.headers.get("Cookie", ""))
            body = b"<script>if (location.pathname != '/second') location = '/second'</script><p>Lure</p>"
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Lure) as other:
        thread = Thread(target=other.serve_forever, daemon=True)
        thread.start()
        yield other.server_port
        other.shutdown()


def test_a_file_opens_the_page_and_no_other_port_of_the_machine_gets_its_cookie(desk: Path) -> None:
    cookies: list[str] = []
    with browsing() as browser, running(desk) as page, lure(cookies) as port:
        access = page.access
        plain, here = f"http://{access.plain_host}/open/{access.start}", f"http://{access.host}/here"
        file = write_start(desk, page.address, plain, here)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        context = browser.new_context()
        tab = context.new_page()
        tab.goto(file.as_uri())
        tab.wait_for_url(f"http://{access.host}/")
        assert "Court" in tab.text_content("body")
        for name in ("127.0.0.1", "localhost", access.host.partition(":")[0], "other.localhost"):
            tab.goto(f"http://{name}:{port}/lure")
            tab.wait_for_url("**/second")
        # The name of this run alone brings the cookie, on any port: nobody else knows it.
        assert ["knightfall" in one for one in cookies] == [False] * 4 + [True] * 2 + [False] * 2
        # What a thief would do: another browser with the address, which ends every session.
        thief = browser.new_context().new_page()
        thief.goto(page.address)
        thief.wait_for_function("document.body.innerText.includes('used by two browsers')")
        tab.goto(f"http://{access.host}/games/court")
        assert "Every session was ended" in tab.text_content("body")
        context.close()


def test_a_bookmark_of_an_earlier_run_leads_to_this_one(desk: Path) -> None:
    with browsing() as browser, running(desk) as page:
        tab = browser.new_page()
        tab.goto(page.address)
        tab.wait_for_url(f"http://{page.access.host}/")
        tab.goto(f"http://earlierearlierea.localhost:{page.access.port}/games/court")
        assert tab.url == f"http://{page.access.host}/games/court"
        assert "Court" in tab.text_content("h1")


ASKS = """
import encodings.idna, os, socket, sys
port, host, cookie, *user = sys.argv[1:]
if user:
    os.setuid(int(user[0]))
with socket.create_connection(("127.0.0.1", int(port))) as connection:
    connection.sendall(f"GET / HTTP/1.0\\r\\nHost: {host}\\r\\nCookie: {cookie}\\r\\n\\r\\n".encode())
    answer = b"".join(iter(lambda: connection.recv(65536), b""))
head, _, body = answer.partition(b"\\r\\n\\r\\n")
print(head.split()[1].decode(), body.decode())
"""


def test_another_user_of_the_machine_gets_nothing_even_with_the_cookie(desk: Path) -> None:
    if not peer.TABLE.exists() or os.getuid() != 0:
        pytest.skip("only root can become another user, and only Linux tells who asks")
    with running(desk) as page:
        cookie = page.access.sessions.let_in(page.access.start, "Firefox")
        words = [sys.executable, "-c", ASKS, str(page.access.port), page.access.host]
        words.append(f"{page.access.cookie}={cookie}")
        own = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        other = subprocess.run([*words, "65534"], capture_output=True, text=True, check=True).stdout
    assert own.startswith("200 ")
    assert other == "403 Refused: another user of this machine asked.\n\n"


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
    # What bookmarks and helpers know holds until another port is asked for.
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
