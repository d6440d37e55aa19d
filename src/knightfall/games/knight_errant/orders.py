"""How the lines of a night of Knight-Errant are written, what became of them is told, and why."""

from __future__ import annotations

from collections.abc import Mapping

from knightfall.games.knight_errant.abilities import ABILITIES, BY_ID
from knightfall.games.knight_errant.state import FAULTS
from knightfall.mafia.ability_row import verbs_of
from knightfall.mafia.explain import Words
from knightfall.mafia.night import Note
from knightfall.mafia.orders import NO_ACTION, NO_KILL
from knightfall.mafia.trace import Trace, target_of
from knightfall.sentence import joined, sentence

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


WORDS = Words(
    BY_ID,
    {code: fault.phrase for code, fault in FAULTS.items()},
    {"teammate": "the mafia kills one of its own"},
)


_ROLEBLOCK = frozenset({"roleblock"})


class KnightErrantTrace(Trace):
    """Jails stand above roleblocks, and two cards hide from checks."""

    visit_ruling = "KE-R30"
    stopped_ruling = "KE-R26"

    def unhindered(self, note: Note) -> str:
        """KE-R4: a roleblock on the jailer changes nothing."""
        actor = note.action.actor
        if note.action.ability == "roleblock":
            return "no jail and no commute stood in its way"
        if note.action.ability != "jail":
            return super().unhindered(note)
        blocks = [block.action.actor for block in self.standing_at(actor, _ROLEBLOCK)]
        if blocks:
            return sentence(
                "{blockers} roleblocked {actor}, but that does not open a jail (KE-R4)",
                blockers=joined(" and ", blocks),
                actor=actor,
            )
        return sentence(
            "nobody roleblocked {actor}, and {target} did not commute", actor=actor, target=target_of(note)
        )
