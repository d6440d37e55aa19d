"""How does a moderator speak of an action of a night, beyond the notation that a game brings?"""

from __future__ import annotations

from collections.abc import Mapping

from knightfall.core.game import Refusal, SlotId
from knightfall.mafia.explain import Words, answer_text
from knightfall.mafia.night import Action, Answer

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


def told(answer: Answer | None) -> str:
    """What an investigator reads: names with commas, a word, or that there is no message."""
    return "nothing" if answer is None else answer_text(answer)


def not_taken(slot: SlotId, line: str, why: Refusal) -> str:
    """A line that the game refused, with code and sentence."""
    return f"{slot}: not taken: “{line}”: {why.code}: {why.text}"
