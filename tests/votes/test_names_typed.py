"""Names as voters type them: words left over, two letters, and oneself."""

from __future__ import annotations

import pytest

from knightfall.models import roster_of
from knightfall.names import Ambiguous, Matched, Unknown, names_of


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("Fern Mary", ("Fern", "Fern Marie")),
        ("Fern Maria now", ("Fern", "Fern Marie")),
        ("Fern Mari", ("Fern Marie",)),
        ("Fern please", ("Fern",)),
        ("Rose is scum", ("Rose",)),
        ("Rose Lim", ("Rose Lin",)),
    ],
)
def test_a_name_with_words_left_over_may_be_a_longer_one(text: str, slots: tuple[str, ...]) -> None:
    names = names_of(roster_of(("Fern", "Fern Marie", "Rose", "Rose Lin", "Bram")).slots)
    meant = names.match(text)
    assert isinstance(meant, Ambiguous | Matched)
    assert (meant.slots if isinstance(meant, Ambiguous) else (meant.slot.name,)) == slots


def test_two_letters_that_begin_one_name_and_are_initials_of_another_are_asked() -> None:
    names = names_of(roster_of(("Corvo", "Cato Oz", "Bram")).slots)
    meant = names.match("co")
    assert isinstance(meant, Ambiguous) and meant.slots == ("Corvo", "Cato Oz")
    assert isinstance(names.match("cor"), Matched)


def test_a_voter_is_meant_by_a_whole_name_alone() -> None:
    slots = roster_of(("Kestrel", "Bram")).slots
    names = names_of(slots)
    assert isinstance(names.match("kestrel", slots[0]), Matched)
    assert names.match("kest", slots[0]) == Unknown("kest", ("Kestrel",))
    assert isinstance(names.match("kest", slots[1]), Matched)
