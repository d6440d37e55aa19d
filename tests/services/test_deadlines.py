"""One text sets the deadline of what is open, whether it has one or not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from begun import MemoryLedger, begin
from fetch.loopback import StillClock
from knightfall.config.instants import parse_deadline
from knightfall.engine.entries import Extended, Opened, Ruled
from knightfall.errors import DecisionNeeded, InputError
from knightfall.sentence import SlotId
from knightfall.services.day.close import close
from knightfall.services.day.deadlines import PhaseDeadline, deadlines, set_deadline
from knightfall.services.day.phases import PhaseChange, stop
from knightfall.services.requests import NewGameRequest, PhaseRequest, PostOptions
from knightfall.services.running import overdue
from knightfall.services.window.turns import close as close_window
from knightfall.services.window.turns import submit
from services.test_phases_of_every_game import begun
from services.voting_day import VotingDay, voting_day

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def sets(game: VotingDay, ends: str, why: str = "", *, shorten: bool = False) -> PhaseChange:
    """Sets the deadline of the first open window, as the page does."""
    one = deadlines(game.session)[0]
    request = PhaseRequest(one.kind, one.number, ends=ends, shorten=shorten)
    return set_deadline(request, PostOptions(), game.session, why)


def shown(game: VotingDay) -> PhaseDeadline:
    return deadlines(game.session)[0]


def test_the_first_deadline_opens_the_day_and_later_ones_move_it(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    assert (shown(day).title, shown(day).deadline, shown(day).is_new) == ("Day 1", None, True)
    assert "ends:" in sets(day, "48h").post.text
    assert shown(day).deadline == NOON + timedelta(hours=48)
    later = sets(day, "+24h")
    assert later.before == NOON + timedelta(hours=48)
    assert later.deadline == NOON + timedelta(hours=72)
    assert "now ends:" in later.post.text
    assert sets(day, "2 days longer").deadline == NOON + timedelta(days=5)
    assert sets(day, "2026-11-27 20:00").deadline == datetime(2026, 11, 27, 20, tzinfo=UTC)
    entries = [type(record.entry) for record in day.ledger.journal[1:]]
    assert entries == [Opened, Extended, Extended, Extended]
    assert not shown(day).is_new


def test_an_earlier_one_has_to_be_meant(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    sets(day, "48h")
    with pytest.raises(InputError, match="is not later than the current deadline"):
        sets(day, "24h")
    assert sets(day, "24h", shorten=True).deadline == NOON + timedelta(hours=24)
    with pytest.raises(InputError, match="When does Day 1 end"):
        sets(day, " ")


def test_a_paused_day_goes_on_with_its_next_deadline(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    sets(day, "48h")
    stop(PhaseRequest("day", 1), "the site is down", PostOptions(), day.session)
    assert (shown(day).deadline, shown(day).stopped) == (None, True)
    assert sets(day, "+24h").deadline == NOON + timedelta(hours=24)
    assert not shown(day).stopped


def test_a_deadline_that_has_passed_is_moved_for_a_reason_and_never_once_the_day_is_closed(
    tmp_path: Path,
) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    sets(day, "2h")
    day.wait(3)
    assert shown(day).passed
    with pytest.raises(InputError, match=r"has passed\. To move it now, say why"):
        sets(day, "+24h")
    moved = sets(day, "+24h", "the forum was down")
    assert "It had passed, so posts made since then count now." in moved.post.text
    [ruled] = [one.entry for one in day.ledger.journal if isinstance(one.entry, Ruled)]
    assert ruled.why == "the forum was down"
    day.wait(24)
    close(day.look(), "No Elimination", day.session)
    with pytest.raises(DecisionNeeded, match=r"Day 1 is closed\. To change its deadline, first"):
        set_deadline(PhaseRequest("day", 1, ends="24h"), PostOptions(), day.session, "late")


def test_a_post_at_the_very_instant_of_a_window_is_in_time_and_so_is_moving_it(tmp_path: Path) -> None:
    game = begun(tmp_path, "kings_court")
    sets(game, "2h", shorten=True)
    game.wait(2)
    assert not shown(game).passed
    sets(game, "+1h")
    game.wait(1.001)
    assert shown(game).passed


MOVE, TRAP = "move-1", "a-trap-against-move-1"


def trapped(tmp_path: Path) -> VotingDay:
    """The first move of a bout with traps, each window with its own deadline."""
    game = VotingDay(tmp_path / "game", StillClock(), MemoryLedger())
    request = NewGameRequest(
        "knight_fight", ("Ada", "Boro"), game.folder, b"seed" * 8, b"salt" * 8, "Fight",
        options={"anomalies": "C+H"},
    )  # fmt: skip
    begin(request, game.session)
    close_window("side", "plain", game.session, "", "as agreed")
    return game


def ends(game: VotingDay) -> dict[str, datetime]:
    return {one.kind: one.deadline for one in deadlines(game.session) if one.deadline is not None}


@pytest.mark.parametrize(("hours", "why"), [(0.005, ""), (0.03, ""), (0.1, "the site was down")])
def test_a_moved_deadline_moves_no_other_window(tmp_path: Path, hours: float, why: str) -> None:
    """Neither before the trap's time is up, nor when it is, nor when that of both is."""
    game = trapped(tmp_path)
    before = ends(game)
    game.wait(hours)
    moved = set_deadline(PhaseRequest(MOVE, ends="+10m"), PostOptions(), game.session, why)
    assert moved.also == ()
    assert "trap" not in moved.post.text
    assert ends(game) == before | {MOVE: before[MOVE] + timedelta(minutes=10)}
    submit("Ada", "E4", "plain", game.session, at=game.clock.now() - timedelta(seconds=1))
    assert ends(game) == {TRAP: before[TRAP]}


