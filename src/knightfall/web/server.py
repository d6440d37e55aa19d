"""The page of a run: its app, and the address that opens it once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from secrets import token_bytes
from socket import socket

from platformdirs import user_data_path
from uvicorn import Config, Server

from knightfall.web.access import OPEN, Access, AccessMiddleware
from knightfall.web.api_tokens import ApiTokens
from knightfall.web.app import create_app
from knightfall.web.games import GameFolders, SessionMaker
from knightfall.web.live import Live
from knightfall.web.pages import Web
from knightfall.web.thread_watch import ThreadWatches


@dataclass(frozen=True, slots=True)
class ServedPage:
    """The app, and the address that opens it in one browser."""

    app: AccessMiddleware
    address: str
    live: Live
    watches: ThreadWatches


def page_of(
    home: Path,
    only: str,
    make: SessionMaker,
    port: int,
    random: Callable[[int], bytes] = token_bytes,
    own: Path | None = None,
) -> ServedPage:
    """The page of the games in `home`, on a port of this machine; `only`: the one game that was named.

    `own` is the folder of the tokens for bots and of the threads that are watched (None: that of this user).
    """
    place = own or user_data_path("knightfall")
    access = Access(port, random, ApiTokens(place))
    web = Web(access, GameFolders(home, make, only), random, make(None).clock, place)
    address = f"http://127.0.0.1:{port}{OPEN}{access.start}"
    return ServedPage(create_app(web), address, web.live, web.watches)


class PageServer(Server):
    """The server of a page. It goes on watching the threads that were watched; at its end it ends the open
    streams first, so that it need not wait for them."""

    def __init__(self, page: ServedPage) -> None:
        super().__init__(
            Config(
                page.app,
                log_level="warning",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=2,
            )
        )
        self._live = page.live
        self._watches = page.watches

    async def startup(self, sockets: list[socket] | None = None) -> None:
        self._watches.go_on()  # before it counts as started: whoever looks then sees what is watched
        await super().startup(sockets)

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        self._live.end()
        self._watches.end()
        await super().shutdown(sockets)
