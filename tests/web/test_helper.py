"""The helper in a real browser: one click takes a whole thread, whatever the forum forbids its own pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from fetch import boards
from fetch.boards import Board, Written
from fetch.loopback import Reply, Server, serving
from knightfall.web import handing
from knightfall.web.server import ServedPage
from services.test_pasted import NAMES, written
from web.helped_browser import HelpedBrowser, code_of, helped
from web.served import running

STRICT = {"Content-Security-Policy": "default-src 'none'; form-action 'self'; connect-src 'self'"}
CUT_OFF = {"Cross-Origin-Opener-Policy": "same-origin"}
POLICIES: Mapping[str, Mapping[str, str]] = {"none": {}, "strict": STRICT, "cut off": CUT_OFF}
SIX = (
    boards.Prosilver,
    boards.XenForo2,
    boards.VBulletin4,
    boards.Smf21,
    boards.MyBB,
    boards.Invision4,
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HelpedBrowser]:
    with helped(tmp_path_factory.mktemp("helped")) as found:
        yield found


@pytest.fixture(autouse=True)
def no_tab_is_left(browser: HelpedBrowser) -> Iterator[None]:
    yield
    browser.close_tabs()


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "own"))
    monkeypatch.setattr(handing, "PAUSE", 0.01)


def votes(count: int) -> list[Written]:
    """So many posts of a day, each vote for another player than its voter's last one."""
    first, *others = written(count)
    turned = (
        replace(one, text=f"[vote]{NAMES[(n + 1 + n // 4 % 3) % 4]}[/vote]")
        for n, one in enumerate(others, start=1)
    )
    return [first, *turned]


@contextmanager
def board_of(
    kind: Callable[..., Board], headers: Mapping[str, str] = {}, posts: int = 13
) -> Iterator[tuple[Board, Server]]:
    """A board under a name of its own, which sends these headers with each page."""
    board = kind(votes(posts))

    def answer(path: str) -> Reply:
        found = board(path)
        return replace(found, headers={**found.headers, **headers})

    with serving(answer) as server:
        board.root = server.root.replace("127.0.0.1", "forum.localhost")
        yield board, server


@contextmanager
def paired(folder: Path, browser: HelpedBrowser) -> Iterator[ServedPage]:
    """Knightfall, with which the helper was paired."""
    with running(folder) as page:
        assert browser.pair(page.access.port, code_of(page)).startswith("Paired. Open a thread")
        yield page


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("kind", SIX, ids=lambda kind: kind.__name__)
def test_one_click_takes_a_whole_thread(
    tmp_path: Path, browser: HelpedBrowser, kind: Callable[..., Board], policy: str
) -> None:
    with board_of(kind, POLICIES[policy]) as (board, server), paired(tmp_path, browser):
        tab = browser.open(board.page_url(2))
        browser.press(tab)
        said = browser.wait_for(tab, "All 3 pages are here.*Day 1, as of #")
        assert "Boro" in said
        # Each page was asked for once, by the browser alone, but for the one that was open.
        agents = {headers["User-Agent"] for headers in server.headers}
        assert not any("knightfall" in agent for agent in agents)
        marks = tab.evaluate(
            "[...document.querySelectorAll('[data-knightfall-badge]')].map(x => x.textContent)"
        )
        assert len(marks) == 5, marks


IN_ORDER = """() => [...document.querySelectorAll('body *')]
  .filter(x => x.matches('[data-knightfall-badge]') || (/^Vote: /.test(x.textContent) && !x.children.length))
  .map(x => x.textContent).filter(said => said !== 'Vote: Cobb')"""
"""The badges and the votes of a page, as they stand one after the other, without those of signatures."""


@pytest.mark.parametrize("kind", SIX, ids=lambda kind: kind.__name__)
def test_badges_stand_at_their_own_posts(
    tmp_path: Path, browser: HelpedBrowser, kind: Callable[..., Board]
) -> None:
    with board_of(kind, STRICT, 5) as (board, _), paired(tmp_path, browser):
        tab = browser.open(board.url)
        browser.press(tab)
        browser.wait_for(tab, "Day 1, as of #")
        found = tab.evaluate(IN_ORDER)
        assert len(found) == 8, found
        first, second = found[0::2], found[1::2]
        said, marks = (first, second) if first[0].startswith("Vote") else (second, first)
        for vote, mark in zip(said, marks, strict=True):
            assert f"for {vote.removeprefix('Vote: ')}" in mark
