"""The page in a real browser: a whole game, what axe-core finds, and what leaves this machine."""

from __future__ import annotations

from pathlib import Path

import axe_core_python
import pytest

from web.browser import browsing
from web.hands import BrowserHand
from web.play import BEGINS, ByCommand, ByPage, whole_game
from web.served import running
from web.test_whole_game import same_forum, same_game
from week.moderator import moderating

AXE = (Path(axe_core_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
WIDTHS, SCHEMES = (360, 1280), ("light", "dark")


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
