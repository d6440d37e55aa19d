"""A player's name stands in a post as it is, whatever a board makes of its letters elsewhere."""

from __future__ import annotations

import re

import pytest

from knightfall.markup.bbcode import guard_given, guard_name, parse_bbcode
from knightfall.markup.dialects import DIALECTS, Dialect
from knightfall.markup.dialects.bbcode_family import BBCode
from knightfall.markup.dialects.tree import as_given
from knightfall.markup.nodes import Bold, Code, Given, Name, Text

ODD = (
    *("Mr 8) Cool", "Vic :D", "www.Kit.com", "https://kit.example"),
    *("[b]ob", "Ann :cool: Bo", "Sam:p", "x;)y"),
)
READ_AS_ELSE = re.compile(r"8\)|:D|;\)|:p|:cool:|www\.Kit\.com|https?://")
boards = pytest.mark.parametrize(
    "board", [one for one in DIALECTS if one.name != "plain"], ids=lambda one: one.name
)


@pytest.mark.few(26)
@boards
@pytest.mark.parametrize("name", ODD)
def test_no_board_makes_a_smiley_a_link_or_a_tag_of_a_name(board: Dialect, name: str) -> None:
    written = board.write((Text("Alive: "), Name(name), Text(", "), Name("Ada"), Text(".")))
    assert not READ_AS_ELSE.search(written.replace("\\", "")), written
    if isinstance(board, BBCode):
        assert "[b]ob" not in written
    # Its letters are all there, in their order.
    seen = re.sub(r"\[/?nobbc\]|[\u200b\\]", "", written)
    assert name in seen or name in re.sub(r"&\w+;", "", seen)


@boards
def test_ordinary_names_and_everything_else_are_written_as_before(board: Dialect) -> None:
    nodes = (
        Text("See www.example.org :) – "),
        Name("O'Brien"),
        Text(" and "),
        Name("Dusk8D"),
        Text("'s vote"),
    )
    plain = (Text("See www.example.org :) – O'Brien and Dusk8D's vote"),)
    assert board.write(nodes) == board.write(plain)


def test_a_guarded_name_is_read_as_one_name_and_as_its_letters_in_code() -> None:
    name = guard_name("[b]Ann\nBob[/b]")
    assert parse_bbcode(f"[b]{name}[/b] votes") == (Bold((Name("[b]Ann Bob[/b]"),)), Text(" votes"))
    assert parse_bbcode(f"[code]{guard_name('Ada')}[/code]") == (Code("Ada"),)


def test_words_of_somebody_else_are_told_from_ours() -> None:
    given = guard_given("since [i]Ada[/i] left")
    assert parse_bbcode(f"It is over, {given}.") == (
        Text("It is over, "),
        Given("since [i]Ada[/i] left"),
        Text("."),
    )


def test_whoever_types_the_marks_of_a_name_types_words() -> None:
    assert as_given(parse_bbcode("\ufdd8Ada\ufdda")) == (Given("Ada"),)
