"""The page in a real browser: a whole game, what axe-core finds, and what leaves this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import axe_core_python
import pytest

from knightfall.web.server import ServedPage
from web import court, play
from web.browser import browsing
from web.hands import BrowserHand
from web.same_game import same_forum, same_game
from web.served import in_turn, running
from web.test_pages import begun
from week.moderator import moderating

AXE = (Path(axe_core_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


@contextmanager
def opened(browser: Any, served: ServedPage, faults: list[str]) -> Iterator[BrowserHand]:
    """A browser that has opened the page; its complaints, and what it asked of others, are in `faults`."""
    root = served.address.partition("/open/")[0]
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    hand = BrowserHand(context.new_page(), root)
    hand.go(served.address.removeprefix(root))
    yield hand
    faults += [*hand.faults, *(one for one in hand.asked if not one.startswith(root))]
    context.close()


def test_a_whole_game_in_a_browser_is_the_game_that_commands_play(by_commands: Path, tmp_path: Path) -> None:
    faults: list[str] = []
    with browsing() as browser, same_forum(), moderating(tmp_path, play.BEGINS) as mod:
        with running(tmp_path) as served, opened(browser, served, faults) as hand:
            play.whole_game(mod, play.ByPage(mod, hand))
        same_game(by_commands, mod.folder)
        assert faults == []


def test_a_whole_court_in_a_browser_is_the_court_that_commands_play(
    court_by_commands: Path, tmp_path: Path
) -> None:
    faults: list[str] = []
    with browsing() as browser, same_forum(), moderating(tmp_path, court.BEGINS) as mod:
        chance = in_turn(court.SEED, court.SALT)
        with running(tmp_path, chance) as served, opened(browser, served, faults) as hand:
            court.whole_court(mod, court.CourtByPage(mod, hand))
        same_game(court_by_commands, mod.folder)
        assert faults == []


PAGES = (
    "/?all=1", "/host", "/host/knight_errant", "/bots", "/api/v1/",
    *(f"/games/salt-harbour{page}" for page in (
        "", "/phases", "/votes", "/close", "/night", "/pms/role", "/players", "/players/Elm", "/posts",
        "/posts/opening", "/posts/endgame", "/log", "/log/1/undo", "/end", "/deal", "/board", "/nowhere",
    )),
)  # fmt: skip
LOOKS = ((360, "dark"), (1280, "light"))


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_axe_finds_nothing_and_no_page_is_wider_than_the_screen(
    tmp_path: Path, width: int, scheme: str
) -> None:
    begun("knight_errant", tmp_path / "salt-harbour")
    with browsing() as browser, running(tmp_path) as served:
        root = served.address.partition("/open/")[0]
        page = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
        ).new_page()
        faults: list[str] = []
        page.on("console", lambda said: faults.append(said.text) if "Policy" in said.text else None)
        page.goto(served.address)
        for path in PAGES:
            page.goto(root + path)
            page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
            page.evaluate(AXE)
            found = page.evaluate("axe.run(document)")["violations"]
            told = [(one["id"], [node["html"] for node in one["nodes"][:3]]) for one in found]
            assert told == [], path
            wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            assert page.evaluate(wider) <= 0, path
        assert faults == []


def test_the_keyboard_alone_settles_a_row_of_the_night(tmp_path: Path) -> None:
    begun("kings_court", tmp_path / "salt-harbour")
    with browsing() as browser, running(tmp_path) as served:
        page = browser.new_page()
        page.goto(served.address)
        page.goto(served.address.partition("/open/")[0] + "/games/salt-harbour/night")
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.tagName") == "SELECT":
                break
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.wait_for_selector(".notice")
        assert "is recorded" in page.inner_text(".notice")
