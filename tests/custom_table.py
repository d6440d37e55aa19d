"""A custom game at night, and what its players and moderator are told."""

from __future__ import annotations

from datetime import UTC, datetime

from knightfall.engine.game import Message, Step, noted, told
from knightfall.engine.rng import SeededRng
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.games.custom_mafia.roles import parse_role
from knightfall.games.custom_mafia.setup import parse_setup
from knightfall.games.custom_mafia.state import State, Terms
from knightfall.mafia.rooms import rooms
from knightfall.mafia.state import Phase
from knightfall.sentence import SlotId
from knightfall.writeups.events import moderator_sheet, private_message

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def at_night(cast: dict[str, str], number: int = 1, cards: dict[str, str] | None = None) -> State:
    roles = {SlotId(name): parse_role(role) for name, role in cast.items()}
    slots = [{"role": role} for role in cast.values()]
    setup = parse_setup({"slots": slots, "cards": cards or {}})
    return State("Quarry", Terms(setup=setup), roles, Phase.NIGHT, number)


def say(state: State, slot: str | None, text: str) -> Step[State]:
    return CUSTOM_MAFIA.submit(
        state, Message(None if slot is None else SlotId(slot), text, NOON), SeededRng(b"quarry")
    )


def sent(state: State, **lines: str) -> State:
    for slot, text in lines.items():
        step = say(state, slot, text)
        assert step.refused == ()
        state = step.state
    return state


def morning(state: State, **lines: str) -> Step[State]:
    return CUSTOM_MAFIA.close(sent(state, **lines), "night", NOON, SeededRng(b"quarry"))


def pms(step: Step[State], slot: str) -> str:
    """Everything that goes to a player."""
    return "\n".join(private_message("custom_mafia", one) for one in told(step.events) if slot in one.slots)


def first_pm(state: State, slot: str) -> str:
    return private_message("custom_mafia", CUSTOM_MAFIA.first_pm(state, SlotId(slot)))


def sheet(step: Step[State]) -> str:
    return "\n".join(moderator_sheet("custom_mafia", one) for one in noted(step.events))


def members(state: State) -> dict[str, tuple[str, ...]]:
    return {room.title: tuple(room.slots) for room in rooms(state)}


TOWN = {"Gale": "Vanilla Townie", "Iris": "Vanilla Townie", "Juno": "Vanilla Townie"}
