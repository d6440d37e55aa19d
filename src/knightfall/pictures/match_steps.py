"""A match to step through: each position that it came to, with what was played and its picture."""

from __future__ import annotations

from dataclasses import dataclass

from knightfall.engine.game import Event
from knightfall.pictures.scene import Scene


@dataclass(frozen=True, slots=True)
class MatchStep:
    """A position of a match, and what led there.

    `part` is what the match falls into, such as “Bout 1” ("": it is all one); `title` says which step of it
    this is, such as “Move 12”. `events` tell what was played, each to its own audience; `board` is the
    picture in letters. `secret`: while the game goes on only the moderator may see it.
    """

    part: str
    title: str
    events: tuple[Event, ...]
    scene: Scene
    board: str = ""
    secret: bool = False
