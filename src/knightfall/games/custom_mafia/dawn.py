"""What follows when a night is closed: a morning, or a question to the moderator?"""

from __future__ import annotations

from dataclasses import replace

from knightfall.core.game import Announced, Event, Noted, Step
from knightfall.games.custom_mafia import knots
from knightfall.games.custom_mafia.explain import night_facts
from knightfall.games.custom_mafia.found import Found
from knightfall.games.custom_mafia.moderation import CUSTOM, living
from knightfall.games.custom_mafia.rules import resolve
from knightfall.games.custom_mafia.state import State, dusk_of, spend, used
from knightfall.games.custom_mafia.submissions import possible
from knightfall.games.custom_mafia.verbs import Ability
from knightfall.mafia import moderation
from knightfall.mafia.state import Phase, depart, learn
from knightfall.mafia.views import result_pms, silent


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
        return knots.unanswered(state, decided)
    asked = replace(state, questions=replace(state.questions, open=decided.key))
    return Step(asked, (Noted("knot", knots.knot_facts(asked, decided)),))


def _events(state: State, morning: State, found: Found) -> tuple[Event, ...]:
    """The dawn tells deaths and nothing else: not how, not by whom, no save, no block, no visit."""
    dead = [{"name": death.slot, "role": state.cards[death.slot].name} for death in found.night.deaths]
    facts = {"night": state.number, "deaths": dead, **living(morning)}
    idle = silent(state, state.actions, Ability.MAFIA_KILL, possible)
    sheet = Noted("moderator_night", night_facts(state.number, found, idle))
    return (Announced("dawn", facts), *result_pms(morning, state.number), sheet)
