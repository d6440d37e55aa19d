"""What does a page of a vBulletin 4 thread hold?

The post's own text stands in a blockquote, and so do its edit notice and its signature, each with a class of
its own; quotes are divs. A blockquote inside the text is only an indent of the author's own words.
"""

from __future__ import annotations

import re
from datetime import datetime

from knightfall.forums.base import (
    Chunk,
    Draft,
    Request,
    Response,
    Site,
    ThreadRef,
    body_without_session,
    checked,
)
from knightfall.forums.html import Tag, attribute, every, inner, maybe, parse_page, with_id, words
from knightfall.forums.vbulletin import (
    amounts,
    chunk_of,
    edit_stamp,
    locate_thread,
    member_id,
    member_in,
    page_of,
    place_of,
    refusal,
    stamp_in,
)
from knightfall.markup.flavour import Flavour

FLAVOUR = Flavour(
    quotes=(".bbcode_quote", ".bbcode_container", ".quote_container"),
    quote_citations=("cite", ".bbcode_postedby", ".bbcode_description"),
    spoilers=(".spoiler", ".bbcode_spoiler", "details"),
    codes=("code", "pre", ".bbcode_code"),
    asides=(".signature", ".lastedited"),
)
OTHER = re.compile(r"""\bvb-page-body\b|content=["']vBulletin [356]""")
MARKS = re.compile(
    r"""\bid=["']vbulletin_html["']|content=["']vBulletin 4|<li[^>]*\bpostcontainer\b[^>]*\bid=["']post_\d"""
)
POST_ID = re.compile(r"post_(\d+)")
GONE = re.compile(r"delet|ignor", re.IGNORECASE)


class VBulletin4:
    """The adapter; it has no state."""

    name = "vbulletin4"
    flavour = FLAVOUR

    def recognises(self, page: Response) -> bool:
        """By the id of the page, its generator, or its list of posts."""
        return bool(MARKS.search(page.text)) and not OTHER.search(page.text)

    def locate(self, url: str) -> ThreadRef | None:
        """`showthread.php?12-slug/page3`, `showthread.php/12-slug`, `threads/12-slug`, `?t=12`, `?p=99`."""
        return locate_thread(self.name, url)

    def start(self, ref: ThreadRef, since: int = 1) -> Request:  # noqa: ARG002  # the size of pages is unknown
        """The first page: how many posts a page has, only a page can tell."""
        return page_of(ref)

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises LoginRequired, AccessDenied, TopicMissing, PastTheEnd, LayoutChanged, IncompleteRead."""
        tree = parse_page(page.text)
        boxes = with_id(tree, "li[id]", POST_ID)
        if not boxes:
            raise refusal(page, tree, ".standard_error, .blockrow.error", self.name, "a list of posts was")
        drafts = checked([_draft(box) for box in boxes], self.name, "post list")
        results = [words(tag) for tag in every(tree, ".postpagestats")]
        place = place_of(tree, ".pagination .popupctrl, .pagination_top .popupctrl", results)
        title = words(maybe(tree, ".threadtitle") or maybe(tree, "#pagetitle h1, h1") or maybe(tree, "title"))
        return chunk_of(page, tree, self.name, title, drafts, site, now, place)


def _draft(box: Tag) -> Draft:
    post = (attribute(box, "id") or "").removeprefix("post_")
    content = maybe(box, f"#post_message_{post} .postcontent, .postcontent:not(.lastedited)")
    name = maybe(box, ".username_container .username, .username") or maybe(box, 'a[href*="member"], strong')
    date = maybe(box, ".postdate")
    note = maybe(box, ".lastedited")
    hidden = content is None and GONE.search(attribute(box, "class") or "") is not None

    # In the name's own link, else (rewritten addresses) in the menu under it; a guest has neither.
    menu = maybe(box, ".memberaction, .username_container")
    author_id = member_id(attribute(name, "href")) or (member_in(menu) if menu else None)

    # "#661": the text of its link, else the name of its anchor.
    counter = maybe(box, ".postcounter")
    told = amounts(words(counter)) + amounts(attribute(maybe(box, '[id^="postcount"]'), "name") or "")
    return Draft(
        id=post,
        author=words(name) if name else None,
        author_id=author_id,
        number=told[0] if told else None,
        written=words(date) if date else stamp_in(box),
        body=body_without_session(inner(content).strip()) if content else "" if hidden else None,
        edit_note=words(note) if note else None,
        edit_stamp=edit_stamp(words(note)),
        hidden=hidden,
    )


VBULLETIN4 = VBulletin4()
