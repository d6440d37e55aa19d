"""Looks, pair checks with the annoyed lie, and the names of the lists."""

from __future__ import annotations

import pytest

from knightfall.games.kings_court import Role
from knightfall.games.kings_court.events import HintSent, LookAnswer, PairAnswer, SeenRole
from salt_court import (
    ADA,
    BORO,
    CINDER,
    COURT,
    DUSK,
    ELM,
    HOLLIS,
    IRIS,
    JUNIPER,
    KESTREL,
    LUMEN,
    Table,
    seated,
)


def answer(pair: str, **options: object) -> object:
    """What Lumen, elected last, is told of a pair; Boro is the annoyed Duke, Hollis the annoyed Noble."""
    table = Table(seated(LUMEN, check_right=LUMEN, **options))
    assert table.say(LUMEN, f"CHECK: {pair}") == []
    table.elect(JUNIPER)
    (told,) = table.told(LUMEN, PairAnswer)
    return told.answer


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ("Cinder, Dusk", "same"),
        ("Cinder, Iris", "different"),
        ("Cinder, Boro", "different"),
        ("Cinder, Hollis", "same"),
        ("Iris, Boro", "same"),
        ("Iris, Hollis", "different"),
        ("Boro, Hollis", "different"),
        ("Ada, Cinder", "different"),
        ("Ada, Boro", "different"),
        ("Ada and Hollis", "different"),
        ("Cinder & Fen", "same"),
    ],
)
def test_a_pair_is_same_if_the_claimed_roles_are(pair: str, expected: str) -> None:
    assert answer(pair) == expected


def test_the_king_in_a_pair_by_option() -> None:
    assert answer("Ada, Cinder", king_in_pair="no_result") == "no result"
    assert answer("Ada, Cinder", king_in_pair="random") in ("same", "different")
    table = Table(seated(LUMEN, check_right=LUMEN, king_in_pair="refuse"))
    assert table.say(LUMEN, "CHECK: Ada, Cinder") == ["NOT_CHECKABLE"]


def test_a_check_is_answered_at_the_next_deadline_and_can_be_changed_until_then() -> None:
    table = Table(seated())
    table.elect(BORO)
    table.say(BORO, "CHECK: Cinder, Dusk")
    table.say(BORO, "CHECK: Cinder, Iris")
    assert table.told(BORO, PairAnswer) == []
    table.elect(CINDER)
    assert [told.answer for told in table.told(BORO, PairAnswer)] == ["different"]
    assert table.say(BORO, "CHECK: Elm, Fen") == ["NO_CHECK_RIGHT"]


def test_a_check_is_answered_even_if_the_deadline_ends_in_a_tie() -> None:
    table = Table(seated(LUMEN, check_right=LUMEN, check_pair=(CINDER, DUSK)))
    table.vote(Ada="Boro", Boro="Ada")
    assert len(table.told(LUMEN, PairAnswer)) == 1


def test_an_unsent_check_lapses_at_the_deadline() -> None:
    table = Table(seated(LUMEN, check_right=LUMEN))
    table.elect(BORO)
    assert table.state.check_right == BORO
    assert table.say(LUMEN, "CHECK: Elm, Fen") == ["NO_CHECK_RIGHT"]


def test_by_option_a_check_is_answered_when_sent_and_only_once() -> None:
    table = Table(seated(LUMEN, check_right=LUMEN, check_delivery="immediate"))
    table.say(LUMEN, "CHECK: Cinder, Dusk")
    assert [told.answer for told in table.told(LUMEN, PairAnswer)] == ["same"]
    assert table.say(LUMEN, "CHECK: Elm, Fen") == ["NO_CHECK_RIGHT"]


def test_the_king_looks_twice_until_the_first_member_is_elected() -> None:
    table = Table(seated())
    assert table.say(ADA, "LEARN: Boro") == []
    assert table.say(ADA, "LEARN: Hollis, Iris") == ["LIMIT"]
    assert table.say(ADA, "LEARN: Hollis") == []
    looks = [result for told in table.told(ADA, LookAnswer) for result in told.results]
    assert looks == [SeenRole(BORO, Role.DUKE), SeenRole(HOLLIS, Role.NOBLE)]
    table.elect(BORO)
    assert table.say(ADA, "LEARN: Iris") == ["TOO_LATE"]


def test_the_annoyed_lie_reaches_looks_by_option_alone() -> None:
    table = Table(seated(annoyed_scope="looks"))
    table.say(ADA, "LEARN: Boro, Cinder")
    assert [result.role for result in table.told(ADA, LookAnswer)[0].results] == ["Noble", "Duke"]


def test_names_go_out_after_the_second_fourth_and_sixth_member() -> None:
    table = Table(seated())
    for number, slot in enumerate((BORO, CINDER, HOLLIS, IRIS, DUSK, JUNIPER, ELM), start=1):
        table.elect(slot)
        assert len(table.told(KESTREL, HintSent)) == min(number // 2, 3)
    assert [told.hint for told in table.told(KESTREL, HintSent)] == ["Elm", "Hollis", "Iris"]
    assert all(len(table.told(slot, HintSent)) == 3 for slot in COURT)


def test_no_name_goes_out_when_the_king_is_the_fourth() -> None:
    table = Table(seated(BORO, CINDER, HOLLIS))
    table.elect(ADA)
    assert table.told(BORO, HintSent) == []
