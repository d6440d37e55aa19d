"""A form that is refused comes back as it was sent, with the reason beside its field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from fastapi.routing import APIRoute
from lxml import html

from fetch.loopback import serving
from knightfall.web import app
from knightfall.web.refused_forms import filled_again
from web.every_page import crowded_thread, every_page, made
from web.hands import FormHand, form_hand, origin_of
from web.served import served

PAGE = """<!doctype html><html><body>
<form action="/a"><input type="hidden" name="id" value="1"><p><input name="who" value=""></p></form>
<details><summary>More</summary><form action="/a"><input type="hidden" name="id" value="2">
<p><input name="who" value=""></p><p><textarea name="text"></textarea></p>
<p><select name="site"><option value="">none</option><option value="x">X</option></select></p>
<p><input type="checkbox" name="box" value="1" checked></p>
<p><input type="hidden" name="form_token" value="fresh"></p></form></details></body></html>"""
SENT = [("id", "2"), ("who", "Ada & <Boro>"), ("text", "1\n2 Goons"), ("site", "x"), ("form_token", "old")]


def test_the_form_that_was_sent_is_filled_and_opened() -> None:
    again = filled_again(PAGE, "/a", SENT, "There is no “2 Goons”.", ())
    assert again is not None
    first, second = again.split("<details")
    assert 'name="who" value=""' in first
    assert second.startswith(' open="open">')
    assert 'value="Ada &amp; &lt;Boro&gt;"' in second
    assert "1\n2 Goons</textarea>" in second
    assert '<option value="x" selected' in second
    assert "checked" not in second
    assert 'value="fresh"' in second


def test_the_reason_stands_at_the_field_that_it_names_or_quotes_or_above_the_form() -> None:
    quoted = filled_again(PAGE, "/a", SENT, "There is no “2 Goons”.", ()) or ""
    assert "</textarea></p>\n<p id=" in quoted
    assert quoted.count('aria-invalid="true"') == 1
    named = filled_again(PAGE, "/a", SENT, "This is needed.", {"who"}) or ""
    assert named.index('aria-invalid="true"') < named.index("This is needed.") < named.index("<textarea")
    neither = filled_again(PAGE, "/a", SENT, "It is too late.", ()) or ""
    assert "aria-invalid" not in neither
    assert neither.index('role="alert"') < neither.index('value="2"')
    assert filled_again(PAGE, "/b", SENT, "It is too late.", ()) is None


def test_a_wrong_word_at_hosting_loses_nothing(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    hand.go("/host/custom_mafia/about")
    hand.press("Go on", {"Title of the game": "Kettle & Lane", "Your username": "Wren"})
    roles = "2 Mafia Gon\nTown Cop\n4 Vanilla Townie"
    hand.press("Go on", {"Its roles": roles})
    assert hand.status == 400
    assert "the nearest is Goon" in hand.refusal
    assert hand.value("Its roles") == roles
    # Mended there, it goes on, and what was said before is still there.
    hand.press("Go on", {"Its roles": "2 Mafia Goon\nTown Cop\n4 Vanilla Townie"})
    hand.press("Show what would be made")
    assert hand.status == 200
    assert "Kettle & Lane" in hand.text


# ── Every form there is, by the table of routes. ────────────────────────────────────────────────────────────

WRONG = "¿no such thing?"
NEVER_BACK = ("pasted", "cookies")
"""Whole pages, and what is as good as a password: their form comes back without them."""
TYPED = ("text", "search", "number", "url")


@dataclass
class Attempt:
    """A form of a page, sent with one field wrong."""

    page: str
    action: str
    name: str
    status: int
    answer: str

    def __str__(self) -> str:
        return f"{self.page}: {self.action} with “{self.name}” wrong: {self.status}"

    @property
    def is_at_its_field(self) -> bool:
        """Whether a reason that says what was typed stands at the field in which it was typed."""
        tree: Any = html.document_fromstring(self.answer)
        told = [one.text_content() for one in tree.xpath("//*[@id='refused']")]
        marked = [one.get("name") for one in tree.xpath("//*[@aria-invalid='true']")]
        return not told or WRONG not in told[0] or marked == [self.name]

    @property
    def is_given_back(self) -> bool:
        """Whether the form stands there again with what was typed, and with the reason; or, where an earlier
        question wants its answer first, that one, which carries what was typed."""
        tree: Any = html.document_fromstring(self.answer)
        fields = [one for form in tree.iter("form") for one in form.xpath(f".//*[@name='{self.name}']")]
        held = [one for one in fields if WRONG in str(one.get("value") or one.text or "")]
        is_back = not held if self.name in NEVER_BACK else bool(held)
        return is_back and bool(tree.xpath("//*[@id='refused']"))


def attempts(hand: FormHand, page: str) -> Iterator[Attempt]:
    """Every form of a page, with each of the fields that are typed into wrong."""
    hand.go(page)
    if hand.status != 200 or "<form" not in hand.body:
        return
    forms = [one for one in hand.tree.iter("form") if one.get("method") == "post"]
    for place, form in enumerate(forms):
        typed = [one for one in form.iter("input", "textarea") if _is_typed(one)]
        for name in dict.fromkeys(one.get("name") for one in typed):
            hand.go(page)
            again = [one for one in hand.tree.iter("form") if one.get("method") == "post"]
            if place >= len(again) or again[place].get("action") != form.get("action"):
                continue  # an earlier attempt was taken, and the page is another one now
            sent, files = filled_in(again[place], name)
            address = urljoin(hand.at, form.get("action"))
            headers = {"Origin": origin_of(hand.root)}
            hand.took(hand.client.post(address, data=sent, files=files or None, headers=headers))
            yield Attempt(page, urlsplit(address).path, name, hand.status, hand.body)


def _is_typed(one: Any) -> bool:
    kind = (one.get("type") or "text").lower()
    typed = one.tag == "textarea" or kind in TYPED
    return typed and bool(one.get("name")) and one.get("readonly") is None


def routes_with_a_form() -> list[APIRoute]:
    """Every route of the page that takes a form with fields."""
    routers = [module.router for module in vars(app).values() if hasattr(module, "router")]
    routes = [route for router in routers for route in router.routes if isinstance(route, APIRoute)]
    return [route for route in routes if "POST" in (route.methods or ()) and route.dependant.body_params]


def filled_in(form: Any, wrong: str) -> tuple[dict[str, list[str]], dict[str, tuple[str, bytes]]]:
    """What a browser would send: each list at its last choice, each box ticked, one field wrong."""
    sent, files = dict[str, list[str]](), dict[str, tuple[str, bytes]]()
    for one in form.xpath(".//input | .//textarea | .//select"):
        name, kind = one.get("name"), (one.get("type") or "text").lower()
        if not name:
            continue
        if kind == "file":
            files[name] = ("page.html", b"<p>nothing</p>")
        elif one.tag == "select":
            options = one.xpath(".//option")
            sent[name] = (
                [str(options[-1].get("value", options[-1].text_content().strip()))] if options else []
            )
        elif name == wrong:
            sent[name] = [WRONG]
        else:
            sent.setdefault(name, []).append(str(one.get("value") or one.text or ""))
    buttons = [one for one in form.iter("button") if one.get("name") and one.get("type") != "button"]
    if buttons:
        sent[buttons[-1].get("name")] = [buttons[-1].get("value") or ""]
    return sent, files


NOTHING_TYPED = {
    "/games/{name}/messages/threads": "a hidden box, where the file names private threads",
    "/games/{name}/votes/seen": "a hidden mark, where something changed",
    "/games/{name}/nicknames/forget": "hidden fields, where an answer taught a nickname",
    "/logins/remove": "a hidden server, where a login is kept",
    "/bring/end": "a hidden digest, where a helper was paired",
    "/bots/revoke": "a hidden digest, where there is a token",
    "/own-network": "a button, where forums of the own network are not read",
    "/games/{name}/messages/{read}/leave/{place:int}": "the same in a private thread",
    "/games/{name}/deal/commit": "a list and the setup, by another button of the form of the deal",
    "/games/{name}/deal/round": "where a deal was committed to by a round",
    "/games/{name}/deal/check-page": "an address, where a deal was committed to",
    "/games/{name}/night/leave": "a reason, which may be any, after a message that is asked about",
}


def actions(hand: FormHand) -> set[str]:
    """Where the forms of a page go to."""
    return {urlsplit(urljoin(hand.at, one.get("action") or "")).path for one in hand.tree.iter("form")}


def further(hand: FormHand) -> Iterator[str]:
    """Pages with forms that the walk for the screenshots leaves out."""
    yield from _went(hand, "/sessions")
    yield from _went(hand, "/games/empty/players")
    yield from _went(hand, "/games/court/thread/game")
    hand.go("/games/empty/signups")
    hand.press("Read the sign-up thread")
    yield hand.at
    hand.go("/games/tally/votes")
    yield hand.at
    yield from _went(hand, "/games/tally/votes/decide?post=46")


def _went(hand: FormHand, page: str) -> Iterator[str]:
    hand.go(page)
    yield hand.at


@pytest.mark.long
def test_whatever_is_wrong_in_whatever_form_it_comes_back_filled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    with serving(crowded_thread()) as server:
        made(tmp_path, server)
        hand = form_hand(served(tmp_path))
        pages, forms = list[str](), set[str]()
        for shown in every_page(hand, tmp_path, f"{server.root}viewtopic.php?t=5"):
            if shown.path:
                hand.go(shown.path)
            pages.append(hand.at)
            forms |= actions(hand)
        for page in further(hand):
            pages.append(page)
            forms |= actions(hand)
        tried = [attempt for page in dict.fromkeys(pages) for attempt in attempts(hand, page)]
    lost = [str(one) for one in tried if one.status >= 400 and not one.is_given_back]
    assert not lost, "\n".join(lost)
    elsewhere = [str(one) for one in tried if one.status >= 400 and not one.is_at_its_field]
    assert not elsewhere, "\n".join(elsewhere)
    assert sum(one.status >= 400 for one in tried) > 40
    unseen = {route.path for route in routes_with_a_form() if not any(map(route.path_regex.match, forms))}
    assert unseen == set(NOTHING_TYPED), "a form that no page of the walk shows: add its page to the walk"
