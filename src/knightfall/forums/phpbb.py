"""phpBB 3: prosilver and its children, subsilver2, MafiaScum's own, the print view."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from functools import partial
from itertools import chain
from math import ceil
from urllib.parse import urlsplit

from knightfall.errors import KnightfallError, PastTheEnd
from knightfall.forums.base import (
    Chunk,
    Draft,
    Request,
    Response,
    Site,
    ThreadRef,
    absolute,
    body_without_session,
    checked,
    clock_of,
    folder_of,
    is_absolute,
    login_required,
    no_posts,
    number_in,
    posts_of,
    query_of,
    refuse_filtered,
    refused,
    same_server,
    thread_asked,
)
from knightfall.forums.dates import Paging, zone_named, zone_offset
from knightfall.forums.html import (
    Tag,
    attribute,
    classes,
    enclosing,
    every,
    holds,
    inner,
    is_element,
    maybe,
    one,
    own_words,
    parse_page,
    with_id,
    worded,
    words,
    words_after,
)
from knightfall.markup.flavour import Flavour
from knightfall.models import Post

TOPIC_PAGE = re.compile(r"viewtopic\w*\.(?:php|html?)", re.IGNORECASE)


def is_topic_page(url: str) -> bool:
    """True for viewtopic.php and its saved forms."""
    return is_absolute(url) and TOPIC_PAGE.fullmatch(urlsplit(url).path.rpartition("/")[2]) is not None


def topic_at(platform: str, url: str) -> ThreadRef | None:
    """By t= and start=, else by p=."""
    return thread_asked(platform, url, "t", "p", number_in(url, "start") or 0)


def page_from(ref: ThreadRef, offset: int = 0) -> Request:
    """The page that begins at an offset; a topic known by one of its posts has only the page of that post."""
    if ref.id.startswith("p"):
        return Request(f"{ref.root}viewtopic.php?p={ref.id[1:]}")
    return Request(f"{ref.root}viewtopic.php?t={ref.id}" + (f"&start={offset}" if offset > 0 else ""))


def page_after(ref: ThreadRef | None, paging: Paging) -> Request | None:
    """The next page of a topic; None on the last, and where no page told the topic."""
    if ref is None or ref.id.startswith("p") or paging.following is None:
        return None
    return page_from(ref, paging.following)


AREAS = ".pagination, .page-number, #pagecontent td.gensmall, #pagecontent td.nav"
AMOUNT = re.compile(r"\d{1,3}(?:[.,\s]\d{3})+|\d+")
BRACKETED = re.compile(r"\[\s*([^\[\]]*\d[^\[\]]*)\]")


@dataclass(frozen=True, slots=True)
class _Told:
    """What the pagination says: (page number, offset) of its links, its numbers, the page we are on."""

    links: tuple[tuple[int, int], ...]
    last: int
    here: int
    total: int | None
    size: int | None


def paging_of(tree: Tag, asked: str, heading: str, usual: int | None, shown: int) -> Paging:
    """`asked` is the page's URL, `heading` its heading's link, `usual` the site's page size, `shown` a count.

    Raises PastTheEnd where the URL asks for what lies behind the last page.
    """
    told = _told(every(tree, AREAS))
    _refuse_beyond(asked, told)
    start = _start(told, asked, heading, usual, shown)
    size: int | None
    if told.size is not None:
        size = told.size
    elif told.here > 1 and start:
        size = start // (told.here - 1)
    else:
        more = told.last > 1 or (told.total is not None and told.total > start + shown)
        size = shown if more else None

    page = start // size + 1 if size else told.here
    counted = ceil(told.total / size) if told.total and size else 1
    return Paging(start, page, max(told.last, counted, page), size, told.total)


def _told(areas: list[Tag]) -> _Told:
    links = tuple(pair for area in areas for pair in _numbered_links(area))
    active = [words(tag) for area in areas for tag in every(area, "li.active")]
    marks = [words(tag) for area in areas for tag in every(area, "strong")]
    numbers = [int(text) for text in (*active, *marks) if _is_number(text)]
    last = max([1, *numbers, *(number for number, _ in links)])

    # "247 posts" in the pagination, "[ 61 posts ]" in subsilver2.
    told = [own_words(area) for area in areas if "pagination" in (attribute(area, "class") or "")]
    told += [found[1] for found in map(BRACKETED.fullmatch, map(words, areas)) if found]
    amounts = [found[0] for found in map(AMOUNT.search, told) if found]
    total = int(re.sub(r"\D", "", amounts[0])) if amounts else None

    return _Told(links, last, numbers[0] if numbers else 1, total, _told_size(links, areas))


def _numbered_links(area: Tag) -> list[tuple[int, int]]:
    found = [
        (words(link), number_in(attribute(link, "href") or "", "start")) for link in every(area, "a[href]")
    ]
    return [(int(text), start or 0) for text, start in found if _is_number(text)]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 7


def _told_size(links: tuple[tuple[int, int], ...], areas: list[Tag]) -> int | None:
    """The offset of page n divided by n - 1, else what the page's own script goes by."""
    for number, start in links:
        if number > 1 and start and start % (number - 1) == 0:
            return start // (number - 1)
    told = [attribute(tag, "data-per-page") or "" for area in areas for tag in every(area, "[data-per-page]")]
    return next((int(text) for text in told if _is_number(text) and int(text) > 0), None)


