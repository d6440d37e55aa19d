"""vBulletin 3, 4 and 5.

Rewriting add-ons (vBSEO) hide the ids in the addresses; the forms and menus of a page still tell them.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import tzinfo
from typing import cast
from urllib.parse import urlsplit

from knightfall.errors import KnightfallError
from knightfall.forums.base import (
    Draft,
    HtmlForum,
    Paging,
    Request,
    Response,
    Site,
    ThreadRef,
    absolute,
    access_denied,
    base_of,
    body_without_session,
    folder_of,
    is_absolute,
    login_required,
    marked,
    mentions,
    number_in,
    numbered,
    own_thread,
    refuse_beyond,
    refused,
    thread_asked,
)
from knightfall.forums.dates import CLOCK, unix_stamp, zone_beside, zone_offset
from knightfall.forums.html import (
    Tag,
    attribute,
    every,
    first_of,
    holds,
    inner,
    maybe,
    own_part,
    own_words,
    text_of,
    with_id,
    worded,
    words,
    words_after,
)
from knightfall.forums.styles import STYLES

# The scripts that show a thread, its print view, or one post.
FILE = re.compile(r"/(?:showthread|printthread|showpost)\.php", re.IGNORECASE)
# The board's own archive: `archive/index.php/t-12-p-3.html`, or behind a question mark.
ARCHIVE_PAGE = re.compile(
    r"(?P<root>.*/)archive/index\.php[/?]t-(?P<id>\d{1,15})(?:-p-(?P<page>\d{1,6}))?\.html", re.IGNORECASE
)
# `showthread.php?12-slug/page3`, `showthread.php/12-slug/page3` and `threads/12-slug/page3`.
NAMED = re.compile(
    r"(?P<root>.*/)(?:showthread\.php[/?]|threads/)(?P<id>\d{1,15})(?:-[^/?&#]*)?"
    r"(?:/page(?P<page>\d{1,6}))?(?=[/?&#]|$)",
    re.IGNORECASE,
)
MEMBER = re.compile(r"member(?:\.php[/?]|s?/)(\d+)(?!\d)")
MEMBER_LINK = 'a[href*="member"]'
# A number, grouped or not, as one.
AMOUNT = re.compile(r"\d+(?:[.,'’\u00a0 ]\d{3})*(?!\d)")
LONGEST_STAMP = 60
ARCHIVE_TITLE = "p.largefont > a[href]"
"""What leads from the archive to the thread."""
GONE = re.compile(r"delet|ignor", re.IGNORECASE)


class _VBulletin(HtmlForum):
    """What the versions share: a hidden post may have no number; the board tells the zone of its clock."""

    def numbered(self, drafts: list[Draft], first: int) -> Iterable[tuple[int, Draft]]:
        return numbered(drafts, first)

    def zone(self, tree: Tag, site: Site) -> tzinfo | None:
        """ "All times are GMT -5. The time now is 00:08." at the foot of the page."""
        for tag in every(tree, "#footer_time, #footer-current-datetime, div.smallfont[align=center]"):
            if zone := zone_offset(words(tag)):
                return zone
        return None


class _ShowThread(_VBulletin):
    """What versions 3 and 4 share: addresses, and the lines that tell a page's place."""

    software = "vBulletin"
    dates_tell_order = True
    place: str
    """Where "Page 2 of 5" stands."""

    def locate(self, url: str) -> ThreadRef | None:
        """`showthread.php?t=12&page=3`, `?p=99`, `?12-slug/page3`, and `threads/12-slug/page3`; the thread in
        the board's archive."""
        if not is_absolute(url):
            return None
        if archived := ARCHIVE_PAGE.match(url):
            return ThreadRef(self.name, archived["root"], archived["id"], int(archived["page"] or 0))
        if found := NAMED.match(url):
            page = int(found["page"] or 0) or number_in(url, "page") or 0
            return ThreadRef(self.name, found["root"], found["id"], page)
        if not FILE.search(urlsplit(url).path):
            return None
        return thread_asked(self.name, url, "t", "p", number_in(url, "page") or 0)

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """The first page: how many posts a page has, only a page can tell."""
        return _page_of(ref)

    def refusal(self, page: Response, tree: Tag) -> KnightfallError:
        """A login bar may stand on every page; a login form that refuses stands in the message."""
        message = first_of(tree, self.messages)
        if message is None:
            return self.no_posts(page)
        if maybe(message, 'input[type="password"]'):
            return login_required(page)
        return refused(page, words(message))

    def thread(self, page: Response, tree: Tag) -> ThreadRef | None:
        """As the page's links say, else a form on it, on the page's own server; else as its address does."""
        places = {
            'link[rel="canonical"]': "href",
            ".threadtitle a": "href",
            "td.navbar > a": "href",
            "form.pagination": "action",
            ".pagenav a": "href",
            ARCHIVE_TITLE: "href",
        }
        found = (attribute(tag, name) for selector, name in places.items() for tag in every(tree, selector))
        links = [link for link in found if link]
        if ref := own_thread(page, tree, (*links, page.url), self.locate):
            return ref
        told = attribute(maybe(tree, 'form input[name="t"][value]'), "value") or ""
        home = absolute(base_of(page, tree), "") or ""
        return ThreadRef(self.name, folder_of(home), told) if told.isdecimal() and home else None

    @abstractmethod
    def results(self, tree: Tag) -> Sequence[str]:
        """Texts like "Results 21 to 40 of 96" and titles of links to pages, whatever their language."""

    def paging(self, page: Response, tree: Tag, site: Site, drafts: list[Draft]) -> Paging:
        numbers = _amounts(words(maybe(tree, self.place)))
        link = attribute(maybe(tree, 'a[rel="next"][href], link[rel="next"][href]'), "href")
        here = min(numbers, default=1)
        pages = max([here + (link is not None), *numbers])
        totals = [found for found in map(_amounts, self.results(tree)) if len(found) > 2]
        total = max(totals[0]) if totals else None
        asked = self.locate(page.url)
        refuse_beyond(page, asked.start if asked else number_in(page.url, "page") or 0, pages)

        # How many posts come before the page, for boxes that show no number: the last page is counted from
        # the end, for it is shorter. Hidden posts are not in the total.
        shown = sum(not draft.hidden for draft in drafts)
        if here == pages and total is not None:
            start = max(0, total - shown)
        else:
            start = (here - 1) * (site.posts_per_page or shown)
        return Paging(here, pages, start, total=total, link=link)

    def next_page(self, thread: ThreadRef, paging: Paging) -> Request | None:
        return _page_of(thread, paging.page + 1)

    def permalink(self, thread: ThreadRef, post: str, number: int) -> str | None:
        return f"{thread.root}showthread.php?p={post}#post{post}" if post else None

    def must_rise(self, draft: Draft) -> bool:
        return not draft.hidden

    def message_draft(self, row: Tag) -> Draft:
        """The box of a message is that of a post without an id; the page's buttons tell the message's."""
        text = maybe(row, "#post_message_")
        links = every(cast(Tag, row.getroottree().getroot()), 'a[href*="pmid="]')
        buttons = (attribute(link, "href") or "" for link in links if text is None or not holds(text, link))
        message = next(filter(None, (number_in(link, "pmid") for link in buttons)), "")
        return replace(self.draft(row), id=str(message))


