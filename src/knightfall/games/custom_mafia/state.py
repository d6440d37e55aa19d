"""The state of a custom game, and the position before a night with the lines that it admits."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from knightfall.errors import InputError
from knightfall.games.custom_mafia.abilities import AIMS, BY_DAY, KILLS, MAFIAS_KILLS, Ability, Trait
from knightfall.games.custom_mafia.catalog import BASES
from knightfall.games.custom_mafia.options import DEFAULT_RULES, Rules, Setup, vanilla
from knightfall.games.custom_mafia.roles import enabled_by, heir_of, waiting
from knightfall.mafia import state as mafia_state
from knightfall.mafia.night import Action
from knightfall.mafia.night_position import Fault, FaultCode, UsesPosition
from knightfall.mafia.roles import TEAMS, Alignment, Modifier, Role
from knightfall.mafia.rooms import neighborhoods
from knightfall.mafia.state import ELIMINATED, Aimed, Phase, SlotKey
from knightfall.sentence import SlotId, joined, sentence


@dataclass(frozen=True, slots=True)
class Terms:
    """By which answers a game is played, from which setup it was dealt, and who loves whom in it."""

    chosen: Rules = DEFAULT_RULES
    setup: Setup = field(default_factory=lambda: vanilla(3))
    lovers: tuple[frozenset[SlotId], ...] = ()

    def __getitem__(self, name: str) -> str:
        return self.chosen[name]


if TYPE_CHECKING:
    State: TypeAlias = mafia_state.State[Terms]
else:  # in Python 3.11 an alias with parameters cannot make a frozen value with slots
    State = mafia_state.State


FAULTS: Mapping[FaultCode, Fault] = {
    FaultCode.NOT_A_PLAYER: Fault("CM-R31", "only a living player can act", "no living player"),
    FaultCode.NOT_YOUR_ABILITY: Fault("CM-R32", "your role does not have this ability", "not on the card"),
    FaultCode.WRONG_NIGHT: Fault("CM-R21", "your role cannot do this tonight", "not on this night"),
    FaultCode.WRONG_TIME: Fault(
        "CM-R71", "you cannot do this now; your role PM says when you can", "not at this time"
    ),
    FaultCode.LOST: Fault(
        "CM-R94", "nobody can do this any more: its Enabler is dead", "its Enabler is dead"
    ),
    FaultCode.NO_SHOTS: Fault("CM-R20", "you have no uses of this ability left", "no use left"),
    FaultCode.BAD_ARGS: Fault(
        "CM-R34",
        "name one player (heal ADA), or two different ones (redirect ADA to BORO, drive ADA and BORO), or "
        "nobody (commute)",
        "wrong number of targets",
    ),
    FaultCode.UNKNOWN_TARGET: Fault("CM-R33", "that player is not alive", "the target is not alive"),
    FaultCode.SELF_TARGET: Fault("CM-R33", "you cannot target yourself", "no action on oneself"),
    FaultCode.SAME_TARGET: Fault(
        "CM-R82", "your role cannot do this to the same player again", "named for it before"
    ),
    FaultCode.SLOT_TAKEN: Fault(
        "CM-R32",
        "you have one action a night or day, and another line already uses it",
        "the slot was filled",
    ),
}

_MAFIA_KILL = str(Ability.MAFIA_KILL)  # bound once: looking a member up in its enum takes time
_NEVER_ON_SELF = KILLS | BY_DAY | {Ability.HIDE, Ability.NEIGHBORIZE, Ability.BEFRIEND, Ability.FRUIT}
_AS_KILL: Mapping[str, str] = {str(base.gives): base.limited.id for base in BASES if base.limited is not None}
"""A Strongman and a Ninja: as which kill a backup does what they do always."""
DAY_ACT = "day"
"""What one line a day fills."""
AVENGER = "vengeance"
"""What the line of who was voted out fills."""
_ELSEWHERE = frozenset({Modifier.INDECISIVE, Modifier.ROAMING})
_ABILITY_FIRST = itemgetter(1, 2, 0)
"""Ability, targets, actor of an action."""
_FACTION_KILLS: Mapping[Alignment, SlotKey] = {
    side: ("", "kill" if side is Alignment.MAFIA else f"kill of {side}") for side in TEAMS
}


@dataclass(frozen=True, slots=True)
class CustomPosition(UsesPosition):
    """The living with their cards, the number of the night, uses left, who loves whom.

    `used_last`: the abilities each slot used in the night before. `lovers`: groups that die together.
    `ruled`: the choice for each cycle the moderator ruled on tonight, by the cycle's key. `fallen`: of each
    side the abilities that its dead had. `aimed`: whom each has named for what, with the last night of it.
    `killed`: who has sent a kill in a night before. `by_day`: it is day, and what is done by day is legal
    instead. `lost`: what nobody can do any more.
    """

    FAULTS: ClassVar[Mapping[FaultCode, Fault]] = FAULTS
    AIMS: ClassVar[Mapping[str, int]] = AIMS
    PICKY: ClassVar[frozenset[str]] = frozenset(ability for ability, aims in AIMS.items() if aims)

    FREE: ClassVar[frozenset[str]] = frozenset({str(Ability.OWN), str(Ability.AVENGE)})

    rules: Rules = DEFAULT_RULES
    used_last: Mapping[SlotId, frozenset[str]] = field(default_factory=dict)
    lovers: tuple[frozenset[SlotId], ...] = ()
    ruled: Mapping[str, str] = field(default_factory=dict)
    fallen: Mapping[Alignment, frozenset[str]] = field(default_factory=dict)
    aimed: Aimed = field(default_factory=dict)
    killed: Set[SlotId] = frozenset()
    by_day: bool = False
    lost: Set[str] = frozenset()

    def use_fault(self, role: Role, action: Action) -> FaultCode | None:
        """A night that the card does not allow (CM-R21, CM-R22, CM-R65, CM-R80, CM-R81), or no use left
        (CM-R20)."""
        actor, ability, *_ = action
        if ability in BY_DAY:
            if not self.by_day or ability == Ability.AVENGE:
                return FaultCode.WRONG_TIME
        elif self.by_day or "nights" in self.rules.house:
            return FaultCode.WRONG_TIME
        if ability in self.lost:
            return FaultCode.LOST
        if ability == Ability.LINK and self.night != 1:
            return FaultCode.WRONG_NIGHT  # CM-R106
        if ability in role.modifiers:
            modifiers = role.modifiers[ability]
            tired = ability in self.used_last.get(actor, ())
            if (
                not role.works_on(ability, self.night)
                or (Modifier.NON_CONSECUTIVE in modifiers and tired)
                or self._too_early(role, ability)
            ):
                return FaultCode.WRONG_NIGHT
        if role.abilities[ability] is not None and not self.uses_left(actor, ability):
            return FaultCode.NO_SHOTS
        return None

    def aim_fault(self, action: Action) -> FaultCode | None:
        """Two targets are two different ones (CM-R34); whom the indecisive named last night, and the roaming
        ever, they do not name again (CM-R82, CM-R83)."""
        actor, ability, targets, _ = action
        if len(targets) > 1 and len(set(targets)) < len(targets):
            return FaultCode.BAD_ARGS
        limits = self.roles[actor].modifiers.get(ability, frozenset())
        if ability == Ability.GUARD and "bodyguard" in self.rules.house:
            limits |= {Modifier.INDECISIVE}  # CM-R11
        if limits.isdisjoint(_ELSEWHERE):
            return None
        named = self.aimed.get(actor, {}).get(ability, {})
        since = 0 if Modifier.ROAMING in limits else self.night - 1
        again = any(target in named and named[target] >= since for target in targets)
        return FaultCode.SAME_TARGET if again else None

    def fault_ruling(self, action: Action, code: FaultCode) -> str:
        """Whom the roaming named before is CM-R83's, a backup that is too early CM-R65's."""
        role = self.roles.get(action.actor)
        if role is not None and code is FaultCode.SAME_TARGET and role.asks(action.ability, Modifier.ROAMING):
            return "CM-R83"
        if role is not None and code is FaultCode.WRONG_NIGHT and self._too_early(role, action.ability):
            return "CM-R65"
        return UsesPosition.fault_ruling(self, action, code)

    def _too_early(self, role: Role, ability: str) -> bool:
        """Whether nobody of their side is dead who had what a backup has (CM-R65)."""
        return role.asks(ability, Modifier.BACKUP) and ability not in self.fallen.get(role.alignment, ())

    def may_target_self(self, role: Role, action: Action) -> bool:
        """CM-R33: by option, never to kill, and nobody hides behind themselves."""
        return "self_target" in self.rules.house and action.ability not in _NEVER_ON_SELF

    def slots(self, action: Action, holders: Mapping[SlotKey, Action]) -> tuple[SlotKey, ...]:
        """CM-R32: one act a player; the faction's kill is also its carrier's act."""
        if action.ability in BY_DAY:
            return ((action.actor, AVENGER if action.ability == Ability.AVENGE else DAY_ACT),)
        role = self.roles[action.actor]
        if action.ability not in MAFIAS_KILLS or not role.in_team:
            return ((action.actor, "act"),)
        kill = _FACTION_KILLS[role.alignment]
        return (kill,) if "carrier" in self.rules.house else (kill, (action.actor, "act"))

    def in_order(self, actions: Iterable[Action]) -> list[Action]:
        """The faction's kill before one's own ability, as in every game of ours."""
        lines = sorted(actions, key=_ABILITY_FIRST)
        kills = [action for action in lines if action.ability == _MAFIA_KILL]
        return kills + [action for action in lines if action.ability != _MAFIA_KILL] if kills else lines


@dataclass(frozen=True, slots=True)
class Twilight(CustomPosition):
    """A night in which somebody who was voted out may still kill somebody (CM-R72): `avengers` with their
    cards."""

    avengers: Mapping[SlotId, Role] = field(default_factory=dict)

    def fault(self, action: Action) -> FaultCode | None:
        """Who was voted out is judged as if they lived."""
        if action.ability == Ability.AVENGE and action.actor in self.avengers:
            everybody = {**self.roles, action.actor: self.avengers[action.actor]}
            return UsesPosition.fault(replace(self, roles=everybody), action)
        return UsesPosition.fault(self, action)

    def use_fault(self, role: Role, action: Action) -> FaultCode | None:
        """They have one vengeance, in this night."""
        if action.ability == Ability.AVENGE and action.actor in self.avengers:
            return None
        return CustomPosition.use_fault(self, role, action)


def night_position(state: State) -> CustomPosition:
    """The position a night is resolved from, or what is sent by day is judged by."""
    known = (
        state.living,
        state.number,
        state.shots,
        state.rules.chosen,
        state.used_last,
        state.rules.lovers,
        state.questions.tonight,
        fallen_abilities(state.cards[slot] for slot in state.left),
        state.aimed,
        frozenset(slot for slot, own in state.aimed.items() if not KILLS.isdisjoint(own)),
        state.phase is Phase.DAY,
        lost_abilities(state.cards[slot] for slot in state.left),
    )
    avenging = avengers(state)
    if not avenging:
        return CustomPosition(*known)
    return Twilight(*known, {slot: state.cards[slot] for slot in avenging})


def lost_abilities(dead: Iterable[Role]) -> frozenset[str]:
    """CM-R94: what nobody can do any more, the dead being these."""
    return frozenset[str]().union(*map(enabled_by, dead))


def avengers(state: State) -> tuple[SlotId, ...]:
    """CM-R72: who was voted out on the day before this night and may still kill somebody."""
    if state.phase is not Phase.NIGHT:
        return ()
    day = f"{Phase.DAY} {state.number - state.night_first}"
    return tuple(
        slot
        for slot, gone in state.left.items()
        if (gone.how, gone.when) == (ELIMINATED, day)
        and Ability.AVENGE in state.cards[slot].abilities
        and (slot, AVENGER) not in state.standing
    )


def fallen_abilities(dead: Iterable[Role]) -> dict[Alignment, frozenset[str]]:
    """CM-R65: of each side the abilities that its dead had."""
    found: dict[Alignment, frozenset[str]] = {}
    for role in dead:
        own = {str(one) for one in role.abilities if not role.asks(one, Modifier.BACKUP)}
        had = own | {_AS_KILL[one] for one in role.traits if one in _AS_KILL}
        found[role.alignment] = found.get(role.alignment, frozenset()) | had
    return found


def used(sent: Iterable[Action], rejected: Set[Action]) -> dict[SlotId, frozenset[str]]:
    """CM-R22: what each did in the night, whatever came of it."""
    actions = [action for action in sent if action not in rejected]
    return {
        actor: frozenset(action.ability for action in actions if action.actor == actor)
        for actor in sorted({action.actor for action in actions})
    }


def named_so_far(before: Aimed, sent: Iterable[Action], night: int, rejected: Set[Action]) -> Aimed:
    """CM-R82, CM-R83: whom each has named for what, with this night's lines as they were sent."""
    after = {actor: {one: dict(named) for one, named in own.items()} for actor, own in before.items()}
    for action in sent:
        if action not in rejected:
            named = after.setdefault(action.actor, {}).setdefault(action.ability, {})
            named.update(dict.fromkeys(action.targets, night))
    return after


