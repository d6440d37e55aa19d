"""What the verbs balance and recount print, and what kf.balance gives."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import knightfall as kf
from command_line import run
from knightfall.errors import InputError

ROOT = Path(__file__).parents[2]
SETUPS = ROOT / "fixtures" / "setups"
PAGES = ROOT / "fixtures" / "demo"


def test_a_setup_is_told_with_shares_days_and_roles() -> None:
    told = run("balance", str(SETUPS / "vanilla.toml"), "--games", "2000", "--workers", "1").stdout
    assert told.startswith("Nine in Vanilla, 9 players: 2,000 games, policy random")
    for part in ("Town ", "Mafia ", "day 2", "A game lasts", "Vanilla Townie"):
        assert part in told
    assert max(map(len, told.splitlines())) <= 80


def test_the_json_has_the_sides_with_their_intervals() -> None:
    told = json.loads(run("balance", "empowered", "--players", "9", "--games", "500", "--json").stdout)
    assert set(told["sides"]) <= {"town", "mafia", "nobody"}
    for share in told["sides"].values():
        assert 0 <= share["low"] <= share["share"] <= share["high"] <= 1
    assert sum(one["share"] for one in told["by_day"]) == pytest.approx(1)
    assert told["players"] == 9


def test_two_setups_are_compared_with_the_interval_of_the_difference() -> None:
    nine, quay = str(SETUPS / "vanilla.toml"), str(SETUPS / "matrix.toml")
    told = run("balance", nine, "--compare", quay, "--games", "500").stdout
    assert "difference" in told
    assert " points (" in told
    asked = ("balance", nine, "--compare", nine, "--games", "500", "--json")
    same = json.loads(run(*asked).stdout)["differences"]
    assert {one["share"] for one in same.values()} == {0.0}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "Name a setup file (.toml) or a game"),
        (("--insane", "Bogus"), "Name a setup file (.toml) or a game"),
        (("nowhere",), "There is no game called"),
        (("empowered", "--within", "wide"), "expected a share such as 0.5%"),
        (("empowered", "--within", "2"), "expected a share such as 0.5%"),
        (("empowered", "--policy", "clever"), "There is no policy"),
        (("knight-errant", "--option", "setup=Z9-RD"), "setup"),
        (("empowered", "--players", "3"), "5 to 60"),
        (("empowered", "--scheduler", "tcp://127.0.0.1:9"), "Dask"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_sentence(words: tuple[str, ...], told: str) -> None:
    done = run("balance", *words, "--games", "20001")
    assert isinstance(done.exception, InputError)
    assert told in str(done.exception)


def test_the_library_gives_the_same_as_the_command() -> None:
    found = kf.balance(SETUPS / "vanilla.toml", games=700, seed=4, workers=1)
    told = json.loads(
        run("balance", str(SETUPS / "vanilla.toml"), "--games", "700", "--seed", "4", "--json").stdout
    )
    assert found.to_dict() == {key: value for key, value in told.items() if key != "schema"}
    assert found.sides["town"].low < 94 / 315 < found.sides["town"].high


def test_an_archive_is_counted_a_line_each_and_what_cannot_be_counted_says_so(tmp_path: Path) -> None:
    thread = kf.read_html([PAGES / f"thread-p{number}.html" for number in (1, 2, 3)])
    lines = [
        json.dumps({"number": post.number, "id": str(post.id), "user": post.author, "content": post.body})
        for post in thread.posts
    ]
    for name in ("east", "west"):
        (tmp_path / name).mkdir()
        text = "\n".join(lines).encode()
        (tmp_path / name / "posts.jsonl.gz").write_bytes(gzip.compress(text))
    (tmp_path / "west" / "votecounts.jsonl").write_text("{}\n", encoding="utf-8")
    (tmp_path / "broken.jsonl").write_text("no post\n", encoding="utf-8")
    rows = [json.loads(line) for line in run("recount", str(tmp_path), "--workers", "1").stdout.splitlines()]
    assert [row["thread"] for row in rows] == ["broken.jsonl", "east/posts.jsonl.gz", "west/posts.jsonl.gz"]
    assert rows[0]["error"].startswith("IncompleteRead")
    assert rows[1]["posts"] == len(thread.posts)
    assert rows[1]["wagons"]
    out = tmp_path / "counts.jsonl.txt"
    run("recount", str(tmp_path), "--workers", "2", "--out", str(out))
    assert [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()] == rows
    assert isinstance(run("recount", str(tmp_path / "nowhere")).exception, InputError)
