"""What happens when a vote or a tie window closes: KC-06 to KC-12, KC-18, KC-20."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from knightfall.engine.game import Step, Told
from knightfall.engine.rng import Rng
from knightfall.games.kings_court import posts
from knightfall.games.kings_court.aftermath import crown
from knightfall.games.kings_court.checks import deliver_check, send_hints
from knightfall.games.kings_court.events import SheetRow, TieAsked
from knightfall.games.kings_court.garnets import VOTE_FINE, answer_waiting, fine
from knightfall.games.kings_court.options import source
from knightfall.games.kings_court.sheets import ballots_sheet, sheet
from knightfall.games.kings_court.state import Move, Phase, Poll, State, deadline, then
from knightfall.sentence import SlotId


def close_vote(state: State, at: datetime, draw: Rng) -> Move:
    """KC-12: answers, fines, the count, then election or tie."""
    step = Step(state, (ballots_sheet(state),))
    step = then(step, lambda s: answer_waiting(s, draw))
    step = then(step, lambda s: deliver_check(s, draw))
    step = then(step, _fine_silent)
    return then(step, lambda s: _decide(_count(s), at, draw))


def _missed(state: State) -> tuple[SlotId, ...]:
    """KC-06: who outside has no valid vote; without a legal candidate nobody is at fault."""
    if len(state.outside) < 2:
        return ()
    return tuple(slot for slot in state.outside if slot not in state.ballots)


def _fine_silent(state: State) -> Move:
    return fine(state, _missed(state), VOTE_FINE, "vote", "KC-06")


def _count(state: State) -> State:
    """Votes received add up in the attempt (KC-32); the counted vote is pending until it is settled."""
    found = Counter(state.ballots.values())
    order = sorted(found, key=lambda slot: (-found[slot], state.slots.index(slot)))
    counts = {slot: found[slot] for slot in order}
    totals = {slot: state.totals.get(slot, 0) + counts.get(slot, 0) for slot in state.slots}
    poll = Poll(state.deals, state.attempt, state.round, counts, _missed(state))
    return state._replace(totals=totals, pending=poll)


def leaders(counts: Mapping[SlotId, int], outside: tuple[SlotId, ...]) -> tuple[SlotId, ...]:
    """KC-07: most votes; KC-09: where nobody voted all are tied on 0."""
    most = max(counts.values(), default=0)
    return tuple(slot for slot in outside if counts.get(slot, 0) == most)


def _decide(state: State, at: datetime, draw: Rng) -> Move:
    poll = _pending(state)
    if not poll.counts and len(state.outside) > 1 and state.rules["zero_votes"] != "king_decides":
        # KC-09 by option: voted again, or a round without an election.
        skipped = state.rules["zero_votes"] == "no_election"
        return _vote_again(state, at, "KC-09", state.round + skipped)
    first = leaders(poll.counts, state.outside)
    if len(first) == 1:
        return elect(state, first[0], at, draw, "KC-07")
    return _tie(state._replace(pending=replace(poll, tied=first)), at, draw)


def _vote_again(state: State, at: datetime, ruling: str, round_: int) -> Move:
    """The result is posted, and the vote opens anew; a tie-break list holds for its round (KC-08)."""
    poll = _pending(state)
    lists = state.tiebreak if round_ == state.round else ()
    after = state._replace(
        polls=(*state.polls, poll),
        pending=None,
        ballots={},
        phase=Phase.VOTE,
        round=round_,
        tiebreak=lists,
        opened=at,
    )
    return Step(after, (posts.result(after, poll), sheet(after, SheetRow("revote", ruling))))


def _tie(state: State, at: datetime, draw: Rng) -> Move:
    """KC-11: nothing is published before the tie window has run its full length, settled or not."""
    choice = settled(state)
    if choice and state.rules["tie_publish"] == "at_once":
        return elect(state, choice, at, draw, "KC-08")
    after = state._replace(phase=Phase.TIE, opened=at)
    tied, free = _pending(state).tied, candidates(state)
    asked = TieAsked(
        state.king,
        tied,
        free,
        choice if choice and len(free) > 1 else None,
        deadline(after),
        waits=state.rules["tie_publish"] == "fixed",
        silent=state.rules["kc_10"],
    )
    because = sheet(after, SheetRow("tie", "KC-08", slots=tied, answer=choice))
    return Step(after, (Told((state.king,), asked), because))


def candidates(state: State) -> tuple[SlotId, ...]:
    """KC-08: the tied, but never the King."""
    return tuple(slot for slot in _pending(state).tied if slot != state.king)


def settled(state: State) -> SlotId | None:
    """KC-08: the only one left, or the first listed name that is tied; None: the King has not decided."""
    free = candidates(state)
    if len(free) == 1:
        return free[0]
    return next((slot for slot in state.tiebreak if slot in free), None)


def close_tie(state: State, at: datetime, draw: Rng) -> Move:
    """The tie window has run out."""
    return then(answer_waiting(state, draw), lambda s: _untie(s, at, draw))


def _untie(state: State, at: datetime, draw: Rng) -> Move:
    """KC-08: as the King decided; KC-10: without a word."""
    choice = settled(state)
    if choice:
        return elect(state, choice, at, draw, "KC-08")
    if state.rules["kc_10"] == "revote":
        return _vote_again(state, at, "KC-10", state.round)
    # KC-10: at random; by option who has had all the votes of this count for the longest time, and if nobody
    # voted (KC-09) the first in the list of players.
    unasked: SlotId
    free = candidates(state)
    if state.rules["kc_10"] == "random":
        here = source(state.rules, draw, "play").at("vote", len(state.polls) + 1)
        unasked = here.choice("kc.tiebreak", free)
    else:
        last = {target: place for place, target in enumerate(state.ballots.values())}
        unasked = min(free, key=lambda slot: last.get(slot, -1))
    return elect(state, unasked, at, draw, "KC-10")


def elect(state: State, slot: SlotId, at: datetime, draw: Rng, ruling: str) -> Move:
    """KC-07: the one joins the court; the King ends the attempt."""
    is_king = slot == state.king
    poll = replace(_pending(state), elected=(slot,), king=slot if is_king else None)
    seated = state._replace(
        court=(*state.court, slot),
        polls=(*state.polls, poll),
        pending=None,
        ballots={},
        tiebreak=(),
        phase=Phase.VOTE,
        opened=at,
    )
    because = sheet(state, SheetRow("elected", ruling, slot, yes=is_king))
    if is_king:
        return then(Step(seated, (posts.result(seated, poll), because)), lambda s: crown(s, at, draw))
    welcome = seated._replace(check_right=slot, check_pair=(), round=state.round + 1)
    step = then(Step(welcome, (posts.result(welcome, poll), because)), send_hints)
    return then(step, lambda s: _last_outside(s, at, draw))


def _last_outside(state: State, at: datetime, draw: Rng) -> Move:
    """KC-20: the King, left outside alone, joins at once, without a vote."""
    if state.outside != (state.king,):
        return Step(state)
    last = replace(state.polls[-1], elected=(*state.polls[-1].elected, state.king), king=state.king)
    after = state._replace(
        court=(*state.court, state.king), polls=(*state.polls[:-1], last), check_right=None
    )
    because = sheet(state, SheetRow("alone", "KC-20"))
    return then(Step(after, (posts.alone(after), because)), lambda s: crown(s, at, draw))


def _pending(state: State) -> Poll:
    if state.pending is None:
        raise ValueError("no counted vote is waiting")
    return state.pending
