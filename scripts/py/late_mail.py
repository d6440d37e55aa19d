"""A game whose messages are read late, beside the same game in time: both are the same in the end.

The moderator of the late game closes at the same instants, and reads each message some time after it was
sent, even when what it was for is closed. A closing for which a message is missing waits until that is read.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from playthrough import PLAYERS

from knightfall.engine.entries import Entry, Started
from knightfall.engine.journal import Journal, Record, append
from knightfall.engine.replay import replay
from knightfall.engine.rng import SeededRng
from knightfall.errors import DecisionNeeded, InputError
from knightfall.games import loaded
from knightfall.sentence import SlotId
from knightfall.services.now import now_of
from knightfall.services.running import RunningGame, overdue
from knightfall.services.session import Seen, Session
from knightfall.services.window import turns

BEGAN = datetime(2026, 3, 2, 12, tzinfo=UTC)
A_STEP = timedelta(seconds=5)
OPTIONS = {"knight_fight": {"move_time": "24h", "anomalies": "b"}}
"""A game by the minute is over before anything was read late."""
CLOSINGS = 12
"""So many windows of a game are closed at most."""


@dataclass
class Clock:
    """A clock that the soak turns."""

    at: datetime = BEGAN

    def now(self) -> datetime:
        """The instant."""
        return self.at


@dataclass
class Memory:
    """A journal in memory."""

    journal: Journal = ()

    def records(self, known: Journal = ()) -> Journal:  # noqa: ARG002 - it has all of it
        """All of it."""
        return self.journal

    def append(self, entry: Entry, at: datetime, author: str, expected: int | None = None) -> Record:
        """One more entry, behind what is expected."""
        assert expected in (None, len(self.journal)), "an entry was written behind another journal"
        self.journal = append(self.journal, entry, at, author)
        return self.journal[-1]

    def extend(self, records: Journal, expected: int) -> None:
        """Nobody brings a journal in here."""
        raise AssertionError((records, expected))

    def close(self) -> None:
        """Nothing is open."""


@dataclass(frozen=True)
class Sent:
    """A message, and when it was sent; `slot` None is the moderator."""

    at: datetime
    slot: SlotId | None
    text: str


@dataclass(frozen=True)
class Ended:
    """A window that was closed, by its kind and title, and when."""

    at: datetime
    kind: str
    title: str


@dataclass
class Desk:
    """A game at the desk of a moderator."""

    game: str
    seed: int
    folder: Path
    clock: Clock = field(default_factory=Clock)
    memory: Memory = field(default_factory=Memory)
    seen: Seen = field(default_factory=Seen)
    """Where the journal led at the last look: nothing is played again from its beginning, until the end."""

    def __post_init__(self) -> None:
        (self.folder / "private").mkdir(parents=True, exist_ok=True)
        deal = json.dumps({"seed": f"{self.seed:064x}"})
        (self.folder / "private" / "deal.json").write_text(deal, encoding="utf-8")
        spec = loaded(self.game).spec
        players = PLAYERS.get(self.game, spec.players[self.seed % len(spec.players)])
        slots = tuple(SlotId(f"P{number:02}") for number in range(1, players + 1))
        options = OPTIONS.get(self.game, {})
        started = Started(self.game, slots, options, "private/deal.json", timeouts="ask", edition=1)
        self.memory.journal = append((), started, self.clock.at, "soak")

    @property
    def session(self) -> Session:
        """What the services stand on."""
        nothing: Any = None
        return Session(self.clock, nothing, nothing, lambda: self.memory, "soak", self.seen, self.folder)  # type: ignore[arg-type]

    @property
    def table(self) -> RunningGame:
        """The game as it stands."""
        return now_of(self.session).running

    def send(self, one: Sent, now: datetime) -> None:
        """Read a message now."""
        self.clock.at = max(self.clock.at, now)
        at = None if one.slot is None else one.at
        turns.submit(one.slot or "moderator", one.text, "plain", self.session, at=at, late=True)

    def close(self, one: Ended) -> None:
        """Close a window now."""
        self.clock.at = max(self.clock.at, one.at)
        turns.close(one.kind, "plain", self.session, why_early="a soak")

    def texts(self) -> Counter[tuple[str, str]]:
        """What was written, without receipts and without the numbers of entries."""
        files = sorted(self.folder.glob("p*/[0-9]*.txt"))
        kept = [file for file in files if "receipt" not in file.name and "refused" not in file.name]
        return Counter((file.stem.partition("-")[2][3:], file.read_text(encoding="utf-8")) for file in kept)


def in_time(desk: Desk, chance: random.Random) -> Iterator[Sent | Ended]:
    """Play a game, each message read when it is sent; what happened."""
    rng = SeededRng(b"%d" % chance.randrange(10**9))
    for number in range(CLOSINGS):
        table = desk.table
        if not table.windows:
            return
        speakers = dict.fromkeys(slot for window in table.windows for slot in window.slots)
        for slot in (*speakers, None):
            table = desk.table
            line = table.game.random_line(table.state, slot, rng.at(number), silent=slot is not None)
            desk.clock.at += A_STEP
            if line is None or overdue(table, desk.clock.at, slot):
                continue
            one = Sent(desk.clock.at, slot, line)
            desk.send(one, desk.clock.at)
            yield one
        desk.clock.at += A_STEP
        windows = desk.table.windows
        if windows:
            window = chance.choice(windows)
            closing = Ended(desk.clock.at, window.kind, window.title)
            try:
                desk.close(closing)
            except (DecisionNeeded, InputError):
                continue
            yield closing


def read_late(desk: Desk, happened: list[Sent | Ended], chance: random.Random) -> int:
    """The same game, its messages read when the moderator comes to them; how many came after a closing."""
    waiting: list[Sent] = []
    late = 0

    def catch_up(now: datetime, few: bool) -> None:
        nonlocal late
        chance.shuffle(waiting)
        for one in list(waiting):
            if not few or chance.random() < 0.3:
                waiting.remove(one)
                desk.send(one, now)
                late += 1

    for one in happened:
        if isinstance(one, Sent) and one.slot is not None and chance.random() < 0.7:
            waiting.append(one)
        elif isinstance(one, Sent):
            desk.send(one, one.at)
        else:
            # What is open for want of a message is not what was closed: that is read first.
            if all(window.title != one.title for window in desk.table.windows):
                catch_up(one.at, few=False)
            try:
                desk.close(one)
            except (DecisionNeeded, InputError):
                catch_up(one.at, few=False)
                desk.close(one)
        catch_up(one.at, few=True)
    catch_up(happened[-1].at + A_STEP, few=False)
    return late


def late(game: str, seed: int, home: Path) -> Counter[str]:
    """One game, both ways; what was seen. Raises AssertionError where they differ."""
    chance = random.Random(f"{game} {seed}")
    first, second = Desk(game, seed, home / "in-time"), Desk(game, seed, home / "late")
    happened = list(in_time(first, chance))
    number = read_late(second, happened, chance)
    now, then = first.table, second.table
    assert now.state == then.state, "the game stands otherwise"
    assert not then.replay.waiting, "something still waits"
    assert first.texts() == second.texts(), "a text reads otherwise"
    again = replay(second.memory.journal, then.game, lambda: SeededRng(then.seed))
    assert again == then.replay, "the journal leads elsewhere from its beginning"
    closings = sum(isinstance(one, Ended) for one in happened)
    return Counter({"messages": len(happened) - closings, "read late": number, "closings": closings})
