"""Why did an action end as it did, in words for the moderator?"""

from __future__ import annotations

from collections.abc import Mapping

from knightfall.games.knight_errant.dusk import Code
from knightfall.games.knight_errant.submissions import notation
from knightfall.mafia.night import Action, Answer, Caution, Death, Fate, Night, Note, Reason

_BECAUSE: Mapping[str, str] = {
    Reason.TARGET_COMMUTING: "the target commutes",
    Reason.ACTOR_JAILED: "its actor is jailed",
    Reason.TARGET_JAILED: "the target is jailed",
    Reason.ACTOR_ROLEBLOCKED: "its actor is roleblocked",
    Reason.ACTOR_KILLED: "its actor dies",
    Reason.ACTOR_COMMUTING: "its actor commutes",
    Reason.AWAY: "away for the night",
    Reason.HOLDS: "holds",
    Reason.LANDED: "lands",
    Reason.UNSTOPPABLE: "lands, nothing stops it",
    Reason.HEALED: "healed",
    Reason.BULLETPROOF: "bulletproof",
    Reason.VEST: "stopped by the vest",
    Reason.SAVED: "stops a kill",
    Reason.UNUSED: "no kill to stop",
    Reason.WORN: "worn",
    Reason.ANSWERED: "answered",
    Code.NOT_A_PLAYER: "no living player",
    Code.NOT_YOUR_ABILITY: "not on the card",
    Code.EVEN_NIGHTS_ONLY: "even nights only",
    Code.NO_SHOTS: "no use left",
    Code.BAD_ARGS: "wrong number of targets",
    Code.UNKNOWN_TARGET: "the target is not alive",
    Code.SELF_TARGET: "no action on oneself",
    Code.TEAMMATE: "no kill on a teammate",
    Code.SLOT_TAKEN: "the slot was filled",
}
_FATES: Mapping[Fate, str] = {
    Fate.STOOD: "done",
    Fate.ABSORBED: "survived",
    Fate.BLOCKED: "failed",
    Fate.LOST: "failed",
    Fate.REJECTED: "rejected",
}
_CAUTIONS: Mapping[str, str] = {
    "teammate": "the mafia kills one of its own",
    "one_on_one": "the Serial Killer and one other are left: the game goes on until one is dead",
    "stalemate": "neither of the last two can win by himself: you may declare a draw",
}


def because(note: Note) -> str:
    """A short phrase: the reason, and the action that caused it."""
    reason = _BECAUSE[note.reason]
    return f"{reason}: {said(note.cause)}" if note.cause else reason


def said(action: Action) -> str:
    """Actor and line: `Ada: jail Boro`."""
    return f"{action.actor}: {notation(action)}"


def caution_text(caution: Caution) -> str:
    """A sentence about a caution, with the action it is about."""
    text = _CAUTIONS[caution.code]
    return f"{text} ({said(caution.action)})" if caution.action else text


def answer_text(answer: Answer | None) -> str:
    """Names with commas, or the word itself."""
    return answer if isinstance(answer, str) else ", ".join(answer or ())


def trace_row(note: Note) -> dict[str, str]:
    """One line of the moderator's sheet."""
    row = {"actor": note.action.actor, "action": notation(note.action), "fate": _FATES[note.fate]}
    return row | {"because": because(note), "ruling": note.ruling}


def night_facts(number: int, night: Night) -> dict[str, object]:
    """All of a night for the moderator's sheet."""
    return {
        "night": number,
        "trace": [trace_row(note) for note in night.trace],
        "deaths": [_attacked(death) for death in night.deaths],
        "survived": [_attacked(death) for death in night.survived],
        "results": [
            {"actor": action.actor, "action": notation(action), "answer": answer_text(answer)}
            for action, answer in night.results
        ],
        "spent": [
            {"slot": slot, "ability": str(ability), "uses": uses}
            for slot, abilities in night.spent.items()
            for ability, uses in abilities.items()
        ],
        "cautions": [{"text": caution_text(caution), "ruling": caution.ruling} for caution in night.cautions],
    }


def _attacked(death: Death) -> dict[str, object]:
    attacks = [{"kill": said(note.action), "because": because(note)} for note in death.attacks]
    return {"name": death.slot, "attacks": attacks}
