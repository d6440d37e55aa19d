"""The page that tells how pages of a forum come in, with the helpers that bring them."""

from __future__ import annotations

from io import BytesIO
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Form
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, Response

from knightfall.errors import InputError
from knightfall.web.helper_files import OPTIONAL, PERMISSIONS, pack_helper
from knightfall.web.pages import AtHand, GamePage, Page, ThePage, page_at
from knightfall.web.start import CountedThread

router = APIRouter()


def origin_of(address: str) -> str:
    """The site of an address of the web, such as “https://forum.example”; "" for what is none."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") and parts.netloc else ""


def _show(page: Page, code: str = "") -> HTMLResponse:
    access = page.web.access
    return page.show(
        "bring",
        port=access.port,
        code=code,
        helpers=access.helpers.all(),
        permissions=PERMISSIONS,
        optional=OPTIONAL,
    )


@router.get("/bring")
def bring(page: ThePage) -> HTMLResponse:
    """The ways in which pages of a forum come in, and the helpers of this browser."""
    return _show(page)


@router.get("/bring/knightfall-helper.zip")
def helper() -> Response:
    """The helper, packed."""
    packed = BytesIO()
    pack_helper(packed)
    name = {"Content-Disposition": 'attachment; filename="knightfall-helper.zip"'}
    return Response(packed.getvalue(), media_type="application/zip", headers=name)


@router.post("/bring/code")
def new_code(page: ThePage) -> HTMLResponse:
    """Make a code that pairs a helper; it is shown this once."""
    return _show(page, page.web.access.helpers.new_code())


@router.post("/bring/end")
def revoke(page: ThePage, digest: Annotated[str, Form()]) -> Response:
    """Let a helper hand over no more."""
    page.web.access.helpers.revoke(digest)
    return page.done("/bring", "Ended. That helper hands over nothing any more.")


@router.post("/bring/text")
async def at_hand(page: ThePage) -> Response:
    """Lay a text ready for the helper, which puts it into the reply box of the forum."""
    form = await page.request.form()
    parts = tuple(one.replace("\r\n", "\n") for one in form.getlist("part") if isinstance(one, str))
    if not any(parts):
        raise InputError("There is no text to lay ready.")
    sites = await run_in_threadpool(_sites_of_text, page)
    page.web.at_hand = AtHand(parts, bool(form.get("rich")), page.web.clock.elapsed(), sites)
    return Response(status_code=204)


def _sites_of_text(page: Page) -> frozenset[str]:
    """The sites for which a text is: those of the threads of the game, or of the thread, on whose page it
    stands."""
    of = page_at(page.back, page.request, page.web)
    if isinstance(of, GamePage):
        return frozenset(filter(None, (origin_of(one.url) for one in of.setup.threads)))
    counted = page.web.kept.get(page.back.partition("/counts/")[2].partition("?")[0])
    words = counted.words if isinstance(counted, CountedThread) else ()
    return frozenset(filter(None, map(origin_of, words)))
