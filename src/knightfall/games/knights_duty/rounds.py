"""A round: reveal, moves, swaps, attacks, removals (KD-05)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from knightfall.engine.game import Chosen
from knightfall.engine.rng import Rng
from knightfall.games.knights_duty.board import STAY, Board
from knightfall.games.knights_duty.piles import Card, Defence, Pile, disarms, make_pile
from knightfall.games.knights_duty.plan import PASS, REACH, ROUNDS, Entry, Extra, Token, entry_at
from knightfall.games.knights_duty.state import Attack, Knight, Move, Round, State, Swap, Wound
from knightfall.sentence import SlotId

Wishes = Mapping[SlotId, str]
"""The space each mover wants: on the board and not the one it stands on."""


def play_moves(
    knights: Mapping[SlotId, Knight], entries: Mapping[SlotId, Entry], board: Board, rules: Chosen
) -> tuple[Move, ...]:
    """KD-07: every move token of the round with where it ended, in seat order."""
    movers = {slot: entry for slot, entry in entries.items() if entry.token is Token.MOVE and slot in knights}
    if not movers:
        return ()
    # KD-07, KD-10: nowhere for `STAY` and for a step off the board; the token is spent all the same.
    wanted = {
        slot: board.steps[knights[slot].pos].get(entry.direction or STAY) for slot, entry in movers.items()
    }
    wishes = {slot: space for slot, space in wanted.items() if space is not None}
    yielding = {slot for slot, entry in movers.items() if Extra.YIELD in entry.extras}
    positions = {slot: knight.pos for slot, knight in knights.items()}
    gone = destinations(positions, wishes, rules, yielding)
    return tuple(
        Move(slot, entry.direction or STAY, positions[slot], wanted[slot], gone.get(slot, positions[slot]))
        for slot, entry in movers.items()
    )


def destinations(
    positions: Mapping[SlotId, str], wishes: Wishes, rules: Chosen, yielding: Set[SlotId] = frozenset()
) -> dict[SlotId, str]:
    """KD-08: who leaves a space, and for which. `positions` are everyone's, movers or not."""
    going = dict(wishes)
    if rules["swap_places"] == "false":
        # KD-09, the variant: of two who want each other's space neither goes.
        steps = {(positions[slot], space) for slot, space in going.items()}
        going = {slot: space for slot, space in going.items() if (space, positions[slot]) not in steps}
    if shares(rules):  # KD-08, R00: many on one space
        return going
    # At most one mover for each space: of rivals nobody, or whom the option lets go.
    rule = rules["kd_08"]
    rivals: dict[str, list[SlotId]] = {}
    for slot in positions:  # in seat order
        if slot in going:
            rivals.setdefault(going[slot], []).append(slot)
    chosen = {space: _first(movers, rule, yielding) for space, movers in rivals.items()}
    going = {slot: space for space, slot in chosen.items() if slot is not None}
    # Who wants the space of a knight that stays, stays too, which may keep another from going: until nothing
    # changes. What is left moves, a circle too.
    while True:
        held = {space for slot, space in positions.items() if slot not in going}
        free = {slot: space for slot, space in going.items() if space not in held}
        if len(free) == len(going):
            return going
        going = free


def shares(rules: Chosen) -> bool:
    """Whether several knights may stand on one space."""
    return rules["share_space"] == "true" or rules["kd_08"] == "sharing"


def _first(movers: list[SlotId], rule: str, yielding: Set[SlotId]) -> SlotId | None:
    """KD-08: rivals all stay; by agreement one goes when all others yield; or the first in seat order."""
    if len(movers) == 1 or rule == "seat_order":
        return movers[0]
    if rule == "agreement":
        firm = [slot for slot in movers if slot not in yielding]
        return firm[0] if len(firm) == 1 else None
    return None


Shuffles = Mapping[SlotId, tuple[int, ...]]
_TOKENS = ("token", "token_shield")


@dataclass(slots=True)
class Melee:
    """An attack step on its way. `knights` are the living as they stand after moves and swaps; `inspired`
    those whose inspiration action still waits for an attack; `used` whose token has had its effect."""

    knights: dict[SlotId, Knight]
    entries: Mapping[SlotId, Entry]
    board: Board
    rules: Chosen
    turn: int
    number: int
    inspired: frozenset[SlotId] = frozenset()
    shuffles: Shuffles = field(default_factory=dict)
    felled: set[SlotId] = field(default_factory=set)
    used: set[SlotId] = field(default_factory=set)


