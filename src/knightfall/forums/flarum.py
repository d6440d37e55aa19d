"""Flarum 1: its JSON:API, and the page's own data."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from urllib.parse import urlencode, urlsplit

from knightfall.errors import IncompleteRead, KnightfallError, LayoutChanged
from knightfall.forums.base import (
    Chunk,
    Request,
    Response,
    Site,
    ThreadRef,
    absolute,
    access_denied,
    at_path,
    is_absolute,
    login_required,
    no_posts,
    number_in,
    page_between,
    past_the_end,
    query_of,
    topic_missing,
)
from knightfall.forums.dates import machine_time
from knightfall.forums.html import Tag, amount, attribute, every, inner, maybe, one, parse_page, words
from knightfall.forums.payload import (
    Json,
    embedded,
    entries,
    is_json,
    look,
    need,
    number_at,
    parse_json,
    text_at,
)
from knightfall.forums.styles import STYLES
from knightfall.models import Post, PostId

PAGE_SIZE = 20
DRAWN = '.PostStream-item[data-type="comment"][data-number]:has(.Post-body)'
"""The posts as a browser draws them."""


def read_noscript(page: Response, located: ThreadRef | None) -> Chunk:
    """Posts without times. Raises LayoutChanged, and IncompleteRead where the page shows too many."""
    tree = parse_page(page.text)
    if drawn := every(tree, DRAWN):
        return _read_drawn(tree, drawn, located)
    boxes = every(tree, "#flarum-content article")
    if not boxes:
        raise no_posts(page, "flarum", "no article in its noscript part")
    before, following = _link(tree, "prev"), _link(tree, "next")
    here = page_between(before, following, page.url)
    if following and len(boxes) > PAGE_SIZE:
        raise IncompleteRead(
            f"{page.url or 'The page'} lost its own data and mixes posts of other pages in. Give the address "
            "of the discussion, or save the answer of /api/discussions/ID instead."
        )
    target = absolute(page.url, following) if following else None
    first = (here - 1) * PAGE_SIZE + 1
    return Chunk(
        title=words(one(tree, "#flarum-content h1")),
        posts=tuple(_noscript_post(box, number) for number, box in enumerate(boxes, first)),
        page=here,
        pages=here + (1 if following else 0),
        following=Request(target) if target else None,
        thread=located,
    )


def _read_drawn(tree: Tag, boxes: list[Tag], located: ThreadRef | None) -> Chunk:
    """The discussion as it is drawn in a browser: the posts that were scrolled past; the scrubber beside them
    tells how many there are."""
    return Chunk(
        title=words(maybe(tree, ".DiscussionHero-title, h1")),
        posts=tuple(_drawn_post(box, located) for box in boxes),
        page=1,
        pages=1,
        posts_total=amount(maybe(tree, ".Scrubber-count")),
        thread=located,
    )


def _drawn_post(box: Tag, ref: ThreadRef | None) -> Post:
    number = number_at(dict(box.attrib), "data-number")
    if number is None:
        raise LayoutChanged(
            "A post on the page tells no number: the forum's layout changed (adapter flarum). No "
            "count was made."
        )
    exact = machine_time(attribute(box, "data-time") or attribute(maybe(box, "time[datetime]"), "datetime"))
    hidden = maybe(box, ".Post--hidden") is not None
    return Post(
        id=PostId(attribute(box, "data-id") or f"n{number}"),
        number=number,
        author=words(maybe(box, ".PostUser-name .username") or one(box, ".PostUser-name")),
        body="" if hidden else inner(one(box, ".Post-body")).strip(),
        time=exact,
        approximate=exact is None,
        url=f"{ref.root}d/{ref.id}/{number}" if ref and ref.root else None,
        edit_note="edited" if maybe(box, ".PostEdited") else None,
        hidden=hidden,
    )


def _noscript_post(box: Tag, number: int) -> Post:
    return Post(
        id=PostId(f"n{number}"),
        number=number,
        author=words(one(box, ".PostUser-name")),
        body=inner(one(box, ".Post-body")).strip(),
        approximate=True,
    )


def _link(tree: Tag, name: str) -> str | None:
    return attribute(maybe(tree, f'link[rel="{name}"]'), "href")


HTML_STYLE = STYLES["flarum"]
# A discussion, a post, an error, and the links of an answer of /api/posts, whose slashes may be escaped.
API = re.compile(
    r'"type"\s*:\s*"discussions"|"contentType"\s*:|"errors"\s*:\s*\[\s*\{\s*"status"'
    r'|"links"\s*:\s*\{[^{}]*api\\?/posts\b'
)
# The data that a page gives its scripts, else what it shows without scripts.
PAGE = re.compile(
    r"<(?:script|noscript)\s[^<>]*\bid=[\"']?flarum-(?:json-payload|content)[\"'\s>]", re.IGNORECASE
)
# `d/5-slug/12` for people, and the two addresses of the API.
DISCUSSION = re.compile(r"(?P<root>/(?:.*/)?)d/(?P<id>\d+)(?:-[^/]*)?(?:/[^/]+)?/?")
API_PATH = re.compile(r"(?P<root>/(?:.*/)?)api/(?:discussions/(?P<id>\d+)|posts)/?")
PAYLOAD = "flarum-json-payload"
WINDOW = 50
"""Posts an answer of the API holds unless asked otherwise, and at most."""
NOBODY = "[deleted]"


class Flarum:
    """The adapter; it has no state."""

    name = "flarum"
    html_style = HTML_STYLE

    def recognises(self, page: Response) -> bool:
        """By the kinds of things in its answers, else by the page's own data or noscript part."""
        return bool((API if is_json(page.text) else PAGE).search(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """/d/5-slug, /d/5-slug/12, /api/discussions/5 and /api/posts?filter[discussion]=5."""
        if not is_absolute(url):
            return None
        path = urlsplit(url).path
        found = DISCUSSION.fullmatch(path) or API_PATH.fullmatch(path)
        identity = (found["id"] or query_of(url).get("filter[discussion]")) if found else None
        if found is None or not identity or not identity.isdigit():
            return None
        root = at_path(url, found["root"])
        return ThreadRef(self.name, root, identity, number_in(url, "page") or 0)

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """The API's window with that post, counted as they stand there."""
        return _window_request(ref, (since - 1) // WINDOW * WINDOW, WINDOW)

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises LoginRequired, AccessDenied, TopicMissing, PastTheEnd, LayoutChanged, IncompleteRead."""
        located = self.locate(page.url)
        if is_json(page.text):
            answer = parse_json(page.text, page.url)
            if look(answer, "errors") is not None:
                raise _refusal(page, answer)
            if look(answer, "data", "type") == "discussions":
                return _read_discussion(page, answer, located)

            # The answer of /api/posts: its links tell where it stands.
            posts = entries(answer, "data")

            # The window, and the link to the next one; only the links tell where an answer stands.
            links = {name: text_at(answer, "links", name) or "" for name in ("first", "prev", "next")}
            size = number_at(query_of(links["first"]), "page[limit]") or PAGE_SIZE
            before = (number_at(query_of(links["prev"]), "page[offset]") or 0) + size if links["prev"] else 0
            window, following = _Window(before, size), text_at(answer, "links", "next")

            if not posts:
                raise past_the_end(page, "fewer posts") if window.offset else topic_missing(page)
            root = located.root if located else ""
            identity = (
                located.id
                if located
                else text_at(posts[0], "relationships", "discussion", "data", "id") or ""
            )
            ref = ThreadRef(Flarum.name, root, identity)
            discussion = _included(answer).get(("discussions", identity))
            total = number_at(discussion, "attributes", "commentCount")
            return Chunk(
                title=text_at(discussion, "attributes", "title") or "",
                posts=tuple(_post(post, answer, ref) for post in posts),
                page=window.page,
                pages=max(window.page + 1, window.pages(total)) if following else window.page,
                posts_total=total,
                following=Request(following)
                if following and located and following.startswith(root)
                else None,
                thread=ref if identity else None,
            )
        payload = embedded(page.text, PAYLOAD)
        document = look(payload, "apiDocument")
        if look(document, "data", "type") == "discussions":
            return _read_discussion(page, document, located)
        if document is None and ("flarum-content" in page.text or "PostStream-item" in page.text):
            return read_noscript(page, located)
        raise no_posts(page, self.name, "the page's own data is of no discussion")


@dataclass(frozen=True, slots=True)
class _Window:
    """The posts from `offset` on; a page holds `size`."""

    offset: int
    size: int

    @property
    def page(self) -> int:
        return self.offset // self.size + 1

    def pages(self, total: int | None) -> int:
        return max(self.page, ceil((total or 0) / self.size))


def _window_request(ref: ThreadRef, offset: int, size: int) -> Request:
    asked = {"page[limit]": size} | ({"page[offset]": offset} if offset else {})
    return Request(f"{ref.root}api/discussions/{ref.id}?{urlencode(asked)}")


def _read_discussion(page: Response, answer: Json, located: ThreadRef | None) -> Chunk:
    root = located.root if located else ""
    ref = ThreadRef(Flarum.name, root, need(answer, str, "data", "id"))
    order = [need(entry, str, "id") for entry in entries(answer, "data", "relationships", "posts", "data")]
    posts = {
        key: post
        for (kind, key), post in _included(answer).items()
        if kind == "posts" and (number_at(post, "attributes", "number") is not None)
    }

    # As the address says; where it says nothing, the longest run of posts that are there.
    asked = query_of(page.url)
    there = [key in posts for key in order]
    offset, size = number_at(asked, "page[offset]"), number_at(asked, "page[limit]")
    if offset is None and (number := number_at(asked, "page")):
        offset = (number - 1) * PAGE_SIZE
    if offset is None:
        offset = _longest_run(there)[0]
    if not is_json(page.text):
        window = _Window(offset, PAGE_SIZE)
    else:
        if size is None:
            # The size of a window that is not told: the one that we ask for, where its posts fit it.
            length = _longest_run(there)[1]
            full = length == WINDOW or (length < WINDOW and offset + length == len(order))
            size = WINDOW if full and offset % WINDOW == 0 else PAGE_SIZE
        window = _Window(offset, _given(there[offset:], min(max(size, 1), WINDOW)))

    if window.offset and window.offset >= len(order):
        raise past_the_end(page, f"{len(order)} posts")
    shown = [key for key in order[window.offset : window.offset + window.size] if key in posts]
    if not shown:
        raise no_posts(page, Flarum.name, f"the discussion lists {len(order)} and includes none of them")

    # The next window, from wherever this one came: the pages of the HTML are shorter than the API's.
    if not ref.root or window.offset + window.size >= len(order):
        following = None
    elif is_json(page.text):
        following = _window_request(ref, window.offset + window.size, window.size)
    else:
        following = Request(f"{ref.root}d/{ref.id}?page={window.page + 1}")

    return Chunk(
        title=need(answer, str, "data", "attributes", "title"),
        posts=tuple(_post(posts[key], answer, ref) for key in shown),
        page=window.page,
        pages=window.pages(len(order)),
        posts_total=len(order),
        following=following,
        thread=ref,
    )


def _given(there: list[bool], size: int) -> int:
    """The size that a server really gave, which may be less than was asked for; the next one is then too."""
    given = there.index(False) if False in there else len(there)
    return given if 0 < given < min(size, len(there)) else size


def _longest_run(there: list[bool]) -> tuple[int, int]:
    """Where the longest run begins and how long it is; posts that are mentioned stand apart from it."""
    best, length = (0, 0), 0
    for place, present in enumerate(there):
        length = length + 1 if present else 0
        if length > best[1]:
            best = (place - length + 1, length)
    return best


def _included(answer: Json) -> dict[tuple[str, str], Json]:
    return {(str(entry.get("type")), str(entry.get("id"))): entry for entry in look(answer, "included") or []}


def _post(post: Json, answer: Json, ref: ThreadRef) -> Post:
    number = need(post, int, "attributes", "number")
    exact = machine_time(text_at(post, "attributes", "createdAt"))
    edited = machine_time(text_at(post, "attributes", "editedAt"))
    author_id = text_at(post, "relationships", "user", "data", "id")

    # Only comments have a text of their own; a hidden one keeps it to itself.
    comment = look(post, "attributes", "contentType") == "comment"
    hidden = bool(look(post, "attributes", "isHidden"))
    if not comment or (hidden and look(post, "attributes", "contentHtml") is None):
        body = ""
    else:
        body = need(post, str, "attributes", "contentHtml")

    # The name that is shown; an account that was deleted has none.
    if author_id is None:
        author = NOBODY
    else:
        user = _included(answer).get(("users", author_id))
        name = text_at(user, "attributes", "displayName") or text_at(user, "attributes", "username")
        if name is None:
            raise LayoutChanged(
                f"The answer does not tell who user {author_id} is, whose posts it holds (adapter flarum). "
                "No count was made."
            )
        author = name

    return Post(
        id=PostId(need(post, str, "id")),
        number=number,
        author=author,
        body=body,
        author_id=author_id,
        time=exact,
        approximate=exact is None,
        url=f"{ref.root}d/{ref.id}/{number}" if ref.root else None,
        edited=edited,
        edit_note="edited" if edited else None,
        hidden=bool(look(post, "attributes", "isHidden")),
    )


def _refusal(page: Response, answer: Json) -> KnightfallError:
    codes = {str(entry.get("code")) for entry in entries(answer, "errors")}
    said = ", ".join(sorted(codes))
    if "not_authenticated" in codes or page.status == 401:
        return login_required(page, said)
    if "permission_denied" in codes or page.status == 403:
        return access_denied(page, said)
    if "not_found" in codes or page.status in (404, 410):
        return topic_missing(page, said)
    return no_posts(page, Flarum.name, said)


FLARUM = Flarum()
