"""Two hands that use the page: one sends forms as a browser without JavaScript does, one is a real browser.

Both go to a page, fill in its fields by their labels, and press a button by its words.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urljoin

from lxml import html
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from starlette.testclient import TestClient

from knightfall.web.server import ServedPage
from web.browser import PATIENCE

PORT = 8765
ORIGIN = f"http://{'a' * 15}b.localhost:{PORT}"
"""The name of a run whose random bytes are numbers (see served.py)."""
KEY = f"{2:032x}"
"""The key of such a run, with which each of its addresses begins."""
ROOT = f"{ORIGIN}/{KEY}"
ADDRESS = re.compile(r'<[a-z][^<>]*\s(?:href|src|action|formaction|hx-get|hx-post|data-live)="(/[^"]*)"')
"""An address of ours in a tag."""
Fields = Mapping[str, str | bool | Path]


class Hand(Protocol):
    """Who uses the page. `clicks` counts buttons pressed and links followed; `scripts`: the page's own
    JavaScript runs."""

    clicks: int
    scripts: bool

    def copy_and_send(self) -> None:
        """Copy every PM of the queue that is open, one after the other."""
        while "/pms/" in self.path and "To " in self.text and "I copied it" in self.text:
            self.copied()

    def copied(self) -> None:
        """Copy the text of the page, which notes that it went out."""
        self.press("Copy" if self.scripts else "I copied it")

    def copy_out(self, label: str) -> str:
        """Copy the field with that label, which notes that it went out; return what is on the clipboard."""

    def go(self, path: str) -> None:
        """Open an address."""

    def press(self, button: str, fields: Fields | None = None, within: str = "") -> None:
        """Fill in the form of the button and press it. `within`: words near it, where there are several."""

    @property
    def text(self) -> str:
        """What the page says."""

    @property
    def path(self) -> str:
        """Where we are."""

    def value(self, label: str) -> str:
        """What the field with that label holds."""

    def copy(self, label: str) -> str:
        """Copy the field with that label, and return what is on the clipboard."""

    def choices(self, label: str) -> list[str]:
        """What the list with that label offers; [] where there is none."""


def words(element: Any) -> str:
    """What an element says, on one line."""
    return " ".join("".join(element.itertext()).split())


@dataclass
class FormHand(Hand):
    """A browser without JavaScript: it knows links and forms, and nothing else."""

    client: TestClient
    root: str = ROOT
    scripts: bool = False
    clicks: int = 0
    status: int = 0
    body: str = ""
    at: str = "/"
    seen: list[str] = field(default_factory=list)

    def go(self, path: str) -> None:
        self.took(self.client.get(path))

    def took(self, answer: Any) -> None:
        """Look at what was answered."""
        # Long work shows how far it has come; a browser loads that page again.
        for _ in range(1000):
            if 'http-equiv="refresh"' not in answer.text:
                break
            time.sleep(0.02)
            answer = self.client.get(str(answer.url))
        self.status, self.body = answer.status_code, without_key(answer.text, self.root)
        self.at = str(answer.url).removeprefix(self.root)
        self.seen.append(self.at)

    @property
    def path(self) -> str:
        return self.at

    @property
    def tree(self) -> Any:
        return html.document_fromstring(self.body)

    @property
    def text(self) -> str:
        return words(self.tree.find("body"))

    @property
    def refusal(self) -> str:
        """Why the form that was sent last was refused, as it stands beside the form."""
        return words(self.tree.get_element_by_id("refused"))

    def value(self, label: str) -> str:
        return str(_value(self._labelled(self.tree, label)))

    def copy(self, label: str) -> str:
        # Without JavaScript a text is selected by hand, which is a click as well.
        self.clicks += 1
        return self.value(label)

    def copy_out(self, label: str) -> str:
        text = self.copy(label)
        self.copied()
        return text

    def choices(self, label: str) -> list[str]:
        found = [one.get("for") for one in self.tree.iter("label") if label in words(one)]
        return (
            [_value_of(one) for one in self.tree.xpath(f".//select[@id='{found[0]}']//option")]
            if found
            else []
        )

    def press(self, button: str, fields: Fields | None = None, within: str = "") -> None:
        self.clicks += 1
        tree = self.tree
        for link in tree.iter("a"):
            if words(link) == button and not fields and (not within or _size_of_place(link, within)):
                self.go(urljoin(self.at, link.get("href")))
                return
        found = [
            one
            for one in tree.iter("button")
            if words(one).startswith(button)
            and one.get("type") != "button"
            and not {"disabled", "hidden"} & set(one.keys())
        ]
        if within:
            sizes = {one: size for one in found if (size := _size_of_place(one, within))}
            found = sorted(sizes, key=lambda one: sizes[one])
        assert found, f"{self.at}: no button “{button}” {within}\n{self.text}"
        pressed = found[0]
        form = next(one for one in pressed.iterancestors("form"))
        for label, value in (fields or {}).items():
            if not isinstance(value, Path):
                _fill(self._labelled(form, label), value)
        sent, files = dict[str, list[str]](), {}
        for label, value in (fields or {}).items():
            if isinstance(value, Path):
                files[self._labelled(form, label).get("name")] = (value.name, value.read_bytes())
        for one in form.xpath(".//input | .//select | .//textarea"):
            name = one.get("name")
            if (
                name
                and one.get("type") != "file"
                and (one.get("type") not in ("checkbox", "radio") or one.get("checked") is not None)
            ):
                sent.setdefault(name, []).append(_value(one))
        if pressed.get("name"):
            sent[pressed.get("name")] = [pressed.get("value", "")]
        address = urljoin(self.at, pressed.get("formaction") or form.get("action"))
        if form.get("method") == "post":
            self.took(
                self.client.post(
                    address,
                    data=sent,
                    files=files or None,
                    headers={"Origin": origin_of(self.root)},
                )
            )
        else:
            self.took(self.client.get(address, params=sent))

    def _labelled(self, place: Any, label: str) -> Any:
        for one in place.iter("label"):
            if label in words(one):
                inside = one.xpath(".//input")
                return inside[0] if inside else place.xpath(f".//*[@id='{one.get('for')}']")[0]
        raise AssertionError(f"{self.at}: no field “{label}”\n{words(place)}")


def _size_of_place(element: Any, within: str) -> int | None:
    """How much is said in the smallest card or row around an element that says the words; None: none does."""
    for one in element.iterancestors():
        if one.tag in ("li", "section", "tr", "details") and within in words(one):
            return len(words(one))
    return None


def _value(one: Any) -> str:
    if one.tag == "textarea":
        return (one.text or "").removeprefix("\n")
    if one.tag == "select":
        return _value_of((one.xpath(".//option[@selected]") or one.xpath(".//option"))[0])
    return str(one.get("value", "on" if one.get("type") == "checkbox" else ""))


def _value_of(option: Any) -> str:
    return str(option.get("value") if option.get("value") is not None else words(option))


def _fill(one: Any, value: str | bool) -> None:
    if one.get("type") == "radio":
        for other in next(one.iterancestors("form")).xpath(f".//input[@name='{one.get('name')}']"):
            other.attrib.pop("checked", None)
        one.set("checked", "checked")
    elif one.get("type") == "checkbox":
        if value:
            one.set("checked", "checked")
        else:
            one.attrib.pop("checked", None)
    elif one.tag == "textarea":
        one.text = str(value)
    elif one.tag == "select":
        for option in one.xpath(".//option"):
            option.attrib.pop("selected", None)
        wanted = [o for o in one.xpath(".//option") if value in (o.get("value"), words(o))]
        assert wanted, f"no choice “{value}”"
        wanted[0].set("selected", "selected")
    else:
        one.set("value", str(value))


def form_hand(page: ServedPage) -> FormHand:
    """A hand that has opened the page by its address."""
    root = page.access.home
    hand = FormHand(TestClient(page.app, base_url=root, raise_server_exceptions=True), root)
    hand.go(page.address)
    return hand


def without_key(page: str, root: str) -> str:
    """A page as it would be without the key of its run, which each of its addresses has, and nothing else."""
    key = root.rpartition("/")[2]
    lacking = [one for one in ADDRESS.findall(page) if not one.startswith((f"/{key}/", "/static/"))]
    assert lacking == []
    bare = page.replace(f'="/{key}/', '="/')
    assert key not in bare
    return bare


def origin_of(root: str) -> str:
    """What a browser calls the pages of a run that are reached from there."""
    return root.rpartition("/")[0]


def come_in(tab: Any, address: str) -> None:
    """Open the page by the address that lets a browser in, and wait until that has led on: whoever goes
    elsewhere before would be called back."""
    tab.goto(address)
    tab.wait_for_url(lambda url: "/open/" not in url)


OPENED = "one => { for (let e = one; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true }"
"""Opens what hides an element, as a moderator would."""


class BrowserHand(Hand):
    """A real browser; every request, every complaint of the policy and every error of a script is kept."""

    def __init__(self, page: Any, root: str) -> None:
        self.page = page
        self.root = root
        self.clicks = 0
        self.scripts = True
        self.asked: list[str] = []
        self.faults: list[str] = []
        page.set_default_timeout(PATIENCE * 1000)
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", lambda said: self.faults.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda fault: self.faults.append(str(fault)))

    def go(self, path: str) -> None:
        self.page.goto(self.root + path)
        self._settle()

    def opens(self, address: str) -> None:
        """Come in by the address that lets a browser in."""
        come_in(self.page, address)
        self._settle()

    def _settle(self) -> None:
        """Until long work is over."""
        deadline = time.monotonic() + PATIENCE
        while "/jobs/" in self.page.url and time.monotonic() < deadline:
            if not self.page.locator("#job").count():
                # A page that tells that work was stopped; or the next one, which is on its way.
                self.page.wait_for_load_state("load")
                self.page.wait_for_timeout(50)
                if not self.page.locator("#job").count() and "/jobs/" in self.page.url:
                    return
            self.page.wait_for_timeout(50)
        self.page.wait_for_load_state("load")

    @property
    def path(self) -> str:
        return str(self.page.url).removeprefix(self.root)

    @property
    def text(self) -> str:
        return " ".join(str(self.page.text_content("body")).split())

    def value(self, label: str) -> str:
        found = self.page.get_by_label(label)
        assert found.count(), f"{self.page.url}: no field “{label}”\n{self.text}"
        return str(found.first.input_value())

    def copy(self, label: str) -> str:
        self.clicks += 1
        box = self.page.locator(".copybox").filter(has=self.page.get_by_label(label))
        box.get_by_role("button", name="Copy").click()
        box.get_by_role("button", name="Copied").wait_for()
        return self.clipboard()

    def copy_out(self, label: str) -> str:
        assert self.page.locator(".copybox").filter(has=self.page.get_by_label(label)).count() == 1
        self.copied()
        return self.clipboard()

    def clipboard(self) -> str:
        """What is on the clipboard."""
        return str(self.page.evaluate("navigator.clipboard.readText()")).replace("\r\n", "\n")

    def choices(self, label: str) -> list[str]:
        lists = self.page.get_by_label(label, exact=False).and_(self.page.locator("select"))
        if not lists.count():
            return []
        return list(lists.first.evaluate("one => [...one.options].map(option => option.value)"))

    def press(self, button: str, fields: Fields | None = None, within: str = "") -> None:
        self.clicks += 1
        page = self.page
        exact = re.compile(rf"^\s*{re.escape(button)}")
        buttons = page.locator("button:not([type=button])").filter(has_text=exact)
        place = page
        if within:
            near = page.locator("li, section, tr, details").filter(has_text=within)
            place = near.filter(has=buttons).last
            buttons = place.locator("button:not([type=button])").filter(has_text=exact)
        # A link may stand where something must be opened first, as a button may.
        links = place.get_by_role("link", name=button, exact=True, include_hidden=True)
        if not fields and links.count():
            pressed = links.first
        else:
            pressed = buttons.first
            with suppress(PlaywrightTimeout):  # a page that is on its way
                pressed.wait_for(state="attached", timeout=10_000)
            assert buttons.count(), f"{page.url}: no button “{button}” {within}\n{self.text}"
            form = pressed.locator("xpath=ancestor::form[1]")
            for label, value in (fields or {}).items():
                one = form.get_by_label(label).first
                one.evaluate(OPENED)
                kind = one.evaluate("one => one.type")
                if isinstance(value, Path):
                    one.set_input_files(value)
                elif kind == "checkbox":
                    one.set_checked(bool(value))
                elif kind == "select-one":
                    one.select_option(str(value))
                else:
                    one.fill(str(value))
        pressed.evaluate(OPENED)
        with page.expect_navigation(wait_until="load", timeout=PATIENCE * 1000):
            pressed.click()
        self._settle()
