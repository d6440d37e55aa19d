"""What HtmlForum does for every platform, shown on one that states only what it must."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from knightfall.errors import AccessDenied, IncompleteRead, LayoutChanged, LoginRequired, TopicMissing
from knightfall.forums.base import (
    Draft,
    HtmlForum,
    Paging,
    Request,
    Response,
    Site,
    ThreadRef,
    number_in,
)
from knightfall.forums.html import Tag, attribute, every, inner, maybe, text_of, words
from knightfall.markup.html_style import HtmlStyle

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
URL = "https://planks.example/t?plank=7&page=2"
POSTS = "<h1>Planks</h1><p id=4><b>Ada</b><i>Hello</i></p><p id=5><b>Boro</b><i>Bye</i></p>"


class Planks(HtmlForum):
    """Ten posts a page; `#3` before a name is the post's number."""

    name = "planks"
    html_style = HtmlStyle()
    software = "Planks"
    tried = "paragraphs were looked for"
    messages = (".error",)

    def recognises(self, page: Response) -> bool:
        return True

    def locate(self, url: str) -> ThreadRef | None:
        topic = number_in(url, "plank")
        return ThreadRef(self.name, url.partition("?")[0], str(topic)) if topic else None

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        return Request(f"{ref.root}?plank={ref.id}")

    def rows(self, tree: Tag) -> list[Tag]:
        return every(tree, "p")

    def draft(self, row: Tag) -> Draft:
        shown, text = words(maybe(row, "u")).strip("#"), maybe(row, "i")
        return Draft(
            id=attribute(row, "id") or "",
            author=text_of(maybe(row, "b")),
            body=inner(text) if text else None,
            number=int(shown) if shown else None,
        )

    def paging(self, page: Response, tree: Tag, site: Site, drafts: list[Draft]) -> Paging:
        here = number_in(page.url, "page") or 1
        return Paging(here, 3, (here - 1) * 10, link=attribute(maybe(tree, "a"), "href"))

    def next_page(self, thread: ThreadRef, paging: Paging) -> Request | None:
        return Request(f"{thread.root}?plank={thread.id}&page={paging.page + 1}")

    def permalink(self, thread: ThreadRef, post: str, number: int) -> str | None:
        return f"{thread.root}?plank={thread.id}#{post}"


PLANKS = Planks()


def page(body: str, url: str = URL, status: int = 200) -> Response:
    return Response(url, status, f"<html><body>{body}</body></html>")


def test_rows_become_posts_with_numbers_and_addresses() -> None:
    chunk = PLANKS.read(page(POSTS), Site(first_number=0), NOW)
    assert [(post.number, post.author, post.body) for post in chunk.posts] == [
        (10, "Ada", "Hello"),
        (11, "Boro", "Bye"),
    ]
    assert chunk.posts[0].url == "https://planks.example/t?plank=7#4"
    assert (chunk.title, chunk.page, chunk.pages, chunk.posts_total) == ("Planks", 2, 3, None)
    assert chunk.thread == ThreadRef("planks", "https://planks.example/t", "7")


def test_the_pages_own_link_leads_on_before_a_computed_address() -> None:
    linked = PLANKS.read(page(f"{POSTS}<a href='/t?plank=7&amp;page=three'>on</a>"), Site(), NOW)
    assert linked.following == Request("https://planks.example/t?plank=7&page=three")
    computed = PLANKS.read(page(f"{POSTS}<a href='https://other.example/3'>on</a>"), Site(), NOW)
    assert computed.following == Request("https://planks.example/t?plank=7&page=3")
    last = PLANKS.read(page(POSTS, URL.replace("page=2", "page=3")), Site(), NOW)
    assert last.following is None


def test_a_saved_page_without_address_has_posts_but_no_thread() -> None:
    chunk = PLANKS.read(page(POSTS, ""), Site(), NOW)
    assert [(post.id, post.url) for post in chunk.posts] == [("4", None), ("5", None)]
    assert chunk.thread is None
    assert chunk.following is None


@pytest.mark.parametrize(
    ("body", "status", "kind", "says"),
    [
        ("<form><input type=password></form><div class=error>No</div>", 200, LoginRequired, "login form"),
        ("<div class=error>No permission</div>", 200, AccessDenied, "No permission"),
        ("<div class=error>Gone</div>", 404, TopicMissing, "Gone"),
        ("<div>Index</div>", 200, LayoutChanged, r"Planks board.*\(adapter planks; paragraphs were"),
        ("<p><b>Ada</b><i>Hi</i></p><p><i>Hi</i></p>", 200, LayoutChanged, r"2 post boxes but authors in 1"),
        ("<p><b>Ada</b></p>", 200, LayoutChanged, r"texts in 0.*\(adapter planks, stock theme\)"),
    ],
)
def test_a_page_without_posts_or_parts_of_them_is_refused(
    body: str, status: int, kind: type[Exception], says: str
) -> None:
    with pytest.raises(kind, match=says):
        PLANKS.read(page(body, status=status), Site(), NOW)


def test_posts_that_a_viewer_sees_newest_first_are_refused() -> None:
    body = "<p><u>#9</u><b>Ada</b><i>Hi</i></p><p><u>#8</u><b>Boro</b><i>Hi</i></p>"
    with pytest.raises(IncompleteRead, match="oldest first"):
        PLANKS.read(page(body), Site(), NOW)


def test_the_first_match_of_the_best_selector_is_the_title() -> None:
    chunk = PLANKS.read(page("<h1>Oak</h1><h1>Elm</h1>" + POSTS), Site(), NOW)
    assert chunk.title == "Oak"
