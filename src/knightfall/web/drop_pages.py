"""The window that a bookmark opens from the page of a forum: it takes that page, once the moderator allows it
for the site; and the page that tells how pages come in."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from io import BytesIO
from typing import Annotated, Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Form
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, JSONResponse, Response

from knightfall.errors import InputError, KnightfallError
from knightfall.web.access import DROP
from knightfall.web.handing import take_page
from knightfall.web.helper_files import OPTIONAL, PERMISSIONS, pack_helper
from knightfall.web.own_list import OwnList
from knightfall.web.pages import AtHand, GamePage, Page, ThePage, page_at, status_of
from knightfall.web.paste_pages import ThePaste
from knightfall.web.start import CountedThread

router = APIRouter()
FILE = "drop-sites.json"
TOO_MANY = (
    "{origin} handed over many pages within a minute, so this one was not taken. If it was you, wait a "
    "minute; you are asked again about the site."
)


@dataclass(frozen=True, slots=True)
class DropSite:
    """A site whose pages are taken without asking, by its origin."""

    origin: str


def sites_of(page: Page) -> OwnList[DropSite]:
    """The sites whose pages are taken without asking."""
    return OwnList(page.web.own, FILE, _site, asdict)


def _site(one: Any) -> DropSite:
    return DropSite(str(one["origin"]))


def origin_of(address: str) -> str:
    """The site of an address of the web, such as “https://forum.example”; "" for what is none."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") and parts.netloc else ""


@router.get(DROP)
def drop(page: ThePage) -> HTMLResponse:
    """The window: it tells nothing of any game, since any page of the web may open it."""
    return page.show("drop")


@router.get(f"{DROP}/site")
def site(page: ThePage, origin: str) -> Response:
    """Whether pages of a site are taken without asking, and what a form of this run has to carry."""
    known = any(one.origin == origin for one in sites_of(page).all())
    return JSONResponse({"known": known, "form_token": page.web.access.form_token})


@router.post(f"{DROP}/paste")
def take(
    page: ThePage, html: ThePaste, origin: Annotated[str, Form()] = "", url: Annotated[str, Form()] = ""
) -> Response:
    """Keep a page that a site handed over; from now on it is asked about no more."""
    if not origin or origin_of(url) != origin:
        told = f"The page says that it is of {url}, but it came from {origin}. It was not taken."
        return JSONResponse({"error": page.told(told)}, 400)
    if page.web.too_many_drops(origin):
        # Nobody clicks so often: a page of that site sends by itself. It is asked about again.
        sites_of(page).change(lambda one: one.origin == origin)
        return JSONResponse({"error": TOO_MANY.format(origin=page.told(origin))}, 429)
    try:
        found = take_page(html, url, page.request, page.web)
    except KnightfallError as error:
        return JSONResponse({"error": page.told(error)}, status_of(error)[0])
    sites_of(page).change(lambda one: one.origin == origin, (DropSite(origin),))
    return JSONResponse(found.to_dict())


# ── how pages come in ────────────────────────────────────────────────────────────────────────────


def _show(page: Page, code: str = "") -> HTMLResponse:
    access = page.web.access
    return page.show(
        "bring",
        port=access.port,
        code=code,
        helpers=access.helpers.all(),
        sites=sites_of(page).all(),
        bookmark=BOOKMARK.replace("PORT", str(access.port)),
        permissions=PERMISSIONS,
        optional=OPTIONAL,
    )


BOOKMARK = (
    "javascript:(()=>{const w=open('http://127.0.0.1:PORT/drop','knightfall','popup,width=460,height=420');"
    "const no='Knightfall did not answer. Is it running? If it is, this forum cuts its windows off: copy the "
    "page (Ctrl-A, Ctrl-C) and paste it on the page of Knightfall (Ctrl-V).';"
    "if(!w)return alert('Your browser opened no window. Allow this forum to open windows, then click the "
    "bookmark again.');"
    "let done=false;addEventListener('message',e=>{if(done||e.source!==w||e.data!=='knightfall is ready'||"
    "!/^http:\\/\\/([a-z]+\\.localhost|127\\.0\\.0\\.1):PORT$/.test(e.origin))return;done=true;"
    "const p=document.documentElement.cloneNode(true);p.querySelectorAll('knightfall-helper,[data-knightfall-"
    "badge]').forEach(x=>x.remove());w.postMessage({knightfall:1,url:location.href,html:p.outerHTML},e.origin)});"
    "let n=0;const t=setInterval(()=>{if(done)clearInterval(t);else if(w.closed||++n>50){clearInterval(t);"
    "alert(no)}},100)})()"
)
"""The bookmark: it opens the window, waits until that is ready, and hands it the page that is shown."""


@router.get("/bring")
def bring(page: ThePage) -> HTMLResponse:
    """The ways in which pages of a forum come in, and the bookmark and helpers of this browser."""
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


@router.post("/bring/forget")
def forget(page: ThePage, origin: Annotated[str, Form()]) -> Response:
    """Ask about the pages of a site again."""
    sites_of(page).change(lambda one: one.origin == origin)
    return page.done("/bring", "Forgotten. You are asked again when that site hands over a page.")


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
