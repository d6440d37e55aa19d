"""Entries tell their times by the game's clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from knightfall.engine.entries import Closed, Entry, Extended, Opened, Submitted
from knightfall.models import ChangeKind, Post, PostChange, PostId
from knightfall.sentence import SlotId
from knightfall.writeups.journal import entry_line
from knightfall.writeups.vote_words import change_line

AT = datetime(2026, 11, 26, 19, tzinfo=UTC)
BERLIN, LISBON = ZoneInfo("Europe/Berlin"), ZoneInfo("Europe/Lisbon")


@pytest.mark.parametrize(
    "entry",
    [
        Opened("day-1", until=AT),
        Extended("day-1", until=AT),
        Closed("day-1", ended=AT),
        Submitted(SlotId("Ada"), "kill Boro", when=AT),
    ],
    ids=lambda one: type(one).__name__,
)
def test_an_entry_tells_its_times_by_the_clock_it_is_asked_for(entry: Entry) -> None:
    later = AT + timedelta(hours=1)
    assert "2026-11-26 20:00 CET" in entry_line(entry, later, BERLIN)
    assert "2026-11-26 19:00 UTC" in entry_line(entry, later, LISBON)
    assert "2026-11-26 19:00 UTC" in entry_line(entry, later)


def test_a_changed_post_was_counted_by_the_clock_of_the_game() -> None:
    post = Post(PostId("7"), 7, "Ada", "x")
    change = PostChange(ChangeKind.CHANGED, AT, post, post, AT)
    assert "(2026-11-26 20:00:00 CET)" in change_line(change, BERLIN)
    assert "(2026-11-26 19:00:00 UTC)" in change_line(change)
