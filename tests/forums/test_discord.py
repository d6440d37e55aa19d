"""Discord from exports: one invented game in both formats of the exporter, against its truth."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from knightfall.forums.base import Chunk, Response
from knightfall.forums.pages import read_chunk
from knightfall.models import Thread
from knightfall.services.threads import habits_of
from knightfall.votes.config import Ask, CountConfig
from knightfall.votes.count import votecount
from lantern_quay import ADDRESS, CHECKPOINTS, KEYS, MESSAGES, TIMES, Checkpoint, as_html, as_json

NOW = datetime(2026, 4, 1, 12, tzinfo=UTC)
FORMATS = {"json": as_json, "html": as_html}


def read(text: str, address: str = "") -> Chunk:
    return read_chunk(Response(address, 200, text), "the export", NOW)[1]


@pytest.fixture(scope="module", params=FORMATS)
def chunk(request: pytest.FixtureRequest) -> Chunk:
    return read(FORMATS[request.param]())


def test_the_game_has_three_hundred_messages() -> None:
    assert len(MESSAGES) == 300
    assert len(CHECKPOINTS) >= 12


@pytest.mark.parametrize("check", CHECKPOINTS, ids=lambda one: f"post {one.post}")
def test_every_checkpoint_of_the_game_is_counted_right(chunk: Chunk, check: Checkpoint) -> None:
    thread = Thread("discord", chunk.title, chunk.posts)
    count = votecount(thread, habits_of(thread), CountConfig(), Ask(at_post=check.post), NOW)
    wagons = {
        vote.voter.name: wagon.target.name if wagon.target else "no lynch"
        for wagon in count.tally.wagons
        for vote in wagon.votes
    }
    hammer = count.tally.hammer
    told = (count.day.number, wagons, count.tally.alive, count.tally.needed)
    assert told == (check.day, check.votes, len(check.alive), check.needed)
    assert (hammer.target.name if hammer and hammer.target else None) == check.hammered
    assert not count.tally.questions
