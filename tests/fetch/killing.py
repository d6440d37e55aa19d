"""A read that is killed at some moment, with SIGKILL, and finished by another: nothing may be lost.

The store opens, holds every page that was done with when the next one was asked for, and the next read makes
the thread whole.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from fetch.loopback import Server, StillClock, client
from fetch.threads import PER_PAGE
from knightfall.services.session import Session, evidence_file
from knightfall.services.threads import Link, gather
from knightfall.storage.store import Store

PAGES = 20
LATEST = 0.03
"""Seconds after a request that a kill may come: about as long as a page takes."""
RUN = (sys.executable, "-c", "from knightfall.cli import main; main()")


@dataclass(frozen=True, slots=True)
class Kill:
    """What a kill left: pages asked for before it, pages kept, pages that the next read asked for."""

    asked: int
    kept: int
    fetched: int

    def __str__(self) -> str:
        return f"killed after {self.asked} requests: {self.kept} pages kept, {self.fetched} fetched to finish"


def killed_read(server: Server, requests: int, pause: float, home: Path) -> Kill:
    """A read that dies a moment after so many requests, and one that finishes it. Fails on a loss."""
    url = server.root + "viewtopic.php?t=5"
    asked = _killed(server, url, requests, pause, home)
    file = evidence_file(url, {"KNIGHTFALL_HOME": str(home)})
    kept = _kept_pages(file, url)
    # Page n + 1 is asked for only after page n was kept; the last page is looked at once before.
    assert kept >= asked - 2, f"{asked} pages were asked for and only {kept} kept"
    server.asked.clear()
    _finished(file, url)
    return Kill(asked, kept, len(server.asked))


def _killed(server: Server, url: str, requests: int, pause: float, home: Path) -> int:
    environment = {**os.environ, "KNIGHTFALL_HOME": str(home), "KNIGHTFALL_DELAY": "0"}
    command = [*RUN, "read", url, "--allow-private-host"]
    server.asked.clear()
    reading = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while len(server.asked) < requests and reading.poll() is None:
        time.sleep(0.001)
    time.sleep(pause)
    reading.kill()
    reading.wait(timeout=60)
    return len(server.asked)


def _kept_pages(file: Path, url: str) -> int:
    store = Store.open(file)
    found = store.thread(url)
    store.close()
    numbers = [post.number for post in found.posts] if found else []
    assert numbers == list(range(1, len(numbers) + 1)), f"the posts kept are {numbers}"
    assert len(numbers) % PER_PAGE == 0, "half a page was kept"
    return len(numbers) // PER_PAGE


def _finished(file: Path, url: str) -> None:
    clock = StillClock()
    session = Session(clock, client(clock, delay=0), lambda _thread: Store.open(file))
    whole = gather(Link(url), session)
    assert whole.complete, whole.missing
    assert [post.number for post in whole.posts] == list(range(1, PAGES * PER_PAGE + 1))
