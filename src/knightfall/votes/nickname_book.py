"""Nicknames that the moderator's answers in earlier games taught: questions offer them, nothing counts so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from knightfall.models import Roster
from knightfall.names import squash


@dataclass(frozen=True, slots=True)
class Teaching:
    """An answer: in the game of that title on `site` it was said, at that instant, whom a nickname means."""

    site: str
    nickname: str
    account: str
    game: str
    at: datetime

    @property
    def said(self) -> str:
        """Where it was so: “as in Tin Valley”, and for a game without a title “as on 2026-11-25”."""
        return f"as in {self.game}" if self.game else f"as on {self.at:%Y-%m-%d}"

    @property
    def place(self) -> tuple[str, str, str]:
        """What it is about: site, nickname and account, each in one spelling."""
        return self.site, squash(self.nickname), self.account.casefold()


def known_players(
    name: str, book: Iterable[Teaching], roster: Roster, post: int
) -> tuple[tuple[str, Teaching], ...]:
    """The slots living at that post whose players the book knows by that name, each with its latest teaching,
    the latest first."""
    key = squash(name)
    found: dict[str, Teaching] = {}
    for taught in sorted(book, key=lambda one: one.at, reverse=True):
        slot = roster.slot_of(taught.account) if squash(taught.nickname) == key else None
        if slot is not None and slot.alive_at(post):
            found.setdefault(slot.name, taught)
    return tuple(found.items())
