"""What is known of a game when one of its posts is written: people, phases, times, final counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from knightfall.config.calendar import closed_days, phases
from knightfall.config.setup import Setup
from knightfall.engine.game import Announced, Game, announced
from knightfall.engine.journal import (
    Closed,
    Journal,
    Locked,
    Opened,
    Removed,
    Replaced,
    Revived,
    Started,
    standing,
)
from knightfall.errors import EvidenceError, InputError
from knightfall.markup.bbcode import parse_bbcode
from knightfall.markup.dialects.tree import is_block
from knightfall.markup.nodes import Break, Nodes
from knightfall.models import How, Post, Slot, Thread
from knightfall.services.day_end import count_of
from knightfall.services.game_choice import game_named
from knightfall.services.game_state import RunningGame, holders, renamed, setup_of, table_of
from knightfall.services.reading import kept_thread
from knightfall.services.session import Session, journal_of
from knightfall.votes.tally import Why
from knightfall.votes.votecount import View, Votecount, seen_by
from knightfall.writeups.facts import local_time, post_facts
from knightfall.writeups.render import has_template, render_nodes

VOTES = "votes"
"""The kind of a game of which the file tells only how votes count."""

E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class PostContext:
    """`journal` holds the entries that stand; `table` is None where no game was begun; `kept` gives the
    thread of the game as it was last read, and takes its time only where a post needs it."""

    folder: Path
    setup: Setup
    journal: Journal
    session: Session
    kept: Callable[[], Thread | None]
    table: RunningGame | None = None
    stored: bool = False
    """Whether a count is of what was read before, without asking the forum."""
    """Is told of pages that a post has to read, and of days that it counts."""

    @property
    def game(self) -> Game[Any] | None:
        """The game on board that is played or will be; None where only votes are counted."""
        if self.table is not None:
            return self.table.game
        return None if self.setup.kind == VOTES else game_named(self.setup.kind)

    @property
    def title(self) -> str:
        """What the game is called."""
        return self.setup.title or (self.game.spec.name if self.game else "Mafia")

    @property
    def zone(self) -> ZoneInfo:
        """The moderator's clocks."""
        return self.setup.zone or ZoneInfo("UTC")

    @property
    def posts(self) -> Mapping[int, Post]:
        """The posts of the thread by number, as far as they were read."""
        thread = self.kept()
        return {post.number: post for post in thread.posts} if thread else {}

    @property
    def facts(self) -> Mapping[str, Any]:
        """What everybody may know of a begun game; nothing where none was begun."""
        return self.table.game.view(self.table.state, None).facts if self.table else {}

    @property
    def public(self) -> tuple[Announced, ...]:
        """All that was announced, in order."""
        return announced(self.table.replay.events) if self.table else ()

    def told(self, event: Announced) -> Mapping[str, Any]:
        """The facts of an announcement, with the names of who holds the slots now."""
        return renamed(event, holders(self.journal)).facts

    def has(self, event: str) -> bool:
        """Whether the game has posts of that kind of its own."""
        return self.game is not None and has_template(f"{self.game.spec.id}/{event}")

    @property
    def votes_by_day(self) -> bool:
        """Whether this game has days on which everybody votes in the thread."""
        return self.game is None or self.has("elimination")

    def last(self, *kinds: str) -> Announced | None:
        """The latest announcement of one of these kinds."""
        return next((event for event in reversed(self.public) if event.kind in kinds), None)

    def entries(self, kind: type[E]) -> Iterator[tuple[int, E]]:
        """The entries of this kind that stand, with their numbers, in order."""
        for record in self.journal:
            if isinstance(record.entry, kind):
                yield record.number, record.entry


def scene_of(session: Session, stored: bool = False) -> PostContext:
    """All that is known of the game of a folder. Raises SetupError for a bad game file, and what reading the
    journal raises."""
    setup, journal = setup_of(session), standing(journal_of(session))
    begun = any(isinstance(record.entry, Started) for record in journal)
    table = table_of(session) if begun else None
    kept = cache(partial(kept_thread, setup, session))
    return PostContext(session.folder, setup, journal, session, kept, table, stored)


@dataclass(frozen=True, slots=True)
class Gone:
    """Who is dead: the role that was shown ("" where none was), how it came and when, in words."""

    slot: str
    role: str
    how: str
    when: str

    @property
    def note(self) -> str:
        """“Town Cop, eliminated, day 1”."""
        return ", ".join(word for word in (self.role, self.how, self.when) if word)


def slots(scene: PostContext) -> tuple[str, ...]:
    """All who were ever dealt in, in the order of the list; the names that they signed up with."""
    for _, started in scene.entries(Started):
        return started.slots
    return tuple(signed_up(slot) for slot in _listed(scene))


