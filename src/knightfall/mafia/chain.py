"""Where actions of one stage are read one after the other: which of them fail, and because of which?

Who is touched by nobody comes first; what a standing action touches fails. In a ring nobody is first: there
all hold. Nothing depends on the order of the actions.
"""

from __future__ import annotations

from collections.abc import Sequence

from knightfall.mafia.night import Action


def in_chain(actions: Sequence[Action], shared_target: bool) -> dict[Action, Action]:
    """The actions that fail and what stops them.

    `shared_target`: an action also touches others on its own target, as a jail does.
    """
    waiting, failed = list(actions), dict[Action, Action]()
    while waiting:
        # Touched by nobody, or only by those whom they touch in turn, however many steps away.
        before = {action: _before(action, waiting, shared_target) for action in waiting}
        first = [action for action in waiting if all(action in before[other] for other in before[action])]
        waiting = [action for action in waiting if action not in first]
        struck = {a: by for a in waiting for by in first if _touches(by, a, shared_target)}
        waiting = [action for action in waiting if action not in struck]
        failed |= struck
    return failed


def _before(action: Action, waiting: list[Action], shared_target: bool) -> set[Action]:
    """Everything that touches the action, directly or by way of others."""
    found, open_ = set[Action](), [action]
    while open_:
        here = open_.pop()
        new = {other for other in waiting if _touches(other, here, shared_target)} - found
        found |= new
        open_ += new
    return found


def _touches(by: Action, action: Action, shared_target: bool) -> bool:
    if by.actor == action.actor:
        return False
    return by.targets[0] == action.actor or (shared_target and by.targets == action.targets)
