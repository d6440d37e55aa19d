"""How long does a page take to be read, and how long the parsers alone?

In processor time, the quickest of several runs in turn: what is slower was disturbed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bs4 import BeautifulSoup
from lxml import etree

from knightfall.errors import KnightfallError
from knightfall.forums import forum_of
from knightfall.forums.base import Response
from knightfall.forums.pages import read_chunk

ROOT = Path(__file__).parents[2]
REAL, OWN = ROOT.parent / "shared" / "pages", ROOT / "fixtures" / "forums"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
RUNS = 5


@dataclass(frozen=True, slots=True)
class PageTimes:
    """Milliseconds: `read` with the platform known, `known` to find it out, and the two parsers alone."""

    platform: str
    read: float
    known: float
    lxml: float
    soup: float


def page_times() -> tuple[PageTimes, ...]:
    """Of every page of HTML with posts: of real boards where the folder with them is there, else of ours."""
    return tuple(filter(None, map(_times, _pages())))


def _pages() -> Iterator[Response]:
    index = REAL / "INDEX.jsonl"
    if index.exists():
        for entry in map(json.loads, index.read_text(encoding="utf-8").splitlines()):
            if entry["file"].endswith(".html"):
                text = (REAL / entry["file"]).read_text(encoding="utf-8", errors="replace")
                yield Response(entry.get("page_url") or "", entry.get("status", 200), text)
        return
    for file in sorted(OWN.glob("*/*.html")):
        told = file.with_suffix(".expected.json")
        address = json.loads(told.read_text(encoding="utf-8"))["url"] if told.exists() else ""
        yield Response(address, 200, file.read_text(encoding="utf-8"))


def _times(page: Response) -> PageTimes | None:
    try:
        forum, chunk = read_chunk(page, "the page", NOW)
    except KnightfallError:
        return None
    if not chunk.posts:
        return None
    data, parser = page.text.encode("utf-8", "replace"), etree.HTMLParser(encoding="utf-8", huge_tree=True)
    works: tuple[Callable[[], object], ...] = (
        lambda: read_chunk(page, "the page", NOW, None, forum.name),
        lambda: forum_of(page),
        lambda: etree.fromstring(data, parser),
        lambda: BeautifulSoup(page.text, "lxml"),
    )
    runs = [[_milliseconds(work) for work in works] for _ in range(RUNS)]
    return PageTimes(forum.name, *(min(each) for each in zip(*runs, strict=True)))


def _milliseconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1000
