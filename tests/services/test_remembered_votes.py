"""What the posts of a thread held is known to the next program, and never changes a count."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from knightfall.errors import InputError
from knightfall.forums import html_style_of
from knightfall.forums.base import Chunk, Response
from knightfall.models import Post, PostId
from knightfall.services.count import remembered_votes
from knightfall.services.count.remembered_votes import votes_remembered
from knightfall.services.session import Session
from knightfall.services.threads import Kept, gather
from knightfall.storage.recounts import MOST_BLOCKS, BlockRead
from knightfall.storage.store import Store
from knightfall.votes import remembered, vote_parser
from knightfall.votes.ballots import parse_forms
from knightfall.votes.body_memory import MOST_POSTS
from knightfall.votes.config import Ask, CountConfig
from knightfall.votes.count import Habits, votecount
from knightfall.votes.remembered import BLOCK as WHOLE_BLOCK
from knightfall.votes.remembered import blocks_of, format_block, parse_block
from knightfall.votes.rule import Rule
from knightfall.votes.tally import Fix
from knightfall.votes.votecount import Votecount

URL = "https://forum.example/viewtopic.php?t=8"
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
NAMES = ("Ada", "Boro", "Cinder", "Elm", "Fen")
SAID = (
    "<b>Vote: {0}</b>",
    "Nothing new about {0}.",
    "<blockquote><b>Vote: {0}</b></blockquote>I agree.",
    "##vote {0}",
    "V: {0}",
    "<b>unvote</b> and <s><b>Vote: {0}</b></s>",
)
"""In turn: a vote, talk, a quoted vote, a vote in another form, a near miss, an unvote beside a vote that is
struck out."""

BLOCK = 20


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks that are soon read."""
    monkeypatch.setattr(remembered, "BLOCK", BLOCK)
    monkeypatch.setattr(remembered_votes, "BLOCK", BLOCK)


def posts_of(amount: int) -> list[Post]:
    """A thread whose first post lists the players and whose others, by them, are all different."""
    listing = "Players:<br>" + "<br>".join(f"{place}. {name}" for place, name in enumerate(NAMES, start=1))
    rest = (
        Post(
            PostId(str(number)),
            number,
            NAMES[number % len(NAMES)],
            f"{SAID[number % len(SAID)].format(NAMES[number * 7 % len(NAMES)])} ({number})",
        )
        for number in range(2, amount + 1)
    )
    return [Post(PostId("1"), 1, "Wren", listing), *rest]


HABITS = Habits(html_style_of("phpbb"))
FILE, LATEST = CountConfig(), Ask()
POSTS = posts_of(2 * BLOCK + 10)