def _page_of(ref: ThreadRef, number: int = 1) -> Request:
    """A page of a thread, in the form that every version and every rewriting board understands."""
    if ref.id.startswith("p"):
        return Request(f"{ref.root}showthread.php?p={ref.id[1:]}")
    return Request(f"{ref.root}showthread.php?t={ref.id}" + (f"&page={number}" if number > 1 else ""))


def _amounts(text: str) -> list[int]:
    """The numbers in a text, "3,086" read as one."""
    return [int(re.sub(r"\D", "", found)) for found in AMOUNT.findall(text)]


def _member_id(link: str | None) -> str | None:
    """`member.php?u=12`, `member.php/12-name`, `members/12_name.html`, `search.php?…&userid=12`."""
    if link is None:
        return None
    told = number_in(link, "u") or number_in(link, "userid")
    found = MEMBER.search(link)
    return str(told) if told else found[1] if found else None


def _member_in(box: Tag) -> str | None:
    """The id of the member whose menu stands in a box; None for a guest."""
    links = every(box, 'a[href*="member"], a[href*="u="], a[href*="userid="]')
    return next((found for link in links if (found := _member_id(attribute(link, "href")))), None)


def _stamp_in(box: Tag) -> str:
    """The first short text with a time of day: themes move the date about."""
    texts = (own_words(tag) for tag in every(box, "td, dd, li, div, span"))
    return next((text for text in texts if len(text) <= LONGEST_STAMP and CLOCK.search(text.lower())), "")


