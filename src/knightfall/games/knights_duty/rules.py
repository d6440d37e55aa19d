"""The rules of Knight's Duty: what is wrong with a plan, the rounds of a turn, a staged turn, and the end.

A plan is checked by the codes of KD-04 in their order, and of several the first is given. It stands or falls
whole, unless an option refuses it line by line (`orders.lay`), and comes as it was asked for, words that are
not understood included. In a staged game tokens are laid first; in each round the movers say where to and,
after moves and swaps, the attackers whom (KD-29). Who is silent: what was laid with the tokens holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from knightfall.engine.game import Chosen, Outcome, Refusal
from knightfall.engine.rng import Rng
from knightfall.games.knights_duty.board import STAY, STEPS, Board
from knightfall.games.knights_duty.state import (
    LIMITS,
    PASS,
    REACH,
    ROUNDS,
    WOUNDED_ROUNDS,
    Attack,
    Card,
    Deed,
    Defence,
    Ending,
    Entry,
    Extra,
    Knight,
    Move,
    Phase,
    Pile,
    Plan,
    Round,
    Score,
    State,
    Swap,
    Token,
    Wound,
    disarms,
    entry_at,
    make_pile,
    write_entry,
)
from knightfall.sentence import SlotId, sentence

TOO_MANY = "TOO_MANY_ACTIONS"
_WORDS = ("no", "one", "two", "three", "four", "five", "six")
_TOKENS = frozenset(Token)


@dataclass(frozen=True, slots=True)
class Wanted:
    """One entry as asked for. `line` is where it stands; `dir` None where a move names no direction."""

    token: str
    direction: str | None = None
    targets: tuple[str, ...] = ()
    only: bool = False
    extras: frozenset[Extra] = frozenset()
    pick: int = 0
    line: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a plan was not taken, and the first entry that shows it."""

    line: str
    refusal: Refusal


Entries: TypeAlias = Sequence[Wanted]


def check_plan(state: State, knight: Knight, wanted: Entries) -> Plan | Fault:
    """The plan, or the first fault in the order of KD-04. `knight` is a living one."""
    fault = next(_faults(state, knight, wanted), None)
    if fault is not None:
        return fault
    plan = []
    for one in wanted:
        token = Token(one.token)
        if token in REACH:
            targets = tuple(SlotId(name) for name in one.targets)
            plan.append(Entry(token, None, targets, one.only, one.extras, one.pick))
        else:
            plan.append(Entry(token, one.direction if token is Token.MOVE else None, extras=one.extras))
    return tuple(plan)


def _faults(state: State, knight: Knight, wanted: Entries) -> Iterator[Fault]:
    """Everything that is wrong, code by code in the order of KD-04."""
    # KD-04, KD-06: three entries, two with the Heart down, passes included; the last is one too many.
    spread = state.rules["kd_06"] == "any_two" and not knight.heart
    most = ROUNDS if knight.heart or spread else WOUNDED_ROUNDS
    acting = [one for one in wanted if one.token != Token.PASS]
    if len(wanted) > most or (spread and len(acting) > WOUNDED_ROUNDS):
        heart = "up" if knight.heart else "down"
        allowed = _WORDS[ROUNDS if knight.heart else WOUNDED_ROUNDS]
        has = f"with your Heart {heart} you have {allowed} actions"
        yield _fault(wanted[-1], TOO_MANY, f"{has}, and {len(wanted)} are in this plan")
    # KD-22: inspiration is a marker, unless the option makes it an action.
    for one in wanted:
        if one.token == Token.INSPIRATION and state.rules["inspiration"] != "action":
            yield _fault(one, "NOT_AN_ACTION", "inspiration is a marker, not an action")
    for one in wanted:
        if one.token not in _TOKENS:
            text = "there is no such token; there are sword, spear, bow, shield, parry, move and pass"
            yield _fault(one, "UNKNOWN_TOKEN", text)
    # KD-03: tokens of each kind.
    tokens = [one.token for one in wanted]
    for place, one in enumerate(wanted):
        limit = LIMITS.get(one.token, len(wanted))
        if tokens[: place + 1].count(one.token) > limit:
            count = _WORDS[tokens.count(one.token)]
            has = f"you have {_WORDS[limit]} {one.token} token{'' if limit == 1 else 's'} a turn"
            yield _fault(one, "TOKEN_LIMIT", f"{has} and {count} are in this plan")
    # KD-07: one of the directions of the board, or STAY; in a staged game it may be said later.
    known = (*STEPS[state.board.grid], STAY)
    for one in wanted:
        later = one.direction is None and state.rules["mode"] == "staged"
        if one.token == Token.MOVE and one.direction not in known and not later:
            yield _fault(one, "BAD_DIRECTION", f"a move goes {', '.join(known[:-1])} or {STAY}")
    attacks = [one for one in wanted if one.token in REACH]
    for one in attacks:
        if knight.slot in one.targets:
            yield _fault(one, "SELF_TARGET", "you cannot attack yourself")
    # KD-04: nobody of that name, or fallen before the plan was sent.
    for one in attacks:
        for name in one.targets:
            target = state.knights.get(SlotId(name))
            if target is None:
                yield _fault(one, "UNKNOWN_TARGET", f"nobody here is called “{name}”")
            elif target.left:
                yield _fault(one, "UNKNOWN_TARGET", sentence("{slot} is out of the game", slot=SlotId(name)))


