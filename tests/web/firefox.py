"""A real Firefox for tests: Debian's or the machine's own, without a window, driven over WebDriver BiDi.

BiDi is JSON over a websocket that Firefox itself opens, so nothing stands between it and a test. Everything
that is asked has an answer within `PATIENCE` seconds or fails in a sentence.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from web.browser import PATIENCE

NAMES = ("firefox-esr", "firefox")
HOW_FIREFOX = "no Firefox was found; on Debian: apt-get install firefox-esr (or set KNIGHTFALL_FIREFOX)"
PAUSE = 0.02
LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
GOING = ("no such frame", "unknown error", "no such node", "stale element reference")
"""What Firefox answers where a page was just leaving."""
OUTSIDE = "move target out of bounds"
"""And where an element lies outside of the window."""
PREFERENCES: dict[str, bool | int | str] = {
    # All that is not on this machine goes to a proxy that is not there.
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.no_proxies_on": "127.0.0.1, localhost, .localhost",
    "network.proxy.allow_bypass": False,
    "network.proxy.failover_direct": False,
    "network.trr.mode": 5,
    # And nothing is asked for that no test asks for.
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.newtabpage.enabled": False,
    "browser.region.network.url": "",
    "browser.safebrowsing.downloads.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.safebrowsing.update.enabled": False,
    "browser.search.update": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.healthreport.uploadEnabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.push.connection.enabled": False,
    "extensions.blocklist.enabled": False,
    "extensions.getAddons.cache.enabled": False,
    "extensions.systemAddon.update.enabled": False,
    "extensions.update.enabled": False,
    "media.gmp-manager.updateEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.prefetch-next": False,
    "services.settings.server": "data:,#remote-settings-dummy/v1",
    "toolkit.telemetry.enabled": False,
    "toolkit.telemetry.server": "",
    # A page may read the clipboard without a press of the menu that Firefox shows for it.
    "dom.events.testing.asyncClipboard": True,
}
# Without the second one a released Firefox asks its makers for settings, whatever its preferences say.
VARIABLES = {"MOZ_CRASHREPORTER_DISABLE": "1", "MOZ_REMOTE_SETTINGS_DEVTOOLS": "1"}
KEYS = {
    "Control": "\ue009",
    "Shift": "\ue008",
    "Alt": "\ue00a",
    "Meta": "\ue03d",
    "Enter": "\ue007",
    "Tab": "\ue004",
    "Escape": "\ue00c",
    "Backspace": "\ue003",
    "Delete": "\ue017",
    "Space": " ",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
    "PageUp": "\ue00e",
    "PageDown": "\ue00f",
    "End": "\ue010",
    "Home": "\ue011",
    **{f"F{number}": chr(0xE030 + number) for number in range(1, 13)},
}
"""Keys that are no letters, by the names that Playwright has for them, as WebDriver writes them."""
PRESS = """(async id => {
  const {ExtensionParent} = ChromeUtils.importESModule("resource://gre/modules/ExtensionParent.sys.mjs");
  const extension = WebExtensionPolicy.getByID(id)?.extension;
  const button = extension && ExtensionParent.apiManager.global.browserActionFor(extension);
  if (!button) throw new Error(`${id} has no button`);
  await extension.wakeupBackground?.();
  await button.triggerAction(window);
})"""
"""What Firefox does at a press of an extension's button, in the window that shows the tab."""


class FirefoxError(AssertionError):
    """What Firefox did not do; `kind` is BiDi's word for it, "" where a page or a test is at fault."""

    def __init__(self, says: str, kind: str = "") -> None:
        super().__init__(says)
        self.kind = kind


def firefox_path() -> str:
    """Where Firefox is; "" where there is none."""
    wanted = os.environ.get("KNIGHTFALL_FIREFOX", "")
    return wanted or next((found for name in NAMES if (found := shutil.which(name))), "")


