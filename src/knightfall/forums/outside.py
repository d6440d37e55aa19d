"""Forum platforms that other installed packages add; what goes wrong in one is said to be its package's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from knightfall.errors import BrokenPlugin, KnightfallError
from knightfall.forums.base import Chunk, Forum, Request, Response, Site, ThreadRef
from knightfall.markup.html_style import HtmlStyle
from knightfall.plugins import Family

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OutsideForum:
    """An adapter of another package. Its own errors become BrokenPlugin, except while others are still asked:
    a page that it fails to recognise, or an address that it fails to locate, is none of its own."""

    adapter: Forum
    name: str
    html_style: HtmlStyle
    package: str

    def recognises(self, page: Response) -> bool:
        try:
            return self._asked("recognises", lambda: self.adapter.recognises(page))
        except KnightfallError:
            return False

    def locate(self, url: str) -> ThreadRef | None:
        try:
            return self._asked("locate", lambda: self.adapter.locate(url))
        except KnightfallError:
            return None

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        return self._asked("start", lambda: self.adapter.start(ref, since))

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        return self._asked("read", lambda: self.adapter.read(page, site, now))

    def fault_at(self, page: Response) -> str | None:
        """What goes wrong when it is asked whether a page is its own; None where nothing does."""
        try:
            self._asked("recognises", lambda: self.adapter.recognises(page))
        except KnightfallError as fault:
            return str(fault)
        return None

    def _asked(self, what: str, answer: Callable[[], T]) -> T:
        try:
            return answer()
        except KnightfallError:
            raise
        except Exception as error:
            raise BrokenPlugin(
                f"The forum “{self.name}” of the package {self.package} failed in {what} "
                f"({type(error).__name__}: {error}). Update {self.package}, or tell its authors."
            ) from error


class OutsideForums:
    """All platforms that other packages add; they are looked up when they are first wanted."""

    def __init__(self, own: tuple[str, ...]) -> None:
        parts = ("name", "html_style", "recognises", "locate", "start", "read")
        self.family: Family[Forum] = Family("knightfall.forums", "forum", own, parts)

    def named(self, platform: str) -> OutsideForum | None:
        """The platform with that id. Raises BrokenPlugin."""
        found = self.family.named(platform)
        return self._guarded(found) if found else None

    def working(self) -> tuple[OutsideForum, ...]:
        """Every platform that can be loaded."""
        return tuple(map(self._guarded, self.family.working()))

    def faults(self, page: Response | None = None) -> tuple[str, ...]:
        """A sentence for each that cannot be loaded, or cannot be asked about the page."""
        asked = [forum.fault_at(page) for forum in self.working()] if page else []
        return (*self.family.faults(), *(fault for fault in asked if fault))

    def _guarded(self, adapter: Forum) -> OutsideForum:
        return OutsideForum(adapter, adapter.name, adapter.html_style, self.family.package_of(adapter.name))
