"""The lines of a custom game: how those of a night are written and told, and the ruling on a ring (CM-R2).

Where actions change each other in a ring, the moderator says `rule 2` for the second of the choices, `rule
Ada:drive` to let that action go first, `rule none` that no action of the ring happens, `rule by precedent`
what was ruled before on a ring of the same verbs (CM-R43).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from knightfall.engine.commands import Aliases, Command
from knightfall.engine.game import Refusal, Step, Told, refuse, refuse_all, values_of
from knightfall.games.custom_mafia.abilities import ABILITIES, BY_THEMSELVES, Ability
from knightfall.games.custom_mafia.rules import CustomNight, CycleQuestion, Turn, resolve
from knightfall.games.custom_mafia.state import FAULTS, State, night_position
from knightfall.mafia.ability_row import AbilityRow, verbs_of
from knightfall.mafia.events import (
    CautionNote,
    LearnedAnswer,
    NightResults,
    RingAnswer,
    RingChoice,
    RingQuestion,
)
from knightfall.mafia.explain import Words, answer_text, said
from knightfall.mafia.nar import NONE_HAPPENS, label
from knightfall.mafia.night import Action, Night, Reason
from knightfall.mafia.orders import NO_ACTION, NO_KILL, parse_target
from knightfall.mafia.state import Learned, Phase
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


WORDS = Words(
    _ROWS,
    {
        **{code: fault.phrase for code, fault in FAULTS.items()},
        Reason.IN_JAIL: "the target is in jail",
        Reason.TURNED: "turns what it meets",
        Reason.KNOT: "no action of the ring happens",
        Reason.IDLE_KNOT: "in a loop that changes nothing for anybody",
        Reason.GUARDED: "the bodyguard takes it",
        Reason.TOOK_THE_KILL: "dies in the target's place",
        Reason.STRUCK_BACK: "a Bomb strikes back",
        Reason.AT_THE_DOOR: "shot at the door",
        Reason.LINKED: "they are lovers",
        Reason.LOVE: "dies of love",
        Reason.WEAKNESS: "weak, and the target is of another side",
        Reason.LOYAL: "loyal, and the target is of another side",
        Reason.DISLOYAL: "disloyal, and the target is of the same side",
        Reason.LAZY: "lazy, and at most one player is not of the town",
        Reason.TYPED: "you decide what comes of it",
        Reason.ASCETIC: "the target is Ascetic",
        Reason.ROLESTOPPED: "the target is rolestopped",
        Reason.ABDUCTED: "the target is abducted",
        Reason.SHIELDED: "the shield takes it",
        Reason.SHIELDS: "dies in the victim's place",
        Reason.SIMPLE: "simple, and the target is not vanilla",
        Reason.COMPLEX: "complex, and the target is vanilla",
        Reason.HIDDEN: "the target hides",
        Reason.FOUND_OUT: "dies with whom they hid behind, or of being found by an enemy",
        Reason.ALONE: "the babysitter died",
    },
    {},
)
_TURNED_BY: Mapping[str, str] = {Ability.DRIVE: "driven by", Ability.REDIRECT: "redirected by"}


@dataclass(frozen=True, slots=True)
class TurnedWords(Words):
    """The words for one night: an action that was turned says where it went, and by whom it was sent."""

    turned: Mapping[Action, Turn] = field(default_factory=dict)

    def notation(self, action: Action, reader: SlotId | None = None) -> Sentence:
        """As it was sent, as it went, and by whom."""
        turn = self.turned.get(action)
        if turn is None:
            return Words.notation(self, action, reader)
        by = (joined(" ", (_TURNED_BY.get(one.ability, "turned by"), one.actor)) for one in turn.by)
        return sentence(
            "{sent} → {went} ({by})",
            sent=Words.notation(self, turn.sent),
            went=self.abilities[turn.went.ability].aim(turn.went.targets),
            by=joined(", ", by),
        )


def words_of(night: CustomNight) -> TurnedWords:
    """The words for one night."""
    turned = {action: turn for turn in night.turned for action in (turn.sent, turn.went)}
    return TurnedWords(**values_of(WORDS), turned=turned)


class CustomTrace(Trace):
    """The common roles explain themselves."""

    visit_ruling = "CM-R29"
    stopped_ruling = "CM-R30"


RULE = "rule"
CLOSE = "close ruling"
_NOTHING = (NONE_HAPPENS, "nothing", "nobody", "no action")
_PRECEDENT = ("by precedent", "precedent")


RESULT = "result"
"""What came of a card of the moderator's own: `result Ada: You find a lamp.`"""


