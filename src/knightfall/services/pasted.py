"""Pages of a thread that the moderator copied in their browser: kept one by one until the thread is whole."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from urllib.parse import urlsplit

from knightfall.errors import EvidenceError, InputError, SiteRefused
from knightfall.fetch.saved import SavedPage, following_on, read_page, together
from knightfall.forums import forum_named
from knightfall.forums.addresses import require_address
from knightfall.forums.base import HtmlForum, Paging, Response
from knightfall.forums.discord import DISCORD
from knightfall.forums.payload import is_json
from knightfall.forums.text import TEXT
from knightfall.models import Thread
from knightfall.services.session import Session, Store
from knightfall.services.threads import (
    Kept,
    gather,
    kept_address,
    read_pasted,
    refuse_later_part,
    spellings,
    stated_zone,
)

MOST = 16 * 2**20
"""Bytes of a page that is pasted."""
TOO_LARGE = (
    f"What you pasted is larger than {MOST // 2**20} MiB, so it was not read. Paste one page of the thread "
    "at a time, or save it in your browser and choose the file."
)
NOTHING = (
    "Nothing was pasted. Open a page of the thread in your browser, select all of it (Ctrl-A), copy it "
    "(Ctrl-C), and paste it here (Ctrl-V)."
)
PLAIN = (
    "Only text was pasted, which does not tell who wrote what. Copy the whole page of the thread (Ctrl-A, "
    "then Ctrl-C); in a browser without JavaScript paste the source of the page (Ctrl-U in most browsers)."
)
AS_TEXT = (
    "This is a thread as text, which does not say of which it is. Count it on the start page, or copy the "
    "whole page of the thread (Ctrl-A, then Ctrl-C) to keep it."
)
NO_ADDRESS = (
    "The page that you pasted does not say which thread it is of. Copy the whole page (Ctrl-A, then Ctrl-C), "
    "not a part of it. If it was a page that you saved, choose its file instead."
)


NEVER = "Nothing of {url} is here. Hand its pages over first."
CHANGED = (
    "The page at {address} has changed since it was loaded: its posts are those of {url}. Load it again in "
    "your browser, then hand it over once more. Nothing was taken."
)
OLDER = (
    "This copy is older than what is here: {why}. Load the page again in your browser, then copy it once "
    "more. If it is still so, since posts were deleted or changed back, paste it once more: the same copy is "
    "taken the second time."
)


@dataclass(frozen=True, slots=True)
class MissingPage:
    """A page of a thread that was not read yet; `url` None: nobody can tell its address."""

    number: int
    url: str | None


@dataclass(frozen=True, slots=True)
class PagesHere:
    """Which of the `pages` of a thread are kept on this machine, and which are missing."""

    url: str
    title: str
    pages: int
    here: tuple[int, ...]
    missing: tuple[MissingPage, ...]


@dataclass(frozen=True, slots=True)
class PastedPage:
    """A page that was pasted and is kept now: its number, the numbers and ids of its posts, the thread with
    it, and where the page leads on as it says itself."""

    number: int
    posts: tuple[int, ...]
    ids: tuple[str, ...]
    thread: Thread
    pages: PagesHere
    following: str | None = None


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page that was copied in a browser, read but not kept: its HTML, and the thread of which it is."""

    html: str
    url: str
    page: SavedPage


def is_thread_as_text(text: str) -> bool:
    """Whether text without markup is a thread: it has the heads of posts, as a print view or a log has."""
    return TEXT.recognises(Response("", 200, text))


def is_export(html: str) -> bool:
    """Whether HTML is an export of a channel of Discord, which names no address."""
    return not is_json(html) and DISCORD.recognises(Response("", 200, html))


def senders_in(html: str, session: Session, address: str = "") -> tuple[str, ...]:
    """Who sent the private messages on a page that was copied in a browser at an address ("": nobody told);
    nobody where it shows none.

    Raises InputError for an address that is none, and as `message_page`.
    """
    from knightfall.forums.messages import message_page  # who counts votes need not wait for it

    require_address(address)
    found = message_page(Response(address, 200, html), session.clock.now()) if len(html) <= MOST else None
    return tuple(dict.fromkeys(one.sender for one in found.messages)) if found is not None else ()


