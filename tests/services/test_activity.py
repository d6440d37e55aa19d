"""`knightfall activity`: posts a day, silence that counts, who is due a prod, and the public list of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from knightfall.cli import app
from knightfall.cli.format_count import activity_text
from knightfall.engine.prods import Prod
from knightfall.errors import IncompleteRead, KnightfallError
from knightfall.forums.base import Request, Response
from knightfall.services.count.activity import ActivityReport, activity, prods_post
from knightfall.services.count.votecount import count_votes, post_of
from knightfall.services.requests import CountRequest
from knightfall.services.session import Session, Store

FIXTURES = Path(__file__).parents[2] / "fixtures"
DEMO = [str(FIXTURES / "demo" / f"thread-p{number}.html") for number in (1, 2, 3)]
HEAD = 'schema = 1\n[game]\ntitle = "Salt Harbour"\ntimezone = "America/New_York"\nmoderators = ["Wren"]\n'
RULES = '[rules]\nprod_after = "48h"\nprod_grace = "1d"\nmax_prods = 3\n'
NAMES = ("Ada", "Boro", "Cinder")
MONDAY = datetime(2026, 11, 16, 17, tzinfo=UTC)  # noon in New York

Said = tuple[str, int | str | None]
"""Who posts, so many hours after the game began; None: no time; a text: that time as the board writes it."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path))
    yield tmp_path


@dataclass(frozen=True)
class Stopped:
    """A clock that stands, and a network that nobody may ask."""

    moment: datetime

    def now(self) -> datetime:
        return self.moment

    def elapsed(self) -> float:
        return 0.0

    def sleep(self, seconds: float) -> None: ...

    def get(self, request: Request) -> Response:
        raise AssertionError(request.url)

    follow = get


def no_store(thread: str) -> Store:
    raise AssertionError(thread)


def players(*names: str, more: Mapping[str, str] | None = None) -> str:
    return "".join(f'[[player]]\nname = "{name}"\n{(more or {}).get(name, "")}\n' for name in names)


def written(folder: Path, text: str, said: tuple[Said, ...]) -> CountRequest:
    """A game file, and the thread: the moderator opens with post 1, then each of `said` is a post."""
    game, lines = folder / "game.toml", folder / "posts.jsonl"
    game.write_text(text, encoding="utf-8")
    entries = [
        {
            "number": number,
            "id": str(100 + number),
            "user": author,
            "content": body(author),
            "time": stamp(at),
        }
        for number, (author, at) in enumerate((("Wren", 0), *said), start=1)
    ]
    lines.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    return CountRequest((str(lines),))


def body(author: str) -> str:
    return "<b>Day 2 has begun.</b>" if author == "Wren" else "hm"


def stamp(at: int | str | None) -> str:
    return after(at).isoformat() if isinstance(at, int) else at or ""


def after(hours: float) -> datetime:
    return MONDAY + timedelta(hours=hours)


def told(wanted: CountRequest, hours: float, *prods: Prod) -> ActivityReport:
    clock = Stopped(after(hours))
    return activity(wanted, Session(clock, clock, no_store, game=file_of(wanted)), prods=prods)


def file_of(wanted: CountRequest) -> Path:
    """The game file, which lies beside the posts."""
    return Path(wanted.words[0]).with_name("game.toml")


def states(found: ActivityReport) -> dict[str, tuple[str, float | None]]:
    """Player → state and hours of silence."""
    hour = timedelta(hours=1)
    return {
        row.name: (
            row.standing.state.value,
            None if row.standing.silent is None else row.standing.silent / hour,
        )
        for row in found.rows
    }


def run(wanted: CountRequest, *words: str) -> Result:
    return CliRunner().invoke(app, ["activity", *wanted.words, "--game", str(file_of(wanted)), *words])


TALK: tuple[Said, ...] = (("Ada", 1), ("Boro", 2), ("Ada", 30), ("Cinder", 40))


def test_posts_are_counted_by_day_and_the_silence_runs_from_the_last_one(tmp_path: Path) -> None:
    days = "[[day]]\nnumber = 1\nstart_post = 1\n[[day]]\nnumber = 2\nstart_post = 4\n"
    found = told(written(tmp_path, HEAD + RULES + players(*NAMES) + days, TALK), 50)
    assert found.days == (1, 2)
    assert [(row.name, row.posts, row.total, row.last and row.last.number) for row in found.rows] == [
        ("Ada", (1, 1), 2, 4),
        ("Boro", (1, 0), 1, 3),
        ("Cinder", (0, 1), 1, 5),
    ]
    assert states(found) == {"Ada": ("fine", 20), "Boro": ("due", 48), "Cinder": ("fine", 10)}


def test_who_never_posted_is_silent_since_the_first_day_began(tmp_path: Path) -> None:
    days = "[[day]]\nnumber = 1\nstart_post = 3\n"
    found = told(written(tmp_path, HEAD + RULES + players(*NAMES, "Elm") + days, TALK), 52)
    assert states(found)["Elm"] == ("due", 50)
    assert found.rows[0].posts == (1,)  # what Ada wrote before the game is not of the game


