"""A game as it stands at one instant: made once a request and handed on, so that nobody else reads journal
and file of the game; and as it stood at an earlier entry."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeVar, cast
from zoneinfo import ZoneInfo

from knightfall.config.calendar import day_of
from knightfall.config.decided import FiledDeath, decided, with_deaths
from knightfall.config.game_file import read_setup
from knightfall.config.setup import VOTES, Setup
from knightfall.engine.entries import Closed, Replaced, Started
from knightfall.engine.fair import seeds_of
from knightfall.engine.game import Announced, DeadPlayer, Facts, Game, announced
from knightfall.engine.journal import (
    Journal,
    Record,
    before_entry,
    entry_of,
    instant,
    standing,
    start_of,
    window_name,
)
from knightfall.engine.replay import Replay, go_on, replay
from knightfall.engine.rng import SeededRng
from knightfall.errors import InputError, StateDamaged
from knightfall.models import DepartureKind, Post, Slot, Thread
from knightfall.sentence import SlotId, Way, sentence
from knightfall.services.games import game_named, require_unchanged
from knightfall.services.running import (
    RunningGame,
    closings,
    counted_by,
    holders,
    renamed,
    votes_by_day,
)
from knightfall.services.session import (
    DEAL_FILE,
    GAME_FILE,
    Seen,
    Session,
    Store,
    game_folder,
    journal_of,
    parse_at,
)
from knightfall.services.threads import kept_thread
from knightfall.votes.config import DaySetup, MarkChange
from knightfall.writeups.render import has_template

E = TypeVar("E")
F = TypeVar("F", bound=Facts)


@dataclass(eq=False)
class Now:
    """The game of a session at one instant. What follows from `journal`, all that was written, and from the
    game file is worked out when it is first asked for; asking raises what reading them raises."""

    session: Session
    journal: Journal

    def by(self, session: Session) -> Now:
        """The same game for another session of it, whose evidence may be another."""
        found = copy(self)
        found.session = session
        vars(found).pop("thread", None)
        return found

    def at(self, journal: Journal, at: datetime) -> Now:
        """The game where another journal of it leads, at that instant."""
        return now_of(session_then(self.session, journal, at))

    @cached_property
    def file(self) -> Setup:
        """What the game file says."""
        return read_setup(self.session.place)

    @cached_property
    def setup(self) -> Setup:
        """The game file with the moderator's decisions since. Of a begun game with its dead, with votes that
        weigh otherwise, and with the deadline of a day that it sets itself where nobody said another."""
        from knightfall.mafia.state import State

        setup = decided(self.file, self.journal)
        if not self.begun:
            return setup
        table = self.running
        first = isinstance(table.state, State) and table.state.night_first
        clocked = replace(setup, days=tuple(_clocked(setup.days, table)))
        return with_deaths(replace(clocked, marks=tuple(_vote_marks(table))), _deaths(table), first)

    @cached_property
    def begun(self) -> bool:
        """Whether a game was begun, so that there is a table."""
        return start_of(self.journal) is not None

    @property
    def table(self) -> RunningGame | None:
        """The begun game; None where there is none."""
        return self.running if self.begun else None

    @cached_property
    def running(self) -> RunningGame:
        """The begun game. Raises InputError where there is none, DecisionNeeded where the game file says
        something else by now, StateDamaged where seed or journal are not as they were written."""
        return table_with(self.session.place, self.journal, self.session.seen)

    @cached_property
    def standing(self) -> Journal:
        """The entries that were not taken back."""
        return standing(self.journal)

    @cached_property
    def holders(self) -> Mapping[SlotId, str]:
        """Slot → who holds it now, of those that changed hands."""
        return holders(self.journal)

    @property
    def zone(self) -> ZoneInfo:
        """The moderator's clocks."""
        return self.file.zone or ZoneInfo("UTC")

    @cached_property
    def thread(self) -> Thread | None:
        """The thread of the game as it was last read; None where it never was, or there is none."""
        return kept_thread(self.setup, self.session)

    @property
    def game(self) -> Game[Any] | None:
        """The game on board that is played or will be; None where only votes are counted."""
        if self.table is not None:
            return self.table.game
        return None if self.setup.kind == VOTES else game_named(self.setup.kind)

    @property
    def is_over(self) -> bool:
        """Whether a begun game has come to its end."""
        return self.table is not None and self.table.game.outcome(self.table.state) is not None

    @property
    def title(self) -> str:
        """What the game is called."""
        return self.setup.title or (self.game.spec.name if self.game else "Mafia")

    @property
    def posts(self) -> Mapping[int, Post]:
        """The posts of the thread by number, as far as they were read."""
        thread = self.thread
        return {post.number: post for post in thread.posts} if thread else {}

    @property
    def phase(self) -> str:
        """What is open in a begun game, such as “day”; "" where nothing is, or none was begun."""
        return self.table.windows[0].kind if self.table and self.table.windows else ""

    @property
    def window(self) -> str:
        """What is open in a begun game as the journal calls it, such as “night-2”; "" where nothing is."""
        return window_name(self.table.windows[0]) if self.table and self.table.windows else ""

    @property
    def number(self) -> int | None:
        """The number of the day or night that is open; None where it has none."""
        return day_of(self.window)

    @property
    def public(self) -> tuple[Announced, ...]:
        """All that was announced, in order."""
        return announced(self.table.replay.events) if self.table else ()

    def last(self, *kinds: str) -> Announced | None:
        """The latest announcement of one of these kinds."""
        return next((event for event in reversed(self.public) if event.kind in kinds), None)

    def last_facts(self, *kinds: type[F]) -> F | None:
        """The facts of the latest announcement of one of these classes."""
        return next((one.facts for one in reversed(self.public) if isinstance(one.facts, kinds)), None)

    def renamed(self, facts: Facts) -> Facts:
        """What was announced, with the names of who holds the slots now, and votes by the house's rule."""
        event = Announced(facts)
        event = event if self.table is None else counted_by(self.table, event)
        return renamed(event, self.holders).facts

    def has(self, event: str) -> bool:
        """Whether the game has posts of that kind of its own."""
        return self.game is not None and has_template(f"{self.game.spec.id}/{event}")

    @property
    def votes_by_day(self) -> bool:
        """Whether this game has days on which everybody votes in the thread."""
        return votes_by_day(self.game.spec.id if self.game else None)

    def entries(self, kind: type[E]) -> Iterator[tuple[int, E]]:
        """The entries of this kind that stand, with their numbers, in order."""
        for record in self.standing:
            if isinstance(record.entry, kind):
                yield record.number, record.entry

    @property
    def listed(self) -> tuple[Slot, ...]:
        """The slots of the game file."""
        return self.setup.roster.slots if self.setup.roster else ()

    @property
    def slots(self) -> tuple[str, ...]:
        """All who were ever dealt in, in the order of the list; the names that they signed up with."""
        for _, started in self.entries(Started):
            return started.slots
        return tuple(signed_up(slot) for slot in self.listed)

    @property
    def living(self) -> tuple[str, ...]:
        """Who is alive."""
        if self.table is not None:
            playing = frozenset(self.table.game.playing(self.table.state))
            return tuple(slot for slot in self.slots if slot in playing)
        gone = {one.slot for one in self.dead}
        return tuple(slot for slot in self.slots if slot not in gone)

    @property
    def dead(self) -> tuple[DeadPlayer, ...]:
        """Who is dead, first those who died first."""
        if self.table is not None:
            return self.table.game.dead(self.table.state)
        return tuple(_left(self))

    def holder(self, slot: str) -> SlotId:
        """Who holds a slot now."""
        said = [entry.name for _, entry in self.entries(Replaced) if entry.slot == slot]
        known = self.setup.roster.slot_of(slot) if self.setup.roster else None
        return SlotId(said[-1] if said else known.name if known else slot)

    def shown(self, slot: str) -> SlotId:
        """The holder's name, and whose slot it was where that is not the same: “Rook (was Lumen)”."""
        now = self.holder(slot)
        return now if now == slot else SlotId(f"{now} (was {slot})")