def _edit_stamp(note: Tag | None) -> str:
    """What an edit notice says after the editor's name: "by X; DATE at TIME", "von X (DATE um TIME)"."""
    return re.split(r"[;(]", words(note), maxsplit=1)[-1]


# ── vBulletin 3 ──────────────────────────────────────────────────────────────────────────────────────────

# Generator, styles, scripts and menus of version 3; what later versions have instead.
MARKS3 = re.compile(
    r"""content=["']?vBulletin 3|\bid=["']?vbulletin_css["'\s>]|vbulletin_global\.js|\bvbmenu_register\(|"""
    r"""\bid=["']?post_message_\d|<div\b[^<>]*\bclass=["']?posttop["'\s>]"""
)
WORDS3 = (
    "vBulletin 3",
    "vbulletin_css",
    "vbulletin_global.js",
    "vbmenu_register(",
    "post_message_",
    "posttop",
)
NEWER = re.compile(r"""\bvbulletin_html\b|\bvb-page-body\b|content=["']?vBulletin [456]""")
NEWER_WORDS = ("vbulletin_html", "vb-page-body", "vBulletin 4", "vBulletin 5", "vBulletin 6")
POST_TABLE = re.compile(r"(post|edit)(\d+)")
ARCHIVED = ".post:has(> .posttop)"
ARCHIVE_SIZE = 250
"""Posts on a page of the archive, unless the board is set otherwise."""
ARCHIVE_LACKS = (
    "The board's archive shows posts without bold and without the frames of quotes, so it is not known whose "
    "words a vote stands in. Give the address of the thread itself, or copy its pages."
)


