"""The helper in a real browser: one click takes a whole thread, whatever the forum forbids its own pages."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any, Protocol
from urllib.request import Request, urlopen

import pytest

from fetch import boards
from fetch.boards import Board, Written
from fetch.loopback import Reply, Server, serving
from knightfall.services.machine import session_of
from knightfall.services.pasted import ReadPage, read_copy
from knightfall.services.session import Session
from knightfall.services.threads import Kept, gather
from knightfall.web import handing
from knightfall.web.peer import user_here
from knightfall.web.server import ServedPage
from playthroughs.moderator import moderating
from services.test_pasted import NAMES, written
from web import play
from web.hands import form_hand, origin_of
from web.helped_browser import HelpedBrowser, code_of, helped
from web.served import no_users, running
from web.test_paste import a_game
from web.test_pm_pages import ordered
from web.test_private_thread import night_of

pytestmark = pytest.mark.long

STRICT = {"Content-Security-Policy": "default-src 'none'; form-action 'self'; connect-src 'self'"}
CUT_OFF = {"Cross-Origin-Opener-Policy": "same-origin"}
POLICIES: Mapping[str, Mapping[str, str]] = {"none": {}, "strict": STRICT, "cut off": CUT_OFF}
SIX = (
    boards.Prosilver,
    boards.XenForo2,
    boards.VBulletin4,
    boards.Smf21,
    boards.MyBB,
    boards.Invision4,
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HelpedBrowser]:
    with helped(tmp_path_factory.mktemp("helped")) as found:
        yield found


@pytest.fixture(autouse=True)
def nothing_is_left(browser: HelpedBrowser) -> Iterator[None]:
    """What a test that failed left hidden or paired must not fail the next one."""
    yield
    browser.close_tabs()
    browser.forget()


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "own"))
    monkeypatch.setattr(handing, "PAUSE", 0.01)


def votes(count: int) -> list[Written]:
    """So many posts of a day, each vote for another player than its voter's last one."""
    first, *others = written(count)
    turned = (
        replace(one, text=f"[vote]{NAMES[(n + 1 + n // 4 % 3) % 4]}[/vote]")
        for n, one in enumerate(others, start=1)
    )
    return [first, *turned]


@contextmanager
def board_of(
    kind: Callable[..., Board], headers: Mapping[str, str] = {}, posts: int = 13
) -> Iterator[tuple[Board, Server]]:
    """A board under a name of its own, which sends these headers with each page."""
    board = kind(votes(posts))

    def answer(path: str) -> Reply:
        found = board(path)
        return replace(found, headers={**found.headers, **headers})

    with serving(answer) as server:
        board.root = server.root.replace("127.0.0.1", "forum.localhost")
        yield board, server


class Pairs(Protocol):
    """A browser of either kind whose helper can be paired."""

    def pair(self, port: int, code: str) -> str: ...


@contextmanager
def paired(folder: Path, browser: Pairs, user: Callable[[], int | None] = user_here) -> Iterator[ServedPage]:
    """Knightfall, with which the helper was paired."""
    with running(folder, user=user) as page:
        assert browser.pair(page.access.port, code_of(page)).startswith("Paired. Open a thread")
        yield page


def matrix() -> list[Any]:
    """Each board under each policy."""
    return [pytest.param(kind, policy, id=f"{kind.__name__}-{policy}") for kind in SIX for policy in POLICIES]


@pytest.mark.parametrize(("kind", "policy"), matrix())
def test_one_click_takes_a_whole_thread(
    tmp_path: Path, browser: HelpedBrowser, kind: Callable[..., Board], policy: str
) -> None:
    with board_of(kind, POLICIES[policy]) as (board, server), paired(tmp_path, browser):
        tab = browser.open(board.page_url(2))
        browser.press(tab)
        said = browser.wait_for(tab, "All 3 pages are here.*Day 1, as of #")
        assert "Boro" in said
        # Each page was asked for once, by the browser alone, but for the one that was open.
        agents = {headers["User-Agent"] for headers in server.headers}
        assert not any("knightfall" in agent for agent in agents)
        marks = tab.evaluate(
            "[...document.querySelectorAll('[data-knightfall-badge]')].map(x => x.textContent)"
        )
        assert len(marks) == 5, marks


