"""What makes a thread whole."""

from __future__ import annotations

import pytest

from knightfall.forums.gaps import missing_pages, missing_posts, whole_to
from knightfall.models import Post, PostId


def posts(*numbers: int) -> list[Post]:
    return [Post(PostId(str(number)), number, "Ada", "") for number in numbers]


def test_missing_pages_are_named_in_runs() -> None:
    assert missing_pages([1, 3, 7], 9) == ("Pages 2, 4-6, 8-9 of 9 are missing.",)
    assert missing_pages([1, 3], 3) == ("Page 2 of 3 is missing.",)
    assert missing_pages([1, 2], 2) == ()


def test_gaps_late_starts_and_short_totals_are_named() -> None:
    assert missing_posts(posts(1, 2, 4), None) == ("Posts between #2 and #4 are missing.",)
    assert missing_posts(posts(26, 27), None) == ("The first post is #26. The posts before it are missing.",)
    assert missing_posts(posts(1, 2), 3) == ("The forum says the thread has 3 posts; 2 were read.",)


def test_numbers_may_have_gaps_where_the_forums_own_total_is_reached() -> None:
    assert missing_posts(posts(1, 2, 5), 3) == ()
    assert missing_posts(posts(0, 1, 2), None) == ()


@pytest.mark.parametrize(
    ("placed", "known", "expected"),
    [
        ([(1, 1), (1, 2), (3, 5)], [1, 3], 2),
        ([(1, 0), (1, 1), (2, 2)], [1, 2], 2),
        ([(1, 1), (1, 2), (2, 4)], [1, 2], 2),
        ([(2, 3), (2, 4)], [2], None),
        ([(1, 26), (1, 27)], [1], None),
        ([], [], None),
    ],
)
def test_a_thread_is_whole_up_to_the_post_before_what_is_missing(
    placed: list[tuple[int, int]], known: list[int], expected: int | None
) -> None:
    assert whole_to(placed, known) == expected
