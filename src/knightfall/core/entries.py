"""What can a moderator's journal say? Inputs; never consequences, which `journal.replay` computes again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, TypeAlias

from knightfall.core.game import SlotId
from knightfall.errors import StateDamaged


@dataclass(frozen=True, slots=True)
class Started:
    """The game begins. `seed` only refers to the seed, which is kept elsewhere."""

    game: str
    slots: tuple[SlotId, ...]
    options: Mapping[str, object] = field(default_factory=dict)
    seed: str = ""


@dataclass(frozen=True, slots=True)
class Submitted:
    """A message of a slot (None: of the moderator), as raw text with its post."""

    slot: SlotId | None
    text: str
    post: str | None = None


@dataclass(frozen=True, slots=True)
class Closed:
    """A window was closed. `outcome`: what the moderator confirmed, in the game's notation (`eliminate Ada`);
    `evidence`: the digest of the posts it rests on.
    """

    window: str
    outcome: str | None = None
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """A phase begins, such as `day-2`, with that post, else with the first one from the instant `begins` on;
    it ends at `until` (None: as the moderator says)."""

    window: str
    post: str | None = None
    until: datetime | None = None
    begins: datetime | None = None


@dataclass(frozen=True, slots=True)
class Locked:
    """The thread was locked: no post after this one counts for the phase."""

    window: str
    post: str


@dataclass(frozen=True, slots=True)
class Extended:
    """A window stays open until then."""

    window: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Stopped:
    """A window's clock stands still until it is extended or closed."""

    window: str
    why: str


@dataclass(frozen=True, slots=True)
class Replaced:
    """Somebody else holds the slot from this post on."""

    slot: SlotId
    name: str
    post: str | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Removed:
    """The moderator took a slot out, from that post on: `how` is the game's word for it."""

    slot: SlotId
    how: str = "modkill"
    post: str | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Revived:
    """A slot lives again, from that post on, against whatever was said before."""

    slot: SlotId
    post: str | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Prodded:
    """A slot was asked to post again."""

    slot: SlotId


@dataclass(frozen=True, slots=True)
class Away:
    """A slot said that it will be away: first and last day as ISO dates, in the game's zone."""

    slot: SlotId
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Delivered:
    """How far a private text for a slot has come: `copied`, `sent` or `confirmed`. `kind` as in `role-1`."""

    kind: str
    slot: SlotId
    state: str
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Aliased:
    """The slot may also be called so."""

    slot: SlotId
    alias: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Fixed:
    """How one post counts, decided by the moderator.

    `reads` is "vote NAME", "no elimination", "unvote", "count" (what it says counts) or "ignore".
    """

    post: str
    reads: str
    why: str


@dataclass(frozen=True, slots=True)
class Ruled:
    """A question of the rules and the moderator's answer."""

    question: str
    answer: str
    why: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """A value from the moderator's own dice, used for the next draw of this label."""

    label: str
    value: object


@dataclass(frozen=True, slots=True)
class Published:
    """A text that went out: it is never changed silently. `upto` is the last post that it counts."""

    kind: str
    number: int
    sha256: str
    text: str
    upto: str = ""


@dataclass(frozen=True, slots=True)
class Undone:
    """Entry number `entry` does not count (any more)."""

    entry: int
    why: str


Entry: TypeAlias = (
    Started
    | Submitted
    | Closed
    | Opened
    | Locked
    | Extended
    | Stopped
    | Replaced
    | Removed
    | Revived
    | Prodded
    | Away
    | Delivered
    | Aliased
    | Fixed
    | Ruled
    | Drawn
    | Published
    | Undone
)

KINDS: Mapping[str, type[Entry]] = {
    kind.__name__.lower(): kind
    for kind in (
        Started,
        Submitted,
        Closed,
        Opened,
        Locked,
        Extended,
        Stopped,
        Replaced,
        Removed,
        Revived,
        Prodded,
        Away,
        Delivered,
        Aliased,
        Fixed,
        Ruled,
        Drawn,
        Published,
        Undone,
    )
}


_FIELDS = {kind: tuple(part.name for part in fields(kind)) for kind in KINDS.values()}
"""Looked up once: every entry of a journal is encoded at every look at it."""


def encode(entry: Entry) -> dict[str, Any]:
    """The entry as JSON: {entry: its kind, fields: {…}}, instants as ISO text."""
    values = {name: _plain(getattr(entry, name)) for name in _FIELDS[type(entry)]}
    return {"entry": type(entry).__name__.lower(), "fields": values}


def decode(value: Mapping[str, Any]) -> Entry:
    """Back from JSON. Raises StateDamaged for an unknown kind or field, or a missing one."""
    name, given = str(value.get("entry")), value.get("fields", {})
    kind = KINDS.get(name)
    if kind is None:
        raise StateDamaged(f"The journal has an entry of the unknown kind “{name}”.")
    if odd := set(given) - {part.name for part in fields(kind)}:
        raise StateDamaged(f"A journal entry “{name}” has unknown fields: {', '.join(sorted(odd))}.")
    try:
        return kind(**{part: _typed(part, found) for part, found in given.items()})
    except TypeError as error:
        raise StateDamaged(f"A journal entry “{name}” is incomplete: {error}.") from error


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    return list(value) if isinstance(value, tuple) else value


def _typed(name: str, value: Any) -> Any:
    if name in ("until", "begins"):
        return None if value is None else datetime.fromisoformat(value)
    return tuple(value) if name == "slots" else value
