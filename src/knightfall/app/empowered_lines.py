"""What do the lines of a night of Empowered Mafia ask for, and which of them stand?

A slot's lines are one plan: with one line that is not valid, none of them is taken. Of two lines that want the
same slot the later stands; so it is with the Murder of the faction, unless the option says the first (EM-R23).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from knightfall.app.night_file import NightFile
from knightfall.app.night_words import sent, spoken
from knightfall.app.taken import Refused, Taken
from knightfall.core.commands import Ambiguous, Unknown, lines_of, match_name, parse_command
from knightfall.core.game import Refusal, SlotId
from knightfall.games.empowered import ROLES, Ability, Dusk, parse_options, resolve
from knightfall.mafia.night import Action, Note

NO_ACTION = "no action"
_OBLITERATE, _INVISIBLE = "obliterate", "invisible"

WORDS: Mapping[str, str] = {
    **{str(ability): str(ability) for ability in Ability if ability is not Ability.DETONATE},
    "kill": Ability.MURDER,
    "obliterate": _OBLITERATE,
    "jail": Ability.INCARCERATE,
    "heal": Ability.PROTECT,
    "check": Ability.INVESTIGATE,
    "watch": Ability.STAKEOUT,
    "shoot": Ability.VIG,
    "no action": NO_ACTION,
    "idle": NO_ACTION,
}
_EXTRA = re.compile(r"[\s,(]+(invisibl[ey]|obliterat(?:e|ing))\)?\s*$", re.I)
_AND = re.compile(r"\s*(?:,|&|\+|\band\b)\s*", re.I)

_SENTENCES: Mapping[str, str] = {
    "NOT_A_PLAYER": "only a living player can act",
    "NOT_YOUR_ABILITY": "the card does not have this ability",
    "NOT_YOUR_EXTRA": "the card cannot add this",
    "USED_UP": "Adaptability is used up",
    "BAD_ARGS": "name exactly one player; an Amplifier names two",
    "UNKNOWN_TARGET": "the player named is not alive",
    "SELF_TARGET": "nobody targets himself",
    "SAME_TARGET": "two different players have to be named",
}
_SPOILT = Refusal("PLAN_REFUSED", "another line of the plan is not valid, and a plan is taken whole or not at all")

Read: TypeAlias = Action | Refusal | None
"""A line read; None: it takes back what was sent."""


def dusk_of(night: NightFile, arrival: Mapping[Action, int] | None = None) -> Dusk:
    """The position a night file describes."""
    roles = {slot: ROLES[role] for slot, role in night.roles.items()}
    return Dusk(roles, night.number, night.lost, parse_options(night.options), arrival or {})


def take(night: NightFile) -> Taken:
    """The actions that stand at the end of the night, and the lines that were not taken."""
    dusk, standing, refused = dusk_of(night), list[Action](), list[Refused]()
    for slot, lines in night.lines.items():
        plan = [(line, read_line(dusk, slot, line)) for line in lines_of("\n".join(lines))]
        if any(isinstance(read, Refusal) for _, read in plan):
            refused += [(slot, line, read if isinstance(read, Refusal) else _SPOILT) for line, read in plan]
            continue
        for line, read in plan:
            standing, replaced = _enter(dusk, standing, slot, line, read)
            refused += replaced
    return Taken(tuple(standing), tuple(refused))


def _enter(
    dusk: Dusk, standing: list[Action], slot: SlotId, line: str, read: Read
) -> tuple[list[Action], list[Refused]]:
    """The later line has its place, save where the first Murder stands (EM-R23)."""
    if not isinstance(read, Action):
        return [action for action in standing if action.actor != slot], []
    rivals = [action for action in standing if _collide(dusk, action, read)]
    others = [action for action in rivals if action.actor != slot]
    if others and dusk.rules["em_r23"] == "first":
        return standing, [(slot, line, _replaced(others[0], "earlier"))]
    told: list[Refused] = [(action.actor, spoken(action), _replaced(read, "later")) for action in others]
    return [*(action for action in standing if action not in rivals), read], told


def _replaced(by: Action, when: str) -> Refusal:
    return Refusal("SLOT_TAKEN", f"one Murder a night, and the {when} one stands: {sent(by)} (EM-R23)")


def read_line(dusk: Dusk, slot: SlotId, line: str) -> Read:
    """What the line asks for, judged by itself: `amplify Boro and Cinder`, `murder Ada, invisible`."""
    command = parse_command(line, WORDS)
    if command is None:
        return Refusal("UNKNOWN_COMMAND", "this is no night action; for instance: protect NAME")
    if command.verb == NO_ACTION:
        return None
    written, extras = _extras(command.argument)
    action = _aimed(dusk, slot, command.verb, written)
    if isinstance(action, Refusal):
        return action
    said = sorted({*extras, *action.options})
    return _judged(dusk, action._replace(options=tuple(said)))


def _extras(argument: str) -> tuple[str, list[str]]:
    """What is left of the argument, and the extras at its end."""
    extras = []
    while found := _EXTRA.search(argument):
        extras.append(_INVISIBLE if found[1].lower().startswith("invis") else _OBLITERATE)
        argument = argument[: found.start()]
    return argument, extras


def _aimed(dusk: Dusk, slot: SlotId, verb: str, written: str) -> Action | Refusal:
    names = [name for name in _AND.split(written) if name]
    if len(names) == 1 and verb == Ability.AMPLIFY and len(names[0].split()) == 2:
        names = names[0].split()
    targets = [match_name(name, tuple(dusk.roles), {}) for name in names]
    for target in targets:
        if isinstance(target, Ambiguous):
            return Refusal("AMBIGUOUS_NAME", f"“{target.written}” can be {' or '.join(target.slots)}")
        if isinstance(target, Unknown):
            return Refusal("UNKNOWN_TARGET", f"nobody alive is called “{target.written}”")
    found = tuple(target for target in targets if isinstance(target, str))
    if verb == _OBLITERATE:
        return Action(slot, Ability.MURDER, found, (_OBLITERATE,))
    return Action(slot, verb, found)


def _judged(dusk: Dusk, action: Action) -> Action | Refusal:
    """The action where it is legal by itself."""
    rejected = _rejected(dusk, action)
    return _refusal(rejected[0].reason) if rejected else action


def _collide(dusk: Dusk, standing: Action, new: Action) -> bool:
    """Whether the two want the same place; one line said again does."""
    return standing == new or bool(_rejected(dusk, standing, new))


def _rejected(dusk: Dusk, *actions: Action) -> tuple[Note, ...]:
    """Judged by the game itself, on a night with nothing else in it."""
    return resolve(replace(dusk, arrival={}), actions).night.rejected


def _refusal(code: str) -> Refusal:
    return Refusal(str(code), _SENTENCES[str(code)])