@contextmanager
def firefoxing(*, system: bool = False) -> Iterator[Firefox]:
    """A Firefox without a window, of a fresh profile. Skips the test, and says how to get one, where there is
    none. `system` lets the test into the browser's own windows, as `press_action` needs it."""
    path = firefox_path()
    if not path:
        pytest.skip(HOW_FIREFOX)
    with tempfile.TemporaryDirectory(prefix="knightfall-firefox-", ignore_cleanup_errors=True) as home:
        profile, told = Path(home) / "profile", Path(home) / "told.txt"
        profile.mkdir()
        lines = (
            f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()
        )
        (profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
        words = [path, "--headless", "--no-remote", "--remote-debugging-port=0", "--profile", str(profile)]
        if system:
            words.append("--remote-allow-system-access")
        with told.open("wb") as says:
            process = subprocess.Popen(
                [*words, "about:blank"],
                stdin=subprocess.DEVNULL,
                stdout=says,
                stderr=says,
                env={**os.environ, **VARIABLES, "HOME": home},
                start_new_session=True,
            )
        try:
            address = _listening(process, told)
            with connect(f"{address}/session", open_timeout=PATIENCE, max_size=None) as wire:
                firefox = Firefox(wire, system=system)
                try:
                    yield firefox
                finally:
                    with suppress(FirefoxError, ConnectionClosed):
                        firefox.ask("browser.close")
        finally:
            _ended(process)


def _listening(process: subprocess.Popen[bytes], told: Path) -> str:
    """The address at which a Firefox that was started listens."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        if found := LISTENS.search(told.read_text(encoding="utf-8", errors="replace")):
            return found[1]
        time.sleep(PAUSE)
    said = told.read_text(encoding="utf-8", errors="replace")[-2000:]
    raise FirefoxError(f"Firefox did not start within {PATIENCE:.0f} seconds. It said:\n{said}")


def _ended(process: subprocess.Popen[bytes]) -> None:
    """End what was started, with the processes that it started itself."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(5)
    for sign in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, sign)
            with suppress(subprocess.TimeoutExpired):
                process.wait(5)