def test_a_newcomers_clock_runs_from_the_post_he_came_with(tmp_path: Path) -> None:
    came = 'replaces = [{ name = "Boro", from_post = 4 }]'
    text = HEAD + RULES + players("Ada", "Juniper", "Cinder", more={"Juniper": came})
    found = told(written(tmp_path, text, TALK), 60)
    juniper = found.rows[1]
    assert (juniper.name, juniper.total, juniper.last) == ("Juniper", 1, None)
    assert states(found)["Juniper"] == ("fine", 30)
    later = told(written(tmp_path, text, (*TALK, ("Juniper", 55), ("Boro", 56))), 60)
    assert (later.rows[1].total, states(later)["Juniper"]) == (2, ("fine", 5))


def test_the_dead_and_the_moderators_are_not_listed(tmp_path: Path) -> None:
    dead = 'left = { how = "killed", post = 4 }'
    wanted = written(tmp_path, HEAD + RULES + players(*NAMES, "Wren", more={"Boro": dead}), TALK)
    assert list(states(told(wanted, 50))) == ["Ada", "Cinder"]


@pytest.mark.parametrize(("weekends", "hours"), [("count", 96), ("skip", 48), (None, 96)])
def test_weekends_count_as_the_rule_says(tmp_path: Path, weekends: str | None, hours: int) -> None:
    rules = RULES + (f'weekends = "{weekends}"\n' if weekends else "")
    found = told(written(tmp_path, HEAD + rules + players(*NAMES), (("Ada", 72),)), 72 + 96)
    assert states(found)["Ada"] == ("due", hours)


def test_who_announced_an_absence_is_not_due_until_it_is_over(tmp_path: Path) -> None:
    away = "v_la = [{ from = 2026-11-17, to = 2026-11-18 }]"
    wanted = written(tmp_path, HEAD + RULES + players(*NAMES, more={"Boro": away}), TALK)
    assert states(told(wanted, 50))["Boro"] == ("absent", 10)  # from 14:00 to midnight, then away
    assert states(told(wanted, 62))["Boro"] == ("fine", 12)
    assert "absent until 18 Nov" in activity_text(told(wanted, 50))


def test_a_prod_that_was_sent_is_told_with_its_number(tmp_path: Path) -> None:
    wanted = written(tmp_path, HEAD + RULES + players(*NAMES), TALK)
    first, others = Prod("Boro", after(55)), (Prod("Boro", after(-9)), Prod("Boro", after(-8)))
    assert "prodded 1 of 3" in activity_text(told(wanted, 60, first))
    assert states(told(wanted, 80, first))["Boro"] == ("due", 78)
    assert "prods used up (3 of 3)" in activity_text(told(wanted, 80, first, *others))


def test_a_rough_time_is_marked_and_a_missing_one_makes_the_state_unknown(tmp_path: Path) -> None:
    said: tuple[Said, ...] = (
        ("Ada", "Mon Nov 16, 2026 8:00 pm"),
        ("Boro", 1),
        ("Boro", None),
        ("Cinder", 40),
    )
    found = told(written(tmp_path, HEAD + RULES + players(*NAMES), said), 100)
    assert states(found)["Boro"] == ("unknown", None)
    lines = {line.split()[0]: line for line in activity_text(found).splitlines() if line}
    assert lines["Ada"].count("~") == 3
    assert "~" not in lines["Cinder"]
    assert lines["Boro"].split()[3:] == ["#4", "unknown", "unknown", "unknown:", "no", "time"]


def test_as_of_a_post_or_a_moment_it_is_that_moment(tmp_path: Path) -> None:
    wanted = written(tmp_path, HEAD + RULES + players(*NAMES), TALK)
    by_post = json.loads(run(wanted, "--json", "--at", "4").stdout)
    by_time = json.loads(run(wanted, "--json", "--at", "2026-11-17T18:00").stdout)
    assert by_post["slots"] == by_time["slots"]
    assert by_post["at"] == {"post": 4, "time": "2026-11-17T23:00:00Z"}
    assert [(s["slot"], s["silent_hours"], s["state"]) for s in by_post["slots"]] == [
        ("Cinder", 30.0, "fine"),
        ("Boro", 28.0, "fine"),
        ("Ada", 0.0, "fine"),
    ]


def test_a_post_that_may_have_been_in_time_leaves_its_author_unknown(tmp_path: Path) -> None:
    said: tuple[Said, ...] = (("Ada", 1), ("Boro", 2), ("Ada", None), ("Cinder", 40))
    wanted = written(tmp_path, HEAD + RULES + players(*NAMES), said)
    found = json.loads(run(wanted, "--json", "--at", "2026-11-17T12:00").stdout)
    assert {slot["slot"]: slot["state"] for slot in found["slots"]}["Ada"] == "unknown"


def test_as_of_a_post_without_a_time_nothing_is_known(tmp_path: Path) -> None:
    wanted = written(tmp_path, HEAD + RULES + players(*NAMES), (("Ada", 1), ("Boro", None)))
    result = run(wanted, "--at", "3", "--as", "plain")
    assert "To be prodded (0): nobody." in result.stdout
    assert "it is unclear if a prod is due: Ada, Boro, Cinder" in result.stderr


