"""The journal of a game: entries chained by digest, what stands after undoing, and the replay.

An entry says what somebody did; a record is an entry in its place, with the hash of the one before. `replay`
plays the records that stand on a game: nothing else of a game is kept.

Entries that name a post by its number have its `mark`, too, as it was read then; where the number lies behind
the last post that was read, the mark is of that one. Without a mark the number alone counts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from datetime import datetime
from enum import Enum
from itertools import takewhile
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, get_args

from knightfall.engine.game import Event, Game, Message, Refusal, Spec, Step, Window
from knightfall.engine.rng import ManualRng, Rng
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
    hold in the game; games begun before there were editions have 0.
    """

    ground: ClassVar[Ground] = Ground.RESTS
    game: str
    slots: tuple[SlotId, ...]
    options: Mapping[str, object] = field(default_factory=dict)
    seed: str = ""
    timeouts: str = "close"
    edition: int = 0


@dataclass(frozen=True, slots=True)
class Submitted:
    """A message of a slot (None: of the moderator), as raw text with its post; `sent` is when, where that is
    not when it was entered."""

    ground: ClassVar[Ground] = Ground.SAYS
    slot: SlotId | None
    text: str
    post: str | None = None
    sent: datetime | None = None


@dataclass(frozen=True, slots=True)
class Closed:
    """A window was closed. `outcome`: what the moderator confirmed, in the game's notation (`eliminate Ada`);
    `evidence`: the digest of the posts it rests on, the last of which has the `mark`; `ended`: as of when,
    where it was entered later.
    """

    ground: ClassVar[Ground] = Ground.RESTS
    window: str
    outcome: str | None = None
    evidence: str | None = None
    ended: datetime | None = None
    mark: PostMark | None = None


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
    how: str = "modkill"
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
class Aliased:
    """The slot may also be called so."""

    ground: ClassVar[Ground] = Ground.SAYS
    slot: SlotId
    alias: str
    why: str = ""


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


@dataclass(frozen=True, slots=True)
class Ruled:
    """A question of the rules and the moderator's answer."""

    ground: ClassVar[Ground] = Ground.ASIDE
    question: str
    answer: str
    why: str


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
class Undone:
    """Entry number `entry` does not count (any more)."""

    ground: ClassVar[Ground] = Ground.SAYS
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
    ("sent", None),
    ("ended", None),
    ("mark", None),
    ("ahead", False),
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
    if isinstance(value, PostMark):
        return asdict(value)
    return list(value) if isinstance(value, tuple) else value


def _typed(name: str, value: Any) -> Any:
    if name in ("until", "begins", "sent", "ended"):
        return None if value is None else datetime.fromisoformat(value)
    if name == "mark":
        return None if value is None else PostMark(**value)
    if name == "slots":
        return tuple(map(SlotId, value))
    return SlotId(value) if name == "slot" and value is not None else value


S = TypeVar("S")

START = "0" * 64
"""What the first record follows."""


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """An entry in its place: number from 1, aware instant, who wrote it, the hash before and its own."""

    number: int
    at: datetime
    author: str
    entry: Entry
    before: str
    digest: str

    def __repr__(self) -> str:
        return f"Record({self.number}, {type(self.entry).__name__}, {self.author})"

    def to_dict(self) -> dict[str, Any]:
        """{number, at, author, entry: its kind, fields, digest}."""
        return {
            "number": self.number,
            "at": self.at.isoformat(),
            "author": self.author,
            **encode(self.entry),
            "digest": self.digest,
        }


Journal: TypeAlias = tuple[Record, ...]


def append(journal: Journal, entry: Entry, at: datetime, author: str) -> Journal:
    """The journal with one more record. Raises ValueError for an instant without a zone."""
    return (*journal, record_after(journal[-1] if journal else None, entry, at, author))


