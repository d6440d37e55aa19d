"""IP.Board 3 and Invision Community 4.

Both know `topic/12-slug/`, behind `index.php/` or `index.php?/` where the server rewrites nothing, and the
old `index.php?showtopic=12`. The slug belongs to the id: newer boards answer only to the whole.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from dataclasses import dataclass, replace
from datetime import tzinfo
from math import ceil

from knightfall.errors import KnightfallError
from knightfall.forums.base import (
    DENIED,
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
    past_the_end,
    refuse_beyond,
    refused,
    same_server,
)
from knightfall.forums.dates import zone_beside
from knightfall.forums.html import (
    Tag,
    amount,
    attribute,
    every,
    holds,
    inner,
    maybe,
    own_words,
    taken_out,
    text_of,
    with_id,
    worded,
    words,
)
from knightfall.forums.styles import STYLES

# A word behind the id other than the page is NodeBB's spelling of a topic.
TOPIC = re.compile(
    r"^(?P<root>[^#]*?/(?:index\.php[/?]/?)?)topic/(?P<id>\d+(?:-[^/?#&]*)?)(?!\d|/(?!page)[^/?#&])(?P<rest>[^#]*)",
    re.I,
)
# The old address, whose topic is a parameter.
OLD = re.compile(r"^(?P<root>[^?#]*/)(?:index\.php)?\?(?:[^#]*&)?showtopic=(?P<id>\d+)", re.IGNORECASE)
PAGE = re.compile(r"(?:/page/|/page-|[?&]page=)(\d+)")
OFFSET = re.compile(r"(?:page__st__|__st__|[?&]st=)(\d+)")
NUMBER = re.compile(r"#\s?(\d+)")


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a topic a URL points: a page, or an offset; 0 where it does not say."""

    page: int = 0
    offset: int = 0


def place_in(url: str) -> Place:
    """The page or offset that a URL asks for."""
    page, offset = PAGE.search(url), OFFSET.search(url)
    return Place(int(page[1]) if page else 0, int(offset[1]) if offset else 0)


def topic_address(ref: ThreadRef) -> str:
    """The first page; a topic known by its bare number has its old address, which every version follows."""
    return old_address(ref) if ref.id.isdecimal() else f"{ref.root}topic/{ref.id}/"


def old_address(ref: ThreadRef) -> str:
    """The address by the bare number; places in the topic are written behind it."""
    return f"{ref.root.partition('index.php')[0]}index.php?showtopic={ref.id.partition('-')[0]}"


def next_page(here: str, link: str | None, computed: str | None) -> Request | None:
    """The next page: where the link of the page at `here` leads, else the address as computed."""
    url = (absolute(here, link) if link else None) or computed
    return Request(url.partition("#")[0]) if url else None


class _Invision(HtmlForum):
    """What the versions share: addresses, and reading from the first page on."""

    def locate(self, url: str) -> ThreadRef | None:
        """`topic/12-slug/`, `index.php?showtopic=12`; the id is "12-slug", or "12" where there is no slug."""
        if not is_absolute(url):
            return None
        if found := TOPIC.match(url):
            place = place_in(url)
            return ThreadRef(self.name, found["root"], found["id"], place.page or place.offset)
        old = OLD.match(url.replace("&amp;", "&"))
        if old is None:
            return None
        return ThreadRef(
            self.name, old["root"], old["id"], number_in(url, "st") or number_in(url, "page") or 0
        )

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """The first page: how many posts make a page is the board's own secret."""
        return Request(topic_address(ref))

    def following(
        self, page: Response, tree: Tag, thread: ThreadRef | None, paging: Paging
    ) -> Request | None:
        if paging.page >= paging.pages:
            return None
        return next_page(page.url, paging.link, self.computed(thread, paging) if thread else None)

    @abstractmethod
    def computed(self, thread: ThreadRef, paging: Paging) -> str:
        """The address of the next page, where the page has no link to it."""


# ── IP.Board 3 ───────────────────────────────────────────────────────────────────────────────────────

