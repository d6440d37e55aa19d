"""What does the moderator's sheet say, and which ruling is behind it?

A row has a word for what happened (`what`), the ruling, and the facts of that word: the template makes the
sentence.
"""

from __future__ import annotations

from knightfall.core.game import Facts, Noted
from knightfall.games.kings_court.roles import Role
from knightfall.games.kings_court.state import State


def row(what: str, ruling: str, **facts: object) -> Facts:
    """One line of a sheet."""
    return {"what": what, "ruling": ruling, **facts}


def sheet(state: State, *rows: Facts) -> Noted:
    """The whole truth of one step."""
    return Noted("moderator_sheet", {"attempt": state.attempt, "round": state.round, "rows": list(rows)})


def deal_sheet(state: State) -> Noted:
    """KC-01: roles, the annoyed, the lists."""
    deal = state.deal
    rows = [
        {
            "name": slot,
            "role": str(role),
            "annoyed": slot in deal.annoyed,
            "hints": list(deal.hints.get(slot, ())),
        }
        for slot, role in deal.roles.items()
    ]
    return Noted("moderator_deal", {"attempt": state.attempt, "king": deal.king, "rows": rows})


def ballots_sheet(state: State) -> Noted:
    """Who voted for whom: for the moderator alone."""
    rows = [{"voter": voter, "vote": state.ballots.get(voter)} for voter in state.outside]
    facts = {"attempt": state.attempt, "round": state.round, "rows": rows, "list": list(state.tiebreak)}
    return Noted("moderator_ballots", facts)


def scores_sheet(state: State) -> Noted:
    """KC-32: balances beside the scores, for the tie-breaks."""
    end = state.end
    pool = set(end.scores) if end else set()
    rows = [
        {"name": slot, "garnets": state.garnets[slot], "total": end.scores[slot].total if end else 0}
        for slot in state.slots
        if slot in pool and end and slot not in end.winners and state.deal.roles[slot] is not Role.KING
    ]
    return Noted("moderator_scores", {"rows": rows, "gifted": list(end.gifted) if end else []})
