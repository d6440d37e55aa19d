"""The clock, network and database of this machine, put together for a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from knightfall.sentence import Way, sentence
from knightfall.services.session import to_nobody

if TYPE_CHECKING:
    from knightfall.fetch.client import Client
    from knightfall.fetch.clock import Clock, Fetch
    from knightfall.forums.base import Request, Response
    from knightfall.services.lender import Lender
    from knightfall.services.session import Say, Session
    from knightfall.storage.ledger import Ledger
    from knightfall.storage.logins import Logins
    from knightfall.storage.nicknames import NicknameFile
    from knightfall.storage.store import Store
    from knightfall.storage.turn import Turn


DELAY = "KNIGHTFALL_DELAY"
"""Seconds between two requests to one server."""
AUTHOR = "KNIGHTFALL_AUTHOR"
"""Your name in the journal; else that of your account on this machine."""
POLITE = 2.0
JITTER = 0.5
"""A pause grows by up to this share of itself, so that many clients do not come back at once."""


def session_of(
    game: Path | None,
    allow_private: bool = False,
    cookies: Path | None = None,
    say: Say = to_nobody,
    step: Say = to_nobody,
    doing: str = "knightfall",
    agent: str = "",
) -> Session:
    """The session of a run. `game` is a game folder, its game.toml or its database; None: one a thread.

    `cookies` is the file of a login that the moderator lends, `agent` the User-Agent of its browser.
    `doing` is what others are told who wait for this run to end its writing, such as the command that runs.
    """
    from knightfall.fetch.clock import SystemClock
    from knightfall.services.session import (
        REHEARSAL_FILE,
        Seen,
        Session,
        game_files,
        game_folder,
        stamp_of,
    )

    clock, logins = SystemClock(), _logins()
    lender = _lender(logins, clock, cookies, game, agent)
    fetch: Fetch = _LateClient(lambda: _client(clock, allow_private, say, lender()), step)
    if game is not None and (game_folder(game) / REHEARSAL_FILE).exists():
        from knightfall.services.rehearsal_thread import RehearsalForum

        fetch = RehearsalForum(game_folder(game), fetch)
    session = Session(clock, fetch, _opener(game), _ledger(game), _author(), Seen(say), game)
    session = replace(session, nicknames=_nicknames(session.author, doing), logins=logins)
    session = replace(session, beacon=_LateClient(lambda: _beacon_client(clock, say), step))
    if game is None:
        return session
    written = partial(stamp_of, game_files(game))
    return replace(session, turn=_turn(game, session.author, doing), written=written)


class _LateClient:
    """A Fetch that is put together when the first page is asked for: who counts stored posts never waits."""

    def __init__(self, make: Callable[[], Client], step: Say) -> None:
        self._make = make
        self._step = step
        self._client: Client | None = None

    def get(self, request: Request) -> Response:
        self._step(f"Asking for {request.url}")
        return self._made().get(request)

    def follow(self, request: Request) -> Response:
        self._step(f"Asking for {request.url}, and where it leads")
        return self._made().follow(request)

    def _made(self) -> Client:
        self._client = self._client or self._make()
        return self._client


def _lender(
    logins: Callable[[], Logins], clock: Clock, cookies: Path | None, game: Path | None, agent: str
) -> Callable[[], Lender]:
    """Who lends the logins; a file of cookies is read at once. A game folder is handed on to others, so it
    must not hold one."""
    from knightfall.errors import InputError

    def made() -> Lender:
        from knightfall.services.lender import Lender

        return Lender(logins(), clock, cookies, agent)

    if cookies is None:
        if agent:
            raise InputError(
                sentence(
                    "A User-Agent goes with the cookies of its browser: {cookies}.", cookies=Way("cookies")
                )
            )
        return made

    from knightfall.services.session import game_database

    if game is not None and cookies.resolve().is_relative_to(game_database(game).parent.resolve()):
        raise InputError(
            f"{cookies} is in the folder of the game, which you may share with others. Move it "
            "somewhere else."
        )
    lender = made()
    return lambda: lender


def _logins() -> Callable[[], Logins]:
    @cache
    def opened() -> Logins:
        import os

        from knightfall.services.session import user_folder
        from knightfall.storage.logins import Logins

        return Logins(user_folder(os.environ))

    return opened


def _client(clock: Clock, allow_private: bool, say: Say, lender: Lender) -> Client:
    import os
    import random

    from knightfall.fetch.client import Client, Manners

    manners = Manners(delay=_delay(os.environ.get(DELAY, ""), allow_private))

    def jitter(pause: float) -> float:
        return pause * (1 + random.uniform(0, JITTER))

    return Client(clock, jitter, allow_private, manners, say, lender.loan, lender.came_back)


def _beacon_client(clock: Clock, say: Say) -> Client:
    """Reads a few bytes at a time, follows nothing, and has no login."""
    from knightfall.fetch.client import Client, Manners

    manners = Manners(delay=0.0, tries=2, read=10.0, whole=20.0, size=20_000, redirects=0)
    return Client(clock, lambda pause: pause, False, manners, say)


def _delay(asked: str, allow_private: bool) -> float:
    """The pause may be made longer for any server, shorter only for one's own."""
    from knightfall.errors import InputError

    try:
        seconds = float(asked or POLITE)
    except ValueError:
        raise InputError(f"{DELAY} is {asked!r}; expected a number of seconds.") from None
    return max(0.0 if allow_private else POLITE, seconds)


def _opener(game: Path | None) -> Callable[[str], Store]:
    import os

    from knightfall.services.session import evidence_file, game_database

    def opened(thread: str) -> Store:
        from knightfall.storage.store import Store  # who counts saved pages keeps nothing

        return Store.open(game_database(game) if game else evidence_file(thread, os.environ))

    return opened


def _ledger(game: Path | None) -> Callable[[], Ledger] | None:
    if game is None:
        return None
    from knightfall.services.session import game_database
    from knightfall.storage.ledger import Ledger

    return lambda: Ledger.open(game_database(game))


def _turn(game: Path, author: str, doing: str) -> Turn:
    from knightfall.services.session import game_database
    from knightfall.storage.turn import Turn

    return Turn(game_database(game), author, doing)


def _nicknames(author: str, doing: str) -> Callable[[], NicknameFile]:
    @cache
    def opened() -> NicknameFile:
        import os

        from knightfall.services.session import user_folder
        from knightfall.storage.nicknames import NicknameFile

        return NicknameFile(user_folder(os.environ), author, doing)

    return opened


def _author() -> str:
    """Who writes in the journal: co-moderators are told apart."""
    import getpass
    import os

    try:
        return os.environ.get(AUTHOR) or getpass.getuser()
    except (KeyError, OSError):
        return "moderator"
