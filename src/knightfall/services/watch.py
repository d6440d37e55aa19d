"""Following a game's threads: what a look finds and what is told at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta
from functools import cache
from html import unescape
from pathlib import Path
from zoneinfo import ZoneInfo

from knightfall.config.calendar import closed_days
from knightfall.config.setup import Setup, parse_span
from knightfall.engine.notices import Notice
from knightfall.engine.safe_text import safe
from knightfall.errors import (
    EvidenceError,
    InputError,
    KnightfallError,
    SecretGuard,
    SiteRefused,
    StateDamaged,
)
from knightfall.fetch.clock import Fetch
from knightfall.forums import flavour_of
from knightfall.forums.base import Request, Response
from knightfall.markup.flavour import Flavour
from knightfall.markup.html import parse_html
from knightfall.models import Became, Post, PostChange, Slot, Thread
from knightfall.services.awaited import Awaited, awaited, time_left
from knightfall.services.close_day import FAULTS, FIRST_PAUSE, LONGEST_PAUSE
from knightfall.services.count_request import PostFormat, count_nodes
from knightfall.services.day_end import PAUSE, every_page, final_count, final_text, keep_final, url_of
from knightfall.services.evidence import change_line
from knightfall.services.game_state import begun, setup_of, table_of
from knightfall.services.guard import released
from knightfall.services.notify import Voices
from knightfall.services.post_facts import PostContent, Section, post_nodes
from knightfall.services.reading import Link, gather, habits_of, speech_of
from knightfall.services.session import Session, game_database, journal_of
from knightfall.services.votecount import Counted
from knightfall.storage.drafts import write_public
from knightfall.storage.store import Notices
from knightfall.votes.ballots import Action, Ballot, Forms, Region
from knightfall.votes.config import Ask, DaySetup
from knightfall.votes.count import votecount
from knightfall.votes.names import squash
from knightfall.votes.rule import Boundary, Rule
from knightfall.votes.tally import Wagon, Why
from knightfall.votes.vote_parser import TAG_MARK, Line, lines_of, read_body, read_lines
from knightfall.votes.votecount import View, Votecount, seen_by
from knightfall.writeups.facts import local_time, post_facts
from knightfall.writeups.render import written

WARNING = timedelta(hours=1)
"""So long before its end a window is told whose messages are missing."""


def alarms(awaited: Iterable[Awaited], now: datetime) -> Iterator[Notice]:
    """Windows of a begun game whose time is short or up. Who is awaited in a secret window is nobody else's
    business: a server on the way is told how many, not who."""
    for one in awaited:
        if one.until is None or now < one.until - WARNING or (not one.absent and now < one.until):
            continue
        title, until, waits = one.window.title, f"{one.until.isoformat()}", _waits(one)
        who = waits if not one.absent or one.window.secret is False else f"missing: {len(one.absent)}"
        if now < one.until:
            words = f"{title}: {time_left(one.until, now)}, {{}}."
            shown = words.format(waits) + " knightfall missing --draft writes the reminders."
            yield Notice(f"missing {title} {until}", now, shown, words.format(who))
        elif _sends(one):
            words = f"{title}: time is up, {{}}."
            shown = words.format(waits) + f" Next: knightfall commit {one.window.kind}"
            yield Notice(f"up {title} {until}", now, shown, words.format(who), urgent=True)


def deadline_passed(day: DaySetup, rule: Rule, zone: ZoneInfo, now: datetime) -> Iterator[Notice]:
    """That the last instant of a day is over, or with a lock as its only end, that it is time to lock."""
    if day.deadline is None or now < rule.closes(day.deadline):
        return
    words = f"The deadline of day {day.number} has passed ({local_time(day.deadline, zone)})."
    locks = rule.boundary is Boundary.UNTIL_LOCK and day.end is None
    lock = " Votes count until you lock the thread: then knightfall phase lock" if locks else ""
    yield Notice(deadline_key(day), now, words + lock, words, urgent=True)


def deadline_key(day: DaySetup) -> str:
    """Under which a deadline that passed is told once."""
    return f"deadline day-{day.number} {day.deadline.isoformat() if day.deadline else ''}"


def next_alarm(awaited: Iterable[Awaited], now: datetime) -> float | None:
    """Seconds until the clock alone has something to tell."""
    moments = (moment for one in awaited if one.until for moment in (one.until - WARNING, one.until))
    return min(((moment - now).total_seconds() for moment in moments if moment > now), default=None)


def _sends(one: Awaited) -> bool:
    """Whether players send messages in it; a day of votes in the thread has an end of its own."""
    return bool(one.window.slots) or one.window.secret


def _waits(one: Awaited) -> str:
    return f"missing: {', '.join(one.absent)}" if one.absent else "nobody is missing"


NONE = "no vote"


def altered_vote(change: PostChange, flavour: Flavour, forms: Forms, moderators: Iterable[str]) -> str | None:
    """A sentence or two on a change that touches a vote; None for one that does not, and for posts of the
    moderators."""
    if change.post.author.casefold() in {name.casefold() for name in moderators}:
        return None
    before, now = _before_and_now(change, flavour, forms)
    if _meant(before) == _meant(now):
        return None
    return f"{change_line(change)} Its vote: {_shown(before)} → {_shown(now)}{_unmarked(change)}."


def _before_and_now(
    change: PostChange, flavour: Flavour, forms: Forms
) -> tuple[tuple[Ballot, ...], tuple[Ballot, ...]]:
    now = _ballots(change.post, flavour, forms)
    if change.became is Became.VANISHED:
        return now, ()
    if change.became is Became.RETURNED:
        return (), now
    return (_ballots(change.before, flavour, forms) if change.before else now), now


def _ballots(post: Post, flavour: Flavour, forms: Forms) -> tuple[Ballot, ...]:
    return () if post.hidden else read_body(post.body, flavour, forms)


def _meant(ballots: tuple[Ballot, ...]) -> tuple[tuple[Action, str], ...]:
    return tuple((ballot.action, squash(ballot.text)) for ballot in ballots)


def _shown(ballots: tuple[Ballot, ...]) -> str:
    return ", ".join(f"“{_words(ballot)}”" for ballot in ballots) or NONE


def _words(ballot: Ballot) -> str:
    return ballot.text or ballot.action.value


def _unmarked(change: PostChange) -> str:
    """An edit that leaves no trace on the page is what only our evidence can show."""
    edited = change.became is Became.CHANGED and not change.post.hidden
    return ", without an edit mark" if edited and not change.post.edited and not change.post.edit_note else ""


TITLES = ("moderator", "mod", "mods")
"""What a moderator is called, beside his name."""


@dataclass(frozen=True, slots=True)
class Question:
    """The first line of a post that asks the moderator something, as written."""

    post: Post
    text: str


def questions(
    posts: Iterable[Post], flavour: Flavour, moderators: Iterable[str], forms: Forms
) -> Iterator[Question]:
    """The posts that ask the moderator something, in their order; quotes ask nothing, nor do votes."""
    names = tuple(moderators)
    words, own = _addressed(names), {name.casefold() for name in names}
    for post in posts:
        if post.author.casefold() not in own and not post.hidden and words.search(unescape(post.body)):
            asked = (line for line in _live(post, flavour) if _asks(line, words, forms))
            yield from (Question(post, line.text.replace(TAG_MARK, " ").strip()) for line in [*asked][:1])


def _addressed(moderators: Iterable[str]) -> re.Pattern[str]:
    names = "|".join(map(re.escape, (*moderators, *TITLES)))
    return re.compile(rf"(?<![^\W_])(?P<at>@\s?)?(?:{names})(?![^\W_])", re.IGNORECASE)


def _live(post: Post, flavour: Flavour) -> Iterator[Line]:
    return (line for line in lines_of(parse_html(post.body, flavour)) if line.region is Region.LIVE)


def _asks(line: Line, words: re.Pattern[str], forms: Forms) -> bool:
    """A mention asks wherever it stands; a bold line that names him does where it is no vote."""
    found = tuple(words.finditer(line.text))
    if any(one["at"] for one in found):
        return True
    bold = any(start < one.end() and one.start() < end for one in found for start, end in line.bold)
    return bold and not read_lines((line,), forms)


SHOWN = 3
"""So many wagons are told."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The thread that held still, its count as the moderator may see it, and what to tell of it: `outside`
    without what is for him alone."""

    thread: Thread
    count: Votecount
    words: str
    outside: str


def ended(setup: Setup, day: DaySetup, session: Session, say: Callable[[str], None]) -> Ended:
    """Reads until the thread holds still and leaves both texts in `public/`. Raises EvidenceError where it
    does not, and what reading raises; a text that the secret guard stops is told, not written."""
    final = final_count(setup, day.number, PAUSE, session, say, every_page(setup, session)).done
    told = " ".join((*_kept(final, setup, session), _next(final.count)))
    head = f"Day {day.number} is over: {_top(seen_by(View.PUBLIC, final.count))}."
    return Ended(final.thread, final.count, f"{head} {told}", head)


def _kept(done: Counted, setup: Setup, session: Session) -> Iterator[str]:
    """Both texts into the folder, each with a sentence on where it is."""
    place = session.folder
    try:
        file = keep_final(done, released(final_text(done), session), session.folder)
        yield f"The final count is in {file.relative_to(place)},"
        text = released(_draft(done, setup, session), session)
        draft = write_public(place, f"end-of-vote-{done.count.day.number}.txt", text)
        yield f"the draft of the next post in {draft.relative_to(place)}."
    except SecretGuard as leak:
        yield f"Not written: {leak}"


def _draft(done: Counted, setup: Setup, session: Session) -> str:
    """The post that ends the vote: what decided, what came too late, the final count."""
    count, tally = seen_by(View.PUBLIC, done.count), done.count.tally
    late = dict.fromkeys(miss.post for miss in tally.not_counted if miss.why is Why.AFTER_HAMMER)
    facts = {
        "day": count.day.number,
        "locked": post_facts(count.day.end, count.posts) if count.day.end is not None else None,
        "hammer": _hammer(count),
        "void": [post_facts(post, count.posts) for post in late],
    }
    found = PostContent((Section("any/end-of-day", facts), count_nodes(count, PostFormat(), setup)))
    speech = speech_of(None, setup, session)
    return "\n\n".join(written(post_nodes(found), speech, done.site.max_length))


def _hammer(count: Votecount) -> dict[str, object] | None:
    hammer = count.tally.hammer
    if hammer is None:
        return None
    by = hammer.voter.name if hammer.voter else None
    return {"by": by, "post": post_facts(hammer.post, count.posts)}


def _top(count: Votecount) -> str:
    """“Fen 3, Kestrel 1”."""
    largest = count.tally.wagons[:SHOWN]
    named = (
        f"{one.target.name if one.target else count.terms.no_elimination} {one.count}" for one in largest
    )
    return ", ".join(named) or "nobody has a vote"


def _next(count: Votecount) -> str:
    """What the moderator does now."""
    open_ = len(count.tally.questions)
    first = f"{open_} vote{'s' * (open_ > 1)} need your decision: knightfall vc --stored. " if open_ else ""
    return f"{first}Then: knightfall phase close"


EXCERPT = 160
"""So many letters of a question are told."""


@dataclass(frozen=True, slots=True)
class Sight:
    """One thread as it was just seen: `changes` with their numbers, `since` the last post that is no news
    because the moderator posted it, or behind it, before watching began; `count` where votes stand there."""

    thread: Thread
    changes: tuple[tuple[int, PostChange], ...]
    since: int
    count: Votecount | None = None


def news(sight: Sight, setup: Setup, now: datetime) -> Iterator[Notice]:
    """Everything worth telling in it, whether it was told or not."""
    if sight.count is not None:
        yield from _of_count(sight.count, now)
    yield from _changed(sight, setup, now)
    yield from _asked(sight, setup, now)


def to_hammer(count: Votecount | None) -> int | None:
    """Votes that miss to a hammer: 0 after it, None where no day ends by one or nobody is voted for."""
    if count is None or not count.rule.hammers(count.day.number):
        return None
    if count.tally.hammer is not None:
        return 0
    return min((wagon.needed - wagon.count for wagon in count.tally.wagons), default=None)


def _of_count(count: Votecount, now: datetime) -> Iterator[Notice]:
    missing = to_hammer(count)
    if missing == 0:
        yield _hammer_event(count, now)
    elif missing == 1 and not count.final:
        yield from (
            _one_short(count, wagon, now) for wagon in count.tally.wagons if wagon.needed - wagon.count == 1
        )


def _hammer_event(count: Votecount, now: datetime) -> Notice:
    hammer = count.tally.hammer
    assert hammer is not None
    target = _name(hammer.target, count)
    size = next((_size(one) for one in count.tally.wagons if one.target == hammer.target), "")
    who = f"{hammer.voter.name} → {target}" if hammer.voter else f"{target}, by a death"
    key = f"hammer {count.day.number} {hammer.post} {target}"
    words = f"HAMMER #{hammer.post} {who}{f' ({size})' if size else ''}."
    lock = " Lock the thread, then: knightfall phase close"
    return Notice(key, now, plain(words + lock), plain(words), urgent=True)


def _one_short(count: Votecount, wagon: Wagon, now: datetime) -> Notice:
    target = _name(wagon.target, count)
    words = f"{target} {_size(wagon)}, {count.terms.closeness}-1: THE HAMMER IS NEXT (#{wagon.since})."
    return Notice(f"near {count.day.number} {wagon.since} {target}", now, plain(words), plain(words))


def _changed(sight: Sight, setup: Setup, now: datetime) -> Iterator[Notice]:
    flavour, forms = flavour_of(sight.thread.platform), _forms(sight, setup)
    for number, change in sight.changes:
        said = altered_vote(change, flavour, forms, setup.moderators)
        if said is not None:
            show = f" knightfall evidence {change.post.number} shows both."
            yield Notice(f"change {number}", now, plain(said + show), plain(said))


def _asked(sight: Sight, setup: Setup, now: datetime) -> Iterator[Notice]:
    fresh = (post for post in sight.thread.posts if post.number > sight.since)
    moderators = moderators_of(setup, sight.thread)
    for asked in questions(fresh, flavour_of(sight.thread.platform), moderators, _forms(sight, setup)):
        post, text = asked.post, plain(asked.text)
        short = text if len(text) <= EXCERPT else f"{text[:EXCERPT]}…"
        words = f"#{post.number} {plain(post.author)} asks you: “{short}”"
        link = f" {post.url}" if post.url else ""
        yield Notice(f"question {sight.thread.url} {post.id}", now, words + link, words + link)


def _forms(sight: Sight, setup: Setup) -> Forms:
    return sight.count.rule.forms if sight.count else setup.rule.forms


def moderators_of(setup: Setup, thread: Thread) -> tuple[str, ...]:
    """Whom the file names, else who wrote the opening post."""
    return setup.moderators or tuple(post.author for post in thread.posts[:1])


def answered_to(thread: Thread, moderators: Iterable[str]) -> int:
    """The moderator's last post: what was asked before it is no news to him; -1 where he never posted."""
    names = {name.casefold() for name in moderators}
    return max((post.number for post in thread.posts if post.author.casefold() in names), default=-1)


