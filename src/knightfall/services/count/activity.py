"""Who posts how much, who is silent since when, who is due a prod, and the reminders to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from knightfall.config.decided import lives
from knightfall.config.instants import ZONE_LINE
from knightfall.config.setup import Setup
from knightfall.engine.game import Facts, Told
from knightfall.engine.json_text import JsonAnswer
from knightfall.engine.prods import Pauses, Prod, ProdRule, Standing, State, standing
from knightfall.errors import InputError, TimeError
from knightfall.markup.dialects import dialect
from knightfall.models import Holder, Post, Slot, Thread
from knightfall.sentence import Sentence, Way, joined, sentence
from knightfall.services.count.day_answers import answers_of
from knightfall.services.count.request import thread_asked
from knightfall.services.guard import released
from knightfall.services.now import now_of
from knightfall.services.pms import PROD, Pm, PmBatch, shuffled, slot_id
from knightfall.services.publish import PRIVATE_FOLDER, safe_name
from knightfall.services.requests import CountRequest
from knightfall.services.running import begun
from knightfall.services.session import Session, journal_of, parse_at
from knightfall.services.threads import Link, habits_of
from knightfall.storage.drafts import write_draft
from knightfall.votes.config import Ask
from knightfall.votes.count import standing_on
from knightfall.votes.tally import Day
from knightfall.writeups.events import private_message
from knightfall.writeups.facts import local_time
from knightfall.writeups.render import render

_HOUR = timedelta(hours=1)
NO_RULE = sentence(
    "No prod rule is set, so nobody is due a prod. To set one: {file}",
    file=Way("file_line", table="[rules]", line='prod_after = "48h"'),
)


@dataclass(frozen=True, slots=True, repr=False)
class PlayerActivity(JsonAnswer):
    """A living slot by the name of its holder: posts of each day of the report, the last post (None where the
    present holder has none) and how they stand; `approximate` where a time behind it is."""

    name: str
    posts: tuple[int, ...]
    last: Post | None
    standing: Standing
    approximate: bool

    @property
    def total(self) -> int:
        """The posts of all days."""
        return sum(self.posts)


@dataclass(frozen=True, slots=True, repr=False)
class ActivityReport(JsonAnswer):
    """The living slots in list order as of `now` (None: post `at` has no time)."""

    title: str
    at: Post
    now: datetime | None
    zone: ZoneInfo
    rule: ProdRule
    days: tuple[int, ...]
    rows: tuple[PlayerActivity, ...]
    assumed: tuple[str, ...] = ()
    """What was assumed, one sentence each."""

    def to_dict(self) -> dict[str, Any]:
        """{title, at: {post, time}, timezone, rule, assumed, slots}: who is due first, all days of each,
        hours of silence that count, times in UTC, days in the game's zone."""
        rule = self.rule
        return {
            "title": self.title,
            "at": {"post": self.at.number, "time": _iso(self.now)},
            "timezone": self.zone.key,
            "rule": None
            if rule.after is None
            else {
                "after_hours": rule.after / _HOUR,
                "grace_hours": rule.grace / _HOUR if rule.grace else None,
                "most": rule.most,
                "weekends": "skip" if rule.skip_weekends else "count",
            },
            "assumed": list(self.assumed),
            "slots": [self._row_values(row) for row in by_silence(self.rows)],
        }

    def _row_values(self, row: PlayerActivity) -> dict[str, Any]:
        at, last = row.standing, row.last
        return {
            "slot": row.name,
            "posts": [{"day": day, "posts": posts} for day, posts in zip(self.days, row.posts, strict=True)],
            "total": row.total,
            "last": {"post": last.number, "time": _iso(last.time), "url": last.url} if last else None,
            "silent_hours": None if at.silent is None else round(at.silent / _HOUR, 3),
            "approximate": row.approximate,
            "state": at.state.value,
            "since": _iso(at.since),
            "until": at.until.isoformat() if at.until else None,
            "prods": at.prods,
        }


