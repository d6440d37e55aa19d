"""What is due in a game, each with the way to do it: from its state, its journal, its texts and its evidence.

There is one such list: Today, `status`, notices and what an action answers show it. Nothing is on it that is
done, nothing whose time has not come.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from knightfall.config.calendar import closed_days, day_of, window_of
from knightfall.config.setup import VOTES, Setup
from knightfall.engine.entries import Closed, Published, Removed, Replaced, Revived, Started, Undone
from knightfall.engine.game import announced
from knightfall.engine.journal import Journal, Record, adopted_until, entry_of, standing, window_name
from knightfall.engine.json_text import JsonAnswer, plain_value
from knightfall.errors import KnightfallError
from knightfall.sentence import Way
from knightfall.services.count.votecount import counted
from knightfall.services.fair_deal import promise_of
from knightfall.services.game.end_marks import ARCHIVED, CHECKED, ENDGAME, is_done
from knightfall.services.game.rooms import ledger_of
from knightfall.services.games import game_named
from knightfall.services.hand_marks import handed_over
from knightfall.services.now import Now, now_of
from knightfall.services.pms import MARKS, RESULT, ROLE, PmBatch, batches, ledger, told_elsewhere
from knightfall.services.posts.framing import tells_setup
from knightfall.services.posts.owed import OwedText, missing_of
from knightfall.services.posts.people import REMOVAL, REPLACEMENT, REVIVAL, happened, untold
from knightfall.services.publish import votecount_kind
from knightfall.services.requests import CountRequest
from knightfall.services.running import (
    RunningGame,
    closings,
    is_voted_on,
    post_of_closing,
    replaced_names,
    votes_by_day,
)
from knightfall.services.session import Session
from knightfall.services.window.void import CORRECTION, tells_last_closing, void_posts
from knightfall.services.window.waiting import PendingWindow, is_reminded, pending
from knightfall.storage.drafts import PUBLIC, kind_words
from knightfall.votes.post_marks import present_number
from knightfall.votes.rule import Boundary
from knightfall.votes.votecount import Votecount
from knightfall.writeups.journal import post_words

FIRST_POSTS = ("setup", "rules", "opening")
"""What a game's thread begins with."""
SIGNUP, GAME = "signup", "game"
"""Roles of threads."""


class DueUrgency(Enum):
    """How soon something has to be done."""

    NOW = "now"
    """The game stands still, or players go by what does not hold."""
    SOON = "soon"
    """Somebody waits for it."""
    NEXT = "next"
    """It is the next step of the game."""
    LATER = "later"
    """Nobody waits for it."""


@dataclass(frozen=True, slots=True, repr=False)
class Due(JsonAnswer):
    """Something that is due: `what` in a short sentence, and the `way` to do it.

    `why` says more ("" where there is no more); `since` is when it became due, `until` by when it has to be
    done, as far as there is such an instant. `window` is the open window that it is about, as the journal
    calls it. `secret`: that it is due is for the moderator's eyes alone. `offered`: it can be left for ever,
    so that nobody is told of it after something else was done.
    """

    what: str
    way: Way
    urgency: DueUrgency
    why: str = ""
    since: datetime | None = None
    until: datetime | None = None
    window: str = ""
    secret: bool = False
    offered: bool = False

    @property
    def needs_words(self) -> bool:
        """Whether a command alone does not tell enough: it cannot wait, or it only notes what has to be done
        on the forum."""
        return self.urgency is DueUrgency.NOW or self.way.to == "rooms"

    def to_dict(self) -> dict[str, object]:
        """{what, why, since, until, urgency, window, secret, way: {to, values}}."""
        return {
            "what": self.what,
            "why": self.why,
            "since": plain_value(self.since),
            "until": plain_value(self.until),
            "urgency": self.urgency.value,
            "window": self.window,
            "secret": self.secret,
            "way": {"to": self.way.to, "values": dict(self.way.values)},
        }


