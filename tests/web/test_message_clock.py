"""A message has one clock: a correction keeps its time, and a refusal stands under what was typed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest

from begun import begin
from fetch.loopback import StillClock
from knightfall.engine.entries import Submitted
from knightfall.engine.journal import instant, standing
from knightfall.services.day import phases
from knightfall.services.machine import session_of
from knightfall.services.now import now_of
from knightfall.services.requests import NewGameRequest, PhaseRequest, PostOptions
from knightfall.services.session import Session
from knightfall.services.window import turns
from knightfall.services.window.message_table import MessageRow, message_table
from web.hands import FormHand, form_hand, words
from web.served import served
from web.test_one_ear_on_pages import NAMES

HERE = "/games/lane/night"


@dataclass
class Night:
    """The first night of a Knight-Errant of 18, which ends in two hours, and who runs it."""

    folder: Path
    clock: StillClock
    hand: FormHand

    @property
    def session(self) -> Session:
        return replace(session_of(self.folder), clock=self.clock)

    @property
    def rows(self) -> dict[str, MessageRow]:
        return {row.role: row for one in message_table(self.session).windows for row in one.rows}

    def hours(self, count: float) -> None:
        self.clock.sleep(timedelta(hours=count).total_seconds())

    def times(self, who: str) -> list[str]:
        """When the messages of somebody were sent."""
        found = standing(now_of(self.session).running.journal)
        mine = [one for one in found if isinstance(one.entry, Submitted) and one.entry.slot == who]
        return [f"{instant(one):%H:%M}" for one in mine]


@pytest.fixture
def night(tmp_path: Path) -> Night:
    clock, folder = StillClock(), tmp_path / "lane"
    found = Night(folder, clock, form_hand(served(tmp_path, clock=clock)))
    begin(NewGameRequest("knight_errant", NAMES, folder, b"s" * 32, b"t" * 32, "Lane"), found.session)
    turns.submit("moderator", "no elimination", None, found.session)
    turns.close("day", None, found.session)
    request = PhaseRequest(kind="night", number=1, ends="2h")
    phases.extend(request, PostOptions(), found.session)
    return found


def test_what_corrects_a_message_after_the_deadline_keeps_its_time(night: Night) -> None:
    night.hours(1)
    who = night.rows["Town Cop"].slot
    turns.submit(who, "cop Kestrle", None, night.session)
    [sent] = night.times(who)
    night.hours(2)
    night.hand.go(HERE)
    assert "They meant: cop Kestrel" in night.hand.text
    night.hand.press("Set", within="Town Cop")
    assert "is recorded" in night.hand.text
    assert night.rows["Town Cop"].standing == ("cop Kestrel",)
    night.hand.press("Set", {"Set for": "cop Juno" if who != "Juno" else "cop Fen"}, within="Town Cop")
    assert "is recorded" in night.hand.text
    night.hand.press("Set", {"Set for": "They do nothing"}, within="Town Cop")
    assert night.rows["Town Cop"].declined
    assert night.times(who) == [sent] * 4


def test_what_stands_is_kept_after_the_deadline_by_one_click(night: Night) -> None:
    night.hours(1)
    who = night.rows["Town Cop"].slot
    turns.submit(who, "cop Kestrel\ncop Kestrle", None, night.session)
    night.hours(2)
    night.hand.go(HERE)
    night.hand.press("Set", {"Set for": "Leave it at: cop Kestrel"}, within="Town Cop")
    assert night.rows["Town Cop"].settled
    assert len(set(night.times(who))) == 1


def test_a_message_tried_keeps_its_time_whatever_is_done_with_it(night: Night) -> None:
    night.hours(3)
    who = night.rows["Town Cop"].slot
    night.hand.go(HERE)
    sent = f"{night.clock.now() - timedelta(hours=2):%Y-%m-%d %H:%M}"
    fields = {"From": str(who), "The whole post or PM": "cop Kestrle", "Sent": sent}
    night.hand.press("What would it do?", fields)
    night.hand.press("They meant: cop Kestrel")
    assert night.rows["Town Cop"].standing == ("cop Kestrel",)
    assert night.times(who) == [sent[-5:]]


def test_whoever_sent_nothing_is_noted_after_the_deadline_too(night: Night) -> None:
    night.hours(3)
    night.hand.go(HERE)
    night.hand.press("Set", {"Set for": "They do nothing"}, within="Town Cop")
    assert night.rows["Town Cop"].declined
    night.hand.press("All the others do nothing")
    assert [row.role for row in night.rows.values() if not row.settled] == []


def test_a_choice_for_who_sent_nothing_asks_when_it_was_sent_once_it_is_late(night: Night) -> None:
    who = night.rows["Town Cop"].slot
    line = "cop Juno" if who != "Juno" else "cop Fen"
    night.hand.go(HERE)
    assert "Sent by" not in night.hand.text
    night.hours(3)
    night.hand.go(HERE)
    sent = f"{night.clock.now() - timedelta(hours=2):%Y-%m-%d %H:%M}"
    night.hand.press("Set", {"Set for": line, "Sent by": sent}, within="Town Cop")
    assert night.rows["Town Cop"].standing == (line,)


def test_a_late_message_is_refused_under_what_was_typed_and_stays(night: Night) -> None:
    night.hours(3)
    who = str(night.rows["Town Cop"].slot)
    night.hand.go(HERE)
    night.hand.press("Record it", {"From": who, "The whole post or PM": "cop Kestrel"})
    [refused] = night.hand.tree.xpath("//*[@id='refused']")
    form = next(one for one in refused.iterancestors("form"))
    assert "A message as it was sent" in words(next(one for one in form.iterancestors("details")))
    assert "so nothing was recorded" in words(refused)
    assert night.hand.value("The whole post or PM") == "cop Kestrel"
    assert night.hand.value("From") == who
    # It stands at the field that it asks for.
    [field] = night.hand.tree.xpath("//*[@aria-invalid='true']")
    assert words(night.hand.tree.xpath(f"//label[@for='{field.get('id')}']")[0]).startswith("Sent")
