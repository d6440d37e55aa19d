"""A post on the page as it will look on its board, with a warning where the board would make something of a
name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lxml import html

from begun import begin
from fetch.loopback import serving
from fetch.threads import Forum
from knightfall.services.machine import session_of
from knightfall.services.posts.write import preview
from knightfall.services.requests import NewGameRequest
from knightfall.services.window import turns
from knightfall.storage.drafts import PUBLIC, write_draft
from web.browser import browsing
from web.hands import FormHand, form_hand
from web.served import served

ODD = ("Mr 8) Cool", "Vic :D", "www.Kit.com", "[b]ob", "Ada", "Boro", "Cinder")
BOARDS = {"phpbb": "phpBB", "mybb": "MyBB", "smf": "SMF", "xenforo": "XenForo", "discourse": "Discourse"}


@pytest.fixture
def tally(tmp_path: Path) -> Any:
    """The page of a game whose players' names look like smilies and addresses, with a thread of votes."""
    posts = [(100, "Wren", "<b>Day 1 begins.</b>")]
    for place, (voter, target) in enumerate([("Ada", "Vic :D"), ("Boro", "www.Kit.com"), ("Vic :D", "Ada")]):
        posts.append((101 + place, voter, f"<b>Vote: {target}</b>"))
    with serving(Forum(posts)) as server:
        thread = f"{server.root}viewtopic.php?t=5"
        request = NewGameRequest(
            "votes", ODD, tmp_path / "tally", b"", b"", "Tin Valley", site="phpbb", moderators=("Wren",),
            threads=(("game", thread),),
        )  # fmt: skip
        begin(request, session_of(tmp_path / "tally", allow_private=True))
        hand = form_hand(served(tmp_path))
        hand.go("/games/tally/votes")
        hand.press("Read the thread")
        yield hand


def looks(hand: FormHand) -> Any:
    """The element that shows the post as it will look."""
    found: Any = html.fromstring(hand.body).xpath('//div[@class="looks"]')
    return found[0]


@pytest.mark.few(1)
@pytest.mark.parametrize("board", BOARDS)
def test_a_votecount_is_shown_as_its_board_shows_it(tally: FormHand, board: str) -> None:
    tally.go(f"/games/tally/posts/votecount?dialect={board}")
    assert f"As it will look on {BOARDS[board]}" in tally.text
    shown = looks(tally)
    said = shown.text_content().replace("\u200b", "")
    # Names as they are, links as words, nothing of tags, addresses or sizes.
    assert "Vic :D (1): Ada (2)" in said
    assert "www.Kit.com (1): Boro (3)" in said
    assert "[b]ob" in said
    assert "http" not in said
    assert "[size" not in said
    assert "**" not in said
    assert [one.text_content() for one in shown.xpath('.//span[@class="to"]')] == ["2", "3", "4"]
    assert not shown.xpath(".//a | .//img | .//*[@style]")
    assert "makes a" not in tally.text


def test_small_numbers_are_small_where_the_board_has_sizes(tally: FormHand) -> None:
    for board in ("phpbb", "mybb", "smf", "xenforo"):
        tally.go(f"/games/tally/posts/votecount?dialect={board}")
        assert looks(tally).xpath('.//span[starts-with(@class, "size-")]'), board


def test_a_name_in_words_that_we_did_not_write_is_warned_of(tally: FormHand, tmp_path: Path) -> None:
    text = "Vic :D asked me, and www.Kit.com as well."
    write_draft(tmp_path / "tally", PUBLIC, "hand-made.txt", text)
    tally.go("/games/tally/texts/public/hand-made.txt")
    assert "phpBB makes a smiley of the name Vic :D here." in tally.text
    assert "phpBB makes a link of the name www.Kit.com here." in tally.text
    assert looks(tally).xpath('.//span[@class="smiley"]')


def test_the_board_of_a_game_is_in_line_on_mybb_and_its_box_is_said_to_scroll(tmp_path: Path) -> None:
    request = NewGameRequest(
        "knight_fight", ("Vic :D", "Boro"), tmp_path / "fight", b"s" * 32, b"t" * 32, "Fight",
        options={"anomalies": "C"}, site="mybb", moderators=("Wren",),
    )  # fmt: skip
    begin(request, session_of(tmp_path / "fight"))
    hand = form_hand(served(tmp_path))
    turns.submit("Vic :D", "SIDE: X", None, session_of(tmp_path / "fight"))
    file = next((tmp_path / "fight/public").glob("*bout_start*"))
    hand.go(f"/games/fight/texts/public/{file.name}")
    assert "A box of code on MyBB shows about 11 lines. One here has 12" in hand.text
    lines = looks(hand).xpath('.//pre[contains(@class, "lines-11")]')[0].text_content().split("\n")
    head, *rows = [line.replace("\u00a0", " ") for line in lines]
    # Every letter of the head stands over the squares of its column.
    columns = [place for place, letter in enumerate(head) if letter != " "]
    assert len(rows) == 11
    assert all(row[place] != " " for row in rows for place in columns)


def test_what_another_package_or_nobody_speaks_is_shown_as_it_is_written() -> None:
    assert preview("a <b> :D", "plain").html == "<pre>a &lt;b&gt; :D</pre>"
    assert preview("a <b> :D", "plain").warnings == ()


@pytest.mark.long
@pytest.mark.parametrize("width", [390, 1280])
def test_a_look_stays_within_the_page(tally: FormHand, width: int) -> None:
    style = (Path(__file__).parents[2] / "src/knightfall/web/static/style.css").read_text(encoding="utf-8")
    tally.go("/games/tally/posts/votecount?dialect=mybb")
    with browsing() as browser:
        page = browser.new_page(viewport={"width": width, "height": 900}, java_script_enabled=False)
        page.set_content(tally.body.replace("</head>", f"<style>{style}</style></head>"))
        wide = page.evaluate("document.documentElement.scrollWidth")
        small = page.locator(".looks .size-75").first.evaluate("e => getComputedStyle(e).fontSize")
        line = page.locator(".looks .to").first.evaluate("e => getComputedStyle(e).textDecorationLine")
    assert wide <= width
    assert small == "12px"
    assert line == "underline"
