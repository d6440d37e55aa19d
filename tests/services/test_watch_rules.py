"""What the watch decides without a forum: when to look, which day, what the clock tells, where it may go."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from fetch.loopback import StillClock
from knightfall.cli.ways import in_commands
from knightfall.engine.game import Window
from knightfall.engine.notices import Notice
from knightfall.errors import InputError
from knightfall.sentence import SlotId, Way
from knightfall.services.game.due import Due, DueUrgency
from knightfall.services.watch.events import Noticed, alarms, deadline_passed, event_words, next_alarm
from knightfall.services.watch.follow import (
    FASTEST,
    NEAR,
    SAVED,
    SWEEP,
    Budget,
    QuietHours,
    Urgency,
    WatchRequest,
    day_to_watch,
    final_key,
    over,
    parse_every,
    parse_quiet,
    pause,
    sweeps,
    watch,
    watching_key,
)
from knightfall.services.watch.notify import channels_of, harmless
from knightfall.services.window.waiting import PendingSlot, PendingWindow
from knightfall.storage.store import Notices
from knightfall.votes.config import DaySetup
from knightfall.votes.rule import Boundary, Rule
from knightfall.web.ways import in_page_words
from services.game_stages import BEGAN, lantern, session_of_test

CLOSE = Way("close", kind="night", title="Night 1")
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
EVERY = 300.0
RICH = Budget(0.0, 100.0)


@pytest.mark.parametrize(
    ("standing", "seconds"),
    [
        (Urgency(), EVERY),
        (Urgency(missing=5), EVERY),
        (Urgency(missing=2), NEAR[2]),
        (Urgency(missing=1), NEAR[1]),
        (Urgency(missing=0), EVERY),
        (Urgency(left=86400), EVERY),
        (Urgency(left=3600), 180),
        (Urgency(left=3600, missing=1), NEAR[1]),
        (Urgency(left=100), FASTEST),
        (Urgency(left=-5), EVERY),
        (Urgency(missing=1, failures=1), 30),
        (Urgency(missing=1, failures=3), 120),
        (Urgency(failures=50), 600),
    ],
)
def test_the_next_look_comes_sooner_the_nearer_the_end_is(standing: Urgency, seconds: float) -> None:
    assert pause(EVERY, standing, RICH) == seconds


@pytest.mark.parametrize(("pages", "seconds"), [(-9.0, 300), (0.0, 45), (-1.0, 60), (1.0, 45)])
def test_no_look_is_made_before_its_page_is_paid_for(pages: float, seconds: float) -> None:
    assert pause(EVERY, Urgency(missing=1), Budget(0.0, pages)) == seconds


def test_what_is_not_asked_for_is_saved_up_to_a_bound() -> None:
    assert Budget(0.0).by(300).pages == 10
    assert Budget(0.0).by(1e6).pages == SAVED
    assert Budget(0.0).spent(4, 300) == Budget(300, 6)


@pytest.mark.parametrize(
    ("pages", "since", "standing", "reads"),
    [
        (100, SWEEP, Urgency(), True),
        (101, SWEEP, Urgency(), False),
        (100, SWEEP - 1, Urgency(), False),
        (100, SWEEP, Urgency(left=1800), False),
        (100, SWEEP, Urgency(left=-1800), True),
        (100, SWEEP, Urgency(left=1e5, missing=1), True),
    ],
)
def test_all_pages_are_read_where_that_is_due_and_paid_for(
    pages: int, since: float, standing: Urgency, reads: bool
) -> None:
    assert sweeps(RICH, pages, since, standing) is reads


@pytest.mark.parametrize(
    ("hours", "quiet"),
    [
        ("23:00-07:00", {22: False, 23: True, 0: True, 6: True, 7: False}),
        ("7:00-9:00", {6: False, 7: True, 8: True, 9: False}),
    ],
)
def test_quiet_hours_go_by_the_moderators_clocks(hours: str, quiet: dict[int, bool]) -> None:
    zone = ZoneInfo("America/New_York")
    found = {hour: datetime(2026, 11, 21, hour, tzinfo=zone) for hour in quiet}
    assert {hour: parse_quiet(hours).at(at.astimezone(UTC), zone) for hour, at in found.items()} == quiet


def test_quiet_hours_end() -> None:
    night = QuietHours(time(23), time(7))
    assert night.left(NOON.replace(hour=23), ZoneInfo("UTC")) == 8 * 3600
    assert night.left(NOON.replace(hour=6, minute=59), ZoneInfo("UTC")) == 60


@pytest.mark.parametrize("text", ["23-7", "24:00-07:00", "23:60-07:00", "nine", "", "07:00-07:00"])
def test_hours_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="“quiet”"):
        parse_quiet(text)


def test_spans_between_two_looks() -> None:
    assert (parse_every("5m"), parse_every("1h")) == (300, 3600)
    with pytest.raises(InputError, match="“every” 30s: expected"):
        parse_every("30s")


ONE = DaySetup(1, 1, NOON)
TWO = DaySetup(2, 90, NOON + timedelta(days=2))
BARE = DaySetup(3)


@pytest.mark.parametrize(
    ("day", "boundary", "after", "done"),
    [
        (ONE, Boundary.BEFORE, -1, False),
        (ONE, Boundary.BEFORE, 0, True),
        (ONE, Boundary.SECOND, 0, False),
        (ONE, Boundary.SECOND, 1, True),
        (ONE, Boundary.MINUTE, 59, False),
        (ONE, Boundary.MINUTE, 60, True),
        (ONE, Boundary.UNTIL_LOCK, 9999, False),
        (replace(ONE, end=40), Boundary.UNTIL_LOCK, -9999, True),
        (BARE, Boundary.BEFORE, 9999, False),
    ],
)
def test_a_day_is_over_by_its_boundary(day: DaySetup, boundary: Boundary, after: int, done: bool) -> None:
    assert over(day, Rule(boundary=boundary), NOON + timedelta(seconds=after)) is done


@pytest.mark.parametrize(
    ("closed", "hours", "known", "number"),
    [
        ((), -1, (), 1),
        ((), 1, (), 2),
        ((), 1, (watching_key(ONE),), 1),
        ((), 1, (watching_key(ONE), final_key(ONE)), 2),
        ((1,), 1, (watching_key(ONE),), 2),
        ((1, 2), 1, (), 3),
        ((), 100, (), 3),
        ((1, 2, 3), 1, (), None),
    ],
    ids=[
        "first",
        "it-is-over",
        "it-was-watched",
        "it-was-counted",
        "it-was-closed",
        "no-deadline",
        "all-over",
        "none",
    ],
)
def test_a_day_that_was_watched_is_watched_to_its_end(
    closed: tuple[int, ...], hours: int, known: tuple[str, ...], number: int | None
) -> None:
    now = NOON + timedelta(hours=hours)
    found = day_to_watch((ONE, TWO, BARE), frozenset(closed), Rule(), now, frozenset(known))
    assert (found.number if found else None) == number


def window(*absent: str, secret: bool = True, minutes: float = 59) -> PendingWindow:
    names = tuple(map(SlotId, ("Ada", "Boro", "Cinder")))
    until = NOON + timedelta(minutes=minutes)
    open_ = Window("night", "Night 1", names, secret, closes=until)
    waiting = tuple(PendingSlot(SlotId(name), ()) for name in absent)
    return PendingWindow(open_, waiting, until, False, None)


@pytest.mark.parametrize(
    ("one", "words", "outside"),
    [
        (
            window("Ada", "Boro"),
            "Night 1: 59 min left, missing: Ada, Boro.",
            "Night 1: 59 min left, missing: 2.",
        ),
        (window("Ada", secret=False), "missing: Ada.", "Night 1: 59 min left, missing: Ada."),
        (window("Ada", minutes=61), "", ""),
        (window(), "", ""),
        (
            window("Ada", minutes=-1),
            "time is up, missing: Ada. Next: close Night 1",
            "up, missing: 1.",
        ),
        (window(minutes=-1), "time is up, nobody is missing.", "time is up, nobody is missing."),
    ],
    ids=["secret", "open", "early", "all-there", "too-late", "in-time"],
)
def test_who_is_missing_is_told_an_hour_before_and_to_the_moderator_alone(
    one: PendingWindow, words: str, outside: str
) -> None:
    close = Due("Night 1 is over: close it", CLOSE, DueUrgency.SOON, window="night-1")
    told = tuple(alarms((one,), (close,), NOON))
    assert bool(told) is bool(words)
    for alarm in told:
        assert words in alarm.notice.words + alarm.then
        assert alarm.notice.outside.endswith(outside)


def test_a_notice_tells_the_way_that_is_due_in_the_words_of_the_face() -> None:
    close = Due("Night 1 is over: close it", CLOSE, DueUrgency.SOON, window="night-1")
    [alarm] = alarms((window("Ada", minutes=-1),), (close,), NOON)
    told = event_words(Noticed(alarm.notice, ZoneInfo("UTC"), alarm.then))
    assert in_commands(told).endswith("time is up, missing: Ada. Next: knightfall commit night")
    assert in_page_words(told).endswith("time is up, missing: Ada. Next: “Close Night 1”")
    [alone] = alarms((window("Ada", minutes=-1),), (), NOON)
    assert alone.then == ""


def test_the_clock_wakes_the_watch_for_the_next_alarm() -> None:
    assert next_alarm((window("Ada", minutes=90),), NOON) == 30 * 60
    assert next_alarm((window("Ada", minutes=30),), NOON) == 30 * 60
    assert next_alarm((window("Ada", minutes=-30),), NOON) is None


def test_a_deadline_is_told_when_its_last_instant_is_over() -> None:
    zone, rule = ZoneInfo("UTC"), Rule(boundary=Boundary.SECOND)
    assert not tuple(deadline_passed(ONE, rule, zone, (), NOON))
    (alarm,) = deadline_passed(ONE, rule, zone, (), NOON + timedelta(seconds=1))
    told = alarm.notice
    assert told.urgent
    assert told.words == "The deadline of day 1 has passed (Sat 21 Nov 2026, 12:00 UTC)."


@pytest.mark.parametrize(
    "ping",
    ["@everyone", "@here", "<@&123>", "<!channel>", "<#9>", "@Ada", "a@b"],
    ids=["everyone", "here", "role", "channel", "room", "name", "mail"],
)
def test_a_ping_is_none_any_more(ping: str) -> None:
    said = harmless(f"Look: {ping}!")
    assert ping not in said
    assert said.replace("\u200b", "") == f"Look: {ping}!"


def test_ways_are_named_with_commas_or_apart_and_addresses_may_hold_commas() -> None:
    known = {"KNIGHTFALL_MAIL": "mailtos://ada:key@forum.example"}
    found = channels_of(("mail,json://forum.example/a,b", "json://forum.example/c"), known)
    assert [one.name for one in found] == ["mail", "json", "json"]


@pytest.mark.parametrize("way", ["mail", "webhook"])
def test_a_way_without_an_address_says_where_it_belongs(way: str) -> None:
    with pytest.raises(InputError, match=f"KNIGHTFALL_{way.upper()}="):
        channels_of((way,), {})


def test_a_notice_is_kept_once_and_waits_until_it_was_told(tmp_path: Path) -> None:
    notices, one = Notices.open(tmp_path / "game.db"), Notice("a", NOON, "Look!", "", True)
    notices.keep((one, replace(one, words="Look again!")))
    notices.keep((replace(one, key="b"),))
    assert [(each.key, each.words) for each in notices.waiting()] == [("a", "Look!"), ("b", "Look!")]
    notices.told(one, NOON)
    notices.keep((one,))
    again = Notices.open(tmp_path / "game.db")
    assert again.waiting() == (replace(one, key="b"),)
    assert again.keys() == {"a", "b"}


def test_a_begun_game_is_told_of_missing_messages_an_hour_before_and_when_time_is_up(tmp_path: Path) -> None:
    folder, pages = lantern(tmp_path, "night 1")
    file = folder / "game.toml"
    head, _, rest = file.read_text(encoding="utf-8").partition("[[thread]]")
    file.write_text(head + rest[rest.index("[[player]]") :], encoding="utf-8")
    ends = BEGAN + timedelta(hours=54)
    session = replace(
        session_of_test(folder, pages), clock=StillClock([(ends - timedelta(hours=3) - NOON).total_seconds()])
    )
    out: list[str] = []
    while session.clock.now() < ends + timedelta(minutes=5):
        events = watch(WatchRequest(once=True), session)
        out += [one.notice.words for one in events if isinstance(one, Noticed)]
        session.clock.sleep(1200)
    assert [line.partition(",")[0] for line in out] == [
        "Night 1: 1 h left",
        "Night 1: time is up",
    ]
    assert "missing: " in out[0]
