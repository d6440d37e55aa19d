"""A day and a night by keyboard alone, and where the focus is meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from begun import begin
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest
from knightfall.services.window.message_table import roles_by_name
from playthroughs.moderator import NAME, Moderator, moderating
from web.browser import browsing
from web.hands import come_in
from web.hosted_games import BEGINS, GAME, NAMES
from web.served import running

SETUP = {"schema": 1, "name": "Tin Keys", "slots": [{"role": "Mafia Goon"}, {"role": "Mafia Goon"},
         {"role": "Town Cop"}, {"role": "Vanilla Townie", "fill": True}]}  # fmt: skip
SAID = r"""() => { const at = document.activeElement; if (at === document.body) return '';
  const said = at.labels?.[0]?.innerText || at.innerText || at.getAttribute('aria-label') || '';
  return said.replace(/\s+/g, ' ').trim() }"""
LOST = "document.activeElement === document.body"
TO_NEXT = 3
"""Keys from the top of Today to what is due: to the link that skips the head, over it, to the button."""


@dataclass
class Keys:
    """A keyboard and no mouse; `pressed` counts its keys, but for those of a text that is typed."""

    page: Any
    pressed: int = 0

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.pressed += 1

    def reach(self, words: str, most: int = 200) -> None:
        """Tab to what says the words."""
        for left in range(most, -1, -1):
            if str(self.page.evaluate(SAID)).startswith(words):
                return
            if left:
                self.press("Tab")
        raise AssertionError(
            f"{self.page.url}: “{words}” is not reached\n{self.page.inner_text('main')[:2000]}"
        )

    def skip(self) -> None:
        """Over the head of the page."""
        self.reach("Skip to the page", 1)
        self.press("Enter")
        self.page.wait_for_timeout(200)  # the browser goes there in its own time

    def types(self, label: str, text: str) -> None:
        """Type into the field of that label."""
        self.reach(label)
        self.page.keyboard.type(text)

    def enter(self, words: str) -> None:
        """Reach what says the words, and press Enter; the next page is there, and long work over."""
        self.reach(words)
        with self.page.expect_navigation(wait_until="load"):
            self.press("Enter")
        while "/jobs/" in self.page.url and self.page.locator("#job").count():
            self.page.wait_for_timeout(50)
        self.page.wait_for_load_state("load")

    def main(self) -> str:
        """What the page says."""
        return " ".join(str(self.page.inner_text("main")).split())


@contextmanager
def at_the_keyboard(desk: Path) -> Iterator[tuple[Moderator, Keys, Mapping[str, str]]]:
    """A game of eleven that was just dealt, before somebody who has no mouse."""
    with moderating(desk, BEGINS) as mod, browsing() as browser, running(desk) as served:
        address = mod.board.open(GAME, "Tin Keys", NAME, "Day 1 begins.")
        request = NewGameRequest(
            "custom_mafia", NAMES[:11], desk / "keys", b"s" * 32, b"t" * 32, "Tin Keys", "Europe/Lisbon",
            {"setup": SETUP}, site="phpbb", moderators=(NAME,), threads=(("game", address),),
        )  # fmt: skip
        begin(request, session_of(desk / "keys", allow_private=True))
        context = browser.new_context()
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = context.new_page()
        come_in(page, served.address)
        page.goto(served.access.home + "/games/keys")
        page.wait_for_load_state("networkidle")
        yield mod, Keys(page), roles_by_name(session_of(desk / "keys"))
        context.close()


@pytest.mark.long
def test_the_keyboard_alone_plays_a_day_and_a_night(tmp_path: Path) -> None:
    with at_the_keyboard(tmp_path) as (mod, keys, roles):
        page = keys.page
        goons = [name for name, role in roles.items() if role == "Mafia Goon"]
        [cop] = [name for name, role in roles.items() if role == "Town Cop"]
        plain = [name for name, role in roles.items() if role == "Vanilla Townie"]

        # From the top of Today over the head of the page to what is due.
        keys.skip()
        keys.reach("Set the deadline of day 1", 1)
        assert keys.pressed <= TO_NEXT, keys.pressed
        keys.enter("Set the deadline of day 1")
        keys.types("Deadline of Day 1", "Thu 8pm")
        keys.enter("Set the deadline of Day 1")

        # Count, and decide a vote in its row: the focus goes to what was opened.
        for name in (*plain[:5], cop):
            mod.board.post(GAME, name, f"[b]Vote: {goons[0]}[/b]")
        keys.enter("Votecount")
        keys.enter("Read the thread")
        keys.reach(f"Decide how post 3 of {plain[1]}")
        keys.press("Enter")
        page.locator("#decide").wait_for()
        page.wait_for_timeout(100)
        assert not page.evaluate(LOST)
        keys.reach("Ignore", 4)
        keys.enter("Ignore")
        assert "Post 3 is decided" in keys.main()
        mod.board.post(GAME, plain[5], f"[b]Vote: {goons[0]}[/b]")
        keys.enter("Read what is new")
        assert f"Day 1 is hammered: {goons[0]}" in keys.main()

        # Close the day with the name, give the night its deadline, copy the post.
        keys.skip()
        keys.enter("Close the day")
        keys.types("Lock the thread", goons[0])
        keys.types("Deadline of what comes next", "Sat 8pm")
        with page.expect_navigation(wait_until="load"):
            keys.press("Enter")
        while "/jobs/" in page.url and page.locator("#job").count():
            page.wait_for_timeout(50)
        page.wait_for_load_state("load")
        keys.enter("Copy")
        text = page.evaluate("navigator.clipboard.readText()")
        assert f"{goons[0]}[/b] is eliminated" in text
        mod.posts(GAME, text)

        # An order from its list, the rest, the close, the dawn.
        keys.enter("Night")
        keys.reach(f"Set for {goons[1]}")
        keys.press("ArrowDown")
        keys.press("Tab")
        keys.enter("Set")
        keys.enter("All the others do nothing")
        mod.turns_to(BEGINS.replace(day=14, hour=20, minute=1))
        page.reload()
        keys.types("Deadline of what comes next", "Wed 8pm")
        keys.enter("Close Night 1")
        assert "Night 1 is closed" in keys.main()
        keys.enter("Copy")
        assert "found dead in the morning" in page.evaluate("navigator.clipboard.readText()")
