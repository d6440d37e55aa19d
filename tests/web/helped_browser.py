"""A real Chromium with the helper in it, unpacked as `knightfall web --helper` writes it."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from knightfall.web.helper_files import write_helper
from knightfall.web.server import ServedPage
from web.browser import HOW, PATIENCE, browser_path

PANEL = "KNIGHTFALL-HELPER"


class HelpedBrowser:
    """A browser with the helper; `origin` is where the helper's requests come from."""

    def __init__(self, context: Any) -> None:
        self.context = context
        worker = (
            context.service_workers[0] if context.service_workers else context.wait_for_event("serviceworker")
        )
        self.worker = worker
        self.origin = "/".join(worker.url.split("/")[:3])
        self._browser = context.browser.new_browser_cdp_session()

    def open(self, url: str) -> Any:
        """A tab with a page."""
        tab = self.context.new_page()
        tab.goto(url)
        return tab

    def looks_again(self, thread: str) -> str:
        """Let the helper look at a thread that is kept up to date, as it does by its clock; returns what it
        noted."""
        self.worker.evaluate(
            """thread => chrome.storage.local.set({kept: {[thread]: ""}}).then(
              () => chrome.alarms.create("keep threads up to date", {when: Date.now() + 10}))""",
            thread,
        )
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            kept = self.worker.evaluate("chrome.storage.local.get('kept').then(found => found.kept)")
            if said := str(kept[thread]):
                return said
            time.sleep(0.05)
        raise AssertionError(f"The helper did not look at {thread}.")

    def forget(self) -> None:
        """Let the helper forget with whom it was paired."""
        self.worker.evaluate("chrome.storage.local.clear()")

    def close_tabs(self) -> None:
        """Close every tab but the first."""
        for tab in self.context.pages[1:]:
            tab.close()

    def pair(self, port: int, code: str) -> str:
        """Pair the helper on its own page; returns what that says."""
        tab = self.open(f"{self.origin}/options.html")
        tab.fill("#port", str(port))
        tab.fill("#code", code)
        tab.click("#pair button")
        until, said = time.monotonic() + PATIENCE, ""
        # What it says at first is how it stood before.
        while time.monotonic() < until and re.fullmatch(r"|Not paired yet\.|Paired with .*", said):
            tab.wait_for_timeout(20)
            said = str(tab.inner_text("#state"))
        tab.close()
        return said

    def press(self, tab: Any) -> None:
        """Press the helper's button, as it stands beside the address of a tab."""
        tab.bring_to_front()
        tabs = self._browser.send("Target.getTargets", {"filter": [{"type": "tab", "exclude": False}]})
        own = tab.context.new_cdp_session(tab).send("Target.getTargetInfo")["targetInfo"]
        found = [one for one in tabs["targetInfos"] if one["url"] == own["url"]]
        assert found, own["url"]
        self._browser.send(
            "Extensions.triggerAction", {"id": self.origin.split("/")[2], "targetId": found[-1]["targetId"]}
        )

    def panel(self, tab: Any) -> str:
        """What the panel on a page says; "" where there is none."""
        _, nodes = self._panel(tab)
        return " ".join(" ".join(one["nodeValue"] for one in nodes if one["nodeType"] == 3).split())

    def wait_for(self, tab: Any, words: str, seconds: float = PATIENCE) -> str:
        """Wait until the panel says so, a pattern; returns all that it says."""
        until = time.monotonic() + seconds
        said = ""
        while time.monotonic() < until:
            said = self.panel(tab)
            if re.search(words, said):
                return said
            tab.wait_for_timeout(50)
        tabs = self.worker.evaluate(
            """chrome.tabs.query({}).then(tabs => Promise.all(
              tabs.map(async ({id, url}) => [url, await chrome.action.getTitle({tabId: id})])))"""
        )
        raise AssertionError(f"The panel does not say {words!r}, but: {said or 'nothing'}. Tabs: {tabs}")

    def click(self, tab: Any, label: str) -> None:
        """Click a button of the panel, as a hand does, once it stands there: the panel is drawn anew whenever
        what it says has changed, and a button that was found may be gone a moment later."""
        from playwright.sync_api import Error

        until, problem = time.monotonic() + PATIENCE, "it has no such button"
        while time.monotonic() < until:
            session, nodes = self._panel(tab)
            for one in nodes:
                if one["nodeName"] == "BUTTON" and label in "".join(
                    child.get("nodeValue", "") for child in one.get("children", ())
                ):
                    try:
                        session.send("DOM.scrollIntoViewIfNeeded", {"nodeId": one["nodeId"]})
                        quads = session.send("DOM.getContentQuads", {"nodeId": one["nodeId"]})["quads"]
                        tab.wait_for_timeout(50)
                        if quads != session.send("DOM.getContentQuads", {"nodeId": one["nodeId"]})["quads"]:
                            break  # it moves still
                    except Error as error:
                        problem = str(error)
                        break
                    tab.mouse.click(sum(quads[0][0::2]) / 4, sum(quads[0][1::2]) / 4)
                    return
            tab.wait_for_timeout(50)
        raise AssertionError(f"{label!r} cannot be clicked, {problem}: {self.panel(tab)}")

    def _panel(self, tab: Any) -> tuple[Any, list[dict[str, Any]]]:
        """The nodes of the panel, which no script of the page can reach."""
        session = tab.context.new_cdp_session(tab)
        root = session.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"]
        hosts = [one for one in _nodes(root) if one["nodeName"] == PANEL]
        within = [one for host in hosts for shadow in host.get("shadowRoots", ()) for one in _nodes(shadow)]
        return session, [one for one in within if one["nodeName"] != "STYLE"]


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in (*node.get("children", ()), *node.get("shadowRoots", ())):
        if node["nodeName"] != "STYLE":
            yield from _nodes(child)


@contextmanager
def helped(folder: Path, sites: tuple[str, ...] = ()) -> Iterator[HelpedBrowser]:
    """A browser with the helper, without a window; it lives in a folder. `sites` are those for which the
    moderator gave their permission. Skips the test, and says how to get one, where there is none."""
    path = browser_path()
    if not path:
        pytest.skip(HOW)
    from playwright.sync_api import sync_playwright

    helper = folder / "helper"
    write_helper(helper)
    if sites:
        manifest = json.loads((helper / "manifest.json").read_text(encoding="utf-8"))
        (helper / "manifest.json").write_text(json.dumps(manifest | {"host_permissions": list(sites)}))
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            str(folder / "profile"),
            executable_path=path,
            headless=True,
            ignore_default_args=["--disable-extensions"],
            args=[
                "--no-sandbox",
                "--headless=new",
                "--disable-background-networking",
                "--disable-component-update",
                "--enable-unsafe-extension-debugging",
                f"--disable-extensions-except={helper}",
                f"--load-extension={helper}",
            ],
        )
        try:
            yield HelpedBrowser(context)
        finally:
            context.close()


def code_of(page: ServedPage) -> str:
    """A code that pairs a helper with this run."""
    return page.access.helpers.new_code()