# The body's id, else the object that the scripts of every page hang on.
MARKS3 = re.compile(
    r"""<body[^<>]*\bid=["']?ipboard_body\b|\bipb\.(?:vars|topic|templates)\b""", re.IGNORECASE
)
POST_ID = re.compile(r"post_id_(\d+)")
MEMBER = re.compile(r"/user/(\d+)|[?&]showuser=(\d+)")
BOARD_SCRIPT = re.compile(
    r"""ipb\.vars\[["']base_url["']\]\s*=\s*["'](https?://[^"'?#\s]*/)(?:index\.php)?\?"""
)
TOPIC_SCRIPT = re.compile(r"ipb\.topic\.topic_id\s*=\s*(\d+)")
START_SCRIPT = re.compile(r"ipb\.topic\.start_id\s*=\s*(\d+)")
TOTAL_SCRIPT = re.compile(r"\bpostTotal:\s*(\d+)")
SIZE_SCRIPT = re.compile(r"\bperPage:\s*(\d+)")
USUAL_SIZE3 = 20
AUTHORS3 = (
    '.author.vcard [itemprop="name"]',
    ".author.vcard",
    '[itemprop~="creator"]',
    ".author_info .author a[href]",
    ".author_info .author",
    "h3.guest",
    "h3",
)
ADS = ".nexusad, .ipsAd"
MESSAGES = ".message.error, #content .ipsType_sectiontitle, #content p.ipsType_normal, .error_message"


class Invision3(_Invision):
    """Posts have numbers and times for machines; the page's own script tells topic, offset, page length and
    total.
    """

    name = "invision3"
    html_style = STYLES["invision3"]
    software = "IP.Board 3"
    tried = "the markup of 3.x was tried"
    layout = "3.x theme"
    titles = ("h1.ipsType_pagetitle", 'h1[itemprop="name"]', "title")
    login_form = '#content form input[type="password"], form#login input[type="password"]'

    def recognises(self, page: Response) -> bool:
        """By the body's id, or the object that every page's scripts hang on."""
        return mentions(page, ("ipboard_body", "ipb."), any_case=True) and bool(MARKS3.search(page.text))

    def rows(self, tree: Tag) -> list[Tag]:
        return with_id(tree, '[id^="post_id_"]', POST_ID)

    def refusal(self, page: Response, tree: Tag) -> KnightfallError:
        """Guests get the reason and a login form on one page; every page has a hidden form at its head."""
        message = worded(tree, MESSAGES)
        text = words(message)
        form = maybe(tree, self.login_form)
        if form and page.status not in (404, 410) and (not text or DENIED.search(text)):
            return login_required(page, text)
        return refused(page, text) if message else self.no_posts(page)

    def draft(self, row: Tag) -> Draft:
        content = maybe(row, "div.entry-content, .post.entry-content")
        stamp = maybe(row, "abbr.published[title]")
        notes = taken_out(every(content, "p.edit")) if content else []
        if content is not None:
            taken_out(every(content, ADS))
        hidden = maybe(row, '[id^="postsDelete_"]') is not None

        # The name; a guest's stands bare in the heading, beside other things.
        names = (
            own_words(tag) if tag.tag in ("h3", "li") else words(tag)
            for selector in AUTHORS3
            for tag in every(row, selector)
        )
        author = next(filter(None, names), None)
        if link := maybe(row, "h3 a[hovercard-id], .author a[hovercard-id]"):
            member = attribute(link, "hovercard-id")
        else:
            profile = maybe(row, "h3 .author a[href], .author_info .author a[href]")
            found = MEMBER.search(attribute(profile, "href") or "")
            member = found[1] or found[2] if found else None

        said = words(notes[-1]) if notes else ""
        return Draft(
            id=(attribute(row, "id") or "").removeprefix("post_id_"),
            author=author,
            author_id=member,
            number=first_number(map(NUMBER.search, map(words, every(row, ".post_id")))),
            machine=attribute(stamp, "title"),
            written=words(stamp),
            body="" if hidden else inner(content).strip() if content else None,
            edit_note=said or None,
            edit_stamp=said.replace(author or "", "", 1),
            hidden=hidden,
        )

    def thread(self, page: Response, tree: Tag) -> ThreadRef | None:
        """As the address tells, else (rewritten ones do not) as the page's script does, which names the board
        too."""
        asked, topic = self.locate(page.url), _scripted(page, "ipb.topic.topic_id", TOPIC_SCRIPT)
        if asked is not None or topic is None or not is_absolute(page.url):
            return asked
        board = BOARD_SCRIPT.search(page.text)
        home = board[1] if board and same_server(board[1], page.url) else folder_of(page.url)
        return ThreadRef(self.name, home, str(topic))

    def paging(self, page: Response, tree: Tag, site: Site, drafts: list[Draft]) -> Paging:
        area = maybe(tree, "ul.pagination, .pagination")
        link = attribute(maybe(area, '.next a[href], a[rel="next"]'), "href") if area else None
        usual = site.posts_per_page or (len(drafts) if link else USUAL_SIZE3)
        size = _scripted(page, "perPage:", SIZE_SCRIPT) or usual

        # The offset: by the first number shown, else by the page's script.
        told = (draft.number - 1 - place for place, draft in enumerate(drafts) if draft.number is not None)
        start = next(told, None)
        if start is None:
            start = _scripted(page, "ipb.topic.start_id", START_SCRIPT) or 0

        # The total: by the page's script, else the topic's own count, in its heading for machines.
        count = attribute(maybe(tree, '[itemtype*="Article"] meta[itemprop="interactionCount"]'), "content")
        digits = re.sub(r"\D", "", count or "")
        total = _scripted(page, "postTotal:", TOTAL_SCRIPT) or (int(digits) if digits else None)

        here = start // size + 1
        numbers = [int(words(tag)) for tag in every(area, ".page") if words(tag).isdecimal()] if area else []
        shown = maybe(area, ".page.active") if area else None
        if shown is not None and words(shown).isdecimal() and int(words(shown)) != here and start:
            here = int(words(shown))  # the script that tells the size is gone: by the list of pages
            size = start // (here - 1) if here > 1 else size
        pages = max([here, ceil((total or 1) / size), *numbers])
        asked, bound = place_in(page.url), total or pages * size
        if asked.page > pages or (asked.offset and asked.offset >= bound):
            raise past_the_end(page, f"{bound} posts at most ({pages} page{'s' * (pages > 1)})")
        return Paging(here, pages, start, size, total, link)

    def computed(self, thread: ThreadRef, paging: Paging) -> str:
        return f"{old_address(thread)}&st={paging.next_start}"

    def zone(self, tree: Tag, site: Site) -> tzinfo | None:
        """The viewer's, in which edits are told, by the times of posts, which are told in both ways."""
        stamps = every(tree, "abbr.published[title]")
        return zone_beside((words(stamp), attribute(stamp, "title")) for stamp in stamps)

    def message_rows(self, tree: Tag) -> list[Tag]:
        """The messages of a conversation stand in the boxes of posts, ids included."""
        return with_id(tree, '#conversation [id^="post_id_"]', POST_ID)

    def message_draft(self, row: Tag) -> Draft:
        """Its time is told in words alone."""
        draft, stamp = self.draft(row), maybe(row, ".posted_info, .post_date")
        return draft if draft.machine or draft.written else replace(draft, written=words(stamp))

    def message_subject(self, tree: Tag) -> str:
        return words(worded(tree, "#conversation .maintitle"))

    def permalink(self, thread: ThreadRef, post: str, number: int) -> str | None:
        """The address that finds a post's page by itself."""
        return f"{old_address(thread)}&view=findpost&p={post}"


