"""Timestamps as boards write them, read against a given now."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from knightfall.forums.dates import machine_time, written_time, zone_named, zone_offset

NOW = datetime(2026, 11, 21, 12, 0, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sun May 26, 2019 4:34 pm", "2019-05-26T16:34"),
        ("Posted: Fri May 04, 2007 12:05 am", "2007-05-04T00:05"),
        ("04 Sep 2018 23:17", "2018-09-04T23:17"),
        ("2016-02-01, 02:21", "2016-02-01T02:21"),
        ("06-15-2016, 05:21 PM", "2016-06-15T17:21"),
        ("15-06-2016, 17:21", "2016-06-15T17:21"),
        ("27. September 2018, 08:00", "2018-09-27T08:00"),
        ("Di 5. März 2019, 00:03", "2019-03-05T00:03"),
        ("Mar 05 Mars 2019 14:00", "2019-03-05T14:00"),
        ("5 de mayo de 2019 18:30", "2019-05-05T18:30"),
        ("12 ноя 2024, 10:43", "2024-11-12T10:43"),
        ("Dátum: 2011-05-16, 15:51:26", "2011-05-16T15:51:26"),
        ("Today, 05:14", "2026-11-21T05:14"),
        ("Yesterday at 11:20 PM", "2026-11-20T23:20"),
        ("Gestern um 14:51 Uhr", "2026-11-20T14:51"),
        ("Thu 12 Nov, 17:05", "2026-11-12T17:05"),
        ("Thu 3 Dec, 17:05", "2025-12-03T17:05"),
        ("5 minutes ago", "2026-11-21T11:55:30"),
        ("vor 2 Stunden", "2026-11-21T10:00:30"),
        ("2 часа назад", "2026-11-21T10:00:30"),
    ],
)
def test_written_times_are_read_in_many_hands(text: str, expected: str) -> None:
    assert written_time(text, NOW) == datetime.fromisoformat(expected).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "text", ["", "soon", "Sun May 26, 2019", "99 Foo 2019 10:00", "31 Feb 2019 10:00", "25:61"]
)
def test_what_names_no_instant_is_none(text: str) -> None:
    assert written_time(text, NOW) is None


def test_the_boards_order_decides_a_numeric_date() -> None:
    assert written_time("06-05-2016, 10:00", NOW, order="mdy") == datetime(2016, 6, 5, 10, tzinfo=UTC)
    assert written_time("06-05-2016, 10:00", NOW, order="dmy") == datetime(2016, 5, 6, 10, tzinfo=UTC)


def test_a_written_time_is_in_the_boards_zone() -> None:
    new_york = zone_named("America/New York")
    assert new_york is not None
    assert written_time("Sat Jul 04, 2026 8:00 pm", NOW, new_york) == datetime(2026, 7, 5, 0, tzinfo=UTC)


def test_today_is_today_in_the_boards_zone() -> None:
    late = datetime(2026, 11, 21, 23, 30, tzinfo=UTC)
    assert written_time("Today, 00:10", late, timezone(timedelta(hours=1))) == datetime(
        2026, 11, 21, 23, 10, tzinfo=UTC
    )


def test_machine_times_need_an_offset() -> None:
    assert machine_time("2026-10-25T23:33:09-05:00") == datetime(2026, 10, 26, 4, 33, 9, tzinfo=UTC)
    assert machine_time("2026-10-25T23:33:09") is None
    assert machine_time(None) is None


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("All times are UTC", 0),
        ("All times are UTC-05:00", -5),
        ("All times are UTC + 10 hours", 10),
        ("All times are UTC - 5 hours [ DST ]", -4),
        ("UTC+05:30", 5.5),
    ],
)
def test_the_boards_offset_is_read_from_its_foot(text: str, hours: float) -> None:
    zone = zone_offset(text)
    assert zone is not None
    assert zone.utcoffset(NOW) == timedelta(hours=hours)


def test_an_unknown_zone_is_none() -> None:
    assert zone_named("Nowhere/Land") is None
    assert zone_offset("Board index") is None
    assert zone_offset("All times are UTC - 99 hours") is None
