"""MyBB 1.8, and 1.6, which has tables in the place of its boxes; the archive and the print view of both.

Whoever asks behind the end gets the first page again. A recent date is in a title, its text says "5 minutes
ago"; a title may hold the day alone, then the clock stands beside it.
"""

from __future__ import annotations

import re
from dataclasses import replace
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
    first_number,
    folder_of,
    is_absolute,
    login_required,
    mentions,
    number_in,
    own_request,
    refuse_beyond,
    refused,
    thread_asked,
)
from knightfall.forums.dates import CLOCK
from knightfall.forums.html import (
    Tag,
    amount,
    attribute,
    classes,
    enclosing,
    every,
    inner,
    maybe,
    taken_out,
    text_of,
    with_id,
    worded,
    words,
    words_after,
    words_before,
)
from knightfall.forums.styles import STYLES

# Variables of the scripts, and what templates write where the board shows their names. The archive and the
# print view have no scripts: the one has a link to the full version, the other the thread's address in words.
MARKS = re.compile(
    r"\bMyBBEditor\b|\bvar my_post_key\b|<!-- start: (?:showthread|headerinclude) -->"
    r"""|<div\b[^<>]*\bid=["']?fullversion["'\s>]"""
    r"|\(<em\b[^<>]*>/(?:[^<>/]+/)*(?:showthread\.php\?tid=|thread-)\d[^<>]*</em>\)"
)
WORDS = ("MyBBEditor", "my_post_key", "<!-- start: ", "fullversion", "</em>)")
THREAD_PAGE = re.compile(r"(?:showthread\w*|printthread)\.php", re.IGNORECASE)
# `archive/index.php?thread-12-3.html`, or behind a slash.
ARCHIVE_PAGE = re.compile(
    r"(?P<root>.*/)archive/index\.php[?/]thread-(?P<id>\d+)(?:-(?P<page>\d+))?\.html", re.IGNORECASE
)
# `thread-12.html`, `thread-12-page-3.html`, `thread-12-post-99.html`.
REWRITTEN = re.compile(r"thread-(\d+)(?:-page-(\d+))?(?:-(?:post|pid)-?\d+)?[\w-]*\.html", re.IGNORECASE)
POST_ID = re.compile(r"post_(\d+)")
MESSAGE_ID = re.compile(r"post_\d*")
MEMBER = re.compile(r"[?&]uid=(\d+)|user-(\d+)\.html")
NUMBER = re.compile(r"#\s?(\d+(?:[.,'\s\u00a0\u202f]\d{3})*)")
USUAL_SIZE = 20
ARCHIVED = ".post:has(> .header > .dateline)"
HEADLINE = "td > span.largetext > a[href]"
"""The thread's title in the print view, which leads to the thread."""
RULE = 'hr[size="1"]'
"""What stands between the posts of the print view; a line that somebody drew has no size."""
AUTHORS = (
    ".author_information .largetext",
    ".post_author .largetext",
    ".author_information strong",
    ".post_author strong",
)
DATES = ".post_date, .post_head > .smalltext"
MESSAGES = "table.tborder td.trow1:not(.modal *), div.error:not(.modal *)"
"""Every page for guests has a hidden login form (.modal) in a table of the same style."""


