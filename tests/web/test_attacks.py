"""What was tried against the page, each against a server that runs as the moderator's does."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlencode

import pytest

from begun import begin
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest
from web.served import running

PLAYERS = tuple(f"Slot{number}" for number in range(1, 12))
POLLS = """
import os, select, sys
os.setuid(65534)
parent = int(sys.argv[1])
own, marks = os.getpid(), (b"/open/", b".localhost")
seen, looked = set(), set()
while not select.select([sys.stdin], [], [], 0.02)[0]:
    parents = {}
    for one in filter(str.isdigit, os.listdir("/proc")):
        try:
            told = open(f"/proc/{one}/stat").read()
        except OSError:
            continue
        parents[int(one)] = int(told.rpartition(")")[2].split()[1])
    for one in parents:
        line = one
        while line in parents and line != parent:
            line = parents[line]
        if line != parent or one in (own, parent):
            continue
        try:
            said = open(f"/proc/{one}/cmdline", "rb").read()
        except OSError:
            continue
        looked.add(one)
        if any(mark in said for mark in marks):
            seen.add(said)
print(len(seen), len(looked), seen)
"""
"""Another user of the machine, who reads the command line of every program that this test starts, and of no
other one, until its own input ends."""

SLOW_BROWSER = """
import os, re, socket, sys, time
noted = os.environ["NOTED"]
file = open(sys.argv[1].removeprefix("file://")).read()
port = int(re.search(r"localhost:(\\d+)", file)[1])
socket.create_connection(("127.0.0.1", port), 5)
time.sleep(1.5)
with open(noted + ".part", "w") as out:
    out.write(sys.argv[1] + " answers")
os.rename(noted + ".part", noted)
"""
"""A browser that asks for the page at once, and stays where its command line can be read."""


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with a court in it."""
    folder = tmp_path / "court"
    begin(NewGameRequest("kings_court", PLAYERS, folder, b"s" * 32, b"t" * 32, "Court"), session_of(folder))
    return tmp_path