def _left(now: Now) -> Iterator[DeadPlayer]:
    """Of a thread whose game is run by hand: who fell on a closed day, or left by file and journal."""
    by_day = {name: day for day, name in now.setup.fallen}
    for slot in now.listed:
        day = next((by_day[name] for name in slot.names if name in by_day), None)
        role = next((now.setup.roles[name] for name in slot.names if name in now.setup.roles), "")
        # What names no post yet is only in the list of changes.
        changes = [one for one in now.setup.changes if one.slot in slot.names and not one.name]
        unposted = bool(changes) and changes[-1].post is None
        how = changes[-1].how if unposted else slot.left.how if slot.left else None
        if day is not None and not slot.back:
            yield DeadPlayer(SlotId(signed_up(slot)), role, DepartureKind.ELIMINATED.value, f"day {day}")
        elif how is not None:
            when = f"post {slot.left.post}" if slot.left else ""
            yield DeadPlayer(SlotId(signed_up(slot)), role, how.value, when)


def signed_up(slot: Slot) -> str:
    """Who held a slot first."""
    return slot.names[-1]


def now_of(session: Session) -> Now:
    """The game of a session as it stands: the same as before while nothing was written since. Raises what
    reading the journal raises."""
    journal, seen = journal_of(session), session.seen
    known, now = seen.now or (None, None)
    if now is None or known is None or known != seen.stamp or now.journal is not journal:
        now = Now(session, journal)
    elif now.session is not session:
        now = now.by(session)
    seen.now = seen.stamp, now
    return now


