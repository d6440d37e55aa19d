"""Pages that were copied in a browser: collected until the thread is whole, and nobody else's to see."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from fetch.boards import BOARDS, Board, MyBB, ProBoards, Prosilver, Written, XenForo2
from knightfall.errors import EvidenceError, IncompleteRead, InputError, NotAForum
from knightfall.services.count.votecount import count_votes
from knightfall.services.machine import session_of
from knightfall.services.pasted import MOST, keep_pasted, pages_here, read_copy
from knightfall.services.requests import CountRequest
from knightfall.services.session import Session
from knightfall.services.threads import versions_of

BEGAN = datetime(2026, 11, 18, 20, tzinfo=UTC)
ROOT = "https://forum.example/"
FIXTURES = Path(__file__).parents[2] / "fixtures" / "forums" / "discord"
NAMES = ("Ada", "Boro", "Elm", "Fen")


def written(count: int) -> list[Written]:
    """So many posts of a day."""
    first = Written(100, "Wren", "Day 1 begins. Alive: Ada, Boro, Elm, Fen.", BEGAN)
    votes = (
        Written(100 + n, NAMES[n % 4], f"[vote]{NAMES[(n + 1) % 4]}[/vote]", BEGAN + timedelta(minutes=n))
        for n in range(1, count)
    )
    return [first, *votes]


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    """Of a thread alone."""
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "own"))
    yield session_of(None)


def a_board() -> Prosilver:
    """Seven pages of five posts."""
    board = Prosilver(written(33))
    board.root = ROOT
    return board


def copy_of(board: Prosilver | ProBoards | XenForo2 | MyBB, number: int) -> str:
    """A page with the address that it is at."""
    url = board.page_url(number)
    return f"<!-- saved from url=({len(url):04}){url} -->\n{board.rendered(number)}"


def test_an_export_of_discord_as_html_is_of_the_one_thread_that_it_may_be_of(session: Session) -> None:
    page = (FIXTURES / "page.html").read_text(encoding="utf-8")
    here, beside = (f"https://discord.com/channels/8112/{channel}" for channel in (77, 78))
    found = keep_pasted(page, session, (here,))
    assert (found.pages.url, found.thread.complete) == (here, True)
    assert found.thread.posts[0].url == f"{here}/{found.ids[0]}"
    assert len(versions_of(here, found.posts[0], session=session)) == 1
    for expected in ((), (here, beside)):
        with pytest.raises(InputError, match="does not say which thread it is of"):
            keep_pasted(page, session, expected)


def test_a_thread_as_text_is_kept_with_no_game_and_told_where_it_is_counted(session: Session) -> None:
    with pytest.raises(InputError, match="Count it on the start page"):
        keep_pasted("[12:03] Ada: hello\n[12:04] Boro: vote Ada\n", session, (f"{ROOT}viewtopic.php?t=9",))


def test_pasted_pages_collect_and_what_is_missing_is_told_with_its_address(session: Session) -> None:
    board = a_board()
    for number in (3, 1, 5, 2):
        found = keep_pasted(copy_of(board, number), session)
        assert found.number == number
        assert found.posts == tuple(range(5 * number - 4, 5 * number + 1))
    assert found.pages.pages == 7
    assert found.pages.here == (1, 2, 3, 5)
    assert [(one.number, one.url) for one in found.pages.missing] == [
        (4, f"{ROOT}viewtopic.php?t=9&start=15"),
        (6, f"{ROOT}viewtopic.php?t=9&start=25"),
        (7, f"{ROOT}viewtopic.php?t=9&start=30"),
    ]
    assert not found.thread.complete
    for number in (7, 4, 6):
        found = keep_pasted(copy_of(board, number), session)
    assert found.thread.complete
    assert found.pages.missing == ()
    count = count_votes(CountRequest((found.pages.url,), stored=True), session).counted.count
    assert count.tally.at == 33
    assert pages_here(f"{ROOT}viewtopic.php?t=9&start=15", session) == found.pages
    assert pages_here(f"{ROOT}viewtopic.php?t=10", session) is None


def test_a_page_that_was_loaded_earlier_takes_no_later_page_away(session: Session) -> None:
    board = a_board()
    early = copy_of(board, 1)
    board.posts = written(38)
    keep_pasted(copy_of(board, 8), session)
    found = keep_pasted(early, session)
    assert found.pages.pages == 8
    assert found.pages.here == (1, 8)


def test_a_post_that_is_pasted_again_with_other_words_is_a_new_version(session: Session) -> None:
    board = Prosilver(written(4))
    board.root = ROOT
    url = keep_pasted(copy_of(board, 1), session).pages.url
    board.posts[2] = replace(board.posts[2], text="[unvote]", edited=BEGAN + timedelta(hours=1))
    keep_pasted(copy_of(board, 1), session)
    found = keep_pasted(copy_of(board, 1), session)
    versions = versions_of(url, 3, session=session)
    assert len(versions) == 2
    assert "Unvote" in found.thread.posts[2].body


def test_what_is_pasted_is_for_its_owner_alone(session: Session, tmp_path: Path) -> None:
    keep_pasted(copy_of(a_board(), 1), session)
    files = [one for one in (tmp_path / "own").rglob("*") if one.is_file()]
    assert files
    assert {stat.S_IMODE(one.stat().st_mode) for one in files} == {0o600}
    [database] = [one for one in files if one.suffix == ".db"]
    assert sqlite3.connect(database).execute("SELECT private FROM pages").fetchall() == [(1,)]


def test_a_page_of_another_thread_is_refused_where_one_is_expected(session: Session) -> None:
    other = f"{ROOT}viewtopic.php?t=12"
    with pytest.raises(InputError, match=r"is of the thread .*t=9, expected .*t=12"):
        keep_pasted(copy_of(a_board(), 1), session, (other,))
    assert pages_here(f"{ROOT}viewtopic.php?t=9", session) is None
    keep_pasted(copy_of(a_board(), 1), session, (other, f"{ROOT}viewtopic.php?t=9&start=5"))


def test_too_much_nothing_and_what_is_no_thread_are_refused_in_words(session: Session) -> None:
    with pytest.raises(InputError, match="larger than 16 MiB"):
        keep_pasted("ä" * (MOST // 2 + 1), session)
    with pytest.raises(InputError, match="Nothing was pasted"):
        keep_pasted(" \n", session)
    with pytest.raises(NotAForum, match="The page that you pasted is no thread"):
        keep_pasted("<html><body><p>Soup</p></body></html>", session)


@pytest.mark.parametrize(
    "kind", [board for board in BOARDS if board.suffix == ".html"], ids=lambda one: one.name
)
def test_the_address_of_a_missing_page_is_that_of_the_board(kind: type[Prosilver], session: Session) -> None:
    board = kind(written(13))
    board.root = ROOT
    found = keep_pasted(copy_of(board, 1), session)
    told = {one.number: one.url for one in found.pages.missing}
    assert set(told) == {2, 3}
    for number, url in told.items():
        if url is not None:
            assert board.asked(url.removeprefix(ROOT[:-1])) == number, url


def test_a_read_of_the_forum_goes_on_behind_pasted_pages(session: Session) -> None:
    """Each kept page has an address, told by the page or not."""
    board = a_board()
    found = keep_pasted(copy_of(board, 1), session)
    store = session.store(found.pages.url)
    mark = store.bookmark(found.pages.url)
    store.close()
    assert mark is not None
    assert mark.url.startswith(ROOT)


@pytest.mark.parametrize("root", ["javascript:alert(1)//", "file:///home/", "data:text/html,"])
def test_an_address_that_is_none_of_the_web_is_none(session: Session, root: str) -> None:
    board = a_board()
    board.root = root
    with pytest.raises((InputError, EvidenceError)):
        keep_pasted(copy_of(board, 1), session)


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 2, 1), (3, 1, 2), (2, 3, 1)])
def test_a_last_page_is_numbered_by_the_page_before_it_whichever_came_first(
    session: Session, order: tuple[int, ...]
) -> None:
    """A board may show its posts without numbers, and so many on a page as it likes."""
    board = ProBoards(written(13))
    board.root = ROOT
    for number in order:
        found = keep_pasted(copy_of(board, number), session)
    assert [post.number for post in found.thread.posts] == list(range(1, 14))
    assert found.thread.complete


def test_a_copy_that_is_older_than_what_is_here_takes_nothing_back(session: Session) -> None:
    """A tab that was loaded an hour ago lacks what came since, and shows posts as they were."""
    board = Prosilver(written(4))
    board.root = ROOT
    board.posts[2] = replace(board.posts[2], text="[vote]Fen[/vote]")
    early = copy_of(board, 1)
    board.posts[2] = replace(board.posts[2], text="[vote]Boro[/vote]", edited=BEGAN + timedelta(hours=1))
    edited = copy_of(board, 1)
    board.posts = [*board.posts, *written(6)[4:]]
    board.per_page = 10
    for html in (early, edited, copy_of(board, 1)):
        keep_pasted(html, session)
    for older, why in ((edited, "it ends with #4, and #6 was here already"), (early, "it ends with #4")):
        with pytest.raises(InputError, match=f"older than what is here: {why}") as told:
            keep_pasted(older, session)
        assert "paste it once more" in str(told.value)
    found = pages_here(f"{ROOT}viewtopic.php?t=9", session)
    assert found is not None
    count = count_votes(CountRequest((found.url,), stored=True), session).counted.count
    assert count.tally.at == 6
    changed = [vote for wagon in count.tally.wagons for vote in wagon.votes if vote.post == 3]
    assert [vote.target and vote.target.name for vote in changed] == ["Boro"]
    # Where posts are gone indeed, the same copy is taken when it comes again.
    board.posts = board.posts[:5]
    with pytest.raises(InputError, match="older than what is here"):
        keep_pasted(copy_of(board, 1), session)
    assert keep_pasted(copy_of(board, 1), session).posts == (1, 2, 3, 4, 5)


def test_an_earlier_text_of_a_post_is_an_older_copy(session: Session) -> None:
    board = Prosilver(written(4))
    board.root = ROOT
    early = copy_of(board, 1)
    board.posts[2] = replace(board.posts[2], text="[unvote]", edited=BEGAN + timedelta(hours=1))
    for html in (early, copy_of(board, 1)):
        keep_pasted(html, session)
    with pytest.raises(InputError, match="shows #3 as it was before it was edited"):
        keep_pasted(early, session)


def test_a_page_of_another_thread_than_its_address_is_not_taken(session: Session) -> None:
    """A board that is one program in the browser may keep the links of the topic that was opened first."""
    board = Prosilver(written(4))
    board.root = ROOT
    for address in (f"{ROOT}viewtopic.php?t=10", f"{ROOT}viewtopic.php?f=2&t=10"):
        with pytest.raises(InputError, match="has changed since it was loaded"):
            read_copy(board.rendered(1), session, address)
    assert read_copy(board.rendered(1), session, f"{ROOT}viewtopic.php?p=101#p101").url.endswith("?t=9")


@pytest.mark.parametrize("view", ["&st=1", "&sd=d", "&sk=a", "&st=0&sk=t&sd=d"])
def test_a_view_that_leaves_posts_out_or_turns_them_round_is_refused(session: Session, view: str) -> None:
    board = Prosilver(written(4))
    board.root = ROOT
    with pytest.raises(IncompleteRead, match="does not show all posts in order of time"):
        read_copy(board.rendered(1), session, f"{ROOT}viewtopic.php?t=9{view}")


@pytest.mark.parametrize("kind", BOARDS, ids=lambda kind: kind.__name__)
def test_newest_first_is_refused_on_every_board(session: Session, kind: type[Board]) -> None:
    board = kind(written(4))
    board.root = ROOT
    posts = list(reversed(board.posts))
    html = board.page(1, posts)
    try:
        found = read_copy(html, session, board.page_url(1))
    except (EvidenceError, InputError):
        return
    # Boards that tell the number of each post are put in order.
    posts_read = sorted(found.page.chunk.posts, key=lambda post: post.number)
    assert [post.author for post in posts_read] == [one.author for one in board.posts]
