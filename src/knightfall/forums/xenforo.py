"""XenForo 1 and 2.

A board without friendly URLs has `index.php?` before each route; it is then the end of the thread's root.
Routes may be renamed ("topics/slug.12/"): then only the page's own key tells the thread.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo

from knightfall.errors import IncompleteRead, KnightfallError
from knightfall.forums.base import (
    Draft,
    HtmlForum,
    Paging,
    Request,
    Response,
    Site,
    ThreadRef,
    absolute,
    base_of,
    body_without_session,
    folder_of,
    is_absolute,
    login_required,
    numbered,
    refuse_beyond,
    refused,
)
from knightfall.forums.dates import machine_time, unix_stamp, written_time, zone_at
from knightfall.forums.html import (
    Tag,
    attribute,
    classes,
    every,
    first_of,
    inner,
    maybe,
    own_part,
    taken_out,
    text_of,
    title_or_words,
    with_id,
    words,
)
from knightfall.forums.styles import STYLES

# `threads/slug.12/page-3`, behind any root: the id stands behind the last dot, and the slug may be missing.
THREAD = re.compile(
    r"(?P<root>.*?(?:/|index\.php\?))threads/(?:[^/?&#]*\.)?(?P<id>\d{1,15})"
    r"(?=[/?&#]|$)(?:/page-?(?P<page>\d{1,6}))?",
    re.IGNORECASE,
)
# Links to a post, in two forms, which do not tell its thread.
POST = re.compile(r"(?P<root>.*?(?:/|index\.php\?))posts/(?P<id>\d{1,15})(?=[/?&#]|$)", re.IGNORECASE)
JUMP = re.compile(r"(?P<root>.*?(?:/|index\.php\?))goto/post[?&]id=(?P<id>\d{1,15})", re.IGNORECASE)
NUMBER = re.compile(r"#\s?(\d[\d.,'’\s]*)")
USUAL_SIZE = 20


class _XenForo(HtmlForum):
    """What the versions share: the addresses of threads and posts, and how numbers and pages follow on."""

    labels: str
    """What stands in a heading beside the title: prefixes and tools."""

    def locate(self, url: str) -> ThreadRef | None:
        """`threads/slug.12/page-3`, `posts/99/`, and both behind `index.php?`."""
        if not is_absolute(url):
            return None
        if found := THREAD.match(url):
            return ThreadRef(self.name, found["root"], found["id"], int(found["page"] or 0))
        found = POST.match(url) or JUMP.match(url)
        return ThreadRef(self.name, found["root"], f"p{found['id']}") if found else None

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """The first page: how many posts a page has, only a page can tell."""
        if ref.id.startswith("p"):
            return Request(f"{ref.root}posts/{ref.id[1:]}/")
        return Request(f"{ref.root}threads/{ref.id}/")

    def thread(self, page: Response, tree: Tag) -> ThreadRef | None:
        """As the page's address for machines says, else its own; where the route is a renamed one, its key
        `data-content-key="thread-12"`."""
        if ref := super().thread(page, tree):
            return ref
        found = re.fullmatch(r"thread-(\d+)", attribute(maybe(tree, "html"), "data-content-key") or "")
        link = attribute(maybe(tree, ".p-header-logo a[href]"), "href") or ""
        home = absolute(base_of(page, tree), link) if found else None
        return ThreadRef(self.name, folder_of(home), found[1]) if found and home else None

    @abstractmethod
    def told(self, tree: Tag) -> Paging:
        """The page, how many there are, and the link to the next, as the page shows them."""

    def paging(self, page: Response, tree: Tag, site: Site, drafts: list[Draft]) -> Paging:
        told = self.told(tree)
        asked = self.locate(page.url)
        refuse_beyond(page, asked.start if asked else 0, told.pages)
        size = site.posts_per_page or (len(drafts) if told.page < told.pages else USUAL_SIZE)
        return Paging(told.page, told.pages, (told.page - 1) * size, link=told.link)

    def next_page(self, thread: ThreadRef, paging: Paging) -> Request | None:
        """The board sends us on to the address with the title in it."""
        return Request(f"{thread.root}threads/{thread.id}/page-{paging.page + 1}")

    def numbered(self, drafts: list[Draft], first: int) -> Iterable[tuple[int, Draft]]:
        return numbered(drafts, first)

    def permalink(self, thread: ThreadRef, post: str, number: int) -> str | None:
        return f"{thread.root}posts/{post}/"

    def must_rise(self, draft: Draft) -> bool:
        """A thread has one order only, but for questions and articles, which version 2 refuses itself."""
        return False

    def title(self, tree: Tag) -> str:
        return self.spoken(first_of(tree, self.titles))

    def spoken(self, heading: Tag | None) -> str:
        """The text of a heading without the labels and tools in it."""
        text = words(heading)
        for tag in every(heading, self.labels) if heading else []:
            text = text.replace(words(tag), "", 1)
        return " ".join(text.split())


def _shown_number(text: str) -> int | None:
    """ "#1,024" in whatever digits; None for anything else."""
    found = NUMBER.fullmatch(text.strip())
    return int(re.sub(r"\D", "", found[1])) if found else None


def _whole(text: str | None) -> int | None:
    """A plain number in whatever digits."""
    digits = re.sub(r"[.,'’\s]", "", text or "")
    return int(digits) if digits.isdecimal() and len(digits) < 12 else None


# ── XenForo 1 ────────────────────────────────────────────────────────────────────────────────────────

# The id of the page.
MARKS1 = re.compile(r"""<html[^<>]*\bid=["']?XenForo["'\s>]""", re.IGNORECASE)
MEMBER = re.compile(r"members/(?:[^/]*\.)?(\d+)")
POST_ID = re.compile(r"post-(\d+)")
MESSAGE_ID = re.compile(r"message-(\d+)")
TIMES = ".datePermalink .DateTime, .messageMeta .DateTime, .messageDetails .DateTime"
QUARTER = 900
# What the page tells its scripts of the viewer's clock: when their day began, and its day of the week.
SERVER_TIME = re.compile(
    r"serverTimeInfo:\s*\{\s*now: \d{1,12},\s*today: (?P<today>\d{1,12}),\s*todayDow: (?P<weekday>[0-6])"
)


class XenForo1(_XenForo):
    """The post's own text stands in a blockquote: what is inside it are quotes, it is none itself. Recent
    times are exact, older ones are words in the viewer's zone, which the recent ones of the page give away.
    """

    name = "xenforo1"
    html_style = STYLES["xenforo1"]
    software = "XenForo 1"
    tried = "the message list was looked for"
    layout = "message list"
    titles = (".titleBar h1, h1", "title")
    labels = ".PageNav, .prefix, .mainLabel, .tooltip"
    # A login bar stands on every page, a login form does not.
    login_form = '#pageLogin input[type="password"], .mainContent form input[type="password"]'
    messages = (".errorOverlay .baseHtml, .errorPanel, .mainContent .messageText",)

    def recognises(self, page: Response) -> bool:
        """By the id of the page."""
        return bool(MARKS1.search(page.text))

    def rows(self, tree: Tag) -> list[Tag]:
        return with_id(tree, "li.message[id]", POST_ID)

    def draft(self, row: Tag) -> Draft:
        stamp = maybe(row, TIMES)
        note = maybe(row, ".editDate")
        edit = maybe(note, ".DateTime") if note else None
        hidden = bool({"deleted", "placeholder"} & set(classes(row)))
        link = maybe(row, '.userText a.username[href*="members/"], a.username.author[href*="members/"]')
        found = MEMBER.search(attribute(link, "href") or "")
        content = maybe(row, "blockquote.messageText, .messageText")
        if content is not None:
            taken_out(every(content, ".messageTextEndMarker"))
        return Draft(
            id=(attribute(row, "id") or "").removeprefix("post-"),
            author=attribute(row, "data-author") or text_of(maybe(row, ".userText .username")),
            author_id=found[1] if found else None,
            number=_shown_number(words(maybe(row, ".postNumber, .hashPermalink"))),
            machine=unix_stamp(attribute(stamp, "data-time")),
            written=title_or_words(stamp),
            body="" if hidden else body_without_session(inner(content).strip()) if content else None,
            edit_note=text_of(note),
            edit_machine=unix_stamp(attribute(edit, "data-time")),
            edit_stamp=title_or_words(edit),
            hidden=hidden,
        )

    def told(self, tree: Tag) -> Paging:
        nav = maybe(tree, ".PageNav[data-last]")
        link = attribute(maybe(tree, 'link[rel="next"]'), "href")
        page = _whole(attribute(nav, "data-page")) or 1
        pages = max(page + (link is not None), _whole(attribute(nav, "data-last")) or 1)
        return Paging(page, pages, link=link)

    def zone(self, tree: Tag, site: Site) -> tzinfo | None:
        """The viewer's zone: how their clock reads at an instant that the page names exactly."""
        for tag in every(tree, "abbr.DateTime[data-time][data-timestring]"):
            told = f"{attribute(tag, 'data-datestring')} {attribute(tag, 'data-timestring')}"
            exact = datetime.fromtimestamp(_whole(attribute(tag, "data-time")) or 0, UTC)
            if shown := written_time(told, exact):
                ahead = round((shown - exact).total_seconds() / QUARTER) * QUARTER
                apart = timedelta(seconds=ahead)
                return zone_at(apart, exact, site.timezone) if abs(ahead) < 86400 else None

        # Else by the instant at which the viewer's day began, and which day of the week it is.
        found = next(filter(None, (SERVER_TIME.search(inner(tag)) for tag in every(tree, "script"))), None)
        if found is None:
            return None
        began, day = datetime.fromtimestamp(int(found["today"]), UTC), int(found["weekday"])
        for offset in (timedelta(seconds=QUARTER * quarters) for quarters in range(-48, 57)):
            local = began + offset
            if (local.hour, local.minute) == (0, 0) and local.isoweekday() % 7 == day:
                return zone_at(offset, began, site.timezone)
        return None

    def title(self, tree: Tag) -> str:
        """The heading; the window's title where nothing but labels stands in it."""
        return super().title(tree) or self.spoken(maybe(tree, "title"))

    def message_rows(self, tree: Tag) -> list[Tag]:
        """The messages of a conversation, which have ids of their own."""
        return with_id(tree, "li.message[data-author]", MESSAGE_ID)

    def message_draft(self, row: Tag) -> Draft:
        return replace(self.draft(row), id=(attribute(row, "id") or "").removeprefix("message-"))


XENFORO1 = XenForo1()


# ── XenForo 2 ────────────────────────────────────────────────────────────────────────────────────────

# The id of the page, else boxes with the key of a post.
MARKS2 = re.compile(
    r"""<html[^<>]*\bid=["']?XF["'\s>]|<article[^<>]{0,500}?\bjs-post\b[^<>]*\bdata-content="""
)
BOX = '.js-post[data-content^="post-"]'
CONVERSED = "article.message--conversationMessage[data-author]"
MESSAGE = re.compile(r"message-(\d+)")
"""What the key of a message in a conversation ends in."""
LIST = ".js-replyNewMessageContainer"
AGAIN = "#js-solutionHighlightBlock"
NOTICES = ".messageNotice--deleted, .messageNotice--moderated"
SORTED = '.tabs-tab.is-active[href*="order="]:not([href*="order=post_date"])'


class XenForo2(_XenForo):
    """Ads may look like posts, a solution or a question stands on several pages, and broken themes nest one
    post in the other: only boxes with a post's key are read, in the thread's list, each for its own parts.
    """

    name = "xenforo2"
    html_style = STYLES["xenforo2"]
    software = "XenForo 2"
    tried = "message boxes with a post's key were looked for"
    layout = "message boxes"
    titles = (".p-title-value", "h1", "title")
    labels = ".label, .labelLink, .label-append, .u-srOnly"
    login_form = '.p-body-content form input[type="password"], .p-body-main form input[type="password"]'

    def recognises(self, page: Response) -> bool:
        """By the id of the page, else by the keys of its posts."""
        return bool(MARKS2.search(page.text))

    def rows(self, tree: Tag) -> list[Tag]:
        """The posts of the thread's list; a question stands before it, and on later pages too."""
        repeated = every(tree, f"{AGAIN} {BOX}")
        rows = [row for row in every(tree, BOX) if not any(row is other for other in repeated)]
        if listed := every(tree, f"{LIST} {BOX}"):
            first_page = self.told(tree).page == 1
            question = [row for row in rows if first_page and _number(row) == 1]
            rows = [*question[:1], *listed]
        return list({attribute(row, "data-content"): row for row in rows}.values())

    def refusal(self, page: Response, tree: Tag) -> KnightfallError:
        template = attribute(maybe(tree, "html"), "data-template") or ""
        if maybe(tree, self.login_form) or template == "login":
            return login_required(page)
        message = maybe(tree, ".p-body-pageContent .blockMessage, .p-body-pageContent .block-rowMessage")
        if message and (template == "error" or page.status >= 400):
            return refused(page, words(message))
        return self.no_posts(page)

    def refuse_view(self, page: Response, tree: Tag) -> None:
        if maybe(tree, SORTED):
            raise IncompleteRead(
                "The page does not show the posts in order of time (they are sorted by votes or reactions). "
                "Sort them by date and try again."
            )

    def draft(self, row: Tag) -> Draft:
        stamp = _own(row, ".message-attribution time, .message-date time")
        note = _own(row, ".message-lastEdit")
        edit = maybe(note, "time") if note else None

        # Deleted or not yet approved: staff see a notice, others nothing; an ignored one may lack its body.
        styles = classes(row)
        ignored = "is-ignored" in styles and _own(row, ".message-body") is None
        hidden = "message--deleted" in styles or ignored or _own(row, NOTICES) is not None
        content = _own(row, ".message-body .bbWrapper") or _own(row, ".message-body")
        member = _own(row, ".message-name [data-user-id], .message-cell--user [data-user-id]")
        author_id = attribute(member, "data-user-id")
        return Draft(
            id=(attribute(row, "data-content") or "").removeprefix("post-"),
            author=attribute(row, "data-author") or text_of(_own(row, ".message-name")),
            author_id=author_id if author_id != "0" else None,
            number=_number(row),
            machine=_instant(stamp),
            written=title_or_words(stamp),
            body="" if hidden else body_without_session(inner(content)) if content else None,
            edit_note=text_of(note),
            edit_machine=_instant(edit),
            edit_stamp=title_or_words(edit),
            hidden=hidden,
        )

    def told(self, tree: Tag) -> Paging:
        shown = (_whole(words(tag)) for tag in every(tree, ".pageNav-page"))
        link = attribute(maybe(tree, 'link[rel="next"], a.pageNav-jump--next[href]'), "href")
        page = _whole(words(maybe(tree, ".pageNav-page--current"))) or 1
        pages = max([page + (link is not None), *(number for number in shown if number is not None)])
        return Paging(page, pages, link=link)

    def message_rows(self, tree: Tag) -> list[Tag]:
        """The messages of a conversation."""
        return every(tree, CONVERSED)

    def message_draft(self, row: Tag) -> Draft:
        keys = f"{attribute(row, 'data-content')} {attribute(row, 'id')}"
        found = MESSAGE.search(keys)
        return replace(self.draft(row), id=found[1] if found else "")


def _own(row: Tag, selector: str) -> Tag | None:
    return own_part(row, selector, "js-post")


def _number(row: Tag) -> int | None:
    """The link among the tools of a post that is its number."""
    tools = _own(row, ".message-attribution-opposite") or _own(row, ".message-attribution")
    numbers = (_shown_number(words(link)) for link in every(tools, "a")) if tools else iter(())
    return next((number for number in numbers if number is not None), None)


def _instant(stamp: Tag | None) -> str | None:
    """The ISO time, else the Unix time, which stands in data-timestamp since 2.2 and in data-time before."""
    iso = attribute(stamp, "datetime")
    if machine_time(iso):
        return iso
    return unix_stamp(attribute(stamp, "data-timestamp") or attribute(stamp, "data-time")) or iso


XENFORO2 = XenForo2()