IN_ORDER = """() => [...document.querySelectorAll('body *')]
  .filter(x => x.matches('[data-knightfall-badge]') || (/^Vote: /.test(x.textContent) && !x.children.length))
  .map(x => x.textContent).filter(said => said !== 'Vote: Cobb')"""
"""The badges and the votes of a page, as they stand one after the other, without those of signatures."""


def assert_at_their_votes(found: list[str]) -> None:
    """Four votes and four badges, each beside the vote that it is of; `found` is as IN_ORDER gives it."""
    assert len(found) == 8, found
    first, second = found[0::2], found[1::2]
    said, marks = (first, second) if first[0].startswith("Vote") else (second, first)
    for vote, mark in zip(said, marks, strict=True):
        assert f"for {vote.removeprefix('Vote: ')}" in mark


@pytest.mark.parametrize("kind", SIX, ids=lambda kind: kind.__name__)
def test_badges_stand_at_their_own_posts(
    tmp_path: Path, browser: HelpedBrowser, kind: Callable[..., Board]
) -> None:
    with board_of(kind, STRICT, 5) as (board, _), paired(tmp_path, browser):
        tab = browser.open(board.url)
        browser.press(tab)
        browser.wait_for(tab, "Day 1, as of #")
        found = tab.evaluate(IN_ORDER)
        assert_at_their_votes(found)


def test_a_thread_for_members_comes_in_by_one_click_and_nobody_else_asks_the_forum(
    tmp_path: Path, browser: HelpedBrowser
) -> None:
    board = boards.Prosilver(votes(13))

    def door(_: str, headers: Mapping[str, str]) -> Reply | None:
        known = "session=wren" in headers.get("Cookie", "")
        return None if known else Reply(b"<html><body>Members only.</body></html>", 403)

    with serving(board, door=door) as server, paired(tmp_path, browser):
        board.root = server.root.replace("127.0.0.1", "members.localhost")
        browser.context.add_cookies([{"name": "session", "value": "wren", "url": board.root}])
        tab = browser.open(board.page_url(3))
        browser.press(tab)  # the one click
        browser.wait_for(tab, "All 3 pages are here.*Day 1, as of #13")
        # As the page's own reading does: each page once, and all but the last one once more.
        threads = [path for path in server.asked if path.startswith("/viewtopic")]
        assert len(threads) == 1 + 3 + 2
        assert not any("knightfall" in headers["User-Agent"] for headers in server.headers)
        browser.context.clear_cookies()


def test_a_thread_of_a_game_goes_to_its_game_and_its_page_is_opened(
    tmp_path: Path, browser: HelpedBrowser
) -> None:
    with board_of(boards.MyBB) as (board, _), running(tmp_path) as page:
        a_game(tmp_path, ("game", board.url))
        own = browser.open(page.address)
        browser.pair(page.access.port, code_of(page))
        tab = browser.open(board.page_url(1))
        browser.press(tab)
        assert "Salt Harbour: All 3 pages are here." in browser.wait_for(tab, "Day 1, as of #")
        with browser.context.expect_page() as opened:
            browser.click(tab, "Look at it in Knightfall")
        opened.value.wait_for_url("**/games/harbour/votes")
        assert "Votecount" in opened.value.inner_text("main")
        own.close()


def test_the_count_as_of_a_post_and_hidden_while_players_look_on(
    tmp_path: Path, browser: HelpedBrowser
) -> None:
    shown = "document.querySelectorAll('[data-knightfall-badge]').length"
    with board_of(boards.XenForo2) as (board, _), paired(tmp_path, browser):
        tab = browser.open(board.page_url(1))
        browser.press(tab)
        browser.wait_for(tab, "as of #13")
        tab.click("[data-knightfall-badge] >> nth=1")
        browser.wait_for(tab, "as of #3 of #13")
        assert tab.evaluate(shown) == 2
        browser.click(tab, "The latest")
        browser.wait_for(tab, "as of #13")
        browser.click(tab, "Hide it while players look on")
        assert "Boro" not in browser.wait_for(tab, "Show the count here")
        assert tab.evaluate(shown) == 0
        # It stays hidden on the next page, too.
        tab.goto(board.page_url(2))
        browser.press(tab)
        assert "Boro" not in browser.wait_for(tab, "All 3 pages are here.*Show the count here")
        assert tab.evaluate(shown) == 0
        browser.click(tab, "Show the count here")
        browser.wait_for(tab, "as of #13")
        assert tab.evaluate(shown) == 5
        browser.click(tab, "Close")
        assert browser.panel(tab) == ""
        assert tab.evaluate(shown) == 0


