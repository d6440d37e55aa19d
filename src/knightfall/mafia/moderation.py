"""What can the moderator say, and what follows from a death?

`eliminate NAME` or `no elimination` decides the day, which ends when its window is closed. `modkill NAME`,
`kill NAME` (a shot at day), `revive NAME` and `draw` act at once. After all deaths of the moment the game's
judge is asked who has won. A game passes in what is its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, TypeAlias

from knightfall.engine.commands import Command, parse_command
from knightfall.engine.game import Announced, Event, Facts, Noted, Refusal, SlotId, Step
from knightfall.mafia.orders import Aliases, parse_target
from knightfall.mafia.state import ELIMINATED, Decision, Phase, R, State, depart
from knightfall.mafia.wins import Winner

ELIMINATE = "eliminate"
NO_ELIMINATION = "no elimination"
MODKILL = "modkill"
KILL = "kill"
"""A death in the middle of a phase, such as by a shot at day."""
REVIVE = "revive"
DRAW = "draw"
_ALWAYS = (ELIMINATE, NO_ELIMINATION, MODKILL, KILL, REVIVE, DRAW)

_TAKEN: Mapping[str, str] = {MODKILL: "modkilled", KILL: "killed"}

UNDECIDED = "say `eliminate NAME` or `no elimination` first"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who has won now, and what the moderator should look at."""

    winner: Winner | None = None
    cautions: tuple[Noted, ...] = ()


Obey: TypeAlias = Callable[[State[R], Command, Aliases], Step[State[R]]]
"""What a word of the moderator does."""


def nobody(state: State[R], slot: SlotId) -> tuple[SlotId, ...]:  # noqa: ARG001 - whoever it is
    """A death takes nobody along."""
    return ()


@dataclass(frozen=True, slots=True)
class Custom(Generic[R]):
    """What is a game's own: who has won, what posts say of the living and at the end, further words, who
    dies along with a player."""

    judge: Callable[[State[R]], Verdict]
    living: Callable[[State[R]], Facts]
    ending: Callable[[State[R]], Facts]
    words: Mapping[str, Obey[R]] = field(default_factory=dict)
    follow: Callable[[State[R], SlotId], tuple[SlotId, ...]] = nobody


def moderate(custom: Custom[R], state: State[R], lines: tuple[str, ...], aliases: Aliases) -> Step[State[R]]:
    """Apply the moderator's lines in order."""
    events: list[Event] = []
    refused: list[tuple[str, Refusal]] = []
    for line in lines:
        step = _obey(custom, state, line, aliases)
        state = step.state
        events += step.events
        refused += step.refused
    return Step(state, tuple(events), tuple(refused))


def _obey(custom: Custom[R], state: State[R], line: str, aliases: Aliases) -> Step[State[R]]:
    words = {word: word for word in (*_ALWAYS, *custom.words)}
    command = parse_command(line, words)
    if command is None:
        return refuse(state, line, "UNKNOWN_COMMAND", f"the moderator can say: {', '.join(words)}")
    if command.verb in custom.words:
        return custom.words[command.verb](state, command, aliases)
    if command.verb == DRAW:
        return checked(custom, replace(state, winner=Winner.DRAW))
    if command.verb in (ELIMINATE, NO_ELIMINATION) and state.phase is not Phase.DAY:
        return refuse(state, line, "WRONG_PHASE", "eliminations belong to the day")
    if command.verb == NO_ELIMINATION:
        return Step(replace(state, decision=Decision(None)))
    # The commands that name a player: a living one, or for `revive` a dead one.
    slot = parse_target(state, command.argument, aliases)
    if isinstance(slot, Refusal):
        return Step(state, (), ((command.line, slot),))
    if (slot in state.left) != (command.verb == REVIVE):
        dead = "dead" if slot in state.left else "alive"
        return refuse(state, command.line, "WRONG_TARGET", f"{slot} is {dead}")
    if command.verb == ELIMINATE:
        return Step(replace(state, decision=Decision(slot)))
    if command.verb in _TAKEN:
        return taken(custom, state, slot, _TAKEN[command.verb])
    return Step(replace(state, left={name: gone for name, gone in state.left.items() if name != slot}))


def refuse(state: State[R], line: str, code: str, text: str) -> Step[State[R]]:
    """Nothing changes, and the line comes back."""
    return Step(state, (), ((line, Refusal(code, text)),))


def taken(custom: Custom[R], state: State[R], slot: SlotId, how: str) -> Step[State[R]]:
    """The slot leaves at once; a decision about it falls."""
    decided = state.decision
    decision = None if decided and slot in (decided.slot, *decided.tied) else decided
    gone, along = _gone(custom, state, slot, how)
    after = replace(gone, decision=decision)
    facts = {"name": slot, "role": state.cards[slot].name, "how": how, "along": along, **custom.living(after)}
    told = Announced("modkill", facts)
    return checked(custom, after, (told,))


def _gone(custom: Custom[R], state: State[R], slot: SlotId, how: str) -> tuple[State[R], list[Facts]]:
    """The slot has left, and whoever dies along with it, with their cards."""
    after = depart(state, (slot,), how, state.when)
    along = custom.follow(after, slot)
    rows: list[Facts] = [{"name": other, "role": state.cards[other].name} for other in along]
    return depart(after, along, "died of love", state.when), rows


def end_day(custom: Custom[R], state: State[R]) -> Step[State[R]]:
    """The day ends as the moderator decided; undecided it stays open."""
    if state.decision is None:
        return refuse(state, "close day", "UNDECIDED", UNDECIDED)
    slot, tied = state.decision.slot, [name or NO_ELIMINATION for name in state.decision.tied]
    along: list[Facts] = []
    if slot is not None:
        state, along = _gone(custom, state, slot, ELIMINATED)
    night = replace(state, phase=Phase.NIGHT, number=state.number + state.night_first, decision=None)
    role = None if slot is None else state.cards[slot].name
    day: Facts = {"day": state.number, "name": slot, "role": role, "tied": tied, "along": along}
    facts = {**day, **custom.living(night)}
    return checked(custom, night, (Announced("elimination", facts),))


def checked(custom: Custom[R], state: State[R], events: tuple[Event, ...] = ()) -> Step[State[R]]:
    """Has somebody won now, and is there something to tell the moderator?"""
    verdict = Verdict(state.winner) if state.winner else custom.judge(state)
    told = (*events, *verdict.cautions)
    if verdict.winner is None:
        return Step(state, told)
    won = replace(state, winner=verdict.winner)
    over = replace(won, phase=Phase.OVER, standing={}, decision=None)
    return Step(over, (*told, Announced("ending", custom.ending(won))))
