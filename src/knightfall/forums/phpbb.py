"""phpBB 3 in prosilver and its children, subsilver2, MafiaScum's own theme and the print view; phpBB 2.0.

Both versions begin a page at any offset, and tell offsets and totals in their pagination only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import timedelta, timezone, tzinfo
from itertools import chain
from math import ceil
from typing import ClassVar, cast
from urllib.parse import urlsplit

from knightfall.errors import KnightfallError, PastTheEnd
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
    body_without_session,
    first_number,
    folder_of,
    is_absolute,
    login_required,
    mentions,
    number_in,
    past_the_end,
    query_of,
    refuse_filtered,
    refused,
    same_server,
    thread_asked,
)
from knightfall.forums.dates import zone_beside, zone_named, zone_offset
from knightfall.forums.html import (
    Tag,
    attribute,
    classes,
    cut_from_line,
    enclosing,
    every,
    holds,
    inner,
    maybe,
    one,
    own_words,
    taken_out,
    text_of,
    with_id,
    worded,
    words,
    words_after,
    words_before,
)
from knightfall.forums.styles import STYLES

TOPIC_PAGE = re.compile(r"viewtopic\w*\.(?:php|html?)", re.IGNORECASE)


def is_topic_page(url: str) -> bool:
    """True for viewtopic.php and its saved forms."""
    return is_absolute(url) and TOPIC_PAGE.fullmatch(urlsplit(url).path.rpartition("/")[2]) is not None


def topic_at(platform: str, url: str) -> ThreadRef | None:
    """The topic that t= and start= name, else the post that p= names."""
    return thread_asked(platform, url, "t", "p", number_in(url, "start") or 0)


def page_from(ref: ThreadRef, offset: int = 0) -> Request:
    """The page that begins at an offset; a topic known by one of its posts has only the page of that post."""
    if ref.id.startswith("p"):
        return Request(f"{ref.root}viewtopic.php?p={ref.id[1:]}")
    return Request(f"{ref.root}viewtopic.php?t={ref.id}" + (f"&start={offset}" if offset > 0 else ""))


def page_after(ref: ThreadRef | None, paging: Paging) -> Request | None:
    """The next page of a topic; None on the last, and where no page told the topic."""
    if ref is None or ref.id.startswith("p") or paging.next_start is None:
        return None
    return page_from(ref, paging.next_start)


class _PhpBBBoard(HtmlForum):
    """What versions 2 and 3 share: offsets, and the viewer's choice of posts and their order."""

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """phpBB begins a page at any offset, so the page begins with the post asked for."""
        return page_from(ref, since - 1)

    def refuse_view(self, page: Response, tree: Tag) -> None:
        refuse_filtered(page, tree, self.usual)

    def next_page(self, thread: ThreadRef, paging: Paging) -> Request | None:
        return page_after(thread, paging)


# ── phpBB 3 ──────────────────────────────────────────────────────────────────────────────────────────────

# The body's id, which themes keep, else links to pages that only phpBB 3 has.
MARKS = re.compile(r"""<body[^<>]*\bid=["']?phpbb["'\s>]""", re.IGNORECASE)
OWN_PAGES = (re.compile(r"\bucp\w*\.(?:php|html)\b"), re.compile(r"\bviewtopic\w*\.(?:php|html)\b"))
# Addresses that an add-on rewrote: `name-t123.html`, `name-t123-25.html`, `topic123-s25.html`.
REWRITTEN = re.compile(r"(?:^|-)t(?:opic)?(\d+)(?:-s?(\d+))?(?:\.html?)?", re.IGNORECASE)
HEADINGS = (".topic-title", "a.titles", "#page-body h2", "#page-header h2", "h2.titles", "h2")

# Where paginations stand: in prosilver's bars, and in subsilver2's cells.
AREAS = ".pagination, .page-number, #pagecontent td.gensmall, #pagecontent td.nav"
# A number of posts, grouped or not; in brackets in subsilver2.
AMOUNT = re.compile(r"\d{1,3}(?:[.,\s]\d{3})+|\d+")
BRACKETED = re.compile(r"\[\s*([^\[\]]*\d[^\[\]]*)\]")

