"""How long does each verb take, on a begun game with a thread of 10,000 posts? One line a
verb: seconds of this machine's clock, and of its processor alone. The forum is not asked."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from knightfall.forums.base import Chunk, Response
from knightfall.models import Post
from knightfall.storage.store import Store

RUN = [sys.executable, "-c", "from knightfall.cli import main; main()"]
THREAD = "https://forum.example/viewtopic.php?t=1"
LIMIT = 0.5
PAGE = 200
MORE = ("Moth", "Noor", "Oslo", "Pike", "Quill", "Rook", "Sable")
"""Besides those of the thread, so that eighteen play."""

STORED = ("--stored",)
COUNT = ("--game", "../count")
"""A folder with the same thread and nothing begun."""
POST = "POST"
"""Another post each time: what was decided already is not decided again."""
VERBS: tuple[tuple[str, ...], ...] = (
    ("vc", *STORED),
    ("vc", *STORED, "--json"),
    ("vc", *STORED, "--at", "5000"),
    ("near", *STORED),
    ("explain", "Ada"),
    ("explain", "5000", *STORED, *COUNT),
    ("explain", "Ada", *STORED, *COUNT),
    ("vc", *STORED, *COUNT),
    ("roster", *STORED),
    ("roster", "suggest", *STORED),
    ("activity", *STORED),
    ("plot", "wagons", "--text", *STORED),
    ("evidence", "5000", "--game", "."),
    ("log",),
    ("log", "--json"),
    ("verify",),
    ("missing",),
    ("submissions",),
    ("pm", "roles"),
    ("post", "rules"),
    ("post", "votecount", *STORED),
    ("post", "day-start", *STORED),
    ("ics",),
    ("doctor",),
    ("rulings", "knight-errant", "--game", "."),
    ("roles", "doctor"),
    ("setups", "knight-errant", "A1-RD"),
    ("odds", "SWORD"),
    ("games",),
    ("forums",),
    ("fair", "verify", "private/deal.json"),
    ("--help",),
    ("fix", POST, "--ignore", "--why", "seen"),
    ("mod-note", "A note."),
    ("prod", "Ada", "--draft"),
    ("phase", "extend", "day", "1", "--by", "24h"),
    ("post", "note"),
)
"""Those that write come last, so that the others find the game as it was begun."""
SETTLED = (0, 1, 3)
"""Exit statuses of an answer: done, a check found something, a question to the moderator."""

Shown = Callable[[str, float, str], None]


def verbs_timed(posts: Iterable[Post], names: tuple[str, ...], now: datetime, shown: Shown) -> None:
    """Makes the folder and shows each verb's time; what is too slow is marked."""
    shown("this machine: a loop of ten million steps", _loop(), "s")
    with tempfile.TemporaryDirectory() as home:
        folder = made(Path(home), posts, names, now)
        for words in VERBS:
            _shown(words, folder, shown)


def made(home: Path, posts: Iterable[Post], names: tuple[str, ...], now: datetime) -> Path:
    """Two folders, whose thread was read: one with a begun game of eighteen, one that only counts."""
    flags = ("--title", "A long game", "--thread", f"game={THREAD}", "--moderator", "Wren")
    posts = list(posts)
    for kind, folder in (("knight-errant", home / "game"), ("votes", home / "count")):
        _run(["new", kind, *names, *MORE, "--out", str(folder), *flags], home)
        kept_thread(folder / "game.db", posts, now)
    ends = f"{datetime.now(UTC) + timedelta(days=7):%Y-%m-%d %H:%M}"
    _run(["phase", "open", "day", "1", "--ends", ends], home / "game")
    return home / "game"


def kept_thread(file: Path, posts: Iterable[Post], now: datetime) -> None:
    """Puts a thread into the evidence, page by page, as a read of it does."""
    store = Store.open(file)
    for number, page in enumerate(_pages(posts), start=1):
        chunk = Chunk("A long game", tuple(page), number, 50, 50 * PAGE)
        store.save_page(THREAD, "phpbb", Response(f"{THREAD}&start={number}", 200, ""), chunk, now)
    store.finish_read(THREAD, now + timedelta(seconds=1))
    store.close()


def _shown(words: tuple[str, ...], folder: Path, shown: Shown) -> None:
    posts = map(str, range(9100, 9103))
    times = [_run([post if word == POST else word for word in words], folder) for post in posts]
    seconds, processor = (min(each) for each in zip(*times, strict=True))
    slow = f"  over {LIMIT} s" if seconds > LIMIT else ""
    name = " ".join("THREAD" if word == THREAD else word for word in words)
    shown(f"knightfall {name}", seconds, f"s ({processor:.2f} s of the processor){slow}")


def environment(home: str) -> dict[str, str]:
    """That of a program that was installed: what Python compiles it to is kept, as an installer keeps it."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "KNIGHTFALL_HOME": home, "PYTHONPYCACHEPREFIX": str(Path(home) / "compiled")}


def _run(words: list[str], folder: Path) -> tuple[float, float]:
    """Seconds of the clock and of the processor. Ends the bench where the verb fails."""
    here = environment(str(folder))
    begun, used = time.perf_counter(), _used()
    done = subprocess.run([*RUN, *words], env=here, cwd=folder, capture_output=True, check=False)
    seconds, processor = time.perf_counter() - begun, _used() - used
    if done.returncode not in SETTLED or b"a bug in Knightfall" in done.stderr:
        raise SystemExit(f"knightfall {' '.join(words)} failed:\n{done.stderr.decode()}")
    return seconds, processor


def _loop() -> float:
    """By which the other times are judged: a machine that has other work, too, is slower in all."""
    begun = time.process_time()
    steps = 1
    for _ in range(10_000_000):
        steps ^= 3
    return time.process_time() - begun


def _used() -> float:
    """Seconds of the processor that programs we started took, for themselves."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def _pages(posts: Iterable[Post]) -> Iterator[list[Post]]:
    page: list[Post] = []
    for post in posts:
        page.append(replace(post, url=f"https://forum.example/viewtopic.php?p={post.id}#p{post.id}"))
        if len(page) == PAGE:
            yield page
            page = []
    if page:
        yield page
