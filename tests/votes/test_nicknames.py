"""Which nicknames does a thread teach? Every name and post here is invented."""

from dataclasses import replace

import pytest

from knightfall.markup.html import parse_html
from knightfall.markup.html_style import PLAIN
from knightfall.models import Departure, DepartureKind, Holder, Roster, Slot, roster_of
from knightfall.names import Names
from knightfall.votes.nicknames import ClaimBasis, DayRead, Proposal, Strength, suggestions
from knightfall.votes.posted_votecounts import posted_votecount
from knightfall.votes.rule import Rule
from knightfall.votes.tally import Day, Fix, Moderation
from votes.build import ballots

CAST = roster_of(["Ada", "Boro", "Cinder", "Dusk_77", "Elm", "Fen", "Kestrel", "Moth"])


def learned(
    lines: str,
    counts: dict[int, str] | None = None,
    roster: Roster = CAST,
    fixes: dict[int, Fix] | None = None,
) -> dict[str, Proposal]:
    """Alias → proposal, of votes (see `ballots`) and of Wren's counts by post, lines parted by |."""
    day = DayRead(
        Day(), 1000, roster, Rule(), tuple(ballots(lines)), Moderation(frozenset({"wren"}), fixes or {})
    )
    said = {post: parse_html(text.replace("|", "<br>"), PLAIN) for post, text in (counts or {}).items()}
    posted = (posted_votecount(post, "Wren", nodes, day.names_at(post)) for post, nodes in said.items())
    proposals = suggestions((day.with_counts(tuple(count for count in posted if count)),))
    return {proposal.alias: proposal for proposal in proposals}


def meant(proposals: dict[str, Proposal]) -> dict[str, str]:
    return {alias: proposal.slot.name for alias, proposal in proposals.items()}


@pytest.mark.parametrize(
    "line",
    [
        "Kestrel (3): Ada, Boro, Elm",
        "Kestrel - 3 (Ada, Boro, Elm)",
        "Kestrel: 3 (Ada, Boro, Elm)",
        "3 - Kestrel - Ada, Boro, Elm",
        "[3] Kestrel: Ada, Boro, Elm",
        "Kestrel - Ada, Boro, Elm (L-2)",
        "• Kestrel (3/5) ~ Ada (12), Boro (14), Elm (#20)",
        "Kestrel [3]: Ada, Boro and Elm",
    ],
)
def test_a_moderators_wagon_is_read_in_the_form_of_many_houses(line: str) -> None:
    nodes = parse_html(f"{line}<br>Not voting (1): Fen", PLAIN)
    posted = posted_votecount(9, "Wren", nodes, Names(CAST.slots))
    assert posted is not None
    target = posted.rows[0].target
    assert target is not None and target.name == "Kestrel"
    assert [voter.name for voter in posted.rows[0].voters] == ["Ada", "Boro", "Elm"]
    assert posted.rows[1].idle


@pytest.mark.parametrize(
    "text",
    [
        "Kestrel (3): Ada, Boro<br>Elm (1): Fen, Moth",  # sizes that are wrong
        "Kestrel (2): Ada, Boro<br>Elm (1): Ada",  # somebody votes twice
        "Kestrel (2): Ada, Boro",  # one line is no count
        "Deadline: Friday, noon<br>Reminder: be kind, please",
        "",
    ],
)
def test_what_does_not_agree_with_itself_is_no_votecount(text: str) -> None:
    assert posted_votecount(9, "Wren", parse_html(text, PLAIN), Names(CAST.slots)) is None


def test_the_heading_over_exactly_a_slots_voters_is_a_name_of_it() -> None:
    votes = "2 Ada: Vote: Kestrel\n3 Boro: Vote: Kestrel\n4 Elm: Vote: Fen"
    found = learned(votes, {9: "Birdie (2): Ada, Boro|Fen (1): Elm"})
    assert meant(found) == {"Birdie": "Kestrel"}
    assert found["Birdie"].strength is Strength.FAIR
    assert found["Birdie"].uses[0].because is ClaimBasis.HEADING


def test_a_heading_in_two_counts_is_strong() -> None:
    votes = "2 Ada: Vote: Kestrel\n3 Boro: Vote: Kestrel\n4 Elm: Vote: Fen"
    count = "Kes (2): Ada, Boro|Fen (1): Elm"
    assert learned(votes, {9: count, 12: count})["Kes"].strength is Strength.STRONG


@pytest.mark.parametrize(
    "count",
    [
        "Birdie (2): Ada, Elm|Fen (1): Boro",  # other voters than Kestrel's
        "Birdie (1): Boro|Kestrel (1): Ada|Fen (1): Elm",  # Kestrel has a wagon of his own
        "Birdie (1): Elm|Kestrel (2): Ada, Boro",  # one vote proves nothing: the count may be late
    ],
)
def test_a_heading_over_anything_else_teaches_nothing(count: str) -> None:
    assert learned("2 Ada: Vote: Kestrel\n3 Boro: Vote: Kestrel\n4 Elm: Vote: Fen", {9: count}) == {}


