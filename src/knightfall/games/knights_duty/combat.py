"""Who attacks whom in a round, which card is drawn, and what does it do?

Attacks are resolved one after another (KD-14), but nobody leaves before the round is over (KD-23): order
matters only to whom a later attack finds still worth attacking.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from knightfall.core.game import SlotId
from knightfall.core.options import Chosen
from knightfall.core.rng import Rng
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
    attacks = tuple(_attack(melee, slot, draw) for slot in _in_order(melee, attackers, draw))
    for slot in melee.used:
        melee.knights[slot] = replace(melee.knights[slot], fresh=False)
    return attacks


def _in_order(melee: Melee, attackers: Sequence[SlotId], draw: Rng) -> Sequence[SlotId]:
    """KD-14: seat order; or drawn; or as the attackers ask for, seat order among equals."""
    rule = melee.rules["kd_14"]
    if rule == "random" and len(attackers) > 1:
        return draw.sample(f"kd.order:R{melee.number}", attackers, len(attackers))
    if rule == "attackers_choose":
        return sorted(attackers, key=lambda slot: _eagerness(melee.entries[slot]))
    return attackers


def _eagerness(entry: Entry) -> int:
    return (Extra.LAST in entry.extras) - (Extra.FIRST in entry.extras)


def _attack(melee: Melee, slot: SlotId, draw: Rng) -> Attack:
    knight = melee.knights[slot]
    weapon = knight.weapon or Token.SWORD
    target, lot = _target(melee, knight, weapon, draw)
    if target is None:  # KD-13: nobody in range
        return Attack(slot, weapon)
    inspired = _is_inspired(melee, knight)
    defence = _defence(melee, target)
    pile = make_pile(weapon, inspired, defence, melee.rules)
    attack = Attack(slot, weapon, target, pile, None, inspired, defence.guard, lot=lot)
    return _struck(melee, _drawn(melee, attack, pile, draw))


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


def _is_inspired(melee: Melee, knight: Knight) -> bool:
    """KD-17, KD-22: on the Glory Hill; or by a token or an action, where the option has them."""
    if melee.rules["inspiration"] in _TOKENS:
        return _uses_token(melee, knight.slot)
    if knight.slot in melee.inspired:
        melee.inspired -= {knight.slot}
        return True
    return knight.pos in melee.board.hills


def _uses_token(melee: Melee, slot: SlotId) -> bool:
    """KD-22, R02 and R03: once, until it is refreshed; against every attack of the round it is used in."""
    if not melee.knights[slot].fresh or Extra.INSPIRED not in melee.entries[slot].extras:
        return False
    melee.used.add(slot)
    return True


def _defence(melee: Melee, target: SlotId) -> Defence:
    """KD-05: shield and parry are facts of the round. A token laid with a weapon is for the own attack."""
    token = melee.entries.get(target, PASS).token
    guard = token if token in (Token.SHIELD, Token.PARRY) else None
    if melee.rules["inspiration"] not in _TOKENS or token in REACH:
        return Defence(guard)
    return Defence(guard, _uses_token(melee, target))


def _drawn(melee: Melee, attack: Attack, pile: Pile, draw: Rng) -> Attack:
    """One card of a fresh pile: drawn uniformly, or picked from the target's own shuffle."""
    label = f"R{melee.number}:{attack.attacker}->{attack.target}"
    cards = pile.cards()
    if melee.rules["cards"] == "drawn":
        return replace(attack, card=draw.choice(f"kd.card:{label}", cards))
    own = melee.shuffles.get(attack.target or attack.attacker)
    if own is None:
        shown = draw.sample(f"kd.shuffle:{label}", cards, len(cards))
    else:
        shown = tuple(cards[place - 1] for place in own if place <= len(cards))
    pick = (max(melee.entries[attack.attacker].pick, 1) - 1) % len(shown)
    return replace(attack, card=shown[pick], shuffle=shown, pick=pick + 1)


def _struck(melee: Melee, attack: Attack) -> Attack:
    """KD-20, KD-21: the attacker is disarmed at once, the target maimed or critically wounded."""
    if attack.card is None or attack.target is None:
        return attack
    if attack.card is not Card.HIT:
        if not disarms(attack.weapon, attack.card, attack.guard, melee.rules):
            return attack
        melee.knights[attack.attacker] = replace(melee.knights[attack.attacker], weapon=None)
        return replace(attack, disarmed=True)
    if melee.knights[attack.target].heart:
        hurt = replace(melee.knights[attack.target], heart=False, maimed=melee.turn)
        melee.knights[attack.target] = hurt
        return replace(attack, wound=Wound.MAIMED)
    melee.felled.add(attack.target)
    return replace(attack, wound=Wound.FELLED)
