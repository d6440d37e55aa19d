"""What the ballots of a day add up to."""

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knightfall.models import Departure, DepartureKind, Holder, Roster, Slot, roster_of
from knightfall.votes.rule import Boundary, Death, DoubleVoter, NoElim, Rule, Tie
from knightfall.votes.tally import Day, Fix, Tally, UncountedReason, day_outcome, tally
from votes.build import ballots, count, wagons

PLAYERS = "Ada Boro Cinder Dusk Elm"


def test_wagons_hold_their_voters_in_order_of_voting() -> None:
    tally_ = count("2 Boro: vote Ada\n3 Elm: vote Ada\n4 Cinder: vote Boro", PLAYERS)
    assert wagons(tally_) == {"Ada": "Boro Elm", "Boro": "Cinder"}
    assert [slot.name for slot in tally_.not_voting] == ["Ada", "Dusk"]


def test_a_new_vote_takes_the_old_one_away() -> None:
    assert wagons(count("2 Boro: vote Ada\n3 Boro: vote Elm", PLAYERS)) == {"Elm": "Boro"}


def test_a_repeated_vote_keeps_its_place_in_the_wagon() -> None:
    tally_ = count("2 Boro: vote Ada\n3 Elm: vote Ada\n4 Boro: vote Ada", PLAYERS)
    assert [vote.post for vote in tally_.wagons[0].votes] == [2, 3]


def test_the_third_of_five_votes_is_the_hammer_and_later_votes_are_void() -> None:
    tally_ = count("2 Boro: vote Ada\n3 Elm: vote Ada\n4 Dusk: vote Ada\n5 Dusk: unvote", PLAYERS)
    assert tally_.hammer is not None
    assert tally_.hammer.voter is not None
    assert (tally_.hammer.post, tally_.hammer.voter.name) == (4, "Dusk")
    assert [missed.why for missed in tally_.not_counted] == [UncountedReason.AFTER_HAMMER]
    assert wagons(tally_) == {"Ada": "Boro Elm Dusk"}


@pytest.mark.parametrize(
    ("asked", "unless"),
    [
        ("3 Boro: vote An", (3,)),
        ("3 Boro: vote An; vote Ada", ()),
        ("3 Boro: vote Ada; vote An", (3,)),
        ("3 Elm: vote An", ()),
        ("3 Fen: vote An", ()),
    ],
)
def test_a_hammer_says_on_which_open_questions_it_rests(asked: str, unless: tuple[int, ...]) -> None:
    rule = Rule(fixed_needed=3)
    lines = f"2 Boro: vote Ada\n{asked}\n4 Elm: vote Ada\n5 Dusk: vote Ada\n6 Boro: vote An"
    tally_ = count(lines, "Ada Boro Dusk Antonia Elm Anders", rule)
    assert tally_.hammer is not None
    assert (tally_.hammer.post, tally_.hammer.unless) == (5, unless)


def test_a_question_that_the_moderator_decided_is_no_condition_of_the_hammer() -> None:
    lines = "2 Boro: vote Ada\n3 Boro: vote An\n4 Elm: vote Ada\n5 Dusk: vote Ada"
    tally_ = count(
        lines, "Ada Boro Dusk Antonia Elm Anders", Rule(fixed_needed=3), fixes={3: Fix(3, ignore=True)}
    )
    assert tally_.hammer is not None
    assert tally_.hammer.unless == ()


def test_a_count_as_of_an_earlier_post_knows_nothing_of_later_ones() -> None:
    lines = "2 Boro: vote Ada\n3 Elm: vote Ada\n4 Dusk: vote Ada"
    assert count(lines, PLAYERS, until=3).hammer is None
    assert count(lines, PLAYERS, until=3) == count("2 Boro: vote Ada\n3 Elm: vote Ada", PLAYERS, until=3)


def test_wagons_of_one_size_stand_by_who_held_it_longest_without_a_break() -> None:
    tally_ = count("2 Boro: vote Ada\n3 Elm: vote Boro\n4 Boro: unvote\n5 Dusk: vote Ada", PLAYERS)
    assert list(wagons(tally_)) == ["Boro", "Ada"]


def test_a_vote_by_an_old_account_belongs_to_the_slot() -> None:
    slot = Slot((Holder("Pike"), Holder("Rook", 10)))
    roster = Roster((slot, *roster_of(["Ada", "Boro", "Cinder"]).slots))
    tally_ = count("2 Pike: vote Ada\n12 Rook: vote Boro\n13 Ada: vote Pike", roster)
    assert wagons(tally_) == {"Boro": "Rook", "Rook": "Ada"}


