"""What is known of a game when one of its posts is written: people, phases, times, final counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from knightfall.audience import View
from knightfall.config.calendar import closed_days, day_of, phases
from knightfall.config.setup import Setup
from knightfall.engine.entries import Closed, Locked, Opened, Removed, Replaced, Revived, Started
from knightfall.engine.game import Announced, DeadPlayer, Facts, Game, PlayerList, announced
from knightfall.engine.journal import Journal, standing, window_name
from knightfall.errors import EvidenceError, InputError
from knightfall.markup.bbcode import parse_bbcode
from knightfall.markup.dialects.tree import as_given, is_block
from knightfall.markup.nodes import Break, Node, Nodes
from knightfall.models import DepartureKind, Post, Slot, Thread
from knightfall.sentence import SlotId, Way, joined, sentence
from knightfall.services.day.end import WhyDayEnded, count_of, without_questions
from knightfall.services.games import game_named
from knightfall.services.now import now_of
from knightfall.services.running import (
    RunningGame,
    counted_by,
    holders,
    renamed,
    replaced_names,
    votes_by_day,
)
from knightfall.services.session import Session, journal_of
from knightfall.services.threads import kept_thread
from knightfall.votes.post_marks import present_number
from knightfall.votes.tally import LATE_REASONS
from knightfall.votes.votecount import Votecount, seen_by
from knightfall.writeups.events import in_zone
from knightfall.writeups.facts import local_time, post_facts, utc_time
from knightfall.writeups.log_line import under
from knightfall.writeups.render import Data, has_template, render_nodes

VOTES = "votes"
"""The kind of a game of which the file tells only how votes count."""

E = TypeVar("E")
F = TypeVar("F", bound=Facts)


@dataclass(frozen=True, slots=True)
class PostContext:
    """The game whose post is written.

    `journal` holds the entries that stand; `kept` gives the thread of the game as it was last read, and takes
    its time only where a post needs it; `table` is None where no game was begun; `stored`: a count is of what
    was read before, without asking the forum.
    """

    setup: Setup
    journal: Journal
    session: Session
    kept: Callable[[], Thread | None]
    table: RunningGame | None = None
    stored: bool = False

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
    def zone(self) -> ZoneInfo:
        """The moderator's clocks."""
        return self.setup.zone or ZoneInfo("UTC")

    @property
    def posts(self) -> Mapping[int, Post]:
        """The posts of the thread by number, as far as they were read."""
        thread = self.kept()
        return {post.number: post for post in thread.posts} if thread else {}

    def number_of(self, entry: Locked | Opened | Replaced | Removed | Revived) -> int | None:
        """The number that the post of an entry has now; None where it names none."""
        number = post_of(entry.post)
        posts = self.posts.values() if number is not None and entry.mark is not None else ()
        return None if number is None else present_number(number, entry.mark, posts)

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
        return renamed(event, holders(self.journal)).facts

    def has(self, event: str) -> bool:
        """Whether the game has posts of that kind of its own."""
        return self.game is not None and has_template(f"{self.game.spec.id}/{event}")

    @property
    def votes_by_day(self) -> bool:
        """Whether this game has days on which everybody votes in the thread."""
        return votes_by_day(self.game.spec.id if self.game else None)

    def entries(self, kind: type[E]) -> Iterator[tuple[int, E]]:
        """The entries of this kind that stand, with their numbers, in order."""
        for record in self.journal:
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


def post_context(session: Session, stored: bool = False) -> PostContext:
    """All that is known of the game of a session. Raises SetupError for a bad game file, and what reading the
    journal raises."""
    setup, journal = now_of(session).setup, standing(journal_of(session))
    table = now_of(session).table
    return PostContext(setup, journal, session, cache(partial(kept_thread, setup, session)), table, stored)


def signed_up(slot: Slot) -> str:
    """Who held a slot first."""
    return slot.names[-1]


