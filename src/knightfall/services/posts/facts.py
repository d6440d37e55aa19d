"""What is known of a game when one of its posts is written: people, phases, times, final counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from knightfall.audience import View
from knightfall.config.calendar import closed_days, phases
from knightfall.engine.entries import Closed, Locked, Opened, Removed, Replaced, Revived
from knightfall.engine.game import PlayerList
from knightfall.errors import EvidenceError, InputError
from knightfall.markup.bbcode import parse_bbcode
from knightfall.markup.dialects.tree import as_given, is_block
from knightfall.markup.nodes import Break, Node, Nodes
from knightfall.sentence import SlotId, Way, joined, sentence
from knightfall.services.day.end import WhyDayEnded, count_of, without_questions
from knightfall.services.now import Now
from knightfall.services.running import replaced_names
from knightfall.votes.post_marks import present_number
from knightfall.votes.tally import LATE_REASONS
from knightfall.votes.votecount import Votecount, seen_by
from knightfall.writeups.events import in_zone
from knightfall.writeups.facts import local_time, post_facts, utc_time
from knightfall.writeups.log_line import under
from knightfall.writeups.render import Data, render_nodes


def groups(context: Now) -> list[dict[str, object]]:
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


def stations(context: Now) -> list[dict[str, Any]]:
    """{what, post} in the order of the thread, each with a link; what happened without a post is left out."""
    listed = {day.number for day in context.setup.days if day.start is not None and day.start_bound is None}
    found = [
        (day.start, f"Day {day.number}")
        for day in context.setup.days
        if day.start is not None and day.number in listed
    ]
    swaps = replaced_names(context.standing)
    for record in context.standing:
        entry = record.entry
        if not isinstance(entry, Opened | Locked | Replaced | Removed | Revived):
            continue
        post = number_of(entry, context)
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


def number_of(entry: Locked | Opened | Replaced | Removed | Revived, context: Now) -> int | None:
    """The number that the post of an entry has now; None where it names none."""
    number = post_of(entry.post)
    posts = context.posts.values() if number is not None and entry.mark is not None else ()
    return None if number is None else present_number(number, entry.mark, posts)


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


def end_of(context: Now, window: str) -> datetime | None:
    """When a phase such as “night-2” ends: by journal and game file, else by the game's own clock; None where
    nobody says."""
    by_file = phases(context.setup.days, context.standing)
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


def ending_of(context: Now, day: int) -> tuple[DayEnding | None, tuple[str, ...]]:
    """The final count of a day; None and why not, where the thread was not read or cannot be counted."""
    thread = context.thread
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


def closing(context: Now, day: int) -> datetime:
    """When the day was closed; now where it was not."""
    named = [record.at for number, record in closed_days(context.standing) if number == day]
    if named:
        return named[-1]
    # Days are closed one after the other, with or without their number.
    days = [
        record.at
        for record in context.standing
        if isinstance(record.entry, Closed) and record.entry.window.partition("-")[0] == "day"
    ]
    return days[day - 1] if day <= len(days) else context.session.clock.now()