def record_after(last: Record | None, entry: Entry, at: datetime, author: str) -> Record:
    """The record that follows `last` (None: the first). Raises ValueError for an instant without a zone."""
    if at.tzinfo is None:
        raise ValueError("an instant in the journal needs a zone")
    number, before = (last.number + 1, last.digest) if last else (1, START)
    return Record(number, at, author, entry, before, _digest(number, at, author, entry, before))


def verify(journal: Journal, behind: Record | None = None) -> None:
    """Check the chain; `behind` is the record that these follow (None: they are the whole journal).

    Raises StateDamaged at the first record that is not as it was written: its number is not the next one, it
    does not name the hash of the record before it, or its own hash is not that of its content. So a record
    that was cut out, exchanged with another, moved, doubled or changed is found, with whatever hash it has
    been given since, as long as one record behind it is as it was.

    What the chain alone cannot tell is a journal whose whole end, from some record to the very last, was
    computed anew, or cut off. The database knows its last record (`storage.ledger`), and so does each copy;
    and `services.verify` makes every post that went out again: a journal that leads elsewhere gives other
    texts than those that were posted.
    """
    before, first = (behind.digest, behind.number + 1) if behind else (START, 1)
    for number, record in enumerate(journal, start=first):
        digest = _digest(record.number, record.at, record.author, record.entry, record.before)
        if (record.number, record.before, record.digest) != (number, before, digest):
            raise StateDamaged(f"Record {number} of the journal was changed or damaged. Restore a backup.")
        before = digest


def _digest(number: int, at: datetime, author: str, entry: Entry, before: str) -> str:
    parts = [number, at.isoformat(), author, encode(entry), before]
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Taken:
    """What one record led to; a window that ran out before it comes with the record's number, too. `by_hand`
    are the labels and values that were drawn by hand."""

    number: int
    events: tuple[Event, ...]
    refused: tuple[tuple[str, Refusal], ...]
    by_hand: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Pending:
    """What of a replay still waits for later records: names, changed deadlines, values drawn by hand."""

    aliases: Mapping[str, SlotId] = field(default_factory=dict)
    until: Mapping[str, datetime | None] = field(default_factory=dict)
    held: Mapping[str, Sequence[object]] = field(default_factory=dict)
    asks: bool = False
    """Whether a window whose time is up waits for the moderator."""
    fine: frozenset[int] = frozenset()
    """Records that the game took when they were written, of those before the last one that took something
    back."""


@dataclass(frozen=True, slots=True)
class Followed(Generic[S]):
    """Where a replay stood behind one of its records; `state` None: no game had begun."""

    record: Record
    state: S | None
    taken: tuple[Taken, ...]
    """What the record led to."""
    pending: Pending


@dataclass(frozen=True, slots=True)
class Replay(Generic[S]):
    """Where a journal leads. `questions` are records that an undo left without their ground; `pending` is
    what `go_on` needs. `path` is the way there, a step for each record that stands: what shares the beginning
    of it need not be played again."""

    state: S
    taken: tuple[Taken, ...]
    questions: tuple[Taken, ...] = ()
    pending: Pending = field(default_factory=Pending, compare=False, repr=False)
    path: tuple[Followed[S], ...] = field(default=(), compare=False, repr=False)

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(event for taken in self.taken for event in taken.events)


def replay(
    journal: Journal, game: Game[S], draws: Callable[[], Rng], known: Replay[S] | None = None
) -> Replay[S]:
    """Play the journal again. `draws` makes the source of chance anew for each run; the first one is for the
    journal as it stands. `known` is another replay of this game with the same chance: the records that both
    begin with are not played again.

    Raises StateDamaged where the journal does not begin with a start.
    """
    paths = [known.path] if known else []
    run = _follow_all(standing(journal), game, draws(), paths)
    if run.state is None:
        raise StateDamaged("The journal does not begin with the start of a game.")
    # What was taken when it was written: each record is followed where the undos before it had led.
    paths.append(tuple(run.path))
    fine: set[int] = set()
    undos = [place for place, record in enumerate(journal) if isinstance(record.entry, Undone)]
    begin = 0
    for place in undos:
        records = (*standing(journal[:begin]), *journal[begin:place])
        start = next((n for n, one in enumerate(records) if isinstance(one.entry, Started)), len(records))
        names = (one for one in records[:start] if isinstance(one.entry, Replaced | Aliased))
        then = _follow_all((*names, *records[start:]), game, draws(), paths)
        written = {record.number for record in journal[begin:place]}
        fine |= {taken.number for taken in then.taken if taken.number in written and not taken.refused}
        begin = place + 1
    return run.replay(frozenset(fine))


