"""The page of a PM, pasted, saved or handed over: it is shown first, and taken in on demand."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from knightfall.services.machine import session_of
from knightfall.services.requests import MailRequest
from knightfall.services.window.inbox import take_in
from knightfall.services.window.turns import submissions
from playthroughs.moderator import Moderator, moderating
from web import play
from web.hands import form_hand
from web.served import served
from web.test_paired_helpers import helper_of, leads_to
from web.test_paste import pastes
from web.test_private_thread import night_of

FIXTURE = Path(__file__).parents[2] / "fixtures" / "messages" / "xenforo2.html"
ADDRESS = "https://bakery.example/community/conversations/night-2-ada-vane.91/"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "own"))


def a_pm(sender: str, order: str, sent: datetime) -> str:
    """The page of a conversation: the moderator's question, and the answer of a player with a quote of it."""
    text = FIXTURE.read_text(encoding="utf-8").replace("Ada Vane", sender).replace("protect Łukasz", order)
    return re.sub(r'datetime="2026-11-19T20[^"]*"', f'datetime="{sent:%Y-%m-%dT%H:%M:%S%z}"', text)


def ordered(mod: Moderator) -> tuple[str, str, str]:
    """A goon, what they order, and the page of the PM in which they do."""
    [goon, *_], [plain, *_] = mod.holders("Mafia Goon"), mod.holders("Vanilla Townie")
    mod.turns_to(mod.clock.now() + timedelta(hours=1))
    return goon, f"kill {plain}", a_pm(goon, f"kill {plain}", mod.clock.now() - timedelta(minutes=5))


def test_the_page_of_a_pm_is_pasted_shown_and_taken_in_once(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        night_of(mod)
        _, order, html = ordered(mod)
        hand = form_hand(served(tmp_path))
        hand.go("/games/harbour/messages")
        pastes(hand, html)
        assert "If you take them in: 1 recorded" in hand.text, hand.text
        assert "Nothing is written yet" in hand.text
        assert order in hand.text
        assert "Whom do you protect" not in hand.text
        hand.press("Record 1 message")
        assert "1 message recorded" in hand.text
        hand.go("/games/harbour/messages")
        pastes(hand, html)
        assert "Record 1 message" not in hand.text
        # Elsewhere it is named for what it is.
        hand.go("/")
        pastes(hand, html)
        assert "is a page of private messages, not a thread" in hand.refusal
        assert order not in hand.body


def test_private_eyes_see_nothing_of_the_page_of_a_pm(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        night_of(mod)
        goon, order, html = ordered(mod)
        hand = form_hand(served(tmp_path))
        hand.press("Private eyes: off")
        hand.go("/games/harbour/messages")
        pastes(hand, html)
        assert "What was read, and how much" in hand.text
        for secret in (order, goon):
            assert secret not in hand.tree.xpath("//main")[0].text_content()
        hand.press("Record what was read")
        assert "What was read is recorded" in hand.text
        assert order not in hand.text


def test_a_helper_opens_a_pm_as_its_players_order_and_takes_nothing_in(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        night_of(mod)
        goon, order, html = ordered(mod)
        page = served(tmp_path)
        helper = helper_of(page)
        told = helper.post("/helper/pages", json={"url": ADDRESS, "html": html}).json()
        [choice] = told["choices"]
        assert told["kind"] == "messages"
        assert choice["label"] == f"This is the order of {goon} in Salt Harbour"
        assert order not in str(told)
        hand = form_hand(page)
        hand.go("/games/harbour/log")
        assert order not in hand.text
        hand.go(leads_to(page, choice["to"]))
        assert "If you take them in: 1 recorded" in hand.text
        hand.press("Record 1 message")
        assert "1 message recorded" in hand.text
        stranger = html.replace(goon, "Somebody Else").replace("Wren", "Another")
        told = helper.post("/helper/pages", json={"url": ADDRESS, "html": stranger}).json()
        assert "no player of a game that runs is called so" in told["error"]


def test_saved_pages_of_pms_are_read_by_command_and_in_python(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        night_of(mod)
        _, order, html = ordered(mod)
        file = tmp_path / "pm.html"
        file.write_text(html, encoding="utf-8")
        intake = take_in(MailRequest(pages=(file, file), dry=True), session_of(mod.folder))
        assert [(case.mail.text, case.status.value) for case in intake.cases] == [(order, "taken")]
        assert intake.passed == ("2 of a moderator's own.",)
        hand = form_hand(served(tmp_path))
        hand.go("/games/harbour/messages")
        label = "PMs that a vBulletin board exported or the answers to a form (CSV), or the page of a PM"
        hand.press("Read the table", {label: file})
        assert "If you take them in: 1 recorded" in hand.text


def test_a_pm_is_the_same_however_it_comes(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        night_of(mod)
        _, _, html = ordered(mod)
        page = served(tmp_path)
        hand, helper = form_hand(page), helper_of(page)
        hand.go("/games/harbour/messages")
        pastes(hand, html)
        hand.press("Record 1 message")
        for address in (ADDRESS, ADDRESS.replace("https://", "https://www.")):
            told = helper.post("/helper/pages", json={"url": address, "html": html}).json()
            assert "which is no forum of that game" in told["said"]
            hand.go(leads_to(page, told["choices"][0]["to"]))
            assert "Record 1 message" not in hand.text


def test_what_a_page_says_of_its_times_holds_when_it_is_taken_in_later(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        night_of(mod)
        goon, _, html = ordered(mod)
        words = re.sub(r'<time [^>]*datetime="[^"]*"[^>]*>[^<]*</time>', "<time>5 minutes ago</time>", html)
        page = served(tmp_path, clock=mod.clock)
        hand = form_hand(page)
        hand.go("/games/harbour/messages")
        sent = mod.clock.now() - timedelta(minutes=5)
        pastes(hand, words)
        mod.turns_to(mod.clock.now() + timedelta(minutes=50))
        hand.press("Record 1 message")
        [one] = submissions(session_of(mod.folder)).entries
        assert abs(one.sent - sent) < timedelta(minutes=1), (one.sent, sent)
        assert one.slot == goon
