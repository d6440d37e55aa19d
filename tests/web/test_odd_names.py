"""Players whose names are no part of an address have their page like everybody else."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest

from begun import begin
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest
from long_runs import first
from web.hands import form_hand
from web.served import served

ODD = ("Ann/Bob", "..", "Mr 8) Cool", "www.Kit.com", "[b]ob", "Town", "a?b&c=d#e", "100% Zed", "Ada")


@pytest.mark.few(1)
@pytest.mark.parametrize("name", first(2, ODD))
def test_whoever_is_called_anything_can_be_replaced_by_clicks(tmp_path: Path, name: str) -> None:
    request = NewGameRequest("empowered", ODD, tmp_path / "harbour", b"s" * 32, b"t" * 32, "Salt Harbour")
    begin(request, session_of(tmp_path / "harbour"))
    hand = form_hand(served(tmp_path))
    hand.go("/games/harbour/players")
    assert f"/games/harbour/players/slot?who={quote(name, safe='')}" in hand.body
    hand.go(f"/games/harbour/players/slot?who={quote(name, safe='')}")
    assert hand.status == 200
    hand.press(f"Replace {name}", {"Who takes over": "Newcomer", "Reason": "away"})
    assert f"Newcomer replaces {name}" in hand.text
