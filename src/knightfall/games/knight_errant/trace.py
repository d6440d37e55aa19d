"""Why an action of a night of Knight-Errant ended as it did."""

from __future__ import annotations

from knightfall.mafia.night import Note, Result
from knightfall.mafia.trace import Trace, target_of

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
            return f"{' and '.join(blocks)} roleblocked {actor}, but that does not open a jail (KE-R4)"
        return f"nobody roleblocked {actor}, and {target_of(note)} did not commute"

    def card(self, result: Result) -> str:
        """KE-R33 to KE-R35: the card, and what hides it."""
        (target, *_), answer = result.action.targets, result.answer
        role = self.roles[target]
        if role == "Mafia Godfather" and answer in ("Town", "False"):
            return f"{target} is {role}, and checks find that card innocent"
        if role == "Serial Killer" and self.night.spent.get(target, {}).get("immunity"):
            return f"{target} is {role}, and an immunity covered the check (KE-R35)"
        return super().card(result)
