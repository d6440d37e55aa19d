"""What does a page of a NodeBB topic hold? The API's JSON, the same inside the page, else the page itself.

Numbers count from 1 (`index` from 0); deleted posts keep theirs. Names and titles are HTML-escaped in the
JSON. A page behind the end answers 404, or no posts at all where the board scrolls endlessly.
"""

from __future__ import annotations

import re
from datetime import datetime
from html import unescape
from urllib.parse import quote, urlsplit

from knightfall.errors import IncompleteRead, KnightfallError
from knightfall.forums.adapter import Chunk, Request, Response, Site, ThreadRef
from knightfall.forums.links import at_path, is_absolute, number_in
from knightfall.forums.nodebb_page import has_posts, read_components
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
from knightfall.forums.refusals import access_denied, login_required, no_posts, past_the_end, topic_missing
from knightfall.forums.stamps import epoch_time
from knightfall.markup.flavour import Flavour
from knightfall.posts import Post, PostId

FLAVOUR = Flavour(
    quotes=("blockquote",),
    quote_citations=("cite",),
    asides=(".signature", ".post-signature"),
    votes=(),
    mentions=("a.plugin-mentions-a", "a.plugin-mentions-user", "a.mention"),
)
API = re.compile(r'"mainPid"\s*:|"title"\s*:\s*"\[\[(?:global|error):')
PAGE = re.compile(r"<script\s[^>]*\bid=[\"']ajaxify-data[\"']|\bcomponent=[\"']post[\"'][^>]*\bdata-pid=")
TOPIC = re.compile(r"(?P<root>/(?:.*/)?)topic/(?P<id>\d+)(?:/[^/]*)?(?:/\d+)?/?")
PER_PAGE = 20
DATA = "ajaxify-data"


class NodeBB:
    """The adapter; it has no state."""

    name = "nodebb"
    flavour = FLAVOUR

    def recognises(self, page: Response) -> bool:
        """By keys that only its answers have, else by the page's own data or components."""
        return bool((API if is_json(page.text) else PAGE).search(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """/topic/5, /topic/5/slug, /topic/5/slug/45, and the same below /api."""
        found = TOPIC.fullmatch(urlsplit(url).path) if is_absolute(url) else None
        if found is None:
            return None
        path = found["root"].removesuffix("api/")
        root = at_path(url, path)
        return ThreadRef(self.name, root, found["id"], number_in(url, "page") or 0)

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """The API's page with that post, on a board with 20 posts a page."""
        return _page(ref, (since - 1) // PER_PAGE + 1)

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:  # noqa: ARG002 its times are exact
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
