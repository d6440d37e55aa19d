"""The base of every game of rounds: what is sent stands until a round closes, and then it is revealed.

`RoundGame` is the engine's `Game` with everything in place that such games share: how a message is read and
answered, that only what is open is closed, whom a window awaits, which lines can be sent, who may know what.
A game inherits it, sets the data at its head and fills in the hooks: how it is dealt, what is open, what a
line does, what a closing reveals, who has won.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import ClassVar, TypeVar

from knightfall.engine.commands import Order, lines_of
from knightfall.engine.game import (
    Awaited,
    Event,
    Facts,
    Game,
    Message,
    Refusal,
    Refused,
    Silence,
    Step,
    View,
    Window,
    line_by_line,
    refuse,
    refuse_all,
)
from knightfall.engine.lines import Choices, descend
from knightfall.engine.rng import Rng
from knightfall.sentence import SlotId

S = TypeVar("S")


class RoundGame(Game[S]):
    """A game in which everybody sends something for a round, which its closing reveals."""

    silences: ClassVar[Mapping[str, Silence]] = {}
    """What happens to who sends nothing, by the kind of the window."""

    not_a_player: ClassVar[Refusal] = Refusal("NOT_A_PLAYER", "only a player still in the game can send that")
    """What who does not play is told."""

    # ── What a game fills in, beside `setup`, `windows` and `outcome`. ──────────────────────────────────────

    @abstractmethod
    def seen_by(self, state: S, slot: SlotId | None) -> Facts:
        """What that slot, or the public, may know."""

    @abstractmethod
    def lines(self, state: S, slot: SlotId | None) -> Choices:
        """Everything that the slot (None: the moderator) can send now, part by part."""

    @abstractmethod
    def reveal(self, state: S, kind: str, at: datetime, draw: Rng) -> Step[S]:
        """What the closing of the open window of this kind leads to."""

    def take_line(self, state: S, line: str, message: Message, draw: Rng) -> Step[S]:
        """What one line of a message changes. A game in which the lines of a message hang together has `take`
        instead."""
        raise NotImplementedError(f"{self.spec.name} has neither `take_line` nor `take`")

    def take(self, state: S, lines: tuple[str, ...], message: Message, draw: Rng) -> Step[S]:
        """What a whole message changes; by default line by line, and a refused line changes nothing."""
        return line_by_line(state, lines, partial(self.take_line, message=message, draw=draw))

    def unheard(self, state: S, slot: SlotId | None) -> Refusal | None:
        """Why no line of the slot (None: the moderator) is taken now; None: each is looked at. By default
        nothing is taken after the end, nor from who does not play."""
        if self.outcome(state) is not None:
            return Refusal("GAME_OVER", "the game is over")
        return None if slot is None or slot in self.playing(state) else self.not_a_player

    def receipt(self, state: S, slot: SlotId, message: Message, refused: Refused) -> tuple[Event, ...]:
        """What the sender is told once their message was taken: what is on file now, what was refused."""
        return ()

    def standing(self, state: S, kind: str, slot: SlotId) -> tuple[str, ...]:
        """What of a slot's stands for such a window to close on, as lines that could be sent again."""
        return ()

    # ── What follows from it. ───────────────────────────────────────────────────────────────────────────────

    def submit(self, state: S, message: Message, draw: Rng) -> Step[S]:
        """Apply the lines of a message, and answer its player; nothing is taken of who is not heard."""
        lines = lines_of(message.text, message.aliases)
        if why := self.unheard(state, message.slot):
            return refuse_all(state, lines, why)
        step = self.take(state, lines, message, draw)
        if message.slot is None:
            return step
        answer = self.receipt(step.state, message.slot, message, step.refused)
        return Step(step.state, (*step.events, *answer), step.refused)

    def decide(self, state: S, orders: Sequence[Order], at: datetime, draw: Rng) -> Step[S]:
        """What the moderator decided, one after the other; nothing after the end."""
        if why := self.unheard(state, None):
            return refuse_all(state, (order.line for order in orders), why)
        step = Step(state)
        for order in orders:
            step = step.then(partial(self.obey, order=order, at=at, draw=draw))
        return step

    def obey(self, state: S, order: Order, at: datetime, draw: Rng) -> Step[S]:
        """What one decision of the moderator changes; by default as if they had said it in a message."""
        return super().decide(state, (order,), at, draw)

    def close(self, state: S, kind: str, at: datetime, draw: Rng) -> Step[S]:
        """Close the open window of this kind; refused where there is none."""
        if not self.is_open(state, kind):
            return refuse(state, f"close {kind}", "WRONG_PHASE", f"no {kind} is open")
        return self.reveal(state, kind, at, draw)

    def continuations(self, state: S, slot: SlotId | None, parts: tuple[str, ...] = ()) -> Choices:
        """What of `lines` goes on from these parts."""
        return descend(self.lines(state, slot), parts)

    def awaits(self, state: S, window: Window) -> tuple[Awaited, ...]:
        """Everybody for whom the window is open, and what of theirs stands."""
        return tuple(Awaited(slot, self.standing(state, window.kind, slot)) for slot in window.slots)

    def listens(self, state: S, slot: SlotId) -> bool:
        """Whoever is heard."""
        return self.unheard(state, slot) is None

    def silence(self, kind: str) -> Silence | None:
        """As `silences` says."""
        return self.silences.get(kind)

    def view(self, state: S, slot: SlotId | None) -> View:
        """What `seen_by` says."""
        return View(slot, self.seen_by(state, slot))
