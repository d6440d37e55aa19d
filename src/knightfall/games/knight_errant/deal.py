"""Who gets which card? A code, drawn or named, and a shuffle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knightfall.core.game import SlotId
from knightfall.core.rng import Rng
from knightfall.errors import InputError
from knightfall.games.knight_errant.options import DRAWN, SETUP, Rules
from knightfall.games.knight_errant.roles import SERIAL_KILLER
from knightfall.games.knight_errant.state import State
from knightfall.games.knight_errant.table import CODES, PLAYERS, SetupCode, parse_code
from knightfall.mafia.deal import check_distinct
from knightfall.mafia.state import Phase


def check_slots(slots: Sequence[SlotId]) -> None:
    """Raises InputError unless there are 18 different names."""
    if len(slots) != PLAYERS:
        raise InputError(f"Knight-Errant is for {PLAYERS} players; the list has {len(slots)}.")
    check_distinct(slots)


def choose_code(options: Mapping[str, object], draw: Rng) -> SetupCode:
    """The named code, or a start cell and then one of its walks, each uniformly."""
    named = str(options.get(SETUP, DRAWN))
    if named != DRAWN:
        return parse_code(named)
    starts = tuple(dict.fromkeys(code[:2] for code in CODES))
    start = draw.choice("ke.cell", starts)
    return CODES[draw.choice("ke.walk", tuple(code for code in CODES if code.startswith(start)))]


def deal(slots: Sequence[SlotId], rules: Rules, setup: SetupCode, draw: Rng) -> State:
    """Shuffle the names over the cards; the game opens with Day 1 (KE-R23)."""
    order = draw.sample("ke.cards", slots, len(slots))
    names = dict(zip(order, setup.roles, strict=True))
    cards = {slot: rules.roles[names[slot]] for slot in slots}
    killer = next(slot for slot in slots if names[slot] == SERIAL_KILLER.name)
    return State(setup.code, rules, cards, Phase.DAY, 1, {killer: setup.shots})
