"""The paste in a real browser: a page is copied in one tab and pasted in another, by keys alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fetch.boards import Board, Prosilver
from fetch.loopback import serving
from services.test_pasted import written
from web.browser import browsing
from web.hands import come_in
from web.pasting import COPIED, PASTED, hostile_page
from web.served import running
from web.test_paste import a_game

pytestmark = pytest.mark.usefixtures("own_folder")

PASTES = """([html, text, to]) => {
  const data = new DataTransfer();
  if (html) data.setData('text/html', html);
  data.setData('text/plain', text);
  const at = to ? document.querySelector(to) : document.body;
  const way = {clipboardData: data, bubbles: true, cancelable: true};
  return !at.dispatchEvent(new ClipboardEvent('paste', way));
}"""
"""Whether the page took a paste for itself."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with browsing() as found:
        yield found


def copied(tab: Any, url: str) -> int:
    """Copy all of a page; returns how many keys that takes."""
    tab.goto(url)
    tab.bring_to_front()
    for keys in COPIED:
        tab.keyboard.press(keys)
    return len(COPIED)


@pytest.mark.long
def test_a_thread_comes_to_its_count_by_three_keys_a_page(tmp_path: Path, browser: Any) -> None:
    board: Board = Prosilver(written(13))
    with serving(board) as server, running(tmp_path) as page:
        board.root = server.root
        context = browser.new_context()
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        mine, theirs = context.new_page(), context.new_page()
        faults: list[str] = []
        mine.on("pageerror", lambda fault: faults.append(str(fault)))
        mine.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
        come_in(mine, page.address)
        keys = 0
        for number in (1, 3, 2):
            keys += copied(theirs, board.page_url(number))
            mine.bring_to_front()
            with mine.expect_navigation(wait_until="load"):
                mine.keyboard.press(PASTED)
            keys += 1
            assert f"Page {number} of 3 read" in mine.inner_text("main"), mine.inner_text("main")
        assert keys == 9
        assert "Posts 1–13, complete" in mine.inner_text("main")
        assert faults == []
        context.close()


@pytest.mark.long
def test_fields_keep_what_is_pasted_for_them_and_what_is_no_page_is_told(
    tmp_path: Path, browser: Any
) -> None:
    a_game(tmp_path, ("game", "https://forum.example/viewtopic.php?t=9"))
    with running(tmp_path) as page:
        tab = browser.new_page()
        come_in(tab, page.address)
        address = "https://forum.example/viewtopic.php?t=9"
        assert not tab.evaluate(PASTES, [f"<a href='{address}'>it</a>", address, "#given"])
        assert tab.evaluate(PASTES, ["", "Ada wrote:\nvote Boro", ""])
        assert "does not tell who wrote what" in tab.inner_text("form.paste [role=status]")
        assert tab.evaluate(PASTES, ["x" * (2**24 + 1), "x", ""])
        assert "larger than 16 MiB" in tab.inner_text("form.paste [role=status]")
        # The source of a page, as a browser shows and copies it, is taken as it is.
        with tab.expect_navigation(wait_until="load"):
            tab.evaluate(
                PASTES, ["<pre>&lt;html></pre>", "<!doctype html><html><body>Soup</body></html>", "#given"]
            )
        assert "is no thread of a forum" in tab.inner_text("#refused")
        assert tab.input_value("textarea[name=pasted]") == ""
        tab.goto(page.access.home + "/games/harbour/players")
        assert not tab.evaluate(PASTES, ["<b>Ada</b>", "Ada", ""])
        tab.close()


@pytest.mark.long
def test_scripts_of_a_pasted_page_never_run(tmp_path: Path, browser: Any) -> None:
    _url, html = hostile_page()
    with running(tmp_path) as page:
        tab = browser.new_page()
        come_in(tab, page.address)
        with tab.expect_navigation(wait_until="load"):
            tab.evaluate(PASTES, [html, "text", ""])
        assert "Page 1 of 1 read" in tab.inner_text("main")
        assert tab.evaluate("window.stolen") is None
        tab.close()
