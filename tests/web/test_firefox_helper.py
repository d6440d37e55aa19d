"""The helper in a real Firefox: what test_helper tries in Chromium."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest

from fetch import boards
from fetch.boards import Board
from fetch.loopback import Reply, serving
from knightfall.web import handing
from playthroughs.moderator import moderating
from web import play
from web.firefox import FirefoxError, FirefoxTab
from web.helped_browser import code_of
from web.helped_firefox import HelpedFirefox, helped_firefox
from web.served import running
from web.test_helper import (
    IN_ORDER,
    POLICIES,
    SIX,
    STRICT,
    assert_at_their_votes,
    board_of,
    matrix,
    paired,
    votes,
)
from web.test_pm_pages import ordered
from web.test_private_thread import night_of

BADGES = "[...document.querySelectorAll('[data-knightfall-badge]')].map(one => one.textContent)"


pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HelpedFirefox]:
    with helped_firefox(tmp_path_factory.mktemp("helped")) as found:
        yield found


@pytest.fixture(autouse=True)
def no_tab_is_left(firefox: HelpedFirefox) -> Iterator[None]:
    yield
    firefox.close_tabs()


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "own"))
    monkeypatch.setattr(handing, "PAUSE", 0.01)


@pytest.mark.parametrize(("kind", "policy"), matrix())
def test_one_click_takes_a_whole_thread(
    tmp_path: Path, firefox: HelpedFirefox, kind: Callable[..., Board], policy: str
) -> None:
    with board_of(kind, POLICIES[policy]) as (board, server), paired(tmp_path, firefox):
        tab = firefox.open(board.page_url(2))
        firefox.press(tab)
        assert "Boro" in firefox.wait_for(tab, "All 3 pages are here.*Day 1, as of #")
        assert not any("knightfall" in headers["User-Agent"] for headers in server.headers)
        assert len(tab.evaluate(BADGES)) == 5


@pytest.mark.parametrize("kind", SIX, ids=lambda kind: kind.__name__)
def test_badges_stand_at_their_own_posts(
    tmp_path: Path, firefox: HelpedFirefox, kind: Callable[..., Board]
) -> None:
    with board_of(kind, STRICT, 5) as (board, _), paired(tmp_path, firefox):
        tab = firefox.open(board.url)
        firefox.press(tab)
        firefox.wait_for(tab, "Day 1, as of #")
        found = tab.evaluate(IN_ORDER)
        assert_at_their_votes(found)


def test_where_a_forum_forbids_reading_on_the_page_alone_is_taken(
    tmp_path: Path, firefox: HelpedFirefox
) -> None:
    forbids = {"Content-Security-Policy": "default-src 'none'"}
    with board_of(boards.Prosilver, forbids) as (board, _), paired(tmp_path, firefox):
        tab = firefox.open(board.page_url(1))
        firefox.press(tab)
        said = firefox.wait_for(tab, "Your browser does not let a helper read on")
        assert "Missing: page 2, 3 of 3." in said
        for number in (2, 3):
            tab = firefox.open(board.page_url(number))
            firefox.press(tab)
            firefox.wait_for(tab, "press the button there|All 3 pages are here")
        firefox.wait_for(tab, "Day 1, as of #13")


def test_each_fault_is_told_for_what_it_is(tmp_path: Path, firefox: HelpedFirefox) -> None:
    with board_of(boards.Prosilver) as (board, _):
        with paired(tmp_path / "games", firefox) as page:
            port = page.access.port
        tab = firefox.open(board.url)
        firefox.press(tab)
        assert "copy the page (Ctrl-A, Ctrl-C)" in firefox.wait_for(tab, "Knightfall did not answer on port")
        with serving(lambda _: Reply(b"Somebody else"), port=port):
            tab = firefox.open(board.url)
            firefox.press(tab)
            firefox.wait_for(tab, "or another program has that port")
        with running(tmp_path / "others", port=port):
            tab = firefox.open(board.url)
            firefox.press(tab)
            firefox.wait_for(tab, "is not paired with the Knightfall that runs here")


def test_a_pm_is_opened_as_an_order_by_two_clicks(tmp_path: Path, firefox: HelpedFirefox) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        night_of(mod)
        goon, order, html = ordered(mod)
        with (
            serving(lambda _: Reply(html.encode(), headers=STRICT)) as server,
            running(tmp_path) as page,
        ):
            firefox.open(page.address).wait_for("location.pathname === '/' || location.pathname.length > 1")
            firefox.pair(page.access.port, code_of(page))
            tab = firefox.open(
                f"{server.root.replace('127.0.0.1', 'forum.localhost')}conversations/night.91/"
            )
            firefox.press(tab)
            firefox.wait_for(tab, f"This is the order of {goon}")
            firefox.click(tab, "This is the order of")
            opened = opened_tab(firefox, "/messages/")
            opened.wait_for("document.body && document.body.innerText.includes('Nothing is written yet')")
            assert order in opened.text("main")


def opened_tab(firefox: HelpedFirefox, path: str) -> FirefoxTab:
    """The tab in which a page of Knightfall was opened."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        for tab in firefox.firefox.tabs():
            # A tab that has no page yet has no address to be asked for.
            with suppress(FirefoxError):
                if path in str(tab.evaluate("location.pathname")):
                    return tab
        time.sleep(0.05)
    raise AssertionError(f"No tab shows {path}.")


def test_a_hostile_page_gets_nothing_out_of_the_helper(tmp_path: Path, firefox: HelpedFirefox) -> None:
    board = boards.Prosilver(votes(5))
    evil = escape("<script>window.stolen=1</script><img src=x onerror='stolen=1'>")
    board.posts[1] = replace(board.posts[1], text=f"[vote]Elm[/vote] {evil}")
    board.posts[2] = replace(board.posts[2], author=evil)
    with serving(board) as server, paired(tmp_path, firefox):
        board.root = server.root.replace("127.0.0.1", "forum.localhost")
        tab = firefox.open(board.url)
        firefox.press(tab)
        firefox.wait_for(tab, "as of #5")
        found = tab.evaluate(
            """async id => {
              const told = [document.querySelector('knightfall-helper').shadowRoot === null];
              const names = ['knightfallPanel', 'knightfallReading', 'browser'];
              for (const name of names) told.push(typeof window[name]);
              for (const one of document.querySelectorAll('[data-knightfall-badge]')) one.click();
              window.postMessage({ask: 'reply'}, '*');
              try { await fetch(`${id}/options.html`); told.push('read'); } catch { told.push('refused'); }
              return told;
            }""",
            firefox.origin,
        )
        assert found == [True, "undefined", "undefined", "undefined", "refused"]
        assert "as of #5 " in f"{firefox.panel(tab)} "
        assert not tab.evaluate("window.stolen")
