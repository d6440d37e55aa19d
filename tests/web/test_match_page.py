"""The match of an archive in a browser: opened from disk, without scripts, at any width, light or dark."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.test_archive_match import written
from web.browser import browsing
from web.test_browser import AXE, AXE_RUN

FIRST_STEPS = {"knight_fight": ("the-start", "move-1"), "knights_duty": ("the-start", "turn-1-round-1")}


def address(name: str, step: str = "") -> str:
    page: Path = written(name) / "match.html"
    return f"{page.as_uri()}{f'#{step}' if step else ''}"


@pytest.mark.long
@pytest.mark.parametrize("name", FIRST_STEPS)
def test_without_scripts_one_step_is_shown_and_a_link_leads_on(name: str) -> None:
    first, second = FIRST_STEPS[name]
    with browsing() as browser:
        page = browser.new_context(java_script_enabled=False).new_page()
        page.goto(address(name))
        shown = page.locator(".step:visible")
        assert shown.count() == 1
        assert shown.get_attribute("id") == first
        # By keyboard: the link that was followed last is where Tab goes on.
        shown.get_by_role("link", name="Next").press("Enter")
        assert page.url == address(name, second)
        assert shown.get_attribute("id") == second
        shown.get_by_role("link", name="Last").click()
        assert shown.get_by_role("link", name="Back").count() == 1
        assert shown.get_by_role("link", name="Next", exact=True).count() == 0


@pytest.mark.long
def test_the_address_of_a_move_shows_that_move() -> None:
    with browsing() as browser:
        page = browser.new_context(java_script_enabled=False).new_page()
        page.goto(address("knight_fight", "move-12"))
        assert page.locator(".step:visible").get_attribute("id") == "move-12"
        assert "Move 12" in page.locator(".step:visible .told").inner_text()


@pytest.mark.long
@pytest.mark.parametrize("name", ["knight_fight", "knights_duty", "kings_court"])
def test_axe_finds_nothing_and_the_page_is_no_wider_than_the_screen(name: str) -> None:
    with browsing() as browser:
        for scheme in ("light", "dark"):
            for width in (360, 1280):
                context = browser.new_context(
                    bypass_csp=True, color_scheme=scheme, viewport={"width": width, "height": 800}
                )
                page = context.new_page()
                page.goto(address(name))
                page.get_by_role("link", name="Next", exact=True).first.click()
                assert page.evaluate("document.documentElement.scrollWidth") <= width
                page.evaluate(AXE)
                found = page.evaluate(AXE_RUN, None)
                assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found["violations"]] == []
                context.close()
