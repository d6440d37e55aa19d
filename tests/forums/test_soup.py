"""Strict selection over a page."""

from __future__ import annotations

import pytest

from knightfall.errors import LayoutChanged
from knightfall.forums.html import one, own_words, parse_page, words, words_after


def test_a_missing_element_is_named_with_its_place() -> None:
    box = one(parse_page('<div id="p7" class="post bg1">A word</div>'), "div.post")
    with pytest.raises(LayoutChanged, match=r'"p\.author" in div#p7\.post\.bg1, which begins "A word"'):
        one(box, "p.author")


def test_words_are_taken_from_one_place_only() -> None:
    tree = parse_page("<p>by <b>A <i>B</i></b> » <span>5</span> o'clock<!-- x --></p><p>other</p>")
    line = one(tree, "p")
    assert words(line) == "by A B » 5 o'clock"
    assert own_words(line) == "by » o'clock"
    assert words_after(one(line, "b"), line) == "» 5 o'clock"
