"""A thread that the helper keeps up to date, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from fetch import boards
from fetch.loopback import StillClock
from knightfall.services.machine import session_of
from knightfall.services.pasted import pages_here
from knightfall.web import handing
from web.helped_browser import code_of, helped
from web.served import running
from web.test_helper import board_of, votes


@pytest.mark.long
def test_a_thread_is_kept_up_to_date_while_nobody_looks(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "own"))
    monkeypatch.setattr(handing, "PAUSE", 0.01)
    # A browser asks its owner for the permission, which no test can give: here it was given before.
    clock, keeping = StillClock(), tmp_path_factory.mktemp("keeps")
    with (
        board_of(boards.Prosilver) as (board, server),
        running(tmp_path, clock=clock) as page,
        helped(keeping, ("http://forum.localhost/*",)) as keeps,
    ):
        keeps.pair(page.access.port, code_of(page))
        tab = keeps.open(board.url)
        keeps.press(tab)
        keeps.wait_for(tab, "All 3 pages are here.")
        tab.close()
        address = f"{board.root}viewtopic.php?t=9"
        board.posts = votes(18)
        clock.sleep(300)
        before = len(server.asked)
        assert keeps.looks_again(address).startswith("Looked at ")
        # The last page, which had grown, and the one behind it.
        assert [path.partition("start=")[2] for path in server.asked[before:]] == ["10", "15"]
        here = pages_here(address, session_of(None))
        assert here is not None
        assert here.pages == 4
        # A site that was never allowed is not asked.
        other = address.replace("forum.localhost", "other.localhost")
        assert keeps.looks_again(other) == "The permission for the site was taken back."
