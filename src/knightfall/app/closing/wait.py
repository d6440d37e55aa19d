"""What is the votecount of a day that has not ended yet? Wait for its deadline, then count what holds still.

A forum that is down when everybody looks at it is the normal case: faults of the network only make the wait
longer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from knightfall.app.closing.final import every_page, final_count, final_text, keep_final, url_of
from knightfall.app.closing.steady import PAUSE, Read
from knightfall.app.count.vc import Wanted, show
from knightfall.app.guarding.outgoing import released
from knightfall.app.ports import Copy, Ports, Progress, Say, game_folder
from knightfall.app.reading.read import Link, gather
from knightfall.app.setup_now import setup_of
from knightfall.errors import InputError, RateLimited, ServerFault, UnknownServer
from knightfall.fetch.ports import Clock
from knightfall.markup.dialects import dialect
from knightfall.posts import Thread
from knightfall.setups.setup import Setup
from knightfall.votes.config import DaySetup
from knightfall.writeups.facts import local_time

FAULTS = (ServerFault, RateLimited, UnknownServer)
"""What may pass by itself: the server, the line, the name service."""
FIRST_PAUSE = 30.0
LONGEST_PAUSE = 600.0
PATIENCE = 24 * 3600.0
"""For so many seconds a forum may be down before we give up."""
STEP = 1.0

Countdown = Callable[[float], None]
"""Is told the seconds that are left, about once a second."""


@dataclass(frozen=True, slots=True)
class Awaited:
    """A day to wait for: its number, and the first instant that is too late for a vote."""

    setup: Setup
    day: int
    closes: datetime


def wait(wanted: Wanted, ports: Ports, err: Say, countdown: Countdown | None = None) -> Awaited:
    """Sleeps until no vote of the day can be in time any more.

    Raises InputError where there is no game file, no thread or no deadline to wait for. The forum is looked
    at once before, so that what cannot work is told while somebody is there to mend it.
    """
    awaited = _awaited(wanted, ports)
    err(_line(awaited, ports.clock.now()))
    if ports.clock.now() < awaited.closes:
        _first_look(awaited.setup, ports, err)
    while (left := (awaited.closes - ports.clock.now()).total_seconds()) > 0:
        if countdown:
            countdown(left)
        ports.clock.sleep(min(left, STEP))
    return awaited


def count_after(
    awaited: Awaited,
    wanted: Wanted,
    ports: Ports,
    out: Say,
    err: Say,
    progress: Progress | None = None,
    copy: Copy | None = None,
) -> None:
    """Reads until the thread holds still, writes the final votecount into the game's folder and prints it.

    Raises DecisionNeeded after that where a vote waits for the moderator, EvidenceError where the thread
    does not hold still, and the last fault where the forum is down for a day.
    """
    read = patient(every_page(awaited.setup, ports, progress), ports.clock, err)
    done = final_count(awaited.setup, awaited.day, PAUSE, ports, err, read).done
    game = _game(wanted)
    text = released(final_text(done, wanted.dialect), game, ports, wanted.allow)
    file = keep_final(done, text, game)
    err(f"Written: {file.relative_to(game_folder(game))}. The flip waits for: knightfall phase close")
    show(done, wanted, ports, out, err, copy)


def patient(read: Read, clock: Clock, say: Say) -> Read:
    """The same read, which outlives faults that pass: it tries again after growing pauses, and says so."""
    return partial(_read_at_last, read, clock, say)


def _read_at_last(read: Read, clock: Clock, say: Say) -> Thread:
    began, pause = clock.elapsed(), FIRST_PAUSE
    while True:
        try:
            return read()
        except FAULTS as fault:
            if clock.elapsed() - began > PATIENCE:
                raise
            say(f"{_cause(fault)} Trying again in {pause:.0f} s.")
        clock.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE)


def _first_look(setup: Setup, ports: Ports, err: Say) -> None:
    try:
        gather(Link(url_of(setup)), ports)
    except FAULTS as fault:
        err(f"{_cause(fault)} It may be back in time: waiting all the same.")


def _cause(fault: Exception) -> str:
    return str(fault).splitlines()[0]


def _awaited(wanted: Wanted, ports: Ports) -> Awaited:
    if wanted.dialect:
        dialect(wanted.dialect)  # an unknown one is told now, not in the night
    if wanted.words or wanted.html or wanted.jsonl or wanted.stored or wanted.at:
        raise InputError("--wait counts the thread of a game at its deadline: with --game and --day alone.")
    setup = setup_of(_game(wanted), ports)
    url_of(setup)
    day, deadline = _deadline(setup, wanted.day, ports.clock.now())
    return Awaited(setup, day.number, setup.rule.closes(deadline))


def _game(wanted: Wanted) -> Path:
    if wanted.game is None:
        raise InputError(
            "--wait needs the deadline of a game: run it in the game's folder, or --game FOLDER."
        )
    return wanted.game


def _deadline(setup: Setup, number: int | None, now: datetime) -> tuple[DaySetup, datetime]:
    """The day of that number, else the first one that is not over, else the last one; with its deadline."""
    ends = [(day, day.deadline) for day in setup.days if day.deadline and number in (None, day.number)]
    if not ends:
        which = f"day {number}" if number else "any day"
        raise InputError(
            f"{setup.source} has no deadline of {which} to wait for. Add it:  [[day]]  "
            f"number = {number or 1}, ends = 2026-11-25T20:00:00"
        )
    ahead = sorted((end, day.number) for day, end in ends if setup.rule.closes(end) > now)
    chosen = ahead[0] if ahead else max((end, day.number) for day, end in ends)
    return next((day, end) for day, end in ends if (end, day.number) == chosen)


def _line(awaited: Awaited, now: datetime) -> str:
    zone = awaited.setup.zone
    shown = local_time(awaited.closes, zone) if zone else f"{awaited.closes:%a %d %b %Y, %H:%M UTC}"
    if now >= awaited.closes:
        return f"The deadline of day {awaited.day} was {shown}: counting now."
    left = timedelta(seconds=round((awaited.closes - now).total_seconds()))
    return f"Day {awaited.day} ends {shown}, in {left}. Waiting; Ctrl-C stops."
