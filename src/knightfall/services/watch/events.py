"""What a watch tells: hammers, altered votes, questions to the moderator, deadlines, missing messages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from html import unescape
from typing import TypeAlias
from zoneinfo import ZoneInfo

from knightfall.config.calendar import window_of
from knightfall.config.setup import Setup
from knightfall.engine.journal import window_name
from knightfall.engine.json_text import JsonAnswer
from knightfall.engine.notices import Notice
from knightfall.engine.safe_text import safe
from knightfall.engine.spans import format_span
from knightfall.forums import html_style_of
from knightfall.markup.html import parse_html
from knightfall.markup.html_style import HtmlStyle
from knightfall.models import ChangeKind, Post, PostChange, Slot, Thread
from knightfall.names import squash
from knightfall.sentence import Way, joined, sentence
from knightfall.services.game.due import Due
from knightfall.services.window.waiting import PendingWindow, time_left
from knightfall.votes.ballots import Ballot, Forms, Region
from knightfall.votes.config import DaySetup
from knightfall.votes.lines import TAG_MARK, lines_of
from knightfall.votes.rule import Boundary, Rule
from knightfall.votes.vote_parser import read_body, read_lines
from knightfall.votes.votecount import Votecount
from knightfall.writeups.facts import full_time, local_time
from knightfall.writeups.vote_words import change_line

WARNING = timedelta(hours=1)
"""So long before its end a window is told whose messages are missing."""
TITLES = ("moderator", "mod", "mods")
"""What a moderator is called, beside their name."""
EXCERPT = 160
"""So many letters of a question are told."""


@dataclass(frozen=True, slots=True, repr=False)
class Watching(JsonAnswer):
    """A watch begins: which day of which game (None and “”: none is open, or it has no title), the last
    instant that counts and the seconds to it, and whether the day's final count was made. `until` is the day
    whose end may end it."""

    day: int | None
    title: str
    closes: datetime | None
    left: float | None
    zone: ZoneInfo
    counted: bool
    until: int | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Noticed(JsonAnswer):
    """Something for the moderator, in their time zone; `then` is what is due about it, with the way to do it
    ("": nothing is, by now)."""

    notice: Notice
    zone: ZoneInfo
    then: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class LookFailed(JsonAnswer):
    """The first look that failed after one that did not; the watch goes on."""

    cause: str


@dataclass(frozen=True, slots=True, repr=False)
class LookSucceeded(JsonAnswer):
    """The first look that did not fail after some that did."""


@dataclass(frozen=True, slots=True, repr=False)
class DayClosed(JsonAnswer):
    """The moderator closed the day that was watched to its end."""

    day: int


@dataclass(frozen=True, slots=True, repr=False)
class ChannelDown(JsonAnswer):
    """A channel takes no messages now; they are kept and sent later."""

    name: str


WatchEvent: TypeAlias = Watching | Noticed | LookFailed | LookSucceeded | DayClosed | ChannelDown


def event_words(event: WatchEvent) -> str:
    """An event of a watch, in sentences."""
    match event:
        case Noticed(notice, zone, then):
            return joined("", (f"[{notice.at.astimezone(zone):%H:%M}] {notice.words}", then))
        case LookFailed(cause):
            return sentence("{cause} I'll keep trying and tell you when it works again.", cause=cause)
        case LookSucceeded():
            return "It works again. I'll continue from where I was."
        case DayClosed(day):
            return f"Day {day} is closed, so the watch ends."
        case ChannelDown(name):
            return f"The {name} takes no messages now. You still see them here, and I'll keep trying."
        case Watching(day, title, closes, left, zone, counted, _):
            of = f"day {day} of " if day is not None else ""
            said = [f"Watching {of}{title or 'the game'}."]
            if closes is not None and left is not None:
                ends = full_time(closes, zone)
                ahead = f"It ends {ends}, in {format_span(timedelta(seconds=left))}."
                said.append(ahead if left > 0 else f"It ended {ends}.")
            if counted:
                said.append(f"Its final count is in public/votecount-{day}.F.txt.")
            return " ".join(said)


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something that the clock or the thread makes due: the notice, and what to do about it by the list of
    what is due ("": nothing)."""

    notice: Notice
    then: str = ""


def then_of(window: str, found: Iterable[Due], template: str) -> str:
    """What is due about a window, in a sentence with `{way}`; "" where nothing is."""
    way = next((one.way for one in found if one.window == window), None)
    return "" if way is None else sentence(template, way=way)


