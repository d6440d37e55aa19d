"""Empowered Mafia on the core protocol: what is open, what does a message or a closing window change?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from knightfall.engine.commands import lines_of
from knightfall.engine.game import (
    Announced,
    Event,
    Message,
    Noted,
    Outcome,
    SlotId,
    Spec,
    Step,
    Told,
    View,
    Window,
)
from knightfall.engine.rng import Rng
from knightfall.games.empowered import choosing, tie, views
from knightfall.games.empowered import rules as night_rules
from knightfall.games.empowered.assignment import PLAYERS, assign, numbers
from knightfall.games.empowered.dusk import Code
from knightfall.games.empowered.explain import night_facts
from knightfall.games.empowered.moderation import CUSTOM, before_deadline, caution, ended_early
from knightfall.games.empowered.options import OPTIONS, RULINGS, parse_options
from knightfall.games.empowered.roles import Ability
from knightfall.games.empowered.state import (
    State,
    all_ready,
    deadline,
    dusk_of,
    has_lost,
    losing,
    mafiosi,
    plans,
)
from knightfall.games.empowered.submissions import legal_lines, possible, refusal, take
from knightfall.mafia import moderation, orders
from knightfall.mafia.night import Action
from knightfall.mafia.state import Decision, Phase, depart, learn
from knightfall.mafia.views import dealt, outcome, result_pms, silent

_SPEC = Spec("empowered", "Empowered Mafia", PLAYERS, OPTIONS, RULINGS)


@dataclass(frozen=True, slots=True)
class Empowered:
    """The game; it holds nothing but its spec."""

    spec: Spec = _SPEC

    def setup(self, slots: Sequence[SlotId], options: Mapping[str, object], draw: Rng) -> Step[State]:
        """Deal all roles but those of the mafia. Raises InputError for names, numbers or options."""
        state = assign(slots, parse_options(options), draw.at("deal"))
        crowded = numbers(len(slots)).crowded
        warning = (caution("a third of the players or more are mafiosi", "EM-R24"),) if crowded else ()
        pms = (views.first_pm(state, slot) for slot in slots)
        return Step(state, (dealt(state), *warning, Announced("opening", views.opening(state)), *pms))

    def windows(self, state: State) -> tuple[Window, ...]:
        """First the mafiosi choose; a day is open to the moderator's decision, a night to all who can act."""
        opens, closes = state.since, deadline(state)
        if state.phase is Phase.CHOOSING:
            return (Window("choosing", "The mafiosi choose their roles", mafiosi(state), secret=True),)
        if state.phase is Phase.DAY:
            return (Window("day", f"Day {state.number}", (), False, opens, closes),)
        if state.phase is Phase.NIGHT:
            actors = tuple(slot for slot, role in state.living.items() if role.abilities)
            return (Window("night", f"Night {state.number}", actors, True, opens, closes),)
        return ()

    def submit(self, state: State, message: Message, draw: Rng) -> Step[State]:
        """The moderator decides the day; mafiosi choose roles; a plan replaces its sender's last one."""
        lines = lines_of(message.text)
        if state.phase is Phase.OVER:
            return orders.refuse_all(state, lines, orders.GAME_OVER)
        if message.slot is None:
            return _bereaved(state, moderation.moderate(CUSTOM, state, lines, message.aliases))
        if message.slot not in state.living:
            return orders.refuse_all(state, lines, refusal(Code.NOT_A_PLAYER))
        if state.phase is Phase.CHOOSING:
            return choosing.take(state, message.slot, lines)
        # The plan as it now stands; a receipt to its sender, and to a partner whom he made carry the
        # Murder.
        after, refused = take(state, message.slot, lines, message.aliases)
        before, now = _murder(state), _murder(after)
        carrier = (now.actor,) if now and now != before and now.actor != message.slot else ()
        receipts = (views.receipt(after, reader) for reader in (message.slot, *carrier))
        # EM-R23: the latest stands; whether two came at once only the moderator can see.
        two_carriers: tuple[Noted, ...]
        if before is None or now is None or before.actor == now.actor:
            two_carriers = ()
        else:
            text = f"the Murder went from {before.actor} to {now.actor}: if both came at once, ask the mafia"
            two_carriers = (caution(text, "EM-R23"),)
        step = Step(after, (*receipts, *two_carriers), refused)
        if state.phase is Phase.NIGHT and all_ready(step.state):  # EM-R27: the last one has agreed
            morning = _end_night(step.state, message.at, draw)
            return Step(morning.state, (*step.events, *morning.events), step.refused)
        return step

    def close(self, state: State, kind: str, at: datetime, draw: Rng) -> Step[State]:
        """The day ends as decided or drawn; the night is resolved. Closing what is not open is refused."""
        if kind not in [window.kind for window in self.windows(state)]:
            return moderation.refuse(state, f"close {kind}", "WRONG_PHASE", f"no {kind} is open")
        if state.rules["em_r27"] == "never" and before_deadline(state, at):
            return moderation.refuse(state, f"close {kind}", "TOO_EARLY", "in this game no phase ends early")
        if state.phase is Phase.CHOOSING:
            return choosing.close(state, at)
        end = _end_day if state.phase is Phase.DAY else _end_night
        step = end(state, at, draw)
        return step if step.refused else replace(step, events=(*step.events, *ended_early(state, at)))

    def legal(self, state: State, slot: SlotId | None) -> Iterable[str]:
        """Every line `submit` would take now, without the moderator's interventions; of ties a few."""
        if state.phase is Phase.CHOOSING:
            return choosing.legal_lines(state, slot)
        if slot is None:
            return _decisions(state) if state.phase is Phase.DAY else ()
        return legal_lines(state, slot) if slot in state.living and state.phase is not Phase.OVER else ()

    def view(self, state: State, slot: SlotId | None) -> View:
        """What that slot, or the public, may know."""
        return views.view(state, slot)

    def outcome(self, state: State) -> Outcome | None:
        """Who won; None while the game goes on."""
        return outcome(state)


