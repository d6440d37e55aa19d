"""What does a page of an SMF 2.0 or 2.1 board hold?

SMF numbers replies: the opening post has no number and is our #0. Whoever asks behind the end gets the last
page again; guests get one and the same login form for a topic they may not see and one that is not there.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import partial
from urllib.parse import unquote

from knightfall.errors import KnightfallError
from knightfall.forums.base import (
    Chunk,
    Draft,
    Request,
    Response,
    Site,
    ThreadRef,
    access_denied,
    body_without_session,
    checked,
    clock_of,
    folder_of,
    is_absolute,
    login_required,
    no_posts,
    oldest_first,
    past_the_end,
    posts_of,
    refused,
    set_by,
    topic_missing,
)
from knightfall.forums.dates import Paging, machine_time, written_time
from knightfall.forums.html import (
    Tag,
    attribute,
    every,
    inner,
    maybe,
    own_words,
    parse_page,
    with_id,
    worded,
    words,
    words_after,
)
from knightfall.markup.flavour import Flavour
from knightfall.models import Post

FLAVOUR = Flavour(
    quotes=("blockquote", ".bbc_standard_quote", ".bbc_alternate_quote"),
    quote_citations=(
        "cite",
        ".quoteheader",
        ".topslice_quote",
        ".quotefooter",
        ".botslice_quote",
        ".codeheader",
    ),
    spoilers=(".spoiler", "details", ".sp-wrap", ".sp-body", ".spoiler_content", ".bbc_spoiler"),
    codes=("code", "pre", ".bbc_code"),
    asides=(".signature", ".modified"),
)
MARKS = re.compile(r"\bsmf_(?:scripturl|theme_url|default_theme_url|session_id)\b")
TOPIC = re.compile(r"(?:[?;&]|index\.php/|/)topic[=,](\d+)(?:\.(?:(msg|from)?(\d+)|new))?", re.IGNORECASE)
MESSAGE = re.compile(r"[?;&]msg=(\d+)")
MEMBER = re.compile(r"[?;&]u=(\d+)")
POST_ID = re.compile(r"msg_(\d+)")
NUMBER = re.compile(r"#\s?(\d+)")
HERE = ".pagelinks .current_page, .pagelinks > strong"
MESSAGES = "#fatal_error .padding, #fatal_error .windowbg, #frmLogin .information, #frmLogin p"
TITLES = ("#top_subject", ".navigate_section li.last", "title")


class Smf:
    """The adapter; it has no state."""

    name = "smf"
    flavour = FLAVOUR

    def recognises(self, page: Response) -> bool:
        """By the variables that every SMF page gives its scripts."""
        return bool(MARKS.search(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """`index.php?topic=12.30`, its `index.php/topic,12.30.html` form, links to posts."""
        if not is_absolute(url):
            return None
        plain = unquote(url)
        if topic := TOPIC.search(plain):
            start = int(topic[3]) if topic[3] and not topic[2] else 0
            return ThreadRef(self.name, _root(url), topic[1], start)
        message = MESSAGE.search(plain)
        return ThreadRef(self.name, _root(url), f"p{message[1]}") if message else None

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """SMF rounds an offset down to the beginning of its page."""
        if ref.id.startswith("p"):
            return Request(f"{ref.root}index.php?msg={ref.id[1:]}")
        return Request(_address(ref, since - 1))

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises LoginRequired, AccessDenied, TopicMissing, PastTheEnd, LayoutChanged, IncompleteRead."""
        tree = parse_page(page.text)
        boxes = every(tree, "div.post_wrapper")
        if not boxes:
            raise _refusal(page, tree)
        drafts = checked([_draft(box) for box in boxes], self.name, "2.0 and 2.1")
        ref = _thread(self, page, tree)
        paging = _paging(tree, _start(drafts, ref), len(drafts))
        asked = self.locate(page.url)
        end = paging.start + len(drafts)
        if asked is not None and asked.start and asked.start >= end:
            raise past_the_end(page, f"{end} posts, the last is #{end - 1}")
        following = Request(_address(ref, paging.following)) if ref and paging.following is not None else None
        return Chunk(
            title=words(worded(tree, *TITLES)),
            posts=_posts(drafts, paging.start, tree, site, now, ref),
            page=paging.page,
            pages=paging.pages,
            following=following,
            thread=ref,
        )


def _root(url: str) -> str:
    """The board's base: what stands before index.php."""
    head, script, _ = url.partition("index.php")
    return head if script else folder_of(url)


def _address(ref: ThreadRef, offset: int) -> str:
    return f"{ref.root}index.php?topic={ref.id}.{max(0, offset)}"