def alarms(awaited: Iterable[PendingWindow], found: Sequence[Due], now: datetime) -> Iterator[Alarm]:
    """Windows of a begun game whose time is short or up; `found` is what is due.

    Who is awaited in a secret window is nobody else's business: a server on the way is told how many.
    """
    for one in awaited:
        if one.until is None or now < one.until - WARNING or (not one.absent and now < one.until):
            continue
        title, until = one.window.title, one.until.isoformat()
        waits = f"missing: {', '.join(one.absent)}" if one.absent else "nobody is missing"
        who = waits if not one.absent or one.window.secret is False else f"missing: {len(one.absent)}"
        if now < one.until:
            words = f"{title}: {time_left(one.until, now)}, {{}}."
            then = then_of(window_name(one.window), found, " To write the reminders: {way}")
            yield Alarm(Notice(f"missing {title} {until}", now, words.format(waits), words.format(who)), then)
        elif one.window.slots or one.window.secret:
            # Players send messages in it; a day of votes in the thread has an end of its own.
            words = f"{title}: time is up, {{}}."
            then = then_of(window_name(one.window), found, " Next: {way}")
            key = f"up {title} {until}"
            yield Alarm(Notice(key, now, words.format(waits), words.format(who), urgent=True), then)


def next_alarm(awaited: Iterable[PendingWindow], now: datetime) -> float | None:
    """Seconds until the clock alone has something to tell."""
    moments = (moment for one in awaited if one.until for moment in (one.until - WARNING, one.until))
    return min(((moment - now).total_seconds() for moment in moments if moment > now), default=None)


def deadline_passed(
    day: DaySetup, rule: Rule, zone: ZoneInfo, found: Sequence[Due], now: datetime
) -> Iterator[Alarm]:
    """That the last instant of a day is over, or with a lock as its only end, that it is time to lock."""
    if day.deadline is None or now < rule.closes(day.deadline):
        return
    words = f"The deadline of day {day.number} has passed ({local_time(day.deadline, zone)})."
    locks, then = rule.boundary is Boundary.UNTIL_LOCK and day.end is None, ""
    if locks:
        then = then_of(window_of(day.number), found, " Votes count until you lock the thread. Then: {way}")
    key = f"deadline day-{day.number} {day.deadline.isoformat()}"
    yield Alarm(Notice(key, now, words, words, urgent=True), then)


@dataclass(frozen=True, slots=True)
class SeenThread:
    """A thread as it was just read: `changes` with their numbers; `since` is the last post that is no news,
    because the moderator posted it or behind it before watching began; `count` where votes stand there."""

    thread: Thread
    changes: tuple[tuple[int, PostChange], ...]
    since: int
    count: Votecount | None = None


def news(seen: SeenThread, setup: Setup, found: Sequence[Due], now: datetime) -> Iterator[Alarm]:
    """Everything worth telling in a thread, whether it was told or not; `found` is what is due now that it
    was read."""
    if seen.count is not None:
        yield from _hammer_news(seen.count, found, now)
    html_style = html_style_of(seen.thread.platform)
    forms = seen.count.rule.forms if seen.count else setup.rule.forms

    for number, change in seen.changes:
        said = altered_vote(change, html_style, forms, setup.moderators)
        if said is not None:
            both = sentence(" To see both: {see}", see=Way("see_post", post=change.post.number))
            yield Alarm(Notice(f"change {number}", now, plain(said), plain(said)), both)

    fresh = (post for post in seen.thread.posts if post.number > seen.since)
    for asked in questions(fresh, html_style, moderators_of(setup, seen.thread), forms):
        post, text = asked.post, plain(asked.text)
        short = text if len(text) <= EXCERPT else f"{text[:EXCERPT]}…"
        words = f"#{post.number} {plain(post.author)} asks you: “{short}”{f' {post.url}' if post.url else ''}"
        yield Alarm(Notice(f"question {seen.thread.url} {post.id}", now, words, words))


def to_hammer(count: Votecount | None) -> int | None:
    """Votes that miss to a hammer: 0 after it, None where no day ends by one or nobody is voted for."""
    if count is None or not count.rule.hammers(count.day.number):
        return None
    if count.tally.hammer is not None:
        return 0
    return min((wagon.lacks for wagon in count.tally.wagons if wagon.lacks is not None), default=None)


