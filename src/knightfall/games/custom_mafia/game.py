"""A custom game on the core protocol: what is open, what does a message or a closing window change?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from knightfall.engine.game import Announced, Message, Option, Outcome, SlotId, Spec, Step, View, Window
from knightfall.engine.rng import Rng
from knightfall.games.custom_mafia import ruling, views
from knightfall.games.custom_mafia.deal import deal
from knightfall.games.custom_mafia.dusk import Code
from knightfall.games.custom_mafia.moderation import CUSTOM, is_quiet
from knightfall.games.custom_mafia.options import OPTIONS, RULINGS
from knightfall.games.custom_mafia.ruling import RULE, end_night
from knightfall.games.custom_mafia.setup import PLAYERS, SETUP, VANILLA
from knightfall.games.custom_mafia.state import State
from knightfall.games.custom_mafia.submissions import notation, possible, refusal, take
from knightfall.mafia import moderation, orders
from knightfall.mafia.state import Phase
from knightfall.mafia.views import dealt, outcome

_A_TABLE = r"(?s)\{.*\}"
_SETUP = Option(SETUP, (VANILLA,), "CM", "The setup: a table of your own, or nobody has a power", _A_TABLE)
_SPEC = Spec("custom_mafia", "Custom Mafia", PLAYERS, (_SETUP, *OPTIONS), RULINGS)
_RULED = replace(CUSTOM, words={RULE: ruling.obey})


@dataclass(frozen=True, slots=True)
class CustomMafia:
    """The game; it holds nothing but its spec."""

    spec: Spec = _SPEC

    def setup(self, slots: Sequence[SlotId], options: Mapping[str, object], draw: Rng) -> Step[State]:
        """Deal what the setup says. Raises InputError for slots, options or a setup that cannot be played."""
        state = deal(slots, options, draw.at("deal"))
        pms = (views.role_pm(state, slot) for slot in slots)
        return Step(state, (dealt(state), Announced("opening", views.opening(state)), *pms))

    def windows(self, state: State) -> tuple[Window, ...]:
        """A day is open to the moderator's decision, a night to all who can act, a knot to his ruling."""
        if state.phase is Phase.DAY:
            return (Window("day", f"Day {state.number}", (), secret=False),)
        if state.phase is not Phase.NIGHT:
            return ()
        if state.questions.open:
            return (Window("ruling", f"Night {state.number}: your ruling", (), secret=True),)
        actors = tuple(slot for slot, role in state.living.items() if role.abilities)
        return (Window("night", f"Night {state.number}", actors, secret=True),)

    def submit(self, state: State, message: Message, draw: Rng) -> Step[State]:  # noqa: ARG002 - no chance here
        """The moderator decides the day and rules on knots; a player's night lines replace his last ones."""
        return orders.heard(
            state,
            message,
            lambda lines: moderation.moderate(_RULED, state, lines, message.aliases),
            refusal(Code.NOT_A_PLAYER),
            lambda slot, lines: _sent(state, slot, lines, message.aliases),
        )

    def close(self, state: State, kind: str, at: datetime, draw: Rng) -> Step[State]:  # noqa: ARG002 - nor clock
        """The day ends as decided; the night is resolved. Closing what is not open is refused."""
        if kind not in [window.kind for window in self.windows(state)]:
            return moderation.refuse(state, f"close {kind}", "WRONG_PHASE", f"no {kind} is open")
        return moderation.end_day(CUSTOM, state) if state.phase is Phase.DAY else end_night(state)

    def legal(self, state: State, slot: SlotId | None) -> Iterable[str]:
        """Every line `submit` would take now; of the moderator's interventions a draw, when nobody dies."""
        if slot is None:
            if state.phase is not Phase.DAY:
                return ruling.legal_lines(state) if state.phase is Phase.NIGHT else ()
            draw = (moderation.DRAW,) if is_quiet(state) else ()
            return (
                moderation.NO_ELIMINATION,
                *(f"{moderation.ELIMINATE} {name}" for name in state.living),
                *draw,
            )
        closed = state.phase is not Phase.NIGHT or state.questions.open
        return () if closed or slot not in state.living else map(notation, possible(state, slot))

    def view(self, state: State, slot: SlotId | None) -> View:
        """What that slot, or the public, may know."""
        return views.view(state, slot)

    def outcome(self, state: State) -> Outcome | None:
        """Who won; None while the game goes on."""
        return outcome(state)


CUSTOM_MAFIA = CustomMafia()


def _sent(state: State, slot: SlotId, lines: tuple[str, ...], aliases: orders.Aliases) -> Step[State]:
    after, refused = take(state, slot, lines, aliases)
    return Step(after, (orders.receipt(after, slot, views.standing(after, slot)),), refused)
