"""Who plays can be typed at any time before the deal, with a thread or without."""

from __future__ import annotations

from pathlib import Path

import pytest

from knightfall.engine.entries import Started
from knightfall.errors import InputError
from knightfall.services.game.signups import write_players
from knightfall.services.machine import session_of
from knightfall.services.running import begun
from knightfall.services.session import journal_of
from web.hands import FormHand, form_hand
from web.hosting import up_to_preview
from web.served import served

HERE = "/games/tin-valley"
FIELD = "Players, one on a line"
ABOUT = {"Title of the game": "Tin Valley", "Your username": "Wren"}
NAMES = ("Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Gale")


@pytest.fixture
def hand(tmp_path: Path) -> FormHand:
    """A game that was hosted without a thread and without a player."""
    found = form_hand(served(tmp_path))
    up_to_preview(found, "custom_mafia", ABOUT, {"Its roles": "2 Goons\nrest VT"}, {FIELD: ""})
    found.press("Create it")
    return found


def test_a_game_without_thread_and_players_is_typed_full_and_dealt(hand: FormHand, tmp_path: Path) -> None:
    hand.go(HERE)
    assert "Type who plays" in hand.text
    hand.press("Type who plays")
    hand.press("Keep this list", {FIELD: "1. Ada\n* Boro\n@Cinder\nDusk\nElm\nFen\nGale"})
    assert "The game now lists 7 players." in hand.text
    hand.go(f"{HERE}/deal")
    hand.press("Deal and begin the game")
    assert begun(journal_of(session_of(tmp_path / "tin-valley")))
    [started] = [
        one.entry for one in journal_of(session_of(tmp_path / "tin-valley")) if isinstance(one.entry, Started)
    ]
    assert started.slots == NAMES
    hand.go(f"{HERE}/players")
    assert FIELD not in hand.text


def test_a_list_is_changed_as_often_as_wanted(hand: FormHand, tmp_path: Path) -> None:
    hand.go(f"{HERE}/players")
    hand.press("Keep this list", {FIELD: "Ada\nBoro"})
    hand.go(f"{HERE}/players")
    assert hand.value(FIELD).split() == ["Ada", "Boro"]
    hand.press("Keep this list", {FIELD: "Boro\nElm"})
    assert "Removed: Ada." in hand.text
    assert "# signed up" not in (tmp_path / "tin-valley" / "game.toml").read_text("utf-8")
    assert 'name = "Ada"' not in (tmp_path / "tin-valley" / "game.toml").read_text("utf-8")
    hand.go(f"{HERE}/players")
    hand.press("Keep this list", {FIELD: "Boro\nboro"})
    assert "boro" in hand.refusal.casefold()
    assert hand.value(FIELD).split() == ["Boro", "boro"]


def test_the_page_of_sign_ups_leads_to_the_list_where_no_thread_is_named(hand: FormHand) -> None:
    hand.go(f"{HERE}/signups")
    hand.press("Type who plays")
    assert FIELD in hand.text


@pytest.mark.usefixtures("hand")
def test_whom_the_file_tells_more_of_stays(tmp_path: Path) -> None:
    file = tmp_path / "tin-valley" / "game.toml"
    file.write_text(f'{file.read_text("utf-8")}\n[[player]]\nname = "Ada"\naliases = ["Addy"]\n', "utf-8")
    session = session_of(tmp_path / "tin-valley")
    with pytest.raises(InputError, match="says more of them than a name"):
        write_players(("Boro",), session)
    assert write_players(("Boro", "Ada"), session).players == ("Ada", "Boro")
    assert 'aliases = ["Addy"]' in file.read_text("utf-8")
