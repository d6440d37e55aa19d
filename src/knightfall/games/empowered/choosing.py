"""The roles that the mafiosi choose before day 1.

`role Ninja` from a mafioso, the latest stands, two may choose the same; `role Ninja of Boro` from the
moderator. Who has not chosen when the phase is closed is a question, never a default (EM-R29).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from knightfall.engine.commands import Command, parse_command
from knightfall.engine.game import Announced, Noted, Refusal, Step, Told
from knightfall.games.empowered import views
from knightfall.games.empowered.events import ChosenRole, FirstDay, RolesMissing
from knightfall.games.empowered.roles import MAFIA_ROLES
from knightfall.games.empowered.state import State, mafiosi, unchosen
from knightfall.mafia import orders
from knightfall.mafia.orders import Aliases, refuse
from knightfall.mafia.roles import Role
from knightfall.mafia.state import Phase
from knightfall.mafia.views import dealt
from knightfall.sentence import SlotId, joined, sentence

ROLE = "role"
_WORDS: Mapping[str, str] = {ROLE: ROLE}
_BY_NAME: Mapping[str, Role] = {role.name.lower().replace(" ", ""): role for role in MAFIA_ROLES}
_EXPECTED = " | ".join(role.name for role in MAFIA_ROLES)

_NOT_A_CHOICE = Refusal("UNKNOWN_COMMAND", f"before Day 1 you can only choose your role: role {_EXPECTED}")
_NOT_YOURS = Refusal("NOT_YOUR_CHOICE", "night plans are taken from Day 1 on")
_UNKNOWN_ROLE = Refusal("UNKNOWN_ROLE", f"choose one of: {_EXPECTED}")


def take(state: State, slot: SlotId, lines: tuple[str, ...]) -> Step[State]:
    """Apply the lines of a living slot; a mafioso is told their choice as it stands."""
    if slot not in mafiosi(state):
        return orders.refuse_all(state, lines, _NOT_YOURS)
    refused = []
    for line in lines:
        command = parse_command(line, _WORDS)
        role = _NOT_A_CHOICE if command is None else parse_role(command.argument)
        if isinstance(role, Refusal):
            refused.append((line, role))
        else:
            state = _given(state, slot, role)
    return Step(state, (_chosen(state, slot),), tuple(refused))


def parse_role(written: str) -> Role | Refusal:
    """One of the four, in any case, with or without the space."""
    return _BY_NAME.get("".join(written.lower().split()).rstrip("."), _UNKNOWN_ROLE)


def _given(state: State, slot: SlotId, role: Role) -> State:
    return replace(state, cards={**state.cards, slot: role})


def _chosen(state: State, slot: SlotId) -> Told:
    role = None if slot in unchosen(state) else state.cards[slot].name
    return Told((slot,), ChosenRole(slot, role))


def obey(state: State, command: Command, aliases: Aliases) -> Step[State]:
    """The moderator's `role NAME of PLAYER`, for a mafioso who has chosen elsewhere."""
    if state.phase is not Phase.CHOOSING:
        return refuse(state, command.line, "WRONG_PHASE", "roles are chosen before Day 1 only")
    name, _, player = " ".join(command.argument.split()).partition(" of ")
    role = parse_role(name)
    if isinstance(role, Refusal):
        return orders.refuse_all(state, (command.line,), role)
    slot = orders.parse_target(state, player, aliases)
    if isinstance(slot, Refusal):
        return orders.refuse_all(state, (command.line,), slot)
    if slot not in mafiosi(state):
        return refuse(
            state, command.line, "WRONG_TARGET", sentence("{slot} is not a living mafioso", slot=slot)
        )
    after = _given(state, slot, role)
    return Step(after, (_chosen(after, slot),))


def legal_lines(state: State, slot: SlotId | None) -> tuple[str, ...]:
    """A mafioso's four choices; for the moderator those of everyone who has not chosen."""
    if slot is None:
        return lines_for(unchosen(state))
    return tuple(f"{ROLE} {role.name}" for role in MAFIA_ROLES) if slot in mafiosi(state) else ()


def lines_for(slots: Iterable[SlotId]) -> tuple[str, ...]:
    """What the moderator says for mafiosi: `role Ninja of Boro`."""
    return tuple(joined(" ", (ROLE, role.name, "of", name)) for name in slots for role in MAFIA_ROLES)


def close(state: State, at: datetime) -> Step[State]:
    """Day 1 begins once every mafioso has a role: then they are told who is what, and how many (EM-R30)."""
    if missing := unchosen(state):
        asked = Noted(RolesMissing(tuple(missing), tuple(role.name for role in MAFIA_ROLES)))
        text = sentence(
            "no role chosen yet by {names}: ask them, or say `{role} NAME of PLAYER`",
            names=joined(", ", missing),
            role=ROLE,
        )
        return Step(state, (asked,), (("close choosing", Refusal("UNDECIDED", text)),))
    day = replace(state, phase=Phase.DAY, since=at)
    family = mafiosi(day)
    pms = (views.role_pm(day, slot) for slot in family)
    aware = (Told((slot,), views.awareness(day, slot)) for slot in family)
    return Step(day, (Announced(FirstDay(views.now(day))), *pms, *aware, dealt(day)))