NAMES = ".username, .username-coloured"
PROFILE = 'a[href*="mode=viewprofile"]'
POST_ID = re.compile(r"p(\d+)")
MESSAGE_ID = re.compile(r"post-(\d+)")
SHOWN_NUMBER = re.compile(r"(?:[^\W\d_]+\s)?#\s?(\d+)")
FURNITURE = " \u00a0»-–—|·•,"
"""What themes put between the author's name and the date."""


class PhpBB(_PhpBBBoard):
    """phpBB 3; its themes are read by three layouts, which share addresses, pagination and footer."""

    name = "phpbb"
    html_style = STYLES["phpbb"]
    software = "phpBB"
    tried = "prosilver, subsilver2 and print view were tried"
    messages = ("#message p", "#message, table.tablebg p.gen")
    usual: ClassVar = {"st": "0", "sk": "t", "sd": "a"}

    def recognises(self, page: Response) -> bool:
        """By the body's id, else by links to pages that only phpBB 3 has."""
        if MARKS.search(page.text):
            return True
        return mentions(page, ("ucp",)) and all(mark.search(page.text) for mark in OWN_PAGES)

    def locate(self, url: str) -> ThreadRef | None:
        """viewtopic.php with t= or p=, its saved and rewritten forms, and `…-t123-25.html`."""
        if not is_absolute(url):
            return None
        if is_topic_page(url):
            # A link to a post may tell it behind the "#" only.
            post = re.fullmatch(r"p(\d+)", urlsplit(url).fragment)
            start = number_in(url, "start") or 0
            anchored = ThreadRef(self.name, folder_of(url), f"p{int(post[1])}", start) if post else None
            return topic_at(self.name, url) or anchored
        file = urlsplit(url).path.rpartition("/")[2]
        found = REWRITTEN.search(file) if file.endswith((".html", ".htm")) else None
        return ThreadRef(self.name, folder_of(url), found[1], int(found[2] or 0)) if found else None

    def rows(self, tree: Tag) -> list[Tag]:
        """The posts of the first layout that finds any."""
        prosilver = with_id(tree, 'div.post[id^="p"], li.post[id^="p"], article.post[id^="p"]', POST_ID)
        if prosilver:
            return prosilver
        anchors = [tag for tag in every(tree, "a[name]") if POST_ID.fullmatch(attribute(tag, "name") or "")]
        tables = [table for anchor in anchors if (table := enclosing(anchor, "table", "tablebg"))]
        printed = (box for box in every(tree, "div.post") if maybe(box, "div.date"))
        return tables or [box for box in printed if maybe(box, "div.content")]

    def layout_of(self, row: Tag) -> str:
        """Only subsilver2 has a table a post, only prosilver tells a post's id in that of its box."""
        if row.tag == "table":
            return "subsilver2"
        return "prosilver" if POST_ID.fullmatch(attribute(row, "id") or "") else "print view"

    def draft(self, row: Tag) -> Draft:
        layout = self.layout_of(row)
        if layout == "prosilver":
            return _prosilver(row)
        return _subsilver(row) if layout == "subsilver2" else _print_view(row)

    def thread(self, page: Response, tree: Tag) -> ThreadRef | None:
        """The topic of the heading's link on the page's own server, else of the page's address."""
        link = _topic_link(tree)
        target = absolute(page.url, link) if link else None
        ref = self.locate(target) if target else None
        if ref is not None and not ref.id.startswith("p") and same_server(ref.root, page.url):
            return ref
        return self.locate(page.url)

    def paging(self, page: Response, tree: Tag, site: Site, drafts: list[Draft]) -> Paging:
        told, shown = _told(every(tree, AREAS)), len(drafts)

        # Behind the end the board shows its last page again.
        asked = number_in(page.url, "start") or 0
        bound = told.total if told.total is not None else told.last * told.size if told.size else None
        if bound is not None and asked and asked >= bound:
            raise PastTheEnd(
                f"{page.url} asks for post {asked + 1}, but the thread has {bound} posts at most "
                f"({told.last} pages); the board answered with its last page again. Give the address of the "
                "thread without start=."
            )

        # The offset: as the heading's link says, else as asked for, else by the page's number. The last page
        # is counted from the end: a board's usual size may not be its present one.
        offsets = (number_in(_topic_link(tree) or "", "start"), number_in(page.url, "start"))
        if (offset := next((offset for offset in offsets if offset is not None), None)) is not None:
            start = offset
        elif told.here > 1 and told.here == told.last and told.total is not None:
            start = max(0, told.total - shown)
        else:
            start = (told.here - 1) * (told.size or site.posts_per_page or shown)

        # The size: as the links tell, else by offset and number, else by the posts that are shown.
        size = told.size
        if size is None and told.here > 1 and start:
            size = start // (told.here - 1)
        elif size is None:
            more = told.last > 1 or (told.total is not None and told.total > start + shown)
            size = shown if more else None

        here = start // size + 1 if size else told.here
        counted = ceil(told.total / size) if told.total and size else 1
        return Paging(here, max(told.last, counted, here), start, size, told.total)

    def following(
        self, page: Response, tree: Tag, thread: ThreadRef | None, paging: Paging
    ) -> Request | None:
        """The next page; of the print view where this page is one."""
        after = super().following(page, tree, thread, paging)
        printed = query_of(page.url).get("view") == "print"
        return replace(after, url=f"{after.url}&view=print") if after and printed else after

    def zone(self, tree: Tag, site: Site) -> tzinfo | None:
        """ "All times are UTC-05:00" at the foot of the page; phpBB 3.1+ names the zone in a title. Without
        a foot as the times of posts say, where they are told for machines beside: edits are not."""
        for tag in every(tree, "#page-footer li, #page-footer .page-number, li.rightside, p.datetime"):
            title = attribute(maybe(tag, "span[title]"), "title") if "UTC" in words(tag) else None
            if zone := zone_named(title or "") or zone_offset(words(tag)):
                return zone
        stamps = every(tree, ".author time[datetime]")
        return zone_beside((words(stamp), attribute(stamp, "datetime")) for stamp in stamps)

    def clock(self, tree: Tag) -> str:
        """ "It is currently Sun Apr 10, 2016 7:20 am" in subsilver2's bar of dates."""
        return next((said for said in map(words, every(tree, "#datebar td")) if said), "")

    def home(self, page: Response) -> ThreadRef | None:
        """The board of the page: posts have addresses without their topic."""
        return ThreadRef(self.name, folder_of(page.url), "") if is_absolute(page.url) else None

    def permalink(self, thread: ThreadRef, post: str, number: int) -> str | None:
        return f"{thread.root}viewtopic.php?p={post}#p{post}" if post else None

    def must_rise(self, draft: Draft) -> bool:
        """The page's own choices tell its order; a number that a theme shows may be one of another count."""
        return False

    def title(self, tree: Tag) -> str:
        return words(worded(tree, *HEADINGS) or maybe(tree, "title"))

    def message_rows(self, tree: Tag) -> list[Tag]:
        """The message in prosilver; in subsilver2 the table of its heads; in the print view the box that
        names whom it went to as well. The history below it has other boxes."""
        if prosilver := with_id(tree, ".post.pm[id]", MESSAGE_ID):
            return prosilver
        heads = [table for table in every(tree, "#pagecontent table.tablebg") if _is_message_head(table)]
        printed = [box for box in every(tree, "div.post") if maybe(box, "div.date")]
        return heads[:1] or [box for box in printed if len(every(box, ":scope > div.author")) > 1]

    def message_draft(self, row: Tag) -> Draft:
        if row.tag == "table":
            return _subsilver_message(row)
        if "pm" not in classes(row):
            return _print_view(row)
        # The head names recipients as well, who may look more like a name than a sender without a colour or
        # an account does: only the profile beside is the sender's alone. The date stands bare in the head.
        head, beside = maybe(row, "p.author"), maybe(row, ".postprofile dt")
        name = worded(beside, NAMES, PROFILE) if beside else None
        return replace(
            _prosilver(row),
            id=(attribute(row, "id") or "").removeprefix("post-"),
            author=words(name) if name else own_words(beside) if beside else None,
            author_id=_profile_id(name),
            written=own_words(head).strip(FURNITURE) if head else "",
        )

    def message_subject(self, tree: Tag) -> str:
        heads = every(tree, "#pagecontent table.tablebg td.gen")
        return words(maybe(tree, ".post.pm h3, div.post > h3") or next(iter(heads), None))