def test_a_name_that_is_held_only_later_is_not_meant_by_a_part_of_it() -> None:
    slot = Slot((Holder("Pike"), Holder("Marigold", 10)))
    roster = Roster((slot, *roster_of(["Ada", "Marius", "Cinder"]).slots))
    lines = "2 Ada: vote mari\n3 Cinder: vote Marigold\n12 Marius: vote mari\n13 Ada: vote mari"
    assert wagons(count(lines, roster, until=9)) == {"Marius": "Ada", "Marigold": "Cinder"}
    assert [doubt.post for doubt in count(lines, roster).questions] == [12, 13]


def test_who_was_replaced_votes_no_more_for_the_slot() -> None:
    slot = Slot((Holder("Pike"), Holder("Rook", 10)))
    roster = Roster((slot, *roster_of(["Ada", "Boro", "Cinder"]).slots))
    tally_ = count("2 Pike: vote Ada\n12 Pike: vote Boro\n13 pike: unvote", roster)
    assert wagons(tally_) == {"Ada": "Rook"}
    assert [(missed.post, missed.why) for missed in tally_.not_counted] == [
        (12, UncountedReason.REPLACED),
        (13, UncountedReason.REPLACED),
    ]


def test_who_joins_later_has_no_vote_before() -> None:
    slot = Slot((Holder("Pike"), Holder("Rook", 10)))
    roster = Roster((slot, *roster_of(["Ada", "Boro", "Cinder"]).slots))
    tally_ = count("2 Pike: vote Ada\n4 Rook: vote Boro\n10 Ada: vote Boro", roster)
    assert wagons(tally_) == {"Ada": "Rook", "Boro": "Ada"}
    assert [(missed.post, missed.why) for missed in tally_.not_counted] == [(4, UncountedReason.NOT_YET)]
    assert wagons(count("4 Rook: vote Boro\n11 Rook: vote Boro", roster)) == {"Boro": "Rook"}


@pytest.mark.parametrize(
    "holders",
    [
        (Holder("Pike"), Holder("Rook")),
        (Holder("Pike"), Holder("Rook", 13)),
        (Holder("Pike"), Holder("Rook", 5), Holder("Pike", 10)),
        (Holder("Rook"), Holder("Pike", 10)),
    ],
)
def test_a_holder_votes_where_nobody_is_known_to_have_taken_over(holders: tuple[Holder, ...]) -> None:
    roster = Roster((Slot(holders), *roster_of(["Ada", "Boro", "Cinder"]).slots))
    tally_ = count("12 Pike: vote Boro", roster)
    assert list(wagons(tally_)) == ["Boro"]
    assert not tally_.not_counted


def test_the_moderator_can_count_a_vote_of_who_was_replaced() -> None:
    slot = Slot((Holder("Pike"), Holder("Rook", 10)))
    roster = Roster((slot, *roster_of(["Ada", "Boro", "Cinder"]).slots))
    assert wagons(count("12 Pike: vote Boro", roster, fixes={12: Fix(12, count=True)})) == {"Boro": "Rook"}


def test_a_death_takes_votes_by_and_for_the_dead_and_lowers_the_threshold() -> None:
    dead = Slot((Holder("Elm"),), left=Departure(DepartureKind.KILLED, 5))
    roster = Roster((*roster_of(["Ada", "Boro", "Cinder", "Dusk", "Fen"]).slots, dead))
    lines = "2 Boro: vote Ada\n3 Cinder: vote Ada\n3 Dusk: vote Ada\n4 Ada: vote Elm\n4 Elm: vote Boro"
    before, after = count(lines, roster, until=4), count(lines, roster, until=6)
    assert (before.alive, before.needed, before.hammer) == (6, 4, None)
    assert (after.alive, after.needed) == (5, 3)
    assert after.hammer is not None
    assert (after.hammer.post, after.hammer.voter) == (5, None)
    assert wagons(after) == {"Ada": "Boro Cinder Dusk"}


def test_the_dead_neither_vote_nor_are_voted_for() -> None:
    dead = Slot((Holder("Pike"),), left=Departure(DepartureKind.KILLED, 1))
    tally_ = count("2 Pike: vote Ada\n3 Ada: vote Pike", Roster((*roster_of(PLAYERS.split()).slots, dead)))
    assert [missed.why for missed in tally_.not_counted] == [
        UncountedReason.DEAD_VOTER,
        UncountedReason.DEAD_TARGET,
    ]
    assert wagons(tally_) == {}