def read_copy(html: str, session: Session, address: str = "") -> ReadPage:
    """A page of a thread that was copied in a browser. `address` is where the browser had it, which goes
    before what the page says of itself ("": nobody told).

    Raises InputError for an address that is none, what is too large, what is no page, and a page that says to
    be of another host than its address; what reading a page raises.
    """
    require_address(address)
    if len(html) > MOST or len(html.encode("utf-8", "replace")) > MOST:
        raise InputError(TOO_LARGE)
    if not html.strip():
        raise InputError(NOTHING)
    if is_thread_as_text(html):
        raise InputError(AS_TEXT)
    if "<" not in html and not is_json(html):
        raise InputError(PLAIN)
    page = read_pasted(html, session, address=address)
    url = together((page,)).url
    if url is None:
        raise InputError(NO_ADDRESS)
    if address and urlsplit(url).netloc != urlsplit(address).netloc:
        raise InputError(
            f"The page comes from {urlsplit(address).netloc}, but says that it is of the thread {url}. It "
            "was not taken."
        )
    if address and _names_another(address, page):
        raise InputError(CHANGED.format(address=address, url=url))
    zone = stated_zone(url, session)
    return ReadPage(html, url, read_pasted(html, session, zone, address) if zone else page)


def keep_pasted(html: str, session: Session, expected: Sequence[str] = ()) -> PastedPage:
    """Keep a page that was copied in a browser. `expected`: the addresses of the threads of which it may be,
    as the game file has them (none: any thread).

    Raises as `read_copy`, and InputError for a page of another thread.
    """
    # An export of Discord as HTML names no address: it is of the one thread that it may be of.
    found = read_copy(html, session, expected[0] if len(expected) == 1 and is_export(html) else "")
    if expected and not any(found.url in spellings(one) for one in expected):
        raise InputError(
            f"This page is of the thread {found.url}, expected {' or '.join(expected)}. Copy a page of that "
            "thread, or correct its address in the game file."
        )
    return keep_copy(found, session)


def keep_copy(found: ReadPage, session: Session, fresh: bool = False, ends: bool = True) -> PastedPage:
    """Keep a page as one that nobody else may see. What it says anew of a post that is known becomes a new
    version of that post.

    `fresh`: it was loaded just now, so what it lacks is gone. Else it may come from a tab that was loaded an
    hour ago, and takes nothing back. `ends`: no other page comes along with it; until one that ends it the
    thread is not whole.

    Raises InputError for a copy that is older than what is here, once; the same copy is taken when it comes
    again.
    """
    page, url, zone = found.page, found.url, stated_zone(found.url, session)
    with closing(session.store(url)) as store:
        store.restate(url, zone)
        known, now = store.thread(url), session.clock.now()
        refuse_later_part(page, known)
        if known and not fresh:
            why, copy = _older(page, known, store), sha256(found.html.encode("utf-8", "replace")).hexdigest()
            if why and not store.was_refused(url, copy, now):
                raise InputError(OLDER.format(why=why))
        pages = max(page.chunk.pages, known.pages if known and not fresh else 0)
        page = replace(page, chunk=replace(page.chunk, pages=pages))
        beside = _beside(page, url, store, now, zone)
        for one in following_on((page, *(beside[:1] if beside else ())), now, zone):
            if beside and one.chunk.page == beside[0].chunk.page and _numbers(one) == beside[1]:
                continue  # it stays as it is
            # A read of the forum goes on from the last page, so each has an address.
            address = one.response.url or _page_address(one, url) or url
            response = replace(one.response, url=address, private=True)
            store.save_page(url, one.platform, response, one.chunk, one.at or now)
            page = one if one.chunk.page == page.chunk.page else page
        if ends:
            store.finish_read(url, now)
        else:
            store.doubt_read(url)
        store.state_zone(url, zone)
    thread = gather(Kept(url), session)
    after = page.chunk.following.url if page.chunk.following else None
    ids = tuple(post.id for post in page.chunk.posts)
    return PastedPage(page.chunk.page, _numbers(page), ids, thread, pages_of(thread, session), after)


def _older(page: SavedPage, known: Thread, store: Store) -> str:
    """Why a copy must have been loaded before what is kept of its page; "" where nothing tells so."""
    url, posts = known.url or "", page.chunk.posts
    placed = next((one.posts for one in store.pages_seen(url) if one.number == page.chunk.page), ())
    if placed and posts and placed[-1] > posts[-1].number:
        return f"it ends with #{posts[-1].number}, and #{placed[-1]} was here already"
    kept = {post.id: post for post in known.posts}
    for post in posts:
        was = kept.get(post.id)
        if was is None or was.own == post.own:
            continue
        if any(one.post.own == post.own for one in store.versions(url, was.number) if one.superseded):
            return f"it shows #{was.number} as it was before it was edited"
    return ""


def _names_another(address: str, page: SavedPage) -> bool:
    """Whether an address names another thread than the one that was read; one of a post names none."""
    forum, thread = forum_named(page.platform), page.chunk.thread
    named = forum.locate(address) if forum is not None else None
    if named is None or thread is None or named.id.startswith("p"):
        return False
    return _bare(named.id) != _bare(thread.id)