def plain(text: str) -> str:
    """On one line, without what plays tricks on a terminal."""
    return " ".join(safe(text).split())


def _size(wagon: Wagon) -> str:
    return f"{wagon.count}/{wagon.needed}"


def _name(target: Slot | None, count: Votecount) -> str:
    return target.name if target else count.terms.no_elimination


FOLLOWED = ("game", "vote")
"""Threads in which players vote and ask."""


@dataclass(slots=True)
class DayCount:
    """A Fetch that counts the pages that it asked for."""

    fetch: Fetch
    pages: int = 0

    def get(self, request: Request) -> Response:
        """As Fetch.get."""
        self.pages += 1
        return self.fetch.get(request)

    def follow(self, request: Request) -> Response:
        """As Fetch.follow."""
        self.pages += 1
        return self.fetch.follow(request)


def threads_of(setup: Setup) -> tuple[str, ...]:
    """The addresses of the threads to follow, the game's own first."""
    named = (one.url for one in setup.threads if one.role in FOLLOWED)
    return tuple(dict.fromkeys((*((setup.url,) if setup.url else ()), *named)))


def look(
    setup: Setup, day: DaySetup | None, again: bool, session: Session, notices: Notices
) -> tuple[Sight, ...]:
    """Each thread as it is now; `again` reads every page of it. Raises what reading and counting raise, but
    for a day that has no posts yet: it has no count."""
    before = notices.last_change()
    return tuple(_seen(url, setup, day, before, again, session, notices) for url in threads_of(setup))


