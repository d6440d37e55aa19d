"""A message that is read late, or of somebody who left, is a question on the page, with what it changes."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from begun import begin
from fetch.loopback import StillClock
from knightfall.engine.entries import Closed, Published
from knightfall.engine.journal import instant
from knightfall.services.game.players import replace_player
from knightfall.services.machine import session_of
from knightfall.services.now import now_of
from knightfall.services.requests import NewGameRequest, PostOptions
from knightfall.services.running import closings
from knightfall.services.session import Session, entered, journal_of
from knightfall.services.window import turns
from web.hands import FormHand, form_hand, origin_of
from web.served import served

NAMES = ("Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Gale", "Hollis", "Iris", "Juno", "Kestrel")


@pytest.fixture
def court(tmp_path: Path) -> tuple[Path, StillClock]:
    """Two rounds of a court, an hour each."""
    clock, folder = StillClock(), tmp_path / "court"
    request = NewGameRequest("kings_court", NAMES, folder, b"s" * 32, b"t" * 32, "Court")
    begin(request, session(folder, clock))
    for target in ("Boro", "Cinder"):
        clock.sleep(3600)
        for voter in [one for one in NAMES if one != target][-3:]:
            turns.submit(voter, f"VOTE: {target}", None, session(folder, clock))
        turns.close("vote", None, session(folder, clock))
    return folder, clock


def session(folder: Path, clock: StillClock) -> Session:
    return replace(session_of(folder), clock=clock)


def sent_late(
    folder: Path, clock: StillClock, who: str, text: str, place: int = 0, button: str = "Record it"
) -> FormHand:
    """A message of the first round, or of another, pasted with the time at which it was sent."""
    first = closings(now_of(session(folder, clock)).running)[place]
    assert isinstance(first.entry, Closed)
    hand = form_hand(served(folder.parent, clock=clock))
    hand.go("/games/court/night")
    sent = f"{instant(first) - timedelta(minutes=20):%Y-%m-%d %H:%M}"
    hand.press(button, {"From": who, "The whole post or PM": text, "Sent": sent})
    return hand


def test_what_a_late_message_changes_is_shown_before_it_counts(court: tuple[Path, StillClock]) -> None:
    folder, clock = court
    entries = len(journal_of(session(folder, clock)))
    hand = sent_late(folder, clock, "Fen", "VOTE: Gale")
    assert "in time for Round 1, which entry" in hand.text
    assert "these come out otherwise" in hand.text and "Gale" in hand.text
    assert len(journal_of(session(folder, clock))) == entries
    hand.press("It counts")
    assert "The message of Fen is recorded" in hand.text
    assert "Written again" in hand.text
    assert len(journal_of(session(folder, clock))) == entries + 1


def test_what_is_posted_already_is_named_before_a_late_message_counts(
    court: tuple[Path, StillClock],
) -> None:
    folder, clock = court
    entered(Published("results", 1, "", "Boro joins"), session(folder, clock))
    hand = sent_late(folder, clock, "Fen", "VOTE: Gale", place=1)
    assert "Posted already, and no longer valid then: Results." in hand.text
    hand.press("It counts")
    assert "The message of Fen is recorded" in hand.text


def test_what_a_late_message_would_do_is_asked_as_taking_it_in_asks(court: tuple[Path, StillClock]) -> None:
    folder, clock = court
    entries = len(journal_of(session(folder, clock)))
    hand = sent_late(folder, clock, "Fen", "VOTE: Gale", button="What would it do?")
    assert "these come out otherwise" in hand.text
    assert len(journal_of(session(folder, clock))) == entries


def test_a_late_message_can_be_left_out_with_a_reason(court: tuple[Path, StillClock]) -> None:
    folder, clock = court
    state = now_of(session(folder, clock)).running.state
    hand = sent_late(folder, clock, "Fen", "VOTE: Gale")
    hand.press("Leave it out", {"Reason": "they asked to be left out"})
    assert "It is left out" in hand.text
    assert now_of(session(folder, clock)).running.state == state
    hand.go("/games/court/log")
    assert "they asked to be left out" in hand.text


def test_private_eyes_hide_what_a_late_message_changes(court: tuple[Path, StillClock]) -> None:
    folder, clock = court
    hand = sent_late(folder, clock, "Fen", "VOTE: Gale")
    assert "Gale" in hand.text
    hand.press("Private eyes: off")
    hand = sent_late_with(hand, folder, clock)
    assert "hidden by private eyes" in hand.text
    assert "VOTE: Gale" not in hand.text


def sent_late_with(hand: FormHand, folder: Path, clock: StillClock) -> FormHand:
    first = closings(now_of(session(folder, clock)).running)[0]
    hand.go("/games/court/night")
    sent = f"{instant(first) - timedelta(minutes=20):%Y-%m-%d %H:%M}"
    hand.press("Record it", {"From": "Fen", "The whole post or PM": "VOTE: Gale", "Sent": sent})
    return hand


def test_a_message_of_somebody_who_left_is_asked_about(court: tuple[Path, StillClock]) -> None:
    folder, clock = court
    replace_player("Fen", "Zephyr", None, "away", PostOptions(), session(folder, clock))
    hand = form_hand(served(folder.parent, clock=clock))
    hand.go("/games/court/night")
    hand.took(
        hand.client.post(
            "/games/court/night/say",
            headers={"origin": origin_of(hand.root)},
            data={
                "who": "Fen",
                "text": "VOTE: Gale",
                "form_token": hand.tree.xpath("//input[@name='form_token']")[0].get("value"),
            },
        )
    )
    assert "Fen has left the game" in hand.text
    hand.press("It was meant for the slot")
    assert "The message of Fen is recorded" in hand.text


def test_who_has_left_is_in_the_list_of_senders_and_what_is_left_out_stays_so(
    court: tuple[Path, StillClock],
) -> None:
    folder, clock = court
    replace_player("Fen", "Zephyr", None, "away", PostOptions(), session(folder, clock))
    hand = form_hand(served(folder.parent, clock=clock))
    hand.go("/games/court/night")
    assert "Fen (has left)" in hand.text
    message = {"From": "Fen", "The whole post or PM": "VOTE: Gale", "Sent": ""}
    hand.press("Record it", message)
    assert "Fen has left the game" in hand.text
    hand.press("Leave it out", {"Reason": "theirs no more"})
    assert "It is left out" in hand.text
    ruling = len(journal_of(session(folder, clock)))
    hand.go("/games/court/night")
    hand.press("Record it", message)
    assert f"as entry {ruling} says (theirs no more)" in hand.text
    hand.go(f"/games/court/log/{ruling}/undo")
    hand.press("Undo entry", {"Reason": "it was for the slot"})
    hand.go("/games/court/night")
    hand.press("Record it", message)
    assert "Fen has left the game" in hand.text


def test_a_saved_message_of_who_has_left_is_left_out_on_the_page(
    court: tuple[Path, StillClock], tmp_path: Path
) -> None:
    folder, clock = court
    replace_player("Fen", "Zephyr", None, "away", PostOptions(), session(folder, clock))
    answers = tmp_path / "answers.csv"
    answers.write_text("Your name,Your action\nFen,VOTE: Gale\nAda,VOTE: Gale\n", encoding="utf-8")
    hand = form_hand(served(folder.parent, clock=clock))
    hand.go("/games/court/messages")
    hand.press("Read the table", {"PMs that a vBulletin board exported": answers})
    assert "Fen has left the game" in hand.text
    hand.press("Leave it out", {"Reason": "theirs no more"})
    assert "It is left out" in hand.text
    hand.go("/games/court/messages")
    hand.press("Read the table", {"PMs that a vBulletin board exported": answers})
    assert "Fen has left the game" not in hand.text
    assert "1 recorded, 1 left out" in hand.text


def test_a_message_that_was_entered_later_is_shown_with_both_times(court: tuple[Path, StillClock]) -> None:
    folder, clock = court
    clock.sleep(1800)
    sent = clock.now() - timedelta(minutes=20)
    turns.submit("Ada", "VOTE: Gale", None, session(folder, clock), at=sent)
    turns.submit("Fen", "VOTE: Gale", None, session(folder, clock))
    hand = form_hand(served(folder.parent, clock=clock))
    hand.go("/games/court/night")
    both = "Sat 21 Nov 2026, 14:10 UTC, entered Sat 21 Nov 2026, 14:30 UTC"
    assert hand.text.count(both) == 2  # at the row and in the list
    assert "entered Sat 21 Nov 2026, 14:30 UTC" not in hand.text.replace(both, "")


def test_an_undo_tells_what_waits(court: tuple[Path, StillClock]) -> None:
    folder, clock = court
    first, second = closings(now_of(session(folder, clock)).running)
    hand = form_hand(served(folder.parent, clock=clock))
    hand.go(f"/games/court/log/{first.number}/undo")
    assert "These wait until it is closed again" in hand.text
    assert "round 2 closed" in hand.text
    state = now_of(session(folder, clock)).running.state
    hand.press(f"Undo entry {first.number}", {"Reason": "a vote was missing"})
    hand.go("/games/court/night")
    hand.press("Close Round 1", {"I have seen this": True})
    assert now_of(session(folder, clock)).running.state == state
    assert [one.number for one in closings(now_of(session(folder, clock)).running)][-1] == second.number
