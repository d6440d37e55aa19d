"""Knight-Errant on the core protocol: what is open, what does a message or a closing window change?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from knightfall.engine.game import (
    Announced,
    Event,
    Message,
    Noted,
    Option,
    Outcome,
    SlotId,
    Spec,
    Step,
    View,
    Window,
)
from knightfall.engine.rng import Rng
from knightfall.games.knight_errant import views
from knightfall.games.knight_errant.dusk import Code, fault
from knightfall.games.knight_errant.moderation import CUSTOM, WORDS, living
from knightfall.games.knight_errant.options import DRAWN, OPTIONS, SETUP, parse_options
from knightfall.games.knight_errant.roles import SELF_ONLY, Ability
from knightfall.games.knight_errant.rules import resolve
from knightfall.games.knight_errant.rulings import RULINGS
from knightfall.games.knight_errant.state import State, dusk_of, spend
from knightfall.games.knight_errant.submissions import notation, refusal, take
from knightfall.games.knight_errant.table import CODES, PLAYERS, check_slots, choose_code, deal
from knightfall.mafia import moderation, orders
from knightfall.mafia.explain import night_facts
from knightfall.mafia.night import Action, Night
from knightfall.mafia.state import Phase, depart, learn
from knightfall.mafia.views import dealt, outcome, result_pms, silent

_SETUP = Option(SETUP, (DRAWN, *CODES), "KE-R21", "The setup code: drawn, or one of the 48")
_SPEC = Spec("knight_errant", "Knight-Errant", range(PLAYERS, PLAYERS + 1), (_SETUP, *OPTIONS), RULINGS)


@dataclass(frozen=True, slots=True)
class KnightErrant:
    """The game; it holds nothing but its spec."""

    spec: Spec = _SPEC

    def setup(self, slots: Sequence[SlotId], options: Mapping[str, object], draw: Rng) -> Step[State]:
        """Deal by a drawn or named code. Raises InputError for another number of players or a bad option."""
        check_slots(slots)
        rules, here = parse_options(options), draw.at("deal")
        state = deal(slots, rules, choose_code(options, here), here)
        opening = Announced("opening", views.table_facts(state))
        pms = (views.role_pm(state, slot) for slot in slots)
        return Step(state, (dealt(state), opening, *pms))

    def windows(self, state: State) -> tuple[Window, ...]:
        """A day is open to the moderator's decision, a night to everyone who can act."""
        if state.phase is Phase.DAY:
            return (Window("day", f"Day {state.number}", (), secret=False),)
        if state.phase is Phase.NIGHT:
            actors = tuple(slot for slot, role in state.living.items() if role.abilities)
            return (Window("night", f"Night {state.number}", actors, secret=True),)
        return ()

    def submit(self, state: State, message: Message, draw: Rng) -> Step[State]:  # noqa: ARG002 - no chance here
        """The moderator decides the day; a player's night lines replace what they sent before."""
        return orders.heard(
            state,
            message,
            lambda lines: moderation.moderate(CUSTOM, state, lines, message.aliases),
            refusal(Code.NOT_A_PLAYER),
            lambda slot, lines: _sent(state, slot, lines, message.aliases),
        )

    def close(self, state: State, kind: str, at: datetime, draw: Rng) -> Step[State]:  # noqa: ARG002 - nor clock
        """The day ends as decided; the night is resolved. Closing what is not open is refused."""
        if kind not in [window.kind for window in self.windows(state)]:
            return moderation.refuse(state, f"close {kind}", "WRONG_PHASE", f"no {kind} is open")
        if state.phase is Phase.DAY:
            return moderation.end_day(CUSTOM, state)
        # Resolve; the dead are dead, the uses used, the results learned; then the wins (KE-R40).
        night = resolve(dusk_of(state), state.actions)
        dead = tuple(death.slot for death in night.deaths)
        after = depart(learn(state, night.results), dead, "killed", state.when)
        morning = replace(
            after, shots=spend(state, night.spent), phase=Phase.DAY, number=state.number + 1, standing={}
        )
        return moderation.checked(CUSTOM, morning, _night_events(state, morning, night))

    def legal(self, state: State, slot: SlotId | None) -> Iterable[str]:
        """Every line `submit` would take now, without the moderator's interventions."""
        if slot is None and state.phase is Phase.DAY:
            return (moderation.NO_ELIMINATION, *(f"{moderation.ELIMINATE} {name}" for name in state.living))
        if slot is None or state.phase is not Phase.NIGHT or slot not in state.living:
            return ()
        return tuple(notation(action) for action in _possible(state, slot))

    def view(self, state: State, slot: SlotId | None) -> View:
        """What that slot, or the public, may know."""
        return views.view(state, slot)

    def outcome(self, state: State) -> Outcome | None:
        """Who won; None while the game goes on."""
        return outcome(state)


KNIGHT_ERRANT = KnightErrant()


def _sent(state: State, slot: SlotId, lines: tuple[str, ...], aliases: orders.Aliases) -> Step[State]:
    after, refused = take(state, slot, lines, aliases)
    own = [notation(action) for action in after.actions if action.actor == slot]
    return Step(after, (orders.receipt(after, slot, own),), refused)


def _possible(state: State, slot: SlotId) -> Iterable[Action]:
    """Every legal action of the slot by itself."""
    dusk = dusk_of(state)
    for ability in state.cards[slot].abilities:
        aims = [()] if ability in SELF_ONLY else [(name,) for name in dusk.roles]
        yield from (action for aim in aims if fault(dusk, action := Action(slot, ability, aim)) is None)


def _night_events(state: State, morning: State, night: Night) -> tuple[Event, ...]:
    """The dawn tells deaths and nothing else: not how, not by whom, no save, no block, no visit."""
    dead = [{"name": death.slot, "role": state.cards[death.slot].name} for death in night.deaths]
    facts = {"night": state.number, "deaths": dead, **living(morning)}
    idle = silent(state, state.actions, Ability.MAFIA_KILL, _possible)
    sheet = Noted("moderator_night", night_facts(WORDS, state.number, night, idle))
    return (Announced("dawn", facts), *result_pms(morning, state.number), sheet)
