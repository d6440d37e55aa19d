"""The page of a moderator whose clock stands, over a forum on this machine."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from knightfall.fetch.clock import Clock
from knightfall.services.machine import session_of
from knightfall.services.session import Session
from knightfall.web.peer import user_here
from knightfall.web.server import PageServer, ServedPage, page_of
from web.hands import PORT


def in_turn(*given: str) -> Callable[[int], bytes]:
    """Random bytes that are not random: seeds and salts are these (hex) in turn, all else is numbers."""
    known = itertools.cycle(map(bytes.fromhex, given))
    counter = itertools.count(1)

    def random(size: int) -> bytes:
        return next(known) if size == 32 and given else next(counter).to_bytes(size, "big")

    return random


def no_users() -> int | None:
    """Of a system that does not tell who asks: for a hand that sends forms without a connection."""
    return None


def served(
    desk: Path,
    only: str = "",
    port: int = PORT,
    random: Callable[[int], bytes] | None = None,
    clock: Clock | None = None,
    user: Callable[[], int | None] = no_users,
) -> ServedPage:
    """The page of the games in a folder; forums of this machine may be read. It knows no users, unless `user`
    says who alone may ask."""

    def make(game: Path | None) -> Session:
        session = session_of(game, allow_private=True)
        return replace(session, clock=clock) if clock else session

    return page_of(desk, only, make, port, random or in_turn(), own=desk / "tokens", user=user)


@contextmanager
def running(
    desk: Path,
    random: Callable[[int], bytes] | None = None,
    clock: Clock | None = None,
    port: int = 0,
    user: Callable[[], int | None] = user_here,
) -> Iterator[ServedPage]:
    """The same on a server that a browser can reach; port 0 is any that is free."""
    import socket
    from threading import Thread

    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.bind(("127.0.0.1", port))
    page = served(desk, port=bound.getsockname()[1], random=random, clock=clock, user=user)
    server = PageServer(page)
    thread = Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.02)
    try:
        yield page
    finally:
        server.should_exit = True
        thread.join(5)
