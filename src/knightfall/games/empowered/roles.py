"""The cards of Empowered Mafia, and who is powered given whose actions an incarceration has undone.

Power flows from Empowerers, and on through every Amplifier that it reaches: the least set that is closed, so
Amplifiers alone never power each other (EM-R3).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from knightfall.games.empowered.abilities import Ability
from knightfall.mafia.night import Action
from knightfall.mafia.roles import Alignment, Role
from knightfall.sentence import SlotId

BOMB = "bomb"
"""Trait: whoever kills its holder is killed, if the holder is powered."""
SERIAL_BOMB = "serial_bomb"
"""Trait: whoever targets its holder is killed, if the holder is powered."""
PIERCING = "piercing"
"""Trait: nothing prevents a Murder that its holder carries."""
INVISIBLE = "invisible"
"""Trait: its holder may hide each action."""
ADAPTABLE = "adaptable"
"""Trait: once, and again while powered: Obliteration or Incarceration."""


def _town(name: str, ability: Ability | None = None, *traits: str) -> Role:
    return Role(name, Alignment.TOWN, {ability: None} if ability else {}, frozenset(traits))


def _mafia(name: str, ability: Ability | None = None, *traits: str) -> Role:
    own: dict[str, None] = {ability: None} if ability else {}
    return Role(name, Alignment.MAFIA, {Ability.MURDER: None, **own}, frozenset(traits))


EMPOWERER = _town("Empowerer", Ability.EMPOWER)

TOWN_ROLES = (
    _town("Amplifier", Ability.AMPLIFY),
    _town("Doctor", Ability.PROTECT),
    _town("Jailkeeper", Ability.INCARCERATE),
    _town("Cop", Ability.INVESTIGATE),
    _town("Tracker", Ability.TRACK),
    _town("Watcher", Ability.STAKEOUT),
    _town("Vigilante", Ability.VIG),
    _town("Bomb", None, BOMB),
)
"""The eight of which every game has equally many on its list."""

MAFIA_ROLES = (
    _mafia("Strongman", None, PIERCING),
    _mafia("Kidnapper", Ability.INCARCERATE),
    _mafia("Ninja", Ability.INCARCERATE, INVISIBLE, ADAPTABLE),
    _mafia("Serial Bomber", None, SERIAL_BOMB),
)
"""The four that mafiosi choose from."""

UNCHOSEN = Role("Mafioso", Alignment.MAFIA)
"""EM-R29: the card of a mafioso who has not chosen a role yet."""

ROLES: Mapping[str, Role] = {role.name: role for role in (EMPOWERER, *TOWN_ROLES, *MAFIA_ROLES)}

_EMPOWER, _AMPLIFY = str(Ability.EMPOWER), str(Ability.AMPLIFY)


class Supply:
    """The empowering of one night: by whom, to whom. Immutable once made."""

    __slots__ = ("amplified", "amplifying", "any_way", "empowered", "empowering", "once")

    def __init__(self, actions: Iterable[Action], once: bool = False, any_way: bool = False) -> None:
        """`once`: an Amplifier passes on only what an Empowerer gave (the snapshot of EM-R3). `any_way`:
        whoever stands on any way of power bears on it, whether that makes a difference or not (EM-R33, as
        games of an earlier edition have it)."""
        self.empowered: list[tuple[SlotId, SlotId]] = []
        self.empowering: list[Action] = []
        self.amplified: dict[SlotId, Sequence[SlotId]] = {}
        self.amplifying: dict[SlotId, Action] = {}
        self.once, self.any_way = once, any_way
        for action in actions:
            if action.ability == _EMPOWER:
                self.empowered.append((action.actor, action.targets[0]))
                self.empowering.append(action)
            elif action.ability == _AMPLIFY:
                self.amplified[action.actor] = action.targets
                self.amplifying[action.actor] = action

    def powered(self, gone: Container[SlotId]) -> set[SlotId]:
        """Everyone with power where the actions of `gone` are undone."""
        powered = {target for owner, target in self.empowered if owner not in gone}
        if not self.amplified:
            return powered
        waiting = [slot for slot in powered if slot in self.amplified]
        while waiting:
            amplifier = waiting.pop()
            if amplifier in gone:
                continue
            fresh = [target for target in self.amplified[amplifier] if target not in powered]
            powered.update(fresh)
            if not self.once:
                waiting += [target for target in fresh if target in self.amplified]
        return powered

    def deciders(
        self, slot: SlotId, gone: AbstractSet[SlotId], aimed: AbstractSet[SlotId]
    ) -> frozenset[SlotId]:
        """Those of `aimed` who can make the difference to a slot's power, where `gone` are held already: for
        some choice of the other aimed ones the slot has power while one acts, and none when they are held.
        """
        if self.any_way:
            sure = slot in self.powered(gone | aimed)
            return frozenset() if sure else frozenset(self.on_some_way(slot, gone) & aimed)
        # EM-R33: whoever is held, the slot has power as long as one way from an Empowerer is free of them. So
        # one makes the difference exactly if a way is left that no other way makes needless: if they are in
        # one of the least sets of aimed ones who stand on a way.
        ways: list[frozenset[SlotId]] = []
        known: dict[SlotId, list[frozenset[SlotId]]] = {}
        waiting: list[tuple[SlotId, frozenset[SlotId]]] = [(slot, frozenset())]
        while waiting:
            # Backwards from the slot. A way begins with an Empowerer, who needs no power, so whoever empowers
            # one is on none.
            here, met = waiting.pop()
            ways += [
                met | {owner} if owner in aimed else met
                for owner, target in self.empowered
                if target == here and owner not in gone
            ]
            if here != slot and self.once:
                continue
            for amplifier, targets in self.amplified.items():
                if here not in targets or amplifier in gone:
                    continue
                further = met | {amplifier} if amplifier in aimed else met
                # Who came to this Amplifier past no more of the aimed did as well. That also ends every way
                # that runs in a circle (EM-R3), and keeps their number small however many lead here.
                passed = known.setdefault(amplifier, [])
                if not any(other <= further for other in passed):
                    passed.append(further)
                    waiting.append((amplifier, further))
        least = [way for way in ways if not any(other < way for other in ways)]
        return frozenset[SlotId]().union(*least)

    def on_some_way(self, slot: SlotId, gone: Container[SlotId]) -> set[SlotId]:
        """The Empowerers and Amplifiers on any way to a slot that meets nobody twice, and nobody gone."""
        found: set[SlotId] = set()
        waiting: list[tuple[SlotId, frozenset[SlotId]]] = [(slot, frozenset())]
        while waiting:
            here, way = waiting.pop()
            sources = {owner for owner, target in self.empowered if target == here and owner not in gone}
            if sources:
                found |= sources | way
            if here == slot or not self.once:
                waiting += [
                    (amplifier, way | {amplifier})
                    for amplifier, targets in self.amplified.items()
                    if here in targets and amplifier not in gone and amplifier not in way
                ]
        return found


def reached(supply: Supply, gone: Container[SlotId]) -> Mapping[SlotId, Action]:
    """Who is powered, each with one action that did it: for the moderator's why."""
    because: dict[SlotId, Action] = {}
    for action in supply.empowering:
        if action.actor not in gone:
            because.setdefault(action.targets[0], action)
    waiting = [slot for slot in because if slot in supply.amplified]
    while waiting:
        amplifier = waiting.pop(0)
        if amplifier not in gone:
            for target in supply.amplified[amplifier]:
                if target not in because:
                    because[target] = supply.amplifying[amplifier]
                    waiting += [target] if target in supply.amplified and not supply.once else []
    return because
