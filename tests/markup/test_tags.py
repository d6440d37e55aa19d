"""The tags of BBCode where they are only looked for or taken out."""

from __future__ import annotations

from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knightfall.markup.tags import plain_text, without_elements, without_marks, without_tags

QUOTES = frozenset({"quote", "s"})


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("[quote]a[/quote]b", "b"),
        ("[quote=Ada]a[/quote]b", "b"),
        ('[QUOTE="Ada, post: 3, member: 4"]a[/QUOTE]b', "b"),
        ('[quote="Ada [mod]" post_id=12 time=7]a[/quote]b', "b"),
        ("[quote author=Ada link=topic=7.msg9 date=3]a[/quote]b", "b"),
        ("[quote]a[quote]b[/quote]c[/quote]d", "d"),
        ("[quote]a[s]b[/quote]c", "c"),
        ("[quote]a[s]b[/s]c[/quote]d[s]e[/s]", "d"),
        ("[quote]a [quote]b[/quote]c", "[quote]a c"),
        ("a[/quote]b", "a[/quote]b"),
        ("[quote\n]a[/quote]b", "[quote\n]a[/quote]b"),
        ("[b]a[/b][i]b[/i]", "[b]a[/b][i]b[/i]"),
    ],
)
def test_an_element_goes_with_all_that_stands_in_it(text: str, left: str) -> None:
    assert without_elements(text, QUOTES) == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("[b]kill[/b] Ada", "kill Ada"),
        ("[b]kill Ada", "kill Ada"),
        ("[B][COLOR=#f00]kill[/B] Ada[/COLOR]", "kill Ada"),
        ("[*]kill [vote]Ada[/vote]", "kill [vote]Ada[/vote]"),
        ("[b and co] kill", "[b and co] kill"),
    ],
)
def test_tags_go_and_what_they_dress_stays(text: str, left: str) -> None:
    assert without_tags(text, {"b", "i", "color", "*"}) == left


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("[b]Ada[/b] (3): [post=4;id=7]Boro[/post]", "Ada (3): Boro"),
        ("**Ada** \\(3\\): [Boro](https://x.example/1)", "Ada (3): Boro"),
        ("<b>Ada</b> (3)<br>Boro &amp; Co", "Ada (3)\nBoro & Co"),
        ("[the fox] (3)", "[the fox] (3)"),
    ],
)
def test_a_post_of_any_dialect_is_read_as_its_words(text: str, read: str) -> None:
    assert plain_text(text) == read


def test_a_word_that_tells_is_whole_without_the_marks_in_it() -> None:
    assert without_marks("C[b]o[/b]p D*o*c [3]M<i>ason</i>") == "Cop Doc Mason"


@given(st.text(alphabet="[]/=\" \n'abqs*", max_size=60))
def test_no_text_holds_an_element_that_was_taken_out(text: str) -> None:
    left = without_elements(text, QUOTES)
    assert without_elements(left, QUOTES) == left


@pytest.mark.parametrize(
    "text", ["[quote=" + '"' * 40_000, "[quote]" * 20_000, '[b="a" ' * 20_000, "[" * 90_000]
)
def test_no_text_takes_long(text: str) -> None:
    began = perf_counter()
    without_elements(text, QUOTES)
    plain_text(text)
    assert perf_counter() - began < 2


def test_a_number_in_small_letters_before_a_linked_post_is_no_link_of_markdown() -> None:
    assert plain_text("Elm [size=75]([post=#324]7[/post])[/size]") == "Elm (7)"
    assert plain_text("Elm [seven](https://forum.example/p/7)") == "Elm seven"
