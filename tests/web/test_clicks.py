"""How many clicks a day and a night take: links followed and buttons pressed, the copying included."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from begun import begin
from fetch.loopback import serving
from fetch.threads import Forum
from knightfall.services.game.new import deal_game
from knightfall.services.machine import session_of
from knightfall.services.requests import DealRequest, NewGameRequest
from knightfall.services.window import turns
from knightfall.services.window.message_table import roles_by_name
from web.browser import browsing
from web.hands import BrowserHand, Hand, form_hand
from web.served import running, served
from web.test_pages import NAMES

HANDS = ("a browser", "without JavaScript")
TEN = """schema = 1
name = "Ten Hands"
[[slots]]
role = "Mafia Goon"
[[slots]]
role = "Mafia Roleblocker"
[[slots]]
role = "Town Cop"
[[slots]]
role = "Town Tracker"
[[slots]]
role = "Town Watcher"
[[slots]]
role = "Town Doctor"
[[slots]]
role = "Town Jailkeeper"
[[slots]]
role = "Town Vigilante"
[[slots]]
role = "Town Roleblocker"
[[slots]]
role = "Town Bodyguard"
[[slots]]
role = "Vanilla Townie"
fill = true
"""


@contextmanager
def using(kind: str, desk: Path) -> Iterator[Hand]:
    """A hand of that kind on the page of the games there."""
    if kind != "a browser":
        yield form_hand(served(desk))
        return
    with browsing() as browser, running(desk) as page:
        root = page.access.home
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        hand = BrowserHand(context.new_page(), root)
        hand.opens(page.address)
        yield hand
        assert hand.faults == []


@pytest.mark.long
@pytest.mark.parametrize("kind", HANDS)
def test_a_day_of_forty_votes_is_settled_with_twelve_clicks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Two questions, a near miss, an edit and a replacement are in it."""
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    posts = [(100, "Wren", "<b>Day 1 begins.</b>")]
    for number in range(40):
        voter, target = NAMES[number % 18], NAMES[(number * 7 + 3) % 18]
        posts.append((101 + number, voter, f"<b>Vote: {target if target != voter else 'Ada'}</b>"))
    posts += [
        (150, "Boro", "<b>Vote: the quiet one</b>"),
        (151, "Elm", "<b>Vote: somebody loud</b>"),
        (152, "Fen", "vote Ada"),
    ]
    forum = Forum(posts)
    with serving(forum) as server:
        request = NewGameRequest(
            "votes", NAMES, tmp_path / "harbour", b"", b"", "Salt Harbour", site="phpbb",
            moderators=("Wren",), threads=(("game", f"{server.root}viewtopic.php?t=5"),),
        )  # fmt: skip
        begin(request, session_of(tmp_path / "harbour"))
        with using(kind, tmp_path) as hand:
            hand.go("/games/harbour")
            hand.clicks = 0
            hand.press("Votecount")
            hand.press("Read the thread")
            assert "2 votes need your decision" in hand.text
            hand.press("Count for them", {"For": "Iris"}, within="the quiet one")
            assert "In the count as of post 44, Boro votes for Iris." in hand.text
            hand.press("Ignore", within="somebody loud")
            hand.press("Count as written", within="vote Ada")
            forum.posts[5] = (*forum.posts[5][:2], "<b>Vote: Rook</b>")
            forum.posts.append((160, "Wren", "Sable replaces Pike."))
            hand.press("Read all pages again")
            hand.press("Players")
            hand.press("Pike")
            fields = {"Who takes over": "Sable", "From this post on": "45", "Reason": "a new job"}
            hand.press("Replace Pike", fields)
            hand.press("Votecount")
            assert "Until then" not in hand.text
            text = hand.value("The text")
            assert "Sable" in text
            assert hand.copy_out("The text") == text
            assert "is marked as posted" in hand.text
            assert hand.clicks <= 12, hand.clicks


def ten_hands(folder: Path) -> dict[str, str]:
    """A game at its first night in which ten may act, by role; returns who holds each."""
    request = NewGameRequest("custom_mafia", (), folder, b"", b"", "Ten Hands", site="phpbb")
    begin(request, session_of(folder))
    (folder.parent / "ten.toml").write_text(TEN, encoding="utf-8")
    deal = DealRequest(b"s" * 32, b"t" * 32, players=NAMES[:13], setup=str(folder.parent / "ten.toml"))
    begun = deal_game(deal, session_of(folder))
    assert len(begun.slots) == 13
    turns.submit("moderator", "no elimination", None, session_of(folder))
    turns.close("day", None, session_of(folder))
    return {role: name for name, role in roles_by_name(session_of(folder)).items()}


@pytest.mark.long
@pytest.mark.parametrize("kind", HANDS)
def test_a_night_of_ten_actors_takes_fifteen_clicks_with_its_pms(tmp_path: Path, kind: str) -> None:
    """Nine wrote, one of them what is refused; one is missing."""
    holds = ten_hands(tmp_path / "hands")
    plain = holds["Vanilla Townie"]
    orders = {
        "Mafia Goon": f"kill {plain}",
        "Mafia Roleblocker": f"block {plain}",
        "Town Cop": f"cop {holds['Mafia Goon']}",
        "Town Tracker": f"track {holds['Mafia Goon']}",
        "Town Watcher": f"watch {plain}",
        "Town Doctor": "heal the quiet one",
        "Town Jailkeeper": f"jail {holds['Town Bodyguard']}",
        "Town Roleblocker": f"block {holds['Town Bodyguard']}",
        "Town Bodyguard": f"bodyguard {holds['Town Doctor']}",
    }
    with (tmp_path / "form.csv").open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows(
            [("Player", "Action"), *((holds[role], said) for role, said in orders.items())]
        )
    with using(kind, tmp_path) as hand:
        hand.go("/games/hands")
        hand.clicks = 0
        hand.press("Night")
        hand.press("Private threads, saved PMs, answers to a form")
        hand.press("Read the table", {"answers to a form": tmp_path / "form.csv"})
        hand.press("Record 9 messages")
        assert hand.text.count("✗ refused") == 1
        assert hand.text.count("– nothing yet") == 1
        doctor, vigilante = holds["Town Doctor"], holds["Town Vigilante"]
        hand.press(f"Set for {doctor}", {f"Set for {doctor}": f"heal {plain}"})
        hand.press(f"Set for {vigilante}", {f"Set for {vigilante}": "no action"})
        assert "✗ refused" not in hand.text
        assert "– nothing yet" not in hand.text
        hand.press("Close Night 1", {"Deadline of what comes next (may be empty)": "72h"})
        assert "Day 2 is open." in hand.text
        assert "Day 2 ends: " in hand.text  # the dawn
        hand.press("PMs")
        if isinstance(hand, BrowserHand):
            # What is on the clipboard is the PM to whom the page says it is.
            while "/pms/" in hand.path:
                text = hand.value("Text")
                hand.copied()
                assert hand.clipboard() == text
        else:
            hand.copy_and_send()
        assert "Every PM was sent: results of night 1." in hand.text
        assert hand.clicks <= 15, hand.clicks