@dataclass(frozen=True, slots=True)
class GameNow:
    """A game as it stands at an instant: all that what is due follows from.

    `game` is what file and journal say; `windows` are what is open; `count` is the count of the thread as
    it was read (None: it was not, or cannot be counted); `unsent` how many PMs of a batch were not sent,
    `copied` the batches of which those were all copied, and `batches` all of them; `void` posts whose entries
    were taken back; `reminded` the titles of windows for which all reminders were written; `missing` texts
    that entries owe; `checked` and `archived` what was done at the end; `handed` up to which entry it was
    handed over (0: never).
    """

    at: datetime
    game: Now
    windows: tuple[PendingWindow, ...] = ()
    count: Votecount | None = None
    batches: tuple[PmBatch, ...] = ()
    unsent: Mapping[str, int] = field(default_factory=dict)
    copied: frozenset[str] = frozenset()
    void: tuple[str, ...] = ()
    reminded: frozenset[str] = frozenset()
    missing: tuple[OwedText, ...] = ()
    checked: bool = False
    archived: bool = False
    handed: int = 0

    @property
    def setup(self) -> Setup:
        """The game file with what was decided since."""
        return self.game.setup

    @property
    def table(self) -> RunningGame | None:
        """The begun game; None where there is none."""
        return self.game.table

    @property
    def journal(self) -> Journal:
        """All that was written."""
        return self.game.journal

    @property
    def is_over(self) -> bool:
        """Whether a begun game has come to its end."""
        return self.table is not None and not self.table.windows

    @property
    def hammer(self) -> HammeredDay | None:
        """The day that goes on and was hammered in the thread as it was read; None for none."""
        count = self.count
        if count is None or count.tally.hammer is None or self.day != count.day.number:
            return None
        target = count.tally.hammer.target
        who = target.name if target else count.terms.no_elimination
        return HammeredDay(count.day.number, who, count.tally.hammer.post)

    @property
    def day(self) -> int | None:
        """The number of the day that everybody votes on now; None where there is none."""
        if self.table is not None:
            voted = (one.window for one in self.windows if is_voted_on(one.window))
            return next((day_of(window_name(one)) for one in voted), None)
        closed = {number for number, _ in closed_days(self.journal)}
        if self.setup.kind != VOTES:
            return None
        number = self.count.day.number if self.count else max(closed, default=0) + 1
        return None if number in closed else number


@dataclass(frozen=True, slots=True)
class HammeredDay:
    """A day that was hammered: on whom, and in which post."""

    day: int
    who: str
    post: int

    @property
    def title(self) -> str:
        """“Day 1”."""
        return f"Day {self.day}"


def due(session: Session) -> tuple[Due, ...]:
    """What is due in the game of a folder, the most urgent first. Raises SetupError for a bad game file, and
    what reading its journal raises."""
    return due_of(game_now(session))


def game_now(session: Session) -> GameNow:
    """The game of a folder as it stands. Raises as `due`."""
    game = now_of(session)
    table, count = game.table, None
    if game.setup.url:
        try:
            count = counted(CountRequest(stored=True), session).count
        except KnightfallError:
            count = None  # nothing was read yet, or what was read is not whole: reading comes next
    if table is None:
        return GameNow(session.clock.now(), game, count=count)
    roles, results = (batches(table, family, game.title) for family in (ROLE, RESULT))
    left = _unsent(table, roles, results, session)
    windows = pending(table)
    return GameNow(
        session.clock.now(),
        game,
        windows,
        count,
        (*roles, *results),
        {kind: len(states) for kind, states in left.items()},
        frozenset(kind for kind, states in left.items() if all(states)),
        void_posts(table),
        frozenset(one.window.title for one in windows if one.absent and is_reminded(one, table)),
        missing_of(game.journal, table, session.folder),
        is_done(CHECKED, session),
        is_done(ARCHIVED, session),
        handed_over(session),
    )


