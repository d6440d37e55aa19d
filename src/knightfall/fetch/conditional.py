"""Has a page that we keep changed at all? The server is asked; where it says no, ours is used again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from knightfall.fetch.ports import Fetch
from knightfall.forums.adapter import Request, Response

QUESTIONS = {"etag": "If-None-Match", "last-modified": "If-Modified-Since"}
"""What a page was known by, and the header that asks whether it still is."""
UNCHANGED = 304


@dataclass(frozen=True, slots=True)
class Conditional:
    """A Fetch that asks before it gets; `kept` finds the copy of a URL, with the headers it came with."""

    fetch: Fetch
    kept: Callable[[str], Response | None]

    def get(self, request: Request) -> Response:
        """As Fetch.get."""
        return self._unless_unchanged(request, self.fetch.get)

    def follow(self, request: Request) -> Response:
        """As Fetch.follow."""
        return self._unless_unchanged(request, self.fetch.follow)

    def _unless_unchanged(self, request: Request, ask: Callable[[Request], Response]) -> Response:
        kept = self.kept(request.url)
        if kept is None:
            return ask(request)
        questions = {asks: kept.headers[name] for name, asks in QUESTIONS.items() if name in kept.headers}
        found = ask(replace(request, headers={**request.headers, **questions}))
        return kept if found.status == UNCHANGED else found
