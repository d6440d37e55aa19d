"""Pages of a forum that the moderator copied in their browser and pasted: each is kept at once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.datastructures import FormData, UploadFile
from starlette.responses import Response

from knightfall.audience import Secret
from knightfall.config.player_list import parse_players
from knightfall.errors import InputError, KnightfallError
from knightfall.fetch.saved import decoded
from knightfall.sentence import Way, sentence
from knightfall.services.keep.take_over import holds_hand_over
from knightfall.services.pasted import is_export, is_thread_as_text, keep_pasted, page_line, senders_in
from knightfall.services.requests import MailRequest
from knightfall.services.threads import NO_THREAD
from knightfall.services.window.inbox import take_in
from knightfall.web.hand_over_pages import take
from knightfall.web.intake_pages import ReadMessages, read_copied
from knightfall.web.pages import TheGame, ThePage
from knightfall.web.start import CountedThread, count_address, count_files, count_text

router = APIRouter()
_SOURCE = re.compile(r"\s*(<[!?a-z]|\{.*\}\s*$)", re.IGNORECASE | re.DOTALL)
"""How the source of a page begins."""
LONGEST_NAME = 80
"""Letters of a line that may be a player's name."""
NOTHING = (
    "Nothing was given. Give the address of a thread, the names of players, a page of the forum that you "
    "copied or saved, or the text of a hand-over."
)
WHAT_IS_IT = (
    "This is no address of a thread, no list of players, no hand-over, and no text in which I see who wrote "
    "what. Copy the whole page: Ctrl-A, then Ctrl-C."
)
NO_ROOM = (
    "What you pasted is no page of a PM, and the game has no private thread. Paste the page on which the PM "
    "itself is shown, or add the private thread and its members in the game file first."
)


@dataclass(frozen=True, slots=True)
class Given:
    """What the moderator has: a page as HTML that was pasted, what was typed, and files."""

    html: str
    text: str
    files: tuple[UploadFile, ...]


async def given_of(form: Request) -> Given:
    """What was given; a form ends its lines in two letters."""
    said = await form.form()
    html, text = (str(said.get(name, "")).replace("\r\n", "\n") for name in ("pasted", "given"))
    files = tuple(one for one in said.getlist("files") if isinstance(one, UploadFile) and one.filename)
    if not html and _SOURCE.match(text):
        html, text = text, ""
        # A page that is refused is not given back, however it was pasted.
        form.state.form = FormData([one for one in said.multi_items() if one[0] != "given"])
    return Given(html, text.strip(), files)


TheGiven = Annotated[Given, Depends(given_of)]
"""It is no field of the route: FastAPI would refuse a page of more than a megabyte."""


async def html_of(form: Request) -> str:
    """The page that was pasted, as HTML."""
    return (await given_of(form)).html


ThePaste = Annotated[str, Depends(html_of)]


@router.post("/count/paste")
def begin(page: ThePage, given: TheGiven) -> Response:
    """Find out what was given, and go where it leads: to the count of a thread by its address, its pages or
    its text, to the game that was handed over, or to hosting one with these players. The pages of a thread
    that belongs to no game are counted once all of them are there."""
    texts = [given.text, given.html, *(decoded(one.file.read()) for one in given.files)]
    if holds_hand_over(texts):
        return take(page, texts)
    if given.files:
        for one in given.files:
            one.file.seek(0)
        return count_files(page, given.files)
    if is_export(given.html) or (not given.html and is_thread_as_text(given.text)):
        return count_text(page, given.html or given.text)
    lines = given.text.splitlines()
    are_names = len(lines) > 1 and max(map(len, lines)) <= LONGEST_NAME
    if given.html:
        try:
            found = keep_pasted(given.html, page.web.games.thread_session())
        except InputError:
            if is_thread_as_text(given.text):
                return count_text(page, given.text)
            if not are_names:
                raise
        else:
            kept = page.web.keep(CountedThread((found.pages.url,), pasted=True))
            return page.done(f"/counts/{kept}", page_line(found))
    if are_names:
        parse_players(given.text, "What you pasted")
        return page.go(f"/host?names={page.web.keep(given.text)}")
    if not lines:
        raise InputError(NOTHING)
    if len(lines) > 1 or " " in given.text:
        raise InputError(WHAT_IS_IT)
    return count_address(page, given.text)


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