def _unsent(
    table: RunningGame, roles: tuple[PmBatch, ...], results: tuple[PmBatch, ...], session: Session
) -> dict[str, list[str]]:
    """By batch, how far each PM has come that was not sent: of the last results, of earlier ones where only
    some were, and of the roles of the living but those of a slot that was dealt a role again, or whose holder
    was told it before the game was taken in."""
    living, told = frozenset(table.game.playing(table.state)), told_elsewhere(table.journal)
    holders = {pm.holder for batch in roles for pm in batch.pms if pm.slot in living and pm.slot not in told}
    dealt = [(batch.kind, ledger(batch, (), session).rows) for batch in roles]
    left: dict[str, list[str]] = {}
    for place, (kind, rows) in enumerate(dealt, start=1):
        again = {row.name for _, later in dealt[place:] for row in later}
        states = [row.progress.state for row in rows if row.name not in again and row.name in holders]
        left[kind] = [state for state in states if state not in MARKS]
    for batch in results:
        rows = ledger(batch, (), session).rows
        waiting = [row.progress.state for row in rows if row.progress.state not in MARKS]
        # Who marks none keeps no ledger here: of what is long over nothing is owed then.
        if batch is results[-1] or len(waiting) < len(rows):
            left[batch.kind] = waiting
    return {kind: states for kind, states in left.items() if states}


def due_of(now: GameNow) -> tuple[Due, ...]:
    """What is due as a game stands, the most urgent first; each way once."""
    if now.table is None:
        found = tuple(_votes_alone(now) if now.setup.kind == VOTES else _before_the_deal(now))
    else:
        told = now.is_over and _is_posted(ENDGAME, now.journal)
        found = (
            *_missing_texts(now),
            *_ended_days(now),
            # The post with which the thread begins tells the deadline.
            *_missing_deadlines(now),
            *_missing_thread(now),
            *(() if told else _untold(now)),
            *(() if told else _post_of_the_last_closing(now)),
            *(() if told else _pms(ROLE, now)),
            *_first_posts(now),
            *(() if told else _pms(RESULT, now)),
            *_rooms(now),
            *_void(now),
            *_votes_and_silence(now),
            *_unsettled_messages(now),
            *_running(now),
            *_older_hand_over(now),
            *_end(now),
        )
    order = list(DueUrgency)
    by_way: dict[Way, Due] = {}
    for one in sorted(found, key=lambda one: order.index(one.urgency)):
        by_way.setdefault(one.way, one)
    return tuple(by_way.values())


# ── before a game is begun, and where votes alone are counted ────────────────────────────────────


def _before_the_deal(now: GameNow) -> Iterator[Due]:
    players = len(now.setup.roster.slots) if now.setup.roster else 0
    fits = game_named(now.setup.kind).spec.players
    if players in fits:
        promise = promise_of(now.journal)
        if promise is not None and not promise.is_old and not promise.value:
            since, until = (promise.due, None) if promise.due <= now.at else (None, promise.due)
            told = f"Enter round {promise.round} of the beacon, once it has come"
            yield Due(told, Way("enter_round"), DueUrgency.NEXT, since=since, until=until)
            return
        yield Due("Deal the roles", Way("deal"), DueUrgency.NEXT)
        return
    span = f"{fits[0]}" if len(fits) == 1 else f"{fits[0]} to {fits[-1]}"
    why = f"{players} of {span} players are listed"
    if any(thread.role == SIGNUP for thread in now.setup.threads):
        yield Due("Read the sign-ups", Way("read_signups"), DueUrgency.NEXT, why)
    else:
        yield Due("Name the sign-up thread", Way("name_thread", role=SIGNUP), DueUrgency.NEXT, why)
    yield Due("Or type who plays", Way("type_players"), DueUrgency.NEXT, why)


def _votes_alone(now: GameNow) -> Iterator[Due]:
    if now.setup.url is None:
        yield _name_thread()
        yield from _rooms(now)
        return
    number = now.day
    day = now.setup.day(number) if number is not None else None
    if number is not None:
        yield from _voted_day(now, number, f"Day {number}", day.deadline if day else None)
        yield from _votes_and_silence(now)
    yield from _rooms(now)


def _name_thread() -> Due:
    return Due(
        "Name the game thread",
        Way("name_thread", role=GAME),
        DueUrgency.NOW,
        "Without it no votes are counted, and no post links to it",
    )


# ── what comes first ─────────────────────────────────────────────────────────────────────────────


