"""A role that nobody but its moderator knows, in a setup as it is pasted and in a role as it is told."""

from __future__ import annotations

from knightfall.games.custom_mafia.setup import parse_setup
from knightfall.games.custom_mafia.setup_post import read_setup
from knightfall.services.game.role_cards import card_meant

POSTED = """\
2 Mafia Goons
Town “Lamplighter”: each night you may light a street, and learn whether anybody walked there.
Town Cop
rest VT
"""


def test_a_card_of_ones_own_is_read_with_what_it_says() -> None:
    reading = read_setup(POSTED)
    assert reading.doubts == ()
    assert [row.name for row in reading.cards] == [
        "Mafia Goon",
        "Town “Lamplighter”",
        "Town Cop",
        "Vanilla Townie",
    ]
    assert reading.cards[1].sentence.startswith("each night you may light a street")
    setup = parse_setup(reading.table("Quarry"))
    assert setup.cards == {
        "Lamplighter": "each night you may light a street, and learn whether anybody walked there"
    }


def test_a_role_that_is_not_known_is_asked_for_and_may_be_one_of_ones_own() -> None:
    (row,) = read_setup("2 Goons\n1 Mafia 1-Shot Lamplighter\nrest VT").doubts
    assert row.offered[-1] == "Mafia 1-Shot “Lamplighter”"
    settled = read_setup(
        read_setup("2 Goons\n1 Mafia 1-Shot Lamplighter\nrest VT").mended(1, row.offered[-1])
    )
    assert settled.doubts == ()


def test_a_known_role_in_quotation_marks_is_no_card_of_ones_own() -> None:
    (row,) = read_setup("2 Goons\nTown “Cop”\nrest VT").doubts
    assert row.doubt == "Cop is known: write it without quotation marks."


def test_of_a_told_role_a_stroke_parts_what_one_card_has() -> None:
    card, remark = card_meant("custom_mafia", "Odd-Night Fruit Vendor/Even-Night Serial Killer")
    assert card == "Odd-Night Fruit Vendor Even-Night Serial Killer"
    assert "one card that has both" in remark
    unknown, doubt = card_meant("custom_mafia", "Town Lamplighter")
    assert unknown == ""
    assert "write Town “Lamplighter”." in doubt
