"""Following a game's threads: when to look, what a look finds, the end of a day, what is told at once."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo

from knightfall.audience import View
from knightfall.config.calendar import closed_days
from knightfall.config.instants import parse_clock
from knightfall.config.setup import Setup
from knightfall.engine.notices import Notice
from knightfall.engine.spans import EXPECTED, parse_span
from knightfall.errors import (
    EvidenceError,
    InputError,
    KnightfallError,
    SecretGuard,
    SiteRefused,
    StateDamaged,
    TimeError,
)
from knightfall.fetch.clock import Fetch
from knightfall.forums.base import Request, Response
from knightfall.models import Thread
from knightfall.sentence import Way, first_line, joined, sentence
from knightfall.services.count.remembered_votes import votes_remembered
from knightfall.services.count.request import count_nodes
from knightfall.services.day.end import (
    FAULTS,
    FIRST_PAUSE,
    LONGEST_PAUSE,
    FinalCount,
    final_count,
    final_text,
    keep_final,
    url_of,
    why_ended,
)
from knightfall.services.game.due import Due, due
from knightfall.services.guard import released
from knightfall.services.heads import log_line
from knightfall.services.now import now_of
from knightfall.services.posts.facts import DayEnding, PostContent, late_posts, post_nodes, voting_over
from knightfall.services.requests import PostFormat
from knightfall.services.running import begun
from knightfall.services.session import Session, game_database, journal_of
from knightfall.services.threads import Link, gather, habits_of, speech_of
from knightfall.services.watch.events import (
    Alarm,
    ChannelDown,
    DayClosed,
    LookFailed,
    LookSucceeded,
    Noticed,
    SeenThread,
    WatchEvent,
    Watching,
    alarms,
    answered_to,
    deadline_passed,
    moderators_of,
    news,
    next_alarm,
    to_hammer,
)
from knightfall.services.watch.notify import Channel, Notifier
from knightfall.services.window.waiting import PendingWindow, pending
from knightfall.storage.drafts import write_public
from knightfall.storage.store import Notices
from knightfall.votes.config import Ask, DaySetup
from knightfall.votes.count import votecount
from knightfall.votes.rule import Boundary, Rule
from knightfall.votes.votecount import Votecount, seen_by
from knightfall.writeups.facts import post_facts
from knightfall.writeups.render import written

FOLLOWED = ("game", "vote")
"""Threads in which players vote and ask."""
SHOWN = 3
"""So many wagons are told."""
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
BRIEFEST = 1.0
"""Seconds: so long is slept at least."""
_QUIET, _EVERY = Way("field", name="quiet"), Way("field", name="every")
_COUNT, _CLOSE = Way("count_votes", stored=True), Way("close_day")
MENDED = (SiteRefused, EvidenceError, InputError)
"""What was well once and may be again: a login, a page, the game file."""


@dataclass(frozen=True, slots=True)
class QuietHours:
    """Hours in which only what is urgent is told: from `begins` up to, and without, `ends`; over midnight
    where they end earlier than they begin."""

    begins: time
    ends: time

    def at(self, moment: datetime, zone: ZoneInfo) -> bool:
        """Whether that instant is in them."""
        now = moment.astimezone(zone).time().replace(tzinfo=None)
        if self.begins <= self.ends:
            return self.begins <= now < self.ends
        return now >= self.begins or now < self.ends

    def left(self, moment: datetime, zone: ZoneInfo) -> float:
        """Seconds until they end."""
        local = moment.astimezone(zone)
        ends = local.replace(hour=self.ends.hour, minute=self.ends.minute, second=0, microsecond=0)
        ahead = ends if ends > local else ends + timedelta(days=1)
        return (ahead.astimezone(moment.tzinfo) - moment).total_seconds()


def parse_quiet(text: str) -> QuietHours:
    """Parse quiet hours such as “23:00-07:00” or “11pm-7am”. Raises InputError."""
    try:
        begins, ends = (parse_clock(part) for part in text.replace("–", "-").split("-"))
    except (ValueError, TimeError):
        raise InputError(
            sentence("{quiet} {text}: expected hours such as 23:00-07:00.", quiet=_QUIET, text=text)
        ) from None
    if begins == ends:
        raise InputError(
            sentence(
                "{quiet} {text}: start and end are the same. Leave out {quiet}, or change one of them.",
                quiet=_QUIET,
                text=text,
            )
        )
    return QuietHours(begins, ends)


def parse_every(text: str) -> float:
    """Parse “5m” or “1h” into seconds; the shortest is a minute. Raises InputError for what is no span."""
    try:
        seconds = parse_span(text).total.total_seconds()
    except ValueError:
        seconds = 0.0
    if seconds < 60:
        raise InputError(
            sentence(
                "{every} {text}: expected {expected}; the shortest is 1m.",
                every=_EVERY,
                text=text,
                expected=EXPECTED,
            )
        )
    return seconds


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
class Urgency:
    """How soon a look is needed: seconds to the day's deadline (None: it has none), votes that miss to a
    hammer (None: no wagon), and how many looks in a row failed."""

    left: float | None = None
    missing: int | None = None
    failures: int = 0


def pause(every: float, urgency: Urgency, budget: Budget) -> float:
    """Seconds until the next look. `every` is the longest pause while all is well."""
    if urgency.failures:
        wished = min(FIRST_PAUSE * 2.0 ** min(urgency.failures - 1, 30), LONGEST_PAUSE)
    else:
        near = every if urgency.missing is None else NEAR.get(urgency.missing, every)
        late = every if urgency.left is None or urgency.left <= 0 else urgency.left / SHARE
        wished = max(FASTEST, min(every, near, late))
    return max(wished, budget.wait)


def sweeps(budget: Budget, pages: int, since: float, urgency: Urgency) -> bool:
    """Whether this look reads the whole thread again: it is due, paid for, and the end is not near."""
    late = urgency.left is not None and 0 < urgency.left < HASTE
    return since >= SWEEP and budget.pages >= pages and not late


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


def day_to_watch(
    days: Iterable[DaySetup], closed: frozenset[int], rule: Rule, now: datetime, known: frozenset[str]
) -> DaySetup | None:
    """The day to watch: one that was watched and has no final count yet, else the next that will end, else
    the last one that is not closed. `known` are the keys of what was noticed."""
    open_ = sorted((day for day in days if day.number not in closed), key=lambda day: day.number)
    begun = [day for day in open_ if watching_key(day) in known and final_key(day) not in known]
    ahead = [day for day in open_ if day.deadline and not over(day, rule, now)]
    ahead.sort(key=lambda day: day.deadline.isoformat() if day.deadline else "")
    return next(iter((*begun, *ahead, *reversed(open_))), None)


@dataclass(frozen=True, slots=True)
class Moment:
    """How the game stands at an instant.

    `day` is watched, its vote may be over; `windows` are open; `known` are the keys of what was noticed,
    `closed` the numbers of days that the moderator closed; `due` is what is due.
    """

    at: datetime
    setup: Setup
    day: DaySetup | None
    windows: tuple[PendingWindow, ...]
    known: frozenset[str]
    closed: frozenset[int]
    due: tuple[Due, ...] = ()

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
    """How the game stands now: file and journal are read anew, as the moderator decides while we watch."""
    setup, journal, at = now_of(session).setup, journal_of(session), session.clock.now()
    closed = frozenset(number for number, _ in closed_days(journal))
    windows = pending(now_of(session).running) if begun(journal) else ()
    day = day_to_watch(setup.days, closed, setup.rule, at, known)
    return Moment(at, setup, day, windows, known, closed, due(session))


@dataclass(slots=True)
class CountingFetch:
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


def lasting_ports(session: Session) -> tuple[Session, CountingFetch]:
    """The same session for a long run, and what counts the pages that go through it.

    Evidence and journal are opened once: a file that is let go is taken up again without preparing everything
    anew.
    """
    fetch = CountingFetch(session.fetch)
    ledger = None if session.ledger is None else cache(session.ledger)
    return replace(session, fetch=fetch, store=cache(session.store), ledger=ledger), fetch


def look(
    setup: Setup, day: DaySetup | None, again: bool, session: Session, notices: Notices
) -> tuple[SeenThread, ...]:
    """Each followed thread as it is now; `again` reads every page of it. Raises what reading and counting
    raise, but for a day that has no posts yet: it has no count."""
    before = notices.last_change()
    found = []
    for url in threads_of(setup):
        thread, now = gather(Link(url, again), session), session.clock.now()
        # There is no count in another thread than the game's, at night, and before anybody can vote.
        count: Votecount | None = None
        if url == setup.url and (day is not None or not setup.days):
            try:
                habits = habits_of(thread)
                with votes_remembered(thread, habits, setup, session):
                    count = votecount(thread, habits, setup, Ask(day.number if day else None), now)
            except InputError:
                count = None
        found.append(seen_thread(thread, setup, before, count, notices, now))
    return tuple(found)


def seen_thread(
    thread: Thread, setup: Setup, before: int, count: Votecount | None, notices: Notices, now: datetime
) -> SeenThread:
    """A thread that was just read, with what changed in it since watching began; from `before` on where that
    is now."""
    key = f"since {thread.url}"
    if notices.marked(key) is None:
        notices.mark(key, f"{before} {answered_to(thread, moderators_of(setup, thread))}", now)
    since, answered = map(int, (notices.marked(key) or "0 -1").split())
    return SeenThread(thread, notices.changes_after(thread.url or "", since), answered, count)


def pages_of(threads: Iterable[SeenThread]) -> int:
    """How many pages a whole read of these threads asks for."""
    return sum(max(seen.thread.pages, 1) for seen in threads)


@dataclass(frozen=True, slots=True)
class EndedDay:
    """A day's thread that held still, its count as the moderator may see it, and what to tell of it:
    `outside` without what is for them alone."""

    thread: Thread
    count: Votecount
    words: str
    outside: str


def end_day(setup: Setup, day: DaySetup, session: Session) -> EndedDay:
    """Read until the thread holds still, and leave the final count and the next post in `public/`.

    Raises EvidenceError where it does not, and what reading raises; a text that the secret guard stops is
    told, not written.
    """
    final = final_count(setup, day.number, session)
    folder, told = session.folder, []
    try:
        file = keep_final(final, released(final_text(final, line=log_line(session)), session), folder)
        told.append(f"The final votecount is in {file.relative_to(folder)},")
        text = released(end_of_vote_post(final, session), session)
        draft = write_public(folder, f"end-of-vote-{day.number}.txt", text)
        told.append(f"the draft of the next post in {draft.relative_to(folder)}.")
    except SecretGuard as leak:
        told.append(sentence("Not written: {leak}", leak=leak))

    # What the moderator does now.
    count = final.count
    open_ = len(count.questions) + len(count.lost)
    if open_:
        votes = f"{open_} vote{'s' * (open_ > 1)} need your decision"
        told.append(sentence("{votes}: {count}. Then: {close}", votes=votes, count=_COUNT, close=_CLOSE))
    else:
        told.append(sentence("Then: {close}", close=_CLOSE))

    # “Fen 3, Kestrel 1”, as the players may see it.
    public = seen_by(View.PUBLIC, count)
    top = ", ".join(
        f"{one.target.name if one.target else public.terms.no_elimination} {one.count}"
        for one in public.tally.wagons[:SHOWN]
    )
    head = f"Day {day.number} is over: {top or 'nobody has a vote'}."
    return EndedDay(final.thread, count, joined(" ", (head, *told)), head)


def end_of_vote_post(final: FinalCount, session: Session) -> str:
    """The post that ends the vote: what decided, what came too late, the final count."""
    count = seen_by(View.PUBLIC, final.count)
    end = count.day.end
    locked = None if end is None else post_facts(end, count.posts)
    why = why_ended(count, None, end is not None)
    # What the moderator has still to decide is not told as decided.
    known = None if why.decided or count.questions else why
    head = voting_over(count.day.number, DayEnding(count, late_posts(count)), locked, known)
    content = PostContent((head, count_nodes(count, PostFormat(), final.setup)))
    speech = speech_of(None, final.setup, session)
    nodes = post_nodes(content, zone=final.setup.zone, line=log_line(session))
    return "\n\n".join(written(nodes, speech, final.site.max_length))


@dataclass(frozen=True, slots=True)
class WatchRequest:
    """How a game is watched. `every`: seconds between two looks while all is well; `to_deadline`: stop when
    the day's final count is ready; `to_close`: stop when the moderator has closed the day; `once`: one look,
    and no more; `channels`: where notices go beside the terminal.

    `goes_on`: it ran before, so that a fault of its first look is waited for; `day` is the one it watched.
    """

    every: float = 300.0
    to_deadline: bool = False
    once: bool = False
    quiet: QuietHours | None = None
    channels: tuple[Channel, ...] = ()
    to_close: bool = False
    goes_on: bool = False
    day: int | None = None


def watch(request: WatchRequest, session: Session) -> Iterator[WatchEvent]:
    """Follow the game until the caller stops, or what was asked for is done.

    Raises InputError where there is nothing to watch, StateDamaged, and at the first look what cannot mend
    itself: a page that is no forum, a login. Later faults are told once, and it goes on.
    """
    lasting, fetch = lasting_ports(session)
    notices = Notices.open(game_database(session.place))
    elapsed = session.clock.elapsed()
    notifier = Notifier(request.channels)
    try:
        yield from _Watch(
            request,
            lasting,
            fetch,
            notices,
            notifier,
            Budget(elapsed),
            swept=elapsed,
            looked=request.goes_on,
            due=elapsed,
            last=request.day,
        ).events()
    finally:
        notices.close()


@dataclass(slots=True)
class _Watch:
    """A watch under way."""

    request: WatchRequest
    session: Session
    fetch: CountingFetch
    notices: Notices
    notifier: Notifier
    budget: Budget
    urgency: Urgency = field(default_factory=Urgency)
    pages: int = 0
    """Of a whole read; 0 before the first look."""
    swept: float = 0.0
    looked: bool = False
    """Whether a look was well, now or before a restart."""
    due: float = 0.0
    """When the next look is, by the clock that never jumps."""
    last: int | None = None
    """The day whose end is the end of the watch."""
    trouble: bool = False
    """Whether the last look failed, which was told."""
    then: dict[str, str] = field(default_factory=dict)
    """What is due about a notice, by its key, as it was found last."""

    def events(self) -> Iterator[WatchEvent]:
        """Go round until what was asked for is done; between two rounds the clock sleeps."""
        now = self._now()
        if not threads_of(now.setup) and not now.windows:
            url_of(now.setup)  # says what is missing
        day = now.day
        if self.request.to_deadline and (day is None or day.deadline is None):
            raise InputError(
                sentence(
                    "{until} deadline: no day with a deadline is running here. Set one: {deadline}. Or "
                    "leave out {until}.",
                    until=Way("field", name="until"),
                    deadline=Way("set_deadline", title="day N"),
                )
            )
        if self.request.to_close and self.last is not None and self.last in now.closed:
            yield DayClosed(self.last)
            return
        self.last = day.number if day else None
        if self.request.to_close and self.last is None:
            # No day was opened yet, or it is night: the next one that is closed.
            self.last = max(now.closed, default=0) + 1
        closes = now.setup.rule.closes(day.deadline) if day and day.deadline else None
        counted = day is not None and final_key(day) in now.known
        number = day.number if day else None
        yield Watching(number, now.setup.title or "", closes, now.left, now.zone, counted, self.last)
        while True:
            try:
                now = yield from self._round()
                if self.request.once or (self.request.to_deadline and self._ready(now)):
                    return
                if self.request.to_close and self.last is not None and self.last in now.closed:
                    yield DayClosed(self.last)
                    return
                seconds = self._pause(now)
            except InputError as fault:
                # A mistake that gets into the game file meanwhile is told, and can be mended.
                yield from self._failed(fault)
                seconds = FASTEST
            self.session.clock.sleep(seconds)

    def _round(self) -> Generator[WatchEvent, None, Moment]:
        """One look, where it is due, and all that follows from it; how the game stands then."""
        now = self._now()
        if now.day is not None:
            if watching_key(now.day) not in now.known:
                self.notices.mark(watching_key(now.day), "", now.at)
            self._keep(deadline_passed(now.day, now.setup.rule, now.zone, now.due, now.at))
        self._keep(alarms(now.windows, now.due, now.at))
        yield from self._tell(now)

        if self.session.clock.elapsed() >= self.due or (now.over and not self.trouble):
            # Look, or end the day. A fault is told once and makes the next look later.
            try:
                if now.over:
                    self._end(now)
                else:
                    self._look(now)
            except StateDamaged:
                raise
            except KnightfallError as fault:
                yield from self._failed(fault)
            else:
                if self.trouble:
                    yield LookSucceeded()
                self.trouble, self.looked = False, True
            now = self._now()
            urgency = replace(self.urgency, left=now.left)
            elapsed = self.session.clock.elapsed()
            self.due = elapsed + pause(self.request.every, urgency, self.budget.by(elapsed))
            yield from self._tell(now)
        yield from map(ChannelDown, self.notifier.again())
        return now

    def _look(self, now: Moment) -> None:
        """Read the threads and note what is news."""
        clock, asked_before = self.session.clock, self.fetch.pages
        elapsed = clock.elapsed()
        again = bool(self.pages) and sweeps(
            self.budget.by(elapsed), self.pages, elapsed - self.swept, self.urgency
        )
        threads = look(now.setup, now.day, again, self.session, self.notices)
        found = due(self.session)
        for seen in threads:
            self._keep(news(seen, now.setup, found, clock.now()))
        count = next((seen.count for seen in threads if seen.count), None)
        self.urgency = Urgency(now.left, to_hammer(count))
        # The first look costs nothing: the moderator takes it themselves, by beginning.
        elapsed = clock.elapsed()
        self.budget = self.budget.spent(self.fetch.pages - asked_before if self.pages else 0, elapsed)
        self.swept = elapsed if again else self.swept
        self.pages = pages_of(threads)

    def _end(self, now: Moment) -> None:
        """Make the final count of the day and its drafts; what changed meanwhile is told with it."""
        assert now.day is not None
        before = self.notices.last_change()
        done = end_day(now.setup, now.day, self.session)
        at = self.session.clock.now()
        seen = seen_thread(done.thread, now.setup, before, done.count, self.notices, at)
        final = Notice(final_key(now.day), at, done.words, done.outside, urgent=True)
        self._keep((*news(seen, now.setup, due(self.session), at), Alarm(final)))
        self.urgency = Urgency(None, None)
        self.pages = self.pages or pages_of((seen,))
        self.budget = Budget(self.session.clock.elapsed())

    def _keep(self, found: Iterable[Alarm]) -> None:
        """Keep the notices that are new, and what is due about all of them."""
        alarms_now = tuple(found)
        self.then |= {one.notice.key: one.then for one in alarms_now}
        self.notices.keep(one.notice for one in alarms_now)

    def _failed(self, fault: KnightfallError) -> Iterator[WatchEvent]:
        """At the first look only what may pass by itself is waited for; nothing where it is the only one."""
        if self.request.once or not isinstance(fault, (*FAULTS, *(MENDED if self.looked else ()))):
            raise fault
        if not self.trouble:
            yield LookFailed(first_line(fault))
        self.trouble = True
        self.urgency = replace(self.urgency, failures=self.urgency.failures + 1)

    def _tell(self, now: Moment) -> Iterator[WatchEvent]:
        """What waits, as far as it is the hour for it; each is marked as soon as it was told."""
        hours = self.request.quiet
        quiet = hours is not None and hours.at(now.at, now.zone)
        told = [one for one in self.notices.waiting() if one.urgent or not quiet]
        for notice in told:
            yield Noticed(notice, now.zone, self.then.get(notice.key, ""))
            self.notices.told(notice, now.at)
        if told:
            title = f"Knightfall: {now.setup.title or 'your game'}"
            yield from map(ChannelDown, self.notifier.send(told, title, now.zone, self.session))

    def _now(self) -> Moment:
        return moment_of(self.notices.keys(), self.session)

    def _ready(self, now: Moment) -> bool:
        """Whether the day has its final count for the deadline that stands, or the moderator closed it."""
        day = next((day for day in now.setup.days if day.number == self.last), None)
        return day is None or self.last in now.closed or final_key(day) in now.known

    def _pause(self, now: Moment) -> float:
        """Seconds to the next look, or to what the clock alone will tell before."""
        wishes = [self.due - self.session.clock.elapsed(), next_alarm(now.windows, now.at)]
        wishes.append(now.left if now.left and now.left > 0 else None)
        # What was collected in quiet hours is told as soon as they end.
        hours = self.request.quiet
        if hours is not None and hours.at(now.at, now.zone) and self.notices.waiting():
            wishes.append(hours.left(now.at, now.zone))
        return max(BRIEFEST, min(wish for wish in wishes if wish is not None))
