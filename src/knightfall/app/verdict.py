"""What stands of the lines of a night file, and what does the night come to, whichever game it is?

`decide` does both. What-if and the flipped options ask the same again of a file that differs in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from knightfall.app import empowered_lines
from knightfall.app.night_file import EMPOWERED_ID, KNIGHT_ERRANT_ID, NightFile
from knightfall.app.taken import Refused, Taken
from knightfall.core.game import Message, Option, SlotId
from knightfall.core.rng import SeededRng
from knightfall.games import empowered, knight_errant
from knightfall.games.knight_errant import KNIGHT_ERRANT, Phase, State
from knightfall.mafia.night import Action, Night

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)  # a night file has no clock, and the games ask for none

POWERED, INCARCERATED, LOST = "powered", "incarcerated", "without Adaptability"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A night decided. `marks` are the states of players that only this game knows: powered, incarcerated."""

    night: Night
    refused: tuple[Refused, ...] = ()
    marks: Mapping[str, frozenset[SlotId]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Play:
    """What this module asks of a game."""

    options: tuple[Option, ...]
    take: Callable[[NightFile], Taken]
    judge: Callable[[NightFile, Sequence[Action]], Verdict]


def take(night: NightFile) -> Taken:
    """The lines that stand when the night closes, in order of arrival, and those that were refused."""
    return _PLAYS[night.kind].take(night)


def judge(night: NightFile, actions: Sequence[Action]) -> Verdict:
    """What these actions come to at the dusk of the file."""
    return _PLAYS[night.kind].judge(night, actions)


def decide(night: NightFile) -> Verdict:
    """What the lines of the file come to, with the lines that were refused."""
    taken = take(night)
    decided = judge(night, taken.actions)
    return Verdict(decided.night, taken.refused, decided.marks)


def options_of(kind: str) -> tuple[Option, ...]:
    """The questions that a moderator of this game may answer otherwise."""
    return _PLAYS[kind].options


def send_all(night: NightFile) -> tuple[State, tuple[Refused, ...]]:
    """Knight-Errant: every line submitted to the game, the night still open."""
    draw, refused = SeededRng(b""), list[Refused]()
    rules = knight_errant.parse_options(night.options)
    cards = {slot: rules.roles[role] for slot, role in night.roles.items()}
    state = State(night.code, rules, cards, Phase.NIGHT, night.number, night.shots)
    for slot, lines in night.lines.items():
        step = KNIGHT_ERRANT.submit(state, Message(slot, "\n".join(lines), NOON), draw)
        state = step.state
        refused += [(slot, line, why) for line, why in step.refused]
    return state, tuple(refused)


def _take_knight_errant(night: NightFile) -> Taken:
    state, refused = send_all(night)
    return Taken(state.actions, refused)


def _judge_knight_errant(night: NightFile, actions: Sequence[Action]) -> Verdict:
    rules = knight_errant.parse_options(night.options)
    roles = {slot: rules.roles[role] for slot, role in night.roles.items()}
    return Verdict(
        knight_errant.resolve(knight_errant.Dusk(roles, night.number, night.shots, rules), actions)
    )


def _judge_empowered(night: NightFile, actions: Sequence[Action]) -> Verdict:
    arrival = {action: place for place, action in enumerate(actions)}
    found = empowered.resolve(empowered_lines.dusk_of(night, arrival), actions)
    marks = {POWERED: found.powered, INCARCERATED: found.incarcerated, LOST: found.lost}
    return Verdict(found.night, (), marks)


_PLAYS: Mapping[str, _Play] = {
    KNIGHT_ERRANT_ID: _Play(knight_errant.OPTIONS, _take_knight_errant, _judge_knight_errant),
    EMPOWERED_ID: _Play(empowered.OPTIONS, empowered_lines.take, _judge_empowered),
}
