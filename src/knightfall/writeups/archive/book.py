"""What goes into the archive of a game, as values, before it is a single page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from knightfall.audience import Audience
from knightfall.mafia.events import NightHistory
from knightfall.markup.nodes import Nodes
from knightfall.writeups.archive.html import Censor


@dataclass(frozen=True, slots=True)
class ArchivedPost:
    """A post: `url` is its address on the forum, None where it has none or must not be told; `edit_note` is
    what the forum says of an edit; a `hidden` one has no nodes."""

    number: int
    id: str
    author: str
    nodes: Nodes
    time: datetime | None = None
    approximate: bool = False
    url: str | None = None
    edit_note: str = ""
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class ArchivedThread:
    """A thread; `key` begins the names of its pages, `url` is where it stands on the forum."""

    key: str
    title: str
    posts: tuple[ArchivedPost, ...]
    url: str = ""
    audience: Audience = Audience.EVERYBODY


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a page under a heading of its own ("" for none). `instead` is what others read there than
    those for whom it is."""

    heading: str
    nodes: Nodes
    audience: Audience = Audience.EVERYBODY
    instead: Nodes = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """A page of our own texts: `key` is its name, `intro` a sentence before the parts. A chapter of which
    nothing is for a reader is no page in their archive."""

    key: str
    title: str
    parts: tuple[Part, ...]
    intro: str = ""

    def seen_by(self, reader: Audience) -> Chapter | None:
        """The chapter as such a reader may have it; None where nothing of it is for them."""
        parts = tuple(
            one if reader.sees(one.audience) else replace(one, nodes=one.instead)
            for one in self.parts
            if reader.sees(one.audience) or one.instead
        )
        return replace(self, parts=parts) if parts else None


@dataclass(frozen=True, slots=True)
class Day:
    """The votes of a day: its count, the picture of its wagons as SVG and as text. `remark` says why
    where there is none."""

    number: int
    nodes: Nodes = ()
    picture: str = ""
    strip: str = ""
    remark: str = ""


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A step of a match: `name` is its address on the page, `told` what happened, text by text, `picture` its
    SVG, `board` the picture in letters ("" for none)."""

    name: str
    title: str
    told: tuple[Nodes, ...]
    picture: str
    board: str = ""


@dataclass(frozen=True, slots=True)
class MatchPart:
    """A part of a match, such as a bout, as a page to step through; `title` "" where the match is all one.
    `shared` is what its pictures have in common, as an SVG that shows nothing."""

    title: str
    shared: str
    steps: tuple[ShownStep, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """All that an archive holds.

    `secret`: for the moderator alone, which every page says. `facts` are (what, value) of the game; `nights`
    as `mafia.endgame_history.nights` tells them, and `untold` why they are not told; the game's own thread is
    the first of the `volumes`; `match` is empty in a game without a board.
    """

    title: str
    secret: bool
    zone: ZoneInfo
    censor: Censor
    facts: tuple[tuple[str, str], ...] = ()
    remarks: tuple[str, ...] = ()
    volumes: tuple[ArchivedThread, ...] = ()
    days: tuple[Day, ...] = ()
    nights: tuple[NightHistory, ...] = ()
    untold: str = ""
    chapters: tuple[Chapter, ...] = ()
    match: tuple[MatchPart, ...] = ()