def _left(context: PostContext) -> Iterator[DeadPlayer]:
    """Of a thread whose game is run by hand: who fell on a closed day, or left by file and journal."""
    by_day = {name: day for day, name in context.setup.fallen}
    for slot in context.listed:
        day = next((by_day[name] for name in slot.names if name in by_day), None)
        role = next((context.setup.roles[name] for name in slot.names if name in context.setup.roles), "")
        # What names no post yet is only in the list of changes.
        changes = [one for one in context.setup.changes if one.slot in slot.names and not one.name]
        unposted = bool(changes) and changes[-1].post is None
        how = changes[-1].how if unposted else slot.left.how if slot.left else None
        if day is not None and not slot.back:
            yield DeadPlayer(SlotId(signed_up(slot)), role, DepartureKind.ELIMINATED.value, f"day {day}")
        elif how is not None:
            when = f"post {slot.left.post}" if slot.left else ""
            yield DeadPlayer(SlotId(signed_up(slot)), role, how.value, when)


def groups(context: PostContext) -> list[dict[str, object]]:
    """The player lists of a post: {title, people: [{name, note}]}; empty ones are left out."""
    if context.table is not None:
        lists = context.table.game.player_lists(context.table.state)
    else:
        alive = "Alive" if context.dead or context.votes_by_day else "Players"
        lists = (
            PlayerList(alive, tuple((SlotId(slot), "") for slot in context.living)),
            PlayerList("Dead", tuple((one.slot, one.note) for one in context.dead)),
        )
    return [
        {
            "title": one.title,
            "people": [{"name": context.shown(slot), "note": note} for slot, note in one.people],
        }
        for one in lists
        if one.people
    ]


_LEFT_AS = {"modkill": "removed", "kill": "killed"}


def stations(context: PostContext) -> list[dict[str, Any]]:
    """{what, post} in the order of the thread, each with a link; what happened without a post is left out."""
    listed = {day.number for day in context.setup.days if day.start is not None and day.start_bound is None}
    found = [
        (day.start, f"Day {day.number}")
        for day in context.setup.days
        if day.start is not None and day.number in listed
    ]
    swaps = replaced_names(context.journal)
    for record in context.journal:
        entry = record.entry
        if not isinstance(entry, Opened | Locked | Replaced | Removed | Revived):
            continue
        post = context.number_of(entry)
        if post is None:
            continue
        match entry:
            case Opened(window=window):
                what = phase_name(window)
            case Locked(window=window):
                what = f"{phase_name(window)} locked"
            case Replaced():
                left, came = swaps[record.number]
                what = sentence("{came} for {left}", came=SlotId(came), left=SlotId(left))
            case Removed(slot=slot, how=how):
                what = joined(" ", (context.holder(slot), _LEFT_AS.get(how, how)))
            case Revived(slot=slot):
                what = joined(" ", (context.holder(slot), "back in the game"))
        found.append((post, what))
    posts = context.posts
    return [{"what": what, "post": post_facts(post, posts)} for post, what in dict.fromkeys(sorted(found))]


def post_of(written: str | None) -> int | None:
    """The number of a post as an entry writes it; None where it names none."""
    said = (written or "").strip().removeprefix("#")
    return int(said) if said.isdecimal() else None


def phase_name(window: str) -> str:
    """“Day 2” for `day-2`."""
    return window.replace("-", " ").replace("_", " ").capitalize()


def until_facts(moment: datetime | None, zone: ZoneInfo) -> dict[str, object] | None:
    """{countdown, local, utc} for `any/moment`, `utc` "" where that is the same; None for no moment."""
    if moment is None:
        return None
    return {
        "countdown": {"instant": moment.isoformat(), "zone": zone.key},
        "local": local_time(moment, zone),
        "utc": utc_time(moment) if moment.astimezone(zone).utcoffset() else "",
    }