@pytest.mark.parametrize("fix", [Fix(2, to="Boro", why="meant Boro"), Fix(2, count=True)])
def test_no_decision_counts_a_vote_by_or_for_the_dead(fix: Fix) -> None:
    dead = Slot((Holder("Pike"),), left=Departure(DepartureKind.KILLED, 1))
    roster = Roster((*roster_of(PLAYERS.split()).slots, dead))
    by = count("2 Pike: vote Ada", roster, fixes={2: fix})
    assert (wagons(by), [one.why for one in by.not_counted]) == ({}, [UncountedReason.DEAD_VOTER])
    for_ = count("2 Ada: vote Boro", roster, fixes={2: Fix(2, to="Pike", why="meant Pike")})
    assert (wagons(for_), [one.why for one in for_.not_counted]) == ({}, [UncountedReason.DEAD_TARGET])


def test_two_names_that_fit_are_a_question_and_the_earlier_vote_stands() -> None:
    tally_ = count("2 Ada: vote Boro\n3 Ada: vote An", "Ada Boro Anton Anders")
    assert wagons(tally_) == {"Boro": "Ada"}
    assert tally_.questions[0].candidates == ("Anton", "Anders")


def test_a_strangers_vote_and_the_moderators_do_not_count() -> None:
    tally_ = count("2 Wren: vote Ada\n3 Nobody: vote Ada", PLAYERS, moderators=frozenset({"Wren"}))
    assert [missed.why for missed in tally_.not_counted] == [
        UncountedReason.MODERATOR_POST,
        UncountedReason.NOT_A_PLAYER,
    ]


@pytest.mark.parametrize(
    ("fix", "expected"),
    [
        (Fix(3, to="Elm"), {"Elm": "Ada"}),
        (Fix(3, to=""), {"-": "Ada"}),
        (Fix(3, ignore=True), {"Boro": "Ada"}),
        (Fix(3, unvote=True), {}),
    ],
)
def test_a_fix_takes_the_place_of_what_was_read(fix: Fix, expected: dict[str, str]) -> None:
    lines = "2 Ada: vote Boro\n3 Ada: vote Cinder"
    assert wagons(count(lines, PLAYERS, fixes={3: fix})) == expected


def test_a_fix_can_count_what_a_rule_voids() -> None:
    rule = Rule(self_vote=False)
    lines = "2 Ada: vote Ada"
    assert count(lines, PLAYERS, rule).not_counted[0].why is UncountedReason.VOID
    assert wagons(count(lines, PLAYERS, rule, fixes={2: Fix(2, count=True)})) == {"Ada": "Ada"}


def test_unvote_first_voids_a_vote_on_top_of_a_vote() -> None:
    lines = "2 Ada: vote Boro\n3 Ada: vote Elm\n4 Ada: unvote; vote Dusk"
    assert wagons(count(lines, PLAYERS, Rule(unvote_first=True))) == {"Dusk": "Ada"}


@pytest.mark.parametrize(
    ("mode", "alive", "needed"),
    [(NoElim.VOTABLE, 8, 5), (NoElim.ONE_FEWER, 8, 4), (NoElim.ONE_FEWER, 9, 5), (NoElim.VOTABLE, 9, 5)],
)
def test_no_elimination_has_its_own_threshold(mode: NoElim, alive: int, needed: int) -> None:
    assert Rule(no_elimination=mode).needed(alive, None) == needed


def test_loved_hated_and_weights_shift_the_hammer() -> None:
    loved = Slot((Holder("Ada"),), needed_delta=1)
    double = Slot((Holder("Boro"),), weight=2)
    roster = Roster((loved, double, *roster_of(["Cinder", "Dusk", "Elm"]).slots))
    assert count("2 Boro: vote Ada\n3 Elm: vote Ada", roster).hammer is None
    assert count("2 Boro: vote Dusk\n3 Elm: vote Dusk", roster).hammer is not None
    assert count("2 Boro: vote Ada\n3 Elm: vote Ada\n4 Dusk: vote Ada", roster).hammer is not None


