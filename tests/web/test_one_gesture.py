"""A text that goes out has one button: it copies, marks as posted or sent, and is taken back by one other."""

from __future__ import annotations

from pathlib import Path

import pytest

from knightfall.engine.entries import Delivered, Published
from knightfall.engine.heads import without_line
from knightfall.engine.journal import standing
from knightfall.services.machine import session_of
from knightfall.services.pms import ROLE, known_batches, note
from knightfall.services.session import journal_of
from web.hands import FormHand, form_hand
from web.served import served
from web.test_pages import begun

HERE = "/games/harbour"
OUT = ("posts/rules", "posts/opening", "pms/role", "hand-over")
"""Pages of a text that goes out."""


def marks(folder: Path) -> list[object]:
    """What stands in the log as posted and sent."""
    entries = (record.entry for record in standing(journal_of(session_of(folder))))
    return [one for one in entries if isinstance(one, Published | Delivered)]


def harbour(tmp_path: Path) -> FormHand:
    """The page of a mafia game that has begun."""
    begun("custom_mafia", tmp_path / "harbour")
    return form_hand(served(tmp_path))


def test_copying_a_post_marks_it_as_posted_and_one_button_takes_that_back(tmp_path: Path) -> None:
    hand = harbour(tmp_path)
    hand.go(f"{HERE}/posts/rules")
    text = hand.value("The text")
    hand.copied()
    assert "“Rules” is marked as posted." in hand.text
    [mark] = marks(tmp_path / "harbour")
    assert isinstance(mark, Published) and mark.kind == "rules"
    hand.press("Undo")
    assert marks(tmp_path / "harbour") == []
    assert hand.path.startswith(f"{HERE}/posts/rules")
    assert without_line(hand.value("The text")) == without_line(text)
    assert "None was posted yet." in hand.text


def test_role_pms_are_copied_one_after_the_other_by_one_button(tmp_path: Path) -> None:
    hand = harbour(tmp_path)
    folder = tmp_path / "harbour"
    [batch] = known_batches(ROLE, session_of(folder))
    hand.go(f"{HERE}/pms/role")
    for number, pm in enumerate(batch.pms, start=1):
        assert f"To {pm.holder}" in hand.text
        hand.copied()
        assert f"Sent: {pm.holder}." in hand.text
        assert len(marks(folder)) == number
    assert "Every PM was sent: role PMs." in hand.text
    hand.press("Undo")
    assert hand.path.startswith(f"{HERE}/pms/role")
    assert f"To {batch.pms[-1].holder}" in hand.text


def test_what_more_hangs_on_is_still_shown_before_it_is_taken_back(tmp_path: Path) -> None:
    hand = harbour(tmp_path)
    hand.go(f"{HERE}/players/slot?who=Boro")
    hand.press("Take Boro out of the game", {"Reason": "quoted a PM"})
    hand.press("Undo entry 2")
    assert hand.path == f"{HERE}/log/2/undo"


@pytest.mark.few(3)
@pytest.mark.parametrize("page", OUT)
def test_a_text_that_goes_out_has_one_button(tmp_path: Path, page: str) -> None:
    hand = harbour(tmp_path)
    hand.go(f"{HERE}/{page}")
    boxes = hand.tree.xpath("//div[@class='copybox'][.//form]")
    assert len(boxes) == 1
    [copy] = boxes[0].xpath(".//button[not(@type='button')]")
    assert "copy" in copy.get("class")
    notes = boxes[0].xpath(".//form/@action")
    assert [one.get("action") for one in hand.tree.iter("form")].count(notes[0]) == 1


def test_a_text_that_went_to_somebody_else_is_asked_about_where_it_is_copied(tmp_path: Path) -> None:
    hand = harbour(tmp_path)
    session = session_of(tmp_path / "harbour")
    [batch] = known_batches(ROLE, session)
    first, other = batch.pms[:2]
    note(first.kind, other.slot, "sent", first.sha256, session)
    hand.go(f"{HERE}/pms/role?to={first.holder}")
    hand.copied()
    assert f"this exact text was sent for {other.slot} already" in hand.text
    hand.press("I copied it", {"Why both get the same text": "a slip of mine"})
    assert f"Sent: {first.holder}." in hand.text
