"""Where does a page of a phpBB thread stand: how many posts come before it, how many pages are there?

phpBB counts in offsets. A board that is asked for a page behind the end serves its last page again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import ceil

from knightfall.errors import PastTheEnd
from knightfall.forums.links import number_in
from knightfall.forums.offsets import Paging
from knightfall.forums.soup import Tag, attribute, every, own_words, words

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
