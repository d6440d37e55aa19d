"""Who posts how much, who is silent since when, who is due a prod, and the reminders to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from textwrap import fill
from typing import Any
from zoneinfo import ZoneInfo

from tabulate import tabulate

from knightfall.config.setup import Setup
from knightfall.engine.game import Facts, Told
from knightfall.engine.journal import Journal
from knightfall.engine.json_text import as_object
from knightfall.engine.prods import Pauses, Prod, ProdRule, Standing, State, standing
from knightfall.errors import InputError, TimeError
from knightfall.markup.dialects import dialect
from knightfall.models import Holder, Post, Slot, Thread
from knightfall.services.count_request import CountRequest, thread_asked
from knightfall.services.game_state import begun, setup_of, table_of
from knightfall.services.guard import released
from knightfall.services.pms import PROD, Pm, PmBatch, shuffled, slot_id
from knightfall.services.publish import PRIVATE_FOLDER, safe_name
from knightfall.services.reading import Link, Source, habits_of
from knightfall.services.session import Say, Session, journal_of, parse_at
from knightfall.storage.drafts import write_draft
from knightfall.votes.config import Ask
from knightfall.votes.count import standing_on
from knightfall.votes.tally import Day
from knightfall.writeups.events import private_message
from knightfall.writeups.facts import local_time
from knightfall.writeups.render import render


@dataclass(frozen=True, slots=True)
class Row:
    """A living slot by the name of its holder: posts per day as in `Activity.days`, his last post (None where
    the present holder has none) and how he stands; `approximate` where a time behind it is."""

    name: str
    posts: tuple[int, ...]
    last: Post | None
    standing: Standing
    approximate: bool

    @property
    def total(self) -> int:
        """The posts of all days."""
        return sum(self.posts)


@dataclass(frozen=True, slots=True)
class Activity:
    """The living slots in list order as of `now` (None: post `at` has no time)."""

    title: str
    at: Post
    now: datetime | None
    zone: ZoneInfo
    rule: ProdRule
    days: tuple[int, ...]
    rows: tuple[Row, ...]
    told: tuple[str, ...] = ()
    """What was assumed, one sentence each."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was posted up to the moment that is asked for, and what the game says about it."""

    posts: tuple[Post, ...]
    authors: Mapping[str, Sequence[Post]]
    days: tuple[Day, ...]
    moderators: frozenset[str]
    now: datetime | None
    approximate: bool
    setup: Setup
    zone: ZoneInfo

    @property
    def until(self) -> int:
        return self.posts[-1].number

    @property
    def start(self) -> int:
        return min(day.start for day in self.days)

    def by(self, slot: Slot) -> list[Post]:
        """What was posted from the first day on under any name of the slot."""
        names, start = {name.casefold() for name in slot.names}, self.start
        own = (post for name in names for post in self.authors.get(name, ()) if post.number >= start)
        return sorted(own, key=lambda post: post.number)

    def pauses(self, slot: Slot) -> Pauses:
        absences = [one for name, announced in self.setup.v_la if name in slot.names for one in announced]
        return Pauses(self.zone, self.setup.prods.skip_weekends, tuple(absences))

    def first_from(self, number: int) -> Post | None:
        return next((post for post in self.posts if post.number >= number), None)


def activity(wanted: CountRequest, session: Session, prods: tuple[Prod, ...] = ()) -> Activity:
    """The activity that is asked for. Raises what counting raises, and TimeError where the game's rule speaks
    of days and the file names no zone."""
    filed, source, thread = thread_asked(wanted, session)
    setup = filed or Setup("no game file")
    ask = parse_at(wanted.at, setup.zone)
    found = measured(thread, setup, ask, session.clock.now(), prods)
    return replace(found, told=(*found.told, *_stale(source, ask, found, thread)))


def due_names(found: Activity) -> tuple[str, ...]:
    """Who is due a prod, in list order."""
    return tuple(row.name for row in found.rows if row.standing.state is State.DUE)


def measured(
    thread: Thread, setup: Setup, ask: Ask, clock: datetime, prods: tuple[Prod, ...] = ()
) -> Activity:
    """The activity in a thread that was read; `clock` is now. Raises as `activity` does."""
    _refuse_apart(setup)
    zone = _zone(setup)
    days, basis = standing_on(thread, habits_of(thread), setup, ask)
    posts = _posted(thread.posts, ask)
    now, approximate = _moment(posts[-1], ask, clock)
    seen = _Seen(posts, _by_author(posts), days, basis.moderators, now, approximate, setup, zone)
    living = basis.roster.alive_at(seen.until)
    return Activity(
        title=setup.title or thread.title,
        at=seen.posts[-1],
        now=seen.now,
        zone=zone,
        rule=setup.prods,
        days=tuple(day.number for day in seen.days),
        rows=tuple(
            _row(slot, seen, tuple(dict.fromkeys((*setup.prodded, *prods))))
            for slot in living
            if not _moderates(slot, seen)
        ),
        told=basis.assumed,
    )