@pytest.mark.parametrize(
    ("boundary", "in_time"),
    [
        (Boundary.BEFORE, [True, False, False, False]),
        (Boundary.SECOND, [True, True, False, False]),
        (Boundary.MINUTE, [True, True, True, False]),
        (Boundary.UNTIL_LOCK, [True, True, True, True]),
    ],
)
def test_the_boundary_says_which_instant_is_the_last(boundary: Boundary, in_time: list[bool]) -> None:
    deadline = datetime(2026, 11, 26, 1, 0, tzinfo=UTC)
    seconds = (-1, 0, 59, 60)
    got = [Rule(boundary=boundary).in_time(deadline + timedelta(seconds=s), deadline) for s in seconds]
    assert got == in_time


def test_a_late_vote_is_listed_not_counted() -> None:
    deadline = datetime(2026, 11, 26, 1, 0, tzinfo=UTC)
    late = [replace(post, time=deadline) for post in ballots("2 Ada: vote Boro")]
    tally_ = tally(late, roster_of(PLAYERS.split()), Rule(), Day(deadline=deadline), 9)
    assert tally_.not_counted[0].why is UncountedReason.LATE


@pytest.mark.parametrize(
    ("rule", "lines", "expected"),
    [
        (Rule(), "2 Ada: vote Boro", (None, "undecided")),
        (Rule(death=Death.BOTH), "2 Ada: vote Boro", ("Boro", "plurality")),
        (Rule(death=Death.BOTH), "2 Ada: vote Boro\n3 Boro: vote Ada", (None, "no_elimination")),
        (Rule(death=Death.BOTH, tie=Tie.ASK), "2 Ada: vote Boro\n3 Boro: vote Ada", (None, "undecided")),
        (Rule(death=Death.PLURALITY), "2 Ada: vote no lynch", (None, "no_elimination")),
        (Rule(), "2 Ada: vote Elm\n3 Boro: vote Elm\n4 Dusk: vote Elm", ("Elm", "hammer")),
        (
            Rule(death=Death.PLURALITY),
            "2 Ada: vote Elm\n3 Boro: vote Elm\n4 Dusk: vote Elm\n5 Cinder: vote Elm",
            ("Elm", "plurality"),
        ),
    ],
)
def test_the_end_of_a_day(rule: Rule, lines: str, expected: tuple[str | None, str]) -> None:
    outcome = day_outcome(count(lines, PLAYERS, rule), rule, 1, over=True)
    assert outcome is not None
    assert (outcome.eliminated[0].name if outcome.eliminated else None, outcome.how) == expected


TWO_OF_THREE = "2 Ada: vote Elm\n3 Boro: vote Elm"
DUSK_HAS_THREE = "6 Fen: vote Dusk\n7 Gull: vote Dusk\n8 Hollis: vote Dusk"


@pytest.mark.parametrize(
    ("lines", "reached", "held"),
    [
        (f"{TWO_OF_THREE}\n4 Cinder: vote Elm\n{DUSK_HAS_THREE}", "Elm", "Elm"),
        # Elm had three first, and again when Dusk had them.
        (
            f"{TWO_OF_THREE}\n4 Cinder: vote Elm\n{DUSK_HAS_THREE}\n9 Ada: unvote\n10 Ada: vote Elm",
            "Elm",
            "Dusk",
        ),
        # Of Elm's first two one left and came back: these were three in all, but never at once.
        (
            f"{TWO_OF_THREE}\n4 Boro: unvote\n5 Boro: vote Elm\n{DUSK_HAS_THREE}\n9 Cinder: vote Elm",
            "Dusk",
            "Dusk",
        ),
    ],
    ids=["without a break", "with a break", "never three at once before"],
)
def test_a_tie_falls_on_who_had_as_many_votes_first_or_has_had_them_longest(
    lines: str, reached: str, held: str
) -> None:
    fallen = []
    for tie in (Tie.FIRST_TO_REACH, Tie.LONGEST_HELD):
        rule = Rule(death=Death.PLURALITY, tie=tie)
        outcome = day_outcome(count(lines, f"{PLAYERS} Fen Gull Hollis", rule), rule, 1, over=True)
        assert outcome is not None
        fallen += [slot.name for slot in outcome.eliminated]
    assert fallen == [reached, held]


def test_a_day_that_runs_has_no_outcome() -> None:
    assert day_outcome(count("2 Ada: vote Boro", PLAYERS), Rule(), 1, over=False) is None


NAMES = ["Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Gale"]
ACTS = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from([*(f"vote {n}" for n in NAMES), "unvote", "vote nl"])),
    max_size=30,
)


