"""`knightfall roster` and `knightfall roster suggest` from end to end. All names and posts are invented."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from knightfall.cli import app
from knightfall.errors import InputError

GAME = """schema = 1
[game]
timezone = "America/New_York"
moderators = ["Wren"]
[[player]]
name = "Ada"
aliases = ["the countess"]
[[player]]
name = "Boro"
replaces = [{ name = "Lumen", from_post = 5 }]
[[player]]
name = "Cinder"
[[player]]
name = "Kestrel"
[[player]]
name = "O'Moth; echo"
[[day]]
number = 1
start_post = 1
"""
BIRDIE = [
    ("Ada", "<b>Vote: Birdie</b>"),
    ("Boro", "<b>Vote: birdie</b>"),
    ("Cinder", "<b>Vote: Ada</b>"),
    ("Wren", "Kestrel (2): Ada, Boro<br>Ada (1): Cinder"),
]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    yield tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["roster", *words])


def posts(folder: Path, said: list[tuple[str, str]]) -> str:
    """A file of posts: the moderator opens, then (author, body) each."""
    path = folder / "posts.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number, (author, body) in enumerate([("Wren", "Welcome."), *said], start=1):
            entry = {"number": number, "id": str(100 + number), "user": author, "user_id": author}
            entry |= {"content": body, "time": "Fri Nov 20, 2026 8:00 pm"}
            file.write(json.dumps(entry) + "\n")
    return str(path)


def game(folder: Path, text: str = GAME) -> str:
    path = folder / "game.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_table_shows_holders_aliases_deaths_and_last_posts(tmp_path: Path) -> None:
    said = [("Lumen", "hello"), ("Ada", "hm"), ("Kestrel", "oh"), ("Boro", "I replace Lumen")]
    text = GAME.replace('"Kestrel"', '"Kestrel"\nleft = { post = 4, how = "killed" }')
    result = run(posts(tmp_path, said), "--game", game(tmp_path, text))
    rows = [line.split(maxsplit=1) for line in result.stdout.splitlines()]
    assert result.stdout.startswith("As of post 5: 4 of 5 alive.\n")
    assert [" ".join(row[1].split()) for row in rows[3:7]] == [
        "Ada the countess alive #3",
        "Boro Lumen alive #5",
        "Cinder alive",
        "Kestrel killed #4 #4",
    ]
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_as_of_an_earlier_post_the_slot_was_held_by_another(tmp_path: Path) -> None:
    said = [("Lumen", "hello"), ("Ada", "hm"), ("Cinder", "oh"), ("Boro", "I replace Lumen")]
    result = run(posts(tmp_path, said), "--game", game(tmp_path), "--at", "#4", "--json")
    found = json.loads(result.stdout)
    assert (found["schema"], found["at"]) == (1, 4)
    assert found["slots"][1] == {
        "number": 2,
        "player": "Lumen",
        "earlier": [],
        "aliases": [],
        "alive": True,
        "left": None,
        "last_post": 2,
    }


def test_without_a_game_file_what_was_assumed_is_told_beside_the_table(tmp_path: Path) -> None:
    result = run("--from-jsonl", posts(tmp_path, BIRDIE))
    assert "Cinder" in result.stdout
    assert "Moderator: Wren" in result.stderr


def test_long_names_stay_within_eighty_columns(tmp_path: Path) -> None:
    said = [(f"{name} of the Very Long Winter Evenings", "hm") for name in ("Ada", "Boro", "Elm")]
    aliased = f'schema = 1\n[game]\nmoderators = ["Wren"]\n[[player]]\nname = "{said[0][0]}"\naliases = ['
    aliased += ", ".join(f'"nickname number {n}"' for n in range(6)) + "]\n"
    result = run(posts(tmp_path, said), "--game", game(tmp_path, aliased))
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_a_nickname_is_proposed_with_evidence_and_the_command_that_accepts_it(tmp_path: Path) -> None:
    result = run("suggest", posts(tmp_path, BIRDIE), "--game", game(tmp_path))
    lines = result.stdout.splitlines()
    assert lines[0] == "Kestrel: “Birdie”, used 2 times by 2 people; fair."
    assert lines[1] == "  #2 Ada votes “Birdie”; the votecount in #5 counts it for Kestrel."
    command = shlex.split(lines[-1].removeprefix("To add it: "))
    assert command[:4] == ["knightfall", "alias", "Kestrel", "Birdie"]
    assert CliRunner().invoke(app, command[1:]).exit_code == 0
    assert (
        "No nicknames were found" in run("suggest", posts(tmp_path, BIRDIE), "--game", game(tmp_path)).stdout
    )


def test_nothing_is_applied_by_a_proposal(tmp_path: Path) -> None:
    run("suggest", posts(tmp_path, BIRDIE), "--game", game(tmp_path))
    listed = json.loads(run(posts(tmp_path, BIRDIE), "--game", game(tmp_path), "--json").stdout)
    assert [slot["aliases"] for slot in listed["slots"]] == [["the countess"], [], [], [], []]


def test_a_hostile_name_is_quoted_for_the_shell(tmp_path: Path) -> None:
    said = [(author, body.replace("Kestrel", "O'Moth; echo")) for author, body in BIRDIE]
    result = run("suggest", posts(tmp_path, said), "--game", game(tmp_path))
    command = shlex.split(result.stdout.splitlines()[-1].removeprefix("To add it: "))
    assert command[:4] == ["knightfall", "alias", "O'Moth; echo", "Birdie"]


def test_proposals_as_json_carry_every_use(tmp_path: Path) -> None:
    found = json.loads(run("suggest", posts(tmp_path, [*BIRDIE, ("Kestrel", "hm")]), "--json").stdout)
    proposal = found["proposals"][0]
    assert (proposal["slot"], proposal["alias"], proposal["times"], proposal["people"]) == (
        "Kestrel",
        "Birdie",
        2,
        2,
    )
    assert [use["post"] for use in proposal["evidence"]] == [2, 3]
    assert {use["votecount"] for use in proposal["evidence"]} == {5}


def test_before_the_count_there_is_nothing_to_learn_from(tmp_path: Path) -> None:
    result = run("suggest", posts(tmp_path, BIRDIE), "--game", game(tmp_path), "--at", "4")
    assert result.stdout == "No nicknames were found that are safe to add.\n"


def test_an_account_that_posts_is_pointed_out_as_a_possible_earlier_holder(tmp_path: Path) -> None:
    said = [("Birdie", "I leave this game"), *BIRDIE]
    assert (
        "add it to replaces instead" in run("suggest", posts(tmp_path, said), "--game", game(tmp_path)).stdout
    )


def test_a_post_that_is_not_there_is_an_error_of_ours(tmp_path: Path) -> None:
    result = run(posts(tmp_path, BIRDIE), "--at", "99")
    assert isinstance(result.exception, InputError)
