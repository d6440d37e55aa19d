"""Jail: who is locked up, and which later actions stop at the wall?"""

from __future__ import annotations

from collections.abc import Iterable

from knightfall.engine.game import SlotId
from knightfall.mafia.abilities.block import Block
from knightfall.mafia.chain import in_chain
from knightfall.mafia.nar import Pass
from knightfall.mafia.night import Action, Reason, Sheet


def lock(sheet: Sheet, jails: Iterable[Action], chained: bool = False) -> None:
    """A jail holds unless its target is away. `chained`: jails also stop jails."""
    there = [jail for jail in jails if not _missed(sheet, jail)]
    failed = in_chain(there, shared_target=True) if chained else {}
    for jail in there:
        by = failed.get(jail)
        if by is None:
            sheet.jails.setdefault(jail.targets[0], []).append(jail)
            sheet.stand(jail, Reason.HOLDS)
        else:
            side = Reason.ACTOR_JAILED if by.targets[0] == jail.actor else Reason.TARGET_JAILED
            sheet.stop(jail, side, by)


def passes(sheet: Sheet, action: Action, from_jail: bool = True, own_jail: bool = False) -> bool:
    """Does a later action arrive? The first obstacle wins: target away, actor jailed, target jailed.

    Only somebody else's jail stops it; `own_jail`: the actor's own stops it too. `from_jail` False: it also
    works out of a jail.
    """
    actor, target = action.actor, action.targets[0] if action.targets else action.actor
    if target in sheet.away and target != actor:
        sheet.stop(action, Reason.TARGET_COMMUTING, sheet.away[target])
        return False
    if from_jail and actor in sheet.jails and (jail := _by_other(sheet, actor, actor)):
        sheet.stop(action, Reason.ACTOR_JAILED, jail)
        return False
    if target in sheet.jails and (jail := _by_other(sheet, target, None if own_jail else actor)):
        sheet.stop(action, Reason.TARGET_JAILED, jail)
        return False
    return True


def _missed(sheet: Sheet, jail: Action) -> bool:
    commute = sheet.away.get(jail.targets[0])
    if commute is not None:
        sheet.stop(jail, Reason.TARGET_COMMUTING, commute)
    return commute is not None


def _by_other(sheet: Sheet, prisoner: SlotId, exempt: SlotId | None) -> Action | None:
    """A jail on the prisoner that is not the exempt player's."""
    for jail in sheet.jails[prisoner]:
        if jail.actor != exempt:
            return jail
    return None


class Jail(Block):
    """A jail among actions of no fixed order: it holds like a roleblock. Its wall is a shield (`guard`)."""

    def act(self, run: Pass, sent: Action, went: Action) -> None:  # noqa: ARG002 - as it went is what counts
        """The target is locked up."""
        run.sheet.jails.setdefault(went.targets[0], []).append(went)