def living(scene: PostContext) -> tuple[str, ...]:
    """Who is alive."""
    if "alive" in scene.facts:
        alive = set(scene.facts["alive"])
        return tuple(slot for slot in slots(scene) if slot in alive)
    gone = {one.slot for one in dead(scene)}
    return tuple(slot for slot in slots(scene) if slot not in gone)


def dead(scene: PostContext) -> tuple[Gone, ...]:
    """Who is dead, first those who died first."""
    if scene.table is not None:
        rows = scene.facts.get("dead", ())
        return tuple(Gone(row["name"], row["role"], row["how"], row["when"]) for row in rows)
    return tuple(_left(scene))


def holder(scene: PostContext, slot: str) -> str:
    """Who holds a slot now."""
    said = [entry.name for _, entry in scene.entries(Replaced) if entry.slot == slot]
    roster = scene.setup.roster
    known = roster.slot_of(slot) if roster else None
    return said[-1] if said else known.name if known else slot


def shown(scene: PostContext, slot: str) -> str:
    """The holder's name, and whose slot it was where that is not the same: “Rook (was Lumen)”."""
    now = holder(scene, slot)
    return now if now == slot else f"{now} (was {slot})"


def groups(scene: PostContext) -> list[dict[str, object]]:
    """The player lists of a post: {title, people: [{name, note}]}; empty ones are left out."""
    lists = _of_game(scene) or _living_and_dead(scene)
    return [{"title": title, "people": people} for title, people in lists.items() if people]


def _living_and_dead(scene: PostContext) -> dict[str, list[dict[str, str]]]:
    alive = "Alive" if dead(scene) or scene.votes_by_day else "Players"
    return {
        alive: [_row(scene, slot) for slot in living(scene)],
        "Dead": [_row(scene, one.slot, one.note) for one in dead(scene)],
    }


def _of_game(scene: PostContext) -> dict[str, list[dict[str, str]]]:
    """The lists of games whose players do not simply live or die."""
    facts: Mapping[str, Any] = scene.facts
    if "court" in facts:
        rows = {"Outside the court": "outside", "In the court": "court", "Removed": "removed"}
        return {title: [_row(scene, slot) for slot in facts[key]] for title, key in rows.items()}
    if "knights" in facts:
        knights = facts["knights"]
        return {
            "Standing": [_row(scene, one["name"]) for one in knights if not one["left"]],
            "Fallen": [_row(scene, one["name"], _fell(one)) for one in knights if one["left"]],
        }
    return {}


def _fell(knight: Mapping[str, Any]) -> str:
    within = f", round {knight['round']}" if knight["left"] == "felled" else ""
    return f"{knight['left']}, turn {knight['turn']}{within}"


def _row(scene: PostContext, slot: str, note: str = "") -> dict[str, str]:
    return {"name": shown(scene, slot), "note": note}


def _left(scene: PostContext) -> Iterator[Gone]:
    """Of a thread whose game is run by hand: who fell on a closed day, or left by file and journal."""
    by_day = {name: day for day, name in scene.setup.fallen}
    for slot in _listed(scene):
        day = next((by_day[name] for name in slot.names if name in by_day), None)
        role = next((scene.setup.roles[name] for name in slot.names if name in scene.setup.roles), "")
        how = _how(scene, slot)
        if day is not None and not slot.back:
            yield Gone(signed_up(slot), role, How.ELIMINATED.value, f"day {day}")
        elif how is not None:
            yield Gone(signed_up(slot), role, how.value, f"post {slot.left.post}" if slot.left else "")


def _how(scene: PostContext, slot: Slot) -> How | None:
    """How a slot left; None while it plays. What names no post yet is only in the list of changes."""
    said = [one for one in scene.setup.changes if one.slot in slot.names and not one.name]
    if said and said[-1].post is None:
        return said[-1].how
    return slot.left.how if slot.left else None


def signed_up(slot: Slot) -> str:
    """Who held it first."""
    return slot.names[-1]


def _listed(scene: PostContext) -> tuple[Slot, ...]:
    return scene.setup.roster.slots if scene.setup.roster else ()


_WORDS = {"modkill": "removed", "kill": "killed"}


def stations(scene: PostContext) -> list[dict[str, Any]]:
    """{what, post} in the order of the thread, each with a link; what happened without a post is left out."""
    found = dict.fromkeys(sorted((*_of_file(scene), *_of_journal(scene))))
    return [{"what": what, "post": post_facts(post, scene.posts)} for post, what in found]


def post_of(written: str | None) -> int | None:
    """The number of a post as an entry writes it; None where it names none."""
    said = (written or "").strip().removeprefix("#")
    return int(said) if said.isdecimal() else None


def phase_name(window: str) -> str:
    """“Day 2” for `day-2`."""
    return window.replace("-", " ").replace("_", " ").capitalize()


def _of_file(scene: PostContext) -> Iterator[tuple[int, str]]:
    for day in scene.setup.days:
        if day.start is not None:
            yield day.start, f"Day {day.number}"


