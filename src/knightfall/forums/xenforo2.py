"""What does a page of a XenForo 2 thread hold?

Ads may look like posts, a solution or a question stands on several pages, and broken themes nest one post
in the other: only boxes with a post's key are read, in the thread's own list, each for its own parts.
"""

from __future__ import annotations

import re
from datetime import datetime

from knightfall.errors import IncompleteRead, KnightfallError
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
from knightfall.forums.dates import machine_time, unix_stamp
from knightfall.forums.html import (
    Tag,
    attribute,
    classes,
    every,
    inner,
    maybe,
    own_part,
    parse_page,
    title_or_words,
    words,
)
from knightfall.forums.xenforo import Place, chunk_of, locate_thread, page_of, shown_number, spoken, whole
from knightfall.markup.flavour import Flavour

FLAVOUR = Flavour(
    quotes=(".bbCodeBlock--quote", "blockquote", ".bbCodeBlock--unfurl"),
    quote_citations=("cite", ".bbCodeBlock-title", ".bbCodeBlock-expandLink"),
    spoilers=(".bbCodeSpoiler", ".bbCodeInlineSpoiler", ".bbCodeBlock--spoiler", "details"),
    codes=("code", "pre", ".bbCodeBlock--code", ".bbCodeCode", ".bbCodeInline"),
    asides=(".message-signature", ".message-lastEdit"),
)
MARKS = re.compile(r"""<html[^>]*\bid=["']?XF["'\s>]|<article[^>]*\bjs-post\b[^>]*\bdata-content=""")
BOX = '.js-post[data-content^="post-"]'
LIST = ".js-replyNewMessageContainer"
AGAIN = "#js-solutionHighlightBlock"
NOTICES = ".messageNotice--deleted, .messageNotice--moderated"
LABELS = ".label, .labelLink, .label-append, .u-srOnly"
SORTED = '.tabs-tab.is-active[href*="order="]:not([href*="order=post_date"])'


class XenForo2:
    """The adapter; it has no state."""

    name = "xenforo2"
    flavour = FLAVOUR

    def recognises(self, page: Response) -> bool:
        """By the id of the page, else by the keys of its posts."""
        return bool(MARKS.search(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """`threads/slug.12/page-3`, `posts/99/`, and both behind `index.php?`."""
        return locate_thread(self.name, url)

    def start(self, ref: ThreadRef, since: int = 1) -> Request:  # the size of pages is unknown
        """The first page: how many posts a page has, only a page can tell."""
        return page_of(ref)

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises LoginRequired, AccessDenied, TopicMissing, PastTheEnd, LayoutChanged, IncompleteRead."""
        tree = parse_page(page.text)
        place = _place(tree)

        # The posts of the thread's list; a question stands before it, and on later pages too.
        repeated = every(tree, f"{AGAIN} {BOX}")
        boxes = [box for box in every(tree, BOX) if not any(box is other for other in repeated)]
        listed = every(tree, f"{LIST} {BOX}")
        if listed:
            question = [box for box in boxes if place.page == 1 and _number(box) == 1]
            boxes = [*question[:1], *listed]
        boxes = list({attribute(box, "data-content"): box for box in boxes}.values())

        if not boxes:
            raise _refusal(page, tree)
        if maybe(tree, SORTED):
            raise IncompleteRead(
                "The page does not show the posts in order of time (they are sorted by votes or reactions). "
                "Sort them by date and try again."
            )

        drafts = checked([_draft(box) for box in boxes], self.name, "message boxes")
        title = spoken(maybe(tree, ".p-title-value") or maybe(tree, "h1") or maybe(tree, "title"), LABELS)
        return chunk_of(page, tree, self.name, title, drafts, site, clock_of(site, now), place)


def _draft(box: Tag) -> Draft:
    stamp = _own(box, ".message-attribution time, .message-date time")
    note = _own(box, ".message-lastEdit")
    edit = maybe(note, "time") if note else None

    # Deleted or not yet approved: staff see a notice, others nothing; an ignored one may lack its body.
    styles = classes(box)
    ignored = "is-ignored" in styles and _own(box, ".message-body") is None
    hidden = "message--deleted" in styles or ignored or _own(box, NOTICES) is not None
    content = _own(box, ".message-body .bbWrapper") or _own(box, ".message-body")
    told = attribute(
        _own(box, ".message-name [data-user-id], .message-cell--user [data-user-id]"), "data-user-id"
    )

    return Draft(
        id=(attribute(box, "data-content") or "").removeprefix("post-"),
        author=attribute(box, "data-author") or _text(_own(box, ".message-name")),
        author_id=told if told != "0" else None,
        number=_number(box),
        machine=_instant(stamp),
        written=title_or_words(stamp),
        body="" if hidden else body_without_session(inner(content)) if content else None,
        edit_note=_text(note),
        edit_machine=_instant(edit),
        edit_stamp=title_or_words(edit),
        hidden=hidden,
    )


def _own(box: Tag, selector: str) -> Tag | None:
    return own_part(box, selector, "js-post")


def _number(box: Tag) -> int | None:
    """The link among the tools of a post that is its number."""
    tools = _own(box, ".message-attribution-opposite") or _own(box, ".message-attribution")
    numbers = (shown_number(words(link)) for link in every(tools, "a")) if tools else iter(())
    return next((number for number in numbers if number is not None), None)


def _text(tag: Tag | None) -> str | None:
    return words(tag) if tag else None


def _instant(stamp: Tag | None) -> str | None:
    """The ISO time, else the Unix time, which stands in data-timestamp since 2.2 and in data-time before."""
    iso = attribute(stamp, "datetime")
    if machine_time(iso):
        return iso
    return unix_stamp(attribute(stamp, "data-timestamp") or attribute(stamp, "data-time")) or iso


def _place(tree: Tag) -> Place:
    nav = every(tree, ".pageNav-page")
    numbers = [number for number in (whole(words(tag)) for tag in nav) if number is not None]
    link = attribute(maybe(tree, 'link[rel="next"], a.pageNav-jump--next[href]'), "href")
    page = whole(words(maybe(tree, ".pageNav-page--current"))) or 1
    return Place(page, max([page + (link is not None), *numbers]), link)


def _refusal(page: Response, tree: Tag) -> KnightfallError:
    """Why a page of a XenForo board has no posts."""
    template = attribute(maybe(tree, "html"), "data-template") or ""
    form = maybe(
        tree, '.p-body-content form input[type="password"], .p-body-main form input[type="password"]'
    )
    if form or template == "login":
        return login_required(page)
    message = maybe(tree, ".p-body-pageContent .blockMessage, .p-body-pageContent .block-rowMessage")
    if message and (template == "error" or page.status >= 400):
        return refused(page, words(message))
    return no_posts(page, "XenForo 2", "adapter xenforo2; message boxes with a post's key were looked for")


XENFORO2 = XenForo2()