def heirs(cards: Mapping[SlotId, Role], dead: Set[SlotId]) -> dict[SlotId, tuple[Role, SlotId | None]]:
    """CM-R86, CM-R87: the new cards of the living who inherit something of these dead, each with whom of them
    they become, None where they are a backup of one thing."""
    fallen = {slot: role for slot, role in cards.items() if slot in dead}
    found: dict[SlotId, tuple[Role, SlotId | None]] = {}
    for slot, role in cards.items():
        universal = Trait.UNIVERSAL_BACKUP in role.traits
        if slot in dead or not (universal or waiting(role)):
            continue
        after = heir_of(role, tuple(fallen.values()))
        if after != role:
            became = next(name for name, card in fallen.items() if card is after) if universal else None
            found[slot] = (after, became)
    return found


def inherit(state: State) -> State:
    """The state once the living have inherited what they can."""
    new = heirs(state.cards, state.left.keys())
    if not new:
        return state
    shots = {slot: state.shots[of] for slot, (_, of) in new.items() if of and of in state.shots}
    cards = {slot: new[slot][0] if slot in new else role for slot, role in state.cards.items()}
    return replace(state, cards=cards, shots={**state.shots, **shots})


def known_to(state: State, slot: SlotId) -> dict[str, tuple[SlotId, ...]]:
    """CM-R35, CM-R62: whom a player knows, dead ones too, as `mafia`, `served`, `mason`, `neighbor` or
    `lover`."""
    own = state.cards[slot]
    bound = {
        bond: tuple(name for name, card in state.cards.items() if name != slot and own.shares(bond, card))
        for bond in own.bonds
    }
    for host, invited in neighborhoods(state).items():
        if slot in (host, *invited):
            others = (name for name in (host, *invited) if name != slot)
            bound["neighbor"] = tuple(dict.fromkeys((*bound.get("neighbor", ()), *others)))
    known = {
        "mafia": mafia_state.teammates(state, slot),
        "served": served(state, slot),
        **bound,
        "lover": lovers_of(state, slot) if state.rules["lovers_know"] == "yes" else (),
    }
    return {bond: slots for bond, slots in known.items() if slots}


