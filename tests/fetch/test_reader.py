"""Reading a thread page by page from a server that may change it meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from fetch.loopback import Reply, Server, StillClock, client, in_turn, serving
from fetch.threads import Forum, message, thread
from knightfall.errors import (
    AccessDenied,
    IncompleteRead,
    KnightfallError,
    LoginRequired,
    NotAForum,
    SiteRefused,
    TopicMissing,
)
from knightfall.fetch.reader import Reader, canonical_address, read_pages
from knightfall.forums.base import Bookmark
from knightfall.models import PostId


@contextmanager
def reading(answer: Callable[[str], Reply]) -> Iterator[tuple[Server, Reader]]:
    clock = StillClock()
    with serving(answer) as server:
        yield server, Reader(client(clock, delay=0), clock)


def test_all_pages_come_in_order_with_all_posts() -> None:
    with reading(Forum(thread(8))) as (server, reader):
        pages = list(read_pages(server.root + "viewtopic.php?t=5", reader))
    assert [page.chunk.page for page in pages] == [1, 2, 3]
    assert [post.number for page in pages for post in page.chunk.posts] == list(range(1, 9))
    assert len(server.asked) == 3


LINKS = ("viewtopic.php?p=108#p108", "viewtopic.php?f=2&t=5&start=3", "viewtopic.php?t=5")


@pytest.mark.parametrize("link", LINKS)
def test_every_link_into_a_thread_leads_to_its_one_address(link: str) -> None:
    with reading(Forum(thread(8))) as (server, reader):
        assert canonical_address(server.root + link, reader) == server.root + "viewtopic.php?t=5"


def test_reading_goes_on_at_the_bookmark() -> None:
    with reading(Forum(thread(8))) as (server, reader):
        bookmark = Bookmark(2, server.root + "viewtopic.php?t=5&start=3", PostId("106"))
        pages = list(read_pages(server.root + "viewtopic.php?t=5", reader, bookmark))
    assert [page.chunk.page for page in pages] == [2, 3]


@pytest.mark.parametrize(("start", "first"), [(3, "104"), (30, "160")])
def test_a_bookmark_that_no_longer_fits_means_reading_all_again(start: int, first: str) -> None:
    with reading(Forum(thread(8))) as (server, reader):
        bookmark = Bookmark(2, f"{server.root}viewtopic.php?t=5&start={start}", PostId(first))
        pages = list(read_pages(server.root + "viewtopic.php?t=5", reader, bookmark))
    assert [page.chunk.page for page in pages] == [1, 2, 3]


def test_a_thread_that_grows_while_it_is_read_is_read_to_its_new_end() -> None:
    forum = Forum(thread(6))
    with reading(forum) as (server, reader):
        pages = read_pages(server.root + "viewtopic.php?t=5", reader)
        next(pages)
        forum.posts = thread(8)
        assert [page.chunk.page for page in pages] == [2, 3]


@pytest.mark.parametrize(("change", "says"), [(-1, "had 8 posts and now has 7"), (1, "came twice")])
def test_a_thread_that_shifts_while_it_is_read_is_not_whole(change: int, says: str) -> None:
    forum = Forum(thread(8))
    with reading(forum) as (server, reader):
        pages = read_pages(server.root + "viewtopic.php?t=5", reader)
        next(pages)
        forum.posts = forum.posts[1:] if change < 0 else [(99, "Moth", "Late."), *forum.posts]
        with pytest.raises(IncompleteRead, match=says):
            list(pages)


def test_half_a_page_is_asked_for_again_and_then_named() -> None:
    forum = Forum(thread(8))

    def answer(path: str) -> Reply:
        whole = forum(path)
        return Reply(whole.body[:700], length=False) if "start=3" in path else whole

    with reading(answer) as (server, reader):
        with pytest.raises(IncompleteRead, match=r"Page 2 of 3 ended early \(no footer\)"):
            list(read_pages(server.root + "viewtopic.php?t=5", reader))
        assert [path for path in server.asked if "start=3" in path] == ["/viewtopic.php?t=5&start=3"] * 2


def test_half_a_page_that_comes_whole_the_second_time_is_fine() -> None:
    whole = Forum(thread(2))("/viewtopic.php?t=5")
    with reading(in_turn(Reply(whole.body[:300], length=False), whole)) as (server, reader):
        assert len(list(read_pages(server.root + "viewtopic.php?t=5", reader))) == 1


@pytest.mark.parametrize(
    ("reply", "error", "says"),
    [
        (Reply(b""), IncompleteRead, "is empty"),
        (Reply(b"   \n"), IncompleteRead, "is empty"),
        (Reply(), NotAForum, "no thread of a forum that I know"),
        (Reply(b"plain words"), NotAForum, "no thread of a forum that I know"),
        (Reply(b"Not here", 404), TopicMissing, "answers 404"),
        (Reply(b"<html>", 410), TopicMissing, "answers 410"),
        (Reply(b"Go away", 403), AccessDenied, "answers 403"),
        (Reply(b"Who are you?", 401), LoginRequired, "asks for a login"),
        (Reply(b"", 451), SiteRefused, "answers 451"),
        (Reply(message("No such topic."), 404), TopicMissing, "No such topic"),
    ],
)
def test_what_is_no_page_of_a_thread_says_so(reply: Reply, error: type[KnightfallError], says: str) -> None:
    with reading(in_turn(reply)) as (server, reader), pytest.raises(error, match=says) as caught:
        list(read_pages(server.root + "viewtopic.php?t=5", reader))
    assert type(caught.value) is error
