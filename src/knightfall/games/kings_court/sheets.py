"""The moderator's sheets: the deal, the ballots, the scores, and all that a step did with its rulings."""

from __future__ import annotations

from dataclasses import replace

from knightfall.engine.game import Noted, Step
from knightfall.games.kings_court.deal import Role
from knightfall.games.kings_court.events import (
    Balance,
    BallotRow,
    BallotsSheet,
    DealRow,
    DealSheet,
    PoolRow,
    ScoresSheet,
    SheetRow,
    StepSheet,
)
from knightfall.games.kings_court.state import End, Move, State


def sheet(state: State, *rows: SheetRow) -> Noted:
    """The whole truth of one step."""
    return Noted(StepSheet(state.attempt, state.round, rows))


def one_sheet(step: Move) -> Move:
    """What a step did on one sheet, after everything else, and the balances that it led to (KC-01)."""
    sheets = [e.facts for e in step.events if isinstance(e, Noted) and isinstance(e.facts, StepSheet)]
    if not sheets:
        return step
    others = (event for event in step.events if not isinstance(event.facts, StepSheet))
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
