"""The page of a run: its app, and the address that opens it once."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from secrets import token_bytes
from socket import socket
from typing import Any

import h11
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from knightfall.services.session import user_folder
from knightfall.web.access import HERE, Access, AccessMiddleware
from knightfall.web.api_tokens import ApiTokens
from knightfall.web.app import create_app
from knightfall.web.games import GameFolders, SessionMaker
from knightfall.web.live import Live
from knightfall.web.pages import Web
from knightfall.web.paired_helpers import Helpers
from knightfall.web.peer import user_here
from knightfall.web.start_file import open_in_browser, write_start
from knightfall.web.thread_watch import ThreadWatches
from knightfall.web.uploads import sweep_uploads

HEAD = 10.0
"""Seconds that a browser may take for the head of its first request."""
CONNECTIONS = 500
"""So many connections are answered at once; who comes later is told to come again."""


@dataclass(slots=True)
class ServedPage:
    """The app, and who may talk to it."""

    app: AccessMiddleware
    access: Access
    live: Live
    watches: ThreadWatches
    start_file: Path | None = None

    @property
    def address(self) -> str:
        """The address that lets one browser in."""
        return self.access.address(self.access.start)

    def open_browser(self, place: Path) -> None:
        """Open the page in the moderator's browser, by a file in `place`."""
        access = self.access
        plain = access.address(access.start, plain=True)
        self.start_file = write_start(place, self.address, plain, f"http://{access.host}{HERE}")
        open_in_browser(self.start_file)

    def forget_start(self) -> None:
        """Remove the file that opened the browser."""
        if self.start_file is not None:
            self.start_file.unlink(missing_ok=True)


def page_of(
    home: Path,
    only: str,
    make: SessionMaker,
    port: int,
    random: Callable[[int], bytes] = token_bytes,
    own: Path | None = None,
    own_network: SessionMaker | None = None,
    user: Callable[[], int | None] = user_here,
) -> ServedPage:
    """The page of the games in `home`, on a port of this machine; `only`: the one game that was named.

    `make` makes the sessions of its games; `own_network` those that read forums of this network, once the
    moderator allows that on the page.

    `own` is the folder of the tokens for bots and of the threads that are watched (None: that of this user);
    `user` says who alone may ask (None: the system does not tell who does).
    """
    place = own or user_folder(os.environ)
    clock = make(None).clock
    helpers = Helpers(place, home, random, clock)
    access = Access(port, random, ApiTokens(place), helpers, clock, user())
    web = Web(access, GameFolders(home, make, only, own_network), random, clock, place)
    return ServedPage(create_app(web), access, web.live, web.watches)


class PatientOnlySoLong(H11Protocol):
    """A connection on which a request must be whole, but for its body, within `HEAD` seconds."""

    _giving_up: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_waiting()

    def _await_head(self) -> None:
        """Wait for the rest of a head that is not whole; a request that is whole is waited for no more."""
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._giving_up is None:
            self._giving_up = self.loop.call_later(HEAD, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._giving_up is not None:
            self._giving_up.cancel()
            self._giving_up = None


class PageServer(Server):
    """The server of a page. It goes on watching the threads that were watched; at its end it ends the open
    streams first, so that it need not wait for them. `ready` is called once it listens."""

    def __init__(self, page: ServedPage, ready: Callable[[], None] = lambda: None) -> None:
        super().__init__(
            Config(
                page.app,
                http=PatientOnlySoLong,
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=2,
                limit_concurrency=CONNECTIONS,
            )
        )
        self._ready = ready
        self._live = page.live
        self._watches = page.watches

    async def startup(self, sockets: list[socket] | None = None) -> None:
        sweep_uploads()
        self._watches.go_on()  # before it counts as started: whoever looks then sees what is watched
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        self._live.end()
        self._watches.end()
        await super().shutdown(sockets)