EMPOWERED = Empowered()


def _decisions(state: State) -> tuple[str, ...]:
    eliminations = (f"{moderation.ELIMINATE} {name}" for name in state.living)
    return (moderation.NO_ELIMINATION, *eliminations, *tie.legal_lines(state))


def _murder(state: State) -> Action | None:
    return next((action for action in plans(state) if action.ability == Ability.MURDER), None)


def _end_day(state: State, at: datetime, draw: Rng) -> Step[State]:
    """A tie is drawn (EM-R26). Undecided a day stays open, or ends without an elimination (EM-R28)."""
    if state.decision is None and state.rules["em_r28"] == "no_elimination":
        state = replace(state, decision=Decision(None))
    decided, drawn = tie.drawn(state, draw)
    step = moderation.end_day(CUSTOM, decided)
    if step.refused:
        return step
    return _bereaved(state, Step(replace(step.state, since=at), (*step.events, *drawn)))


def _bereaved(before: State, step: Step[State]) -> Step[State]:
    """Plans of the dead have fallen; so do those aimed at them, and who knew of one is told."""
    aimed = [action for action in plans(step.state) if not step.state.left.keys().isdisjoint(action.targets)]
    after = orders.without(step.state, aimed)
    return Step(after, (*step.events, *views.fallen_plans(before, after)), step.refused)


def _end_night(state: State, at: datetime, draw: Rng) -> Step[State]:
    """Resolve; the dead are dead, the results learned, Adaptability lost; then the wins."""
    found = night_rules.resolve(dusk_of(state, draw), plans(state))
    dead = tuple(death.slot for death in found.night.deaths)
    lost = tuple(slot for slot in sorted(found.lost) if not has_lost(state, slot))
    after = losing(depart(learn(state, found.night.results), dead, "killed", state.when), lost)
    morning = replace(after, phase=Phase.DAY, number=state.number + 1, standing={}, since=at)
    return moderation.checked(CUSTOM, morning, _night_events(state, morning, found, lost))


def _night_events(
    state: State, morning: State, found: night_rules.Outcome, lost: tuple[SlotId, ...]
) -> tuple[Event, ...]:
    """The dawn tells deaths and their kind and nothing else: no save, no prison, no power, no visit."""
    dead = [
        {"name": death.slot, "role": state.cards[death.slot].name, "cause": night_rules.cause_of(death)}
        for death in found.night.deaths
    ]
    facts = {"night": state.number, "deaths": dead, **views.living(morning)}
    notices = (
        Told((slot,), "adaptability_lost", {"name": slot, "night": state.number})  # EM-R12
        for slot in lost
        if slot in morning.living
    )
    idle = silent(state, plans(state), Ability.MURDER, possible)
    sheet = Noted("moderator_night", night_facts(state.number, found, lost, idle))
    return (Announced("dawn", facts), *result_pms(morning, state.number), *notices, sheet)
