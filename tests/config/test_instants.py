"""Times as moderators type them: what is read, and what is a question instead of a guess."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knightfall.config.instants import Side, later, parse_clock, parse_column, parse_days, parse_instant
from knightfall.engine.spans import Span, format_span, parse_span
from knightfall.errors import InputError, TimeError

NEW_YORK = ZoneInfo("America/New_York")
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
"""Saturday, 07:00 in New York."""
TODAY = date(2026, 11, 21)


def read(text: str, side: Side = Side.AHEAD, now: datetime = NOW) -> str:
    return f"{parse_instant(text, now, NEW_YORK, '--ends', side).astimezone(NEW_YORK):%a %Y-%m-%d %H:%M %Z}"


def refused(text: str, side: Side = Side.AHEAD) -> str:
    with pytest.raises(TimeError) as raised:
        parse_instant(text, NOW, NEW_YORK, "--ends", side)
    return str(raised.value)


@pytest.mark.parametrize(
    ("text", "ahead", "behind"),
    [
        ("20:00", "Sat 2026-11-21 20:00 EST", "Fri 2026-11-20 20:00 EST"),
        ("8pm", "Sat 2026-11-21 20:00 EST", "Fri 2026-11-20 20:00 EST"),
        ("6:30 a.m.", "Sun 2026-11-22 06:30 EST", "Sat 2026-11-21 06:30 EST"),
        ("Sun 20:00", "Sun 2026-11-22 20:00 EST", "Sun 2026-11-15 20:00 EST"),
        ("8pm Sunday", "Sun 2026-11-22 20:00 EST", "Sun 2026-11-15 20:00 EST"),
        ("Sat 06:00", "Sat 2026-11-28 06:00 EST", "Sat 2026-11-21 06:00 EST"),
        ("24.11. 20:00", "Tue 2026-11-24 20:00 EST", "Mon 2025-11-24 20:00 EST"),
        ("04.03. 20:00", "Thu 2027-03-04 20:00 EST", "Wed 2026-03-04 20:00 EST"),
        ("24/11 20:00", "Tue 2026-11-24 20:00 EST", "Mon 2025-11-24 20:00 EST"),
        ("Nov 24th at 8:30 pm", "Tue 2026-11-24 20:30 EST", "Mon 2025-11-24 20:30 EST"),
        ("29 Feb 20:00", "Tue 2028-02-29 20:00 EST", "Thu 2024-02-29 20:00 EST"),
        ("20:00 UTC", "Sat 2026-11-21 15:00 EST", "Fri 2026-11-20 15:00 EST"),
        ("20:00 Europe/Berlin", "Sat 2026-11-21 14:00 EST", "Fri 2026-11-20 14:00 EST"),
        ("20:00 Berlin", "Sat 2026-11-21 14:00 EST", "Fri 2026-11-20 14:00 EST"),
        ("Sun 8 pm london", "Sun 2026-11-22 15:00 EST", "Sun 2026-11-15 15:00 EST"),
        ("8pm New York time Sunday", "Sun 2026-11-22 20:00 EST", "Sun 2026-11-15 20:00 EST"),
        ("20:00 (London time) Sunday", "Sun 2026-11-22 15:00 EST", "Sun 2026-11-15 15:00 EST"),
    ],
)
def test_a_time_without_day_or_year_is_the_next_one_or_the_last(text: str, ahead: str, behind: str) -> None:
    assert (read(text), read(text, Side.BEHIND)) == (ahead, behind)


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("monday evening 8", "Mon 2026-11-23 20:00 EST"),
        ("Monday evening at 8:30", "Mon 2026-11-23 20:30 EST"),
        ("8 in the evening on Monday", "Mon 2026-11-23 20:00 EST"),
        ("8:30 tomorrow evening", "Sun 2026-11-22 20:30 EST"),
        ("tonight 9", "Sat 2026-11-21 21:00 EST"),
        ("tonight at 9pm", "Sat 2026-11-21 21:00 EST"),
        ("24 Nov, 9 in the morning", "Tue 2026-11-24 09:00 EST"),
        ("Tuesday afternoon 3 London", "Tue 2026-11-24 10:00 EST"),
        ("Sunday evening 20:00", "Sun 2026-11-22 20:00 EST"),
    ],
)
def test_a_part_of_the_day_says_which_half_an_hour_is_of(text: str, instant: str) -> None:
    assert read(text) == instant


@pytest.mark.parametrize(
    "text", ["monday evening", "monday night 3", "evening of 24.11. 8 9", "sun morning 8pm"]
)
def test_a_part_of_the_day_that_leaves_the_hour_open_is_refused(text: str) -> None:
    assert text.split()[0] in refused(text)


@pytest.mark.parametrize("side", list(Side))
@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-11-24 20:00", "Tue 2026-11-24 20:00 EST"),
        ("2026-11-24T20:00:00+01:00", "Tue 2026-11-24 14:00 EST"),
        ("2026-11-24 8pm", "Tue 2026-11-24 20:00 EST"),
        ("24.11.2026, 20:00", "Tue 2026-11-24 20:00 EST"),
        ("24.11.26 20:00", "Tue 2026-11-24 20:00 EST"),
        ("24/11/2026 20:00", "Tue 2026-11-24 20:00 EST"),
        ("24. November 2026 20:00 Uhr", "Tue 2026-11-24 20:00 EST"),
        ("20:00 on 24 Nov 2026", "Tue 2026-11-24 20:00 EST"),
        ("Tue 2026-11-24 20:00", "Tue 2026-11-24 20:00 EST"),
        ("tomorrow 20:00", "Sun 2026-11-22 20:00 EST"),
        ("20:00 tomorrow", "Sun 2026-11-22 20:00 EST"),
        ("today at noon", "Sat 2026-11-21 12:00 EST"),
        ("tomorrow 20:00Z", "Sun 2026-11-22 15:00 EST"),
        ("tomorrow 20:00 UTC+1", "Sun 2026-11-22 14:00 EST"),
        ("tomorrow 20:00 -5", "Sun 2026-11-22 20:00 EST"),
        ("tomorrow 20:00 est", "Sun 2026-11-22 20:00 EST"),
        ("in 48h", "Mon 2026-11-23 07:00 EST"),
        ("in 2 days", "Mon 2026-11-23 07:00 EST"),
        ("in 2 days at 20:00", "Mon 2026-11-23 20:00 EST"),
        ("90 min ago", "Sat 2026-11-21 05:30 EST"),
        ("now", "Sat 2026-11-21 07:00 EST"),
    ],
)
def test_a_time_that_is_said_whole_is_that_time(text: str, instant: str, side: Side) -> None:
    assert read(text, side) == instant


@pytest.mark.parametrize("mark", ["48h", "2d", "1 day 24 hours", "48 hours"])
def test_a_span_alone_is_counted_from_now_for_a_deadline(mark: str) -> None:
    assert read(mark) == "Mon 2026-11-23 07:00 EST"
    assert f"Write “{mark} ago” or “in {mark}”" in refused(mark, Side.BEHIND)


def test_days_end_at_the_same_time_of_day_and_hours_are_time_that_passes() -> None:
    eve = datetime(2026, 10, 31, 12, tzinfo=UTC)  # 08:00 in New York, the day before the clocks go back
    assert read("2d", now=eve) == "Mon 2026-11-02 08:00 EST"
    assert read("48h", now=eve) == "Mon 2026-11-02 07:00 EST"


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("03/04 20:00", ("3 April", "4 March", "2027-04-03", "2027-03-04")),
        ("3-4-2027 20:00", ("3 April", "4 March", "2027-04-03", "2027-03-04")),
        ("next Sunday 20:00", ("2026-11-22", "2026-11-29")),
        ("Mon 24 Nov 20:00", ("24 Nov 2026 is a Tuesday",)),
        ("tomorrow 20:00 EDT", ("EST, not EDT", "2026-11-22T20:00-05:00", "2026-11-22T20:00-04:00")),
        ("1.11.2026 01:30", ("happens twice", "2026-11-01T01:30:00-04:00", "2026-11-01T01:30:00-05:00")),
        ("14.3.2027 02:30", ("does not exist", "2027-03-14T01:30:00-05:00", "2027-03-14T03:30:00-04:00")),
    ],
)
def test_what_can_be_two_is_a_question_that_names_both(text: str, both: tuple[str, ...]) -> None:
    said = refused(text)
    assert [part for part in both if part not in said] == []


@pytest.mark.parametrize("text", ["20:00", "8pm UTC", "Sun 20:00"])
def test_where_nothing_tells_which_side_both_are_named(text: str) -> None:
    assert "is this the last one or the next one? Write 2026-11-" in refused(text, Side.EITHER)


def test_of_a_date_without_a_year_the_nearer_is_meant_where_nothing_tells_which_side() -> None:
    assert read("24.11. 20:00", Side.EITHER) == "Tue 2026-11-24 20:00 EST"
    assert read("18 Nov 20:00", Side.EITHER) == "Wed 2026-11-18 20:00 EST"


def test_the_letters_of_the_games_zone_tell_which_of_two_hours_is_meant() -> None:
    early, late = (
        parse_instant(f"1.11.2026 1:30 {letters}", NOW, NEW_YORK, "") for letters in ("EDT", "EST")
    )
    assert late - early == timedelta(hours=1)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "expected a date and a time"),
        ("tomorrow", "Add a time of day: “tomorrow 20:00”"),
        ("24.11.", "Add a time of day"),
        ("teatime", "“teatime” is no day"),
        ("24 20:00", "“24” is no day"),
        ("24 utc 20:00", "“24 utc” is no day"),
        ("24 Nov 20 20:00", "“24 nov 20” is no day"),
        ("20:00 20:30", "more than one time of day"),
        ("25:00", "25:00 is no time of day"),
        ("13pm", "13pm is no time of day"),
        ("31.2. 20:00", "this date does not exist"),
        ("24/11/26 20:00", "write the year with four digits"),
        ("20:00 PST", "“PST” is not a clear time zone. Write the offset"),
        ("20:00 Mars/Phobos", "“Mars/Phobos” is not a time zone"),
        ("20:00+23:00", "no time zone is +23:00 from UTC"),
        ("20:00 Etc/GMT+5", "use a zone or an offset, not both"),
        (" ".join(["99999w"] * 5), "after the year 9999"),
    ],
)
def test_what_is_no_time_is_refused_with_what_was_expected(text: str, says: str) -> None:
    assert says in refused(text)


@pytest.mark.parametrize("text", ["Fri 8 pm Lundon", "Fri 8 pm Eastern", "8pm Louisville"])
def test_a_word_that_is_no_city_of_one_zone_says_what_is_accepted(text: str) -> None:
    word = text.split()[-1]
    assert f"“{word}” is no time zone, and no day. A time zone is written as Europe/London" in refused(text)


def test_without_a_zone_only_a_time_with_one_is_an_instant() -> None:
    with pytest.raises(TimeError, match="has no zone"):
        parse_instant("20:00", NOW, None, "--ends")
    assert parse_instant("20:00Z", NOW, None, "--ends") == datetime(2026, 11, 21, 20, tzinfo=UTC)
    assert parse_instant("48h", NOW, None, "--ends") == NOW + timedelta(hours=48)


@given(
    st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1)),  # noqa: DTZ001 - the zone is added
    st.sampled_from(["{:%H:%M}", "{:%a %H:%M}", "{:%d.%m. %H:%M}", "{:%d %B %H:%M}", "{:%I:%M %p}"]),
    st.sampled_from([Side.AHEAD, Side.BEHIND]),
)
def test_whatever_is_read_has_the_words_that_were_written_and_lies_on_its_side(
    moment: datetime, form: str, side: Side
) -> None:
    text = form.format(moment)
    try:
        found = parse_instant(text, NOW, NEW_YORK, "--ends", side)
    except TimeError as fault:
        assert "clocks" in str(fault) or "happens twice" in str(fault)
    else:
        assert form.format(found.astimezone(NEW_YORK)) == text
        assert (found > NOW) == (side is Side.AHEAD)


@given(st.text(max_size=30))
def test_any_text_is_a_time_or_refused(text: str) -> None:
    try:
        assert parse_instant(text, NOW, NEW_YORK, "--ends").tzinfo is UTC
    except TimeError as fault:
        assert str(fault).startswith("--ends")


# -- days and clocks -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026-11-28..2026-12-01", "2026-11-28", "2026-12-01"),
        ("2026-11-18", "2026-11-18", "2026-11-18"),
        ("28.11.2026", "2026-11-28", "2026-11-28"),
        ("18 Nov..25 Nov", "2026-11-18", "2026-11-25"),
        ("28 Dec - 3 Jan", "2026-12-28", "2027-01-03"),
        ("28.11.–1.12.", "2026-11-28", "2026-12-01"),
        ("Fri to Mon", "2026-11-27", "2026-11-30"),
        ("Saturday", "2026-11-21", "2026-11-21"),
        ("today until Friday", "2026-11-21", "2026-11-27"),
        ("yesterday..tomorrow", "2026-11-20", "2026-11-22"),
    ],
)
def test_the_days_of_an_absence_are_read_as_people_write_them(text: str, first: str, last: str) -> None:
    assert [day.isoformat() for day in parse_days(text, TODAY)] == [first, last]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("soon", "“soon” is no day"),
        ("..", "expected a day, or the first and the last one"),
        ("2026-11-30..2026-11-28", "the last day comes before the first one"),
        ("2026-02-30", "this date does not exist"),
        ("03/04", "is “03/04” 3 April or 4 March?"),
        ("Mon 24 Nov", "24 Nov 2026 is a Tuesday"),
    ],
)
def test_days_that_are_none_are_refused(text: str, says: str) -> None:
    with pytest.raises(TimeError) as raised:
        parse_days(text, TODAY)
    assert says in str(raised.value)


def test_a_time_of_day_stands_alone() -> None:
    assert [f"{parse_clock(text):%H:%M}" for text in ("23:00", "7:05", "11pm", "noon")] == [
        "23:00",
        "07:05",
        "23:00",
        "12:00",
    ]
    with pytest.raises(TimeError, match="expected a time of day"):
        parse_clock("tomorrow")


def test_a_column_tells_its_own_order_of_day_and_month() -> None:
    told = parse_column(["03/04/2026 20:00", "13/04/2026 20:00"], None, None, NOW)
    assert told.instants[0] == datetime(2026, 4, 3, 20, tzinfo=UTC)
    with pytest.raises(InputError, match="is the day or the month first"):
        parse_column(["03/04/2026 20:00"], None, None, NOW)


# -- spans ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "days", "hours"),
    [
        ("48h", 0, 48),
        ("2d", 2, 0),
        ("2 days", 2, 0),
        ("1w", 7, 0),
        ("90m", 0, 1.5),
        ("90 min", 0, 1.5),
        ("1.5h", 0, 1.5),
        ("1 day, 12 hours", 1, 12),
        ("1d12h", 1, 12),
        ("2 hrs and 30 mins", 0, 2.5),
        ("60 seconds", 0, 1 / 60),
        ("259200s", 0, 72),
        ("0.0625h", 0, 0.0625),
    ],
)
def test_a_span_is_read_in_short_and_in_words(text: str, days: int, hours: float) -> None:
    assert parse_span(text) == Span(days, timedelta(hours=hours))


@pytest.mark.parametrize(
    "text", ["", "48", "h", "-2d", "２d", "2 fortnights", "soon", "2d later", "999999999w", "999999999.5w"]
)
def test_what_is_no_span_says_what_was_expected(text: str) -> None:
    with pytest.raises(ValueError, match="days, hours or minutes such as “2d”, “48h” or “90m”"):
        parse_span(text)


def test_a_span_in_words_has_its_two_largest_units() -> None:
    spans = timedelta(days=3, hours=4, minutes=5), timedelta(hours=6, minutes=40), timedelta(seconds=5)
    assert [format_span(span) for span in spans] == ["3 d 4 h", "6 h 40 min", "less than a minute"]


def test_a_day_later_that_the_clocks_skip_is_a_question() -> None:
    eve = parse_instant("2027-03-13 02:30", NOW, NEW_YORK, "")
    with pytest.raises(TimeError, match="does not exist"):
        later(eve, Span(1, timedelta()), NEW_YORK, "--by 1d")


def test_who_types_no_date_in_words_waits_for_no_library_of_dates() -> None:
    program = (
        "import sys, knightfall.cli, knightfall.cli.count, knightfall.config.game_file, "
        "knightfall.services.count.votecount; sys.exit('dateutil' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
