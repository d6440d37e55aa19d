"""Copies that real browsers make of pages, and what of the pages' posts is lost in them.

Nothing beside a page is loaded: no style sheet, no script of another file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from knightfall.errors import EvidenceError, SiteRefused
from knightfall.fetch.saved import pasted_page
from knightfall.forums import html_style_of
from knightfall.forums.addresses import is_absolute
from knightfall.forums.base import Chunk, Response
from knightfall.forums.pages import read_chunk
from knightfall.models import UNKNOWN_ZONE
from knightfall.votes.ballots import platform_forms
from knightfall.votes.vote_parser import PostReader
from web.firefox import Firefox
from web.pasting import COPIED, PASTED

FIXTURES = Path(__file__).parents[2] / "fixtures"
SHARED = Path(__file__).parents[3] / "shared" / "pages"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
NO_THREAD = "it is no thread"
Copy = Callable[[str, str], str]
"""What a browser puts on the clipboard for a page, by its address and its source."""
BOX_AT = "https://box.example/"
FORGET = "navigator.clipboard.writeText('Nothing was copied.')"
BOX = """<div id="box" contenteditable></div><script>
document.addEventListener("paste", event => {
  window.got = event.clipboardData.getData("text/html");
  event.preventDefault();
})</script>"""


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page as its board serves it, and the posts that are read from it."""

    name: str
    url: str
    text: str
    platform: str
    chunk: Chunk


def readable(folder: Path) -> Iterator[ReadPage]:
    """Every HTML page of a folder that is read as it is served; addresses stand beside the pages, or in an
    index."""
    index: dict[str, Any] = {}
    if (folder / "INDEX.jsonl").exists():
        lines = (folder / "INDEX.jsonl").read_text(encoding="utf-8").splitlines()
        index = {entry["file"]: entry for entry in map(json.loads, lines)}
    for file in sorted(folder.rglob("*.html")):
        name, beside = file.relative_to(folder).as_posix(), file.with_name(f"{file.stem}.expected.json")
        known = json.loads(beside.read_text(encoding="utf-8")) if beside.exists() else index.get(name, {})
        url = known.get("url") or known.get("page_url") or ""
        text = file.read_text(encoding="utf-8", errors="replace")
        try:
            forum, chunk = read_chunk(Response(url, known.get("status", 200), text), name, NOW)
        except (EvidenceError, SiteRefused):
            continue
        yield ReadPage(name, url, text, forum.name, chunk)


def facts(platform: str, chunk: Chunk) -> list[tuple[object, ...]]:
    """Number, author, time and votes of each post; a time in an unknown zone is none."""
    reader = PostReader(html_style_of(platform), platform_forms(platform))
    votes = {post.number: repr(post.ballots) for post in reader.ballots_by_post(chunk.posts)}
    return [
        (post.number, post.author, None if post.zone == UNKNOWN_ZONE else post.time, votes.get(post.number))
        for post in chunk.posts
    ]


def losses(page: ReadPage, copy: str) -> tuple[str, ...]:
    """What is not in the copy of a page as it is on the page: a sentence for each kind of loss."""
    try:
        copied = pasted_page(copy, NOW)
    except (EvidenceError, SiteRefused):
        return (NO_THREAD,)
    if copied.platform != page.platform:
        return (f"it is read as {copied.platform}",)

    # The posts are compared by their ids, which no form of a page leaves out.
    ids = (post.id for post in copied.chunk.posts)
    found = dict(zip(ids, facts(copied.platform, copied.chunk), strict=True))
    lost: dict[str, list[int]] = {}
    for post, on_page in zip(page.chunk.posts, facts(page.platform, page.chunk), strict=True):
        in_copy = found.pop(post.id, None)
        if in_copy is None:
            lost.setdefault("the hidden post" if post.hidden else "the post", []).append(post.number)
            continue
        for what, one, other in zip(("number", "author", "time", "votes"), on_page, in_copy, strict=True):
            if one != other:
                lost.setdefault(f"the {what} of", []).append(post.number)
    told = []
    for what, numbers in lost.items():
        all_of_them = len(numbers) == len(page.chunk.posts)
        told.append(f"{what} {'every post' if all_of_them else ', '.join(f'#{one}' for one in numbers)}")
    if found:
        told.append(f"there are {len(found)} posts more")
    # Chromium leaves out a line's end between two boxes of a heading.
    if "".join(copied.chunk.title.split()) != "".join(page.chunk.title.split()):
        told.append("the title")
    return tuple(told)


def address_for(url: str) -> str:
    """Where a browser shows the page: at its own address, or at one that is made up."""
    return url.partition("#")[0] if is_absolute(url) else "https://board.example/thread"


def copies_of_firefox(firefox: Firefox) -> Copy:
    """Pages are copied in one tab, and pasted in another."""
    box, tab = firefox.open(), firefox.open()
    box.show(BOX_AT, BOX)

    def copy(url: str, text: str) -> str:
        box.evaluate(FORGET)
        tab.show(address_for(url), text)
        tab.focus()
        tab.press(*COPIED)
        box.focus()
        box.evaluate("() => { window.got = ''; document.querySelector('#box').focus() }")
        box.press(PASTED)
        return str(box.evaluate("window.got"))

    return copy


def copies_of_chromium(browser: Any) -> Copy:
    """Each page has a window of its own."""

    def copy(url: str, text: str) -> str:
        pages = {address_for(url): text, BOX_AT: BOX}

        def answered(route: Any) -> None:
            html = pages.get(route.request.url.partition("#")[0])
            if html is None:
                route.abort()
            else:
                route.fulfill(status=200, content_type="text/html; charset=utf-8", body=html)

        context = browser.new_context()
        try:
            context.grant_permissions(["clipboard-read", "clipboard-write"])
            context.route("**/*", answered)
            box, tab = context.new_page(), context.new_page()
            box.goto(BOX_AT)
            box.bring_to_front()
            box.evaluate(FORGET)
            tab.goto(address_for(url))
            tab.bring_to_front()
            for keys in COPIED:
                tab.keyboard.press(keys)
            box.bring_to_front()
            box.focus("#box")
            box.keyboard.press(PASTED)
            return str(box.evaluate("window.got") or "")
        finally:
            context.close()

    return copy
