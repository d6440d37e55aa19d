"""Facts of a day that only the moderator knows: resets, several eliminations, who came back, two votes."""

from __future__ import annotations

import pytest

from knightfall.models import Departure, DepartureKind, Holder, Roster, Slot, roster_of
from knightfall.votes.rule import Death, DoubleVoter, Rule
from knightfall.votes.tally import Day, UncountedReason, day_outcome
from votes.build import count, wagons

FIVE = "Ada Boro Cinder Elm Fen"

# ---- A reset in the middle of a day

RESET = Day(1, 1, None, None, (5,))


def test_with_a_reset_all_votes_before_it_are_gone_and_the_day_goes_on() -> None:
    found = count("2 Ada: vote: Fen\n3 Boro: vote: Fen\n6 Boro: vote: Elm", FIVE, day=RESET)
    assert wagons(found) == {"Elm": "Boro"}
    assert {slot.name for slot in found.not_voting} == {"Ada", "Cinder", "Elm", "Fen"}


def test_before_its_reset_a_count_is_as_it_was() -> None:
    assert wagons(count("2 Ada: vote: Fen\n6 Boro: vote: Elm", FIVE, until=4, day=RESET)) == {"Fen": "Ada"}


def test_a_reset_counts_even_where_nobody_votes_after_it() -> None:
    assert wagons(count("2 Ada: vote: Fen", FIVE, until=5, day=RESET)) == {}


def test_a_reset_takes_a_hammer_and_open_questions_back() -> None:
    said = "1 Ada: vote: Fen\n2 Boro: vote: Fen\n3 Cinder: vote: nobody here\n4 Cinder: vote: Fen"
    assert count(said, FIVE, until=4).hammer is not None
    found = count(f"{said}\n6 Elm: vote: Ada", FIVE, day=RESET)
    assert (found.hammer, found.questions, wagons(found)) == (None, (), {"Ada": "Elm"})


def test_a_vote_in_the_post_of_the_reset_counts() -> None:
    assert wagons(count("2 Ada: vote: Fen\n5 Boro: vote: Elm", FIVE, day=RESET)) == {"Elm": "Boro"}


# ---- Two eliminations a day

TWO = Rule(eliminations=2)
SEVEN = "Ada Boro Cinder Elm Fen Kestrel Moth"
FIRST = "\n".join(f"{n} {who}: vote: Moth" for n, who in enumerate(("Ada", "Boro", "Cinder", "Elm"), 2))


def test_after_the_first_of_two_eliminations_the_day_goes_on() -> None:
    found = count(f"1 Moth: vote: Fen\n1 Kestrel: vote: Fen\n{FIRST}\n8 Ada: vote: Fen", SEVEN, TWO)
    assert [(one.target and one.target.name, one.post) for one in found.fallen] == [("Moth", 5)]
    assert (found.hammer, found.alive, found.needed) == (None, 6, 4)
    assert wagons(found) == {"Fen": "Kestrel Ada"}


def test_who_falls_first_is_dead_from_the_post_behind_their_hammer_on() -> None:
    then = count(FIRST, SEVEN, TWO, until=5)
    assert (then.alive, wagons(then), [one.post for one in then.fallen]) == (
        7,
        {"Moth": "Ada Boro Cinder Elm"},
        [5],
    )
    after = count(FIRST, SEVEN, TWO, until=6)
    assert (after.alive, wagons(after), [one.post for one in after.fallen]) == (6, {}, [5])
    assert {move.post for move in after.history if not move.joined} == {6}


def test_the_second_elimination_ends_the_day_by_the_lower_threshold() -> None:
    said = "\n".join(f"{n} {who}: vote: Fen" for n, who in enumerate(("Ada", "Boro", "Cinder", "Elm"), 8))
    found = count(f"{FIRST}\n{said}\n13 Fen: vote: Ada", SEVEN, TWO)
    assert found.hammer is not None and found.hammer.post == 11
    outcome = day_outcome(found, TWO, 1, over=False)
    assert outcome and ([slot.name for slot in outcome.eliminated], outcome.how) == (
        ["Moth", "Fen"],
        "hammer",
    )
    assert [missed.why for missed in found.not_counted] == [UncountedReason.AFTER_HAMMER]


def test_a_vote_for_who_has_fallen_does_not_count() -> None:
    found = count(f"{FIRST}\n8 Kestrel: vote: Moth", SEVEN, TWO)
    assert [missed.why for missed in found.not_counted] == [UncountedReason.DEAD_TARGET]


@pytest.mark.parametrize("post", [5, 7])
def test_who_fell_first_may_stand_in_the_file(post: int) -> None:
    roster = roster_of(SEVEN.split()).with_departure("Moth", Departure(DepartureKind.ELIMINATED, post))
    found = count(f"{FIRST}\n8 Kestrel: vote: Fen", roster, TWO)
    assert [one.post for one in found.fallen] == [5]
    assert wagons(found) == {"Fen": "Kestrel"}


