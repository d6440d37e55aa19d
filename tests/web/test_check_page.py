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

from fair_deals import HARMLESS, LIES, VALUE, FairDeal, any_deal, village
from fair_deals import told as as_told
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
    result = CliRunner().invoke(app, ["fair", "page", str(written)])
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


def beside(made: FairDeal) -> tuple[str, str]:
    """What a reader types beside the posts: when the commitment was written, and what a mirror says."""
    made.changed = None  # nobody can tell the page
    return (f"{made.written:%Y-%m-%dT%H:%M:%S}" if made.written else "", made.mirror)


def said(page: Any, text: str, written: str = "", mirror: str = "") -> str:
    """What the page says of posts: its verdict and its sentences."""
    page.fill("#posts", text)
    page.fill("#written", written)
    page.fill("#mirror", mirror)
    page.click("button")
    sentences = page.eval_on_selector_all("#found li", "all => all.map(one => one.textContent)")
    return "\n".join((f"{page.text_content('#verdict')}.", *(f"- {one}" for one in sentences)))


def games() -> Iterator[tuple[str, FairDeal]]:
    """Every lie, and what does no harm."""
    for name, act in [*((name, lie[2]) for name, lie in LIES.items()), *HARMLESS.items()]:
        made = village(random.Random(5))
        act(made)
        yield name, made


def test_only_its_own_script_and_style_may_run() -> None:
    text = check_page()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy
    for tag in ("script", "style"):
        (inside,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        found = base64.b64encode(sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{found}'" in policy[1]
    assert "default-src 'none'" in policy[1]
    assert not re.search(r"\bsrc=|\bhref=|fetch\(|XMLHttp|import\b", text)


@pytest.mark.long
def test_a_true_deal_is_fair(page: Any) -> None:
    for number in range(12):
        made = any_deal(random.Random(number))
        made.mirror = VALUE
        found = said(page, made.text, *beside(made))
        assert found == as_told(made.findings())
        assert found.startswith("Fair.")
        assert made.proof["terms"].count("old") and "“The “old” quay”" in page.text_content("#terms")


@pytest.mark.long
def test_what_the_reader_has_to_look_up_is_asked_for(page: Any) -> None:
    made = village(random.Random(5))
    found = said(page, made.text)
    assert found.startswith("Not shown.")
    assert "when the post was written is not known" in found
    links = page.eval_on_selector_all("#value a", "all => all.map(one => one.href)")
    assert len(links) == 2
    assert all(link.endswith("/public/1000") for link in links)


@pytest.mark.long
def test_every_lie_is_told_as_python_tells_it(page: Any) -> None:
    for name, made in games():
        assert said(page, made.text, *beside(made)) == as_told(made.findings()), name


@pytest.mark.long
def test_a_stranger_checks_a_flip_in_three_steps(page: Any) -> None:
    """Open the page, paste the posts so far and the line under the flip, press the button."""
    made = village(random.Random(5))
    made.has_proof, made.lines = False, made.lines[:1]
    steps = (page.reload, lambda: page.fill("#posts", made.text), lambda: page.click("button"))
    began = time.monotonic()
    for step in steps:
        step()
    assert len(steps) == STEPS
    assert page.get_attribute("#flips", "class") == "shown"
    assert time.monotonic() - began < SECONDS
    assert page.evaluate("document.activeElement.id") == "verdict"
    wrong = made.text.replace(made.tree.cards["Ada"], "Town Jester")
    assert said(page, wrong).startswith("Not as promised.")
    assert page.get_attribute("#flips", "class") == "contradicted"


@pytest.mark.long
def test_nothing_pasted_is_nothing_shown(page: Any) -> None:
    found = said(page, "Good evening everybody.")
    assert found.startswith("Not shown.")
    assert "- shown" not in found


@pytest.mark.long
def test_markup_in_posts_stays_text(page: Any) -> None:
    made = village(random.Random(5))
    evil = "<img src=x onerror=alert(1)>"
    line = made.lines[0].replace("Ada", evil)
    assert evil in said(page, f"Cards: {'0' * 64}\n{line}")
    assert page.query_selector("#found img") is None


def served(text: str) -> Any:
    """The page from a file host that has a policy of its own."""
    return serving(lambda _path: Reply(text.encode(), headers={"Content-Security-Policy": POLICY}))


@pytest.mark.long
def test_it_runs_under_the_policy_of_a_file_host(browser: Any) -> None:
    made = village(random.Random(5))
    made.mirror = VALUE
    with served(check_page()) as server:
        tab = browser.new_page()
        tab.goto(server.root)
        assert said(tab, made.text, *beside(made)).startswith("Fair.")
        tab.close()


@pytest.mark.long
def test_firefox_says_the_same(firefox: Firefox) -> None:
    with served(check_page()) as server:
        tab = firefox.open(server.root)
        made = village(random.Random(5))
        made.mirror = VALUE
        assert _asked(tab, made) == as_told(made.findings())
        for name, made in games():
            assert _asked(tab, made) == as_told(made.findings()), name
        assert [one for one in tab.errors if "favicon" not in one] == []


def _asked(tab: FirefoxTab, made: FairDeal) -> str:
    for field, value in zip(("posts", "written", "mirror"), (made.text, *beside(made)), strict=True):
        tab.evaluate(f"document.querySelector('#{field}').value = {json.dumps(value)}")
    tab.click("button")
    found = "[...document.querySelectorAll('#found li')].map(one => '- ' + one.textContent)"
    answer: list[str] = tab.evaluate(f"[document.querySelector('#verdict').textContent + '.', ...{found}]")
    return "\n".join(answer)