def sight_of(
    thread: Thread, setup: Setup, before: int, count: Votecount | None, notices: Notices, now: datetime
) -> Sight:
    """A thread that was just read, with what changed in it since watching began; from `before` on where that
    is now."""
    key = f"since {thread.url}"
    if notices.marked(key) is None:
        notices.mark(key, f"{before} {answered_to(thread, moderators_of(setup, thread))}", now)
    since, answered = map(int, (notices.marked(key) or "0 -1").split())
    return Sight(thread, notices.changes_after(thread.url or "", since), answered, count)


def _seen(
    url: str, setup: Setup, day: DaySetup | None, before: int, again: bool, session: Session, notices: Notices
) -> Sight:
    thread, now = gather(Link(url, again), session), session.clock.now()
    count = _count(thread, setup, day, now) if url == setup.url else None
    return sight_of(thread, setup, before, count, notices, now)


def _count(thread: Thread, setup: Setup, day: DaySetup | None, now: datetime) -> Votecount | None:
    """The count as the moderator may see it; None at night, and before anybody can vote."""
    if day is None and setup.days:
        return None
    try:
        return votecount(thread, habits_of(thread), setup, Ask(day.number if day else None), now)
    except InputError:
        return None


def lasting_ports(session: Session) -> tuple[Session, DayCount]:
    """The same session for a long run, and what counts the pages that go through them. Evidence and journal
    are opened once: a file that is let go is taken up again without preparing everything anew."""
    fetch = DayCount(session.fetch)
    ledger = None if session.ledger is None else cache(session.ledger)
    return replace(session, fetch=fetch, store=cache(session.store), ledger=ledger), fetch


