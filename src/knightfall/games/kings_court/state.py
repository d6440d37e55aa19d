"""The position of a match of King's Court."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from knightfall.engine.game import Chosen, Step
from knightfall.games.kings_court.deal import Deal
from knightfall.sentence import SlotId

_NOTHING: Mapping[Any, Any] = MappingProxyType({})


class Phase(StrEnum):
    """What is going on; `COIN` only where the deadlock coin is thrown outside (KC-35)."""

    VOTE = "vote"
    TIE = "tie"
    TOL = "tol"
    EC = "ec"
    COIN = "coin"
    DMO = "dmo"
    DONE = "done"


OPEN = frozenset({Phase.VOTE, Phase.TIE})
"""The King has not joined: purchases and gifts are open."""
FROZEN = frozenset({Phase.TOL, Phase.EC, Phase.COIN, Phase.DMO})
"""KC-37: from the King joining until the DMO is named."""


@dataclass(frozen=True, slots=True)
class Poll:
    """One vote as it was counted, `deal` the how-manyth deal it belongs to. `counts` above zero, most first;
    `tied` () without a tie; `elected` who joined by it, the last King who joins at once included (KC-20)."""

    deal: int
    attempt: int
    round: int
    counts: Mapping[SlotId, int]
    missed: tuple[SlotId, ...] = ()
    tied: tuple[SlotId, ...] = ()
    elected: tuple[SlotId, ...] = ()
    king: SlotId | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """One private answer: a look, a peek, a pair check, a name of the list, annoyed or not."""

    attempt: int
    kind: str
    names: tuple[SlotId, ...]
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Waiting:
    """KC-26 by option: a purchase paid for and not yet answered; `target` None: am I annoyed?"""

    slot: SlotId
    target: SlotId | None


@dataclass(frozen=True, slots=True)
class Score:
    """KC-32: votes received in the final attempt, and the bonus for the place in the court."""

    votes: int
    bonus: int

    @property
    def total(self) -> int:
        return self.votes + self.bonus


DUKES, NOBLES, KING, DEATHMATCH = "dukes", "nobles", "king", "deathmatch4"
"""How a match ends."""


@dataclass(frozen=True, slots=True)
class End:
    """How it ended: members of the teams in the court, who won, the scores of Dukes and Nobles (KC-32), who
    got a token from the King, who is tied for EC, the winners' ballots, EC and DMO."""

    kind: str
    dukes: int = 0
    nobles: int = 0
    winners: tuple[SlotId, ...] = ()
    scores: Mapping[SlotId, Score] = field(default_factory=dict)
    gifted: tuple[SlotId, ...] = ()
    tied: tuple[SlotId, ...] = ()
    ballots: Mapping[SlotId, SlotId] = field(default_factory=dict)
    coin: tuple[SlotId, ...] = ()
    ec: SlotId | None = None
    dmo: SlotId | None = None


@dataclass(frozen=True, slots=True)
class Prizes:
    """Counters: Marks of Elimination, Tokens of Life, Opals."""

    moe: Mapping[SlotId, int] = field(default_factory=dict)
    tol: Mapping[SlotId, int] = field(default_factory=dict)
    opals: Mapping[SlotId, int] = field(default_factory=dict)


class State(NamedTuple):
    """`court` in order of election; `totals` votes received in this attempt; `ballots` what stands in this
    round, the latest last; `covers` every role shown for the King in this attempt, with who paid for it;
    `pending` a counted vote whose tie is open; `opened` when the phase began, None: nobody said; `moved` the
    phase that the moderator gave another deadline, and which (None: its clock stands still); `deals` how
    often roles were dealt, `past_deals` all of them but the last. A tuple, because every message changes one
    part of many: `_replace` is quick."""

    slots: tuple[SlotId, ...]
    rules: Chosen
    deal: Deal
    garnets: Mapping[SlotId, int]
    phase: Phase = Phase.VOTE
    attempt: int = 1
    round: int = 1
    deals: int = 1
    court: tuple[SlotId, ...] = ()
    totals: Mapping[SlotId, int] = _NOTHING
    ballots: Mapping[SlotId, SlotId] = _NOTHING
    tiebreak: tuple[SlotId, ...] = ()
    learned: tuple[SlotId, ...] = ()
    check_right: SlotId | None = None
    check_pair: tuple[SlotId, ...] = ()
    covers: tuple[tuple[SlotId, str], ...] = ()
    waiting: tuple[Waiting, ...] = ()
    known: Mapping[SlotId, tuple[Known, ...]] = _NOTHING
    polls: tuple[Poll, ...] = ()
    pending: Poll | None = None
    past_kings: tuple[SlotId, ...] = ()
    prizes: Prizes = Prizes()
    end: End | None = None
    removed: frozenset[SlotId] = frozenset()
    opened: datetime | None = None
    moved: tuple[tuple[object, ...], datetime | None] | None = None
    past_deals: tuple[Deal, ...] = ()

    @property
    def outside(self) -> tuple[SlotId, ...]:
        """KC-04: voters and candidates are the players outside the court."""
        court = self.court
        return tuple([slot for slot in self.slots if slot not in court])  # quicker than a generator

    @property
    def king(self) -> SlotId:
        return self.deal.king


Move: TypeAlias = Step[State]


def then(step: Move, follow: Callable[[State], Move]) -> Move:
    """Two transitions as one."""
    after = follow(step.state)
    return Step(after.state, (*step.events, *after.events), (*step.refused, *after.refused))


def credited(balances: Mapping[SlotId, int], slot: SlotId, amount: int) -> dict[SlotId, int]:
    """The balances with so much more for one slot."""
    return {**balances, slot: balances.get(slot, 0) + amount}


TIE_HOURS, END_HOURS = 12, 24
_HOURS: Mapping[Phase, int] = {
    Phase.TIE: TIE_HOURS,
    Phase.TOL: END_HOURS,
    Phase.EC: END_HOURS,
    Phase.DMO: END_HOURS,
}


def phase_of(state: State) -> tuple[object, ...]:
    """What tells a phase from every other one of the match."""
    return (state.phase, state.deals, state.round, state.opened)


def deadline(state: State) -> datetime | None:
    """When the phase ends, as the moderator said where they gave it another deadline; None where nobody said
    when it began, where its clock stands still, and where it waits for the moderator."""
    if state.moved is not None and state.moved[0] == phase_of(state):
        return state.moved[1]
    hours = int(state.rules["kc_02"]) if state.phase is Phase.VOTE else _HOURS.get(state.phase)
    return state.opened + timedelta(hours=hours) if state.opened and hours else None


def time_said(at: datetime) -> str:
    """“21:14 UTC”."""
    there = at.astimezone(UTC)
    return f"{there.hour:02}:{there.minute:02} UTC"
