"""The private topics of a mafia game: of the mafia, of masons or neighbors, of a neighborizer."""

from __future__ import annotations

from knightfall.engine.game import Room
from knightfall.mafia.night import JOINED, SENT_OUT
from knightfall.mafia.roles import TEAMS, Alignment, Knowledge
from knightfall.mafia.state import R, State
from knightfall.sentence import SlotId

MAFIA = "mafia"
"""The kind of the mafia's room; that of a second mafia, or of werewolves, is called after them."""


def rooms(state: State[R]) -> tuple[Room, ...]:
    """A room for the living of each group whose cards tell them of one another (KE-R43, EM-R30, CM-R35,
    CM-R46, CM-R62).

    Lovers know each other and have no room; neither has who is alone with a card from the start. A room stays
    while one of its players lives.
    """
    groups: dict[str, list[SlotId]] = {MAFIA: []}
    for slot, card in state.cards.items():
        if card.in_team:
            groups.setdefault(str(card.alignment), []).append(slot)
        for bond, known in card.bonds.items():
            if known is not Knowledge.PUBLIC:
                groups.setdefault(_kind(bond, card.alignment, known), []).append(slot)
    for host, invited in neighborhoods(state).items():
        groups[f"neighbors of {host}"] = [host, *invited]
    return tuple(
        Room(kind, _title(kind), living)
        for kind, slots in groups.items()
        if len(slots) > 1 and (living := tuple(slot for slot in slots if slot in state.living))
    )


def neighborhoods(state: State[R]) -> dict[SlotId, tuple[SlotId, ...]]:
    """Whom each neighborizer has made their neighbor, in that order (CM-R62), but for who was taken out on
    that night or a later one (CM-R95)."""
    parted = {
        slot: max((item.night for item in learned if item.answer == SENT_OUT), default=0)
        for slot, learned in state.learned.items()
    }
    return {
        host: tuple(
            dict.fromkeys(
                item.target
                for item in learned
                if item.answer == JOINED and item.night > parted.get(item.target, 0)
            )
        )
        for host, learned in state.learned.items()
        if any(item.answer == JOINED and item.ability in state.cards[host].abilities for item in learned)
    }


def _kind(bond: str, side: Alignment, known: Knowledge) -> str:
    """“masons”; “mafia masons” for a bond within another side than the town; neighbors are of any side."""
    if side is Alignment.TOWN or known is Knowledge.NEIGHBORS:
        return f"{bond}s"
    return f"{side.replace('_', ' ')} {bond}s"


_TEAM_ROOMS = {
    str(side): f"{name.removeprefix('the ').removesuffix(' pack')} room" for side, name in TEAMS.items()
}


def _title(kind: str) -> str:
    """“Mafia room”, “Mason room”, “Neighbors of Ada”."""
    if kind in _TEAM_ROOMS:
        return f"{_TEAM_ROOMS[kind][0].upper()}{_TEAM_ROOMS[kind][1:]}"
    return (
        f"{kind[:1].upper()}{kind[1:]}" if " of " in kind else f"{kind.removesuffix('s').capitalize()} room"
    )