def pages_of(sights: Iterable[Sight]) -> int:
    """How many pages a whole read of these threads asks for."""
    return sum(_pages(sights))


def _pages(sights: Iterable[Sight]) -> Iterator[int]:
    return (max(sight.thread.pages, 1) for sight in sights)


def over(day: DaySetup, rule: Rule, now: datetime) -> bool:
    """Whether no vote can count any more: the thread is locked, or the last instant has passed; where only a
    lock ends the day its deadline alone ends nothing."""
    if day.end is not None:
        return True
    return (
        day.deadline is not None
        and rule.boundary is not Boundary.UNTIL_LOCK
        and now >= rule.closes(day.deadline)
    )


def final_key(day: DaySetup) -> str:
    """Under which the final count of a day is noted; another deadline asks for another count."""
    return f"final day-{day.number} {day.deadline.isoformat() if day.deadline else ''}".rstrip()


def watching_key(day: DaySetup) -> str:
    """Under which is noted that a day was watched: it will be watched to its end, through any restart."""
    return f"watching day-{day.number}"


def watched(
    days: Iterable[DaySetup], closed: frozenset[int], rule: Rule, now: datetime, known: frozenset[str]
) -> DaySetup | None:
    """The day to watch: one that was watched and has no final count yet, else the next that will end, else
    the last one that is not closed. `known` are the keys of what was noticed."""
    open_ = sorted((day for day in days if day.number not in closed), key=lambda day: day.number)
    begun = [day for day in open_ if watching_key(day) in known and final_key(day) not in known]
    ahead = [day for day in open_ if day.deadline and not over(day, rule, now)]
    return next(iter((*begun, *sorted(ahead, key=_deadline), *reversed(open_))), None)