def _missing_texts(now: GameNow) -> Iterator[Due]:
    """Texts that were cut off, of what was entered since something was closed last."""
    assert now.table is not None
    closed = closings(now.table)
    since = closed[-1].number if closed else 0
    told = now.is_over and _is_posted(ENDGAME, now.journal)
    missing = [one for one in now.missing if one.entry >= since and not told]
    if missing:
        texts = "A text was" if len(missing) == 1 else f"{len(missing)} texts were"
        which = ", ".join(dict.fromkeys(map(_missing_words, missing)))
        at = entry_of(now.journal, missing[0].entry).at
        what = f"{texts} not written: {which}"
        why = "Knightfall was ended between the entry and its text"
        yield Due(what, Way("write_texts"), DueUrgency.NOW, why, since=at)


def _missing_words(one: OwedText) -> str:
    """Which text is missing; of a private one not whose."""
    kind = kind_words(one.kind) if one.half == PUBLIC else "private"
    return f"{kind} of entry {one.entry}"


def _older_hand_over(now: GameNow) -> Iterator[Due]:
    """The hand-over that the other moderators have, where something was closed since."""
    closed = closings(now.table) if now.table is not None and not now.is_over else ()
    if now.handed and closed and closed[-1].number > now.handed:
        why = f"What your co-moderators have ends with entry {now.handed}"
        yield Due("Hand the game over again", Way("hand_over", since=now.handed), DueUrgency.LATER, why)


def _ended_days(now: GameNow) -> Iterator[Due]:
    """Days that everybody votes on and that are over: who posts on votes for nothing."""
    for one in now.windows:
        if is_voted_on(one.window) and now.setup.url:
            number = day_of(window_name(one.window)) or 0
            yield from _over(now, number, one.window.title, _deadline(one, now))


def _over(now: GameNow, number: int, title: str, ends: datetime | None) -> Iterator[Due]:
    """What a day that was hammered, or whose deadline has passed, asks for."""
    close, window = Way("close_day", day=number), window_of(number)
    hammer, rule = now.hammer, now.setup.rule
    day = now.setup.day(number)
    passed = ends is not None and rule.closes(ends) <= now.at
    locked = day is not None and day.end is not None
    if hammer is not None or locked or (passed and rule.boundary is not Boundary.UNTIL_LOCK):
        if now.count is not None and _open_votes(now.count) and now.count.day.number == number:
            yield _decide_votes(now.count, DueUrgency.NOW)
        if hammer is not None:
            post = now.count.posts.get(hammer.post) if now.count else None
            what = f"{title} is hammered ({hammer.who}, #{hammer.post}): close the day"
            yield Due(what, close, DueUrgency.NOW, since=post.time if post else None, window=window)
        else:
            yield Due(f"{title} is over: close the day", close, DueUrgency.NOW, since=ends, window=window)
    elif passed:
        why = "Votes count until you lock it"
        what = f"The deadline of {title} has passed: lock the thread"
        yield Due(what, Way("lock", day=number), DueUrgency.NOW, why, since=ends, window=window)


def _to_close(
    one: PendingWindow, now: GameNow, urgency: DueUrgency, said: str = "", since: datetime | None = None
) -> Due:
    """That a window has to be closed, or where the game cannot close it, that the moderator has to decide."""
    assert now.table is not None
    title, window = one.window.title, window_name(one.window)
    kind = one.window.kind
    if is_voted_on(one.window):
        way, verb = Way("say_elimination", kind=kind, title=title), "say who is eliminated"
    else:
        way, verb = Way("decide", kind=kind, title=title), f"decide {title}"
    if not _is_undecided(one, now.table):
        way, verb = Way("close", kind=kind, title=title), f"close {'it' if said else title}"
    what = f"{said}: {verb}" if said else verb[0].upper() + verb[1:]
    until = None if since else one.until
    return Due(what, way, urgency, since=since, until=until, window=window, secret=_is_secret(one))


def _is_secret(one: PendingWindow) -> bool:
    """Whether it tells something that a window awaits somebody, or nobody any more."""
    return one.window.secret and len(one.slots) < len(one.window.slots)


def _is_undecided(one: PendingWindow, table: RunningGame) -> bool:
    """Whether the game cannot close a window before the moderator has decided something."""
    at = max(table.journal[-1].at, one.until or table.journal[-1].at)
    return bool(table.after(Closed(one.window.kind), at, "trial").last_refused)


