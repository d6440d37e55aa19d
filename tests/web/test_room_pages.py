"""The page of rooms: whom to add and remove, ticked off one by one, a room at once, or all of them."""

from __future__ import annotations

from pathlib import Path

from knightfall.services.game.players import modkill, replace_player
from knightfall.services.game.rooms import mark_rooms, rooms
from knightfall.services.requests import RoomsRequest
from services.test_rooms import AS_IS, fair, holders, private, row, with_threads
from web.hands import FormHand, form_hand
from web.served import served

HERE = "/games/fair"


def at_rooms(tmp_path: Path) -> FormHand:
    hand = form_hand(served(tmp_path))
    hand.go(f"{HERE}/rooms")
    return hand


def test_rooms_are_ticked_off_by_one_by_room_and_all_at_once(tmp_path: Path) -> None:
    session = fair(tmp_path / "fair")
    first, second = holders(session, "Mafia Goon")
    hand = at_rooms(tmp_path)
    hand.press(f"Done: add {first}, Mafia room")
    assert f"{first} is in: Mafia room." in hand.text
    assert row(session, "mafia").inside == (first,)
    hand.press("All done: Mafia room")
    assert row(session, "mafia").inside == (first, second)
    replace_player(first, "Newt", "1", "", AS_IS, session)
    hand.go(f"{HERE}/rooms")
    assert f"Remove {first}" in hand.text
    hand.press("All of it is done in every room")
    assert [one.due for one in rooms(session).rows] == ["", ""]
    assert "Nothing to do." in hand.text


def test_a_button_that_is_pressed_twice_says_that_it_was(tmp_path: Path) -> None:
    fair(tmp_path / "fair")
    hand, other = at_rooms(tmp_path), at_rooms(tmp_path)
    hand.press("All done: Mafia room")
    other.press("All done: Mafia room")
    assert "Mafia room: nothing is due" in other.text


def test_today_asks_for_what_is_due_in_a_room_and_leads_there(tmp_path: Path) -> None:
    session = fair(tmp_path / "fair")
    goons = holders(session, "Mafia Goon")
    session = with_threads(session, private(goons))
    modkill(goons[0], "1", "left", AS_IS, session)
    hand = form_hand(served(tmp_path))
    hand.go(HERE)
    hand.press(f"Mafia room: remove {goons[0]}")
    assert hand.path.startswith(f"{HERE}/rooms")
    assert f"Remove {goons[0]}" in hand.text
    assert "The thread of Mafia room, in a new tab" in hand.text


def test_private_eyes_see_neither_rooms_nor_what_is_due_in_them(tmp_path: Path) -> None:
    session = fair(tmp_path / "fair")
    mark_rooms(RoomsRequest("mafia"), session)
    modkill(holders(session, "Mafia Goon")[0], "1", "left", AS_IS, session)
    hand = form_hand(served(tmp_path))
    hand.press("Private eyes: off")
    for path in (HERE, f"{HERE}/rooms"):
        hand.go(path)
        assert "Mafia room" not in hand.text
        assert "ason" not in hand.text
    assert "Who belongs in which room: hidden by private eyes" in hand.text


def test_a_game_without_private_topics_says_so(tmp_path: Path) -> None:
    alone = {"slots": [{"role": "Mafia Goon"}, {"role": "Vanilla Townie", "fill": True}]}
    fair(tmp_path / "fair", alone)
    assert "This game has no private topics." in at_rooms(tmp_path).text
