"""The page in a real browser: a whole game, what axe-core finds, and what leaves this machine."""

from __future__ import annotations

from pathlib import Path

import axe_core_python
import pytest

from web.browser import browsing
from web.hands import BrowserHand
from web.play import BEGINS, ByCommand, ByPage, whole_game
from web.served import running
from web.test_pages import begun
from web.test_whole_game import same_forum, same_game
from week.moderator import moderating

AXE = (Path(axe_core_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_a_whole_game_in_a_browser_is_the_game_that_commands_play(tmp_path: Path) -> None:
    with browsing() as browser, same_forum():
        with moderating(_made(tmp_path / "commands"), BEGINS) as mod:
            whole_game(mod, ByCommand(mod))
            by_commands = mod.folder
        with moderating(_made(tmp_path / "page"), BEGINS) as mod, running(mod.desk) as served:
            context = browser.new_context(viewport={"width": 1280, "height": 900})
            hand = BrowserHand(context.new_page(), served.address.partition("/open/")[0])
            hand.go("/open/" + served.address.partition("/open/")[2])
            whole_game(mod, ByPage(mod, hand))
            same_game(by_commands, mod.folder)
            assert hand.faults == []
            assert [one for one in hand.asked if not one.startswith(hand.root)] == []


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