def _missing_thread(now: GameNow) -> Iterator[Due]:
    assert now.table is not None
    if not now.is_over and now.setup.url is None and votes_by_day(now.table.game.spec.id):
        yield _name_thread()


def _missing_deadlines(now: GameNow) -> Iterator[Due]:
    """Days and nights of a game of votes that end nobody knows when."""
    assert now.table is not None
    if not votes_by_day(now.table.game.spec.id):
        return
    for one in now.windows:
        title, window = one.window.title, window_name(one.window)
        ended = is_voted_on(one.window) and any(_over(now, day_of(window) or 0, title, None))
        if one.window.kind in ("day", "night") and not (_deadline(one, now) or one.stopped or ended):
            what, way = f"Set the deadline of {title}", Way("set_deadline", title=title.casefold())
            why = "The posts that come now tell it"
            yield Due(what, way, DueUrgency.NOW, why, since=one.window.opens, window=window)


def _deadline(one: PendingWindow, now: GameNow) -> datetime | None:
    """Until when a window is open, whoever said so: journal, game or game file."""
    day = now.setup.day(day_of(window_name(one.window)) or 0) if is_voted_on(one.window) else None
    if one.until is None and day is not None and not one.stopped:
        return day.deadline
    return one.until


# ── posts and PMs ────────────────────────────────────────────────────────────────────────────────


def _post(
    kind: str, urgency: DueUrgency, what: str = "", why: str = "", since: datetime | None = None
) -> Due:
    said = what or f"Post the {kind.replace('-', ' ')} post"
    return Due(said, Way("post", kind=kind), urgency, why, since=since)


def _is_posted(kind: str, journal: Journal, after: int = 0) -> bool:
    posted = (r for r in standing(journal) if isinstance(r.entry, Published) and r.number > after)
    return any(one.entry.kind == kind for one in posted if isinstance(one.entry, Published))


def _untold(now: GameNow) -> Iterator[Due]:
    """Who left, came back or came for somebody, and nobody was told."""
    swaps = replaced_names(now.journal)

    def said(record: Record) -> str:
        match record.entry:
            case Replaced():
                old, new = swaps[record.number]
                return f"{new} replaces {old}"
            case Removed(slot=slot, how="modkill"):
                return f"{now.game.holder(slot)} is out of the game"
            case Removed(slot=slot):
                return f"{now.game.holder(slot)} is dead"
            case Revived(slot=slot):
                return f"{now.game.holder(slot)} is back in the game"
        return happened(record, now.game)

    for kind in (REMOVAL, REVIVAL, REPLACEMENT):
        records = untold(kind, now.game)
        if records:
            what = f"Announce it: {', '.join(map(said, records))}"
            yield _post(kind, DueUrgency.NOW, what, since=records[0].at)


def _post_of_the_last_closing(now: GameNow) -> Iterator[Due]:
    """The post of what was closed last, where it has one; one that was taken back since is due again."""
    assert now.table is not None
    closed, game = closings(now.table), now.table.game
    last = closed[-1] if closed else None
    window = last.entry.window if last and isinstance(last.entry, Closed) else ""
    kind = post_of_closing(window, game.spec.id) if window else "results"
    if kind == "results" and not votes_by_day(game.spec.id):
        yield from _results(now)
        return
    if last is None:
        return
    if kind == "results":
        led = (taken for taken in now.table.replay.taken if taken.number >= last.number)
        if not any(announced(taken.events) for taken in led):
            return
    elif kind == "day-start" and now.is_over:
        return  # the day that it begins is over, too
    if not any(tells_last_closing(post, now.table) for post in _valid_posts(kind, now)):
        yield _post(kind, DueUrgency.NOW, why="Nobody was told yet how it ended", since=last.at)