def seed_of(folder: Path) -> bytes:
    """The secret seed of a begun game. Raises StateDamaged where its file is not as it was written."""
    return _seeds(folder)[0]


def _seeds(folder: Path) -> tuple[bytes, Mapping[tuple[str, ...], bytes]]:
    """The seed of all chance, and those of parts that do not follow from it."""
    file = folder / DEAL_FILE
    try:
        deal = json.loads(file.read_text(encoding="utf-8"))
        return bytes.fromhex(deal["seed"]), seeds_of(deal) if "parts" in deal else {}
    except OSError as error:
        raise StateDamaged(
            f"{file} cannot be read ({error.strerror}). It holds the random seed of the game."
        ) from None
    except (ValueError, KeyError, TypeError):
        raise StateDamaged(f"{file} was changed or damaged. Restore it from a backup.") from None


def _vote_marks(table: RunningGame) -> Iterator[MarkChange]:
    """Each change of how the votes of a slot weigh, or what it takes against it, at the instant of the entry
    that led to it: what comes later changes no count of the past."""
    known: Mapping[SlotId, tuple[int, int]] = {}
    begun = False
    for step in table.replay.path:
        if step.state is None:
            continue
        marks = table.game.vote_marks(step.state)
        for slot in dict.fromkeys((*known, *marks)):
            mark = marks.get(slot, (1, 0))
            if mark != known.get(slot, (1, 0)):
                yield MarkChange(slot, instant(step.record) if begun else None, *mark)
        known, begun = marks, True


def _clocked(days: tuple[DaySetup, ...], table: RunningGame) -> Iterator[DaySetup]:
    """The days, and the open one, with what the game says where neither file nor journal does: its deadline;
    and that a later day begins when the night before it was closed."""
    open_ = {
        number: one
        for one in table.windows
        if one.kind == "day" and not one.secret and (number := day_of(window_name(one))) is not None
    }
    begins: dict[int, datetime] = {}
    before: datetime | None = None
    for record in closings(table):
        number = day_of(record.entry.window) if isinstance(record.entry, Closed) else None
        if number is not None and before is not None:
            begins[number] = before
        before = instant(record)
    if before is not None:
        begins |= dict.fromkeys(open_, before)

    for day in days:
        untold = day.deadline is None and not day.stood and day.number in open_
        unplaced = day.start is None and day.begins is None
        yield replace(
            day,
            deadline=open_[day.number].closes if untold else day.deadline,
            begins=begins.get(day.number) if unplaced else day.begins,
        )
    known = {day.number for day in days}
    for number, window in open_.items():
        if number not in known and (number in begins or window.closes is not None):
            yield DaySetup(number, deadline=window.closes, begins=begins.get(number), filed=False)


def _deaths(table: RunningGame) -> Iterator[FiledDeath]:
    """What the game tells everybody of its dead."""
    from knightfall.mafia.events import Removal

    at: dict[SlotId, datetime] = {}
    for taken in table.replay.taken:
        for event in taken.events:
            if isinstance(event.facts, Removal):
                record = entry_of(table.journal, taken.number)
                gone = (event.facts.name, *(one.name for one in event.facts.along))
                at |= dict.fromkeys(gone, instant(record))
    for one in table.game.dead(table.state):
        yield FiledDeath(one.slot, one.when, one.how, at.get(one.slot))


READ_ONLY = sentence(
    "You are looking at the past, where nothing can be written. To write, leave out {at}.",
    at=Way("field", name="at_entry"),
)


