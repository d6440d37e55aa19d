"""How the lines of a night of Knight-Errant are written, and what became of them is told."""

from __future__ import annotations

from collections.abc import Mapping

from knightfall.games.knight_errant.night_position import FAULTS
from knightfall.games.knight_errant.roles import Ability
from knightfall.mafia.explain import Words
from knightfall.mafia.night import Action
from knightfall.mafia.orders import NO_ACTION, NO_KILL

CHECK = "check"
"""Whichever check the card has uses of."""

VERBS: Mapping[str, str] = {
    "kill": Ability.KILL,
    "strong kill": Ability.STRONG_KILL,
    "strong-kill": Ability.STRONG_KILL,
    "strong_kill": Ability.STRONG_KILL,
    "strongkill": Ability.STRONG_KILL,
    "mafia kill": Ability.MAFIA_KILL,
    "mafia_kill": Ability.MAFIA_KILL,
    "commute": Ability.COMMUTE,
    "jail": Ability.JAIL,
    "roleblock": Ability.ROLEBLOCK,
    "block": Ability.ROLEBLOCK,
    "heal": Ability.HEAL,
    "investigate": CHECK,
    "check": CHECK,
    "cop": Ability.COP,
    "gunsmith": Ability.GUNSMITH,
    "track": Ability.TRACK,
    "watch": Ability.WATCH,
    "vest": Ability.BULLETPROOF,
    "bulletproof": Ability.BULLETPROOF,
    NO_ACTION: NO_ACTION,
    "idle": NO_ACTION,
    NO_KILL: NO_KILL,
}
_WORD_OF: Mapping[str, str] = {Ability.STRONG_KILL: "strong kill", Ability.MAFIA_KILL: "kill"}
"""How an ability is written where its id is not the word itself."""


def notation(action: Action) -> str:
    """The line that says this action: what a receipt quotes, and what is read back."""
    return " ".join((_WORD_OF.get(action.ability, action.ability), *action.targets))


WORDS = Words(
    notation,
    {code: fault.phrase for code, fault in FAULTS.items()},
    {
        "teammate": "the mafia kills one of its own",
        "one_on_one": "the Serial Killer and one other are left: the game goes on until one is dead",
        "stalemate": "neither of the last two can win by himself: you may declare a draw",
    },
)
