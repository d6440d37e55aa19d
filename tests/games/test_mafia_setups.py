"""The setups of both games, for people and programs."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from knightfall.engine.json_text import as_object
from knightfall.engine.lookup import Answer
from knightfall.errors import InputError
from knightfall.services.games import ask


def setups(game: str, code: str | None = None, players: int | None = None) -> Answer:
    return ask(game, "setups", {"code": code, "players": players})


def walk(code: str) -> str:
    return setups("knight_errant", code).text()


def test_48_codes_whose_chances_are_one() -> None:
    found = json.loads(as_object(setups("knight-errant").to_dict()))["setups"]
    assert len({setup["code"] for setup in found}) == 48
    assert sum(Fraction(setup["probability"]) for setup in found) == 1
    assert all(len(setup["cells"]) == len(setup["power_roles"]) == 4 for setup in found)
    assert sum(setup["sk_abilities"].get("bulletproof") == 2 for setup in found) == 8
    assert sum(setup["sk_abilities"].get("roleblock") == 2 for setup in found) == 6
    assert all(setup["sk_abilities"]["strong_kill"] == 1 for setup in found)


def test_a_code_is_drawn_as_a_walk() -> None:
    drawn = walk("a1rd").splitlines()
    steps = [
        [column for column, cell in enumerate(line.split("|")) if f"[{n}]" in cell]
        for n in range(1, 5)
        for line in drawn
        if f"[{n}]" in line
    ]
    assert steps == [[2], [3], [4], [4]]
    assert "C2  Mafia Even-Night Watcher" in drawn
    assert drawn[-1] == "Serial Killer: commute, bulletproof, gunsmith, watch, strong kill"


@pytest.mark.parametrize("text", [setups("knight-errant").text(), walk("D4-UL"), setups("empowered").text()])
def test_tables_fit_80_columns(text: str) -> None:
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("players", "mafia", "others", "copies", "length"),
    [(5, 2, 1, 2, 16), (20, 4, 12, 2, 16), (24, 4, 16, 3, 24), (40, 8, 24, 4, 32)],
)
def test_the_numbers_of_empowered_mafia(
    players: int, mafia: int, others: int, copies: int, length: int
) -> None:
    (found,) = json.loads(as_object(setups("empowered", players=players).to_dict()))["numbers"]
    assert (found["mafia"], found["empowerers"], found["others"]) == (mafia, mafia, others)
    assert (found["copies"], found["list_length"]) == (copies, length)
    assert bool(found["warning"]) == (players == 5)


def test_what_cannot_be_listed_is_refused() -> None:
    with pytest.raises(InputError, match="4"):
        setups("empowered", players=4)
    with pytest.raises(InputError, match="A1-RD, A1-DR"):
        setups("knight-errant", "A1-UL")
    with pytest.raises(InputError, match="There are no setups for “chess”"):
        setups("chess")
