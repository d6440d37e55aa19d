"""How a setup or a game would end, many times over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from knightfall.api.door import door
from knightfall.services.balance import Balance, balance_of
from knightfall.services.requests import BalanceRequest


@door
def balance(
    what: str | Path | Mapping[str, Any],
    *,
    players: int = 0,
    games: int = 0,
    policy: str = "random",
    seed: int = 1,
    options: Mapping[str, Any] | None = None,
    insane: Sequence[str] = (),
    within: float | None = None,
    workers: int = 0,
    resume: str | Path | None = None,
    scheduler: str = "",
) -> Balance:
    """Play a game, a setup file (.toml) or a setup's table so many times.

    `players` 0: as many as the setup has, or the fewest; `games` 0: as many as are quickly played. `policy`
    is how everybody plays, such as "follow-the-claims:noise=3" or "0.5*suspicion + 0.5*random"; `options` are
    those of the game, name → value. `within`
    stops early, as soon as every side's interval is so narrow (0.005: half a percent to either side);
    `workers` 0: all cores; `resume` is a file from which a run that was cut off goes on; `scheduler` the
    address of a Dask scheduler. `insane` names roles whose checks find the opposite. The same seed gives the
    same answer, however many workers there are.

    In a program of your own that is a file, call it below `if __name__ == "__main__":`, as everything that
    starts processes. Raises InputError for what cannot be played; SetupError for a setup file that cannot
    be read; StateDamaged where `resume` holds another question.
    """
    request = BalanceRequest(
        str(what) if isinstance(what, Path) else what,
        players,
        games,
        policy,
        seed,
        dict(options or {}),
        tuple(insane),
        within,
        workers,
        Path(resume) if resume else None,
        scheduler,
    )
    return balance_of(request)