def _start(told: _Told, asked: str, heading: str, usual: int | None, shown: int) -> int:
    """The offset the page begins at: as its heading's link says, else as asked for, else by its number."""
    for offset in (number_in(heading, "start"), number_in(asked, "start")):
        if offset is not None:
            return offset
    if told.here > 1 and told.here == told.last and told.total is not None:
        return max(0, told.total - shown)
    return (told.here - 1) * (told.size or usual or shown)


def _refuse_beyond(url: str, told: _Told) -> None:
    asked = number_in(url, "start") or 0
    bound = told.total if told.total is not None else told.last * told.size if told.size else None
    if bound is not None and asked and asked >= bound:
        raise PastTheEnd(
            f"{url} asks for post {asked + 1}, but the thread has {bound} posts at most ({told.last} pages); "
            "the board answered with its last page again. Give the address of the thread without start=."
        )


NAMES = ".username, .username-coloured"
PROFILE = 'a[href*="mode=viewprofile"]'
POST_ID = re.compile(r"p(\d+)")
SHOWN_NUMBER = re.compile(r"(?:[^\W\d_]+\s)?#\s?(\d+)")
FURNITURE = " \u00a0»-–—|·•,"
"""What themes put between the author's name and the date."""


@dataclass(frozen=True, slots=True)
class Skin:
    """A family of themes: `boxes` finds the posts of a page, `draft` reads one."""

    name: str
    boxes: Callable[[Tag], list[Tag]]
    draft: Callable[[Tag], Draft]


def skin_of(tree: Tag) -> tuple[Skin, list[Tag]] | None:
    """The theme that finds posts on a page, with their boxes."""
    found = ((skin, skin.boxes(tree)) for skin in SKINS)
    return next(((skin, boxes) for skin, boxes in found if boxes), None)


def _prosilver_boxes(tree: Tag) -> list[Tag]:
    return with_id(tree, 'div.post[id^="p"], li.post[id^="p"], article.post[id^="p"]', POST_ID)


def _prosilver(box: Tag) -> Draft:
    head = maybe(box, "p.author, .author")

    # The element with the author's name: in the post's head, else in the profile beside it. A viewer's foe
    # (3.0) has neither: the notice that stands for the post names him.
    beside = (
        f".postprofile dt :is({NAMES})",
        f".postprofile dt {PROFILE}",
        f".ignore :is({NAMES}, {PROFILE}, strong)",
    )
    in_head = (tag for selector in (NAMES, PROFILE, "strong") if head for tag in every(head, selector))
    elsewhere = (tag for selector in beside for tag in every(box, selector))
    name = next((tag for tag in chain(in_head, elsewhere) if words(tag) and not _is_post_number(tag)), None)

    stamp = maybe(head, "time[datetime]") if head else None
    content = maybe(box, ".content")
    tags = every(box, "div.notice")
    note = next((tag for tag in tags if content is None or not holds(content, tag)), None)
    # A placeholder of a deleted post, or (3.0) of a post by somebody the viewer ignores.
    if content is None:
        prosilver_body = "" if maybe(box, ".ignore") else None
    else:
        prosilver_body = body_without_session(inner(content))

    # A number "#12" that the board prints in the head of a post, unless it is the author's name.
    tags = every(head, ".post-number-bolded, a, span, strong, b") if head else []
    texts = [
        words(tag)
        for tag in tags
        if name is None or not (tag is name or holds(tag, name) or holds(name, tag))
    ]
    shown = [found for found in map(SHOWN_NUMBER.fullmatch, texts) if found]

    return Draft(
        id=(attribute(box, "id") or "")[1:],
        author=_name(name),
        author_id=_profile_id(name),
        number=int(shown[0][1]) if shown else None,
        machine=attribute(stamp, "datetime"),
        written=words_after(name, head).strip(FURNITURE) if name and head else "",
        body=prosilver_body,
        edit_note=words(note) if note else None,
        edit_stamp=_after_name(note),
        hidden="deleted" in classes(box) or content is None,
    )


