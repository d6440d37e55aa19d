"""What does the HTML hold that Discourse serves to crawlers and to browsers without scripts?

Posts have no ids there, and the stamp of the last change instead of an edit notice.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from knightfall.errors import KnightfallError
from knightfall.forums.adapter import Chunk, Request, Response, ThreadRef
from knightfall.forums.links import absolute, number_in, page_between
from knightfall.forums.refusals import access_denied, login_required, no_posts, topic_missing
from knightfall.forums.soup import Tag, attribute, every, inner, maybe, one, parse_page, words
from knightfall.forums.stamps import machine_time
from knightfall.posts import Post, PostId

BOXES = '.crawler-post:not([role="navigation"])'
"""The posts; the link to the next page is dressed as one."""
Locate = Callable[[str], ThreadRef | None]


def read_crawler(page: Response, locate: Locate) -> Chunk:
    """Raises LoginRequired, AccessDenied, TopicMissing, LayoutChanged."""
    tree = parse_page(page.text)
    boxes = every(tree, BOXES)
    if not boxes:
        raise _refusal(page, tree)
    ref = _thread(page, tree, locate)
    here, following = _paging(page, tree)
    return Chunk(
        title=words(maybe(tree, "#topic-title h1") or one(tree, "h1, title")),
        posts=tuple(_post(box, ref) for box in boxes),
        page=here,
        pages=here + (1 if _next(tree) else 0),
        following=Request(following) if following else None,
        thread=ref,
    )


def _post(box: Tag, ref: ThreadRef | None) -> Post:
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
        body=inner(one(box, 'div.post, [itemprop="articleBody"], [itemprop="text"]')).strip(),
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


def _refusal(page: Response, tree: Tag) -> KnightfallError:
    said = words(maybe(tree, "#main-outlet h1, #main-outlet h2, .page-not-found h1") or one(tree, "title"))
    if page.status == 401 or page.url.partition("?")[0].endswith("/login") or maybe(tree, ".login-welcome"):
        return login_required(page)
    if page.status == 403:
        return access_denied(page, said)
    if page.status in (404, 410) or maybe(tree, ".page-not-found"):
        return topic_missing(page, said)
    return no_posts(page, "discourse", "no .crawler-post in its HTML; its address in the API may do")
