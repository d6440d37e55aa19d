"""How a setup or a game would end, many times over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack

from knightfall.services.balance import Balance, BalanceRequest, balance_of


class BalanceTerms(TypedDict, total=False):
    """What else can be said of a run: options of the game, roles whose checks lie, and where it runs."""

    options: Mapping[str, Any]
    insane: Sequence[str]
    within: float
    workers: int
    resume: str | Path
    scheduler: str


def balance(
    what: str | Path | Mapping[str, Any],
    *,
    players: int = 0,
    games: int = 0,
    policy: str = "random",
    seed: int = 1,
    **terms: Unpack[BalanceTerms],
) -> Balance:
    """Play a game, a setup file (.toml) or a setup's table so many times.

    `players` 0: as many as the setup has, or the fewest; `games` 0: as many as are quickly played. `policy`
    is how everybody plays, such as "follow-the-claims:noise=3" or "0.5*suspicion + 0.5*random". `within`
    stops early, as soon as every side's interval is so narrow (0.005: half a percent to either side);
    `workers` 0: all cores; `resume` is a file from which a run that was cut off goes on; `scheduler` the
    address of a Dask scheduler. `insane` names roles whose checks find the opposite. The same seed gives the
    same answer, however many workers there are.

    In a program of your own that is a file, call it below `if __name__ == "__main__":`, as everything that
    starts processes. Raises InputError, SetupError, StateDamaged.
    """
    resume = terms.get("resume")
    request = BalanceRequest(
        str(what) if isinstance(what, Path) else what,
        players,
        games,
        policy,
        seed,
        terms.get("options", {}),
        tuple(terms.get("insane", ())),
        terms.get("within"),
        terms.get("workers", 0),
        Path(resume) if resume else None,
        terms.get("scheduler", ""),
    )
    return balance_of(request)
