"""What each may know of a match of King's Court.

The public: court, counts of rounds that were posted, early Kings, and after the end roles, payouts, scores.
A slot: its own role, balance, submissions and answers besides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from knightfall.engine.game import Announced, Facts, Noted, Step, Told
from knightfall.games.kings_court.events import (
    Balance,
    BallotRow,
    BallotsSheet,
    Count,
    DealRow,
    DealSheet,
    EarlyEnd,
    Ending,
    FourEarlyKings,
    KingAlone,
    NewAttempt,
    Opening,
    PollRow,
    PoolRow,
    Reminder,
    RolePm,
    RoleRow,
    RoundResult,
    ScoreRow,
    ScoresSheet,
    SheetRow,
    StepSheet,
)
from knightfall.games.kings_court.options import FIGURES, OPTIONS
from knightfall.games.kings_court.state import (
    DEATHMATCH,
    End,
    Known,
    Move,
    Phase,
    Poll,
    Role,
    State,
    Verb,
    deadline,
    plain,
    seats_of,
)
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
        tuple(poll_row(state, poll) for poll in state.polls),
        may_check=last.elected[0] if last and open_ and last.elected else None,
        deadline=deadline(state),
        moe=_held(state.prizes.moe),
        tol=_held(state.prizes.tol),
        opals=_held(state.prizes.opals),
        ending=_end_view(state),
        own=_own_side(state, slot) if slot in state.slots else None,
    )


def standing(state: State, slot: SlotId) -> tuple[str, ...]:
    """What of a slot's is on file and can still change or be answered."""
    found = [plain(Verb.VOTE, state.ballots[slot])] if slot in state.ballots else []
    if slot == state.king and state.tiebreak:
        found.append(plain(Verb.TIEBREAK, *state.tiebreak))
    if slot == state.check_right and state.check_pair:
        found.append(plain(Verb.CHECK, *state.check_pair))
    if state.end and slot in state.end.ballots and state.phase is Phase.EC:
        found.append(plain(Verb.EC, state.end.ballots[slot]))
    bought = (wanted.target for wanted in state.waiting if wanted.slot == slot)
    return (*found, *(plain(Verb.PEEK, target) if target else plain(Verb.ANNOYED) for target in bought))


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
        role_rows(state),
        score_rows(state, end),
        opals(state, end),
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
    return replace(own, tied=tied, looks=0 if state.court else FIGURES.looks - len(state.learned))


def opening(state: State) -> Announced:
    """The rules in brief, and the players."""
    return Announced(Opening(state.slots, state.rules.public(OPTIONS), FIGURES, deadline(state)))


def role_pms(state: State) -> tuple[Told, ...]:
    """KC-01: the role, and the balance, which is its owner's alone; not who is annoyed."""
    rules = state.rules.public(OPTIONS)
    return tuple(
        Told((slot,), RolePm(slot, role, state.attempt, state.garnets[slot], rules, FIGURES))
        for slot, role in state.deal.roles.items()
    )


def reminder(state: State) -> Announced:
    """How many votes are missing; who, only by option."""
    missing = tuple(slot for slot in state.outside if slot not in state.ballots)
    names = missing if state.rules["missing_votes"] == "names" else ()
    until, voters = deadline(state), len(state.outside)
    return Announced(Reminder(state.round, len(missing), names, state.court, voters, until))


def poll_row(state: State, poll: Poll) -> PollRow:
    """KC-07: every count above zero, who joined, the King or not; a tie, never how it was settled."""
    return PollRow(
        poll.attempt,
        poll.round,
        tuple(Count(slot, votes) for slot, votes in poll.counts.items()),
        poll.tied,
        elected=poll.elected[0] if poll.elected else None,
        king=bool(poll.elected) and poll.king == poll.elected[0],
        missed=len(poll.missed),
        missed_names=poll.missed if state.rules["missing_votes"] == "names" else (),
        fine=FIGURES.vote_fine,
    )


def result(state: State, poll: Poll) -> Announced:
    """A round's post, with the court as it now is."""
    court = len(state.court)
    next_round = poll.king is None and len(state.outside) > 1
    facts = RoundResult(
        poll_row(state, poll),
        state.court,
        hint=FIGURES.hints.index(court) + 1 if next_round and poll.elected and court in FIGURES.hints else 0,
        next_round=next_round,
        repeated=not poll.elected and state.round == poll.round,
        check_at_deadline=state.rules["check_delivery"] == "next_deadline",
        deadline=deadline(state) if next_round else None,
    )
    return Announced(facts)


def alone(state: State) -> Announced:
    """KC-20: the last one outside joins without a vote, and is the King."""
    return Announced(KingAlone(state.king, state.court))