def _bare(thread: str) -> str:
    """The id of a thread without the words of its title."""
    found = re.match(r"\d+", thread)
    return found[0] if found else thread.casefold()


def _numbers(page: SavedPage) -> tuple[int, ...]:
    return tuple(post.number for post in page.chunk.posts)


def end_reading(url: str, session: Session) -> Thread:
    """All pages of a thread were handed over that there are, and looked at once more. Raises InputError for a
    thread of which nothing is kept."""
    address = kept_address(url, session)
    if address is None:
        raise InputError(NEVER.format(url=url))
    with closing(session.store(address)) as store:
        store.finish_read(address, session.clock.now())
    return gather(Kept(address), session)


def _beside(
    page: SavedPage, url: str, store: Store, now: datetime, zone: str
) -> tuple[SavedPage, tuple[int, ...]] | None:
    """The last page of the thread, or the one before it, as it is kept, where one of these two comes now, and
    the numbers that its posts have: by the one before it is known which posts the last one has."""
    number, last = page.chunk.page, page.chunk.pages
    other = last - 1 if number == last else last
    seen = next((one for one in store.pages_seen(url) if one.number == other), None)
    if seen is None or abs(number - other) != 1 or (kept := store.page_as_seen(url, other)) is None:
        return None
    try:
        read = read_page(kept, f"Page {other}", now, zone or None, page.platform, seen.at)
    except (EvidenceError, SiteRefused):  # it was readable once, by an older Knightfall
        return None
    return replace(read, chunk=replace(read.chunk, pages=last)), seen.posts


def page_line(found: PastedPage) -> str:
    """What became of a page in a sentence: “Page 2 of 3 read: 20 posts, #21–40.”"""
    numbers, count = found.posts, len(found.posts)
    said = f"{count} post{'' if count == 1 else 's'}"
    if numbers:
        said += f", #{numbers[0]}" if count == 1 else f", #{numbers[0]}–{numbers[-1]}"
    return f"Page {found.number} of {found.pages.pages} read: {said}."


def pages_here(url: str, session: Session) -> PagesHere | None:
    """The pages that are kept of a thread, by its address as it is kept; None where none is. The forum is not
    asked."""
    address = kept_address(url, session)
    return pages_of(gather(Kept(address), session), session) if address is not None else None


def pages_of(thread: Thread, session: Session) -> PagesHere:
    """The pages that are kept of a thread which was read from what is kept."""
    url = thread.url or ""
    with closing(session.store(url)) as store:
        seen = store.pages_seen(url)
    here = tuple(page.number for page in seen)
    # How many posts make a page, by one behind which another is known.
    size = next((len(page.posts) for page in seen if page.number < thread.pages), None)
    missing = tuple(
        MissingPage(number, _address(thread.platform, url, number, thread.pages, size))
        for number in range(1, thread.pages + 1)
        if number not in here
    )
    return PagesHere(url, thread.title, thread.pages, here, missing)


STALE = timedelta(minutes=1)
"""After so long the last page of a thread may hold more than when it was read."""


def next_to_read(url: str, session: Session, following: str | None = None) -> str | None:
    """The page of a thread that whoever reads on page by page has to open next: one that is missing, then the
    last one where it was not read just now. `following` is where the page leads on that was read last, for
    boards whose other addresses nobody can tell. None where nothing is left, or nobody can tell its address.
    """
    here = pages_here(url, session)
    if here is None:
        return None
    if here.missing:
        return next((one.url for one in here.missing if one.url), following)
    with closing(session.store(here.url)) as store:
        last = max(store.pages_seen(here.url), key=lambda page: page.number)
    return last.url if session.clock.now() - last.at > STALE else None


def _page_address(page: SavedPage, url: str) -> str | None:
    chunk = page.chunk
    size = len(chunk.posts) if chunk.page < chunk.pages else None
    return _address(page.platform, url, chunk.page, chunk.pages, size)


def _address(platform: str, url: str, number: int, pages: int, size: int | None) -> str | None:
    """The address of a page of a thread with `size` posts on each page; None where nobody can tell it."""
    forum = forum_named(platform)
    thread = forum.locate(url) if forum is not None else None
    if forum is None or thread is None:
        return None
    first = forum.start(thread).url
    if number == 1:
        return first
    found = None
    if isinstance(forum, HtmlForum):
        before = Paging(number - 1, pages, (number - 2) * (size or 0), size)
        found = forum.next_page(thread, before)
    if found is None and size is not None:
        found = forum.start(thread, (number - 1) * size + 1)
    told = found.url.partition("#")[0] if found is not None else first
    return None if told == first else told
