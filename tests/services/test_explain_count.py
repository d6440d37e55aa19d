"""`knightfall explain`: why a count stands as it does."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from knightfall.cli import app
from knightfall.errors import InputError
from knightfall.names import LAST_TIERS, TIERS
from knightfall.writeups.vote_words import RULES

FIXTURES = Path(__file__).parents[2] / "fixtures"
DEMO = [str(FIXTURES / "demo" / f"thread-p{number}.html") for number in (1, 2, 3)]


def run(what: str, *words: str) -> Result:
    return CliRunner().invoke(app, ["explain", what, "--from-html", *DEMO, *words])


def test_a_wagon_is_explained_vote_by_vote() -> None:
    lines = run("kestrel").stdout.splitlines()
    assert lines[0] == "Kestrel: 5 of 7 as of post 58"
    assert [line.split()[:2] for line in lines[3:8]] == [
        ["#17", "Cinder"],
        ["#24", "Lumen"],
        ["#27", "Iris"],
        ["#46", "Ada"],
        ["#53", "Hollis"],
    ]
    assert max(map(len, lines[:8])) <= 80


def test_a_vote_that_was_moved_later_is_explained_as_of_its_post() -> None:
    assert "Counts for Cinder" in run("#21").stdout


def test_what_was_not_counted_in_a_post_says_why() -> None:
    assert "Not counted (in a spoiler)" in run("13").stdout
    assert "Not counted (struck out)" in run("16").stdout


def test_a_program_gets_the_wagon_with_each_vote() -> None:
    told = json.loads(run("kestrel", "--json").stdout)
    assert list(told) == ["schema", "about", "at", "wagon", "versions"]
    wagon = told["wagon"]
    assert (told["about"], told["at"], wagon["target"], wagon["count"]) == ("kestrel", 58, "Kestrel", 5)
    assert [(vote["post"], vote["slot"]) for vote in wagon["voters"]][:2] == [(17, "Cinder"), (24, "Lumen")]
    assert all(vote["rule"] and vote["text"] and vote["weight"] == 1 for vote in wagon["voters"])


def test_a_program_gets_all_that_was_read_in_a_post() -> None:
    counted = json.loads(run("#21", "--json").stdout)
    assert [(vote["target"], vote["post"]) for vote in counted["counts"]] == [("Cinder", 21)]
    missed = json.loads(run("13", "--json").stdout)
    assert (missed["post"]["number"], missed["counts"]) == (13, [])
    assert "spoilered" in {one["reason"] for one in missed["not_counted"]}
    assert missed["questions"] == missed["versions"] == []


def test_a_player_without_votes_is_an_error_that_names_the_others() -> None:
    result = run("Juniper")
    assert isinstance(result.exception, InputError)
    assert "There are votes on Kestrel, Fen" in str(result.exception)


@pytest.mark.parametrize("rule", sorted({*(tier[0] for tier in TIERS), *(tier[0] for tier in LAST_TIERS)}))
def test_every_way_to_match_a_name_has_words(rule: str) -> None:
    assert rule in RULES