def _refuse_apart(setup: Setup) -> None:
    """Who only votes in the thread of the votes is not silent."""
    if setup.votes_apart:
        raise InputError(
            f"{setup.source}: votes are counted in a thread of their own, and its posts tell nothing of who "
            "talks in the game thread. Silence cannot be told for this game; look there by eye."
        )


def _zone(setup: Setup) -> ZoneInfo:
    """The game's zone; UTC will do where no day matters."""
    if setup.zone is None and (setup.prods.skip_weekends or setup.v_la):
        raise TimeError(
            f"{setup.source}: weekends and v_la are days, and the game has no zone. Set timezone in [game], "
            "for example “America/New_York”."
        )
    return setup.zone or ZoneInfo("UTC")


def _stale(source: Source, ask: Ask, found: Activity, thread: Thread) -> tuple[str, ...]:
    """A warning where silence is told up to a moment after the last post that was read."""
    last = thread.posts[-1].number
    if isinstance(source, Link) or ask.at_post is not None or found.at.number < last:
        return ()
    return (
        f"The forum was not asked: what came after post {last} is not seen here, and counts as silence. "
        f"--at {last} tells it as of that post.",
    )


def _moment(last: Post, ask: Ask, clock: datetime) -> tuple[datetime | None, bool]:
    """Up to when silence is told, and whether that is only about so: as of a post, when it was made."""
    return (last.time, last.approximate) if ask.at_post is not None else (ask.at_time or clock, False)


def _by_author(posts: Iterable[Post]) -> dict[str, list[Post]]:
    """Name in lower case → its posts, in order."""
    found: dict[str, list[Post]] = {}
    for post in posts:
        found.setdefault(post.author.casefold(), []).append(post)
    return found


def _posted(posts: tuple[Post, ...], ask: Ask) -> tuple[Post, ...]:
    """The posts up to what is asked; as of a time also those without one that may have been in time."""
    if ask.at_post is not None:
        return tuple(post for post in posts if post.number <= ask.at_post)
    if ask.at_time is None:
        return posts
    timed = [(post.number, post.time) for post in posts if post.time is not None]
    last = max(number for number, time in timed if time <= ask.at_time)
    later = min((number for number, _ in timed if number > last), default=posts[-1].number + 1)
    return tuple(post for post in posts if post.number < later)


def _moderates(slot: Slot, seen: _Seen) -> bool:
    return _holder(slot, seen.until).name.casefold() in seen.moderators


def _row(slot: Slot, seen: _Seen, prods: tuple[Prod, ...]) -> Row:
    holder = _holder(slot, seen.until)
    own = [post for post in seen.by(slot) if _is_of(post, slot)]
    last = next((post for post in reversed(own) if post.number >= holder.from_post), None)
    clock = last or seen.first_from(max(holder.from_post, seen.start))
    since = clock.time if clock else None
    sent = tuple(prod.at for prod in prods if prod.player == holder.name)
    return Row(
        name=holder.name,
        posts=tuple(_per_day(own, seen.days)),
        last=last,
        standing=standing(since, seen.now, seen.setup.prods, seen.pauses(slot), sent),
        approximate=clock is not None and (clock.approximate or seen.approximate),
    )


def _holder(slot: Slot, until: int) -> Holder:
    """Who holds the slot as of that post, and since when."""
    return next((one for one in reversed(slot.holders) if one.from_post <= until), slot.holders[0])


def _is_of(post: Post, slot: Slot) -> bool:
    """Whether it was written by who held the slot then; a handover whose post is not known limits nobody."""
    ends = [later.from_post or None for later in slot.holders[1:]] + [None]
    return not post.hidden and any(
        holder.name.casefold() == post.author.casefold()
        and holder.from_post <= post.number
        and (end is None or post.number < end)
        for holder, end in zip(slot.holders, ends, strict=True)
    )


def _per_day(posts: Sequence[Post], days: Sequence[Day]) -> Iterator[int]:
    """How many of the posts stand in each day; the night belongs to the day before it."""
    for day in days:
        later = min((other.start for other in days if other.start > day.start), default=None)
        yield sum(day.start <= post.number and (later is None or post.number < later) for post in posts)


