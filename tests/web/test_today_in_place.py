"""What waits on Today is done there: each item has the form of its own page, and is gone once it is done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from begun import begin
from fetch.loopback import StillClock, serving
from fetch.threads import Forum
from knightfall import web
from knightfall.engine.entries import Delivered
from knightfall.engine.journal import standing
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest
from knightfall.services.session import journal_of
from knightfall.services.window import turns
from knightfall.web.today_pages import IN_PLACE
from knightfall.web.ways import PLACES
from web.hands import FormHand, form_hand, words
from web.served import served
from web.test_due_pages import NAMES, listed
from web.test_pages import begun

HERE = "/games/harbour"


def is_on_today(hand: FormHand) -> bool:
    return hand.path.partition("?")[0] == HERE


def undo(hand: FormHand) -> str:
    """The way back beside the notice."""
    found = hand.tree.xpath("//div[@class='notice']//*[self::a or self::button][starts-with(., 'Undo')]")
    return words(found[0]) if found else ""


@pytest.fixture
def quay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[FormHand, Forum]]:
    """Day 1 of a game of seven in a thread in which one vote is unclear."""
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    forum = Forum(
        [
            (101, "Wren", "<b>Day 1 begins.</b>"),
            (102, "Boro", "<b>Vote: the quiet one</b>"),
            (103, "Dusk", "<b>Vote: Ada</b>"),
        ]
    )
    with serving(forum) as server:
        request = NewGameRequest(
            "custom_mafia", NAMES, tmp_path / "harbour", b"s" * 32, b"t" * 32, "Salt Harbour",
            options={"setup": "vanilla"}, site="phpbb", moderators=("Wren",),
            threads=(("game", f"{server.root}viewtopic.php?t=5"),),
        )  # fmt: skip
        begin(request, session_of(tmp_path / "harbour", allow_private=True))
        hand = form_hand(served(tmp_path, clock=StillClock()))
        hand.go(HERE)
        yield hand, forum


def test_every_form_of_today_is_a_way_that_the_page_goes_and_has_its_macro() -> None:
    inbox = (Path(web.__file__).parent / "templates/_inbox.html").read_text("utf-8")
    assert set(IN_PLACE) <= set(PLACES)
    assert [way for way in IN_PLACE if f"macro {way}(" not in inbox] == []


def test_a_deadline_is_set_on_today_and_a_refused_one_comes_back_filled_there(
    quay: tuple[FormHand, Forum],
) -> None:
    hand, _ = quay
    hand.press("Set the deadline of Day 1", {"Deadline of Day 1": "the day after"}, within="ends")
    assert hand.value("Deadline of Day 1") == "the day after"
    assert "the day after" in hand.refusal
    assert "Post the opening post" in hand.text  # it is Today that came back
    hand.press("Set the deadline of Day 1", {"Deadline of Day 1": "48h"})
    assert is_on_today(hand)
    assert "Day 1 ends" in hand.text
    assert undo(hand)
    assert "Set the deadline of day 1" not in listed(hand)


def test_a_vote_is_decided_and_the_count_posted_without_leaving_today(quay: tuple[FormHand, Forum]) -> None:
    hand, _ = quay
    hand.press("Read the thread")
    assert is_on_today(hand)
    assert "the quiet one" in hand.text
    hand.press("Ignore", within="the quiet one")
    assert is_on_today(hand)
    assert "Post 2 is decided." in hand.text
    assert undo(hand)
    assert "Decide the open votes" not in listed(hand)
    assert "Ada (1): Dusk" in hand.value("The votecount").replace("[b]", "").replace("[/b]", "")
    hand.press("I copied it", within="The votecount")
    assert is_on_today(hand)
    assert "Count the votes" not in listed(hand)


def test_an_edited_post_stands_on_today_until_it_was_seen(quay: tuple[FormHand, Forum]) -> None:
    hand, forum = quay
    hand.press("Read the thread")
    hand.press("I copied it", within="The votecount")
    forum.posts[2] = (103, "Dusk", "<b>Vote: Boro</b>")
    forum.posts.append((104, "Elm", "I am here."))
    hand.go(f"{HERE}/votes")
    hand.press("Read all pages again")
    hand.go(HERE)
    assert "Since you last looked" in hand.text
    hand.press("I have seen this")
    assert is_on_today(hand)
    assert "Since you last looked" not in hand.text


def test_texts_are_copied_one_after_the_other_on_today(quay: tuple[FormHand, Forum]) -> None:
    hand, _ = quay
    hand.press("Set the deadline of Day 1", {"Deadline of Day 1": "48h"})
    for kind in ("setup", "rules", "opening"):
        assert f"Post the {kind} post" in listed(hand)
        hand.press("I copied it", within=f"Post the {kind} post")
        assert is_on_today(hand)
        assert undo(hand)
        assert f"Post the {kind} post" not in listed(hand)
    hand.press("Undo")
    assert is_on_today(hand)
    assert "Post the opening post" in listed(hand)


def test_role_pms_are_copied_on_today_until_all_are_sent(tmp_path: Path) -> None:
    begun("knight_fight", tmp_path / "harbour")
    hand = form_hand(served(tmp_path))
    hand.go(HERE)
    for number in range(1, 20):
        if "Send the role PMs" not in listed(hand):
            break
        hand.press("I copied it", within="Send the role PMs")
        assert is_on_today(hand)
        assert undo(hand)
        entries = [one.entry for one in standing(journal_of(session_of(tmp_path / "harbour")))]
        assert sum(isinstance(one, Delivered) for one in entries) == number
    assert "Send the role PMs" not in listed(hand)


def test_an_order_that_was_refused_is_settled_on_today(tmp_path: Path) -> None:
    begun("knight_errant", tmp_path / "harbour")
    turns.submit("moderator", "no elimination", None, session_of(tmp_path / "harbour"))
    turns.close("day", None, session_of(tmp_path / "harbour"))
    slot = str(turns.look("night", session_of(tmp_path / "harbour")).window.slots[0])
    turns.submit(slot, "dance with the quiet one", None, session_of(tmp_path / "harbour"))
    hand = form_hand(served(tmp_path))
    hand.go(HERE)
    assert "The message of one player is not settled: Night 1" in hand.text
    assert "Refused: “dance with the quiet one”" in hand.text
    hand.press("Set", {"Set for": "no action"}, within="dance with the quiet one")
    assert is_on_today(hand)
    assert undo(hand)
    assert "not settled" not in hand.text
    # Of an open night private eyes see nothing.
    turns.submit(slot, "dance with the loud one", None, session_of(tmp_path / "harbour"))
    hand.go(HERE)
    hand.press("Private eyes")
    hand.go(HERE)
    assert "loud one" not in hand.text
