"""Pages of a forum that the moderator copied in their browser and pasted: each is kept at once."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from knightfall.audience import Secret
from knightfall.errors import InputError, KnightfallError
from knightfall.sentence import Way, sentence
from knightfall.services.pasted import keep_pasted, page_line, senders_in
from knightfall.services.requests import MailRequest
from knightfall.services.threads import NO_THREAD
from knightfall.services.window.inbox import take_in
from knightfall.web.intake_pages import ReadMessages, read_copied
from knightfall.web.pages import TheGame, ThePage
from knightfall.web.start import CountedThread

router = APIRouter()
NO_ROOM = (
    "What you pasted is no page of a PM, and the game has no private thread. Paste the page on which the PM "
    "itself is shown, or add the private thread and its members in the game file first."
)


async def html_of(form: Request) -> str:
    """What was pasted; a form ends its lines in two letters."""
    return str((await form.form()).get("pasted", "")).replace("\r\n", "\n")


ThePaste = Annotated[str, Depends(html_of)]
"""A page as HTML. It is no field of the route: FastAPI would refuse one of more than a megabyte."""


@router.post("/count/paste")
def count_pasted(page: ThePage, html: ThePaste) -> Response:
    """Keep a page of a thread that belongs to no game; the thread is counted once all its pages are there."""
    found = keep_pasted(html, page.web.games.thread_session())
    kept = page.web.keep(CountedThread((found.pages.url,), pasted=True))
    return page.done(f"/counts/{kept}", page_line(found))


@router.post("/games/{name}/votes/paste")
def paste_votes(game: TheGame, html: ThePaste) -> Response:
    """Keep a page of the thread whose votes are counted."""
    url = game.setup.url
    if url is None:
        raise InputError(NO_THREAD)
    with game.changing():
        found = keep_pasted(html, game.session, (url,))
    return game.done(f"{game.root}/votes", page_line(found))


@router.post("/games/{name}/signups/paste")
def paste_signups(game: TheGame, html: ThePaste) -> Response:
    """Keep a page of the sign-up thread."""
    expected = tuple(one.url for one in game.setup.threads if one.role == "signup")
    if not expected:
        raise InputError(
            sentence("The game has no sign-up thread. First: {name}.", name=Way("name_thread", role="signup"))
        )
    with game.changing():
        found = keep_pasted(html, game.session, expected)
    return game.done(f"{game.root}/signups", page_line(found))


@router.post("/games/{name}/messages/paste")
def paste_messages(game: TheGame, html: ThePaste) -> Response:
    """Show what would be taken in of the page of a PM. Keep a page of a private thread; once that is whole,
    show the same of it."""
    rooms = tuple(one.url for one in game.setup.threads if one.role == "private")
    try:
        if senders_in(html, game.session):
            return game.done(read_copied(html, "", game), "The page is read.")
        if not rooms:
            raise InputError(NO_ROOM)
        with game.changing():
            found = keep_pasted(html, game.session, rooms)
        if not found.thread.complete:
            return game.done(f"{game.root}/messages", Secret(page_line(found), "The page is read."))
        request = MailRequest(threads=True, stored=True, dry=True)
        kept = game.web.keep(ReadMessages(request, take_in(request, game.session)))
    except KnightfallError as error:
        error.secret = True  # it may name a private thread
        raise
    return game.done(f"{game.root}/messages/{kept}", Secret(page_line(found), "The page is read."))
