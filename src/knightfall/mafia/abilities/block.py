"""Roleblock: who is held back, and which of their actions fail?"""

from __future__ import annotations

from collections.abc import Iterable

from knightfall.mafia.chain import in_chain
from knightfall.mafia.nar import Pass, Reach
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


class Block:
    """A roleblock among actions of no fixed order: whatever its target has under way stops."""

    reason = Reason.HOLDS
    turns = False

    def could_change(self, mine: Reach, other: Reach) -> bool:
        """Anything that its target does."""
        return bool(other.actor & mine.places[0])

    def widen(self, mine: Reach, other: Reach) -> bool:  # noqa: ARG002 - it turns nothing
        """Nowhere."""
        return False

    def act(self, run: Pass, sent: Action, went: Action) -> None:  # noqa: ARG002 - as it went is what counts
        """The target is held."""
        run.sheet.blocks.setdefault(went.targets[0], []).append(went)
