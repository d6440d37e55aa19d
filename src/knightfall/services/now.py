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
from typing import Any, cast
from zoneinfo import ZoneInfo

from knightfall.config.calendar import day_of
from knightfall.config.decided import FiledDeath, decided, with_deaths
from knightfall.config.game_file import read_setup
from knightfall.config.setup import Setup
from knightfall.engine.entries import Closed
from knightfall.engine.fair import seeds_of
from knightfall.engine.game import Game
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
from knightfall.models import Thread
from knightfall.sentence import SlotId, Way, sentence
from knightfall.services.games import game_named, require_unchanged
from knightfall.services.running import RunningGame, closings, holders
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
from knightfall.votes.config import DaySetup, MarkChange


@dataclass(eq=False)
class Now:
    """The game of a session at one instant. What follows from `journal`, all that was written, and from the
    game file is worked out when it is first asked for; asking raises what reading them raises."""

    session: Session
    journal: Journal

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

    @property
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


def now_of(session: Session) -> Now:
    """The game of a session as it stands: the same as before while nothing was written since. Raises what
    reading the journal raises."""
    journal, seen = journal_of(session), session.seen
    known, now = seen.now or (None, None)
    if now is None or known is None or known != seen.stamp or now.journal is not journal:
        now = Now(session, journal)
    elif now.session is not session:
        now = copy(now)
        now.session = session
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
