"""How does a moderator rule on a knot?

`rule 2` takes the second of the choices, `rule Ada:drive` lets that action go first, `rule none` says that no
action of the ring happens, `rule by precedent` what was ruled before on a ring of the same verbs (CM-R43).
"""

from __future__ import annotations

from dataclasses import replace

from knightfall.core.commands import Command
from knightfall.core.game import Refusal, Step
from knightfall.games.custom_mafia.dawn import end_night
from knightfall.games.custom_mafia.found import Knot
from knightfall.games.custom_mafia.knots import CLOSE, RULE, choices, open_knot, precedent
from knightfall.games.custom_mafia.state import State
from knightfall.games.custom_mafia.submissions import notation
from knightfall.mafia.moderation import refuse
from knightfall.mafia.natural import NONE_HAPPENS, label
from knightfall.mafia.night import Action
from knightfall.mafia.orders import Aliases

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
