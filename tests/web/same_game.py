"""Two folders of the same game, played over forums at the same address."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from fetch import loopback
from knightfall.services.journal import line_of
from knightfall.services.machine import session_of
from knightfall.services.session import journal_of
from web.play import texts_of


def journal(folder: Path) -> list[str]:
    """Every entry of a game as it is exported."""
    return [line_of(record) for record in journal_of(session_of(folder))]


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


FORUM = free_port()
"""Posts link to the forum, so that every game needs it at the same address."""


@contextmanager
def same_forum() -> Iterator[None]:
    """Every forum of this machine answers at the same port."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            loopback,
            "ThreadingHTTPServer",
            lambda _, handler: ThreadingHTTPServer(("127.0.0.1", FORUM), handler),
        )
        yield


def same_game(one: Path, other: Path) -> None:
    """Both folders hold the same journal, posts and PMs."""
    mine, theirs = journal(one), journal(other)
    for number, (left, right) in enumerate(zip(mine, theirs, strict=False), 1):
        assert left == right, f"entry {number}:\n{left}\n{right}"
    assert len(mine) == len(theirs)
    assert texts_of(one) == texts_of(other)
