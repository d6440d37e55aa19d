"""What does a page of a vBulletin 3 thread hold?

A post is a table. Its body has no classes of its own: what stands in a table there is a quote, what stands in
an inset box is a spoiler or code, and a blockquote is only an indent of the author's own words.
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
from knightfall.forums.dates import CLOCK
from knightfall.forums.html import (
    Tag,
    attribute,
    every,
    holds,
    inner,
    maybe,
    own_words,
    parse_page,
    words,
    words_after,
)
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
    quotes=("table", ".quote", ".bbcode_quote"),
    quote_citations=("cite", "div.smallfont"),
    spoilers=("div.alt2", ".spoiler", "details"),
    codes=("code", "pre"),
    asides=(".signature",),
)
NEWER = re.compile(r"""\bvbulletin_html\b|\bvb-page-body\b|content=["']vBulletin [456]""")
MARKS = re.compile(
    r"""content=["']vBulletin 3|\bid=["']vbulletin_css["']|vbulletin_global\.js|\bvbmenu_register\(|"""
    r"""\bid=["']post_message_\d"""
)
POST_ID = re.compile(r"(post|edit)(\d+)")
MEMBER_LINK = 'a[href*="member"]'


class VBulletin3:
    """The adapter; it has no state."""

    name = "vbulletin3"
    flavour = FLAVOUR

    def recognises(self, page: Response) -> bool:
        """By its scripts and styles, where nothing says that it is a later vBulletin."""
        return bool(MARKS.search(page.text)) and not NEWER.search(page.text)

    def locate(self, url: str) -> ThreadRef | None:
        """`showthread.php?t=12&page=3`, `?p=99` and the addresses of later versions."""
        return locate_thread(self.name, url)

    def start(self, ref: ThreadRef, since: int = 1) -> Request:  # noqa: ARG002  # the size of pages is unknown
        """The first page: how many posts a page has, only a page can tell."""
        return page_of(ref)

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises LoginRequired, AccessDenied, TopicMissing, PastTheEnd, LayoutChanged, IncompleteRead."""
        tree = parse_page(page.text)

        # `#post12`, a table in all stock themes; where a theme dropped it, `#edit12` around it.
        found = [(POST_ID.fullmatch(attribute(tag, "id") or ""), tag) for tag in every(tree, "[id]")]
        kinds = {kind: [tag for mark, tag in found if mark and mark[1] == kind] for kind in ("post", "edit")}
        boxes = kinds["post"] or kinds["edit"]
        if not boxes:
            tried = "tables of posts were looked for"
            raise refusal(page, tree, ".panelsurround, td.alt1 .panel, .panel", self.name, tried)
        drafts = checked([_draft(box) for box in boxes], self.name, "post tables")
        results = [attribute(tag, "title") or "" for tag in every(tree, ".pagenav [title]")]
        place = place_of(tree, ".pagenav .vbmenu_control", results)
        title = words(maybe(tree, "td.navbar strong, .navbar strong") or maybe(tree, "title"))
        return chunk_of(page, tree, self.name, title, drafts, site, now, place)


def _draft(box: Tag) -> Draft:
    post = re.sub(r"\D", "", attribute(box, "id") or "")
    content = maybe(box, f"#post_message_{post}")

    # The notice stands in small italics under the body.
    notes = (tag for tag in every(box, "div.smallfont em") if content and not holds(content, tag))
    note = next((tag for tag in notes if CLOCK.search(words(tag).lower())), None)
    hidden = content is None and maybe(box, f"#td_post_{post}") is None
    # The notice that stands for a deleted post, or for an ignored member's, names the author first.
    name = (maybe(box, MEMBER_LINK) or maybe(box, "strong")) if hidden else _author(box, post)
    if name is None:
        author = None
    elif name.name == "a":
        author = words(name)
    else:
        author = own_words(name) or words(name)
    anchor = maybe(box, f'a[name="post{post}"]')
    beside = words_after(anchor, anchor.parent) if anchor and anchor.parent else ""
    written = beside if CLOCK.search(beside.lower()) else stamp_in(box)

    # "#3021": the name of its anchor, else its text.
    counter = maybe(box, '[id^="postcount"]')
    told = amounts(attribute(counter, "name") or "") or amounts(words(counter))
    return Draft(
        id=post,
        author=author,
        author_id=member_id(attribute(name, "href")) or (member_in(name) if name else None),
        number=told[0] if told else None,
        written=written,
        body=body_without_session(inner(content).strip()) if content else "" if hidden else None,
        edit_note=words(note) if note else None,
        edit_stamp=edit_stamp(words(note)),
        hidden=hidden,
    )


def _author(box: Tag, post: str) -> Tag | None:
    """The member's link; a guest's name stands bare in the menu."""
    menu = maybe(box, f"#postmenu_{post}")
    return maybe(box, ".bigusername") or (maybe(menu, MEMBER_LINK) if menu else None) or menu


VBULLETIN3 = VBulletin3()