def _results(now: GameNow) -> Iterator[Due]:
    """What a game without days announced last, by a message or by a closing: its newest post tells how all
    stands by now. A game in one sitting marks none."""
    assert now.table is not None
    if now.table.game.is_live(now.setup.options):
        return
    by_number = {record.number: record for record in standing(now.journal)}
    led = (by_number.get(taken.number) for taken in now.table.replay.taken if announced(taken.events))
    # The first post and who came and went have posts of their own.
    told = [one for one in led if one and not isinstance(one.entry, Started | Removed | Replaced | Revived)]
    closed = closings(now.table)
    # A tie announces nothing: the post of its round comes when it is closed, too.
    if not told or (closed and told[-1].number < closed[-1].number):
        return
    last = told[-1]
    ended = isinstance(last.entry, Closed)
    for post in _valid_posts("results", now):
        if post.number > last.number or (ended and tells_last_closing(post, now.table)):
            return
    why = "Nobody was told yet how it ended" if ended else "Nobody was told yet what was played"
    yield _post("results", DueUrgency.NOW, why=why, since=last.at)


def _valid_posts(kind: str, now: GameNow) -> Iterator[Record]:
    """The posts of a kind that went out and hold."""
    for record in standing(now.journal):
        entry = record.entry
        if isinstance(entry, Published) and entry.kind == kind and f"{kind} {entry.number}" not in now.void:
            yield record


def _first_posts(now: GameNow) -> Iterator[Due]:
    """What a thread begins with, until the first day, or the first round of a game without days, is over:
    whoever plays on without them has told it in other words."""
    assert now.table is not None
    game = now.table.game.spec.id
    ends = {"end-of-day", "results"}
    over = any(
        post_of_closing(one.entry.window, game) in ends
        for one in closings(now.table)
        if isinstance(one.entry, Closed)
    )
    # Without a thread a game of votes has to name one first; other games are posted somewhere all the same.
    nowhere = now.setup.url is None and (votes_by_day(game) or now.table.game.is_live(now.setup.options))
    if nowhere or over or now.is_over or adopted_until(now.journal):
        return
    for kind in FIRST_POSTS:
        if not _is_posted(kind, now.journal) and (kind != "setup" or tells_setup(now.game)):
            yield _post(kind, DueUrgency.SOON, since=now.journal[0].at)


def _void(now: GameNow) -> Iterator[Due]:
    """Posts that went out and hold no more, of which nobody was told since."""
    undone = [one.number for one in standing(now.journal) if isinstance(one.entry, Undone)]
    if now.void and not _is_posted(CORRECTION, now.journal, max(undone, default=0)):
        posts = ", ".join(map(post_words, now.void))
        verb = "holds" if len(now.void) == 1 else "hold"
        yield _post(CORRECTION, DueUrgency.SOON, f"Tell your players what no longer {verb}: {posts}")


def _pms(family: str, now: GameNow) -> Iterator[Due]:
    kinds = [batch for batch in now.batches if batch.kind.partition("-")[0] == family]
    for batch in kinds:
        if batch.kind in now.unsent:
            way, what = Way("send_pms", kind=family), f"Send the {batch.words}"
            if batch.kind in now.copied:
                way = Way("mark_sent", kind=family, batch=batch.kind)
                what = f"Say that the {batch.words} were sent: they were copied"
            elif batch is not kinds[-1]:
                way = Way("send_batch", kind=family, batch=batch.kind)
            # Who gets results is often a secret, and so is whether anybody does.
            yield Due(what, way, DueUrgency.SOON, secret=family == RESULT)


def _rooms(now: GameNow) -> Iterator[Due]:
    """Who has to be let into a private topic, or taken out of it. Who keeps no rooms here is only told that
    they could."""
    ledger = ledger_of(now.game)
    for row in ledger.rows:
        if row.due:
            offered = not ledger.used
            urgency = DueUrgency.LATER if offered else DueUrgency.SOON
            way = Way("rooms", room=row.room, title=row.title, what=row.due)
            yield Due(row.due, way, urgency, secret=True, offered=offered)


# ── what goes on ─────────────────────────────────────────────────────────────────────────────────


def _open_votes(count: Votecount) -> int:
    return len(count.lost) + len(count.questions)


def _decide_votes(count: Votecount, urgency: DueUrgency) -> Due:
    number = len(count.questions)
    what = f"Decide {number} unclear vote{'s' * (number > 1)}"
    if not number:
        number = len(count.lost)
        what = f"Look at {number} decision{'s' * (number > 1)} whose post is gone or changed"
    return Due(what, Way("decide_votes"), urgency)


