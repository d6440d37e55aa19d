"""A begun game of a folder, now or at an earlier entry: rules, seed, journal, state, holders of slots."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import datetime
from functools import partial, reduce
from itertools import dropwhile, takewhile
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from knightfall.config.calendar import closed_days
from knightfall.config.game_file import read_setup
from knightfall.engine.entries import Aliased, Closed, Entry, Extended, Ground, Opened, Replaced, Started
from knightfall.engine.game import Announced, Event, Game, Noted, Refusal, Room, Told, Window
from knightfall.engine.journal import (
    Journal,
    Record,
    adopted_until,
    append,
    course_of,
    standing,
    start_of,
)
from knightfall.engine.replay import Replay, due, go_on, replay
from knightfall.engine.rng import SeededRng, mixed_seed
from knightfall.errors import InputError
from knightfall.mafia.events import Alive, Opening
from knightfall.names import Ambiguous, Unknown, match_name
from knightfall.sentence import Sentence, SlotId
from knightfall.services.session import (
    GAME_FILE,
    Session,
    entered,
    journal_of,
)
from knightfall.writeups.render import has_template

COMMITMENT_FILE = "public/commitment.txt"

MODERATOR = "moderator"
"""Whose messages are of no slot."""


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A game being played: its rules, its folder, what was written and where that leads."""

    game: Game[Any]
    folder: Path
    seed: bytes
    journal: Journal
    replay: Replay[Any]
    parts: Mapping[tuple[str, ...], bytes] = field(default_factory=dict, repr=False)
    """The seeds of parts that do not follow from `seed`, by their paths."""

    def source(self) -> SeededRng:
        """The chance of the game, from its beginning."""
        return SeededRng(self.seed, parts=self.parts)

    @property
    def seed_now(self) -> bytes:
        """The seed of what is drawn next: journals of earlier versions hold rounds that are mixed into it."""
        return reduce(mixed_seed, self.replay.pending.rounds, self.seed)

    @property
    def state(self) -> Any:
        """The game's own state: only the game looks into it."""
        return self.replay.state

    @property
    def windows(self) -> tuple[Window, ...]:
        """What is open now."""
        return self.game.windows(self.state)

    def after(self, entry: Entry, at: datetime, author: str) -> RunningGame:
        """The table with one more entry, which is not written yet."""
        journal = append(self.journal, entry, at, author)
        led = go_on(self.replay, journal, self.game, self.source)
        return replace(self, journal=journal, replay=led)

    def at(self, journal: Journal) -> RunningGame:
        """The same game where another journal of it leads."""
        led = replay(journal, self.game, self.source, self.replay)
        return replace(self, journal=journal, replay=led)

    def with_state(self, state: Any) -> RunningGame:
        """The game as if it stood so: for what would be, since no entry leads there."""
        *way, last = self.replay.path
        led = replace(self.replay, state=state, path=(*way, replace(last, state=state)))
        return replace(self, replay=led)

    @property
    def last_events(self) -> tuple[Event, ...]:
        """What the last entry led to, the windows included that had run out before it."""
        number = self.journal[-1].number
        return tuple(event for taken in self.replay.taken if taken.number == number for event in taken.events)

    @property
    def last_refused(self) -> tuple[tuple[str, Refusal], ...]:
        """Which lines of the last entry were not taken."""
        number = self.journal[-1].number
        return tuple(line for taken in self.replay.taken if taken.number == number for line in taken.refused)


def written(
    table: RunningGame,
    entry: Entry,
    session: Session,
    look: Callable[[RunningGame], None] | None = None,
    at: datetime | None = None,
    anew: bool = False,
) -> RunningGame:
    """The table with the entry, which is in the journal now (as of `at`, where that is said); behind what
    somebody else wrote since, if that is so. Nothing is written where `look` raises at what the entry leads
    to. Raises Overtaken where the entry would not lead to the same then."""
    moment = at or session.clock.now()
    after = table.after(entry, moment, session.author)
    if look is not None:
        look(after)
    if session.seen.number is None or session.seen.number > len(table.journal):
        session.seen.catch_up(table.journal)
    again = partial(_same_again, after, look)
    record = entered(entry, session, at=after.journal[-1].at, again=again, anew=anew)
    return after if record == after.journal[-1] else after.at(journal_of(session)[: record.number])


