"""The private topics of a mafia game: one for the mafia, one for each bond of masons."""

from __future__ import annotations

from knightfall.engine.game import Room
from knightfall.mafia.roles import Alignment, Knowledge
from knightfall.mafia.state import R, State
from knightfall.sentence import SlotId

MAFIA = "mafia"
"""The kind of the mafia's room."""


def rooms(state: State[R]) -> tuple[Room, ...]:
    """A room for the living of each group whose cards tell them of one another (KE-R43, EM-R30, CM-R35).

    Lovers know each other and have no room; neither has who is alone with a card from the start. A room stays
    while one of its players lives.
    """
    groups: dict[tuple[str, Alignment], list[SlotId]] = {(MAFIA, Alignment.MAFIA): []}
    for slot, card in state.cards.items():
        bonds = [bond for bond, known in card.bonds.items() if known is Knowledge.PARTNERS]
        for bond in (*([MAFIA] if card.alignment is Alignment.MAFIA else []), *bonds):
            # Others of another side are strangers (`Role.shares`).
            groups.setdefault((bond, card.alignment), []).append(slot)
    return tuple(
        Room(_kind(bond, side), f"{_kind(bond, side).removesuffix('s').capitalize()} room", living)
        for (bond, side), slots in groups.items()
        if len(slots) > 1 and (living := tuple(slot for slot in slots if slot in state.living))
    )


def _kind(bond: str, side: Alignment) -> str:
    """“mafia”, “masons”; “mafia masons” for a bond within another side than the town."""
    if bond == MAFIA:
        return MAFIA
    return f"{bond}s" if side is Alignment.TOWN else f"{side.replace('_', ' ')} {bond}s"
