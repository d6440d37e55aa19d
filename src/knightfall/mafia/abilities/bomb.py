"""Bomb: who is struck back by those he killed?"""

from __future__ import annotations

from collections.abc import Iterable

from knightfall.mafia.abilities.kill import Shields
from knightfall.mafia.night import Action, Death, Fate, Note, Reason, Sheet

STRIKE_BACK = "bomb"


def strike_back(sheet: Sheet, bombs: Iterable[Death], shields: Shields | None) -> list[Note]:
    """One kill for each of a dead Bomb's killers; no visit. `shields` None: nothing stops it."""
    ruling = sheet.rulings[Reason.STRUCK_BACK][STRIKE_BACK]
    notes = []
    for bomb in bombs:
        killers = sorted({note.action.actor for note in bomb.attacks if note.fate is Fate.STOOD})
        for killer in killers:
            blow = Action(bomb.slot, STRIKE_BACK, (killer,))
            shield = shields.against(killer) if shields else None
            fate = Fate.ABSORBED if shield else Fate.STOOD
            reason, cause = shield or (Reason.STRUCK_BACK, None)
            notes.append(Note(blow, fate, reason, cause, ruling))
    return notes
