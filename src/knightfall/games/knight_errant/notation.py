"""How the lines of a night of Knight-Errant are written, and what became of them is told."""

from __future__ import annotations

from collections.abc import Mapping

from knightfall.engine.game import SlotId
from knightfall.games.knight_errant.abilities import ABILITIES, BY_ID
from knightfall.games.knight_errant.night_position import FAULTS
from knightfall.mafia.ability_row import verbs_of
from knightfall.mafia.explain import Words
from knightfall.mafia.night import Action
from knightfall.mafia.orders import NO_ACTION, NO_KILL

CHECK = "check"
"""Whichever check the card has uses of."""

VERBS: Mapping[str, str] = {
    **verbs_of(ABILITIES),
    "investigate": CHECK,
    "check": CHECK,
    NO_ACTION: NO_ACTION,
    "idle": NO_ACTION,
    NO_KILL: NO_KILL,
}


def notation(action: Action, reader: SlotId | None = None) -> str:
    """The line that says this action: what a receipt quotes, and what is read back. A reader who does not
    carry it is told who does."""
    carrier = (f"by {action.actor}",) if reader is not None and reader != action.actor else ()
    return " ".join((BY_ID[action.ability].written, *action.targets, *carrier))


WORDS = Words(
    BY_ID,
    notation,
    {code: fault.phrase for code, fault in FAULTS.items()},
    {
        "teammate": "the mafia kills one of its own",
        "one_on_one": "the Serial Killer and one other are left: the game goes on until one is dead",
        "stalemate": "neither of the last two can win alone: you may declare a draw",
    },
)
