"""NodeBB: its JSON, and the page's own data."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from html import unescape
from urllib.parse import quote, urlsplit

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
    mentions,
    no_posts,
    number_in,
    past_the_end,
    topic_missing,
)
from knightfall.forums.dates import epoch_time, machine_time
from knightfall.forums.html import (
    Tag,
    attribute,
    classes,
    every,
    inner,
    maybe,
    one,
    parse_page,
    title_or_words,
    words,
)
from knightfall.forums.payload import (
    Json,
    embedded,
    entries,
    identity_at,
    is_json,
    look,
    need,
    number_at,
    parse_json,
    text_at,
)
from knightfall.forums.styles import STYLES
from knightfall.models import Post, PostId

BOXES = '[component="post"][data-pid]'


def has_posts(text: str) -> bool:
    """True where the page has posts at all."""
    return re.search(r"\bcomponent=[\"']?post[\"'\s][^<>]{0,500}\bdata-pid=", text) is not None


def read_components(
    page: Response, located: ThreadRef | None, ask: Callable[[ThreadRef, int], Request]
) -> Chunk:
    """`ask` makes the request for a page of a topic. Raises LayoutChanged."""
    tree = parse_page(page.text)
    root = located.root if located else ""
    topic = attribute(maybe(tree, '[component="topic"][data-tid]'), "data-tid")
    ref = ThreadRef("nodebb", root, topic) if topic else located
    here, pages = _paging(page, tree)
    return Chunk(
        title=words(maybe(tree, '[component="topic/title"]') or one(tree, "h1, title")),
        posts=tuple(_page_post(box, root) for box in every(tree, BOXES)),
        page=here,
        pages=pages,
        posts_total=_counted(tree),
        following=ask(ref, here + 1) if ref and root and here < pages else None,
        thread=ref,
    )


def _counted(tree: Tag) -> int | None:
    """How many posts the topic has: its counter may be short (“1.2k”), then its title is whole."""
    counter = maybe(tree, '[component="topic/post-count"]')
    told = title_or_words(counter) if counter is not None else ""
    return int(told) if told.isdecimal() else None


def _page_post(box: Tag, root: str) -> Post:
    pid, stamp = _attribute(box, "data-pid"), _attribute(box, "data-timestamp")
    time = epoch_time(int(stamp) / 1000) if stamp.isascii() and stamp.isdigit() else None

    # The notice is there for every post; one that was never edited names nobody and no instant.
    note = maybe(box, '[component="post/editor"]')
    if note is None:
        note = None
    else:
        named = attribute(note, "data-editor") or machine_time(attribute(maybe(note, "[title]"), "title"))
        note = note if named else None

    uid = attribute(box, "data-uid")
    return Post(
        id=PostId(pid),
        number=int(_attribute(box, "data-index")) + 1,
        author=_attribute(box, "data-username"),
        body=inner(one(box, '[component="post/content"]')).strip(),
        author_id=uid if uid and uid != "0" else None,
        time=time,
        approximate=time is None,
        url=f"{root}post/{pid}" if root else None,
        edited=machine_time(attribute(maybe(note, "[title]"), "title")) if note else None,
        edit_note=words(note) if note else None,
        hidden="deleted" in classes(box),
    )


def _attribute(box: Tag, name: str) -> str:
    value = attribute(box, name)
    if not value:
        raise LayoutChanged(
            f"A post ({attribute(box, 'data-pid') or 'without data-pid'}) has no {name}: the forum's layout "
            "changed (adapter nodebb). No count was made."
        )
    return value


def _paging(page: Response, tree: Tag) -> tuple[int, int]:
    """The active page and the last one that the pagination links to."""
    links = every(tree, '[component="pagination"] [data-page]')
    numbers = [
        int(shown) for shown in (attribute(link, "data-page") or "" for link in links) if shown.isdigit()
    ]
    active = maybe(
        tree, '[component="pagination"] .active [data-page], [component="pagination"] .active[data-page]'
    )
    here = int(attribute(active, "data-page") or 0) or number_in(page.url, "page") or 1
    return here, max([here, *numbers])


HTML_STYLE = STYLES["nodebb"]
# Keys that only an answer for a topic has, and the titles of refusals, which are words to be translated.
API = re.compile(r'"mainPid"\s*:|"title"\s*:\s*"\[\[(?:global|error):')
# The page's own data, else its posts.
PAGE = re.compile(
    r"<script\s[^<>]*\bid=[\"']?ajaxify-data[\"'\s>]|\bcomponent=[\"']?post[\"'\s][^<>]{0,500}\bdata-pid="
)
# `topic/5/slug/45`, below `api/` too, which is cut off the root.
TOPIC = re.compile(r"(?P<root>/(?:.*/)?)topic/(?P<id>\d+)(?:/[^/]*)?(?:/\d+)?/?")
PER_PAGE = 20
DATA = "ajaxify-data"


class NodeBB:
    """The adapter; it has no state."""

    name = "nodebb"
    html_style = HTML_STYLE

    def recognises(self, page: Response) -> bool:
        """By keys that only its answers have, else by the page's own data or components."""
        if is_json(page.text):
            return bool(API.search(page.text))
        return mentions(page, (DATA, "data-pid=")) and bool(PAGE.search(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """/topic/5, /topic/5/slug, /topic/5/slug/45, and all of them below /api."""
        found = TOPIC.fullmatch(urlsplit(url).path) if is_absolute(url) else None
        if found is None:
            return None
        path = found["root"].removesuffix("api/")
        root = at_path(url, path)
        return ThreadRef(self.name, root, found["id"], number_in(url, "page") or 0)

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """The API's page with that post, on a board with 20 posts a page."""
        return _page(ref, (since - 1) // PER_PAGE + 1)

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises LoginRequired, AccessDenied, TopicMissing, PastTheEnd, LayoutChanged, IncompleteRead."""
        located = self.locate(page.url)
        data = parse_json(page.text, page.url) if is_json(page.text) else embedded(page.text, DATA)
        if look(data, "posts") is not None:
            label = text_at(data, "sortOptionLabel") or ""
            order = text_at(data, "sortOption") or (label if label.startswith("[[topic:") else "oldest")
            if not order.removeprefix("[[topic:").startswith("oldest"):
                raise IncompleteRead(
                    f"The page does not show the posts in order of time ({order.strip('[]')}). "
                    "Set the topic to oldest first, and try again."
                )

            here = number_at(data, "pagination", "currentPage") or 1
            pages = number_at(data, "pagination", "pageCount") or 1
            posts = entries(data, "posts")
            if not posts or (number_in(page.url, "page") or 1) > pages:
                raise past_the_end(page, f"{pages} pages")
            root = located.root if located else ""
            ref = ThreadRef(NodeBB.name, root, identity_at(data, "tid"))
            return Chunk(
                title=text_at(data, "titleRaw") or unescape(need(data, str, "title")),
                posts=tuple(_post(post, root) for post in posts),
                page=here,
                pages=pages,
                posts_total=number_at(data, "postcount"),
                following=_page(ref, here + 1) if root and here < pages else None,
                thread=ref,
            )
        if is_json(page.text) or not has_posts(page.text):
            raise _refusal(page, data)
        return read_components(page, located, _page)


def _page(ref: ThreadRef, number: int) -> Request:
    """Oldest first, whatever the board's own order is."""
    address = f"{ref.root}api/topic/{ref.id}?sort=oldest_to_newest"
    return Request(address + (f"&page={number}" if number > 1 else ""))


def _post(post: dict[str, Json], root: str) -> Post:
    """A deleted post is a placeholder for whoever may not see it, and keeps its author."""
    pid, author_id = identity_at(post, "pid"), look(post, "uid")
    time = epoch_time(need(post, int, "timestamp") / 1000)

    # The name; for guests and accounts that are gone a word to be translated, as "[[global:guest]]".
    name = unescape(need(post, str, "user", "username"))
    author = name.removeprefix("[[global:").removesuffix("]]") if name.startswith("[[global:") else name
    if not number_at(post, "edited"):
        edit_note = None
    else:
        editor = text_at(post, "editor", "username")
        edit_note = f"last edited by {unescape(editor)}" if editor else "edited"

    edited = number_at(post, "edited")
    edited_at = epoch_time(edited / 1000) if edited else None
    return Post(
        id=PostId(pid),
        number=need(post, int, "index") + 1,
        author=author,
        body=need(post, str, "content"),
        author_id=str(author_id) if author_id else None,
        time=time,
        approximate=time is None,
        url=f"{root}post/{quote(pid, safe='')}" if root else None,
        edited=edited_at,
        edit_note=edit_note,
        hidden=bool(post.get("deleted")),
    )


def _refusal(page: Response, data: Json) -> KnightfallError:
    """By the template that the page is made of, or the answer's title, else by the status."""
    kind = text_at(data, "template", "name") or (text_at(data, "title") or "").strip("[]")
    said = unescape(text_at(data, "error") or "")
    if kind == "login" or page.status == 401:
        return login_required(page, said)
    if "403" in kind or page.status == 403:
        return access_denied(page, said)
    if "404" in kind or page.status in (404, 410):
        behind = (number_in(page.url, "page") or 1) > 1
        return past_the_end(page, "fewer pages") if behind else topic_missing(page, said)
    return no_posts(page, NodeBB.name, f"it is a page of the kind “{kind or 'unknown'}”")


NODEBB = NodeBB()
