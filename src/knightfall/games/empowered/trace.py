"""Why an action of a night of Empowered Mafia ended as it did."""

from __future__ import annotations

from knightfall.games.empowered.abilities import Ability
from knightfall.mafia.night import Fate, Note
from knightfall.mafia.trace import Trace

_INCARCERATE = frozenset({str(Ability.INCARCERATE)})


class EmpoweredTrace(Trace):
    """Everything hangs on power and on jail, and a check that failed brings no message."""

    visit_ruling = "EM-R5"
    stopped_ruling = "EM-R21"

    def unhindered(self, note: Note) -> str:
        """Who gave the power, and that no jail held its actor."""
        actor = note.action.actor
        if note.action.ability == Ability.DETONATE:
            return super().unhindered(note)
        power = f"{actor} is powered by {note.cause.actor}" if note.cause else "it needs no power"
        jailed = self.standing_at(actor, _INCARCERATE)
        return power if jailed else f"{power}, and no incarceration held {actor}"

    def silence(self, note: Note) -> tuple[str, str]:
        """EM-R20 and EM-R21."""
        if note.fate is Fate.STOOD:
            return "who dies in the night reads no answer", "EM-R20"
        return "a check without power, or from jail, brings no message", "EM-R21"
