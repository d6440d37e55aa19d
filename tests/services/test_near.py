"""`knightfall near` lists what has to be looked at, once; a question about an unvote offers one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import Result

from command_line import CliRunner
from knightfall.cli import app

SAID = (
    ("Wren", "Players:<br>Ada<br>Boro<br>Cinder<br>Dusk<br><br>With 4 alive it takes 3 to eliminate."),
    ("Ada", "<b>Vote: Boro</b>"),
    ("Boro", "<blockquote><b>Vote: Boro</b></blockquote><b>Vote: No Lynch</b><br>VOTE: No Lynch, be safe"),
    ("Cinder", "<b>Vote: Boro</b>"),
    ("Dusk", "<b>Vote: Ada</b>"),
    ("Zed", "<b>vote</b>: Boro"),
    ("Ada", "<b>Vote: unvote</b>"),
    ("Cinder", "Somebody said:<br>[/b]##vote unvote[/b]"),
)  # fmt: skip


@pytest.fixture
def mill(tmp_path: Path) -> str:
    """A file of these posts."""
    file = tmp_path / "mill.jsonl"
    posts = [
        {"number": n, "id": str(n), "user": who, "content": body} for n, (who, body) in enumerate(SAID, 1)
    ]
    file.write_text("".join(json.dumps(post) + "\n" for post in posts), encoding="utf-8")
    return str(file)


def run(verb: str, *words: str) -> Result:
    return CliRunner().invoke(app, [verb, *words])


def test_quotes_of_votes_that_were_counted_where_they_stand_are_told_as_a_number(mill: str) -> None:
    told = run("near", mill).stdout
    assert "quoted" not in told
    assert "Quoted votes that were counted in the original post: 1." in told
    assert all(one["reason"] != "quoted" for one in json.loads(run("near", mill, "--json").stdout)["near"])


def test_a_text_is_listed_once_and_not_beside_a_vote_that_says_the_same(mill: str) -> None:
    near = json.loads(run("near", mill, "--json").stdout)["near"]
    assert [(one["post"], one["reason"]) for one in near] == [
        (6, "not_a_player"),
        (7, "question"),
        (8, "question"),
    ]


def test_where_an_unvote_is_meant_the_question_offers_one(mill: str) -> None:
    told = run("vc", mill)
    said = told.output + str(told.exception)
    assert "#7 Ada: “Vote: unvote” may be an unvote." in said
    assert "knightfall fix 7 --unvote --why" in said
    assert "fix 7 --to NAME" not in said
    assert "post = 7, unvote = true" in said
    questions = json.loads(run("vc", mill, "--json").stdout)["questions"]
    assert [(one["post"], one["unvote"]) for one in questions] == [(7, True), (8, True)]
    assert "may be an unvote" in run("near", mill).stdout
