"""A count without a game file ends a day when its moderators said that it ends, and asks where they left it
open. Threads of Tansy's, all of whose posts show when they were written."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from knightfall.forums import html_style_of
from knightfall.models import UNKNOWN_ZONE, Post, PostId, Thread
from knightfall.votes.config import Ask, CountConfig
from knightfall.votes.count import Habits, votecount
from knightfall.votes.tally import UncountedReason
from knightfall.votes.votecount import Votecount

FIVE = "Players:<br>Hazel<br>Linnet<br>Moss<br>Perrin<br>Quill"
RULES = f"{FIVE}<br>With 5 alive it takes 3 votes to eliminate.<br>Day 1 begins."
BEGUN = datetime(2026, 12, 1, 9, tzinfo=UTC)
Said = tuple[str, str, str]
"""When, behind the 1st of December: “3 20:00”; who; and whom they vote for, or what Tansy writes."""


def at(said: str) -> datetime:
    day, _, clock = said.partition(" ")
    hour, minute = map(int, clock.split(":"))
    return datetime(2026, 12, int(day), hour, minute, tzinfo=UTC)


def thread(opening: str, *said: Said, zone: str | None = None, edited: datetime | None = None) -> Thread:
    posts = [Post(PostId("1"), 1, "Tansy", f"{RULES}<br>{opening}", time=BEGUN, zone=zone, edited=edited)]
    for number, (when, who, text) in enumerate(said, 2):
        body = text if who == "Tansy" else f"<b>Vote: {text}</b>"
        posts.append(Post(PostId(str(number)), number, who, body, time=at(when), zone=zone))
    return Thread("phpbb", "The weir", tuple(posts))


def counted(read: Thread, *house: str, day: int | None = None) -> Votecount:
    config = replace(CountConfig(), house=house)
    return votecount(read, Habits(html_style_of("phpbb")), config, Ask(day=day), BEGUN + timedelta(days=90))


def late(count: Votecount) -> set[int]:
    return {one.post for one in count.not_counted if one.why is UncountedReason.LATE}


def told(count: Votecount, words: str) -> str:
    return next((str(line) for line in count.assumed if words in line), "")


IN_TIME: tuple[Said, ...] = (("2 10:00", "Hazel", "Moss"), ("2 11:00", "Linnet", "Moss"))


@pytest.mark.parametrize(
    "deadline",
    [
        "<b>Day 1 ends: Fri 04 Dec 2026, 20:00 UTC.</b> Votes must be posted by 19:59:59 UTC.",
        "Deadline: December 4, 20:00 UTC.",
        "Tag 1 endet am Freitag um 21:00 Uhr MEZ.",
        "Deadline:<br>Friday, 4 December, 8 PM GMT",
    ],
)
def test_a_vote_behind_the_stated_deadline_is_late_told_with_its_post_and_no_hammer(deadline: str) -> None:
    count = counted(thread(deadline, *IN_TIME, ("5 09:00", "Perrin", "Moss")))
    assert count.tally.hammer is None
    assert late(count) == {4}
    assert "Post #1 says" in told(count, "Perrin #4")


def test_a_vote_before_the_stated_deadline_counts_and_nothing_is_told_of_it() -> None:
    count = counted(thread("Deadline: December 4, 20:00 UTC.", *IN_TIME, ("4 19:59", "Perrin", "Moss")))
    assert count.tally.hammer is not None
    assert told(count, "Deadline") == ""


def test_votes_behind_a_stated_deadline_count_where_the_moderator_answers_so() -> None:
    read = thread("Deadline: December 4, 20:00 UTC.", *IN_TIME, ("5 09:00", "Perrin", "Moss"))
    count = counted(read, "no deadline")
    assert count.tally.hammer is not None


UNSURE = {
    "a time without a zone": ("Deadline: Friday 20:00.", "5 01:00"),
    "a date that can be two": ("Deadline: 12/03 at 8 pm ET.", "5 09:00"),
    "a day of the week alone": ("Day 1 ends on Friday.", "4 15:00"),
    "two statements that contradict": (
        "Day 1 ends on 4 December at 20:00 UTC.<br>Deadline: 6 December, 20:00 UTC.",
        "5 09:00",
    ),
}


@pytest.mark.parametrize("case", UNSURE)
def test_what_the_words_leave_open_is_one_question_and_no_hammer(case: str) -> None:
    deadline, when = UNSURE[case]
    read = thread(deadline, *IN_TIME, (when, "Perrin", "Moss"))
    count = counted(read)
    assert count.tally.hammer is None
    assert count.tally.needed is None
    assert not late(count)
    assert sum("Perrin #4" in line for line in count.assumed) == 1
    assert late(counted(read, "deadline")) == {4}
    assert counted(read, "no deadline").tally.hammer is not None


@pytest.mark.parametrize("when", ["4 05:00", "5 08:30"])
def test_a_time_without_a_zone_is_sure_where_no_zone_of_the_world_changes_it(when: str) -> None:
    count = counted(thread("Deadline: Friday 20:00.", *IN_TIME, (when, "Perrin", "Moss")))
    assert (count.tally.hammer is None) is (when == "5 08:30")
    assert (late(count) == {4}) is (when == "5 08:30")


def test_a_deadline_that_a_later_post_extends_holds_from_that_post_on() -> None:
    read = thread(
        "Deadline: December 4, 20:00 UTC.",
        *IN_TIME,
        ("4 18:00", "Tansy", "Deadline extended by 24h."),
        ("5 19:00", "Perrin", "Moss"),
        ("5 20:30", "Quill", "Moss"),
    )
    count = counted(read)
    assert count.tally.hammer is not None
    assert count.tally.hammer.post == 5


def test_a_vote_between_the_old_deadline_and_the_post_that_extends_it_is_late_and_told() -> None:
    read = thread(
        "Deadline: December 4, 20:00 UTC.",
        *IN_TIME,
        ("4 21:00", "Quill", "Hazel"),
        ("4 22:00", "Tansy", "The deadline has been moved to Saturday, 21:00 UTC."),
        ("5 19:00", "Perrin", "Moss"),
    )
    count = counted(read)
    assert late(count) == {4}
    assert count.tally.hammer is not None
    assert told(count, "Quill #4")


def test_an_extension_that_is_said_twice_may_be_one_or_two() -> None:
    extended = "Deadline extended by 24h."
    read = thread(
        "Deadline: December 4, 20:00 UTC.",
        *IN_TIME,
        ("4 10:00", "Tansy", extended),
        ("4 18:00", "Tansy", extended),
        ("6 10:00", "Perrin", "Moss"),
    )
    count = counted(read)
    assert count.tally.hammer is None
    assert told(count, "Perrin #6")


def test_an_older_deadline_that_is_posted_again_behind_its_extension_is_a_question() -> None:
    read = thread(
        "Deadline: December 4, 20:00 UTC.",
        *IN_TIME,
        ("4 10:00", "Tansy", "The deadline has been moved to Saturday, 21:00 UTC."),
        ("4 12:00", "Tansy", "Reminder.<br>Deadline: December 4, 20:00 UTC."),
        ("5 19:00", "Perrin", "Moss"),
    )
    count = counted(read)
    assert count.tally.hammer is None
    assert told(count, "Perrin #6")


def test_a_time_without_a_zone_is_in_the_one_that_the_moderator_named_before() -> None:
    read = thread(
        "Deadline: December 4, 20:00 UTC.",
        *IN_TIME,
        ("4 10:00", "Tansy", "The deadline has been moved to Saturday, 21:00."),
        ("5 22:00", "Perrin", "Moss"),
    )
    assert late(counted(read)) == {5}


def test_the_deadline_of_an_earlier_day_does_not_bind_the_next() -> None:
    read = thread(
        "Deadline: December 4, 20:00 UTC.",
        *IN_TIME,
        ("3 12:00", "Perrin", "Moss"),
        ("4 20:10", "Tansy", "Moss was eliminated. Moss was a Villager. Night 1 begins."),
        ("6 20:00", "Tansy", "Day 2 begins. Nobody died. With 4 alive it takes 3 votes to eliminate."),
        ("7 10:00", "Hazel", "Quill"),
        ("7 11:00", "Linnet", "Quill"),
        ("7 12:00", "Perrin", "Quill"),
    )
    assert not late(counted(read, day=2))
    assert counted(read, day=2).tally.hammer is not None


def test_a_deadline_of_the_night_binds_no_day() -> None:
    read = thread("Night 1 ends Wednesday 20:00 UTC.", *IN_TIME, ("5 09:00", "Perrin", "Moss"))
    assert counted(read).tally.hammer is not None


def test_a_span_in_an_edited_post_counts_from_the_post_or_from_the_edit() -> None:
    read = thread("Day 1 ends in 48 hours.", ("3 08:00", "Hazel", "Moss"), ("3 08:30", "Linnet", "Moss"),
                  ("3 12:00", "Perrin", "Moss"), edited=at("2 09:00"))  # fmt: skip
    count = counted(read)
    assert count.tally.hammer is None
    assert told(count, "Perrin #4")


def test_no_vote_is_late_while_the_deadline_is_suspended() -> None:
    read = thread(
        "Deadline: December 4, 20:00 UTC.",
        *IN_TIME,
        ("4 10:00", "Tansy", "The deadline is suspended until Moss is replaced."),
        ("6 10:00", "Perrin", "Moss"),
    )
    assert counted(read).tally.hammer is not None


def test_a_countdown_of_the_board_goes_by_the_clock_of_its_posts() -> None:
    deadline = "Deadline is in (expired on 2026-12-04 20:00:00)"
    read = thread(deadline, *IN_TIME, ("4 19:00", "Perrin", "Moss"), zone=UNKNOWN_ZONE)
    assert counted(read).tally.hammer is not None
    read = thread(deadline, *IN_TIME, ("4 20:10", "Perrin", "Moss"), zone=UNKNOWN_ZONE)
    assert late(counted(read)) == {4}


def test_a_hammer_near_the_deadline_stands_where_the_moderator_tells_that_it_eliminated() -> None:
    read = thread(
        "Deadline: Friday 20:00.",
        *IN_TIME,
        ("4 22:00", "Perrin", "Moss"),
        ("4 23:00", "Tansy", "Moss was eliminated. Moss was a Villager. Night 1 begins."),
    )
    assert counted(read, day=1).tally.hammer is not None


def test_several_who_vote_on_behind_a_deadline_make_it_a_question() -> None:
    late_ones = tuple(("5 09:00", who, "Moss") for who in ("Perrin", "Quill", "Moss"))
    count = counted(thread("Deadline: December 4, 20:00 UTC.", *IN_TIME, *late_ones))
    assert not late(count)
    assert told(count, "Quill #5")


def test_clocks_whose_zone_nobody_knows_make_a_vote_near_the_deadline_a_question() -> None:
    deadline = "Deadline: December 4, 20:00 UTC."
    near = thread(deadline, *IN_TIME, ("4 23:00", "Perrin", "Moss"), zone=UNKNOWN_ZONE)
    far = thread(deadline, *IN_TIME, ("6 09:00", "Perrin", "Moss"), zone=UNKNOWN_ZONE)
    assert told(counted(near), "Perrin #4")
    assert not late(counted(near))
    assert late(counted(far)) == {4}
