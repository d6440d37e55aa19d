"""What a game file says against itself or its thread. Every name and post here is invented."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fetch.loopback import serving
from fetch.threads import Forum
from knightfall.cli import app
from knightfall.config.contradictions import contradictions
from knightfall.config.game_file import parse_setup
from knightfall.models import Post, PostId, Thread

HEAD = 'schema = 1\n[game]\ntimezone = "UTC"\nmoderators = ["Wren"]\n'
FINE = """
[[player]]
name = "Ada"
aliases = ["Addy"]
replaces = [{ name = "Lumen", from_post = 40 }, { name = "Ada", from_post = 20 }]
left = { how = "killed", post = 60 }
[[player]]
name = "Boro"
[[day]]
number = 1
start_post = 1
end_post = 58
ends = 2026-11-22T20:00:00
resets = [30]
[[day]]
number = 2
start_post = 60
ends = 2026-11-25T20:00:00
[[fix]]
post = 9
to = "Boro"
why = "asked"
"""
MOON = datetime(2026, 11, 20, 20, tzinfo=UTC)


def told(text: str, thread: Thread | None = None) -> list[str]:
    return list(contradictions(parse_setup(HEAD + text), thread))


def thread(*said: tuple[int, str, str]) -> Thread:
    """Posts an hour apart by their numbers."""
    posts = (Post(PostId(str(n)), n, who, body, time=MOON + timedelta(hours=n)) for n, who, body in said)
    return Thread("phpbb", "Tin Valley", tuple(posts))


def test_a_file_that_agrees_with_itself_has_none() -> None:
    assert told(FINE) == []


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('name = "Boro"', 'name = "Wren"', "Wren is in moderators and in the player list"),
        ('["Addy"]', '["boro"]', "“boro” is an alias of Ada and the name of Boro"),
        ('name = "Boro"', 'name = "Boro"\naliases = ["addy"]', "alias of Boro and an alias of Ada"),
        ("from_post = 40", "from_post = 70", "Ada left at post 60, but Ada takes over at post 70"),
        ("from_post = 40", "from_post = 20", "Ada both hold the slot of Ada from post 20 on"),
        ('to = "Boro"', 'to = "Moth"', "post 9 is for “Moth”, who is not in the player list."),
        ("end_post = 58", "end_post = 0", "Day 1 starts at post 1 and ends at post 0"),
        ("end_post = 58", "end_post = 61", "the days overlap"),
        ("start_post = 60", "start_post = 1", "The posts must rise with the days."),
        ("2026-11-25", "2026-11-21", "The deadline of day 2 is not after that of day 1."),
        ("resets = [30]", "resets = [59]", "Day 1 is reset at post 59, which is not in it."),
    ],
)  # fmt: skip
def test_a_contradiction_is_named_with_both_its_sides(before: str, after: str, said: str) -> None:
    assert before in FINE
    assert any(said in sentence for sentence in told(FINE.replace(before, after, 1)))


def test_a_deadline_before_its_day_is_found_in_the_thread() -> None:
    found = told(
        FINE.replace("ends = 2026-11-25T20:00:00", ""), thread((1, "Wren", "Day 1"), (60, "Wren", "Day 2"))
    )
    assert found == []
    early = told(FINE.replace("2026-11-22", "2026-11-20"), thread((1, "Wren", "Day 1")))
    assert [sentence[:48] for sentence in early] == ["The deadline of day 1 is before its first post ("]


def test_a_player_who_votes_after_their_death_is_named_with_the_posts() -> None:
    votes = [(n, "Ada", "<b>Vote: Boro</b>") for n in (61, 62, 63, 64)]
    assert told(FINE, thread(*votes)) == [
        "Ada left at post 60, but votes in #61, #62, #63 and 1 more. Is left right?"
    ]


@pytest.mark.parametrize(
    "said",
    [
        [(59, "Ada", "<b>Vote: Boro</b>"), (61, "Ada", "bye, all")],
        [(61, "Ada", "<blockquote><b>Vote: Boro</b></blockquote>")] * 2,
        [(61, "Boro", "<b>Vote: Ada</b>"), (62, "Boro", "<b>Unvote</b>")],
    ],
    ids=["alive", "quoted", "another"],
)
def test_else_nobody_votes_after_their_death(said: list[tuple[int, str, str]]) -> None:
    assert told(FINE, thread(*said)) == []


def test_one_vote_in_the_twilight_of_the_day_is_none() -> None:
    file = FINE.replace("post = 60 }", "post = 58 }")
    assert told(file, thread((59, "Ada", "<b>Vote: Boro</b>"))) == []
    assert told(file, thread((61, "Ada", "<b>Vote: Boro</b>"))) != []


def test_doctor_names_them_with_exit_status_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    board = Forum(
        [
            (100, "Wren", "Day 1"),
            (102, "Ada", "<strong>Vote: Boro</strong>"),
            (104, "Ada", "<strong>Unvote</strong>"),
        ]
    )
    with serving(board) as server:
        url = f"{server.root}viewtopic.php?t=5"
        players = '[[player]]\nname = "Ada"\nleft = { how = "killed", post = 1 }\n[[player]]\nname = "Boro"\n'
        (tmp_path / "game.toml").write_text(f'{HEAD}[[thread]]\nurl = "{url}"\n{players}', encoding="utf-8")
        runner = CliRunner()
        before = runner.invoke(app, ["doctor", "--game", str(tmp_path)])
        read = runner.invoke(app, ["read", "--game", str(tmp_path), "--allow-private-host"])
        after = runner.invoke(app, ["doctor", "--game", str(tmp_path)])
    assert read.exit_code == 0
    assert (before.exit_code, after.exit_code) == (0, 1)
    assert "Ada left at post 1, but votes in #2, #3." in " ".join(after.stdout.split())


def test_somebody_who_holds_two_slots_at_once_is_refused_by_name(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    twice = (
        '[[player]]\nname = "Ada"\n[[player]]\nname = "Boro"\nreplaces = [{ name = "Ada", from_post = 9 }]\n'
    )
    (tmp_path / "game.toml").write_text(HEAD + twice, encoding="utf-8")
    result = CliRunner().invoke(app, ["doctor", "--game", str(tmp_path)])
    assert result.exit_code != 0
    assert "“Ada” is in the player list twice" in " ".join(result.stdout.split())
