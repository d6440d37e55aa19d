"""How much slower than the bare parser is an adapter? One HTML page of each platform, in processor time."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from bs4 import BeautifulSoup

from knightfall.errors import KnightfallError
from knightfall.forums import FORUMS, forum_of
from knightfall.forums.base import ForumAdapter, Response
from knightfall.forums.sites import site_of

FIXTURES = Path(__file__).parents[2] / "fixtures"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
GOAL = 1.5
"""Reading a page may take so many times as long as building its tree."""
RUNS = 25


def page_ratios() -> tuple[tuple[str, float], ...]:
    """(platform, time of adapter.read / time of BeautifulSoup alone) for each platform with an HTML page."""
    pages = ((forum, _page(forum)) for forum in FORUMS)
    return tuple((forum.name, _ratio(forum, page)) for forum, page in pages if page is not None)


def _page(forum: ForumAdapter) -> Response | None:
    """The largest page of the platform that can be read."""
    own, demo = (FIXTURES / "forums" / forum.name).glob("*.html"), (FIXTURES / "demo").glob("*.html")
    files = sorted((*own, *demo), key=lambda file: -file.stat().st_size)
    readable = (Response(_address(file), 200, file.read_text(encoding="utf-8")) for file in files)
    return next((page for page in readable if _reads(forum, page)), None)


def _address(file: Path) -> str:
    expected = file.with_suffix(".expected.json")
    return str(json.loads(expected.read_text(encoding="utf-8"))["url"]) if expected.exists() else ""


def _reads(forum: ForumAdapter, page: Response) -> bool:
    if forum_of(page) is not forum:
        return False
    try:
        forum.read(page, site_of(page.url), NOW)
    except KnightfallError:
        return False
    return True


def _ratio(forum: ForumAdapter, page: Response) -> float:
    """The quickest of several runs of each, in turn: what is slower was disturbed."""
    site = site_of(page.url)
    pairs = [
        (
            _seconds(lambda: forum.read(page, site, NOW)),
            _seconds(lambda: BeautifulSoup(page.text, "lxml")),
        )
        for _ in range(RUNS)
    ]
    return min(read for read, _ in pairs) / min(bare for _, bare in pairs)


def _seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def main() -> None:
    for name, ratio in page_ratios():
        print(f"{name:<16}{ratio:>6.2f}{'' if ratio <= GOAL else f'  more than {GOAL}'}")


if __name__ == "__main__":
    main()
