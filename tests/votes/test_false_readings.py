"""What a moderator posts that looks like a fact of the day and is none: no hammer is claimed by it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from knightfall.forums import html_style_of
from knightfall.models import Post, PostId, Thread
from knightfall.votes.config import Ask, CountConfig
from knightfall.votes.count import Habits, votecount
from knightfall.votes.votecount import Votecount

COUNT = (
    "Votecount 1.1<br>Boro (2): Ada, Cinder<br>Ada (1): Boro<br>Not voting (5): Dusk, Elm, Fen, Gale, Hollis"
    "<br>With 8 alive, it takes 5 to eliminate."
)
DAY_ONE = (("Ada", "Boro"), ("Cinder", "Boro"), ("Boro", "Ada"), ("Wren", COUNT))
HAMMERED = (*DAY_ONE, ("Dusk", "Boro"), ("Elm", "Boro"), ("Fen", "Boro"))


def counted(
    *said: tuple[str, str], opening: str = "Welcome to the mill.", day: int | None = None
) -> Votecount:
    """The count of a thread of Wren's: whoever else speaks votes for the name that they say, or says what
    follows a “!”."""
    posts = []
    for number, (who, text) in enumerate((("Wren", opening), *said), 1):
        body = text.removeprefix("!") if who == "Wren" or text.startswith("!") else f"<b>Vote: {text}</b>"
        posts.append(Post(PostId(str(number)), number, who, body))
    thread = Thread("phpbb", "The mill", tuple(posts))
    now = datetime(2026, 3, 2, tzinfo=UTC)
    return votecount(thread, Habits(html_style_of("phpbb")), CountConfig(), Ask(day=day), now)


def test_the_day_that_the_others_disturb_has_a_hammer() -> None:
    hammer = counted(*HAMMERED).tally.hammer
    assert hammer is not None and hammer.target is not None and hammer.target.name == "Boro"


def test_a_reminder_of_those_who_do_not_vote_lists_nobody_else() -> None:
    count = counted(
        ("Ada", "Boro"), ("Wren", "Not voting (3): Fen, Gale, Hollis"), ("Fen", "Gale"), ("Gale", "Fen")
    )
    assert (count.tally.needed, count.tally.hammer) == (None, None)
    later = counted(
        *DAY_ONE, ("Wren", "Not voting (3): Fen, Gale, Hollis"), ("Fen", "Gale"), ("Hollis", "Gale")
    )
    assert (later.tally.alive, later.tally.needed) == (8, 5)


@pytest.mark.parametrize(
    "said",
    [
        "Ada has been modkilled. She was a Townie.",
        "BANG! Cinder was shot dead in broad daylight. The day goes on.",
        "Hollis was killed by the day vigilante.",
    ],
)
def test_a_death_that_is_told_in_the_middle_of_the_day_counts_unless_a_number_denies_it(said: str) -> None:
    voted = (*DAY_ONE, ("Dusk", "Boro"), ("Wren", said))
    count = counted(*voted, ("Elm", "Boro"), ("Fen", "Boro"))
    assert (count.tally.alive, count.tally.needed) == (7, 4)
    denied = counted(*voted, ("Wren", "There are still 8 alive."), ("Elm", "Boro"), ("Fen", "Boro"))
    assert (denied.tally.needed, denied.tally.hammer) == (None, None)
    assert any("whom post #5 still lists" in line for line in denied.assumed)


@pytest.mark.parametrize(
    "said",
    [
        "Day 2 starts on Monday.",
        "Votes close tonight. Day 2 begins in 24 hours.",
        "Day 2 starts tomorrow at noon.",
        "Day 2 begins May 3rd.",
    ],
)
def test_a_day_that_is_announced_has_not_begun(said: str) -> None:
    count = counted(*DAY_ONE, ("Wren", said), *HAMMERED[len(DAY_ONE) :])
    assert count.day.number == 1
    assert count.tally.hammer is not None


def test_a_player_who_posts_a_count_does_not_moderate() -> None:
    copied = "!Votecount<br>Boro (2): Ada, Cinder<br>Not voting: Boro, Dusk, Elm, Fen, Gale"
    count = counted(
        ("Ada", "Boro"),
        ("Cinder", "Boro"),
        ("Hollis", copied),
        ("Dusk", "Boro"),
        ("Elm", "Boro"),
        ("Hollis", "Ada"),
    )
    assert "Hollis" not in count.assumed[0]
    assert count.tally.hammer is None


def test_the_count_of_an_earlier_day_posted_again_lists_nobody() -> None:
    count = counted(
        *HAMMERED,
        ("Wren", "Boro was eliminated."),
        ("Wren", "Day 2 begins. Gale was killed.<br>With 6 alive, it takes 4 to eliminate."),
        ("Ada", "Cinder"),
        ("Wren", f"For reference:<br>{COUNT}"),
        ("Dusk", "Cinder"),
        ("Elm", "Cinder"),
    )
    assert (count.day.number, count.tally.alive, count.tally.needed) == (2, 6, 4)


@pytest.mark.parametrize(
    "said",
    [
        "Dusk's vote does not count: it was not bold.",
        "I am not counting the vote in post 6.",
        "All votes are reset.",
        "Everybody's votes have been reset by an ability.",
    ],
)
def test_a_hammer_with_a_vote_that_the_moderator_rules_out_is_not_claimed(said: str) -> None:
    count = counted(*DAY_ONE, ("Dusk", "Boro"), ("Wren", said), ("Elm", "Boro"), ("Fen", "Boro"))
    assert (count.tally.needed, count.tally.hammer) == (None, None)


@pytest.mark.parametrize(
    "said",
    [
        "Votes in quotes do not count.",
        "I will count Dusk's vote. Please use bold next time, or it does not count as a vote.",
        "Hollis's vote does not count.",
    ],
)
def test_a_ruling_on_other_votes_leaves_the_hammer(said: str) -> None:
    count = counted(*DAY_ONE, ("Dusk", "Boro"), ("Wren", said), ("Elm", "Boro"), ("Fen", "Boro"))
    assert count.tally.hammer is not None


def test_two_who_vote_after_the_moderator_ended_the_day_may_vote_on_the_next() -> None:
    night = ("Wren", "Boro was eliminated. Night.")
    one = counted(*HAMMERED, night, ("Tansy", "!Good morning!"), ("Ada", "Cinder"))
    assert one.tally.hammer is not None
    two = counted(*HAMMERED, night, ("Tansy", "!Good morning!"), ("Ada", "Cinder"), ("Dusk", "Cinder"))
    assert (two.tally.needed, two.tally.hammer) == (None, None)


def test_an_opening_list_that_omits_many_voters_is_not_whole() -> None:
    listed = "Players<br>1. Ada<br>2. Boro<br>3. Cinder<br>4. Dusk<br>5. Elm"
    wagon = (("Ada", "Boro"), ("Cinder", "Boro"), ("Dusk", "Boro"))
    assert counted(*wagon, opening=listed).tally.hammer is not None
    more = counted(("Fen", "Ada"), ("Gale", "Ada"), *wagon, opening=listed)
    assert (more.tally.needed, more.tally.hammer) == (None, None)


DAY_TWO = (
    *HAMMERED,
    ("Wren", "Boro was eliminated."),
    ("Wren", "Day 2 begins. Gale was killed.<br>With 6 alive, it takes 4 to eliminate."),
)
SECOND = (("Dusk", "Cinder"), ("Elm", "Cinder"), ("Fen", "Cinder"))


def test_who_dies_after_voting_on_a_day_without_a_count_votes_no_more() -> None:
    assert counted(*DAY_TWO, ("Ada", "Cinder"), *SECOND).tally.hammer is not None
    gone = ("Wren", "Ada was modkilled.")
    count = counted(*DAY_TWO, ("Ada", "Cinder"), gone, *SECOND)
    assert (count.tally.alive, count.tally.needed) == (5, 3)
    hammer = count.tally.hammer
    assert hammer is not None and hammer.voter is not None and hammer.voter.name == "Fen"


@pytest.mark.parametrize("said", ["It's now day 5 of my holiday.", "Day 2 of no sleep begins for me."])
def test_a_day_of_the_moderators_own_is_no_day_of_the_game(said: str) -> None:
    count = counted(*DAY_ONE, ("Wren", said), *HAMMERED[len(DAY_ONE) :])
    assert (count.day.number, count.tally.hammer is not None) == (1, True)


def test_a_day_that_skips_others_while_one_runs_is_not_sure() -> None:
    count = counted(*DAY_ONE, ("Wren", "It is now Day 4."), *HAMMERED[len(DAY_ONE) :])
    assert (count.tally.needed, count.tally.hammer) == (None, None)


def test_a_threshold_of_the_deadline_is_none_of_the_day_however_often_it_is_said() -> None:
    said = ("Wren", "At the deadline a majority is 3.")
    count = counted(*DAY_ONE, said, ("Dusk", "Boro"), said)
    assert (count.tally.needed, count.tally.hammer) == (None, None)


@pytest.mark.parametrize(
    ("rows", "claimed"),
    [
        ("Boro (2): Ada, Cinder<br>Ada (2): Boro, Dusk<br>Not voting (4): Elm, Fen, Gale, Hollis", False),
        ("Boro (2): Ada, Cinder<br>Ada (1): Boro<br>Not voting (5): Dusk, Elm, Fen, Gale, Hollis", False),
        ("Boro (3): Ada, Cinder, Dusk<br>Ada (1): Boro<br>Not voting (4): Elm, Fen, Gale, Hollis", True),
    ],
)
def test_a_hammer_with_a_vote_that_the_moderator_counts_elsewhere_is_not_claimed(
    rows: str, claimed: bool
) -> None:
    second = f"Votecount 1.2<br>{rows}<br>With 8 alive, it takes 5 to eliminate."
    count = counted(*DAY_ONE, ("Dusk", "Boro"), ("Wren", second), ("Elm", "Boro"), ("Fen", "Boro"))
    assert (count.tally.hammer is not None) is claimed