@dataclass(frozen=True, slots=True)
class _Told:
    """What a pagination says: the last page, the page shown, the posts of the thread and of a page."""

    last: int
    here: int
    total: int | None
    size: int | None


def _told(areas: list[Tag]) -> _Told:
    # Pages: the numbers that are links, the number that is none, and the totals of "Page 2 of 4".
    links = [
        (int(words(link)), number_in(attribute(link, "href") or "", "start") or 0)
        for area in areas
        for link in every(area, "a[href]")
        if _is_number(words(link))
    ]
    active = [words(tag) for area in areas for tag in every(area, "li.active")]
    marks = [words(tag) for area in areas for tag in every(area, "strong")]
    numbers = [int(text) for text in (*active, *marks) if _is_number(text)]
    last = max([1, *numbers, *(number for number, _ in links)])

    # Posts: "247 posts" in the pagination, "[ 61 posts ]" in subsilver2.
    told = [own_words(area) for area in areas if "pagination" in (attribute(area, "class") or "")]
    told += [found[1] for found in map(BRACKETED.fullmatch, map(words, areas)) if found]
    amounts = [found[0] for found in map(AMOUNT.search, told) if found]
    total = int(re.sub(r"\D", "", amounts[0])) if amounts else None

    # Posts of a page: the offset of page n divided by n - 1, else what the page's own script goes by.
    fitting = (start // (number - 1) for number, start in links if number > 1 and start % (number - 1) == 0)
    size = next((size for size in fitting if size), None)
    if size is None:
        scripted = [
            attribute(tag, "data-per-page") or "" for area in areas for tag in every(area, "[data-per-page]")
        ]
        size = next((int(text) for text in scripted if _is_number(text) and int(text) > 0), None)
    return _Told(last, numbers[0] if numbers else 1, total, size)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 7


def _topic_link(tree: Tag) -> str | None:
    """The heading's link: it tells the topic, and the offset that the page really begins at."""
    heading = worded(tree, *HEADINGS)
    link = heading if heading is None or heading.tag == "a" else maybe(heading, "a[href]")
    printed = maybe(tree, '#page-header p a[href*="viewtopic"]')
    return attribute(link or printed, "href")


def _prosilver(box: Tag) -> Draft:
    head = maybe(box, "p.author, .author")

    # The element with the author's name: in the post's head, else in the profile beside it. A viewer's foe
    # (3.0) has neither: the notice that stands for the post names them.
    beside = (
        f".postprofile dt :is({NAMES})",
        f".postprofile dt {PROFILE}",
        f".ignore :is({NAMES}, {PROFILE}, strong)",
    )
    in_head = (tag for selector in (NAMES, PROFILE, "strong") if head for tag in every(head, selector))
    elsewhere = (tag for selector in beside for tag in every(box, selector))
    name = next((tag for tag in chain(in_head, elsewhere) if words(tag) and not _is_post_number(tag)), None)

    # The time follows the name. A narrow window shows no name in the head, and a copy out of it has none;
    # then the time follows the last link.
    stamp = maybe(head, "time[datetime]") if head else None
    written = ""
    if head and name:
        before = name if holds(head, name) else next(reversed(every(head, "a")), None)
        written = words_after(before, head) if before else words(head)

    content = maybe(box, ".content")
    tags = every(box, "div.notice")
    note = next((tag for tag in tags if content is None or not holds(content, tag)), None)

    # A post without a text is the placeholder of a deleted one, or (3.0) of one by somebody whom the viewer
    # ignores.
    if content is None:
        body = "" if maybe(box, ".ignore") else None
    else:
        body = body_without_session(inner(content))

    # A number "#12" that the board prints in the head of a post, unless it is the author's name.
    tags = every(head, ".post-number-bolded, a, span, strong, b") if head else []
    texts = (
        words(tag)
        for tag in tags
        if name is None or not (tag is name or holds(tag, name) or holds(name, tag))
    )
    return Draft(
        id=(attribute(box, "id") or "")[1:],
        author=text_of(name),
        author_id=_profile_id(name),
        number=first_number(map(SHOWN_NUMBER.fullmatch, texts)),
        machine=attribute(stamp, "datetime"),
        written=written.strip(FURNITURE),
        body=body,
        edit_note=text_of(note),
        edit_stamp=_after_name(note),
        hidden="deleted" in classes(box) or content is None,
    )


def _subsilver(box: Tag) -> Draft:
    """Subsilver2 has a table a post; the signature stands beside the body in a container of its own."""
    anchor = next(tag for tag in every(box, "a[name]") if POST_ID.fullmatch(attribute(tag, "name") or ""))
    mark = attribute(anchor, "name") or ""
    target = maybe(box, f'a[href$="#{mark}"]')
    body = maybe(box, "div.postbody")

    # The edit notice stands next to the body, in small print.
    note = maybe(body, ":scope ~ span.gensmall") if body else None

    # The text; empty where the whole post is a notice in one wide cell (a viewer's foe).
    if body is None:
        text = "" if maybe(box, "td.gensmall[colspan]") else None
    else:
        text = body_without_session(inner(body))
    return Draft(
        id=mark[1:],
        author=text_of(maybe(box, ".postauthor") or maybe(box, f"td.gensmall {PROFILE}")),
        author_id=_profile_id(maybe(box, f".postauthor {PROFILE}") or maybe(box, f".icons {PROFILE}")),
        written=words_after(target) if target else "",
        body=text,
        edit_note=text_of(note),
        edit_stamp=_after_name(note),
        hidden=body is None,
    )


def _print_view(box: Tag) -> Draft:
    """The print view tells neither ids nor edits."""
    content = maybe(box, "div.content")
    date = maybe(box, "div.date")
    return Draft(
        id="",
        author=words(one(box, "div.author strong")),
        written=text_of(maybe(date, "strong")) or own_words(date) if date else "",
        body=body_without_session(inner(content)) if content else None,
    )


def _message_heads(table: Tag) -> list[Tag]:
    """What stands beside the labels of a message in subsilver2: its subject, its author, its date, and whom
    it went to, in this order."""
    labels = every(table, "td.genmed")
    beside = (label.getnext() for label in labels)
    return [cell for cell in beside if isinstance(cell, Tag) and "gen" in classes(cell)]


def _is_message_head(table: Tag) -> bool:
    return len(_message_heads(table)) > 2 and not maybe(table, ".postbody") and bool(_message_body(table))


def _message_body(heads: Tag) -> Tag | None:
    tables = (table for table in heads.itersiblings("table") if isinstance(table, Tag))
    return next((body for table in tables if (body := maybe(table, "div.postbody"))), None)


def _subsilver_message(heads: Tag) -> Draft:
    _, author, date, *_ = _message_heads(heads)
    body = _message_body(heads)
    # Only the buttons that answer, report and the like tell the message's id.
    links = every(cast(Tag, heads.getroottree().getroot()), 'a[href*="ucp."][href*="i=pm"]')
    buttons = (attribute(link, "href") or "" for link in links if body is None or not holds(body, link))
    told = (number_in(button, "p") for button in buttons)
    return Draft(
        id=str(next(filter(None, told), "")),
        author=words(author),
        author_id=_profile_id(maybe(author, PROFILE)),
        written=words(date),
        body=body_without_session(inner(body)) if body else None,
    )


def _is_post_number(tag: Tag) -> bool:
    """A bare "#12"; a member or a marked guest may be called so."""
    named = "username" in (attribute(tag, "class") or "") or _profile_id(tag) is not None
    return SHOWN_NUMBER.fullmatch(words(tag)) is not None and not named


def _after_name(note: Tag | None) -> str:
    """What an edit notice says after the editor's name, which may hold digits."""
    if note is None:
        return ""
    name = maybe(note, f"{NAMES}, {PROFILE}")
    return words_after(name, note) if name else words(note)


def _profile_id(tag: Tag | None) -> str | None:
    """The id in the link to a member's profile on or around a name; guests and deleted users have none."""
    if tag is None:
        return None
    link = tag if tag.tag == "a" else maybe(tag, PROFILE) or enclosing(tag, "a")
    target = attribute(link, "href")
    return query_of(target).get("u") if target else None


PHPBB = PhpBB()


# ── phpBB 2.0 ────────────────────────────────────────────────────────────────────────────────────────────
#
# A post is a row of one long table; text, quotes and signature stand side by side in its cell, the signature
# behind a line of underscores. The name is never a link: the buttons in the next row tell the member's id.

# The page of profiles, with or without a session before its mode, and the styles of subSilver.
OLD_PAGES = re.compile(r"\bprofile\.php\?(?:sid=\w+&(?:amp;)?)?mode=")
OLD_STYLES = re.compile(r"""<(?:table|td|span)\b[^<>]*\bclass=["']?(?:forumline|bodyline|postbody)\b""", re.I)
ANCHORS = "span.name > a[name]"
SIGNATURE = "_" * 17
ZONES = {
    "HST (Hawaii)": -10,
    "PST (U.S./Canada)": -8,
    "MST (U.S./Canada)": -7,
    "CST (U.S./Canada)": -6,
    "EST (U.S./Canada)": -5,
    "CET (Europe)": 1,
    "EET (Europe)": 2,
    "WST (Australia)": 8,
    "CST (Australia)": 9.5,
    "EST (Australia)": 10,
}
"""What the English language pack calls some offsets; all others are "GMT + 3 Hours"."""
# One box of text serves all refusals: what it says, in the languages of the boards, tells which it is.
ONLY_SOME = re.compile(r"special access|\bonly\b|\bnur\b|\bseuls?\b|\bsolo\b|\btylko\b|только", re.IGNORECASE)
NOT_THERE = re.compile(
    r"not exist|existiert nicht|existe pas|no existe|non esiste|nie istnieje|не существует", re.I
)


class PhpBB2(_PhpBBBoard):
    """phpBB 2.0: subSilver and its kin."""

    name = "phpbb2"
    html_style = STYLES["phpbb2"]
    software = "phpBB 2"
    tried = "subSilver and its kin were tried"
    layout = "subSilver"
    usual: ClassVar = {"postdays": "0", "postorder": "asc"}

    def recognises(self, page: Response) -> bool:
        """By links to the profile page, which phpBB 3 has no more, and the styles of subSilver."""
        return mentions(page, ("profile.php?",)) and bool(
            OLD_PAGES.search(page.text) and OLD_STYLES.search(page.text)
        )

    def locate(self, url: str) -> ThreadRef | None:
        """viewtopic.php with t= or p=, and its saved forms; a link to a post ends in its bare number."""
        return topic_at(self.name, url) if is_topic_page(url) else None

    def rows(self, tree: Tag) -> list[Tag]:
        return [row for anchor in every(tree, ANCHORS) if (row := enclosing(anchor, "tr")) is not None]

    def refusal(self, page: Response, tree: Tag) -> KnightfallError:
        """Behind the end, too, the board's message says that there are no posts."""
        if maybe(tree, 'form[action*="login."] input[type="password"]'):
            return login_required(page)
        message = maybe(tree, "table.forumline td.row1 span.gen")
        if message is None:
            return self.no_posts(page)
        text = words(message)
        if ONLY_SOME.search(text):
            return access_denied(page, text)
        if number_in(page.url, "start") and not NOT_THERE.search(text):
            return past_the_end(page, "fewer posts")
        return refused(page, text)

    def draft(self, row: Tag) -> Draft:
        anchor = maybe(row, ANCHORS)
        name = maybe(row, "span.name b") or maybe(row, "span.name")
        cell = maybe(row, "td:has(> span.postbody)")

        # The notice is the last thing in the cell, in small print; it is always there, mostly empty. What
        # stands behind the line is the signature.
        notes = taken_out(every(cell, ":scope > span.gensmall")) if cell else []
        said = words(notes[-1] if notes else None)
        if cell is not None:
            cut_from_line(cell, SIGNATURE)

        # From the button to the author's profile, in the row below; guests have none.
        below = maybe(row, ":scope ~ tr")
        link = maybe(below, PROFILE) if below is not None else None
        member = query_of(attribute(link, "href") or "").get("u")

        # The date ends where the subject begins, which may hold a date too.
        line = maybe(row, ":scope > td table span.postdetails")
        gap = maybe(line, "span.gen") if line else None
        written = words_before(gap, line) if line and gap else own_words(line) if line else ""
        return Draft(
            id=attribute(anchor, "name") or "",
            author=text_of(name),
            author_id=member,
            written=written,
            body=body_without_session(inner(cell).strip()) if cell else None,
            edit_note=said or None,
            edit_stamp=said,
        )

    def thread(self, page: Response, tree: Tag) -> ThreadRef | None:
        """The topic of the heading's link, on the board that the page came from."""
        link = attribute(_old_heading(tree), "href")
        target = absolute(page.url, link) if link else None
        ref = self.locate(target) if target else None
        return ref if ref and not ref.id.startswith("p") else self.locate(page.url)

    def paging(self, page: Response, tree: Tag, site: Site, drafts: list[Draft]) -> Paging:
        # "Page 2 of 4" in any language: two numbers in bold, and no links.
        here, last = 1, 1
        for area in every(tree, "span.nav:not(:has(a))"):
            numbers = [int(words(tag)) for tag in every(area, "b") if words(tag).isdecimal()]
            if len(numbers) == 2:
                here, last = min(numbers), max(numbers)
                break

        # The offset, as the heading's link says, else as asked for.
        start = number_in(attribute(_old_heading(tree), "href") or "", "start")
        if start is None:
            start = number_in(page.url, "start")

        # The posts of a page: the offset that a link to page n holds, divided by n - 1.
        size = start // (here - 1) if start and here > 1 else None
        for link in every(tree, 'span.gensmall a[href*="start="], span.nav a[href*="start="]'):
            offset, text = number_in(attribute(link, "href") or "", "start"), words(link)
            if offset and text.isdecimal() and int(text) > 1:
                size = offset // (int(text) - 1)
                break

        shown = len(drafts)
        size = size or site.posts_per_page or (shown if last > 1 else None)
        if start is None:
            start = (here - 1) * (size or shown)
        return Paging(here, max(here, last), start, size)

    def zone(self, tree: Tag, site: Site) -> tzinfo | None:
        """ "All times are GMT - 5 Hours" at the foot of the page."""
        for text in (words(tag) for tag in every(tree, "span.gensmall:not(:has(*))")):
            named = next((hours for name, hours in ZONES.items() if text.endswith(name)), None)
            if zone := timezone(timedelta(hours=named)) if named is not None else zone_offset(text):
                return zone
        return None

    def permalink(self, thread: ThreadRef, post: str, number: int) -> str | None:
        return f"{thread.root}viewtopic.php?p={post}#{post}"

    def title(self, tree: Tag) -> str:
        """The heading; without one what the window's title says behind the board's name."""
        heading = _old_heading(tree)
        return words(heading) if heading is not None else words(maybe(tree, "title")).rpartition(" - ")[2]

    def message_rows(self, tree: Tag) -> list[Tag]:
        """The table of a message: four rows of its heads above its text."""
        tables = every(tree, "table.forumline")
        return [one for one in tables if len(_old_heads(one)) == 4 and maybe(one, "td.row1 > span.postbody")]

    def message_draft(self, row: Tag) -> Draft:
        author, _, date, _ = _old_heads(row)
        text = maybe(row, "td.row1 > span.postbody")
        if text is not None:
            cut_from_line(text, SIGNATURE)
        told = (number_in(attribute(link, "href") or "", "p") for link in every(row, "a[href]"))
        return Draft(
            id=str(next(filter(None, told), "")),
            author=words(author),
            author_id=_profile_id(maybe(row, PROFILE)),
            written=words(date),
            body=body_without_session(inner(text).strip()) if text else None,
        )

    def message_subject(self, tree: Tag) -> str:
        return words(_old_heads(self.message_rows(tree)[0])[3])


def _old_heads(table: Tag) -> list[Tag]:
    """What stands beside the labels of a message: author, recipient, date and subject, in this order."""
    return every(table, "td.row2 + td.row2 > span.genmed")


def _old_heading(tree: Tag) -> Tag | None:
    return maybe(tree, 'a.maintitle[href*="viewtopic"]') or maybe(tree, "a.maintitle")


PHPBB2 = PhpBB2()
