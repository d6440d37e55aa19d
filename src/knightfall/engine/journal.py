"""The journal of a game: entries chained by digest, what stands after undoing, and the replay.

An entry says what somebody did; a record is an entry in its place, with the hash of the one before. `replay`
plays the records that stand on a game: nothing else of a game is kept.

Records are chained in the order in which they were entered, and played in the order in which what they say
happened (`course_of`): a message belongs to the window that was open when it was sent, whenever it was read.

Entries that name a post by its number have its `mark`, too, as it was read then; where the number lies behind
the last post that was read, the mark is of that one. Without a mark the number alone counts.
"""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from itertools import accumulate, takewhile
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
    """A message of a slot (None: of the moderator), as raw text with its post. `when` it was sent places a
    player's in the game; `sent`, of the moderator's own and in older journals of all, leaves it where it was
    entered."""

    ground: ClassVar[Ground] = Ground.SAYS
    slot: SlotId | None
    text: str
    post: str | None = None
    sent: datetime | None = None
    when: datetime | None = None


@dataclass(frozen=True, slots=True)
class Closed:
    """A window was closed. `outcome`: what the moderator confirmed, in the game's notation (`eliminate Ada`);
    `evidence`: the digest of the posts it rests on, the last of which has the `mark`; `ended`: as of when,
    where it was entered later; `named`: what the window is called (`round-3`), so that it closes no other one
    of its kind; `again`: the entry that closed it before and was taken back, in whose place it stands.
    """

    ground: ClassVar[Ground] = Ground.RESTS
    window: str
    outcome: str | None = None
    evidence: str | None = None
    ended: datetime | None = None
    mark: PostMark | None = None
    named: str = ""
    again: int = 0


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
    """Entry number `entry` does not count (any more). `keeps`: it closed something, and what was closed and
    sent after it waits until that is closed again."""

    ground: ClassVar[Ground] = Ground.SAYS
    entry: int
    why: str
    keeps: bool = False


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
    ("when", None),
    ("named", ""),
    ("again", 0),
    ("keeps", False),
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
    if name in ("until", "begins", "sent", "ended", "when"):
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
    """Records that the game took when they were written, of those before the last one that changed what came
    before it."""
    waiting: Journal = ()
    """Records that wait until something is closed: messages sent after the end of what is still open, and
    what came after a closing that was taken back."""


@dataclass(frozen=True, slots=True)
class Followed(Generic[S]):
    """Where a replay stood behind one of its records; `state` None: no game had begun."""

    record: Record
    state: S | None
    taken: tuple[Taken, ...]
    """What the record led to."""
    pending: Pending
    barred: bool = False
    """Whether it waits until what an earlier entry closed is closed again."""


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

    @property
    def waiting(self) -> Journal:
        """The records that wait until something is closed."""
        return self.pending.waiting


# ── The order in which a journal is played. ─────────────────────────────────────────────────────────────────


def instant(record: Record) -> datetime:
    """When what a record says happened: when a message was sent, as of when something was closed; of all else
    when it was entered."""
    match record.entry:
        case Submitted(sent=sent, when=when):
            return when or sent or record.at
        case Closed(ended=ended):
            return ended or record.at
    return record.at


@dataclass(frozen=True, slots=True)
class Course:
    """The records that stand, in the order in which they are played. `barred` are the numbers of those that
    wait until what was taken back (`reopened`) is closed again; `late` of the messages that belong before
    something that had been closed when they were entered."""

    records: Journal
    barred: frozenset[int] = frozenset()
    late: frozenset[int] = frozenset()
    reopened: Journal = ()


def standing(journal: Journal) -> Journal:
    """The records that count, those that no undo took back, in the order in which they are played."""
    return course_of(journal).records


