"""The server: every page behind the checks of `access`, static files, and errors as pages in words."""

from __future__ import annotations

import logging
from copy import copy
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import State
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response

from knightfall.audience import Secret
from knightfall.errors import InputError, KnightfallError, SaidAlready
from knightfall.services.pasted import TOO_LARGE as PASTE_TOO_LARGE
from knightfall.web import (
    adopt_pages,
    api_v1,
    balance_pages,
    board_pages,
    bring_pages,
    fair_pages,
    game_pages,
    hand_over_pages,
    help_pages,
    helper_api,
    host_pages,
    intake_pages,
    login_pages,
    night_pages,
    paste_pages,
    people_pages,
    posts_pages,
    question_pages,
    rehearsal_pages,
    review_pages,
    rules_pages,
    session_pages,
    start,
    today_pages,
    votes_pages,
)
from knightfall.web.access import API, PASTE, AccessMiddleware, FormRefused, checked_form, refused
from knightfall.web.games import UnknownGame
from knightfall.web.jobs import BUG
from knightfall.web.pages import Page, Web, fields_of, page_at
from knightfall.web.paired_helpers import HELPER
from knightfall.web.refused_forms import form_again

LOG = logging.getLogger("knightfall.web")
STATIC = Path(__file__).parent / "static"
_OURS = {
    "style.css": "text/css",
    "page.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
LONGEST_PART = 255
"""Bytes."""
_HTMX = "js_lib_htmx"
UNKNOWN = "Knightfall does not know what this helper asks. Save the helper again, from “Bring pages in”."
TOO_LARGE = (
    "What you sent is too large for one form: at most 1,000 files or fields, and 1 MB of text in one field. "
    "Send it in parts, or as a file. Nothing was taken."
)


def create_app(web: Web) -> AccessMiddleware:
    """The pages of the games of a folder."""
    app = copy(_routed())
    app.state = State({"access": web.access, "web": web})
    # The checks stand around all of it, the page of a bug included.
    return AccessMiddleware(app, web.access)


@cache
def _routed() -> FastAPI:
    """Which address is answered by what, for any folder: who makes a second server has that already."""
    app = FastAPI(
        title="Knightfall",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        dependencies=[Depends(no_long_part), Depends(checked_form)],
    )
    for module in (
        start,
        host_pages,
        fair_pages,
        today_pages,
        game_pages,
        rules_pages,
        paste_pages,
        votes_pages,
        intake_pages,
        night_pages,
        people_pages,
        posts_pages,
        board_pages,
        balance_pages,
        question_pages,
        review_pages,
        rehearsal_pages,
        session_pages,
        help_pages,
        login_pages,
        bring_pages,
        helper_api,
        hand_over_pages,
        adopt_pages,
        api_v1,
    ):
        app.include_router(module.router)
    app.add_api_route("/static/{file}", static, include_in_schema=False)
    app.add_exception_handler(KnightfallError, told_in_words)
    app.add_exception_handler(UnknownGame, not_there)
    app.add_exception_handler(HTTPException, not_there)
    app.add_exception_handler(RequestValidationError, wrong_form)
    app.add_exception_handler(FormRefused, form_refused)
    app.add_exception_handler(Exception, a_bug)
    return app


async def no_long_part(request: Request) -> None:
    """Raise HTTPException (404) for an address with a part that is longer than any name of a file can be."""
    if any(len(part.encode()) > LONGEST_PART for part in request.url.path.split("/")):
        raise HTTPException(404)


def static(file: str) -> Response:
    """A file of ours, or htmx from the folder of its own package."""
    if file in _OURS:
        return FileResponse(STATIC / file, media_type=_OURS[file])
    if file == "htmx.js":
        found = find_spec(_HTMX)
        place = Path(found.origin).parent / "static" / "htmx" if found and found.origin else None
        script = place / "htmx.min.js" if place else None
        if script is not None and script.is_file():
            return FileResponse(script, media_type="text/javascript")
    return PlainTextResponse("There is no such file.\n", 404)


def _page(request: Request) -> Page:
    """The page of which an error is told: of its game, where it can be."""
    web: Web = request.app.state.web
    return page_at(request.url.path, request, web)


async def told_in_words(request: Request, error: Exception) -> Response:
    """An error of the product: the form that was refused, as it was sent, else a page with the way out; JSON
    for a bot."""
    assert isinstance(error, KnightfallError)
    if request.url.path.startswith(API):
        return api_v1.failed(error)
    page = _page(request)
    answer = await run_in_threadpool(page.failed, error)
    form = getattr(request.state, "form", None)
    hidden = error.secret and page.web.private_eyes
    if form is None or hidden or "hx-request" in request.headers:
        return answer
    if not page.came:
        return answer
    if isinstance(error, SaidAlready):  # a button pressed twice
        return page.done(page.back, Secret(str(error)))
    path, given = request.url.path, fields_of(form)
    return await form_again(request, page.came, path, given, page, error) or answer


def for_a_helper(told: str, status: int) -> Response:
    """What went wrong, for a helper: it never gets a page."""
    return JSONResponse({"error": told}, status)


def not_there(request: Request, error: Exception) -> Response:
    """What there is not."""
    if request.url.path.startswith(HELPER):
        return for_a_helper(UNKNOWN, 404)
    status = error.status_code if isinstance(error, HTTPException) else 404
    if request.url.path.startswith(API):
        return api_v1.failed(InputError(f"There is nothing at {request.url.path}."), status)
    web: Web = request.app.state.web
    if status == 400:
        # What was sent cannot be taken apart: too many parts, or too long a text in one field.
        is_paste = request.url.path.endswith(PASTE)
        return _page(request).failed(InputError(PASTE_TOO_LARGE if is_paste else TOO_LARGE))
    return Page(request, web).show(
        "error",
        status,
        heading="There is no such page",
        message="The link leads nowhere, or what it showed was forgotten when Knightfall was restarted.",
        ways=(),
        more=None,
        back="/",
    )


def wrong_form(request: Request, _: Exception) -> Response:
    """A form that lacks something."""
    if request.url.path.startswith(HELPER):
        return for_a_helper(UNKNOWN, 400)
    return _page(request).failed(InputError("Something is missing in the form. Go back and fill it in."))


def form_refused(request: Request, error: Exception) -> Response:
    """A form that is not of this run."""
    return refused(str(error), request)


def a_bug(request: Request, fault: Exception) -> Response:
    """Whatever it is, the moderator gets a sentence; the log has the rest."""
    LOG.error("A page failed.", exc_info=fault)
    if request.url.path.startswith(HELPER):
        return for_a_helper(f"{BUG} {type(fault).__name__}", 500)
    web: Web = request.app.state.web
    return Page(request, web).failed(KnightfallError(f"{BUG} {type(fault).__name__}: {fault}"))
