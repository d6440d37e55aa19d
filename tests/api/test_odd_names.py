"""Players whose names begin with a sign, or are words for somebody else: each is themselves, and nobody's
text goes to another."""

from __future__ import annotations

from pathlib import Path

import pytest

import knightfall as kf
from knightfall.errors import DecisionNeeded
from long_runs import spread
from properties.odd_names import NAMESAKE, ODD

OTHERS = ("Boro", "Cinder", "Dusk", "Elm", "Fen", "Hollis", "Iris", "Juniper", "Kestrel", "Lumen")
SEATS = {"kings_court": 11, "knights_duty": 4, "knight_fight": 2, "empowered": 9, "custom_mafia": 9}


@pytest.mark.few(2)
@pytest.mark.wider
@pytest.mark.parametrize("game", SEATS)
def test_who_is_removed_is_the_one_who_was_named(game: str, tmp_path: Path) -> None:
    for place, odd in enumerate(spread(3, ODD)):
        players = (NAMESAKE, odd, *OTHERS)[: SEATS[game]]
        played = kf.Game.create(game, players, tmp_path / str(place))
        removed = played.modkill(odd, why="a test")
        assert removed.receipt is not None
        told = removed.receipt.public[0]
        assert f"removed {odd}" in told.replace("\u200b", ""), odd  # an “@” calls nobody


@pytest.mark.parametrize("name", ["moderator", "Public"])
def test_a_player_may_be_called_as_somebody_else_is_meant(name: str, tmp_path: Path) -> None:
    court = kf.Game.create("kings_court", (name, *OTHERS), tmp_path / "court")
    posts = [file.read_text("utf-8") for file in (tmp_path / "court/public").glob("*.txt")]
    assert posts and not any("your role" in post.casefold() for post in posts)
    assert list((tmp_path / "court/private").glob(f"*role_pm*{name}*.txt"))
    receipt = court.submit(name, "VOTE: Boro")
    assert not receipt.refused
    sent = court.submissions().entries
    assert [one.sender for one in sent] == [name]


def test_the_moderator_is_called_otherwise_where_a_player_has_their_name(tmp_path: Path) -> None:
    court = kf.Game.create("kings_court", ("moderator", *OTHERS), tmp_path / "court")
    assert not court.submit("the moderator", "garnets moderator +2").refused
    with pytest.raises(DecisionNeeded, match="You are “the moderator”"):
        court.submit("Nobody", "VOTE: Boro")