def _of_journal(scene: PostContext) -> Iterator[tuple[int, str]]:
    for record in scene.journal:
        entry = record.entry
        if isinstance(entry, Opened | Locked | Replaced | Removed | Revived):
            post = post_of(entry.post)
            if post is not None:
                yield post, _said(scene, entry)


def _said(scene: PostContext, entry: Opened | Locked | Replaced | Removed | Revived) -> str:
    match entry:
        case Opened(window=window):
            return phase_name(window)
        case Locked(window=window):
            return f"{phase_name(window)} locked"
        case Replaced(slot=slot, name=name):
            return f"{name} for {slot}"
        case Removed(slot=slot, how=how):
            return f"{holder(scene, slot)} {_WORDS.get(how, how)}"
        case Revived(slot=slot):
            return f"{holder(scene, slot)} back in the game"


def until_facts(moment: datetime | None, zone: ZoneInfo) -> dict[str, object] | None:
    """{countdown, local, utc} for `any/moment`, `utc` "" where that is the same; None for no moment."""
    if moment is None:
        return None
    return {
        "countdown": {"instant": moment.isoformat(), "zone": zone.key},
        "local": local_time(moment, zone),
        "utc": f"{moment.astimezone(UTC):%a %d %b %H:%M} UTC" if moment.astimezone(zone).utcoffset() else "",
    }


def end_of(scene: PostContext, kind: str, number: int) -> datetime | None:
    """When day or night of that number ends: by journal and game file, else by the game's own clock; None
    where nobody says."""
    window = f"{kind}-{number}"
    known = next((phase for phase in phases(scene.setup.days, scene.journal) if phase.window == window), None)
    return (known.deadline if known else None) or _end_by_the_game(scene, window)


def _end_by_the_game(scene: PostContext, window: str) -> datetime | None:
    """When the phase ends that the game itself has open under that name."""
    open_ = scene.table.windows if scene.table else ()
    return next((one.closes for one in open_ if one.title.casefold().replace(" ", "-") == window), None)


Facts = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Section:
    """What stands between two blank lines of a post: a template such as `any/note`, and its facts."""

    template: str
    facts: Facts


@dataclass(frozen=True, slots=True)
class Made:
    """A post before it is written in a dialect; `remarks` tell the moderator what could not stand in it.
    `upto` is the last post of the thread that it counts, where it counts any; `name` is what the journal
    calls it, where that is more than its kind."""

    sections: tuple[Section | Nodes, ...]
    remarks: tuple[str, ...] = ()
    upto: int | None = None
    name: str = ""


def post_nodes(made: Made, flavour: str = "") -> Nodes:
    """The whole post; `flavour`, in our BBCode, is a tree of its own before it: what it leaves open reaches
    nothing else."""
    parts = (parse_bbcode(flavour.strip()), *map(_nodes, made.sections))
    return _apart([part for part in parts if part])


def _nodes(section: Section | Nodes) -> Nodes:
    return render_nodes(section.template, section.facts) if isinstance(section, Section) else section


def _apart(parts: Sequence[Nodes]) -> Nodes:
    """The parts with a blank line between them."""
    first, *rest = parts
    gaps = (_gap(before) for before in parts)
    return (*first, *chain.from_iterable((*gap, *part) for gap, part in zip(gaps, rest, strict=False)))


def _gap(before: Nodes) -> Nodes:
    """A block ends its line by itself."""
    return (Break(),) if is_block(before[-1]) else (Break(), Break())


TOO_LATE = frozenset({Why.AFTER_HAMMER, Why.LATE})
"""Votes that came after the end: of the vote, or of the day."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The count with which a day ended, as players may see it, and the posts whose votes came too late."""

    count: Votecount
    void: tuple[int, ...]


def ending_of(scene: PostContext, day: int) -> tuple[Ending | None, tuple[str, ...]]:
    """The final count of a day; None and why not, where the thread was not read or cannot be counted."""
    thread = scene.kept()
    if thread is None:
        return None, ("It has no final count: nothing of the game's thread was read (knightfall read).",)
    try:
        count = seen_by(View.PUBLIC, count_of(scene.setup, thread, day, closing(scene, day)))
    except (EvidenceError, InputError) as fault:
        return None, (f"It has no final count: {fault}",)
    late = (missed.post for missed in count.tally.not_counted if missed.why in TOO_LATE)
    return Ending(count, tuple(dict.fromkeys(late))), ()


def closing(scene: PostContext, day: int) -> datetime:
    """When the day was closed; now where it was not."""
    named = [record.at for number, record in closed_days(scene.journal) if number == day]
    days = [record.at for record in scene.journal if _closes_day(record.entry)]
    return named[-1] if named else days[day - 1] if day <= len(days) else scene.session.clock.now()


def _closes_day(entry: object) -> bool:
    """Days are closed one after the other, with or without their number."""
    return isinstance(entry, Closed) and entry.window.partition("-")[0] == "day"
