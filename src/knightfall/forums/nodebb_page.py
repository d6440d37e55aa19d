"""What does a NodeBB page show where its own data is gone, as in pages that a browser saved?

NodeBB marks what its scripts work with by `component` attributes, in every theme.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from knightfall.errors import LayoutChanged
from knightfall.forums.adapter import Chunk, Request, Response, ThreadRef
from knightfall.forums.links import number_in
from knightfall.forums.soup import Tag, attribute, classes, every, inner, maybe, one, parse_page, words
from knightfall.forums.stamps import epoch_time, machine_time
from knightfall.posts import Post, PostId

BOXES = '[component="post"][data-pid]'


def has_posts(text: str) -> bool:
    """True where the page has posts at all."""
    return re.search(r"\bcomponent=[\"']post[\"'][^>]*\bdata-pid=", text) is not None


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
        posts=tuple(_post(box, root) for box in every(tree, BOXES)),
        page=here,
        pages=pages,
        following=ask(ref, here + 1) if ref and root and here < pages else None,
        thread=ref,
    )


def _post(box: Tag, root: str) -> Post:
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
