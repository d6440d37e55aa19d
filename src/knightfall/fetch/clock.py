"""The clock and the fetcher that services are given, and the machine's own clock."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from knightfall.forums.exchange import Request, Response


class Clock(Protocol):
    """`now` is an aware instant in UTC, `elapsed` seconds of a clock that never jumps."""

    def now(self) -> datetime: ...

    def elapsed(self) -> float: ...

    def sleep(self, seconds: float) -> None: ...


class Fetch(Protocol):
    """Gets one page. Raises InputError, UnknownServer, SiteRefused and its kinds, IncompleteRead."""

    def get(self, request: Request) -> Response: ...

    def follow(self, request: Request) -> Response:
        """Ask for a page that the moderator did not name: only where the site lets programs follow."""
        ...


@dataclass(frozen=True, slots=True)
class SystemClock:
    """The computer's own clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def elapsed(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)
