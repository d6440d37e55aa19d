"""What a refused line may have been meant as, in a game as it stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from knightfall.engine.game import Message, Step
from knightfall.engine.likely_lines import Ear
from knightfall.engine.lines import written
from knightfall.engine.rng import SeededRng
from knightfall.names import near_names
from knightfall.sentence import SlotId
from knightfall.services.now import now_of
from knightfall.services.running import RunningGame, holders, line_now, names_of, slot_meant
from knightfall.services.session import Session


def likely_meant(line: str, slot: SlotId | None, table: RunningGame) -> tuple[str, ...]:
    """Messages that the game would take whole and that a line of a slot may have been meant as, the likeliest
    first, with everybody called as they are now; each is one line, or several where it holds several orders.
    """
    slots, aliases = names_of(table)
    held, opened = holders(table.journal), table.windows
    if not opened or (slot is not None and not table.game.listens(table.state, slot)):
        return ()
    ear = Ear(
        partial(table.game.continuations, table.state, slot),
        lambda words: near_names(words, slots, aliases),
        table.game.everyday_words(),
    )

    def takes(said: Sequence[str]) -> bool:
        """Whether the game takes these lines, and none of them only takes the place of another one."""
        whole = step_of(said)
        rests = [[*said[:place], *said[place + 1 :]] for place in range(len(said))] if len(said) > 1 else []
        return not whole.refused and all(step_of(rest).state != whole.state for rest in rests)

    def step_of(said: Sequence[str]) -> Step[Any]:
        message = Message(slot, "\n".join(said), table.journal[-1].at, aliases)
        return table.game.submit(table.state, message, SeededRng(b""))

    offered: list[str] = []
    for lines in ear.likely(line):
        said = [line_now(written(picks), held) for picks in lines]
        # Orders that do not stand together are offered one by one.
        offered += ["\n".join(said)] if takes(said) else [one for one in said if takes([one])]
    return tuple(dict.fromkeys(offered))


def offers(who: str, lines: Iterable[str], session: Session) -> Mapping[str, tuple[str, ...]]:
    """Refused lines of a message, each with what it may have been meant as. Raises InputError for the name of
    nobody."""
    table = now_of(session).running
    slot = slot_meant(table, who)
    return {line: likely_meant(line, slot, table) for line in lines}
