"""The close of a night: a morning, or a question to the moderator where actions change each other (CM-R2).

`rule 2` takes the second of the choices, `rule Ada:drive` lets that action go first, `rule none` says that no
action of the ring happens, `rule by precedent` what was ruled before on a ring of the same verbs (CM-R43).
"""

from __future__ import annotations

from dataclasses import replace

from knightfall.engine.commands import Command
from knightfall.engine.game import Announced, Event, Facts, Noted, Refusal, Step
from knightfall.games.custom_mafia.explain import WORDS, night_facts, words_of
from knightfall.games.custom_mafia.moderation import CUSTOM, living
from knightfall.games.custom_mafia.night import Found, Knot, Reading
from knightfall.games.custom_mafia.rules import resolve
from knightfall.games.custom_mafia.state import State, dusk_of, spend, used
from knightfall.games.custom_mafia.submissions import notation, possible
from knightfall.games.custom_mafia.verbs import Ability
from knightfall.mafia import moderation
from knightfall.mafia.explain import answer_text, said
from knightfall.mafia.moderation import refuse
from knightfall.mafia.natural import NONE_HAPPENS, label
from knightfall.mafia.night import Action
from knightfall.mafia.orders import Aliases
from knightfall.mafia.state import Phase, depart, learn
from knightfall.mafia.views import result_pms, silent

RULE = "rule"
CLOSE = "close ruling"


def choices(knot: Knot) -> tuple[str, ...]:
    """Every action of the ring first, then that none of them happens."""
    return (*map(label, knot.actions), NONE_HAPPENS)


def unanswered(state: State, knot: Knot) -> Step[State]:
    """The night does not end before the moderator has ruled."""
    say = ", ".join(f"{number} = {choice}" for number, choice in enumerate(choices(knot), start=1))
    return refuse(state, CLOSE, "UNDECIDED", f"say `{RULE} NUMBER` first: {say}")


def open_knot(state: State) -> Knot | None:
    """The knot that waits for a ruling; None where none does, or where it has come undone by itself."""
    decided = resolve(dusk_of(state), state.actions) if state.questions.open else None
    return decided if isinstance(decided, Knot) else None


def precedent(state: State, knot: Knot) -> str | None:
    """The choice of this knot that an earlier ruling comes to."""
    earlier = state.questions.precedents.get(knot.shape)
    same = [label(action) for action in knot.actions if earlier == action.ability]
    if earlier == NONE_HAPPENS:
        return NONE_HAPPENS
    return same[0] if len(same) == 1 else None


def knot_facts(state: State, knot: Knot) -> Facts:
    """The question: the actions, what each choice leads to, which the wiki's list has, what was ruled."""
    readings = {reading.choice: reading for reading in knot.readings}
    fit = precedent(state, knot)
    return {
        "night": state.number,
        "key": knot.key,
        "actions": [said(WORDS, action) for action in knot.actions],
        "choices": [_choice_facts(knot, readings.get(choice), choice) for choice in choices(knot)],
        "precedent": fit and choices(knot).index(fit) + 1,
        "earlier": state.questions.precedents.get(knot.shape),
    }


def _choice_facts(knot: Knot, reading: Reading | None, choice: str) -> dict[str, object]:
    first = next((said(WORDS, action) for action in knot.actions if label(action) == choice), None)
    facts: dict[str, object] = {
        "choice": choice,
        "first": first,
        "listed": reading is not None and reading.listed,
    }
    # What a choice leads to; `end` is `night`, `knot` (another question) or `unseen` (too many to play).
    end_facts: dict[str, object]
    if reading is None or not isinstance(reading.leads_to, Found):
        end_facts = {"end": "unseen" if reading is None else "knot", "deaths": [], "results": []}
    else:
        night, words = reading.leads_to.night, words_of(reading.leads_to)
        results = [
            {"sent": said(words, action), "answer": answer_text(told)} for action, told in night.results
        ]
        end_facts = {"end": "night", "deaths": [death.slot for death in night.deaths], "results": results}
    return facts | end_facts


