"""The page of the deadlines: one field for each phase; and the close of a day that asks what it needs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from begun import begin
from fetch.loopback import StillClock
from knightfall.engine.entries import Ruled
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest
from knightfall.services.session import journal_of
from web.hands import FormHand, form_hand, words
from web.served import served
from web.test_due_pages import HERE, Harbour, harbour, sets_deadline

__all__ = ["harbour"]
FIELD = "Deadline of Day 1"
BUTTON = "Set the deadline of Day 1"


def folded(hand: FormHand, label: str) -> bool:
    """Whether a box or a field stands in what is folded away."""
    one = next(one for one in hand.tree.iter("label") if label in words(one))
    return any(around.get("open") is None for around in one.iterancestors("details"))


def test_a_phase_has_one_field_and_what_is_rare_is_folded_until_it_is_asked_for(harbour: Harbour) -> None:
    hand = harbour.hand
    hand.go(f"{HERE}/phases")
    assert [words(one) for one in hand.tree.iter("h2")] == [FIELD]
    names = [one.get("name") for one in hand.tree.xpath("//main//input[not(@type) or @type='text']")]
    assert names == ["ends", "begins", "post", "post"]
    hidden = {one.get("name"): one.get("value") for one in hand.tree.xpath("//main//input[@type='hidden']")}
    assert (hidden["kind"], hidden["number"]) == ("day", "1")
    assert folded(hand, "First post that counts")
    assert hand.value(FIELD) == ""

    hand.press(BUTTON, {FIELD: "48h"})
    assert "Day 1 ends Mon 23 Nov 12:00 UTC." in hand.text
    hand.go(f"{HERE}/phases")
    assert "Mon 23 Nov 12:00 UTC 2 days left" in hand.text
    assert "First post that counts" not in hand.text
    hand.press(BUTTON, {FIELD: "+24h"})
    assert "Day 1 now ends Tue 24 Nov 12:00 UTC." in hand.text

    # Earlier has to be meant, and the box for it comes into sight with the refusal.
    hand.go(f"{HERE}/phases")
    assert folded(hand, "It is earlier than before")
    hand.press(BUTTON, {FIELD: "24h"})
    assert "is not later than the current deadline" in hand.refusal
    assert hand.value(FIELD) == "24h"
    assert not folded(hand, "It is earlier than before")
    hand.press(BUTTON, {"It is earlier than before": True})
    assert "Day 1 now ends Sun 22 Nov 12:00 UTC." in hand.text


def test_a_deadline_that_has_passed_asks_why_it_is_moved_and_says_what_counts(harbour: Harbour) -> None:
    hand = harbour.hand
    sets_deadline(harbour, "2h")
    harbour.clock.sleep(3 * 3600)
    hand.go(f"{HERE}/phases")
    why = "Why it is moved after it has passed"
    assert not folded(hand, why)
    hand.press(BUTTON, {FIELD: "24h"})
    assert "has passed. To move it now, say why" in hand.refusal
    hand.press(BUTTON, {why: "the forum was down"})
    assert "The old deadline had passed. What was sent since then counts now." in hand.text
    assert "It had passed, so posts made since then count now." in hand.value("The text")


def test_a_game_of_votes_alone_has_the_day_that_comes(tmp_path: Path) -> None:
    request = NewGameRequest(
        "votes", (), tmp_path / "count", b"", b"", "Count", threads=(("game", "https://f.example/t?t=1"),)
    )
    begin(request, session_of(request.folder))
    hand = form_hand(served(tmp_path))
    hand.go("/games/count/phases")
    hand.press(BUTTON, {FIELD: "48h"})
    assert "Day 1 ends" in hand.text


@pytest.mark.few(1)
@pytest.mark.parametrize("where", ["the forum is not asked", ""])
def test_a_day_that_runs_asks_at_once_why_it_ends_early_beside_that_field(
    harbour: Harbour, where: str
) -> None:
    hand = harbour.hand
    sets_deadline(harbour, "47h")
    harbour.vote("Ada", "Boro")
    harbour.reads()
    hand.go(f"{HERE}/close")
    waited = list(harbour.clock.waited)
    fields: dict[str, str | bool] = {"Seconds between two reads": "90"}
    hand.press("Read and count", {**fields, **({where: True} if where else {})})
    assert "Day 1 is still running: no hammer" in hand.refusal
    assert "To end it early: “Why it ends before its deadline”" in hand.refusal
    # It was known after the first read: nothing was waited for.
    assert sum(harbour.clock.waited[len(waited) :]) < 90
    assert hand.value("Seconds between two reads") == "90"
    [field] = hand.tree.xpath("//input[@aria-invalid='true']")
    assert field.get("name") == "early"


def test_a_vote_that_came_too_late_is_shown_before_the_day_is_closed(harbour: Harbour) -> None:
    hand = harbour.hand
    sets_deadline(harbour, "2h")
    harbour.vote("Ada", "Boro", "Cinder", "Dusk")
    harbour.forum.posts.append((harbour.forum.posts[-1][0] + 1, "Elm", "<b>Vote: Ada</b>, at last"))
    harbour.forum.posts.append((harbour.forum.posts[-1][0] + 1, "Fen", "<b>Vote: Boro</b>, far too late"))
    harbour.clock.sleep(3 * 3600)
    harbour.reads()
    hand.go(f"{HERE}/close")
    hand.press("Read and count", {"the forum is not asked": True})
    assert "Too late, and not counted" in hand.text
    assert "far too late" in hand.text


def test_who_chooses_where_the_rules_leave_it_to_them_says_why(harbour: Harbour) -> None:
    hand = harbour.hand
    sets_deadline(harbour, "2h")
    harbour.vote("Ada", "Boro")
    harbour.clock.sleep(3 * 3600)
    harbour.reads()
    hand.go(f"{HERE}/close")
    hand.press("Read and count", {"the forum is not asked": True})
    hand.press("Close the day", {"Lock the thread": "Ada", "Deadline of what comes next": "24h"})
    assert "The rules leave day 1 to you, so say why you choose Ada" in hand.refusal
    assert hand.value("Lock the thread") == "Ada"
    assert hand.value("Deadline of what comes next") == "24h"
    hand.press("Close the day", {"The rules leave this day to you": "most of you wanted it"})
    assert "Day 1 is closed: Ada is eliminated." in hand.text
    rulings = [one.entry for one in journal_of(session_of(harbour.folder)) if isinstance(one.entry, Ruled)]
    assert [(one.answer, one.why) for one in rulings] == [("Ada", "most of you wanted it")]
    assert "Nobody had enough votes at the deadline, so I decided." in hand.value("The text")


def test_a_choice_that_has_time_left_asks_why_it_is_closed(tmp_path: Path) -> None:
    clock, folder = StillClock(), tmp_path / "sides"
    request = NewGameRequest(
        "knight_fight", ("Ada", "Boro"), folder, b"s" * 32, b"t" * 32, "Sides", options={"move_time": "24h"}
    )
    begin(request, replace(session_of(folder), clock=clock))
    clock.sleep(3600)
    hand = form_hand(served(tmp_path, clock=clock))
    hand.go("/games/sides/night")
    assert "Nothing is on file from: Ada (X)" in hand.text and "23 h left" in hand.text
    hand.press("Close Choice of sides", {"I have seen this": True})
    assert "Say why you close it earlier" in hand.text
    hand.go("/games/sides/night")
    hand.press("Close Choice of sides", {"I have seen this": True, "Why earlier?": "she asked for it"})
    assert "Choice of sides for bout 1 is closed" in hand.text
    assert any(
        isinstance(one.entry, Ruled) and one.entry.why == "she asked for it"
        for one in journal_of(session_of(folder))
    )
