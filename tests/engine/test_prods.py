"""How long somebody was silent: weekends, announced absences, clocks that jump, and when a prod is due."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knightfall.engine.prods import Absence, Pauses, ProdRule, State, reached, silence, standing

NEW_YORK = ZoneInfo("America/New_York")
HOUR = timedelta(hours=1)
RULE = ProdRule(48 * HOUR, 24 * HOUR, 3)
PLAIN = Pauses(ZoneInfo("UTC"))


def at(text: str, zone: ZoneInfo = NEW_YORK) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


def away(*ranges: tuple[str, str]) -> tuple[Absence, ...]:
    return tuple(Absence(date.fromisoformat(first), date.fromisoformat(last)) for first, last in ranges)


@pytest.mark.parametrize(
    ("since", "now", "weekends", "absences", "hours"),
    [
        ("2026-11-20T20:00", "2026-11-23T08:00", False, (), 60),
        ("2026-11-20T20:00", "2026-11-23T08:00", True, (), 12),  # Friday evening to Monday morning
        ("2026-11-21T12:00", "2026-11-22T12:00", True, (), 0),  # within the weekend
        ("2026-11-22T23:00", "2026-11-23T01:00", True, (), 1),  # Sunday ends at local midnight
        ("2026-11-20T23:00", "2026-11-21T01:00", True, (), 1),  # Saturday begins at local midnight
        ("2026-11-19T12:00", "2026-11-24T12:00", True, away(("2026-11-20", "2026-11-23")), 24),
        ("2026-11-19T12:00", "2026-11-24T12:00", False, away(("2026-11-20", "2026-11-23")), 24),
        ("2026-11-19T12:00", "2026-11-24T12:00", True, away(("2026-11-21", "2026-11-22")), 72),
        ("2026-11-19T12:00", "2026-11-20T12:00", False, away(("2026-11-20", "2026-11-20")), 12),
        ("2026-11-19T12:00", "2026-11-20T12:00", False, away(("2026-12-01", "2026-12-02")), 24),
        ("2026-03-07T20:00", "2026-03-08T20:00", False, (), 23),  # clocks go forward
        ("2026-10-31T20:00", "2026-11-01T20:00", False, (), 25),  # clocks go back
        ("2026-03-06T20:00", "2026-03-09T20:00", True, (), 24),  # the short Sunday is skipped whole
        ("2026-10-30T20:00", "2026-11-02T20:00", True, (), 24),  # and so is the long one
        ("2026-03-07T12:00", "2026-03-09T12:00", False, away(("2026-03-08", "2026-03-08")), 24),
        ("2026-10-31T12:00", "2026-11-02T12:00", False, away(("2026-11-01", "2026-11-01")), 24),
        ("2026-11-25T12:00", "2026-11-20T12:00", True, (), 0),  # the forum's clock is ahead of ours
    ],
)
def test_only_hours_that_count_make_a_silence(
    since: str, now: str, weekends: bool, absences: tuple[Absence, ...], hours: int
) -> None:
    assert silence(at(since), at(now), Pauses(NEW_YORK, weekends, absences)) == hours * HOUR


@pytest.mark.parametrize(
    ("zone", "hours"),
    [("UTC", 24), ("America/New_York", 29), ("Pacific/Kiritimati", 10), ("Asia/Kolkata", 18.5)],
)
def test_a_weekend_is_that_of_the_games_zone(zone: str, hours: float) -> None:
    friday, sunday = datetime(2026, 11, 20, tzinfo=UTC), datetime(2026, 11, 22, tzinfo=UTC)
    assert silence(friday, sunday, Pauses(ZoneInfo(zone), weekends=True)) == hours * HOUR


def test_a_midnight_that_the_clocks_skip_begins_the_day_all_the_same() -> None:
    # Cairo skipped midnight of Friday 25 April 2025: the day began at 01:00 and had 23 hours.
    cairo = ZoneInfo("Africa/Cairo")
    pauses = Pauses(cairo, absences=away(("2025-04-25", "2025-04-25")))
    assert silence(at("2025-04-24T22:00", cairo), at("2025-04-26T03:00", cairo), pauses) == 5 * HOUR


def test_a_day_that_a_zone_never_had_counts_nothing() -> None:
    apia = ZoneInfo("Pacific/Apia")  # went from 29 to 31 December 2011
    since, now = at("2011-12-29T22:00", apia), at("2011-12-31T02:00", apia)
    assert silence(since, now, Pauses(apia)) == 4 * HOUR
    assert silence(since, now, Pauses(apia, absences=away(("2011-12-30", "2011-12-30")))) == 4 * HOUR


def test_a_prod_falls_due_when_the_hours_that_count_are_full() -> None:
    since, pauses = at("2026-11-19T20:00"), Pauses(NEW_YORK, weekends=True)
    due = at("2026-11-23T20:00").astimezone(UTC)  # 28 hours to Saturday, 20 from Monday
    assert reached(since, 48 * HOUR, due - timedelta(seconds=1), pauses) is None
    assert reached(since, 48 * HOUR, due, pauses) == due
    assert reached(since, 48 * HOUR, due + 9 * HOUR, pauses) == due


SINCE = datetime(2026, 11, 16, tzinfo=UTC)


def prodded(*hours: int) -> tuple[datetime, ...]:
    return tuple(SINCE + hour * HOUR for hour in hours)


@pytest.mark.parametrize(
    ("rule", "now", "prods", "state", "due"),
    [
        (RULE, 47, (), State.FINE, None),
        (RULE, 48, (), State.DUE, 48),
        (RULE, 60, (50,), State.PRODDED, None),
        (RULE, 74, (50,), State.DUE, 74),  # grace over
        (RULE, 75, (-300, -200, 50), State.PRODDED, 74),  # grace over, and no prod left
        (RULE, 60, (-300, -200, -100), State.PRODDED, 48),  # silent again, and no prod left
        (RULE, 40, (-300, -200, -100), State.FINE, None),  # he answered each of them
        (RULE, 49, (70,), State.DUE, 48),  # a prod of later does not count yet
        (ProdRule(48 * HOUR), 900, (50,), State.PRODDED, None),  # no grace: no second one
        (ProdRule(), 900, (), State.NO_RULE, None),
    ],
)
def test_the_state_follows_the_rule(
    rule: ProdRule, now: int, prods: tuple[int, ...], state: State, due: int | None
) -> None:
    found = standing(SINCE, SINCE + now * HOUR, rule, PLAIN, prodded(*prods))
    assert (found.state, found.since) == (state, None if due is None else SINCE + due * HOUR)


def test_who_is_absent_is_not_prodded_and_his_clock_goes_on_after() -> None:
    pauses = Pauses(NEW_YORK, absences=away(("2026-11-28", "2026-11-29"), ("2026-11-30", "2026-12-01")))
    since = at("2026-11-25T20:00")
    during = standing(since, at("2026-11-29T12:00"), RULE, pauses)
    assert (during.state, during.until, during.silent) == (State.ABSENT, date(2026, 12, 1), 52 * HOUR)
    before = standing(since, at("2026-11-27T19:00"), RULE, pauses)
    after = standing(since, at("2026-12-02T00:00"), RULE, pauses)
    assert (before.state, after.state) == (State.FINE, State.DUE)
    assert after.silent == 52 * HOUR


def test_an_absence_without_end_is_told_with_its_last_day() -> None:
    pauses = Pauses(NEW_YORK, absences=(Absence(date(2026, 11, 1), date.max),))
    assert standing(at("2026-10-01"), at("2026-11-02"), RULE, pauses).until == date.max


@pytest.mark.parametrize(("since", "now"), [(None, SINCE), (SINCE, None), (None, None)])
def test_a_time_that_is_not_known_is_never_guessed(since: datetime | None, now: datetime | None) -> None:
    found = standing(since, now, RULE, PLAIN)
    assert (found.state, found.silent, found.since) == (State.UNKNOWN, None, None)


ZONES = st.sampled_from(["UTC", "America/New_York", "Africa/Cairo", "Australia/Lord_Howe", "Pacific/Apia"])
YEAR = datetime(2026, 1, 1, tzinfo=UTC)
MOMENTS = st.timedeltas(timedelta(), timedelta(days=364)).map(lambda passed: YEAR + passed)
DAYS = st.dates(date(2025, 12, 30), date(2027, 1, 2))
RANGES = st.tuples(DAYS, st.integers(0, 20)).map(lambda r: Absence(r[0], r[0] + timedelta(days=r[1])))
PAUSES = st.builds(Pauses, ZONES.map(ZoneInfo), st.booleans(), st.lists(RANGES, max_size=3).map(tuple))


@given(MOMENTS, MOMENTS, PAUSES)
def test_silence_is_never_negative_and_a_pause_never_makes_it_longer(
    since: datetime, now: datetime, pauses: Pauses
) -> None:
    found = silence(since, now, pauses)
    assert timedelta() <= found <= silence(since, now, Pauses(pauses.zone))
    assert silence(since, now, Pauses(pauses.zone)) == max(now - since, timedelta())


@given(MOMENTS, MOMENTS, PAUSES, DAYS, st.integers(1, 20), st.data())
def test_an_absence_split_in_two_adjacent_ranges_changes_nothing(
    since: datetime, now: datetime, pauses: Pauses, first: date, days: int, data: st.DataObject
) -> None:
    last = first + timedelta(days=days)
    cut = data.draw(st.dates(first, last - timedelta(days=1)))
    halves = (Absence(first, cut), Absence(cut + timedelta(days=1), last))
    whole = Pauses(pauses.zone, pauses.weekends, (*pauses.absences, Absence(first, last)))
    split = Pauses(pauses.zone, pauses.weekends, (*pauses.absences, *halves))
    assert standing(since, now, RULE, split) == standing(since, now, RULE, whole)


@given(MOMENTS, MOMENTS, PAUSES, st.integers(1, 200))
def test_a_prod_is_due_exactly_where_the_silence_is_long_enough(
    since: datetime, now: datetime, pauses: Pauses, hours: int
) -> None:
    due = reached(since, hours * HOUR, now, pauses)
    assert (due is not None) == (silence(since, now, pauses) >= hours * HOUR)
    if due is not None:
        assert silence(since, due, pauses) == hours * HOUR
