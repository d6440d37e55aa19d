"""A forum that misbehaves on purpose: each trick is survived, nothing is lost, nothing partial is counted.

Run with -s to see what was tried.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from fetch.loopback import Reply, StillClock, client, serving, zipped
from fetch.threads import Forum, thread
from knightfall.errors import AccessDenied, IncompleteRead, KnightfallError, ServerFault
from knightfall.fetch.client import Client, Manners
from knightfall.models import Thread
from knightfall.services.session import Session
from knightfall.services.threads import Link, gather, habits_of
from knightfall.storage.store import Store
from knightfall.votes.config import Ask, CountConfig
from knightfall.votes.count import votecount

SECOND_PAGE = "start=3"
MEGABYTE = 1_000_000


@dataclass
class Trick:
    """`name` says what the server does to the second page: `does` is given the honest answer and how often it
    was asked. `error`: what a moderator is told where it is not got over; None where it is. `whole`: how
    many seconds the second page has to arrive."""

    name: str
    does: Callable[[Reply, int], Reply]
    error: type[KnightfallError] | None = None
    says: str = ""
    whole: float = Manners().whole


def once(reply: Reply) -> Callable[[Reply, int], Reply]:
    return lambda honest, time: reply if time == 1 else honest


def twice(reply: Reply) -> Callable[[Reply, int], Reply]:
    return lambda honest, time: reply if time <= 2 else honest


def always(reply: Reply) -> Callable[[Reply, int], Reply]:
    return lambda _honest, _time: reply


def bomb(_honest: Reply, _time: int) -> Reply:
    """Some 60 kB that unpack to 60 MB."""
    return zipped(b"<p>" + b" " * 60 * MEGABYTE)


def cut_once(honest: Reply, time: int) -> Reply:
    return Reply(honest.body, cut=700 if time == 1 else None)


def cut_always(honest: Reply, _time: int) -> Reply:
    return Reply(honest.body[:700], length=False)


def zipped_cut_once(honest: Reply, time: int) -> Reply:
    packed = zipped(honest.body)
    return Reply(packed.body[:300] if time == 1 else packed.body, headers=packed.headers)


def sent_to(place: str) -> Callable[[Reply, int], Reply]:
    return always(Reply(b"", 302, {"Location": place}))


def packed_as(packing: str) -> Callable[[Reply, int], Reply]:
    return always(Reply(b"x" * 500, headers={"Content-Encoding": packing}))


def called(charset: str) -> Callable[[Reply, int], Reply]:
    kind = {"Content-Type": f"text/html; charset={charset}"}
    return lambda honest, _time: Reply(honest.body, headers=kind)


CHECK = Reply(b"", 403, {"cf-mitigated": "challenge"})
ENDLESS, FLOOD = Reply(b"<p>", endless=True), Reply(b"<p>" * 100_000, endless=True)
PAGE_1, PAGE_3 = Forum(thread(8)).page(0), Forum(thread(8)).page(6)

TRICKS = (
    Trick("429 with Retry-After, then fine", once(Reply(b"", 429, {"Retry-After": "90"}))),
    Trick("503 twice, then fine", twice(Reply(b"", 503))),
    Trick("no answer at all, then fine", once(Reply(silent=True))),
    Trick("a page cut in the middle, then fine", cut_once),
    Trick("a page cut in the middle each time", cut_always, IncompleteRead, "ended early"),
    Trick("a packed page cut in the middle, then fine", zipped_cut_once),
    Trick("a redirect to a private address", sent_to("http://169.254.169.254/"), AccessDenied, "private"),
    Trick("a redirect to a file", sent_to("file:///etc/passwd"), AccessDenied, "not a web address"),
    Trick("a gzip bomb", bomb, IncompleteRead, "larger than 2 MB"),
    Trick("a page packed as something else", packed_as("br"), ServerFault, "packed as “br”"),
    Trick("a packed page that is broken", packed_as("gzip"), ServerFault, "is damaged"),
    Trick("a page that never ends", always(ENDLESS), ServerFault, "did not arrive within 0.1 s", 0.1),
    Trick("a flood that never ends", always(FLOOD), IncompleteRead, "larger than 2 MB"),
    Trick("a wrong character set", called("utf-16")),
    Trick("a character set that unpacks", called("zlib")),
    Trick("another page of the thread", always(PAGE_3), IncompleteRead, "After page 1 came page 3"),
    Trick("the first page again", always(PAGE_1), IncompleteRead, "After page 1 came page 1"),
    Trick("a human check", always(CHECK), AccessDenied, "human check"),
)


def session(path: Path) -> Session:
    clock = StillClock()
    return Session(clock, client(clock, delay=0, size=2 * MEGABYTE), lambda _thread: Store.open(path))


def counted(found: Thread) -> int:
    """How many posts a count would rest on."""
    votecount(found, habits_of(found), CountConfig(), Ask(), StillClock().now())
    return len(found.posts)


@pytest.mark.few(3)
@pytest.mark.parametrize("trick", TRICKS, ids=lambda trick: trick.name)
def test_a_trick_on_the_second_page_is_survived(tmp_path: Path, trick: Trick) -> None:
    forum, times, honest = Forum(thread(8)), [0], [False]
    visitor = session(tmp_path / "a.db")
    browser = visitor.fetch
    assert isinstance(browser, Client)

    def answer(path: str) -> Reply:
        if honest[0] or SECOND_PAGE not in path:
            browser.manners = replace(browser.manners, whole=trick.whole)
            return forum(path)
        times[0] += 1
        return trick.does(forum(path), times[0])

    with serving(answer) as server:
        link = Link(server.root + "viewtopic.php?t=5")
        outcome = survived(trick, link, visitor)
        print(f"tried: {trick.name}, {times[0]} times: {outcome}")
        honest[0] = True
        whole = gather(link, session(tmp_path / "a.db"))
    assert [post.number for post in whole.posts] == list(range(1, 9))
    assert [post.body for post in whole.posts] == [f"Post number {n}." for n in range(1, 9)]
    assert counted(whole) == 8


def survived(trick: Trick, link: Link, visitor: Session) -> str:
    """What came of a read; what was read before the trick stays, and no count is made of it."""
    if trick.error is None:
        assert counted(gather(link, visitor)) == 8
        return "read whole"
    with pytest.raises(trick.error, match=trick.says) as caught:
        gather(link, visitor)
    kept = visitor.store(link.url).thread(link.url)
    assert kept is not None
    assert (len(kept.posts), kept.whole_to, kept.complete) == (3, 3, False)
    with pytest.raises(IncompleteRead, match=r"[Cc]ount withheld"):
        counted(kept)
    return str(caught.value).splitlines()[0]


def test_posts_that_change_their_order_between_two_reads_are_read_anew(tmp_path: Path) -> None:
    forum = Forum(thread(8))
    with serving(forum) as server:
        link = Link(server.root + "viewtopic.php?t=5")
        gather(link, session(tmp_path / "a.db"))
        forum.posts = [*forum.posts[3:6], *forum.posts[:3], *reversed(forum.posts[6:])]
        server.asked.clear()
        again = gather(link, session(tmp_path / "a.db"))
    print(f"tried: pages reordered between two reads: {len(server.asked)} pages asked for, read whole")
    assert [post.id for post in again.posts] == [str(post[0]) for post in forum.posts]
    assert [post.number for post in again.posts] == list(range(1, 9))
    assert Store.open(tmp_path / "a.db").changes(link.url) == ()


def test_pages_that_are_reordered_while_they_are_read_are_not_counted(tmp_path: Path) -> None:
    forum = Forum(thread(8))

    def answer(path: str) -> Reply:
        if SECOND_PAGE in path:
            forum.posts = [*forum.posts[3:6], *forum.posts[:3], *forum.posts[6:]]
        return forum(path)

    with serving(answer) as server, pytest.raises(IncompleteRead, match="came twice"):
        gather(Link(server.root + "viewtopic.php?t=5"), session(tmp_path / "a.db"))
