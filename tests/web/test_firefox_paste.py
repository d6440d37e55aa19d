"""The paste in Firefox: a page is copied in one tab and pasted in another, by keys alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from fetch.boards import Board, Prosilver
from fetch.loopback import serving
from knightfall.web.server import ServedPage
from services.test_pasted import written
from web.firefox import Firefox, FirefoxTab, firefoxing
from web.pasting import COPIED, PASTED, hostile_page
from web.served import running

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("own_folder")]


@pytest.fixture(scope="module")
def firefox() -> Iterator[Firefox]:
    with firefoxing() as found:
        yield found


def moderators(firefox: Firefox, page: ServedPage) -> FirefoxTab:
    """A tab of the moderator's page, once its one-time address has led there."""
    tab = firefox.open(page.address)
    tab.wait_for("!location.pathname.startsWith('/open/') && document.readyState === 'complete'")
    return tab


def tells(tab: FirefoxTab, words: str) -> None:
    """Wait until the page is loaded and tells that."""
    tells_it = f"document.querySelector('main').innerText.includes({json.dumps(words)})"
    tab.wait_for(f"document.readyState === 'complete' && {tells_it}")


def test_a_thread_comes_to_its_count_by_three_keys_a_page(tmp_path: Path, firefox: Firefox) -> None:
    board: Board = Prosilver(written(13))
    with serving(board) as server, running(tmp_path) as page:
        board.root = server.root
        mine, theirs = moderators(firefox, page), firefox.open()
        for number in (1, 3, 2):
            theirs.goto(board.page_url(number))
            theirs.focus()
            theirs.press(*COPIED)
            mine.focus()
            mine.press(PASTED)
            tells(mine, f"Page {number} of 3 read")
        assert len((*COPIED, PASTED)) == 3
        assert "Posts 1–13, complete" in mine.text("main")
        assert mine.errors == ()


def test_scripts_of_a_page_that_is_copied_never_run(tmp_path: Path, firefox: Firefox) -> None:
    url, html = hostile_page()
    with running(tmp_path) as page:
        theirs, mine = firefox.open(), moderators(firefox, page)
        theirs.show(url, html)
        theirs.wait_for("window.stolen === 1")
        theirs.focus()
        theirs.press(*COPIED)
        mine.focus()
        mine.press(PASTED)
        tells(mine, "Page 1 of 1 read")
        assert mine.evaluate("window.stolen") is None


def test_scripts_of_a_source_that_is_pasted_never_run(tmp_path: Path, firefox: Firefox) -> None:
    _url, html = hostile_page()
    with running(tmp_path) as page:
        tab = moderators(firefox, page)
        tab.evaluate("source => navigator.clipboard.writeText(source)", html)
        tab.focus()
        tab.press(PASTED)
        tells(tab, "Page 1 of 1 read")
        assert tab.evaluate("window.stolen") is None
