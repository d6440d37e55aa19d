"""How often does each side win a custom setup, when everybody acts at random?

Usage: scripts/balance SETUP.toml PLAYERS [COUNT] [SEED]      COUNT games (20,000)

Each day one of the living is eliminated, every one as likely as another; each night the mafia kills one who
is no mafioso, and whoever can act does, to anybody he may. Whole games on the game's own protocol.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from math import sqrt
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from knightfall.engine.game import Message, Step
from knightfall.engine.rng import SeededRng
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.mafia.roles import Alignment
from knightfall.mafia.state import Phase
from knightfall.sentence import SlotId
from knightfall.services.deal import setup_said

NOW = datetime(2026, 1, 1, tzinfo=UTC)
GAMES = 20_000
LONGEST = 200
Z = 1.96
"""Of 95 in a hundred games the share lies so many standard errors around the truth."""


def winner(setup: object, players: int, seed: int) -> str:
    """Who wins one game; "nobody" for a draw, or where it does not end."""
    chance, draw = random.Random(seed), SeededRng(b"balance %d" % seed)
    slots = [SlotId(f"P{place:02}") for place in range(1, players + 1)]
    step: Step[Any] = CUSTOM_MAFIA.setup(slots, {"setup": setup}, draw)
    for _ in range(LONGEST):
        if step.state.phase is Phase.OVER:
            break
        for slot, line in _lines(step.state, chance):
            step = CUSTOM_MAFIA.submit(step.state, Message(slot, line, NOW), draw)
        kind = CUSTOM_MAFIA.windows(step.state)[0].kind
        step = CUSTOM_MAFIA.close(step.state, kind, NOW, draw)
    return str(step.state.winner or "nobody")


def _lines(state: Any, chance: random.Random) -> Iterator[tuple[SlotId | None, str]]:
    """What is said in the phase that is open: a vote's end, a ruling, or the actions of the night."""
    if state.phase is Phase.DAY:
        yield None, f"eliminate {chance.choice(list(state.living))}"
    elif asked := [line for line in CUSTOM_MAFIA.legal(state, None) if line.startswith("rule")]:
        yield None, chance.choice(asked)
    else:
        yield from _night(state, chance)


def _night(state: Any, chance: random.Random) -> Iterator[tuple[SlotId, str]]:
    mafia = [slot for slot, role in state.living.items() if role.alignment is Alignment.MAFIA]
    victims = [slot for slot in state.living if slot not in mafia]
    for slot, role in state.living.items():
        offered = [] if set(role.abilities) <= {"mafia_kill"} else list(CUSTOM_MAFIA.legal(state, slot))
        own = [line for line in offered if not (slot in mafia and line.startswith("kill "))]
        if own:
            yield slot, chance.choice(own)
    if mafia and victims:
        yield chance.choice(mafia), f"kill {chance.choice(victims)}"


def main(words: list[str]) -> None:
    if len(words) < 2:
        sys.exit(__doc__)
    setup, players = setup_said(words[0]), int(words[1])
    count, seed = (int(words[2]) if len(words) > 2 else GAMES), (int(words[3]) if len(words) > 3 else 1)
    numbers = track(range(seed, seed + count), Path(words[0]).stem, console=Console(stderr=True))
    won = Counter(winner(setup, players, number) for number in numbers)
    for side, games in won.most_common():
        share = games / count
        print(f"{side:<9}{share:8.4f} ± {Z * sqrt(share * (1 - share) / count):.4f}  ({games} of {count})")


if __name__ == "__main__":
    main(sys.argv[1:])
