"""A hammer that the moderator's own words deny is asked about, and not claimed."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from knightfall.forums import html_style_of
from knightfall.models import Post, PostId, Thread, roster_of
from knightfall.votes.config import Ask, CountConfig, DaySetup
from knightfall.votes.count import Habits, votecount
from knightfall.votes.tally import Fix
from knightfall.votes.votecount import Votecount

PLAYERS = ("Ada", "Boro", "Cinder", "Dusk", "Elm")
DAY = (("Wren", "Day 2 begins."), *((who, "<b>Vote: Boro</b>") for who in ("Ada", "Cinder", "Dusk")))
HAMMER = 4


def counted(*said: tuple[str, str], fixes: tuple[Fix, ...] = (), closed: bool = False) -> Votecount:
    """The count of a day whose post 4 is the hammer on Boro, with what was posted after it."""
    posts = (Post(PostId(str(n)), n, who, body) for n, (who, body) in enumerate((*DAY, *said), 1))
    days = (DaySetup(2, start=1, closed=closed),)
    config = CountConfig("game.toml", moderators=("Wren",), roster=roster_of(PLAYERS), days=days, fixes=fixes)
    thread, habits = Thread("phpbb", "The quay", tuple(posts)), Habits(html_style_of("phpbb"))
    return votecount(thread, habits, config, Ask(), datetime(2026, 3, 2, tzinfo=UTC))


@pytest.mark.parametrize(
    "word",
    [
        "No lynch was reached. It is now Night 2.",
        "<b>No elimination has been reached.</b>",
        "Nobody was eliminated. Night falls.",
        "No one has been lynched today, sleep well.",
        "Day 2 has ended without a lynch.",
        "The day ends in a No Lynch.",
        "The town has failed to reach a majority.",
        "The deadline has passed.<br>Nobody was executed.<br>In the night Elm was killed.",
    ],
)
def test_who_was_not_eliminated_by_the_moderators_word_is_not_hammered(word: str) -> None:
    found = counted(("Wren", word))
    assert found.tally.hammer is None
    [question] = found.questions
    assert (question.post, question.voter, question.candidates) == (HAMMER, "Dusk", ("Boro",))
    assert question.why == "was the hammer on Boro, but by #5 nobody was eliminated"
    assert [(wagon.size, len(wagon.votes)) for wagon in found.tally.wagons] == [("2/3", 2)]
    assert found.outcome is None


@pytest.mark.parametrize(
    ("who", "word"),
    [
        ("Wren", "Boro has been eliminated. Day 1: nobody was eliminated."),
        ("Wren", "On day 1 no lynch was reached."),
        ("Wren", "If no lynch is reached by the deadline, the night begins."),
        ("Wren", "A hammer was reached!"),
        ("Wren", "<blockquote>Nobody was eliminated.</blockquote>Who says that? Hammer!"),
        ("Wren", "Boro was lynched. Nobody was killed in the night."),
        ("Ada", "Nobody was eliminated."),
        ("Wren", "Nobody was eliminated before Boro, and now Boro was."),
        ("Wren", "No lynch (1): Elm"),
        ("Wren", "Yesterday nobody was eliminated."),
    ],
)
def test_other_words_leave_the_hammer(who: str, word: str) -> None:
    found = counted((who, word))
    assert found.tally.hammer is not None and found.tally.hammer.post == HAMMER
    assert not found.questions


def test_what_was_said_before_the_hammer_denies_nothing() -> None:
    posts = (DAY[0], ("Wren", "Nobody was eliminated."), *DAY[1:])
    made = (Post(PostId(str(n)), n, who, body) for n, (who, body) in enumerate(posts, 1))
    config = CountConfig("game.toml", moderators=("Wren",), roster=roster_of(PLAYERS))
    thread, habits = Thread("phpbb", "The quay", tuple(made)), Habits(html_style_of("phpbb"))
    found = votecount(thread, habits, config, Ask(), datetime(2026, 3, 2, tzinfo=UTC))
    assert found.tally.hammer is not None


def test_the_moderators_decision_goes_before_their_words() -> None:
    word = ("Wren", "No lynch was reached.")
    kept = counted(word, fixes=(Fix(HAMMER, count=True),))
    assert kept.tally.hammer is not None and not kept.questions
    gone = counted(word, fixes=(Fix(HAMMER, ignore=True),))
    assert gone.tally.hammer is None and not gone.questions


def test_a_day_that_was_closed_stays_as_it_ended() -> None:
    found = counted(("Wren", "Nobody was eliminated: Boro was saved."), closed=True)
    assert found.tally.hammer is not None and not found.questions