def _same_again(after: RunningGame, look: Callable[[RunningGame], None] | None, journal: Journal) -> bool:
    """Whether the table's last entry leads to the same behind another journal, as far as that matters to it;
    what it leads to there is looked at, too."""
    last = after.journal[-1]
    now = after.at(append(journal, last.entry, last.at, last.author))
    if look is not None:
        look(now)
    return last.entry.ground is not Ground.RESTS or (now.last_events, now.last_refused) == (
        after.last_events,
        after.last_refused,
    )


def slot_meant(table: RunningGame, who: str) -> SlotId | None:
    """The slot of that name, alias or replacement; None for the moderator."""
    slots, aliases = names_of(table)
    if who.casefold() == moderators_word(table):
        return None
    found, held = match_name(who, slots, aliases), holders(table.journal)
    if isinstance(found, Ambiguous):
        could = " or ".join(held.get(SlotId(slot), slot) for slot in found.slots)
        raise InputError(f"“{who}” could be {could}. Write the name in full.")
    if isinstance(found, Unknown):
        players, me = ", ".join(held.get(slot, slot) for slot in slots), moderators_word(table)
        raise InputError(f"No player is called “{who}”. Players: {players}. You are “{me}”.")
    return found


def moderators_word(table: RunningGame) -> str:
    """Who moderates, in place of a player's name: “moderator”, or where a player is called so “the
    moderator”."""
    slots, aliases = names_of(table)
    known = {name.casefold() for name in (*slots, *aliases)}
    word = MODERATOR
    while word in known:
        word = f"the {word}"
    return word


def names_of(table: RunningGame) -> tuple[tuple[SlotId, ...], dict[str, SlotId]]:
    """All slots, and the other names that the journal knows for them."""
    aliases: dict[str, SlotId] = {}
    slots: tuple[SlotId, ...] = ()
    for record in standing(table.journal):
        match record.entry:
            case Replaced(slot=slot, name=name) | Aliased(slot=slot, alias=name):
                aliases[name] = slot
            case Started(slots=begun):
                slots = begun
    return slots, aliases


def before(table: RunningGame, number: int) -> RunningGame:
    """The game as it stood before what entry `number` says happened, without what was undone since; of what
    was before it was taken in, as it stood then."""
    return table.at(_leading_to(table, max(number, adopted_until(table.journal) + 1)))


def behind(table: RunningGame, record: Record) -> RunningGame:
    """The game as that record left it, which is its last one, without what was undone since."""
    return table.at((*_leading_to(table, record.number), record))


def _leading_to(table: RunningGame, number: int) -> Journal:
    """What was played before entry `number`; of one that does not stand, what was entered before it."""
    course = course_of(table.journal)
    if any(record.number == number for record in course.records):
        records: Iterable[Record] = takewhile(lambda one: one.number != number, course.records)
    else:
        records = (record for record in course.records if record.number < number)
    return tuple(record for record in records if record.number not in course.barred)


def closings(table: RunningGame) -> tuple[Record, ...]:
    """The entries with which the moderator closed something, oldest first; nothing of what another one closed
    before the game was taken in."""
    told = adopted_until(table.journal)
    idle = {taken.number for taken in table.replay.taken if taken.refused}
    idle |= {record.number for record in table.replay.waiting}
    return tuple(
        record
        for record in standing(table.journal)
        if isinstance(record.entry, Closed) and record.number > told and record.number not in idle
    )


def votes_by_day(game: str | None) -> bool:
    """Whether a game has days on which everybody votes in the thread; None: votes alone are counted there."""
    return game is None or has_template(f"{game}/elimination")


def post_of_closing(window: str, game: str | None) -> str:
    """The kind of the post that tells everybody of a window of that kind that was closed in a game; None:
    votes alone are counted there."""
    match window.partition("-")[0]:
        case "day" if votes_by_day(game):
            return "end-of-day"
        case "night" if game is not None and has_template(f"{game}/dawn"):
            return "dawn"
        case "choosing":  # what comes before the first day tells nothing
            return "day-start"
    return "results"


def since_closing(table: RunningGame) -> Journal:
    """What happened since something was closed last, that closing included, without what waits for the next
    closing."""
    closed, waits = closings(table), {record.number for record in table.replay.waiting}
    records = tuple(record for record in standing(table.journal) if record.number not in waits)
    return tuple(dropwhile(lambda one: one != closed[-1], records)) if closed else records


