"""What is told of a decision on a post: what it does in the count that follows, and why it does nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from knightfall.errors import InputError
from knightfall.services.count.explain import seen_fix
from knightfall.services.count.votecount import answer_of, counted, post_of
from knightfall.services.day.close import close
from knightfall.services.day.phases import lock, open_phase
from knightfall.services.game.players import modkill, replace_player
from knightfall.services.journal import Decision, fix
from knightfall.services.requests import CountRequest, PhaseRequest, PostOptions
from knightfall.services.window.turns import close as close_window
from knightfall.writeups.vote_words import REASONS, fix_effect_line
from services.voting_day import VotingDay, voting_day

BORO, IGNORED = Decision(to="Boro"), Decision(ignore=True)
UNVOTE, COUNT, NOBODY = Decision(unvote=True), Decision(count=True), Decision(no_elimination=True)


@pytest.fixture
def day(tmp_path: Path) -> VotingDay:
    """Day 1 of seven. Cinder is taken out with post 4, and Rook takes Fen's slot with post 7."""
    day = voting_day(tmp_path, "custom_mafia")
    day.said += [
        ("Ada", "[b]Vote: Elm[/b]"),  # 2
        ("Boro", "vote the one who hides"),  # 3
        ("Wren", "Cinder is out."),  # 4
        ("Cinder", "[b]Vote: Boro[/b]"),  # 5
        ("Fen", "I leave."),  # 6
        ("Rook", "Hello."),  # 7
        ("Fen", "[b]Vote: Boro[/b]"),  # 8
        ("Passer", "[b]Vote: Boro[/b]"),  # 9
        ("Wren", "[b]Vote: Boro[/b], as an example."),  # 10
        ("Ada", "[b]Vote: Gale[/b]"),  # 11
    ]
    modkill("Cinder", "4", "told a role", PostOptions(), day.session)
    replace_player("Fen", "Rook", "7", "", PostOptions(), day.session)
    return day


def told(day: VotingDay, post: int, decision: Decision) -> str:
    """What is said of the decision, which is in the journal then; "" of a day that is closed."""
    seen = seen_fix(fix(str(post), decision, "asked by PM", day.session), day.session)
    assert seen is not None
    return fix_effect_line(seen.effect, seen.count) if seen.closing is None else ""


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("post", "decision", "says"),
    [
        (3, Decision(to="Elm"), "In the count as of post 11, Boro votes for Elm."),
        (3, NOBODY, "In the count as of post 11, Boro votes for No Elimination."),
        (3, COUNT, "No vote was found in it, so nothing of it counts as of post 11."),
        (3, UNVOTE, "It takes nothing back: Boro had no vote then."),
        (11, UNVOTE, "It takes back Ada's vote for Elm."),
        (11, IGNORED, "No vote in it counts as of post 11."),
        (2, BORO, "It counts as Ada's vote for Boro until post 11, where that vote ends."),
        (5, BORO, "It does not count: Cinder was dead by that post, and the dead have no vote."),
        (5, NOBODY, "It does not count: Cinder was dead by that post, and the dead have no vote."),
        (5, COUNT, "It does not count: Cinder was dead by that post, and the dead have no vote."),
        (5, UNVOTE, "It does not count: Cinder was dead by that post, and the dead have no vote."),
        (7, Decision(to="Cinder"), "It does not count: whom it names was dead by that post."),
        (6, BORO, "In the count as of post 11, Rook (written by Fen) votes for Boro."),
        (8, BORO, "In the count as of post 11, Rook (written by Fen) votes for Boro."),
        (9, BORO, "It does not count: Passer is not a player."),
        (9, COUNT, "It does not count: Passer is not a player."),
        (10, BORO, "It does not count: Wren moderates and has no vote."),
        (10, UNVOTE, "It does not count: Wren moderates and has no vote."),
        (10, IGNORED, "No vote in it counts as of post 11."),
    ],
)
def test_a_decision_says_what_it_does_in_the_count(
    day: VotingDay, post: int, decision: Decision, says: str
) -> None:
    assert told(day, post, decision) == says


@pytest.mark.parametrize(
    ("post", "said"),
    [
        (3, "#3 counts as a vote for Elm (asked by PM)"),
        (5, "#5 decided as a vote for Elm (asked by PM), but does not count: the voter is dead"),
        (10, "#10 decided as a vote for Elm (asked by PM), but does not count: moderator's post"),
    ],
)
def test_a_footnote_does_not_say_of_a_vote_that_it_counts_where_it_cannot(
    day: VotingDay, post: int, said: str
) -> None:
    told(day, post, Decision(to="Elm"))
    request = CountRequest(stored=True, footnotes=True)
    answer = answer_of(counted(request, day.session), request, day.session)
    assert said in post_of(answer, request, day.session).text


def test_a_vote_for_the_moderator_is_told_of_whom_it_names_and_not_of_its_writer(day: VotingDay) -> None:
    day.said.append(("Boro", "[b]Vote: Wren[/b]"))
    assert told(day, 12, COUNT) == "It does not count: whom it names does not play."
    request = CountRequest(stored=True)
    answer = answer_of(counted(request, day.session), request, day.session)
    assert [REASONS[one.why] for one in answer.uncounted if one.post == 12] == ["the target does not play"]


def test_a_post_that_does_not_exist_is_no_post_to_decide_on(day: VotingDay) -> None:
    with pytest.raises(InputError, match="Post 12 is not in the thread, which went from 1 to 11"):
        fix("12", BORO, "asked", day.session)


def test_a_post_behind_the_lock_changes_nothing(day: VotingDay) -> None:
    lock(PhaseRequest("day", 1, post="9"), day.session)
    says = "Post 11 is behind the last post that counts on day 1 (9): its count does not change."
    assert told(day, 11, BORO) == says


def test_a_post_of_a_day_that_is_over_changes_nothing_in_the_next_one(day: VotingDay) -> None:
    close(day.look(early="it is enough"), "No Elimination", day.session)
    assert told(day, 3, BORO) == ""  # its own day stays as it ended
    close_window("night", "plain", day.session)
    day.said += [("Wren", "[b]Day 2 begins.[/b]"), ("Ada", "[b]Vote: Elm[/b]")]
    open_phase(PhaseRequest("day", 2, post="12"), PostOptions(), day.session)
    says = "Post 3 was made before day 2, which begins with post 12: the count of that day does not change."
    assert told(day, 3, Decision(to="Elm")) == says
    assert told(day, 13, BORO) == "In the count as of post 13, Ada votes for Boro."


def test_a_decision_on_a_vote_behind_the_hammer_says_that_it_is(day: VotingDay) -> None:
    for voter in ("Boro", "Elm", "Dusk_77"):
        day.said.append((voter, "[b]Vote: Gale[/b]"))  # with Ada four of six: 14 is the hammer
    day.said.append(("Rook", "too late"))
    says = "In the count as of post 15, Rook votes for Elm, although the hammer was post 14."
    assert told(day, 15, Decision(to="Elm")) == says
