"""A private thread on the page: it is named in the game file, read with nobody else's posts, and given away
nowhere."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from begun import begin
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest
from knightfall.services.window import turns
from playthroughs.moderator import Moderator, moderating
from web import play
from web.hands import FormHand, form_hand
from web.served import served

ROOM = 90030


def night_of(mod: Moderator) -> str:
    """A game of Knight-Errant at its first night, and a private thread on the forum; returns its address."""
    mod.folder = mod.desk / "harbour"
    request = NewGameRequest(
        "knight_errant", play.NAMES, mod.folder, b"s" * 32, b"t" * 32, "Salt Harbour", "Europe/Lisbon",
        {"setup": "A1-RD"}, site="mafiascum", moderators=("Wren",),
    )  # fmt: skip
    begin(request, session_of(mod.folder))
    turns.submit("moderator", "no elimination", None, session_of(mod.folder))
    turns.close("day", None, session_of(mod.folder))
    return mod.board.open(ROOM, "The cellar", "Wren", "Write your orders here.")


def named(hand: FormHand, thread: str, members: list[str]) -> None:
    """The moderator names the thread and its members in the game file."""
    hand.go("/games/harbour/file")
    room = f'\n[[thread]]\nrole = "private"\nurl = "{thread}"\nmembers = {members!r}\n'.replace("'", '"')
    hand.press("Check and save it", {"game.toml": hand.value("game.toml") + room})
    assert "The game file is written" in hand.text


def test_the_members_of_a_private_thread_are_read_and_nobody_else(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        room = night_of(mod)
        goons, [plain, outsider, *_] = mod.holders("Mafia Goon"), mod.holders("Vanilla Townie")
        hand = form_hand(served(tmp_path))
        hand.go("/games/harbour/messages")
        assert "There is none. A private thread" in hand.text
        named(hand, room, goons)
        hand.go("/games/harbour/messages")
        assert f"1 thread: {', '.join(goons)}" in hand.text
        mod.turns_to(mod.clock.now() + timedelta(hours=1))
        mod.board.post(ROOM, goons[0], f"kill {plain}")
        mod.board.post(ROOM, outsider, f"kill {goons[0]}")
        hand.press("Read the private threads")
        assert "If you take them in: 1 recorded" in hand.text, hand.text
        assert "Nothing is written yet" in hand.text
        assert outsider not in hand.tree.xpath("//ol")[0].text_content()
        hand.press("Record 1 message")
        assert "1 message recorded" in hand.text
        assert f"kill {plain}" in hand.text
        # What was taken is not taken again.
        hand.go("/games/harbour/messages")
        hand.press("Read the private threads")
        assert "Record 1 message" not in hand.text


def test_private_eyes_see_neither_members_nor_orders_and_no_post_tells_the_thread(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        room = night_of(mod)
        goons, [plain, *_] = mod.holders("Mafia Goon"), mod.holders("Vanilla Townie")
        hand = form_hand(served(tmp_path))
        named(hand, room, goons)
        hand.go("/games/harbour/posts/rules")
        hand.press("Put them before it", {"In BBCode; read for secrets first": f"See {room}"})
        assert "This would give a secret away" in hand.text
        assert "links to a private thread" in hand.text
        assert "I copied it" not in hand.text
        hand.press("Private eyes: off")
        hand.go("/games/harbour/posts/rules")
        assert "This would give a secret away" in hand.text
        assert room not in hand.body
        mod.turns_to(mod.clock.now() + timedelta(hours=1))
        mod.board.post(ROOM, goons[0], f"kill {plain}")
        hand.go("/games/harbour/messages")
        assert goons[0] not in hand.text
        hand.press("Read the private threads")
        assert f"kill {plain}" not in hand.text
        assert goons[0] not in hand.text
