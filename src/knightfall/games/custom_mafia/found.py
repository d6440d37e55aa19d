"""What is a night of a custom game: decided, or a knot that only the moderator can undo?"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from knightfall.mafia.night import Action, Night


class Turn(NamedTuple):
    """An action that went elsewhere: as it was sent, as it went, by whose actions in their order."""

    sent: Action
    went: Action
    by: tuple[Action, ...]


class Found(NamedTuple):
    """A night decided. The notes of `night` show actions as they went, its results as they were sent."""

    night: Night
    turned: tuple[Turn, ...] = ()


class Reading(NamedTuple):
    """What would come of one choice: `choice` is the label of the action that goes first, or `none`.

    `listed`: the wiki's list of priorities would choose it. `leads_to` may be a knot again.
    """

    choice: str
    listed: bool
    leads_to: Found | Knot


class Knot(NamedTuple):
    """Actions that change each other in a ring, so that none of them can be the first (CM-R2).

    `key` names it in this night, `shape` in every night: the verbs alone.
    """

    key: str
    shape: str
    actions: tuple[Action, ...]
    readings: tuple[Reading, ...]


Decided: TypeAlias = Found | Knot
