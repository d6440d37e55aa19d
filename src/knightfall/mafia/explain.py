"""Why an action ended as it did, in words for the moderator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knightfall.mafia.ability_row import AbilityRow, Effect
from knightfall.mafia.events import (
    AnswerRow,
    Attack,
    Attacked,
    CautionNote,
    NightSheet,
    SpentUses,
    TraceRow,
)
from knightfall.mafia.night import Action, Answer, Caution, Death, Fate, Night, Note, Reason, Result
from knightfall.sentence import Sentence, SlotId, joined, sentence

_BECAUSE: Mapping[str, str] = {
    Reason.TARGET_COMMUTING: "the target was away",
    Reason.ACTOR_JAILED: "its actor was jailed",
    Reason.TARGET_JAILED: "the target was in jail",
    Reason.ACTOR_ROLEBLOCKED: "its actor was roleblocked",
    Reason.ACTOR_KILLED: "its actor was killed",
    Reason.ACTOR_COMMUTING: "its actor was away",
    Reason.AWAY: "away for the night",
    Reason.HOLDS: "holds",
    Reason.LANDED: "lands",
    Reason.UNSTOPPABLE: "nothing stops it",
    Reason.HEALED: "healed",
    Reason.BULLETPROOF: "bulletproof",
    Reason.VEST: "bulletproof, a limited use",
    Reason.SAVED: "stops a kill",
    Reason.UNUSED: "no kill to stop",
    Reason.WORN: "worn",
    Reason.ANSWERED: "answered",
    Reason.TOLD: "the target is told",
    Reason.FRAMED: "framed",
    Reason.UNMARKED: "that card hides from checks",
    Reason.IMMUNITY: "an immunity covered it",
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
    """How a game says it: its abilities, its own reasons and refusals, its cautions.

    `power` are abilities that let another work: as a cause they help and do not stop. What is `unpowered`
    needs none, and none is named. `marks` are the states that only this game knows.
    """

    abilities: Mapping[str, AbilityRow]
    because: Mapping[str, str]
    cautions: Mapping[str, str]
    power: frozenset[str] = frozenset()
    unpowered: frozenset[str] = frozenset()
    marks: tuple[Mark, ...] = ()

    def notation(self, action: Action, reader: SlotId | None = None) -> Sentence:
        """The line that says this action: what a receipt quotes, and what `submit` reads back. A reader who
        does not carry it is told who does."""
        row = self.abilities[action.ability]
        aim = (row.aim(action.targets),) if action.targets else ()
        carrier = ("by", action.actor) if reader is not None and reader != action.actor else ()
        return joined(" ", (row.written, *aim, *carrier, *action.options))

    def having(self, *effects: Effect) -> frozenset[str]:
        """The abilities that do one of these."""
        return frozenset(
            row.id for row in self.abilities.values() if any(effect in row.effects for effect in effects)
        )


def because(words: Words, note: Note) -> Sentence:
    """A short phrase: the reason, and the action that caused it."""
    reason = words.because.get(note.reason) or _BECAUSE[note.reason]
    powered = note.cause is not None and note.cause.ability in words.power
    if note.cause is None or (powered and note.action.ability in words.unpowered):
        return joined("", (reason,))
    if powered:
        return sentence("{reason}, powered by {actor}", reason=reason, actor=note.cause.actor)
    return sentence("{reason} ({cause})", reason=reason, cause=said(words, note.cause))


def said(words: Words, action: Action) -> Sentence:
    """Actor and line: `Ada: jail Boro`."""
    return sentence("{actor}: {line}", actor=action.actor, line=words.notation(action))


def caution_text(words: Words, caution: Caution) -> Sentence:
    """A sentence about a caution, with the action it is about."""
    text = words.cautions[caution.code]
    if caution.action is None:
        return joined("", (text,))
    return sentence("{text} ({action})", text=text, action=said(words, caution.action))


def answer_text(answer: Answer | None) -> str:
    """Names with commas, or the word itself."""
    return answer if isinstance(answer, str) else joined(", ", answer or ())


def trace_row(words: Words, note: Note) -> TraceRow:
    """One line of the moderator's sheet."""
    action = note.action
    return TraceRow(
        action.actor, words.notation(action), _FATES[note.fate], because(words, note), note.ruling
    )


def night_sheet(
    words: Words,
    number: int,
    night: Night,
    silent: Sequence[SlotId],
    rings: Sequence[Sequence[Action]] = (),
) -> NightSheet:
    """All of a night for the moderator's sheet. `silent`: who could act and sent nothing that stands; `rings`
    on which nothing hung."""
    return NightSheet(
        night=number,
        trace=tuple(trace_row(words, note) for note in night.trace),
        deaths=tuple(_attacked(words, death) for death in night.deaths),
        survived=tuple(_attacked(words, death) for death in night.survived),
        results=tuple(
            AnswerRow(
                one.action.actor, words.notation(one.action), answer_text(one.answer), _behind(words, one)
            )
            for one in night.results
        )
        + tuple(
            AnswerRow(gift.reader, words.notation(gift.action), answer_text(gift.answer))
            for gift in night.gifts
        ),
        spent=tuple(
            SpentUses(slot, str(ability), uses)
            for slot, abilities in night.spent.items()
            for ability, uses in abilities.items()
        ),
        cautions=tuple(
            CautionNote(caution_text(words, caution), caution.ruling) for caution in night.cautions
        ),
        silent=tuple(silent),
        lots=night.lots,
        rings=tuple(tuple(said(words, action) for action in ring) for ring in rings),
    )


def _behind(words: Words, result: Result) -> str:
    """What answered in place of the card, and by which action; "" where the card did, or the answer says
    it."""
    if result.reason not in _BECAUSE:
        return ""
    return because(words, Note(result.action, Fate.STOOD, result.reason, result.cause, result.ruling))


def _attacked(words: Words, death: Death) -> Attacked:
    attacks = (Attack(said(words, note.action), because(words, note)) for note in death.attacks)
    return Attacked(death.slot, tuple(attacks))


def word(words: Words, ability: str) -> str:
    """What an ability is called: `kill`, `strong kill`, `amplify`; what is no ability by its own name."""
    row = words.abilities.get(ability)
    return row.word if row else ability


def means(words: Words, written: str, action: Action) -> bool:
    """Whether a moderator may call the action so: by its ability, by a word for it, or by its line."""
    row = words.abilities[action.ability]
    said = written.casefold()
    return said in (action.ability, *row.lines, *row.called, words.notation(action).casefold())


def deed(words: Words, action: Action) -> Sentence:
    """As a thing to talk about: `Fen's roleblock of Gale`, `Kestrel's commute`."""
    row = words.abilities[action.ability]
    if not action.targets:
        return sentence("{actor}'s {word}", actor=action.actor, word=row.word)
    targets = joined(" and ", action.targets)
    return sentence("{actor}'s {deed} {targets}", actor=action.actor, deed=row.deed, targets=targets)
