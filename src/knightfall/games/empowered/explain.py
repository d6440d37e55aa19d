"""Which words does Empowered Mafia have for what became of an action?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from knightfall.games.empowered.dusk import Code
from knightfall.games.empowered.options import RULINGS
from knightfall.games.empowered.roles import Ability
from knightfall.games.empowered.rules import Outcome
from knightfall.games.empowered.submissions import notation
from knightfall.mafia import explain
from knightfall.mafia.explain import Words
from knightfall.mafia.night import Reason

WORDS = Words(
    notation,
    {
        Code.NOT_A_PLAYER: "no living player",
        Code.NOT_YOUR_ABILITY: "not of this role",
        Code.NOT_YOUR_EXTRA: "not of this role",
        Code.USED_UP: "Adaptability is used up",
        Code.BAD_ARGS: "wrong number of targets",
        Code.UNKNOWN_TARGET: "the target is not alive",
        Code.SELF_TARGET: "no action on oneself",
        Code.SAME_TARGET: "twice the same target",
        Code.SLOT_TAKEN: "one is taken already",
        Reason.POWERED: "gives power",
        Reason.WATCHES_OVER: "watches over the target",
        Reason.SAVED: "the target is protected",
        Reason.IN_JAIL: "the target is in jail",
        Reason.INCARCERATED: "its actor is in jail",
        Reason.UNPOWERED: "its actor has no power",
        Reason.PARADOX: "it would undo its own power",
    },
    {},
    frozenset({Ability.EMPOWER, Ability.AMPLIFY}),
    frozenset({Ability.EMPOWER}),
)


def night_facts(number: int, found: Outcome, lost: Iterable[str], silent: Sequence[str]) -> dict[str, object]:
    """All of a night for the moderator's sheet, with every ruling that decided something in words.

    `lost`: who lost Adaptability this night; `silent`: who could act and sent nothing that stands.
    """
    sheet = explain.night_facts(WORDS, number, found.night, silent)
    used = {note.ruling for note in found.night.trace}
    return sheet | {
        "powered": sorted(found.powered),
        "incarcerated": sorted(found.incarcerated),
        "lost": sorted(lost),
        "rulings": [{"ruling": name, "text": text} for name, text in RULINGS.items() if name in used],
    }
