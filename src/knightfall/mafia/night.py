"""What became of each action of a night, because of which other action, by which ruling.

A night is decided stage by stage on one `Sheet`: each stage reads what earlier stages found and adds notes.
The stages are the functions in `mafia.abilities`; a game calls those it needs in its own order. Codes, not
sentences: text is made when somebody prints it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from knightfall.sentence import SlotId

Answer: TypeAlias = str | tuple[SlotId, ...]
"""What an investigator is told: a word, or the names seen, sorted."""

NO_RESULT = "No Result"
NOBODY = "nobody"
PARTED, SENT_OUT = "parted", "sent out"
"""What a de-neighborizer is told, and whom they took out of such rooms."""
JOINED, TOO_LATE = "joined", "too late"
"""What a neighborizer and whom they made a neighbor are told; the second where one died that night."""


class Fate(StrEnum):
    """What became of an action."""

    STOOD = "stood"
    ABSORBED = "absorbed"
    """A kill that arrived and was survived: still a visit."""
    BLOCKED = "blocked"
    """Stopped by somebody else's action."""
    IDLE = "idle"
    """Legal, stopped by nobody, and without effect: it lacked power."""
    LOST = "lost"
    """Stopped by an action of its own actor."""
    REJECTED = "rejected"
    """Never legal, or its slot was taken."""


class Reason(StrEnum):
    """Why: the four first are the published codes of a block."""

    TARGET_COMMUTING = "target_commuting"
    ACTOR_JAILED = "actor_jailed"
    TARGET_JAILED = "target_jailed"
    ACTOR_ROLEBLOCKED = "actor_roleblocked"
    ACTOR_KILLED = "actor_killed"
    ACTOR_COMMUTING = "actor_commuting"
    AWAY = "away"
    HOLDS = "holds"
    LANDED = "landed"
    UNSTOPPABLE = "unstoppable"
    HEALED = "healed"
    BULLETPROOF = "bulletproof"
    VEST = "vest"
    SAVED = "saved"
    UNUSED = "unused"
    WORN = "worn"
    ANSWERED = "answered"
    POWERED = "powered"
    WATCHES_OVER = "watches_over"
    UNPOWERED = "unpowered"
    INCARCERATED = "incarcerated"
    IN_JAIL = "in_jail"
    PARADOX = "paradox"
    TURNED = "turned"
    KNOT = "knot"
    IDLE_KNOT = "idle_knot"
    GUARDED = "guarded"
    TOOK_THE_KILL = "took_the_kill"
    STRUCK_BACK = "struck_back"
    LOVE = "love"
    WEAKNESS = "weakness"
    LOYAL = "loyal"
    DISLOYAL = "disloyal"
    LAZY = "lazy"
    ASCETIC = "ascetic"
    ROLESTOPPED = "rolestopped"
    ABDUCTED = "abducted"
    SHIELDED = "shielded"
    SHIELDS = "shields"
    SIMPLE = "simple"
    COMPLEX = "complex"
    HIDDEN = "hidden"
    FOUND_OUT = "found_out"
    ALONE = "alone"
    TOLD = "told"
    TYPED = "typed"
    FRAMED = "framed"
    UNMARKED = "unmarked"
    IMMUNITY = "immunity"
    KILLED = "killed"
    NEVER_KILLED = "never_killed"
    AT_THE_DOOR = "at_the_door"
    LINKED = "linked"
    SANITY = "sanity"


class Action(NamedTuple):
    """`actor` does `ability` to `targets`; `options` are a game's extras on it."""

    actor: SlotId
    ability: str
    targets: tuple[SlotId, ...] = ()
    options: tuple[str, ...] = ()


def by_target(actions: Iterable[Action]) -> dict[SlotId, list[Action]]:
    """The actions on each first target, in their order."""
    found: dict[SlotId, list[Action]] = {}
    for action in actions:
        found.setdefault(action.targets[0], []).append(action)
    return found


class Note(NamedTuple):
    """One line of the trace. `reason` is a `Reason`, or for a rejected action the game's refusal code."""

    action: Action
    fate: Fate
    reason: str
    cause: Action | None
    ruling: str


@dataclass(frozen=True, slots=True)
class Result:
    """What an accepted check, track or watch brought; `answer` None: no message is sent. Two are one where
    their sender learns the same.

    `action` is as it was sent, and `went` as it went where others turned it. `reason` says what answered in
    place of the card that it reached ("": the card did), by which `cause` and `ruling` ("": the check's own).
    """

    action: Action
    answer: Answer | None
    went: Action | None = field(default=None, compare=False)
    reason: str = field(default="", compare=False)
    cause: Action | None = field(default=None, compare=False)
    ruling: str = field(default="", compare=False)

    @property
    def reached(self) -> SlotId:
        """Whom it was about in the end."""
        return (self.went or self.action).targets[0]


