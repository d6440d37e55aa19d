"""What do vBulletin 3 and 4 share? Addresses, the line that tells the page, member links, the board's clock.

Rewriting add-ons (vBSEO) hide the ids in the addresses; the forms and menus of a page still tell them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import partial
from urllib.parse import urlsplit

from knightfall.errors import KnightfallError
from knightfall.forums.base import (
    Chunk,
    Clockwork,
    Draft,
    Request,
    Response,
    Site,
    ThreadRef,
    absolute,
    base_of,
    clock_of,
    folder_of,
    is_absolute,
    login_required,
    no_posts,
    number_in,
    numbered,
    oldest_first,
    own_request,
    own_thread,
    posts_of,
    refuse_beyond,
    refused,
    set_by,
    thread_asked,
)
from knightfall.forums.dates import CLOCK, zone_offset
from knightfall.forums.html import Tag, attribute, every, maybe, own_words, words
from knightfall.models import Post

FILE = re.compile(r"/(?:showthread|printthread|showpost)\.php", re.IGNORECASE)
NAMED = re.compile(
    r"(?P<root>.*/)(?:showthread\.php[/?]|threads/)(?P<id>\d{1,15})(?:-[^/?&#]*)?"
    r"(?:/page(?P<page>\d{1,6}))?(?=[/?&#]|$)",
    re.IGNORECASE,
)
MEMBER = re.compile(r"member(?:\.php[/?]|s?/)(\d+)(?!\d)")
AMOUNT = re.compile(r"\d+(?:[.,'’\u00a0 ]\d{3})*(?!\d)")
LONGEST_STAMP = 60


@dataclass(frozen=True, slots=True)
class Place:
    """The page's number, how many there are, the posts of the thread, and the page's own link to the next."""

    page: int
    pages: int
    total: int | None
    link: str | None = None


def locate_thread(platform: str, url: str) -> ThreadRef | None:
    """`showthread.php?t=12&page=3`, `?p=99`, `?12-slug/page3`, `/12-slug/page3`, `threads/12-slug/page3`."""
    if not is_absolute(url):
        return None
    if found := NAMED.match(url):
        page = int(found["page"] or 0) or number_in(url, "page") or 0
        return ThreadRef(platform, found["root"], found["id"], page)
    if not FILE.search(urlsplit(url).path):
        return None
    return thread_asked(platform, url, "t", "p", number_in(url, "page") or 0)


def page_of(ref: ThreadRef, number: int = 1) -> Request:
    """A page of a thread, in the form that every version and every rewriting board understands."""
    if ref.id.startswith("p"):
        return Request(f"{ref.root}showthread.php?p={ref.id[1:]}")
    return Request(f"{ref.root}showthread.php?t={ref.id}" + (f"&page={number}" if number > 1 else ""))


def amounts(text: str) -> list[int]:
    """The numbers in a text, "3,086" read as one."""
    return [int(re.sub(r"\D", "", found)) for found in AMOUNT.findall(text)]


def place_of(tree: Tag, where: str, results: Sequence[str]) -> Place:
    """By "Page 2 of 5" at `where` and by texts like "Results 21 to 40 of 96", whatever their language."""
    numbers = amounts(words(maybe(tree, where)))
    totals = [found for found in map(amounts, results) if len(found) > 2]
    link = attribute(maybe(tree, 'a[rel="next"][href], link[rel="next"][href]'), "href")
    page = min(numbers, default=1)
    return Place(page, max([page + (link is not None), *numbers]), max(totals[0]) if totals else None, link)


def member_id(link: str | None) -> str | None:
    """`member.php?u=12`, `member.php/12-name`, `members/12_name.html`, `search.php?…&userid=12`."""
    if link is None:
        return None
    told = number_in(link, "u") or number_in(link, "userid")
    found = MEMBER.search(link)
    return str(told) if told else found[1] if found else None


def member_in(box: Tag) -> str | None:
    """The id of the member whose menu stands in a box; None for a guest."""
    links = every(box, 'a[href*="member"], a[href*="u="], a[href*="userid="]')
    return next((found for link in links if (found := member_id(attribute(link, "href")))), None)


def stamp_in(box: Tag) -> str:
    """The first short text with a time of day: themes move the date about."""
    texts = (own_words(tag) for tag in every(box, "td, dd, li, div, span"))
    return next((text for text in texts if len(text) <= LONGEST_STAMP and CLOCK.search(text.lower())), "")


def edit_stamp(note: str) -> str:
    """What an edit notice says after the editor's name: "by X; DATE at TIME", "von X (DATE um TIME)"."""
    return re.split(r"[;(]", note, maxsplit=1)[-1]


