"""Where a journal leads: its records played on a game. Nothing else of a game is kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import datetime
from itertools import takewhile
from typing import Any, Generic, TypeVar

from knightfall.engine.adopting import position_of
from knightfall.engine.commands import REVIVE, Order
from knightfall.engine.entries import (
    Adopted,
    Aliased,
    Closed,
    Drawn,
    Entry,
    Extended,
    Opened,
    Removed,
    Replaced,
    Revived,
    Rounded,
    Started,
    Stopped,
    Submitted,
    Undone,
    options_of,
)
from knightfall.engine.game import Event, Game, Message, Refusal, Step, Window
from knightfall.engine.journal import (
    Course,
    Journal,
    Record,
    course_of,
    instant,
    is_placed,
    window_name,
)
from knightfall.engine.rng import Chance, ManualRng
from knightfall.errors import StateDamaged
from knightfall.sentence import SlotId

S = TypeVar("S")


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
    untold: Journal = ()
    """Of a game that was begun elsewhere, its start and what was told of it so far; () once it goes on."""
    rounds: tuple[str, ...] = ()
    """Values of a beacon's rounds that came since the deal, which are mixed into its chance: journals of
    earlier versions hold some."""


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


def replay(
    journal: Journal, game: Game[S], draws: Callable[[], Chance], known: Replay[S] | None = None
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


def go_on(before: Replay[S], journal: Journal, game: Game[S], draws: Callable[[], Chance]) -> Replay[S]:
    """The replay of a journal whose last record alone is new."""
    course = course_of(journal)
    if isinstance(journal[-1].entry, Undone) or course.records[-1] != journal[-1] or course.barred:
        return replay(journal, game, draws, before)
    run = _Run(game, ManualRng(draws()), names=_names(course.records))
    run.resume(before.path)
    run.follow(journal[-1])
    return run.replay(before.pending.fine)


def _follow_all(
    course: Course, game: Game[S], draw: Chance, paths: Sequence[tuple[Followed[S], ...]]
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
    untold: list[Record] = field(default_factory=list)
    rounds: tuple[str, ...] = ()
    path: list[Followed[S]] = field(default_factory=list)

    def resume(self, path: Sequence[Followed[S]]) -> None:
        """Stand where a run of the same game stood at the end of a path."""
        self.path, self.taken = list(path), [taken for step in path for taken in step.taken]
        self.state, left = path[-1].state, path[-1].pending
        self.waiting, self.untold = list(left.waiting), list(left.untold)
        self.aliases, self.until, self.asks = dict(left.aliases), dict(left.until), left.asks
        self.draw.held.update({label: list(values) for label, values in left.held.items()})
        for value in left.rounds:
            self._mix(value)

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
        waiting, untold = tuple(self.waiting), tuple(self.untold)
        pending = Pending(aliases, until, held, self.asks, frozenset(), waiting, untold, self.rounds)
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
        self._take_round(record.entry)
        known = len(self.taken)
        ahead = isinstance(record.entry, Opened) and record.entry.ahead
        closed = () if ahead else self._settle(record)
        if self.untold:
            self.untold.append(record)
        if self.state is None and isinstance(record.entry, Closed | Removed | Revived | Submitted):
            self._before_play(record)
            return
        match record.entry:
            case Adopted() if self.state is None and self.untold:
                self._adopt(record, record.entry)
            case Closed(window=window) if window in closed and not record.entry.is_decided:
                pass  # it ran out just before: there is nothing left to close
            case Started() as started:
                self._start(record, started)
            case Extended(window=window, until=until) | Opened(window=window, until=until):
                self._move(self._kind(window), until, record.at)
            case Stopped(window=window):
                self._move(self._kind(window), None, record.at)
            case Replaced(slot=slot, name=name) | Aliased(slot=slot, alias=name):
                self.aliases[name] = slot
            case Submitted(slot=sender) as sent:
                if is_placed(sent) and self._is_over(sender, instant(record)):
                    self.waiting.append(record)
                else:
                    placed = replace(record, at=instant(record))
                    self._submit(placed, sender, sent.text, sent.post, sent.hammered)
            case Removed(slot=slot, how=how):
                self._decide(record, Order(how, (slot,)))
            case Revived(slot=slot):
                self._decide(record, Order(REVIVE, (slot,)))
            case Closed() as closing:
                self._close_as_said(record, closing)
            case Drawn(label=label, value=value):
                self.draw.hold(label, value)
        moved = self._take_over_deadlines(record.at)
        if moved:
            self.taken[known:] = (
                replace(taken, events=tuple(with_deadlines(event, moved) for event in taken.events))
                for taken in self.taken[known:]
            )

    def _before_play(self, record: Record) -> None:
        """What comes before anybody has a card is for the counts alone; no message can be taken then."""
        if isinstance(record.entry, Submitted):
            if not self.untold:
                raise StateDamaged("The journal does not begin with the start of a game.")
            why = Refusal("BEFORE", "it was sent before the game was taken in")
            self.taken.append(Taken(record.number, (), ((record.entry.text, why),)))

    def _start(self, record: Record, started: Started) -> None:
        """Deal; of a game that was begun elsewhere, wait for what is told of it."""
        self.asks = started.timeouts == "ask"
        self.aliases = {**{slot: slot for slot in started.slots}, **self.aliases}
        if started.adopted:
            self.untold = [record]
        else:
            options = options_of(started, self.game.spec)
            self._take(record.number, self.game.begin(started.slots, options, record.at, self.draw))

    def _adopt(self, record: Record, adopted: Adopted) -> None:
        """Go on with a game that was begun elsewhere, by all that was told of it."""
        started = self.untold[0].entry
        assert isinstance(started, Started)
        position = position_of(adopted, (one.entry for one in self.untold))
        options = options_of(started, self.game.spec)
        self._take(record.number, self.game.adopt(started.slots, options, position, record.at))
        self.untold.clear()

    def _take_round(self, entry: Entry) -> None:
        """A round after the deal, as earlier versions had some, is mixed in before anything else."""
        if isinstance(entry, Rounded) and self.state is not None:
            self._mix(entry.value)

    def _mix(self, value: str) -> None:
        """What is drawn from here on comes from the value, too."""
        self.rounds += (value,)
        self.draw = self.draw.mixed(value)

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
        at = instant(record) if is_placed(record.entry) else record.at
        while (
            self.state is not None
            and not self.asks
            and (window := due(self.game.windows(self.state), self.until, at))
        ):
            # The closing of that very window with what the moderator confirmed, and another deadline for it:
            # no clock closes it before.
            entry = record.entry
            meant = entry.window if isinstance(entry, Extended | Stopped) else None
            if isinstance(entry, Closed) and entry.is_decided:
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

    def _close_as_said(self, record: Record, closing: Closed) -> None:
        """Close the window that the moderator closed, with what they confirmed, and no other of its kind."""
        if closing.named and (other := self._other_than(closing)):
            named = closing.named.replace("-", " ")
            why = Refusal("NOT_OPEN", f"it closed {named}, and {other} is open instead")
            self.taken.append(Taken(record.number, (), ((closing.window, why),)))
            return
        if closing.orders:
            self._decide(record, *closing.orders)
        elif closing.outcome is not None:
            self._submit(record, None, closing.outcome)
        kind = self._kind(closing.window)
        self.until.pop(kind, None)
        # What a day of votes opens lasts from when everybody is told of it.
        self._close(record.number, kind, record.at if closing.evidence else closing.ended or record.at)

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

    def _decide(self, record: Record, *orders: Order) -> None:
        """What the moderator decided, as values: no name of theirs is read."""
        self._take(record.number, self.game.decide(self._begun(), orders, record.at, self.draw))

    def _submit(
        self,
        record: Record,
        slot: SlotId | None,
        text: str,
        post: str | None = None,
        hammered: SlotId | None = None,
    ) -> None:
        late = {name: whose for number, name, whose in self.names if number < record.number}
        message = Message(slot, text, record.at, late | self.aliases, post, hammered)
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
        told = self.game.drawn_by_hand(step.state, by_hand) if by_hand else ()
        events = (*step.events, *told)
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
