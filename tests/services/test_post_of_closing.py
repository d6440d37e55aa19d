"""Which post a closing brings, in games of every kind."""

from __future__ import annotations

import pytest

from knightfall.services.running import post_of_closing


@pytest.mark.parametrize(
    ("window", "game", "post"),
    [
        ("day", None, "end-of-day"),
        ("day-2", "empowered", "end-of-day"),
        ("night", "knight_errant", "dawn"),
        ("choosing", "empowered", "day-start"),
        ("night", "kings_court", "results"),  # it has no dawn to tell
        ("round", "kings_court", "results"),
    ],
)
def test_the_post_of_a_closing_is_one_that_the_game_has(window: str, game: str | None, post: str) -> None:
    assert post_of_closing(window, game) == post