def by_silence(rows: Iterable[PlayerActivity]) -> list[PlayerActivity]:
    """Who is due first, then who is silent longest; who is not known last."""

    def place(row: PlayerActivity) -> tuple[bool, float]:
        silent = row.standing.silent
        return row.standing.state is not State.DUE, 1.0 if silent is None else -silent / _HOUR

    return sorted(rows, key=place)


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was posted up to the moment that is asked for, and what the game says about it. `authors`: name in
    lower case → its posts, in order."""

    posts: tuple[Post, ...]
    authors: Mapping[str, Sequence[Post]]
    days: tuple[Day, ...]
    now: datetime | None
    approximate: bool
    setup: Setup
    zone: ZoneInfo


def activity(request: CountRequest, session: Session, prods: tuple[Prod, ...] = ()) -> ActivityReport:
    """The activity that is asked for.

    Raises what counting raises, TimeError where the game's rule speaks of days and the file names no zone,
    and InputError for an unknown dialect before anything is read.
    """
    if request.dialect:
        dialect(request.dialect)
    filed, source, thread = thread_asked(request, session)
    setup = filed
    if setup is None:
        answers = answers_of(thread, session)
        setup = Setup(answers=answers.days, house=answers.house)
    ask = parse_at(request.at, setup.zone, session.clock.now())
    found = measured(thread, setup, ask, session.clock.now(), prods)
    last = thread.posts[-1].number
    if isinstance(source, Link) or ask.at_post is not None or found.at.number < last:
        return found
    # Silence is told up to a moment after the last post that was read.
    stale = sentence(
        "The forum was not read again. Posts after {last} are not known here, so players who posted since "
        "then look silent. To see the silence as of that post: {at}",
        last=last,
        at=Way("field", name="at", value=last),
    )
    return replace(found, assumed=(*found.assumed, stale))


def rows_due(found: ActivityReport) -> tuple[PlayerActivity, ...]:
    """Who is due a prod, in list order: what every count, list, post and reminder goes by."""
    return tuple(row for row in found.rows if row.standing.state is State.DUE)


def due_names(found: ActivityReport) -> tuple[str, ...]:
    """Their names."""
    return tuple(row.name for row in rows_due(found))


def measured(
    thread: Thread, setup: Setup, ask: Ask, clock: datetime, prods: tuple[Prod, ...] = ()
) -> ActivityReport:
    """The activity in a thread that was read; `clock` is now. Raises as `activity` does."""
    if setup.votes_apart:  # who only votes in the thread of the votes is not silent
        raise InputError(
            f"{setup.source}: votes are in a thread of their own, and the posts of the game "
            "thread were not read. I cannot tell who is silent. Please check the game thread "
            "yourself."
        )
    if setup.zone is None and (setup.prods.skip_weekends or setup.v_la):
        raise TimeError(
            sentence(
                "Weekends and absences are given in days, so they need a time zone. To set one: {file}.",
                file=ZONE_LINE,
            )
        )
    days, basis = standing_on(thread, habits_of(thread), setup, ask)
    posts = _posted(thread.posts, ask)
    authors: dict[str, list[Post]] = {}
    for post in posts:
        authors.setdefault(post.author.casefold(), []).append(post)
    # Up to when silence is told, and whether that is only about so: as of a post, when it was made.
    at = posts[-1]
    now, approximate = (at.time, at.approximate) if ask.at_post is not None else (ask.at_time or clock, False)
    zone = setup.zone or ZoneInfo("UTC")  # UTC will do where no day matters
    seen = _Seen(posts, authors, days, now, approximate, setup, zone)
    sent = tuple(dict.fromkeys((*setup.prodded, *prods)))
    latest = ask.at_post is None and ask.at_time is None
    playing = (
        slot
        for slot in basis.roster.alive_at(at.number)
        if _holder(slot, at.number).name.casefold() not in basis.moderators
        # Who is dead by the journal is so before the post that tells it was read.
        and (not latest or lives(slot, None, setup))
    )
    return ActivityReport(
        title=setup.title or thread.title,
        at=at,
        now=now,
        zone=zone,
        rule=setup.prods,
        days=tuple(day.number for day in days),
        rows=tuple(_player_activity(slot, seen, sent) for slot in playing),
        assumed=basis.assumed,
    )


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


def _player_activity(slot: Slot, seen: _Seen, prods: tuple[Prod, ...]) -> PlayerActivity:
    holder, start = _holder(slot, seen.posts[-1].number), min(day.start for day in seen.days)
    # What was posted from the first day on by who held the slot then. A handover whose post is not known
    # limits nobody.
    ends = [later.from_post or None for later in slot.holders[1:]] + [None]
    held = {
        post.number: post
        for one, end in zip(slot.holders, ends, strict=True)
        for post in seen.authors.get(one.name.casefold(), ())
        if not post.hidden and post.number >= max(start, one.from_post) and (end is None or post.number < end)
    }
    own = [held[number] for number in sorted(held)]
    # How many of these posts stand in each day; the night belongs to the day before it.
    counts = []
    for day in seen.days:
        later = min((other.start for other in seen.days if other.start > day.start), default=None)
        counts.append(sum(day.start <= n and (later is None or n < later) for n in held))
    # Who has not posted is silent since the first post after they took over.
    last = next((post for post in reversed(own) if post.number >= holder.from_post), None)
    begins = max(holder.from_post, start)
    clock = last or next((post for post in seen.posts if post.number >= begins), None)
    absences = [one for name, announced in seen.setup.v_la if name in slot.names for one in announced]
    rule, sent = seen.setup.prods, tuple(prod.at for prod in prods if prod.player == holder.name)
    pauses = Pauses(seen.zone, rule.skip_weekends, tuple(absences))
    return PlayerActivity(
        name=holder.name,
        posts=tuple(counts),
        last=last,
        standing=standing(clock.time if clock else None, seen.now, rule, pauses, sent),
        approximate=clock is not None and (clock.approximate or seen.approximate),
    )


def _holder(slot: Slot, until: int) -> Holder:
    """Who holds the slot as of that post, and since when."""
    return next((one for one in reversed(slot.holders) if one.from_post <= until), slot.holders[0])


def prods_post(found: ActivityReport, writer: str, session: Session, allow: str = "") -> str:
    """The public post of prods: how many are due and who, in list order; nothing tells why or since when.

    Raises InputError where no rule says when a prod is due, SecretGuard where it gives something away for
    which `allow` has no reason.
    """
    if found.rule.after is None:
        raise InputError(sentence("There is no list of prods. {rule}.", rule=NO_RULE))
    return released(render("any/prods", {"names": due_names(found)}, dialect(writer).name), session, allow)


def rule_sentence(rule: ProdRule) -> Sentence:
    """The rule in words."""
    said: list[str] = [NO_RULE]
    if rule.after:
        said = [f"A prod is due after {rule.after / _HOUR:g} hours of silence"]
        said += [f"again {rule.grace / _HOUR:g} hours after a prod"] if rule.grace else []
        said += [f"at most {rule.most} for each player"] if rule.most else []
    said += ["Saturdays and Sundays do not count"] if rule.skip_weekends else []
    return joined("", (joined("; ", said), "."))


SHARED = "any"


@dataclass(frozen=True, slots=True)
class LastPost:
    """The last post of a player."""

    number: int
    time: str | None
    url: str | None


@dataclass(frozen=True, slots=True)
class ProdPm(Facts):
    """A reminder to a silent player: the `number`-th of at most so many (None: no limit), how long they have
    (`grace`), their last post (None: none yet)."""

    kind: ClassVar[str] = "prod_pm"
    name: str
    title: str
    number: int
    most: int | None
    grace: str | None
    last: LastPost | None


def prod_batch(request: CountRequest, session: Session) -> PmBatch:
    """The reminders that are due as of what is asked for. Raises InputError where the game has no rule for
    them, and what counting raises."""
    journal, setup = journal_of(session), now_of(session).setup
    found = activity(request, session)
    if found.rule.after is None:
        raise InputError(sentence("There are no reminders to send. {rule}.", rule=NO_RULE))
    pms = tuple(reminder(row, found, setup) for row in rows_due(found))
    # The game's secret; a game that is only counted has none, and its prods hide nothing.
    seed = now_of(session).running.seed if begun(journal) else b""
    return PmBatch(PROD, f"{found.title} – a reminder", shuffled(pms, seed), "reminders")


def write_drafts(batch: PmBatch, folder: Path) -> tuple[Path, ...]:
    """Each reminder as a file of its own."""
    return tuple(
        write_draft(folder, PRIVATE_FOLDER, f"{pm.kind}-{safe_name(pm.slot)}.txt", pm.plain)
        for pm in batch.pms
    )


def reminder(row: PlayerActivity, found: ActivityReport, setup: Setup) -> Pm:
    """The reminder to one player, by how he stands."""
    slot, number = slot_id(row.name, setup.roster), row.standing.prods + 1
    event = Told((slot,), _facts(row, found, number))
    text = private_message(SHARED, event)
    return Pm(f"{PROD}-{number}", slot, row.name, SHARED, event, text)


def _facts(row: PlayerActivity, found: ActivityReport, number: int) -> ProdPm:
    """Nothing in it changes from hour to hour."""
    last = row.last
    return ProdPm(
        row.name,
        found.title,
        number,
        found.rule.most,
        f"{found.rule.grace / _HOUR:g} hours" if found.rule.grace else None,
        LastPost(last.number, local_time(last.time, found.zone) if last.time else None, last.url)
        if last
        else None,
    )
