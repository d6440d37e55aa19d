"""Which laws does a game of Knight's Duty keep, whatever is played and by which options?

For random play and for tests: a turn is told again from its record, step by step, and compared with the
position it led to. A law that was broken is a sentence with its ruling; a sound game gives none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from knightfall.games.knights_duty.piles import Card
from knightfall.games.knights_duty.plan import LIMITS, REACH, ROUNDS, WOUNDED_ROUNDS, Entry, Extra, Token
from knightfall.games.knights_duty.rounds import destinations, shares
from knightfall.games.knights_duty.state import Attack, Phase, Round, State, Wound
from knightfall.sentence import SlotId

_CARDS = 4  # KD-16: every weapon's pile


@dataclass(slots=True)
class _Told:
    """A turn on its way: where everyone in the game stands, with what, and whose Heart is up."""

    spaces: dict[SlotId, str]
    weapons: dict[SlotId, Token | None]
    hearts: dict[SlotId, bool]


def broken_laws(states: Sequence[State]) -> Iterator[str]:
    """What no game may show, in the order it happened; `states` as they followed each other."""
    begun = states[0]
    for before, after in pairwise(states):
        yield from _position(after)
        yield from _step(before, after)
        if after.rounds is not before.rounds and after.phase in (Phase.TURN, Phase.OVER):
            yield from (f"turn {begun.turn}: {fault}" for fault in _turn(begun, after))
        if after.turn != begun.turn:
            begun = after
    yield from _end(states[-1])


def _position(state: State) -> Iterator[str]:
    """KD-08: one knight a space, unless spaces are shared; KD-10: nobody off the board."""
    spaces = [knight.pos for knight in state.living.values() if knight.pos]
    yield from _apart(state, spaces)
    if not state.board.spaces.keys() >= set(spaces):
        yield f"KD-10: somebody stands off the board: {spaces}"
    for slot, plan in state.plans.items():
        yield from _tokens(slot, plan)


def _apart(state: State, spaces: Sequence[str]) -> Iterator[str]:
    if len(set(spaces)) < len(spaces) and not shares(state.rules):
        yield f"KD-08: two knights on one space: {sorted(spaces)}"


def _tokens(slot: SlotId, entries: Sequence[Entry]) -> Iterator[str]:
    """KD-03: tokens of each kind; KD-04: actions of a turn."""
    laid = Counter(entry.token for entry in entries if entry.token is not Token.PASS)
    yield from (
        f"KD-03: {slot} has laid {token} {count} times"
        for token, count in laid.items()
        if count > LIMITS[token]
    )
    if laid.total() > ROUNDS:
        yield f"KD-04: {slot} has laid {laid.total()} tokens"


def _step(before: State, after: State) -> Iterator[str]:
    """KD-21, KD-23: a Heart does not rise, who has left stays away; turns follow each other."""
    for slot, knight in after.knights.items():
        earlier = before.knights[slot]
        if knight.heart and not earlier.heart:
            yield f"KD-21: the Heart of {slot} rose in turn {before.turn}"
        if earlier.left and not knight.left:
            yield f"KD-23: {slot} came back in turn {before.turn}"
    if not 0 <= after.turn - before.turn <= 1:
        yield f"KD-05: turn {after.turn} follows turn {before.turn}"


def _end(state: State) -> Iterator[str]:
    """KD-26, KD-32: over with one knight or none left, or at the limit; all others went out."""
    left, end = tuple(state.living), state.ending
    if set(state.out) != set(state.knights) - set(left):
        yield f"KD-23: out are {state.out}, left {left}"
    if end is None:
        return
    if len(left) > 1 and not (end.why == "limit" and state.limit is not None and state.turn >= state.limit):
        yield f"KD-26: over with {left} left in turn {state.turn}, last turn {state.limit}"
    if end.winner is not None and end.winner not in left:
        yield f"KD-26: {end.winner} won and has left"


def _turn(begun: State, after: State) -> Iterator[str]:
    """All rounds of a turn told again from where it began, and where that leads."""
    living = begun.living
    told = _Told(
        {slot: knight.pos for slot, knight in living.items()},
        {slot: knight.weapon for slot, knight in living.items()},
        {slot: knight.heart for slot, knight in living.items()},
    )
    yield from _actions(begun, after.rounds)
    for played in after.rounds:
        yield from (f"round {played.number}: {fault}" for fault in _round(after, played, told))
    yield from _arrived(after, told)


def _actions(begun: State, rounds: Sequence[Round]) -> Iterator[str]:
    """KD-03, KD-04: the tokens that were played; with the Heart down when the turn began, two."""
    for slot, knight in begun.living.items():
        played = [round_.revealed[slot] for round_ in rounds if slot in round_.revealed]
        yield from _tokens(slot, played)
        acting = sum(entry.token is not Token.PASS for entry in played)
        if not knight.heart and acting > WOUNDED_ROUNDS:
            yield f"KD-04: {slot} acted {acting} times with the Heart down"
    if begun.rules["maimed_midturn_loses_third"] == "true":
        yield from _third_actions(rounds)


def _third_actions(rounds: Sequence[Round]) -> Iterator[str]:
    """KD-06, R02: who is maimed in a turn has no third action in it."""
    maimed = {attack.target for round_ in rounds[: ROUNDS - 1] for attack in round_.attacks if attack.wound}
    for slot, entry in rounds[ROUNDS - 1].revealed.items() if len(rounds) == ROUNDS else ():
        if slot in maimed and entry.token is not Token.PASS:
            yield f"KD-06: {slot} was maimed and acted a third time"


def _round(state: State, played: Round, told: _Told) -> Iterator[str]:
    """KD-05: moves, swaps, attacks, removals, each from where the one before led."""
    if list(played.revealed) != list(told.spaces):
        yield f"KD-23: {list(played.revealed)} act, in the game are {list(told.spaces)}"
    yield from _moves(state, played, told)
    for swap in played.swaps:
        if told.weapons[swap.slot] != swap.before:
            yield f"KD-11: {swap.slot} puts away {swap.before}, held {told.weapons[swap.slot]}"
        told.weapons[swap.slot] = swap.after
    yield from _attacks(state, played, told)


def _moves(state: State, played: Round, told: _Told) -> Iterator[str]:
    for move in played.moves:
        if told.spaces[move.slot] != move.start:
            yield f"KD-07: {move.slot} leaves {move.start} but stood on {told.spaces[move.slot]}"
        if move.end not in (move.start, move.wanted) or state.board.distances[move.start][move.end] > 1:
            yield f"KD-07: {move.slot} goes from {move.start} to {move.end}, wanted {move.wanted}"
    if state.rules["kd_08"] != "seat_order":
        yield from _seatless(state, played, told.spaces)
    told.spaces.update((move.slot, move.end) for move in played.moves)
    yield from _apart(state, tuple(told.spaces.values()))


def _seatless(state: State, played: Round, spaces: Mapping[SlotId, str]) -> Iterator[str]:
    """KD-08: nobody's seat decides where anybody goes: the other way round everyone ends on the same."""
    wishes = {move.slot: move.wanted for move in reversed(played.moves) if move.wanted is not None}
    yielding = {slot for slot, entry in played.revealed.items() if Extra.YIELD in entry.extras}
    around = dict(reversed(list(spaces.items())))
    found = destinations(around, wishes, state.rules, yielding)
    if found != {move.slot: move.end for move in played.moves if move.end != move.start}:
        yield f"KD-08: in another order of seats {found}"


