"""What the rules of a house say of votes, in words that its hosts choose themselves."""

import pytest

from knightfall.reading.house_rules import Subject, marks_of, rules_of
from knightfall.votes.posted_votecounts import names_of_posters

NAMES = names_of_posters(["Ada", "Bram", "Cleo"], ["Warden"])


def stated(*lines: str) -> set[tuple[str, str]]:
    return {(one.subject.value, one.value) for one in rules_of(lines, NAMES)}


@pytest.mark.parametrize(
    ("said", "share"),
    [
        ("All but two of the living must vote for a player to execute them.", "1-2"),
        ("A player dies once everyone but one has voted for them.", "1-1"),
        ("To eliminate somebody, all living players except the accused must vote for them.", "1-1"),
        ("Alle bis auf einen müssen für jemanden stimmen, damit er stirbt.", "1-1"),
        ("One vote less than a majority is enough to eliminate.", ">1/2-1"),
        ("It takes a majority minus one to lynch.", ">1/2-1"),
        ("Eine Stimme weniger als die Mehrheit genügt zur Hinrichtung.", ">1/2-1"),
        ("Il faut la majorité plus une voix pour éliminer quelqu'un.", ">1/2+1"),
        ("Hace falta la mayoría más uno para linchar.", ">1/2+1"),
    ],
)
def test_how_many_votes_it_takes_is_a_part_of_the_living(said: str, share: str) -> None:
    assert stated(said) == {("share", share), ("majority", "")}


def test_a_table_of_thresholds_is_the_part_that_fits_all_of_its_rows() -> None:
    assert ("share", ">1/2+1") in stated("Players alive | Votes needed", "13 | 8", "11 | 7", "9 | 6")
    assert stated("9 alive: 5 to eliminate", "7 alive: 4 to eliminate") == {("majority", "")}
    odd = stated("Players alive | Votes needed", "13 | 5", "11 | 9", "9 | 3")
    assert {subject for subject, _ in odd} == {Subject.NEEDED_OTHERWISE.value}


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("On Day 1 it takes 5 votes to eliminate, from then on a majority.", "1=5"),
        ("On the first day four votes eliminate.", "1=4"),
        ("On Day 2 it takes six votes to lynch anybody.", "2=6"),
    ],
)
def test_a_number_of_one_day_alone_holds_on_that_day(said: str, value: str) -> None:
    assert stated(said) == {(Subject.FIXED_ON.value, value), (Subject.MAJORITY.value, "")}


def test_numbers_of_several_days_in_one_sentence_are_told_and_not_applied() -> None:
    assert stated("On Day 1 it takes 5 votes to eliminate, on day 2 it takes 4.") == {
        (Subject.NEEDED_OTHERWISE.value, "")
    }


@pytest.mark.parametrize(
    "said",
    [
        "At the deadline, whoever has collected the largest pile of votes goes.",
        "The one with the most fingers pointed at them at sundown is exiled.",
        "Whoever leads when the clock stops is gone.",
        "The player voted by more people than any other is executed at the end of the day.",
        "W momencie końca dnia odpada osoba z największą liczbą głosów.",
        "Ginie ten, kto ma najwięcej głosów na koniec dnia.",
    ],
)
def test_the_most_votes_are_told_in_many_words(said: str) -> None:
    assert (Subject.MOST.value, "") in stated(said)
    assert Subject.MAJORITY.value not in {subject for subject, _ in stated(said)}


@pytest.mark.parametrize(
    ("said", "subject", "value"),
    [
        ("Votes for no lynch are ignored.", Subject.NO_NOBODY, ""),
        ("A vote for nobody does not exist in this game.", Subject.NO_NOBODY, ""),
        ("Your first vote of the day is your only one.", Subject.FINAL, ""),
        ("Once you have voted, that is it for the day.", Subject.FINAL, ""),
        ("You may change your mind twice a day.", Subject.CHANGES, "2"),
        ("A second vote does not count until the first has been taken back.", Subject.UNVOTE_FIRST, ""),
        ("If you vote for someone else without unvoting, the old vote stands.", Subject.UNVOTE_FIRST, ""),
        ("Every player has two votes, both of which count.", Subject.SEVERAL_VOTES, "2"),
        ("You may vote for two players at once.", Subject.SEVERAL_VOTES, "2"),
        ("Everyone casts two ballots each day.", Subject.SEVERAL_VOTES, "2"),
        ("If two players lead, both hang.", Subject.TIE, "all"),
        ("A no-lynch takes one vote less than a majority.", Subject.NOBODY_CHEAPER, ""),
        ("Without majority nobody is eliminated at the deadline.", Subject.NOBODY_AT_DEADLINE, ""),
        ("With 7 alive, it takes 4 to lynch.", Subject.MAJORITY, "number"),
        ("The first vote you cast in a day is the one that counts.", Subject.FINAL, ""),
        ("There is no such thing as a No Lynch here: such votes are ignored.", Subject.NO_NOBODY, ""),
        ("Somebody goes only when everyone else votes for them.", Subject.SHARE, "1-1"),
        ("Nobody swings until three quarters of you point at them.", Subject.SHARE, "3/4"),
        ("Everybody except one must agree, otherwise there is no hanging.", Subject.SHARE, "1-1"),
        ("One vote short of a majority is already enough to kill.", Subject.SHARE, ">1/2-1"),
        ("Exactly half of the living is enough to hammer, you don't need one more.", Subject.SHARE, "1/2"),
        ("Your first vote of the day is carved in stone.", Subject.FINAL, ""),
        ("No hammer, the biggest number at the bell loses.", Subject.NO_HAMMER, ""),
    ],
)
def test_limits_and_exceptions_are_read_by_what_they_do(said: str, subject: Subject, value: str) -> None:
    assert (subject.value, value) in stated(said)


@pytest.mark.parametrize(
    "said",
    [
        "The holder of the lantern votes twice.",
        "Whoever carries the Crown has a vote worth three.",
        "All votes are reset when somebody dies during the day.",
    ],
)
def test_what_no_count_follows_is_told(said: str) -> None:
    assert {subject for subject, _ in stated(said)} == {Subject.UNKNOWN.value}


@pytest.mark.parametrize(
    "said",
    [
        "Nobody has a special vote in this game.",
        "No player's vote counts double.",
        "Have fun, everybody!",
        "Every vote weighs the same, nobody votes twice.",
    ],
)
def test_what_says_that_nothing_is_special_says_nothing(said: str) -> None:
    assert stated(said) == set()


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("Ada has the gavel: their vote counts as three.", "Ada=3"),
        ("The vote of Ada is void for the rest of the day.", "Ada=0"),
        ("Bram's vote no longer counts.", "Bram=0"),
    ],
)
def test_the_vote_of_one_player_is_marked(said: str, value: str) -> None:
    assert [(one.subject, one.value) for one in marks_of([said], NAMES)] == [(Subject.WEIGHT, value)]
