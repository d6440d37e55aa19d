"""Why an action ended as it did, in words for the moderator."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

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
}
_FATES: Mapping[Fate, str] = {
    Fate.STOOD: "done",
    Fate.ABSORBED: "survived",
    Fate.BLOCKED: "failed",
    Fate.LOST: "failed",
    Fate.IDLE: "idle",
    Fate.REJECTED: "rejected",
}


@dataclass(frozen=True, slots=True)
class Mark:
    """A state of players that one game knows, as `DecidedNight.marks` has it by `name`.

    `was` tells of who has it, `gained` and `missing` how another night differs in it. `behind` are the
    abilities that lead to it; `before` is the key of a night file that lists who had it already.
    """

    name: str
    was: str
    gained: str
    missing: str
    behind: frozenset[str] = frozenset()
    ruling: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """How a game says it: its notation, its own reasons and refusals, its cautions.

    `power` are abilities that let another work: as a cause they help and do not stop. What is `unpowered`
    needs none, and none is named. `marks` are the states that only this game knows.
    """

    notation: Callable[[Action], str]
    because: Mapping[str, str]
    cautions: Mapping[str, str]
    power: frozenset[str] = frozenset()
    unpowered: frozenset[str] = frozenset()
    marks: tuple[Mark, ...] = ()


def because(words: Words, note: Note) -> str:
    """A short phrase: the reason, and the action that caused it."""
    reason = words.because.get(note.reason) or _BECAUSE[note.reason]
    powered = note.cause is not None and note.cause.ability in words.power
    if note.cause is None or (powered and note.action.ability in words.unpowered):
        return reason
    link = ", powered by " if powered else ": "
    return f"{reason}{link}{said(words, note.cause)}"


def said(words: Words, action: Action) -> str:
    """Actor and line: `Ada: jail Boro`."""
    return f"{action.actor}: {words.notation(action)}"


def caution_text(words: Words, caution: Caution) -> str:
    """A sentence about a caution, with the action it is about."""
    text = words.cautions[caution.code]
    return f"{text} ({said(words, caution.action)})" if caution.action else text


def answer_text(answer: Answer | None) -> str:
    """Names with commas, or the word itself."""
    return answer if isinstance(answer, str) else ", ".join(answer or ())


def trace_row(words: Words, note: Note) -> dict[str, str]:
    """One line of the moderator's sheet."""
    row = {"actor": note.action.actor, "action": words.notation(note.action), "fate": _FATES[note.fate]}
    return row | {"because": because(words, note), "ruling": note.ruling}


def night_facts(words: Words, number: int, night: Night, silent: Sequence[str]) -> dict[str, object]:
    """All of a night for the moderator's sheet. `silent`: who could act and sent nothing that stands."""
    return {
        "night": number,
        "trace": [trace_row(words, note) for note in night.trace],
        "deaths": [_attacked(words, death) for death in night.deaths],
        "survived": [_attacked(words, death) for death in night.survived],
        "results": [
            {"actor": action.actor, "action": words.notation(action), "answer": answer_text(answer)}
            for action, answer in night.results
        ],
        "spent": [
            {"slot": slot, "ability": str(ability), "uses": uses}
            for slot, abilities in night.spent.items()
            for ability, uses in abilities.items()
        ],
        "cautions": [
            {"text": caution_text(words, caution), "ruling": caution.ruling} for caution in night.cautions
        ],
        "silent": list(silent),
    }


def _attacked(words: Words, death: Death) -> dict[str, object]:
    attacks = [{"kill": said(words, note.action), "because": because(words, note)} for note in death.attacks]
    return {"name": death.slot, "attacks": attacks}


_WORDS: Mapping[str, str] = {"mafia_kill": "kill", "strong_kill": "strong kill", "bulletproof": "vest"}
_MEANS: Mapping[str, frozenset[str]] = {
    "kill": frozenset({"mafia_kill", "murder"}),
    "check": frozenset({"cop", "gunsmith", "investigate"}),
    "investigate": frozenset({"cop", "gunsmith"}),
    "block": frozenset({"roleblock"}),
    "jail": frozenset({"incarcerate"}),
    "heal": frozenset({"protect"}),
    "watch": frozenset({"stakeout"}),
    "shoot": frozenset({"vig"}),
}
_DEEDS: Mapping[str, str] = {
    "mafia_kill": "kill of",
    "cop": "check of",
    "gunsmith": "gun check of",
    "empower": "empowering of",
    "amplify": "amplifying of",
    "protect": "protection of",
    "incarcerate": "incarceration of",
    "investigate": "investigation of",
    "stakeout": "watch of",
    "vig": "shot at",
    "murder": "murder of",
    "detonate": "explosion on",
    "guard": "guarding of",
    "redirect": "redirection of",
    "rolecop": "role check of",
    "bomb": "blast at",
    "love": "love for",
}


def word(ability: str) -> str:
    """What an ability is called: `kill`, `strong kill`, `amplify`."""
    return _WORDS.get(ability, ability)


def means(words: Words, written: str, action: Action) -> bool:
    """Whether a moderator may call the action so: by its ability in either game's words, or by its line."""
    said = written.casefold()
    names = (action.ability, word(action.ability), words.notation(action).casefold())
    return said in names or action.ability in _MEANS.get(said, ())


def deed(action: Action) -> str:
    """As a thing to talk about: `Fen's roleblock of Gale`, `Kestrel's commute`."""
    noun = _DEEDS.get(action.ability, f"{word(action.ability)} of")
    aim = f"{noun} {' and '.join(action.targets)}" if action.targets else word(action.ability)
    return f"{action.actor}'s {aim}"
