"""Which files does a step of a game leave for the moderator to paste, and where does he find each?

`public/` holds what everybody may read; `private/` PMs and the moderator's own sheets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from knightfall.app.people.holders import Holders, renamed
from knightfall.core.game import Announced, Event, Noted, Told
from knightfall.storage.drafts import PUBLIC, write_draft
from knightfall.writeups.events import moderator_sheet, private_message, public_post

PRIVATE = "private"
_NOBODY: Holders = MappingProxyType({})
_UNSAFE = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class Text:
    """A finished text: `whose` is "public", a player's name or "moderator"."""

    whose: str
    kind: str
    text: str

    @property
    def folder(self) -> str:
        """Which half of the game's folder it belongs into."""
        return PUBLIC if self.whose == PUBLIC else PRIVATE


def texts_of(game: str, events: tuple[Event, ...], dialect: str, held: Holders = _NOBODY) -> Iterator[Text]:
    """One text an event, a PM for each of its slots, which goes to who holds it."""
    for event in events:
        match event:
            case Announced(kind):
                yield Text(PUBLIC, kind, public_post(game, renamed(event, held), dialect))
            case Told(slots, kind):
                text = private_message(game, event, dialect)
                yield from (Text(held.get(slot, slot), kind, text) for slot in slots)
            case Noted(kind):
                yield Text("moderator", kind, moderator_sheet(game, event, dialect))


def kept(folder: Path, number: int, texts: tuple[Text, ...]) -> tuple[Path, ...]:
    """Writes the texts of entry `number`; the same entry writes the same files again."""
    return tuple(
        write_draft(folder, text.folder, _name(number, place, text), text.text)
        for place, text in enumerate(texts, start=1)
    )


def safe_name(whose: str) -> str:
    """A player's name as part of a file's."""
    return _UNSAFE.sub("_", whose)


def _name(number: int, place: int, text: Text) -> str:
    whose = "" if text.whose == PUBLIC else f"-{safe_name(text.whose)}"
    return f"{number:03}-{place:02}-{text.kind}{whose}.txt"
