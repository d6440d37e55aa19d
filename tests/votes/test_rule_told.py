"""The rule in its own sentences is read back as it was, whatever the house has chosen."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from knightfall.votes.ballots import Form, Forms, parse_forms
from knightfall.votes.rule import (
    FORMS,
    AtDeadline,
    Boundary,
    Death,
    DoubleVoter,
    Edited,
    NeededAtDeadline,
    NoElim,
    Rule,
    Tie,
    rule_sentences,
    rule_told,
)

WORDS = ("Stimme", "Voto", "Hang")
forms = st.builds(
    lambda accepted, words: parse_forms([*sorted(form.value for form in accepted), *words]),
    st.sets(st.sampled_from(sorted(FORMS, key=lambda form: form.value)), min_size=1),
    st.lists(st.sampled_from([f"word:{word}" for word in WORDS]), max_size=2, unique=True),
)
rules = st.builds(
    Rule,
    death=st.sampled_from(Death),
    majority_from_day=st.integers(1, 4),
    needed_at_end=st.sampled_from(NeededAtDeadline),
    at_deadline=st.sampled_from(AtDeadline),
    minimum_votes=st.integers(1, 4),
    no_elimination=st.sampled_from(NoElim),
    tie=st.sampled_from(Tie),
    boundary=st.sampled_from(Boundary),
    unvote_first=st.booleans(),
    self_vote=st.booleans(),
    votes_per_player=st.integers(1, 3),
    double_voter=st.sampled_from(DoubleVoter),
    max_changes=st.none() | st.integers(0, 4),
    locked_at=st.frozensets(st.integers(1, 12), max_size=3),
    edited=st.sampled_from(Edited),
    fixed_needed=st.none() | st.integers(2, 9),
    eliminations=st.integers(1, 3),
    forms=forms,
    unanimous=st.booleans(),
)
NOBODY = st.sampled_from(("No Elimination", "No Lynch", "Sleep", "Day off"))


@given(rules, NOBODY, st.booleans())
def test_a_rule_is_read_back_from_its_sentences(rule: Rule, nobody: str, in_one_line: bool) -> None:
    told = rule_sentences(rule, nobody)
    read = rule_told([" ".join(told)] if in_one_line else told)
    assert read is not None
    assert (read.rule, read.nobody) == (as_told(rule), nobody)
    assert rule_sentences(read.rule, nobody) == told


def as_told(rule: Rule) -> Rule:
    """The rule as its sentences tell it: what changes nothing in it is as a game file has it by default, and
    of two ways to say the same it is the simpler one."""
    rule = replace(rule, forms=Forms(rule.forms.accepted - {Form.EMPTY_TAG}, (), rule.forms.words))
    if rule.death is Death.MAJORITY and rule.at_deadline is AtDeadline.MOST:
        rule = replace(rule, death=Death.BOTH, needed_at_end=NeededAtDeadline.MAJORITY)
    lower = rule.needed_at_end is not NeededAtDeadline.MAJORITY
    if rule.death is Death.BOTH and lower:
        rule = replace(rule, death=Death.MAJORITY, at_deadline=AtDeadline.NOBODY)
    if rule.death is not Death.MAJORITY:
        rule = replace(rule, at_deadline=AtDeadline.NOBODY if lower else Rule().at_deadline)
    if rule.death is Death.PLURALITY:
        fewer = rule.no_elimination is NoElim.ONE_FEWER
        rule = replace(
            rule,
            majority_from_day=1,
            fixed_needed=None,
            no_elimination=NoElim.VOTABLE if fewer else rule.no_elimination,
        )
    if rule.double_voter is DoubleVoter.TWO_TARGETS:
        rule = replace(rule, double_voter=DoubleVoter.WEIGHT)
    falls_without = lower or rule.needed_at_deadline(2, 0, 1) is not None
    return rule if falls_without else replace(rule, tie=Rule().tie)


def test_a_post_that_leaves_half_of_it_out_tells_no_rule() -> None:
    told = rule_sentences(Rule())
    assert rule_told(told) is not None
    assert rule_told(told[:-1]) is None
    assert rule_told(["A player with the most votes at the deadline is eliminated."]) is None
