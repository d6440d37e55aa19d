"""The page by which strangers check a deal: what it says of honest games and of every lie, in three steps."""

from __future__ import annotations

import base64
import json
import random
import re
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from fair_deals import LIES, any_deal, worded
from fetch.loopback import Reply, serving
from knightfall.cli import app
from knightfall.services.keep.check_page import check_page
from web.browser import browsing
from web.firefox import Firefox, FirefoxTab, firefoxing

STEPS = 3
SECONDS = 5.0
"""So long a stranger's machine may take for one card, the page's loading included."""
POLICY = "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src * 'unsafe-inline'"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with browsing() as found:
        yield found


@pytest.fixture(scope="module")
def firefox() -> Iterator[Firefox]:
    with firefoxing(system=True) as found:
        yield found


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page as the command writes it."""
    written = tmp_path_factory.mktemp("anywhere") / "check.html"
    result = CliRunner().invoke(app, ["check-page", str(written)])
    assert result.exit_code == 0, result.output
    return written


@pytest.fixture
def page(browser: Any, file: Path) -> Iterator[Any]:
    """It in a browser, opened from the disk; nothing was asked of a network, and nothing went wrong."""
    tab, asked, wrong = browser.new_page(), [], []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
    tab.goto(file.as_uri())
    yield tab
    assert set(asked) == {file.as_uri()}
    assert wrong == []
    tab.close()


def said(page: Any, text: str) -> tuple[str, list[str], str]:
    """What the page says of posts: its verdict, the codes of the lies, and all sentences."""
    page.fill("#posts", text)
    page.click("button")
    codes = page.eval_on_selector_all("#found .lie", "all => all.map(one => one.id)")
    return page.text_content("#verdict"), codes, page.text_content("#found")


def test_only_its_own_script_and_style_may_run() -> None:
    text = check_page()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy
    for tag in ("script", "style"):
        (inside,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        found = base64.b64encode(sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{found}'" in policy[1]
    assert "default-src 'none'" in policy[1]
    assert not re.search(r"https?:|\bsrc=|\bhref=|fetch\(|XMLHttp|import\b", text)


def test_honest_games_are_dealt_fairly(page: Any) -> None:
    for number in range(12):
        verdict, codes, sentences = said(page, any_deal(random.Random(number)).text)
        assert (verdict, codes) == ("Dealt fairly", [])
        assert "each is as told" in sentences
        assert "verify-deal" in sentences


def test_every_lie_is_named_as_python_names_it(page: Any) -> None:
    for name, (code, act) in LIES.items():
        made = worded(random.Random(5))
        act(made)
        verdict, codes, sentences = said(page, made.text)
        assert verdict == "Not as promised", name
        assert code in codes, name
        assert codes == [lie.code for lie in made.found], name
        assert all(lie.text in sentences for lie in made.found), name


def test_a_stranger_checks_a_flip_in_three_steps(page: Any) -> None:
    """Open the page, paste the opening post and the line under the flip, press the button."""
    made = worded(random.Random(5))
    assert made.tree is not None
    role = made.tree.cards["Ada"]
    posts = f"Welcome!\nCards: {made.tree.root}\n\nAda is dead.\n{made.lines[0]}\n"
    steps = (page.reload, lambda: page.fill("#posts", posts), lambda: page.click("button"))
    began = time.monotonic()
    for step in steps:
        step()
    assert len(steps) == STEPS
    assert page.text_content("#verdict") == "This card is as dealt"
    assert time.monotonic() - began < SECONDS
    assert f"Ada was dealt {role}." in page.text_content("#found")
    assert page.evaluate("document.activeElement.id") == "verdict"
    wrong = made.lines[0].replace(role, "Town Jester")
    assert said(page, f"Cards: {made.tree.root}\n{wrong}")[:2] == ("Not as promised", ["card_line"])


def test_nothing_pasted_is_nothing_checked(page: Any) -> None:
    verdict, codes, sentences = said(page, "Good evening everybody.")
    assert (verdict, codes) == ("Nothing to check yet", [])
    assert "Paste the opening post" in sentences


def test_markup_in_posts_stays_text(page: Any) -> None:
    made = worded(random.Random(5))
    evil = "<img src=x onerror=alert(1)>"
    line = made.lines[0].replace("Ada", evil)
    _verdict, _codes, sentences = said(page, f"Cards: {'0' * 64}\n{line}")
    assert evil in sentences
    assert page.query_selector("#found img") is None


def served(text: str) -> Any:
    """The page from a file host that has a policy of its own."""
    return serving(lambda _path: Reply(text.encode(), headers={"Content-Security-Policy": POLICY}))


def test_it_runs_under_the_policy_of_a_file_host(browser: Any) -> None:
    with served(check_page()) as server:
        tab = browser.new_page()
        tab.goto(server.root)
        assert said(tab, worded(random.Random(5)).text)[:2] == ("Dealt fairly", [])
        tab.close()


def test_firefox_says_the_same(firefox: Firefox) -> None:
    with served(check_page()) as server:
        tab = firefox.open(server.root)
        assert _asked(tab, worded(random.Random(5)).text) == ["Dealt fairly", []]
        for name, (_code, act) in LIES.items():
            made = worded(random.Random(5))
            act(made)
            assert _asked(tab, made.text) == ["Not as promised", [lie.code for lie in made.found]], name
        assert [one for one in tab.errors if "favicon" not in one] == []


def _asked(tab: FirefoxTab, text: str) -> list[Any]:
    tab.evaluate(f"document.querySelector('#posts').value = {json.dumps(text)}")
    tab.click("button")
    found = "[...document.querySelectorAll('#found .lie')].map(one => one.id)"
    answer: list[Any] = tab.evaluate(f"[document.querySelector('#verdict').textContent, {found}]")
    return answer
