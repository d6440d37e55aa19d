"""Lists that grow with a game are shown a page at a time, and the start page does not grow with the games."""

from __future__ import annotations

import re
import shutil
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from knightfall.engine.entries import Ruled
from knightfall.services.game.status import GameStatus, status
from knightfall.services.machine import session_of
from knightfall.services.session import Session
from knightfall.services.window import turns
from knightfall.storage.drafts import write_public
from knightfall.storage.ledger import Ledger
from knightfall.web import pages, start
from knightfall.web.paging import AT_ONCE, paged
from web.hands import FormHand, form_hand
from web.served import served
from web.test_pages import begun

ENTRIES = 1_000
LARGEST = 80_000
"""Bytes of a page of the log."""
LONGEST = 1.0
"""Seconds within which a page of the log answers on a machine that is busy; on an idle one it is a tenth."""


@pytest.fixture(scope="module")
def long_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of one game whose journal has a thousand entries."""
    desk = tmp_path_factory.mktemp("long")
    begun("knight_errant", desk / "harbour")
    author = session_of(desk / "harbour").author
    ledger = Ledger.open(desk / "harbour" / "game.db")
    began = datetime(2027, 1, 1, tzinfo=UTC)
    for number in range(len(ledger.records()), ENTRIES):
        said = "rare lantern" if number % 300 == 0 else "no"
        ledger.append(
            Ruled(f"May one whisper {number}?", said, "house"), began + timedelta(minutes=number), author
        )
    ledger.close()
    return desk


def numbers(hand: FormHand) -> list[int]:
    """The entries that the log shows, in their order."""
    return [int(one.text_content()) for one in hand.tree.xpath("//ol[@class='log']//span[@class='number']")]


@pytest.mark.long
def test_the_log_is_paged_with_the_newest_first(long_game: Path) -> None:
    hand = form_hand(served(long_game))
    hand.go("/games/harbour/log")
    assert numbers(hand) == list(range(ENTRIES, ENTRIES - AT_ONCE, -1))
    assert f"1 to {AT_ONCE} of 1,000" in hand.text
    hand.press("Older")
    assert numbers(hand)[0] == ENTRIES - AT_ONCE
    hand.press("The oldest")
    assert numbers(hand)[-1] == 1
    hand.press("Newer")
    assert numbers(hand)[-1] == AT_ONCE + 1


def test_a_filter_of_the_log_looks_at_all_of_it(long_game: Path) -> None:
    hand = form_hand(served(long_game))
    hand.go("/games/harbour/log")
    hand.press("Show", {"Show entries with": "LANTERN"})
    assert numbers(hand) == [901, 601, 301]
    assert "3 entries of 1000" in hand.text
    hand.press("Show", {"Show entries with": "whisper"})
    hand.press("Older")
    assert "q=whisper" in hand.path
    assert len(numbers(hand)) == AT_ONCE
    hand.press("Show", {"Show entries with": "nobody said this"})
    assert "No entry says that" in hand.text


def test_a_page_of_a_long_log_is_small_and_quick(long_game: Path) -> None:
    hand = form_hand(served(long_game))
    for page in ("", "?page=5", "?q=whisper&page=3", "?page=999999999999", "?page=nonsense"):
        began = time.perf_counter()
        hand.go(f"/games/harbour/log{page}")
        assert time.perf_counter() - began < LONGEST, page
        assert hand.status == 200
        assert len(hand.body) < LARGEST, page


def test_the_texts_of_a_game_are_paged(tmp_path: Path) -> None:
    begun("knight_errant", tmp_path / "harbour")
    for number in range(250):
        write_public(tmp_path / "harbour", f"{number + 2:03}-01-dawn.txt", "Nobody died.")
    hand = form_hand(served(tmp_path))
    hand.go("/games/harbour/posts")
    listed = "//details[@id='public']//li"
    assert len(hand.tree.xpath(listed)) == AT_ONCE
    hand.press("Older", within="Texts for everybody")
    assert len(hand.tree.xpath(listed)) == AT_ONCE
    assert "101 to 200 of" in hand.text


def test_every_row_stands_on_one_page() -> None:
    for size in (0, 1, 99, 100, 101, 250):
        rows = list(range(size))
        assert [row for number in range(1, 4) for row in paged(rows, str(number)).rows][:size] == rows
        assert paged(rows, "").total == size


# ── Start with many games ────────────────────────────────────────────────────────────────────────


def test_start_looks_at_a_game_again_only_when_it_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun("knight_errant", tmp_path / "game-00")
    for number in range(1, 30):
        shutil.copytree(tmp_path / "game-00", tmp_path / f"game-{number:02}")
    asked: list[str] = []

    def noted(session: Session) -> GameStatus:
        asked.append(session.folder.name)
        return status(session)

    monkeypatch.setattr(pages, "status", noted)
    monkeypatch.setattr(start, "AT_ONCE", 60.0)
    hand = form_hand(served(tmp_path))
    assert len(asked) == 30
    asked.clear()
    hand.go("/")
    assert asked == []
    turns.submit("moderator", "no elimination", None, session_of(tmp_path / "game-17"))
    hand.go("/")
    assert asked == ["game-17"]


def test_start_is_shown_at_once_and_slow_games_follow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun("knight_errant", tmp_path / "game-00")
    for number in range(1, 20):
        shutil.copytree(tmp_path / "game-00", tmp_path / f"game-{number:02}")

    def slow(session: Session) -> GameStatus:
        time.sleep(0.05)
        return status(session)

    monkeypatch.setattr(pages, "status", slow)
    hand = form_hand(served(tmp_path))
    late = re.findall(r'hx-get="(/games/[^"]+/row)"', hand.body)
    assert len(late) >= 17  # two of them take the tenth of a second that there is
    for row in late:
        assert "18 players alive" in hand.client.get(row).text
    hand.go("/")
    assert "hx-get" not in hand.body
