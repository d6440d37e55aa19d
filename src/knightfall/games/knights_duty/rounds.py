"""A round: reveal, moves, swaps, attacks, removals (KD-05).

A round is played in two halves, before and after the attackers are asked in a staged game (KD-29); a game by
orders plays both at once.
"""

from __future__ import annotations

from dataclasses import replace

from knightfall.engine.game import SlotId
from knightfall.engine.rng import Rng
from knightfall.games.knights_duty.combat import Melee, play_attacks
from knightfall.games.knights_duty.movement import play_moves
from knightfall.games.knights_duty.plan import PASS, REACH, ROUNDS, Entry, Token, entry_at
from knightfall.games.knights_duty.state import Round, State, Swap, Wound

FELLED = "felled"


def play_turn(state: State, draw: Rng) -> State:
    """All rounds of a turn by the plans on file, until one knight or none is left (KD-26)."""
    state = replace(state, rounds=())
    while len(state.rounds) < ROUNDS and len(state.living) > 1:
        state = finish_round(begin_round(state, reveal(state)), draw)
    return state


def reveal(state: State) -> Round:
    """The next round, its tokens shown; KD-25: no plan is three passes."""
    number = len(state.rounds) + 1
    entries: dict[SlotId, Entry] = {}
    for slot, knight in state.living.items():
        # KD-06: what was laid counts, also of a knight maimed since; the R02 rule takes its third action.
        maimed_now = number == ROUNDS and knight.maimed == state.turn
        loses = maimed_now and state.rules["maimed_midturn_loses_third"] == "true"
        entries[slot] = PASS if loses else entry_at(state.plans.get(slot, ()), number)
    return Round(number, entries)


def begin_round(state: State, now: Round) -> State:
    """The move step, then the swap step, of a round revealed."""
    living = state.living
    moves = play_moves(living, now.revealed, state.board, state.rules)
    # Everyone where the move step took them; KD-22, R02: the hill refreshes a used token.
    knights = dict(state.knights)
    for move in moves:
        if move.end != move.start:
            knights[move.slot] = replace(knights[move.slot], pos=move.end)
    for slot, knight in living.items():
        if not knight.fresh and knights[slot].pos in state.board.hills:
            knights[slot] = replace(knights[slot], fresh=True)
    laid = ((knights[slot], entry) for slot, entry in now.revealed.items())
    # KD-11: a weapon token other than the weapon held.
    swaps = tuple(
        Swap(knight.slot, knight.weapon, entry.token)
        for knight, entry in laid
        if entry.token in REACH and entry.token is not knight.weapon and not knight.left
    )
    for swap in swaps:
        knights[swap.slot] = replace(knights[swap.slot], weapon=swap.after)
    done = Round(now.number, now.revealed, moves, swaps)
    return replace(state, knights=knights, rounds=(*state.rounds, done))


def attackers(state: State) -> tuple[SlotId, ...]:
    """Who attacks in the round begun; KD-12: a swap is the whole action, unless the option says otherwise."""
    now = state.rounds[-1]
    swapped = {swap.slot for swap in now.swaps} if state.rules["swap_then_attack"] == "false" else set()
    armed = (slot for slot, entry in now.revealed.items() if entry.token in REACH and slot not in swapped)
    return tuple(slot for slot in armed if not state.knights[slot].left)


def finish_round(state: State, draw: Rng) -> State:
    """The attack step, then the critically wounded leave (KD-23)."""
    now, attacking = state.rounds[-1], attackers(state)
    if not attacking:
        return state
    # KD-22, the variant: whose inspiration action of this turn has not met an attack yet.
    waiting: set[SlotId] = set()
    if state.rules["inspiration"] == "action":
        for played in state.rounds:
            waiting -= {attack.attacker for attack in played.attacks if attack.target}
            waiting |= {slot for slot, entry in played.revealed.items() if entry.token is Token.INSPIRATION}
    melee = Melee(
        state.living,
        now.revealed,
        state.board,
        state.rules,
        state.turn,
        now.number,
        frozenset(waiting),
        state.shuffles,
    )
    attacks = play_attacks(melee, attacking, draw)
    fell = tuple(slot for slot in melee.knights if slot in melee.felled)
    knights = {**state.knights, **melee.knights}
    for slot in fell:
        knights[slot] = replace(knights[slot], left=FELLED, fell=(state.turn, now.number))
    if state.rules["inspiration"] == "token_shield":
        # KD-22, R03: felling a knight refreshes the token.
        victors = {a.attacker: a.target for a in attacks if a.wound is Wound.FELLED}
        for slot in victors:
            if slot not in fell:
                knights[slot] = replace(knights[slot], fresh=True)
    done = Round(now.number, now.revealed, now.moves, now.swaps, attacks, fell)
    return replace(state, knights=knights, rounds=(*state.rounds[:-1], done), out=(*state.out, *fell))
