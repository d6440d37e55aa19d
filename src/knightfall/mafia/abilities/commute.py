"""Commute: who is away, so that nothing aimed at them arrives?"""

from __future__ import annotations

from collections.abc import Iterable

from knightfall.mafia.night import Action, Reason, Sheet


def leave(sheet: Sheet, commutes: Iterable[Action]) -> None:
    """Everybody who commutes is away; nothing can stop it."""
    for commute in commutes:
        sheet.away[commute.actor] = commute
        sheet.stand(commute, Reason.AWAY)
