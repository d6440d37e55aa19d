"""Setups as moderators post them: many compositions in many styles, and posts in the manner of real ones."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import knightfall as kf
from knightfall.errors import InputError
from knightfall.games.custom_mafia.setup_post import read_setup
from knightfall.games.custom_mafia.setup_reading import SetupReading
from setup_styles import STYLES, Composition, composition_of, compositions, plain_form

POSTS = Path(__file__).parents[2] / "fixtures" / "setup_posts"
EXPECTED: dict[str, Any] = json.loads((POSTS / "expected.json").read_text(encoding="utf-8"))
LEAST_READ = 0.95
"""So many of all are read without a correction; none is wrong in silence."""


def outcome(text: str, meant: Composition) -> str:
    """`read` as it was meant, `asked` about, or `wrong`."""
    reading = read_setup(text)
    try:
        found = composition_of(reading.table("Custom"))
    except InputError:
        return "asked"
    said, wanted = plain_form(found), plain_form(meant)
    return "read" if said == wanted or _filled(reading, meant) else "wrong"


def _filled(reading: SetupReading, meant: Composition) -> bool:
    """Whether what differs is only that the others, who are not told, are Vanilla Townies."""
    if reading.rest is None:
        return False
    more = (None, (reading.rest.name,), False)
    whole = Composition(meant.name, (*meant.parts, more), meant.rows, meant.columns)
    return plain_form(composition_of(reading.table("Custom"))) == plain_form(whole)


def test_sixty_compositions_in_every_style_are_read_or_asked_about() -> None:
    assert len(compositions()) == 60
    assert len(STYLES) >= 12
    found = {
        (one.name, style.__name__): outcome(style(one), one) for one in compositions() for style in STYLES
    }
    counted = Counter(found.values())
    assert not [key for key, value in found.items() if value == "wrong"]
    assert counted["read"] >= LEAST_READ * len(found), counted


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_no_post_is_read_wrongly(name: str) -> None:
    text = (POSTS / f"{name}.txt").read_text(encoding="utf-8")
    wanted = EXPECTED[name]
    assert outcome(text, composition_of(wanted["table"])) == wanted.get("outcome", "read")


def test_most_posts_are_read_without_a_correction() -> None:
    assert len(EXPECTED) >= 40
    assert {path.stem for path in POSTS.glob("*.txt")} == set(EXPECTED)
    read = sum(one.get("outcome", "read") == "read" for one in EXPECTED.values())
    assert read >= LEAST_READ * len(EXPECTED)


def test_every_line_of_a_post_is_a_card_or_is_told() -> None:
    for name in EXPECTED:
        text = (POSTS / f"{name}.txt").read_text(encoding="utf-8")
        reading = read_setup(text)
        told = [False] * (len(text) + 1)
        for row in reading.rows:
            told[row.start : row.end] = [True] * (row.end - row.start)
        place = 0
        for line in text.split("\n"):
            here = told[place : place + len(line)]
            place += len(line) + 1
            words = [sign for sign, said in zip(line, here, strict=True) if sign.isalnum() and not said]
            assert any(here) or not words or line.lstrip().startswith(("#", "//", "[", "|", "{", "<", "!")), (
                name,
                line,
            )


def test_python_reads_a_post() -> None:
    reading = kf.parse_setup("Setup:\n2 Goons\nCop\nrest VT")
    assert [row.name for row in reading.cards] == ["Mafia Goon", "Town Cop", "Vanilla Townie"]
    assert reading.table("Mine")["name"] == "Mine"
