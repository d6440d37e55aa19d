"""What do the lines of a player's message ask for, and which of them stand?

The latest valid line of a slot stands (KE-R17, KE-R19); a refused line changes nothing. The mafia's kill is
one slot of the whole faction: whoever sends the latest valid kill carries it, or names who does (`kill Ada
by Boro`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from knightfall.engine.commands import Command
from knightfall.engine.game import Refusal, SlotId
from knightfall.games.knight_errant.dusk import Code, Dusk, fault, slots_of
from knightfall.games.knight_errant.roles import CHECKS, KILLS, SELF_ONLY, Ability
from knightfall.games.knight_errant.state import State, dusk_of
from knightfall.mafia import orders
from knightfall.mafia.night import Action
from knightfall.mafia.orders import Aliases, Reading, Wanted
from knightfall.mafia.roles import Alignment

CHECK = "check"
NO_ACTION = "no action"
NO_KILL = "no kill"

WORDS: Mapping[str, str] = {
    "kill": Ability.KILL,
    "strong kill": Ability.STRONG_KILL,
    "strong-kill": Ability.STRONG_KILL,
    "strong_kill": Ability.STRONG_KILL,
    "strongkill": Ability.STRONG_KILL,
    "mafia kill": Ability.MAFIA_KILL,
    "mafia_kill": Ability.MAFIA_KILL,
    "commute": Ability.COMMUTE,
    "jail": Ability.JAIL,
    "roleblock": Ability.ROLEBLOCK,
    "block": Ability.ROLEBLOCK,
    "heal": Ability.HEAL,
    "investigate": CHECK,
    "check": CHECK,
    "cop": Ability.COP,
    "gunsmith": Ability.GUNSMITH,
    "track": Ability.TRACK,
    "watch": Ability.WATCH,
    "vest": Ability.BULLETPROOF,
    "bulletproof": Ability.BULLETPROOF,
    "no action": NO_ACTION,
    "idle": NO_ACTION,
    "no kill": NO_KILL,
}
WORD_OF: Mapping[str, str] = {Ability.STRONG_KILL: "strong kill", Ability.MAFIA_KILL: "kill"}
"""How an ability is written where its id is not the word itself."""

_SENTENCES: Mapping[str, str] = {
    Code.NOT_A_PLAYER: "only a living player can act",
    Code.NOT_YOUR_ABILITY: "your card does not have this ability",
    Code.EVEN_NIGHTS_ONLY: "this ability works on even nights only",
    Code.NO_SHOTS: "you have no use of this ability left",
    Code.BAD_ARGS: "name exactly one player, or none for an ability without a target",
    Code.UNKNOWN_TARGET: "the player you name is not alive",
    Code.SELF_TARGET: "you cannot target yourself",
    Code.TEAMMATE: "you cannot kill your own teammate",
    Code.SLOT_TAKEN: "the strong kill comes instead of the kill, and this message has both",
}


def take(
    state: State, slot: SlotId, lines: tuple[str, ...], aliases: Aliases
) -> tuple[State, tuple[tuple[str, Refusal], ...]]:
    """Apply the lines of one message of a living slot in order; returns the state and what was refused."""
    readings = _strong_first(tuple(read_line(state, slot, line, aliases) for line in lines))
    return orders.settle(state, readings, lambda before, wanted: _apply(before, slot, wanted))


def read_line(state: State, slot: SlotId, line: str, aliases: Aliases) -> Reading:
    """What the line asks for, judged by itself."""
    return orders.read_line(
        line, WORDS, (NO_ACTION, NO_KILL), lambda command: _read_action(state, slot, command, aliases)
    )


def _read_action(state: State, slot: SlotId, command: Command, aliases: Aliases) -> Action | Refusal:
    dusk = dusk_of(state)
    return orders.read_action(
        _ability(dusk, slot, command.verb),
        lambda ability: _aimed(state, slot, ability, command.argument, aliases),
        lambda action: refusal(code) if (code := fault(dusk, action)) else None,
    )


def _ability(dusk: Dusk, slot: SlotId, verb: str) -> str | Refusal:
    """`kill` is the faction's for a mafioso; `check` is whichever check the card has uses of."""
    role = dusk.roles[slot]
    if verb == Ability.KILL and role.alignment is Alignment.MAFIA:
        return Ability.MAFIA_KILL
    if verb != CHECK:
        return verb
    own = sorted(ability for ability in CHECKS & role.abilities.keys())
    return orders.one_check(own, lambda a: _usable(dusk, slot, a), refusal(Code.NOT_YOUR_ABILITY))


def _usable(dusk: Dusk, slot: SlotId, ability: str) -> bool:
    printed = dusk.roles[slot].abilities[ability]
    return printed is None or dusk.shots.get(slot, {}).get(ability, printed) > 0


def _aimed(state: State, slot: SlotId, ability: str, argument: str, aliases: Aliases) -> Action | Refusal:
    if not argument or ability in SELF_ONLY:
        return Action(slot, ability) if not argument else refusal(Code.BAD_ARGS)
    return orders.aimed_at_one(state, slot, ability, argument, aliases, Ability.MAFIA_KILL)


def refusal(code: Code) -> Refusal:
    return Refusal(code, _SENTENCES[code])


def _strong_first(readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """KE-R19: in one message the strong kill stands and the kill is refused."""
    abilities = {r.wanted.ability for r in readings if isinstance(r.wanted, Action)}
    if Ability.STRONG_KILL not in abilities:
        return readings
    return tuple(
        replace(r, wanted=refusal(Code.SLOT_TAKEN))
        if isinstance(r.wanted, Action) and r.wanted.ability == Ability.KILL
        else r
        for r in readings
    )


def _apply(state: State, slot: SlotId, wanted: Wanted) -> State:
    if isinstance(wanted, Action):
        return orders.enter(state, wanted, slots_of(dusk_of(state), wanted, state.standing))
    return orders.take_back(state, slot, Ability.MAFIA_KILL, KILLS if wanted.verb == NO_KILL else None)


def notation(action: Action) -> str:
    """The line that says this action: what a receipt quotes and `take` reads back."""
    return " ".join((WORD_OF.get(action.ability, action.ability), *action.targets))
