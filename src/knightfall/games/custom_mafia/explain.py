"""Which words does a custom game have for what became of an action?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from knightfall.games.custom_mafia.dusk import Code
from knightfall.games.custom_mafia.night import Found, Turn
from knightfall.games.custom_mafia.submissions import aim, notation
from knightfall.games.custom_mafia.verbs import Ability
from knightfall.mafia import explain
from knightfall.mafia.explain import Words
from knightfall.mafia.night import Action, Reason

_TURNED_BY: Mapping[str, str] = {Ability.DRIVE: "driven by", Ability.REDIRECT: "redirected by"}

WORDS = Words(
    notation,
    {
        Code.NOT_A_PLAYER: "no living player",
        Code.NOT_YOUR_ABILITY: "not on the card",
        Code.WRONG_NIGHT: "not on this night",
        Code.NO_SHOTS: "no use left",
        Code.BAD_ARGS: "wrong number of targets",
        Code.UNKNOWN_TARGET: "the target is not alive",
        Code.SELF_TARGET: "no action on oneself",
        Code.SLOT_TAKEN: "the slot was filled",
        Reason.IN_JAIL: "the target is in jail",
        Reason.TURNED: "turns what it meets",
        Reason.KNOT: "no action of the ring happens",
        Reason.GUARDED: "the bodyguard takes it",
        Reason.TOOK_THE_KILL: "dies in the target's place",
        Reason.STRUCK_BACK: "a Bomb strikes back",
        Reason.LOVE: "dies of love",
        Reason.WEAKNESS: "weak, and the target is of another side",
        Reason.LOYAL: "loyal, and the target is of another side",
        Reason.DISLOYAL: "disloyal, and the target is of the same side",
        Reason.LAZY: "lazy, and at most one player is not of the town",
    },
    {},
)


def words_of(found: Found) -> Words:
    """The words for one night: an action that was turned says where it went, and by whom it was sent."""
    turned = {action: turn for turn in found.turned for action in (turn.sent, turn.went)}
    return replace(WORDS, notation=lambda action: _turned(turned, action))


def _turned(turned: Mapping[Action, Turn], action: Action) -> str:
    turn = turned.get(action)
    if turn is None:
        return notation(action)
    by = ", ".join(f"{_TURNED_BY.get(cause.ability, 'turned by')} {cause.actor}" for cause in turn.by)
    return f"{notation(turn.sent)} → {aim(turn.went)} ({by})"


def night_facts(number: int, found: Found, silent: Sequence[str]) -> dict[str, object]:
    """All of a night for the moderator's sheet. `silent`: who could act and sent nothing that stands."""
    return explain.night_facts(words_of(found), number, found.night, silent)
