"""A setup as moderators write it in a post, line by line."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knightfall.errors import InputError
from knightfall.games.custom_mafia.catalog import CATALOG, Kind
from knightfall.games.custom_mafia.options import PLAYERS
from knightfall.games.custom_mafia.roles import PHRASES, Side, Vanilla, parse_role
from knightfall.games.custom_mafia.setup import parse_setup
from knightfall.games.custom_mafia.setup_lines import SetupRow
from knightfall.games.custom_mafia.setup_post import read_setup

READINGS: tuple[tuple[str, int | None, str], ...] = (
    # a number before the role
    ("2 Goons", 2, "Mafia Goon"),
    ("2 Mafia Goon", 2, "Mafia Goon"),
    ("3x VT", 3, "Vanilla Townie"),
    ("3 x VTs", 3, "Vanilla Townie"),
    ("x2 Cop", 2, "Town Cop"),
    ("(2) Goons", 2, "Mafia Goon"),
    ("2: Goons", 2, "Mafia Goon"),
    ("two Masons", 2, "Town Mason"),
    ("a Cop", 1, "Town Cop"),
    ("one Town Cop", 1, "Town Cop"),
    ("12 Vanilla Townies", 12, "Vanilla Townie"),
    # or behind it
    ("Goons x2", 2, "Mafia Goon"),
    ("Goon ×2", 2, "Mafia Goon"),
    ("Mason x 2", 2, "Town Mason"),
    ("Goons (2)", 2, "Mafia Goon"),
    ("Goons (x2)", 2, "Mafia Goon"),
    ("Mafia Goons: 2", 2, "Mafia Goon"),
    ("Goons – 2", 2, "Mafia Goon"),
    # shots are no number of cards
    ("2-Shot Doctor", 1, "Town 2-Shot Doctor"),
    ("2 Shot Doctor", 1, "Town 2-Shot Doctor"),
    ("one-shot vig", 1, "Town 1-Shot Vigilante"),
    ("1x 2-shot Cop", 1, "Town 2-Shot Cop"),
    ("2 1-shot Cops", 2, "Town 1-Shot Cop"),
    # short words, plurals, spellings
    ("RB", 1, "Town Roleblocker"),
    ("Mafia RB", 1, "Mafia Roleblocker"),
    ("Doc", 1, "Town Doctor"),
    ("Jail Keepers (3)", 3, "Town Jailkeeper"),
    ("2 Mafiosi", 2, "Mafia Goon"),
    ("2 Strongmen", 2, "Mafia Strongman"),
    ("2 Bodyguards", 2, "Town Bodyguard"),
    ("4 vanilla towns", 4, "Vanilla Townie"),
    ("Cop (town)", 1, "Town Cop"),
    ("Roleblocker (Mafia)", 1, "Mafia Roleblocker"),
    ("Third Party Serial Killer", 1, "Serial Killer"),
    ("Neutral Survivor", 1, "Survivor"),
    # marks of a list, and of markup
    ("- Town Cop", 1, "Town Cop"),
    ("* 2x Mafia Goon", 2, "Mafia Goon"),
    ("• Town Doctor", 1, "Town Doctor"),
    ("[*]2 Goons", 2, "Mafia Goon"),
    ("1. Town Cop", 1, "Town Cop"),
    ("2) Doc", 1, "Town Doctor"),
    ("[b]Town Cop[/b]", 1, "Town Cop"),
    ("**2 Goons**", 2, "Mafia Goon"),
    # who all the others are
    ("rest Vanilla", None, "Vanilla Townie"),
    ("rest VT", None, "Vanilla Townie"),
    ("Rest: Vanilla Townies", None, "Vanilla Townie"),
    ("the rest are Vanilla Townies", None, "Vanilla Townie"),
    ("everyone else: Vanilla Townie", None, "Vanilla Townie"),
    ("Everybody else is Vanilla Townie.", None, "Vanilla Townie"),
    ("all others Townies", None, "Vanilla Townie"),
    ("remaining players: VT", None, "Vanilla Townie"),
    ("VT (rest)", None, "Vanilla Townie"),
    ("Vanilla Townies for everyone else", None, "Vanilla Townie"),
    ("rest Jester", None, "Jester"),
)


def only(text: str) -> SetupRow:
    [row] = read_setup(text).rows
    return row


@pytest.mark.parametrize(("line", "count", "role"), READINGS, ids=[line for line, _, _ in READINGS])
def test_a_line_is_read_as_it_is_meant(line: str, count: int | None, role: str) -> None:
    row = only(line)
    assert (row.doubt, row.count, [one.name for one in row.roles]) == ("", count, [role])
    assert row.sentence


DOUBTS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("2 Mafia Gon", "There is no role “Gon”; the nearest is Goon.", ("2 Mafia Goon",)),
    ("Town Copp", "There is no role “Copp”; the nearest is Cop.", ("Town Cop",)),
    ("rest Goonz", "There is no role “Goonz”; the nearest is Goon.", ("rest: Mafia Goon",)),
    ("Zookeeper", "There is no role “Zookeeper”. Choose one from the list of roles.", ()),
    ("the rest", "What are all the others?", ("rest: Vanilla Townie",)),
    ("99 Goons", "99 is no number of players: write one from 1 to 60.", ()),
    ("Vanilla Doctor", "A vanilla player has no ability, but a Doctor has one: write one of them.", ()),
    (
        "2 of {Doctor, Tracker}",
        "May the same role be drawn twice?",
        (
            "2 of {Town Doctor, Town Tracker} without repeats",
            "2 of {Town Doctor, Town Tracker} with repeats",
        ),
    ),
    ("3 of Cop, Doctor without repeats", "3 different ones cannot be drawn from 2.", ()),
)


@pytest.mark.parametrize(("line", "doubt", "choices"), DOUBTS, ids=[line for line, _, _ in DOUBTS])
def test_what_is_not_sure_is_a_doubt_with_what_may_be_meant(
    line: str, doubt: str, choices: tuple[str, ...]
) -> None:
    reading = read_setup(line)
    [row] = reading.rows
    assert (row.doubt, row.choices, row.roles) == (doubt, choices, ())
    with pytest.raises(InputError, match=r"“.*”: "):
        reading.table("Mine")
    # Every choice is understood in its place.
    for one in choices:
        assert not read_setup(reading.mended(0, one)).doubts


def test_a_plural_without_a_number_is_one_and_says_so() -> None:
    row = only("Goons")
    assert (row.count, row.doubt, row.roles[0].name) == (1, "", "Mafia Goon")
    assert row.remark == "How many? No number stands there, so it is one."
    assert row.choices == ("2 Mafia Goon", "3 Mafia Goon", "rest: Mafia Goon")


def test_what_a_role_does_behind_it_is_left_out_and_that_is_told() -> None:
    row = only("Town Cop – investigates one player each night")
    assert row.roles[0].name == "Town Cop"
    assert row.remark == "Not read: “investigates one player each night”."


def names(text: str) -> list[tuple[int | None, str]]:
    return [(row.count, row.name) for row in read_setup(text).cards]


def test_commas_part_the_cards_of_a_line() -> None:
    line = "7 Vanilla Townies, 1 Cop, 2 of {Doctor, Jailkeeper, Tracker} without repeats, 2 Goons and 1 RB"
    found = read_setup("7 VT, 1 Cop, 2 Goons; Doc")
    assert [(row.count, row.name) for row in found.rows] == [
        (7, "Vanilla Townie"), (1, "Town Cop"), (2, "Mafia Goon"), (1, "Town Doctor"),
    ]  # fmt: skip
    drawn = read_setup(line).rows[2]
    assert (drawn.pick, drawn.count, len(drawn.roles)) == (True, 2, 3)


def test_a_heading_is_the_side_of_what_stands_below_it_or_behind_it() -> None:
    text = "Setup:\nMafia (3):\n2 Goons\nRB\n\n[b]Town:[/b]\nRB\n2 VT\nThird Party:\nJester"
    assert names(text) == [
        (2, "Mafia Goon"), (1, "Mafia Roleblocker"), (1, "Town Roleblocker"), (2, "Vanilla Townie"),
        (1, "Jester"),
    ]  # fmt: skip
    assert names("Mafia: 2 Goons, 1 Roleblocker\nRoleblocker") == [
        (2, "Mafia Goon"), (1, "Mafia Roleblocker"), (1, "Town Roleblocker"),
    ]  # fmt: skip
    assert [row.remark for row in read_setup(text).rows if not row.roles][:2] == [
        "A heading, no card.", "A heading: what follows is Mafia.",
    ]  # fmt: skip


def test_a_role_below_a_side_that_it_cannot_have_is_asked_and_a_choice_settles_it() -> None:
    assert names("Mafia:\nGoon\nSerial Killer") == [(1, "Mafia Goon"), (1, "Serial Killer")]
    for text, offered in (
        ("Mafia:\n2 VTs", "Town Vanilla Townie"),
        ("Town:\n2 Goons", "Mafia Goon"),
        ("Mafia:\n2 Masons", "Town Mason"),
    ):
        reading = read_setup(text)
        assert reading.rows[1].doubt
        assert reading.rows[1].choices == (f"2 {offered}",)
        mended = read_setup(reading.mended(1, f"2 {offered}"))
        assert not mended.doubts


def test_one_of_several_is_drawn() -> None:
    for line in ("Cop or Doctor", "1 of {Cop, Doctor}", "1x Cop/Doctor", "one of: Cop, Doctor"):
        assert only(line).name == "one of Town Cop, Town Doctor", line
    again = only("2 of {Cop, Doctor} with repeats")
    assert again.slots == {"one_of": ["Town Cop", "Town Doctor"], "count": 2}


def test_whoever_is_left_is_a_townie_unless_a_line_says_otherwise() -> None:
    assert read_setup("2 Goons\nCop").table("Mine")["slots"] == [
        {"role": "Mafia Goon", "count": 2}, {"role": "Town Cop"}, {"role": "Vanilla Townie", "fill": True},
    ]  # fmt: skip
    assert read_setup("2 Goons\n5 VTs").rest is None
    assert read_setup("Goon\nrest: Town Mason").table("Mine")["slots"][-1] == {
        "role": "Town Mason",
        "fill": True,
    }


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Cop\nrest VT", "neither mafia nor a Serial Killer"),
        ("Goon\nrest VT\nrest Mason", "Two lines say what all the others are"),
        ("Mafia:\n", "has no roles"),
    ],
)
def test_what_cannot_be_dealt_is_said_in_words(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        read_setup(text).table("Mine")


def test_a_mended_line_changes_nothing_else() -> None:
    text = "# mine\n- 2 Goons, Town Copp, VT\nrest VT  "
    reading = read_setup(text)
    place = next(n for n, row in enumerate(reading.rows) if row.doubt)
    assert reading.mended(place, "Town Cop") == text.replace("Town Copp", "Town Cop")


WRITTEN = [
    " ".join(phrase)
    for phrase, word in PHRASES.items()
    if not isinstance(word, Side | Vanilla) and word in CATALOG and word.kind is not Kind.MODIFIER
]


@given(
    st.sampled_from(WRITTEN), st.integers(1, PLAYERS[-1]), st.sampled_from(["{} {}", "{}x {}", "{1} x{0}"])
)
def test_every_word_of_a_role_is_read_with_any_number(written: str, count: int, form: str) -> None:
    # A Ninja alone needs a kill, and a Strongman; those lean to the mafia.
    row = only(form.format(count, written))
    assert (row.count, [role.name for role in row.roles]) == (count, [parse_role(written).name])


@given(st.text(max_size=60))
def test_any_text_is_read_and_every_row_stands_where_it_says(text: str) -> None:
    reading = read_setup(text)
    for row in reading.rows:
        assert 0 <= row.start <= row.end <= len(reading.text)
        assert bool(row.roles) + bool(row.doubt) + bool(row.remark) >= 1 or not row.typed


def test_every_sure_setup_is_one_that_the_game_takes() -> None:
    lines = [line for line, count, role in READINGS if count is not None]
    table = read_setup("\n".join([*lines[:20], "rest VT"])).table("Mine")
    assert parse_setup(table).filled


@pytest.mark.parametrize(
    "text", ["Goon, " * 5000, "a" * 100_000, "Copp or " * 15 + "\n", "(" * 500, "Copp\n" * 5000, "x (" * 60]
)
def test_what_is_no_setup_at_all_is_soon_told(text: str) -> None:
    before = time.process_time()
    reading = read_setup(text)
    assert time.process_time() - before < 5
    assert reading.doubts
    assert len(reading.rows) <= 201


@pytest.mark.parametrize(
    ("line", "count", "role"),
    [
        ("Cop (even nights)", 1, "Town Even-Night Cop"),
        ("2 Cops (odd night)", 2, "Town Odd-Night Cop"),
        ("Doctor (1-shot)", 1, "Town 1-Shot Doctor"),
        ("Cop - even nights", 1, "Town Even-Night Cop"),
    ],
)
def test_a_modifier_behind_a_role_is_its_modifier(line: str, count: int, role: str) -> None:
    (row,) = read_setup(line).rows
    assert ([one.name for one in row.roles], row.count, row.doubt, row.remark) == ([role], count, "", "")


def test_few_words_in_brackets_that_are_no_modifier_are_asked_about() -> None:
    (row,) = read_setup("2 Cops (after lunch)").rows
    assert row.doubt.startswith("“after lunch” is no modifier of a role")
    assert (row.roles, row.choices) == ((), ("2 Town Cop",))


def test_each_of_several_roles_may_have_its_number() -> None:
    (row,) = read_setup("1 Jailkeeper or 1 Bodyguard").rows
    assert ([one.name for one in row.roles], row.count) == (["Town Jailkeeper", "Town Bodyguard"], 1)


def test_of_several_roles_the_one_that_is_misspelt_is_asked_about() -> None:
    (row,) = read_setup("1 Jailkeeper or 1 Bodygaurd").rows
    assert row.doubt == "There is no role “Bodygaurd”; the nearest is Bodyguard."
    assert row.choices == ("Jailkeeper or Town Bodyguard",)
    (mended,) = read_setup(row.choices[0]).rows
    assert [one.name for one in mended.roles] == ["Town Jailkeeper", "Town Bodyguard"]


def test_two_numbers_in_one_line_are_asked_about() -> None:
    (row,) = read_setup("2 Goons or 1 Godfather").rows
    assert row.doubt.startswith("Each line has one number")
