"""What is missing of a thread: its pages, its posts, and up to which post nothing is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from knightfall.models import Post


def missing_pages(known: Iterable[int], pages: int) -> tuple[str, ...]:
    """One sentence for the pages of 1…`pages` that are not `known`."""
    # The runs of absent pages: between two known ones, and behind the last.
    marks = sorted({0, pages + 1, *(page for page in known if 1 <= page <= pages)})
    absent = [(before + 1, after - 1) for before, after in pairwise(marks) if after > before + 1]
    if not absent:
        return ()
    one = len(absent) == 1 and absent[0][0] == absent[0][1]
    named = ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in absent)
    return (f"{'Page' if one else 'Pages'} {named} of {pages} {'is' if one else 'are'} missing.",)


def missing_posts(posts: Sequence[Post], total: int | None) -> tuple[str, ...]:
    """One sentence each for a thread that begins late, gaps in the numbers, and a total that is not reached.

    Where the forum's own total is reached, a gap in the numbers is a deleted post and nothing is missing.
    """
    if total is not None and len(posts) >= total:
        return ()
    late_start: tuple[str, ...]
    if not posts or posts[0].number in (0, 1):
        late_start = ()
    else:
        late_start = (f"The first post is #{posts[0].number}. The posts before it are missing.",)
    too_few: tuple[str, ...]
    if total is None:
        too_few = ()
    else:
        too_few = (f"The forum says the thread has {total} posts; {len(posts)} were read.",)
    gaps = [(a.number, b.number) for a, b in pairwise(posts) if b.number > a.number + 1]
    missing = tuple(f"Posts between #{before} and #{after} are missing." for before, after in gaps)
    return (*late_start, *missing, *too_few)


def whole_to(placed: Iterable[tuple[int, int]], known: Iterable[int] = (1,)) -> int | None:
    """The number of the last post before anything that is missing; None where even the beginning is.

    `placed` are (page, number) of all posts, `known` the pages that are there. A gap in the numbers counts as
    missing posts here, even where it may be a deleted one: too early an end does no harm, too late one would.
    """
    last_page = _last_before_gap(sorted(set(known)), 1)
    numbers = sorted(number for page, number in placed if page <= last_page)
    if not numbers or numbers[0] > 1:
        return None
    return _last_before_gap(numbers, numbers[0])


def _last_before_gap(numbers: Sequence[int], first: int) -> int:
    """The end of the run that begins with `first`; the number before it where there is none."""
    last = first - 1
    for number in numbers:
        if number > last + 1:
            break
        last = number
    return last
