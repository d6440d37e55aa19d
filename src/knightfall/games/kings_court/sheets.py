"""The moderator's sheet, and the ruling behind each of its rows.

A row has a word for what happened (`what`), the ruling, and the facts of that word: the template makes the
sentence.
"""

from __future__ import annotations

from knightfall.engine.game import LooseFacts, Noted, Step, Untyped
from knightfall.games.kings_court.deal import Role
from knightfall.games.kings_court.state import Move, State

SHEET = "moderator_sheet"


def row(what: str, ruling: str, **facts: object) -> LooseFacts:
    """One line of a sheet."""
    return {"what": what, "ruling": ruling, **facts}


def sheet(state: State, *rows: LooseFacts) -> Noted:
    """The whole truth of one step."""
    return Noted(Untyped(SHEET, {"attempt": state.attempt, "round": state.round, "rows": list(rows)}))


def one_sheet(step: Move) -> Move:
    """What a step did on one sheet, after everything else, and the balances that it led to (KC-01)."""
    sheets = [e for e in step.events if isinstance(e, Noted) and e.kind == SHEET]
    if not sheets:
        return step
    others = (event for event in step.events if event not in sheets)
    rows = [line for each in sheets for line in _rows(each)]
    balances = [{"name": slot, "garnets": balance} for slot, balance in step.state.garnets.items()]
    whole = Noted(Untyped(SHEET, {**sheets[0].facts, "rows": rows, "balances": balances}))
    return Step(step.state, (*others, whole), step.refused)


def _rows(each: Noted) -> list[LooseFacts]:
    rows = each.facts["rows"]
    return rows if isinstance(rows, list) else []


def deal_sheet(state: State) -> Noted:
    """KC-01: roles, the annoyed, the lists."""
    deal = state.deal
    rows = [
        {
            "name": slot,
            "role": str(role),
            "annoyed": slot in deal.annoyed,
            "garnets": state.garnets[slot],
            "hints": list(deal.hints.get(slot, ())),
        }
        for slot, role in deal.roles.items()
    ]
    return Noted(Untyped("moderator_deal", {"attempt": state.attempt, "king": deal.king, "rows": rows}))


def ballots_sheet(state: State) -> Noted:
    """Who voted for whom: for the moderator alone."""
    rows = [{"voter": voter, "vote": state.ballots.get(voter)} for voter in state.outside]
    facts = {"attempt": state.attempt, "round": state.round, "rows": rows, "list": list(state.tiebreak)}
    return Noted(Untyped("moderator_ballots", facts))


def scores_sheet(state: State) -> Noted:
    """KC-32: balances beside the scores, for the tie-breaks."""
    end = state.end
    pool = set(end.scores) if end else set()
    rows = [
        {"name": slot, "garnets": state.garnets[slot], "total": end.scores[slot].total if end else 0}
        for slot in state.slots
        if slot in pool and end and slot not in end.winners and state.deal.roles[slot] is not Role.KING
    ]
    return Noted(Untyped("moderator_scores", {"rows": rows, "gifted": list(end.gifted) if end else []}))
