"""A game is handed over on one page and taken over on another one, by copy and paste alone."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from knightfall.services.journal import rule
from knightfall.services.machine import session_of
from knightfall.services.session import journal_of
from playthroughs.moderator import moderating
from web import play
from web.hands import form_hand
from web.served import served
from web.test_private_thread import night_of

LABEL = "Address of the thread"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "own"))


def test_my_moderator_vanished_and_the_game_goes_on(tmp_path: Path) -> None:
    with moderating(tmp_path / "theirs", play.BEGINS) as mod:
        night_of(mod)
        theirs = form_hand(served(tmp_path / "theirs"))
        theirs.go("/games/harbour/end")
        assert "Hand the game over" in theirs.text
        theirs.go("/games/harbour/hand-over")
        text = theirs.copy("The text, as of entry 3")
        assert text.startswith("State of Salt Harbour as of entry 3. It holds every secret of the game")
        theirs.copied()
        assert "The game is handed over as of entry 3." in theirs.text
        theirs.go("/games/harbour/hand-over")
        assert "It was handed over as of entry 3 before." in theirs.text
        before = journal_of(session_of(mod.folder))
        shutil.rmtree(mod.folder)

        heir = form_hand(served(tmp_path / "heir"))
        heir.go("/?all=1")
        heir.press("Go on", {LABEL: f"Here it is, good luck!\n{text}\nWren"})
        assert "Salt Harbour is taken over from" in heir.text
        assert "Nothing of it was changed." in heir.text
        assert heir.path.startswith("/games/salt-harbour?done=")
        assert journal_of(session_of(tmp_path / "heir" / "salt-harbour")) == before
        heir.go("/games/salt-harbour/night")
        assert "A message as it was sent" in heir.text
        heir.go("/games/salt-harbour/log")
        assert "took the game over from" in heir.text
        assert "as of entry 3" in heir.text


def test_private_eyes_see_nothing_of_a_hand_over_and_nonsense_is_refused_in_words(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        night_of(mod)
        hand = form_hand(served(tmp_path))
        hand.press("Private eyes: off")
        hand.go("/games/harbour/hand-over")
        assert "KNIGHTFALL 1/" not in hand.body
        assert "hidden by private eyes" in hand.text
        hand.press("Private eyes: on")
        hand.go("/?all=1")
        hand.press("Go on", {LABEL: "Good evening."})
        assert "This is no address of a thread" in hand.refusal
        hand.go("/?all=1")
        hand.press("Go on")
        assert "Nothing was given." in hand.refusal


def test_who_went_on_as_well_sees_what_came_in_and_what_did_not(tmp_path: Path) -> None:
    with moderating(tmp_path / "theirs", play.BEGINS) as mod:
        night_of(mod)
        theirs = form_hand(served(tmp_path / "theirs"))
        theirs.go("/games/harbour/hand-over")
        first = theirs.copy("The text, as of entry 3")
        heir = form_hand(served(tmp_path / "heir"))
        for text in (first, first):
            heir.go("/?all=1")
            heir.press("Go on", {LABEL: text})
        assert "Nothing new" in heir.text
        mod.turns_to(mod.clock.now() + timedelta(minutes=5))
        rule("May one whisper?", "No.", "so", session_of(mod.folder))
        rule("May one sing?", "Yes.", "so", session_of(tmp_path / "heir" / "salt-harbour"))
        theirs.go("/games/harbour/hand-over?since=3")
        heir.go("/?all=1")
        heir.press("Go on", {LABEL: theirs.copy("The text, as of entry 4")})
        assert "Added behind yours: 4" in heir.text
        kept = journal_of(session_of(tmp_path / "heir" / "salt-harbour"))
        questions = [getattr(one.entry, "question", "") for one in kept[3:]]
        assert questions == ["May one sing?", "May one whisper?"]
