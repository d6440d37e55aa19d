"""What the moderator answered once about a thread without a game file holds in every verb."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import Result

from command_line import CliRunner
from fetch.loopback import serving
from fetch.threads import Forum
from knightfall.cli import app
from knightfall.errors import InputError

SAID = [
    ("Wren", "Welcome to the mill."),
    ("Ada", "Good evening."),
    ("Boro", "<b>Vote: Gale</b>"),
    ("Cinder", "<b>Vote: Gale</b>"),
    ("Dusk", "Rain again."),
    ("Elm", "<b>Vote: Ada</b>"),
    ("Fen", "<b>Vote: Ada</b>"),
    ("Ada", "<b>Vote: Elm</b>"),
]
ANSWER = ("--day", "2", "--opened", "6", "--alive", "Ada, @Dusk, Elm, Fen, Hollis")


@pytest.fixture
def mill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a thread that opens no second day."""
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path))
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    with serving(Forum([(100 + n, who, body) for n, (who, body) in enumerate(SAID)])) as server:
        yield server.root + "viewtopic.php?t=5"


def run(verb: str, *words: str) -> Result:
    return CliRunner().invoke(app, [verb, *words, "--allow-private-host"])


def test_an_answer_is_asked_for_once_and_holds_in_every_verb(mill: str) -> None:
    before = run("vc", mill)
    assert "Votecount 1" in before.stdout
    assert "E-" not in before.stdout
    assert "More may play than have posted so far." in before.stderr
    told = run("vc", mill, *ANSWER)
    assert told.exit_code == 0, told.output
    assert "With 5 alive, it takes 3" in told.stdout
    again = run("vc", mill)
    assert again.stdout == told.stdout
    assert "Players: the 5 whom you named as alive; Hollis did not post yet." in again.stderr
    listed = run("roster", mill)
    assert "Hollis" in listed.stdout
    assert "Boro" not in listed.stdout
    drawn = run("plot", "wagons", mill, "--text").stdout
    assert "Elm" in drawn
    assert "Boro" not in drawn
    silent = run("activity", mill)
    assert "Hollis" in silent.stdout
    assert "Boro" not in silent.stdout
    assert "Ada: 2 of 3" in run("explain", "Ada", mill).stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (ANSWER[2:], "Say which day --opened and --alive are about: --day N"),
        (("--day", "2", "--opened", "noon"), "noon"),
        (("--house", "chaos"), "“chaos” is not a form of vote"),
    ],
)
def test_an_answer_that_cannot_be_kept_says_so(mill: str, words: tuple[str, ...], says: str) -> None:
    refused = run("vc", mill, *words)
    assert isinstance(refused.exception, InputError)
    assert says in str(refused.exception)


# ---- The rules of the house

QUARRY = [
    ("Wren", "Welcome to the quarry. Whoever has the most votes at the deadline is eliminated.<br><br>"
             "Players:<br>Ada<br>Boro<br>Cinder<br>Dusk<br>Elm"),
    ("Ada", "<b>Vote: Elm</b>"),
    ("Boro", "<b>Vote: Elm</b>"),
    ("Cinder", "<b>Vote: Elm</b>"),
    ("Dusk", "Stimme: Ada"),
]  # fmt: skip