class Firefox:
    """A browser and its tabs."""

    def __init__(self, wire: ClientConnection, *, system: bool) -> None:
        self._wire, self._system = wire, system
        self._number = 0
        self._tabs: dict[str, FirefoxTab] = {}
        self._errors: dict[str, list[str]] = {}
        self._pages: dict[str, tuple[str, str]] = {}
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])

    def open(self, url: str = "about:blank") -> FirefoxTab:
        """A new tab, in front of the others."""
        tab = self._tab(self.ask("browsingContext.create", type="tab")["context"])
        if url != "about:blank":
            tab.goto(url)
        return tab

    def tabs(self) -> tuple[FirefoxTab, ...]:
        """All tabs, those of windows that pages opened included."""
        return tuple(self._tab(one["context"]) for one in self.ask("browsingContext.getTree")["contexts"])

    def install(self, folder: Path) -> str:
        """Install the unpacked extension of a folder until Firefox ends; returns its id."""
        given = {"type": "path", "path": str(folder)}
        return str(self.ask("webExtension.install", extensionData=given)["extension"])

    def press_action(self, id: str, tab: FirefoxTab) -> None:
        """Press the extension's button for a tab, as a person does: it may then act on that tab."""
        if not self._system:
            raise FirefoxError(
                "Without firefoxing(system=True) a test has no way to a button of the browser."
            )
        tab.focus()
        shown = self.ask("browsingContext.getTree", root=tab.context)["contexts"][0]["clientWindow"]
        windows = self.ask("browsingContext.getTree", **{"moz:scope": "chrome"})["contexts"]
        (window,) = [one["context"] for one in windows if one["clientWindow"] == shown]
        self.called(window, PRESS, id)

    def ask(self, method: str, **given: Any) -> Any:
        """What Firefox answers to a command of BiDi. Meanwhile it is heard what pages log and ask for."""
        number, deadline = self._send(method, given), time.monotonic() + PATIENCE
        while True:
            message = self._message(deadline - time.monotonic(), method)
            if message.get("id") == number:
                break
            self._hear(message)
        if message["type"] == "error":
            raise FirefoxError(f"{method}: {message['error']}: {message['message']}", message["error"])
        return message["result"]

    def called(self, context: str, function: str, *given: Any) -> Any:
        """What a function of JavaScript returns there; a promise is awaited."""
        answer = self.ask(
            "script.callFunction",
            functionDeclaration=f"async () => await ({function})(...{json.dumps(given)})",
            target={"context": context},
            awaitPromise=True,
            userActivation=True,
            serializationOptions={"maxDomDepth": 0},
        )
        if answer["type"] == "exception":
            raise FirefoxError(f"{answer['exceptionDetails']['text']}, in {function.strip()[:200]}")
        return _plain(answer["result"])

    def heard(self) -> None:
        """Hear what Firefox told since it was last asked."""
        self.ask("session.status")

    def errors(self, context: str) -> tuple[str, ...]:
        """What went wrong on the pages that were shown there."""
        return tuple(self._errors.get(context, ()))

    def answer(self, context: str, url: str, html: str) -> None:
        """From now on that tab gets that page at that address, and nothing at any other."""
        if context not in self._pages:
            self.ask("session.subscribe", events=["network.beforeRequestSent"], contexts=[context])
            self.ask("network.addIntercept", phases=["beforeRequestSent"], contexts=[context])
        self._pages[context] = (url, html)

    def _tab(self, context: str) -> FirefoxTab:
        return self._tabs.setdefault(context, FirefoxTab(self, context))

    def _send(self, method: str, given: dict[str, Any]) -> int:
        self._number += 1
        self._wire.send(json.dumps({"id": self._number, "method": method, "params": given}))
        return self._number

    def _message(self, seconds: float, method: str) -> dict[str, Any]:
        try:
            message: dict[str, Any] = json.loads(self._wire.recv(timeout=max(seconds, 0)))
        except TimeoutError:
            raise FirefoxError(f"Firefox did not answer {method} within {PATIENCE:.0f} seconds.") from None
        return message

    def _hear(self, message: dict[str, Any]) -> None:
        """An event; an answer that nobody waits for any more is passed over."""
        told = message.get("params", {})
        if message.get("method") == "log.entryAdded" and told["level"] == "error":
            self._errors.setdefault(told["source"].get("context", ""), []).append(told["text"] or "")
        elif message.get("method") == "network.beforeRequestSent" and told["isBlocked"]:
            # What a frame in the page asks for comes from no tab.
            url, html = self._pages.get(told["context"], ("", ""))
            request = told["request"]["request"]
            if told["request"]["url"].partition("#")[0] != url.partition("#")[0]:
                self._send("network.failRequest", {"request": request})
                return
            kind = {"type": "string", "value": "text/html; charset=utf-8"}
            reply = {
                "statusCode": 200,
                "reasonPhrase": "OK",
                "headers": [{"name": "Content-Type", "value": kind}],
                "body": {"type": "string", "value": html},
            }
            self._send("network.provideResponse", {"request": request, **reply})