def test_the_table_has_who_is_due_first_then_who_is_silent_longest(tmp_path: Path) -> None:
    said = (("Ada", 1), ("Boro", 2), ("Cinder", 30), ("Dusk_77", 40))
    away = "v_la = [{ from = 2026-11-18, to = 2026-11-20 }]"
    text = HEAD + RULES + players(*NAMES, "Dusk_77", more={"Ada": away})
    table = activity_text(told(written(tmp_path, text, said), 51)).splitlines()
    assert table[0] == "Activity up to post 5, Wed 18 Nov 2026, 15:00 EST (America/New_York)."
    assert [line.split()[0] for line in table[-4:]] == ["Boro", "Ada", "Cinder", "Dusk_77"]
    assert table[-4].endswith("49h  due since 18 Nov 14:00")


def test_the_table_is_never_wider_than_80_columns(tmp_path: Path) -> None:
    names = ("Kestrel_of_the_Northern_Marches", "Moth", "Lumen")
    said = tuple((name, 25 * day + n) for day in range(9) for n, name in enumerate((*names, "Wren")))
    days = "".join(f"[[day]]\nnumber = {day + 1}\nstart_post = {1 + 4 * day}\n" for day in range(9))
    found = told(written(tmp_path, HEAD + RULES + players(*names) + days, said), 400)
    text = activity_text(found)
    assert max(map(len, text.splitlines())) <= 80
    assert "D1–" in text
    assert [row.posts for row in found.rows] == [(1,) * 9] * 3


def test_the_public_post_tells_names_in_list_order_and_no_reasons(tmp_path: Path) -> None:
    odd = ("Fen [b]x[/b]", "Boro")
    said = (("Boro", 1), ("Ada", 90))
    found = told(written(tmp_path, HEAD + RULES + players("Ada", *odd), said), 100)
    clock = Stopped(after(100))
    session = Session(clock, clock, no_store)
    assert prods_post(found, "plain", session) == "Prods\nTo be prodded (2): Fen [b]x[/b], Boro."
    assert "[b]x[/b]" not in prods_post(found, "phpbb", session)


def test_without_a_rule_nobody_is_marked_and_one_line_says_so(tmp_path: Path) -> None:
    wanted = written(tmp_path, HEAD + players(*NAMES), TALK)
    text = activity_text(told(wanted, 900))
    assert "No prod rule is set, so nobody is due a prod. To set one: put prod_after" in text.replace(
        "\n", " "
    )
    assert "due since" not in text
    assert json.loads(run(wanted, "--json", "--at", "5").stdout)["rule"] is None
    refused = run(wanted, "--as", "plain")
    assert isinstance(refused.exception, KnightfallError)
    assert "There is no list of prods" in str(refused.exception)


def test_days_that_do_not_count_need_the_games_zone(tmp_path: Path) -> None:
    text = 'schema = 1\n[rules]\nprod_after = "48h"\nweekends = "skip"\n' + players(*NAMES)
    result = run(written(tmp_path, text, TALK))
    assert isinstance(result.exception, KnightfallError)
    assert 'write timezone = "America/New_York" under [game]' in str(result.exception)


def test_saved_posts_that_end_before_now_are_told_to_be_so(tmp_path: Path) -> None:
    wanted = written(tmp_path, HEAD + RULES + players(*NAMES), TALK)
    assert "as of that post: --at 5" in run(wanted).stderr
    assert "To see the silence as of that post" not in run(wanted, "--at", "5").stderr


def test_the_demo_pages_need_no_game_file() -> None:
    result = CliRunner().invoke(app, ["activity", "--from-html", *DEMO, "--at", "58", "--json"])
    found: dict[str, Any] = json.loads(result.stdout)
    assert len(found["slots"]) == 13
    assert found["slots"][0]["slot"] == "Juniper"
    assert "Players: the 13 whom the moderator lists in post #48." in found["assumed"]


@pytest.mark.parametrize("at", ["teatime", "99", "2020-01-01T00:00:00Z", "2026-11-01T01:30"])
def test_a_bad_moment_is_told_with_exit_2(tmp_path: Path, at: str) -> None:
    result = run(written(tmp_path, HEAD + RULES + players(*NAMES), TALK), "--at", at)
    assert isinstance(result.exception, KnightfallError)
    assert result.exception.exit_status == 2


def test_a_thread_with_a_gap_tells_no_activity() -> None:
    result = CliRunner().invoke(app, ["activity", "--from-html", DEMO[0], DEMO[2]])
    assert isinstance(result.exception, IncompleteRead)
    assert result.stdout == ""


def test_the_votecount_names_who_is_due_a_prod(tmp_path: Path) -> None:
    wanted = written(tmp_path, HEAD + RULES + players(*NAMES), (("Ada", 1), ("Boro", 60), ("Cinder", 61)))
    clock = Stopped(MONDAY + timedelta(hours=70))
    session = Session(clock, Stopped(MONDAY), no_store, game=file_of(wanted))
    post = post_of(count_votes(wanted, session), wanted, session)
    assert "To be prodded (1): Ada." in post.parts[0]
