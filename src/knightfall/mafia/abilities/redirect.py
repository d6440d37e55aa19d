"""Redirect: whose actions go to somebody else?"""

from __future__ import annotations

from knightfall.mafia.nar import Pass, Reach, several
from knightfall.mafia.night import Action, Reason


class Redirect:
    """The first target's actions go to the second; of an action with two targets the first is changed."""

    reason = Reason.TURNED
    turns = True

    def could_change(self, mine: Reach, other: Reach) -> bool:
        """An action that would come to somebody else; of two redirects of one player the order counts."""
        whom, to = mine.places
        if other.actor & whom:
            return several(to | other.places[0])
        rivals = other.verb == "redirect" and other.places[0] & whom
        return bool(rivals) and several(to | other.places[1])

    def widen(self, mine: Reach, other: Reach) -> bool:
        """To the second target."""
        whom, to = mine.places
        if not other.actor & whom or not to & ~other.places[0]:
            return False
        other.places[0] |= to
        return True

    def act(self, run: Pass, sent: Action, went: Action) -> None:  # noqa: ARG002 - as it went is what counts
        """Everything of the first target that is under way."""
        turned, to = went.targets
        for action, aim in run.aims.items():
            if action.actor == turned:
                run.turn(action, (to, *aim[1:]), went)
