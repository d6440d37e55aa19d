"""What each may know of a match of King's Court.

The public: court, counts of rounds that were posted, early Kings, and after the end roles, payouts, scores.
A slot: its own role, balance, submissions and answers besides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from knightfall.engine.game import Facts, View
from knightfall.games.kings_court import posts
from knightfall.games.kings_court.checks import LOOKS
from knightfall.games.kings_court.deal import Role
from knightfall.games.kings_court.events import PollRow, RoleRow, ScoreRow
from knightfall.games.kings_court.state import DEATHMATCH, Known, Phase, State, deadline
from knightfall.games.kings_court.submissions import standing
from knightfall.sentence import SlotId


@dataclass(frozen=True, slots=True)
class EndView:
    """How the match ended (`kind` as in `End`): after four early Kings only who plays the `deathmatch`, and
    else all that the post of the end tells, who got a token from the King (`gifted`), EC and DMO."""

    kind: str
    dukes: int | None = None
    nobles: int | None = None
    winners: tuple[SlotId, ...] = ()
    roles: tuple[RoleRow, ...] = ()
    scores: tuple[ScoreRow, ...] = ()
    opals: tuple[SlotId, ...] = ()
    tied: tuple[SlotId, ...] = ()
    ec: SlotId | None = None
    gifted: tuple[SlotId, ...] = ()
    dmo: SlotId | None = None
    deathmatch: tuple[SlotId, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnSide:
    """What a player knows beside the table (KC-01): the role, not whether annoyed; the balance; what stands;
    what was learned. `tied` and `looks` (how many are left) are the King's alone, None for everybody else."""

    role: Role
    garnets: int
    standing: tuple[str, ...]
    learned: tuple[Known, ...]
    tied: tuple[SlotId, ...] | None = None
    looks: int | None = None


@dataclass(frozen=True, slots=True)
class CourtView(Facts):
    """The table as everybody sees it, and the `own` side of who looks at it; None for the public.

    `may_check`: who was elected last and can check a pair. `moe`, `tol`, `opals`: who holds how many Marks of
    Elimination, Tokens of Life and Opals.
    """

    phase: Phase
    attempt: int
    round: int
    court: tuple[SlotId, ...]
    outside: tuple[SlotId, ...]
    removed: tuple[SlotId, ...]
    past_kings: tuple[SlotId, ...]
    polls: tuple[PollRow, ...]
    may_check: SlotId | None
    deadline: datetime | None
    moe: Mapping[SlotId, int]
    tol: Mapping[SlotId, int]
    opals: Mapping[SlotId, int]
    ending: EndView | None
    own: OwnSide | None


def view(state: State, slot: SlotId | None) -> View:
    """The table, and for a player what is their own."""
    return View(slot, court_view(state, slot))


def court_view(state: State, slot: SlotId | None) -> CourtView:
    """What everyone sees; nothing of it but `own` moves when somebody sends something in secret."""
    # KC-13: who was elected last; not whether they have asked already.
    last = state.polls[-1] if state.polls else None
    open_ = last is not None and last.deal == state.deals and state.phase is Phase.VOTE
    return CourtView(
        state.phase,
        state.attempt,
        state.round,
        state.court,
        state.outside,
        tuple(slot for slot in state.slots if slot in state.removed),
        state.past_kings,
        tuple(posts.poll_row(state, poll) for poll in state.polls),
        may_check=last.elected[0] if last and open_ and last.elected else None,
        deadline=deadline(state),
        moe=_held(state.prizes.moe),
        tol=_held(state.prizes.tol),
        opals=_held(state.prizes.opals),
        ending=_end_view(state),
        own=_own_side(state, slot) if slot in state.slots else None,
    )


def _held(counts: Mapping[SlotId, int]) -> Mapping[SlotId, int]:
    return {slot: count for slot, count in counts.items() if count}


def _end_view(state: State) -> EndView | None:
    """KC-24: the truth once the King has joined in time; nothing after four early Kings (KC-23)."""
    end = state.end
    if end is None:
        return None
    if end.kind == DEATHMATCH:
        return EndView(end.kind, deathmatch=state.past_kings)
    return EndView(
        end.kind,
        end.dukes,
        end.nobles,
        end.winners,
        posts.role_rows(state),
        posts.score_rows(state, end),
        posts.opals(state, end),
        end.tied,
        end.ec,
        end.gifted,
        end.dmo,
    )


def _own_side(state: State, slot: SlotId) -> OwnSide:
    own = OwnSide(
        state.deal.roles[slot], state.garnets[slot], standing(state, slot), state.known.get(slot, ())
    )
    if slot != state.king:
        return own
    # KC-08: the King decides among the tied.
    tied = state.pending.tied if state.pending else ()
    return replace(own, tied=tied, looks=0 if state.court else LOOKS - len(state.learned))
