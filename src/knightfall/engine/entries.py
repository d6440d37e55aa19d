"""The entries of a journal: what somebody did, each kind as it is kept.

Entries that name a post by its number have its `mark`, too, as it was read then; where the number lies behind
the last post that was read, the mark is of that one. Without a mark the number alone counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from enum import Enum
from typing import Any, ClassVar, TypeAlias, get_args

from knightfall.engine.commands import ELIMINATE, MODKILL, Order
from knightfall.engine.game import Spec
from knightfall.errors import StateDamaged
from knightfall.models import PostMark
from knightfall.sentence import SlotId


class Ground(Enum):
    """What an entry has to do with how things stand when it is written, which each kind of entry says itself:
    somebody else may have written since it was prepared."""

    RESTS = "rests"
    """It follows from how things stood, and they stand otherwise behind it: a closing, a deadline."""
    SAYS = "says"
    """It says what somebody sent or decided, which is so whatever came before; what comes behind it may stand
    otherwise: a message, an alias, an undo."""
    ASIDE = "aside"
    """It notes something beside the game, and changes nothing on which another entry rests."""


@dataclass(frozen=True, slots=True)
class Started:
    """The game begins. `seed` only refers to the seed, which is kept elsewhere.

    `timeouts`: what becomes of a window whose time is up. "close": the next entry closes it first, as in
    games begun before this could be said; "ask": it waits for the moderator. `edition`: of the rulings that
    hold in the game; games begun before there were editions have 0. `adopted`: nothing is dealt, the game
    runs already and stands where `Adopted` says. `sealed`: all evidence of the folder had its seals when the
    game began, so that a row, a seal or a note on them that is missing was taken away; games begun before
    this could be said have no such promise. `version`: which Knightfall began it; its texts may be in other
    words than those of today ("": before this was noted).
    """

    ground: ClassVar[Ground] = Ground.RESTS
    game: str
    slots: tuple[SlotId, ...]
    options: Mapping[str, object] = field(default_factory=dict)
    seed: str = ""
    timeouts: str = "close"
    edition: int = 0
    adopted: bool = False
    sealed: bool = False
    version: str = ""


@dataclass(frozen=True, slots=True)
class Adopted:
    """A game that was begun elsewhere goes on from here, in the window of that name (`day-3`, `night-2`).

    All entries before it, and all that it says, were taken from somebody else's word: nothing of it was dealt
    or drawn by the seed. `roles` are those that were told, by slot; `uses` what is left of limited abilities
    where that is not what the card says, `groups` further secrets of the game, such as who loves whom, and
    `sources` where each slot's role was read, in words.
    """

    ground: ClassVar[Ground] = Ground.RESTS
    window: str
    roles: Mapping[SlotId, str] = field(default_factory=dict)
    uses: Mapping[SlotId, Mapping[str, int]] = field(default_factory=dict)
    groups: Mapping[str, tuple[tuple[SlotId, ...], ...]] = field(default_factory=dict)
    sources: Mapping[SlotId, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Submitted:
    """A message of a slot (None: of the moderator), as raw text with its post. `when` it was sent places a
    player's in the game; `sent`, of the moderator's own and in older journals of all, leaves it where it was
    entered. `hammered`: with whom the votes had ended the day by then ("": with nobody); `belongs`: the
    window that it is for all the same."""

    ground: ClassVar[Ground] = Ground.SAYS
    slot: SlotId | None
    text: str
    post: str | None = None
    sent: datetime | None = None
    when: datetime | None = None
    hammered: SlotId | None = None
    belongs: str = ""


@dataclass(frozen=True, slots=True)
class Closed:
    """A window was closed. `orders`: what the moderator confirmed, such as who is eliminated; older entries
    have it as lines in `outcome` (`eliminate Ada`). `evidence`: the digest of the posts it rests on, the last
    of which has the `mark`; `ended`: as of when, where it was entered later; `named`: what the window is
    called (`round-3`), so that it closes no other one of its kind; `again`: the entry that closed it before
    and was taken back, in whose place it stands.
    """

    ground: ClassVar[Ground] = Ground.RESTS
    window: str
    outcome: str | None = None
    evidence: str | None = None
    ended: datetime | None = None
    mark: PostMark | None = None
    named: str = ""
    again: int = 0
    orders: tuple[Order, ...] = ()

    @property
    def is_decided(self) -> bool:
        """Whether the moderator confirmed how it ends."""
        return bool(self.orders) or self.outcome is not None

    @property
    def lines(self) -> tuple[str, ...]:
        """How it ended, as a person would say it: “eliminate Ada”."""
        return tuple(order.line for order in self.orders) or tuple((self.outcome or "").splitlines())

    @property
    def eliminated(self) -> tuple[str, ...]:
        """The names of all who fell with it: nobody's where the game draws them from a tie."""
        if self.orders:
            return tuple(str(order.slots[0]) for order in self.orders if order.verb == ELIMINATE)
        head, lines = f"{ELIMINATE} ", (self.outcome or "").splitlines()
        return tuple(line.removeprefix(head) for line in lines if line.startswith(head))


