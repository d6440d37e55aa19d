"""Votes in words for the moderator."""

import pytest

from knightfall.votes.tally import Hammer
from knightfall.writeups.vote_words import hammer_condition


@pytest.mark.parametrize(
    ("unless", "said"),
    [
        ((), ""),
        ((412,), "The hammer (#415) stands only if #412 is not a move. Decide #412 first."),
        (
            (409, 410, 412),
            "The hammer (#415) stands only if #409, #410 and #412 are not moves. "
            "Decide #409, #410 and #412 first.",
        ),
    ],
)
def test_what_a_hammer_rests_on_is_one_sentence_and_what_to_do(unless: tuple[int, ...], said: str) -> None:
    assert hammer_condition(Hammer(None, None, 415, unless=unless)) == said


def test_without_a_hammer_nothing_is_said() -> None:
    assert hammer_condition(None) == ""