def play_attacks(melee: Melee, attackers: Sequence[SlotId], draw: Rng) -> tuple[Attack, ...]:
    """All attacks of a round in their order; the melee's knights carry what they did."""
    # KD-14: seat order; or drawn; or as the attackers ask for, seat order among equals.
    in_order: Sequence[SlotId]
    rule = melee.rules["kd_14"]
    if rule == "random" and len(attackers) > 1:
        in_order = draw.sample(f"kd.order:R{melee.number}", attackers, len(attackers))
    elif rule == "attackers_choose":
        extras = {slot: melee.entries[slot].extras for slot in attackers}
        in_order = sorted(
            attackers, key=lambda slot: (Extra.LAST in extras[slot]) - (Extra.FIRST in extras[slot])
        )
    else:
        in_order = attackers
    attacks = tuple(_attack(melee, slot, draw) for slot in in_order)
    for slot in melee.used:
        melee.knights[slot] = replace(melee.knights[slot], fresh=False)
    return attacks


def _attack(melee: Melee, slot: SlotId, draw: Rng) -> Attack:
    knight = melee.knights[slot]
    weapon = knight.weapon or Token.SWORD
    target, lot = _target(melee, knight, weapon, draw)
    if target is None:  # KD-13: nobody in range
        return Attack(slot, weapon)
    # KD-17, KD-22: on the Glory Hill; or by a token or an action, where the option has them.
    if melee.rules["inspiration"] in _TOKENS:
        inspired = _uses_token(melee, knight.slot)
    elif knight.slot in melee.inspired:
        melee.inspired -= {knight.slot}
        inspired = True
    else:
        inspired = knight.pos in melee.board.hills
    # KD-05: shield and parry are facts of the round. A token laid with a weapon is for the own attack.
    token = melee.entries.get(target, PASS).token
    guard = token if token in (Token.SHIELD, Token.PARRY) else None
    helped = melee.rules["inspiration"] in _TOKENS and token not in REACH
    defence = Defence(guard, helped and _uses_token(melee, target))
    pile = make_pile(weapon, inspired, defence, melee.rules)
    shown, pick = _presented(melee, slot, target, pile, draw)
    card = shown[pick - 1] if shown else draw.choice(_label("card", melee, slot, target), pile.cards())
    # KD-20: the attacker's hands are empty at once.
    disarmed = disarms(knight.weapon or Token.SWORD, card, defence.guard, melee.rules)
    if disarmed:
        melee.knights[slot] = replace(knight, weapon=None)
    wound = _wound(melee, target) if card is Card.HIT else None
    return Attack(
        slot, weapon, target, pile, card, inspired, defence.guard, disarmed, wound, lot, shown, pick
    )


def _target(melee: Melee, knight: Knight, weapon: Token, draw: Rng) -> tuple[SlotId | None, bool]:
    """KD-15: the first of the list that can be attacked, else the nearest; whether a lot decided."""
    distances, reach = melee.board.distances[knight.pos], REACH[weapon]
    near = {
        slot: far
        for slot, other in melee.knights.items()
        if slot != knight.slot and slot not in melee.felled and 1 <= (far := distances[other.pos]) <= reach
    }
    entry = melee.entries[knight.slot]
    for name in entry.targets:
        if name in near:
            return name, False
    if not near or entry.only or melee.rules["kd_15"] == "forfeit":
        return None, False
    closest = min(near.values())
    equals = [slot for slot, far in near.items() if far == closest]
    if len(equals) == 1:
        return equals[0], False
    return draw.choice(f"kd.target:R{melee.number}:{knight.slot}", equals), True


def _uses_token(melee: Melee, slot: SlotId) -> bool:
    """KD-22, R02 and R03: once, until it is refreshed; against every attack of the round it is used in."""
    if not melee.knights[slot].fresh or Extra.INSPIRED not in melee.entries[slot].extras:
        return False
    melee.used.add(slot)
    return True


def _label(kind: str, melee: Melee, attacker: SlotId, target: SlotId) -> str:
    return f"kd.{kind}:R{melee.number}:{attacker}->{target}"


def _presented(
    melee: Melee, attacker: SlotId, target: SlotId, pile: Pile, draw: Rng
) -> tuple[tuple[Card, ...], int]:
    """Where attackers pick: the pile as the target lays it out, and which card is taken. Else nothing: one
    card of a fresh pile is drawn uniformly."""
    if melee.rules["cards"] == "drawn":
        return (), 0
    cards, own = pile.cards(), melee.shuffles.get(target)
    if own is None:
        shown = draw.sample(_label("shuffle", melee, attacker, target), cards, len(cards))
    else:
        shown = tuple(cards[place - 1] for place in own if place <= len(cards))
    return shown, (max(melee.entries[attacker].pick, 1) - 1) % len(shown) + 1


def _wound(melee: Melee, target: SlotId) -> Wound:
    """KD-21: maimed; with the Heart down critically wounded, in the same round too."""
    hurt = melee.knights[target]
    if not hurt.heart:
        melee.felled.add(target)
        return Wound.FELLED
    melee.knights[target] = replace(hurt, heart=False, maimed=melee.turn)
    return Wound.MAIMED


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
