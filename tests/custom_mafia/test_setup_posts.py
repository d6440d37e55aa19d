"""Setups as moderators post them: many compositions in many styles, and posts in the manner of real ones."""

from __future__ import annotations

import json
import time
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


@pytest.mark.long
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
    assert len(EXPECTED) >= 80
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


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("1-2: Goon\n3: Cop\n4-9: VT", {"Mafia Goon": 2, "Town Cop": 1, "Vanilla Townie": 6}),
        ("1-3: Goon\n4: Cop", {"Mafia Goon": 3, "Town Cop": 1}),
        ("1: Goon\n2: Cop\n3: VT\n4: VT", {"Mafia Goon": 1, "Town Cop": 1, "Vanilla Townie": 2}),
        # These count their cards: they do not go on from one, or are too few to be a list.
        ("2: Goons\n1: Cop\n6: VT", {"Mafia Goon": 2, "Town Cop": 1, "Vanilla Townie": 6}),
        ("1: Cop\n2: Goons\n6: VT", {"Mafia Goon": 2, "Town Cop": 1, "Vanilla Townie": 6}),
    ],
)
def test_numbers_of_slots_are_told_from_numbers_of_cards(text: str, meant: dict[str, int]) -> None:
    cards = Counter[str]()
    for row in read_setup(text).cards:
        cards[row.roles[0].name] += row.count or 0
    assert cards == meant


ASKED = (
    ("0-1 Doctor\n2 Goons\nrest VT", "How many are 0 to 1"),
    ("X-Shot Cop\nGoon\nrest VT", "How many shots"),
    ("1d3 Goons, 7 VT", "who are all the others"),
    ("This is JK9++", "no open setup “JK9++”"),
    ("Setup: Matrix6\n2 Goons\n1 Cop\n6 VT", "Matrix6 is a known setup"),
    ("Town (8):\n1 Cop\n6 VT\n\nMafia (2):\n2 Goons", "The heading says 8"),
    ("A game for 10 players.\n\n2 Goons\n1 Cop\n6 VT", "The post says 10 players"),
    ("| Role | Count |\n|--|--|\n| Goon | 2 |\n| VT | 6 |\n| Total | 9 |", "The post says 9 players"),
    ("2 Goons\nNot in this game: Cop, Doctor\n7 VT", "Are they in the game?"),
    ("Possible roles:\nCop\nDoctor\n\nSetup:\n2 Goons\n6 VT", "Is this a card of the setup?"),
    ("Rules:\n2 Goons\nBe nice to each other.\n\n3 Goons\n6 VT", "Below “Rules”"),
    ("2 Goons\n~~Cop~~\n7 VT", "struck out"),
    ("2 Goons\n[s]Cop[/s]\n7 VT", "struck out"),
    ("2 Goons\n6 VT\nMafia Goon: You may kill a player each night.", "named again"),
    ("2 Goons, 6 VT\n2 Goons must be alive for the kill.", "This sentence speaks of cards"),
    ("The town has 1 Cop. There are 10 town and 3 mafia in all.", "This sentence speaks of cards"),
    ("1 | Town Cop\n2 | Mafia Goon\n3 | Vanilla Townie", "or do they only number the lines?"),
    (
        "A | B\nTown Cop | Mafia Goon\nTown Doctor | Mafia Rolecop\n\n1 Goon\n5 VT",
        "nothing says what is dealt",
    ),
    ("A: 2 Goons, 2 VT\nB: 1 Goon, 3 VT", "Several lines are each a whole setup"),
    ("Mafia x2\nCop\nVT x6", "only a side"),
    ("Cop\n\nVanilla\nVT x6\n\nGoon x2", "one more, or a heading"),
    ("Goon: 2 people\nCop\nVT x6", "Is that how many there are"),
    ("[color=red]Goon[/color] x2\n[color=#f00]Tracker[/color]\n6 VT", "marked red, and no side"),
    ("🔴 Goon x2\n🔴 2 Rolecops\n6 VT", "marked red, and no side"),
    ("2 Goons\nOne of us picks: Cop, Doctor\n6 VT", "Are they in the game?"),
    ("Cop - sane, Traker\n2 Goons\n6 VT", "no role “Traker”"),
)
"""What is not sure, and what is asked."""


@pytest.mark.parametrize(("text", "told"), ASKED, ids=[text[:24] for text, _ in ASKED])
def test_what_is_not_sure_is_asked_and_every_choice_settles_it(text: str, told: str) -> None:
    reading = read_setup(text)
    assert any(told in row.doubt for row in reading.doubts)
    with pytest.raises(InputError):
        reading.table("Custom")
    for place, row in enumerate(reading.rows):
        for choice in row.choices if row.doubt else ():
            assert len(read_setup(reading.mended(place, choice)).doubts) < len(reading.doubts)


def test_numbers_that_are_drawn_are_dealt_with_their_odds() -> None:
    table = read_setup("2d2 Goons\nCop\nrest VT").table("Tides")
    assert [(row["roles"].count("Mafia Goon"), row.get("weight", 1)) for row in table["row"]] == [
        (2, 1),
        (3, 2),
        (4, 1),
    ]
    assert {len(row["roles"]) for row in table["row"]} == {4}


def test_setups_of_which_one_is_rolled_are_rows() -> None:
    text = "One of these is rolled:\nA: 2 Goons, 1 Cop, 4 VT\nB: 1 Goon, 1 Mafia RB, 1 Doc, 4 VT"
    assert [row["roles"][:3] for row in read_setup(text).table("Quay")["row"]] == [
        ["Mafia Goon", "Mafia Goon", "Town Cop"],
        ["Mafia Goon", "Mafia Roleblocker", "Town Doctor"],
    ]


def test_a_role_without_a_side_that_the_mafia_often_has_is_told() -> None:
    [row] = read_setup("1 Roleblocker").cards
    assert (row.name, row.remark) == ("Town Roleblocker", "No side is written, so it is taken for town.")
    assert row.choices == ("Mafia Roleblocker",)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "text", ["[[" * 20_000 + "'''a" * 9000, "| a | b |\n" * 2000, "[b][table][tr]" * 3000]
)
def test_markup_without_an_end_is_soon_read(text: str) -> None:
    before = time.process_time()
    read_setup(text)
    assert time.process_time() - before < 6


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        (
            "The game has 3 Goons and 1 Serial Killer against 1 Cop and 8 Townies.",
            {"Mafia Goon": 3, "Serial Killer": 1, "Town Cop": 1, "Vanilla Townie": 8},
        ),
        (
            "Ten players. 7 Townies, one Doctor, 2 Mafiosi.",
            {"Vanilla Townie": 7, "Town Doctor": 1, "Mafia Goon": 2},
        ),
        (
            "2 Goons + 1 RB vs 1 RB + 7 VT",
            {"Mafia Goon": 2, "Mafia Roleblocker": 1, "Town Roleblocker": 1, "Vanilla Townie": 7},
        ),
        (
            "Setup (9p)\n✔ 6 × VT\n✔ 1 × Cop\n✔ 2 × Goon",
            {"Vanilla Townie": 6, "Town Cop": 1, "Mafia Goon": 2},
        ),
    ],
)
def test_nothing_of_a_sentence_or_of_two_sides_is_lost(text: str, cards: dict[str, int]) -> None:
    reading = read_setup(text)
    assert not reading.doubts
    assert {row.name: row.count for row in reading.cards} == cards
