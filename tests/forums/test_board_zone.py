"""The zone of a board's times: told by the page, stated by the moderator, or unknown and asked about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from sqlite3 import Row, connect

import pytest
from typer.testing import CliRunner, Result

from fetch.loopback import Reply, serving
from knightfall.cli import app
from knightfall.errors import KnightfallError
from knightfall.forums.base import Response, Site
from knightfall.forums.dates import clock_told, needs_zone
from knightfall.forums.pages import read_chunk
from knightfall.forums.xenforo import XENFORO1
from knightfall.models import UNKNOWN_ZONE
from knightfall.storage.checksums import broken_seals

NOW = datetime.now(UTC).replace(second=0, microsecond=0)
DEADLINE = (NOW - timedelta(days=3)).replace(hour=1, minute=0)
PLAYERS = "".join(f'[[player]]\nname = "{name}"\n' for name in ("Ada", "Boro", "Cinder", "Elm", "Rook"))
SHOWN = "%m-%d-%Y, %I:%M %p"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    yield tmp_path


def board(ahead: timedelta, said: list[tuple[str, str, datetime]], clock: bool = True) -> Reply:
    """A MyBB page whose clocks are so far ahead of UTC; (author, body, instant) each."""
    boxes = "".join(
        f'<div class="post" id="post_{100 + n}"><div class="author_information"><span class="largetext">'
        f'<a href="member.php?action=profile&amp;uid={n}">{author}</a></span></div><div class="post_head">'
        f'<strong><a href="showthread.php?tid=5&amp;pid={100 + n}#pid{100 + n}">#{n}</a></strong>'
        f'<span class="post_date">{at + ahead:{SHOWN}}</span></div>'
        f'<div class="post_body" id="pid_{100 + n}">{body}</div></div>'
        for n, (author, body, at) in enumerate(said, start=1)
    )
    now = f"<strong>Current time:</strong> {datetime.now(UTC) + ahead:{SHOWN}}" if clock else ""
    return Reply(
        "<!DOCTYPE html><html><head><title>Quay</title><script>var MyBBEditor = null;</script></head><body>"
        f'<div class="navigation"><span class="active">Quay</span></div><div id="posts">{boxes}</div>'
        f'<div id="footer"><span id="current_time">{now}</span></div></body></html>'.encode()
    )


def day(late: timedelta = timedelta(hours=1)) -> list[tuple[str, str, datetime]]:
    """An opening, a vote well in time, and one so long after the deadline."""
    hours = timedelta(hours=1)
    return [
        ("Wren", "Day 1", DEADLINE - 50 * hours),
        ("Ada", "<strong>Vote: Boro</strong>", DEADLINE - 40 * hours),
        ("Cinder", "<strong>Vote: Boro</strong>", DEADLINE + late),
    ]


def game(folder: Path, url: str, zone: str = "") -> Path:
    stated = f'zone = "{zone}"\n' if zone else ""
    (folder / "game.toml").write_text(
        f'schema = 1\n[game]\ntimezone = "UTC"\nmoderators = ["Wren"]\n[[thread]]\nurl = "{url}"\n{stated}'
        f"{PLAYERS}[[day]]\nnumber = 1\nstart_post = 1\nends = {DEADLINE:%Y-%m-%dT%H:%M:%S}Z\n",
        encoding="utf-8",
    )
    return folder


def vc(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["vc", "--game", str(folder), "--allow-private-host", *words])


def status(result: Result) -> int:
    error = result.exception
    return error.exit_status if isinstance(error, KnightfallError) else result.exit_code


@pytest.mark.parametrize("ahead", [timedelta(hours=-5), timedelta(hours=9, minutes=30), timedelta(0)])
def test_a_vote_behind_the_deadline_is_late_by_the_boards_own_clock(home: Path, ahead: timedelta) -> None:
    with serving(lambda _path: board(ahead, day())) as server:
        result = vc(game(home, f"{server.root}showthread.php?tid=5"))
    assert status(result) == 0
    assert "after the deadline" in result.stderr
    assert "Boro (1" in result.stdout


def test_a_vote_in_time_is_not_late_because_the_board_is_ahead(home: Path) -> None:
    with serving(lambda _path: board(timedelta(hours=9), day(timedelta(hours=-2)))) as server:
        result = vc(game(home, f"{server.root}showthread.php?tid=5"))
    assert status(result) == 0
    assert "after the deadline" not in result.stderr


def test_where_nobody_knows_the_zone_a_vote_near_the_deadline_is_asked_about(home: Path) -> None:
    with serving(lambda _path: board(timedelta(hours=-5), day(), clock=False)) as server:
        result = vc(game(home, f"{server.root}showthread.php?tid=5"))
    assert status(result) == 3
    assert "Post 3 has a vote and shows" in str(result.exception)
    assert 'zone = "America/New_York"' in str(result.exception)
    assert "Boro" in result.stdout  # the count is printed all the same


def test_far_from_the_deadline_the_zone_does_not_matter(home: Path) -> None:
    with serving(lambda _path: board(timedelta(0), day(timedelta(days=2)), clock=False)) as server:
        result = vc(game(home, f"{server.root}showthread.php?tid=5"))
    assert status(result) == 0


def test_the_zone_that_the_moderator_states_holds_for_what_was_read_before_too(home: Path) -> None:
    with serving(lambda _path: board(timedelta(hours=-5), day(), clock=False)) as server:
        url = f"{server.root}showthread.php?tid=5"
        assert status(vc(game(home, url))) == 3
        asked = len(server.asked)
        kept = vc(game(home, url, "Etc/GMT+5"), "--stored")
        assert len(server.asked) == asked
        assert (status(kept), "after the deadline" in kept.stderr) == (0, True)
        again = vc(home)
        assert (status(again), "after the deadline" in again.stderr) == (0, True)
        # Taken back, it is not known any more.
        assert status(vc(game(home, url), "--stored")) == 3


def test_a_closing_waits_for_the_zone(home: Path) -> None:
    words = ["phase", "close", "--day", "1", "--stored", "--game", str(home)]
    with serving(lambda _path: board(timedelta(hours=-5), day(), clock=False)) as server:
        vc(game(home, f"{server.root}showthread.php?tid=5"))
    result = CliRunner().invoke(app, words, input="Boro\n")
    assert status(result) == 3
    assert "Day 1 stays open. Post 3" in str(result.exception)


def test_what_an_older_knightfall_kept_is_read_again_from_its_pages(home: Path) -> None:
    with serving(lambda _path: board(timedelta(hours=-5), day())) as server:
        vc(game(home, f"{server.root}showthread.php?tid=5"))
    with closing(connect(home / "game.db")) as raw:
        for table in ("threads", "posts"):
            raw.execute(f"ALTER TABLE {table} DROP COLUMN zone")
        for table in ("threads", "reads"):
            raw.execute(f"ALTER TABLE {table} DROP COLUMN seal")
        raw.execute(f"UPDATE posts SET time = time - {5 * 3600}")  # as read in UTC, without a word
        raw.execute("PRAGMA user_version = 5")
        raw.commit()
    result = vc(home, "--stored")
    assert (status(result), "after the deadline" in result.stderr) == (0, True)


def test_the_seals_hold_when_a_zone_is_stated(home: Path) -> None:
    with serving(lambda _path: board(timedelta(hours=-5), day(), clock=False)) as server:
        url = f"{server.root}showthread.php?tid=5"
        vc(game(home, url))
        vc(game(home, url, "Etc/GMT+5"), "--stored")
    with closing(connect(home / "game.db")) as raw:
        raw.row_factory = Row
        for table in ("pages", "posts"):
            assert [holds for _, holds in broken_seals(raw, table)] == [True] * (3 if table == "posts" else 1)


def test_a_summary_says_that_the_zone_is_unknown() -> None:
    with serving(lambda _path: board(timedelta(hours=-5), day(), clock=False)) as server:
        words = ["read", f"{server.root}showthread.php?tid=5", "--allow-private-host"]
        assert "in an unknown time zone" in CliRunner().invoke(app, words).stdout


def test_a_zone_that_is_none_is_refused_with_the_key(home: Path) -> None:
    result = vc(game(home, "https://pier.example/showthread.php?tid=5", "Nowhere"))
    assert status(result) == 2
    assert "thread.1.zone: found 'Nowhere', expected an IANA name" in str(result.exception)


EXACT = datetime(2026, 11, 21, 9, 21, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("shown", "hours", "order"),
    [
        ("Current time: 11-21-2026, 04:21 AM", -5, "mdy"),
        ("Current time: 21-11-2026, 22:21", 13, "dmy"),
        ("It is currently Sat Nov 21, 2026 7:06 pm", 9.75, "mdy"),
        ("Today, 09:21", 0, "mdy"),
    ],
)
def test_a_clock_tells_its_zone(shown: str, hours: float, order: str) -> None:
    found = clock_told(shown, EXACT, "mdy")
    assert found is not None
    assert (found[0].utcoffset(None), found[1]) == (timedelta(hours=hours), order)


@pytest.mark.parametrize(
    "shown", ["", "Current time: 11-19-2026, 04:21 AM", "Current time: 11-21-2026, 04:13 AM", "5 minutes ago"]
)
def test_a_clock_that_fits_no_zone_tells_none(shown: str) -> None:
    assert clock_told(shown, EXACT, "mdy") is None


def test_only_a_day_by_the_calendar_needs_a_zone() -> None:
    for stamp in ("Today, 14:51", "11-21-2026, 04:21 AM", "21 November 2026, 14:51"):
        assert needs_zone(stamp, EXACT), stamp
    assert not needs_zone("5 minutes ago", EXACT)
    assert not needs_zone("", EXACT)


def test_what_stands_in_a_post_is_never_the_boards_clock() -> None:
    said = [("Ada", "<strong>Current time:</strong> 11-21-2026, 04:21 AM", DEADLINE)]
    page = Response(
        "https://pier.example/showthread.php?tid=5",
        200,
        board(timedelta(0), said, clock=False).body.decode(),
        {"date": "Sat, 21 Nov 2026 09:21:30 GMT"},
    )
    assert read_chunk(page, "it", EXACT)[1].posts[0].zone == UNKNOWN_ZONE
    assert read_chunk(page, "it", EXACT, "Europe/Berlin")[1].posts[0].zone == "Europe/Berlin"


@pytest.mark.parametrize(
    ("today", "weekday", "hours"), [(1417651200, 4, 0), (1417669200, 4, -5), (1417606200, 4, 12.5)]
)
def test_xenforo_tells_its_scripts_when_the_viewers_day_began(today: int, weekday: int, hours: float) -> None:
    from knightfall.forums.html import parse_page

    script = f"serverTimeInfo:\n{{\nnow: 1417733660,\ntoday: {today},\ntodayDow: {weekday}\n}},"
    tree = parse_page(f"<html id='XenForo'><body><script>{script}</script></body></html>")
    zone = XENFORO1.zone(tree, Site())
    assert zone is not None and zone.utcoffset(None) == timedelta(hours=hours)
