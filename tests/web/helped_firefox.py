"""A real Firefox with the helper in it, as `HelpedBrowser` is a Chromium with it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from knightfall.web.helper_files import write_helper
from web.browser import PATIENCE
from web.firefox import Firefox, FirefoxError, FirefoxTab, firefoxing

PANEL = "knightfall-helper"


class HelpedFirefox:
    """A Firefox with the helper; `origin` is where the helper's requests come from."""

    def __init__(self, firefox: Firefox, id: str) -> None:
        self.firefox, self.id = firefox, id
        self.origin = ""

    def open(self, url: str) -> FirefoxTab:
        """A tab with a page."""
        return self.firefox.open(url)

    def close_tabs(self) -> None:
        """Close every tab but the first."""
        for tab in self.firefox.tabs()[1:]:
            tab.close()

    def pair(self, port: int, code: str) -> str:
        """Pair the helper on its own page, which its button opens; returns what that says."""
        if not self.origin:
            tab = self.open("about:blank")
            self.press(tab)
            tab = self._opened("options.html")
            self.origin = "/".join(str(tab.evaluate("location.href")).split("/")[:3])
        else:
            tab = self.open(f"{self.origin}/options.html")
        tab.wait_for("document.querySelector('#state').textContent !== ''")
        tab.focus()
        tab.evaluate("([port, code]) => { document.querySelector('#port').value = port; "
                     "document.querySelector('#code').value = code; }", [str(port), code])  # fmt: skip
        tab.click("#pair button")
        tab.wait_for(
            "!/^(Not paired yet.|Paired with .*)$/.test(document.querySelector('#state').textContent)"
        )
        said = tab.text("#state")
        tab.close()
        return said

    def _opened(self, ending: str) -> FirefoxTab:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            for tab in self.firefox.tabs():
                if ending in str(tab.evaluate("location.href")):
                    return tab
            time.sleep(0.05)
        raise AssertionError(f"No tab shows {ending}.")

    def press(self, tab: FirefoxTab) -> None:
        """Press the helper's button, as it stands beside the address of a tab."""
        self.firefox.press_action(self.id, tab)

    def panel(self, tab: FirefoxTab) -> str:
        """What the panel on a page says; "" where there is none."""
        return " ".join(" ".join(text for node in self._panel(tab) for text in _texts(node)).split())

    def wait_for(self, tab: FirefoxTab, words: str, seconds: float = PATIENCE) -> str:
        """Wait until the panel says so, a pattern; returns all that it says."""
        until, said = time.monotonic() + seconds, ""
        while time.monotonic() < until:
            said = self.panel(tab)
            if re.search(words, said):
                return said
            time.sleep(0.05)
        raise AssertionError(f"The panel does not say {words!r}, but: {said or 'nothing'}")

    def click(self, tab: FirefoxTab, label: str) -> None:
        """Click a button of the panel, as a hand does, once it stands there: the panel is drawn anew whenever
        what it says has changed, and a button that was found may be gone a moment later."""
        until, problem = time.monotonic() + PATIENCE, "it has no such button"
        while time.monotonic() < until:
            for node in self._panel(tab):
                if node["value"].get("localName") == "button" and label in "".join(_texts(node)):
                    origin = {"type": "element", "element": {"sharedId": node["sharedId"]}}
                    presses: list[dict[str, Any]] = [
                        {"type": "pointerMove", "x": 0, "y": 0, "origin": origin},
                        {"type": "pointerDown", "button": 0},
                        {"type": "pointerUp", "button": 0},
                    ]
                    mouse = {"type": "pointer", "id": "mouse", "actions": presses}
                    try:
                        self.firefox.ask("input.performActions", context=tab.context, actions=[mouse])
                    except FirefoxError as error:
                        problem = str(error)
                        break
                    return
            time.sleep(0.05)
        raise AssertionError(f"{label!r} cannot be clicked, {problem}: {self.panel(tab)}")

    def _panel(self, tab: FirefoxTab) -> list[dict[str, Any]]:
        """The nodes of the panel, which no script of the page can reach."""
        answer = self.firefox.ask(
            "script.evaluate",
            expression=f"document.querySelector('{PANEL}')",
            target={"context": tab.context},
            awaitPromise=False,
            serializationOptions={"maxDomDepth": 20, "includeShadowTree": "all"},
        )
        return list(_nodes(answer["result"])) if answer["result"].get("value") else []


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    value = node.get("value") or {}
    if value.get("nodeType") == 1 and value.get("localName") != "style":
        yield node
    for child in (*value.get("children", ()), *((value["shadowRoot"],) if value.get("shadowRoot") else ())):
        yield from _nodes(child)


def _texts(node: dict[str, Any]) -> list[str]:
    """The texts that stand in an element itself."""
    children = (child["value"] for child in node["value"].get("children", ()))
    return [str(child.get("nodeValue", "")) for child in children if child.get("nodeType") == 3]


@contextmanager
def helped_firefox(folder: Path) -> Iterator[HelpedFirefox]:
    """A Firefox with the helper, without a window; its files lie in a folder. Skips the test, and says how to
    get one, where there is none."""
    write_helper(folder / "helper")
    with firefoxing(system=True) as firefox:
        yield HelpedFirefox(firefox, firefox.install(folder / "helper"))
