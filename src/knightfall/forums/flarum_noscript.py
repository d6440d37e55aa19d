"""What does a Flarum page tell a browser without scripts? Names and texts; no times, no ids, no numbers.

The last resort for a page whose own data is gone. Posts that are mentioned may stand on it as well, behind
those of the page, and cannot be told apart.
"""

from __future__ import annotations

from knightfall.errors import IncompleteRead
from knightfall.forums.adapter import Chunk, Request, Response, ThreadRef
from knightfall.forums.links import absolute, page_between
from knightfall.forums.refusals import no_posts
from knightfall.forums.soup import Tag, attribute, every, inner, maybe, one, parse_page, words
from knightfall.posts import Post, PostId

PAGE_SIZE = 20


def read_noscript(page: Response, located: ThreadRef | None) -> Chunk:
    """Posts without times. Raises LayoutChanged, and IncompleteRead where the page shows too many."""
    tree = parse_page(page.text)
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
        posts=tuple(_post(box, number) for number, box in enumerate(boxes, first)),
        page=here,
        pages=here + (1 if following else 0),
        following=Request(target) if target else None,
        thread=located,
    )


def _post(box: Tag, number: int) -> Post:
    return Post(
        id=PostId(f"n{number}"),
        number=number,
        author=words(one(box, ".PostUser-name")),
        body=inner(one(box, ".Post-body")).strip(),
        approximate=True,
    )


def _link(tree: Tag, name: str) -> str | None:
    return attribute(maybe(tree, f'link[rel="{name}"]'), "href")
