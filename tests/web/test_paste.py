"""Pages that were copied in a browser and pasted on the page: without JavaScript, and in a real browser."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from begun import begin
from fetch.boards import Prosilver, Written
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest
from knightfall.web import access
from playthroughs.moderator import moderating
from services.test_pasted import BEGAN, ROOT, a_board, copy_of, written
from web import play
from web.hands import FormHand, form_hand
from web.pasting import HOSTILE
from web.served import served
from web.test_private_thread import ROOM, named, night_of

HERE = "Read the pasted page"
PAGE = "The page, or its source"

pytestmark = pytest.mark.usefixtures("own_folder")


def pastes(hand: FormHand, html: str) -> None:
    """Paste a page as a browser without JavaScript does."""
    if hand.path.partition("?")[0] == "/":
        hand.press("Go on", {"Address of the thread": html})
    else:
        hand.press(HERE, {PAGE: html})


def test_a_thread_is_counted_once_all_its_pages_were_pasted(tmp_path: Path) -> None:
    hand, board = form_hand(served(tmp_path)), a_board()
    for number in (3, 1, 5, 2):
        pastes(hand, copy_of(board, number))
    assert "Page 2 of 7 read: 5 posts, #6–10." in hand.text
    assert "Pages 1–3 and 5 of 7 are here; missing: 4" in hand.text
    links = [one.get("href") for one in hand.tree.xpath("//*[@class='pages-here']/a")]
    assert links == [f"{ROOT}viewtopic.php?t=9&start={start}" for start in (15, 25, 30)]
    for number in (4, 7, 6):
        pastes(hand, copy_of(board, number))
    assert "Posts 1–33, complete" in hand.text
    assert "Pages 1–7 of 7 are here." in hand.text
    assert "Votecount 1 (to post 33)" in hand.value("The text")
    # What is new is pasted on the count itself.
    board.posts = written(35)
    pastes(hand, copy_of(board, 7))
    assert "Posts 1–35, complete" in hand.text


def a_game(desk: Path, *threads: tuple[str, str]) -> None:
    """A game of votes whose threads are on a forum that lets no program in."""
    request = NewGameRequest(
        "votes", ("Ada", "Boro", "Elm", "Fen"), desk / "harbour", b"", b"", "Salt Harbour", site="phpbb",
        moderators=("Wren",), threads=threads,
    )  # fmt: skip
    begin(request, session_of(desk / "harbour"))


def test_the_thread_of_a_game_is_pasted_on_its_votecount(tmp_path: Path) -> None:
    a_game(tmp_path, ("game", f"{ROOT}viewtopic.php?t=9"))
    board = Prosilver(written(8))
    board.root = ROOT
    hand = form_hand(served(tmp_path))
    hand.go("/games/harbour/votes")
    pastes(hand, copy_of(board, 2))
    assert "Page 2 of 2 read: 3 posts, #6–8." in hand.text
    assert "Page 2 of 2 is here; missing: 1" in hand.text
    pastes(hand, copy_of(board, 1))
    assert hand.status == 200
    assert "Boro" in hand.text
    # The same post with other words is a version of it.
    board.posts[7] = replace(board.posts[7], text="[unvote]", edited=BEGAN + timedelta(hours=1))
    pastes(hand, copy_of(board, 2))
    hand.go("/games/harbour/ask/evidence?post=8")
    assert hand.text.count("Unvote") == 1
    kept = sqlite3.connect(tmp_path / "harbour" / "game.db").execute("SELECT private FROM pages").fetchall()
    assert kept == [(1,)] * 3


def test_what_cannot_be_read_is_refused_beside_the_box_and_not_given_back(tmp_path: Path) -> None:
    a_game(tmp_path, ("game", f"{ROOT}viewtopic.php?t=12"))
    hand = form_hand(served(tmp_path))
    for where, field, why in (
        ("/", "Address of the thread", "This is no address of a thread"),
        ("/games/harbour/votes", PAGE, "Only text was pasted"),
    ):
        hand.go(where)
        pastes(hand, "Ada wrote: vote Boro")
        assert why in hand.refusal
        hand.go(where)
        pastes(hand, f"<html><body><p>Soup</p>{HOSTILE}</body></html>")
        assert "The page that you pasted is no thread of a forum" in hand.refusal
        assert where == "/" or hand.value(field) == ""
        assert "stolen" not in hand.body
    hand.go("/games/harbour/votes")
    pastes(hand, copy_of(a_board(), 1))
    assert f"is of the thread {ROOT}viewtopic.php?t=9, expected {ROOT}viewtopic.php?t=12" in hand.refusal


@pytest.mark.long
def test_more_than_sixteen_mebibytes_are_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = form_hand(served(tmp_path))
    pastes(hand, f"<html><body><p>Soup</p>{'x' * 2**24}</body></html>")
    assert "larger than 16 MiB" in hand.refusal
    # What is too large to be taken apart is refused before it is looked at.
    monkeypatch.setattr(access, "LARGEST_PASTE", 2**20)
    hand.go("/")
    pastes(hand, "x" * (2**20 + 1))
    assert hand.status == 400
    assert "larger than 16 MiB" in hand.text


def test_hostile_markup_of_a_page_stays_text(tmp_path: Path) -> None:
    board = a_board()
    board.posts = [
        *written(3),
        Written(180, "Boro", f"[vote]Ada[/vote] {HOSTILE}", datetime(2026, 11, 19, tzinfo=UTC)),
    ]
    hand = form_hand(served(tmp_path))
    page = copy_of(board, 1).replace("Sorrel Lane", f"Sorrel {HOSTILE.replace('<', '&lt;')} Lane")
    pastes(hand, page)
    assert "Sorrel <script>" in hand.text
    assert not hand.tree.xpath("//script[not(@src)] | //img | //@onerror | //a[starts-with(@href, 'java')]")


def test_the_sign_up_thread_is_pasted_on_the_sign_ups(tmp_path: Path) -> None:
    a_game(tmp_path, ("signup", f"{ROOT}viewtopic.php?t=9"))
    board = Prosilver(
        [
            Written(100, "Wren", "Sign up here.", BEGAN),
            Written(101, "Ada", "/in", BEGAN),
            Written(102, "Elm", "/in", BEGAN),
        ]
    )
    board.root = ROOT
    hand = form_hand(served(tmp_path))
    hand.go("/games/harbour/signups")
    pastes(hand, copy_of(board, 1))
    assert "Page 1 of 1 read: 3 posts, #1–3." in hand.text
    assert "2 in the thread" in hand.text


def test_a_private_thread_is_pasted_on_messages_and_taken_in_as_one_that_was_read(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        room = night_of(mod)
        goons, [plain, *_] = mod.holders("Mafia Goon"), mod.holders("Vanilla Townie")
        hand = form_hand(served(tmp_path))
        named(hand, room, goons)
        mod.turns_to(mod.clock.now() + timedelta(hours=1))
        mod.board.post(ROOM, goons[0], f"kill {plain}")
        page = mod.board(room.removeprefix(mod.board.root)).body.decode()
        copied = f"<!-- saved from url=({len(room):04}){room} -->\n{page}"
        hand.press("Private eyes: off")
        hand.go("/games/harbour/messages")
        pastes(hand, "<html><body><p>Soup</p></body></html>")
        assert room not in hand.body
        assert "hidden by private eyes" in hand.text
        hand.go("/games/harbour/messages")
        pastes(hand, copied)
        assert f"kill {plain}" not in hand.text
        hand.press("Private eyes: on")
        hand.go("/games/harbour/messages")
        pastes(hand, copied)
        assert "Page 1 of 1 read: 2 posts" in hand.text
        assert "If you take them in: 1 recorded" in hand.text
        hand.press("Record 1 message")
        assert "1 message recorded" in hand.text


LOG = "[12:03] Orla: Day 1 begins.\n[12:04] Zed: vote Ines\n[12:05] Ines: vote Zed\n[12:06] Bram: vote Ines\n"
TWO_SHAPES = "12:03 Orla: hi\nOrla - 2026-03-06\nDay 1\n12:05 Zed: vote Ines\nZed - 2026-03-06\nvote Orla"


def test_a_thread_pasted_as_text_is_counted_with_the_question_that_its_file_gets(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    pastes(hand, LOG)
    assert "Ines (2)" in hand.text and "Zed (1)" in hand.text
    for text, asked in (
        ("Ada - 05/04/2025 10:00\nhello\n\nBram - 05/04/2025 11:00\nvote Ada\n", "dates: day first"),
        (TWO_SHAPES, "read as: chat"),
    ):
        hand = form_hand(served(tmp_path))
        pastes(hand, text)
        assert f"“{asked}”" in hand.text
        hand.press("Go on", {"Address of the thread": f"{asked}\n{text}"})
        assert "Votecount" in hand.text


def test_an_export_of_discord_as_html_that_is_pasted_is_counted(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    export = Path(__file__).parents[2] / "fixtures" / "forums" / "discord" / "page.html"
    pastes(hand, export.read_text(encoding="utf-8"))
    assert hand.path.startswith("/counts/") and "Votecount" in hand.text


def test_a_list_of_names_is_still_no_thread(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    pastes(hand, "Orla\nZed\nInes\nBram\nWren")
    assert hand.path.startswith("/host")
