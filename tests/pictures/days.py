"""Invented days of 5, 13 and 25 players, the same in every run."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

from knightfall.models import Post, PostId, Slot, roster_of
from knightfall.votes.rule import Rule
from knightfall.votes.tally import Day, Tally
from votes.build import count

PLAYERS = """
    Ada Boro Cinder Dusk_77 Elm Fen Kestrel Moth Lumen Juniper Hollis Iris Rook
    Anton Pike Quill Sable Tamsin Umber Vesper Wick Yarrow Zephyr Gorse Nettle
"""
NAMES = tuple(PLAYERS.split())
BEGIN = datetime(2026, 11, 20, 19, 5, tzinfo=UTC)
SIZES = (5, 13, 25)


@dataclass(frozen=True)
class Invented:
    """A day of a game: its count, its players and its posts."""

    tally: Tally
    slots: tuple[Slot, ...]
    posts: tuple[Post, ...]
    rule: Rule
    day: Day


def invented(size: int, rule: Rule | None = None) -> Invented:
    """A day of so many players; about a quarter of the posts hold a vote, ever more on one player."""
    draw, names = Random(size), NAMES[:size]
    rule, day = rule or Rule(), Day(1, 1)
    last = size * 9
    authors = [draw.choice(names[:-1]) for _ in range(last)]
    lines = [f"{n} {who}: {_said(draw, names, n / last)}" for n, who in enumerate(authors, 2)]
    roster = roster_of(names)
    voting = [line for line in lines if not line.endswith(": hm")]
    return Invented(
        count("\n".join(voting), roster, rule, last + 1, day), roster.slots, _posts(authors), rule, day
    )


def _said(draw: Random, names: tuple[str, ...], part: float) -> str:
    if draw.random() > 0.3:
        return "hm"
    if draw.random() < 0.1:
        return "Unvote"
    if draw.random() < 0.05:
        return "Vote: No Elimination"
    favourites = [names[2], names[4]]
    return f"Vote: {draw.choice(favourites if draw.random() < part * 0.9 else names)}"


def _posts(authors: list[str]) -> tuple[Post, ...]:
    """One post every half an hour or so; the nights are quiet."""
    moment, posts = BEGIN, []
    for number, author in enumerate(["Wren", *authors], 1):
        posts.append(Post(PostId(str(number)), number, author, "", time=moment))
        moment += timedelta(minutes=7 + number % 31, hours=7 if moment.hour in (4, 5) else 0)
    return tuple(posts)
