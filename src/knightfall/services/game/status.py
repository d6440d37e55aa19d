"""How a game stands: what is open until when, who lives, who is awaited, what waits, and what is due."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from knightfall.audience import SECRET
from knightfall.config.setup import Setup
from knightfall.engine.entries import Published
from knightfall.engine.journal import Journal, standing
from knightfall.engine.json_text import JsonAnswer
from knightfall.sentence import SlotId, Way
from knightfall.services.game.due import Due, HammeredDay, due_of, game_now
from knightfall.services.posts.framing import winner_named
from knightfall.services.running import RunningGame, holders, shown
from knightfall.services.session import Session
from knightfall.services.window.waiting import PendingWindow


@dataclass(frozen=True, slots=True, repr=False)
class DeadSlot(JsonAnswer):
    """Who is out of the game, and how and when as far as it is told."""

    name: str
    how: str


@dataclass(frozen=True, slots=True, repr=False)
class GameStatus(JsonAnswer):
    """A game as it stands at an instant.

    `windows` are what is open; `hammer` the day of them that was hammered; `alive` and `dead` by the names of
    who holds the slots; `questions` what waits for the moderator's decision, `silent` who is due a prod,
    `posted` the last post of each kind that went out, `void` those of them whose entries were taken back
    since, `unsent` PMs by batch that were not sent, `batch_words` what each batch holds; `next` what is due,
    the most urgent first, each with whether it is secret. `is_over`: a game that was begun has ended, and
    `winner` says who won it.
    """

    at: datetime
    title: str
    game: str
    zone: ZoneInfo
    windows: tuple[PendingWindow, ...] = ()
    shown: Mapping[SlotId, str] = field(default_factory=dict)
    alive: tuple[str, ...] = ()
    dead: tuple[DeadSlot, ...] = ()
    questions: tuple[str, ...] = ()
    silent: tuple[str, ...] = field(default=(), metadata=SECRET)
    posted: tuple[str, ...] = ()
    void: tuple[str, ...] = ()
    unsent: Mapping[str, int] = field(default_factory=dict, metadata=SECRET)
    batch_words: Mapping[str, str] = field(default_factory=dict, metadata=SECRET)
    next: tuple[Due, ...] = ()
    hammer: HammeredDay | None = None
    is_over: bool = False
    winner: str = ""

    def hammered(self, window: PendingWindow) -> HammeredDay | None:
        """How the open day of a window was hammered; None for another window, and where it was not."""
        same = self.hammer is not None and window.window.title == self.hammer.title
        return self.hammer if same else None

    def to_dict(self, spelled: Callable[[Way], str] = str) -> dict[str, object]:
        """{title, game, open: [{window, title, until, stopped, missing}], alive, dead: [{name, how}],
        questions, silent, posted, void, unsent: {batch: how many}, next, due, hammer: {day, who, post} or
        none, over, winner}; `spelled` writes the ways of `next` as a face says them."""
        hammer = self.hammer
        return {
            "title": self.title,
            "game": self.game,
            "open": [one.to_dict() for one in self.windows],
            "alive": list(self.alive),
            "dead": [{"name": one.name, "how": one.how} for one in self.dead],
            "questions": list(self.questions),
            "silent": list(self.silent),
            "posted": list(self.posted),
            "void": list(self.void),
            "unsent": dict(self.unsent),
            "next": [spelled(one.way) for one in self.next],
            "due": [one.to_dict() for one in self.next],
            "hammer": hammer and {"day": hammer.day, "who": hammer.who, "post": hammer.post},
            "over": self.is_over,
            "winner": self.winner,
        }


def status(session: Session) -> GameStatus:
    """How the game of a folder stands. Raises SetupError for a bad game file, and what its journal raises."""
    now = game_now(session)
    table, setup, held = now.table, now.setup, holders(now.journal)
    name = table.game.spec.name if table else setup.kind
    alive, dead = _people(setup, table)
    count = now.count
    doubts = count.questions if count else ()
    questions = tuple(f"#{doubt.post} {doubt.voter}: “{doubt.text}”" for doubt in doubts)
    return GameStatus(
        now.at,
        setup.title or name,
        name,
        setup.zone or ZoneInfo("UTC"),
        now.windows,
        {one.slot: shown(one.slot, held) for window in now.windows for one in window.slots},
        tuple(shown(SlotId(name), held) for name in alive),
        tuple(replace(one, name=shown(SlotId(one.name), held)) for one in dead),
        (*(count.lost if count else ()), *questions),
        count.due if count else (),
        _posted(now.journal),
        now.void,
        now.unsent,
        {batch.kind: batch.words for batch in now.batches},
        due_of(now),
        now.hammer,
        now.is_over,
        winner_named(now.game),
    )


def _people(setup: Setup, table: RunningGame | None) -> tuple[tuple[str, ...], tuple[DeadSlot, ...]]:
    """The living, and the dead, in the order of the list of players: as things stand now."""
    slots = setup.roster.slots if setup.roster else ()
    gone = {slot.name: slot.left.how.value for slot in slots if slot.left is not None}
    named = {name: slot.name for slot in slots for name in slot.names}
    gone |= {named.get(name, name): f"eliminated, day {day}" for day, name in setup.fallen}
    for change in setup.changes:
        name = named.get(change.slot, change.slot)
        if change.how is not None:
            gone[name] = change.how.value
        elif not change.name:
            gone.pop(name, None)
    gone |= {named.get(name, name): "killed" for _, name in setup.slain if named.get(name, name) not in gone}
    # A begun game knows in which day or night they fell, and who fell in a game that has neither.
    for fallen in table.game.dead(table.state) if table else ():
        name = named.get(fallen.slot, fallen.slot)
        if fallen.how and fallen.when:
            gone[name] = f"{fallen.how}, {fallen.when}"
        else:
            gone.setdefault(name, fallen.note or "out of the game")
    alive = tuple(slot.name for slot in slots if slot.name not in gone)
    return alive, tuple(DeadSlot(slot.name, gone[slot.name]) for slot in slots if slot.name in gone)


def _posted(journal: Journal) -> tuple[str, ...]:
    """“day-start 1”, the last of each kind that went out."""
    last: dict[str, int] = {}
    for record in standing(journal):
        if isinstance(record.entry, Published):
            last[record.entry.kind] = record.entry.number
    return tuple(f"{kind} {number}" for kind, number in last.items())
