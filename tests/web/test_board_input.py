"""The board is the input: the page offers every part that a line can have, in few clicks and by keyboard."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from knightfall.engine.lines import Choices, PartKind, followed
from knightfall.services.machine import session_of
from knightfall.services.now import now_of
from knightfall.services.running import slot_meant
from knightfall.services.window import turns
from long_runs import first
from web.browser import browsing
from web.hands import BrowserHand, FormHand, form_hand
from web.served import running, served
from web.test_board_lines import THREE, table

COURT = ("Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Gale", "Hollis", "Iris", "Juno", "Kest")


def fight(folder: Path, letters: str) -> Path:
    made = table("knight_fight", THREE[:2], folder, anomalies=letters, move_time="24h", reserve="72h")
    turns.submit("Ada", "SIDE: X", None, session_of(made))
    return made


def duty(folder: Path, **options: object) -> Path:
    made = table("knights_duty", THREE, folder, **options)
    for name, start in zip(THREE, ("A3", "C7", "G7"), strict=True):
        turns.submit(name, f"START {start}", None, session_of(made))
    turns.close("setup", None, session_of(made))
    return made


def court(folder: Path) -> Path:
    return table("kings_court", COURT, folder, garnets="12")


MADE: dict[str, Any] = {
    **{f"fight {letters}": partial(fight, letters=letters) for letters in ("none", "b", "a", "h", "s", "n")},
    "fight of all": partial(fight, letters="abchsnt"),
    "duty": duty,
    "duty with markers": partial(duty, inspiration="token", cards="picked"),
    "duty before it begins": lambda folder: table("knights_duty", THREE, folder),
    "court": court,
}


SHORT = ("duty before it begins", "court", "fight none")
"""These are soon looked at."""


def offered(hand: FormHand, player: str, picked: tuple[str, ...]) -> set[str]:
    """What can be clicked after these parts, on the board, beside it and on every space that asks; and what
    stands before a blank."""
    links: list[str] = []

    def look(**further: str) -> None:
        answer = hand.client.get(
            "/games/harbour/board/play", params={"player": player, "pick": list(picked), **further}
        )
        hand.took(answer)
        links.extend(hand.tree.xpath("//main//a/@href"))

    look()
    if any("ask=1" in link for link in links):
        look(ask="1")
    found = set(hand.tree.xpath("//main//form//input[@name='head']/@value"))
    for link in dict.fromkeys(links):
        asked = parse_qs(urlsplit(link).query, keep_blank_values=True)
        picks = tuple(asked.get("pick", ()))
        if "space" in asked:
            look(space=asked["space"][0])
    for link in links:
        picks = tuple(parse_qs(urlsplit(link).query, keep_blank_values=True).get("pick", ()))
        if len(picks) == len(picked) + 1 and picks[:-1] == picked:
            found.add(picks[-1])
    return found


def parts_after(folder: Path, player: str, picked: tuple[str, ...]) -> Choices:
    game = now_of(session_of(folder)).running
    walk = followed(partial(game.game.continuations, game.state, slot_meant(game, player)), picked)
    assert walk is not None
    return walk[1]


@pytest.mark.few(1)
@pytest.mark.parametrize("made", first(3, sorted(MADE, key=lambda one: one not in SHORT)))
def test_the_page_offers_each_part_that_a_line_can_go_on_with_and_no_other(made: str, tmp_path: Path) -> None:
    folder = MADE[made](tmp_path)
    hand, chance = form_hand(served(tmp_path)), random.Random(made)
    for player in now_of(session_of(folder)).running.game.playing(now_of(session_of(folder)).running.state)[
        :2
    ]:
        picked: tuple[str, ...] = ()
        for _ in range(4):
            here = parts_after(folder, str(player), picked)
            parts = [part for level in here.levels for part in level.parts]
            assert offered(hand, str(player), picked) == {part.text for part in parts}
            if not parts:
                break
            # On along a usual part, or a seldom one.
            part = chance.choice(here.parts or parts)
            number = str((part.least + part.most) // 2) if part.kind is PartKind.NUMBER else ""
            picked = (*picked, part.text + (number or ("rain" if part.kind is PartKind.TEXT else "")))


@pytest.mark.parametrize("letters", first(1, ["none", "c", "t", "n"]))
def test_a_plain_move_is_a_click_on_a_square_and_one_on_play_it(letters: str, tmp_path: Path) -> None:
    fight(tmp_path, letters)
    hand = form_hand(served(tmp_path))
    hand.go("/games/harbour/board")
    for name in ("Ada", "Boro", "Ada", "Boro"):
        assert f"{name} is to move" in hand.text
        before = hand.clicks
        square = next(
            one
            for one in hand.tree.xpath("//svg//a")
            if one.get("aria-label").count(":") and "pick" in one.get("href")
        )
        hand.clicks += 1
        hand.go(square.get("href"))
        hand.press("Play it")
        assert hand.clicks - before == 2
        assert f"The message of {name} is recorded." in hand.text


def test_a_plan_of_three_rounds_is_a_click_a_part_and_who_else_is_awaited_one_further(tmp_path: Path) -> None:
    duty(tmp_path)
    hand = form_hand(served(tmp_path))
    hand.go("/games/harbour/board")
    hand.press("Ada")
    for part in ("B3", "SWORD", "C7", "SHIELD"):
        space = [one for one in hand.tree.xpath("//svg//a") if one.get("aria-label").startswith(f"{part}:")]
        if space:
            hand.clicks += 1
            hand.go(space[0].get("href"))
        else:
            hand.press(part)
    hand.press("Play it")
    assert hand.clicks == 6
    assert "Awaited: Boro Cinder" in hand.text
    hand.press("Boro")
    assert "A line of Boro" in hand.text
    assert "Also awaited: Cinder" in hand.text


def test_who_is_awaited_in_secret_is_hidden_by_private_eyes(tmp_path: Path) -> None:
    fight(tmp_path, "bn")
    hand = form_hand(served(tmp_path))
    hand.go("/games/harbour/board")
    assert "Awaited: Ada Boro" in hand.text
    hand.press("Private eyes: off")
    hand.go("/games/harbour/board")
    assert "Awaited" not in hand.text
    assert not hand.tree.xpath("//svg//a")


@pytest.mark.long
def test_by_keyboard_alone_a_move_is_made_and_the_next_one_is_there(tmp_path: Path) -> None:
    fight(tmp_path, "none")
    with browsing() as browser, running(tmp_path) as page:
        hand = BrowserHand(browser.new_context().new_page(), page.access.home)
        hand.opens(page.address)
        hand.go("/games/harbour/board")
        keys = hand.page.keyboard

        def focused() -> str:
            return str(hand.page.evaluate("document.activeElement.getAttribute('aria-label') || ''"))

        for _ in range(40):
            keys.press("Tab")
            if focused().startswith("D5"):
                break
        keys.press("ArrowRight")
        assert focused().startswith("E4")
        keys.press("ArrowRight")
        assert focused().startswith("G4")
        keys.press("Enter")
        hand.page.wait_for_url("**pick=G4")
        hand.page.wait_for_function("document.activeElement.textContent === 'Play it'")
        keys.press("Enter")
        hand.page.wait_for_url("**done=**")
        assert "Boro is to move" in hand.text
        assert hand.faults == []
