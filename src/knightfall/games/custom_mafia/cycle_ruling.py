"""The moderator's ruling on actions that change each other in a ring (CM-R2).

`rule 2` takes the second of the choices, `rule Ada:drive` lets that action go first, `rule none` says that no
action of the ring happens, `rule by precedent` what was ruled before on a ring of the same verbs (CM-R43).
"""

from __future__ import annotations

from dataclasses import replace

from knightfall.engine.commands import Command
from knightfall.engine.game import Refusal
from knightfall.games.custom_mafia.night import CustomNight, CycleQuestion
from knightfall.games.custom_mafia.notation import WORDS, notation, words_of
from knightfall.games.custom_mafia.rules import resolve
from knightfall.games.custom_mafia.state import State, night_position
from knightfall.mafia.events import RingAnswer, RingChoice, RingQuestion
from knightfall.mafia.explain import answer_text, said
from knightfall.mafia.nar import NONE_HAPPENS, label
from knightfall.sentence import SlotId

RULE = "rule"
CLOSE = "close ruling"
_NOTHING = (NONE_HAPPENS, "nothing", "nobody", "no action")
_PRECEDENT = ("by precedent", "precedent")


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


def question(state: State, cycle: CycleQuestion) -> RingQuestion:
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
                RingAnswer(said(words, action), answer_text(told)) for action, told in night.results
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


def legal_lines(state: State) -> tuple[str, ...]:
    """What the moderator can say now; nothing where the ring has come undone by itself."""
    cycle = open_cycle(state)
    if cycle is None:
        return ()
    earlier = (f"{RULE} by precedent",) if precedent(state, cycle) else ()
    return (*(f"{RULE} {number}" for number, _ in enumerate(choices(cycle), start=1)), *earlier)


def ruled(state: State, command: Command) -> State | Refusal:
    """The state with the moderator's ruling, and nothing open."""
    if not state.questions.open:
        return Refusal("WRONG_PHASE", "no ring of actions is waiting for a decision")
    cycle = open_cycle(state)
    if cycle is None:
        return Refusal("NO_QUESTION", f"there is no ring any more: `{CLOSE}` ends the night")
    choice = _parse_choice(state, cycle, command.argument)
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


def _parse_choice(state: State, cycle: CycleQuestion, written: str) -> str | Refusal:
    """A number, `none`, the precedent, or an action: `ada:drive`, `ada`, `drive`, `drive Boro and Cato`."""
    text, known = " ".join(written.casefold().split()), choices(cycle)
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
        whole = label(action).casefold()
        if text in (whole, whole.replace(":", ": "), *whole.split(":"), notation(action).casefold()):
            named.append(label(action))
    if len(named) == 1:
        return named[0]
    return Refusal("BAD_ARGS", f"say {RULE} and one of: {', '.join(known)}, or its number")