class MyBB(HtmlForum):
    """The adapter; it has no state."""

    name = "mybb"
    html_style = STYLES["mybb"]
    software = "MyBB"
    tried = "the markup of 1.6 and 1.8 was tried"
    layout = "default theme"
    titles = (".navigation .active", "td.thead div > strong", "#fullversion a", HEADLINE, "title")
    dates_tell_order = True

    def recognises(self, page: Response) -> bool:
        """By the variables that every MyBB page gives its scripts, or its templates' comments."""
        return mentions(page, WORDS) and bool(MARKS.search(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """`showthread.php?tid=12`, its rewritten form `thread-12-page-3.html`, links to posts; the print view
        and the archive of a thread."""
        if not is_absolute(url):
            return None
        if archived := ARCHIVE_PAGE.match(url):
            return ThreadRef(self.name, archived["root"], archived["id"], int(archived["page"] or 1))
        file = urlsplit(url).path.rpartition("/")[2]
        if THREAD_PAGE.fullmatch(file):
            return thread_asked(self.name, url, "tid", "pid", number_in(url, "page") or 1)
        found = REWRITTEN.fullmatch(file)
        return ThreadRef(self.name, folder_of(url), found[1], int(found[2] or 1)) if found else None

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """The first page: how many posts make a page is the board's own secret."""
        if ref.id.startswith("p"):
            return Request(f"{ref.root}showthread.php?pid={ref.id[1:]}")
        return Request(f"{ref.root}showthread.php?tid={ref.id}")

    def rows(self, tree: Tag) -> list[Tag]:
        """Only a post has an author's side, a head with its date, or a text. The posts of the print view
        stand in no boxes: they are given those of the archive."""
        parts = ".post_author, .author_information, .post_head, .post_body"
        rows = [row for row in with_id(tree, '[id^="post_"]', POST_ID) if maybe(row, parts)]
        if not rows and (printed := maybe(tree, HEADLINE)):
            for cell in every(enclosing(printed, "table") or tree, f"td:has(> {RULE})"):
                _box_printed(cell)
        return rows or every(tree, ARCHIVED)

    def layout_of(self, row: Tag) -> str:
        return self.layout if attribute(row, "id") else "archive and print view"

    def refusal(self, page: Response, tree: Tag) -> KnightfallError:
        """A guest is told where to log in, a member gets reasons; anything else is a missing thread."""
        message = worded(tree, MESSAGES)
        if message is None:
            return self.no_posts(page)
        if maybe(message, 'a[href*="action=login"], input[type="password"]'):
            return login_required(page, words(message))
        return refused(page, words(message))

    def draft(self, row: Tag) -> Draft:
        if not attribute(row, "id"):  # the archive and the print view tell neither ids nor edits
            message = maybe(row, ":scope > .message")
            member = MEMBER.search(attribute(maybe(row, ":scope > .header .author a[href]"), "href") or "")
            return Draft(
                id="",
                author=text_of(maybe(row, ":scope > .header .author")),
                author_id=(member[1] or member[2]) if member else None,
                written=_written(maybe(row, ":scope > .header .dateline")),
                body=inner(message).strip() if message else None,
            )
        content = maybe(row, '.post_body[id^="pid_"], .post_body')
        notes = taken_out(every(row, ".post_edit, .edited_post"))
        note = next((tag for tag in notes if words(tag)), None)
        name = worded(row, *AUTHORS)
        hidden = "deleted_post" in classes(row)
        found = MEMBER.search(attribute(maybe(name, "a[href]"), "href") or "") if name else None

        # The date of an edit notice stands before the editor's name, which may hold digits.
        editor = maybe(note, "a[href]") if note else None
        if note and editor and not maybe(note, "span[title]"):
            edit_stamp = words_before(editor, note)
        else:
            edit_stamp = _written(note)

        # The "#21" that links to the post; the author's text cannot hold it: its own body is not searched.
        links = every(row, '.post_head a[href*="pid"], .float_right a[href*="#pid"], .posturl a[href]')
        return Draft(
            id=(attribute(row, "id") or "").removeprefix("post_"),
            author=text_of(name),
            author_id=(found[1] or found[2]) if found else None,
            number=first_number(map(NUMBER.fullmatch, map(words, links))),
            written=_written(maybe(row, DATES)),
            body="" if hidden else inner(content).strip() if content else None,
            edit_note=words(note).removeprefix("(").removesuffix(")") if note else None,
            edit_stamp=edit_stamp,
            hidden=hidden,
        )

    def thread(self, page: Response, tree: Tag) -> ThreadRef | None:
        """The thread as its address tells, else as the links of its posts do."""
        asked = self.locate(page.url)
        if asked is not None and not asked.id.startswith("p"):
            return asked
        if full := maybe(tree, f"#fullversion a[href], {HEADLINE}"):  # of the archive, of the print view
            ref = self.locate(absolute(page.url, attribute(full, "href") or "") or "")
            return replace(ref, start=0) if ref else None
        links = every(
            tree, '.post_head a[href*="tid="], a[href*="newreply.php?tid="], a[href*="printthread.php?tid="]'
        )
        told = [(number_in(link, "tid"), link) for link in (attribute(tag, "href") or "" for tag in links)]
        topic, link = next(((topic, link) for topic, link in told if topic is not None), (None, ""))
        home = page.url if is_absolute(page.url) else link
        if topic is None or not is_absolute(home):
            return None
        return ThreadRef(self.name, folder_of(home), str(topic))

    def paging(self, page: Response, tree: Tag, site: Site, drafts: list[Draft]) -> Paging:
        here, pages, link = 1, 1, None
        if area := maybe(tree, ".pagination:has(.pagination_current)"):
            here = amount(maybe(area, ".pagination_current")) or 1
            links = every(area, "a.pagination_page, a.pagination_last, a.pagination_first")
            pages = max([here, *filter(None, map(amount, links))])
            link = attribute(maybe(area, "a.pagination_next"), "href")
        elif area := maybe(tree, ".multipage"):  # of the archive, where the page shown is no link
            here = next(filter(None, map(amount, every(area, "strong"))), 1)
            numbered = {amount(tag): attribute(tag, "href") for tag in every(area, "a")}
            pages = max([here, *filter(None, numbered)])
            link = numbered.get(here + 1)
        asked = self.locate(page.url)
        refuse_beyond(page, asked.start if asked else 0, pages)
        size = site.posts_per_page or (len(drafts) if here < pages else USUAL_SIZE)
        return Paging(here, pages, (here - 1) * size, link=link)

    def following(
        self, page: Response, tree: Tag, thread: ThreadRef | None, paging: Paging
    ) -> Request | None:
        """Where the page's own link leads: addresses may be rewritten in more than one way."""
        return own_request(page, tree, paging.link)

    def next_page(self, thread: ThreadRef, paging: Paging) -> Request | None:
        return Request(f"{thread.root}showthread.php?tid={thread.id}&page={paging.page + 1}")

    def clock(self, tree: Tag) -> str:
        """ "Current time: 11-21-2026, 04:21 AM" at the foot of the page."""
        return words(maybe(tree, "#current_time"))

    def permalink(self, thread: ThreadRef, post: str, number: int) -> str | None:
        return f"{thread.root}showthread.php?tid={thread.id}&pid={post}#pid{post}" if post else None

    def title(self, tree: Tag) -> str:
        return words(worded(tree, *self.titles))

    def message_rows(self, tree: Tag) -> list[Tag]:
        """The box of a message is that of a post, mostly without its number; only a message has the button
        that answers it."""
        boxes = (row for row in with_id(tree, "[id]", MESSAGE_ID) if maybe(row, ".post_body"))
        return [row for row in boxes if _message_id(row)]

    def message_draft(self, row: Tag) -> Draft:
        return replace(self.draft(row), id=_message_id(row), number=None)


def _box_printed(cell: Tag) -> None:
    """Puts the posts of the print view into boxes as the archive has: a line with subject, author and date,
    two breaks, the text, two breaks, and a rule."""
    rules = every(cell, f":scope > {RULE}")
    posts: list[list[Tag]] = [[]]
    for node in cast(list[Tag], list(cell.iterchildren())):
        if any(node is rule for rule in rules):
            posts.append([])
        else:
            posts[-1].append(node)
    for nodes in posts:
        breaks = [place for place, node in enumerate(nodes) if node.tag == "br"]
        if len(breaks) < 4 or nodes[0].tag != "strong":
            continue
        head, before, behind = nodes[: breaks[0]], nodes[: breaks[1] + 1], nodes[breaks[-2] :]
        # A guest's name stands bare between the subject and the date, in dashes; 1.6 tells the time as well.
        member = next((node for node in head if node.tag == "a"), None)
        date = " ".join(words(node) for node in head[1:] if node.tag == "strong")
        box = cast(Tag, cell.makeelement("div", {"class": "post"}))
        header, message = (_part(box, style) for style in ("header", "message"))
        author = _part(header, "author")
        if member is None:
            author.text = (head[0].tail or "").strip().removeprefix("- ").removesuffix(" -")
        else:
            _part(author, "member", "a", href=attribute(member, "href") or "").text = words(member)
        _part(header, "dateline").text = date
        cell.insert(cell.index(nodes[0]), box)
        for node in nodes:
            message.append(node)
        message.text = before[-1].tail
        for node in (*before, *behind):
            message.remove(node)


def _part(around: Tag, style: str, name: str = "div", **attributes: str) -> Tag:
    part = cast(Tag, around.makeelement(name, {"class": style, **attributes}))
    around.append(part)
    return part


def _message_id(row: Tag) -> str:
    """The id of a message by the buttons that answer it, which stand apart from what its sender writes; ""
    for a post of a thread."""
    links = every(row, '.post_management_buttons a[href*="private.php?action=send"][href*="pmid="]')
    found = (number_in(attribute(link, "href") or "", "pmid") for link in links)
    return str(next(filter(None, found), ""))


def _written(date: Tag | None) -> str:
    """The words of a date; a title stands for its text, and for all that follows where it holds a clock."""
    exact = maybe(date, "span[title]") if date else None
    title = attribute(exact, "title") if exact else None
    if date is None or exact is None or not title:
        return words(date)
    return title if CLOCK.search(title) else f"{title} {words_after(exact, date)}"


MYBB = MyBB()
