"""The secret guard: what must not stand in public is found, whatever it is dressed in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knightfall.writeups.leak_check import RUN, Card, Secret, card_secrets, leaks, role_secrets

DOCTOR = role_secrets("Town Doctor", "Juniper")


@pytest.mark.parametrize(
    "line",
    [
        "The harbour doctor did not sleep.",
        "the DOCTOR!",
        "A [b]doc[/b] — no, a dóctor",
        "the do\u200bctor",
        "Town Doctor",
    ],
)
def test_a_living_players_role_is_found_in_any_dress(line: str) -> None:
    [leak] = leaks(f"A quiet night.\n{line}", DOCTOR)
    assert leak.line == 2
    assert "that Juniper, who is alive, is the Town Doctor" in str(leak)


@pytest.mark.parametrize("line", ["A doctoral thesis.", "The town woke up.", "indoctrinated", ""])
def test_words_that_only_look_alike_are_no_leak(line: str) -> None:
    assert leaks(line, DOCTOR) == ()


def test_a_role_of_several_words_is_one_leak_a_line() -> None:
    found = leaks(
        "the mafia roleblocker, a roleblocker indeed\nroleblocker", role_secrets("Mafia Roleblocker", "Fen")
    )
    assert [leak.line for leak in found] == [1, 2]


def test_an_address_of_a_private_thread_is_found() -> None:
    secret = Secret("https://forum.example/viewtopic.php?t=77", "a private thread")
    [leak] = leaks("see [url=https://forum.example/viewtopic.php?t=77]here[/url]", [secret])
    assert leak.secret is secret


PM = "Juniper, your card is the harbour medic. Send “heal NAME” before the night ends, and reply to confirm."


def test_six_words_of_a_pm_are_found_over_line_ends_and_five_are_not() -> None:
    assert [leak.line for leak in leaks("He said: your card is\nthe harbour medic.", [], [PM])] == [1]
    assert leaks("your card is the harbour", [], [PM]) == ()


def test_a_long_quote_is_told_once() -> None:
    assert len(leaks(f"Look:\n{PM}", [], [PM])) == 1


words = st.lists(st.sampled_from(["ada", "boro", "night", "harbour", "kill", "fen", "moth"]), max_size=30)


@given(words, words, st.integers(0, 30))
def test_a_run_put_into_a_text_is_always_found(pm: list[str], text: list[str], place: int) -> None:
    run = pm[:RUN]
    dressed = " ".join([*text[:place], *run, *text[place:]])
    assert bool(leaks(dressed, [], [" ".join(pm)])) or len(run) < RUN


def test_a_role_that_was_dealt_again_is_told_by_no_line_of_its_earlier_holder() -> None:
    card = Card("King", "Boro", ("Boro",), others=("Ada", "Cinder"))
    secrets = card_secrets([card], ["King"])
    assert not leaks("Ada joins the court and is the King. Court: Boro, Ada.", secrets)
    assert leaks("Boro is the King by now.", secrets)
    assert leaks("Ada joins the court.\nBoro: King", secrets)


def test_the_deadline_that_a_post_and_a_pm_tell_is_no_secret() -> None:
    pm = "You have no vote in for round 1. Deadline: Mon 23 Nov, 12:47 UTC."
    assert leaks("Round 2 begins. Next deadline: Mon 23 Nov, 12:47 UTC.", (), [pm]) == ()
    tie = "Who joins? I will post the result on Thu 19 Nov 13:02 UTC (in 22 h 30 min), whatever you send."
    assert leaks("Next deadline: Fri 20 Nov 13:02 UTC (in 22 h 30 min). Good luck.", (), [tie]) == ()
    assert leaks("Somebody wrote: you have no vote in for round 1.", (), [pm]) != ()


NAMED = ("Ada", "Boro", "Elm", "Fen")


@pytest.mark.parametrize(
    ("row", "leaks_out"),
    [
        ("Ada 3 Boro 2 Elm Fen", False),
        ("Ada 3 Boro 2 votes for", False),
        ("Ada 3 Boro votes for nobody", True),
        ("Ada waits behind the old harbour", True),
    ],
    ids=["names and numbers", "two other words", "three other words", "five other words"],
)
def test_a_row_of_names_with_two_other_words_is_a_list_and_with_three_it_is_not(
    row: str, leaks_out: bool
) -> None:
    assert len(row.split()) == RUN
    assert bool(leaks(f"Now: {row}", (), [f"You are told: {row}"], names=NAMED)) is leaks_out
