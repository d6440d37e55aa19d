"""How a game stands: what is open until when, who lives, who is awaited, what waits; what comes next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from knightfall.config.setup import Setup
from knightfall.engine.journal import (
    Closed,
    Journal,
    Opened,
    Published,
    standing,
)
from knightfall.errors import KnightfallError
from knightfall.sentence import SlotId, Way, sentence
from knightfall.services.awaited import PendingWindow, pending
from knightfall.services.count_request import CountRequest
from knightfall.services.game_choice import game_named
from knightfall.services.game_state import (
    RunningGame,
    begun,
    holders,
    post_of_closing,
    setup_of,
    shown,
    table_of,
)
from knightfall.services.pms import MARKS, RESULT, ROLE, PmBatch, batches, ledger
from knightfall.services.session import Session, journal_of
from knightfall.services.undo import void_posts
from knightfall.services.votecount import counted

FIRST_POSTS = ("setup", "rules", "opening")
"""What a game's thread begins with."""


@dataclass(frozen=True, slots=True)
class DeadSlot:
    """Who is out of the game, and how and when as far as it is told."""

    name: str
    how: str


@dataclass(frozen=True, slots=True)
class GameStatus:
    """A game as it stands at an instant.

    `windows` are what is open; `alive` and `dead` by the names of who holds the slots; `questions` what waits
    for the moderator's decision, `silent` who is due a prod, `posted` the last post of each kind that went
    out, `void` those of them whose entries were taken back since, `unsent` PMs by batch that were not sent,
    `batch_words` what each batch holds; `next` what comes next, the first first.
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
    silent: tuple[str, ...] = ()
    posted: tuple[str, ...] = ()
    void: tuple[str, ...] = ()
    unsent: Mapping[str, int] = field(default_factory=dict)
    batch_words: Mapping[str, str] = field(default_factory=dict)
    next: tuple[Way, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """{title, game, open: [{window, title, until, stopped, missing}], alive, dead: [{name, how}],
        questions, silent, posted, void, unsent: {batch: how many}, next}."""
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
            "next": [sentence("{way}", way=way) for way in self.next],
        }


def status(session: Session) -> GameStatus:
    """How the game of a folder stands. Raises SetupError for a bad game file, and what its journal raises."""
    setup, journal = setup_of(session), journal_of(session)
    table = table_of(session) if begun(journal) else None
    name = table.game.spec.name if table else setup.kind
    title, held = setup.title or name, holders(journal)
    alive, dead = _people(setup, table)
    questions, silent = _of_thread(setup, session)
    windows = pending(table) if table else ()
    roles, results = (batches(table, family, title) if table else () for family in (ROLE, RESULT))
    found = GameStatus(
        session.clock.now(),
        title,
        name,
        setup.zone or ZoneInfo("UTC"),
        windows,
        {one.slot: shown(one.slot, held) for window in windows for one in window.slots},
        tuple(shown(SlotId(name), held) for name in alive),
        tuple(replace(one, name=shown(SlotId(one.name), held)) for one in dead),
        questions,
        silent,
        _posted(journal),
        void_posts(table) if table else (),
        _unsent(table, roles, results, dead, session) if table else {},
        {batch.kind: batch.words for batch in (*roles, *results)},
    )
    return replace(found, next=_next(found, table, setup, journal))


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
    # Who fell in a game without days and nights: no death of the list of players tells it.
    for fallen in table.game.dead(table.state) if table else ():
        gone.setdefault(named.get(fallen.slot, fallen.slot), fallen.note or "out of the game")
    alive = tuple(slot.name for slot in slots if slot.name not in gone)
    return alive, tuple(DeadSlot(slot.name, gone[slot.name]) for slot in slots if slot.name in gone)


def _of_thread(setup: Setup, session: Session) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The votes that wait for a decision, and who is due a prod, by the thread as it was last read."""
    if not setup.url:
        return (), ()
    try:
        count = counted(CountRequest(stored=True), session).count
    except KnightfallError:
        return (), ()  # nothing was read yet, or what was read is not whole: reading comes next
    questions = tuple(f"#{doubt.post} {doubt.voter}: “{doubt.text}”" for doubt in count.tally.questions)
    return (*count.lost, *questions), count.due


