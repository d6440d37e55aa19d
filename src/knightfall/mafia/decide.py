"""Decide a night that is written down: what stands of its lines, and what they come to.

What-if and the flipped options decide a night again that differs in one place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, TypeAlias

from knightfall.engine.game import Message, Noted, Refusal, noted
from knightfall.engine.rng import ManualRng, Rng, SeededRng
from knightfall.mafia.explain import answer_text
from knightfall.mafia.game import DecidedNight, NightFile
from knightfall.mafia.night import Action, Answer
from knightfall.mafia.state import State
from knightfall.sentence import SlotId

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)  # a night file has no clock, and the games ask for none

Refused: TypeAlias = tuple[SlotId, str, Refusal]
"""Who sent it, the line as written, why it was not taken."""
# Any: each game has rules of its own, and only the game looks into them.
Position: TypeAlias = State[Any]


@dataclass(frozen=True, slots=True)
class Sent:
    """The night still open, the lines it did not take, and what the game asks the moderator to look at."""

    state: Position
    refused: tuple[Refused, ...] = ()
    cautions: tuple[Noted, ...] = ()


def decide(night: NightFile) -> DecidedNight:
    """What the lines of the file come to, with the lines that were refused."""
    sent = send_all(night)
    return replace(judge(night, night.game.standing_orders(sent.state)), refused=sent.refused)


def standing(night: NightFile) -> tuple[Action, ...]:
    """The actions that stand when the night closes, in order of arrival."""
    return night.game.standing_orders(send_all(night).state)


def judge(night: NightFile, actions: Sequence[Action]) -> DecidedNight:
    """What these actions, in order of arrival, come to at the dusk of the file."""
    return night.game.decide_night(_opened(night), actions, chance(night))


def send_all(night: NightFile) -> Sent:
    """Every line submitted to the game, a message a slot."""
    state, refused = _opened(night), list(night.refused)
    cautions: list[Noted] = []
    for slot, lines in night.lines.items():
        text = night.game.without_ending("\n".join(lines))  # the night ends when we close it
        step = night.game.submit(state, Message(slot, text, NOON), chance(night))
        state = step.state
        refused += ((slot, line, why) for line, why in step.refused)
        cautions += (sheet for sheet in noted(step.events) if sheet.kind == "caution")
    if night.position is not None:
        # What was sent in a folder stands in the order in which it came; anything else comes after it.
        places = {action: place for place, action in enumerate(night.position.actions)}
        late = len(places)
        ordered = sorted(state.standing.items(), key=lambda pair: places.get(pair[1], late))
        state = replace(state, standing=dict(ordered))
    return Sent(state, tuple(refused), tuple(cautions))


def chance(night: NightFile) -> Rng:
    """The chance of the game; a night file has no seed: what is drawn is drawn the same each time."""
    draw = ManualRng(SeededRng(night.seed))
    for label, value in night.drawn:
        draw.hold(label, value)
    return draw


def _opened(night: NightFile) -> Position:
    """The night as it opens; a file does not tell of earlier deaths, so none is counted as overdue."""
    if night.position is not None:
        return replace(night.game.under(night.position, night.options), standing={}, since=None)
    state = night.game.open_night(night)
    questions = replace(state.questions, tonight=night.rulings)
    return replace(state, last_death=state.clock, questions=questions)


def told(answer: Answer | None) -> str:
    """What an investigator reads: names with commas, a word, or that there is no message."""
    return "nothing" if answer is None else answer_text(answer)


def not_taken(slot: SlotId, line: str, why: Refusal) -> str:
    """A line that the game refused, with code and sentence."""
    return f"{slot}: not taken: “{line}”: {why.code}: {why.text}"