def _draft(box: Tag) -> Draft:
    content = next(iter(with_id(box, '[id^="msg_"]', POST_ID)), None)

    # The link to the author's profile; for guests the heading with the bare name.
    link = worded(box, '.poster h4 a[href*="action=profile"], .poster h4 a[href*="/profile/"]')
    name = link or maybe(box, ".poster h4")
    said = words(maybe(box, '.modified[id^="modified_"]')).strip("« »")
    found = MEMBER.search(attribute(name, "href") or "")

    # The reply number; the opening post shows none.
    texts = [words(tag) for tag in every(box, ".page_number, .keyinfo .smalltext strong")]
    texts += [attribute(tag, "title") or "" for tag in every(box, ".postinfo a.smalltext")]
    shown = [found for found in map(NUMBER.search, texts) if found]

    # 2.1 links the date; 2.0 writes it after the words in bold that count the reply.
    if link := maybe(box, ".postinfo a.smalltext"):
        written = words(link)
    else:
        line = maybe(box, ".keyinfo .smalltext")
        counted = maybe(line, "strong") if line else None
        written = words_after(counted, line).strip("« »") if line and counted else words(line)

    return Draft(
        id=(attribute(content, "id") or "").removeprefix("msg_"),
        author=words(name)
        if name and name.name == "a"
        else ((own_words(name) or words(name)) if name else None),
        author_id=found[1] if found else None,
        number=int(shown[0][1]) if shown else None,
        written=written,
        body=body_without_session(inner(content).strip()) if content else None,
        edit_note=said or None,
        edit_stamp=said,
    )


def _thread(adapter: Smf, page: Response, tree: Tag) -> ThreadRef | None:
    """The topic as the page itself names it, on the board that the page came from."""
    told_by = (
        attribute(maybe(tree, 'link[rel="canonical"]'), "href"),
        attribute(maybe(tree, "form#quickModForm"), "action"),
        page.url,
    )
    refs = [ref for link in told_by if link and (ref := adapter.locate(link)) and ref.id[0] != "p"]
    if not refs:
        return None
    asked = adapter.locate(page.url)
    root = asked.root if asked else _root(page.url) if is_absolute(page.url) else refs[0].root
    return replace(refs[0], root=root)


def _start(drafts: list[Draft], ref: ThreadRef | None) -> int:
    """How many posts come before the page: by the first number shown, else by the offset in its address."""
    for index, draft in enumerate(drafts):
        if draft.number is not None:
            return max(0, draft.number - index)
    return ref.start if ref else 0


def _paging(tree: Tag, start: int, shown: int) -> Paging:
    areas = every(tree, ".pagelinks")
    links = [pair for area in areas for pair in _numbered_links(area)]
    size = next((offset // (number - 1) for number, offset in links if number > 1 and offset), None)
    here = next((int(words(tag)) for tag in every(tree, HERE) if words(tag).isdecimal()), 1)
    size = size or (start // (here - 1) if here > 1 else None)
    if not size or shown > size:
        return Paging(start, 1, 1, None)
    page = start // size + 1
    return Paging(start, page, max([page, *(number for number, _ in links)]), size)


def _numbered_links(area: Tag) -> list[tuple[int, int]]:
    """(page number, offset) of the links in a list of pages."""
    found = [
        (words(link), TOPIC.search(unquote(attribute(link, "href") or ""))) for link in every(area, "a[href]")
    ]
    return [(int(text), int(topic[3] or 0)) for text, topic in found if topic and text.isdecimal()]


def _posts(
    drafts: list[Draft], start: int, tree: Tag, site: Site, now: datetime, ref: ThreadRef | None
) -> tuple[Post, ...]:
    clock = set_by(clock_of(site, now, _board_zone(tree, site)), drafts)
    return oldest_first(posts_of(enumerate(drafts, start), partial(_permalink, ref), clock))


def _permalink(ref: ThreadRef | None, post: str) -> str | None:
    return f"{ref.root}index.php?topic={ref.id}.msg{post}#msg{post}" if ref else None


def _board_zone(tree: Tag, site: Site) -> tzinfo | None:
    """2.1 shows its clock twice: for machines in UTC, for people in the zone of all other times."""
    clock = maybe(tree, "#inner_wrap time[datetime], .user time[datetime]")
    exact = machine_time(attribute(clock, "datetime"))
    shown = written_time(words(clock), exact, UTC, site.date_order) if clock and exact else None
    if exact is None or shown is None:
        return None
    quarters = round((shown - exact) / timedelta(minutes=15))
    return timezone(quarters * timedelta(minutes=15)) if abs(quarters) <= 56 else None


def _refusal(page: Response, tree: Tag) -> KnightfallError:
    """Only for a topic that is there does the page know which board it is in."""
    known = maybe(tree, 'link[rel="index"]') is not None
    message = maybe(tree, MESSAGES)
    text = words(message)
    if maybe(tree, '#frmLogin input[type="password"]'):
        return login_required(page, text) if known or not text else topic_missing(page, text)
    if message is None:
        return no_posts(page, "SMF", "adapter smf; the markup of 2.0 and 2.1 was tried")
    return access_denied(page, text) if known else refused(page, text)


SMF = Smf()