@dataclass(frozen=True, slots=True)
class Past:
    """A journal that ends earlier: it is only read."""

    journal: Journal

    def records(self, known: Journal = ()) -> Journal:  # noqa: ARG002 - it has all of it
        """All of it."""
        return self.journal

    def append(self, *_: object, **__: object) -> Record:
        """Refuses."""
        raise InputError(READ_ONLY)

    def extend(self, *_: object, **__: object) -> None:
        """Refuses."""
        raise InputError(READ_ONLY)

    def close(self) -> None:
        """Nothing is open."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A clock that stands."""

    at: datetime

    def now(self) -> datetime:
        """Always the same."""
        return self.at

    def elapsed(self) -> float:
        """No time passes."""
        return 0.0

    def sleep(self, seconds: float) -> None:
        """Nobody waits in the past."""


def session_then(session: Session, journal: Journal, at: datetime) -> Session:
    """The session with this journal, at this instant."""
    return replace(
        session, ledger=lambda: Past(journal), clock=Standing(at), seen=Seen(), progress=None, past=True
    )


class _Known:
    """The evidence as it was known at an instant, up to a post (None: all); everything else as it is."""

    def __init__(self, store: Store, at: datetime, upto: int | None) -> None:
        self._store, self._at, self._upto = store, at, upto

    def thread(self, url: str) -> Thread | None:
        """The thread as if nothing had come since."""
        found = self._store.thread(url)
        if found is None:
            return None
        known = self._store.posts_then(url, self._at)
        posts = tuple(post for post in known if self._upto is None or post.number <= self._upto)
        return replace(found, posts=posts, missing=(), whole_to=None) if posts else None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def evidence_then(session: Session, at: datetime, upto: int | None = None) -> Session:
    """The session, with the evidence that was known at that instant, up to that post (None: all of it)."""
    return replace(session, store=lambda thread: cast(Store, _Known(session.store(thread), at, upto)))


def zone_of(session: Session) -> ZoneInfo | None:
    """The zone of the session's game; None where its file names none, or there is no file."""
    return now_of(session).file.zone if session.game is not None and session.file.exists() else None


def as_of(at: str | None, session: Session) -> Session:
    """The session as of the number of an entry, or a time; None is now. Raises TimeError for what is
    neither, InputError for an entry that there is not."""
    if at is None:
        return session
    journal = journal_of(session)
    asked = parse_at(at, zone_of(session), session.clock.now())
    if asked.at_time is not None:
        return session_then(session, tuple(_until(journal, asked.at_time)), asked.at_time)
    number = asked.at_post or 0
    if not 1 <= number <= len(journal):
        raise InputError(
            sentence(
                "{field} {at}: the journal has entries 1 to {last}. To see them: {log}",
                field=Way("field", name="at_entry"),
                at=at,
                last=len(journal),
                log=Way("log"),
            )
        )
    return session_then(session, before_entry(journal, number + 1), entry_of(journal, number).at)


def _until(journal: Journal, moment: datetime) -> Iterable[Record]:
    """The entries before the first one that was written later."""
    return takewhile(lambda record: record.at <= moment, journal)


def table_with(folder: Path, journal: Journal, seen: Seen | None = None) -> RunningGame:
    """The same where the journal was read already; `seen` knows where it led when it was looked at last."""
    started = start_of(journal)
    if started is None:
        raise InputError(
            sentence(
                "There is no game in {folder}. Start one: {start}",
                folder=game_folder(folder),
                start=Way("new_game"),
            )
        )
    require_unchanged(folder if folder.suffix == ".toml" else game_folder(folder) / GAME_FILE, started)
    game, (seed, parts) = game_named(started.game), _seeds(game_folder(folder))
    led = _played_on(seen or Seen(), game, journal, SeededRng(seed, parts=parts))
    return RunningGame(game, game_folder(folder), seed, journal, led, parts)


def _played_on(seen: Seen, game: Game[Any], journal: Journal, chance: SeededRng) -> Replay[Any]:
    """Where a journal leads. What was played at an earlier look is not played again: the digest of a record
    is that of all before it, too."""
    known_seed, known, led = seen.played or (b"", (), None)
    size = len(known)

    def source() -> SeededRng:
        return SeededRng(chance.seed, parts=chance.parts)

    if led is None or chance.seed != known_seed:
        led = replay(journal, game, source)
    elif len(journal) < size or journal[size - 1].digest != known[-1].digest:
        led = replay(journal, game, source, led)
    else:
        for end in range(size + 1, len(journal) + 1):
            led = go_on(led, journal[:end], game, source)
    seen.played = chance.seed, journal, led
    return led