@dataclass
class Browser:
    """A program that talks to a page of this machine with a cookie that it was given."""

    host: str
    port: int
    key: str = ""
    cookie: str = ""
    token: str = ""

    def asks(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> HTTPResponse:
        """Ask for a page of the run whose key is known."""
        return self.asks_bare(method, f"/{self.key}{path}" if self.key else path, body, headers)

    def asks_bare(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> HTTPResponse:
        """Ask for an address as it is."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        sent = {"Host": self.host, "Cookie": self.cookie, "Origin": f"http://{self.host}", **(headers or {})}
        connection.request(method, path, body, sent)
        answer = connection.getresponse()
        answer.text = answer.read().decode(errors="replace")  # type: ignore[attr-defined]
        return answer

    def opens(self, path: str) -> None:
        """Come in by the address of the start."""
        answer = self.asks("GET", path)
        self.cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]
        to = re.search(r'url=/(\w+)/"', text_of(answer))
        assert to
        self.key = to[1]
        found = re.search(r'name="form_token" value="(\w+)"', text_of(self.asks("GET", "/")))
        assert found
        self.token = found[1]

    def sends(self, path: str, **fields: str) -> HTTPResponse:
        body = urlencode({"form_token": self.token, **fields}).encode()
        return self.asks("POST", path, body, {"Content-Type": "application/x-www-form-urlencoded"})

    def uploads(self, path: str, names: list[bytes], fields: int = 0, size: int = 10) -> HTTPResponse:
        """Send files by names that no browser of a moderator would send."""
        parts = [b'Content-Disposition: form-data; name="form_token"\r\n\r\n' + self.token.encode()]
        parts += [
            b'Content-Disposition: form-data; name="files"; filename="' + name + b'"\r\n'
            b"Content-Type: text/html\r\n\r\n<p>Page</p>"
            for name in names
        ]
        parts += [
            b'Content-Disposition: form-data; name="x%d"\r\n\r\n' % one + b"y" * size for one in range(fields)
        ]
        body = b"".join(b"--cut\r\n" + part + b"\r\n" for part in parts) + b"--cut--\r\n"
        return self.asks("POST", path, body, {"Content-Type": "multipart/form-data; boundary=cut"})


def text_of(answer: HTTPResponse) -> str:
    """What was answered."""
    return str(getattr(answer, "text", ""))


@contextmanager
def started(
    desk: Path, *words: str, stderr: int = subprocess.PIPE, **more: str
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`knightfall web` as a program of its own, and the address that it says ("" where nobody reads it)."""
    env = {**os.environ, "KNIGHTFALL_HOME": str(desk / "home"), "HOME": str(desk / "home"), **more}
    command = [sys.executable, "-m", "knightfall", "web", str(desk), *words]
    with subprocess.Popen(command, stderr=stderr, stdout=subprocess.DEVNULL, text=True, env=env) as page:
        try:
            address = ""
            for line in page.stderr or ():
                if found := re.search(r"http://\S+", line):
                    address = found[0]
                    break
            yield page, address
        finally:
            page.send_signal(signal.SIGINT)
            page.wait(20)


def browser_at(address: str) -> Browser:
    """A browser that opened the address of a start."""
    found = re.fullmatch(r"http://(([^:]+):(\d+))(\S+)", address)
    assert found, address
    browser = Browser(found[1], int(found[3]))
    browser.opens(found[4])
    return browser


@pytest.mark.long
def test_no_command_line_holds_the_address_of_the_start_and_the_browser_comes_after_the_server(
    desk: Path,
) -> None:
    """A2: a browser that takes its time shows its command line to everybody meanwhile."""
    if os.getuid() != 0 or not Path("/proc/self/cmdline").exists():
        pytest.skip("only root can become another user, and only Linux has /proc")
    noted = desk / "asked.txt"
    script = desk / "browser"
    script.write_text(f"#!{sys.executable}\n{SLOW_BROWSER}", encoding="utf-8")
    script.chmod(0o755)
    spy = subprocess.Popen(
        [sys.executable, "-c", POLLS, str(os.getpid())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with started(desk, BROWSER=str(script), NOTED=str(noted)):
        deadline = time.monotonic() + 20
        while not noted.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        said, _ = spy.communicate(timeout=30)
    opened, answers = noted.read_text(encoding="utf-8").split()
    assert opened.startswith("file:///")
    assert answers == "answers"
    found, looked = said.split()[:2]
    assert int(looked) >= 2  # the page, and the browser that it started
    assert found == "0", said
    # The file that holds the address is the moderator's alone, and goes with the run.
    assert not list(desk.glob("knightfall-start-*"))


@pytest.mark.long
def test_refusals_in_a_loop_stop_nothing_though_nobody_reads_what_is_said(desk: Path) -> None:
    """A9 f: a terminal that takes no more, such as one stopped by Ctrl-S."""
    if not Path("/proc/self/fd").exists():
        pytest.skip("only Linux lets a pipe be filled from outside")
    out, into = os.pipe()
    try:
        with started(desk, "--no-browser", stderr=into) as (_, _):
            said = b""
            while b"http://" not in said or not said.endswith(b"\n"):
                said += os.read(out, 4096)
            found = re.search(rb"http://\S+", said)
            assert found
            browser = browser_at(found[0].decode())
            # From here on nobody reads, and the pipe takes not one byte more.
            full = os.open(f"/proc/self/fd/{into}", os.O_WRONLY | os.O_NONBLOCK)
            with suppress(BlockingIOError):
                while True:
                    os.write(full, b"x" * 4096)
            with suppress(BlockingIOError):
                while True:
                    os.write(full, b"x")
            os.close(full)
            stranger = Browser(browser.host, browser.port, browser.key)
            for _ in range(300):
                assert stranger.asks("GET", "/games/court").status == 403
            began = time.monotonic()
            assert browser.asks("GET", "/games/court").status == 200
            assert time.monotonic() - began < 5
            os.close(out)  # so that it can end
    finally:
        os.close(into)


@pytest.mark.long
def test_what_a_killed_run_left_is_gone_with_the_next_start(desk: Path, tmp_path: Path) -> None:
    """A9 g: uploads of a run that was killed, and the file that opened its browser."""
    place = tmp_path / "tmp"
    place.mkdir()
    with subprocess.Popen([sys.executable, "-c", ""]) as over:
        over.wait()
    left = place / f"knightfall-{over.pid}-abc"
    left.mkdir()
    (left / "page.html").write_text("<p>secret</p>", encoding="utf-8")
    living = place / f"knightfall-{os.getpid()}-abc"
    living.mkdir()
    target = tmp_path / "elsewhere"
    target.mkdir()
    (place / f"knightfall-{over.pid}-link").symlink_to(target)
    start = desk / f"knightfall-start-{over.pid}.html"
    start.write_text("address", encoding="utf-8")
    with started(desk, BROWSER="true", TMPDIR=str(place)):
        deadline = time.monotonic() + 10
        while start.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not left.exists()
        assert living.exists()
        assert target.exists()
        assert not start.exists()


@pytest.mark.long
def test_a_run_that_is_killed_leaves_its_uploads_to_the_next_one(desk: Path, tmp_path: Path) -> None:
    place = tmp_path / "tmp"
    place.mkdir()
    with started(desk, "--no-browser", TMPDIR=str(place)) as (page, address):
        browser = browser_at(address)
        table = b"Player,Action\nSlot1,VOTE: Slot2\n"
        body = (
            b'--cut\r\nContent-Disposition: form-data; name="form_token"\r\n\r\n' + browser.token.encode()
            + b'\r\n--cut\r\nContent-Disposition: form-data; name="file"; filename="form.csv"\r\n'
            b"Content-Type: text/csv\r\n\r\n" + table + b"\r\n--cut--\r\n"
        )  # fmt: skip
        answer = browser.asks(
            "POST", "/games/court/messages/file", body, {"Content-Type": "multipart/form-data; boundary=cut"}
        )
        assert answer.status == 303, text_of(answer)
        [kept] = place.glob("knightfall-*")
        assert kept.stat().st_mode & 0o777 == 0o700
        page.kill()
        page.wait(10)
        assert kept.exists()
    with started(desk, "--no-browser", TMPDIR=str(place)):
        assert not kept.exists()


NAMES = [
    b"..",
    b".",
    b"/",
    b"a\x00b.html",
    b"\xc3\xa4" * 300 + b".html",
    b"1",
    b"1",
    b"1",
    b"C:\\x\\y.htm",
    b"x" * 400,
]


@pytest.fixture
def let_in(desk: Path) -> Iterator[Browser]:
    """A browser that was let in by a server that runs."""
    with running(desk) as page:
        browser = Browser(page.access.host, page.access.port)
        browser.opens(f"/open/{page.access.start}")
        yield browser


@pytest.mark.few(3)
@pytest.mark.parametrize("names", [[name] for name in NAMES] + [NAMES])
def test_no_name_of_an_upload_is_a_fault(let_in: Browser, names: list[bytes]) -> None:
    """A9 b: told in words that it is no thread, whatever it is called."""
    answer = let_in.uploads("/count/paste", names)
    assert answer.status in (303, 400, 422), text_of(answer)[:300]
    assert "This is a bug" not in text_of(answer)


@pytest.mark.parametrize(
    "path",
    ["archive/public/x%00", "archive/public/%00", "texts/public/x%00", "archive/public/..%2f..%2fgame.toml"],
)
def test_no_address_is_a_fault(let_in: Browser, path: str) -> None:
    """A9 c."""
    assert let_in.asks("GET", f"/games/court/{path}").status in (403, 404)


@pytest.mark.parametrize(
    "came", ["//evil.example", "/\\evil.example", "http://evil.example/", "//evil.example/a?b"]
)
def test_the_switch_of_private_eyes_leads_nowhere_else(let_in: Browser, came: str) -> None:
    """A9 d: back to the page that it was pressed on, and to no other server."""
    for said in (came, f"http://{let_in.host}{came}"):
        answer = let_in.sends("/eyes", hide="on", came=said)
        assert answer.status == 303
        assert re.fullmatch(rf"/{let_in.key}/\?done=\w+", answer.getheader("Location") or "")


@pytest.mark.parametrize(("fields", "size", "files"), [(1_500, 1, 0), (1, 2_000_000, 0), (0, 1, 2_500)])
def test_a_form_that_is_too_large_is_told_so(let_in: Browser, fields: int, size: int, files: int) -> None:
    """A9 e."""
    answer = let_in.uploads("/games/court/votes/pages", [b"p.html"] * files, fields, size)
    assert answer.status == 400
    assert "too large for one form" in text_of(answer)
    assert let_in.asks("GET", "/").status == 200


def test_half_sent_heads_keep_nobody_out(let_in: Browser) -> None:
    """A9 h: 300 of them at once; the page answers, and they are let go."""
    slow = [socket.create_connection(("127.0.0.1", let_in.port), 5) for _ in range(300)]
    try:
        for one in slow:
            one.sendall(b"GET / HTTP/1.1\r\nHost: ")
        began = time.monotonic()
        assert let_in.asks("GET", "/games/court").status == 200
        assert time.monotonic() - began < 5
    finally:
        for one in slow:
            one.close()


def test_a_stolen_cookie_of_this_name_is_no_use_under_another_one(let_in: Browser) -> None:
    """A1: whoever has the cookie and knows no name of the run gets no page."""
    for host in (f"127.0.0.1:{let_in.port}", f"localhost:{let_in.port}", f"evil.localhost:{let_in.port}"):
        thief = Browser(host, let_in.port, let_in.key, let_in.cookie, let_in.token)
        answer = thief.asks("GET", "/games/court/log")
        assert answer.status == 403
        assert "Court" not in text_of(answer)
        assert thief.sends("/games/court/rule", question="q", answer="a", why="w").status == 403


LONG = "x" * 5_000
PARTS = (
    *(
        "/games/{}/log",
        "/games/{}",
        "/games/{}/row",
        "/games/court/texts/public/{}",
        "/games/court/texts/{}/x",
    ),
    *("/games/court/archive/public/{}", "/games/court/archive/{}/index.html", "/games/court/log/{}/undo"),
    *("/games/court/pms/{}", "/games/court/posts/{}", "/games/court/thread/{}", "/games/court/board/{}.svg"),
    *(
        "/games/court/messages/{}",
        "/help/{}",
        "/help/images/{}.png",
        "/host/{}",
        "/host/{}/about",
        "/counts/{}",
    ),
    *("/jobs/{}", "/review/{}", "/balance/{}", "/adopt/{}", "/ask/{}", "/ask/evidence/{}", "/static/{}"),
    *("/api/v1/games/{}/status", "/{}"),
)


@pytest.mark.few(1)
@pytest.mark.parametrize("long", [LONG, "%C3%A4" * 200, "x" * 256], ids=["5,000", "400 bytes", "256"])
def test_a_part_of_an_address_that_no_file_can_be_called_is_not_there(let_in: Browser, long: str) -> None:
    """N10: whatever the part names."""
    for path in PARTS:
        assert let_in.asks("GET", path.format(long)).status == 404, path
    assert let_in.sends(f"/games/{long}/rule", question="q", answer="a").status == 404
