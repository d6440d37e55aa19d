"""What does a change of who plays, from one post on, make of the roster, and how is it told?

A post number is the clock: whatever happened at post n changes no count as of an earlier one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from knightfall.core.roster import Departure, Holder, How, Roster


@dataclass(frozen=True, slots=True)
class Change:
    """From `post` on (None: from the first post after `at`) the slot is held by `name`, or it has left so
    (`how`); with neither it lives again."""

    slot: str
    post: int | None
    at: datetime
    name: str = ""
    how: How | None = None

    def on(self, roster: Roster, post: int) -> Roster:
        """The roster with it, from that post on."""
        if self.name:
            return roster.with_holder(self.slot, Holder(self.name, post))
        if self.how:
            return roster.with_departure(self.slot, Departure(self.how, post))
        return roster.with_return(self.slot, post)

    def sentence(self, roster: Roster, post: int) -> str:
        """What everybody may know of it, never why; under the name of who held the slot before."""
        slot = roster.slot_of(self.slot)
        who = slot.holder_at(post - 1) if slot else self.slot
        if self.name:
            return f"{self.name} replaces {who} as of #{post}."
        if self.how:
            return f"{who} {_LEFT.get(self.how, _OUT)} as of #{post}."
        return f"{who} is alive again as of #{post}."


_OUT = "is no longer in the game"
_LEFT = {How.KILLED: "has died"}


def changed(
    roster: Roster, changes: Iterable[Change], first_after: Callable[[datetime], int] | None = None
) -> Roster:
    """The roster with the changes; `first_after` finds the post for those that name none (None: those wait
    until a thread is counted). Raises InputError where a name would hold two slots."""
    for change in changes:
        post = first_after(change.at) if change.post is None and first_after else change.post
        roster = roster if post is None else change.on(roster, post)
    return roster
