"""Exports of Discord that are kept: the game's channel as it grows, and the rooms beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from knightfall.errors import InputError
from knightfall.services.machine import session_of
from knightfall.services.pasted import keep_pasted
from knightfall.services.session import Session
from knightfall.services.threads import Kept, gather
from lantern_quay import ADDRESS, GUILD, KEYS, TIMES, as_json

ROOM = "811200000000000088"


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    """Of a thread alone."""
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "own"))
    yield session_of(None)


def test_an_export_of_a_channel_that_grew_goes_on_where_the_one_before_ended(session: Session) -> None:
    keep_pasted(as_json(0, 100, made=TIMES[100]), session)
    found = keep_pasted(as_json(), session)
    assert found.thread.complete
    assert [post.number for post in found.thread.posts] == list(range(1, 298))
    assert found.thread.posts[-1].url == f"{ADDRESS}/{KEYS[-1]}"


def test_an_export_that_begins_later_than_what_is_kept_does_not_take_its_place(session: Session) -> None:
    known = keep_pasted(as_json(0, 100), session).thread.posts
    with pytest.raises(InputError, match="Export the channel from its beginning, or give all its exports"):
        keep_pasted(as_json(150), session)
    assert gather(Kept(ADDRESS), session).posts == known


def test_the_export_of_a_private_channel_is_kept_as_the_room_of_its_address(session: Session) -> None:
    room = f"https://discord.com/channels/{GUILD}/{ROOM}"
    export = as_json(3, 9, id=ROOM, name="lantern-goons").replace(TIMES[3].isoformat(), "null", 1)
    found = keep_pasted(export, session, expected=(room,))
    assert found.thread.url == room
    assert found.thread.title == "Lantern Quay / Games / lantern-goons"
    with pytest.raises(InputError, match="This page is of the thread"):
        keep_pasted(as_json(), session, expected=(room,))
