"""The browsers that were let in: each with a cookie of its own, listed, named and ended on the page.

An address lets one browser in, once. Where it is used a second time by another browser, one of the two is
not the moderator's: then what it opened is ended, with all that was paired from there, and it opens nothing
any more. Of the address of the start that is every session of the run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from threading import Lock

from knightfall.fetch.clock import Clock

PAIRING = 600.0
"""Seconds for which an address that pairs another browser holds."""
SHORT = 90.0
"""Seconds without a request after which a session ends that lives only as long as its tab."""
_BROWSERS = {"Edg": "Edge", "OPR": "Opera", "Firefox": "Firefox", "Chrome": "Chrome", "Safari": "Safari"}
_SYSTEMS = {
    "Android": "Android", "iPhone": "iOS", "Windows": "Windows", "Mac OS": "macOS", "Linux": "Linux"
}  # fmt: skip
"""What a browser calls itself holds → what people call it; the first that fits."""
LONGEST_NAME = 60


@dataclass(slots=True)
class BrowserSession:
    """A browser that was let in: what it is called, since when, when it last asked for something."""

    id: str
    name: str
    since: datetime
    seen: datetime
    digest: str
    by: str = ""
    """The session that paired it."""

    short: bool = False
    """Whether it ends with its tab: it came without a name of this run's own."""

    heard: float = 0.0
    """When it last asked, by the clock that never jumps."""


@dataclass(slots=True)
class _Address:
    """An address that lets a browser in; `until` None: as long as the run. `by` is the session that made it,
    `opened` the one that came in by it."""

    until: float | None
    by: str = ""
    opened: str = ""


class Sessions:
    """The sessions of a run, and the addresses that make one. `random` gives so many random bytes."""

    def __init__(self, random: Callable[[int], bytes], clock: Clock) -> None:
        self._random = random
        self._clock = clock
        self._lock = Lock()
        self._addresses: dict[str, _Address] = {}
        self._open: dict[str, BrowserSession] = {}
        self._ended: set[str] = set()
        """Addresses that two browsers used, and the cookies that came of them."""

    def new_address(self, by: BrowserSession | None = None, lasting: bool = False) -> str:
        """A token that lets one browser in, made by a session; `lasting`: as long as the run, else for
        `PAIRING` seconds."""
        token = self._random(24).hex()
        until = None if lasting else self._clock.elapsed() + PAIRING
        with self._lock:
            self._addresses[_digest(token)] = _Address(until, by.id if by else "")
        return token

    def knows(self, token: str) -> bool:
        """Whether a token of this run lets a browser in, or did."""
        return _digest(token) in self._addresses

    def is_used(self, token: str) -> bool:
        """Whether a browser was let in by this token before."""
        address = self._addresses.get(_digest(token))
        return address is not None and bool(address.opened)

    def let_in(self, token: str, browser: str, short: bool = False) -> str | None:
        """The cookie of a new session; None for a token that is unknown, was used or holds no more."""
        with self._lock:
            address, now = self._addresses.get(_digest(token)), self._clock.elapsed()
            if address is None or address.opened:
                return None
            if address.until is not None and now > address.until:
                return None
            cookie, moment = self._random(24).hex(), self._clock.now()
            digest, name = _digest(cookie), browser_named(browser)
            made = BrowserSession(digest[:12], name, moment, moment, digest, address.by, short, now)
            address.opened = made.id
            self._open[made.digest] = made
            return cookie

    def of(self, cookie: str) -> BrowserSession | None:
        """The session of a cookie; None where there is none, or none any more."""
        found = self._open.get(_digest(cookie)) if cookie else None
        if found is None:
            return None
        now = self._clock.elapsed()
        if found.short and now - found.heard > SHORT:
            self.end(found.id)
            return None
        found.heard, found.seen = now, self._clock.now()
        return found

    def all(self) -> tuple[BrowserSession, ...]:
        """Every session, oldest first."""
        return tuple(self._open.values())

    def rename(self, id: str, name: str) -> None:
        """Call a session so; an empty name, and an unknown session, change nothing."""
        for one in self._open.values():
            if one.id == id and name.strip():
                one.name = " ".join(name.split())[:LONGEST_NAME]

    def end(self, id: str) -> None:
        """End a session; one that is unknown is no harm."""
        with self._lock:
            self._open = {digest: one for digest, one in self._open.items() if one.id != id}

    def end_opened(self, token: str) -> None:
        """End what an address opened that two browsers used, and all that was paired from there."""
        with self._lock:
            address = self._addresses[_digest(token)]
            ids, gone = {address.opened}, {_digest(token)}
            for one in self._open.values():  # who is paired comes behind who paired it
                if one.id in ids or one.by in ids:
                    ids.add(one.id)
                    gone.add(one.digest)
            gone |= {digest for digest, made in self._addresses.items() if made.by in ids}
            self._ended |= gone
            self._open = {digest: one for digest, one in self._open.items() if digest not in gone}
            self._addresses = {digest: one for digest, one in self._addresses.items() if digest not in gone}

    def was_ended(self, secret: str) -> bool:
        """Whether an address was used by two browsers, or a cookie came of such a one."""
        return _digest(secret) in self._ended


def browser_named(agent: str) -> str:
    """A browser in words by how it calls itself: “Firefox on Linux”."""
    browser = next((name for mark, name in _BROWSERS.items() if mark in agent), "A browser")
    system = next((name for mark, name in _SYSTEMS.items() if mark in agent), "")
    return f"{browser} on {system}" if system else browser


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
