"""Kill: who dies, by which kills, and what stopped the others?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from knightfall.engine.game import SlotId
from knightfall.mafia.night import Action, Death, Fate, Note, Reason, Sheet


def slay(sheet: Sheet, kills: Iterable[Action]) -> None:
    """Kills that nothing can stop."""
    for kill in kills:
        sheet.stand(kill, Reason.UNSTOPPABLE)


class Shields(Protocol):
    """What may stand between a player and a kill."""

    def against(self, target: SlotId) -> tuple[Reason, Action | None] | None:
        """What stops the next regular kill on the target; it is used up by asking."""
        ...


def strike(sheet: Sheet, kills: Iterable[Action], cover: Shields) -> None:
    """Regular kills that reached their target: each is stopped by one shield, or lands."""
    for kill in kills:
        shield = cover.against(kill.targets[0])
        if shield is None:
            sheet.stand(kill, Reason.LANDED)
        else:
            sheet.absorb(kill, *shield)


def toll(attacks: Iterable[Note]) -> tuple[tuple[Death, ...], tuple[Death, ...]]:
    """The dead and the survivors among the attacked, sorted by slot, each with every kill aimed at them."""
    by_target: dict[SlotId, list[Note]] = {}
    for note in attacks:
        by_target.setdefault(note.action.targets[0], []).append(note)
    dead: list[Death] = []
    survived: list[Death] = []
    for slot in sorted(by_target):
        notes = tuple(by_target[slot])
        fell = any(note.fate is Fate.STOOD for note in notes)
        (dead if fell else survived).append(Death(slot, notes))
    return tuple(dead), tuple(survived)