WIDTH = 80
NAME = 12
_HOUR = timedelta(hours=1)
NO_RULE = "No rule says when a prod is due: set prod_after in [rules] of game.toml, for example “48h”."


def run(wanted: CountRequest, session: Session, out: Say, err: Say) -> None:
    """Prints the activity, or the post of prods where a dialect is named. Raises what counting raises."""
    writer = dialect(wanted.dialect).name if wanted.dialect else None
    found = activity(wanted, session)
    for sentence in (*found.told, *_left_out(found)):
        err(sentence)
    if wanted.as_json:
        out(as_object(activity_values(found)))
    else:
        post = released(as_post(found, writer), session, wanted.allow) if writer else ""
        out(post or as_text(found))


def as_text(found: Activity) -> str:
    """A heading, the rule and a table of at most 80 columns: who is due first, then who is silent longest.
    Where the days do not fit, the earlier ones stand in one column."""
    tables = (_table(found, folded) for folded in range(len(found.days) + 2))
    narrow = next((table for table in tables if _width(table) <= WIDTH), _table(found, len(found.days) + 1))
    return "\n".join([_heading(found), fill(rule_sentence(found.rule), WIDTH), "", narrow])


def activity_values(found: Activity) -> dict[str, Any]:
    """The same with every day, in the same order; hours that count, times in UTC, days in the game's zone."""
    return {
        "title": found.title,
        "at": {"post": found.at.number, "time": _iso(found.now)},
        "timezone": found.zone.key,
        "rule": _rule_json(found.rule),
        "assumed": list(found.told),
        "slots": [_row_json(row, found) for row in _sorted(found)],
    }


def as_post(found: Activity, writer: str) -> str:
    """The public post: how many are due a prod and who, in list order; nothing tells why or since when.

    Raises InputError where no rule says when a prod is due.
    """
    if found.rule.after is None:
        raise InputError(f"There is no list of prods. {NO_RULE}")
    return render("any/prods", {"names": due_names(found)}, writer)


def rule_sentence(rule: ProdRule) -> str:
    """The rule in words."""
    said = [f"A prod is due after {_hours(rule.after)} of silence" if rule.after else NO_RULE.rstrip(".")]
    said += [f"again {_hours(rule.grace)} after a prod"] if rule.after and rule.grace else []
    said += [f"at most {rule.most} for each player"] if rule.after and rule.most else []
    said += ["Saturdays and Sundays do not count"] if rule.skip_weekends else []
    return f"{'; '.join(said)}."


def _left_out(found: Activity) -> Iterator[str]:
    """Whose silence cannot be told: he is never in the list of prods."""
    unknown = [row.name for row in found.rows if row.standing.state is State.UNKNOWN]
    if unknown:
        yield f"No time of the last post, so nothing is said about a prod: {', '.join(unknown)}."


def _heading(found: Activity) -> str:
    when = local_time(found.now, found.zone) if found.now else "at an unknown time"
    return f"Activity to post {found.at.number}, {when} ({found.zone.key})."


def _sorted(found: Activity) -> list[Row]:
    """Who is due first, then who is silent longest; who is not known last."""

    def place(row: Row) -> tuple[bool, float]:
        silent = row.standing.silent
        return row.standing.state is not State.DUE, 1.0 if silent is None else -silent / _HOUR

    return sorted(found.rows, key=place)


def _width(table: str) -> int:
    return max(map(len, table.splitlines()), default=0)


def _table(found: Activity, folded: int) -> str:
    """The table with so many of the earlier days in one column; one more than there are: no day at all."""
    heads = ("player", *_day_heads(found.days, folded), "all", "last post", "silent", "state")
    rows = [
        (
            _short(row.name),
            *_day_cells(row.posts, folded),
            row.total,
            _last(row, found),
            _silent(row),
            _state(row, found),
        )
        for row in _sorted(found)
    ]
    align = _alignment(len(heads))
    return tabulate([heads, *rows], tablefmt="plain", disable_numparse=True, colalign=align)


def _alignment(columns: int) -> tuple[str, ...]:
    """Numbers to the right, words to the left."""
    return ("left", *["right"] * (columns - 4), "left", "right", "left")


def _day_heads(days: tuple[int, ...], folded: int) -> Iterator[str]:
    if folded > len(days):
        return
    if folded:
        yield f"D{days[0]}–{days[folded - 1]}" if folded > 1 else f"D{days[0]}"
    yield from (f"D{day}" for day in days[folded:])


def _day_cells(posts: tuple[int, ...], folded: int) -> Iterator[int]:
    if folded > len(posts):
        return
    if folded:
        yield sum(posts[:folded])
    yield from posts[folded:]