@dataclass(frozen=True, slots=True)
class Opened:
    """A phase begins, such as `day-2`, with that post, else with the first one from the instant `begins` on;
    it ends at `until` (None: as the moderator says). `ahead`: the next entry opens it, and is told with this
    deadline; who takes that entry back takes this one back, too."""

    ground: ClassVar[Ground] = Ground.RESTS
    window: str
    post: str | None = None
    until: datetime | None = None
    begins: datetime | None = None
    mark: PostMark | None = None
    ahead: bool = False


@dataclass(frozen=True, slots=True)
class Locked:
    """The thread was locked: no post after this one counts for the phase."""

    ground: ClassVar[Ground] = Ground.RESTS
    window: str
    post: str
    mark: PostMark | None = None


@dataclass(frozen=True, slots=True)
class Extended:
    """A window stays open until then."""

    ground: ClassVar[Ground] = Ground.RESTS
    window: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Stopped:
    """A window's clock stands still until it is extended or closed."""

    ground: ClassVar[Ground] = Ground.RESTS
    window: str
    why: str


@dataclass(frozen=True, slots=True)
class Replaced:
    """Somebody else holds the slot from this post on."""

    ground: ClassVar[Ground] = Ground.RESTS
    slot: SlotId
    name: str
    post: str | None = None
    why: str = ""
    mark: PostMark | None = None


@dataclass(frozen=True, slots=True)
class Removed:
    """The moderator took a slot out, from that post on: `how` is the game's word for it."""

    ground: ClassVar[Ground] = Ground.RESTS
    slot: SlotId
    how: str = MODKILL
    post: str | None = None
    why: str = ""
    mark: PostMark | None = None


@dataclass(frozen=True, slots=True)
class Revived:
    """A slot lives again, from that post on, against whatever was said before."""

    ground: ClassVar[Ground] = Ground.RESTS
    slot: SlotId
    post: str | None = None
    why: str = ""
    mark: PostMark | None = None


@dataclass(frozen=True, slots=True)
class Prodded:
    """A slot was asked to post again."""

    ground: ClassVar[Ground] = Ground.ASIDE
    slot: SlotId


@dataclass(frozen=True, slots=True)
class Away:
    """A slot said that it will be away: first and last day as ISO dates, in the game's zone."""

    ground: ClassVar[Ground] = Ground.ASIDE
    slot: SlotId
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Delivered:
    """How far a private text for a slot has come: `copied`, `sent` or `confirmed`. `kind` as in `role-1`."""

    ground: ClassVar[Ground] = Ground.ASIDE
    kind: str
    slot: SlotId
    state: str
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Roomed:
    """An account was let into a private topic, or taken out of it: `room` as the ledger of rooms calls it."""

    ground: ClassVar[Ground] = Ground.ASIDE
    room: str
    name: str
    inside: bool


@dataclass(frozen=True, slots=True)
class Aliased:
    """The slot may also be called so."""

    ground: ClassVar[Ground] = Ground.SAYS
    slot: SlotId
    alias: str
    why: str = ""


SIGNUP = "signup "
"""Begins how a post counts among sign-ups."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """How one post counts, decided by the moderator.

    `reads` is "vote NAME", "no elimination", "unvote", "count" (what it says counts) or "ignore".
    """

    ground: ClassVar[Ground] = Ground.SAYS
    post: str
    reads: str
    why: str
    mark: PostMark | None = None


TOLD = "yes, and the players are told why"
"""The answer by which older journals say of an early end that its reason is published."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """A question of the rules and the moderator's answer. `message`: the digest of a message that it leaves
    out, as `services.window.left_out` makes it. `told`: its reason is published with it; else it stays in the
    log."""

    ground: ClassVar[Ground] = Ground.ASIDE
    question: str
    answer: str
    why: str
    message: str = ""
    told: bool = False

    @property
    def public_why(self) -> str:
        """The reason as everybody may read it; "" where it stays in the log."""
        return self.why.strip() if self.told or self.answer == TOLD else ""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A value from the moderator's own dice, used for the next draw of this label."""

    ground: ClassVar[Ground] = Ground.SAYS
    label: str
    value: object


