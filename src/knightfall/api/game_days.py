"""The days and phases of a game: opened, extended, locked, watched, closed by their votes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Literal

from knightfall.api.folder import GameFolder, typed
from knightfall.services.day import close as close_day
from knightfall.services.day import phases
from knightfall.services.day.close import ClosedDay, DayClosing, Flip
from knightfall.services.day.phases import CalendarFile, PhaseChange, PhaseLock
from knightfall.services.requests import PAUSE, ClosingRequest, FlipRequest, PhaseRequest, PostOptions
from knightfall.services.watch.events import WatchEvent
from knightfall.services.watch.follow import WatchRequest, parse_quiet
from knightfall.services.watch.follow import watch as events_of
from knightfall.services.watch.notify import channels_of


class GameDays(GameFolder):
    """The days of a game.

    A time is an instant with a zone, or as you would type it: “2026-11-25 20:00”, “Sun 8pm”, “48h”, in the
    game's zone. `past` allows one that is over, `far` one more than 60 days ahead. Each raises TimeError for
    what is no time, can be two or has no zone, and SecretGuard where a post gives something away and
    `allow_leak` has no reason.
    """

    __slots__ = ()

    def open_phase(
        self,
        kind: Literal["day", "night"],
        number: int,
        *,
        at: datetime | str = "",
        ends: datetime | str = "",
        first_post: int | None = None,
        past: bool = False,
        far: bool = False,
        dialect: str | None = None,
        allow_leak: str = "",
    ) -> PhaseChange:
        """Open a day or night, with the deadline that is said or the game file's.

        Without `first_post` a day starts at your post that announces it, or else behind `at`. Raises
        DecisionNeeded where it is open or closed already.
        """
        post = None if first_post is None else str(first_post)
        request = PhaseRequest(kind, number, typed(at), typed(ends), post=post, past=past, far=far)
        return phases.open_phase(request, PostOptions(dialect, allow_leak), self._session())

    def extend_phase(
        self,
        kind: str,
        number: int | None = None,
        *,
        ends: datetime | str = "",
        by: str = "",
        shorten: bool = False,
        past: bool = False,
        far: bool = False,
        why: str = "",
        dialect: str | None = None,
        allow_leak: str = "",
    ) -> PhaseChange:
        """Give an open phase another deadline: at `ends`, or later `by` a span such as “48h” or “2 days”.

        `kind` is "day", "night" or the kind of any open window (as in `missing()`); `shorten` allows an
        earlier deadline. Counts as of an earlier post keep the old one. Raises DecisionNeeded where it is
        closed.
        """
        request = PhaseRequest(kind, number, ends=typed(ends), by=by, past=past, shorten=shorten, far=far)
        return phases.extend(request, PostOptions(dialect, allow_leak), self._session(), why)

    def stop_phase(
        self,
        kind: str,
        number: int | None = None,
        *,
        why: str,
        dialect: str | None = None,
        allow_leak: str = "",
    ) -> PhaseChange:
        """Stop the clock of a phase until it is extended. Raises InputError where it has no deadline."""
        request = PhaseRequest(kind, number)
        return phases.stop(request, why, PostOptions(dialect, allow_leak), self._session())

    def lock_phase(
        self, kind: str = "day", number: int | None = None, *, last_post: int | None = None
    ) -> PhaseLock:
        """Record that you locked the thread behind `last_post` (None: the last one read): no later post
        counts for the phase."""
        post = None if last_post is None else str(last_post)
        return phases.lock(PhaseRequest(kind, number, post=post), self._session())

    def look_at_day(
        self,
        day: int | None = None,
        *,
        early: str = "",
        despite: str = "",
        pause: float = PAUSE,
        stored: bool = False,
        allow_leak: str = "",
    ) -> DayClosing:
        """How a day would be closed by its votes: the final count, and `choices` of what can be confirmed.

        Every page is read until two reads, `pause` seconds apart, agree. Nothing is closed. `early` is why it
        closes before its deadline, `despite` why although your posted votecount differs. Raises
        DecisionNeeded where the day runs on or is closed already.
        """
        request = ClosingRequest(day, early, pause, allow_leak, stored, despite)
        return close_day.look(request, self._session())

    def close_day(
        self,
        eliminated: str,
        *,
        day: int | None = None,
        early: str = "",
        tell_why: bool = False,
        despite: str = "",
        why: str = "",
        next_ends: datetime | str = "",
        pause: float = PAUSE,
        stored: bool = False,
        dialect: str | None = None,
        allow_leak: str = "",
    ) -> ClosedDay:
        """Close a day by its votes, where they eliminate `eliminated`: one of `look_at_day().choices`.

        All is counted again as `look_at_day` does. `next_ends` is the deadline of what opens then; `tell_why`
        tells the players the reason of `early`; `why` is the reason of your choice, where the rules leave the
        day to you. Raises DecisionNeeded where a question that matters is open,
        the day runs on, or the count eliminates somebody else: then nothing is closed.
        """
        session = self._session()
        ends = phases.check_ends(typed(next_ends), session) if next_ends else None
        request = ClosingRequest(day, early, pause, allow_leak, stored, despite, tell_why, why)
        done = close_day.close(close_day.look(request, session), eliminated, session, ends)
        if done.opened is not None:
            phases.next_phase(done.opened, PostOptions(dialect, allow_leak), session)
        return done

    def flip(
        self,
        name: str | None = None,
        *,
        day: int | None = None,
        dialect: str | None = None,
        allow_leak: str = "",
    ) -> Flip:
        """The post that shows who was eliminated and their role; `name` is a check.

        Raises DecisionNeeded where the day is not closed, or was closed with another name.
        """
        return close_day.flip(FlipRequest(name, day, dialect, allow_leak), self._session())

    def calendar(self, *, allow_leak: str = "") -> CalendarFile:
        """Write phases and deadlines to public/calendar.ics. Raises InputError where no phase has a time."""
        return phases.write_calendar(self._session(), allow_leak)

    def watch(
        self,
        *,
        notify: Sequence[str] = (),
        until_deadline: bool = False,
        every: float = 300.0,
        quiet: str = "",
        once: bool = False,
    ) -> Iterator[WatchEvent]:
        """Follow the threads of the game, and yield what needs attention, until you stop asking.

        `notify` are channels besides: "desktop", "webhook", "mail" or an address; `every` the longest time
        between two looks, in seconds; `quiet` hours without messages, such as “23:00-07:00”; `once` looks
        once; `until_deadline` ends with the final count of the day, which lies in public/ then. Raises
        InputError where there is nothing to watch, or a channel cannot be used.
        """
        channels = channels_of(notify, os.environ)
        hours = parse_quiet(quiet) if quiet else None
        yield from events_of(WatchRequest(every, until_deadline, once, hours, channels), self._session())
