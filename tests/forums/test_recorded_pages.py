"""Pages of real boards, served on loopback: read live, as they are stored and from files, they say the same.

Of some threads only the first pages were recorded: reading ends there, and what was read counts up to there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from typer.testing import Result

from command_line import run
from fetch.loopback import Reply, serving
from knightfall.fetch.saved import read_html
from knightfall.forums import forum_named
from knightfall.forums.base import Chunk, Forum, Response
from knightfall.forums.pages import read_chunk
from knightfall.models import Post
from knightfall.services.machine import session_of
from knightfall.services.threads import Kept, gather

SHARED = Path(__file__).parents[3] / "shared" / "pages"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
THREADS: dict[str, tuple[str, ...]] = {
    "phpbb": ("local-3310-guest_p1.html", "local-3310-guest_p2.html"),
    "smf": tuple(f"local-214-mafia-mini1535-off{offset}.html" for offset in (0, 15, 30, 45)),
    "smf, Hungarian": ("metin2hungary-blackstorm.html",),
    "mybb": tuple(f"local-1837-mafia-mini1535-p{number}.html" for number in (1, 2, 3, 4)),
    "xenforo2": ("villagersandheroes-patchnotes.html",),
    "xenforo2, Finnish": ("kauppalehti-fi.html",),
    "xenforo1": ("formasaurus-oneplus.html",),
    "vbulletin4": ("nettally-vb423.html",),
    "vbulletin5": ("nettally-fandompost.html",),
    "invision3": ("grasscity.html",),
    "invision4": ("gopiratia-pirates-fortune.html",),
    "nodebb": ("local-440-guest_api_p1.json", "local-440-guest_api_p2.json"),
    "discourse": ("urho3d-u3d-terrain-editor-765.json",),
}
"""The recorded pages of a thread, from its first one on, by their folder and what is special."""
BASE = re.compile(r'<base href="([^"]+)"')
CLOCK = re.compile(r'(<span id="current_time">).*?(</span>)')
"""The clock of a MyBB page, which told the zone on the day when it was recorded only."""

pytestmark = pytest.mark.skipif(
    not SHARED.exists(), reason="../shared/pages is not here: real pages are not read"
)


@dataclass(frozen=True)
class Page:
    """A recorded page, and what it holds."""

    file: str
    url: str
    text: str
    chunk: Chunk


def recorded(name: str) -> tuple[str, tuple[Page, ...]]:
    """The platform and the pages of a thread."""
    folder = name.partition(",")[0]
    addresses = {}
    for line in (SHARED / "INDEX.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        addresses[entry["file"]] = entry.get("page_url") or ""
    platform, pages = "", list[Page]()
    for file in THREADS[name]:
        text = (SHARED / folder / file).read_text(encoding="utf-8", errors="replace")
        text, base = CLOCK.sub(r"\1\2", text), BASE.search(text)
        url = urljoin(base[1] if base else "", addresses[f"{folder}/{file}"])
        forum, chunk = read_chunk(Response(url, 200, text), file, NOW)
        platform = forum.name
        pages.append(Page(file, url, text, chunk))
    return platform, tuple(pages)


@dataclass
class Board:
    """The pages of a thread on the server at `root`, which takes the place of their own."""

    forum: Forum
    pages: tuple[Page, ...]
    root: str = ""

    def here(self, text: str) -> str:
        """A text of the board with its address in the place of the recorded one."""
        host = urlsplit(self.pages[0].url).netloc
        for slashes in ("//", "\\/\\/"):
            for scheme in ("https", "http"):
                own = self.root.removesuffix("/").replace("//", slashes)
                text = text.replace(f"{scheme}:{slashes}{host}", own)
        return text

    def start_in(self, url: str) -> int | None:
        """Where in the thread an address points; None where it is none of it."""
        found = self.forum.locate(url)
        return max(found.start, 1) if found else None

    def __call__(self, path: str) -> Reply:
        address = self.root.removesuffix("/") + path
        thread = self.pages[0].chunk.thread
        assert thread is not None
        opening = address == self.forum.start(replace(thread, root=self.here(thread.root))).url
        asked = self.start_in(address)
        for page in self.pages:
            if page.url == self.pages[0].url and (opening or address == self.here(page.url)):
                return Reply(self.here(page.text).encode())
            if asked is not None and asked == self.start_in(page.url):
                return Reply(self.here(page.text).encode())
        return Reply(b"<html><body>Nothing here.</body></html>", 404)

    def save(self, folder: Path) -> list[str]:
        """The pages as a browser saves them."""
        files = []
        for number, page in enumerate(self.pages, 1):
            file = folder / f"page-{number}{Path(page.file).suffix}"
            said = "" if file.suffix == ".json" else f"<!-- saved from url=(0000){self.here(page.url)} -->\n"
            file.write_text(said + self.here(page.text), encoding="utf-8")
            files.append(str(file))
        return files


@contextmanager
def board(platform: str, pages: tuple[Page, ...]) -> Iterator[Board]:
    forum = forum_named(platform)
    assert forum is not None
    found = Board(forum, pages)
    with serving(found) as server:
        found.root = server.root
        yield found


def counted(*words: str) -> Mapping[str, Any] | str:
    """The count as JSON; where there is none, as in a thread without votes, what is said instead."""
    result: Result = run("vc", *words, "--json")
    return json.loads(result.stdout) if result.stdout else str(result.exception)


def alike(one: Post, other: Post, root: str) -> bool:
    """Whether two readings of a post are one. Words as “5 minutes ago” count from the moment of reading; a
    saved answer of an API does not tell from which board it is."""
    times = ((one.time, other.time), (one.edited, other.edited))
    close = all(a == b or (a and b and abs(a - b) < timedelta(minutes=2)) for a, b in times)
    plain = [replace(post, time=None, edited=None, url=None) for post in (one, other)]
    links = one.url == other.url or (other.url is None and (one.url or "").startswith(root))
    return bool(close and links and plain[0] == plain[1])


@pytest.mark.few(2)
@pytest.mark.parametrize("name", THREADS)
def test_a_recorded_thread_reads_and_counts_alike_live_stored_and_from_files(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    platform, pages = recorded(name)
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    monkeypatch.chdir(tmp_path)
    with board(platform, pages) as served:
        url, last = served.here(pages[0].url), pages[-1].chunk.posts[-1].number
        whole = pages[-1].chunk.following is None
        read = run("read", url, "--allow-private-host")
        assert (read.exit_code == 0) == whole, f"{read.stdout}\n{read.exception}"
        stored = gather(Kept(url), session_of(None, allow_private=True))  # a rewritten address is asked for
        files = served.save(tmp_path)
        saved = read_html(list(map(Path, files)), datetime.now(UTC))
        assert len(stored.posts) == sum(len(page.chunk.posts) for page in pages)
        for one, other in zip(stored.posts, saved.posts, strict=True):
            assert alike(one, other, served.root), (one, other)

        at = () if whole else ("--at", str(last))
        kept = counted(url, "--stored", "--allow-private-host", *at)
        if whole:
            assert counted(url, "--allow-private-host") == kept
        files = [
            str(tmp_path / f"page-{number}{Path(page.file).suffix}") for number, page in enumerate(pages, 1)
        ]
        from_files = counted("--from-html", *files, *at)
        assert without_links(from_files) == without_links(kept)


def without_links(count: Mapping[str, Any] | str) -> Any:
    """The count without the addresses of posts."""
    return json.loads(re.sub(r'"url": (?:"[^"]*"|null)', '"url": ""', json.dumps(count)))
