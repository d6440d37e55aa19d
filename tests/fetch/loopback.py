"""A real HTTP server on this machine that misbehaves as it is told, and a clock that never waits."""

from __future__ import annotations

import gzip
import io
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import requests
from requests.adapters import BaseAdapter, HTTPAdapter
from urllib3 import HTTPResponse

from knightfall.fetch.client import Client, Manners


@dataclass
class StillClock:
    """Time passes only by sleeping."""

    waited: list[float] = field(default_factory=list)
    began: datetime = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)

    def now(self) -> datetime:
        return self.began + timedelta(seconds=sum(self.waited))

    def elapsed(self) -> float:
        return sum(self.waited)

    def sleep(self, seconds: float) -> None:
        self.waited.append(seconds)


@dataclass(frozen=True)
class Reply:
    """One answer. `cut`: so many bytes of the body, then the connection ends; `silent`: nothing at all;
    `endless`: the body again and again with a pause of a moment, for ever."""

    body: bytes = b"<html><body>Hello</body></html>"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int | None = None
    silent: bool = False
    endless: bool = False
    length: bool = True
    cookies: tuple[str, ...] = ()


@dataclass
class Server:
    """Its address, the paths that were asked for but for robots.txt, the headers they were asked with, and
    how often robots.txt was asked for."""

    root: str
    asked: list[str]
    headers: list[dict[str, str]]
    robots: list[str]


@contextmanager
def serving(
    answer: Callable[[str], Reply],
    robots: Reply | None = None,
    door: Callable[[str, Mapping[str, str]], Reply | None] = lambda _path, _headers: None,
    port: int = 0,
) -> Iterator[Server]:
    """A server that answers each path by `answer`; where it sends an ETag it answers 304 to who knows it.
    `door` sees the headers, too, and may turn the visitor away. `port` 0 is any that is free."""
    told = Server("", [], [], [])

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            reply = self.reply()
            if reply.silent:
                self.close_connection = True
                return
            self.send_response(reply.status)
            headers = {"Content-Type": "text/html; charset=utf-8", **reply.headers}
            if reply.length and not reply.endless:
                headers["Content-Length"] = str(len(reply.body))
            for name, value in (*headers.items(), *(("Set-Cookie", one) for one in reply.cookies)):
                self.send_header(name, value)
            with suppress(OSError):
                self.end_headers()
                self.wfile.write(reply.body[: reply.cut])
                while reply.endless:
                    self.wfile.write(reply.body)
                    time.sleep(0.01)

        def reply(self) -> Reply:
            if self.path == "/robots.txt":
                told.robots.append(self.path)
                return robots or Reply(b"", 404)
            told.asked.append(self.path)
            told.headers.append(dict(self.headers))
            found = door(self.path, told.headers[-1]) or answer(self.path)
            known = self.headers.get("If-None-Match")
            return Reply(b"", 304) if known and known == found.headers.get("ETag") else found

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.005}, daemon=True).start()
    try:
        told.root = f"http://127.0.0.1:{server.server_port}/"
        yield told
    finally:
        server.shutdown()
        server.server_close()


def in_turn(*replies: Reply) -> Callable[[str], Reply]:
    """Each reply once, the last for ever."""
    waiting = list(replies)
    return lambda _path: waiting.pop(0) if len(waiting) > 1 else waiting[0]


@dataclass
class Near(BaseAdapter):
    """Answers as a server does, without a connection: for tests of what is done with the pages."""

    answer: Callable[[str], Reply]

    def send(self, request: requests.PreparedRequest, *_asked: Any, **_limits: Any) -> requests.Response:
        path = request.path_url
        reply = Reply(b"", 404) if path == "/robots.txt" else self.answer(path)
        assert (reply.cut, reply.silent, reply.endless) == (None, False, False), "a server misbehaves"
        headers = {"Content-Type": "text/html; charset=utf-8", **reply.headers}
        body = io.BytesIO(reply.body)
        raw = HTTPResponse(body, headers, reply.status, preload_content=False, request_method="GET")
        return HTTPAdapter().build_response(request, raw)

    def close(self) -> None:
        """Nothing is open."""


def client(clock: StillClock, allow_private: bool = True, **limits: Any) -> Client:
    """A client whose pauses are exact."""
    return Client(clock, lambda pause: pause, allow_private, Manners(**limits))


def near_client(clock: StillClock, answer: Callable[[str], Reply]) -> Client:
    """A client that asks nobody but `answer`, whatever the server; it knows no ETag."""
    made = client(clock, delay=0)
    made._session.mount("http://", Near(answer))
    return made


def zipped(text: bytes) -> Reply:
    """A compressed answer."""
    return Reply(gzip.compress(text), headers={"Content-Encoding": "gzip"})