def test_what_the_helper_put_on_a_page_is_not_handed_over_with_it(
    tmp_path: Path, browser: HelpedBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    came: list[str] = []

    def read(html: str, session: Session, address: str = "") -> ReadPage:
        came.append(html)
        return read_copy(html, session, address)

    monkeypatch.setattr(handing, "read_copy", read)
    with board_of(boards.Prosilver, posts=5) as (board, _), paired(tmp_path, browser):
        tab = browser.open(board.url)
        browser.press(tab)
        browser.wait_for(tab, "as of #5")
        assert tab.evaluate("document.querySelectorAll('[data-knightfall-badge]').length") == 4
        browser.press(tab)
        until = time.monotonic() + 10
        while len(came) < 2 and time.monotonic() < until:
            tab.wait_for_timeout(20)
    assert len(came) == 2
    for html in came:
        assert "Day 1 begins" in html
        assert "knightfall" not in html


FAULTS = {
    "not running": "Knightfall did not answer on port",
    "taken": "or another program has that port",
    "another run": "is not paired with the Knightfall that runs here",
    "ended": "is not paired with the Knightfall that runs here",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_told_for_what_it_is(tmp_path: Path, browser: HelpedBrowser, fault: str) -> None:
    with board_of(boards.Prosilver) as (board, _):
        with paired(tmp_path / "games", browser) as page:
            port = page.access.port
            if fault == "ended":
                page.access.helpers.revoke(page.access.helpers.all()[0].digest)
                assert FAULTS[fault] in told_of(browser, board)
                return
        if fault == "taken":
            with serving(lambda _: Reply(b"Somebody else"), port=port):
                assert FAULTS[fault] in told_of(browser, board)
        elif fault == "another run":
            with running(tmp_path / "others", port=port):
                assert FAULTS[fault] in told_of(browser, board)
        else:
            said = told_of(browser, board)
            assert FAULTS[fault] in said
            assert "copy the page (Ctrl-A, Ctrl-C)" in said


def told_of(browser: HelpedBrowser, board: Board) -> str:
    """What the panel says where a page cannot be handed over."""
    tab = browser.open(board.url)
    browser.press(tab)
    return browser.wait_for(tab, "(answer on|answers on|not paired)")


def test_a_wrong_code_is_told_and_an_unpaired_helper_asks_to_be_paired(
    tmp_path: Path, browser: HelpedBrowser
) -> None:
    with board_of(boards.Prosilver) as (board, _), running(tmp_path) as page:
        wrong = f"{(int(code_of(page)) + 1) % 10**6:06}"
        assert browser.pair(page.access.port, wrong) == "This is not the code that Knightfall shows."
        tab = browser.open(board.url)
        with browser.context.expect_page() as opened:
            browser.press(tab)
        opened.value.get_by_text("Not paired yet.").wait_for()
        assert browser.panel(tab) == ""


def test_reading_on_stops_where_the_forum_wants_it(tmp_path: Path, browser: HelpedBrowser) -> None:
    board = boards.Prosilver(votes(13))
    busy = Reply(b"<html><body>Slow down</body></html>", 429, {"Retry-After": "90"})
    checked = (Path(__file__).parents[2] / "fixtures" / "walls" / "cloudflare.html").read_bytes()

    def answer(path: str) -> Reply:
        return replies.pop(path.partition("start=")[2], None) or board(path)

    with serving(answer) as server, paired(tmp_path, browser):
        board.root = server.root.replace("127.0.0.1", "forum.localhost")
        replies = {"5": busy}
        tab = browser.open(board.page_url(1))
        browser.press(tab)
        said = browser.wait_for(tab, "wants to be left alone|asks to be left alone until")
        assert "Missing: page 2, 3 of 3." in said
        replies = {"10": Reply(checked, 503)}
        browser.press(tab)
        said = browser.wait_for(tab, "human")
        assert "Missing: page 3 of 3." in said
        browser.press(tab)
        browser.wait_for(tab, "All 3 pages are here.")


def lays_ready(page: ServedPage, *parts: str, at: str = "/") -> None:
    """Give a text to the helper, as the button of a post does on its page."""
    hand = form_hand(page)
    data = {"form_token": page.access.form_token, "came": at, "part": list(parts)}
    answer = hand.client.post("/bring/text", data=data, headers={"Origin": origin_of(hand.root)})
    assert answer.status_code == 204


EDITORS = """<form action="/sent"><textarea id="message" rows="9" cols="60"></textarea>
<div id="rich" contenteditable="true" style="height: 90px"></div>
<iframe id="framed" srcdoc="<body contenteditable></body>" width="400" height="60"></iframe>
<input type="submit"></form>"""


def test_a_post_is_pasted_into_the_reply_box_and_never_sent(tmp_path: Path, browser: HelpedBrowser) -> None:
    board = boards.Prosilver(votes(4))
    forum = board.rendered

    def with_editors(number: int) -> str:
        return forum(number).replace("</body>", f"{EDITORS}</body>")

    board.rendered = with_editors  # type: ignore[method-assign]
    with serving(board) as server, paired(tmp_path, browser, no_users) as page:
        board.root = server.root.replace("127.0.0.1", "forum.localhost")
        tab = browser.open(board.url)
        browser.press(tab)
        browser.wait_for(tab, "as of #4")
        browser.click(tab, "Paste into reply")
        browser.wait_for(tab, "No text lies ready.")
        lays_ready(page, "[b]One[/b]\n<i>x</i>", "Two")
        browser.click(tab, "Paste into reply")
        browser.wait_for(tab, "Paste part 2 of 2")
        tab.click("#message")
        browser.click(tab, "Paste part 1 of 2")
        browser.wait_for(tab, "Look at it, then send it yourself")
        assert tab.input_value("#message") == "[b]One[/b]\n<i>x</i>"
        tab.click("#rich")
        browser.click(tab, "Paste part 2 of 2")
        tab.wait_for_timeout(100)
        assert tab.inner_text("#rich").strip() == "Two"
        assert "/sent" not in server.asked


def test_a_hostile_page_gets_nothing_out_of_the_helper(tmp_path: Path, browser: HelpedBrowser) -> None:
    board = boards.Prosilver(votes(5))
    evil = escape("<script>window.stolen=1</script><img src=x onerror='stolen=1'>")
    board.posts[1] = replace(board.posts[1], text=f"[vote]Elm[/vote] {evil}")
    board.posts[2] = replace(board.posts[2], author=evil)
    with serving(board) as server, paired(tmp_path, browser):
        board.root = server.root.replace("127.0.0.1", "forum.localhost")
        tab = browser.open(board.url)
        tab.evaluate("stolen = 0")
        browser.press(tab)
        browser.wait_for(tab, "as of #5")
        found = tab.evaluate(
            """async id => {
              const host = document.querySelector('knightfall-helper'), told = [host.shadowRoot === null];
              told.push(typeof window.knightfallPanel, typeof window.knightfallReading);
              // It clicks badges, and says to be the helper's own script.
              for (const one of document.querySelectorAll('[data-knightfall-badge]')) one.click();
              window.postMessage({ask: 'reply'}, '*');
              told.push(typeof window.chrome?.runtime?.sendMessage);
              try { await fetch(`${id}/options.html`); told.push('read'); } catch { told.push('refused'); }
              try { await import(`${id}/connection.js`); told.push('run'); } catch { told.push('refused'); }
              return told;
            }""",
            browser.origin,
        )
        assert found == [True, "undefined", "undefined", "undefined", "refused", "refused"]
        tab.wait_for_timeout(200)
        assert "as of #5 " in f"{browser.panel(tab)} "
        assert tab.evaluate("stolen") == 0
        assert not tab.evaluate("[...document.querySelectorAll('[data-knightfall-badge] *')].length")


def test_a_pm_is_opened_as_an_order_by_two_clicks(tmp_path: Path, browser: HelpedBrowser) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        night_of(mod)
        goon, order, html = ordered(mod)
        with (
            serving(lambda _: Reply(html.encode(), headers=STRICT)) as server,
            running(tmp_path) as page,
        ):
            own = browser.open(page.address)
            browser.pair(page.access.port, code_of(page))
            tab = browser.open(
                f"{server.root.replace('127.0.0.1', 'forum.localhost')}conversations/night.91/"
            )
            browser.press(tab)
            browser.wait_for(tab, f"This is the order of {goon}")
            with browser.context.expect_page() as opened:
                browser.click(tab, "This is the order of")
            opened.value.wait_for_selector("text=Nothing is written yet")
            assert order in opened.value.inner_text("main")
            own.close()


def test_a_tab_that_is_an_hour_old_hands_over_the_page_as_it_is_now(
    tmp_path: Path, browser: HelpedBrowser
) -> None:
    with board_of(boards.Prosilver, posts=3) as (board, _), paired(tmp_path, browser):
        old = browser.open(board.url)
        board.posts = votes(5)
        for tab in (browser.open(board.url), old):
            browser.press(tab)
            assert "as of #5" in browser.wait_for(tab, "Day 1, as of #")


def test_a_post_that_is_deleted_while_pages_are_read_loses_no_other(
    tmp_path: Path, browser: HelpedBrowser
) -> None:
    board = boards.Prosilver(votes(13))
    asked: list[str] = []

    def answer(path: str) -> Reply:
        reply = board(path)
        asked.append(path)
        if len([one for one in asked if "viewtopic" in one]) == 2:  # page 1 was read by now
            board.posts = [one for one in board.posts if one.id != 102]
        return reply

    with serving(answer) as server, paired(tmp_path, browser):
        board.root = server.root.replace("127.0.0.1", "forum.localhost")
        tab = browser.open(board.page_url(1))
        browser.press(tab)
        browser.wait_for(tab, "Day 1, as of #")
        kept = gather(Kept(f"{board.root}viewtopic.php?t=9"), session_of(None))
        assert kept.complete
        assert [post.id for post in kept.posts] == [str(one.id) for one in board.posts]


def test_a_thread_that_became_shorter_loses_its_last_page(tmp_path: Path, browser: HelpedBrowser) -> None:
    with board_of(boards.MyBB, posts=11) as (board, _), paired(tmp_path, browser):
        tab = browser.open(board.page_url(1))
        browser.press(tab)
        browser.wait_for(tab, "All 3 pages are here.*as of #11")
        board.posts = board.posts[:10]
        tab = browser.open(board.page_url(1))
        browser.press(tab)
        browser.wait_for(tab, "All 2 pages are here.*as of #10")


def test_stop_and_close_end_what_is_under_way(tmp_path: Path, browser: HelpedBrowser) -> None:
    board = boards.Prosilver(votes(13))
    gate = threading.Event()

    def answer(path: str) -> Reply:
        if path.endswith("start=5"):
            gate.wait(30)
        return board(path)

    with serving(answer) as server, paired(tmp_path, browser):
        board.root = server.root.replace("127.0.0.1", "forum.localhost")
        tab = browser.open(board.page_url(1))
        browser.press(tab)
        browser.wait_for(tab, "Page 1 of 3 read.*Stop")
        tab.wait_for_timeout(300)
        browser.click(tab, "Stop")
        said = browser.wait_for(tab, "Stopped. What was read is kept.", 5)
        assert "Missing: page 2, 3 of 3." in said
        gate.set()
        browser.press(tab)
        browser.wait_for(tab, "All 3 pages are here")
        browser.click(tab, "Close")
        tab.wait_for_timeout(300)
        assert tab.evaluate("document.querySelectorAll('[data-knightfall-badge]').length") == 0


def test_a_helper_whose_pairing_ended_offers_to_pair_it_again(tmp_path: Path, browser: HelpedBrowser) -> None:
    with board_of(boards.Prosilver) as (board, _), paired(tmp_path, browser) as page:
        page.access.helpers.revoke(page.access.helpers.all()[0].digest)
        tab = browser.open(board.url)
        browser.press(tab)
        browser.wait_for(tab, "not paired")
        with browser.context.expect_page() as opened:
            browser.click(tab, "Pair it")
        opened.value.wait_for_selector("#pair")


def test_who_has_the_port_of_knightfall_gets_neither_token_nor_page(
    tmp_path: Path, browser: HelpedBrowser
) -> None:
    told: list[tuple[str, Mapping[str, str]]] = []
    allow = {"Access-Control-Allow-Origin": browser.origin, "Content-Type": "application/json"}

    def stub(_: str) -> Reply:
        return Reply(b'{"proofs": ["00"], "kind": "thread", "next": null}', headers=allow)

    def heard(path: str, headers: Mapping[str, str]) -> None:
        told.append((path, headers))

    with board_of(boards.Prosilver) as (board, _):
        with paired(tmp_path, browser) as page:
            port = page.access.port
        with serving(stub, door=heard, port=port):
            tab = browser.open(board.url)
            browser.press(tab)
            browser.wait_for(tab, "not paired with the Knightfall that runs here")
        assert told
        assert not any("authorization" in {name.casefold() for name in headers} for _, headers in told)
        assert {path.partition("?")[0] for path, _ in told} == {"/helper/here"}


def test_who_has_the_port_of_knightfall_and_relays_to_its_new_one_gets_neither_token_nor_page(
    tmp_path: Path, browser: HelpedBrowser
) -> None:
    told: list[str] = []
    with board_of(boards.Prosilver) as (board, _):
        with paired(tmp_path, browser) as page:
            port = page.access.port
        with running(tmp_path) as page:
            assert page.access.port != port

            def relays(path: str) -> Reply:
                told.append(path)
                asked = Request(
                    f"http://127.0.0.1:{page.access.port}{path}", headers={"Origin": browser.origin}
                )
                with urlopen(asked, timeout=10) as answer:
                    body = answer.read()
                assert len(json.loads(body)["proofs"]) == 1
                return Reply(body, headers={"Access-Control-Allow-Origin": browser.origin})

            with serving(relays, port=port):
                tab = browser.open(board.url)
                browser.press(tab)
                browser.wait_for(tab, "not paired with the Knightfall that runs here")
        assert {path.partition("?")[0] for path in told} == {"/helper/here"}


def test_no_look_of_the_page_hides_the_panel_and_no_other_site_gets_the_text(
    tmp_path: Path, browser: HelpedBrowser
) -> None:
    style = "<style>knightfall-helper { opacity: 0 !important; display: none !important; }</style>"
    board = boards.Prosilver(votes(4))
    plain = board.rendered

    def styled(number: int) -> str:
        return plain(number).replace("</head>", f"{style}</head>").replace("</body>", f"{EDITORS}</body>")

    board.rendered = styled  # type: ignore[method-assign]
    with serving(board) as server, running(tmp_path, user=no_users) as page:
        board.root = server.root.replace("127.0.0.1", "forum.localhost")
        a_game(tmp_path, ("game", "https://kettle.example/viewtopic.php?t=9"))
        browser.pair(page.access.port, code_of(page))
        lays_ready(page, "Your role: Cop.", at="/games/harbour/posts/rules")
        tab = browser.open(board.url)
        browser.press(tab)
        browser.wait_for(tab, "as of #4")
        looks = "getComputedStyle(document.querySelector('knightfall-helper'))"
        assert tab.evaluate(f"[{looks}.opacity, {looks}.display]") == ["1", "block"]
        browser.click(tab, "Paste into reply")
        browser.wait_for(tab, "is for https://kettle.example, not for http://forum.localhost")
        assert tab.input_value("#message") == ""