def _deadline(day: DaySetup) -> str:
    return day.deadline.isoformat() if day.deadline else ""


@dataclass(frozen=True, slots=True)
class Moment:
    """`day` is watched, its vote may be over; `windows` are open; `known` are the keys of what was noticed,
    `closed` the numbers of days that the moderator closed."""

    at: datetime
    setup: Setup
    day: DaySetup | None
    windows: tuple[Awaited, ...]
    known: frozenset[str]
    closed: frozenset[int]

    @property
    def zone(self) -> ZoneInfo:
        """The moderator's clocks."""
        return self.setup.zone or ZoneInfo("UTC")

    @property
    def over(self) -> bool:
        """Whether the final count of the day is still to be made."""
        day = self.day
        return day is not None and over(day, self.setup.rule, self.at) and final_key(day) not in self.known

    @property
    def left(self) -> float | None:
        """Seconds to the first instant that is too late for a vote."""
        if self.day is None or self.day.deadline is None:
            return None
        return (self.setup.rule.closes(self.day.deadline) - self.at).total_seconds()


def moment_of(known: frozenset[str], session: Session) -> Moment:
    """Game file and journal are read anew: the moderator decides while we watch. Raises what that raises."""
    setup, journal, at = setup_of(session), journal_of(session), session.clock.now()
    closed = frozenset(number for number, _ in closed_days(journal))
    windows = awaited(table_of(session)) if begun(journal) else ()
    day = watched(setup.days, closed, setup.rule, at, known)
    return Moment(at, setup, day, windows, known, closed)


