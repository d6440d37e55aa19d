"""Which lines could a slot send now? For random play, help texts and tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, product

from knightfall.core.game import SlotId
from knightfall.core.options import Chosen
from knightfall.games.knights_duty import staging
from knightfall.games.knights_duty.geometry import STAY, STEPS, Grid
from knightfall.games.knights_duty.plan import LIMITS, REACH, ROUNDS, WEAPONS, WOUNDED_ROUNDS, Extra, Token
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
    rules, grid = state.rules, state.board.grid
    staged, action, words = rules["mode"] == "staged", rules["inspiration"] == "action", _words(rules)
    plain = _plans(grid, rounds, staged, action)
    told = _plans(grid, rounds, staged, action, words) if any(words) else ()
    return chain(plain, told, _aimed(state, knight, rounds))


def _words(rules: Chosen) -> tuple[str, ...]:
    """What an option lets a move, an attack and any token add (KD-08, KD-14, KD-16, KD-22)."""
    attack = f" {Extra.FIRST.upper()}" if rules["kd_14"] == "attackers_choose" else ""
    attack += " PICK 2" if rules["cards"] == "picked" else ""
    return (
        f" {Extra.YIELD.upper()}" if rules["kd_08"] == "agreement" else "",
        attack,
        f" {Extra.INSPIRED.upper()}" if rules["inspiration"] in ("token", "token_shield") else "",
    )


def _choices(state: State) -> Iterator[str]:
    for space in state.board.starts:
        yield f"START {space}"
        if state.rules["kd_27"] == "chosen":
            yield from (f"START {space}\nWEAPON {weapon.upper()}" for weapon in WEAPONS)


@cache
def _plans(
    grid: Grid, rounds: int, staged: bool, action: bool, words: tuple[str, ...] = ("", "", "")
) -> tuple[str, ...]:
    """Every plan of so many rounds within KD-03; `words` stand behind a move, an attack, and all."""
    barred = {Token.MOVE} if action else {Token.MOVE, Token.INSPIRATION}
    ways = ("",) if staged else (*(f" {way}" for way in STEPS[grid]), f" {STAY}")
    moved, attacked, always = words
    entries: list[tuple[Token, str]] = [
        (token, f"{token.upper()}{attacked if token in REACH else ''}{always}")
        for token in Token
        if token not in barred
    ]
    entries += [(Token.MOVE, f"MOVE{way}{moved}{always}") for way in ways]
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
