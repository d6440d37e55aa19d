"""What each may know of a match of King's Court.

The public: court, counts of rounds that were posted, early Kings, and after the end roles, payouts, scores.
A slot: its own role, balance, submissions and answers besides.
"""

from __future__ import annotations

from collections.abc import Mapping

from knightfall.engine.game import LooseFacts, SlotId, View
from knightfall.games.kings_court import posts
from knightfall.games.kings_court.checks import LOOKS
from knightfall.games.kings_court.state import DEATHMATCH, Phase, State, deadline_said
from knightfall.games.kings_court.submissions import standing


def view(state: State, slot: SlotId | None) -> View:
    """The table, and for a player what is his own."""
    table = table_facts(state)
    return View(slot, table if slot not in state.slots else {**table, **own_facts(state, slot)})


def table_facts(state: State) -> dict[str, object]:
    """What everyone sees; nothing here moves when somebody sends something in secret."""
    # KC-13: who was elected last; not whether he has asked already.
    last = state.polls[-1] if state.polls else None
    open_ = last is not None and last.deal == state.deals and state.phase is Phase.VOTE
    # KC-24: the truth once the King has joined in time; nothing after four early Kings (KC-23).
    ending: LooseFacts | None
    end = state.end
    if end is None:
        ending = None
    elif end.kind == DEATHMATCH:
        ending = {"kind": end.kind, "deathmatch": list(state.past_kings)}
    else:
        facts = posts.ending_facts(state, end)
        kept = ("kind", "dukes", "nobles", "winners", "roles", "scores", "opals", "tied", "ec")
        ending = {key: facts[key] for key in kept} | {"gifted": list(end.gifted), "dmo": end.dmo}
    return {
        "phase": str(state.phase),
        "attempt": state.attempt,
        "round": state.round,
        "court": list(state.court),
        "outside": list(state.outside),
        "removed": [slot for slot in state.slots if slot in state.removed],
        "past_kings": list(state.past_kings),
        "polls": [posts.poll_facts(state, poll) for poll in state.polls],
        "may_check": last.elected[0] if last and open_ and last.elected else None,
        "deadline": deadline_said(state),
        "moe": _held(state.prizes.moe),
        "tol": _held(state.prizes.tol),
        "opals": _held(state.prizes.opals),
        "ending": ending,
    }


def _held(counts: Mapping[SlotId, int]) -> LooseFacts:
    return {slot: count for slot, count in counts.items() if count}


def own_facts(state: State, slot: SlotId) -> LooseFacts:
    """KC-01: the role, not whether annoyed; the balance; what stands; what was learned."""
    facts = {
        "role": str(state.deal.roles[slot]),
        "garnets": state.garnets[slot],
        "standing": standing(state, slot),
        "learned": [
            {"attempt": item.attempt, "kind": item.kind, "names": list(item.names), "answer": item.answer}
            for item in state.known.get(slot, ())
        ],
    }
    if slot != state.king:
        return facts
    tied = list(state.pending.tied) if state.pending else []  # KC-08: he decides among them
    return {**facts, "tied": tied, "looks": 0 if state.court else LOOKS - len(state.learned)}