_HOURS = re.compile(r"\s*(\d{1,2}:\d{2})\s*[-–]\s*(\d{1,2}:\d{2})\s*")


@dataclass(frozen=True, slots=True)
class Quiet:
    """From `begins` up to, and without, `ends`; over midnight where it ends earlier than it begins."""

    begins: time
    ends: time

    def at(self, moment: datetime, zone: ZoneInfo) -> bool:
        """Whether that instant is in it."""
        now = moment.astimezone(zone).time().replace(tzinfo=None)
        if self.begins <= self.ends:
            return self.begins <= now < self.ends
        return now >= self.begins or now < self.ends

    def left(self, moment: datetime, zone: ZoneInfo) -> float:
        """Seconds until it ends."""
        local = moment.astimezone(zone)
        ends = local.replace(hour=self.ends.hour, minute=self.ends.minute, second=0, microsecond=0)
        ahead = ends if ends > local else ends + timedelta(days=1)
        return (ahead.astimezone(moment.tzinfo) - moment).total_seconds()


def parse_quiet(text: str) -> Quiet:
    """The hours. Raises InputError."""
    found = _HOURS.fullmatch(text)
    try:
        begins, ends = (time.fromisoformat(part.zfill(5)) for part in (found.groups() if found else ()))
    except ValueError:
        raise InputError(f"--quiet {text}: expected hours such as 23:00-07:00.") from None
    if begins == ends:
        raise InputError(f"--quiet {text}: that is no time at all. Leave --quiet out, or say until when.")
    return Quiet(begins, ends)


PAGE_EVERY = 30.0
"""Seconds a page: the budget."""
FASTEST = 30.0
"""Seconds between two looks, however near the end is."""
NEAR = {1: 45.0, 2: 90.0}
"""Votes that miss to a hammer → seconds between two looks; it leaves pages to save for a whole read."""
SHARE = 20.0
"""So many looks in the time that is left."""
SAVED = 240.0
"""So many pages can be saved: those of two hours."""
SWEEP = 1800.0
"""Seconds between two reads of the whole thread, at least."""
HASTE = 3600.0
"""In the last hour no whole read delays the next look: the final one is near."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How many pages may be asked for, as of an instant of the clock that never jumps."""

    at: float
    pages: float = 0.0

    def spent(self, pages: int, now: float) -> Budget:
        """What is left after a look at so many pages."""
        return replace(self.by(now), pages=self.by(now).pages - pages)

    def by(self, now: float) -> Budget:
        """With what was saved since."""
        return Budget(now, min(self.pages + (now - self.at) / PAGE_EVERY, SAVED))

    @property
    def wait(self) -> float:
        """Seconds until one page may be asked for."""
        return max(0.0, (1 - self.pages) * PAGE_EVERY)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the day stands: seconds to its deadline (None: it has none), votes that miss to a hammer (None:
    no wagon), and how many looks in a row failed."""

    left: float | None = None
    missing: int | None = None
    failures: int = 0


def pause(every: float, standing: Standing, budget: Budget) -> float:
    """Seconds until the next look. `every` is the longest pause while all is well."""
    if standing.failures:
        wished = min(FIRST_PAUSE * 2.0 ** (standing.failures - 1), LONGEST_PAUSE)
    else:
        wished = max(FASTEST, min(every, _near(standing.missing, every), _late(standing.left, every)))
    return max(wished, budget.wait)


def sweeps(budget: Budget, pages: int, since: float, standing: Standing) -> bool:
    """Whether this look reads the whole thread again: it is due, paid for, and the end is not near."""
    late = standing.left is not None and 0 < standing.left < HASTE
    return since >= SWEEP and budget.pages >= pages and not late


def _near(missing: int | None, every: float) -> float:
    near = NEAR.get(missing) if missing is not None else None
    return every if near is None else near


def _late(left: float | None, every: float) -> float:
    return every if left is None or left <= 0 else left / SHARE


MENDED = (SiteRefused, EvidenceError, InputError)
"""What was well once and may be again: a login, a page, the game file."""
BRIEFEST = 1.0
"""Seconds: so long is slept at least."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for on the command line. `every`: seconds between two looks while all is well;
    `to_deadline`: stop when the day's final count is ready; `once`: one look, and no more."""

    game: Path
    every: float = 300.0
    to_deadline: bool = False
    once: bool = False
    quiet: Quiet | None = None