def test_the_deadline_of_a_trap_is_moved_alone(tmp_path: Path) -> None:
    game = trapped(tmp_path)
    before = ends(game)
    game.wait(0.03)
    assert shown(game).passed
    moved = set_deadline(PhaseRequest(TRAP, ends="+10m"), PostOptions(), game.session, "they were away")
    assert moved.also == ()
    assert ends(game) == before | {TRAP: before[TRAP] + timedelta(minutes=10)}


@pytest.mark.parametrize("passed", [False, True])
def test_what_was_left_of_a_trap_when_the_clock_stopped_is_left_when_it_goes_on(
    tmp_path: Path, passed: bool
) -> None:
    game = trapped(tmp_path)
    before = ends(game)
    game.wait(0.03 if passed else 0.005)
    stop(PhaseRequest(MOVE), "the site is down", PostOptions(), game.session)
    game.wait(1)
    moved = set_deadline(PhaseRequest(MOVE, ends="1h"), PostOptions(), game.session)
    left = before[TRAP] + timedelta(hours=0 if passed else 1)
    assert ends(game) == {MOVE: moved.deadline, TRAP: left}
    assert [at for _, at in moved.also] == ([] if passed else [left]), "only what is to come is told"


def test_a_message_is_too_late_for_what_is_open_for_its_sender(tmp_path: Path) -> None:
    game = trapped(tmp_path)

    def late_for(slot: SlotId | None) -> str:
        found = overdue(game.table, game.clock.now(), slot)
        return found[0].kind if found else ""

    assert [late_for(slot) for slot in (SlotId("Ada"), SlotId("Boro"), None)] == ["", "", ""]
    game.wait(0.03)  # the time of the trap is up, the time of the turn is not
    assert [late_for(slot) for slot in (SlotId("Ada"), SlotId("Boro"), None)] == ["trap", "trap", "trap"]
    game.wait(0.1)
    assert [late_for(slot) for slot in (SlotId("Ada"), SlotId("Boro"), None)] == ["turn", "trap", "trap"]


def test_what_is_open_is_what_has_a_deadline(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    close(day.look(early="it is enough"), "No Elimination", day.session)
    assert [one.title for one in deadlines(day.session)] == ["Night 1"]
    night = shown(day)
    assert (night.kind, night.number, night.counts) == ("night", 1, False)


BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("said", "ends"),
    [
        ("48h", "2026-11-23 12:15"),
        ("in 2 days", "2026-11-23 12:15"),
        ("1h", "2026-11-21 12:15 +1h"),
        ("36h 20m", "2026-11-23 00:33"),
        ("90m", "2026-11-21 13:43"),
        ("30m", "2026-11-21 12:43"),
        ("5 min", "2026-11-21 12:18"),
        ("2026-11-23 12:03:07", "2026-11-23 12:03:07"),
    ],
)
def test_a_span_ends_on_a_full_minute_and_one_of_hours_on_full_five(said: str, ends: str) -> None:
    now = datetime(2026, 11, 21, 12, 12, 56, 400, tzinfo=UTC)
    wanted = datetime.fromisoformat(f"{ends.removesuffix(' +1h')}+00:00")
    wanted += timedelta(hours=ends.endswith("+1h"))
    assert parse_deadline(said, now, ZoneInfo("UTC")) == wanted
    on_the_minute = now.replace(minute=10, second=0, microsecond=0)
    assert parse_deadline("2h", on_the_minute, BERLIN) == on_the_minute + timedelta(hours=2)
    assert parse_deadline("90s", now, BERLIN) == now.replace(microsecond=0) + timedelta(seconds=90)