def end_night(state: State) -> Step[State]:
    """The morning; a knot is put to the moderator, once, and the night waits for his ruling (CM-R2)."""
    decided = resolve(dusk_of(state), state.actions)
    if isinstance(decided, Found):
        # The dead are dead, the uses used, the results learned; then the wins (CM-R42).
        dead = tuple(death.slot for death in decided.night.deaths)
        after = depart(learn(state, decided.night.results), dead, "killed", state.when)
        morning = replace(
            after,
            shots=spend(state, decided.night.spent),
            used_last=used(state, decided.night),
            questions=replace(state.questions, open="", tonight={}),
            phase=Phase.DAY,
            number=state.number + (not state.night_first),
            standing={},
        )
        return moderation.checked(CUSTOM, morning, _events(state, morning, decided))
    if state.questions.open == decided.key:
        return unanswered(state, decided)
    asked = replace(state, questions=replace(state.questions, open=decided.key))
    return Step(asked, (Noted("knot", knot_facts(asked, decided)),))


def _events(state: State, morning: State, found: Found) -> tuple[Event, ...]:
    """The dawn tells deaths and nothing else: not how, not by whom, no save, no block, no visit."""
    dead = [{"name": death.slot, "role": state.cards[death.slot].name} for death in found.night.deaths]
    facts = {"night": state.number, "deaths": dead, **living(morning)}
    idle = silent(state, state.actions, Ability.MAFIA_KILL, possible)
    sheet = Noted("moderator_night", night_facts(state.number, found, idle))
    return (Announced("dawn", facts), *result_pms(morning, state.number), sheet)


_NOTHING = (NONE_HAPPENS, "nothing", "nobody", "no action")
_PRECEDENT = ("by precedent", "precedent")


def legal_lines(state: State) -> tuple[str, ...]:
    """What the moderator can say now; nothing where the ring has come undone by itself."""
    knot = open_knot(state)
    if knot is None:
        return ()
    earlier = (f"{RULE} by precedent",) if precedent(state, knot) else ()
    return (*(f"{RULE} {number}" for number, _ in enumerate(choices(knot), start=1)), *earlier)


def obey(state: State, command: Command, aliases: Aliases) -> Step[State]:  # noqa: ARG001 - names as in the sheet
    """The moderator rules, and the night goes on: to its morning, or to another ring."""
    if not state.questions.open:
        return refuse(state, command.line, "WRONG_PHASE", "no ring of actions waits for a ruling")
    knot = open_knot(state)
    if knot is None:
        return refuse(
            state, command.line, "NO_QUESTION", f"the ring has come undone: `{CLOSE}` ends the night"
        )
    choice = _parse_choice(state, knot, command.argument)
    if isinstance(choice, Refusal):
        return Step(state, (), ((command.line, choice),))
    # CM-R43: the choice is kept for tonight by the ring's key, and for later nights by its shape.
    asked = state.questions
    tonight = {**asked.tonight, knot.key: choice}
    # The verb that goes first, where the ring has it once; else the choice as it was, to be read only.
    first = next((action for action in knot.actions if label(action) == choice), None)
    verbs = [str(action.ability) for action in knot.actions]
    in_general = str(first.ability) if first and verbs.count(str(first.ability)) == 1 else choice
    kept = {**asked.precedents, knot.shape: in_general}
    ruled = replace(state, questions=replace(asked, open="", tonight=tonight, precedents=kept))
    return end_night(ruled)


def _parse_choice(state: State, knot: Knot, written: str) -> str | Refusal:
    text, known = " ".join(written.casefold().split()), choices(knot)
    if text in _PRECEDENT:
        return precedent(state, knot) or Refusal("NO_PRECEDENT", _no_precedent(state, knot))
    if text in _NOTHING:
        return NONE_HAPPENS
    if text.isascii() and text.isdigit() and 1 <= int(text[:4]) <= len(known):
        return known[int(text[:4]) - 1]
    named = [label(action) for action in knot.actions if text in _names(action)]
    if len(named) == 1:
        return named[0]
    return Refusal("BAD_ARGS", f"say {RULE} and one of: {', '.join(known)}, or its number")


def _names(action: Action) -> tuple[str, ...]:
    """How a moderator may call it: `ada:drive`, `ada`, `drive`, `drive Boro and Cato`."""
    whole = label(action).casefold()
    return whole, whole.replace(":", ": "), *whole.split(":"), notation(action).casefold()


def _no_precedent(state: State, knot: Knot) -> str:
    earlier = state.questions.precedents.get(knot.shape)
    return f"the earlier ruling was {earlier}: say who that is tonight" if earlier else "there is none yet"
