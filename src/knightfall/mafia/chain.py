"""The ring solver: actions of one stage that stop each other, read one after the other.

What nothing touches comes first; what a standing action touches fails, and by failing may free others. In a
ring nobody is first: there all hold. Nothing depends on the order of the actions.
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
        # Everything that touches each action, directly or by way of others.
        before: dict[Action, set[Action]] = {}
        for action in waiting:
            found, open_ = set[Action](), [action]
            while open_:
                here = open_.pop()
                new = {other for other in waiting if _touches(other, here, shared_target)} - found
                found |= new
                open_ += new
            before[action] = found
        # First are those touched by nobody, or only by those whom they touch in turn, however many steps
        # away: a ring that nothing outside bears on. They stand, and what they touch fails.
        first = [action for action in waiting if all(action in before[other] for other in before[action])]
        waiting = [action for action in waiting if action not in first]
        struck = {a: by for a in waiting for by in first if _touches(by, a, shared_target)}
        waiting = [action for action in waiting if action not in struck]
        failed |= struck
    return failed


def _touches(by: Action, action: Action, shared_target: bool) -> bool:
    if by.actor == action.actor:
        return False
    return by.targets[0] == action.actor or (shared_target and by.targets == action.targets)
