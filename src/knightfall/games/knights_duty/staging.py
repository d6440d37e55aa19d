"""What the players of a staged game are asked after the reveal (KD-29).

Tokens are laid first; in each round the movers say where to and, after moves and swaps, the attackers whom.
Directions and wishes laid with the tokens hold for who is silent.
"""

from __future__ import annotations

from dataclasses import replace

from knightfall.engine.game import Refusal
from knightfall.engine.rng import Rng
from knightfall.games.knights_duty.check import Fault, Wanted, check_plan
from knightfall.games.knights_duty.plan import ROUNDS, Entry, Token, entry_at, write_entry
from knightfall.games.knights_duty.reading import Aliases, read_entry, read_targets
from knightfall.games.knights_duty.rounds import attackers, begin_round, finish_round, reveal
from knightfall.games.knights_duty.state import Phase, State
from knightfall.sentence import SlotId

Refused = tuple[tuple[str, Refusal], ...]


def asked(state: State) -> tuple[SlotId, ...]:
    """Who is asked something now: the movers of the round revealed, or its attackers."""
    if state.phase is Phase.ATTACKS:
        return attackers(state)
    revealed = state.rounds[-1].revealed.items()
    return tuple(s for s, e in revealed if e.token is Token.MOVE and not state.knights[s].left)


def next_question(state: State, draw: Rng) -> State:
    """On to the next stage in which somebody is asked; phase TURN again when the turn has been played."""
    while True:
        state = _advance(state, draw)
        if state.phase is Phase.TURN or asked(state):
            return state


def _advance(state: State, draw: Rng) -> State:
    """One stage: the moves of a round just revealed, its attacks, the reveal of the next."""
    if state.phase is Phase.MOVES:
        revealed = with_orders(state).rounds[-1]
        # The position without the round that is only revealed.
        return replace(begin_round(replace(state, rounds=state.rounds[:-1]), revealed), phase=Phase.ATTACKS)
    if state.phase is Phase.ATTACKS:
        state = finish_round(with_orders(state), draw)
        if len(state.rounds) == ROUNDS or len(state.living) < 2:
            return replace(state, phase=Phase.TURN)
    return replace(state, rounds=(*state.rounds, reveal(state)), phase=Phase.MOVES)


def with_orders(state: State) -> State:
    """The round with what its players said since the reveal."""
    now = state.rounds[-1]
    said = {slot: entry_at(state.plans.get(slot, ()), now.number) for slot in now.revealed}
    # KD-06: a token that was taken from a maimed knight stays taken.
    fresh = {
        slot: said[slot] if said[slot].token is entry.token else entry for slot, entry in now.revealed.items()
    }
    return replace(state, rounds=(*state.rounds[:-1], replace(now, revealed=fresh)))


def shown(state: State) -> dict[SlotId, str]:
    """The tokens of the round as they lie open: without directions and wishes, which are still secret."""
    revealed = state.rounds[-1].revealed
    return {slot: write_entry(Entry(entry.token)) for slot, entry in revealed.items()}


def take_order(state: State, slot: SlotId, lines: tuple[str, ...], aliases: Aliases) -> tuple[State, Refused]:
    """The answer of a mover (`NE`, `MOVE STAY`) or of an attacker (`@ Bob, Cyd`, `SWORD @ Bob ONLY`)."""
    if slot not in asked(state):
        why = Refusal("WRONG_PHASE", "you are asked nothing now: the tokens of this turn lie")
        return state, tuple((line, why) for line in lines)
    refused = []
    for line in lines:
        read = _order(state, slot, line, aliases)
        if isinstance(read, Refusal):
            refused.append((line, read))
        else:
            plan = list(state.plans[slot])
            plan[len(state.rounds) - 1] = read
            state = replace(state, plans={**state.plans, slot: tuple(plan)})
    return state, tuple(refused)


def _order(state: State, slot: SlotId, line: str, aliases: Aliases) -> Entry | Refusal:
    number = len(state.rounds)
    token = entry_at(state.plans.get(slot, ()), number).token
    round_, wanted = read_entry(state, line, aliases)
    if wanted is None and round_ in (None, number):
        aim = line.partition("@")[2] if "@" in line else line
        wanted = read_targets(state, Wanted(token, line=line), aim, aliases)
    if isinstance(wanted, Refusal):
        return wanted
    if wanted is None or wanted.token != token or round_ not in (None, number):
        return Refusal("WRONG_TOKEN", f"your token of round {number} is {token.upper()}")
    plan = check_plan(state, state.knights[slot], (wanted,))
    return plan.refusal if isinstance(plan, Fault) else plan[0]
