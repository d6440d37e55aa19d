"""What is so in this run alone: the browsers that were let in, and forums of this network that are read."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.responses import HTMLResponse, Response

from knightfall.errors import InputError
from knightfall.web.pages import Page, ThePage

router = APIRouter()


def _show(page: Page, fresh: str = "") -> HTMLResponse:
    access = page.web.access
    return page.show(
        "sessions", sessions=access.sessions.all(), own=access.session_of(page.request), fresh=fresh
    )


SETTINGS = (
    ("/bring", "Bring pages in", "Paste, save, log in, or a helper for your browser."),
    ("/logins", "Forum logins", "For threads that only members can read."),
    (
        "/own-network",
        "Forums on your own network",
        "Whether a forum in your home is read.",
    ),
    ("/sessions", "Browsers", "Which browsers may see your games; another one is paired there."),
    ("/bots", "Tokens for bots", "A bot on this machine reads with a token of its own."),
    ("/api/v1/", "For programs", "The addresses that answer as data."),
)
"""Pages of what is set for all games: address, label, and what it is for."""


@router.get("/settings")
def settings(page: ThePage) -> HTMLResponse:
    """Everything that is set for all games."""
    games = page.web.games
    return page.show("settings", pages=SETTINGS, home=games.home, samples=games.are_samples)


@router.get("/sessions")
def sessions(page: ThePage) -> HTMLResponse:
    """The browsers that may see the page, since when, and when each last asked for something."""
    return _show(page)


@router.post("/sessions/pair")
def pair(page: ThePage) -> HTMLResponse:
    """Make an address that lets in one other browser; it is shown this once, and holds ten minutes."""
    access = page.web.access
    made = access.sessions.new_address(access.session_of(page.request))
    return _show(page, access.address(made))


@router.post("/sessions/name")
def rename(page: ThePage, id: Annotated[str, Form()], name: Annotated[str, Form()] = "") -> Response:
    """Call a browser so."""
    page.web.access.sessions.rename(id, name)
    return page.done("/sessions", "Renamed.")


@router.post("/sessions/end")
def end(page: ThePage, id: Annotated[str, Form()]) -> Response:
    """End a session: that browser sees nothing any more."""
    page.web.access.sessions.end(id)
    return page.done("/sessions", "Ended. That browser sees nothing any more.")


@router.get("/own-network")
def own_network(page: ThePage) -> HTMLResponse:
    """Whether forums on this machine and on its network are read."""
    games = page.web.games
    return page.show("own_network", can=games.own_network is not None, reads=games.reads_own_network)


@router.post("/own-network")
def read_own_network(page: ThePage, read: Annotated[str, Form()] = "") -> Response:
    """Read forums of this network until the run ends, or do so no more."""
    games = page.web.games
    if games.own_network is None:
        raise InputError("Forums on your own network are read already.")
    games.reads_own_network = read == "yes"
    said = "Forums on your own network are read now" if read == "yes" else "They are not read any more"
    return page.done(
        "/own-network", f"{said}.", "Go back, and read the thread again." if read == "yes" else ""
    )
