"""Orders of a night in random games: who is awaited, and who is told what a message replaced."""

from __future__ import annotations

from typing import Any

import pytest

from facts_seen import seen
from knightfall.engine.game import Message, Noted, Refusal, Step, Told
from knightfall.engine.playout import play
from knightfall.engine.rng import SeededRng
from knightfall.games import GAMES
from knightfall.mafia.night_file import NightFile, NightFileGame
from knightfall.sentence import SlotId
from properties.mafia_orders import NOON, broken_awaits, broken_receipts

MAFIA_GAMES: dict[str, NightFileGame[Any]] = {g.spec.id: g for g in GAMES if isinstance(g, NightFileGame)}

SETUP = {
    "slots": [
        {"role": "Mafia Goon"},
        {"role": "Mafia 1-Shot Roleblocker"},
        {"role": "Jailkeeper"},
        {"role": "Odd-Night Neapolitan"},
        {"role": "Bus Driver"},
        {"role": "Vanilla Townie", "fill": True},
    ]
}


def random_states(game: NightFileGame[Any], seed: int) -> list[Any]:
    players = {"knight_errant": 18, "empowered": 10, "custom_mafia": 7}[game.spec.id]
    slots = tuple(SlotId(f"P{number:02}") for number in range(players))
    chance, draw = SeededRng(b"chance %d" % seed), SeededRng(b"draw %d" % seed)
    options = {"setup": SETUP} if game.spec.id == "custom_mafia" else {}
    return list(play(game, slots, options, chance, draw, windows=12).states)


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", MAFIA_GAMES)
def test_whoever_is_awaited_can_change_the_night_and_nobody_else_can(kind: str) -> None:
    game = MAFIA_GAMES[kind]
    for seed in range(2):
        for state in random_states(game, seed)[::3]:
            assert list(broken_awaits(game, state)) == []


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", MAFIA_GAMES)
def test_whoever_loses_an_order_is_told(kind: str) -> None:
    game = MAFIA_GAMES[kind]
    for seed in range(2):
        for state in random_states(game, seed)[::4]:
            assert list(broken_receipts(game, state)) == []


class Night:
    """A night by messages."""

    def __init__(self, kind: str, roles: dict[str, str], number: int = 1, **shots: dict[str, int]) -> None:
        self.game = MAFIA_GAMES[kind]
        uses = {SlotId(slot): left for slot, left in shots.items()}
        cards = {SlotId(slot): role for slot, role in roles.items()}
        self.state = self.game.open_night(NightFile(self.game, "night", number, cards, {}, {}, shots=uses))
        self.receipts: dict[str, dict[str, Any]] = {}
        self.cautions: list[str] = []

    def send(self, slot: str, text: str) -> tuple[tuple[str, Refusal], ...]:
        step = self.game.submit(self.state, Message(SlotId(slot), text, NOON), SeededRng(b"night"))
        self._heard(step)
        return step.refused

    def close(self) -> dict[str, Any]:
        step = self.game.close(self.state, "night", NOON, SeededRng(b"night"))
        self._heard(step)
        return seen(
            next(e.facts for e in step.events if isinstance(e, Noted) and e.kind == "moderator_night")
        )

    def _heard(self, step: Step[Any]) -> None:
        self.state = step.state
        self.receipts = {
            event.slots[0]: dict(seen(event.facts))
            for event in step.events
            if isinstance(event, Told) and event.kind == "receipt"
        }
        self.cautions = [
            str(seen(event.facts)["text"])
            for event in step.events
            if isinstance(event, Noted) and event.kind == "caution"
        ]

    @property
    def missing(self) -> list[str]:
        (window,) = self.game.windows(self.state)
        return [one.slot for one in self.game.awaits(self.state, window) if not one.standing]


FAMILY = {
    "knight_errant": {"Gus": "Mafia Goon", "Boro": "Mafia Roleblocker"},
    "custom_mafia": {"Gus": "Mafia Goon", "Boro": "Mafia Roleblocker"},
}
TOWN = {"Ada": "Vanilla Townie", "Cleo": "Vanilla Townie", "Dell": "Vanilla Townie"}


@pytest.mark.parametrize("kind", FAMILY)
def test_a_kill_that_its_carrier_replaces_is_told_to_its_sender_and_to_the_moderator(kind: str) -> None:
    night = Night(kind, {**FAMILY[kind], **TOWN})
    night.send("Gus", "kill Ada by Boro")
    kill = night.receipts["Gus"]["standing"][0]
    assert kill.endswith("kill Ada by Boro")
    assert night.receipts["Boro"]["standing"] == [kill.removesuffix(" by Boro")]
    night.send("Boro", "roleblock Ada")
    assert night.receipts["Gus"]["replaced"] == [kill]
    assert night.receipts["Gus"]["no_kill"]
    assert night.receipts["Boro"]["replaced"] == [kill.removesuffix(" by Boro")]
    assert any("the mafia has no kill planned" in text for text in night.cautions)
    assert "Gus" in night.missing
    assert any("the mafia has no kill planned" in row["text"] for row in night.close()["cautions"])


@pytest.mark.parametrize("kind", FAMILY)
def test_a_partner_whose_own_order_the_kill_takes_is_told(kind: str) -> None:
    night = Night(kind, {**FAMILY[kind], **TOWN})
    night.send("Boro", "roleblock Cleo")
    night.send("Gus", "kill Ada by Boro")
    assert night.receipts["Boro"]["replaced"] == ["roleblock Cleo"]


@pytest.mark.parametrize("kind", FAMILY)
def test_a_partner_s_kill_is_no_answer_of_somebody_who_can_act_besides(kind: str) -> None:
    night = Night(kind, {**FAMILY[kind], **TOWN})
    night.send("Gus", "kill Ada")
    assert night.missing == ["Boro"]


def test_a_second_extra_of_the_serial_killer_replaces_the_first_with_a_word() -> None:
    roles = {"Quill": "Serial Killer", **FAMILY["knight_errant"], **TOWN}
    night = Night("knight_errant", roles, Quill={"strong_kill": 1, "track": 1, "heal": 1})
    night.send("Quill", "strong kill Boro\ntrack Ada\nheal Cleo")
    assert night.receipts["Quill"]["standing"] == ["strong kill Boro", "heal Cleo"]
    assert night.receipts["Quill"]["replaced"] == ["track Ada"]


def test_who_is_silent_is_on_the_sheet_of_a_night_that_waited_for_a_ruling() -> None:
    roles = {"Rex": "Roleblocker", "Rob": "Roleblocker", "Tam": "Tracker", "Gus": "Mafia Goon", **TOWN}
    night = Night("custom_mafia", {**roles, "Una": "Tracker"})
    night.send("Una", "track Rex")  # to whom it makes a difference who of the two goes first
    night.send("Rex", "roleblock Rob")
    night.send("Rob", "roleblock Rex")
    night.send("Gus", "kill Ada")
    night.state = night.game.close(night.state, "night", NOON, SeededRng(b"night")).state
    step = night.game.submit(night.state, Message(None, "rule 1", NOON), SeededRng(b"night"))
    (sheet,) = (e.facts for e in step.events if isinstance(e, Noted) and e.kind == "moderator_night")
    assert seen(sheet)["silent"] == ["Tam"]
