"""What a notebook and a bot do: tables in and out, a curve in one pass, a game whose posts they have."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import knightfall as kf
from knightfall.models import Post, PostId
from long_runs import LONG_JOB

NAMES = ("Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Hollis", "Iris", "Juniper", "Kestrel", "Lumen")
BEGUN = datetime(2026, 3, 1, tzinfo=UTC)
LONG = 4000 if LONG_JOB else 1200
"""Posts of a long thread."""


def long_thread(posts: int, seed: int = 1) -> kf.Thread:
    """A day of so many posts in which a tenth vote, and some take it back."""
    chance = random.Random(seed)
    names = "\n".join(NAMES)
    rows = [("Wren", f"Players (11):\n{names}\n\nDay 1 begins.", BEGUN)]
    for number in range(posts):
        author, said = chance.choice(NAMES), f"I wonder about {chance.choice(NAMES)}, post {number}."
        drawn = chance.random()
        if drawn < 0.1:
            said = f"[b]VOTE: {chance.choice(NAMES)}[/b]"
        elif drawn < 0.13:
            said = "[b]UNVOTE[/b]"
        rows.append((author, said, BEGUN + timedelta(minutes=number + 1)))
    return kf.Thread.from_posts(rows)


@pytest.mark.wider
def test_a_series_says_at_each_post_what_the_count_as_of_it_says() -> None:
    thread = long_thread(70 if LONG_JOB else 40)
    points = kf.series(thread)
    assert [point.post for point in points] == [post.number for post in thread.posts]
    for point in points[1:]:
        count = kf.count(thread, as_of=point.post)
        assert {one.target: (one.count, one.voters) for one in point.wagons} == {
            wagon.target.name if wagon.target else None: (
                wagon.count,
                tuple(vote.voter.name for vote in wagon.votes),
            )
            for wagon in count.wagons
        }
        assert (len(point.alive), point.needed) == (count.alive, count.needed)
        assert point.hammered == (count.hammer is not None)


@pytest.mark.wider
def test_a_series_of_a_long_thread_is_made_in_one_pass() -> None:
    kf.series(long_thread(50))
    spent = []
    for posts in (LONG // 4, LONG):
        thread = long_thread(posts)
        begun = time.process_time()
        assert len(kf.series(thread)) == posts + 1
        spent.append(time.process_time() - begun)
    assert spent[1] < 1.5
    assert spent[1] < spent[0] * 10


def test_a_series_knows_who_died_and_which_day_it_is() -> None:
    told = [
        ("Wren", "Players (5):\nAda\nBoro\nCinder\nDusk\nElm\n\nDay 1 begins."),
        *((name, "[b]VOTE: Boro[/b]") for name in ("Ada", "Cinder", "Dusk")),
        ("Wren", "Boro was eliminated. They were a Mafia Goon."),
        ("Wren", "Day 2 begins. With 4 alive, it takes 3 to eliminate."),
        ("Ada", "[b]VOTE: Elm[/b]"),
    ]
    points = kf.series(kf.Thread.from_posts(told))
    assert [(point.day, point.post, point.hammered) for point in points] == [
        (1, 1, False),
        (1, 2, False),
        (1, 3, False),
        (1, 4, True),
        (1, 5, True),
        (2, 6, False),
        (2, 7, False),
    ]
    assert points[-1].alive == ("Ada", "Cinder", "Dusk", "Elm")
    assert points[-1].rows() == [
        {
            "day": 2,
            "post": 7,
            "time": None,
            "target": "Elm",
            "votes": 1,
            "needed": 3,
            "alive": 4,
            "voters": "Ada",
        }
    ]


@pytest.mark.wider
def test_one_post_more_costs_little_in_a_long_thread() -> None:
    thread = long_thread(LONG, seed=77)
    begun = time.process_time()
    kf.count(thread)
    first, spent = time.process_time() - begun, []
    for number in range(LONG + 2, LONG + 7):
        more = Post(PostId(str(number)), number, "Ada", f"<p><strong>VOTE: {NAMES[number % 7]}</strong></p>")
        thread = replace(thread, posts=(*thread.posts, more))
        begun = time.process_time()
        assert kf.count(thread).as_of == number
        spent.append(time.process_time() - begun)
    assert min(spent) < first / 3


def test_rows_with_times_come_in_and_rows_of_votes_go_out() -> None:
    rows: list[Any] = [
        ("Wren", "Day 1 begins.", BEGUN),
        {"author": "Ada", "text": "[b]VOTE: Boro[/b]", "time": BEGUN + timedelta(hours=1), "id": "x7"},
        {"author": "Boro", "html": "<b>VOTE: Ada</b>", "number": 9, "url": "https://a.example/9"},
    ]
    thread = kf.Thread.from_posts(rows)
    assert [(post.number, post.id) for post in thread.posts] == [(1, "1"), (2, "x7"), (9, "9")]
    count = kf.count(thread, as_of=BEGUN + timedelta(hours=2))
    assert count.as_of == 2
    [vote] = count.rows()
    assert vote == {
        "day": 1,
        "as_of": 2,
        "target": "Boro",
        "voter": "Ada",
        "post": 2,
        "time": BEGUN + timedelta(hours=1),
        "url": None,
        "text": "VOTE: Boro",
    }
    assert {row["voter"]: row["url"] for row in kf.count(thread).rows()}["Boro"] == "https://a.example/9"


def test_who_moderates_and_who_came_in_is_said() -> None:
    thread = kf.Thread.from_posts(
        [("Ada", "[b]VOTE: Boro[/b]"), ("Boro", "hello"), ("Zoe", "[b]VOTE: Boro[/b]"), ("Elm", "hi")],
        first=500,
    )
    sizes = {wagon.target.name: wagon.count for wagon in kf.count(thread).wagons if wagon.target}
    assert sizes == {"Boro": 1}  # who wrote the first post is taken for the moderator
    said = kf.count(thread, moderators=["Wren"], replaced={"Zoe": "Ada"})
    assert {(row["voter"], row["post"]) for row in said.rows()} == {("Zoe", 500)} or said.alive == 3
    assert said.alive == 3
    named = kf.count(thread, day=1, alive=["Ada", "Boro", "Zoe", "Elm"])
    assert [row["voter"] for row in named.rows()] == ["Ada", "Zoe"]
    assert kf.count(thread, day=1, moderators=["Wren"], needed=2).hammer is not None


def test_what_a_game_file_says_is_not_answered_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    file.write_text("schema = 1\n", encoding="utf-8")
    thread = long_thread(3)
    for given in ({"moderators": ["Wren"]}, {"replaced": {"Zoe": "Ada"}}, {"day": 1, "needed": 3}):
        with pytest.raises(kf.errors.InputError, match="for threads without a game file"):
            kf.count(thread, config=file, **given)


def test_a_game_of_a_chat_is_counted_and_closed_by_the_posts_that_a_program_has(tmp_path: Path) -> None:
    kf.Game.create("votes", NAMES, tmp_path / "chat", moderators=["Wren"])
    posts = [("Wren", "Day 1 begins."), *((name, "[b]VOTE: Boro[/b]") for name in NAMES[:6])]
    game = kf.Game.open(tmp_path / "chat", thread=kf.Thread.from_posts(posts))
    assert game.count().hammer is not None
    assert len(game.roster().to_dict()["slots"]) == len(NAMES)
    assert "Boro" in game.post("votecount").text
    assert tuple(game.look_at_day().choices) == ("Boro",)
    assert game.close_day("Boro").eliminated == ("Boro",)
    assert game.count().day == 1


@pytest.mark.parametrize("kind", ["kings_court", "knight_fight", "knights_duty"])
def test_what_may_be_sent_is_asked_and_taken(kind: str, tmp_path: Path) -> None:
    players = NAMES if kind == "kings_court" else NAMES[:2]
    game = kf.Game.create(kind, players, tmp_path / "game")
    choices = game.choices("Ada")
    assert choices.windows and choices.lines
    assert game.preview_message("Ada", choices.lines[0]).accepted
    assert game.submit("Ada", choices.lines[-1]).accepted
