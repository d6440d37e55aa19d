"""Whom a board game awaits: exactly those who could still change what the closing of a window leads to.

For random play and for tests: at a moment of a game every slot's legal lines are tried, and what each window
leads to is compared with and without them. A slot of which nothing stands and that is awaited in vain is a
sentence, and one that is not awaited although its line would count; a sound game gives none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import zip_longest
from typing import Any

from knightfall.engine.game import Game, Message, announced
from knightfall.engine.rng import SeededRng
from knightfall.sentence import SlotId

TRIED = 80
"""So many lines of a slot are tried: in turn one of each kind, by the word with which they begin."""
_PRIVATE = frozenset({"vote", "tie"})
"""Windows of King's Court in which gifts and purchases go on: there only what everybody is told counts."""


def broken(game: Game[Any], state: Any, slots: Sequence[SlotId], at: datetime) -> Iterator[str]:
    """Who is awaited for nothing, and who is not although it would matter."""
    windows = game.windows(state)
    answers = [one for window in windows for one in game.awaits(state, window)]
    awaited, silent = {one.slot for one in answers}, {one.slot for one in answers if not one.standing}
    kinds = [window.kind for window in windows]
    plain = {kind: _leads_to(game, state, kind, at) for kind in kinds}
    for slot in slots:
        changed = ""
        for line in _some(list(game.legal(state, slot))):
            step = game.submit(state, Message(slot, line, at), SeededRng(b"law"))
            if step.refused:
                continue
            if [window.kind for window in game.windows(step.state)] != kinds or any(
                _leads_to(game, step.state, kind, at) != plain[kind] for kind in kinds
            ):
                changed = line
                break
        if changed and slot not in awaited:
            yield f"{kinds}: {slot} is not awaited, and “{changed}” would change it"
        if slot in silent and not changed:
            yield f"{kinds}: {slot} is awaited, and no line would change anything"


def _some(lines: list[str]) -> list[str]:
    kinds: dict[str, list[str]] = {}
    for line in lines:
        kinds.setdefault(line.split()[0], []).append(line)
    turns = zip_longest(*kinds.values())
    return [line for turn in turns for line in turn if line is not None][:TRIED]


def _leads_to(game: Game[Any], state: Any, kind: str, at: datetime) -> object:
    """What closing a window leads to; nothing where it does not close."""
    step = game.close(state, kind, at, SeededRng(b"law"))
    if step.refused:
        return None
    return announced(step.events) if kind in _PRIVATE else (step.state, step.events)
