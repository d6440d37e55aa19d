"""The odds of an attack in Knight's Duty."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from typer.testing import CliRunner

from knightfall.cli import app
from knightfall.engine.json_text import as_object
from knightfall.errors import InputError
from knightfall.games.knights_duty.lookups import odds


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["SWORD", "--shield", "--hill"],
            "sword, inspired, against a shield: 3 Hit 1 Miss 1 Shield, a hit 3/5 (60 %)",
        ),
        (["bow", "--shield"], "bow, against a shield: 3 Miss 1 Shield, a hit 0"),
        (["spear", "--parry"], "spear, against a parry: 2 Hit 2 Miss, a hit 1/2 (50 %), disarmed 1/2 (50 %)"),
        (["bow", "--parry"], "bow, against a parry: 1 Hit 3 Miss, a hit 1/4 (25 %)"),
        (
            ["bow", "--parry", "--edition", "r02"],
            "bow, against a parry: 1 Hit 3 Miss, a hit 1/4 (25 %), disarmed 3/4 (75 %)",
        ),
    ],
)
def test_the_verb_prints_pile_and_chance(arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(app, ["odds", *arguments])
    assert (result.exit_code, result.stdout.strip()) == (0, said)


def test_without_a_weapon_it_prints_all_and_json_has_the_same() -> None:
    rows = json.loads(as_object(odds(None).to_dict()))["odds"]
    assert len(rows) == 18
    for row in rows:
        pile = row["pile"]
        assert Fraction(row["hit"]) == Fraction(pile["Hit"], sum(pile.values()))
    assert len(odds(None).text().splitlines()) == 20
    assert len(json.loads(as_object(odds(None, shield=True, hill=True).to_dict()))["odds"]) == 3


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(InputError, match="never both"):
        odds("sword", shield=True, parry=True)
    with pytest.raises(InputError, match="sword, spear, bow"):
        odds("axe")
    with pytest.raises(InputError, match="current, r00, r02, r03"):
        odds("bow", edition="r01")