class FirefoxTab:
    """A tab. Keys and presses are as trusted as those of a person."""

    def __init__(self, firefox: Firefox, context: str) -> None:
        self._firefox, self.context = firefox, context

    def goto(self, url: str) -> None:
        """Until the page is loaded, with all that belongs to it."""
        self._firefox.ask("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def show(self, url: str, html: str) -> None:
        """A page as if the server of that address had sent it; whatever else it asks for, it does not get."""
        self._firefox.answer(self.context, url, html)
        self.goto(url)

    def evaluate(self, js: str, *given: Any) -> Any:
        """The value of an expression, or what a function returns for what is given; a promise is awaited."""
        function = (
            f"(...given) => {{ const it = ({js}); return typeof it === 'function' ? it(...given) : it }}"
        )
        return self._firefox.called(self.context, function, *given)

    def press(self, *keys: str) -> None:
        """Press keys one after the other, in Playwright's words: "Control+A", "Enter". They go to the tab in
        front, which has to be this one."""
        self.wait_for("document.hasFocus()")
        for chord in keys:
            parts = [_key(part, alone="Shift" in chord) for part in re.split(r"(?<=.)\+", chord)]
            down = [{"type": "keyDown", "value": part} for part in parts]
            up = [{"type": "keyUp", "value": part} for part in reversed(parts)]
            self._act({"type": "key", "id": "keyboard", "actions": [*down, *up]})

    def click(self, selector: str) -> None:
        """Press the middle of an element with the mouse, once it is there and the page holds still: what was
        typed just before may scroll it away again."""
        deadline = time.monotonic() + PATIENCE
        while True:
            self.wait_for(f"!!document.querySelector({json.dumps(selector)})")
            try:
                self._press_middle(selector)
                return
            except FirefoxError as error:
                if error.kind not in (OUTSIDE, *GOING) or time.monotonic() > deadline:
                    raise
            time.sleep(PAUSE)

    def _press_middle(self, selector: str) -> None:
        self.evaluate("at => document.querySelector(at)?.scrollIntoView({block: 'center'})", selector)
        found = self._firefox.ask(
            "browsingContext.locateNodes",
            context=self.context,
            locator={"type": "css", "value": selector},
            maxNodeCount=1,
        )
        if not found["nodes"]:
            raise FirefoxError(f"{selector} went from {self._where()}.")
        element = {"type": "element", "element": {"sharedId": found["nodes"][0]["sharedId"]}}
        presses: list[dict[str, Any]] = [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": element},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._act({"type": "pointer", "id": "mouse", "actions": presses})

    def text(self, selector: str) -> str:
        """What a person reads there."""
        found = self.evaluate("at => document.querySelector(at)?.innerText", selector)
        if found is None:
            raise FirefoxError(f"There is no {selector} on {self._where()}.")
        return str(found)

    def wait_for(self, js: str, seconds: float = PATIENCE) -> None:
        """Until an expression is true; a page that is leaving or not yet there is waited for."""
        deadline, last = time.monotonic() + seconds, ""
        while time.monotonic() < deadline:
            try:
                if self.evaluate(js):
                    return
                last = ""
            except FirefoxError as error:
                if error.kind not in ("", *GOING):
                    raise
                last = f" ({error})"
            time.sleep(PAUSE)
        raise FirefoxError(f"After {seconds:g} seconds it is not so on {self._where()}: {js}{last}")

    def focus(self) -> None:
        """Bring the tab to the front. Firefox says that it did before the keys go there."""
        self._firefox.ask("browsingContext.activate", context=self.context)
        self.wait_for("document.hasFocus()")

    def close(self) -> None:
        self._firefox.ask("browsingContext.close", context=self.context)

    @property
    def errors(self) -> tuple[str, ...]:
        """What went wrong on the pages of the tab, but not in their frames: errors of scripts, and what they
        wrote to the console as such."""
        self._firefox.heard()
        return self._firefox.errors(self.context)

    def _act(self, actions: dict[str, Any]) -> None:
        self._firefox.ask("input.performActions", context=self.context, actions=[actions])

    def _where(self) -> str:
        """The page, for whoever reads of a failure."""
        with suppress(FirefoxError):
            url, text = self.evaluate("[location.href, document.body?.innerText ?? '']")
            return f"{url}, which reads:\n{text[:1000]}\n"
        return "the page"


def _key(name: str, *, alone: bool) -> str:
    """A key as WebDriver writes it; a letter is a capital only beside Shift."""
    if name in KEYS:
        return KEYS[name]
    if len(name) != 1:
        raise FirefoxError(f"No key is called {name!r}; those with names are {', '.join(KEYS)}.")
    return name if alone else name.lower()


def _plain(value: dict[str, Any]) -> Any:
    """A value as BiDi writes it, as JSON has it."""
    match value:
        case {"type": "array" | "set", "value": items}:
            return [_plain(item) for item in items]
        case {"type": "object" | "map", "value": pairs}:
            return {name if isinstance(name, str) else _plain(name): _plain(one) for name, one in pairs}
        case {"type": "number", "value": "NaN" | "-0" | "Infinity" | "-Infinity" as odd}:
            return float(odd)
        case {"type": "string" | "number" | "boolean" | "date", "value": plain}:
            return plain
        case _:
            return None
