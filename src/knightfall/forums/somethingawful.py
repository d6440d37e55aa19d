"""The Something Awful forums, whose software is a vBulletin 2 of their own making.

Each post tells its place in the thread (`data-idx`); page number, page size and a filter by user stand in
links. Times are local and without a zone. Most forums ask for an account, some for more than that.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import cast

from knightfall.errors import IncompleteRead, KnightfallError
from knightfall.forums.base import (
    Draft,
    HtmlForum,
    Paging,
    Request,
    Response,
    Site,
    ThreadRef,
    access_denied,
    folder_of,
    is_absolute,
    login_required,
    number_in,
    past_the_last_page,
    refused,
    thread_asked,
)
from knightfall.forums.html import (
    Tag,
    attribute,
    enclosing,
    every,
    inner,
    maybe,
    own_words,
    taken_out,
    text_of,
    with_id,
    words,
)
from knightfall.forums.styles import STYLES

# The body's id, on error pages too.
MARKS = re.compile(r"""<body[^<>]*\bid=["']?something_awful["'\s>]""", re.IGNORECASE)
POST_ID = re.compile(r"post(\d+)")
USER = re.compile(r"(?:^|\s)userid-(\d+)")
THREAD = re.compile(r"thread_(\d+)")
PER_PAGE = 40
FILTERED = "The page shows the posts of one user only (the user filter is on)."


class SomethingAwful(HtmlForum):
    """The adapter; it has no state."""

    name = "somethingawful"
    html_style = STYLES["somethingawful"]
    software = "Something Awful"
    tried = "table.post was looked for"
    titles = ("a.bclast", ".breadcrumbs a:last-of-type", "title")
    login_form = '#content a[href*="action=loginform"], #content input[type="password"]'
    first_post = 1

    def recognises(self, page: Response) -> bool:
        """By the body's id, on error pages too."""
        return bool(MARKS.search(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """`showthread.php?threadid=…`, and `?goto=post&postid=…`, which does not tell its thread."""
        if not is_absolute(url) or not url.partition("?")[0].endswith("/showthread.php"):
            return None
        return thread_asked(self.name, url, "threadid", "postid", number_in(url, "pagenumber") or 1)

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """Pages of 40 posts, whatever the reader's own setting is."""
        if ref.id.startswith("p"):
            return Request(f"{ref.root}showthread.php?goto=post&postid={ref.id[1:]}")
        return Request(_address(ref, (since - 1) // PER_PAGE + 1))

    def rows(self, tree: Tag) -> list[Tag]:
        return with_id(tree, "#thread table.post, table.post[data-idx]", POST_ID)

    def refusal(self, page: Response, tree: Tag) -> KnightfallError:
        """Whoever is not logged in is told so by the menu, whatever the page says."""
        shown = (attribute(maybe(tree, "body"), "class") or "").startswith("showthread")
        if shown or every(tree, "table.post"):
            pages = _pages(page, tree)[1]
            return past_the_last_page(page, pages) if _asked(page) > pages else self.no_posts(page)
        message = maybe(tree, "#content .standard .inner, #content .standard")
        if maybe(tree, self.login_form):
            return login_required(page)
        if message is None:
            return self.no_posts(page)
        if maybe(message, 'a[href*="/products/"]'):
            return access_denied(page, words(message))
        return refused(page, words(message))

    def refuse_view(self, page: Response, tree: Tag) -> None:
        """Behind the end the last page is shown again; the posts of one user only are no thread."""
        pages = _pages(page, tree)[1]
        if _asked(page) > pages:
            raise past_the_last_page(page, pages)
        if number_in(page.url, "userid"):
            raise IncompleteRead(f"{page.url}: {FILTERED} Give the address of the thread without userid=.")

    def draft(self, row: Tag) -> Draft:
        identity = POST_ID.fullmatch(attribute(row, "id") or "")
        said = words(maybe(row, "p.editedby"))
        date = maybe(row, "td.postdate")
        place = attribute(row, "data-idx") or ""
        user = USER.search(attribute(maybe(row, "td.userinfo"), "class") or "")

        # The text without the edit notice, which stands inside it and is never closed.
        content = maybe(row, "td.postbody")
        if content is not None:
            taken_out(every(content, "p.editedby, p.signature"))
        return Draft(
            id=identity[1] if identity else "",
            author=text_of(maybe(row, "dt.author")),
            author_id=user[1] if user else None,
            number=int(place) if place.isdecimal() else None,
            written=own_words(date) if date else "",
            body=inner(content).strip() if content else None,
            edit_note=said or None,
            edit_stamp=said,
        )

    def thread(self, page: Response, tree: Tag) -> ThreadRef | None:
        asked = self.locate(page.url)
        named = attribute(maybe(tree, "body[data-thread]"), "data-thread")
        found = THREAD.search(attribute(maybe(tree, "body"), "class") or "")
        identity = named or (found[1] if found else None)
        if identity and is_absolute(page.url):
            return ThreadRef(self.name, asked.root if asked else folder_of(page.url), identity)
        return asked if asked and not asked.id.startswith("p") else None

    def paging(self, page: Response, tree: Tag, site: Site, drafts: list[Draft]) -> Paging:
        here, pages = _pages(page, tree)
        return Paging(here, pages, (here - 1) * PER_PAGE)

    def next_page(self, thread: ThreadRef, paging: Paging) -> Request | None:
        return Request(_address(thread, paging.page + 1))

    def permalink(self, thread: ThreadRef, post: str, number: int) -> str | None:
        return f"{thread.root}showthread.php?goto=post&postid={post}#post{post}"

    def message_rows(self, tree: Tag) -> list[Tag]:
        """The one table of a private message, which is that of a post; only such a page knows the message."""
        texts = every(tree, "td.postbody") if _message_id(tree) else []
        return [table for text in texts if (table := enclosing(text, "table")) is not None]

    def message_draft(self, row: Tag) -> Draft:
        return replace(self.draft(row), id=_message_id(cast(Tag, row.getroottree().getroot())), number=None)

    def message_subject(self, tree: Tag) -> str:
        """The bare end of the way to the page."""
        trail = maybe(tree, ".breadcrumbs b")
        return own_words(trail).lstrip("> »") if trail else ""

    def missing(self, tree: Tag) -> tuple[str, ...]:
        """A saved page tells of a filter only by its links to switch it off."""
        return (FILTERED,) if maybe(tree, '#thread a.user_jump[href*="goto=post"]') else ()


def _address(ref: ThreadRef, page: int) -> str:
    first = f"{ref.root}showthread.php?threadid={ref.id}&userid=0&perpage={PER_PAGE}"
    return f"{first}&pagenumber={page}"


def _message_id(tree: Tag) -> str:
    """The id of the private message that a page shows, by its form or the button that answers it."""
    form = attribute(maybe(tree, 'input[name="privatemessageid"]'), "value")
    link = attribute(maybe(tree, '.buttons a[href*="privatemessageid="]'), "href")
    return form or str(number_in(link or "", "privatemessageid") or "")


def _asked(page: Response) -> int:
    return number_in(page.url, "pagenumber") or 1


def _pages(page: Response, tree: Tag) -> tuple[int, int]:
    """This page and the last one: by the list to choose from, else by the links; no list, only one page."""
    chosen = attribute(maybe(tree, ".pages select option[selected]"), "value") or ""
    listed = [attribute(option, "value") or "" for option in every(tree, ".pages select option")]
    linked = [number_in(attribute(a, "href") or "", "pagenumber") for a in every(tree, ".pages a[href]")]
    shown = chosen or words(maybe(tree, ".pages .curpage"))
    here = int(shown) if shown.isdecimal() else 1
    last = [int(value) for value in listed if value.isdecimal()] + [number for number in linked if number]
    if not last and not shown:
        return 1, 1
    return (here if shown else _asked(page)), max([here, *last])


SOMETHINGAWFUL = SomethingAwful()
