"""What players of a custom game do by day: a shot (CM-R71), a pardon (CM-R73), a mayor's step forward
(CM-R74); and the vengeance of who was voted out (CM-R72), which comes in the night after.

A line stands like an order of the night, under the key of its day. A shot, a vengeance and a step forward
happen as soon as they are taken; a pardon waits for the end of the day, and there it is the moderator who
says that it holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from knightfall.games.custom_mafia.abilities import BY_DAY, Ability, Passive, Trait
from knightfall.games.custom_mafia.state import DAY_ACT, State, avengers
from knightfall.mafia.night import Action
from knightfall.mafia.roles import Role
from knightfall.mafia.state import Decision, spend
from knightfall.sentence import SlotId

AT_ONCE = frozenset(map(str, (Ability.DAY_KILL, Ability.AVENGE, Ability.REVEAL)))
"""What happens when it is sent."""
MAYORS_VOTE = 2
"""CM-R74."""


def acts_by_day(state: State, slot: SlotId) -> bool:
    """Whether a living slot may send something by day, or a dead one its vengeance."""
    if slot in state.living:
        return not (BY_DAY - {Ability.AVENGE}).isdisjoint(state.cards[slot].abilities)
    return slot in avengers(state)


def new_acts(before: State, after: State) -> Iterator[Action]:
    """What a message has made happen at once."""
    stood = before.actions
    return (action for action in after.actions if action.ability in AT_ONCE and action not in stood)


def used_up(state: State, action: Action) -> State:
    """The state with a limited use of it spent; nobody steps forward twice."""
    if action.ability == Ability.REVEAL:
        return replace(state, forward=state.forward | {action.actor})
    if state.cards[action.actor].abilities[action.ability] is None:
        return state
    return replace(state, shots=spend(state, {action.actor: {action.ability: 1}}))


def is_done(state: State, slot: SlotId) -> bool:
    """Whether a slot has done today what cannot be taken back."""
    act = state.standing.get((slot, DAY_ACT))
    return act is not None and act.ability in AT_ONCE


def stopped(state: State, target: SlotId) -> State | None:
    """CM-R71: the state after Bulletproof has stopped a shot; None where nothing stops it."""
    passives = state.cards[target].passives
    if Passive.BULLETPROOF not in passives:
        return None
    printed = passives[Passive.BULLETPROOF]
    if printed is None:
        return state
    if not state.shots.get(target, {}).get(Passive.BULLETPROOF, printed):
        return None
    return replace(state, shots=spend(state, {target: {Passive.BULLETPROOF: 1}}))


def pardons(state: State) -> tuple[Action, ...]:
    """The pardons that stand, with `options` where the moderator has said that they hold."""
    return tuple(action for action in state.actions if action.ability == Ability.PARDON)


def pardoned(state: State) -> State | None:
    """CM-R73: nobody is eliminated today, because of the first pardon that stands; None: none does."""
    if not (standing := pardons(state)):
        return None
    held = standing[0]._replace(options=("holds",))
    return replace(state, decision=Decision(), standing={**state.standing, (held.actor, DAY_ACT): held})


def after_the_day(state: State) -> State:
    """A pardon that held is spent, and what stood for the day stands no more."""
    for action in pardons(state):
        if action.options and state.decision == Decision():
            state = used_up(state, action)
    return replace(state, standing={key: one for key, one in state.standing.items() if key[1] != DAY_ACT})


def told_forward(cards: Mapping[SlotId, Role], uses: Mapping[SlotId, Mapping[str, int]]) -> frozenset[SlotId]:
    """Of a position that was told: the mayors of whom it says that they have stepped forward already."""
    return frozenset(
        slot
        for slot, card in cards.items()
        if Ability.REVEAL in card.abilities and uses.get(slot, {}).get(Ability.REVEAL) == 0
    )


def vote_marks(state: State) -> dict[SlotId, tuple[int, int]]:
    """CM-R74 to CM-R76: of each slot whose vote is not like the others its weight, and how many votes more or
    fewer it takes to eliminate it."""
    found = {}
    for slot, card in state.cards.items():
        weight = 2 if Trait.DOUBLEVOTER in card.traits else 0 if Trait.VOTELESS in card.traits else 1
        weight = MAYORS_VOTE if slot in state.forward else weight
        shift = (Trait.LOVED in card.traits) - (Trait.HATED in card.traits)
        if (weight, shift) != (1, 0):
            found[slot] = (weight, shift)
    return found
