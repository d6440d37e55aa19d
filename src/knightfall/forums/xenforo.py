"""What do XenForo 1 and 2 share? The addresses of threads and posts, and how numbers and pages follow on.

A board without friendly URLs has `index.php?` before each route; it is then the end of the thread's root.
Routes may be renamed ("topics/slug.12/"): then only the page's own key tells the thread.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from knightfall.forums.base import (
    Chunk,
    Clockwork,
    Draft,
    Request,
    Response,
    Site,
    ThreadRef,
    absolute,
    base_of,
    folder_of,
    is_absolute,
    numbered,
    own_request,
    own_thread,
    posts_of,
    refuse_beyond,
)
from knightfall.forums.html import Tag, attribute, every, maybe, words

THREAD = re.compile(
    r"(?P<root>.*?(?:/|index\.php\?))threads/(?:[^/?&#]*\.)?(?P<id>\d{1,15})"
    r"(?=[/?&#]|$)(?:/page-?(?P<page>\d{1,6}))?",
    re.IGNORECASE,
)
POST = re.compile(r"(?P<root>.*?(?:/|index\.php\?))posts/(?P<id>\d{1,15})(?=[/?&#]|$)", re.IGNORECASE)
JUMP = re.compile(r"(?P<root>.*?(?:/|index\.php\?))goto/post[?&]id=(?P<id>\d{1,15})", re.IGNORECASE)
NUMBER = re.compile(r"#\s?(\d[\d.,'’\s]*)")
USUAL_SIZE = 20


@dataclass(frozen=True, slots=True)
class Place:
    """The page's number, how many there are, and the link to the next as the page writes it."""

    page: int
    pages: int
    link: str | None = None


def locate_thread(platform: str, url: str) -> ThreadRef | None:
    """`threads/slug.12/page-3`, `posts/99/` and the same behind `index.php?`."""
    if not is_absolute(url):
        return None
    if found := THREAD.match(url):
        return ThreadRef(platform, found["root"], found["id"], int(found["page"] or 0))
    found = POST.match(url) or JUMP.match(url)
    return ThreadRef(platform, found["root"], f"p{found['id']}") if found else None


def page_of(ref: ThreadRef, number: int = 1) -> Request:
    """A page of a thread; the board sends us on to the address with the title in it."""
    if ref.id.startswith("p"):
        return Request(f"{ref.root}posts/{ref.id[1:]}/")
    return Request(f"{ref.root}threads/{ref.id}/" + (f"page-{number}" if number > 1 else ""))


def shown_number(text: str) -> int | None:
    """ "#1,024" in whatever digits; None for anything else."""
    found = NUMBER.fullmatch(text.strip())
    return int(re.sub(r"\D", "", found[1])) if found else None


def whole(text: str | None) -> int | None:
    """A plain number in whatever digits."""
    digits = re.sub(r"[.,'’\s]", "", text or "")
    return int(digits) if digits.isdecimal() and len(digits) < 12 else None


def chunk_of(
    page: Response,
    tree: Tag,
    platform: str,
    title: str,
    drafts: Sequence[Draft],
    site: Site,
    clock: Clockwork,
    place: Place,
) -> Chunk:
    """The page's posts in the thread. Raises PastTheEnd where the URL asks for a later page than there is."""
    asked = locate_thread(platform, page.url)
    refuse_beyond(page, asked.start if asked else 0, place.pages)
    ref = thread_of(platform, page, tree)
    size = site.posts_per_page or (len(drafts) if place.page < place.pages else USUAL_SIZE)
    counted = numbered(drafts, (place.page - 1) * size + site.first_number)

    # The page's own link to the next page where there is one: it needs no detour over the title.
    if place.page >= place.pages:
        following = None
    else:
        following = own_request(page, tree, place.link) or (page_of(ref, place.page + 1) if ref else None)
    return Chunk(
        title=title,
        posts=posts_of(counted, partial(_permalink, ref), clock),
        page=place.page,
        pages=place.pages,
        following=following,
        thread=ref,
    )


def thread_of(platform: str, page: Response, tree: Tag) -> ThreadRef | None:
    """The thread that the page says it is of, on the page's own server; else what its address says."""
    links = [attribute(tag, "href") for tag in every(tree, 'link[rel="canonical"]')]
    ref = own_thread(page, tree, filter(None, (*links, page.url)), partial(locate_thread, platform))
    return ref or _by_key(platform, base_of(page, tree), tree)


def _by_key(platform: str, base: str, tree: Tag) -> ThreadRef | None:
    """`data-content-key="thread-12"`: the page's own word where the route is a renamed one."""
    found = re.fullmatch(r"thread-(\d+)", attribute(maybe(tree, "html"), "data-content-key") or "")
    home = absolute(base, attribute(maybe(tree, ".p-header-logo a[href]"), "href") or "") if found else None
    return ThreadRef(platform, folder_of(home), found[1]) if found and home else None


def _permalink(ref: ThreadRef | None, post: str) -> str | None:
    return f"{ref.root}posts/{post}/" if ref else None


def spoken(heading: Tag | None, besides: str) -> str:
    """The text of a heading without the labels and tools in it."""
    text = words(heading)
    for tag in every(heading, besides) if heading else []:
        text = text.replace(words(tag), "", 1)
    return " ".join(text.split())