def test_with_one_elimination_a_day_the_first_ends_it() -> None:
    found = count(f"{FIRST}\n8 Kestrel: vote: Fen", SEVEN)
    assert found.hammer is not None and not found.fallen


def test_at_the_deadline_the_first_two_of_the_wagons_fall() -> None:
    rule = Rule(death=Death.PLURALITY, eliminations=2)
    said = "1 Ada: vote: Fen\n2 Boro: vote: Fen\n3 Cinder: vote: Fen\n4 Elm: vote: Ada\n5 Fen: vote: Ada"
    outcome = day_outcome(count(f"{said}\n6 Moth: vote: Elm", SEVEN, rule), rule, 1, over=True)
    assert outcome and [slot.name for slot in outcome.eliminated] == ["Fen", "Ada"]


def test_who_fell_before_the_deadline_stays_fallen_though_nobody_follows() -> None:
    outcome = day_outcome(count(FIRST, SEVEN, TWO), TWO, 1, over=True)
    assert outcome and ([slot.name for slot in outcome.eliminated], outcome.how) == (["Moth"], "hammer")


# ---- A player who is replaced and comes back

CIRCLE = Roster(
    (Slot((Holder("Ada"), Holder("Boro", 10), Holder("Ada", 20))), *roster_of(["Fen", "Elm"]).slots)
)


@pytest.mark.parametrize(
    ("post", "who", "counts"),
    [
        (5, "Ada", True),
        (15, "Ada", False),
        (15, "Boro", True),
        (25, "Ada", True),
        (25, "Boro", False),
    ],
)
def test_of_replacements_in_a_circle_only_the_holder_votes(post: int, who: str, counts: bool) -> None:
    found = count(f"{post} {who}: vote: Fen", CIRCLE)
    assert wagons(found) == ({"Fen": "Ada"} if counts else {})
    assert [missed.why for missed in found.not_counted] == ([] if counts else [UncountedReason.REPLACED])


def test_the_names_of_a_circle_stand_once_each() -> None:
    assert CIRCLE.slots[0].names == ("Ada", "Boro")


# ---- Two votes on one target

X2 = Rule(double_voter=DoubleVoter.X2)
HEAVY = Roster((Slot((Holder("Ada"),), weight=2), *roster_of(["Boro", "Cinder", "Elm", "Fen"]).slots))


@pytest.mark.parametrize(
    ("said", "weights"),
    [
        ("1 Ada: vote: Fen; vote: Fen", {"Fen": 2}),
        ("1 Ada: vote: Fen\n2 Ada: second vote: Fen", {"Fen": 2}),
        ("1 Ada: vote: Fen\n2 Ada: 2nd vote: Fen", {"Fen": 2}),
        ("1 Ada: vote: Fen (both votes)", {"Fen": 2}),
        ("1 Ada: vote: Fen x2\n2 Ada: vote: Fen", {"Fen": 2}),
        # Neighbours: one vote said again, and two targets.
        ("1 Ada: vote: Fen\n2 Ada: vote: Fen", {"Fen": 1}),
        ("1 Ada: vote: Fen\n2 Ada: second vote: Elm", {"Fen": 1, "Elm": 1}),
        ("1 Ada: second vote: Fen", {"Fen": 1}),
        ("1 Ada: vote: Fen; vote: Elm", {"Fen": 1, "Elm": 1}),
        ("1 Boro: vote: Fen; vote: Fen", {"Fen": 1}),
    ],
)
def test_a_double_voter_may_put_both_votes_on_one_target(said: str, weights: dict[str, int]) -> None:
    found = count(said, HEAVY, X2)
    assert {wagon.target.name: wagon.count for wagon in found.wagons if wagon.target} == weights


@pytest.mark.parametrize("rule", [Rule(), Rule(double_voter=DoubleVoter.TWO_TARGETS)])
def test_where_the_rule_does_not_let_them_naming_twice_is_one_vote(rule: Rule) -> None:
    once, twice = (count(f"1 Ada: {said}", HEAVY, rule) for said in ("vote: Fen", "vote: Fen; vote: Fen"))
    assert [wagon.count for wagon in once.wagons] == [wagon.count for wagon in twice.wagons]


# ---- Thresholds of single players


@pytest.mark.parametrize(("delta", "needed"), [(1, 4), (0, 3), (-1, 2)])
def test_a_player_may_need_more_or_fewer_votes(delta: int, needed: int) -> None:
    roster = Roster(
        (Slot((Holder("Fen"),), needed_delta=delta), *roster_of(["Ada", "Boro", "Cinder", "Elm"]).slots)
    )
    found = count("1 Ada: vote: Fen", roster)
    assert found.wagons[0].needed == needed