def served(state: State, slot: SlotId) -> tuple[SlotId, ...]:
    """CM-R101: the mafia or the pack that a Minion serves."""
    own = state.cards[slot]
    if Trait.MINION not in own.traits:
        return ()
    return tuple(
        name for name, card in state.cards.items() if card.in_team and card.alignment is own.alignment
    )


def told_lovers(
    cards: Mapping[SlotId, Role], told: Iterable[Iterable[SlotId]], dead: Container[SlotId] = ()
) -> tuple[frozenset[SlotId], ...]:
    """CM-R16: who loves whom in a position that was told. Two living lovers whom no group names are a pair.

    Raises InputError where one alone or several are named in none: only who dealt them knows.
    """
    groups = tuple(map(frozenset, told))
    named = frozenset[SlotId]().union(*groups)
    unnamed = [slot for slot, card in cards.items() if Trait.LOVER in card.traits and slot not in named]
    alone = [slot for slot in unnamed if slot not in dead]
    if len(alone) > 2 or (not groups and len(unnamed) == len(alone) == 1):
        raise InputError(
            sentence(
                "Nothing says {whom}. A night that is written down names each group: "
                'lovers = [["{one}", "{other}"]].',
                whom=joined("", ("whom ", alone[0], " loves"))
                if len(alone) == 1
                else joined("", ("who of ", joined(", ", alone), " love each other")),
                one=alone[0],
                other=alone[1] if len(alone) > 1 else "NAME",
            )
        )
    return (*groups, frozenset(alone)) if len(alone) == 2 else groups


def lovers_of(state: State, slot: SlotId) -> tuple[SlotId, ...]:
    """Everybody whom a slot loves, in slot order."""
    loved = {other for group in state.rules.lovers if slot in group for other in group}
    return tuple(name for name in state.cards if name in loved and name != slot)
