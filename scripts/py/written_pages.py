"""What went out in a game, by its journal: every post, PM and moderator's sheet, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from knightfall.engine.game import Announced, Event, Told
from knightfall.sentence import SlotId
from knightfall.writeups.events import moderator_sheet, private_message, public_post

PUBLIC, PRIVATE, MODERATOR = "public", "private", "moderator"


@dataclass(frozen=True, slots=True)
class Page:
    """One text. `audience` is public, private or moderator; `slots` whom a PM goes to."""

    number: int
    audience: str
    kind: str
    slots: tuple[SlotId, ...]
    text: str

    @property
    def path(self) -> str:
        """Its file: `public/004-dawn.txt`, `private/007-result_pm-Ada.txt`; in order by name."""
        to = f"-{'+'.join(map(_safe, self.slots))}" if self.slots else ""
        return f"{self.audience}/{self.number:03}-{self.kind}{to}.txt"


def _safe(name: str) -> str:
    """The name without what no file system takes."""
    return "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in name)


def pages(game: str, events: Iterable[Event], dialect: str) -> tuple[Page, ...]:
    """Posts and PMs in the dialect, the moderator's sheets for his screen."""
    return tuple(_pages(game, events, dialect))


def _pages(game: str, events: Iterable[Event], dialect: str) -> Iterator[Page]:
    for number, event in enumerate(events, start=1):
        match event:
            case Announced(kind=kind):
                yield Page(number, PUBLIC, kind, (), public_post(game, event, dialect))
            case Told(slots=slots, kind=kind):
                yield Page(number, PRIVATE, kind, slots, private_message(game, event, dialect))
            case _:
                yield Page(number, MODERATOR, event.kind, (), moderator_sheet(game, event))
