"""Reddit: the listings of a thread's .json address, which are the submission and its comments.

Comments are a tree; votes go by time, so posts are put in order of time and numbered in that order, the
submission first. What a `more` object holds back is missing: the total says so, and no count is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape
from urllib.parse import urlsplit

from knightfall.errors import IncompleteRead, KnightfallError, LayoutChanged
from knightfall.forums.base import (
    Chunk,
    Request,
    Response,
    Site,
    ThreadRef,
    access_denied,
    at_path,
    is_absolute,
    login_required,
    no_posts,
    topic_missing,
)
from knightfall.forums.dates import epoch_time, machine_time
from knightfall.forums.html import Tag, attribute, every, inner, maybe, own_part, parse_page, words
from knightfall.forums.payload import Json, entries, is_json, look, need, number_at, parse_json, text_at
from knightfall.forums.styles import STYLES
from knightfall.models import Post, PostId

HTML_STYLE = STYLES["reddit"]
LISTING = re.compile(r'"kind"\s*:\s*"Listing"')
ERROR = re.compile(r'\{[^{}]{0,2000}"error"\s*:\s*\d{3}\b[^{}]{0,2000}\}\s*')
# `/r/games/comments/abc123/slug/`, of a user's page too, and `/comments/abc123`.
THREAD = re.compile(r"/(?:(?:r|u|user)/[^/]+/)?comments/(?P<id>[0-9a-z]+)(?:/.*|\.json)?", re.IGNORECASE)
# The wrapper that the API puts around each body.
WRAPPED = re.compile(
    r'\s*(?:<!-- SC_OFF -->)?\s*<div class="md">(?P<body>.*)</div>\s*(?:<!-- SC_ON -->)?\s*', re.DOTALL
)
UNTIMED = datetime.min.replace(tzinfo=UTC)
GONE = ("[deleted]", "[removed]", "[ Removed by Reddit ]", "[unavailable]")


class Reddit:
    """The adapter; it has no state."""

    name = "reddit"
    html_style = HTML_STYLE

    def recognises(self, page: Response) -> bool:
        """By listings, or a bare error object."""
        return is_json(page.text) and bool(LISTING.search(page.text) or ERROR.fullmatch(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """/r/games/comments/abc123/slug/ and /comments/abc123, with or without .json."""
        found = THREAD.fullmatch(urlsplit(url).path) if is_absolute(url) else None
        if found is None:
            return None
        return ThreadRef(self.name, at_path(url, "/"), found["id"].lower())

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """The whole thread as far as one answer holds it, oldest first."""
        return Request(f"{ref.root}comments/{ref.id}.json?limit=500&sort=old&raw_json=1")

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises LoginRequired, AccessDenied, TopicMissing, LayoutChanged, IncompleteRead."""
        if not is_json(page.text):
            return _read_drawn(page, self.locate(page.url))
        answer = parse_json(page.text, page.url or "The answer")
        if not isinstance(answer, list):
            raise _refusal(page, answer)
        located = self.locate(page.url)
        root = located.root if located else ""
        heads = [thing for listing in answer[:1] for thing in _things(listing) if thing.get("kind") == "t3"]
        if len(answer) != 2 or len(heads) != 1:
            raise no_posts(page, Reddit.name, "expected one submission and the listing of its comments")
        head = need(heads[0], dict, "data")
        tree = list(_flat(answer[1]))

        # A link to one comment shows its branch only: the first comment answers another one.
        first = next((data for kind, data in tree if kind == "t1"), None)
        parent = text_at(first, "parent_id")
        if parent is not None and parent != f"t3_{head.get('id')}":
            raise IncompleteRead(
                "The answer holds one branch of the comments only. Give the address of the whole thread."
            )

        comments = [_post(data, root, "body") for kind, data in tree if kind == "t1"]
        posts = [_post(head, root, "selftext"), *sorted(comments, key=_age)]

        # Without raw_json=1 everything is escaped once more.
        title = need(head, str, "title")
        html = text_at(head, "selftext_html") or ""
        plain = unescape(title) if html.lstrip().startswith("&lt;") else title
        return Chunk(
            title=plain,
            posts=tuple(replace(post, number=number) for number, post in enumerate(posts, start=1)),
            page=1,
            pages=1,
            posts_total=len(posts) + sum(_held_back(data) for kind, data in tree if kind == "more"),
            thread=ThreadRef(Reddit.name, root, need(head, str, "id")),
        )


def _things(listing: Json) -> list[dict[str, Json]]:
    return entries(listing, "data", "children")


def _flat(listing: Json) -> Iterator[tuple[str, dict[str, Json]]]:
    """Kind and data of everything in a listing, depth first as the page shows it."""
    for thing in _things(listing):
        data = need(thing, dict, "data")
        yield need(thing, str, "kind"), data
        if look(data, "replies", "data") is not None:
            yield from _flat(data["replies"])


