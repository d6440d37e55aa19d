"""Discourse: its JSON, and the page that it shows to crawlers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from urllib.parse import urlsplit

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
from knightfall.forums.dates import epoch_time, machine_time
from knightfall.forums.html import Tag, attribute, classes, every, inner, maybe, one, parse_page, words
from knightfall.forums.payload import Json, entries, is_json, look, need, number_at, parse_json, text_at
from knightfall.forums.styles import STYLES
from knightfall.models import Post, PostId

BOXES = '.crawler-post:not([role="navigation"])'
"""The posts; the link to the next page is dressed as one."""
TEXT = 'div.post, [itemprop="articleBody"], [itemprop="text"]'
"""What was written; a browser copies nothing of an empty one, such as “Unpinned”."""
DRAWN = "article[data-post-id]"
"""The posts as a browser draws them."""
# “3 / 46” beside the posts: the number of the post at hand, and of all.
COUNTER = re.compile(r"\d[\d.,\s]*/\s*(\d[\d.,\s]*\d|\d)")
Locate = Callable[[str], ThreadRef | None]


def read_crawler(page: Response, locate: Locate) -> Chunk:
    """Raises LoginRequired, AccessDenied, TopicMissing, LayoutChanged."""
    tree = parse_page(page.text)
    boxes = every(tree, BOXES)
    ref = _thread(page, tree, locate)
    if not boxes and (drawn := every(tree, DRAWN)):
        return _read_drawn(tree, drawn, ref)
    if not boxes:
        raise _crawler_refusal(page, tree)
    if not any(maybe(box, TEXT) for box in boxes):
        raise no_posts(page, "discourse", "posts without a text")
    here, following = _paging(page, tree)
    return Chunk(
        title=words(maybe(tree, "#topic-title h1") or one(tree, "h1, title")),
        posts=tuple(_crawled_post(box, ref) for box in boxes),
        page=here,
        pages=here + (1 if _next(tree) else 0),
        following=Request(following) if following else None,
        thread=ref,
    )


def _read_drawn(tree: Tag, boxes: list[Tag], ref: ThreadRef | None) -> Chunk:
    """The topic as it is drawn in a browser: the posts that were scrolled past, by their numbers; the counter
    beside them tells how many there are."""
    if ref is None and (topic := attribute(boxes[0], "data-topic-id")):
        ref = ThreadRef(Discourse.name, "", topic)
    counted = COUNTER.search(words(maybe(tree, ".timeline-replies, #topic-progress .nums, #topic-progress")))
    return Chunk(
        title=words(maybe(tree, "#topic-title h1 .fancy-title, #topic-title h1, h1")),
        posts=tuple(_drawn_post(box, ref) for box in boxes),
        page=1,
        pages=1,
        posts_total=int(re.sub(r"\D", "", counted[1])) if counted else None,
        thread=ref,
    )


def _drawn_post(box: Tag, ref: ThreadRef | None) -> Post:
    number = (attribute(box, "id") or "").removeprefix("post_")
    if not number.isdecimal():
        raise LayoutChanged(
            "A post on the page tells no number: the forum's layout changed (adapter discourse). No count "
            "was made."
        )
    member = maybe(box, ".names [data-user-card]")
    stamp = maybe(box, ".post-date [data-time], [data-time].relative-date")
    created = epoch_time(int(attribute(stamp, "data-time") or "x") / 1000) if _has_instant(stamp) else None
    hidden = maybe(box, ".cooked") is None or "deleted" in classes(box)
    author_id = attribute(box, "data-user-id")
    return Post(
        id=PostId(attribute(box, "data-post-id") or f"n{number}"),
        number=int(number),
        author=attribute(member, "data-user-card")
        or words(maybe(box, ".names .username") or one(box, ".names")),
        body=inner(one(box, ".cooked")).strip() if not hidden else "",
        author_id=author_id,
        time=created,
        approximate=created is None,
        url=f"{ref.root}t/{ref.id}/{number}" if ref and ref.root else None,
        edit_note="edited" if maybe(box, ".post-info.edits") else None,
        hidden=hidden,
    )


def _has_instant(stamp: Tag | None) -> bool:
    return re.fullmatch(r"\d{10,16}", attribute(stamp, "data-time") or "") is not None


def _crawled_post(box: Tag, ref: ThreadRef | None) -> Post:
    # The number that the box shows ("#12"), else the one in its id ("post_12").
    shown = words(one(box, '[itemprop="position"]')) if maybe(box, '[itemprop="position"]') else ""
    digits = shown.strip("# ") or (attribute(box, "id") or "").removeprefix("post_")
    number = int(digits) if digits.isascii() and digits.isdigit() else int(words(one(box, ".post-number")))
    created = _stamp(box, '[itemprop="datePublished"], time.post-time')
    changed = _stamp(box, '[itemprop="dateModified"]')
    edited = changed if created and changed and changed > created else None

    # The name alone: notices such as "Unpinned" stand beside it.
    marked = maybe(box, '.creator [itemprop="name"]') or maybe(box, ".creator a")
    return Post(
        id=PostId(f"n{number}"),
        number=number,
        author=words(marked or one(box, ".creator")),
        body=inner(text).strip() if (text := maybe(box, TEXT)) is not None else "",
        time=created,
        approximate=created is None,
        url=f"{ref.root}t/{ref.id}/{number}" if ref else None,
        edited=edited,
        edit_note="edited" if edited else None,
    )


def _stamp(box: Tag, selector: str) -> datetime | None:
    tag = maybe(box, selector)
    return machine_time(attribute(tag, "datetime") or attribute(tag, "content"))


def _thread(page: Response, tree: Tag, locate: Locate) -> ThreadRef | None:
    links = (attribute(maybe(tree, 'link[rel="canonical"]'), "href"), page.url)
    found = (locate(absolute(page.url, link) or "") for link in links if link)
    return next((ref for ref in found if ref), None)


def _next(tree: Tag) -> str | None:
    return attribute(maybe(tree, 'link[rel="next"], a[rel="next"]'), "href")


def _paging(page: Response, tree: Tag) -> tuple[int, str | None]:
    """The number of this page and the address of the next."""
    before = attribute(maybe(tree, 'link[rel="prev"], a[rel="prev"]'), "href")
    after = _next(tree)
    following = absolute(page.url, after) if after and number_in(after, "page") else None
    return page_between(before, after, page.url), following


def _crawler_refusal(page: Response, tree: Tag) -> KnightfallError:
    said = words(maybe(tree, "#main-outlet h1, #main-outlet h2, .page-not-found h1") or one(tree, "title"))
    if page.status == 401 or page.url.partition("?")[0].endswith("/login") or maybe(tree, ".login-welcome"):
        return login_required(page)
    if page.status == 403:
        return access_denied(page, said)
    if page.status in (404, 410) or maybe(tree, ".page-not-found"):
        return topic_missing(page, said)
    return no_posts(page, "discourse", "no .crawler-post in its HTML; its address in the API may do")


PRIVATE = "private_message"
"""What Discourse calls the kind of a topic that only those invited can read."""
PRIVATE_MARKS = f"body.archetype-{PRIVATE}, h1 [class*=private-message-glyph]"
"""The page's own mark of such a topic, and the envelope before its title."""


