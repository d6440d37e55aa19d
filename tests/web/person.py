"""A person at a browser: they go where a visible link or button leads, type into the fields that they see,
and every click is counted.

A click is a button that is pressed, a link that is followed, a part of the page that is unfolded, a box that
is ticked, an entry of a list that is chosen. Typing and pasting are none, nor is the one address that they
open.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from knightfall.web.server import ServedPage
from web.browser import PATIENCE, browsing
from web.hands import Fields, come_in
from web.same_game import free_port
from web.served import running

PLACES = "li, section, tr, details, form, fieldset, .card"
"""What stands together on a page."""
SEEN = """one => { const lists = one.querySelectorAll('select');
  for (const list of lists) list.style.display = 'none';
  const seen = one.innerText;
  for (const list of lists) list.style.display = '';
  return seen }"""
"""What is seen of a page: of a list not what it offers."""
GLANCE = 10.0
"""Seconds for which a person looks for a button."""
PRESSED = "button, a[href], summary"
STAYS = "one => one.matches('summary, button[type=button], [hx-get]')"
CLOSED = """one => { const found = [];
  for (let at = one.parentElement; at; at = at.parentElement)
    if (at.tagName === 'DETAILS' && !at.open && !at.querySelector(':scope > summary').contains(one))
      found.unshift(at.querySelector(':scope > summary'));
  return found[0] || null }"""


def beginning(words: str) -> re.Pattern[str]:
    """What begins with the words; a browser's pattern knows no escaped space."""
    return re.compile("^" + re.escape(words).replace("\\ ", " ").replace("\\-", "-"))