@dataclass(slots=True)
class _Watch:
    """A watch under way."""

    asked: Asked
    session: Session
    fetch: DayCount
    notices: Notices
    voices: Voices
    budget: Budget
    standing: Standing = field(default_factory=Standing)
    pages: int = 0
    """Of a whole read; 0 before the first look."""
    swept: float = 0.0
    looked: bool = False
    due: float = 0.0
    """When the next look is, by the clock that never jumps."""
    last: int | None = None
    """The day whose end is the end of the watch."""
    trouble: bool = False
    """Whether the last look failed, which was told."""


def watch(asked: Asked, session: Session, voices: Voices) -> None:
    """Goes round until it is stopped, or what was asked for is done.

    Raises InputError where there is nothing to watch, StateDamaged, and at its first look what cannot mend
    itself: a page that is no forum, a login. Later faults are told once, and it goes on.
    """
    session, fetch = lasting_ports(session)
    notices = Notices.open(game_database(asked.game))
    elapsed = session.clock.elapsed()
    state = _Watch(asked, session, fetch, notices, voices, Budget(elapsed), swept=elapsed, due=elapsed)
    try:
        _begin(_now(state), state)
        while (seconds := _round_or_fault(state)) is not None:
            session.clock.sleep(seconds)
    finally:
        notices.close()


def _round_or_fault(state: _Watch) -> float | None:
    """Seconds to the next round, None where the watch is done. A mistake that gets into the game file
    meanwhile is told, and can be mended."""
    try:
        now = _round(state)
        done = state.asked.once or (state.asked.to_deadline and _ready(now, state))
        return None if done else _pause(now, state)
    except InputError as fault:
        _failed(fault, state)
        return FASTEST


def _round(state: _Watch) -> Moment:
    """One look, where it is due, and all that follows from it; how the game stands then."""
    now = _now(state)
    if now.day is not None:
        if watching_key(now.day) not in now.known:
            state.notices.mark(watching_key(now.day), "", now.at)
        state.notices.keep(deadline_passed(now.day, now.setup.rule, now.zone, now.at))
    state.notices.keep(alarms(now.windows, now.at))
    _tell(now, state)
    if state.session.clock.elapsed() >= state.due or (now.over and not state.trouble):
        _tried(now, state)
        now = _now(state)
        standing = replace(state.standing, left=now.left)
        state.due = state.session.clock.elapsed() + pause(state.asked.every, standing, _saved(state))
        _tell(now, state)
    state.voices.again()
    return now


def _tried(now: Moment, state: _Watch) -> None:
    """Looks, or ends the day. A fault is told once and makes the next look later."""
    try:
        (_end if now.over else _look)(now, state)
    except StateDamaged:
        raise
    except KnightfallError as fault:
        _failed(fault, state)
    else:
        if state.trouble:
            state.voices.err("All is well again; I go on where I was.")
        state.trouble, state.looked = False, True


def _look(now: Moment, state: _Watch) -> None:
    """Reads the threads and notes what is news."""
    since = state.session.clock.elapsed() - state.swept
    again = bool(state.pages) and sweeps(_saved(state), state.pages, since, state.standing)
    asked_before = state.fetch.pages
    sights = look(now.setup, now.day, again, state.session, state.notices)
    for sight in sights:
        state.notices.keep(news(sight, now.setup, state.session.clock.now()))
    count = next((sight.count for sight in sights if sight.count), None)
    state.standing = Standing(now.left, to_hammer(count))
    _pay(state, state.fetch.pages - asked_before, again)
    state.pages = pages_of(sights)


def _pay(state: _Watch, pages: int, again: bool) -> None:
    """The first look costs nothing: the moderator takes it himself, by beginning."""
    elapsed = state.session.clock.elapsed()
    state.budget = state.budget.spent(pages if state.pages else 0, elapsed)
    state.swept = elapsed if again else state.swept