def end_of(context: PostContext, window: str) -> datetime | None:
    """When a phase such as “night-2” ends: by journal and game file, else by the game's own clock; None where
    nobody says."""
    by_file = phases(context.setup.days, context.journal)
    known = next((phase for phase in by_file if phase.window == window), None)
    if known and known.deadline:
        return known.deadline
    open_ = context.table.windows if context.table else ()
    return next((one.closes for one in open_ if one.title.casefold().replace(" ", "-") == window), None)


@dataclass(frozen=True, slots=True)
class Section:
    """What stands between two blank lines of a post: a template such as `any/note`, and its facts."""

    template: str
    facts: Data


@dataclass(frozen=True, slots=True)
class PostContent:
    """A post before it is written in a dialect; `remarks` tell the moderator what could not stand in it.
    `upto` is the last post of the thread that it counts, where it counts any; `name` is what the journal
    calls it, where that is more than its kind."""

    sections: tuple[Section | Nodes, ...]
    remarks: tuple[str, ...] = ()
    upto: int | None = None
    name: str = ""


def post_nodes(
    content: PostContent, flavour: str = "", zone: ZoneInfo | None = None, line: str = ""
) -> Nodes:
    """The whole post, a blank line between its parts; `flavour`, in our BBCode, is a tree of its own before
    it: what it leaves open reaches nothing else. `zone`: by which clocks it tells its deadlines. `line`: the
    head of the log under it."""
    sections = (
        render_nodes(one.template, one.facts) if isinstance(one, Section) else one for one in content.sections
    )
    found: list[Node] = []
    for part in (as_given(parse_bbcode(flavour.strip())), *sections):
        if part and found:  # a block ends its line by itself
            found += (Break(),) if is_block(found[-1]) else (Break(), Break())
        found += part
    return under(in_zone(tuple(found), zone), line)


@dataclass(frozen=True, slots=True)
class DayEnding:
    """The count with which a day ended, as players may see it, and the posts whose votes came too late."""

    count: Votecount
    void: tuple[int, ...]


def ending_of(context: PostContext, day: int) -> tuple[DayEnding | None, tuple[str, ...]]:
    """The final count of a day; None and why not, where the thread was not read or cannot be counted."""
    thread = context.kept()
    if thread is None:
        return None, (
            sentence(
                "It has no final votecount: no posts of the game's thread have been read. To read them: "
                "{read}",
                read=Way("read"),
            ),
        )
    try:
        count = seen_by(View.PUBLIC, count_of(context.setup, thread, day, closing(context, day)))
    except (EvidenceError, InputError) as fault:
        return None, (sentence("It has no final votecount: {fault}", fault=fault),)
    return DayEnding(without_questions(count), late_posts(count)), ()


def late_posts(count: Votecount) -> tuple[int, ...]:
    """The posts whose votes came too late to count."""
    return tuple(dict.fromkeys(one.post for one in count.not_counted if one.why in LATE_REASONS))


def voting_over(
    day: int, ending: DayEnding | None, locked: Mapping[str, Any] | None, why: WhyDayEnded | None
) -> Section:
    """The head of the post that ends the vote of a day: what decided it, and what came too late. `locked` is
    the post after which the thread was locked; `why` None: not known, or not decided yet."""
    hammer = ending.count.tally.hammer if ending else None
    facts: dict[str, object] = {
        "day": day,
        "locked": locked,
        "hammer": {
            "by": SlotId(hammer.voter.name) if hammer.voter else None,
            "post": post_facts(hammer.post, ending.count.posts),
        }
        if ending and hammer
        else None,
        "why": why,
        "void": [post_facts(post, ending.count.posts) for post in ending.void] if ending else [],
    }
    return Section("any/end-of-day", facts)


def closing(context: PostContext, day: int) -> datetime:
    """When the day was closed; now where it was not."""
    named = [record.at for number, record in closed_days(context.journal) if number == day]
    if named:
        return named[-1]
    # Days are closed one after the other, with or without their number.
    days = [
        record.at
        for record in context.journal
        if isinstance(record.entry, Closed) and record.entry.window.partition("-")[0] == "day"
    ]
    return days[day - 1] if day <= len(days) else context.session.clock.now()