def test_the_only_voter_that_a_count_leaves_out_is_the_one_it_calls_otherwise() -> None:
    roster = roster_of(["Ada", "Boro", "Cinder", "Fen", "Moth"])
    votes = "2 Ada: Vote: Fen\n3 Boro: Vote: Fen\n4 Moth: Vote: Ada"
    count = "Fen (2): Ada, Sparks|Ada (1): Moth|Not voting (2): Cinder, Fen"
    assert meant(learned(votes, {9: count}, roster)) == {"Sparks": "Boro"}
    two_left_out = "Fen (2): Ada, Sparks|Ada (1): Moth|Not voting (1): Fen"
    assert learned(votes, {9: two_left_out}, roster) == {}


def test_a_later_count_shows_whom_two_people_meant_by_a_name_nobody_could_match() -> None:
    votes = "2 Ada: Vote: Birdie\n3 Boro: Vote: birdie\n4 Elm: Vote: Fen"
    found = learned(votes, {9: "Kestrel (2): Ada, Boro|Fen (1): Elm"})
    assert meant(found) == {"Birdie": "Kestrel"}
    assert (len(found["Birdie"].uses), found["Birdie"].people) == (2, 2)


def test_one_vote_that_one_count_shows_is_too_little() -> None:
    assert learned("2 Ada: Vote: Birdie\n4 Elm: Vote: Fen", {9: "Kestrel (1): Ada|Fen (1): Elm"}) == {}


def test_a_count_that_may_still_show_an_earlier_vote_teaches_nothing() -> None:
    votes = "2 Ada: Vote: Kestrel\n3 Boro: Vote: Kestrel\n5 Ada: Vote: Birdie\n6 Boro: Vote: Birdie"
    assert learned(votes, {9: "Kestrel (2): Ada, Boro|Not voting (1): Elm"}) == {}


def test_a_vote_moved_before_the_count_is_not_what_the_count_shows() -> None:
    votes = "2 Ada: Vote: Birdie\n3 Boro: Vote: Birdie\n5 Ada: Vote: Kestrel\n6 Boro: Vote: Kestrel"
    assert learned(votes, {9: "Kestrel (2): Ada, Boro|Not voting (1): Elm"}) == {}


def test_a_spelling_that_several_voters_share_is_proposed_and_one_slip_is_not() -> None:
    assert meant(learned("2 Ada: Vote: kstrl\n3 Boro: Vote: Kstrl")) == {"kstrl": "Kestrel"}
    assert learned("2 Ada: Vote: kstrl\n5 Ada: Vote: kstrl") == {}


def test_what_a_surer_rule_reads_by_itself_needs_no_alias() -> None:
    assert learned("2 Ada: Vote: kest\n3 Boro: Vote: kest") == {}


def test_a_count_that_contradicts_the_letters_ends_the_matter() -> None:
    votes = "2 Ada: Vote: kstrl\n3 Boro: Vote: kstrl"
    assert learned(votes, {9: "Moth (1): Ada|Kestrel (1): Boro"}) == {}


def test_a_name_that_could_be_somebody_elses_is_never_proposed() -> None:
    roster = roster_of(["Ada", "Boro", "Birdwell", "Elm", "Fen", "Kestrel"])
    votes = "2 Ada: Vote: Kestrel\n3 Boro: Vote: Kestrel\n4 Elm: Vote: Fen"
    count = "Bird (2): Ada, Boro|Fen (1): Elm"
    assert learned(votes, {9: count, 12: count}, roster) == {}


def test_a_name_of_the_dead_is_never_proposed_for_the_living() -> None:
    dead = Slot((Holder("Birdwell"),), left=Departure(DepartureKind.KILLED, 1))
    votes = "2 Ada: Vote: Kestrel\n3 Boro: Vote: Kestrel\n4 Elm: Vote: Fen"
    count = "Bird (2): Ada, Boro|Fen (1): Elm"
    assert learned(votes, {9: count, 12: count}, replace(CAST, slots=(*CAST.slots, dead))) == {}


@pytest.mark.parametrize("word", ["him", "scum", "Wren", "Kestrel lynched", "12", "no lynch"])
def test_words_that_are_no_names_are_never_proposed(word: str) -> None:
    votes = "2 Ada: Vote: Kestrel\n3 Boro: Vote: Kestrel\n4 Elm: Vote: Fen"
    assert learned(votes, {9: f"{word} (2): Ada, Boro|Fen (1): Elm"}) == {}


def test_the_moderators_decision_on_a_vote_teaches_the_name_in_it() -> None:
    votes = "2 Ada: Vote: Birdie\n3 Boro: Vote: Birdie"
    found = learned(votes, fixes={2: Fix(2, to="Kestrel"), 3: Fix(3, to="Kestrel")})
    assert meant(found) == {"Birdie": "Kestrel"}
    assert found["Birdie"].strength is Strength.STRONG
    assert learned(votes, fixes={2: Fix(2, to="Kestrel"), 3: Fix(3, to="Moth")}) == {}


def test_an_alias_that_is_given_is_not_proposed_again() -> None:
    votes = "2 Ada: Vote: kstrl\n3 Boro: Vote: kstrl"
    assert learned(votes, roster=CAST.with_alias("Kestrel", "kstrl")) == {}