@pytest.fixture
def quarry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a thread whose moderator states a rule."""
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path))
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    with serving(Forum([(100 + n, who, body) for n, (who, body) in enumerate(QUARRY)])) as server:
        yield server.root + "viewtopic.php?t=5"


def test_an_answer_about_the_house_is_kept_and_holds_in_every_verb(quarry: str) -> None:
    before = run("vc", quarry)
    assert "If it is otherwise: knightfall vc URL --house majority" in before.stderr
    assert "Elm (3)" in before.stdout.replace("[/b]", "")
    assert "HAMMER" not in before.stdout
    told = run("vc", quarry, "--house", "majority", "--house", "word:Stimme")
    assert told.exit_code == 0, told.output
    assert "HAMMER" in told.stdout
    assert run("vc", quarry).stdout == told.stdout
    assert "Elm: 3 of 3" in run("explain", "Elm", quarry).stdout


def test_an_answer_takes_the_place_of_an_earlier_one_of_its_kind_and_leaves_the_others(quarry: str) -> None:
    run("vc", quarry, "--house", "majority", "--house", "word:Stimme")
    told = run("vc", quarry, "--house", "plurality")
    assert "HAMMER" not in told.stdout
    assert "Ada (1)" in told.stdout
    back = run("vc", quarry, "--house", "no word:Stimme")
    assert "Ada (1)" not in back.stdout
    assert "HAMMER" not in back.stdout
    known = json.loads(run("vc", quarry, "--json").stdout)["known"]["rule"]
    assert (known["how"], known["readings"][0]["value"]) == ("known", "plurality")


def test_what_opened_a_day_stays_where_only_who_lived_is_answered_later(mill: str) -> None:
    run("vc", mill, "--day", "2", "--opened", "6")
    later = run("vc", mill, "--day", "2", "--alive", "Ada, Dusk, Elm, Fen, Hollis")
    assert "Day 2 starts at post #6." in later.stderr
    assert "With 5 alive, it takes 3" in later.stdout


# ---- Who is missing in a list

FERRY = [
    ("Wren", "Welcome to the ferry. 3 to eliminate. Players:<br>Ada<br>Boro<br>Cinder<br>Dusk<br>Fern Marie"),
    ("Ada", "<b>Vote: Boro</b>"),
    ("Wren", "Votecount 1<br>Boro (1): Ada<br>Not voting: Boro, Cinder"),
    ("Cinder", "<b>Vote: Boro</b>"),
]  # fmt: skip


def test_each_who_is_missing_is_answered_by_a_command_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path))
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    with serving(Forum([(100 + n, who, body) for n, (who, body) in enumerate(FERRY)])) as server:
        url = server.root + "viewtopic.php?t=5"
        before = run("vc", url)
        assert "Does Dusk live? knightfall vc URL --day 1 --alive +Dusk, or knightfall" in before.stderr
        assert 'Does Fern Marie live? knightfall vc URL --day 1 --alive +"Fern Marie"' in before.stderr
        for theme in ("area", "compact", "table", "ticks", "tilde", "history"):
            assert "Not voting" not in run("vc", url, "--theme", theme).stdout, theme
        assert "Who does not vote is not listed: it is not sure who is alive." in before.stderr
        assert json.loads(run("vc", url, "--json").stdout)["not_voting"] == ["Boro", "Dusk", "Fern Marie"]
        run("vc", url, "--day", "1", "--alive", "+@Dusk")
        told = run("vc", url, "--day", "1", "--alive", "-Fern Marie")
        assert told.exit_code == 0, told.output
        assert "With 4 alive, it takes 3" in told.stdout
        assert "You said that Dusk lives, and that Fern Marie does not." in run("vc", url).stderr
        assert "Not voting (2)" in told.stdout
        assert "is not listed" not in told.stderr


# ---- Posts without an address

NOT_KEPT = "What you answered holds for this count alone: posts from a file have no address to keep it with."


@pytest.fixture
def lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file of the posts of the quarry."""
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path))
    file = tmp_path / "quarry.jsonl"
    posts = [
        {"number": n, "id": str(n), "user": who, "content": body} for n, (who, body) in enumerate(QUARRY, 1)
    ]
    file.write_text("".join(json.dumps(post) + "\n" for post in posts), encoding="utf-8")
    return str(file)


def test_answers_about_a_file_hold_for_its_count_and_say_that_they_are_not_kept(lines: str) -> None:
    told = run("vc", lines, "--house", "both", "--day", "1", "--alive", "Ada, Boro, Cinder, Dusk, Elm, Fen")
    assert told.exit_code == 0, told.output
    assert "With 6 alive, it takes 4" in told.stdout
    assert NOT_KEPT in told.stderr
    after = run("vc", lines)
    assert "it takes 4" not in after.stdout
    assert NOT_KEPT not in after.stderr


def test_an_answer_beside_a_game_file_says_where_to_write_it(
    lines: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "game.toml").write_text("schema = 1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    refused = run("vc", lines, "--house", "both", "--game", str(tmp_path))
    assert isinstance(refused.exception, InputError)
    assert "--house is for threads without a game file" in str(refused.exception)
