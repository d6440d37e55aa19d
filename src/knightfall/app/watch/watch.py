"""How does the watch go round: look, notice, tell, and at a day's end leave what is to be posted?

Everything that is noticed is written down before it is told. So a crash, a forum that is down, or Ctrl-C and
a new start change when something is told, not what, and nothing is told twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

from knightfall.app.closing.final import url_of
from knightfall.app.closing.wait import FAULTS
from knightfall.app.ports import Ports, game_database
from knightfall.app.watch.alarms import alarms, deadline_passed, next_alarm
from knightfall.app.watch.ending import ended
from knightfall.app.watch.looking import Counted, lasting_ports, look, pages_of, sight_of, threads_of
from knightfall.app.watch.moment import Moment, moment_of
from knightfall.app.watch.quiet import Quiet
from knightfall.app.watch.schedule import FASTEST, Budget, Standing, pause, sweeps
from knightfall.app.watch.sight import news, to_hammer
from knightfall.app.watch.telling import Voices
from knightfall.app.watch.which_day import final_key, watching_key
from knightfall.core.notices import Notice
from knightfall.errors import EvidenceError, InputError, KnightfallError, SiteRefused, StateDamaged
from knightfall.setups.absence import parse_span
from knightfall.storage.notices import Notices
from knightfall.writeups.facts import local_time

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
    ports: Ports
    fetch: Counted
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


def watch(asked: Asked, ports: Ports, voices: Voices) -> None:
    """Goes round until it is stopped, or what was asked for is done.

    Raises InputError where there is nothing to watch, StateDamaged, and at its first look what cannot mend
    itself: a page that is no forum, a login. Later faults are told once, and it goes on.
    """
    ports, fetch = lasting_ports(ports)
    notices = Notices.open(game_database(asked.game))
    elapsed = ports.clock.elapsed()
    state = _Watch(asked, ports, fetch, notices, voices, Budget(elapsed), swept=elapsed, due=elapsed)
    try:
        _begin(_now(state), state)
        while (seconds := _round_or_fault(state)) is not None:
            ports.clock.sleep(seconds)
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
    if state.ports.clock.elapsed() >= state.due or (now.over and not state.trouble):
        _tried(now, state)
        now = _now(state)
        standing = replace(state.standing, left=now.left)
        state.due = state.ports.clock.elapsed() + pause(state.asked.every, standing, _saved(state))
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
    since = state.ports.clock.elapsed() - state.swept
    again = bool(state.pages) and sweeps(_saved(state), state.pages, since, state.standing)
    asked_before = state.fetch.pages
    sights = look(now.setup, now.day, again, state.ports, state.notices)
    for sight in sights:
        state.notices.keep(news(sight, now.setup, state.ports.clock.now()))
    count = next((sight.count for sight in sights if sight.count), None)
    state.standing = Standing(now.left, to_hammer(count))
    _pay(state, state.fetch.pages - asked_before, again)
    state.pages = pages_of(sights)


def _pay(state: _Watch, pages: int, again: bool) -> None:
    """The first look costs nothing: the moderator takes it himself, by beginning."""
    elapsed = state.ports.clock.elapsed()
    state.budget = state.budget.spent(pages if state.pages else 0, elapsed)
    state.swept = elapsed if again else state.swept


def _end(now: Moment, state: _Watch) -> None:
    """The final count of the day and its drafts; what changed meanwhile is told with it."""
    assert now.day is not None
    before = state.notices.last_change()
    done = ended(now.setup, now.day, state.asked.game, state.ports, state.voices.err)
    at = state.ports.clock.now()
    sight = sight_of(done.thread, now.setup, before, done.count, state.notices, at)
    final = Notice(final_key(now.day), at, done.words, done.outside, urgent=True)
    state.notices.keep((*news(sight, now.setup, at), final))
    state.standing = Standing(None, None)
    state.pages = state.pages or pages_of((sight,))
    state.budget = Budget(state.ports.clock.elapsed())


def _saved(state: _Watch) -> Budget:
    return state.budget.by(state.ports.clock.elapsed())


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
        state.voices.send(told, title, now.zone, state.asked.game, state.ports)


def _now(state: _Watch) -> Moment:
    return moment_of(state.asked.game, state.notices.keys(), state.ports)


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
    wishes = [state.due - state.ports.clock.elapsed(), next_alarm(now.windows, now.at)]
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
