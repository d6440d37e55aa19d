"""What does reading need of the world? Ports, so that tests neither wait nor reach the network."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from knightfall.forums.adapter import Request, Response


class Clock(Protocol):
    """`now` is an aware instant in UTC, `elapsed` seconds of a clock that never jumps."""

    def now(self) -> datetime: ...

    def elapsed(self) -> float: ...

    def sleep(self, seconds: float) -> None: ...


class Fetch(Protocol):
    """Gets one page. Raises InputError, UnknownServer, SiteRefused and its kinds, IncompleteRead."""

    def get(self, request: Request) -> Response: ...

    def follow(self, request: Request) -> Response:
        """The same for a page that the moderator did not name: only where the site lets programs follow."""
        ...
