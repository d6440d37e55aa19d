"""How long does a page take, and how much of that is the service which it asks?

A begun game of eighteen with a thread of 10,000 posts; milliseconds of this machine's clock, the middle of
several loads after the first.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path

from bench_verbs import made
from starlette.testclient import TestClient

from knightfall.models import Post
from knightfall.services.count.activity import activity
from knightfall.services.count.votecount import count_votes
from knightfall.services.game.status import status
from knightfall.services.journal import log, rule
from knightfall.services.machine import session_of
from knightfall.services.posts.write import draft_post
from knightfall.services.requests import CountRequest, PostRequest
from knightfall.services.session import Session
from knightfall.services.window.message_table import message_table
from knightfall.web.server import page_of

GOAL = 150.0
"""Any page answers within so many milliseconds after the first."""
TIMES = 5
PORT = 8765
STORED = CountRequest(stored=True)

Shown = Callable[[str, float, str], None]
PAGES: tuple[tuple[str, Callable[[Session], object]], ...] = (
    ("", status),
    ("/votes", lambda session: count_votes(STORED, session)),
    ("/votes?at=5000", lambda session: count_votes(CountRequest(stored=True, at="5000"), session)),
    ("/night", message_table),
    ("/players", lambda session: activity(STORED, session)),
    ("/posts/opening", lambda session: draft_post(PostRequest("opening", None, stored=True), session)),
    ("/log", log),
)
OTHERS = (
    *("/phases", "/close", "/pms/role", "/pms/result", "/nicknames", "/posts", "/posts/votecount"),
    *("/posts/rules", "/posts/day-start", "/posts/setup", "/log/1/undo", "/end", "/board", "/file"),
    *("/messages", "/draws", "/signups", "/deal"),
)


def pages_timed(posts: Iterable[Post], names: tuple[str, ...], now: datetime, shown: Shown) -> None:
    """Makes the game and shows each page's time beside that of its service alone."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["KNIGHTFALL_HOME"] = home
        folder = made(Path(home), posts, names, now)
        page = page_of(folder.parent, "", session_of, PORT, own=Path(home) / "tokens", user=lambda: None)
        client = TestClient(page.app, base_url=page.access.home)
        client.get(page.address)
        for path, ask in PAGES:
            address = f"/games/{folder.name}{path}"
            whole = _middle(lambda: client.get(address))  # noqa: B023  # called before the next one
            alone = _middle(lambda: ask(session_of(folder)))  # noqa: B023
            shown(f"page {path or '/'} (its service alone {alone:.0f})", whole, f"ms{_late(whole)}")
        for path in (*OTHERS, f"/players/{names[0]}"):
            whole = _middle(lambda: client.get(f"/games/{folder.name}{path}"))  # noqa: B023
            shown(f"page {path}", whole, f"ms{_late(whole)}")
        session = session_of(folder)

        def after_a_change() -> float:
            rule("May one whisper?", "No", "house rule", session)
            return _milliseconds(lambda: client.get(f"/games/{folder.name}/votes"))

        whole = statistics.median(after_a_change() for _ in range(TIMES))
        shown("page /votes after something was written", whole, f"ms{_late(whole)}")


def _late(milliseconds: float) -> str:
    return "" if milliseconds <= GOAL else f"  more than {GOAL:g}"


def _middle(work: Callable[[], object]) -> float:
    """Milliseconds; the first, which warms what can be warm, is left out."""
    work()
    return statistics.median(_milliseconds(work) for _ in range(TIMES))


def _milliseconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1000


def main() -> None:
    from bench import NAMES, NOW, shown, thread

    pages_timed(thread(10_000, 1_500), NAMES, NOW, shown)


if __name__ == "__main__":
    main()
