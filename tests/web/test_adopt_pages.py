"""“My moderator vanished”: a running game is taken in on the page, from its thread and a list of roles."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from knightfall.engine.playout import START
from knightfall.services.machine import session_of
from knightfall.services.now import now_of
from playthroughs.moderator import Moderator, moderating
from playthroughs.test_adopted import at_night, listed_roles
from playthroughs.test_other_weeks import GAME, day, vote
from web.browser import browsing
from web.hands import BrowserHand, Hand, form_hand
from web.served import running, served

MINUTES = 10
"""So long a newcomer may need to the next right votecount."""


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "own"))


def on_day_two(mod: Moderator) -> tuple[str, str, list[str]]:
    """A custom game on its second day, whose moderator is about to vanish: their list of roles, the goon, and
    the townies that live; one of them came in for another."""
    goon, cop, doctor, *plain = at_night(mod)
    mod.types(f"submit {goon} kill {doctor}")
    mod.types("commit night --yes")
    mod.types("post dawn --copy --posted")
    mod.posts(GAME, mod.pasted[-1])
    day(mod, 2)
    vote(mod, goon, [cop])
    swapped = mod.types(f"replace {plain[0]} Hollis --at {len(mod.board.topics[GAME].posts) + 1}")
    mod.posts(GAME, swapped.out)
    vote(mod, goon, ["Hollis"])
    return listed_roles(mod.cards()), goon, plain[1:]


def takes_it_in(hand: Hand, address: str, roles: str) -> None:
    hand.go("/")
    hand.press("Take in a running game")
    hand.press(
        "Read the game",
        {"Address of the game’s thread": address, "Who has which role": roles, "Your name": "Hollis_Mod"},
    )


@pytest.mark.long
def test_the_game_goes_on_with_the_next_right_votecount(tmp_path: Path) -> None:
    with moderating(tmp_path, START) as mod:
        roles, goon, plain = on_day_two(mod)
        hand = form_hand(served(tmp_path / "heir"))
        takes_it_in(hand, mod.board.url(GAME), roles)
        assert "Day 2, 6 of 7 players live" in hand.text
        assert "Not sure" not in hand.text
        hand.press("Go on with this game", {"Its deadline": "48h"})
        assert "The game goes on here: Day 2, 6 players live." in hand.text
        folder = tmp_path / "heir" / "tin-fair"
        assert len(now_of(session_of(folder)).running.state.living) == 6
        vote(mod, goon, plain[:1])
        hand.go("/games/tin-fair/votes")
        hand.press("Read what is new")
        assert f"{goon} 3/4" in hand.text
        hand.go("/games/tin-fair/log")
        assert "(adopted)" in hand.text


def test_a_table_is_corrected_before_anything_is_written(tmp_path: Path) -> None:
    with moderating(tmp_path, START) as mod:
        roles, goon, _ = on_day_two(mod)
        hand = form_hand(served(tmp_path / "heir"))
        # One role is missing, another one is of no game.
        lines = [line for line in roles.splitlines() if not line.startswith(goon)]
        takes_it_in(hand, mod.board.url(GAME), "\n".join(lines).replace("Town Cop", "Town Cobbler"))
        assert f"The role list does not name {goon}." in hand.text
        hand.press("Go on with this game", {"The game": "Custom Mafia"})
        assert "2 lines still to be corrected: " in hand.text
        assert not (tmp_path / "heir" / "tin-fair").exists()
        cop = next(line.partition(" – ")[0] for line in roles.splitlines() if "Cop" in line)
        hand.press("Go on with this game", {f"Role of {goon}": "Mafia Goon", f"Role of {cop}": "Town Cop"})
        assert "The game goes on here" in hand.text
        folder = tmp_path / "heir" / "tin-fair"
        assert now_of(session_of(folder)).running.state.cards[goon].name == "Mafia Goon"


@pytest.mark.long
def test_private_eyes_see_nothing_of_it_and_nonsense_is_refused_in_words(tmp_path: Path) -> None:
    with moderating(tmp_path, START) as mod:
        roles, *_ = on_day_two(mod)
        hand = form_hand(served(tmp_path / "heir"))
        takes_it_in(hand, mod.board.url(GAME), roles)
        path = hand.path
        hand.press("Private eyes: off")
        hand.go(path)
        assert "Goon" not in hand.body
        assert "hidden by private eyes" in hand.text
        hand.press("Private eyes: on")
        hand.go("/adopt")
        hand.press("Read the game")
        assert "Give the address of the thread" in hand.refusal


@pytest.mark.long
def test_my_moderator_vanished_in_a_real_browser(tmp_path: Path) -> None:
    pictures = os.environ.get("KNIGHTFALL_PICTURES", "")
    with moderating(tmp_path, START) as mod, browsing() as browser:
        roles, goon, plain = on_day_two(mod)
        with running(tmp_path / "heir") as page:
            tab = browser.new_page(viewport={"width": 1100, "height": 900})
            root = page.access.home
            hand = BrowserHand(tab, root)
            began = time.monotonic()
            hand.opens(page.address)
            takes_it_in(hand, mod.board.url(GAME), roles)
            if pictures:
                tab.screenshot(path=f"{pictures}/adopt-table.png", full_page=True)
            hand.press("Go on with this game", {"Its deadline": "48h"})
            if pictures:
                tab.screenshot(path=f"{pictures}/adopt-today.png", full_page=True)
            vote(mod, goon, plain[:1])
            hand.go("/games/tin-fair/votes")
            hand.press("Read what is new")
            assert f"{goon} 3/4" in hand.text
            if pictures:
                tab.screenshot(path=f"{pictures}/adopt-votes.png", full_page=True)
            assert time.monotonic() - began < MINUTES * 60
            assert hand.clicks <= 6
            assert hand.faults == []
