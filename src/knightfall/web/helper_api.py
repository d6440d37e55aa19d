"""What a helper may ask: pair, hand over a page, read the badges of a thread, fetch the text at hand."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from knightfall.errors import InputError, KnightfallError, SiteRefused
from knightfall.services.count.badges import badges
from knightfall.services.pasted import TOO_LARGE, end_reading, next_to_read
from knightfall.services.requests import CountRequest
from knightfall.services.threads import kept_address
from knightfall.web import handing
from knightfall.web.access import LARGEST_PASTE
from knightfall.web.handing import games_of_thread, sessions_of_thread, take_page
from knightfall.web.pages import Page, ThePage, status_of
from knightfall.web.paired_helpers import HELPER, HERE, PAIR, extension_of

router = APIRouter()
SLOWEST = 60.0
"""Seconds in which a page must have come in whole."""
SHORT = 4096
"""Bytes of what a helper sends that is no page."""
LASTS = 1800.0
"""Seconds for which a text lies ready for the helper."""


async def said_in(request: Request, most: int = LARGEST_PASTE) -> dict[str, Any]:
    """What a helper sent, as a JSON object. Raises InputError for what is too large, too slow, or none."""
    body = bytearray()
    try:
        async with asyncio.timeout(SLOWEST):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise InputError(TOO_LARGE)
        found = json.loads(body)
        json.dumps(found, ensure_ascii=False).encode()  # half a letter is none
    except (TimeoutError, ClientDisconnect, ValueError, RecursionError):
        raise InputError("What the helper sent cannot be read. Nothing was taken.") from None
    if not isinstance(found, dict):
        raise InputError("What the helper sent cannot be read. Nothing was taken.")
    return found


def text_in(said: dict[str, Any], key: str) -> str:
    """A text of what was sent. Raises InputError where it is missing."""
    value = said.get(key)
    if not isinstance(value, str):
        raise InputError(f"What the helper sent has no “{key}”. Nothing was taken.")
    return value


async def answered(ask: Callable[[], dict[str, Any]], page: Page) -> Response:
    """An answer as JSON, or why there is none; `stops`: who reads on has to stop."""
    try:
        return JSONResponse(await run_in_threadpool(ask))
    except KnightfallError as error:
        return _failed(error, page)


def _failed(error: KnightfallError, page: Page) -> Response:
    told = {"error": page.told(error), "stops": isinstance(error, SiteRefused)}
    return JSONResponse(told, status_of(error)[0])


@router.post(PAIR)
async def pair(page: ThePage) -> Response:
    """Pair a helper by the code that the moderator was shown."""
    request, helpers = page.request, page.web.access.helpers
    try:
        code = text_in(await said_in(request, SHORT), "code")
    except KnightfallError as error:
        return _failed(error, page)

    def ask() -> dict[str, Any]:
        agent = request.headers.get("user-agent", "")
        return {"token": helpers.pair(code, extension_of(request), agent)}

    return await answered(ask, page)


@router.get(HERE)
def here(page: ThePage, nonce: str) -> Response:
    """Show a helper that this is the Knightfall with which it was paired, before it tells anything."""
    access = page.web.access
    proofs = access.helpers.proofs(nonce[:SHORT], extension_of(page.request), access.port)
    return JSONResponse({"proofs": proofs})


@router.get(f"{HELPER}address")
def address(page: ThePage, way: str) -> Response:
    """Where a helper opens a page to which it was given a way: the way is in sight of the forum's page, the
    name of the run is not."""
    found = page.web.access.whole(way)
    if found is None:
        return JSONResponse({"error": "That page is not there any more. Hand the thread over again."}, 404)
    return JSONResponse({"address": found})


@router.post(f"{HELPER}pages")
async def hand_over(page: ThePage) -> Response:
    """Keep a page that the moderator's browser shows; one at a time."""
    try:
        said = await said_in(page.request)
        html, address = text_in(said, "html"), text_in(said, "url")
    except KnightfallError as error:
        return _failed(error, page)

    def ask() -> dict[str, Any]:
        fresh, ends = said.get("fresh") is True, said.get("more") is not True
        return take_page(html, address, page.request, page.web, fresh, ends).to_dict(page.web.access.way_to)

    async with page.web.one_page:
        return await answered(ask, page)


@router.post(f"{HELPER}done")
async def done(page: ThePage) -> Response:
    """All pages of a thread were handed over, and looked at once more."""
    try:
        thread = address_in(text_in(await said_in(page.request, SHORT), "thread"))
    except KnightfallError as error:
        return _failed(error, page)

    def ask() -> dict[str, Any]:
        found = [
            end_reading(thread, session) for session in sessions_of_thread(thread, page.request, page.web)
        ]
        return {"complete": all(one.complete for one in found)}

    async with page.web.one_page:
        return await answered(ask, page)


def address_in(said: str) -> str:
    """An address of the web that a helper names. Raises InputError for anything else."""
    try:
        parts = urlsplit(said)
        _ = parts.port
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise InputError("This is not the address of a thread.")
    return said


@router.get(f"{HELPER}next")
async def next_page(page: ThePage, thread: str) -> Response:
    """The page of a thread that is to be read next, by whoever keeps it up to date."""

    def ask() -> dict[str, Any]:
        [session, *_] = sessions_of_thread(address_in(thread), page.request, page.web)
        return {"next": next_to_read(thread, session), "pause": handing.PAUSE, "thread": thread}

    return await answered(ask, page)


@router.get(f"{HELPER}badges")
async def badges_of(page: ThePage, thread: str, at: str = "") -> Response:
    """The public count of a thread that is kept, post by post; `at` is the post as of which."""

    def ask() -> dict[str, Any]:
        games = games_of_thread(address_in(thread), page.request, page.web)
        if any(role not in ("game", "vote") for _, role in games):
            raise InputError("Votes are not counted in this thread.")
        if not re.fullmatch(r"[0-9]{0,9}", at):
            raise InputError("Give the number of a post.")
        session = games[0][0].session if games else page.web.games.thread_session()
        address = kept_address(thread, session)
        if address is None:
            raise InputError("Nothing of this thread is here. Hand its pages over first.")
        words = () if games else (address,)
        return badges(CountRequest(words, at=at or None, stored=True), session).to_dict()

    return await answered(ask, page)


@router.get(f"{HELPER}reply")
def reply(page: ThePage, site: str) -> Response:
    """The text that the moderator gave to the helper, part by part, for the site that it is for."""
    found, now = page.web.at_hand, page.web.clock.elapsed()
    if found is None or now - found.since > LASTS:
        return JSONResponse({"parts": [], "rich": False})
    if found.sites and site not in found.sites:
        told = f"The text that lies ready is for {', '.join(sorted(found.sites))}, not for {site}."
        return JSONResponse({"error": page.told(told)}, 409)
    return JSONResponse({"parts": list(found.parts), "rich": found.rich})
