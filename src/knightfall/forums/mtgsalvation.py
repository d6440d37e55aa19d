"""Curse "Cobalt" boards: MTG Salvation and its sisters, kept as archives.

Posts tell number, author and instant in attributes. The address of a thread ends in its name, which changed
with the thread: the page's own canonical link is the one that works.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from knightfall.errors import KnightfallError
from knightfall.forums.base import (
    Draft,
    HtmlForum,
    Paging,
    Request,
    Response,
    Site,
    ThreadRef,
    absolute,
    at_path,
    is_absolute,
    login_required,
    mentions,
    number_in,
    past_the_last_page,
    refused,
)
from knightfall.forums.dates import unix_stamp
from knightfall.forums.html import (
    Tag,
    attribute,
    classes,
    every,
    first_of,
    holds,
    inner,
    maybe,
    text_of,
    title_or_words,
    words,
)
from knightfall.forums.styles import STYLES

POSTS = re.compile(r"""\bclass=["']?[^"'<>]*\bp-comment-post\b""")
SCRIPT = re.compile(r"\bCobalt\.(?:Constants|User|Forum)\b")
WORDS = ("p-comment-post", "Cobalt.")
# `/forums/section/…/123-name`; the words left out are routes of other software. A thread may have no name.
THREAD = re.compile(r"/forums/(?:(?!topics?/|threads?/|discussion/)[\w-]+/)+(?P<name>\d+(?:-[^/?#=]*)?)/?$")
PER_PAGE = 50


class MtgSalvation(HtmlForum):
    """The adapter; it has no state."""

    name = "mtgsalvation"
    html_style = STYLES["mtgsalvation"]
    software = "Cobalt"
    tried = ".p-comment-post was looked for"
    messages = (".error-message, .b-error, .error-page, #content .error, .alert-error",)
    first_post = 1

    def recognises(self, page: Response) -> bool:
        """By the posts' class, else by the software's own scripts."""
        return mentions(page, WORDS) and bool(POSTS.search(page.text) or SCRIPT.search(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """`/forums/…/123-name?page=2`; a link to a post (`?comment=7`) tells its thread as well."""
        path = urlsplit(url).path
        found = THREAD.search(path)
        if not is_absolute(url) or found is None:
            return None
        root = at_path(url, path[: found.start("name")])
        return ThreadRef(self.name, root, found["name"], number_in(url, "page") or 1)

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """Pages of 50 posts."""
        return Request(_address(ref, (since - 1) // PER_PAGE + 1))

    def rows(self, tree: Tag) -> list[Tag]:
        return every(tree, ".p-comment-post[data-id]")

    def refusal(self, page: Response, tree: Tag) -> KnightfallError:
        _, pages = _place(tree)
        if (number_in(page.url, "page") or 1) > pages:
            return past_the_last_page(page, pages)
        if maybe(tree, self.login_form):
            return login_required(page)
        message = first_of(tree, self.messages)
        if message or page.status >= 400:
            return refused(page, words(message or maybe(tree, "title") or tree))
        return self.no_posts(page)

    def refuse_view(self, page: Response, tree: Tag) -> None:
        """Behind the end the board shows another page again."""
        _, pages = _place(tree)
        if (number_in(page.url, "page") or 1) > pages:
            raise past_the_last_page(page, pages)

    def draft(self, row: Tag) -> Draft:
        content = maybe(row, ".j-comment-body, .forum-post-body")
        author = maybe(row, ".p-comment-username .user") or maybe(
            row, ".p-comment-micro-author [itemprop=name]"
        )
        notes = (tag for tag in every(row, ".p-comment-edited") if not (content and holds(content, tag)))
        note = next(notes, None)
        place = attribute(row, "data-index") or ""
        stamp = maybe(row, ".p-comment-postdate abbr") or maybe(row, ".p-comment-header abbr[data-epoch]")
        deleted = "comment-deleted" in classes(row)
        return Draft(
            id=attribute(row, "data-id") or "",
            author=text_of(author),
            author_id=attribute(row, "data-author-id"),
            number=int(place) if place.isdecimal() else None,
            machine=unix_stamp(attribute(stamp, "data-epoch")),
            written=title_or_words(stamp),
            body=inner(content).strip() if content else "" if deleted else None,
            edit_note=text_of(note),
            edit_machine=unix_stamp(attribute(maybe(note, "abbr[data-epoch]"), "data-epoch"))
            if note
            else None,
            hidden=deleted,
        )

    def thread(self, page: Response, tree: Tag) -> ThreadRef | None:
        link = attribute(maybe(tree, 'link[rel="canonical"]'), "href")
        url = absolute(page.url, link) if link else None
        ref = (self.locate(url) if url else None) or self.locate(page.url)
        return ThreadRef(self.name, ref.root, ref.id) if ref else None

    def paging(self, page: Response, tree: Tag, site: Site, drafts: list[Draft]) -> Paging:
        here, pages = _place(tree)
        return Paging(here, pages, (here - 1) * PER_PAGE)

    def next_page(self, thread: ThreadRef, paging: Paging) -> Request | None:
        return Request(_address(thread, paging.page + 1))

    def permalink(self, thread: ThreadRef, post: str, number: int) -> str | None:
        return f"{_address(thread, 1)}?comment={number}"

    def title(self, tree: Tag) -> str:
        """The heading that the window's title begins with: boards put others above it."""
        title = words(maybe(tree, "title"))
        if not title:  # a copy of the page has no window
            return words(maybe(tree, 'header[class*="caption"] h2') or maybe(tree, "h1"))
        headings = (words(tag) for tag in every(tree, "h2, h1"))
        return next((text for text in headings if text and title.startswith(text)), title)


def _address(ref: ThreadRef, page: int) -> str:
    return f"{ref.root}{ref.id}" + (f"?page={page}" if page > 1 else "")


def _place(tree: Tag) -> tuple[int, int]:
    """This page and the last one; a thread of one page has no list of pages."""
    current = [words(tag) for tag in every(tree, ".b-pagination .s-active, .b-pagination .active")]
    linked = [number_in(attribute(a, "href") or "", "page") for a in every(tree, ".b-pagination a[href]")]
    here = next((int(text) for text in current if text.isdecimal()), 1)
    return here, max([here, *(number for number in linked if number)])


MTGSALVATION = MtgSalvation()
