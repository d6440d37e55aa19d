"""Roleblock: who is held back, and which of their actions fail?"""

from __future__ import annotations

from collections.abc import Iterable

from knightfall.mafia.chain import in_chain
from knightfall.mafia.night import Action, Reason, Sheet


def hold(sheet: Sheet, blocks: list[Action], chained: bool = False) -> None:
    """Every roleblock that got here holds. `chained`: roleblocks also stop roleblocks."""
    failed = in_chain(blocks, shared_target=False) if chained else {}
    for block in blocks:
        by = failed.get(block)
        if by is None:
            sheet.blocks.setdefault(block.targets[0], []).append(block)
            sheet.stand(block, Reason.HOLDS)
        else:
            sheet.stop(block, Reason.ACTOR_ROLEBLOCKED, by)


def free(sheet: Sheet, actions: Iterable[Action]) -> list[Action]:
    """The actions whose actors nobody else holds."""
    return [action for action in actions if not _held(sheet, action)]


def _held(sheet: Sheet, action: Action) -> bool:
    for block in sheet.blocks.get(action.actor, ()):
        if block.actor != action.actor:
            sheet.stop(action, Reason.ACTOR_ROLEBLOCKED, block)
            return True
    return False