def _end(now: Moment, state: _Watch) -> None:
    """The final count of the day and its drafts; what changed meanwhile is told with it."""
    assert now.day is not None
    before = state.notices.last_change()
    done = ended(now.setup, now.day, state.session, state.voices.err)
    at = state.session.clock.now()
    sight = sight_of(done.thread, now.setup, before, done.count, state.notices, at)
    final = Notice(final_key(now.day), at, done.words, done.outside, urgent=True)
    state.notices.keep((*news(sight, now.setup, at), final))
    state.standing = Standing(None, None)
    state.pages = state.pages or pages_of((sight,))
    state.budget = Budget(state.session.clock.elapsed())


def _saved(state: _Watch) -> Budget:
    return state.budget.by(state.session.clock.elapsed())


def _failed(fault: KnightfallError, state: _Watch) -> None:
    """At the first look only what may pass by itself is waited for; nothing where it is the only one."""
    if state.asked.once or not isinstance(fault, (*FAULTS, *(MENDED if state.looked else ()))):
        raise fault
    said = str(fault).splitlines()[0]
    if not state.trouble:
        state.voices.err(f"{said} I go on trying, and say when it works again.")
    state.trouble = True
    state.standing = replace(state.standing, failures=state.standing.failures + 1)


def _tell(now: Moment, state: _Watch) -> None:
    """What waits, as far as it is the hour for it; each is marked as soon as it was told."""
    quiet = state.asked.quiet is not None and state.asked.quiet.at(now.at, now.zone)
    told = [one for one in state.notices.waiting() if one.urgent or not quiet]
    for notice in told:
        state.voices.show(notice, now.zone)
        state.notices.told(notice, now.at)
    if told:
        title = f"Knightfall: {now.setup.title or 'your game'}"
        state.voices.send(told, title, now.zone, state.session)


def _now(state: _Watch) -> Moment:
    return moment_of(state.notices.keys(), state.session)


def _begin(now: Moment, state: _Watch) -> None:
    """Says what is watched. Raises InputError where there is nothing, or no deadline to stop at."""
    if not threads_of(now.setup) and not now.windows:
        url_of(now.setup)
    state.last = now.day.number if now.day else None
    if state.asked.to_deadline and (now.day is None or now.day.deadline is None):
        raise InputError(
            "--until deadline: no day with a deadline runs here. Give it one: knightfall phase open, or "
            "phase extend; or leave --until out."
        )
    state.voices.err(" ".join(_greeting(now, state.asked)))


def _greeting(now: Moment, asked: Asked) -> Iterator[str]:
    day = now.day
    yield f"Watching {f'day {day.number} of ' if day else ''}{now.setup.title or 'the game'}."
    if day is not None and day.deadline is not None and now.left is not None:
        ends = local_time(now.setup.rule.closes(day.deadline), now.zone)
        left = timedelta(seconds=round(now.left))
        yield f"It ends {ends}, in {left}." if now.left > 0 else f"It ended {ends}."
    if day is not None and final_key(day) in now.known:
        yield f"Its final count was made: public/votecount-{day.number}.F.txt."
    if not asked.once:
        yield f"A look every {asked.every / 60:g} min, oftener near a hammer or the deadline; Ctrl-C stops."


def _ready(now: Moment, state: _Watch) -> bool:
    """Whether the day has its final count for the deadline that stands, or the moderator closed it."""
    day = next((day for day in now.setup.days if day.number == state.last), None)
    return day is None or state.last in now.closed or final_key(day) in now.known


def _pause(now: Moment, state: _Watch) -> float:
    """Seconds to the next look, or to what the clock alone will tell before."""
    wishes = [state.due - state.session.clock.elapsed(), next_alarm(now.windows, now.at)]
    wishes += [now.left if now.left and now.left > 0 else None, _quiet_left(now, state)]
    return max(BRIEFEST, min(wish for wish in wishes if wish is not None))


def _quiet_left(now: Moment, state: _Watch) -> float | None:
    """Seconds until what was collected may be told."""
    quiet = state.asked.quiet
    silent = quiet is not None and quiet.at(now.at, now.zone) and bool(state.notices.waiting())
    return quiet.left(now.at, now.zone) if quiet is not None and silent else None


def parse_every(text: str) -> float:
    """Seconds of “5m” or “1h”; the shortest is a minute. Raises InputError for what is no span."""
    try:
        return parse_span(text).total_seconds()
    except ValueError as fault:
        raise InputError(f"--every {text}: expected {fault}.") from None