def overdue(
    table: RunningGame, at: datetime, slot: SlotId | None = None, kind: str | None = None
) -> tuple[Window, datetime] | None:
    """The open window whose time was up first before an instant, and when that was; None: all are in time.

    One that is open for `slot` goes first; of a `kind`, that window alone is looked at."""
    until = table.replay.pending.until
    windows = [one for one in table.windows if kind is None or one.kind == kind]
    own = [one for one in windows if slot in one.slots]
    window = due(own, until, at) or due(windows, until, at)
    if window is None:
        return None
    return window, until.get(window.kind) or window.closes or at


def is_voted_on(window: Window) -> bool:
    """Whether everybody sees the window and players end it by votes in the thread."""
    return window.kind == "day" and not window.secret and not window.slots


def refusal_lines(refused: tuple[tuple[str, Refusal], ...]) -> Iterator[str]:
    """A sentence for each line that was not taken."""
    yield from (f"{why.code}: {why.text} (“{line}”)" for line, why in refused)


Holders = Mapping[SlotId, str]
T = TypeVar("T")


def holders(journal: Journal) -> dict[SlotId, str]:
    """Slot → who holds it now, of those that changed hands."""
    entries = (record.entry for record in standing(journal))
    return {entry.slot: entry.name for entry in entries if isinstance(entry, Replaced)}


def shown(slot: SlotId, held: Holders) -> str:
    """The holder's name, and whose slot it was where that is not the same: “Rook (was Lumen)”."""
    now = held.get(slot, slot)
    return now if now == slot else f"{now} (was {slot})"


def replaced_names(journal: Journal) -> dict[int, tuple[str, str]]:
    """By the number of each replacement that stands: who held the slot before, and who has it then."""
    held: dict[str, str] = {}
    found: dict[int, tuple[str, str]] = {}
    for record in standing(journal):
        if isinstance(record.entry, Replaced):
            slot, name = record.entry.slot, record.entry.name
            found[record.number] = (held.get(slot, slot), name)
            held[slot] = name
    return found


def former_holders(journal: Journal, slots: Iterable[SlotId]) -> tuple[str, ...]:
    """Who held one of these slots and holds none now, by name."""
    held, of_slots = holders(journal), set(slots)
    records = {record.number: record.entry for record in standing(journal)}
    now = {held.get(slot, str(slot)) for slot in of_slots}
    before = (
        old
        for number, (old, _) in replaced_names(journal).items()
        if isinstance(entry := records[number], Replaced) and entry.slot in of_slots
    )
    return tuple(dict.fromkeys(name for name in before if name not in now))


@dataclass(frozen=True, slots=True)
class RulesRoom:
    """A private topic that the rules give: who was in it at the start, and as it is `now`; who died since is
    out of it."""

    began: tuple[SlotId, ...]
    now: Room


def rooms_by_rules(table: RunningGame) -> Mapping[str, RulesRoom]:
    """The private topics that the rules give to some players, by kind; one of which nobody lives is empty."""
    first = next((step.state for step in table.replay.path if step.state is not None), table.state)
    began = {room.kind: room for room in table.game.rooms(first)}
    now = {room.kind: room for room in table.game.rooms(table.state)}
    empty = {kind: replace(room, slots=()) for kind, room in began.items()}
    return {
        kind: RulesRoom(began[kind].slots if kind in began else (), room)
        for kind, room in (empty | now).items()
    }


def text_zone(table: RunningGame) -> ZoneInfo:
    """The zone by whose clocks a game's texts tell times: that of its file."""
    zone = read_setup(table.folder).zone if (table.folder / GAME_FILE).exists() else None
    return zone or ZoneInfo("UTC")


def renamed(event: Announced, held: Holders) -> Announced:
    """The announcement with every name as it is shown now."""
    return replace(event, facts=with_holders(event.facts, held))


def with_holders(facts: T, held: Holders) -> T:
    """Facts of an event with every name as it is shown now."""
    changed: T = _renamed(facts, _shown_names(held), own_names(held)) if held else facts
    return changed


def noted_now(event: Noted, held: Holders) -> Noted:
    """A moderator's sheet with every name as it is now."""
    own = own_names(held)
    return replace(event, facts=_renamed(event.facts, own, own)) if own else event


def told_to(event: Told, slot: SlotId, held: Holders) -> Told:
    """A private text to one of its slots, with every name as it is shown now.

    Whoever holds that slot is called by their own name alone.
    """
    if not held:
        return event
    alone = {**_shown_names(held), slot: SlotId(held.get(slot, slot))}
    return replace(event, facts=_renamed(event.facts, alone, own_names(held)))