def _posted(journal: Journal) -> tuple[str, ...]:
    """“day-start 1”, the last of each kind that went out."""
    last: dict[str, int] = {}
    for record in standing(journal):
        if isinstance(record.entry, Published):
            last[record.entry.kind] = record.entry.number
    return tuple(f"{kind} {number}" for kind, number in last.items())


def _unsent(
    table: RunningGame,
    roles: tuple[PmBatch, ...],
    results: tuple[PmBatch, ...],
    dead: tuple[DeadSlot, ...],
    session: Session,
) -> dict[str, int]:
    """How many PMs of the last results were not sent, of earlier ones where only some were, and of the roles
    of the living but those of a slot that was dealt a role again."""
    held = holders(table.journal)
    out = {held.get(SlotId(one.name), one.name) for one in dead}
    dealt = [(batch.kind, ledger(batch, (), session).rows) for batch in roles]
    left: dict[str, int] = {}
    for place, (kind, rows) in enumerate(dealt, start=1):
        again = {row.name for _, later in dealt[place:] for row in later}
        left[kind] = sum(
            row.progress.state not in MARKS and row.name not in again and row.name not in out for row in rows
        )
    for batch in results:
        rows = ledger(batch, (), session).rows
        waiting = sum(row.progress.state not in MARKS for row in rows)
        # Who marks none keeps no ledger here: of what is long over nothing is owed then.
        if batch is results[-1] or waiting < len(rows):
            left[batch.kind] = waiting
    return {kind: count for kind, count in left.items() if count}


def _next(found: GameStatus, table: RunningGame | None, setup: Setup, journal: Journal) -> tuple[Way, ...]:
    """What comes next, by what is missing first."""
    if table is None:
        if setup.kind == "votes":
            return (Way("count_votes"),)
        fits = len(found.alive) in game_named(setup.kind).spec.players
        return (Way("deal"),) if fits else (Way("read_signups"),)
    ways: list[Way] = []
    if any(kind.startswith(ROLE) for kind in found.unsent):
        ways.append(Way("send_pms", kind=ROLE))
    entries = [record.entry for record in standing(journal)]
    closed = [n for n, entry in enumerate(entries) if isinstance(entry, Closed)]

    # A thread begins with its first posts, until something in it was opened or closed without them.
    if setup.url and not closed and not any(isinstance(entry, Opened) for entry in entries):
        posted = {entry.kind for entry in entries if isinstance(entry, Published)}
        ways += [Way("post", kind=kind) for kind in FIRST_POSTS if kind not in posted]

    # What was closed last has a post; nothing else goes out before it.
    if closed:
        last = entries[closed[-1]]
        assert isinstance(last, Closed)
        post = post_of_closing(last.window, table.game.spec.id)
        since = entries[closed[-1] :]
        out = (f"{e.kind} {e.number}" for e in since if isinstance(e, Published) and e.kind == post)
        if post != "results" and table.windows and not any(one not in found.void for one in out):
            ways.append(Way("post", kind=post))
    if any(kind.startswith(RESULT) for kind in found.unsent):
        ways.append(Way("send_pms", kind=RESULT))
    if not table.windows:
        told = any(isinstance(entry, Published) and entry.kind == "endgame" for entry in entries)
        after = (Way("verify"), Way("archive"))
        return (*ways, *(() if told else (Way("post", kind="endgame"),)), *after)
    waiting = any(one.absent for one in found.windows)
    for one in found.windows:
        voted = one.window.kind == "day" and not one.window.slots
        name = one.window.title.casefold().replace(" ", "-")
        if voted and setup.url:
            if not any(isinstance(entry, Opened) and entry.window == name for entry in entries):
                ways.append(Way("set_deadline", title=one.window.title.casefold()))
            ways += [Way("decide_votes" if found.questions else "count_votes"), Way("close_day")]
        elif voted:
            ways += [Way("say_elimination"), Way("close", kind=one.window.kind, title=one.window.title)]
        elif one.absent and (one.until is None or one.until > found.at):
            ways.append(Way("remind"))
        elif one.slots and not (waiting and one.until is not None and one.until > found.at):
            # While another is awaited, what is complete stays open: its sender may still change it.
            ways.append(Way("close", kind=one.window.kind, title=one.window.title))
    return tuple(dict.fromkeys(ways))
