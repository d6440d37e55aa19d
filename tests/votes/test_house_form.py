"""All that can be answered about a house, as Python asks it: the same questions as on the page."""

from __future__ import annotations

import knightfall as kf
from knightfall.votes.known import HouseQuestion

OPENING = "Welcome to the kiln. 3 votes to eliminate.\nPlayers:\n[list]" + "".join(
    f"[*]{name}" for name in ("Alder", "Birch", "Cedar", "Drift", "Ebony")
) + "[/list]"  # fmt: skip


def thread(*said: tuple[str, str]) -> kf.Thread:
    return kf.Thread.from_posts([("Wren", OPENING), *said], "The kiln")


def asked(count: kf.Count, words: str) -> HouseQuestion:
    return next(one for one in count.house if words in one.asked)


ARROWS = thread(*((who, "[b]-> Ebony[/b]") for who in ("Alder", "Birch", "Cedar")))
MERCY = thread(*((who, "[b]Vote: Mercy[/b]") for who in ("Alder", "Birch", "Cedar")))


def test_a_frame_that_no_rule_shows_is_a_question_whose_answer_counts_the_votes() -> None:
    one = asked(kf.count(ARROWS), "3 players write")
    assert one.open
    count = kf.count(ARROWS, house=[one.answers[0]])
    assert [wagon.count for wagon in count.wagons] == [3]
    assert not kf.count(ARROWS, house=[one.answers[1]]).wagons
    assert asked(kf.count(ARROWS, house=[one.answers[1]]), "3 players write").chosen == one.answers[1]


def test_a_name_that_nobody_has_may_mean_no_elimination() -> None:
    one = asked(kf.count(MERCY), "3 players vote for “Mercy”")
    assert one.answers[0] == "nobody:mercy"
    count = kf.count(MERCY, house=[one.answers[0]])
    assert [(wagon.target, wagon.count) for wagon in count.wagons] == [(None, 3)]
    assert not count.questions


def test_what_eliminates_is_always_among_the_questions_with_what_holds() -> None:
    one = asked(kf.count(ARROWS, house=["plurality"]), "What eliminates?")
    assert (one.chosen, one.open) == ("plurality", False)
    assert kf.count(ARROWS, house=["plurality"]).to_dict()["house"][0]["answers"]
