"""The end of a game, and what each turn adds to its story and its table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from knightfall.engine.game import Outcome
from knightfall.games.knights_duty.piles import Card
from knightfall.games.knights_duty.state import Deed, Ending, Phase, Score, State
from knightfall.sentence import SlotId

LIMIT_OFFERED = 60
"""KD-32: after so many turns the moderator is reminded that a last turn can be set."""


def settled(state: State) -> State:
    """The state, over if it is (KD-26). Nobody left: a draw between those who fell in the last round."""
    left = tuple(state.living)
    if len(left) > 1:
        return state
    if left:
        return _over(state, Ending(left[0], (), "last"))
    fell = state.rounds[-1].fell if state.rounds else ()
    return _over(state, Ending(None, fell, "fell" if fell else "left"))


def at_limit(state: State) -> State:
    """KD-32: after the last turn most hearts win, then it is a draw between those who have most."""
    if state.ending or state.limit is None or state.turn < state.limit:
        return state
    left = tuple(state.living)
    most = tuple(slot for slot in left if state.knights[slot].heart) or left
    alone = most[0] if len(most) == 1 else None
    return _over(state, Ending(alone, () if alone else most, "limit"))


def _over(state: State, ending: Ending) -> State:
    return replace(state, phase=Phase.OVER, ending=ending, plans={}, shuffles={})


def told(state: State) -> State:
    """The state with the rounds of its turn written into the table and the story."""
    scores = dict(state.scores)
    deeds = []
    for number, attack in ((played.number, attack) for played in state.rounds for attack in played.attacks):
        own = scores.get(attack.attacker, Score())
        scores[attack.attacker] = replace(
            own,
            hits=own.hits + (attack.card is Card.HIT),
            misses=own.misses + (attack.card is Card.MISS),
            shields=own.shields + (attack.card is Card.SHIELD),
            forfeits=own.forfeits + (attack.target is None),
            disarmed=own.disarmed + attack.disarmed,
        )
        if attack.target is None:
            continue
        if attack.wound or attack.disarmed:
            theirs = scores.get(attack.target, Score())
            scores[attack.target] = replace(
                theirs,
                wounds=theirs.wounds + (attack.wound is not None),
                disarms=theirs.disarms + attack.disarmed,
            )
        if attack.wound:
            deeds.append(
                Deed(state.turn, number, attack.attacker, attack.weapon, attack.target, attack.wound)
            )
    return replace(state, scores=scores, story=(*state.story, *deeds))


def outcome(state: State) -> Outcome | None:
    """None while the game goes on; a draw has no winner, and is between those that it names."""
    if state.ending is None:
        return None
    winner = state.ending.winner
    return Outcome(winner, (winner,) if winner else (), state.ending.drawn)


def scores_of(state: State) -> Mapping[SlotId, Score]:
    """Everyone's line of the table, in seat order."""
    return {slot: state.scores.get(slot, Score()) for slot in state.knights}
