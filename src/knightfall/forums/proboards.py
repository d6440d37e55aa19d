"""ProBoards 5. Written from its documentation and from readers of others.

Posts have ids and exact times, but no numbers: a post's number is its place. How many posts a page has is the
board's choice and no page tells it, so each request for a next page says it behind a "#", unseen by servers.
"""

from __future__ import annotations

import re
from dataclasses import replace

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
    is_absolute,
    login_required,
    number_in,
    past_the_last_page,
    refused,
)
from knightfall.forums.dates import unix_stamp
from knightfall.forums.html import (
    Tag,
    attribute,
    every,
    first_of,
    inner,
    maybe,
    text_of,
    title_or_words,
    with_id,
    worded,
    words,
)
from knightfall.forums.styles import STYLES

# The data that each page gives its scripts, else rows of posts with ProBoards' own stamps.
SCRIPT = re.compile(r"<script\b[^<>]*>\s*(?:\$\.)?proboards\.data\s*\(", re.IGNORECASE)
ROW = re.compile(r"""<tr\b[^<>]*\bid=["']?post-\d""")
STAMP = re.compile(r"""\bclass=["']?[^"'<>]*\bo-timestamp\b""")
# `thread/12/name`, and `post/345/thread`, which does not tell its thread.
THREAD = re.compile(r"(?P<root>https?://[^/?#]+/)thread/(?P<id>\d+)(?=[/?#]|$)")
POST = re.compile(r"(?P<root>https?://[^/?#]+/)post/(?P<id>\d+)(?:/thread)?/?(?=[?#]|$)")
PER_PAGE_TOLD = re.compile(r"#(\d+)-a-page$")
PER_PAGE = 30
MESSAGE_ID = re.compile(r"message-(\d+)")


class ProBoards(HtmlForum):
    """The adapter; it has no state."""

    name = "proboards"
    html_style = STYLES["proboards"]
    software = "ProBoards"
    tried = "tr.post was looked for"
    titles = (".container.posts .title-bar h1", ".title-bar h1", "title")
    messages = (".container.error .content, .error .content, .container.show-error .content",)
    first_post = 1

    def recognises(self, page: Response) -> bool:
        """By the data that each page gives its scripts, else by rows of posts with ProBoards' own stamps."""
        return bool(SCRIPT.search(page.text)) or bool(ROW.search(page.text) and STAMP.search(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """`/thread/12/name?page=2`; `/post/345/thread` does not tell its thread."""
        if not is_absolute(url):
            return None
        if found := THREAD.match(url):
            return ThreadRef(self.name, found["root"], found["id"], number_in(url, "page") or 1)
        post = POST.match(url)
        return ThreadRef(self.name, post["root"], f"p{post['id']}") if post else None

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """From the first page on: how many posts its pages have is not known before it is read."""
        if ref.id.startswith("p"):
            return Request(f"{ref.root}post/{ref.id[1:]}/thread")
        return Request(_address(ref, 1 if since == 1 else (since - 1) // PER_PAGE + 1))

    def rows(self, tree: Tag) -> list[Tag]:
        return every(tree, 'tr.post[id^="post-"]')

    def refusal(self, page: Response, tree: Tag) -> KnightfallError:
        _, pages = _place(page, tree)
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
        here, pages = _place(page, tree)
        if (number_in(page.url, "page") or 1) > here:
            raise past_the_last_page(page, pages)

    def draft(self, row: Tag) -> Draft:
        # Name and id. A picture's link has no words; guests and members who left have no link.
        author, author_id = None, None
        if beside := maybe(row, ".left-panel, .mini-profile"):
            if link := worded(beside, "a.user-link, a.o-user-link"):
                found = re.search(r"/user/(\d+)", attribute(link, "href") or "")
                author, author_id = words(link), attribute(link, "data-id") or (found[1] if found else None)
            else:
                author = words(maybe(beside, '.user-guest, .user-deleted, [class*="user-"]:not(a)')) or None

        content = maybe(row, ".message")
        note = worded(row, ".edited_by")
        stamp = maybe(row, ".date abbr[data-timestamp]") or maybe(row, ".info abbr[data-timestamp]")
        return Draft(
            id=(attribute(row, "id") or "").removeprefix("post-"),
            author=author,
            author_id=author_id,
            machine=_instant(stamp),
            written=title_or_words(stamp),
            body=inner(content).strip() if content else None,
            edit_note=text_of(note),
            edit_machine=_instant(maybe(note, "abbr[data-timestamp]")) if note else None,
        )

    def thread(self, page: Response, tree: Tag) -> ThreadRef | None:
        """As the address says, else the page's own links to its pages."""
        links = [
            attribute(tag, "href") for tag in every(tree, 'link[rel="canonical"], .ui-pagination a[href]')
        ]
        urls = [page.url, *(url for link in links if link and (url := absolute(page.url, link)))]
        refs = (self.locate(url) for url in urls)
        ref = next((ref for ref in refs if ref and not ref.id.startswith("p")), None)
        return ThreadRef(self.name, ref.root, ref.id) if ref else None

    def paging(self, page: Response, tree: Tag, site: Site, drafts: list[Draft]) -> Paging:
        """The last page may be a short one: there the size is the one that its request told."""
        here, pages = _place(page, tree)
        told = PER_PAGE_TOLD.search(page.url)
        size = site.posts_per_page or PER_PAGE
        if here < pages:
            size = len(drafts)
        elif told and int(told[1]):
            size = int(told[1])
        return Paging(here, pages, (here - 1) * size, size)

    def next_page(self, thread: ThreadRef, paging: Paging) -> Request | None:
        return Request(f"{_address(thread, paging.page + 1)}#{paging.size}-a-page")

    def permalink(self, thread: ThreadRef, post: str, number: int) -> str | None:
        return f"{thread.root}post/{post}/thread"

    def message_rows(self, tree: Tag) -> list[Tag]:
        """The messages of a conversation: rows as those of posts are."""
        return with_id(tree, "tr[id]", MESSAGE_ID)

    def message_draft(self, row: Tag) -> Draft:
        return replace(self.draft(row), id=(attribute(row, "id") or "").removeprefix("message-"))

    def message_subject(self, tree: Tag) -> str:
        return words(worded(tree, ".title-bar h1", ".title-bar h2", "title"))


def _address(ref: ThreadRef, page: int) -> str:
    return f"{ref.root}thread/{ref.id}" + (f"?page={page}" if page > 1 else "")


def _instant(stamp: Tag | None) -> str | None:
    return unix_stamp(attribute(stamp, "data-timestamp"), per_second=1000)


def _place(page: Response, tree: Tag) -> tuple[int, int]:
    """This page and the last one; a thread of one page may have no list of pages."""
    area = ".ui-pagination"
    selected = [words(tag) for tag in every(tree, f"{area} .state-selected, {area} .ui-selected")]
    linked = [number_in(attribute(a, "href") or "", "page") for a in every(tree, f"{area} a[href]")]
    last = max([1, *(number for number in linked if number)])
    here = next((int(text) for text in selected if text.isdecimal()), None)
    if here is None:
        return min(number_in(page.url, "page") or 1, last), last
    return here, max(here, last)


PROBOARDS = ProBoards()