def untold(night: Night) -> tuple[CautionNote, ...]:
    """CM-R68: the players who wait for the moderator to say what came of their card."""
    return tuple(
        CautionNote(
            sentence(
                "{line}: say what comes of it, “{say} {name}: …”",
                line=said(WORDS, note.action),
                say=RESULT,
                name=note.action.actor,
            ),
            "CM-R68",
        )
        for note in night.trace
        if note.reason == Reason.TYPED
    )


def with_result(state: State, command: Command, aliases: Aliases) -> Step[State]:
    """The player is told what the moderator writes, and it is kept with all that they have learned."""
    slot: SlotId | Refusal = Refusal("BAD_ARGS", f"write {RESULT} NAME: what they are told")
    text = ""
    for reading in command.readings(state.slots, aliases):
        name, _, told_text = (part.strip() for part in reading.text.partition(":"))
        text = reading.plain(told_text)
        slot = parse_target(state, name, reading.names) if text else slot
        if not isinstance(slot, Refusal):
            break
    if isinstance(slot, Refusal):
        return refuse_all(state, (command.line,), slot)
    if state.phase is not Phase.DAY:
        return refuse(state, command.line, "WRONG_PHASE", "results are told when the night is closed")
    if Ability.OWN not in state.cards[slot].abilities:
        none = sentence("{slot} has no card of your own", slot=slot)
        return refuse(state, command.line, "WRONG_TARGET", none)
    night = state.number - (not state.night_first)
    told = Learned(night, Ability.OWN, slot, text)
    learned = {**state.learned, slot: (*state.learned.get(slot, ()), told)}
    answer = LearnedAnswer(night, Ability.OWN, slot, text)
    return Step(replace(state, learned=learned), (Told((slot,), NightResults(slot, night, (answer,))),))


def choices(cycle: CycleQuestion) -> tuple[str, ...]:
    """Every action of the ring first, then that none of them happens."""
    return (*map(label, cycle.actions), NONE_HAPPENS)


def unanswered(cycle: CycleQuestion) -> Refusal:
    """The night does not end before the moderator has ruled."""
    say = ", ".join(f"{number} = {choice}" for number, choice in enumerate(choices(cycle), start=1))
    return Refusal("UNDECIDED", f"say `{RULE} NUMBER` first: {say}")


def open_cycle(state: State) -> CycleQuestion | None:
    """The cycle that waits for a ruling; None where none does, or where it has come undone by itself."""
    decided = resolve(night_position(state), state.actions) if state.questions.open else None
    return decided if isinstance(decided, CycleQuestion) else None


def precedent(state: State, cycle: CycleQuestion) -> str | None:
    """The choice of this cycle that an earlier ruling comes to."""
    earlier = state.questions.precedents.get(cycle.shape)
    if earlier == NONE_HAPPENS:
        return NONE_HAPPENS
    named = [label(action) for action in cycle.actions if earlier == action.ability]
    return named[0] if len(named) == 1 else None


