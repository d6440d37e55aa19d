"""What can stand in a post: the small tree that every reader and every dialect shares."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Text:
    """Plain characters; never markup, whatever they look like."""

    text: str


@dataclass(frozen=True, slots=True)
class Name(Text):
    """The name of a player, where we wrote it ourselves: what is one is never guessed from words."""


@dataclass(frozen=True, slots=True)
class Given(Text):
    """Words in a text of ours that somebody else wrote: names may stand in them."""


@dataclass(frozen=True, slots=True)
class Title(Given):
    """What a moderator calls a game: no board makes a smiley or a link of it, as of no name."""


@dataclass(frozen=True, slots=True)
class Break:
    """A line ends here."""


@dataclass(frozen=True, slots=True)
class Bold:
    children: Nodes


@dataclass(frozen=True, slots=True)
class Italic:
    children: Nodes


@dataclass(frozen=True, slots=True)
class Underline:
    children: Nodes


@dataclass(frozen=True, slots=True)
class Strike:
    """Text that its author took back."""

    children: Nodes


@dataclass(frozen=True, slots=True)
class Colour:
    """`colour` is a CSS name or #rrggbb."""

    colour: str
    children: Nodes


@dataclass(frozen=True, slots=True)
class Size:
    """`percent` of the site's normal size."""

    percent: int
    children: Nodes


@dataclass(frozen=True, slots=True)
class Heading:
    """`level` 1 to 6."""

    level: int
    children: Nodes


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph or division: begins and ends a line."""

    children: Nodes


@dataclass(frozen=True, slots=True)
class Link:
    url: str
    children: Nodes


@dataclass(frozen=True, slots=True)
class PostLink:
    """A link to a post of this thread: by the forum's id, its number and its URL where known."""

    number: int
    children: Nodes
    post_id: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """A user named with the site's own mention; `name` without the @."""

    name: str


@dataclass(frozen=True, slots=True)
class Image:
    """`alt` holds what the picture stands for, e.g. the characters of a smiley."""

    alt: str
    url: str = ""


class Tag(Enum):
    """The two tags of official votes."""

    VOTE = "vote"
    UNVOTE = "unvote"


@dataclass(frozen=True, slots=True)
class VoteTag:
    """The site's own vote tag: what it says beside the word that the site itself prints before it."""

    tag: Tag
    children: Nodes


@dataclass(frozen=True, slots=True)
class Quote:
    """The words of another person. `author` and `post` where the site tells them."""

    children: Nodes
    author: str | None = None
    post: str | None = None


@dataclass(frozen=True, slots=True)
class Spoiler:
    children: Nodes
    title: str = ""


@dataclass(frozen=True, slots=True)
class Area:
    """A box with a title (`[area]`, fieldset)."""

    children: Nodes
    title: str = ""


@dataclass(frozen=True, slots=True)
class Code:
    text: str


@dataclass(frozen=True, slots=True)
class Listing:
    """A list; each item is a run of nodes."""

    items: tuple[Nodes, ...]
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; the first row is the head where `head` is set."""

    rows: tuple[tuple[Nodes, ...], ...]
    head: bool = True


@dataclass(frozen=True, slots=True)
class Countdown:
    """An aware instant on the clocks of `zone` (an IANA name, "": UTC); `children` say it in words."""

    instant: datetime
    zone: str
    children: Nodes = ()


@dataclass(frozen=True, slots=True)
class Cut:
    """Here a body was too deep to be read further; it holds nothing."""

    children: Nodes = ()


@dataclass(frozen=True, slots=True)
class Aside:
    """What the site or its author appended and is no part of the message: signature, edit notice."""

    kind: str
    children: Nodes


Node: TypeAlias = (
    Text
    | Break
    | Bold
    | Italic
    | Underline
    | Strike
    | Colour
    | Size
    | Heading
    | Block
    | Link
    | PostLink
    | Mention
    | Image
    | VoteTag
    | Quote
    | Spoiler
    | Area
    | Code
    | Listing
    | Table
    | Countdown
    | Aside
    | Cut
)
Nodes: TypeAlias = tuple[Node, ...]
