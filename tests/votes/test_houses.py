"""Threads of many houses, counted without a game file: the rules stand only in the moderator's own words.

Each house of fixtures/houses is one invented thread. Its `checkpoint`s tell what a careful moderator has as
of a post; `vote` and `unvote` of a post tell what it does in that house, `answer`s what the moderator would
say if asked. A checkpoint with `asked` is met, too, by a sentence of the count that has these words.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from knightfall.forums import html_style_of
from knightfall.models import Post, PostId, Slot, Thread
from knightfall.votes.config import Ask, CountConfig
from knightfall.votes.count import Habits, votecount
from knightfall.votes.votecount import Votecount

HOUSES = Path(__file__).parents[2] / "fixtures" / "houses"
NOBODY = "-"


@cache
def house(name: str) -> dict[str, Any]:
    """The house as its file has it."""
    return tomllib.loads((HOUSES / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def thread_of(name: str) -> Thread:
    """The posts of a house, as its platform serves them."""
    told = house(name)
    posts = (
        Post(PostId(str(9000 + 3 * number)), number, one["author"], one["body"], time=one["time"])
        for number, one in enumerate(told["post"], told["first"])
    )
    return Thread(told["platform"], told["title"], tuple(posts))


CHECKPOINTS = [
    pytest.param(file.stem, checkpoint, id=f"{file.stem}-{checkpoint['at']}")
    for file in sorted(HOUSES.glob("*.toml"))
    for checkpoint in house(file.stem)["checkpoint"]
]


@pytest.mark.few(30)
@pytest.mark.parametrize(("name", "checkpoint"), CHECKPOINTS)
def test_a_house_is_counted_by_its_moderators_words(name: str, checkpoint: dict[str, Any]) -> None:
    thread, asked = thread_of(name), checkpoint.get("asked")
    now = next(post.time for post in thread.posts if post.number == checkpoint["at"])
    assert now is not None
    habits = Habits(html_style_of(thread.platform))
    count = votecount(thread, habits, CountConfig(), Ask(at_post=checkpoint["at"]), now)
    if asked and counted(count) != expected(checkpoint):
        said = (*count.assumed, count.known.needed.said, *(doubt.text for doubt in count.questions))
        assert any(asked in one for one in said), said
        return
    assert counted(count) == expected(checkpoint)


@pytest.mark.parametrize("name", sorted(file.stem for file in HOUSES.glob("*.toml")))
def test_a_house_is_a_thread_of_some_length(name: str) -> None:
    told = house(name)
    times = [post["time"] for post in told["post"]]
    assert len(times) >= 60
    assert times == sorted(set(times))
    assert len(told["checkpoint"]) >= 5
    assert len({checkpoint["day"] for checkpoint in told["checkpoint"]}) >= 2


def expected(checkpoint: dict[str, Any]) -> dict[str, object]:
    """What a checkpoint tells, in the shape of `counted`."""
    hammer = checkpoint["hammer"]
    return {
        "day": checkpoint["day"],
        "alive": checkpoint["alive"],
        "needed": checkpoint.get("needed"),
        "hammer": (hammer["target"], hammer["post"]) if hammer else None,
        "fallen": [(one["target"], one["post"]) for one in checkpoint.get("fallen", ())],
        "wagons": checkpoint.get("wagons", {}),
        "not voting": sorted(checkpoint["not_voting"]),
    }


def counted(count: Votecount) -> dict[str, object]:
    """What a count tells of votes, living and rule, by the names of who held the slots then."""
    tally = count.tally

    def name(slot: Slot | None) -> str:
        return slot.holder_at(tally.at) if slot else NOBODY

    return {
        "day": count.day.number,
        "alive": tally.alive,
        "needed": tally.needed,
        "hammer": (name(tally.hammer.target), tally.hammer.post) if tally.hammer else None,
        "fallen": [(name(one.target), one.post) for one in tally.fallen],
        "wagons": {name(one.target): [name(vote.voter) for vote in one.votes] for one in tally.wagons},
        "not voting": sorted(map(name, tally.not_voting)),
    }
