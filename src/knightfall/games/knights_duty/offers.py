"""Which lines could a slot send now? For random play, help texts and tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, product

from knightfall.core.game import SlotId
from knightfall.games.knights_duty import staging
from knightfall.games.knights_duty.geometry import STAY, STEPS, Grid
from knightfall.games.knights_duty.plan import LIMITS, ROUNDS, WEAPONS, WOUNDED_ROUNDS, Token
from knightfall.games.knights_duty.state import Knight, Phase, State

BETWEEN = " / "


def offers(state: State, slot: SlotId) -> Iterable[str]:
    """Every start and weapon, every plan without wishes and some with, every answer in a stage."""
    if state.phase is Phase.SETUP:
        return _choices(state)
    if state.phase in (Phase.MOVES, Phase.ATTACKS):
        return staging.orders(state, slot)
    knight = state.living.get(slot)
    if knight is None or state.phase is Phase.OVER:
        return ()
    rounds = ROUNDS if knight.heart else WOUNDED_ROUNDS
    staged, action = state.rules["mode"] == "staged", state.rules["inspiration"] == "action"
    return chain(_plans(state.board.grid, rounds, staged, action), _aimed(state, knight, rounds))


def _choices(state: State) -> Iterator[str]:
    for space in state.board.starts:
        yield f"START {space}"
        if state.rules["kd_27"] == "chosen":
            yield from (f"START {space}\nWEAPON {weapon.upper()}" for weapon in WEAPONS)


@cache
def _plans(grid: Grid, rounds: int, staged: bool, action: bool) -> tuple[str, ...]:
    """Every plan of so many rounds within the limits of KD-03."""
    barred = {Token.MOVE} if action else {Token.MOVE, Token.INSPIRATION}
    ways = ("",) if staged else (*(f" {way}" for way in STEPS[grid]), f" {STAY}")
    entries: list[tuple[Token, str]] = [(token, token.upper()) for token in Token if token not in barred]
    entries += [(Token.MOVE, f"MOVE{way}") for way in ways]
    return tuple(
        BETWEEN.join(text for _, text in plan)
        for plan in product(entries, repeat=rounds)
        if _within(tuple(token for token, _ in plan))
    )


def _within(tokens: tuple[Token, ...]) -> bool:
    return all(tokens.count(token) <= LIMITS.get(token, len(tokens)) for token in tokens)


def _aimed(state: State, knight: Knight, rounds: int) -> Iterator[str]:
    """Attacks with the weapon at hand, on each of the others."""
    weapon = (knight.weapon or Token.SWORD).upper()
    for name in state.living:
        if name != knight.slot:
            yield BETWEEN.join((f"{weapon} @ {name}", f"{weapon} @ {name} ONLY", "SHIELD")[:rounds])