def _lines(acts: list[tuple[str, str]]) -> str:
    return "\n".join(f"{number} {who}: {act}" for number, (who, act) in enumerate(acts, start=1))


def _tally(acts: list[tuple[str, str]], until: int = 10_000) -> Tally:
    return count(_lines(acts), " ".join(NAMES), until=until) if acts else count("0 Wren: hi", " ".join(NAMES))


@given(ACTS)
def test_every_living_voter_stands_or_is_listed_as_not_voting(acts: list[tuple[str, str]]) -> None:
    tally_ = _tally(acts)
    voting = [vote.voter.name for wagon in tally_.wagons for vote in wagon.votes]
    assert sorted([*voting, *(slot.name for slot in tally_.not_voting)]) == sorted(NAMES)


@given(ACTS, st.integers(1, 30))
def test_later_posts_never_change_an_earlier_count(acts: list[tuple[str, str]], until: int) -> None:
    assert wagons(_tally(acts, until)) == wagons(_tally(acts[:until], until))


@given(ACTS)
def test_a_hammer_stands_exactly_where_a_wagon_first_is_full(acts: list[tuple[str, str]]) -> None:
    full = [
        post
        for post in range(1, len(acts) + 1)
        if any(wagon.count >= 4 for wagon in _tally(acts, post).wagons)
    ]
    hammer = _tally(acts).hammer
    assert (hammer.post if hammer else None) == (full[0] if full else None)


@given(ACTS, st.permutations(["Quill", "Rook", "Sable", "Thorn", "Umber", "Vesper", "Wick"]))
def test_renaming_the_slots_renames_the_tally(acts: list[tuple[str, str]], others: list[str]) -> None:
    new = dict(zip(NAMES, others, strict=True))

    def renamed(text: str) -> str:
        return " ".join(new.get(word, word) for word in text.split())

    moved = [(new[who], renamed(act)) for who, act in acts] or [("Wren", "hi")]
    plain = wagons(_tally(acts))
    got = wagons(count(_lines(moved), " ".join(others)))
    assert got == {renamed(target): renamed(voters) for target, voters in plain.items()}


def test_what_two_votes_of_one_player_add_up_to_is_never_more_than_he_has() -> None:
    double = Slot((Holder("Ada"),), weight=2)
    roster = Roster((double, *roster_of(["Boro", "Cinder", "Dusk"]).slots))
    rule = Rule(double_voter=DoubleVoter.TWO_TARGETS)
    tally_ = count("2 Ada: vote Boro\n3 Ada: vote Cinder\n4 Ada: vote Dusk\n5 Ada: vote Boro", roster, rule)
    assert sum(wagon.count for wagon in tally_.wagons) == 2


def voted_out(name: str, post: int, how: DepartureKind = DepartureKind.ELIMINATED) -> Roster:
    """The usual players, of whom one left at that post."""
    return roster_of(PLAYERS.split()).with_departure(name, Departure(how, post))


HAMMERED = "2 Boro: vote Ada\n3 Elm: vote Ada\n4 Dusk: vote Ada\n7 Cinder: vote Elm"


@pytest.mark.parametrize("post", [4, 5, 6, 8])
def test_the_final_count_keeps_the_wagon_of_whom_the_day_eliminated(post: int) -> None:
    tally_ = count(HAMMERED, voted_out("Ada", post))
    assert wagons(tally_) == {"Ada": "Boro Elm Dusk"}
    assert (tally_.alive, tally_.needed, tally_.wagons[0].size) == (5, 3, "3/3")
    assert tally_.hammer is not None and tally_.hammer.post == 4
    assert [(missed.post, missed.why) for missed in tally_.not_counted] == [(7, UncountedReason.AFTER_HAMMER)]


def test_an_elimination_without_a_hammer_freezes_the_count_where_it_was_told() -> None:
    tally_ = count("2 Boro: vote Ada\n5 Elm: vote Boro\n6 Boro: unvote", voted_out("Ada", 4))
    assert wagons(tally_) == {"Ada": "Boro"}
    over = UncountedReason.DAY_OVER
    assert [(missed.post, missed.why) for missed in tally_.not_counted] == [(5, over), (6, over)]


