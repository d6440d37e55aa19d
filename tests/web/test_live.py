"""A votecount that is looked at shows each vote as soon as it is read, in as many tabs as there are."""

from __future__ import annotations

import http.client
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from begun import begin
from fetch.loopback import Reply, serving
from fetch.threads import Forum
from knightfall.engine.entries import Closed
from knightfall.errors import KnightfallError
from knightfall.models import Thread
from knightfall.services.journal import rule
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest
from knightfall.services.session import entered
from knightfall.services.threads import read, source_here
from knightfall.storage.store import Store
from knightfall.web import live
from knightfall.web.server import ServedPage
from knightfall.web.thread_watch import FILE, WatchedThreads
from web.browser import PATIENCE, browsing
from web.hands import FormHand, come_in, form_hand
from web.served import no_users, running, served

ELM = re.compile(r"^Decide how post \d+ of Elm counts$")

STREAMS = 30
SPEED = 20
SOON = 10.0
"""Seconds on a machine that has much else to do; on a quiet one it takes less than one."""
PATH = "/games/harbour/votes/live"


@dataclass
class HurriedClock:
    """Time goes by so many times as fast."""

    speed: int = SPEED
    began: float = field(default_factory=time.monotonic)

    def now(self) -> datetime:
        return datetime(2026, 11, 21, 12, tzinfo=UTC) + timedelta(seconds=self.elapsed())

    def elapsed(self) -> float:
        return (time.monotonic() - self.began) * self.speed

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds / self.speed)


@dataclass
class TimedForum:
    """A forum that notes when it first gave a page with its last post."""

    forum: Forum
    told: dict[int, float] = field(default_factory=dict)

    def __call__(self, path: str) -> Reply:
        answer = self.forum(path)
        last = self.forum.posts[-1][0]
        if f"p{last}".encode() in answer.body:
            self.told.setdefault(last, time.monotonic())
        return answer


def hosted(desk: Path, root: str) -> Path:
    """A game of votes whose thread was read once."""
    request = NewGameRequest(
        "votes", ("Ada", "Boro", "Elm", "Fen", "Gale"), desk / "harbour", b"", b"", "Salt Harbour",
        site="phpbb", moderators=("Wren",), threads=(("game", f"{root}viewtopic.php?t=5"),),
    )  # fmt: skip
    session = session_of(desk / "harbour", allow_private=True)
    begin(request, session)
    read(source_here((), False, False, False, session), session)
    return desk / "harbour"


@pytest.fixture
def forum(monkeypatch: pytest.MonkeyPatch) -> Forum:
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    return Forum([(101, "Wren", "Day 1"), (102, "Ada", "<b>Vote: Boro</b>")])


