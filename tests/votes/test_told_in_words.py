"""Days, deaths and numbers as moderators tell them in words."""

from __future__ import annotations

import pytest

from knightfall.markup.html import parse_html
from knightfall.markup.html_style import PLAIN
from knightfall.models import roster_of
from knightfall.names import names_of
from knightfall.reading.clauses import clauses_of
from knightfall.reading.statements import statements
from knightfall.votes.lines import lines_of
from knightfall.votes.moderator_posts import Told
from knightfall.votes.numbers import parse_number

NAMES = names_of(roster_of(("Ada", "Boro", "Bexley Moon", "Cato", "Day", "Town")).slots)


def told(*lines: str) -> Told:
    """What a post of these lines tells."""
    return Told(9, statements(clauses_of(lines, NAMES)))


def day_opened(lines: list[str]) -> int | None:
    return told(*lines).opens(0)


def dead_by(lines: list[str], turns: bool) -> frozenset[str]:
    """Of whom the lines tell that they died; `turns`: the post opens a day, too."""
    return told(*(["Day 2 begins."] if turns else []), *lines).dead()


def said_of_alive(said: str) -> tuple[int | None, int | None]:
    return told(said).alive, told(said).needed


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("Day Three dawns over the weir.", 3),
        ("Day the Second", 2),
        ("It is the second day, and there are seven of you.", 2),
        ("Morning, the third. A door stood open.", 3),
        ("Day 2. Boro was stabbed on the way home.", 2),
        ("DAY 3 - the sun is up.", 3),
        ("Tag 2", 2),
        ("Tag zwei beginnt.", 2),
        ("Día 4", 4),
        ("The second day is open again.", None),
        ("It was on the second day that I knew.", None),
        ("Sorry again about the second day.", None),
        ("Day 2 will begin tomorrow.", None),
        ("When the second day begins, you may talk.", None),
    ],
)
def test_a_day_is_opened_in_words(said: str, day: int | None) -> None:
    assert day_opened([said, "And so on."]) == day


def test_a_title_opens_a_day_only_at_the_beginning_and_beside_no_votecount() -> None:
    assert day_opened(["Thank you all.", "Day 2: Ada was lynched."]) is None
    assert day_opened(["Day 2, so far:", "Ada (2): Boro, Cato", "Not voting: Ada"]) is None


@pytest.mark.parametrize(
    ("said", "dead"),
    [
        ("Effective immediately, Ada the Vanilla Town has been modkilled.", {"Ada"}),
        ("Bexley Moon, Town Doctor, was found dead this morning.", {"Bexley Moon"}),
        ("Light. Ada was broken in two overnight. Ada, Town Rasp.", {"Ada"}),
        ("Somebody came upon Boro, who was the Doctor and will not get up.", {"Boro"}),
        ("Ada was not at matins. They found nobody. She was the Almoner.", {"Ada"}),
        ("The gate is open, and Boro, a gardener, isn't here to see it, he died at night.", {"Boro"}),
        ("Cato, Citizen, was diabolically thrown from the tower Night 2", {"Cato"}),
        ("Five, namely Ada and Boro. Cato was hanged.", {"Cato"}),
        ("Ada was the last to vote.", set()),
        ("Ada has not been modkilled.", set()),
        ("Ada will be killed tomorrow.", set()),
        ("Ada, please post more.", set()),
        ("The Town was found dead asleep.", set()),
        ("Ada voted for Boro, and they were a happy couple.", set()),
    ],
)
def test_deaths_are_told_in_words(said: str, dead: set[str]) -> None:
    assert dead_by([said], turns=True) == dead


def test_a_role_in_a_sentence_tells_of_a_death_only_where_the_post_turns_the_day() -> None:
    drawn = "Thanks to Ada, Vanilla Townie, who drew the map"
    assert dead_by([drawn], turns=False) == frozenset()
    assert dead_by([drawn], turns=True) == {"Ada"}
    assert dead_by(["Ada, Vanilla Townie"], turns=False) == {"Ada"}
    assert dead_by(["Ada, Vanilla Townie, eliminated Day 1"], turns=False) == {"Ada"}


def test_a_table_of_the_dead_is_read_row_by_row() -> None:
    table = "<table><tr><td>Ada</td><td>Mafia Drummer</td><td>eliminated, Day 2</td></tr></table>"
    lines = [line.text for line in lines_of(parse_html(table, PLAIN), rows=True)]
    assert lines == ["Ada, Mafia Drummer, eliminated, Day 2"]
    assert dead_by(lines, turns=True) == {"Ada"}


@pytest.mark.parametrize(
    ("said", "numbers"),
    [
        ("9 alive, 5 to eject.", (9, 5)),
        ("You are six and it takes four.", (6, 4)),
        ("Seven souls remain and four make a majority.", (7, 4)),
        ("Eleven are alive, six hang.", (11, 6)),
        ("Neun Spieler leben, fünf Stimmen reichen.", (9, 5)),
        ("With 12 players living, 7/12 votes are required to lynch.", (12, 7)),
        ("I am on a train for 9 hours and 5 minutes.", (None, None)),
        ("There are four of you and I have three cats.", (None, None)),
    ],
)
def test_how_many_live_and_decide_is_read_in_words(said: str, numbers: tuple[int | None, int | None]) -> None:
    assert said_of_alive(said) == numbers


def test_numbers_are_read_in_digits_words_and_ranks() -> None:
    assert [parse_number(one) for one in ("7", "Seven", "sieben", "siete", "second", "3rd")] == [
        7,
        7,
        7,
        7,
        2,
        3,
    ]
