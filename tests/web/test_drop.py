"""The bookmark in a real browser: a small window takes the page of a forum, and nothing from anybody else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from fetch import boards
from fetch.boards import Board
from fetch.loopback import Reply, serving
from knightfall.services.machine import session_of
from knightfall.services.pasted import pages_here
from knightfall.web.pages import DROPS
from knightfall.web.server import ServedPage
from web.browser import browsing
from web.hands import come_in, form_hand
from web.served import running, served
from web.test_helper import CUT_OFF, SIX, STRICT, board_of, votes


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with browsing() as found:
        yield found


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "own"))


@contextmanager
def let_in(page: ServedPage, browser: Any) -> Iterator[tuple[Any, str]]:
    """A browser that was let in, and the bookmark that its page offers."""
    context = browser.new_context()
    own = context.new_page()
    come_in(own, page.address)
    own.goto(f"http://{page.access.host}/bring")
    bookmark = own.get_attribute("a[href^='javascript:']", "href").removeprefix("javascript:")
    own.close()
    try:
        yield context, bookmark
    finally:
        context.close()


def clicked(tab: Any, bookmark: str) -> Any:
    """The window that the bookmark opens."""
    with tab.expect_popup() as popup:
        tab.evaluate(bookmark)
    window = popup.value
    window.wait_for_load_state()
    return window


def alerts_of(tab: Any) -> list[str]:
    """What a tab says in a box of its own, each closed at once."""
    said: list[str] = []

    def heard(dialog: Any) -> None:
        said.append(dialog.message)
        dialog.accept()

    tab.on("dialog", heard)
    return said


def waits_for(window: Any, words: str) -> None:
    """Wait until a window says so."""
    window.wait_for_function("words => document.body.innerText.includes(words)", arg=words)


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=pytest.mark.long if place > 1 else ()) for place, kind in enumerate(SIX)],
    ids=lambda kind: kind.__name__,
)
def test_a_bookmark_hands_a_thread_over_page_by_page(
    tmp_path: Path, browser: Any, kind: Callable[..., Board]
) -> None:
    with (
        board_of(kind, STRICT) as (board, server),
        running(tmp_path) as page,
        let_in(page, browser) as (
            context,
            bookmark,
        ),
    ):
        tab = context.new_page()
        for number in (1, 3, 2):
            tab.goto(board.page_url(number))
            window = clicked(tab, bookmark)
            if number == 1:  # a site is asked about once
                waits_for(window, "hands over the page")
                assert board.root.rstrip("/") in window.inner_text("#origin")
                assert window.is_disabled("#take")
                window.click("#take")
            waits_for(window, f"Page {number} of 3 read")
            if number == 2:
                assert "All its pages are here." in window.inner_text("main")
                window.click("#on")
            else:
                window.close()
        on = context.wait_for_event("page") if len(context.pages) < 3 else context.pages[-1]
        on.wait_for_load_state()
        assert ", complete" in on.inner_text("main")
        assert not any("knightfall" in headers["User-Agent"] for headers in server.headers)


def test_a_forum_that_cuts_its_windows_off_is_told_on_both_sides(tmp_path: Path, browser: Any) -> None:
    with (
        board_of(boards.Prosilver, CUT_OFF) as (board, _),
        running(tmp_path) as page,
        let_in(page, browser) as (context, bookmark),
    ):
        tab = context.new_page()
        tab.goto(board.url)
        said = alerts_of(tab)
        with context.expect_page() as opened:
            tab.evaluate(bookmark)
        window = opened.value
        waits_for(window, "This forum cuts its windows off")
        tab.wait_for_timeout(500)
        assert len(said) == 1
        assert "paste it on the page of Knightfall" in said[0]


def test_a_browser_that_was_not_let_in_hands_nothing_over(tmp_path: Path, browser: Any) -> None:
    with board_of(boards.Prosilver) as (board, _), running(tmp_path) as page:
        with let_in(page, browser) as (_, bookmark):
            pass
        context = browser.new_context()
        tab = context.new_page()
        tab.goto(board.url)
        window = clicked(tab, bookmark)
        waits_for(window, "This browser is not let in to your games.")
        context.close()


def test_without_knightfall_the_bookmark_says_so(tmp_path: Path, browser: Any) -> None:
    with board_of(boards.Prosilver) as (board, _):
        with running(tmp_path) as page, let_in(page, browser) as (_, bookmark):
            pass
        context = browser.new_context()
        tab = context.new_page()
        tab.goto(board.url)
        said = alerts_of(tab)
        tab.evaluate(bookmark.replace("n>50", "n>3"))
        tab.wait_for_timeout(1_000)
        assert said
        assert said[0].startswith("Knightfall did not answer. Is it running?")
        context.close()


HOSTILE = """async ([drop, theirs, forum]) => {
  const told = [], w = open(drop, 'x', 'popup');
  await new Promise(done => addEventListener('message', ({data}) => (told.push(data), done()), {once: true}));
  // It says to be the forum, in every way that a page can.
  w.postMessage({knightfall: 1, url: forum, html: theirs, origin: new URL(forum).origin}, '*');
  await new Promise(done => setTimeout(done, 1200));
  const looks = [() => w.location.href, () => w.document.body.innerText, () => w.document.body.click()];
  for (const look of looks) {
    try { told.push(String(look())); } catch (fault) { told.push(fault.name); }
  }
  return told;
}"""
"""What a page hears and sees of the window that it opened."""
ASKS = """async ([root, plain]) => {
  const tries = [], json = {authorization: 'Bearer x', 'content-type': 'application/json'};
  const with_cookies = {credentials: 'include'}, blind = {method: 'POST', mode: 'no-cors', ...with_cookies};
  for (const host of [root, plain]) {
    for (const [path, how] of [
      ['/drop/site?origin=x', with_cookies],
      ['/drop/paste', {...blind, body: new FormData()}],
      ['/helper/pages', {method: 'POST', headers: json, body: '{}'}],
      ['/helper/pair', {...blind, body: '{"code": "000000"}'}],
    ]) {
      try { tries.push((await fetch(host + path, how)).type); } catch (fault) { tries.push(fault.name); }
    }
  }
  return tries;
}"""
"""What a page gets of all that it may ask by itself."""


def test_a_hostile_page_fails_in_each_of_its_tries(tmp_path: Path, browser: Any) -> None:
    with (
        board_of(boards.Prosilver) as (board, _),
        running(tmp_path) as page,
        let_in(page, browser) as (
            context,
            _,
        ),
    ):
        html = board.rendered(1)
        with serving(lambda _: Reply(b"<title>Evil</title><p>Hello")) as evil:
            tab = context.new_page()
            tab.goto(evil.root.replace("127.0.0.1", "evil.localhost"))
            drop = f"http://127.0.0.1:{page.access.port}/drop"
            with tab.expect_popup() as popup:
                told = tab.evaluate(HOSTILE, [drop, html, board.url])
            window = popup.value
            # It hears that the window is ready, and nothing else; it cannot look in, nor click there.
            assert told == ["knightfall is ready", "SecurityError", "SecurityError", "SecurityError"]
            # The window names who sent it, whatever that says; a page that claims the forum is not taken.
            waits_for(window, "evil.localhost")
            assert "forum.localhost" not in window.inner_text("#origin")
            window.click("#take")
            waits_for(window, "It was not taken.")
            # What it may ask by itself is refused, and nothing of the answer is told.
            tries = tab.evaluate(ASKS, [f"http://{page.access.host}", f"http://127.0.0.1:{page.access.port}"])
            assert set(tries) <= {"TypeError", "opaque"}, tries
            tab.set_content(f"<iframe src='{drop}'></iframe>")
            tab.wait_for_timeout(300)
            frame = tab.frames[-1]
            assert "A page for Knightfall" not in frame.evaluate(
                "document.body ? document.body.innerText : ''"
            )
        assert pages_here(board.url, session_of(None)) is None
        assert page.access.helpers.all() == ()


def test_the_window_tells_nothing_of_any_game(tmp_path: Path) -> None:
    from starlette.testclient import TestClient

    page = served(tmp_path)
    asked = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
    first = TestClient(page.app, base_url="http://127.0.0.1:8765").get(
        "/drop", headers=asked, follow_redirects=False
    )
    assert first.status_code == 307
    assert first.headers["Cross-Origin-Opener-Policy"] == "unsafe-none"
    answer = TestClient(page.app, base_url=f"http://{page.access.host}").get("/drop", headers=asked)
    assert answer.status_code == 200
    assert page.access.form_token not in answer.text
    assert answer.headers["Cross-Origin-Opener-Policy"] == "unsafe-none"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    # Every other page keeps to itself.
    for path in ("/", "/drop/site", "/bring"):
        other = TestClient(page.app, base_url=f"http://{page.access.host}").get(path)
        assert other.headers["Cross-Origin-Opener-Policy"] == "same-origin"


def test_a_site_that_sends_by_itself_is_asked_about_again(tmp_path: Path) -> None:
    """Once allowed, a page of a site could hand over pages without any click."""
    page = served(tmp_path)
    hand = form_hand(page)
    board = boards.Prosilver(votes(4))
    board.root = "https://forum.example/"

    def hands_over() -> dict[str, object]:
        data = {"form_token": page.access.form_token, "origin": "https://forum.example", "url": board.url}
        answer = hand.client.post(
            "/drop/paste",
            data=data | {"pasted": board.rendered(1)},
            headers={"Origin": f"http://{page.access.host}"},
        )
        return dict(answer.json())

    def known() -> bool:
        return bool(hand.client.get("/drop/site?origin=https://forum.example").json()["known"])

    assert not known()
    assert hands_over()["kind"] == "thread"
    assert known()
    told = [hands_over() for _ in range(DROPS)]
    assert "within a minute" in str(told[-1]["error"])
    assert not known()
    other = {
        "form_token": page.access.form_token,
        "origin": "https://forum.example",
        "url": "https://evil.example/",
    }
    answer = hand.client.post("/drop/paste", data=other, headers={"Origin": f"http://{page.access.host}"})
    assert "It was not taken" in answer.json()["error"]
