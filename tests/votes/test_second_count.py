"""The count that is made a second time, from the moderator's own votecount and what moved since."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from knightfall.forums import html_style_of
from knightfall.models import Holder, Post, PostId, Roster, Slot, Thread, roster_of
from knightfall.votes.config import Ask, CountConfig
from knightfall.votes.count import Habits, votecount
from knightfall.votes.second_count import Difference, SecondCount
from knightfall.writeups.vote_words import second_count_lines

PLAYERS = ("Ada", "Boro", "Cinder", "Dusk", "Elm")
COUNT = "Votecount 1.1<br>Boro (2): {}<br>Ada (1): {}<br>Not voting (2): Dusk, Elm"


def second(*said: tuple[str, str], roster: Roster | None = None) -> SecondCount | None:
    """The second count of a day in which Wren posts votecounts and everybody else votes."""
    bodies = ((who, text if who == "Wren" else f"<b>{text}</b>") for who, text in (("Wren", "Day 1"), *said))
    posts = (Post(PostId(str(n)), n, who, body) for n, (who, body) in enumerate(bodies, 1))
    config = CountConfig("game.toml", moderators=("Wren",), roster=roster or roster_of(PLAYERS))
    thread = Thread("phpbb", "The mill", tuple(posts))
    habits = Habits(html_style_of("phpbb"))
    return votecount(thread, habits, config, Ask(), datetime(2026, 3, 2, tzinfo=UTC)).second


VOTES = (("Ada", "Vote: Boro"), ("Cinder", "Vote: Boro"), ("Boro", "Vote: Ada"))


def test_a_votecount_that_says_the_same_bears_the_count() -> None:
    found = second(*VOTES, ("Wren", COUNT.format("Ada, Cinder", "Boro")), ("Dusk", "Vote: Ada"))
    assert found == SecondCount(5, (), ("Ada", "Boro"), ("Ada", "Boro"))
    assert [*second_count_lines(found, "No Elimination")] == [
        "Checked against the moderator's votecount in #5: it is the same."
    ]


def test_without_a_votecount_there_is_nothing_to_compare_with() -> None:
    assert second(*VOTES) is None
    assert second(*VOTES, ("Wren", "Please vote!")) is None


def test_a_vote_that_one_of_them_has_elsewhere_is_named() -> None:
    wrong = "Votecount 1.1<br>Boro (1): Ada<br>Ada (2): Boro, Cinder<br>Not voting (2): Dusk, Elm"
    found = second(*VOTES, ("Wren", wrong))
    assert found is not None
    assert found.differences == (Difference("Cinder", "Boro", "Ada", 3),)
    assert (found.leading, found.leading_here, found.agrees) == (("Ada",), ("Boro",), False)
    assert [*second_count_lines(found, "No Elimination")] == [
        "The moderator's votecount in #5 differs in 1 vote:",
        "  Cinder: Ada there, Boro here (#3).",
    ]


@pytest.mark.parametrize("later", ["Vote: Boro", "Unvote"])
def test_a_vote_that_moved_since_is_no_difference_in_the_end(later: str) -> None:
    wrong = "Votecount 1.1<br>Boro (1): Ada<br>Ada (2): Boro, Cinder<br>Not voting (2): Dusk, Elm"
    moved = ("Cinder", "Unvote"), ("Cinder", later), ("Dusk", "Vote: Boro")
    found = second(*VOTES, ("Wren", wrong), *moved)
    assert found is not None and found.agrees
    assert found.leading == ("Boro",)


def test_votes_of_weight_are_not_compared() -> None:
    slots = tuple(Slot((Holder(name),), weight=2 if name == "Ada" else 1) for name in PLAYERS)
    assert second(*VOTES, ("Wren", COUNT.format("Ada, Cinder", "Boro")), roster=Roster(slots)) is None


def test_no_elimination_is_a_target_like_another() -> None:
    rows = ("No Elimination (1): Dusk", "Boro (2): Ada, Cinder", "Ada (1): Boro", "Not voting (1): Elm")
    nobody = "<br>".join(("Votecount 1.1", *rows))
    found = second(*VOTES, ("Dusk", "Vote: No Elimination"), ("Wren", nobody))
    assert found is not None and found.differences == ()
