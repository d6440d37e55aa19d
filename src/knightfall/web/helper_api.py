"""What a helper may ask: pair, hand over a page, read the badges of a thread, fetch the text at hand."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any, TypeVar

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from knightfall.errors import InputError, KnightfallError, SiteRefused
from knightfall.services.count.badges import badges
from knightfall.services.pasted import TOO_LARGE, next_to_read
from knightfall.services.requests import CountRequest
from knightfall.web import handing
from knightfall.web.access import LARGEST_PASTE
from knightfall.web.handing import take_page, thread_of_a_game
from knightfall.web.pages import Page, ThePage, status_of
from knightfall.web.paired_helpers import HELPER, PAIR, extension_of

router = APIRouter()
T = TypeVar("T")
SLOWEST = 60.0
"""Seconds in which a page must have come in whole."""
LASTS = 1800.0
"""Seconds for which a text lies ready for the helper."""


async def said_in(request: Request) -> dict[str, Any]:
    """What a helper sent, as a JSON object. Raises InputError for what is too large, too slow, or none."""
    body = bytearray()
    try:
        async with asyncio.timeout(SLOWEST):
            async for chunk in request.stream():
                body += chunk
                if len(body) > LARGEST_PASTE:
                    raise InputError(TOO_LARGE)
        found = json.loads(body)
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
    try:
        code = text_in(await said_in(page.request), "code")
    except KnightfallError as error:
        return _failed(error, page)
    request, helpers = page.request, page.web.access.helpers

    def ask() -> dict[str, Any]:
        agent = request.headers.get("user-agent", "")
        return {"token": helpers.pair(code, extension_of(request), agent)}

    return await answered(ask, page)


@router.post(f"{HELPER}pages")
async def hand_over(page: ThePage) -> Response:
    """Keep a page that the moderator's browser shows; one at a time."""
    async with page.web.one_page:
        try:
            said = await said_in(page.request)
            html, address = text_in(said, "html"), text_in(said, "url")
        except KnightfallError as error:
            return _failed(error, page)

        def ask() -> dict[str, Any]:
            return take_page(html, address, page.request, page.web).to_dict(page.web.access.way_to)

        return await answered(ask, page)


@router.get(f"{HELPER}next")
async def next_page(page: ThePage, thread: str) -> Response:
    """The page of a thread that is to be read next, by whoever keeps it up to date."""

    def ask() -> dict[str, Any]:
        of = thread_of_a_game(thread, page.request, page.web)
        session = of[0].session if of is not None else page.web.games.thread_session()
        return {"next": next_to_read(thread, session), "pause": handing.PAUSE}

    return await answered(ask, page)


@router.get(f"{HELPER}badges")
async def badges_of(page: ThePage, thread: str, at: str = "") -> Response:
    """The public count of a thread, post by post; `at` is the post as of which."""

    def ask() -> dict[str, Any]:
        of = thread_of_a_game(thread, page.request, page.web)
        if of is not None and of[1] not in ("game", "vote"):
            raise InputError("Votes are not counted in this thread.")
        session = of[0].session if of is not None else page.web.games.thread_session()
        words = () if of is not None else (thread,)
        return badges(CountRequest(words, at=at or None, stored=True), session).to_dict()

    return await answered(ask, page)


@router.get(f"{HELPER}reply")
async def reply(page: ThePage) -> Response:
    """The text that the moderator gave to the helper, part by part."""
    found, now = page.web.at_hand, page.web.clock.elapsed()
    if found is None or now - found.since > LASTS:
        return JSONResponse({"parts": [], "rich": False})
    return JSONResponse({"parts": list(found.parts), "rich": found.rich})
