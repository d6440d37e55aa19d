"""The invented players of every test: eighteen names, and a night of Knight-Errant around them."""

from __future__ import annotations

from collections.abc import Mapping

from knightfall.games.knight_errant import ROLES, KnightErrantPosition, Rules, parse_options
from knightfall.mafia.night import Action
from knightfall.sentence import SlotId

_NAMES = (
    "Ada Boro Cinder Dusk_77 Elm Fen Gale Hollis Iris Juniper Kestrel Lumen Moth Nettle Onyx Pike Quill Rook"
)
NAMES = tuple(map(SlotId, _NAMES.split()))
CAST: Mapping[str, str] = {
    "Ada": "Town Doctor",
    "Boro": "Town Tracker",
    "Cinder": "Town Jailkeeper",
    "Dusk_77": "Mafia Even-Night Watcher",
    "Elm": "Mafia Goon",
    "Fen": "Mafia Roleblocker",
    "Gale": "Town Cop",
    "Hollis": "Serial Killer",
    "Iris": "Town Mason",
    "Juniper": "Vanilla Townie",
    "Kestrel": "Town 3-Shot Commuter",
    "Lumen": "Town Gunsmith",
    "Moth": "Town Roleblocker",
    "Nettle": "Town Bulletproof",
    "Onyx": "Mafia Bulletproof",
    "Pike": "Mafia Godfather",
    "Quill": "Vanilla Townie",
    "Rook": "Town Mason",
}
"""Every card once, two Masons and two Vanilla Townies."""

EXTRAS = {
    "strong_kill": 1,
    "commute": 1,
    "jail": 1,
    "roleblock": 1,
    "heal": 1,
    "cop": 1,
    "gunsmith": 1,
    "track": 1,
    "watch": 1,
}


def dusk(
    night: int = 2,
    shots: Mapping[str, Mapping[str, int]] | None = None,
    options: Mapping[str, object] | None = None,
) -> KnightErrantPosition:
    """The whole cast at dusk; Hollis has one use of everything unless `shots` says otherwise."""
    rules: Rules = parse_options(options or {})
    roles = {SlotId(name): rules.roles[role] for name, role in CAST.items()}
    left = {SlotId(name): uses for name, uses in (shots or {"Hollis": EXTRAS}).items()}
    return KnightErrantPosition(roles, night, left, rules)


def act(line: str) -> Action:
    """`Ada heal Boro` as an action."""
    actor, ability, *targets = line.split()
    return Action(SlotId(actor), ability, tuple(SlotId(target) for target in targets))


assert set(CAST.values()) == set(ROLES)
