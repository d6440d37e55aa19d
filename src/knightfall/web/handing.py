"""Pages that a browser hands over by itself, by a bookmark or a helper: each finds the game that it is of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from knightfall.errors import InputError
from knightfall.fetch.client import Manners
from knightfall.forums.addresses import require_address
from knightfall.services.pasted import (
    PagesHere,
    PastedPage,
    ReadPage,
    keep_copy,
    next_to_read,
    page_line,
    read_copy,
)
from knightfall.services.session import Session
from knightfall.services.threads import spellings
from knightfall.web.pages import GamePage, Web
from knightfall.web.start import CountedThread

PAUSE = Manners().delay
"""Seconds between two pages that a browser reads on for us, as when we read ourselves."""
PLACES = {"game": "votes", "signup": "signups", "private": "messages"}
"""What a thread is to a game → the page of the game on which it is looked at."""


@dataclass(frozen=True, slots=True)
class HandedPage:
    """A page that was kept: what became of it in a sentence, the title of its game ("" where it is of none),
    the page on which its thread is looked at, which pages are here, and which one is to be read next."""

    said: str
    game: str
    to: str
    pages: PagesHere
    next: str | None
    complete: bool

    def to_dict(self) -> dict[str, Any]:
        """{kind: "thread", said, game, to, thread, title, pages, here, missing, next, pause, complete}."""
        return {
            "kind": "thread",
            "said": self.said,
            "game": self.game,
            "to": self.to,
            "thread": self.pages.url,
            "title": self.pages.title,
            "pages": self.pages.pages,
            "here": list(self.pages.here),
            "missing": [one.number for one in self.pages.missing],
            "next": self.next,
            "pause": PAUSE,
            "complete": self.complete,
        }


def take_page(html: str, address: str, request: Request, web: Web) -> HandedPage:
    """Keep a page that a browser had at an address, with the game whose thread it shows, else alone.

    Raises InputError for an address that is none, and as `read_copy`.
    """
    require_address(address)
    found = read_copy(html, web.games.thread_session(), address)
    of = thread_of_a_game(found.url, request, web)
    if of is None:
        session = web.games.thread_session()
        kept = keep_copy(found, session)
        name = web.keep_once(CountedThread((kept.pages.url,), pasted=True))
        return _handed(kept, found, session, f"/counts/{name}")
    game, role = of
    with game.changing():
        kept = keep_copy(read_copy(html, game.session, address), game.session)
    return _handed(kept, found, game.session, f"{game.root}/{PLACES.get(role, 'votes')}", game.title)


def _handed(kept: PastedPage, found: ReadPage, session: Session, to: str, game: str = "") -> HandedPage:
    after = next_to_read(found.url, session, kept.following)
    return HandedPage(page_line(kept), game, to, kept.pages, after, kept.thread.complete)


def thread_of_a_game(url: str, request: Request, web: Web) -> tuple[GamePage, str] | None:
    """The game in whose file a thread stands, and what the thread is to it; None where it stands in none. A
    game whose file cannot be read is passed over: it says so itself."""
    for name in web.games.names():
        game = GamePage(name, request, web)
        try:
            threads = [(one.url, one.role) for one in game.setup.threads]
        except InputError:
            continue
        for its, role in threads:
            if its == url or url in spellings(its):
                return game, role
    return None
