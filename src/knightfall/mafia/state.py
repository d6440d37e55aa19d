"""The state of a mafia game, whatever its rules.

Days and nights alternate; a game may open with a phase in which roles are chosen. `rules` are the game's own:
nothing here looks into them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Generic, TypeAlias, TypeVar

from knightfall.mafia.night import Action, Answer, Gift, Result
from knightfall.mafia.roles import Role
from knightfall.mafia.wins import Winner
from knightfall.sentence import SlotId

R = TypeVar("R")

SlotKey: TypeAlias = tuple[str, str]
"""What one line a night can fill: a player's act, a faction's kill; the first part is "" for a faction."""


ELIMINATED = "eliminated"


class Phase(StrEnum):
    """What is going on."""

    CHOOSING = "choosing"
    DAY = "day"
    NIGHT = "night"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Departure:
    """How a slot left the living: killed, eliminated, modkilled, died of love; and when, as "night 2"."""

    how: str
    when: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What the moderator entered for the day: who falls, all of them together; nobody: no elimination.

    `tied`: the game itself is to draw one of these (None among them: no elimination).
    """

    slots: tuple[SlotId, ...] = ()
    tied: tuple[SlotId | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Learned:
    """What an investigator was told, or what a player was given: then `target` is who gave it, or
    whoever got it where that is not told."""

    night: int
    ability: str
    target: SlotId
    answer: Answer


@dataclass(frozen=True, slots=True)
class Questions:
    """What only the moderator can decide: `open` names the question that a closed night waits for, `tonight`
    has the answers of this night by question, `precedents` those of all nights by its kind."""

    open: str = ""
    tonight: Mapping[str, str] = field(default_factory=dict)
    precedents: Mapping[str, str] = field(default_factory=dict)


Aimed: TypeAlias = Mapping[SlotId, Mapping[str, Mapping[SlotId, int]]]
"""Actor → ability → who was named for it → the last night of that."""


@dataclass(frozen=True, slots=True)
class State(Generic[R]):
    """`cards` in slot order; `number` of the day or night; `shots` uses left where a card does not tell.

    `code` names the setup; `since` is when the phase began, where the game sets its own deadlines. `moved` is
    the phase to which the moderator gave another deadline, and that (None: its clock stands still).
    """

    code: str
    rules: R
    cards: Mapping[SlotId, Role]
    phase: Phase
    number: int
    shots: Mapping[SlotId, Mapping[str, int]] = field(default_factory=dict)
    left: Mapping[SlotId, Departure] = field(default_factory=dict)
    standing: Mapping[SlotKey, Action] = field(default_factory=dict)
    decision: Decision | None = None
    learned: Mapping[SlotId, tuple[Learned, ...]] = field(default_factory=dict)
    winner: Winner | None = None
    since: datetime | None = None
    last_death: int = 0
    """The `clock` when somebody last left the living; 0: nobody has."""
    night_first: bool = False
    """Night 1 comes before day 1."""
    used_last: Mapping[SlotId, frozenset[str]] = field(default_factory=dict)
    """The abilities that were used in the night before, where a game asks for them."""
    aimed: Aimed = field(default_factory=dict)
    """Whom each has named for each ability, with the last night of it, where a game asks for that."""
    questions: Questions = Questions()
    moved: tuple[str, datetime | None] | None = None
    hammered: SlotId | None = None
    """Of a day that its votes have ended and that is not closed yet, with whom they did ("": with nobody), as
    far as a message told so."""
    forward: frozenset[SlotId] = frozenset()
    """Who has stepped forward before everybody, where a game lets them."""

    @property
    def slots(self) -> tuple[SlotId, ...]:
        return tuple(self.cards)

    @property
    def living(self) -> dict[SlotId, Role]:
        return {slot: role for slot, role in self.cards.items() if slot not in self.left}

    @property
    def actions(self) -> tuple[Action, ...]:
        """What stands for the night in order of arrival; an action may fill two slots and counts once."""
        return tuple(dict.fromkeys(self.standing.values()))

    @property
    def clock(self) -> int:
        """Days and nights begun: the first is 1, what follows it 2; before: 0."""
        if self.phase is Phase.CHOOSING:
            return 0
        first = Phase.NIGHT if self.night_first else Phase.DAY
        return 2 * self.number - (self.phase is first)

    @property
    def quiet(self) -> int:
        """Days and nights that have ended in a row without a death."""
        return max(0, self.clock - 1 - self.last_death)

    @property
    def when(self) -> str:
        """The phase in words: "night 2"."""
        return "before day 1" if self.phase is Phase.CHOOSING else f"{self.phase} {self.number}"


def teammates(state: State[R], slot: SlotId) -> tuple[SlotId, ...]:
    """The others of a mafioso's faction, dead ones too; nobody for anyone else."""
    own = state.cards[slot]
    if not own.in_team:
        return ()
    return tuple(s for s, role in state.cards.items() if s != slot and own.is_partner(role))


def depart(state: State[R], slots: tuple[SlotId, ...], how: str, when: str) -> State[R]:
    """The slots are dead; what they had submitted falls with them."""
    left = {**state.left, **{slot: Departure(how, when) for slot in slots}}
    standing = {key: action for key, action in state.standing.items() if action.actor not in slots}
    last = state.clock if slots else state.last_death
    return replace(state, left=left, standing=standing, last_death=last)


def active_uses(state: State[R], slot: SlotId) -> dict[str, int]:
    """KE-R41: the uses left of what a slot can submit and not every night; never of a passive."""
    listed = state.shots.get(slot, {})
    limited = {one: printed for one, printed in state.cards[slot].abilities.items() if printed is not None}
    return {str(one): left for one, printed in limited.items() if (left := listed.get(one, printed))}


def spend(state: State[R], spent: Mapping[SlotId, Mapping[str, int]]) -> dict[SlotId, Mapping[str, int]]:
    """The uses left after a night: of those that are listed, else of those printed on the card."""
    shots = dict(state.shots)
    for slot, uses in spent.items():
        printed, listed = state.cards[slot].printed, state.shots.get(slot, {})
        after = {one: listed.get(one, printed.get(one) or 0) - used for one, used in uses.items()}
        shots[slot] = {**listed, **after}
    return shots


def learn(state: State[R], results: Iterable[Result], gifts: Iterable[Gift] = ()) -> State[R]:
    """What tonight's investigators are told is kept, and what others were given; where there is no answer
    there is no message."""
    learned = dict(state.learned)
    for result in results:
        actor, ability, (target, *_), _ = result.action
        if (answer := result.answer) is not None:
            learned[actor] = (*learned.get(actor, ()), Learned(state.number, ability, target, answer))
    for reader, (actor, ability, *_), answer, named in gifts:
        told = Learned(state.number, ability, actor if named else reader, answer)
        learned[reader] = (*learned.get(reader, ()), told)
    return replace(state, learned=learned)