class VBulletin3(_ShowThread):
    """A post is a table. Its body has no classes of its own: what stands in a table there is a quote, what
    stands in an inset box is a spoiler or code, and a blockquote is only an indent of the author's own words.

    The archive of versions 3 and 4 has plain words alone, and tells neither ids nor numbers.
    """

    name = "vbulletin3"
    html_style = STYLES["vbulletin3"]
    tried = "tables of posts were looked for"
    layout = "post tables"
    titles = ("td.navbar strong, .navbar strong", ARCHIVE_TITLE, "title")
    messages = (".panelsurround, td.alt1 .panel, .panel",)
    place = ".pagenav .vbmenu_control"

    def recognises(self, page: Response) -> bool:
        """By its scripts and styles, where nothing says that it is a later vBulletin."""
        return marked(page, WORDS3, MARKS3, 20) and not marked(page, NEWER_WORDS, NEWER, 20)

    def rows(self, tree: Tag) -> list[Tag]:
        """`#post12`, a table in all stock themes; where a theme dropped it, `#edit12` around it; in the
        archive its boxes."""
        found = [(POST_TABLE.fullmatch(attribute(tag, "id") or ""), tag) for tag in every(tree, "[id]")]
        kinds = {kind: [tag for mark, tag in found if mark and mark[1] == kind] for kind in ("post", "edit")}
        return kinds["post"] or kinds["edit"] or every(tree, ARCHIVED)

    def layout_of(self, row: Tag) -> str:
        return self.layout if attribute(row, "id") else "archive"

    def paging(self, page: Response, tree: Tag, site: Site, drafts: list[Draft]) -> Paging:
        """The archive has a list of pages of its own, the one shown in bold."""
        if not maybe(tree, ARCHIVED):
            return super().paging(page, tree, site, drafts)
        linked = {words(tag): attribute(tag, "href") for tag in every(tree, "#pagenumbers a[href]")}
        shown = words(maybe(tree, "#pagenumbers b"))
        here = int(shown) if shown.isdecimal() else 1
        pages = max([here, *(int(text) for text in linked if text.isdecimal())])
        asked = self.locate(page.url)
        refuse_beyond(page, asked.start if asked else 0, pages)
        size = site.posts_per_page or (len(drafts) if here < pages else ARCHIVE_SIZE)
        return Paging(here, pages, (here - 1) * size, link=linked.get(str(here + 1)))

    def missing(self, tree: Tag) -> tuple[str, ...]:
        return (ARCHIVE_LACKS,) if maybe(tree, ARCHIVED) else ()

    def message_rows(self, tree: Tag) -> list[Tag]:
        """`#post`, whose text is `#post_message_`: both without the number of a post."""
        return [box for box in every(tree, "#post") if maybe(box, "#post_message_")]

    def message_subject(self, tree: Tag) -> str:
        return words(worded(tree, "#td_post_ > .smallfont > strong", *self.titles))

    def results(self, tree: Tag) -> Sequence[str]:
        return [attribute(tag, "title") or "" for tag in every(tree, ".pagenav [title]")]

    def draft(self, row: Tag) -> Draft:
        if not attribute(row, "id"):
            text = maybe(row, ":scope > .posttext")
            return Draft(
                id="",
                author=text_of(maybe(row, ".posttop .username")),
                written=words(maybe(row, ".posttop .date")),
                body=inner(text).strip() if text else None,
            )
        post = re.sub(r"\D", "", attribute(row, "id") or "")
        content = maybe(row, f"#post_message_{post}")

        # The notice stands in small italics under the body.
        notes = (tag for tag in every(row, "div.smallfont em") if content and not holds(content, tag))
        note = next((tag for tag in notes if CLOCK.search(words(tag).lower())), None)

        # The author: the member's link; a guest's name stands bare in the menu. The notice that stands for a
        # deleted post, or for an ignored member's, names the author first.
        hidden = content is None and maybe(row, f"#td_post_{post}") is None
        if hidden:
            name = maybe(row, MEMBER_LINK) or maybe(row, "strong")
        else:
            menu = maybe(row, f"#postmenu_{post}")
            name = maybe(row, ".bigusername") or (maybe(menu, MEMBER_LINK) if menu else None) or menu
        author = text_of(name) if name is None or name.tag == "a" else own_words(name) or words(name)

        anchor = maybe(row, f'a[name="post{post}"]')
        beside = words_after(anchor) if anchor else ""

        # "#3021": the name of its anchor, else its text.
        counter = maybe(row, '[id^="postcount"]')
        told = _amounts(attribute(counter, "name") or "") or _amounts(words(counter))
        return Draft(
            id=post,
            author=author,
            author_id=_member_id(attribute(name, "href")) or (_member_in(name) if name else None),
            number=told[0] if told else None,
            written=beside if CLOCK.search(beside.lower()) else _stamp_in(row),
            body=body_without_session(inner(content).strip()) if content else "" if hidden else None,
            edit_note=text_of(note),
            edit_stamp=_edit_stamp(note),
            hidden=hidden,
        )


VBULLETIN3 = VBulletin3()


# ── vBulletin 4 ──────────────────────────────────────────────────────────────────────────────────────────

# The id of the page, its generator or its list of posts; what other versions have instead.
MARKS4 = re.compile(
    r"""\bid=["']?vbulletin_html["'\s>]|content=["']?vBulletin 4"""
    r"""|<li[^<>]{0,500}?\bpostcontainer\b[^<>]*\bid=["']?post_\d"""
)
WORDS4 = ("vbulletin_html", "vBulletin 4", "postcontainer")
OTHER = re.compile(r"""\bvb-page-body\b|content=["']?vBulletin [356]""")
OTHER_WORDS = ("vb-page-body", "vBulletin 3", "vBulletin 5", "vBulletin 6")
POST_ITEM = re.compile(r"post_(\d+)")