@pytest.mark.parametrize("seed", range(60))
def test_nothing_is_after_a_hammer_that_there_is_not(seed: int) -> None:
    rng = random.Random(seed)
    names = PLAYERS.split()
    said = (
        f"{post} {rng.choice(names)}: {rng.choice(['unvote', *map('vote {}'.format, names)])}"
        for post in range(2, 30)
    )
    rule = Rule(
        threshold=rng.random() < 0.7,
        death=rng.choice(list(Death)),
        eliminations=rng.choice((1, 1, 2)),
        fixed_needed=rng.choice((None, None, 2)),
    )
    roster = roster_of(names)
    if rng.random() < 0.5:
        left = Departure(rng.choice(list(DepartureKind)), rng.randrange(2, 30))
        roster = roster.with_departure(rng.choice(names), left)
    resets = tuple(sorted(rng.sample(range(2, 30), rng.choice((0, 0, 1, 2)))))
    tally_ = count("\n".join(said), roster, rule, day=Day(resets=resets))
    late = [missed.post for missed in tally_.not_counted if missed.why is UncountedReason.AFTER_HAMMER]
    if tally_.hammer is None:
        assert not late
    else:
        assert all(post > tally_.hammer.post for post in late)
    assert rule.threshold or tally_.needed is None
    assert all((wagon.needed is None) == (tally_.needed is None) for wagon in tally_.wagons)


def test_a_death_by_other_hands_takes_effect_at_its_post() -> None:
    for how in (DepartureKind.KILLED, DepartureKind.MODKILLED):
        tally_ = count("2 Boro: vote Ada\n5 Elm: vote Boro", voted_out("Ada", 4, how))
        assert (wagons(tally_), tally_.alive) == ({"Boro": "Elm"}, 4)


def test_a_death_by_other_hands_counts_on_the_day_of_an_elimination_too() -> None:
    roster = voted_out("Ada", 5).with_departure("Elm", Departure(DepartureKind.KILLED, 3))
    tally_ = count("2 Elm: vote Boro\n4 Boro: vote Ada", roster)
    assert (wagons(tally_), tally_.alive) == ({"Ada": "Boro"}, 4)


def test_who_was_eliminated_the_day_before_is_dead_from_the_first_post_on() -> None:
    day = Day(2, start=5)
    tally_ = count("6 Boro: vote Ada\n7 Elm: vote Boro", voted_out("Ada", 5), day=day)
    assert (wagons(tally_), tally_.alive) == ({"Boro": "Elm"}, 4)


def test_an_elimination_for_which_nobody_voted_that_day_was_not_its_own() -> None:
    day = Day(2, start=5)
    tally_ = count("2 Boro: vote Ada\n7 Elm: vote Boro", voted_out("Ada", 6), day=day)
    assert (wagons(tally_), tally_.alive) == ({"Boro": "Elm"}, 4)


def test_a_count_as_of_before_the_elimination_knows_nothing_of_it() -> None:
    tally_ = count(HAMMERED, voted_out("Ada", 6), until=3)
    assert (wagons(tally_), tally_.not_counted) == ({"Ada": "Boro Elm"}, ())


def test_all_who_are_tied_and_fall_keep_their_wagons() -> None:
    roster = voted_out("Ada", 6).with_departure("Boro", Departure(DepartureKind.ELIMINATED, 7))
    tally_ = count("2 Boro: vote Ada\n3 Ada: vote Boro", roster)
    assert (wagons(tally_), tally_.alive) == ({"Ada": "Boro", "Boro": "Ada"}, 5)


def test_a_reset_takes_the_votes_in_the_order_of_the_voters() -> None:
    names = ["Fen", "Elm", "Dusk", "Cinder", "Boro", "Ada"]
    lines = "\n".join(f"{n} {who}: vote {names[n - 3]}" for n, who in enumerate(names, 2))
    moves = count(f"{lines}\n9 Ada: vote Elm", " ".join(names), day=Day(resets=(8,))).history
    assert [move.vote.voter.name for move in moves if not move.joined] == names


def test_an_unvote_without_a_vote_uses_up_none_of_a_voters_changes() -> None:
    rule = Rule(max_changes=1)
    lines = "2 Ada: unvote\n3 Ada: vote Boro\n4 Ada: vote Elm"
    assert wagons(count(lines, PLAYERS, rule)) == {"Elm": "Ada"}
    # One that takes a vote back uses it up: the next vote stands, and is the last.
    lines = "2 Ada: vote Boro\n3 Ada: unvote\n4 Ada: vote Elm\n5 Ada: vote Dusk\n6 Ada: unvote"
    assert wagons(count(lines, PLAYERS, rule)) == {"Elm": "Ada"}
