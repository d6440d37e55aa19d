"""Random games that were played once and are kept, for golden files: these read on when random play draws
otherwise.

To play one anew: KNIGHTFALL_GOLDEN=record, then write the golden files again and read them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from knightfall.engine.entries import Closed, Entry, Started, Submitted
from knightfall.engine.game import Game, Message, Refusal
from knightfall.engine.journal import Journal, append
from knightfall.engine.playout import START, TICK, Playout, play
from knightfall.engine.rng import SeededRng
from knightfall.sentence import SlotId

FOLDER = Path(__file__).parents[1] / "fixtures/recorded"


def recorded(
    name: str,
    game: Game[Any],
    slots: Sequence[SlotId],
    options: Mapping[str, object],
    chance: SeededRng,
    draw: SeededRng,
    windows: int = 200,
) -> Playout[Any]:
    """The game of that name, which `play` made of the same arguments when it was recorded."""
    file = FOLDER / f"{name}.jsonl"
    if os.environ.get("KNIGHTFALL_GOLDEN") == "record":
        playout = play(game, slots, options, chance, SeededRng(draw.seed), windows)
        said = (_told(record.entry) for record in playout.journal[1:])
        file.write_text("".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in said), "utf-8")
    state = game.begin(slots, options, START, draw).state
    states, refused = [state], list[tuple[str, Refusal]]()
    journal: Journal = append((), Started(game.spec.id, tuple(slots), dict(options)), START, "playout")
    for line in file.read_text(encoding="utf-8").splitlines():
        entry, now = _entry(json.loads(line)), START + TICK * len(journal)
        if isinstance(entry, Closed):
            step = game.close(state, entry.window, now, draw)
        else:
            step = game.submit(state, Message(entry.slot, entry.text, now), draw)
            refused += step.refused
        state = step.state
        states.append(state)
        journal = append(journal, entry, now, "playout")
    assert refused == [], f"{file.name} does not fit the rules any more"
    return Playout(tuple(states), journal, (), game.outcome(state) is not None)


def _told(entry: Entry) -> dict[str, str | None]:
    if isinstance(entry, Closed):
        return {"close": entry.window}
    assert isinstance(entry, Submitted)
    return {"slot": entry.slot, "text": str(entry.text)}


def _entry(told: Mapping[str, str | None]) -> Submitted | Closed:
    if told.get("close"):
        return Closed(str(told["close"]))
    slot = told["slot"]
    return Submitted(SlotId(slot) if slot else None, str(told["text"]))
