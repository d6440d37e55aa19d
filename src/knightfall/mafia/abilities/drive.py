"""Drive: which two players take each other's place for a night?"""

from __future__ import annotations

from knightfall.engine.game import SlotId
from knightfall.mafia.nar import Pass, Reach, several
from knightfall.mafia.night import Action, Reason


class Drive:
    """Whatever is aimed at one of the two comes to the other."""

    reason = Reason.TURNED
    turns = True

    def could_change(self, mine: Reach, other: Reach) -> bool:
        """An action aimed at one of them; a second drive of the same two changes nothing about it."""
        one, two = mine.places
        if not several(one | two):
            return False
        if other.verb == "drive" and {one, two} == set(other.places):
            return several(one) or several(two)
        return any(place & (one | two) for place in other.places)

    def widen(self, mine: Reach, other: Reach) -> bool:
        """From each of the two to the other."""
        one, two = mine.places
        before = list(other.places)
        for number, place in enumerate(before):
            other.places[number] |= (two if place & one else 0) | (one if place & two else 0)
        return other.places != before

    def act(self, run: Pass, sent: Action, went: Action) -> None:  # noqa: ARG002 - as it went is what counts
        """Everything that is under way."""
        one, two = went.targets
        swap = {one: two, two: one}

        def other(target: SlotId) -> SlotId:
            return swap.get(target, target)

        for action, aim in run.aims.items():
            run.turn(action, tuple(map(other, aim)), went)
