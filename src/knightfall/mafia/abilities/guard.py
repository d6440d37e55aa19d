"""Guard: who dies in whose place, and what else stands before him?"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from knightfall.engine.game import SlotId
from knightfall.mafia.abilities.protect import Cover
from knightfall.mafia.night import Action, Death, Fate, Note, Reason, Sheet


class Line:
    """All that stands between players and kills: heals, walls and proofs, vests, then bodyguards.

    `jails` are the walls; `tireless`: one heal stops every kill.
    """

    __slots__ = ("cover", "guards", "jails", "posted", "tireless")

    def __init__(
        self, cover: Cover, jails: Mapping[SlotId, Action], guards: Iterable[Action], tireless: bool
    ) -> None:
        self.cover, self.jails, self.tireless = cover, jails, tireless
        self.guards: dict[SlotId, list[Action]] = {}
        self.posted = tuple(guards)
        for guard in self.posted:
            self.guards.setdefault(guard.targets[0], []).append(guard)

    def against(self, target: SlotId) -> tuple[Reason, Action | None] | None:
        """What stops the next regular kill on the target; it is used up by asking."""
        heals = self.cover.heals.get(target)
        if heals and self.tireless:
            self.cover.used.add(heals[0])
            return Reason.HEALED, heals[0]
        if not heals and target in self.jails:
            return Reason.IN_JAIL, self.jails[target]
        return self.cover.against(target) or self._guarded(target)

    def _guarded(self, target: SlotId) -> tuple[Reason, Action] | None:
        waiting = self.guards.get(target)
        return (Reason.GUARDED, waiting.pop(0)) if waiting else None


def settle(sheet: Sheet, guards: Collection[Action]) -> tuple[Death, ...]:
    """After the kills: each bodyguard who stepped in is dead, the others note that no kill came."""
    kills = {note.cause: note.action for note in sheet.notes if note.reason == Reason.GUARDED}
    for guard in guards:
        sheet.stand(guard, Reason.TOOK_THE_KILL if guard in kills else Reason.UNUSED)
    ruling = sheet.rulings[Reason.TOOK_THE_KILL]
    return tuple(
        Death(
            guard.actor,
            (Note(guard, Fate.STOOD, Reason.TOOK_THE_KILL, kills[guard], ruling[guard.ability]),),
        )
        for guard in guards
        if guard in kills
    )
