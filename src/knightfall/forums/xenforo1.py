"""What does a page of a XenForo 1 thread hold?

The post's own text stands in a blockquote: what is inside it are quotes, it is none itself. Recent times are
exact, older ones are words in the viewer's zone, which the recent ones of the same page give away.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from knightfall.errors import KnightfallError
from knightfall.forums.base import (
    Chunk,
    Draft,
    Request,
    Response,
    Site,
    ThreadRef,
    body_without_session,
    checked,
    clock_of,
    login_required,
    no_posts,
    refused,
)
from knightfall.forums.dates import unix_stamp, written_time
from knightfall.forums.html import (
    Tag,
    attribute,
    classes,
    every,
    inner,
    maybe,
    parse_page,
    taken_out,
    title_or_words,
    with_id,
    words,
)
from knightfall.forums.xenforo import Place, chunk_of, locate_thread, page_of, shown_number, spoken, whole
from knightfall.markup.flavour import Flavour

FLAVOUR = Flavour(
    quotes=(".bbCodeQuote", ".quoteContainer", "blockquote"),
    quote_citations=("cite", ".attribution", ".quoteExpand"),
    spoilers=(".bbCodeSpoilerContainer", ".bbCodeSpoilerText", ".bbCodeSpoiler"),
    codes=("code", "pre", ".bbCodeCode", ".bbCodePHP", ".bbCodeHtml"),
    asides=(".signature", ".editDate"),
)
MARKS = re.compile(r"""<html[^>]*\bid=["']?XenForo["'\s>]""", re.IGNORECASE)
MEMBER = re.compile(r"members/(?:[^/]*\.)?(\d+)")
POST_ID = re.compile(r"post-(\d+)")
LABELS = ".PageNav, .prefix, .mainLabel, .tooltip"
TIMES = ".datePermalink .DateTime, .messageMeta .DateTime, .messageDetails .DateTime"
QUARTER = 900


class XenForo1:
    """The adapter; it has no state."""

    name = "xenforo1"
    flavour = FLAVOUR

    def recognises(self, page: Response) -> bool:
        """By the id of the page."""
        return bool(MARKS.search(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """`threads/slug.12/page-3`, `posts/99/`, and both behind `index.php?`."""
        return locate_thread(self.name, url)

    def start(self, ref: ThreadRef, since: int = 1) -> Request:  # the size of pages is unknown
        """The first page: how many posts a page has, only a page can tell."""
        return page_of(ref)

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises LoginRequired, AccessDenied, TopicMissing, PastTheEnd, LayoutChanged."""
        tree = parse_page(page.text)
        boxes = with_id(tree, "li.message[id]", POST_ID)
        if not boxes:
            raise _refusal(page, tree)
        clock = clock_of(site, now, _zone(tree))
        drafts = checked([_draft(box) for box in boxes], self.name, "message list")
        title = spoken(maybe(tree, ".titleBar h1, h1"), LABELS) or spoken(maybe(tree, "title"), LABELS)
        return chunk_of(page, tree, self.name, title, drafts, site, clock, _place(tree))


def _draft(box: Tag) -> Draft:
    stamp = maybe(box, TIMES)
    note = maybe(box, ".editDate")
    edit = maybe(note, ".DateTime") if note else None
    hidden = bool({"deleted", "placeholder"} & set(classes(box)))
    link = maybe(box, '.userText a.username[href*="members/"], a.username.author[href*="members/"]')
    found = MEMBER.search(attribute(link, "href") or "")
    return Draft(
        id=(attribute(box, "id") or "").removeprefix("post-"),
        author=attribute(box, "data-author") or _text(maybe(box, ".userText .username")),
        author_id=found[1] if found else None,
        number=shown_number(words(maybe(box, ".postNumber, .hashPermalink"))),
        machine=unix_stamp(attribute(stamp, "data-time")),
        written=title_or_words(stamp),
        body="" if hidden else _body(box),
        edit_note=_text(note),
        edit_machine=unix_stamp(attribute(edit, "data-time")),
        edit_stamp=title_or_words(edit),
        hidden=hidden,
    )


def _body(box: Tag) -> str | None:
    content = maybe(box, "blockquote.messageText, .messageText")
    if content is None:
        return None
    taken_out(every(content, ".messageTextEndMarker"))
    return body_without_session(inner(content).strip())


def _text(tag: Tag | None) -> str | None:
    return words(tag) if tag else None


def _zone(tree: Tag) -> tzinfo | None:
    """The viewer's zone: how his clock reads at an instant that the page names exactly."""
    for tag in every(tree, "abbr.DateTime[data-time][data-timestring]"):
        told = f"{attribute(tag, 'data-datestring')} {attribute(tag, 'data-timestring')}"
        unix = whole(attribute(tag, "data-time")) or 0
        exact = datetime.fromtimestamp(unix, UTC)
        if shown := written_time(told, exact):
            ahead = round((shown - exact).total_seconds() / QUARTER) * QUARTER
            return timezone(timedelta(seconds=ahead)) if abs(ahead) < 86400 else None
    return None


def _place(tree: Tag) -> Place:
    nav = maybe(tree, ".PageNav[data-last]")
    link = attribute(maybe(tree, 'link[rel="next"]'), "href")
    page = whole(attribute(nav, "data-page")) or 1
    return Place(page, max(page + (link is not None), whole(attribute(nav, "data-last")) or 1), link)


def _refusal(page: Response, tree: Tag) -> KnightfallError:
    """Why a page of a XenForo board has no posts; a login bar stands on every page, a login form does not."""
    if maybe(tree, '#pageLogin input[type="password"], .mainContent form input[type="password"]'):
        return login_required(page)
    message = maybe(tree, ".errorOverlay .baseHtml, .errorPanel, .mainContent .messageText")
    if message:
        return refused(page, words(message))
    return no_posts(page, "XenForo 1", "adapter xenforo1; the message list was looked for")


XENFORO1 = XenForo1()
