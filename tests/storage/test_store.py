"""Evidence in a real database file."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from growth import LINEAR, TIMES, growth
from knightfall.errors import InputError, StateDamaged
from knightfall.forums.base import Bookmark, Chunk, Response
from knightfall.models import UNKNOWN_ZONE, Post, PostId, PostMark
from knightfall.storage.store import Store

URL = "https://forum.example/viewtopic.php?t=5"
AT = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def post(number: int, body: str = "Hello", **traits: Any) -> Post:
    full = Post(
        PostId(str(100 + number)),
        number,
        "Zoë",
        body,
        author_id="7",
        time=AT - timedelta(minutes=number),
        url=f"{URL}#p{number}",
        edited=AT,
        edit_note="Last edited",
    )
    return replace(full, **traits)


def chunk(page: int, *posts: Post, pages: int = 2, total: int | None = None) -> Chunk:
    return Chunk("A game", posts, page, pages, total)


def save(store: Store, part: Chunk, at: datetime = AT) -> None:
    url = f"{URL}&start={part.page}"
    store.save_page(URL, "phpbb", Response(url, 200, f"<html>{part.posts}</html>"), part, at)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "deep" / "game.db")


def test_a_thread_comes_back_as_it_was_kept(store: Store) -> None:
    posts = (
        post(1),
        post(2, time=None, author_id=None, url=None, edited=None, edit_note=None),
        post(3, hidden=True),
    )
    save(store, chunk(1, *posts[:2]))
    save(store, chunk(2, posts[2], total=3))
    found = store.thread(URL)
    assert found is not None
    assert (found.platform, found.title, found.pages, found.url) == ("phpbb", "A game", 2, URL)
    assert found.posts == posts
    assert found.complete


def test_an_unknown_thread_is_none(store: Store) -> None:
    assert store.thread(URL) is None
    assert store.bookmark(URL) is None


def test_what_is_missing_is_told(store: Store) -> None:
    save(store, chunk(1, post(1), total=3))
    found = store.thread(URL)
    assert found is not None
    assert found.missing == ("Page 2 of 2 is missing.",)
    save(store, chunk(2, post(2), total=3))
    found = store.thread(URL)
    assert found is not None
    assert found.missing == ("The forum says the thread has 3 posts; 2 were read.",)


def test_the_bookmark_is_the_last_page_before_a_gap(store: Store) -> None:
    save(store, chunk(1, post(1), pages=4))
    save(store, chunk(2, post(2), pages=4))
    save(store, chunk(4, post(4), pages=4))
    assert store.bookmark(URL) == Bookmark(2, f"{URL}&start=2", PostId("102"))


def test_a_changed_post_keeps_its_earlier_version(store: Store) -> None:
    save(store, chunk(1, post(1, "Vote: Elm"), pages=1))
    save(store, chunk(1, post(1, "Vote: Fen"), pages=1), AT + timedelta(hours=1))
    found = store.thread(URL)
    assert found is not None
    assert [one.body for one in found.posts] == ["Vote: Fen"]
    assert [one.post.body for one in store.versions(URL, 1)] == ["Vote: Elm", "Vote: Fen"]


def test_an_unchanged_post_has_one_version_and_keeps_its_first_vague_time(store: Store) -> None:
    save(store, chunk(1, post(1, approximate=True), pages=1))
    save(store, chunk(1, post(1, approximate=True, time=AT + timedelta(hours=2), edited=None), pages=1))
    (only,) = store.versions(URL, 1)
    assert (only.post.edited, only.post.time) == (None, AT - timedelta(minutes=1))


def test_a_vague_time_that_was_read_in_no_known_zone_gives_way_to_one_that_was(store: Store) -> None:
    times = ((UNKNOWN_ZONE, 1), ("Europe/Oslo", 2), ("Europe/Oslo", 3))
    for zone, hours in times:
        said = post(1, approximate=True, zone=zone, time=AT + timedelta(hours=hours))
        save(store, chunk(1, said, pages=1))
    (only,) = store.versions(URL, 1)
    assert (only.post.zone, only.post.time) == ("Europe/Oslo", AT + timedelta(hours=2))


def test_an_answer_about_a_day_is_that_of_its_thread(store: Store) -> None:
    for url, words in ((URL, "ours"), (f"{URL}0", "theirs"), (URL, "ours now")):
        store.keep_answer(url, 1, words, AT)
    assert (store.answers(URL), store.answers(f"{URL}0")) == ({1: "ours now"}, {1: "theirs"})


def test_a_post_that_is_gone_from_its_page_is_no_longer_in_the_thread_until_seen_again(
    store: Store,
) -> None:
    save(store, chunk(1, post(1), post(2), pages=1))
    save(store, chunk(1, post(1), pages=1))
    found = store.thread(URL)
    assert found is not None
    assert [one.number for one in found.posts] == [1]
    save(store, chunk(2, post(2)))
    found = store.thread(URL)
    assert found is not None
    assert [one.number for one in found.posts] == [1, 2]
    assert len(store.versions(URL, 2)) == 1


def test_pages_behind_a_new_end_are_gone_with_their_posts(store: Store) -> None:
    for number in (1, 2, 3):
        save(store, chunk(number, post(number), pages=3))
    save(store, chunk(1, post(1), pages=2))
    save(store, chunk(2, post(2), pages=2))
    found = store.thread(URL)
    assert found is not None
    assert [one.number for one in found.posts] == [1, 2]
    bookmark = store.bookmark(URL)
    assert bookmark is not None
    assert bookmark.page == 2


def test_a_page_is_kept_again_only_where_its_posts_changed(store: Store) -> None:
    for body in ("one", "one", "two"):
        save(store, chunk(1, post(1, body), pages=1))
    with sqlite3.connect(store.database.path) as raw:
        assert raw.execute("select count(*) from pages").fetchone() == (2,)


def test_two_threads_in_one_database_do_not_mix(store: Store) -> None:
    save(store, chunk(1, post(1), pages=1))
    other = URL + "1"
    store.save_page(other, "phpbb", Response(other, 200, "x"), chunk(1, post(1, "Other"), pages=1), AT)
    first, second = store.thread(URL), store.thread(other)
    assert first is not None
    assert second is not None
    assert (first.posts[0].body, second.posts[0].body) == ("Hello", "Other")


def test_a_file_that_is_no_database_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "game.db"
    path.write_text("This is not a database, it only looks like one from far away. " * 20)
    with pytest.raises(StateDamaged, match=r"game\.db is damaged: .* Move it away") as caught:
        Store.open(path)
    assert caught.value.exit_status == 7


def test_a_database_with_a_hole_is_damaged(store: Store) -> None:
    for number in range(1, 200):
        save(store, chunk(number, post(number, "x" * 3000), pages=200))
    store.close()
    data = bytearray(store.database.path.read_bytes())
    data[8192:-4096] = b"\xff" * (len(data) - 12288)
    store.database.path.write_bytes(data)
    with pytest.raises(StateDamaged):
        Store.open(store.database.path).thread(URL)


def test_a_database_of_a_newer_knightfall_is_left_alone(store: Store) -> None:
    save(store, chunk(1, post(1)))
    store.close()
    with sqlite3.connect(store.database.path) as raw:
        raw.execute("pragma user_version = 99")
    with pytest.raises(StateDamaged, match="by a newer Knightfall"):
        Store.open(store.database.path)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be created"):
        save(Store.open(tmp_path / "file" / "game.db"), chunk(1, post(1)))


def test_no_file_is_made_before_there_is_something_to_keep(store: Store) -> None:
    assert store.thread(URL) is None
    assert store.bookmark(URL) is None
    assert not store.database.path.parent.exists()


def test_a_long_thread_takes_as_long_to_load_as_it_has_pages(tmp_path: Path) -> None:
    stores = {pages: of_pages(pages, tmp_path / f"{pages}.db") for pages in (3, 3 * TIMES)}

    def loaded(pages: int) -> None:
        found = stores[pages].thread(URL)
        assert found is not None
        assert len(found.posts) == pages * 100

    assert growth(loaded, 3) < LINEAR


def of_pages(pages: int, file: Path) -> Store:
    """A database with a thread of so many pages of 100 posts."""
    store = Store.open(file)
    posts = [post(number, "Some words. " * 20) for number in range(1, pages * 100 + 1)]
    for page in range(pages):
        part = posts[page * 100 : page * 100 + 100]
        save(store, chunk(page + 1, *part, pages=pages, total=len(posts)))
    return store


@pytest.mark.parametrize("odd", ["a\0b", "\0", "\x012", "\x01\0"])
def test_a_post_whose_id_holds_a_nul_is_known_again(store: Store, odd: str) -> None:
    for _ in range(2):
        save(store, chunk(1, post(1, id=PostId(odd)), post(2), pages=1))
        store.finish_read(URL, AT)
    assert store.changes(URL) == ()


def test_a_torn_page_that_the_forum_is_not_asked_about_is_simply_read_again(store: Store) -> None:
    save(store, chunk(1, post(1), pages=1))
    with store.database.writing() as connection:
        connection.execute("UPDATE pages SET body = x'00'")
    assert store.kept_page(URL, f"{URL}&start=1") is None


def test_the_mark_of_a_thread_moves_with_whatever_is_written_of_it(store: Store) -> None:
    seen: list[object] = [store.thread_mark(URL)]

    def moved() -> bool:
        seen.append(store.thread_mark(URL))
        return seen[-1] not in seen[:-1]

    assert seen == [()]
    save(store, chunk(1, post(1), post(2)))
    assert moved()
    save(store, chunk(2, post(3)))
    assert moved()
    store.finish_read(URL, AT)
    assert moved()
    save(store, chunk(2, post(3, body="Edited")), AT)  # within the same second
    assert moved()
    save(store, chunk(1, post(1), post(2)), AT + timedelta(hours=1))
    assert moved()
    store.doubt_read(URL)
    assert moved()
    save(store, chunk(1, post(1), post(2), pages=1), AT + timedelta(hours=1))
    assert moved()
    store.restate(URL, "Europe/London")
    assert moved()


def test_the_mark_of_a_thread_stays_while_only_other_things_are_written(store: Store) -> None:
    save(store, chunk(1, post(1), pages=1))
    store.finish_read(URL, AT)
    before = store.thread_mark(URL)
    store.mark_counted(URL, 1, AT)
    store.keep_answer(URL, 1, "{}", AT)
    store.save_page(f"{URL}0", "phpbb", Response(f"{URL}0", 200, ""), chunk(1, post(1), pages=1), AT)
    assert store.thread_mark(URL) == before


def test_a_reaction_that_changes_is_no_edit_of_the_post(store: Store) -> None:
    reacted = '<br/><div class="chatlog__reactions">Reactions: {}</div>'
    before, after = (post(1, f"vote Ines{reacted.format(told)}") for told in ("👍 1", "👍 3, 😀 1"))
    save(store, chunk(1, before, pages=1))
    save(store, chunk(1, after, pages=1), AT + timedelta(hours=1))
    assert len(store.versions(URL, 1)) == 1
    assert PostMark.of(before) == PostMark.of(after) == PostMark.of(post(1, "vote Ines"))
    save(store, chunk(1, post(1, f"vote Zed{reacted.format('👍 3')}"), pages=1), AT + timedelta(hours=2))
    assert len(store.versions(URL, 1)) == 2