def _is_post_number(tag: Tag) -> bool:
    """A bare "#12"; a member or a marked guest may be called so."""
    named = "username" in (attribute(tag, "class") or "") or _profile_link(tag) is not None
    return SHOWN_NUMBER.fullmatch(words(tag)) is not None and not named


def _after_name(note: Tag | None) -> str:
    """What an edit notice says after the editor's name, which may hold digits."""
    if note is None:
        return ""
    name = maybe(note, f"{NAMES}, {PROFILE}")
    return words_after(name, note) if name else words(note)


def _name(tag: Tag | None) -> str | None:
    return words(tag) if tag else None


def _profile_link(tag: Tag | None) -> str | None:
    """The link to a member's profile on or around a name; guests and deleted users have none."""
    if tag is None:
        return None
    link = tag if tag.name == "a" else maybe(tag, PROFILE) or tag.find_parent("a")
    target = attribute(link, "href") if is_element(link) else None
    return target if target and "u" in query_of(target) else None


def _profile_id(tag: Tag | None) -> str | None:
    link = _profile_link(tag)
    return query_of(link)["u"] if link else None


def _subsilver_boxes(tree: Tag) -> list[Tag]:
    anchors = [tag for tag in every(tree, "a[name]") if POST_ID.fullmatch(attribute(tag, "name") or "")]
    tables = [enclosing(anchor, "table", "tablebg") for anchor in anchors]
    return [table for table in tables if table is not None]


def _subsilver(box: Tag) -> Draft:
    """Subsilver2 has a table a post; the signature stands beside the body in a container of its own."""
    anchor = next(tag for tag in every(box, "a[name]") if POST_ID.fullmatch(attribute(tag, "name") or ""))
    mark = attribute(anchor, "name") or ""
    target = maybe(box, f'a[href$="#{mark}"]')
    body = maybe(box, "div.postbody")

    # The edit notice stands next to the body, in small print.
    if body is None or body.parent is None:
        note = None
    else:
        note = next((tag for tag in every(body.parent, "span.gensmall") if tag.parent is body.parent), None)

    # The body; empty where the whole post is a notice in one wide cell (a viewer's foe).
    if body is None:
        subsilver_body = "" if maybe(box, "td.gensmall[colspan]") else None
    else:
        subsilver_body = body_without_session(inner(body))
    return Draft(
        id=mark[1:],
        author=_name(maybe(box, ".postauthor") or maybe(box, f"td.gensmall {PROFILE}")),
        author_id=_profile_id(maybe(box, f".postauthor {PROFILE}") or maybe(box, f".icons {PROFILE}")),
        written=words_after(target, target.parent) if target and target.parent else "",
        body=subsilver_body,
        edit_note=words(note) if note else None,
        edit_stamp=_after_name(note),
        hidden=body is None,
    )


def _print_boxes(tree: Tag) -> list[Tag]:
    return [box for box in every(tree, "div.post") if maybe(box, "div.date") and maybe(box, "div.content")]


def _print(box: Tag) -> Draft:
    """The print view tells neither ids nor edits."""
    content = maybe(box, "div.content")
    date = maybe(box, "div.date")
    return Draft(
        id="",
        author=words(one(box, "div.author strong")),
        written=_name(maybe(date, "strong")) or own_words(date) if date else "",
        body=body_without_session(inner(content)) if content else None,
    )


SKINS = (
    Skin("prosilver", _prosilver_boxes, _prosilver),
    Skin("subsilver2", _subsilver_boxes, _subsilver),
    Skin("print view", _print_boxes, _print),
)


FLAVOUR = Flavour(
    quotes=("blockquote", "div.quotecontent"),
    quote_citations=("cite", "div.quotetitle"),
    codes=("code", "pre", ".codebox", "div.codetitle", "div.codecontent"),
    votes=("span.bbvote",),
)
MARKS = re.compile(r"""<body[^>]*\bid=["']?phpbb["'\s>]""", re.IGNORECASE)
OWN_PAGES = (re.compile(r"\bucp\w*\.(?:php|html)\b"), re.compile(r"\bviewtopic\w*\.(?:php|html)\b"))
REWRITTEN = re.compile(r"(?:^|-)t(?:opic)?(\d+)(?:-s?(\d+))?(?:\.html?)?", re.IGNORECASE)
USUAL = {"st": "0", "sk": "t", "sd": "a"}
"""All posts, by time, oldest first."""
HEADINGS = (".topic-title", "a.titles", "#page-body h2", "#page-header h2", "h2.titles", "h2")


