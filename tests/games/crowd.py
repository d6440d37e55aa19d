"""What is a night of many casts beside each other? It shows whether a night takes as long as it has lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from knightfall.mafia.night import Action
from knightfall.sentence import SlotId


def crowd(dusk: Any, sent: Sequence[Action], casts: int) -> tuple[Any, list[Action]]:
    """The dusk of a game and the actions sent, so many times beside each other: each cast acts on its own."""
    roles = {of(slot, n): role for n in range(casts) for slot, role in dusk.roles.items()}
    return replace(dusk, roles=roles), [moved(action, n) for n in range(casts) for action in sent]


def moved(action: Action, cast: int) -> Action:
    targets = tuple(of(target, cast) for target in action.targets)
    return action._replace(actor=of(action.actor, cast), targets=targets)


def of(slot: SlotId, cast: int) -> SlotId:
    return SlotId(f"{slot} {cast}")
