"""Protect: what stands between a player and a kill, and what of it was used?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from knightfall.engine.game import SlotId
from knightfall.mafia.night import Action, Reason, Sheet


class Cover:
    """The shields of one night: heals that wait, players no regular kill can hurt, vests that are left.

    `heals` are used up one a kill, `proof` never, `vests` count down; `vest_first` turns heal and vest round.
    """

    __slots__ = ("heals", "proof", "used", "vest_first", "vests")

    def __init__(
        self,
        heals: Iterable[Action],
        proof: Mapping[SlotId, Action | None],
        vests: Mapping[SlotId, int],
        vest_first: bool = False,
    ) -> None:
        self.heals: dict[SlotId, list[Action]] = {}
        for heal in heals:
            self.heals.setdefault(heal.targets[0], []).append(heal)
        self.proof = proof
        self.vests = dict(vests)
        self.used: set[Action] = set()
        self.vest_first = vest_first

    def against(self, target: SlotId) -> tuple[Reason, Action | None] | None:
        """What stops the next regular kill on the target; it is used up by asking."""
        if self.vest_first and self._vest(target):
            return Reason.VEST, None
        if waiting := self.heals.get(target):
            self.used.add(heal := waiting.pop(0))
            return Reason.HEALED, heal
        if target in self.proof:
            return Reason.BULLETPROOF, self.proof[target]
        return (Reason.VEST, None) if self._vest(target) else None

    def _vest(self, target: SlotId) -> bool:
        left = self.vests.get(target, 0)
        if left > 0:
            self.vests[target] = left - 1
        return left > 0


def settle(sheet: Sheet, heals: Iterable[Action], cover: Cover) -> None:
    """After the kills: note which heals saved somebody."""
    for heal in heals:
        sheet.stand(heal, Reason.SAVED if heal in cover.used else Reason.UNUSED)