def _short(name: str) -> str:
    return name if len(name) <= NAME else f"{name[: NAME - 1]}…"


def _last(row: Row, found: Activity) -> str:
    if row.last is None:
        return "none"
    about = "~" if row.last.time and row.last.approximate else ""
    return f"#{row.last.number} {_local(row.last.time, found)}{about}"


def _silent(row: Row) -> str:
    silent = row.standing.silent
    return "unknown" if silent is None else f"{silent // _HOUR}h{'~' * row.approximate}"


def _state(row: Row, found: Activity) -> str:
    at = row.standing
    about = "~" * row.approximate
    match at.state:
        case State.DUE:
            return f"due since {_local(at.since, found)}{about}"
        case State.PRODDED:
            count = f"{at.prods} of {found.rule.most}" if found.rule.most else str(at.prods)
            return f"prods used up ({count})" if at.since else f"prodded {count}"
        case State.ABSENT:
            return f"absent until {at.until:%d %b}"
        case State.UNKNOWN:
            return "unknown: no time"
        case State.NO_RULE:
            return ""
    return "fine"


def _local(moment: datetime | None, found: Activity) -> str:
    return f"{moment.astimezone(found.zone):%d %b %H:%M}" if moment else "unknown"


def _hours(span: timedelta | None) -> str:
    return "no limit" if span is None else f"{span / _HOUR:g} hours"


def _rule_json(rule: ProdRule) -> dict[str, Any] | None:
    if rule.after is None:
        return None
    return {
        "after_hours": rule.after / _HOUR,
        "grace_hours": rule.grace / _HOUR if rule.grace else None,
        "most": rule.most,
        "weekends": "skip" if rule.skip_weekends else "count",
    }


def _row_json(row: Row, found: Activity) -> dict[str, Any]:
    at = row.standing
    return {
        "slot": row.name,
        "posts": [{"day": day, "posts": posts} for day, posts in zip(found.days, row.posts, strict=True)],
        "total": row.total,
        "last": _last_json(row),
        "silent_hours": None if at.silent is None else round(at.silent / _HOUR, 3),
        "approximate": row.approximate,
        "state": at.state.value,
        "since": _iso(at.since),
        "until": at.until.isoformat() if at.until else None,
        "prods": at.prods,
    }


def _last_json(row: Row) -> dict[str, Any] | None:
    last = row.last
    return None if last is None else {"post": last.number, "time": _iso(last.time), "url": last.url}


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


TEMPLATE = "prod_pm"
SHARED = "any"


def prod_batch(wanted: CountRequest, session: Session) -> PmBatch:
    """The reminders that are due as of what is asked for. Raises InputError where the game has no rule for
    them, and what counting raises."""
    journal, setup = journal_of(session), setup_of(session)
    found = activity(wanted, session)
    if found.rule.after is None:
        raise InputError(f"There are no reminders to send. {NO_RULE}")
    due = [row for row in found.rows if row.standing.state is State.DUE]
    pms = tuple(reminder(row, found, setup) for row in due)
    return PmBatch(PROD, f"{found.title} – a reminder", shuffled(pms, _seed(journal, session)))


def write_drafts(batch: PmBatch, folder: Path) -> None:
    """Each reminder as a file of its own."""
    for pm in batch.pms:
        write_draft(folder, PRIVATE_FOLDER, f"{pm.kind}-{safe_name(pm.slot)}.txt", pm.plain)


def reminder(row: Row, found: Activity, setup: Setup) -> Pm:
    """The reminder to one player, by how he stands."""
    slot, number = slot_id(row.name, setup.roster), row.standing.prods + 1
    event = Told((slot,), TEMPLATE, _facts(row, found, number))
    text = private_message(SHARED, event)
    return Pm(f"{PROD}-{number}", slot, row.name, SHARED, event, text)


def _facts(row: Row, found: Activity, number: int) -> Facts:
    """The facts of `any/prod_pm`: nothing that changes from hour to hour."""
    last = row.last
    return {
        "name": row.name,
        "title": found.title,
        "number": number,
        "most": found.rule.most,
        "grace": f"{found.rule.grace / _HOUR:g} hours" if found.rule.grace else None,
        "last": {
            "number": last.number,
            "time": local_time(last.time, found.zone) if last.time else None,
            "url": last.url,
        }
        if last
        else None,
    }


def _seed(journal: Journal, session: Session) -> bytes:
    """The game's secret; a game that is only counted has none, and its prods hide nothing."""
    return table_of(session).seed if begun(journal) else b""