@dataclass
class Person:
    """Somebody at a browser. `clicks` are those of the game, `aside` those that mistakes cost, `steps` what
    each was, by where it was made."""

    page: Any
    clicks: int = 0
    aside: int = 0
    steps: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    mistaken: str = ""

    def __post_init__(self) -> None:
        page = self.page
        page.set_default_timeout(PATIENCE * 1000)
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", lambda said: self.faults.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda fault: self.faults.append(str(fault)))

    @contextmanager
    def mistake(self, what: str) -> Iterator[None]:
        """Clicks that are made only because of a mistake, by them or by a player."""
        before, self.mistaken = self.mistaken, what
        try:
            yield
        finally:
            self.mistaken = before

    def clicked(self, what: str) -> None:
        """Count one click."""
        if self.mistaken:
            self.aside += 1
        else:
            self.clicks += 1
        self.steps.append(f"{'  ' if self.mistaken else ''}{self.path}: {what}")

    def opens(self, address: str) -> None:
        """The one address that they open: the first page, or that of a server that was started again."""
        come_in(self.page, address)
        self.page.wait_for_load_state("networkidle")

    @property
    def path(self) -> str:
        """Where they are."""
        found = re.sub(r"^https?://[^/]*/[0-9a-f]{32}", "", self.page.url)
        return re.sub(r"[?&]done=[0-9a-f]+", "", found)

    @property
    def text(self) -> str:
        """What they see."""
        return " ".join(str(self.page.inner_text("body")).split())

    @property
    def main(self) -> str:
        """What they see below the head of the page."""
        return " ".join(str(self.page.locator("main").evaluate(SEEN)).split())

    def sees(self, words: str) -> bool:
        """Whether the page says the words."""
        return words in self.text

    def settle(self) -> None:
        """Until long work is over."""
        deadline = time.monotonic() + PATIENCE
        while "/jobs/" in self.page.url and time.monotonic() < deadline:
            if not self.page.locator("#job").count():
                # A page that tells that work was refused; or the next one, which is on its way.
                self.page.wait_for_load_state("load")
                self.page.wait_for_timeout(50)
                if not self.page.locator("#job").count() and "/jobs/" in self.page.url:
                    return
            self.page.wait_for_timeout(50)
        self.page.wait_for_load_state("load")

    def found(self, words: str, within: str = "", kinds: str = PRESSED, locked: bool = False) -> Any:
        """What can be pressed that begins with the words, visible or folded away; in the smallest place that
        says `within`, where that is given. `locked`: it may be unlocked by a field yet."""
        exact = beginning(words)
        every = self.page.locator(kinds).filter(has_text=exact)
        if within:
            near = self.page.locator(PLACES).filter(has_text=within).filter(has=every)
            sizes = near.evaluate_all("all => all.map(one => one.textContent.length)")
            assert sizes, f"{self.path}: nothing near “{within}” says “{words}”\n{self.main}"
            every = near.nth(sizes.index(min(sizes))).locator(kinds).filter(has_text=exact)
        # The words of some buttons, and what they unlock, are of a script that runs when the page is there.
        deadline = time.monotonic() + GLANCE
        while time.monotonic() < deadline:
            for one in every.all():
                if one.is_visible() and (locked or one.is_enabled()):
                    return one
            for one in every.all():
                if (locked or one.is_enabled()) and one.evaluate(CLOSED):
                    return one
            self.page.wait_for_timeout(50)
        raise AssertionError(f"{self.path}: nothing that can be pressed says “{words}” {within}\n{self.main}")

    def can_press(self, words: str) -> bool:
        """Whether something visible that can be pressed begins with the words."""
        exact = beginning(words)
        every = self.page.locator(PRESSED).filter(has_text=exact).all()
        return any(one.is_visible() and one.is_enabled() for one in every)

    def unfold(self, one: Any) -> None:
        """Click open what hides an element."""
        while not one.is_visible():
            summary = one.evaluate_handle(CLOSED).as_element()
            assert summary, f"{self.path}: hidden for good: {one.evaluate('one => one.outerHTML')}"
            self.clicked(f"unfold “{' '.join(summary.inner_text().split())}”")
            summary.click()

    def copies(self) -> None:
        """Copy the text of the page, which notes that it went out."""
        self.press("Copy", kinds="button.copy:not([type=button])")

    def press(
        self,
        words: str,
        fields: Fields | None = None,
        within: str = "",
        twice: bool = False,
        kinds: str = PRESSED,
    ) -> None:
        """Fill in the form of a button and press it, or follow a link."""
        pressed = self.found(words, within, "button" if fields else kinds, locked=bool(fields))
        if fields:
            form = pressed.locator("xpath=ancestor::form[1]")
            for label, value in fields.items():
                self.fill(label, value, form)
        self.unfold(pressed)
        said = " ".join(pressed.inner_text().split())
        if pressed.evaluate(STAYS):
            self.clicked(said)
            pressed.click()
            return
        self.clicked(said)
        with self.page.expect_navigation(wait_until="load", timeout=PATIENCE * 1000):
            if twice:
                pressed.dblclick()
            else:
                pressed.click()
        self.settle()

    def fill(self, label: str, value: str | bool | Path, place: Any = None) -> None:
        """Put a value into the field of that label; in a list it is chosen."""
        found = (place or self.page).get_by_label(label)
        assert found.count(), f"{self.path}: no field “{label}”\n{self.main}"
        one = next((each for each in found.all() if each.is_visible()), found.first)
        self.unfold(one)
        kind = one.evaluate("one => one.type")
        if isinstance(value, Path):
            self.clicked(f"choose the file {value.name}")
            one.set_input_files(value)
        elif kind == "checkbox":
            self.clicked(f"tick “{label}”")
            one.set_checked(bool(value))
        elif kind == "select-one":
            self.clicked(f"choose “{value}” for “{label}”")
            one.select_option(label=str(value))
        else:
            one.fill(str(value))

    def value(self, label: str) -> str:
        """What the field of that label holds."""
        found = self.page.get_by_label(label)
        assert found.count(), f"{self.path}: no field “{label}”\n{self.main}"
        return str(found.first.input_value())

    def choices(self, label: str) -> list[str]:
        """What the list of that label offers; [] where there is none."""
        lists = self.page.get_by_label(label).and_(self.page.locator("select"))
        if not lists.count():
            return []
        return list(lists.first.evaluate("one => [...one.options].map(option => option.textContent)"))

    def pasted(self) -> str:
        """What is on the clipboard."""
        return str(self.page.evaluate("navigator.clipboard.readText()")).replace("\r\n", "\n")

    def goes_back(self) -> None:
        """The browser's own Back; no click on the page."""
        self.page.go_back()
        self.settle()


@dataclass
class Desk:
    """A machine with Knightfall and a browser: `person` sits at it; the server can be started again."""

    folder: Path
    person: Person
    context: Any
    served: ServedPage
    again: Callable[[], ServedPage]

    def starts_again(self) -> None:
        """Knightfall is ended and started again; its address is opened anew."""
        self.served = self.again()
        self.person.opens(self.served.address)

    def second_tab(self) -> Person:
        """Another tab that shows the page on which the person is."""
        tab = Person(self.context.new_page(), faults=self.person.faults)
        tab.opens(self.person.page.url)
        return tab


@contextmanager
def sitting_at(folder: Path, random: Callable[[int], bytes]) -> Iterator[Desk]:
    """Somebody has started Knightfall and sees its first page. Afterwards nothing was asked of others, and no
    script failed."""
    port = free_port()
    with ExitStack() as server, browsing() as browser:

        def start() -> ServedPage:
            return server.enter_context(running(folder, random, port=port))

        served = start()

        def again() -> ServedPage:
            server.close()
            return start()

        context = browser.new_context(viewport={"width": 1280, "height": 900})
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        person = Person(context.new_page())
        person.opens(served.address)
        desk = Desk(folder, person, context, served, again)
        yield desk
        outside = [one for one in person.asked if not (urlsplit(one).hostname or "").endswith(".localhost")]
        assert outside == []
        refused = "Failed to load resource: the server responded with a status of 4"
        assert [one for one in person.faults if not one.startswith(refused)] == []
        context.close()
