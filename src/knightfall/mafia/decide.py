"""Decide a night: what stands in it, whether sent to a game or written in a file, and what that comes to.

What-if and the flipped options decide a night again that differs in one place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, TypeAlias, TypeVar

from knightfall.engine.game import Message, Noted, Option, Refusal, noted
from knightfall.engine.rng import ManualRng, Rng, SeededRng
from knightfall.mafia.explain import answer_text
from knightfall.mafia.night import Action, Answer
from knightfall.mafia.night_file import DecidedNight, NightFile, NightFileGame
from knightfall.mafia.orders import without as orders_without
from knightfall.mafia.state import State
from knightfall.sentence import SlotId

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)  # a night file has no clock, and the games ask for none

Refused: TypeAlias = tuple[SlotId, str, Refusal]
"""Who sent it, the line as written, why it was not taken."""
# Any: each game has rules of its own, and only the game looks into them.
Position: TypeAlias = State[Any]


@dataclass(frozen=True, slots=True)
class PendingNight:
    """A night before it is decided: `state` has all that stands in it, under `options`.

    `refused` are the lines that were not taken, `cautions` what the game asked the moderator to look at when
    lines were sent, `senders` who sent something, whether it stands or not; `names` are other names of the
    players. `seed` and the values drawn by hand (`held`, by label) are the chance of the game. `file`: it was
    written down there, and another option may let it take other lines.
    """

    game: NightFileGame[Any]
    state: Position
    options: Mapping[str, object]
    refused: tuple[Refused, ...] = ()
    cautions: tuple[Noted, ...] = ()
    senders: frozenset[SlotId] = frozenset()
    names: Mapping[str, SlotId] = field(default_factory=dict)
    seed: bytes = field(default=b"", repr=False)
    held: Mapping[str, Sequence[object]] = field(default_factory=dict)
    file: NightFile | None = None

    @property
    def number(self) -> int:
        """Which night it is."""
        return self.state.number

    @property
    def roles(self) -> Mapping[SlotId, str]:
        """The names of the cards of the living."""
        return {slot: card.name for slot, card in self.state.living.items()}

    @property
    def chance(self) -> Rng:
        """The chance of the game, as it is before the night is decided; what is drawn of one seed is the
        same each time."""
        return ManualRng(SeededRng(self.seed), {label: list(values) for label, values in self.held.items()})


Night = TypeVar("Night", NightFile, PendingNight)


def send_all(night: NightFile) -> PendingNight:
    """The night of a file with every line sent to the game, a message a slot."""
    game = night.game
    opened = game.open_night(night)
    # A file does not tell of earlier deaths, so none is counted as overdue.
    questions = replace(opened.questions, tonight=night.rulings)
    state = replace(opened, last_death=opened.clock, questions=questions)
    senders = frozenset(slot for slot, lines in night.lines.items() if lines)
    found = PendingNight(game, state, night.options, senders=senders, file=night)
    for slot, lines in night.lines.items():
        found = with_line(found, slot, "\n".join(lines))
    return found


def pending_night(night: NightFile | PendingNight) -> PendingNight:
    """The night with what stands in it; of a file, with its lines sent."""
    return send_all(night) if isinstance(night, NightFile) else night


def decide(night: NightFile | PendingNight) -> DecidedNight:
    """What stands in a night comes to, with the lines that were refused. Raises DecisionNeeded where only the
    moderator can say."""
    found = pending_night(night)
    decided = found.game.decide_night(found.state, standing(found), found.chance)
    return replace(decided, refused=found.refused)


def standing(night: NightFile | PendingNight) -> tuple[Action, ...]:
    """The actions that stand when the night closes, in order of arrival."""
    found = pending_night(night)
    return found.game.standing_orders(found.state)


def with_option(night: Night, name: str, value: str) -> Night:
    """The same night under another value of one option: what stands is judged again, and the lines of a file
    are sent again."""
    options = {**night.options, name: value}
    if isinstance(night, NightFile):
        return replace(night, options=options)
    if night.file is not None:
        return send_all(replace(night.file, options=options))
    return replace(night, options=options, state=night.game.under(night.state, options))


def chosen(night: NightFile | PendingNight, option: Option) -> str:
    """The value that a night gives an option, or its default."""
    return str(night.options.get(option.name, option.default)).lower()


def with_line(night: PendingNight, slot: SlotId, text: str) -> PendingNight:
    """The night with one more message of a slot, the last to arrive, as the game itself takes it."""
    step = night.game.take_in(night.state, Message(slot, text, NOON, night.names), night.chance)
    refused = (*night.refused, *((slot, line, why) for line, why in step.refused))
    cautions = (*night.cautions, *(sheet for sheet in noted(step.events) if sheet.kind == "caution"))
    return replace(night, state=step.state, refused=refused, cautions=cautions)


def without(night: PendingNight, actions: Iterable[Action]) -> PendingNight:
    """The night in which these actions do not stand."""
    return replace(night, state=orders_without(night.state, tuple(actions)))


def told(answer: Answer | None) -> str:
    """What an investigator reads: names with commas, a word, or that there is no message."""
    return "nothing" if answer is None else answer_text(answer)


def not_taken(slot: SlotId, line: str, why: Refusal) -> str:
    """A line that the game refused, with code and sentence."""
    return f"{slot}: not taken: “{line}”: {why.code}: {why.text}"