def go_on(before: Replay[S], journal: Journal, game: Game[S], draws: Callable[[], Rng]) -> Replay[S]:
    """The replay of a journal whose last record alone is new."""
    if isinstance(journal[-1].entry, Undone):
        return replay(journal, game, draws, before)
    run = _Run(game, ManualRng(draws()))
    run.resume(before.path)
    run.follow(journal[-1])
    return run.replay(before.pending.fine)


def _follow_all(
    records: Journal, game: Game[S], draw: Rng, paths: Sequence[tuple[Followed[S], ...]]
) -> _Run[S]:
    """The run along all the records, from where it leaves the one of these paths that it shares most of."""
    run = _Run(game, ManualRng(draw))
    shared = [
        sum(1 for _ in takewhile(lambda pair: pair[0].record == pair[1], zip(path, records, strict=False)))
        for path in paths
    ]
    size = max(shared, default=0)
    if size:
        run.resume(paths[shared.index(size)][:size])
    for record in records[size:]:
        run.follow(record)
    return run


def standing(journal: Journal) -> Journal:
    """The records that count: those that no undo took back."""
    undone = undone_numbers(journal)
    if not undone:
        return journal
    return tuple(record for record in journal if record.number not in undone)


def start_of(journal: Journal) -> Started | None:
    """The entry that begins the game, as it stands; None where none does."""
    return next((record.entry for record in standing(journal) if isinstance(record.entry, Started)), None)


def undone_numbers(journal: Journal) -> frozenset[int]:
    """Which records do not count: an undo can itself be undone."""
    gone: set[int] = set()
    for record in reversed(journal):
        if isinstance(record.entry, Undone) and record.number not in gone:
            gone.add(record.entry.entry)
    said_ahead = (one.number for one in journal if isinstance(one.entry, Opened) and one.entry.ahead)
    return frozenset(gone | {number for number in said_ahead if number + 1 in gone})


def due(windows: Sequence[Window], until: Mapping[str, datetime | None], at: datetime) -> Window | None:
    """The window whose time was up first before this instant; a post at the exact instant is in time."""
    ends = ((until.get(window.kind, window.closes), window) for window in windows)
    late = [(end, window) for end, window in ends if end is not None and end < at]
    return min(late, key=lambda pair: pair[0])[1] if late else None


def with_deadlines(facts: Any, moved: Mapping[datetime | None, datetime]) -> Any:
    """What a game told, with each deadline that was moved as it is now, at any depth; where it knew none,
    what is called a `deadline`."""
    match facts:
        case datetime():
            return moved.get(facts, facts)
        case list() | tuple():
            return type(facts)(with_deadlines(one, moved) for one in facts)
        case Mapping():
            return {key: with_deadlines(value, moved) for key, value in facts.items()}
        case _ if is_dataclass(facts) and not isinstance(facts, type):
            mine = {part.name: getattr(facts, part.name) for part in fields(facts)}
            told = {name: with_deadlines(value, moved) for name, value in mine.items()}
            if None in moved and "deadline" in told and told["deadline"] is None:
                told["deadline"] = moved[None]
            return replace(facts, **{name: now for name, now in told.items() if now is not mine[name]})
    return facts