def course_of(journal: Journal) -> Course:
    """How a journal is played.

    A message of a player comes before everything that was closed after it was sent, at that very instant
    included, and among what was sent and done in the same window by its instant. A closing comes in the place
    of the one that it stands for. All that the moderator does keeps the order in which it was entered, since
    that is what they looked at; and so does everything in older journals.
    """
    undone = undone_numbers(journal)
    records = tuple(record for record in journal if record.number not in undone) if undone else journal
    if _in_order(records):
        return Course(records)

    # The closings in the order of what they close, and among them those that were taken back and have to be
    # closed again before anything later counts.
    ranks = {record.number: record.number for record in journal}
    for record in journal:
        if isinstance(record.entry, Closed) and record.entry.again:
            ranks[record.number] = ranks.get(record.entry.again, record.entry.again)
    closings = [record for record in records if isinstance(record.entry, Closed)]
    redone = {ranks[record.number] for record in closings}
    lifted = {
        one.entry.entry: one.number for one in records if isinstance(one.entry, Undone) and one.entry.keeps
    }
    open_again = [
        record
        for record in journal
        if record.number in undone
        and record.number in lifted
        and isinstance(record.entry, Closed)
        and ranks[record.number] not in redone
    ]
    closings = sorted((*closings, *open_again), key=lambda one: (ranks[one.number], one.number))
    place = {record.number: index for index, record in enumerate(closings)}
    by_number = {record.number: record for record in journal}
    firsts = [by_number.get(ranks[record.number], record) for record in closings]

    # Each record in its segment: what happened before the first closing, before the second one …
    ends, ranked = list(accumulate(map(instant, closings), max)), [ranks[one.number] for one in closings]
    keys: dict[int, tuple[int, int, datetime, int]] = {}
    latest, began = _EARLIEST, False
    for record in records:
        entry, number = record.entry, record.number
        if number in place:
            keys[number] = place[number], 1, _EARLIEST, number
        elif _is_ahead(entry) and number + 1 in place:
            keys[number] = place[number + 1], 1, _EARLIEST, number
        elif _is_placed(entry) and began:
            sent = instant(record)
            before = bisect_left(ends, sent)
            while before < len(ends) and ends[before] == sent and _came_before(firsts[before], record):
                before += 1
            keys[number] = before, 0, sent, number
        else:
            if began:
                latest = max(latest, record.at)
            began = began or isinstance(entry, Started)
            keys[number] = bisect_left(ranked, number), 0, latest, number
    ordered = tuple(sorted(records, key=lambda one: keys[one.number]))

    # What was sent after a closing that has to be done again waits for it, and so does what was done before
    # it was taken back.
    bar = min((place[one.number] for one in open_again), default=len(closings))
    until = max((lifted[one.number] for one in open_again), default=0)
    barred = frozenset(
        one.number
        for one in ordered
        if keys[one.number][0] > bar
        and (_is_placed(one.entry) or one.number < until)
        and not isinstance(one.entry, Replaced | Aliased)
    )
    late = frozenset(
        one.number
        for one in ordered
        if _is_placed(one.entry)
        and keys[one.number][0] < len(closings)
        and any(closing.number < one.number for closing in closings[keys[one.number][0] :])
    )
    return Course(ordered, barred, late, tuple(open_again))


_EARLIEST = datetime.min.replace(tzinfo=UTC)


def _is_placed(entry: Entry) -> bool:
    """Whether an entry has its place by when it happened: a message of a player, not of an older journal."""
    return isinstance(entry, Submitted) and entry.when is not None and entry.slot is not None


def _is_ahead(entry: Entry) -> bool:
    return isinstance(entry, Opened) and entry.ahead


def _came_before(closing: Record, message: Record) -> bool:
    """Whether a closing goes before a message of the same instant: not one at its deadline, for what is sent
    at that very instant is in time; else as they were entered."""
    entry = closing.entry
    return isinstance(entry, Closed) and entry.ended is None and closing.number < message.number


def _in_order(records: Journal) -> bool:
    """Whether records are played in the order in which they stand."""
    last: Record | None = None
    closed = latest = sent = _EARLIEST
    for record in records:
        entry, moment = record.entry, instant(record)
        if isinstance(entry, Undone) and entry.keeps:
            return False
        if isinstance(entry, Closed):
            if entry.again or moment < sent:
                return False
            if moment >= closed:
                last, closed = record, moment
        elif _is_placed(entry):
            if moment < closed or moment < latest:
                return False
            if last is not None and moment == closed and not _came_before(last, record):
                return False
            latest = sent = moment
        else:
            latest = max(latest, record.at)
    return True