@dataclass(frozen=True, slots=True)
class Published:
    """A text that went out: it is never changed silently. `upto` is the last post that it counts."""

    ground: ClassVar[Ground] = Ground.ASIDE
    kind: str
    number: int
    sha256: str
    text: str
    upto: str = ""
    mark: PostMark | None = None


@dataclass(frozen=True, slots=True)
class Committed:
    """The deal is committed to, before its chance is known. `terms` is their line of JSON: the game, its
    options, the players in order, the digests of rules and plan, title and thread, and which round of a
    beacon decides; `replaces` are the commitments of this game before it."""

    ground: ClassVar[Ground] = Ground.RESTS
    commitment: str
    terms: str
    replaces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Worded:
    """A player's word for the deal: journals of earlier versions hold some, and they decide nothing."""

    ground: ClassVar[Ground] = Ground.SAYS
    slot: SlotId
    word: str


@dataclass(frozen=True, slots=True)
class Rounded:
    """The value of the beacon's round, in hex; `source` says how it came: read from mirrors, or by hand;
    `signature` is the beacon's ("": not known)."""

    ground: ClassVar[Ground] = Ground.RESTS
    round: int
    value: str
    source: str = ""
    signature: str = ""


@dataclass(frozen=True, slots=True)
class Undone:
    """Entry number `entry` does not count (any more). `keeps`: it closed something, and what was closed and
    sent after it waits until that is closed again."""

    ground: ClassVar[Ground] = Ground.SAYS
    entry: int
    why: str
    keeps: bool = False


Entry: TypeAlias = (
    Started
    | Adopted
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
    | Roomed
    | Aliased
    | Fixed
    | Ruled
    | Drawn
    | Published
    | Committed
    | Worded
    | Rounded
    | Undone
)

KINDS: Mapping[str, type[Entry]] = {kind.__name__.lower(): kind for kind in get_args(Entry)}


EDITION = 1
"""The edition of the rulings that a game begun now has."""


def options_of(started: Started, spec: Spec) -> dict[str, object]:
    """The options a game is played by: those it began with, and in an older one what held before a ruling
    changed."""
    return {**(spec.earlier if started.edition < EDITION else {}), **started.options}


def bears_on(earlier: Entry, later: Entry) -> bool:
    """Whether `later`, which was prepared when `earlier` was not written yet, may be wrong behind it: by
    their kinds alone. Two posts of one kind would have the same number."""
    if isinstance(later, Published):
        return isinstance(earlier, Published) and earlier.kind == later.kind
    return later.ground is Ground.RESTS and earlier.ground is not Ground.ASIDE


_FIELDS = {kind: tuple(part.name for part in fields(kind)) for kind in KINDS.values()}
"""Looked up once: every entry of a journal is encoded at every look at it."""


_LATER: tuple[tuple[str, object], ...] = (
    ("timeouts", "close"),
    ("edition", 0),
    ("adopted", False),
    ("sealed", False),
    ("version", ""),
    ("sent", None),
    ("ended", None),
    ("mark", None),
    ("ahead", False),
    ("when", None),
    ("named", ""),
    ("again", 0),
    ("keeps", False),
    ("message", ""),
    ("hammered", None),
    ("belongs", ""),
    ("told", False),
    ("orders", []),
    ("signature", ""),
)


def encode(entry: Entry) -> dict[str, Any]:
    """The entry as JSON: {entry: its kind, fields: {…}}, instants as ISO text."""
    values = {name: _plain(getattr(entry, name)) for name in _FIELDS[type(entry)]}
    # Fields that came later are left out where they say nothing: older journals keep their digests.
    for name, nothing in _LATER:
        if name in values and values[name] == nothing:
            del values[name]
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
    if isinstance(value, PostMark | Order):
        return asdict(value)
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    return list(map(_plain, value)) if isinstance(value, tuple) else value


def _typed(name: str, value: Any) -> Any:
    if name in ("until", "begins", "sent", "ended", "when"):
        return None if value is None else datetime.fromisoformat(value)
    if name == "mark":
        return None if value is None else PostMark(**value)
    if name == "orders":
        return tuple(_order(one) for one in value)
    if name == "replaces":
        return tuple(value)
    if name == "slots":
        return tuple(map(SlotId, value))
    if name in ("roles", "uses", "sources"):
        return {SlotId(slot): told for slot, told in value.items()}
    if name == "groups":
        return {kind: tuple(tuple(map(SlotId, group)) for group in groups) for kind, groups in value.items()}
    return SlotId(value) if name in ("slot", "hammered") and value is not None else value


def _order(value: Mapping[str, Any]) -> Order:
    return Order(str(value["verb"]), tuple(None if slot is None else SlotId(slot) for slot in value["slots"]))