def _scripted(page: Response, word: str, pattern: re.Pattern[str]) -> int | None:
    """What the page's own script tells behind a word, with which the pattern begins."""
    place = page.text.find(word)
    return first_number([pattern.search(page.text, place)]) if place >= 0 else None


INVISION3 = Invision3()


# ── Invision Community 4 ─────────────────────────────────────────────────────────────────────────────

# The body's class, else the settings that every page gives its scripts.
MARKS4 = re.compile(r"""<body[^<>]*\bclass=["']?[^"'<>]*\bipsApp\b|\bipsSettings\b""", re.IGNORECASE)
COMMENT_ID = re.compile(r"elComment_(\d+)")
PROFILE = re.compile(r"profile/(\d+)|[?&]showuser=(\d+)|[?&]id=(\d+)")
USUAL_SIZE4 = 25
AUTHORS4 = (
    '.cAuthorPane_author a[href*="profile/"]',
    ".cAuthorPane_author strong",
    ".cAuthorPane_author",
    ".ipsComment_author strong",
    '.ipsComment_author a[href*="profile/"]',
)
NOTES = ":scope > [data-excludequote], :scope > span.ipsType_light, :scope > .ipsEdited"
ERRORS = "#elErrorMessage, #elError, [data-pagecontroller=error] #ipsLayout_mainArea"


