"""The list of the dead, and the nights of the endgame."""

from __future__ import annotations

from pathlib import Path

from knightfall.services.day.close import close
from knightfall.services.game.players import replace_player
from knightfall.services.game.status import status
from knightfall.services.requests import PostOptions
from knightfall.services.window.turns import close as close_window
from knightfall.services.window.turns import submit
from services.voting_day import voting_day


def test_the_dead_are_told_with_their_night_and_the_endgame_names_who_held_the_seat_then(
    tmp_path: Path,
) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    close(day.look(early="it is enough"), "No Elimination", day.session)
    cards = {slot: card.name for slot, card in day.table.state.cards.items()}
    goon = next(slot for slot, role in cards.items() if role == "Mafia Goon")
    victim = next(slot for slot, role in cards.items() if role == "Vanilla Townie")
    submit(goon, f"kill {victim}", "plain", day.session)
    close_window("night", "plain", day.session)
    [dead] = status(day.session).dead
    assert (dead.name, dead.how) == (victim, "killed, night 1")

    replace_player(str(goon), "Rook", None, "away", PostOptions(), day.session)
    submit("moderator", "draw", "plain", day.session)
    post = day.post("endgame").text
    night = post.partition("Night 1:")[2].partition("\n\n")[0]
    assert f"- {goon}: " in night
    assert "Rook" not in night
    assert f"Rook (was {goon})" in post