def until(true: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait for something."""
    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.01)


@pytest.mark.long
def test_a_vote_is_on_the_screen_soon_after_it_was_read_in_more_tabs_than_a_browser_has_connections(
    tmp_path: Path, forum: Forum
) -> None:
    timed = TimedForum(forum)
    with serving(timed) as server, browsing() as browser:
        hosted(tmp_path, server.root)
        with running(tmp_path, clock=HurriedClock()) as page:
            root = page.access.home
            context = browser.new_context(viewport={"width": 1280, "height": 900})
            tabs = [context.new_page() for _ in range(7)]
            come_in(tabs[0], page.address)
            tabs[0].goto(f"{root}/games/harbour/votes")
            tabs[0].get_by_role("button", name="Watch the thread").click()
            tabs[0].get_by_text("The thread is being watched").wait_for()
            for tab in tabs[1:]:
                tab.goto(f"{root}/games/harbour/votes")
            until(lambda: page.live.open == 1)
            tabs[0].locator("summary", has_text="Boro").click()
            forum.posts.append((103, "Elm", "<b>Vote: Boro</b> on a hunch"))
            tabs[0].locator("td", has_text=ELM).wait_for(state="attached", timeout=PATIENCE * 1000)
            assert time.monotonic() - timed.told[103] < SOON
            for tab in tabs[1:]:
                tab.locator("td", has_text=ELM).wait_for(state="attached", timeout=PATIENCE * 1000)
            # What was closed by hand is closed still.
            assert tabs[0].locator("details.wagon[open]").count() == 0
            # The tab that listened goes away, and another one takes its place.
            tabs[0].close()
            until(lambda: page.live.open == 1)
            context.close()
            until(lambda: page.live.open == 0)


@pytest.mark.long
def test_a_votecount_that_nobody_touches_shows_every_change_and_takes_no_focus(
    tmp_path: Path, forum: Forum
) -> None:
    with serving(forum) as server, browsing() as browser:
        session = session_of(hosted(tmp_path, server.root), allow_private=True)
        with running(tmp_path) as page:
            tab = browser.new_page()
            come_in(tab, page.address)
            tab.goto(f"{page.access.home}/games/harbour/votes")
            until(lambda: page.live.open == 1)
            for post, voter, whom in ((103, "Elm", "Boro"), (104, "Fen", "Ada"), (105, "Gale", "Ada")):
                forum.posts.append((post, voter, f"<b>Vote: {whom}</b>"))
                read(source_here((), False, False, False, session), session)
                shown = tab.locator("td", has_text=re.compile(rf"of {voter} counts$"))
                shown.wait_for(state="attached", timeout=SOON * 1000)
                assert tab.evaluate("document.activeElement === document.body")


@dataclass
class Stream:
    """An open stream, read line by line."""

    connection: http.client.HTTPConnection
    answer: http.client.HTTPResponse

    def version(self) -> str:
        """The next version that is told."""
        while not (line := self.answer.readline().decode()).startswith("data: "):
            assert line, "the stream has ended"
        return line.removeprefix("data: ").strip()


def cookie_of(page: ServedPage) -> dict[str, str]:
    """The headers of a browser that has opened the page."""
    port = int(page.address.split(":")[2].partition("/")[0])
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", "/open/" + page.address.partition("/open/")[2])
    told = connection.getresponse().headers["set-cookie"]
    return {"Cookie": told.partition(";")[0]}


def stream(page: ServedPage, headers: dict[str, str]) -> Stream:
    """One more stream."""
    port = int(page.address.split(":")[2].partition("/")[0])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", f"/{page.access.key}{PATH}", headers=headers)
    return Stream(connection, connection.getresponse())


@pytest.fixture
def quay(tmp_path: Path, forum: Forum) -> Iterator[tuple[Path, Path]]:
    """The folder of games, and of the one game that is in it."""
    with serving(forum) as server:
        yield tmp_path, hosted(tmp_path, server.root)


def test_thirty_streams_hear_of_a_change_soon_and_one_that_does_not_read_stalls_nobody(
    quay: tuple[Path, Path],
) -> None:
    desk, game = quay
    with running(desk) as page, ExitStack() as stack:
        headers = cookie_of(page)
        streams = [stream(page, headers) for _ in range(STREAMS)]
        for one in streams:
            stack.callback(one.connection.close)
        deaf = stack.enter_context(socket.create_connection(("127.0.0.1", streams[0].connection.port)))
        asked = f"GET /{page.access.key}{PATH} HTTP/1.1\r\nHost: 127.0.0.1:{streams[0].connection.port}\r\n"
        deaf.sendall(f"{asked}Cookie: {headers['Cookie']}\r\n\r\n".encode())
        assert len({one.version() for one in streams}) == 1
        until(lambda: page.live.open == STREAMS + 1)
        rule("May one whisper?", "No", "house rule", session_of(game))
        begun = time.monotonic()
        assert len({one.version() for one in streams}) == 1
        assert time.monotonic() - begun < SOON
        # A page answers meanwhile.
        connection = http.client.HTTPConnection("127.0.0.1", streams[0].connection.port, timeout=PATIENCE)
        connection.request("GET", f"/{page.access.key}/games/harbour/votes", headers=headers)
        assert connection.getresponse().status == 200
        connection.close()
        # Who goes away frees a place.
        for one in streams[1:]:
            one.answer.close()
            one.connection.close()
        deaf.close()
        until(lambda: page.live.open == 1)


def test_the_server_ends_at_once_with_open_streams(quay: tuple[Path, Path]) -> None:
    with running(quay[0]) as page:
        headers = cookie_of(page)
        streams = [stream(page, headers) for _ in range(3)]
        for one in streams:
            one.version()
        begun = time.monotonic()
    assert time.monotonic() - begun < SOON
    for one in streams:
        assert one.answer.read() in (b"", b"\n")
        one.connection.close()


def test_there_are_so_many_streams_and_who_comes_later_asks_again(
    quay: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MOST", 2)
    with running(quay[0]) as page:
        headers = cookie_of(page)
        streams = [stream(page, headers) for _ in range(2)]
        for one in streams:
            one.version()
        late = stream(page, headers)
        assert late.answer.read() == b"retry: 10000\n\n"
        for one in (*streams, late):
            one.connection.close()


def test_a_thread_is_read_once_while_nothing_is_written(
    quay: tuple[Path, Path], forum: Forum, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, game = quay
    times, whole = list[str](), Store.thread

    def counted(store: Store, url: str) -> Thread | None:
        times.append(url)
        return whole(store, url)

    monkeypatch.setattr(Store, "thread", counted)
    hand = form_hand(served(desk))
    for path in ("votes", "close", "votes?theme=compact", "votes"):
        hand.go(f"/games/harbour/{path}")
    session = session_of(game, allow_private=True)
    rule("What about capitals?", "They count.", "house rule", session)
    hand.go("/games/harbour/votes")
    assert len(times) == 1
    forum.posts.append((103, "Elm", "<b>Vote: Boro</b>"))
    read(source_here((), False, False, False, session), session)
    hand.go("/games/harbour/votes")
    assert "Elm" in hand.tree.xpath("//table")[0].text_content()


def test_a_page_that_is_open_stays_as_it_is_while_a_thread_is_half_read(
    tmp_path: Path, forum: Forum, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("knightfall.web.pages.FRESH", 1e-9)

    def broken(path: str) -> Reply:
        return Reply(b"No.", 403) if "start=3" in path else forum(path)

    with serving(broken) as server:
        game = hosted(tmp_path, server.root)
        forum.posts += [(103 + number, "Elm", f"Word {number}") for number in range(4)]
        with pytest.raises(KnightfallError):
            session = session_of(game, allow_private=True)
            read(source_here((), False, False, False, session), session)
        client = form_hand(served(tmp_path)).client
        assert client.get("/games/harbour/votes").status_code == 422
        answer = client.get("/games/harbour/votes", headers={"HX-Request": "true"})
        assert (answer.status_code, answer.text) == (204, "")


@pytest.mark.parametrize(
    "headers",
    [{}, {"Host": "evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Dest": "iframe"}],
)
def test_the_stream_is_told_to_nobody_else(quay: tuple[Path, Path], headers: dict[str, str]) -> None:
    client = form_hand(served(quay[0])).client
    if not headers:
        client.cookies.clear()
    answer = client.get(PATH, headers=headers)
    assert answer.status_code == 403
    assert answer.text.startswith("Refused: ")


@pytest.mark.long
def test_a_restart_loses_nothing_and_a_page_of_before_is_told_that_nobody_answers(
    tmp_path: Path, forum: Forum
) -> None:
    with serving(forum) as server, browsing() as browser:
        hosted(tmp_path, server.root)
        tab = browser.new_page()
        with running(tmp_path) as page:
            come_in(tab, page.address)
            tab.goto(page.access.home + "/games/harbour/votes")
            until(lambda: page.live.open == 1)
        tab.get_by_text("Knightfall does not answer").wait_for()
        forum.posts.append((103, "Elm", "<b>Vote: Boro</b>"))
        with running(tmp_path) as page:
            come_in(tab, page.address)
            tab.goto(page.access.home + "/games/harbour/votes")
            assert re.search(r"Boro\s+1", tab.inner_text("main"))
            tab.get_by_role("button", name="Watch the thread").click()
            tab.get_by_text("The thread is being watched").wait_for()
            tab.locator("td", has_text=ELM).wait_for(state="attached", timeout=PATIENCE * 1000)


# ── a watch and a restart ────────────────────────────────────────────────────────────────────────


def until_says(hand: FormHand, words: str, path: str = "/games/harbour/votes") -> None:
    """Load a page again until it says so."""

    def says() -> bool:
        hand.go(path)
        return words in hand.text

    until(says)


def test_a_watch_goes_on_after_a_restart_and_says_so(tmp_path: Path, forum: Forum) -> None:
    with serving(forum) as server:
        hosted(tmp_path, server.root)
        with running(tmp_path, clock=HurriedClock(10 * SPEED), user=no_users) as page:
            hand = form_hand(page)
            hand.go("/games/harbour/votes")
            hand.press("Watch the thread")
            assert "If Knightfall is started again, it goes on" in hand.text
        forum.posts.append((103, "Elm", "<b>Vote: Boro</b>"))
        with running(tmp_path, clock=HurriedClock(10 * SPEED), user=no_users) as page:
            hand = form_hand(page)
            until_says(hand, "2/3")
            assert "Knightfall was started again, and goes on watching." in hand.text
            hand.go("/games/harbour")
            assert "The thread is being watched" in hand.text
            hand.go("/games/harbour/votes")
            hand.press("Stop watching the thread")
        with running(tmp_path, clock=HurriedClock(10 * SPEED), user=no_users) as page:
            assert page.watches.running("harbour") is None


def test_a_watch_that_meets_a_fault_after_a_restart_goes_on_once_it_is_over(
    tmp_path: Path, forum: Forum
) -> None:
    down = list[bool]()

    def answer(path: str) -> Reply:
        return Reply(b"<html><body>Sign in.</body></html>", 403) if down else forum(path)

    with serving(answer) as server:
        hosted(tmp_path, server.root)
        with running(tmp_path, clock=HurriedClock(10 * SPEED), user=no_users) as page:
            hand = form_hand(page)
            hand.go("/games/harbour/votes")
            hand.press("Watch the thread")
        down.append(True)
        forum.posts.append((103, "Elm", "<b>Vote: Boro</b>"))
        with running(tmp_path, clock=HurriedClock(10 * SPEED), user=no_users) as page:
            hand = form_hand(page)
            until_says(hand, "I'll keep trying")
            down.clear()
            until_says(hand, "2/3")


def test_a_watch_ends_with_its_day_whoever_closes_it(tmp_path: Path, forum: Forum) -> None:
    with serving(forum) as server:
        folder = hosted(tmp_path, server.root)
        session = session_of(folder, allow_private=True)
        with running(tmp_path, clock=HurriedClock(10 * SPEED), user=no_users) as page:
            hand = form_hand(page)
            hand.go("/games/harbour/votes")
            hand.press("Watch the thread")
            entered(Closed("day-1", "eliminate Boro"), session, "nowhere")
            until_says(hand, "The thread is not watched any more: Day 1 is closed, so the watch ends.")
        # Closed while Knightfall was not running.
        WatchedThreads(tmp_path / "tokens").remember(folder, 1)
        with running(tmp_path, clock=HurriedClock(10 * SPEED), user=no_users) as page:
            hand = form_hand(page)
            until_says(hand, "The thread is not watched any more: Day 1 is closed, so the watch ends.")
        assert WatchedThreads(tmp_path / "tokens").all() == ()


def test_only_the_games_of_the_page_are_watched_after_a_restart(tmp_path: Path, forum: Forum) -> None:
    with serving(forum) as server:
        folder = hosted(tmp_path / "games", server.root)
        place = tmp_path / "games" / "tokens"
        WatchedThreads(place).remember(folder, None)
        WatchedThreads(place).remember(tmp_path / "elsewhere", 2)
        with running(tmp_path / "games") as page:
            assert page.watches.running("harbour") is not None
        assert len(WatchedThreads(place).all()) == 2
        (place / FILE).write_text("nonsense", encoding="utf-8")
        with running(tmp_path / "games") as page:
            assert page.watches.running("harbour") is None