def ring_question(state: State, cycle: CycleQuestion) -> RingQuestion:
    """The question: the actions, what each choice leads to, which the wiki's list has, what was ruled."""
    readings = {reading.choice: reading for reading in cycle.readings}
    rows = []
    for choice in choices(cycle):
        reading = readings.get(choice)
        first = next((said(WORDS, action) for action in cycle.actions if label(action) == choice), None)
        end = "unseen" if reading is None else "knot"
        deaths: tuple[SlotId, ...] = ()
        results: tuple[RingAnswer, ...] = ()
        if reading is not None and isinstance(reading.leads_to, CustomNight):
            end, night, words = "night", reading.leads_to.night, words_of(reading.leads_to)
            deaths = tuple(death.slot for death in night.deaths)
            results = tuple(
                RingAnswer(said(words, one.action), answer_text(one.answer)) for one in night.results
            )
        listed = reading is not None and reading.listed
        rows.append(RingChoice(choice, first, listed, end, deaths, results))
    fit = precedent(state, cycle)
    return RingQuestion(
        night=state.number,
        key=cycle.key,
        actions=tuple(said(WORDS, action) for action in cycle.actions),
        choices=tuple(rows),
        precedent=choices(cycle).index(fit) + 1 if fit else None,
        earlier=state.questions.precedents.get(cycle.shape),
    )


def ruling_lines(state: State) -> tuple[str, ...]:
    """What the moderator can say now; nothing where the ring has come undone by itself."""
    cycle = open_cycle(state)
    if cycle is None:
        return ()
    earlier = (f"{RULE} by precedent",) if precedent(state, cycle) else ()
    return (*(f"{RULE} {number}" for number, _ in enumerate(choices(cycle), start=1)), *earlier)


def with_ruling(state: State, command: Command) -> State | Refusal:
    """The state with the moderator's ruling, and nothing open."""
    if not state.questions.open:
        return Refusal("WRONG_PHASE", "no ring of actions is waiting for a decision")
    cycle = open_cycle(state)
    if cycle is None:
        return Refusal("NO_QUESTION", f"there is no ring any more: `{CLOSE}` ends the night")
    choice = _parse_choice(state, cycle, command)
    if isinstance(choice, Refusal):
        return choice
    # CM-R43: the choice is kept for tonight by the ring's key, and for later nights by its shape: then as the
    # verb that goes first, where the ring has it once; else as it was, to be read only.
    first = next((action for action in cycle.actions if label(action) == choice), None)
    verbs = [str(action.ability) for action in cycle.actions]
    in_general = str(first.ability) if first and verbs.count(str(first.ability)) == 1 else choice
    asked = state.questions
    tonight = {**asked.tonight, cycle.key: choice}
    precedents = {**asked.precedents, cycle.shape: in_general}
    return replace(state, questions=replace(asked, open="", tonight=tonight, precedents=precedents))


def _parse_choice(state: State, cycle: CycleQuestion, command: Command) -> str | Refusal:
    """A number, `none`, the precedent, or an action: `ada:drive`, `ada`, `drive`, `drive Boro and Cato`."""
    typed, text = (" ".join(said.casefold().split()) for said in (command.rest, command.argument))
    known = choices(cycle)
    if text in _PRECEDENT:
        earlier = state.questions.precedents.get(cycle.shape)
        why = (
            f"your earlier decision was {earlier}: say which action that is tonight"
            if earlier
            else "you have not decided such a ring before"
        )
        return precedent(state, cycle) or Refusal("NO_PRECEDENT", why)
    if text in _NOTHING:
        return NONE_HAPPENS
    if text.isascii() and text.isdigit() and 1 <= int(text[:4]) <= len(known):
        return known[int(text[:4]) - 1]
    named = []
    for action in cycle.actions:
        actor, ability = action.actor.casefold(), action.ability.casefold()
        written = WORDS.notation(action).casefold()
        forms = {label(action).casefold(), f"{actor}: {ability}", actor, ability, written}
        if typed in forms or text in forms:
            named.append(label(action))
    if len(named) == 1:
        return named[0]
    return Refusal("BAD_ARGS", f"say {RULE} and one of: {', '.join(known)}, or its number")
