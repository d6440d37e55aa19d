"""What the posts of King's Court say: facts for everyone, never a voter, a check or a look."""

from __future__ import annotations

from knightfall.engine.game import Announced, LooseFacts, SlotId, Told, Untyped
from knightfall.games.kings_court.checks import HINT_AFTER
from knightfall.games.kings_court.garnets import EARLY_FINE, VOTE_FINE
from knightfall.games.kings_court.seats import seats_facts, seats_of
from knightfall.games.kings_court.state import (
    DEATHMATCH,
    END_HOURS,
    TIE_HOURS,
    End,
    Poll,
    State,
    deadline_said,
)

ATTEMPTS = 4


def opening(state: State) -> Announced:
    """The rules in brief, the timers, the players."""
    facts = {
        "players": list(state.slots),
        "vote_hours": int(state.rules["kc_02"]),
        "tie_hours": TIE_HOURS,
        "end_hours": END_HOURS,
        "tie_waits": state.rules["tie_publish"] == "fixed",
        "check_at_deadline": state.rules["check_delivery"] == "next_deadline",
        "can_owe": state.rules["garnet_floor"] == "none",
        "moe_counts": state.rules["kc_38"] == "season_effect",
        "deadline": deadline_said(state),
    }
    return Announced(Untyped("opening", facts))


def role_pms(state: State) -> tuple[Told, ...]:
    """KC-01: the role only."""
    return tuple(
        Told((slot,), Untyped("role_pm", {"name": slot, "role": str(role), "attempt": state.attempt}))
        for slot, role in state.deal.roles.items()
    )


def reminder(state: State) -> Announced:
    """How many votes are missing; who, only by option."""
    missing = [slot for slot in state.outside if slot not in state.ballots]
    facts = {
        "round": state.round,
        "missing": len(missing),
        "names": missing if state.rules["missing_votes"] == "names" else [],
        "court": list(state.court),
        "voters": len(state.outside),
        "deadline": deadline_said(state),
    }
    return Announced(Untyped("reminder", facts))


def poll_facts(state: State, poll: Poll) -> LooseFacts:
    """KC-07: every count above zero, who joined, the King or not; a tie, never how it was settled."""
    return {
        "attempt": poll.attempt,
        "round": poll.round,
        "counts": [{"name": slot, "votes": votes} for slot, votes in poll.counts.items()],
        "tied": list(poll.tied),
        "elected": poll.elected[0] if poll.elected else None,
        "king": bool(poll.elected) and poll.king == poll.elected[0],
        "missed": len(poll.missed),
        "missed_names": list(poll.missed) if state.rules["missing_votes"] == "names" else [],
        "fine": VOTE_FINE,
    }


def result(state: State, poll: Poll) -> Announced:
    """A round's post, with the court as it now is."""
    court = len(state.court)
    next_round = poll.king is None and len(state.outside) > 1
    facts = {
        **poll_facts(state, poll),
        "court": list(state.court),
        "hint": HINT_AFTER.index(court) + 1 if next_round and poll.elected and court in HINT_AFTER else 0,
        "next_round": next_round,
        "check_at_deadline": state.rules["check_delivery"] == "next_deadline",
        "deadline": deadline_said(state) if next_round else None,
    }
    return Announced(Untyped("round", facts))


def alone(state: State) -> Announced:
    """KC-20: the last one outside joins without a vote, and is the King."""
    return Announced(Untyped("alone", {"king": state.king, "court": list(state.court)}))


def early_end(state: State, king: SlotId, court: tuple[SlotId, ...]) -> Announced:
    """KC-22, KC-23: who was King, which attempt it was, what it costs; no old role of anybody else."""
    others = len(court) - 1
    facts = {
        "king": king,
        "attempt": state.attempt,
        "attempts": ATTEMPTS,
        "others": others,
        "fine": EARLY_FINE,
        "again": state.attempt < ATTEMPTS,
        "moe_counts": state.rules["kc_38"] == "season_effect",
    }
    return Announced(Untyped("early_end", facts))


def dealt_again(state: State) -> Announced:
    """A new attempt opens."""
    facts = {
        "attempt": state.attempt,
        "attempts": ATTEMPTS,
        "past_kings": list(state.past_kings),
        "deadline": deadline_said(state),
    }
    return Announced(Untyped("new_attempt", facts))


def ending_facts(state: State, end: End) -> LooseFacts:
    """KC-24: roles, court, payouts, scores; ballots, checks, peeks, looks, tie choices stay secret."""
    # KC-32: fewest first; winners are marked.
    rows = [
        {
            "name": slot,
            "role": str(state.deal.roles[slot]),
            "votes": score.votes,
            "bonus": score.bonus,
            "total": score.total,
            "won": slot in end.winners,
        }
        for slot, score in end.scores.items()
    ]
    return {
        "kind": end.kind,
        "king": state.king,
        "dukes": end.dukes,
        "nobles": end.nobles,
        "winners": list(end.winners),
        "court": list(state.court),
        "roles": [_role_row(state, slot) for slot in state.slots],
        "scores": sorted(rows, key=lambda row: int(str(row["total"]))),
        "opals": [slot for slot in end.winners if state.prizes.opals.get(slot)],
        "king_share": (end.dukes + end.nobles) // 2,
        "tied": list(end.tied),
        "ec": end.ec,
        "deadline": deadline_said(state),
        "seats": seats_facts(seats_of(state)),
    }


def ending(state: State, end: End) -> Announced:
    """The King has joined, not too early."""
    return Announced(Untyped("ending", ending_facts(state, end)))


def deathmatch(state: State) -> Announced:
    """KC-23: four early Kings."""
    return Announced(Untyped("deathmatch", {"kings": list(state.past_kings), "kind": DEATHMATCH}))


def _role_row(state: State, slot: SlotId) -> LooseFacts:
    place = state.court.index(slot) + 1 if slot in state.court else None
    role, annoyed = str(state.deal.roles[slot]), slot in state.deal.annoyed
    return {"name": slot, "role": role, "annoyed": annoyed, "place": place}