def window_name(window: Window) -> str:
    """What a phase is called in the journal: “day-2” for the window titled Day 2."""
    return window.title.casefold().replace(" ", "-")


@dataclass(slots=True)
class _Run(Generic[S]):
    """A replay on its way. `until` holds changed deadlines by window (None: its clock stands still)."""

    game: Game[S]
    draw: ManualRng
    state: S | None = None
    aliases: dict[str, SlotId] = field(default_factory=dict)
    until: dict[str, datetime | None] = field(default_factory=dict)
    taken: list[Taken] = field(default_factory=list)
    asks: bool = False
    path: list[Followed[S]] = field(default_factory=list)

    def resume(self, path: Sequence[Followed[S]]) -> None:
        """Stand where a run of the same game stood at the end of a path."""
        self.path, self.taken = list(path), [taken for step in path for taken in step.taken]
        self.state, left = path[-1].state, path[-1].pending
        self.aliases, self.until, self.asks = dict(left.aliases), dict(left.until), left.asks
        self.draw.held.update({label: list(values) for label, values in left.held.items()})

    def replay(self, fine: frozenset[int] = frozenset()) -> Replay[S]:
        """Where the run has led so far; `fine` is what was taken when it was written."""
        # What was taken while the undone records counted, and is refused without them.
        questions = tuple(taken for taken in self.taken if taken.refused and taken.number in fine)
        pending = replace(self.path[-1].pending, fine=fine)
        return Replay(self._begun(), tuple(self.taken), questions, pending, tuple(self.path))

    def follow(self, record: Record) -> None:
        """Do what a record says, and note where that led."""
        known = len(self.taken)
        self._do(record)
        held = {label: tuple(values) for label, values in self.draw.held.items()}
        pending = Pending(dict(self.aliases), dict(self.until), held, self.asks)
        self.path.append(Followed(record, self.state, tuple(self.taken[known:]), pending))

    def _do(self, record: Record) -> None:
        """Do what a record says, after what ran out before it. Votes fixed, rulings and publications do
        nothing to the game."""
        known = len(self.taken)
        ahead = isinstance(record.entry, Opened) and record.entry.ahead
        closed = () if ahead else self._settle(record)
        if self.state is None and isinstance(record.entry, Closed | Removed | Revived):
            return  # nobody had a card yet: it is for the counts alone
        match record.entry:
            case Closed(window=window, outcome=None) if window in closed:
                pass  # it ran out just before: there is nothing left to close
            case Started(slots=slots, timeouts=timeouts) as started:
                self.asks, options = timeouts == "ask", options_of(started, self.game.spec)
                self._take(record.number, self.game.begin(slots, options, record.at, self.draw))
            case Extended(window=window, until=until) | Opened(window=window, until=until):
                self._move(self._kind(window), until, record.at)
            case Stopped(window=window):
                self._move(self._kind(window), None, record.at)
            case Replaced(slot=slot, name=name) | Aliased(slot=slot, alias=name):
                self.aliases[name] = slot
            case Submitted(slot=sender, text=text, post=post, sent=sent):
                self._submit(replace(record, at=sent or record.at), sender, text, post)
            case Removed(slot=slot, how=how):
                self._submit(record, None, f"{how} {slot}")
            case Revived(slot=slot):
                self._submit(record, None, f"revive {slot}")
            case Closed(window=window, outcome=outcome, ended=ended):
                if outcome is not None:
                    self._submit(record, None, outcome)
                kind = self._kind(window)
                self.until.pop(kind, None)
                self._close(record.number, kind, ended or record.at)
            case Drawn(label=label, value=value):
                self.draw.hold(label, value)
        moved = self._take_over_deadlines(record.at)
        if moved:
            self.taken[known:] = (
                replace(taken, events=tuple(with_deadlines(event, moved) for event in taken.events))
                for taken in self.taken[known:]
            )

    def _take_over_deadlines(self, at: datetime) -> dict[datetime | None, datetime]:
        """Give the open windows the deadlines that were said before they opened; one that is over by then
        only where the game asks before its clock closes anything. Returns what the game itself had them end
        at → when they do."""
        if self.state is None or not self.until:
            return {}
        windows, taken_over = self.game.windows(self.state), False
        for window in windows:
            name = window_name(window)
            if name != window.kind and name in self.until:
                until = self.until.pop(name)
                if until is None or until > at or self.asks:
                    self._move(window.kind, until, at)
                    taken_over = True
        if not taken_over:
            return {}
        ends = {window.kind: window.closes for window in windows}
        now = {window.kind: window.closes for window in self.game.windows(self.state)}
        return {
            end: until for kind, end in ends.items() if (until := now.get(kind)) is not None and until != end
        }

    def _settle(self, record: Record) -> tuple[str, ...]:
        """Close what ran out before the record, and say what that was; a window that refuses to close waits
        for the moderator, as all do where the game asks."""
        closed: list[str] = []
        while (
            self.state is not None
            and not self.asks
            and (window := due(self.game.windows(self.state), self.until, record.at))
        ):
            # The closing of that very window with what the moderator confirmed, and another deadline for it:
            # no clock closes it before.
            entry = record.entry
            meant = entry.window if isinstance(entry, Extended | Stopped) else None
            if isinstance(entry, Closed) and entry.outcome is not None:
                meant = entry.window
            if meant is not None and self._kind(meant) == window.kind:
                break
            end = self.until.pop(window.kind, None) or window.closes or record.at
            if not self._close(record.number, window.kind, end):
                self.until[window.kind] = None
                break
            closed.append(window.kind)
        return tuple(closed)

    def _move(self, kind: str, until: datetime | None, at: datetime) -> None:
        """Another deadline of a window, kept by the game where it can, so that the next window of this kind
        is not taken for this one."""
        if self.state is None:
            self.until[kind] = until  # said before the game began: for when its window opens
            return
        self.state = self.game.moved(self.state, kind, until, at)
        if any(one.kind == kind and one.closes == until for one in self.game.windows(self.state)):
            self.until.pop(kind, None)
        else:
            self.until[kind] = until

    def _close(self, number: int, kind: str, at: datetime) -> bool:
        """Whether the window was closed; values drawn by hand were for it, and wait for no later one."""
        step = self.game.close(self._begun(), kind, at, self.draw)
        self._take(number, step)
        if not step.refused:
            self.draw.held.clear()
        return not step.refused

    def _submit(self, record: Record, slot: SlotId | None, text: str, post: str | None = None) -> None:
        message = Message(slot, text, record.at, dict(self.aliases), post)
        self._take(record.number, self.game.submit(self._begun(), message, self.draw))

    def _take(self, number: int, step: Step[S]) -> None:
        # What was said of a window does not hold for the next one of its kind.
        before = self._titles() if self.until and self.state is not None else {}
        self.state = step.state
        after = self._titles() if before else {}
        for kind in [kind for kind in self.until if kind in before and before[kind] != after.get(kind)]:
            del self.until[kind]
        by_hand = tuple(self.draw.used)
        self.draw.used.clear()
        told = (self.game.drawn_by_hand(step.state, label, value) for label, value in by_hand)
        events = (*step.events, *(event for event in told if event is not None))
        self.taken.append(Taken(number, events, step.refused, by_hand))

    def _titles(self) -> dict[str, str]:
        """The open windows by their kinds."""
        return {window.kind: window.title for window in self.game.windows(self._begun())}

    def _kind(self, window: str) -> str:
        """The kind that the game knows of a numbered phase: of `day-2` the open window titled Day 2; the name
        as it stands where that is not open yet."""
        windows = () if self.state is None else self.game.windows(self.state)
        return next((one.kind for one in windows if window_name(one) == window), window)

    def _begun(self) -> S:
        if self.state is None:
            raise StateDamaged("The journal does not begin with the start of a game.")
        return self.state