def _hammer_news(count: Votecount, found: Sequence[Due], now: datetime) -> Iterator[Alarm]:
    """The hammer, or each wagon that is one vote short of it."""

    def name(target: Slot | None) -> str:
        return target.name if target else count.terms.no_elimination

    missing, hammer, wagons = to_hammer(count), count.tally.hammer, count.tally.wagons
    if missing == 0 and hammer is not None:
        target = name(hammer.target)
        size = next((f" ({one.size})" for one in wagons if one.target == hammer.target), "")
        who = f"{hammer.voter.name} → {target}" if hammer.voter else f"{target}, by a death"
        words = f"HAMMER #{hammer.post} {who}{size}."
        key = f"hammer {count.day.number} {hammer.post} {target}"
        then = then_of(window_of(count.day.number), found, " Lock the thread, then: {way}")
        yield Alarm(Notice(key, now, plain(words), plain(words), urgent=True), then)
    elif missing == 1 and not count.final:
        for wagon in wagons:
            if wagon.lacks == 1:
                target = name(wagon.target)
                words = (
                    f"{target} {wagon.size}, {count.terms.closeness}-1: THE HAMMER IS NEXT (#{wagon.since})."
                )
                key = f"near {count.day.number} {wagon.since} {target}"
                yield Alarm(Notice(key, now, plain(words), plain(words)))


def altered_vote(
    change: PostChange, html_style: HtmlStyle, forms: Forms, moderators: Iterable[str]
) -> str | None:
    """A sentence or two on a change that touches a vote; None for one that does not, and for posts of the
    moderators."""
    if change.post.author.casefold() in {name.casefold() for name in moderators}:
        return None

    def ballots(post: Post) -> tuple[Ballot, ...]:
        return () if post.hidden else read_body(post.body, html_style, forms)

    # The votes before and now; a post that vanished has none now, one that returned had none before.
    now = ballots(change.post)
    before = ballots(change.before) if change.before else now
    if change.became is ChangeKind.VANISHED:
        before, now = now, ()
    elif change.became is ChangeKind.RETURNED:
        before = ()
    meant, means = ([(one.action, squash(one.text)) for one in votes] for votes in (before, now))
    if meant == means:
        return None

    def shown(votes: tuple[Ballot, ...]) -> str:
        return ", ".join(f"“{one.text or one.action.value}”" for one in votes) or "no vote"

    # An edit that leaves no trace on the page is what only our evidence can show.
    edited = change.became is ChangeKind.CHANGED and not change.post.hidden
    unmarked = edited and not change.post.edited and not change.post.edit_note
    trace = ", without an edit mark" if unmarked else ""
    return f"{change_line(change)} Its vote: {shown(before)} → {shown(now)}{trace}."


@dataclass(frozen=True, slots=True)
class Question:
    """The first line of a post that asks the moderator something, as written."""

    post: Post
    text: str


def questions(
    posts: Iterable[Post], html_style: HtmlStyle, moderators: Iterable[str], forms: Forms
) -> Iterator[Question]:
    """The posts that ask the moderator something, in their order; quotes ask nothing, nor do votes."""
    names = tuple(moderators)
    own = {name.casefold() for name in names}
    called = "|".join(map(re.escape, (*names, *TITLES)))
    # A moderator's name or title as a whole word, with or without an @ before it.
    words = re.compile(rf"(?<![^\W_])(?P<at>@\s?)?(?:{called})(?![^\W_])", re.IGNORECASE)
    for post in posts:
        if post.author.casefold() in own or post.hidden or not words.search(unescape(post.body)):
            continue
        for line in lines_of(parse_html(post.body, html_style)):
            if line.region is not Region.LIVE:
                continue
            # A mention asks wherever it stands; a bold line that names them does where it is no vote.
            found = tuple(words.finditer(line.text))
            bold = any(start < one.end() and one.start() < end for one in found for start, end in line.bold)
            if any(one["at"] for one in found) or (bold and not read_lines((line,), forms)):
                yield Question(post, line.text.replace(TAG_MARK, " ").strip())
                break


def moderators_of(setup: Setup, thread: Thread) -> tuple[str, ...]:
    """Whom the file names, else who wrote the opening post."""
    return setup.moderators or tuple(post.author for post in thread.posts[:1])


def answered_to(thread: Thread, moderators: Iterable[str]) -> int:
    """The moderator's last post: what was asked before it is no news to them; -1 where they never posted."""
    names = {name.casefold() for name in moderators}
    return max((post.number for post in thread.posts if post.author.casefold() in names), default=-1)


def plain(text: str) -> str:
    """The text on one line, without what plays tricks on a terminal."""
    return " ".join(safe(text).split())