def _attacks(state: State, played: Round, told: _Told) -> Iterator[str]:
    felled: set[SlotId] = set()
    for attack in played.attacks:
        if attack.weapon != told.weapons[attack.attacker]:
            yield f"KD-12: {attack.attacker} attacks with {attack.weapon}, not with what it holds"
        if attack.target is not None:
            yield from _attack(state, attack, attack.target, told, felled)
        if attack.disarmed:
            told.weapons[attack.attacker] = None
    if set(played.fell) != felled:
        yield f"KD-23: {played.fell} left, {sorted(felled)} were critically wounded"
    for slot in felled:
        told.spaces.pop(slot, None)


def _attack(state: State, attack: Attack, target: SlotId, told: _Told, felled: set[SlotId]) -> Iterator[str]:
    """KD-13, KD-15, KD-21: in range, not felled yet, and the Heart as it was."""
    who = f"{attack.attacker} against {target}"
    if target == attack.attacker or target in felled or target not in told.spaces:
        yield f"KD-15: {who}, who cannot be attacked"
        return
    far = state.board.distances[told.spaces[attack.attacker]][told.spaces[target]]
    if not 1 <= far <= REACH[attack.weapon]:
        yield f"KD-13: {who} with a {attack.weapon} over {far} spaces"
    yield from (f"{fault}: {who}" for fault in _pile(state, attack))
    wound = Wound.MAIMED if told.hearts[target] else Wound.FELLED
    if attack.wound != (wound if attack.card is Card.HIT else None):
        yield f"KD-21: {who} drew {attack.card}: {attack.wound}"
    if attack.card is Card.HIT:
        told.hearts[target] = False
        felled |= {target} if wound is Wound.FELLED else set()


def _pile(state: State, attack: Attack) -> Iterator[str]:
    """KD-16 to KD-19: how many cards, and the one that was drawn is among them."""
    pile = attack.pile
    if pile is None or attack.card not in pile.cards():
        yield f"KD-16: {attack.card} of {pile}"
    elif sum(pile) not in _sizes(state, attack) or min(pile) < 0:
        yield f"KD-16: a pile of {sum(pile)} cards, {pile}"
    elif (
        attack.guard is Token.SHIELD and state.rules["inspiration"] in ("hill", "action") and not pile.shield
    ):
        yield f"KD-18: no Shield in {pile}"
    if attack.disarmed and (attack.guard is not Token.PARRY or attack.card is Card.HIT):
        yield "KD-20: disarmed without a failed attack on a parry"


def _sizes(state: State, attack: Attack) -> range:
    """KD-17: a Hit more for the inspired. KD-22, R02, R03: the target's token takes a card or adds one, and
    KD-18 of those editions a Shield more."""
    usual = _CARDS + attack.inspired
    fewer = state.rules["inspiration"] == "token"
    more = (state.rules["inspiration"] == "token_shield") + (state.rules["kd_18"] == "adds_a_shield")
    return range(usual - fewer, usual + more + 1)


def _arrived(after: State, told: _Told) -> Iterator[str]:
    """The position is the one that the record of the turn leads to."""
    living = after.living
    yield from _differs("KD-05: stand", told.spaces, ((slot, knight.pos) for slot, knight in living.items()))
    yield from _differs(
        "KD-20: hold",
        {slot: told.weapons[slot] for slot in told.spaces},
        ((slot, knight.weapon) for slot, knight in living.items()),
    )
    yield from _differs(
        "KD-21: Hearts",
        {slot: told.hearts[slot] for slot in told.spaces},
        ((slot, knight.heart) for slot, knight in living.items()),
    )


def _differs(
    what: str, told: Mapping[SlotId, object], found: Iterable[tuple[SlotId, object]]
) -> Iterator[str]:
    if told != (stands := dict(found)):
        yield f"{what} {stands}, by the record {told}"
