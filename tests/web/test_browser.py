"""The page in a real browser: a whole game, what axe-core finds, and what leaves this machine."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import axe_core_python
import pytest

from fetch.loopback import serving
from knightfall.web.jobs import Job
from knightfall.web.server import ServedPage
from long_runs import LONG_JOB
from playthroughs.moderator import Moderator, moderating
from web import court, play
from web.browser import browsing
from web.every_page import crowded_thread, every_page, made
from web.hands import BrowserHand, come_in, origin_of
from web.same_game import same_forum, same_game
from web.served import in_turn, running
from web.test_clicks import ten_hands

AXE = (Path(axe_core_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


@contextmanager
def opened(browser: Any, served: ServedPage, faults: list[str]) -> Iterator[BrowserHand]:
    """A browser that has opened the page; its complaints, and what it asked of others, are in `faults`."""
    root = served.access.home
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    hand = BrowserHand(context.new_page(), root)
    hand.opens(served.address)
    yield hand
    # The address that lets it in, and the icon of that page, lie outside of the key.
    ours = (f"{root}/", served.address, f"{origin_of(root)}/static/")
    faults += [*hand.faults, *(one for one in hand.asked if not one.startswith(ours))]
    context.close()


@pytest.mark.long
def test_a_whole_game_in_a_browser_is_the_game_that_commands_play(by_commands: Path, tmp_path: Path) -> None:
    faults: list[str] = []
    with browsing() as browser, same_forum(), moderating(tmp_path, play.BEGINS) as mod:
        with running(tmp_path) as served, opened(browser, served, faults) as hand:
            play.whole_game(mod, play.ByPage(mod, hand))
        same_game(by_commands, mod.folder)
        assert faults == []


@pytest.mark.long  # by default it is played to its first tie
def test_a_whole_court_in_a_browser_is_the_court_that_commands_play(
    court_by_commands: Path, tmp_path: Path
) -> None:
    court_in_a_browser(court.whole_court, court_by_commands, tmp_path)


@pytest.mark.long
def test_a_court_in_a_browser_up_to_its_first_tie_is_the_court_that_commands_play(
    short_court_by_commands: Path, tmp_path: Path
) -> None:
    court_in_a_browser(court.short_court, short_court_by_commands, tmp_path)


def court_in_a_browser(
    plays: Callable[[Moderator, court.Court], None], by_commands: Path, desk: Path
) -> None:
    faults: list[str] = []
    with browsing() as browser, same_forum(), moderating(desk, court.BEGINS) as mod:
        chance = in_turn(court.SEED, court.SALT)
        with running(desk, chance) as served, opened(browser, served, faults) as hand:
            plays(mod, court.CourtByPage(mod, hand))
        same_game(by_commands, mod.folder)
        assert faults == []


WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
BLIND = "[...document.images].filter(one => !one.naturalWidth).map(one => one.src)"
LOOKS = ((360, "dark"), (1280, "light"))
# What goes by colour hangs on the scheme, what goes by room on the width: two looks see both of each. The
# long run, and who keeps pictures for their eyes, has all eight.
ALL_LOOKS = tuple((width, scheme) for scheme in ("dark", "light") for width in (360, 390, 768, 1280))
SMALLEST = 24
"""Pixels that what is touched has at least, across and down (WCAG 2.2, 2.5.8)."""
TOO_SMALL = """least => [...document.querySelectorAll('a[href], button, summary, input, select, textarea')]
  .filter(one => one.type !== 'hidden' && one.checkVisibility({visibilityProperty: true}))
  .filter(one => !one.closest('.sr, svg') && !one.classList.contains('skip'))
  .map(one => ['checkbox', 'radio'].includes(one.type) && one.closest('label') || one)
  .map(one => [one.outerHTML.slice(0, 90), ...[one.getBoundingClientRect()].map(at => [at.width, at.height])])
  .filter(([, [across, down]]) => Math.min(across, down) + 0.01 < least)"""
AXE_RUN = "only => axe.run(document, {resultTypes: ['violations'], ...(only && {runOnly: only})})"
BY_LOOK = ["color-contrast", "scrollable-region-focusable"]
"""What axe-core says of colours and sizes; all else is as true of the second look as of the first."""


@pytest.mark.long
def test_axe_finds_nothing_and_no_page_is_wider_than_the_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`KNIGHTFALL_SCREENSHOTS` names a folder where a picture of each page by each look is kept."""
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "kept"))
    pictures, told = os.environ.get("KNIGHTFALL_SCREENSHOTS", ""), list[object]()
    with serving(crowded_thread()) as server, browsing() as browser, running(tmp_path) as served:
        made(tmp_path, server)
        faults: list[str] = []
        with opened(browser, served, faults) as hand:
            page = hand.page
            for shown in every_page(hand, tmp_path, f"{server.root}viewtopic.php?t=5"):
                if shown.path:
                    hand.go(shown.path)
                page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
                if blind := page.evaluate(BLIND):
                    told.append((shown.name, "not shown", blind))
                page.evaluate(AXE)
                for look, (width, scheme) in enumerate(ALL_LOOKS if pictures or LONG_JOB else LOOKS):
                    page.set_viewport_size({"width": width, "height": 900})
                    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                    only = None if LONG_JOB or look == 0 else BY_LOOK
                    found = page.evaluate(AXE_RUN, only)["violations"]
                    told += [
                        (shown.name, width, one["id"], [n["html"] for n in one["nodes"][:3]]) for one in found
                    ]
                    if width == 360:
                        told += [(shown.name, "too small", one) for one in page.evaluate(TOO_SMALL, SMALLEST)]
                    if page.evaluate(WIDER) > 0:
                        told.append((shown.name, width, "wider than the screen"))
                    if pictures:
                        name = re.sub(r"[^\w-]+", "_", shown.name)
                        page.screenshot(path=f"{pictures}/{name}-{width}-{scheme}.png", full_page=True)
        assert told == []
        refused = "Failed to load resource: the server responded with a status of 4"
        assert [one for one in faults if not one.startswith(refused)] == []