class PhpBB:
    """The adapter; it has no state."""

    name = "phpbb"
    flavour = FLAVOUR

    def recognises(self, page: Response) -> bool:
        """By the body's id, else by links to pages that only phpBB 3 has."""
        return bool(MARKS.search(page.text)) or all(mark.search(page.text) for mark in OWN_PAGES)

    def locate(self, url: str) -> ThreadRef | None:
        """viewtopic.php with t= or p=, its saved and rewritten forms, and `…-t123-25.html`."""
        if not is_absolute(url):
            return None
        if is_topic_page(url):
            return topic_at(self.name, url) or _by_anchor(self.name, url)
        file = urlsplit(url).path.rpartition("/")[2]
        found = REWRITTEN.search(file) if file.endswith((".html", ".htm")) else None
        return ThreadRef(self.name, folder_of(url), found[1], int(found[2] or 0)) if found else None

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """phpBB begins a page at any offset, so the page begins with the post asked for."""
        return page_from(ref, since - 1)

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises LoginRequired, AccessDenied, TopicMissing, PastTheEnd, LayoutChanged, IncompleteRead."""
        tree = parse_page(page.text)
        found = skin_of(tree)
        if found is None:
            raise _refusal(page, tree)
        skin, boxes = found
        refuse_filtered(tree, USUAL)
        drafts = checked([skin.draft(box) for box in boxes], self.name, skin.name)
        ref = _thread(self, page, tree)
        paging = paging_of(tree, page.url, _topic_link(tree) or "", site.posts_per_page, len(drafts))

        # The next page; of the print view where this one is.
        after = page_after(ref, paging)
        printed = query_of(page.url).get("view") == "print"
        following = replace(after, url=f"{after.url}&view=print") if after and printed else after
        return Chunk(
            title=words(worded(tree, *HEADINGS) or maybe(tree, "title")),
            posts=_posts(drafts, paging, page, tree, site, now, ref),
            page=paging.page,
            pages=paging.pages,
            posts_total=paging.total,
            following=following,
            thread=ref,
        )


def _by_anchor(platform: str, url: str) -> ThreadRef | None:
    post = re.fullmatch(r"p(\d+)", urlsplit(url).fragment)
    start = number_in(url, "start") or 0
    return ThreadRef(platform, folder_of(url), f"p{int(post[1])}", start) if post else None


def _topic_link(tree: Tag) -> str | None:
    """The heading's link: it tells the topic, and the offset that the page really begins at."""
    heading = worded(tree, *HEADINGS)
    link = heading if heading is None or heading.name == "a" else maybe(heading, "a[href]")
    printed = maybe(tree, '#page-header p a[href*="viewtopic"]')
    return attribute(link or printed, "href")


def _thread(adapter: PhpBB, page: Response, tree: Tag) -> ThreadRef | None:
    link = _topic_link(tree)
    target = absolute(page.url, link) if link else None
    ref = adapter.locate(target) if target else None
    if ref is not None and not ref.id.startswith("p") and same_server(ref.root, page.url):
        return ref
    return adapter.locate(page.url)


def _posts(
    drafts: list[Draft],
    paging: Paging,
    page: Response,
    tree: Tag,
    site: Site,
    now: datetime,
    ref: ThreadRef | None,
) -> tuple[Post, ...]:
    clock = clock_of(site, now, _board_zone(tree))
    root = ref.root if ref else folder_of(page.url) if is_absolute(page.url) else None
    first = site.first_number + paging.start
    return posts_of(enumerate(drafts, first), partial(_permalink, root), clock)


def _permalink(root: str | None, post: str) -> str | None:
    return f"{root}viewtopic.php?p={post}#p{post}" if root and post else None


def _board_zone(tree: Tag) -> tzinfo | None:
    """ "All times are UTC-05:00" at the foot of the page; phpBB 3.1+ names the zone in a title."""
    for tag in every(tree, "#page-footer li, li.rightside, p.datetime"):
        named = (
            zone_named(attribute(maybe(tag, "span[title]"), "title") or "") if "UTC" in words(tag) else None
        )
        if zone := named or zone_offset(words(tag)):
            return zone
    return None


def _refusal(page: Response, tree: Tag) -> KnightfallError:
    """Why a page of a phpBB board has no posts."""
    if maybe(tree, 'form input[type="password"]'):
        return login_required(page)
    message = maybe(tree, "#message p") or maybe(tree, "#message, table.tablebg p.gen")
    tried = "adapter phpbb; prosilver, subsilver2 and print view were tried"
    return refused(page, words(message)) if message else no_posts(page, "phpBB", tried)


PHPBB = PhpBB()
