"""May a program go on by itself to the next page of a site? As the site's robots.txt says.

The page whose address the moderator gave is read as his browser would read it. What he did not name, every
further page of the thread, is asked for only where robots.txt lets programs; its crawl-delay is kept as well.
A site without that file (404, 403) has no such wishes; one that fails to answer is left alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from protego import Protego

from knightfall.errors import AccessDenied
from knightfall.forums.adapter import Request, Response

NAME = "knightfall"
"""How a robots.txt may call us."""
READ = 500_000


@dataclass(frozen=True, slots=True)
class Robots:
    """The wishes of each server, asked for once a run; `get` fetches a page."""

    get: Callable[[Request], Response]
    _wishes: dict[str, Protego] = field(default_factory=dict)

    def refuse(self, url: str) -> None:
        """Raises AccessDenied where programs are asked not to read that page."""
        server = _server(url)
        if server not in self._wishes:
            self._wishes[server] = Protego.parse(self._text(server))

        if not self._wishes[server].can_fetch(url, NAME):
            raise AccessDenied(
                f"{urlsplit(url).netloc} asks programs (robots.txt) not to read {url}, so I do not go on by "
                "myself; only the page whose address you gave was read. Save the other pages in your browser "
                "and use those: --from-html FILE..."
            )

    def delay(self, url: str) -> float:
        """Seconds between two pages that the server asks for, as far as it was asked."""
        wishes = self._wishes.get(_server(url))
        asked = wishes.crawl_delay(NAME) if wishes else None
        return float(asked or 0)

    def _text(self, server: str) -> str:
        try:
            page = self.get(Request(f"{server}/robots.txt"))
        except AccessDenied:
            return ""
        return page.text[:READ] if page.status < 300 else ""


def _server(url: str) -> str:
    split = urlsplit(url)
    return f"{split.scheme}://{split.netloc}"
