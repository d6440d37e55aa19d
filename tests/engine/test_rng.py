"""Draws: keyed, unbiased, repeatable, scriptable."""

from __future__ import annotations

from collections import Counter

import pytest

from knightfall.engine.rng import ScriptedRng, SeededRng, commitment
from knightfall.errors import StateDamaged

NAMES = ("Ada", "Boro", "Cinder", "Elm")


def test_a_draw_depends_on_its_key_alone() -> None:
    first, second = SeededRng(b"seed"), SeededRng(b"seed")
    second.at("night", 1).choice("another", NAMES)
    assert first.at("night", 2).sample("order", NAMES, 4) == second.at("night", 2).sample("order", NAMES, 4)


def test_drawing_one_key_twice_is_an_error_unless_counted() -> None:
    draw = SeededRng(b"seed").at("night", 1)
    draw.choice("who", NAMES)
    draw.choice("who", NAMES, repeat=1)
    with pytest.raises(StateDamaged, match="who was drawn twice at night/1"):
        draw.at().choice("who", NAMES)


def test_path_and_label_cannot_run_into_each_other() -> None:
    draw = SeededRng(b"seed")
    values = [draw.at("a", "b").choices("c", range(1000), 3), draw.at("a").choices("b/c", range(1000), 3)]
    assert values[0] != values[1]


def test_every_option_is_equally_likely() -> None:
    draw = SeededRng(b"seed")
    counts = Counter(draw.choice("who", NAMES, repeat=i) for i in range(4000))
    assert all(900 < counts[name] < 1100 for name in NAMES)


def test_a_sample_has_no_option_twice_and_is_logged() -> None:
    draw = SeededRng(b"seed")
    sample = draw.at("deal").sample("cards", NAMES, 3)
    assert len(set(sample)) == 3
    assert draw.log[-1].value == sample
    assert draw.log[-1].key == (("deal",), "cards", 0)


def test_a_script_fixes_what_it_names_and_nothing_else() -> None:
    draw = ScriptedRng([("who", "Elm"), ("order", ["Boro", "Ada"])], SeededRng(b"seed"))
    free = draw.at("deal").choice("free", NAMES)
    assert free == SeededRng(b"seed").at("deal").choice("free", NAMES)
    assert draw.at("night", 1).choice("who", NAMES) == "Elm"
    assert draw.sample("order", NAMES, 2) == ("Boro", "Ada")
    assert draw.script == []


@pytest.mark.parametrize(
    ("script", "label", "complaint"),
    [
        ([("first", "Ada"), ("who", "Elm")], "who", "next scripted value is for first"),
        ([("who", "Wren")], "who", "not one of"),
        ([], "kd.card:R1", "no scripted value is left"),
    ],
)
def test_a_script_that_does_not_fit_is_an_error(
    script: list[tuple[str, object]], label: str, complaint: str
) -> None:
    draw = ScriptedRng(script, SeededRng(b"seed"), frozenset({"kd.card"}))
    with pytest.raises(StateDamaged, match=complaint):
        draw.choice(label, NAMES)


def test_a_scripted_sample_cannot_name_one_option_twice() -> None:
    with pytest.raises(StateDamaged, match="twice"):
        ScriptedRng([("order", ["Ada", "Ada"])], SeededRng(b"seed")).sample("order", NAMES, 2)


def test_a_short_salt_is_refused() -> None:
    assert len(commitment(b"seed", b"0123456789abcdef")) == 64
    with pytest.raises(ValueError, match="guessed"):
        commitment(b"seed", b"salt")
