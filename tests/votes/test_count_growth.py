"""A count takes as long as its thread is: with unclear votes, without a game file, and the second time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from growth import LINEAR, TIMES, growth
from knightfall.forums import html_style_of
from knightfall.models import Post, PostId, Thread, roster_of
from knightfall.votes import called_names, vote_parser
from knightfall.votes.config import Ask, CountConfig
from knightfall.votes.count import Habits, votecount
from knightfall.votes.votecount import Votecount

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
HABITS = Habits(html_style_of("phpbb"))
PLAYERS = ("Adalbert", "Adalwin", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Gorse", "Heath", "Iris")
FILED = CountConfig(roster=roster_of(PLAYERS), moderators=("Wren",))
BEGINNINGS = ("Bram", "Corv", "Dell", "Esk", "Fal", "Gorm", "Hest", "Ing", "Jor", "Kel")
POSTERS = tuple(f"{one}{two}{other.lower()}" for one in BEGINNINGS for other in BEGINNINGS for two in "oy")
LISTED = 99
"""So many players an opening post may list."""


def thread(posts: int, players: tuple[str, ...], each: int, unclear: str = "", filler: str = "") -> Thread:
    """A thread of so many posts by the players in turn; two thirds of them quote somebody. One in `each`
    votes for `unclear`, or for some player where that is empty."""
    said = [Post(PostId("1"), 1, "Wren", "Players:<br>" + "<br>".join(players[:LISTED]))]
    for number in range(2, posts + 1):
        other = players[number * 7 % len(players)]
        quote = f"<blockquote><div><cite>{other} wrote:</cite>talk</div></blockquote>" if number % 3 else ""
        vote = f"<br><b>Vote: {unclear or other}</b>" if number % each == 0 else ""
        body = f"{quote}{number} reasons, {unclear or other}.<br>{filler}{vote}"
        said.append(Post(PostId(str(number)), number, players[number % len(players)], body))
    return Thread("phpbb", "Long", tuple(said))


def threads(
    size: int, players: tuple[str, ...], each: int, unclear: str = "", filler: str = ""
) -> Mapping[int, Thread]:
    return {posts: thread(posts, players, each, unclear, filler) for posts in (size, size * TIMES)}


def counted(read: Thread, config: CountConfig) -> Votecount:
    return votecount(read, HABITS, config, Ask(), NOW)


def forget() -> None:
    vote_parser.body_reader.cache_clear()
    called_names._reply_reader.cache_clear()


@pytest.mark.long
@pytest.mark.parametrize("anew", [True, False], ids=["first", "again"])
def test_unclear_votes_and_posts_together_cost_no_square(anew: bool) -> None:
    read = threads(250, PLAYERS, 21, "Adal")
    assert len(counted(read[250 * TIMES], FILED).questions) == 250 * TIMES // 21

    def work(posts: int) -> None:
        if anew:
            forget()
        counted(read[posts], FILED)

    assert growth(work, 250) < LINEAR


@pytest.mark.long
def test_two_hundred_posters_without_a_game_file_cost_no_square() -> None:
    read = threads(500, POSTERS, 3)

    def work(posts: int) -> None:
        forget()
        counted(read[posts], CountConfig())

    assert len(counted(read[500 * TIMES], CountConfig()).questions) > 50
    assert growth(work, 500) < LINEAR


def test_the_second_count_costs_no_more_a_post_where_posts_are_long() -> None:
    read = threads(1_000, PLAYERS, 21, filler="word, " * 250)
    assert sum(len(post.body) for post in read[1_000 * TIMES].posts) > 20_000_000
    for one in read.values():
        counted(one, FILED)
    assert growth(lambda posts: counted(read[posts], FILED), 1_000) < LINEAR
