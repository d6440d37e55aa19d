"""How is a connection refused when it reaches a private address after all, and cut when it never ends?

The name of a server is looked up once for the check and again by the connection: between the two it may have
changed (DNS rebinding). So the address that a socket reached is checked before anything is sent. A time-out
holds for each wait, and a server that sends a byte now and then never runs into it: so the sockets are known
and are cut when the whole answer took too long.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Event, Timer
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

from knightfall.errors import ServerFault
from knightfall.fetch.addresses import refuse_private_peer


@dataclass(frozen=True, slots=True)
class Sockets:
    """The open connections of a session."""

    _open: list[socket.socket] = field(default_factory=list)

    def opened(self, sock: socket.socket) -> None:
        """A connection that may have to be cut."""
        self._open[:] = [*(known for known in self._open if known.fileno() >= 0), sock]

    @contextmanager
    def cut_after(self, seconds: float, late: str) -> Iterator[None]:
        """What happens inside ends in time. Raises ServerFault with the sentence `late` where it did not."""
        cut = Event()
        timer = Timer(seconds, self._cut, (cut,))
        timer.daemon = True
        timer.start()
        try:
            yield
        except Exception as error:
            if cut.is_set():
                raise ServerFault(late) from error
            raise
        finally:
            timer.cancel()
        if cut.is_set():
            raise ServerFault(late)

    def _cut(self, cut: Event) -> None:
        cut.set()
        for sock in self._open:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)


def guarded_session(allow_private: bool, sockets: Sockets | None = None) -> requests.Session:
    """A session without proxies, netrc or retries of its own; it connects to public addresses only."""
    session = requests.Session()
    session.trust_env = False
    opened = (sockets or Sockets()).opened
    for scheme in ("http://", "https://"):
        session.mount(scheme, _adapter(allow_private, opened))
    return session


def _adapter(allow_private: bool, opened: Callable[[socket.socket], None]) -> HTTPAdapter:
    pools = _pools(allow_private, opened)

    class Guarded(HTTPAdapter):
        def init_poolmanager(self, *args: Any, **keywords: Any) -> None:
            super().init_poolmanager(*args, **keywords)
            self.poolmanager.pool_classes_by_scheme = pools

    return Guarded()


def _pools(allow_private: bool, opened: Callable[[socket.socket], None]) -> dict[str, type[Any]]:
    """The kinds of connection pools that check and tell each socket."""

    class Plain(HTTPConnection):
        def _new_conn(self) -> socket.socket:
            sock = super()._new_conn()
            return sock if allow_private else _checked(sock, self.host)

        def connect(self) -> None:
            super().connect()
            opened(self.sock)

    class Secure(HTTPSConnection):
        def _new_conn(self) -> socket.socket:
            sock = super()._new_conn()
            return sock if allow_private else _checked(sock, self.host)

        def connect(self) -> None:
            super().connect()
            opened(self.sock)

    class PlainPool(HTTPConnectionPool):
        ConnectionCls = Plain

    class SecurePool(HTTPSConnectionPool):
        ConnectionCls = Secure

    return {"http": PlainPool, "https": SecurePool}


def _checked(sock: socket.socket, host: str) -> socket.socket:
    try:
        refuse_private_peer(str(sock.getpeername()[0]), host)
    except BaseException:
        sock.close()
        raise
    return sock