@pytest.mark.long
def test_a_page_that_refuses_has_the_look_of_the_others_and_nothing_for_axe(tmp_path: Path) -> None:
    with browsing() as browser, running(tmp_path) as served:
        page = browser.new_page(viewport={"width": 360, "height": 700})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            answer = page.goto(served.access.home + "/games/harbour")
            assert answer.status == 403
            assert "Nothing was lost" in page.inner_text("main")
            assert page.evaluate("getComputedStyle(document.querySelector('.button')).fontWeight") == "600"
            page.evaluate(AXE)
            assert page.evaluate(AXE_RUN, None)["violations"] == []
            assert page.evaluate(TOO_SMALL, SMALLEST) == []
            assert page.evaluate(WIDER) <= 0


@pytest.mark.long
def test_a_slow_page_to_which_long_work_leads_is_asked_for_once(tmp_path: Path) -> None:
    with browsing() as browser, running(tmp_path) as served:
        page, held = browser.new_page(), list[Any]()
        come_in(page, served.address)
        job = Job("a1", "Counting", "/", 0.0)
        served.watches._jobs._jobs[job.id] = job
        page.route("**/help", lambda route: held.append(route))
        page.goto(f"{served.access.home}/jobs/{job.id}")
        job.then = "/help"
        job.ended.set()
        page.wait_for_timeout(4000)
        assert len(held) == 1
        held[0].continue_()
        page.wait_for_url("**/help")


@pytest.mark.journey
def test_the_keyboard_alone_plays_the_night_up_to_its_pms(tmp_path: Path) -> None:
    holds = ten_hands(tmp_path / "hands")
    with browsing() as browser, running(tmp_path) as served:
        page = browser.new_page()
        come_in(page, served.address)
        page.goto(served.access.home + "/games/hands/night")

        def reach(words: str) -> None:
            """Tab to what says the words."""
            for _ in range(200):
                page.keyboard.press("Tab")
                said = (
                    "document.activeElement.labels?.[0]?.innerText || document.activeElement.innerText || ''"
                )
                if page.evaluate(said).strip().startswith(words):
                    return
            raise AssertionError(f"{words} is not reached by keyboard")

        def enter() -> None:
            with page.expect_navigation(wait_until="load"):
                page.keyboard.press("Enter")

        # A message is pasted; an order is chosen from its list; the others do nothing, on purpose.
        reach("A message as it was sent")
        page.keyboard.press("Enter")
        reach("From")
        page.keyboard.type(holds["Mafia Goon"])
        reach("The whole post or PM")
        page.keyboard.type(f"kill {holds['Vanilla Townie']}")
        reach("Record it")
        enter()
        assert "is recorded" in page.inner_text(".notice")
        reach(f"Set for {holds['Town Cop']}")
        page.keyboard.press("ArrowDown")
        reach("Set")
        enter()
        reach("All the others do nothing")
        enter()
        reach("Close Night 1")
        enter()
        assert "Night 1 is closed" in page.inner_text(".notice")
        reach("PMs")
        enter()
        # The browser gives the focus when it draws the page, which may be after it was loaded.
        page.wait_for_function("document.activeElement.innerText === 'Copy'")
        enter()
        assert "Every PM was sent: results of night 1." in page.inner_text("main")