def early_end(state: State, king: SlotId, court: tuple[SlotId, ...]) -> Announced:
    """KC-22, KC-23: who was King, which attempt it was, what it costs; no old role of anybody else."""
    facts = EarlyEnd(
        king,
        state.attempt,
        FIGURES.attempts,
        others=len(court) - 1,
        fine=FIGURES.early_fine,
        again=state.attempt < FIGURES.attempts,
        moe_counts=state.rules["kc_38"] == "season_effect",
    )
    return Announced(facts)


def dealt_again(state: State) -> Announced:
    """A new attempt opens."""
    return Announced(NewAttempt(state.attempt, FIGURES.attempts, state.past_kings, deadline(state)))


def role_rows(state: State) -> tuple[RoleRow, ...]:
    """KC-24: every role, who was annoyed, and who sits where."""
    places = {slot: place for place, slot in enumerate(state.court, start=1)}
    return tuple(
        RoleRow(slot, state.deal.roles[slot], slot in state.deal.annoyed, places.get(slot))
        for slot in state.slots
    )


def score_rows(state: State, end: End) -> tuple[ScoreRow, ...]:
    """KC-32: fewest first; winners are marked."""
    rows = (
        ScoreRow(slot, state.deal.roles[slot], score.votes, score.bonus, score.total, slot in end.winners)
        for slot, score in end.scores.items()
    )
    return tuple(sorted(rows, key=lambda row: row.total))


def opals(state: State, end: End) -> tuple[SlotId, ...]:
    """KC-31: which winners got one."""
    return tuple(slot for slot in end.winners if state.prizes.opals.get(slot))


def king_share(end: End) -> int:
    """The garnets of a King who wins with such a court."""
    return (end.dukes + end.nobles) // FIGURES.king_garnet_for


def ending(state: State, end: End) -> Announced:
    """KC-24: the King has joined, not too early: roles, court, payouts, scores. Ballots, checks, peeks, looks
    and tie choices stay secret."""
    facts = Ending(
        end.kind,
        state.king,
        end.dukes,
        end.nobles,
        end.winners,
        state.court,
        role_rows(state),
        score_rows(state, end),
        opals(state, end),
        figures=FIGURES,
        king_share=king_share(end),
        tied=end.tied,
        ec=end.ec,
        deadline=deadline(state),
        seats=seats_of(state),
    )
    return Announced(facts)


def deathmatch(state: State) -> Announced:
    """KC-23: four early Kings."""
    return Announced(FourEarlyKings(state.past_kings))


def sheet(state: State, *rows: SheetRow) -> Noted:
    """The whole truth of one step."""
    return Noted(StepSheet(state.attempt, state.round, rows))


def one_sheet(step: Move) -> Move:
    """What a step did on one sheet, after everything else, and the balances that it led to (KC-01)."""
    sheets = [e.facts for e in step.events if isinstance(e, Noted) and isinstance(e.facts, StepSheet)]
    if not sheets:
        return step
    gone = step.state.removed
    others = (
        event
        for event in step.events
        if not isinstance(event.facts, StepSheet)
        # KC-39: who was removed is fined all the same, but is no player any more who gets a PM.
        and not (isinstance(event, Told) and gone.issuperset(event.slots))
    )
    rows = tuple(line for each in sheets for line in each.rows)
    balances = tuple(Balance(slot, garnets) for slot, garnets in step.state.garnets.items())
    whole = replace(sheets[0], rows=rows, balances=balances)
    return Step(step.state, (*others, Noted(whole)), step.refused)


def deal_sheet(state: State) -> Noted:
    """KC-01: roles, the annoyed, the lists."""
    deal = state.deal
    rows = (
        DealRow(slot, role, slot in deal.annoyed, state.garnets[slot], deal.hints.get(slot, ()))
        for slot, role in deal.roles.items()
    )
    return Noted(DealSheet(state.attempt, deal.king, tuple(rows)))


def ballots_sheet(state: State) -> Noted:
    """Who voted for whom: for the moderator alone."""
    rows = tuple(BallotRow(voter, state.ballots.get(voter)) for voter in state.outside)
    return Noted(BallotsSheet(state.attempt, state.round, rows, state.tiebreak))


def scores_sheet(state: State, end: End) -> Noted:
    """KC-32: balances beside the scores, for the tie-breaks."""
    rows = tuple(
        PoolRow(slot, state.garnets[slot], end.scores[slot].total)
        for slot in state.slots
        if slot in end.scores and slot not in end.winners and state.deal.roles[slot] is not Role.KING
    )
    return Noted(ScoresSheet(rows, end.gifted))