def _without_hours(table: RunningGame, event: Announced) -> Announced:
    """The announcement without `now.hours`, where the phase that it begins has a deadline of its own."""
    facts: Any = event.facts
    now: Any = getattr(facts, "now", None)
    if not getattr(now, "hours", 0):
        return event
    day, night = getattr(facts, "day", None), getattr(facts, "night", None)
    begins = f"day-{(night or 0) + 1}" if day is None else f"night-{day}"
    said = (one.entry for one in standing(table.journal))
    if any(isinstance(one, Opened | Extended) and one.window == begins and one.until for one in said):
        return replace(event, facts=replace(facts, now=replace(now, hours=0)))
    return event


def counted_by(table: RunningGame, event: Announced) -> Announced:
    """The announcement with the votes that are needed by the rule of the game file, which may be another than
    the game's own: None where the most votes decide. How many hours the next phase lasts is not said where
    the moderator gave it a deadline."""
    event = _without_hours(table, event)
    facts = event.facts
    now = getattr(facts, "now", None)
    told = isinstance(now, Alive) and now.needed is not None
    opens = isinstance(facts, Opening) and facts.needed is not None
    if not (told or opens) or not (table.folder / GAME_FILE).exists():
        return event
    rule = read_setup(table.folder).rule

    def needed(living: int, day: int) -> int | None:
        """A majority decides on each day, on none, or from a day on."""
        return rule.majority(living) if rule.hammers(day) else None

    if isinstance(facts, Opening):
        return replace(event, facts=replace(facts, needed=needed(len(facts.alive), facts.number)))
    assert isinstance(now, Alive)
    following = max((number for number, _ in closed_days(table.journal)), default=0) + 1
    counted: Any = replace(now, needed=needed(now.alive, following))
    changed: Any = facts
    return replace(event, facts=replace(changed, now=counted))


def tells_instant(facts: Any, moment: datetime) -> bool:
    """Whether facts hold that instant, at any depth."""
    match facts:
        case datetime():
            return facts == moment
        case list() | tuple():
            return any(tells_instant(one, moment) for one in facts)
        case Mapping():
            return any(tells_instant(one, moment) for one in facts.values())
        case _ if is_dataclass(facts) and not isinstance(facts, type):
            return any(tells_instant(getattr(facts, each.name), moment) for each in fields(facts))
    return False


def own_names(held: Holders) -> Mapping[SlotId, SlotId]:
    """Slot → its holder's own name, as a line says it that can be sent again."""
    return {slot: SlotId(now) for slot, now in held.items() if now != slot}


def line_now(line: str, held: Holders) -> str:
    """A line of a game with everybody as they are called now; of a typed one nothing is known."""
    return line.with_names(own_names(held)) if isinstance(line, Sentence) else line


def _shown_names(held: Holders) -> Mapping[SlotId, SlotId]:
    """Slot → its name with whose slot it was: “Rook (was Lumen)”."""
    return {slot: SlotId(shown(slot, held)) for slot in held}


def _renamed(facts: Any, alone: Mapping[SlotId, SlotId], in_words: Mapping[SlotId, SlotId]) -> Any:
    """Facts of any depth with every name as `alone` has it, and one among other words as `in_words` has it.

    Nothing is a name but a `SlotId`: a word of the game that somebody is called by stays that word.
    """
    match facts:
        case SlotId():
            return alone.get(facts, facts)
        case Sentence():
            return facts.with_names(in_words)
        case Mapping():
            return {
                _renamed(key, alone, in_words): _renamed(value, alone, in_words)
                for key, value in facts.items()
            }
        case list() | tuple():
            return type(facts)(_renamed(one, alone, in_words) for one in facts)
        case _ if is_dataclass(facts) and not isinstance(facts, type):
            mine = {each.name: getattr(facts, each.name) for each in fields(facts)}
            return replace(facts, **{name: _renamed(value, alone, in_words) for name, value in mine.items()})
    return facts


def opened_by(after: RunningGame) -> Window | None:
    """What a closing opened: of several windows the day or night, or the one that ends by time."""
    windows = after.windows
    ending = (one for one in windows if one.kind in ("day", "night") or one.closes)
    return next(ending, windows[0] if windows else None)


def begun(journal: Journal) -> bool:
    """Whether a game was begun, so that there is a table."""
    return start_of(journal) is not None