@dataclass
class Shelf:
    """A thread in a store on disk, and programs that count it one after the other."""

    file: Path

    def read(self, posts: list[Post]) -> None:
        store = Store.open(self.file)
        store.save_page(URL, "phpbb", Response(URL, 200, ""), Chunk("Long", tuple(posts), 1, 1), NOW)
        store.finish_read(URL, NOW)
        store.close()

    def counted(self, config: CountConfig = FILE, ask: Ask = LATEST) -> Votecount:
        """The count by a program that was just started."""
        vote_parser.body_reader.cache_clear()
        nothing: Any = None  # neither clock nor network is asked
        session = Session(nothing, nothing, lambda _: Store.open(self.file))
        thread = gather(Kept(URL), session)
        with votes_remembered(thread, HABITS, config, session):
            return votecount(thread, HABITS, config, ask, NOW)

    def blocks(self) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(self.file)) as raw:
            return raw.execute("SELECT block, bodies, found FROM recounts ORDER BY block").fetchall()

    def forget(self) -> None:
        with closing(sqlite3.connect(self.file)) as raw, raw:
            raw.execute("DROP TABLE IF EXISTS recounts")


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """The thread, read and counted once."""
    shelf = Shelf(tmp_path / "game.db")
    shelf.read(POSTS)
    shelf.counted()
    return shelf


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The bodies that were read for votes since."""
    bodies: list[str] = []
    read = vote_parser._read_body

    def reading(body: str, *rest: Any) -> Any:
        bodies.append(body)
        return read(body, *rest)

    monkeypatch.setattr(vote_parser, "_read_body", reading)
    return bodies


def test_another_program_reads_only_the_block_that_still_grows(shelf: Shelf, parsed: list[str]) -> None:
    assert [number for number, *_ in shelf.blocks()] == [0, 1]
    shelf.counted()
    assert parsed == [post.body for post in POSTS if post.number >= 2 * BLOCK]


FORMS = replace(FILE, rule=Rule(forms=parse_forms(("hashes", "bold"))), forms_given=True)
HOUSE = replace(
    FILE, rule=Rule(forms=parse_forms((r"regex:^Nothing new about (?P<name>\w+)",))), forms_given=True
)
FIXED = replace(FILE, fixes=(Fix(9, ignore=True), Fix(10, to="Elm"), Fix(14, count=True)))
EDITED = [replace(post, body="<b>Vote: Fen</b> after all") if post.number == 25 else post for post in POSTS]
SHORTER = [replace(post, number=post.number - (post.number > 15)) for post in POSTS if post.number != 15]


@pytest.mark.few(3)
@pytest.mark.parametrize("posts", [POSTS, EDITED, SHORTER], ids=["as read", "edited", "one deleted"])
@pytest.mark.parametrize("config", [FILE, FORMS, HOUSE, FIXED], ids=["plain", "forms", "house", "fixes"])
@pytest.mark.parametrize("ask", [LATEST, Ask(at_post=33)], ids=["latest", "as of a post"])
def test_a_count_is_the_same_with_what_is_remembered_and_without(
    shelf: Shelf, posts: list[Post], config: CountConfig, ask: Ask
) -> None:
    shelf.counted(FORMS)
    shelf.read(posts)
    first = shelf.counted(config, ask)
    again = shelf.counted(config, ask)
    shelf.forget()
    assert shelf.counted(config, ask) == first == again


def test_what_another_version_of_the_code_read_is_read_again(
    shelf: Shelf, parsed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembered_votes, "reader_version", lambda: "another")
    shelf.counted()
    assert len(parsed) >= len(POSTS) - 1
    assert len(shelf.blocks()) == 2  # those of the other version are gone


def test_the_version_changes_with_every_file_that_reading_may_stand_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("votes/one.py", "votes/reading/two.py", "markup/three.py", "names.py"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text("A = 1\n", encoding="utf-8")
    monkeypatch.setattr(remembered_votes, "PACKAGE", tmp_path)
    found = {remembered_votes.reader_version.__wrapped__()}
    for place in ("votes/reading/two.py", "names.py"):
        (tmp_path / place).write_text("A = 2\n", encoding="utf-8")
        found.add(remembered_votes.reader_version.__wrapped__())
    (tmp_path / "markup/four.py").write_text("", encoding="utf-8")
    found.add(remembered_votes.reader_version.__wrapped__())
    assert len(found) == 4


@pytest.mark.parametrize(
    "damage",
    [
        "found = '[]'",
        "found = replace(found, 'Ada', 'Elm')",
        "bodies = 'x'",
        "found = x'00'",
        "checksum = x''",
    ],
)
def test_a_row_that_is_damaged_is_not_there(shelf: Shelf, damage: str) -> None:
    sure = shelf.counted()
    with closing(sqlite3.connect(shelf.file)) as raw, raw:
        raw.execute(f"UPDATE recounts SET {damage}")
    assert shelf.counted() == sure


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "[[],[[0]],[],[]]", "[[],[[0,[[1]]]],[],[]]", "[1,2,3,4]", "null"]
)
def test_what_is_no_block_is_refused_whole(text: str) -> None:
    [block, _] = blocks_of(POSTS)
    reader = vote_parser.BodyReader(HABITS.html_style, parse_forms(("bold",)))
    with pytest.raises(ValueError, match=r"."):
        parse_block(text, block, reader)
    assert not reader.size


def test_a_block_says_the_same_when_it_is_read_back() -> None:
    [block, _] = blocks_of(POSTS)
    forms = parse_forms(("bold", "tag"))
    one, other = (vote_parser.BodyReader(HABITS.html_style, forms) for _ in range(2))
    for body in block.bodies[5:]:
        one.found(body)
    for body in block.bodies[:12]:
        one.ballots(body)
    parse_block(format_block(block, one), block, other)
    for body in block.bodies:
        assert other.known_ballots(body) == one.known_ballots(body)
        assert other.known_found(body) == one.known_found(body)


def test_of_a_thread_that_is_longer_than_a_reader_remembers_no_block_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(remembered, "MOST_POSTS", len(POSTS))
    assert len(blocks_of(POSTS)) == 2
    assert blocks_of([*POSTS, *POSTS[:1]]) == ()


def test_a_file_has_room_for_the_longest_thread_that_is_remembered() -> None:
    assert MOST_BLOCKS * WHOLE_BLOCK >= MOST_POSTS


def test_a_store_that_cannot_be_written_is_counted_all_the_same(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    sure = shelf.counted()
    shelf.forget()

    def refused(*_: object) -> None:
        raise InputError("read-only")

    monkeypatch.setattr(Store, "keep_votes", refused)
    assert shelf.counted() == sure


def test_a_file_keeps_a_bounded_number_of_blocks_and_none_of_a_thread_it_does_not_have(shelf: Shelf) -> None:
    store = Store.open(shelf.file)
    store.keep_votes(URL, "reader", "1", {number: BlockRead("a", "b") for number in range(MOST_BLOCKS + 30)})
    store.keep_votes(URL + "0", "reader", "1", {1: BlockRead("a", "b")})
    assert len(store.kept_votes(URL, "reader")) == MOST_BLOCKS
    assert not store.kept_votes(URL + "0", "reader")
    store.close()
