"""The list of the dead, and the nights of the endgame."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from knightfall.services.day.close import close
from knightfall.services.game.players import replace_player
from knightfall.services.game.status import status
from knightfall.services.keep.archive import write_archive
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


def test_the_endgame_says_which_order_was_read_after_its_night_was_closed(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    close(day.look(early="it is enough"), "No Elimination", day.session)
    cards = {slot: card.name for slot, card in day.table.state.cards.items()}
    goon = next(slot for slot, role in cards.items() if role == "Mafia Goon")
    victim = next(slot for slot, role in cards.items() if role == "Vanilla Townie")
    sent = day.clock.now() + timedelta(minutes=20)
    day.wait(1)
    close_window("night", "plain", day.session)
    day.wait(1)
    submit(goon, f"kill {victim}", "plain", day.session, at=sent, late=True)
    submit("moderator", "draw", "plain", day.session)
    clause = f"I read an order of {goon} for Night 1 only after I had closed it. It was sent in time"
    assert clause in " ".join(day.post("endgame").text.split())
    archive = write_archive(day.session, public=True)
    pages = [page.read_text(encoding="utf-8") for page in archive.folder.glob("*.html")]
    assert any(clause in " ".join(page.split()) for page in pages)