def _held_back(more: dict[str, Json]) -> int:
    """How many comments a `more` object stands for; "continue this thread" does not say, but one at least."""
    return max(number_at(more, "count") or 0, len(look(more, "children") or []), 1)


def _age(post: Post) -> tuple[datetime, int]:
    """Comments of one second go by their ids, which rise."""
    return post.time or UNTIMED, int(post.id.partition("_")[2], 36)


def _post(data: dict[str, Json], root: str, text: str) -> Post:
    """`text` names the field of the body: "body" of a comment, "selftext" of a submission."""
    author, link = need(data, str, "author"), text_at(data, "permalink")
    raw = look(data, text)
    edited = look(data, "edited")
    created = epoch_time(look(data, "created_utc"))
    if created is None:
        raise LayoutChanged(
            f"{data.get('name')} does not tell when it was written: created_utc (adapter reddit). "
            "No count was made."
        )

    # The HTML of a body without the wrapper around it; a link's submission has none.
    html = look(data, f"{text}_html")
    if html is None:
        body = ""
    else:
        whole = unescape(html) if html.lstrip().startswith("&lt;") else html
        found = WRAPPED.fullmatch(whole)
        body = (found["body"] if found else whole).strip()

    return Post(
        id=PostId(need(data, str, "name")),
        number=0,
        author=author,
        body=body,
        author_id=text_at(data, "author_fullname"),
        time=created,
        url=root.rstrip("/") + link if root and link else None,
        edited=epoch_time(edited),
        edit_note="edited" if edited else None,
        hidden=raw in GONE,
    )


def _read_drawn(page: Response, located: ThreadRef | None) -> Chunk:
    """The thread as a browser draws it, new or old: the comments that were unfolded, in order of time. The
    submission tells how many there are."""
    tree = parse_page(page.text)
    head = maybe(tree, "shreddit-post, .thing.link[data-fullname]")
    boxes = every(tree, "shreddit-comment[thingid], .thing.comment[data-fullname]")
    if head is None or not boxes:
        raise no_posts(page, Reddit.name, "a submission and its comments were looked for")
    if maybe(tree, 'shreddit-comment[depth="0"]') is None and boxes[0].tag == "shreddit-comment":
        raise IncompleteRead(
            "The page holds one branch of the comments only. Open the whole thread, and copy or save that."
        )
    counted = attribute(head, "comment-count") or attribute(head, "data-comments-count") or ""
    root = located.root if located else "https://www.reddit.com/"
    identity = (attribute(head, "id") or attribute(head, "data-fullname") or "").removeprefix("t3_")
    posts = [_drawn_post(head, root), *sorted((_drawn_post(box, root) for box in boxes), key=_age)]
    return Chunk(
        title=attribute(head, "post-title") or words(maybe(head, "a.title") or maybe(tree, "h1")),
        posts=tuple(replace(post, number=number) for number, post in enumerate(posts, start=1)),
        page=1,
        pages=1,
        posts_total=int(counted) + 1 if counted.isdecimal() else None,
        thread=ThreadRef(Reddit.name, root, identity) if identity else located,
    )


def _drawn_post(box: Tag, root: str) -> Post:
    """A submission or a comment; replies are nested in the comment that they answer."""
    name = next(filter(None, (attribute(box, key) for key in ("thingid", "data-fullname", "id"))), "")
    told = next(
        filter(
            None,
            (
                attribute(box, "created"),
                attribute(box, "created-timestamp"),
                attribute(own_part(box, "faceplate-timeago[ts]", "comment"), "ts"),
                attribute(own_part(box, ".tagline time[datetime]", "comment"), "datetime"),
            ),
        ),
        None,
    )
    created = machine_time(told)
    author = attribute(box, "author") or attribute(box, "data-author")
    if created is None or not name:
        raise LayoutChanged(
            f"{name or 'A comment'} does not tell when it was written (adapter reddit). No count was made."
        )
    # Only its own text: the first, for those of its replies follow.
    text = maybe(box, f'[id="{name}-comment-rtjson-content"], [id="{name}-post-rtjson-content"]') or maybe(
        box, '[slot="comment"], [slot="text-body"], .entry > .usertext .md, .expando .usertext-body .md'
    )
    link = attribute(box, "permalink") or attribute(box, "data-permalink")
    gone = author in (None, *GONE)
    return Post(
        id=PostId(name),
        number=0,
        author=author or GONE[0],
        body=inner(text).strip() if text is not None and not gone else "",
        time=created,
        url=root.rstrip("/") + link if link and link.startswith("/") else link,
        hidden=gone,
    )


def _refusal(page: Response, answer: Json) -> KnightfallError:
    status = number_at(answer, "error") or page.status
    said = text_at(answer, "reason") or text_at(answer, "message") or ""
    if status == 401:
        return login_required(page, said)
    if status == 403:
        return access_denied(page, said)
    if status in (404, 410):
        return topic_missing(page, said)
    return no_posts(page, Reddit.name, "expected the submission and its comments")


REDDIT = Reddit()