def replay(
    journal: Journal, game: Game[S], draws: Callable[[], Rng], known: Replay[S] | None = None
) -> Replay[S]:
    """Play the journal again. `draws` makes the source of chance anew for each run; the first one is for the
    journal as it stands. `known` is another replay of this game with the same chance: the records that both
    begin with are not played again.

    Raises StateDamaged where the journal does not begin with a start.
    """
    paths, course = [known.path] if known else [], course_of(journal)
    run = _follow_all(course, game, draws(), paths)
    if run.state is None:
        raise StateDamaged("The journal does not begin with the start of a game.")
    # What was taken when it was written: each record is followed where the journal had led before something
    # was taken back, or put before what had been closed.
    paths.append(tuple(run.path))
    fine: set[int] = set()
    breaks = [
        n for n, one in enumerate(journal) if isinstance(one.entry, Undone) or one.number in course.late
    ]
    begin = 0
    for place in breaks:
        before = course_of(journal[:place])
        records = before.records
        start = next((n for n, one in enumerate(records) if isinstance(one.entry, Started)), len(records))
        names = (one for one in records[:start] if isinstance(one.entry, Replaced | Aliased))
        then = _follow_all(replace(before, records=(*names, *records[start:])), game, draws(), paths)
        written = {record.number for record in journal[begin:place]}
        fine |= {taken.number for taken in then.taken if taken.number in written and not taken.refused}
        begin = place
    return run.replay(frozenset(fine))


def go_on(before: Replay[S], journal: Journal, game: Game[S], draws: Callable[[], Rng]) -> Replay[S]:
    """The replay of a journal whose last record alone is new."""
    course = course_of(journal)
    if isinstance(journal[-1].entry, Undone) or course.records[-1] != journal[-1] or course.barred:
        return replay(journal, game, draws, before)
    run = _Run(game, ManualRng(draws()), names=_names(course.records))
    run.resume(before.path)
    run.follow(journal[-1])
    return run.replay(before.pending.fine)


def _follow_all(
    course: Course, game: Game[S], draw: Rng, paths: Sequence[tuple[Followed[S], ...]]
) -> _Run[S]:
    """The run along all the records, from where it leaves the one of these paths that it shares most of."""
    records, names = course.records, _names(course.records)
    run = _Run(game, ManualRng(draw), names=names, barred=course.barred)

    def alike(pair: tuple[Followed[S], Record]) -> bool:
        step, record = pair
        return step.record == record and step.barred == (record.number in course.barred)

    def shared(path: tuple[Followed[S], ...]) -> int:
        """How far a path leads the same way. Who is meant in a message may hang on a name that was entered
        before it and is played after it."""
        last = max((step.record.number for step in path), default=0)
        if _names(step.record for step in path) != tuple(name for name in names if name[0] <= last):
            return 0
        return sum(1 for _ in takewhile(alike, zip(path, records, strict=False)))

    sizes = [shared(path) for path in paths]
    size = max(sizes, default=0)
    if size:
        run.resume(paths[sizes.index(size)][:size])
    for record in records[size:]:
        run.follow(record)
    return run


def _names(records: Iterable[Record]) -> tuple[tuple[int, str, SlotId], ...]:
    """Every name that a slot was given, with the entry that gave it."""
    found: list[tuple[int, str, SlotId]] = []
    for record in records:
        match record.entry:
            case Replaced(slot=slot, name=name) | Aliased(slot=slot, alias=name):
                found.append((record.number, name, slot))
    return tuple(found)


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


def _number(title: str) -> int | None:
    """The last number in what a window is called."""
    found = re.findall(r"[0-9]+", title)
    return int(found[-1]) if found else None


def window_name(window: Window) -> str:
    """What a phase is called in the journal: “day-2” for the window titled Day 2."""
    return window.title.casefold().replace(" ", "-")


