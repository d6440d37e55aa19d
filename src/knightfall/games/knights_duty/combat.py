"""The attacks of a round: who attacks whom, which card is drawn, and what it does.

Attacks are resolved one after another (KD-14), but nobody leaves before the round is over (KD-23): order
matters only to whom a later attack finds still worth attacking.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from knightfall.engine.game import Chosen, SlotId
from knightfall.engine.rng import Rng
from knightfall.games.knights_duty.board import Board
from knightfall.games.knights_duty.piles import Card, Defence, Pile, disarms, make_pile
from knightfall.games.knights_duty.plan import PASS, REACH, Entry, Extra, Token
from knightfall.games.knights_duty.state import Attack, Knight, Wound

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