class VBulletin4(_ShowThread):
    """The post's own text stands in a blockquote, and so do its edit notice and its signature, each with a
    class of its own; quotes are divs. A blockquote inside the text is only an indent of the author's words.
    """

    name = "vbulletin4"
    html_style = STYLES["vbulletin4"]
    tried = "a list of posts was"
    layout = "post list"
    titles = (".threadtitle", "#pagetitle h1, h1", "title")
    messages = (".standard_error, .blockrow.error",)
    place = ".pagination .popupctrl, .pagination_top .popupctrl"

    def recognises(self, page: Response) -> bool:
        """By the id of the page, its generator, or its list of posts."""
        return marked(page, WORDS4, MARKS4, 520) and not marked(page, OTHER_WORDS, OTHER, 20)

    def rows(self, tree: Tag) -> list[Tag]:
        return with_id(tree, "li[id]", POST_ITEM)

    def message_rows(self, tree: Tag) -> list[Tag]:
        """A post's item without the number of a post."""
        return [box for box in every(tree, "li.postcontainer#post_") if maybe(box, "#post_message_")]

    def message_subject(self, tree: Tag) -> str:
        return words(worded(tree, "#post_ .postrow > .title", *self.titles))

    def results(self, tree: Tag) -> Sequence[str]:
        return [words(tag) for tag in every(tree, ".postpagestats")]

    def draft(self, row: Tag) -> Draft:
        post = (attribute(row, "id") or "").removeprefix("post_")
        content = maybe(row, f"#post_message_{post} .postcontent, .postcontent:not(.lastedited)")
        name = maybe(row, ".username_container .username, .username") or maybe(row, f"{MEMBER_LINK}, strong")
        date = maybe(row, ".postdate")
        note = maybe(row, ".lastedited")
        hidden = content is None and GONE.search(attribute(row, "class") or "") is not None

        # The id: in the name's own link, else (rewritten addresses) in the menu under it; none for a guest.
        menu = maybe(row, ".memberaction, .username_container")
        author_id = _member_id(attribute(name, "href")) or (_member_in(menu) if menu else None)

        # "#661": the text of its link, else the name of its anchor.
        counter = maybe(row, ".postcounter")
        told = _amounts(words(counter)) + _amounts(attribute(maybe(row, '[id^="postcount"]'), "name") or "")
        return Draft(
            id=post,
            author=text_of(name),
            author_id=author_id,
            number=told[0] if told else None,
            written=words(date) if date else _stamp_in(row),
            body=body_without_session(inner(content).strip()) if content else "" if hidden else None,
            edit_note=text_of(note),
            edit_stamp=_edit_stamp(note),
            hidden=hidden,
        )


VBULLETIN4 = VBulletin4()


# ── vBulletin 5 ──────────────────────────────────────────────────────────────────────────────────────────

# The id of the page, its generator or its posts. Version 6 writes the pages of version 5.
MARKS5 = re.compile(
    r"""\bid=["']?vb-page-body["'\s>]|content=["']?vBulletin [56]|<li[^<>]*\bclass=["']?b-post js-post\b"""
)
WORDS5 = ("vb-page-body", "vBulletin 5", "vBulletin 6", "b-post js-post")
# Any address that ends in an id and a title, and the page behind them.
TOPIC = re.compile(r"(?P<root>.*/)(?P<id>\d{1,15})(?:-[^/?&#]*)?(?:/page(?P<page>\d{1,6}))?/?", re.IGNORECASE)
# Below `forum/` or `forums/` stands a channel; the words left out here are routes of other software.
FORUM = re.compile(r"/forums?/(?!(?:topic|d|t|threads?|discussion|file)/)[^/]+/(?:.*/)?\d+-", re.IGNORECASE)


