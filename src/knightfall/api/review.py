"""The review of a setup."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from knightfall.api.door import door
from knightfall.services.requests import ReviewRequest
from knightfall.services.review import Review, review_of


@door
def review(
    what: str | Path | Mapping[str, Any],
    *,
    players: int = 0,
    strict: str = "",
    games: int = 0,
    policy: str = "follow-the-claims",
    seed: int = 1,
    workers: int = 0,
    scheduler: str = "",
) -> Review:
    """Review a setup file (.toml) or a setup's table: its faults, what each role is worth, how much hangs on
    the deal.

    `players` 0: as many as the setup has; `strict` "normal" holds the names against the list for Normal
    games; `games` 0: as many for each question as are quick. `policy` is how everybody plays where roles are
    weighed. The same seed gives the same review. `workers` and `scheduler` are as for `balance`, and so is
    where to call it.

    Raises InputError for what is no setup of one's own; SetupError for a setup file that cannot be read.
    """
    request = ReviewRequest(
        str(what) if isinstance(what, Path) else what,
        players,
        strict,
        games,
        policy,
        seed,
        workers,
        scheduler,
    )
    return review_of(request)
