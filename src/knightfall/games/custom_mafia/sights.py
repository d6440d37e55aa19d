"""What is seen of a night by those who learn neither a card nor a name: kinds of action, motion, roles.

What failed is no visit, a kill that was survived is one (CM-R29); a Ninja's kill nobody sees (CM-R28).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from knightfall.games.custom_mafia.abilities import BY_ID, HIDDEN_KILLS, KILLS, Ability, Trait
from knightfall.games.custom_mafia.roles import rolecop_name
from knightfall.mafia.night import NOBODY, Action, Fate, Note
from knightfall.mafia.roles import Role
from knightfall.sentence import SlotId

SIGHTS = frozenset(
    map(str, (Ability.FOLLOW, Ability.VOYEUR, Ability.MOTION, Ability.REPORT, Ability.ROLE_WATCH))
)
"""The abilities that are answered here."""
HAPPENED = (Fate.STOOD, Fate.ABSORBED)
NOTHING_SEEN = "nothing"
"""What a Follower and a Voyeur are told where there was nothing to see."""


def is_unseen(roles: Mapping[SlotId, Role], action: Action) -> bool:
    """Whether it is a kill that a Ninja does at somebody else's."""
    kill = action.ability in KILLS and action.actor != action.targets[0]
    return kill and (action.ability in HIDDEN_KILLS or Trait.NINJA in roles[action.actor].traits)


def sight(
    ability: str, roles: Mapping[SlotId, Role], notes: Sequence[Note], asker: SlotId, target: SlotId
) -> str:
    """The answer of one of `SIGHTS`. The asker does not see their own visit."""
    deeds = [
        note.action
        for note in notes
        if note.fate in HAPPENED
        and note.action.ability in BY_ID
        and (note.action.actor, note.action.ability) != (asker, ability)
        and any(aim != note.action.actor for aim in note.action.targets)
        and not is_unseen(roles, note.action)
    ]
    did = [action for action in deeds if action.actor == target]
    suffered = [
        action for action in deeds if target in action.targets and action.actor not in (target, asker)
    ]
    if ability == Ability.FOLLOW:  # CM-R55
        return _kinds(did)
    if ability == Ability.VOYEUR:  # CM-R56
        return _kinds(suffered)
    if ability == Ability.MOTION:  # CM-R57
        return "Motion" if did or suffered else "No motion"
    if ability == Ability.REPORT:  # CM-R58
        return "Went out" if did else "Stayed in"
    came = {action.actor for action in suffered}  # CM-R59
    return ", ".join(sorted(rolecop_name(roles[slot]) for slot in came)) or NOBODY


def _kinds(actions: Iterable[Action]) -> str:
    """What kinds of action these are, each once, in the order of the alphabet; every kill is “kill”."""
    words = {"kill" if action.ability in KILLS else BY_ID[action.ability].word for action in actions}
    return ", ".join(sorted(words)) or NOTHING_SEEN
