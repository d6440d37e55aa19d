"""The deadlines of what is open, each set by one text: “Sun 8pm”, “48h” from now, or “+24h” longer."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime

from knightfall.config.calendar import closed_days, day_of, phases, window_of
from knightfall.config.setup import VOTES, Setup
from knightfall.engine.journal import window_name
from knightfall.errors import InputError
from knightfall.sentence import Way, sentence
from knightfall.services.day.phases import (
    KINDS,
    PhaseChange,
    counts_posts,
    extend,
    has_passed,
    is_over,
    open_phase,
    phase_of,
)
from knightfall.services.games import game_named
from knightfall.services.now import now_of
from knightfall.services.requests import PhaseRequest, PostOptions
from knightfall.services.running import begun
from knightfall.services.session import Session, in_turn, journal_of
from knightfall.services.window.waiting import pending
from knightfall.votes.rule import Boundary

# “+24h”, “+ 2 days”; “24h longer”, “2 days more”.
_LONGER = re.compile(r"\+\s*(?P<plus>.+)|(?P<said>.+?)\s+(?:longer|more|later)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PhaseDeadline:
    """The deadline of a phase, and by which `kind` and `number` a `PhaseRequest` means it.

    `is_new`: it was not opened yet, so it can still be said when it begins. `stopped`: its clock stands
    still. `passed`: its deadline has; `counts`: posts of the thread are counted in it, and `locks` until the
    moderator locks it.
    """

    title: str
    kind: str
    number: int | None
    deadline: datetime | None
    stopped: bool
    is_new: bool
    passed: bool
    counts: bool
    locks: bool


def deadlines(session: Session) -> tuple[PhaseDeadline, ...]:
    """The deadline of each open window of a game; where none was begun, that of the day that comes. None
    where the game is over, or has no days and was not begun."""
    setup, journal = now_of(session).setup, journal_of(session)
    if begun(journal):
        return tuple(
            _of(one.window.title, window_name(one.window), one.until, one.stopped, setup, session)
            for one in pending(now_of(session).running)
        )
    if setup.kind != VOTES and game_named(setup.kind).day_rule(setup.options) is None:
        return ()
    closed = {day for day, _ in closed_days(journal)}
    running = [n for one in phases(setup.days, journal) if (n := day_of(one.window)) and n not in closed]
    number = max(running, default=max(closed, default=0) + 1)
    return (_of(f"Day {number}", window_of(number), None, False, setup, session),)


def _of(
    title: str, window: str, until: datetime | None, stopped: bool, setup: Setup, session: Session
) -> PhaseDeadline:
    known = next((one for one in phases(setup.days, journal_of(session)) if one.window == window), None)
    kind, _, digits = window.rpartition("-")
    named = kind in KINDS and digits.isdecimal()
    stands = stopped or (known is not None and known.stopped)
    deadline = until or (known.deadline if known is not None and not stands else None)
    counts = counts_posts(title)
    return PhaseDeadline(
        title,
        kind if named else window,
        int(digits) if named else None,
        deadline,
        stands,
        named and (known is None or not known.running),
        deadline is not None and has_passed(deadline, title, setup, session.clock.now()),
        counts,
        counts and setup.rule.boundary is Boundary.UNTIL_LOCK,
    )


@in_turn
def set_deadline(request: PhaseRequest, options: PostOptions, session: Session, why: str = "") -> PhaseChange:
    """Give a phase the deadline that `ends` says, whether it has one or not: it is opened with its first one,
    and later ones move that. “+24h” is so much later than the one it has; without one, than now.

    Raises InputError where nothing is said, and as `open_phase` and `extend` do.
    """
    setup = now_of(session).setup
    known = phase_of(request, setup, session)
    said = request.ends.strip()
    if not said:
        raise InputError(
            sentence(
                "When does {phase} end? {ends}",
                phase=known.title,
                ends=Way("field", name="ends", value="Sun 8pm"),
            )
        )
    longer = _LONGER.fullmatch(said)
    if longer is not None:
        span = longer["plus"] or longer["said"]
        has_one = known.deadline is not None
        request = replace(request, ends="" if has_one else span, by=span if has_one else "")
    begins = request.kind in KINDS and not known.running and not known.stopped and not is_over(known, session)
    if begins and (known.deadline is None or request.post or request.begins):
        return open_phase(request, options, session)
    return extend(request, options, session, why)
