"""Pages that a browser hands over by itself, by its helper: each finds the game that it is of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request

from knightfall.errors import InputError, KnightfallError
from knightfall.fetch.client import Manners
from knightfall.services.pasted import (
    PagesHere,
    PastedPage,
    ReadPage,
    keep_copy,
    next_to_read,
    page_line,
    read_copy,
    senders_in,
)
from knightfall.services.session import Session
from knightfall.services.threads import spellings
from knightfall.services.window.sources import senders_of
from knightfall.web.intake_pages import read_copied
from knightfall.web.pages import GamePage, Web
from knightfall.web.start import CountedThread

PAUSE = Manners().delay
"""Seconds between two pages that a browser reads on for us, as when we read ourselves."""
PLACES = {"game": "votes", "signup": "signups", "private": "messages"}
"""What a thread is to a game → the page of the game on which it is looked at."""


@dataclass(frozen=True, slots=True)
class HandedPage:
    """A page that was kept: what became of it in a sentence, the title of its game ("" where it is of none),
    the page on which its thread is looked at, the ids of its posts, which pages are here, and which one is to
    be read next."""

    said: str
    game: str
    to: str
    ids: tuple[str, ...]
    pages: PagesHere
    next: str | None
    complete: bool

    def to_dict(self, way: Callable[[str], str]) -> dict[str, Any]:
        """{kind: "thread", said, game, to, thread, title, ids, pages, here, missing, next, pause, complete};
        `way` makes of a page of ours the address by which it is opened."""
        return {
            "kind": "thread",
            "said": self.said,
            "game": self.game,
            "to": way(self.to),
            "thread": self.pages.url,
            "title": self.pages.title,
            "ids": list(self.ids),
            "pages": self.pages.pages,
            "here": list(self.pages.here),
            "missing": [one.number for one in self.pages.missing],
            "next": self.next,
            "pause": PAUSE,
            "complete": self.complete,
        }


@dataclass(frozen=True, slots=True, repr=False)
class HandedMessages:
    """A page of PMs that was read: what it is in a sentence, and for each game in which their senders play
    the page on which is shown what would be taken in."""

    said: str
    choices: tuple[tuple[str, str], ...]

    def to_dict(self, way: Callable[[str], str]) -> dict[str, Any]:
        """{kind: "messages", said, choices: [{label, to}]}; `way` as of a page of a thread."""
        choices = [{"label": label, "to": way(to)} for label, to in self.choices]
        return {"kind": "messages", "said": self.said, "choices": choices}


def take_page(
    html: str, address: str, request: Request, web: Web, fresh: bool = False, ends: bool = True
) -> HandedPage | HandedMessages:
    """Keep a page that a browser had at an address, with each game whose thread it shows, else alone; `fresh`
    and `ends` as of `keep_copy`. Of a page of PMs nothing is taken in yet.

    Raises InputError for PMs of nobody who plays, and as `read_copy` and `keep_copy`.
    """
    if senders := senders_in(html, web.games.thread_session(), address):
        return _messages(senders, html, address, request, web)
    found = read_copy(html, web.games.thread_session(), address)
    handed: HandedPage | None = None
    for game, role in games_of_thread(found.url, request, web):
        with game.changing():
            kept = keep_copy(read_copy(html, game.session, address), game.session, fresh, ends)
        to = f"{game.root}/{PLACES.get(role, 'votes')}"
        handed = handed or _handed(kept, found, game.session, to, game.title)
    if handed is not None:
        return handed
    session = web.games.thread_session()
    kept = keep_copy(found, session, fresh, ends)
    name = web.keep_once(CountedThread((kept.pages.url,), pasted=True))
    return _handed(kept, found, session, f"/counts/{name}")


def sessions_of_thread(url: str, request: Request, web: Web) -> list[Session]:
    """The sessions with which a thread is kept: those of its games, else that of a thread alone."""
    games = [game.session for game, _ in games_of_thread(url, request, web)]
    return games or [web.games.thread_session()]


def _messages(
    senders: tuple[str, ...], html: str, address: str, request: Request, web: Web
) -> HandedMessages:
    """Read them for each game that runs and in which somebody of that name plays."""
    found: list[tuple[GamePage, str]] = []
    for name in web.games.names():
        game = GamePage(name, request, web)
        try:
            table = game.table
            accounts = senders_of(table, game.setup) if table is not None and table.windows else None
        except KnightfallError:  # the game says itself what is wrong with it
            continue
        theirs = [one for one in senders if accounts and isinstance(accounts.account(one), str)]
        if theirs:
            found.append((game, ", ".join(theirs)))
    if not found:
        raise InputError(
            f"This is a private message of {', '.join(senders)}, and no player of a game that runs is called "
            "so. If it is a player, add the name as an alias on the page of the players."
        )
    choices = (
        (
            f"This is the order of {named} in {game.title}",
            read_copied(html, address, game),
        )
        for game, named in found
    )
    site = _host(address)
    strange = "" if any(_host(its.url) == site for one, _ in found for its in one.setup.threads) else STRANGE
    said = f"Nothing is taken in until you say so on Knightfall’s page.{strange.format(site=site)}"
    return HandedMessages(said, tuple(choices))


def _handed(kept: PastedPage, found: ReadPage, session: Session, to: str, game: str = "") -> HandedPage:
    after = next_to_read(found.url, session, kept.following)
    return HandedPage(page_line(kept), game, to, kept.ids, kept.pages, after, kept.thread.complete)


def games_of_thread(url: str, request: Request, web: Web) -> list[tuple[GamePage, str]]:
    """The games in whose files a thread stands, and what the thread is to each.

    Raises InputError where a game file that cannot be read names the forum of the thread: it may be one of
    its private threads.
    """
    found = []
    for name in web.games.names():
        game = GamePage(name, request, web)
        try:
            threads = [(one.url, one.role) for one in game.setup.threads]
        except KnightfallError as error:
            if _host(url) in web.games.file_text(name).casefold():
                raise InputError(BROKEN.format(game=name, error=error)) from error
            continue
        role = next((role for its, role in threads if _is(url, its)), None)
        if role is not None:
            found.append((game, role))
    return found


STRANGE = " It comes from {site}, which is no forum of that game: is it really them?"
BROKEN = (
    "The game file of {game} cannot be read, and names this forum, so it is not known whose thread this is. "
    "Mend the file first: {error}"
)


def _is(url: str, its: str) -> bool:
    """Whether a thread is the one that a game file names, however that spells its address."""
    return _plain(url) in map(_plain, spellings(its if "//" in its else f"https://{its}"))


def _plain(url: str) -> str:
    """An address without its scheme, the port that this stands for, and what hosts put before their name."""
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    return f"{_host(url)}{parts.path.replace('//', '/')}{query}"


def _host(url: str) -> str:
    parts = urlsplit(url)
    port = parts.port if parts.port not in (None, 80, 443) else None
    return f"{(parts.hostname or '').removeprefix('www.')}{f':{port}' if port else ''}"
