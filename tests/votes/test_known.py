"""How a count says what it knows: who lives, how many votes decide, by which rule; and what it claims by it.

Threads without a game file, of Tansy's: whoever else speaks votes for the name that they say.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from knightfall.forums import html_style_of
from knightfall.models import Post, PostId, Thread, roster_of
from knightfall.sentence import Way, ways_of
from knightfall.votes.config import Ask, CountConfig, DayAnswer
from knightfall.votes.count import Habits, votecount
from knightfall.votes.known import How, Reading
from knightfall.votes.rule import Death, Rule
from knightfall.votes.tally import UncountedReason
from knightfall.votes.votecount import Votecount
from knightfall.writeups.facts import votecount_json
from knightfall.writeups.vote_words import second_count_lines

SEVEN = ("Hazel", "Linnet", "Moss", "Perrin", "Quill", "Rowan", "Sorrel")
LISTED = "Welcome to the weir. Players:<br>" + "<br>".join(SEVEN)
BARE = "Welcome to the weir."
NO_FILE = CountConfig()


def counted(
    *said: tuple[str, str], opening: str = LISTED, day: int | None = None, config: CountConfig = NO_FILE
) -> Votecount:
    """The count of what was said; a line that begins with “!” is a post as it stands."""
    posts = []
    for number, (who, text) in enumerate((("Tansy", opening), *said), 1):
        body = "<b>Unvote</b>" if text == "unvote" else f"<b>Vote: {text}</b>"
        body = text.removeprefix("!") if who == "Tansy" or text.startswith("!") else body
        posts.append(Post(PostId(str(number)), number, who, body))
    thread, habits = Thread("phpbb", "The weir", tuple(posts)), Habits(html_style_of("phpbb"))
    return votecount(thread, habits, config, Ask(day=day), datetime(2026, 5, 4, tzinfo=UTC))


HERE = tuple((who, "!I am here.") for who in SEVEN)
"""Everybody posts once, in the posts 2 to 8."""


def wagons(count: Votecount) -> dict[str, int]:
    return {wagon.target.name if wagon.target else "": wagon.count for wagon in count.tally.wagons}


def reasons(count: Votecount) -> dict[int, UncountedReason]:
    return {missed.post: missed.why for missed in count.not_counted}


def said(count: Votecount, words: str) -> bool:
    return any(words in line for line in count.assumed)


# ---- Without a threshold there is no hammer, and nothing is too late for it

THREE_ON_ONE = (("Hazel", "Linnet"), ("Moss", "Linnet"), ("Perrin", "Linnet"))
MOVED = (*THREE_ON_ONE, ("Linnet", "Hazel"), ("Moss", "Hazel"))


def test_votes_are_not_frozen_behind_a_hammer_that_is_not_claimed() -> None:
    count = counted(*MOVED, opening=BARE)
    assert (count.tally.hammer, count.tally.needed) == (None, None)
    assert wagons(count) == {"Linnet": 2, "Hazel": 2}
    assert count.not_counted == ()


def test_nor_is_an_unvote_where_more_play_than_have_posted() -> None:
    count = counted(*MOVED, ("Moss", "unvote"), opening="Welcome, all 13 players. Votes in bold.")
    assert (count.tally.hammer, wagons(count)) == (None, {"Linnet": 2, "Hazel": 1})
    assert count.not_counted == ()


def test_a_hammer_that_the_players_outlive_freezes_nothing() -> None:
    four = tuple((who, "Rowan") for who in SEVEN[:4])
    later = (("Hazel", "Quill"), ("Linnet", "Quill"), ("Rowan", "Quill"))
    count = counted(*four, *later)
    assert (count.tally.hammer, wagons(count)) == (None, {"Quill": 3, "Rowan": 2})
    assert UncountedReason.AFTER_HAMMER not in reasons(count).values()


FULL_COUNT = (
    "Votecount 1.1<br>Rowan (2): Hazel, Linnet<br>Hazel (1): Rowan<br>Not voting (4): Moss, Perrin, Quill, "
    "Sorrel<br>With 7 alive, it takes 4 to eliminate."
)
ON_ROWAN = (
    ("Hazel", "Rowan"),
    ("Linnet", "Rowan"),
    ("Rowan", "Hazel"),
    ("Tansy", FULL_COUNT),
    ("Moss", "Rowan"),
    ("Perrin", "Rowan"),
    ("Quill", "Hazel"),
    ("Moss", "Hazel"),
)


@pytest.mark.parametrize(
    "word",
    [
        "VC 1.2<br>Rowan (3): Hazel, Linnet, Perrin<br>Hazel (3): Rowan, Quill, Moss<br>Not voting: Sorrel",
        "Quill has been eliminated. She was a Townie.",
        "All votes are reset.",
        "Sorrel was killed by the day vigilante.",
        "It is now Day 4.",
        "Votecount 2.1<br>Hazel (1): Moss<br>Not voting (4): Hazel, Linnet, Perrin, Quill",
    ],
)
@pytest.mark.parametrize("place", [4, 6, 8])
def test_whatever_is_doubted_nothing_is_after_a_hammer_that_there_is_not(word: str, place: int) -> None:
    count = counted(*ON_ROWAN[:place], ("Tansy", word), *ON_ROWAN[place:])
    late = UncountedReason.AFTER_HAMMER in reasons(count).values()
    assert count.tally.hammer is not None or not late
    assert (count.tally.needed is None) == (count.known.needed.how is How.OPEN)
    assert all((wagon.needed is None) == (count.tally.needed is None) for wagon in count.tally.wagons)


# ---- Who was left out of a list is not dead

FIRST_TWO = (("Hazel", "Linnet"), ("Moss", "Linnet"))
FORGETS = "Votecount 1<br>Linnet (2): Hazel, Moss<br>Not voting: Linnet, Perrin, Quill"
AFTER = (("Perrin", "Rowan"), ("Moss", "Rowan"), ("Rowan", "Moss"), ("Quill", "Rowan"))
FOUR = LISTED.replace("Players", "4 to eliminate. Players")


def test_a_living_player_whom_a_votecount_forgets_is_a_question() -> None:
    count = counted(*FIRST_TWO, ("Tansy", FORGETS), *AFTER, opening=FOUR)
    assert wagons(count) == {"Rowan": 3, "Linnet": 1, "Moss": 1}
    assert (count.tally.needed, count.tally.hammer, count.not_counted) == (None, None, ())
    living = count.known.living
    assert living.how is How.OPEN
    assert Reading(7, 4, ("Rowan", "Sorrel")) in living.readings
    assert Reading(5, 4) in living.readings
    assert said(count, "Post #4 does not list Rowan, Sorrel, and no post tells of their death.")
    assert said(count, "Which post opened day 1, and who was alive then?")
    assert count.known.asks[: len(living.doubts)] == living.doubts


def test_so_it_is_with_five_players_and_without_a_word_of_the_opening_post() -> None:
    opening = "Players:<br>" + "<br>".join(SEVEN[:5])
    forgets = "Votecount 1<br>Linnet (1): Hazel<br>Not voting: Linnet, Moss, Perrin"
    count = counted(
        ("Hazel", "Linnet"), ("Tansy", forgets), ("Moss", "Quill"), ("Quill", "Moss"), opening=opening
    )
    assert wagons(count) == {"Linnet": 1, "Quill": 1, "Moss": 1}
    assert (count.tally.needed, count.known.living.how) == (None, How.OPEN)


def test_so_it_is_where_the_votecount_states_the_number_of_those_whom_it_lists() -> None:
    forgets = f"{FORGETS}<br>With 5 alive, it takes 3 to eliminate."
    count = counted(*FIRST_TWO, ("Tansy", forgets), *AFTER)
    assert wagons(count) == {"Rowan": 3, "Linnet": 1, "Moss": 1}
    assert (count.tally.needed, count.tally.hammer) == (None, None)


def test_so_it_is_with_a_later_votecount_of_the_day() -> None:
    forgets = "Votecount 1.2<br>Rowan (2): Hazel, Linnet<br>Hazel (1): Rowan<br>Not voting (2): Moss, Perrin"
    count = counted(*ON_ROWAN[:4], ("Tansy", forgets.replace("1.2", "1.2")), ("Quill", "Moss"))
    assert "Moss" in wagons(count)
    assert count.tally.hammer is None


@pytest.mark.parametrize("not_voting", ["Moss, Perrin", "Moss, Perrin, Quill, Sorrel, Wren"])
def test_of_lists_of_several_sizes_one_of_as_many_as_the_moderator_says_is_taken(not_voting: str) -> None:
    later = f"Votecount 1.2<br>Rowan (2): Hazel, Linnet<br>Hazel (1): Rowan<br>Not voting: {not_voting}"
    count = counted(*ON_ROWAN[:4], ("Tansy", later), *ON_ROWAN[4:6])
    living = count.known.living
    assert (living.how, living.value, living.post) == (How.READ, 7, 5)
    assert count.tally.hammer is not None and count.tally.hammer.post == 8


def test_whoever_is_told_dead_above_the_votecount_is_dead() -> None:
    told = f"<b>Rowan and Sorrel were modkilled.</b><br>{FORGETS}"
    count = counted(*FIRST_TWO, ("Tansy", told), ("Perrin", "Linnet"))
    assert (count.tally.alive, count.tally.needed, count.known.living.how) == (5, 3, How.READ)
    assert count.tally.hammer is not None and count.tally.hammer.post == 5


def test_whoever_came_in_for_somebody_is_not_missing() -> None:
    later = FULL_COUNT.replace("1.1", "1.2").replace("Sorrel", "Wren")
    count = counted(*ON_ROWAN[:4], ("Tansy", later), ("Wren", "Hazel"), ("Moss", "Rowan"))
    assert (count.tally.alive, count.tally.needed, count.known.living.how) == (7, 4, How.READ)


@pytest.mark.parametrize("stated", ["", "<br>With 4 alive, it takes 3 to eliminate."])
def test_whoever_votes_on_a_day_lives_though_its_votecount_forgets_them(stated: str) -> None:
    night = ("Tansy", "Day 1 is over. Rowan was eliminated. It is now Night 1.")
    morning = ("Tansy", "Day 2 begins. Sorrel was killed.")
    second = "Votecount 2.1<br>Hazel (1): Moss<br>Not voting (3): Hazel, Linnet, Perrin"
    count = counted(
        *ON_ROWAN[:6],
        night,
        morning,
        ("Moss", "Hazel"),
        ("Tansy", second + stated),
        ("Quill", "Hazel"),
        day=2,
    )
    assert wagons(count) == {"Hazel": 2}
    assert count.tally.hammer is None
    assert (count.known.living.how, count.tally.needed) == (How.OPEN, None)


def test_a_hammer_that_every_reading_has_is_claimed_and_it_is_said() -> None:
    forgets = "Votecount 1<br>Linnet (2): Hazel, Moss<br>Not voting: Linnet, Perrin, Quill, Rowan"
    both = (("Perrin", "Linnet"), ("Quill", "Linnet"))
    count = counted(*FIRST_TWO, ("Tansy", forgets), *both)
    assert [reading.value for reading in count.known.living.readings] == [7, 6]
    assert count.tally.hammer is not None and count.tally.hammer.post == 6
    assert (count.tally.needed, count.known.needed.how) == (4, How.READ)
    assert [reading.names for reading in count.known.living.readings] == [("Sorrel",), ()]
    assert count.known.asks == ()
    assert said(count, "Whichever of these is right, post #6 is the hammer.")
    assert not said(count, "no hammer")


def test_a_hammer_that_only_one_reading_has_is_not_claimed() -> None:
    count = counted(*HERE, *FIRST_TWO, ("Tansy", FORGETS), ("Perrin", "Linnet"))
    assert [reading.value for reading in count.known.needed.readings] == [4, 3]
    assert (count.tally.needed, count.tally.hammer, wagons(count)) == (None, None, {"Linnet": 3})


def test_a_votecount_by_which_the_players_are_counted_bears_nothing() -> None:
    whole = "Votecount 1<br>Linnet (2): Hazel, Moss<br>Not voting: Linnet, Perrin, Quill, Rowan, Sorrel"
    for posted in (whole, FORGETS):
        assert counted(*HERE, *FIRST_TWO, ("Tansy", posted)).second is None
    wrong = whole.replace("Linnet (2): Hazel, Moss", "Linnet (1): Hazel<br>Hazel (1): Moss")
    differs = counted(*HERE, *FIRST_TWO, ("Tansy", wrong)).second
    assert "differs in 1 vote" in next(iter(second_count_lines(differs, "No Elimination")))
    filed = CountConfig("game.toml", moderators=("Tansy",), roster=roster_of(SEVEN))
    assert counted(*FIRST_TWO, ("Tansy", whole), config=filed).second is not None


@pytest.mark.parametrize(("silent", "how"), [(("Sorrel",), How.READ), ((), How.OPEN)])
def test_a_voter_whom_no_list_names_may_be_a_listed_player_who_never_posts(
    silent: tuple[str, ...], how: How
) -> None:
    """An account and a name on the list may be one person; where everybody listed posts, they are not."""
    listed = FULL_COUNT.replace("<br>With 7 alive, it takes 4 to eliminate.", "")
    here = tuple(post for post in HERE if post[0] not in silent)
    count = counted(*here, *ON_ROWAN[:3], ("Tansy", listed), ("Wren", "Moss"), ("Wren", "Rowan"))
    assert (count.known.living.how, count.known.living.value) == (how, 7)
    assert said(count, "does not list Wren, who vote.") is not bool(silent)


# ---- Nobody lives again for having been listed

TEN = (*SEVEN, "Teal", "Umber", "Vetch")
COUNT_OF_TEN = (
    "Votecount 1.1<br>Hazel (1): Moss<br>Not voting (9): Hazel, Linnet, Perrin, Quill, Rowan, Sorrel, Teal, "
    "Umber, Vetch<br>With 10 alive, it takes 6 to eliminate."
)
DAY_ONE = (
    ("Moss", "Hazel"),
    ("Tansy", COUNT_OF_TEN),
    *((who, "Teal") for who in ("Hazel", "Linnet", "Moss", "Perrin", "Quill", "Rowan")),
    ("Tansy", "Teal, Townie, was eliminated on Day 1. It is now Night 1."),
)
DEATHS = "Umber, Townie, was killed.<br>Vetch, Townie, is also found dead.<br>It is now Day 2."
STATED = "<br>With 7 alive, it takes 4 to eliminate."
TOOL = (
    "Tansy",
    "Votecount 2.1<br>Hazel (3): Moss, Linnet, Perrin<br>Not voting (7): Hazel, Quill, Rowan, Sorrel, Teal, "
    "Umber, Vetch<br>With 10 alive, it takes 6 to eliminate.",
)
ON_HAZEL = (("Moss", "Hazel"), ("Linnet", "Hazel"), ("Perrin", "Hazel"))


def test_the_dead_do_not_live_again_by_a_votecount_that_lists_them() -> None:
    count = counted(*DAY_ONE, ("Tansy", DEATHS + STATED), *ON_HAZEL, TOOL, opening=BARE)
    assert (count.day.number, count.tally.alive, count.tally.needed) == (2, 7, 4)
    assert [wagon.size for wagon in count.tally.wagons] == ["3/4"]
    assert said(count, "Teal, Umber, Vetch")
    full = counted(*DAY_ONE, ("Tansy", DEATHS + STATED), *ON_HAZEL, TOOL, ("Quill", "Hazel"), opening=BARE)
    assert full.tally.hammer is not None and full.tally.hammer.post == 16


def test_without_their_number_both_readings_are_possible() -> None:
    count = counted(*DAY_ONE, ("Tansy", DEATHS), *ON_HAZEL, TOOL, ("Quill", "Hazel"), opening=BARE)
    assert (count.tally.needed, count.tally.hammer, count.known.living.how) == (None, None, How.OPEN)
    assert [reading.value for reading in count.known.living.readings] == [7, 10]
    assert said(count, "whom post #15 lists again")


def test_a_post_that_says_so_brings_somebody_back() -> None:
    back = ("Tansy", "Teal, Umber and Vetch have been resurrected and are alive again.")
    count = counted(*DAY_ONE, ("Tansy", DEATHS), back, *ON_HAZEL, TOOL, opening=BARE)
    assert (count.tally.alive, count.tally.needed, count.known.living.how) == (10, 6, How.READ)


# ---- A day on which nobody is told dead


def test_a_new_day_of_which_no_post_tells_a_death_has_no_threshold() -> None:
    night = ("Tansy", "You all gather, and Rowan is no more. It is now Night 1.")
    morning = ("Tansy", "Nobody knows how, but there is less laughter at the weir.<br>It is now Day 2.")
    count = counted(*ON_ROWAN[:6], night, morning, ("Moss", "Hazel"), opening=BARE)
    assert (count.day.number, count.tally.needed, count.known.living.how) == (2, None, How.OPEN)
    assert said(count, "What day 1 and the night after it brought is not told")
    spared = ("Tansy", "Nobody was eliminated. It is now Night 1.")
    awake = ("Tansy", "Nobody died in the night.<br>It is now Day 2.")
    quiet = counted(*ON_ROWAN[:5], spared, awake, ("Moss", "Hazel"), opening=BARE)
    assert (quiet.day.number, quiet.tally.alive, quiet.tally.needed) == (2, 7, 4)


# ---- The opening post's list


def test_a_death_in_the_middle_of_the_day_is_held_against_the_opening_list() -> None:
    three = tuple((who, "Rowan") for who in SEVEN[:3])
    gone = ("Tansy", "Sorrel has been modkilled.")
    count = counted(*three, gone, ("Perrin", "Rowan"))
    assert (count.known.living.how, count.known.living.value) == (How.READ, 6)
    assert count.tally.hammer is not None and count.tally.hammer.post == 6
    stated = ("Tansy", "Sorrel has been modkilled. With 6 alive, it takes 4 to eliminate.")
    sure = counted(*three, stated, ("Perrin", "Rowan"))
    assert (sure.tally.alive, sure.tally.needed, sure.known.living.how) == (6, 4, How.READ)
    two = counted(
        *three, ("Tansy", "Sorrel has been modkilled."), ("Tansy", "Quill died, too."), ("Perrin", "Rowan")
    )
    assert (two.tally.alive, two.tally.needed) == (5, 3)


def test_who_is_listed_dead_on_the_first_day_and_of_whom_no_post_tells_it_is_open() -> None:
    rows = [f"{place}. {name}" for place, name in enumerate(SEVEN[:5], 1)]
    opening = "<br>".join(("Players", *rows, "6. <s>Rowan</s>", "7. Sorrel, dead"))
    count = counted(*HERE, ("Hazel", "Linnet"), opening=opening)
    assert (count.known.living.how, count.tally.needed) == (How.OPEN, None)
    assert {reading.value for reading in count.known.living.readings} == {5, 7}
    stated = ("Tansy", "With 5 alive, it takes 3 to eliminate.")
    assert counted(*HERE, stated, ("Hazel", "Linnet"), opening=opening).tally.needed == 3


def test_a_threshold_of_the_opening_post_that_contradicts_its_list_is_doubted() -> None:
    assert counted(*HERE, ("Hazel", "Linnet"), opening=FOUR).tally.needed == 4
    count = counted(*HERE, ("Hazel", "Linnet"), opening=FOUR.replace("4 to", "3 to"))
    assert (count.tally.needed, count.known.needed.how) == (None, How.OPEN)
    assert said(count, "The opening post says that it takes 3 votes, but by this list 7 are alive.")


def test_a_longer_list_in_the_opening_post_may_be_that_of_the_players() -> None:
    rows = (f"{place}. {name}" for place, name in enumerate(SEVEN, 1))
    opening = "<br>".join(("Signed up first:", *SEVEN[:3], "", "Players", *rows))
    count = counted(*THREE_ON_ONE[:2], ("Linnet", "Hazel"), ("Hazel", "unvote"), opening=opening)
    assert (count.known.living.how, count.tally.needed) == (How.OPEN, None)
    assert {reading.value for reading in count.known.living.readings} == {3, 7}


# ---- A threshold above half plus one of the living


def test_a_threshold_above_half_plus_one_is_said_and_not_believed() -> None:
    every = FULL_COUNT.replace("it takes 4", "it takes 7")
    again = every.replace("1.1", "1.2")
    count = counted(*ON_ROWAN[:3], ("Tansy", every), ("Tansy", again), ("Moss", "Rowan"), ("Perrin", "Rowan"))
    assert (count.tally.needed, count.tally.hammer) == (None, None)
    assert [reading.value for reading in count.known.needed.readings] == [4, 7]
    assert said(count, "it takes 7 votes, but post #6 lists 7 players")
    morning = "Day 2 begins. Sorrel was killed.<br>With 5 alive, it takes 5 to eliminate."
    ended = ("Tansy", "Rowan was eliminated.")
    second = counted(*ON_ROWAN[:6], ended, ("Tansy", morning), ("Moss", "Hazel"), opening=BARE)
    assert (second.day.number, second.tally.needed) == (2, None)


def test_a_lower_threshold_that_several_votecounts_state_is_the_houses() -> None:
    lower = FULL_COUNT.replace("it takes 4", "it takes 3")
    count = counted(
        *ON_ROWAN[:3], ("Tansy", lower), ("Tansy", lower.replace("1.1", "1.2")), ("Moss", "Rowan")
    )
    assert (count.tally.needed, count.known.needed.how) == (3, How.READ)
    assert count.tally.hammer is not None


def test_a_lower_threshold_that_one_votecount_states_may_be_a_slip() -> None:
    lower = FULL_COUNT.replace("it takes 4", "it takes 3")
    count = counted(*ON_ROWAN[:3], ("Tansy", lower), ("Moss", "Rowan"))
    assert (count.tally.needed, count.tally.hammer) == (None, None)
    assert [reading.value for reading in count.known.needed.readings] == [4, 3]
    assert said(count, "The moderator says that it takes 3 votes, but post #5 lists 7 players.")


# ---- What the moderator answered, and what the file says


def test_who_died_since_the_day_began_is_dead_in_an_answer_too() -> None:
    answer = CountConfig(answers=(DayAnswer(1, 1, SEVEN),))
    gone = ("Tansy", "Sorrel has been modkilled.")
    count = counted(*FIRST_TWO, gone, opening=BARE, config=answer)
    assert (count.tally.alive, count.tally.needed, count.known.living.how) == (6, 4, How.KNOWN)
    assert said(count, "Sorrel died since")


def answered(*names: str) -> CountConfig:
    return CountConfig(answers=(DayAnswer(1, alive=names),))


FORGETTING = (*FIRST_TWO, ("Tansy", FORGETS), *AFTER)
"""Post 4 forgets Rowan and Sorrel."""


def test_whether_each_of_those_lives_is_asked_in_one_sentence_each() -> None:
    count = counted(*FORGETTING, opening=FOUR)
    for name in ("Rowan", "Sorrel"):
        ways = (Way("say_lives", day=1, slot=name), Way("say_dead", day=1, slot=name))
        assert [one for one in count.assumed if ways_of(one) == ways], name
    assert not said(counted(*FIRST_TWO, opening=FOUR), "lives")


def test_an_answer_about_some_changes_the_reading_that_is_counted_by() -> None:
    count = counted(*FORGETTING, opening=FOUR, config=answered("+Rowan", "-Sorrel"))
    assert (count.tally.alive, count.tally.needed, count.known.living.how) == (6, 4, How.KNOWN)
    assert wagons(count) == {"Rowan": 3, "Linnet": 1, "Moss": 1}
    assert said(count, "You said that Rowan lives, and that Sorrel does not.")
    assert not said(count, "does not list")
    both = counted(*FORGETTING, opening=FOUR, config=answered("-rowan", "-Sorrel"))
    assert (both.tally.alive, both.known.living.how) == (5, How.KNOWN)
    assert "Rowan" not in wagons(both)


def test_who_was_not_answered_about_stays_open() -> None:
    count = counted(*FORGETTING, opening=FOUR, config=answered("+Rowan"))
    living = count.known.living
    assert (living.how, [reading.names for reading in living.readings]) == (How.OPEN, [("Sorrel",), ()])
    assert [reading.value for reading in living.readings] == [7, 6]
    assert [way.values["slot"] for one in count.assumed for way in ways_of(one) if way.to == "say_lives"] == [
        "Sorrel"
    ]


def test_a_death_in_the_middle_of_the_day_is_where_its_post_tells_it() -> None:
    lists = "Votecount 1<br>Linnet (2): Hazel, Moss<br>Not voting (5): Linnet, Perrin, Quill, Rowan, Sorrel"
    dies = (*FIRST_TWO, ("Sorrel", "Moss"), ("Tansy", lists), ("Tansy", "Sorrel has been modkilled."))
    told = counted(*dies, opening=FOUR)
    assert (told.tally.alive, told.known.living.how) == (6, How.READ)
    assert wagons(told) == {"Linnet": 2}
    dead = counted(*dies, opening=FOUR, config=answered("-Sorrel"))
    assert (dead.tally.alive, dead.known.living.how) == (6, How.KNOWN)
    alive = counted(*dies, opening=FOUR, config=answered("+Sorrel"))
    assert (alive.tally.alive, alive.known.living.how) == (7, How.KNOWN)


def test_a_name_that_is_nobodys_is_said_to_be() -> None:
    count = counted(*FORGETTING, opening=FOUR, config=answered("-Zed", "+Rowan", "+Sorrel"))
    assert said(count, "Zed is nobody who was alive")


def test_a_form_of_the_board_is_taken_back_by_an_answer_too() -> None:
    assert wagons(counted(*HERE, *FIRST_TWO)) == {"Linnet": 2}
    assert wagons(counted(*HERE, *FIRST_TWO, config=CountConfig(house=("no bold",)))) == {}


def test_what_the_file_lists_is_known() -> None:
    filed = CountConfig("game.toml", moderators=("Tansy",), roster=roster_of(SEVEN))
    known = counted(*FIRST_TWO, config=filed).known
    assert {part.how for part in (known.living, known.needed, known.rule)} == {How.KNOWN}
    assert (known.living.value, known.needed.value, known.rule.value) == (7, 4, "majority")
    plural = replace(filed, rule=Rule(death=Death.PLURALITY))
    assert counted(*FIRST_TWO, config=plural).known.needed.readings == ()


def test_json_tells_how_each_part_is_known() -> None:
    known = votecount_json(counted(*ON_ROWAN[:5]))["known"]
    assert known["living"] == {
        "how": "read",
        "readings": [{"value": 7, "post": 5, "names": []}],
        "why": [],
    }
    assert (known["needed"]["how"], known["needed"]["readings"][0]["value"]) == ("read", 4)
    assert known["rule"]["readings"] == [{"value": "majority", "post": 5, "names": []}]
    unknown = votecount_json(counted(*MOVED, opening=BARE))["known"]
    assert (unknown["living"]["how"], unknown["needed"]["how"], unknown["rule"]["how"]) == ("open",) * 3
    assert unknown["living"]["why"] == ["More may play than have posted so far."]


# ---- The list of players was edited since the day that is counted

FIRST_DAY = (*HERE, *HERE, *((who, "Moss") for who in ("Hazel", "Linnet", "Quill", "Rowan")))
DAWN = (
    ("Tansy", "!Moss was eliminated, a Vanilla Townie. Night 1 begins."),
    ("Tansy", "!Day 2 begins. Perrin was killed last night."),
    ("Hazel", "Quill"),
)


def edited(*names: str) -> str:
    return "Welcome to the weir. Players:<br>" + "<br>".join(names)


def who_lives(count: Votecount) -> set[str]:
    return {one.voter.name for wagon in count.tally.wagons for one in wagon.votes} | {
        slot.name for slot in count.tally.not_voting
    }


def test_of_whom_nothing_was_heard_by_the_second_day_does_not_count_and_is_told() -> None:
    count = counted(*FIRST_DAY, *DAWN, opening=edited(*SEVEN, "Wick"))
    assert who_lives(count) == {"Hazel", "Linnet", "Quill", "Rowan", "Sorrel"}
    assert said(count, "Nothing was heard of Wick")
    assert count.tally.needed == 3


def test_who_is_silent_where_most_have_hardly_posted_counts() -> None:
    count = counted(*FIRST_DAY[len(HERE) :], *DAWN, opening=edited(*SEVEN, "Wick"))
    assert "Wick" in who_lives(count)


def test_whoever_is_voted_for_is_heard_of() -> None:
    count = counted(*FIRST_DAY, *DAWN, ("Rowan", "Wick"), opening=edited(*SEVEN, "Wick"))
    assert "Wick" in who_lives(count)


def test_who_plays_unlisted_has_the_seat_of_the_newcomer_who_is_listed() -> None:
    listed = edited(*(name for name in SEVEN if name != "Sorrel"), "Wick")
    count = counted(*FIRST_DAY, ("Sorrel", "Moss"), *DAWN, ("Sorrel", "Hazel"), opening=listed)
    assert who_lives(count) == {"Hazel", "Linnet", "Quill", "Rowan", "Sorrel"}
    assert said(count, "counted for somebody of whom nothing was heard: Sorrel (for Wick).")


def test_a_list_that_has_more_dead_than_were_told_is_of_a_later_day() -> None:
    shown = [*SEVEN[:4], "<s>Quill</s>", "Rowan", "<s>Sorrel</s>"]
    count = counted(*FIRST_DAY, *DAWN, ("Quill", "Hazel"), opening=edited(*shown))
    assert who_lives(count) == {"Hazel", "Linnet", "Quill", "Rowan", "Sorrel"}


def test_of_two_who_are_listed_one_may_have_come_in_for_the_other() -> None:
    came = ("Tansy", "!Wick replaces Linnet.")
    count = counted(*FIRST_DAY, came, *DAWN, ("Wick", "Hazel"), opening=edited(*SEVEN, "Wick"))
    assert who_lives(count) == {"Hazel", "Wick", "Quill", "Rowan", "Sorrel"}


def test_whoever_announces_what_only_a_moderator_does_moderates_where_the_opening_is_anothers() -> None:
    dawn = (("Brook", "!Night 1 begins."), ("Brook", "!Day 2 begins. Perrin was killed last night."))
    moss = ("Brook", "!Moss was eliminated, a Vanilla Townie.")
    count = counted(*FIRST_DAY, moss, *dawn, ("Hazel", "Quill"))
    assert said(count, "Moderator: Tansy, who wrote the opening post, and Brook")
    assert who_lives(count) == {"Hazel", "Linnet", "Quill", "Rowan", "Sorrel"}


# ---- What is said when the time is up, and in the middle of the game

PLURAL = LISTED + "<br>Whoever has the most votes when I call time is eliminated."


def test_no_vote_counts_that_is_written_after_the_moderator_called_time() -> None:
    called = ("Tansy", "!Time! The polls are closed.")
    count = counted(*HERE, ("Hazel", "Quill"), ("Moss", "Quill"), called, ("Rowan", "Moss"), opening=PLURAL)
    assert wagons(count) == {"Quill": 2}
    assert said(count, "votes behind it do not count: Rowan #12")


def test_whoever_comes_back_at_dawn_plays() -> None:
    gone = ("Tansy", "!Moss was eliminated, a Vanilla Townie. Night 1 begins.")
    back = ("Tansy", "!Nobody was killed: up from the cellar comes Moss, alive and well. Day 2 begins.")
    assert "Moss" in who_lives(counted(*FIRST_DAY, gone, back, ("Moss", "Hazel")))


def test_a_thread_that_begins_on_a_later_day_has_its_dead_in_the_opening_post() -> None:
    shown = [
        "Hazel",
        "<s>Linnet (Town Cook, killed Night 1)</s>",
        *SEVEN[2:6],
        "<s>Sorrel (eliminated Day 1)</s>",
    ]
    opening = "<b>Day 2</b> of the weir.<br>Players:<br>" + "<br>".join(shown)
    here = tuple(one for one in HERE if one[0] not in ("Linnet", "Sorrel"))
    count = counted(*here, ("Hazel", "Moss"), ("Quill", "Moss"), opening=opening)
    assert count.day.number == 2
    assert who_lives(count) == {"Hazel", "Moss", "Perrin", "Quill", "Rowan"}
