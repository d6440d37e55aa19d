"""How the lines of a night of a custom game are written, what became of them is told, and why."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from knightfall.games.custom_mafia.abilities import ABILITIES, BY_THEMSELVES, Ability
from knightfall.games.custom_mafia.night import CustomNight
from knightfall.games.custom_mafia.night_position import FAULTS
from knightfall.mafia.ability_row import AbilityRow, verbs_of
from knightfall.mafia.explain import Words
from knightfall.mafia.night import Action, Reason
from knightfall.mafia.orders import NO_ACTION, NO_KILL
from knightfall.mafia.trace import Trace
from knightfall.sentence import Sentence, SlotId, joined, sentence

CHECK = "check"
"""Whichever check the card has for tonight."""
A_KILL = "a kill"
"""The word `kill` alone, which is the faction's kill or one's own."""

_ROWS: Mapping[str, AbilityRow] = {row.id: row for row in (*ABILITIES, *BY_THEMSELVES)}
VERBS: Mapping[str, str] = {
    **verbs_of(ABILITIES),
    "kill": A_KILL,
    "check": CHECK,
    "investigate": CHECK,
    NO_ACTION: NO_ACTION,
    "idle": NO_ACTION,
    NO_KILL: NO_KILL,
}

# The words that belong between two targets: `redirect ADA to BORO` (or `onto`), `drive ADA with BORO`. Names
# with an "and" between them are read as any names in a row.
BETWEEN: Mapping[str, re.Pattern[str]] = {
    row.id: re.compile(f" (?:{'|'.join(word for word in row.between if word != 'and')}) ", re.I)
    for row in ABILITIES
    if row.targets == 2
}


def notation(action: Action, reader: SlotId | None = None) -> Sentence:
    """The line that says this action: what a receipt quotes, and what is read back. A reader who does not
    carry it is told who does."""
    row = _ROWS[action.ability]
    words: list[object] = [row.written, row.aim(action.targets)]
    words += ["by", action.actor] if reader is not None and reader != action.actor else []
    return joined(" ", (word for word in words if word))


WORDS = Words(
    _ROWS,
    notation,
    {
        **{code: fault.phrase for code, fault in FAULTS.items()},
        Reason.IN_JAIL: "the target is in jail",
        Reason.TURNED: "turns what it meets",
        Reason.KNOT: "no action of the ring happens",
        Reason.IDLE_KNOT: "in a loop that changes nothing for anybody",
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
_TURNED_BY: Mapping[str, str] = {Ability.DRIVE: "driven by", Ability.REDIRECT: "redirected by"}


def words_of(night: CustomNight) -> Words:
    """The words for one night: an action that was turned says where it went, and by whom it was sent."""
    turned = {action: turn for turn in night.turned for action in (turn.sent, turn.went)}

    def with_turns(action: Action) -> Sentence:
        turn = turned.get(action)
        if turn is None:
            return notation(action)
        by = joined(
            ", ",
            (joined(" ", (_TURNED_BY.get(cause.ability, "turned by"), cause.actor)) for cause in turn.by),
        )
        went = _ROWS[turn.went.ability].aim(turn.went.targets)
        return sentence("{sent} → {went} ({by})", sent=notation(turn.sent), went=went, by=by)

    return replace(WORDS, notation=with_turns)


class CustomTrace(Trace):
    """The common roles explain themselves."""

    visit_ruling = "CM-R29"
    stopped_ruling = "CM-R30"