class VBulletin5(_VBulletin):
    """Comments on a post are posts nested in it and share its number ("#106.2" is #106 here). A post tells
    its instant in Unix time; its `datetime` is in the server's own zone and says so nowhere.
    """

    name = "vbulletin5"
    html_style = STYLES["vbulletin5"]
    software = "vBulletin 5"
    tried = "nodes were looked for"
    layout = "nodes"
    titles = ("h1.main-title", "h1", "title")
    login_form = '#main-pane input[type="password"], .main-pane input[type="password"]'
    messages = (".error-page, .standard_error, #main-pane .message, .main-pane .message",)

    def recognises(self, page: Response) -> bool:
        """By the id of the page, its generator, or its posts."""
        return mentions(page, WORDS5) and bool(MARKS5.search(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """`forum/channel/12-slug/page3`; the root of the thread is its channel."""
        return self._topic(url) if FORUM.search(urlsplit(url).path) else None

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """The first page: how many posts a page has, only a page can tell."""
        return Request(f"{ref.root}{ref.id}")

    def rows(self, tree: Tag) -> list[Tag]:
        return every(tree, "li.b-post[data-node-id]")

    def refusal(self, page: Response, tree: Tag) -> KnightfallError:
        if maybe(tree, self.login_form):
            return login_required(page)
        message = first_of(tree, self.messages)
        if page.status in (401, 403):
            return access_denied(page, words(message))
        if message or page.status in (404, 410):
            return refused(page, words(message))
        return self.no_posts(page)

    def draft(self, row: Tag) -> Draft:
        """A post's own parts; those of the comments nested in it are theirs."""
        name = own_part(row, ".author a", "b-post") or own_part(row, ".author", "b-post")
        note = own_part(row, ".b-post__edit, .b-comment-entry__edit", "b-post")
        content = own_part(row, ".js-post__content-text", "b-post")
        hidden = GONE.search(attribute(row, "class") or "") is not None

        # "#106"; a comment's "#106.2" counts as its post's number.
        told = _amounts(words(own_part(row, ".b-post__count", "b-post")).partition(".")[0])
        return Draft(
            id=attribute(row, "data-node-id") or "",
            author=text_of(name),
            author_id=_member_id(attribute(name, "href")),
            number=told[0] if told else None,
            machine=unix_stamp(attribute(row, "data-node-publishdate")),
            written=words(own_part(row, "time", "b-post")),
            body="" if hidden else body_without_session(inner(content).strip()) if content else None,
            edit_note=text_of(note),
            edit_stamp=_edit_stamp(note),
            hidden=hidden,
        )

    def thread(self, page: Response, tree: Tag) -> ThreadRef | None:
        """By the page's canonical address, else by its own: a channel need not look like one there."""
        links = [attribute(tag, "href") for tag in every(tree, 'link[rel="canonical"]')]
        return own_thread(page, tree, filter(None, (*links, page.url)), self._topic)

    def paging(self, page: Response, tree: Tag, site: Site, drafts: list[Draft]) -> Paging:
        here = (_amounts(attribute(maybe(tree, ".js-pagenum"), "value") or "") or [1])[0]
        pages = max([here, 1, *_amounts(words(maybe(tree, ".pagetotal")))])
        asked = self._topic(page.url)
        refuse_beyond(page, asked.start if asked else 0, pages)
        link = attribute(maybe(tree, 'link[rel="next"][href], a[rel="next"][href]'), "href")
        return Paging(here, pages, (here - 1) * (site.posts_per_page or len(drafts)), link=link)

    def next_page(self, thread: ThreadRef, paging: Paging) -> Request | None:
        return Request(f"{thread.root}{thread.id}/page{paging.page + 1}")

    def permalink(self, thread: ThreadRef, post: str, number: int) -> str | None:
        return f"{thread.root}{thread.id}?p={post}#post{post}"

    def zone(self, tree: Tag, site: Site) -> tzinfo | None:
        """As the foot of the page says; without one as the times of posts, which are told in words too."""
        rows = every(tree, "li.b-post[data-node-publishdate]")
        return super().zone(tree, site) or zone_beside(
            (words(own_part(row, "time", "b-post")), unix_stamp(attribute(row, "data-node-publishdate")))
            for row in rows
        )

    def must_rise(self, draft: Draft) -> bool:
        """Comments, which have no instant of their own, share the number of their post."""
        return draft.machine is not None and not draft.hidden

    def _topic(self, url: str) -> ThreadRef | None:
        """The topic that any address ending in an id and a title names."""
        found = TOPIC.fullmatch(re.split(r"[?#]", url)[0]) if is_absolute(url) else None
        return ThreadRef(self.name, found["root"], found["id"], int(found["page"] or 0)) if found else None


VBULLETIN5 = VBulletin5()