def is_private(page: Response) -> bool:
    """Whether a page is of a topic that only those invited can read: Discourse's private messages."""
    if is_json(page.text):
        return text_at(parse_json(page.text, page.url or "The answer"), "archetype") == PRIVATE
    return maybe(parse_page(page.text), PRIVATE_MARKS) is not None


HTML_STYLE = STYLES["discourse"]
# Keys that an answer of the API has for a topic, for the newest posts, and for a refusal.
API = re.compile(r'"(?:post_stream|latest_posts)"\s*:|"error_type"\s*:\s*"')
# The generator that the page names, else the elements that hold its settings.
GENERATOR = re.compile(r"<meta\s[^<>]*\bcontent=[\"']?Discourse\b", re.IGNORECASE)
SETUP = re.compile(
    r"<(?:meta|div)\s[^<>]*\bid=[\"']?(?:data-discourse-setup|data-preloaded)\b", re.IGNORECASE
)
# `t/123`, `t/slug/123`, `t/slug/123/45` and the forms of the API; a slug is no bare number.
TOPIC = re.compile(
    r"(?P<root>/(?:.*/)?)t/(?:[^/]*[^/\d][^/]*/)?(?P<id>\d+)"
    r"(?:/(?:\d+|posts|last|print|summary))?(?:\.json|\.rss|\.html)?/?"
)
PER_PAGE = 20
SMALL_ACTION = 3
FILTERS = ("filter", "username_filters", "replies_to_post_number", "filter_upwards_post_id")
NOBODY = "[deleted]"