class Invision4(_Invision):
    """Posts have no numbers; their times are for machines. The notice of an edit stands inside the text."""

    name = "invision4"
    html_style = STYLES["invision4"]
    software = "Invision 4"
    tried = "the markup of 4.x was tried"
    layout = "4.x theme"
    titles = ("h1.ipsType_pageTitle", "h1", "title")
    login_form = 'body[data-pagecontroller="login"], #elLogin'

    def recognises(self, page: Response) -> bool:
        """By the body's class, or the settings that every page gives its scripts."""
        return mentions(page, ("ipsapp", "ipssettings"), any_case=True) and bool(MARKS4.search(page.text))

    def rows(self, tree: Tag) -> list[Tag]:
        return with_id(tree, 'article[id^="elComment_"], .cPost[id^="elComment_"]', COMMENT_ID)

    def refusal(self, page: Response, tree: Tag) -> KnightfallError:
        """Invision's refusals have a box of their own and a status; a login page is a page of its own."""
        if maybe(tree, self.login_form):
            return login_required(page)
        message = maybe(tree, ERRORS)
        if message is None and page.status < 400:
            return self.no_posts(page)
        return refused(page, words(message) if message else f"status {page.status}")

    def draft(self, row: Tag) -> Draft:
        content = maybe(row, '[data-role="commentContent"]')
        stamps = (tag for tag in every(row, "time[datetime]") if not (content and holds(content, tag)))
        stamp = next(stamps, None)
        notes = taken_out(every(content, NOTES)) if content else []
        note = next((tag for tag in notes if words(tag)), None)
        hidden = maybe(row, ".ipsModerated") is not None or "ipsModerated" in (attribute(row, "class") or "")
        link = maybe(row, '.cAuthorPane_author a[href], .ipsComment_author a[href*="profile/"]')
        found = PROFILE.search(attribute(link, "href") or "")

        # Some boards add the "#12" that Invision itself does not show.
        links = [link for link in every(row, "a[href]") if not (content and holds(content, link))]
        return Draft(
            id=(attribute(row, "id") or "").removeprefix("elComment_"),
            author=words(worded(row, *AUTHORS4)) or None,
            author_id=next(filter(None, found.groups()), None) if found else None,
            number=first_number(map(NUMBER.fullmatch, map(words, links))),
            machine=attribute(stamp, "datetime"),
            written=words(stamp),
            body="" if hidden else inner(content).strip() if content else None,
            edit_note=text_of(note),
            edit_machine=attribute(maybe(note, "time[datetime]"), "datetime") if note else None,
            edit_stamp=words(note),
            hidden=hidden,
        )

    def thread(self, page: Response, tree: Tag) -> ThreadRef | None:
        """As the address says; as the page does where that is another topic, or it alone has the slug."""
        asked = self.locate(page.url)
        canonical = attribute(maybe(tree, 'link[rel="canonical"]'), "href")
        link = canonical or attribute(maybe(tree, 'meta[property="og:url"]'), "content")
        told = self.locate(link) if link else None
        if asked is None or (told is not None and asked.id.partition("-")[0] != told.id.partition("-")[0]):
            return told
        return asked if "-" in asked.id or told is None else told

    def paging(self, page: Response, tree: Tag, site: Site, drafts: list[Draft]) -> Paging:
        # "12 posts in this topic", where the theme shows it; "replies" would not count the opening post.
        total = amount(maybe(tree, '[data-role="comment_count"]'))
        area = maybe(tree, "ul.ipsPagination[data-pages]") or maybe(tree, "ul.ipsPagination")
        if area is None:
            refuse_beyond(page, place_in(page.url).page, 1)
            return Paging(1, 1, total=total)

        here = amount(maybe(area, ".ipsPagination_active")) or 1
        numbers = filter(None, map(amount, every(area, ".ipsPagination_page")))
        pages = max([here, int(attribute(area, "data-pages") or 1), *numbers])
        refuse_beyond(page, place_in(page.url).page, pages)
        told = attribute(area, "data-ipspagination-perpage") or ""
        usual = site.posts_per_page or (len(drafts) if here < pages else USUAL_SIZE4)
        size = int(told) if told.isdecimal() else usual
        link = maybe(area, ".ipsPagination_next:not(.ipsPagination_inactive) a[href]")
        following = attribute(link or maybe(tree, 'link[rel="next"]'), "href")
        return Paging(here, pages, (here - 1) * size, size, total, following)

    def computed(self, thread: ThreadRef, paging: Paging) -> str:
        return f"{topic_address(thread)}page/{paging.page + 1}/"

    def permalink(self, thread: ThreadRef, post: str, number: int) -> str | None:
        address = topic_address(thread)
        return f"{address}{'&' if '?' in address else '?'}do=findComment&comment={post}"

    def must_rise(self, draft: Draft) -> bool:
        """A topic has one order only; a link that reads "#12" may be another thing than a number."""
        return False

    def title(self, tree: Tag) -> str:
        return words(worded(tree, *self.titles))

    def message_rows(self, tree: Tag) -> list[Tag]:
        """The messages of the conversation that is open in the messenger, in the boxes of comments."""
        return with_id(tree, '#elMessageViewer [id^="elComment_"]', COMMENT_ID)

    def message_subject(self, tree: Tag) -> str:
        return words(worded(tree, "#elMessageViewer .ipsType_pageTitle, #elMessageViewer h1"))


INVISION4 = Invision4()
