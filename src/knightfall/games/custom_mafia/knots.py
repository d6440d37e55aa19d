"""What is a moderator asked where actions change each other in a ring? (CM-R2)"""

from __future__ import annotations

from knightfall.core.game import Facts, Step
from knightfall.games.custom_mafia.explain import WORDS, words_of
from knightfall.games.custom_mafia.found import Found, Knot, Reading
from knightfall.games.custom_mafia.rules import resolve
from knightfall.games.custom_mafia.state import State, dusk_of
from knightfall.mafia.explain import answer_text, said
from knightfall.mafia.moderation import refuse
from knightfall.mafia.natural import NONE_HAPPENS, label

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