class Discourse:
    """The adapter; it has no state."""

    name = "discourse"
    html_style = HTML_STYLE

    def recognises(self, page: Response) -> bool:
        """By the keys of the API's answers, else by the generator that the HTML names."""
        if is_json(page.text):
            return bool(API.search(page.text))
        return bool(GENERATOR.search(page.text) or SETUP.search(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """/t/123, /t/slug/123, /t/slug/123/45, and the API's /t/123.json, /t/123/posts.json."""
        found = TOPIC.fullmatch(urlsplit(url).path) if is_absolute(url) else None
        if found is None:
            return None
        root = at_path(url, found["root"])
        return ThreadRef(self.name, root, found["id"], number_in(url, "page") or 0)

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """The API's page with that post, as long as none before it was deleted."""
        return _page(ref, (since - 1) // PER_PAGE + 1)

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises LoginRequired, AccessDenied, TopicMissing, PastTheEnd, LayoutChanged, IncompleteRead."""
        asked = query_of(page.url)
        if chosen := next((name for name in FILTERS if name in asked), None):
            raise IncompleteRead(
                f"{page.url} shows chosen posts only ({chosen}=…). Give the address of the topic without it."
            )

        if is_json(page.text):
            located = self.locate(page.url)
            answer = parse_json(page.text, page.url or "The answer")
            if look(answer, "post_stream") is None and look(answer, "latest_posts") is None:
                raise _refusal(page, answer)
            key = ("post_stream", "posts") if look(answer, "post_stream") is not None else ("latest_posts",)
            posts = entries(answer, *key)
            if not posts:
                if (number_in(page.url, "page") or 1) > 1:
                    raise past_the_end(page, f"{len(look(answer, 'post_stream', 'stream') or [])} posts")
                raise no_posts(page, Discourse.name, "the stream is empty")
            root = located.root if located else ""
            place = _place(page.url, answer, posts)

            # The topic that the answer is about; None for the newest posts of several topics.
            topics = {number_at(post, "topic_id") for post in posts}
            topic = number_at(answer, "id") or (topics.pop() if len(topics) == 1 else None)
            ref = ThreadRef(Discourse.name, root, str(topic)) if topic is not None else None
            return Chunk(
                title=text_at(answer, "title") or text_at(posts[0], "topic_title") or "",
                posts=tuple(_post(post, root) for post in posts),
                page=place.page,
                pages=place.pages,
                posts_total=place.total,
                following=_page(ref, place.following) if ref and root and place.following else None,
                thread=ref,
            )
        return read_crawler(page, self.locate)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the posts of an answer stand: `last` of `total` posts is on it."""

    page: int
    pages: int
    total: int | None
    following: int | None


def _page(ref: ThreadRef, number: int) -> Request:
    return Request(f"{ref.root}t/{ref.id}.json" + (f"?page={number}" if number > 1 else ""))


def _post(post: dict[str, Json], root: str) -> Post:
    number = need(post, int, "post_number")
    exact = machine_time(text_at(post, "created_at"))
    version = number_at(post, "version") or 1
    author_id = number_at(post, "user_id")
    # Flagged, or deleted by its author: a notice stands in its place. Staff still see what they deleted.
    is_hidden = bool(post.get("hidden") or post.get("user_deleted") or post.get("deleted_at"))
    reason = text_at(post, "edit_reason")
    edit_note = f"version {version}" + (f": {reason}" if reason else "") if version > 1 else None

    # The HTML of a post; a small action ("closed the topic") may have none.
    is_action = number_at(post, "post_type") == SMALL_ACTION
    body = text_at(post, "cooked") or "" if is_action else need(post, str, "cooked")
    return Post(
        id=PostId(str(need(post, int, "id"))),
        number=number,
        author=NOBODY if ("username" in post and post["username"] is None) else need(post, str, "username"),
        body=body,
        author_id=None if author_id is None else str(author_id),
        time=exact,
        approximate=exact is None,
        url=_permalink(post, root, number),
        edited=machine_time(text_at(post, "updated_at")) if version > 1 else None,
        edit_note=edit_note,
        hidden=is_hidden,
    )


def _permalink(post: dict[str, Json], root: str, number: int) -> str | None:
    topic = number_at(post, "topic_id")
    if not root or topic is None:
        return None
    return f"{root}t/{text_at(post, 'topic_slug') or '-'}/{topic}/{number}"


def _place(url: str, answer: Json, posts: list[dict[str, Json]]) -> _Place:
    """By the stream of all ids; without one (over 10,000 posts, posts.json) by the page that was asked for,
    else by numbers."""
    stream = look(answer, "post_stream", "stream") or []
    size = number_at(answer, "chunk_size") or PER_PAGE
    places = [stream.index(post["id"]) for post in posts if post.get("id") in stream]
    if places:
        first, last = min(places), max(places)
    elif asked := number_in(url, "page"):
        first, last = (asked - 1) * size, (asked - 1) * size + len(posts) - 1
    else:
        numbers = [need(post, int, "post_number") for post in posts]
        first, last = min(numbers) - 1, max(numbers) - 1
    total = len(stream) or _counted(answer, posts)
    page = first // size + 1
    if total is None or last + 1 >= total:
        return _Place(page, page, total, None)
    return _Place(page, max(ceil(total / size), page + 1), total, (last + 1) // size + 1)


def _counted(answer: Json, posts: list[dict[str, Json]]) -> int | None:
    """What the topic, or each topic that the posts are of, says of its length."""
    told = {number_at(post, "topic_id"): number_at(post, "posts_count") or 0 for post in posts}
    return number_at(answer, "posts_count") or sum(told.values()) or None


def _refusal(page: Response, answer: Json) -> KnightfallError:
    said = " ".join(map(str, look(answer, "errors") or []))
    kind = text_at(answer, "error_type")
    if kind == "not_logged_in" or page.status == 401:
        return login_required(page, said)
    if kind == "invalid_access" or page.status == 403:
        return access_denied(page, said)
    if kind == "not_found" or page.status in (404, 410):
        behind = (number_in(page.url, "page") or 1) > 1
        return past_the_end(page, "fewer pages") if behind else topic_missing(page, said)
    return no_posts(page, Discourse.name, said or "no post_stream in the answer")


DISCOURSE = Discourse()
