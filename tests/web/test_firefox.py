"""The driver of Firefox: what other tests rely on when they press, click, and install extensions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from fetch.loopback import Reply, serving
from web.firefox import Firefox, FirefoxError, firefoxing

PAGE = """<!doctype html><title>A page</title><input id="field"><p style="height: 4000px"></p>
<button onclick="document.title = `trusted: ${event.isTrusted}`; window.open('/other')">Press</button>"""
MANIFEST = {
    "manifest_version": 3,
    "name": "Titles",
    "version": "1.0",
    "permissions": ["activeTab", "scripting"],
    "action": {"default_title": "Titles"},
    "background": {"scripts": ["background.js"]},
    "browser_specific_settings": {"gecko": {"id": "titles@extension.example"}},
}
BACKGROUND = """browser.action.onClicked.addListener(tab => browser.scripting.executeScript({
  target: {tabId: tab.id}, func: () => { document.title = "pressed" },
}))"""


@pytest.fixture(scope="module")
def firefox() -> Iterator[Firefox]:
    with firefoxing(system=True) as found:
        yield found


@pytest.fixture
def root() -> Iterator[str]:
    """The address of a server, by a name as a forum has one."""
    with serving(lambda _path: Reply(PAGE.encode())) as server:
        yield server.root.replace("127.0.0.1", "forum.localhost")


def test_keys_and_clicks_are_those_of_a_person(firefox: Firefox, root: str) -> None:
    tab, before = firefox.open(root), len(firefox.tabs())
    tab.click("#field")
    tab.press("a", "Shift+B", "+", "Home", "Delete", "Control+A", "Control+C")
    assert tab.evaluate("document.querySelector('#field').value") == "B+"
    assert tab.evaluate("navigator.clipboard.readText()") == "B+"
    tab.click("button")
    tab.wait_for("document.title === 'trusted: true'")
    *_others, opened = firefox.tabs()
    assert len(firefox.tabs()) == before + 1
    opened.wait_for("location.pathname === '/other'")
    opened.close()
    assert len(firefox.tabs()) == before


def test_values_and_errors_come_as_they_are(firefox: Firefox, root: str) -> None:
    tab = firefox.open(root)
    given = [1, 2.5, None, {"a": ["ä\u2028"]}, True]
    assert tab.evaluate("(...all) => Promise.resolve(all)", *given) == given
    assert not tab.errors
    tab.evaluate("() => { console.error('a fault'); setTimeout(() => { throw new Error('another') }) }")
    tab.wait_for("new Promise(done => setTimeout(() => done(true), 20))")
    assert tab.errors == ("a fault", "Error: another")
    with pytest.raises(FirefoxError, match="no #nothing on http"):
        tab.text("#nothing")
    with pytest.raises(FirefoxError, match=r"After 0\.1 seconds .*\n.*\n.*0 > 1"):
        tab.wait_for("0 > 1", 0.1)
    with pytest.raises(FirefoxError, match="No key is called 'Ctrl'"):
        tab.press("Ctrl+A")


def test_a_press_of_its_button_lets_an_extension_into_the_tab(
    tmp_path: Path, firefox: Firefox, root: str
) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps(MANIFEST), encoding="utf-8")
    (tmp_path / "background.js").write_text(BACKGROUND, encoding="utf-8")
    id = firefox.install(tmp_path)
    assert id == "titles@extension.example"
    tab, other = firefox.open(root), firefox.open(root)
    firefox.press_action(id, tab)
    tab.wait_for("document.title === 'pressed'")
    assert other.evaluate("document.title") == "A page"


def test_nothing_but_this_machine_is_reached(firefox: Firefox) -> None:
    with pytest.raises(FirefoxError, match=r"browsingContext\.navigate"):
        firefox.open("http://forum.example/")