def chunk_of(
    page: Response,
    tree: Tag,
    platform: str,
    title: str,
    drafts: Sequence[Draft],
    site: Site,
    now: datetime,
    place: Place,
) -> Chunk:
    """The page's posts in the thread. Raises PastTheEnd, and IncompleteRead where newest posts come first."""
    asked = locate_thread(platform, page.url)
    refuse_beyond(page, asked.start if asked else number_in(page.url, "page") or 0, place.pages)
    ref = thread_of(platform, page, tree)
    clock = set_by(clock_of(site, now, board_zone(tree)), drafts)

    # How many posts come before the page, for boxes that show no number.
    shown = sum(not draft.hidden for draft in drafts)
    if place.page == place.pages and place.total is not None:
        start = max(0, place.total - shown)
    else:
        start = (place.page - 1) * (site.posts_per_page or shown)

    # The page's own link to the next page where there is one: it needs no detour over the title.
    if place.page >= place.pages:
        following = None
    else:
        following = own_request(page, tree, place.link) or (page_of(ref, place.page + 1) if ref else None)
    return Chunk(
        title=title,
        posts=_posts(drafts, start + site.first_number, ref, clock),
        page=place.page,
        pages=place.pages,
        posts_total=place.total,
        following=following,
        thread=ref,
    )


def thread_of(platform: str, page: Response, tree: Tag) -> ThreadRef | None:
    """The thread that the page says it is of, on the page's own server; else what its address says."""
    places = {
        'link[rel="canonical"]': "href",
        ".threadtitle a": "href",
        "td.navbar > a": "href",
        "form.pagination": "action",
        ".pagenav a": "href",
    }
    found = (attribute(tag, name) for selector, name in places.items() for tag in every(tree, selector))

    ref = own_thread(
        page, tree, (*[link for link in found if link], page.url), partial(locate_thread, platform)
    )
    return ref or _thread_in_form(platform, page, tree)


def _thread_in_form(platform: str, page: Response, tree: Tag) -> ThreadRef | None:
    """The topic that a form on the page is for."""
    told = attribute(maybe(tree, 'form input[name="t"][value]'), "value") or ""
    home = absolute(base_of(page, tree), "") or ""
    return ThreadRef(platform, folder_of(home), told) if told.isdecimal() and home else None


def board_zone(tree: Tag) -> tzinfo | None:
    """ "All times are GMT -5. The time now is 00:08." at the foot of the page."""
    for tag in every(tree, "#footer_time, #footer-current-datetime, div.smallfont[align=center]"):
        if zone := zone_offset(words(tag)):
            return zone
    return None


def refusal(page: Response, tree: Tag, place: str, name: str, tried: str) -> KnightfallError:
    """Why a page has no posts; a login bar may stand on every page, a login form stands in the message."""
    message = maybe(tree, place)
    if message is None:
        return no_posts(page, "vBulletin", f"adapter {name}; {tried}")
    return login_required(page) if maybe(message, 'input[type="password"]') else refused(page, words(message))


def _posts(drafts: Sequence[Draft], first: int, ref: ThreadRef | None, clock: Clockwork) -> tuple[Post, ...]:
    posts = posts_of(numbered(drafts, first), partial(_permalink, ref), clock)
    oldest_first([post for post in posts if not post.hidden])
    return posts


def _permalink(ref: ThreadRef | None, post: str) -> str | None:
    return f"{ref.root}showthread.php?p={post}#post{post}" if ref else None