def _votes_and_silence(now: GameNow) -> Iterator[Due]:
    """Votes that wait for a decision, and who is due a prod, by the thread as it was last read."""
    if now.count is None:
        return
    if _open_votes(now.count):
        yield _decide_votes(now.count, DueUrgency.SOON)
    if now.count.due:
        yield Due(f"Prod who is silent: {', '.join(now.count.due)}", Way("prod"), DueUrgency.SOON)


def _unsettled_messages(now: GameNow) -> Iterator[Due]:
    """What was sent for an open window and was refused, or does not stand."""
    for one in now.windows:
        sent = [slot for slot in (*one.slots, *one.others) if slot.refused or slot.lost or slot.former]
        if sent:
            whose = (
                "The message of one player is" if len(sent) == 1 else f"Messages of {len(sent)} players are"
            )
            what = f"{whose} not settled: {one.window.title}"
            window, secret = window_name(one.window), one.window.secret
            yield Due(what, Way("see_open"), DueUrgency.SOON, window=window, secret=secret)


def _running(now: GameNow) -> Iterator[Due]:
    """The next step of each window that is open and not over."""
    assert now.table is not None
    awaiting = any(one.absent for one in now.windows)
    for one in now.windows:
        title, window = one.window.title, window_name(one.window)
        ends = _deadline(one, now)
        if is_voted_on(one.window) and now.setup.url:
            yield from _counting(now, day_of(window) or 0, title, ends)
        elif ends is not None and ends <= now.at:
            # What was closed before it is told first.
            yield _to_close(one, now, DueUrgency.SOON, f"{title} is over", since=ends)
        elif is_voted_on(one.window):
            yield _to_close(one, now, DueUrgency.NEXT)
        elif one.stopped:
            pass  # it goes on when it gets a deadline
        elif not one.window.slots and _is_undecided(one, now.table):
            yield _to_close(one, now, DueUrgency.SOON)
        elif one.absent:
            if title not in now.reminded:
                what, secret = f"Remind who has not sent anything: {title}", _is_secret(one)
                yield Due(what, Way("remind"), DueUrgency.NEXT, until=ends, window=window, secret=secret)
        elif one.window.fixed or (awaiting and ends is not None):
            pass  # while another is awaited, what is complete stays open: its sender may still change it
        elif (one.slots or ends is None) and not _is_undecided(one, now.table):
            # Everybody has answered, or nobody has to: who waits for a deadline waits for nothing.
            yield _to_close(one, now, DueUrgency.NEXT)


def _counting(now: GameNow, number: int, title: str, ends: datetime | None) -> Iterator[Due]:
    """What a day of votes asks for while it goes on."""
    if any(_over(now, number, title, ends)):
        return
    window, count = window_of(number), now.count
    if count is None or count.day.number != number:
        why = "No post of it was read yet"
        yield Due("Count the votes", Way("count_votes"), DueUrgency.NEXT, why, until=ends, window=window)
        return
    if count.agreed is not None:
        what = f"Everybody votes for the same: {title} may end now"
        yield Due(what, Way("close_day", day=number), DueUrgency.NEXT, until=ends, window=window)
    posted = [
        record.entry
        for record in standing(now.journal)
        if isinstance(record.entry, Published) and record.entry.kind == votecount_kind(number)
    ]
    last = posted[-1] if posted else None
    told = present_number(int(last.upto), last.mark, count.posts.values()) if last and last.upto else 0
    if told < count.tally.at:
        yield Due("Count the votes", Way("count_votes"), DueUrgency.NEXT, until=ends, window=window)


def _voted_day(now: GameNow, number: int, title: str, ends: datetime | None) -> Iterator[Due]:
    yield from _over(now, number, title, ends)
    yield from _counting(now, number, title, ends)


def _end(now: GameNow) -> Iterator[Due]:
    """What is left to do when a game is over."""
    if not now.is_over:
        return
    if not _is_posted(ENDGAME, now.journal):
        yield _post(ENDGAME, DueUrgency.SOON)
    if not now.checked:
        yield Due("Check that nothing was changed", Way("verify"), DueUrgency.LATER)
    if not now.archived:
        yield Due("Write the archive", Way("archive"), DueUrgency.LATER)
