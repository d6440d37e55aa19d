"""What do the lines of a player's message ask for, and which of them stand?

One action a player and one kill for the mafia, each the latest valid line (CM-R32); a refused line changes
nothing. The kill's carrier is who sends it, or whom he names: `kill Ada by Boro`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations, permutations

from knightfall.engine.commands import Command
from knightfall.engine.game import Refusal, SlotId
from knightfall.games.custom_mafia.dusk import Code, Dusk, fault, slots_of
from knightfall.games.custom_mafia.state import State, dusk_of
from knightfall.games.custom_mafia.verbs import AIMS, KILLS, Ability
from knightfall.mafia import orders
from knightfall.mafia.night import Action
from knightfall.mafia.orders import Aliases, Wanted

CHECK = "check"
A_KILL = "a kill"
"""The word `kill` alone, which is the faction's kill or one's own."""
NO_ACTION = "no action"
NO_KILL = "no kill"

WORDS: Mapping[str, str] = {
    **{str(ability): str(ability) for ability in Ability},
    "kill": A_KILL,
    "mafia kill": Ability.MAFIA_KILL,
    "shoot": Ability.KILL,
    "vig": Ability.KILL,
    "block": Ability.ROLEBLOCK,
    "protect": Ability.HEAL,
    "save": Ability.HEAL,
    "bodyguard": Ability.GUARD,
    "swap": Ability.DRIVE,
    "role cop": Ability.ROLECOP,
    "follow": Ability.TRACK,
    "check": CHECK,
    "investigate": CHECK,
    NO_ACTION: NO_ACTION,
    "idle": NO_ACTION,
    NO_KILL: NO_KILL,
}
WORD_OF: Mapping[str, str] = {Ability.MAFIA_KILL: "mafia kill", Ability.KILL: "shoot", "love": "in love with"}
"""How an ability is written where its id is not the word itself."""
_CHECKS = (Ability.COP, Ability.GUNSMITH, Ability.ROLECOP)
_BETWEEN: Mapping[str, re.Pattern[str]] = {
    Ability.REDIRECT: re.compile(" (?:on)?to ", re.I),
    Ability.DRIVE: re.compile(" with ", re.I),
}

_SENTENCES: Mapping[str, str] = {
    Code.NOT_A_PLAYER: "only a living player can act",
    Code.NOT_YOUR_ABILITY: "your card does not have this ability",
    Code.WRONG_NIGHT: "your card does not allow it tonight",
    Code.NO_SHOTS: "you have no use of this ability left",
    Code.BAD_ARGS: "name one player: heal ADA; two different ones: redirect ADA to BORO, drive ADA and BORO; "
    "and nobody for commute",
    Code.UNKNOWN_TARGET: "the player you name is not alive",
    Code.SELF_TARGET: "you cannot target yourself",
    Code.SLOT_TAKEN: "you have one action a night, and another line has it",
}


def take(
    state: State, slot: SlotId, lines: tuple[str, ...], aliases: Aliases
) -> tuple[State, tuple[tuple[str, Refusal], ...]]:
    """Apply the lines of one message of a living slot in order; returns the state and what was refused."""
    readings = (
        orders.read_line(
            line, WORDS, (NO_ACTION, NO_KILL), lambda command: _read_action(state, slot, command, aliases)
        )
        for line in lines
    )
    return orders.settle(state, readings, lambda before, wanted: _apply(before, slot, wanted))


def _read_action(state: State, slot: SlotId, command: Command, aliases: Aliases) -> Action | Refusal:
    dusk = dusk_of(state)
    return orders.read_action(
        _ability(dusk, slot, command.verb),
        lambda ability: _aimed(state, slot, ability, command.argument, aliases),
        lambda action: refusal(code) if (code := fault(dusk, action)) else None,
    )


def _ability(dusk: Dusk, slot: SlotId, verb: str) -> str | Refusal:
    """`kill` is the faction's for a mafioso; `check` is whichever check the card has for tonight."""
    role = dusk.roles[slot]
    if verb == CHECK:
        own = [ability for ability in _CHECKS if ability in role.abilities]
        # Tonight, on somebody.
        return orders.one_check(
            own, lambda a: next(_actions(dusk, slot, a), None) is not None, refusal(Code.NOT_YOUR_ABILITY)
        )
    if verb != A_KILL:
        return verb
    if role.abilities.keys() >= KILLS:
        return Refusal("AMBIGUOUS_ABILITY", "your card has two kills: say mafia kill or shoot")
    return Ability.MAFIA_KILL if Ability.MAFIA_KILL in role.abilities else Ability.KILL


def _aimed(state: State, slot: SlotId, ability: str, argument: str, aliases: Aliases) -> Action | Refusal:
    if not argument or not AIMS[ability]:
        return refusal(Code.BAD_ARGS) if argument else Action(slot, ability)
    if AIMS[ability] > 1:
        # With the word that belongs between them, or as any names in a row.
        pair = orders.parse_pair(state, _BETWEEN[ability], argument, aliases)
        named = pair if isinstance(pair, tuple) else orders.parse_targets(state, argument, aliases)
        if isinstance(named, Refusal):
            return pair if isinstance(pair, Refusal) else named
        return Action(slot, ability, named)
    return orders.aimed_at_one(state, slot, ability, argument, aliases, Ability.MAFIA_KILL)


def refusal(code: Code) -> Refusal:
    """The code with its sentence."""
    return Refusal(code, _SENTENCES[code])


def _apply(state: State, slot: SlotId, wanted: Wanted) -> State:
    if isinstance(wanted, Action):
        return orders.enter(state, wanted, slots_of(dusk_of(state), wanted))
    return orders.take_back(state, slot, Ability.MAFIA_KILL, KILLS if wanted.verb == NO_KILL else None)


def notation(action: Action, reader: SlotId | None = None) -> str:
    """The line that says this action: what a receipt quotes and `take` reads back. Its reader is told who
    carries it, if that is not himself."""
    words = [WORD_OF.get(action.ability, action.ability), aim(action)]
    words += [f"by {action.actor}"] if reader is not None and reader != action.actor else []
    return " ".join(word for word in words if word)


def aim(action: Action) -> str:
    """The targets as the line has them."""
    return (" to " if action.ability == Ability.REDIRECT else " and ").join(action.targets)


def possible(state: State, slot: SlotId) -> Iterator[Action]:
    """Every legal action of the slot by itself."""
    dusk = dusk_of(state)
    for ability in state.cards[slot].abilities:
        yield from _actions(dusk, slot, ability)


def _actions(dusk: Dusk, slot: SlotId, ability: str) -> Iterator[Action]:
    """What is legal tonight with one ability; a bus drives its two either way round."""
    ways = combinations if ability == Ability.DRIVE else permutations
    every = (Action(slot, ability, aim) for aim in ways(dusk.roles, AIMS[ability]))
    return (action for action in every if fault(dusk, action) is None)