def _fault(one: Wanted, code: str, text: str) -> Fault:
    return Fault(one.line or one.token.upper(), Refusal(code, text))


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
_BY_TOKEN = ("token", "token_shield")


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
    if melee.rules["inspiration"] in _BY_TOKEN:
        inspired = _uses_token(melee, knight.slot)
    elif knight.slot in melee.inspired:
        melee.inspired -= {knight.slot}
        inspired = True
    else:
        inspired = knight.pos in melee.board.hills
    # KD-05: shield and parry are facts of the round. A token laid with a weapon is for the own attack.
    token = melee.entries.get(target, PASS).token
    guard = token if token in (Token.SHIELD, Token.PARRY) else None
    helped = melee.rules["inspiration"] in _BY_TOKEN and token not in REACH
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


LIMIT_OFFERED = 60
"""KD-32: after so many turns the moderator is reminded that a last turn can be set."""


def settled(state: State) -> State:
    """The state, over if it is (KD-26). Nobody left: a draw between those who fell in the last round."""
    left = tuple(state.living)
    if len(left) > 1:
        return state
    if left:
        return _over(state, Ending(left[0], (), "last"))
    fell = state.rounds[-1].fell if state.rounds else ()
    return _over(state, Ending(None, fell, "fell" if fell else "left"))


def at_limit(state: State) -> State:
    """KD-32: after the last turn most hearts win, then it is a draw between those who have most."""
    if state.ending or state.limit is None or state.turn < state.limit:
        return state
    left = tuple(state.living)
    most = tuple(slot for slot in left if state.knights[slot].heart) or left
    alone = most[0] if len(most) == 1 else None
    return _over(state, Ending(alone, () if alone else most, "limit"))


def _over(state: State, ending: Ending) -> State:
    return replace(state, phase=Phase.OVER, ending=ending, plans={}, shuffles={})


def told(state: State) -> State:
    """The state with the rounds of its turn written into the table and the story."""
    scores = dict(state.scores)
    deeds = []
    for number, attack in ((played.number, attack) for played in state.rounds for attack in played.attacks):
        own = scores.get(attack.attacker, Score())
        scores[attack.attacker] = replace(
            own,
            hits=own.hits + (attack.card is Card.HIT),
            misses=own.misses + (attack.card is Card.MISS),
            shields=own.shields + (attack.card is Card.SHIELD),
            forfeits=own.forfeits + (attack.target is None),
            disarmed=own.disarmed + attack.disarmed,
        )
        if attack.target is None:
            continue
        if attack.wound or attack.disarmed:
            theirs = scores.get(attack.target, Score())
            scores[attack.target] = replace(
                theirs,
                wounds=theirs.wounds + (attack.wound is not None),
                disarms=theirs.disarms + attack.disarmed,
            )
        if attack.wound:
            deeds.append(
                Deed(state.turn, number, attack.attacker, attack.weapon, attack.target, attack.wound)
            )
    return replace(state, scores=scores, story=(*state.story, *deeds))


def outcome(state: State) -> Outcome | None:
    """None while the game goes on; a draw has no winner, and is between those that it names."""
    if state.ending is None:
        return None
    winner = state.ending.winner
    return Outcome(winner, (winner,) if winner else (), state.ending.drawn)


def scores_of(state: State) -> Mapping[SlotId, Score]:
    """Everyone's line of the table, in seat order."""
    return {slot: state.scores.get(slot, Score()) for slot in state.knights}