@dataclass(slots=True)
class _Run(Generic[S]):
    """A replay on its way. `until` holds changed deadlines by window (None: its clock stands still)."""

    game: Game[S]
    draw: ManualRng
    names: tuple[tuple[int, str, SlotId], ...] = ()
    barred: frozenset[int] = frozenset()
    state: S | None = None
    aliases: dict[str, SlotId] = field(default_factory=dict)
    until: dict[str, datetime | None] = field(default_factory=dict)
    taken: list[Taken] = field(default_factory=list)
    asks: bool = False
    waiting: list[Record] = field(default_factory=list)
    path: list[Followed[S]] = field(default_factory=list)

    def resume(self, path: Sequence[Followed[S]]) -> None:
        """Stand where a run of the same game stood at the end of a path."""
        self.path, self.taken = list(path), [taken for step in path for taken in step.taken]
        self.state, left = path[-1].state, path[-1].pending
        self.waiting = list(left.waiting)
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
        known, barred = len(self.taken), record.number in self.barred
        if barred:
            self.waiting.append(record)
        else:
            self._do(record)
            if isinstance(record.entry, Closed | Extended | Opened | Stopped):
                self._take_waiting()
        held = {label: tuple(values) for label, values in self.draw.held.items()}
        aliases, until = dict(self.aliases), dict(self.until)
        pending = Pending(aliases, until, held, self.asks, waiting=tuple(self.waiting))
        self.path.append(Followed(record, self.state, tuple(self.taken[known:]), pending, barred))

    def _take_waiting(self) -> None:
        """Take the messages that were sent after the end of what was open, where that is closed by now, or
        goes on."""
        waiting, self.waiting = self.waiting, []
        for record in waiting:
            if record.number in self.barred:
                self.waiting.append(record)
            else:
                self._do(record)

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
            case Submitted(slot=sender, text=text, post=post):
                if _is_placed(record.entry) and self._is_over(sender, instant(record)):
                    self.waiting.append(record)
                else:
                    self._submit(replace(record, at=instant(record)), sender, text, post)
            case Removed(slot=slot, how=how):
                self._submit(record, None, f"{how} {slot}")
            case Revived(slot=slot):
                self._submit(record, None, f"revive {slot}")
            case Closed(named=named) if named and (other := self._other_than(record.entry)):
                why = Refusal("NOT_OPEN", f"it closed {named.replace('-', ' ')}, and {other} is open instead")
                self.taken.append(Taken(record.number, (), ((record.entry.window, why),)))
            case Closed(window=window, outcome=outcome, evidence=evidence, ended=ended):
                if outcome is not None:
                    self._submit(record, None, outcome)
                kind = self._kind(window)
                self.until.pop(kind, None)
                # What a day of votes opens lasts from when everybody is told of it.
                self._close(record.number, kind, record.at if evidence else ended or record.at)
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
        at = instant(record) if _is_placed(record.entry) else record.at
        while (
            self.state is not None
            and not self.asks
            and (window := due(self.game.windows(self.state), self.until, at))
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

    def _is_over(self, slot: SlotId | None, moment: datetime) -> bool:
        """Whether what is open for a slot had ended by then, and waits for the moderator to close it."""
        if self.state is None or not self.asks:
            return False
        windows = [one for one in self.game.windows(self.state) if not one.slots or slot in one.slots]
        return due(windows, self.until, moment) is not None

    def _other_than(self, entry: Closed) -> str:
        """What is open in place of what an entry closed: another one of its kind, by its number; "" where
        that is open itself, or nothing of the kind."""
        windows = () if self.state is None else self.game.windows(self.state)
        here = next((one for one in windows if one.kind == self._kind(entry.window)), None)
        if here is None or _number(here.title) in (None, _number(entry.named)):
            return ""
        return here.title

    def _submit(self, record: Record, slot: SlotId | None, text: str, post: str | None = None) -> None:
        late = {name: whose for number, name, whose in self.names if number < record.number}
        message = Message(slot, text, record.at, late | self.aliases, post)
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
