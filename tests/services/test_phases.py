"""`knightfall phase open`, `extend`, `stop`, `lock` and `ics`: deadlines in the game's zone, told to all."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from icalendar import Calendar
from typer.testing import CliRunner

from command_line import at_terminal
from fetch.loopback import StillClock, client
from fetch.threads import Forum
from knightfall.cli import app
from knightfall.cli.format_day import boundary_line, clocks_line, lock_line, phase_lines, phase_remarks
from knightfall.config.instants import parse_instant
from knightfall.config.setup import Setup
from knightfall.engine.entries import Extended, Locked, Opened, Stopped
from knightfall.errors import DecisionNeeded, InputError, TimeError
from knightfall.services.count.votecount import counted
from knightfall.services.day.phases import (
    FILE,
    PhaseChange,
    checked_future,
    clock_change,
    deadline_post,
    extend,
    latest,
    lock,
    moved,
    open_phase,
    stop,
    write_calendar,
)
from knightfall.services.journal import log
from knightfall.services.requests import CountRequest, PhaseRequest, PostOptions
from knightfall.services.session import Session, journal_of
from knightfall.storage.ledger import Ledger
from knightfall.storage.store import Store
from knightfall.votes.rule import Boundary, Rule
from knightfall.votes.tally import UncountedReason
from services.end_of_day import AHEAD, Evening, Game, board, game, vote

NEW_YORK = ZoneInfo("America/New_York")
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
"""What the still clock says: Saturday, 07:00 in New York."""
FILE_TEXT = """schema = 1
[game]
title = "Gull Rock"
timezone = "America/New_York"
moderators = ["Wren"]
site = "mafiascum"
"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """The session of a folder with a game and no thread."""
    (tmp_path / "game.toml").write_text(FILE_TEXT, encoding="utf-8")
    database, clock = tmp_path / "game.db", StillClock()
    return Session(
        clock,
        client(clock, delay=0),
        lambda _: Store.open(database),
        lambda: Ledger.open(database),
        "Wren",
        game=tmp_path,
    )


def opened(request: PhaseRequest, session: Session) -> PhaseChange:
    return open_phase(request, PostOptions(), session)


def extended(request: PhaseRequest, session: Session, why: str = "") -> PhaseChange:
    return extend(request, PostOptions(), session, why)


def entries(session: Session) -> list[object]:
    return [record.entry for record in journal_of(session)]


def test_a_phase_is_opened_with_its_deadline_in_both_zones_and_the_sites_countdown(session: Session) -> None:
    change = opened(PhaseRequest("day", 1, "2026-11-18 20:00", "2026-11-25 20:00"), session)
    ends = datetime(2026, 11, 26, 1, tzinfo=UTC)
    assert entries(session) == [Opened("day-1", None, ends, datetime(2026, 11, 19, 1, tzinfo=UTC))]
    post, remarks = change.post.text, "\n".join(phase_lines(change))
    assert "[countdown]2026-11-25 20:00:00 -5.00[/countdown]" in post
    assert "Posts count up to 19:59:59 EST." in post
    assert (
        "Deadline Wed 25 Nov 2026, 20:00 EST (UTC-5) = Thu 26 Nov 01:00 UTC, in 4 d 13 h. "
        "Posts count up to 19:59:59 (boundary “before”)." in remarks
    )
    assert (session.folder / "public" / "001-deadline-day-1.txt").read_text(encoding="utf-8") == f"{post}\n"


def test_the_log_tells_a_deadline_by_the_clock_of_the_game(session: Session) -> None:
    opened(PhaseRequest("day", 1, "2026-11-18 20:00", "2026-11-25 20:00"), session)
    said = [one.said for one in log(session).entries]
    assert said == ["day 1 opened until 2026-11-25 20:00 EST"]


@pytest.mark.parametrize(
    ("zone", "at", "stamp"),
    [
        ("America/New_York", "2026-11-25 20:00", "2026-11-25 20:00:00 -5.00"),
        ("America/New_York", "2026-07-01 20:00", "2026-07-01 20:00:00 -4.00"),
        ("Europe/London", "2026-07-01 20:00", "2026-07-01 20:00:00 1.00"),
        ("Asia/Kolkata", "2026-11-25 20:00", "2026-11-25 20:00:00 5.50"),
        ("Asia/Kathmandu", "2026-11-25 20:00", "2026-11-25 20:00:00 5.75"),
        ("America/St_Johns", "2026-11-25 20:00", "2026-11-25 20:00:00 -3.50"),
        ("Australia/Adelaide", "2026-11-25 20:00", "2026-11-25 20:00:00 10.50"),
    ],
)
def test_the_countdown_has_the_offset_of_that_very_instant(zone: str, at: str, stamp: str) -> None:
    setup = Setup("x", zone=ZoneInfo(zone))
    post = deadline_post("Day 1", parse_instant(at, NOW, setup.zone, "--ends"), None, setup, "mafiascum")
    assert f"[countdown]{stamp}[/countdown]" in post


@pytest.mark.parametrize(
    ("dialect", "told"),
    [
        ("smf", "[time]1795654800[/time] (Wed 25 Nov 2026, 20:00 EST = Thu 26 Nov 01:00 UTC)."),
        ("discourse", '[date=2026-11-25 time=20:00:00 timezone="America/New_York" countdown=true]'),
        ("phpbb", "Wed 25 Nov 2026, 20:00 EST = Thu 26 Nov 01:00 UTC."),
    ],
)
def test_each_site_tells_a_deadline_as_it_can(dialect: str, told: str) -> None:
    setup = Setup("x", zone=NEW_YORK)
    ends = parse_instant("2026-11-25 20:00", NOW, NEW_YORK, "--ends")
    assert told in deadline_post("Day 1", ends, None, setup, dialect)


@pytest.mark.parametrize(
    ("boundary", "words"),
    [
        (Boundary.BEFORE, "Posts count up to 19:59:59 (boundary “before”)."),
        (Boundary.SECOND, "Posts count up to 20:00:00 (boundary “second”)."),
        (Boundary.MINUTE, "Posts count up to 20:00:59 (boundary “minute”)."),
        (Boundary.UNTIL_LOCK, "Posts count until you lock the thread (boundary “until_lock”)"),
    ],
)
def test_the_boundary_is_told_in_words(boundary: Boundary, words: str) -> None:
    setup = Setup("x", zone=NEW_YORK, rule=Rule(boundary=boundary))
    assert words in boundary_line(parse_instant("2026-11-25 20:00", NOW, NEW_YORK, "--ends"), setup)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "2026-11-01 01:30",
            "happens twice in America/New_York. Write 2026-11-01T01:30:00-04:00 or 2026-11-01T01:30:00-05:00",
        ),
        ("2026-03-08 02:30", "does not exist in America/New_York: the clocks skip it, from -05:00 to -04:00"),
        ("2026-11-27", "this is only a date. Add a time of day: “2026-11-27 20:00”"),
        ("tomorrow", "this is only a date. Add a time of day: “tomorrow 20:00”"),
        ("teatime", "“teatime” is no day; expected a date, such as 2026-11-25"),
    ],
)
def test_a_time_that_is_no_single_instant_is_refused_with_the_way_out(text: str, says: str) -> None:
    with pytest.raises(TimeError) as raised:
        parse_instant(text, NOW, NEW_YORK, "--ends")
    assert says in str(raised.value)


def test_an_offset_says_which_of_two_times_is_meant() -> None:
    early, late = (parse_instant(f"2026-11-01 01:30-0{n}:00", NOW, NEW_YORK, "--ends") for n in (4, 5))
    assert late - early == timedelta(hours=1)


def test_a_deadline_that_is_over_is_refused_with_the_one_that_may_be_meant(session: Session) -> None:
    asked = PhaseRequest("day", 1, ends="2026-11-20 20:00")
    with pytest.raises(TimeError) as raised:
        opened(asked, session)
    assert at_terminal(raised.value) == (
        "The deadline Fri 20 Nov 2026, 20:00 EST was 11 h ago. It is now Sat 21 Nov 2026, 07:00 EST. If you "
        'meant Fri 27 Nov: --ends "2026-11-27 20:00". To record a past phase: --past.'
    )
    assert entries(session) == []
    opened(replace(asked, past=True), session)
    assert len(entries(session)) == 1


@pytest.mark.parametrize("kind", ["day", "night"])
def test_a_night_is_not_opened_until_a_time_that_is_over(session: Session, kind: str) -> None:
    with pytest.raises(TimeError, match="It is now Sat 21 Nov 2026, 07:00 EST") as raised:
        opened(PhaseRequest(kind, 1, ends="2026-11-21 06:59"), session)
    assert raised.value.exit_status == 2
    assert '--ends "2026-11-28 06:59"' in at_terminal(raised.value)
    assert entries(session) == []
    assert not (session.folder / "public").exists()


def test_a_deadline_of_the_game_file_that_is_over_opens_nothing(session: Session) -> None:
    file = session.folder / "game.toml"
    file.write_text(f"{file.read_text()}\n[[day]]\nnumber = 1\nends = 2026-11-20T20:00:00\n")
    with pytest.raises(TimeError, match=r"game.toml: The deadline Fri 20 Nov 2026, 20:00 EST was 11 h ago"):
        opened(PhaseRequest("day", 1), session)
    assert entries(session) == []
    post = opened(PhaseRequest("day", 1, ends="2026-11-27 20:00"), session).post.text
    assert "[b]Day 1 ends:[/b]" in post
    assert "Fri 27 Nov 2026, 20:00 EST" in post


def test_a_deadline_of_the_game_file_that_is_over_can_be_meant(session: Session) -> None:
    file = session.folder / "game.toml"
    file.write_text(f"{file.read_text()}\n[[day]]\nnumber = 1\nends = 2026-11-20T20:00:00\n")
    opened(PhaseRequest("day", 1, past=True), session)
    assert len(entries(session)) == 1


def test_what_may_be_meant_keeps_its_time_of_day_over_a_change_of_the_clocks() -> None:
    before = parse_instant("2026-10-30 20:00", NOW, NEW_YORK, "--ends")
    with pytest.raises(TimeError, match="“ends” 2026-11-06 20:00"):
        checked_future(before, before + timedelta(days=3), NEW_YORK, past=False)


def test_hours_are_time_that_passes_and_days_are_dates() -> None:
    eve = parse_instant("2026-10-31 20:00", NOW, NEW_YORK, "--ends")
    elapsed, wall = (moved(eve, by, NEW_YORK).astimezone(NEW_YORK) for by in ("48h", "2d"))
    assert (f"{elapsed:%d %b %H:%M}", f"{wall:%d %b %H:%M}") == ("02 Nov 19:00", "02 Nov 20:00")
    for by, other in (("48h", "2d"), ("2d", "48h")):
        clocks = clock_change(eve, by, NEW_YORK)
        assert clocks is not None
        assert clocks.other == other
        assert f"instead: --by {other}." in clocks_line(clocks, NEW_YORK)
    assert clock_change(eve + timedelta(days=3), "48h", NEW_YORK) is None
    assert clock_change(eve, "36h", NEW_YORK) is None, "no number of days says the same"
    with pytest.raises(TimeError, match="happens twice"):
        moved(parse_instant("2026-10-31 01:30", NOW, NEW_YORK, "--ends"), "1d", NEW_YORK)


def test_a_phase_is_extended_stopped_and_extended_again(session: Session) -> None:
    opened(PhaseRequest("day", 1, ends="2026-11-25 20:00"), session)
    later = extended(PhaseRequest("day", 1, by="24h"), session)
    stopped = stop(PhaseRequest("day", 1), "the site is down", PostOptions(), session)
    again = extended(PhaseRequest("day", 1, ends="2026-11-29 20:00"), session)
    ends = datetime(2026, 11, 27, 1, tzinfo=UTC)
    assert entries(session)[1:] == [
        Extended("day-1", ends),
        Stopped("day-1", "the site is down"),
        Extended("day-1", ends + timedelta(days=3)),
    ]
    assert "Day 1 now ends" in later.post.text
    assert "The old deadline was Wed 25 Nov 2026, 20:00 EST." in later.post.text
    assert "is paused" in stopped.post.text
    assert "site is down" not in later.post.text + stopped.post.text + again.post.text


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (PhaseRequest("day", 1), "Give the new deadline, or how much longer"),
        (PhaseRequest("day", 1, ends="2026-11-26 20:00", by="1d"), "Give the new deadline, or how"),
        (PhaseRequest("day", 1, by="soon"), "expected days, hours or minutes"),
        (PhaseRequest("day", 1, ends="2026-11-24 20:00"), "is not later than the current deadline"),
        (PhaseRequest("night", 4, by="24h"), "Night 4 has no deadline yet, so “by” cannot be used"),
        (PhaseRequest("dusk", 1, by="24h"), "“dusk” is not a phase: expected day or night"),
    ],
)
def test_an_extension_that_says_too_little_or_too_much_changes_nothing(
    asked: PhaseRequest, says: str, session: Session
) -> None:
    opened(PhaseRequest("day", 1, ends="2026-11-25 20:00"), session)
    with pytest.raises(InputError, match=says):
        extended(asked, session)
    assert len(entries(session)) == 1


def test_an_earlier_deadline_has_to_be_meant(session: Session) -> None:
    opened(PhaseRequest("day", 1, ends="2026-11-25 20:00"), session)
    change = extended(PhaseRequest("day", 1, ends="2026-11-24 20:00", shorten=True), session)
    assert "Tue 24 Nov 2026, 20:00 EST" in change.post.text


def test_a_deadline_in_words_is_told_back_in_full(session: Session) -> None:
    change = opened(PhaseRequest("day", 1, "today 06:00", "Wed 8pm"), session)
    assert change.deadline == datetime(2026, 11, 26, 1, tzinfo=UTC)
    [first, second] = phase_lines(change)
    assert first.startswith(
        "Entry 1: Day 1 is open from Sat 21 Nov 2026, 06:00 EST = Sat 21 Nov 11:00 UTC (1 h ago)."
    )
    assert second.startswith(
        "Deadline Wed 25 Nov 2026, 20:00 EST (UTC-5) = Thu 26 Nov 01:00 UTC, in 4 d 13 h."
    )
    later = extended(PhaseRequest("day", 1, ends="24.11. 20:00", shorten=True), session)
    assert later.deadline == datetime(2026, 11, 25, 1, tzinfo=UTC)
    with pytest.raises(TimeError, match="3 April or 4 March"):
        extended(PhaseRequest("day", 1, ends="03/04 20:00"), session)


def test_a_deadline_that_is_written_down_afterwards_is_the_last_one(session: Session) -> None:
    assert opened(PhaseRequest("day", 1, ends="Fri 20:00", past=True), session).deadline == datetime(
        2026, 11, 21, 1, tzinfo=UTC
    )


def test_an_open_phase_is_not_opened_again(session: Session) -> None:
    opened(PhaseRequest("day", 1, ends="2026-11-25 20:00"), session)
    with pytest.raises(DecisionNeeded, match="Day 1 is open already"):
        opened(PhaseRequest("day", 1, ends="2026-11-26 20:00"), session)
    with pytest.raises(InputError, match="A phase must end after it begins"):
        opened(PhaseRequest("day", 2, "2026-12-02 20:00", "2026-12-01 20:00"), session)
    assert latest("day", session) == 1


def test_a_lock_needs_its_post_where_nothing_was_read(session: Session) -> None:
    with pytest.raises(InputError, match="After which post was it locked"):
        lock(PhaseRequest("day", 1), session)
    lock(PhaseRequest("day", 1, post="#60"), session)
    assert entries(session) == [Locked("day-1", "60")]


def test_the_calendar_file_has_spans_and_deadlines_that_keep_their_identity(session: Session) -> None:
    with pytest.raises(InputError, match="No phase has a time yet"):
        write_calendar(session)
    opened(PhaseRequest("day", 1, "2026-11-18 20:00", "2026-11-25 20:00"), session)
    written = write_calendar(session)
    file, first = written.file, written.file.read_bytes()
    assert (file.name, written.events) == (FILE, 2)
    assert first.startswith(b"BEGIN:VCALENDAR\r\n")
    assert max(map(len, first.split(b"\r\n"))) <= 75
    extended(PhaseRequest("day", 1, by="24h"), session)
    write_calendar(session)
    both = [Calendar.from_ical(text).walk("VEVENT") for text in (first, file.read_bytes())]
    assert [event["uid"] for event in both[0]] == [event["uid"] for event in both[1]]
    span, moment = both[1]
    assert (str(span["summary"]), str(moment["summary"])) == ("Gull Rock: Day 1", "Gull Rock: Day 1 ends")
    assert span.decoded("dtend") == moment.decoded("dtstart") == datetime(2026, 11, 27, 1, tzinfo=UTC)
    assert "dtend" not in moment


TIMES = {100 + n: f"2026-11-21T{9 + n:02}:00:00+00:00" for n in range(1, 7)}
"""Posts 1 to 6, one an hour from 10:00 UTC on."""


def votes(played: Game, at: str | None = None) -> dict[str, int]:
    count = counted(CountRequest(at=at), played.session).count
    return {wagon.target.name: wagon.count for wagon in count.tally.wagons if wagon.target}


def test_a_count_as_of_an_earlier_post_keeps_the_deadline_that_stood_then(tmp_path: Path) -> None:
    said_ = (("Ada", vote("Fen")), ("Boro", vote("Fen")), ("Cinder", "hm"))
    evening = Evening(Forum(board(*said_)), stamps=TIMES)
    with game(tmp_path, evening, ends="2026-11-21T11:30:00Z") as played:
        count = counted(CountRequest(), played.session).count
        assert [missed.why for missed in count.tally.not_counted] == [UncountedReason.LATE]
        before = {at: votes(played, at) for at in ("2", "3")}
        evening.clock.sleep(3 * 3600)
        later = PhaseRequest("day", 1, ends=AHEAD.replace("21T12", "22T12"))
        with pytest.raises(InputError, match=r"has passed\. To move it now, say why"):
            extended(later, played.session)
        change = extended(later, played.session, "the forum was down")
        evening.forum.posts.append((105, "Kestrel", vote("Fen")))
        evening.stamps = {**TIMES, 105: "2026-11-21T16:00:00+00:00"}
        assert {at: votes(played, at) for at in ("2", "3")} == before == {"2": {"Fen": 1}, "3": {"Fen": 1}}
        assert votes(played) == {"Fen": 3}
        assert change.overdue == timedelta(hours=3, minutes=30)
        remarks = "\n".join(phase_remarks(change))
        assert "was 3 h 30 min ago. Posts since then count now." in remarks


def test_a_lock_ends_the_day_whatever_the_clock_says(tmp_path: Path) -> None:
    evening = Evening(Forum(board(("Ada", vote("Fen")), ("Boro", vote("Fen")))))
    rules = 'boundary = "until_lock"'
    with game(tmp_path, evening, ends=AHEAD, rules=rules) as played:
        votes(played)
        locked = lock(PhaseRequest("day", 1), played.session)
        evening.forum.posts.append((104, "Cinder", vote("Fen")))
        assert votes(played) == {"Fen": 2}
        assert "Day 1 is locked after post 3" in lock_line(locked)


def test_days_that_only_the_journal_knows_leave_the_earlier_ones_to_the_thread(tmp_path: Path) -> None:
    posts = board(("Ada", vote("Fen")), ("Wren", "Night falls."), ("Wren", "dawn"), ("Boro", vote("Ada")))
    with game(tmp_path, Evening(Forum(posts)), ends=None) as played:
        file = played.folder / "game.toml"
        file.write_text(file.read_text().replace("[[day]]\nnumber = 1\nstart_post = 1\n", ""))
        before = votes(played, "2")
        opened(PhaseRequest("day", 2, post="4", ends="2026-11-28T12:00:00Z"), played.session)
        assert votes(played, "2") == before == {"Fen": 1}
        assert votes(played) == {"Ada": 1}


def test_the_verbs_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "game.toml").write_text(FILE_TEXT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke
    opened = run(app, ["phase", "open", "day", "1", "--ends", "2096-11-25 20:00", "--far", "--as", "plain"])
    assert opened.exit_code == 0, opened.output
    assert " UTC.\n" in opened.stdout
    assert run(app, ["phase", "extend", "day", "1", "--by", "2d", "--far"]).exit_code == 0
    assert run(app, ["phase", "stop", "day", "1", "--why", "storm"]).exit_code == 0
    assert run(app, ["phase", "extend", "day", "1", "--ends", "2096-11-25 21:00", "--far"]).exit_code == 0
    assert run(app, ["phase", "lock", "--post", "7"]).exit_code == 0
    assert run(app, ["ics"]).stdout.startswith("Saved: ")
