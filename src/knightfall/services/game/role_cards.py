"""Which card of a game is meant by a role as somebody wrote it."""

from __future__ import annotations

import re
from difflib import get_close_matches

from knightfall.games.custom_mafia.setup_post import read_setup
from knightfall.mafia.night_file import NightFileGame
from knightfall.names import fold
from knightfall.services.games import game_named

CUSTOM = "custom_mafia"


def card_meant(kind: str, role: str) -> tuple[str, str]:
    """The name of the card, "" for none, and what the moderator should know of how it was understood.

    `role` may stand behind its side and a colon, as under a heading: “Mafia: Roleblocker”. Raises InputError
    where there is no such game.
    """
    game = game_named(kind)
    if not isinstance(game, NightFileGame):
        return "", f"{game.spec.name} has no roles."
    if game.spec.id == CUSTOM:
        return _custom_card(role)
    names = {fold(name): name for name in game.role_names}
    side, _, bare = role.rpartition(":")
    for said in (role, bare, f"{side} {bare}"):
        if (found := names.get(fold(said.strip()))) is not None:
            return found, ""
    near = get_close_matches(fold(bare), names, n=1)
    hint = f" Is it {names[near[0]]}?" if near else ""
    return "", f"{game.spec.name} has no card “{role}”.{hint}"


def _custom_card(role: str) -> tuple[str, str]:
    """The card that a line of a setup would be read as."""
    side, colon, bare = role.rpartition(":")
    rows = [row for row in read_setup(f"{side}{colon} 1 {bare}").rows if row.roles or row.doubt]
    if len(rows) != 1 or rows[0].doubt or len(rows[0].roles) != 1:
        # What somebody was is one card, though a setup would draw one of the two.
        if "/" in role and len(both := read_setup(role.replace("/", " ")).cards) == 1:
            card = both[0].roles[0].name
            return card, f"“{role}” is taken for one card that has both: {card}."
        doubt, offered = (rows[0].doubt, rows[0].offered[-1:]) if len(rows) == 1 else ("", ())
        told = [
            f"“{role}” is no role that is known.",
            doubt,
            *(f"If only you know it, write {one}." for one in offered),
        ]
        return "", " ".join(filter(None, told))
    card, remark = rows[0].roles[0].name, rows[0].remark
    if card.startswith(_TOWN) and not _SIDE.search(role) and not _VANILLA.search(role):
        remark = f"“{role}” names no side, and is taken for {card}. {remark}".rstrip()
    return card, remark


_TOWN = "Town "
_SIDE = re.compile(r"\b(?:town|mafia|scum|mason|wolf|villag)", re.IGNORECASE)
_VANILLA = re.compile(r"\b(?:vanilla|vt)\b|townie", re.IGNORECASE)
