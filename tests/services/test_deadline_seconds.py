"""A deadline with seconds is told with them everywhere; one without is told without."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from command_line import at_terminal
from knightfall.cli.format_day import deadline_line, phase_lines
from knightfall.cli.format_play import missing_text, status_text
from knightfall.config.instants import parse_instant
from knightfall.errors import DecisionNeeded, InputError, TimeError
from knightfall.markup.dialects import NAMES as DIALECTS
from knightfall.markup.dialects import dialect
from knightfall.markup.dialects.moments import in_words
from knightfall.markup.nodes import Countdown
from knightfall.services.day.phases import extend, open_phase
from knightfall.services.game.status import status
from knightfall.services.journal import log
from knightfall.services.now import now_of
from knightfall.services.requests import PhaseRequest, PostOptions
from knightfall.services.window.turns import look, submit
from knightfall.services.window.waiting import missing
from knightfall.web.pages import Moment
from knightfall.writeups.facts import as_of_line, full_time, local_time
from salt_harbour import NAMES
from services.test_phases_of_every_game import begun
from services.voting_day import voting_day

ODD = datetime(2026, 11, 25, 20, 0, 20, tzinfo=UTC)
EVEN = ODD.replace(second=0)
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(("moment", "clock"), [(ODD, "21:00:20"), (EVEN, "21:00")])
def test_times_in_words_have_seconds_where_they_are_not_zero(moment: datetime, clock: str) -> None:
    utc = clock.replace("21", "20", 1)
    assert local_time(moment, BERLIN) == f"Wed 25 Nov 2026, {clock} CET"
    assert full_time(moment, BERLIN) == f"Wed 25 Nov 2026, {clock} CET = Wed 25 Nov {utc} UTC"
    assert full_time(moment, BERLIN) == in_words(Countdown(moment, "Europe/Berlin"))
    assert f"{utc} UTC, " in as_of_line(moment, EVEN, None)
    assert Moment(moment, BERLIN, EVEN).clocks[:2] == (f"Wed 25 Nov {clock} CET", f"Wed 25 Nov {utc} UTC")


@pytest.mark.parametrize("name", DIALECTS)
def test_a_countdown_has_its_seconds_in_every_dialect(name: str) -> None:
    written = dialect(name).write((Countdown(ODD, "Europe/Berlin"),))
    assert ":00:20" in written or str(int(ODD.timestamp())) in written


def test_a_deadline_is_taken_with_seconds_and_a_span_ends_at_a_whole_second() -> None:
    now = datetime(2026, 11, 21, 12, 0, 7, 512_345, tzinfo=UTC)
    for text in ("2026-11-25 20:00:20", "Wed 20:00:20", "25.11. 20:00:20", "2026-11-25T20:00:20Z"):
        assert parse_instant(text, now, ZoneInfo("UTC"), "--ends") == ODD
    assert parse_instant("48h", now, None, "--ends") == datetime(2026, 11, 23, 12, 0, 7, tzinfo=UTC)


def test_a_time_that_must_be_said_otherwise_is_told_with_its_seconds() -> None:
    now, york = datetime(2026, 10, 30, tzinfo=UTC), ZoneInfo("America/New_York")
    with pytest.raises(TimeError, match="01:30:20 on 01 Nov 2026 happens twice"):
        parse_instant("2026-11-01 01:30:20", now, york, "--ends")
    with pytest.raises(TimeError, match=r"2026-11-25T20:00:20-05:00 or a name|2026-11-25T20:00:20-05:00, or"):
        parse_instant("2026-11-25 20:00:20 XYZ", now, york, "--ends")


def test_everything_that_tells_the_deadline_of_a_day_tells_its_seconds(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    change = open_phase(PhaseRequest("day", 1, ends="2026-11-25 20:00:20"), PostOptions(), day.session)
    told = [
        change.post.text,
        "\n".join(phase_lines(change)),
        deadline_line(ODD, now_of(day.session).setup, day.clock.now()),
        day.post("day-start").text,
        day.post("votecount").text,
        day.votecount(),
        status_text(status(day.session)),
        log(day.session).report().text(),
    ]
    assert [text for text in told if "20:00:20" not in text] == []
    assert "20:00:19" in told[0]  # the last second that counts
    moved = extend(PhaseRequest("day", 1, ends="2026-11-26 20:00:40"), PostOptions(), day.session)
    assert "The old deadline was Wed 25 Nov 2026, 20:00:20 UTC" in moved.post.text
    assert "20:00:20" in day.post("note").text
    with pytest.raises(InputError, match="current deadline, Thu 26 Nov 2026, 20:00:40 UTC"):
        extend(PhaseRequest("day", 1, ends="2026-11-26 20:00"), PostOptions(), day.session)
    with pytest.raises(DecisionNeeded, match="20:00:40 UTC"):
        day.look()


def test_what_is_late_by_seconds_is_told_with_them(tmp_path: Path) -> None:
    game = begun(tmp_path, "kings_court")
    request = PhaseRequest("vote", ends="2026-11-21 20:00:20", shorten=True)
    extend(request, PostOptions(), game.session)
    assert "until 21 Nov 20:00:20 UTC" in missing_text(missing(game.session))
    assert any("until 21 Nov 20:00:20 UTC" in one for one in look("vote", game.session).doubts)
    game.clock.sleep((datetime(2026, 11, 21, 20, 0, 40, tzinfo=UTC) - game.clock.now()).total_seconds())
    with pytest.raises(DecisionNeeded) as late:
        submit(NAMES[0], f"VOTE: {NAMES[1]}", "plain", game.session)
    assert "ended at 21 Nov 20:00:20 UTC" in str(late.value)
    assert "--at 2026-11-21 20:00:20+0000" in at_terminal(late.value).replace('"', "")
