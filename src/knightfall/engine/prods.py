"""Silence and reminders: when a prod is due, with absences and weekends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum
from zoneinfo import ZoneInfo

from knightfall.audience import SECRET

_DAY = timedelta(days=1)
_SATURDAY = 5


@dataclass(frozen=True, slots=True)
class Absence:
    """An announced absence (V/LA): all of `first` and `last` and of the days between them."""

    first: date
    last: date


@dataclass(frozen=True, slots=True)
class ProdRule:
    """When a prod is due: after so much silence (None: the game does not say), again `grace` after a prod
    (None: never), at most `most` times for a player (None: no limit)."""

    after: timedelta | None = None
    grace: timedelta | None = None
    most: int | None = None
    skip_weekends: bool = False


@dataclass(frozen=True, slots=True)
class Prod:
    """A prod that was sent to a player, under their name then."""

    player: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Pauses:
    """The days of `zone` on which the clock stands still."""

    zone: ZoneInfo
    weekends: bool = False
    absences: tuple[Absence, ...] = ()

    def holds(self, day: date) -> bool:
        """Whether the clock stands still on that day."""
        return (self.weekends and day.weekday() >= _SATURDAY) or self._absent(day) is not None

    def absent_until(self, moment: datetime) -> date | None:
        """The last day of the absence at that moment, ranges that touch taken together; None: not absent."""
        end = self._absent(moment.astimezone(self.zone).date())
        while end is not None and end < date.max and (later := self._absent(end + _DAY)) is not None:
            end = later
        return end

    def _absent(self, day: date) -> date | None:
        """The latest end of the ranges that hold this day."""
        return max((one.last for one in self.absences if one.first <= day <= one.last), default=None)


class State(Enum):
    """How somebody stands by the rule."""

    FINE = "fine"
    DUE = "due"
    PRODDED = "prodded"
    ABSENT = "absent"
    UNKNOWN = "unknown"
    NO_RULE = "no_rule"


@dataclass(frozen=True, slots=True)
class Standing:
    """`silent` is the silence that counts, None where a time is not known; `since` the moment from which a
    prod is due, or would be if any were left; `until` the last day of the absence; `prods` those so far."""

    state: State = field(metadata=SECRET)
    silent: timedelta | None = None
    since: datetime | None = None
    until: date | None = None
    prods: int = field(default=0, metadata=SECRET)


def silence(since: datetime, now: datetime, pauses: Pauses) -> timedelta:
    """The time between the two instants that counts; none where `now` is the earlier one."""
    return sum((end - begin for begin, end in _counting(since, now, pauses)), timedelta())


def reached(since: datetime, amount: timedelta, now: datetime, pauses: Pauses) -> datetime | None:
    """The instant (UTC) at which the silence was as long as `amount`; None where it is not by `now`."""
    left = amount
    for begin, end in _counting(since, now, pauses):
        if end - begin >= left:
            return begin + left
        left -= end - begin
    return None


def standing(
    since: datetime | None,
    now: datetime | None,
    rule: ProdRule,
    pauses: Pauses,
    prods: tuple[datetime, ...] = (),
) -> Standing:
    """How somebody stands whose clock runs from `since`, their last post. Who is absent is not prodded,
    however long they were silent before. A time that is not known makes the state unknown."""
    sent = tuple(sorted(at for at in prods if now is not None and at <= now))
    silent = None if since is None or now is None else silence(since, now, pauses)
    until = None if now is None else pauses.absent_until(now)
    if until is not None:
        return Standing(State.ABSENT, silent, until=until, prods=len(sent))
    if since is None or now is None:
        return Standing(State.UNKNOWN, silent, prods=len(sent))

    # The state by the rule, and since when the (next) prod is due.
    if rule.after is None:
        state, due = State.NO_RULE, None
    else:
        unanswered = bool(sent) and sent[-1] >= since
        start, wait = (sent[-1], rule.grace) if unanswered else (since, rule.after)
        due = None if wait is None else reached(start, wait, now, pauses)
        used_up = rule.most is not None and len(sent) >= rule.most
        if due is not None and not used_up:
            state = State.DUE
        elif unanswered or due:
            state = State.PRODDED
        else:
            state = State.FINE

    return Standing(state, silent, due, prods=len(sent))


def _counting(since: datetime, now: datetime, pauses: Pauses) -> Iterator[tuple[datetime, datetime]]:
    """The stretches (UTC, in order, none empty) between the instants on days that count."""
    begin, end = since.astimezone(UTC), now.astimezone(UTC)
    day, last = since.astimezone(pauses.zone).date(), now.astimezone(pauses.zone).date()
    while day <= last:
        first, next_one = max(begin, _midnight(day, pauses)), min(end, _midnight(day + _DAY, pauses))
        if first < next_one and not pauses.holds(day):
            yield first, next_one
        day += _DAY


def _midnight(day: date, pauses: Pauses) -> datetime:
    """When the day begins (UTC): where the clocks skip or repeat midnight, the earlier instant."""
    return datetime.combine(day, time(), pauses.zone).astimezone(UTC)