class Gift(NamedTuple):
    """What an accepted action tells somebody else than its actor."""

    reader: SlotId
    action: Action
    answer: Answer
    named: bool
    """Whether the reader is told whose action it was."""


class Caution(NamedTuple):
    """Something legal that the moderator may want to look at."""

    code: str
    action: Action | None
    ruling: str


@dataclass(frozen=True, slots=True)
class Lot:
    """A tie inside a role, as it was drawn by a ruling: `drawn` of `among`, which are in the order of seats.
    `kind` is what is drawn (`cm.guard`), `slot` whom it is about: the label of the draw is `kind:slot`."""

    kind: str
    slot: SlotId
    among: tuple[SlotId, ...]
    drawn: tuple[SlotId, ...]
    ruling: str


class Death(NamedTuple):
    """Who died, and every kill aimed at the slot that night, landed or not."""

    slot: SlotId
    attacks: tuple[Note, ...]


class Night(NamedTuple):
    """All that a night came to. `trace` has one note for each submitted line, in order of stages; `lots` are
    the ties that were drawn, `gifts` what actions told others than their actors."""

    deaths: tuple[Death, ...]
    survived: tuple[Death, ...]
    results: tuple[Result, ...]
    spent: Mapping[SlotId, Mapping[str, int]]
    visits: tuple[tuple[SlotId, SlotId], ...]
    trace: tuple[Note, ...]
    cautions: tuple[Caution, ...] = ()
    lots: tuple[Lot, ...] = ()
    gifts: tuple[Gift, ...] = ()

    @property
    def blocked(self) -> tuple[Note, ...]:
        """What somebody else's action stopped."""
        return tuple(note for note in self.trace if note.fate is Fate.BLOCKED)

    @property
    def rejected(self) -> tuple[Note, ...]:
        """What was never legal."""
        return tuple(note for note in self.trace if note.fate is Fate.REJECTED)


Rulings: TypeAlias = Mapping[str, Mapping[str, str]]
"""Reason → ability → ruling number: which sentence of the game's rules a note rests on."""


# Bound once: looking a member up in its enum takes time.
_STOOD, _ABSORBED, _BLOCKED, _LOST = Fate.STOOD, Fate.ABSORBED, Fate.BLOCKED, Fate.LOST


class Sheet:
    """The working paper of one night: filled by the stages, thrown away with the night decided."""

    def __init__(self, rulings: Rulings) -> None:
        self.rulings = rulings
        self.notes: list[Note] = []
        self.visits: list[tuple[SlotId, SlotId]] = []
        self.away: dict[SlotId, Action] = {}
        self.jails: dict[SlotId, list[Action]] = {}
        self.blocks: dict[SlotId, list[Action]] = {}
        self.stops: dict[SlotId, list[tuple[Action, Reason]]] = {}

    def copy(self) -> Sheet:
        """A sheet with what stands on this one, to be filled by itself."""
        other = Sheet(self.rulings)
        other.notes, other.visits, other.away = self.notes.copy(), self.visits.copy(), self.away.copy()
        other.jails = {slot: jails.copy() for slot, jails in self.jails.items()}
        other.blocks = {slot: blocks.copy() for slot, blocks in self.blocks.items()}
        other.stops = {slot: stops.copy() for slot, stops in self.stops.items()}
        return other

    def stand(self, action: Action, reason: str) -> None:
        """The action took effect; with a target it is a visit."""
        actor, ability, targets, _ = action
        self.notes.append(Note(action, _STOOD, reason, None, self.rulings[reason][ability]))
        for target in targets:
            self.visits.append((actor, target))

    def absorb(self, kill: Action, reason: str, cause: Action | None) -> None:
        """The kill arrived and was survived."""
        ruling = self.rulings[reason][kill.ability]
        self.notes.append(Note(kill, _ABSORBED, reason, cause, ruling))
        self.visits.append((kill.actor, kill.targets[0]))

    def stop(self, action: Action, reason: str, cause: Action) -> None:
        """The action failed because of another."""
        fate = _LOST if cause.actor == action.actor else _BLOCKED
        self.notes.append(Note(action, fate, reason, cause, self.rulings[reason][action.ability]))
