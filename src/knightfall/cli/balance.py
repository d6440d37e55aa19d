"""The verbs that play or count many at once: balance, recount."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from knightfall.cli.options import verb
from knightfall.cli.terminal import AsJson, bar_of, echo
from knightfall.cli.ways import as_object
from knightfall.services.requests import BalanceRequest

if TYPE_CHECKING:
    from knightfall.simulation.counts import Counts

Workers = Annotated[int, typer.Option(min=0, help="Processes (default: one for each core).")]
Scheduler = Annotated[
    str, typer.Option(metavar="tcp://HOST:PORT", help="A Dask scheduler to run on instead.")
]


@verb
def balance(
    request: partial[BalanceRequest],
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the game.")
    ] = None,
    share: Annotated[
        str, typer.Option("--within", metavar="0.5%", help="Stop as soon as every interval is this narrow.")
    ] = "",
    compare: Annotated[
        str, typer.Option(metavar="SETUP|GAME", help="Also play this one, and show the differences.")
    ] = "",
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE.svg|FILE.png", help="Also save a picture; - prints one as text instead."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play a setup many times and show how often each side wins.

    Example: knightfall balance fixtures/setups/matrix.toml --policy follow-the-claims --within 0.5%

    Each share has an interval: it holds the true share under this policy 95 times in a hundred. How people
    would play is another matter.

    --compare plays both with the same random numbers where their seats match, so that a small difference
    shows after few games. --within then is about the differences.

    A policy has knobs (follow-the-claims:noise=3,bus=1) and can be mixed (0.7*follow-the-claims +
    0.3*random). Mafia games are simulated; the other games are played by their full rules, which is slower.
    """
    from dataclasses import replace

    from knightfall.cli.format_balance import format_balance, format_comparison
    from knightfall.cli.game import parse_options
    from knightfall.errors import InputError
    from knightfall.services.balance import (
        Balance,
        Comparison,
        balance_of,
        balance_plot,
        check_plot,
        compared,
        write_balance_plot,
    )

    if not request.keywords.get("what"):
        raise InputError("What is to be played? Name a setup file (.toml) or a game, such as empowered.")
    as_text = plot is not None and str(plot) == "-"
    if plot is not None and not as_text:
        check_plot(plot)  # before anything is played
    whole = request(options=parse_options(option or ()), within=parse_share(share) if share else None)
    with bar_of("Playing") as bar:

        def told(counts: Counts, of: int) -> None:
            if bar is not None:
                bar(counts.games, of)

        found: Balance | Comparison
        if not compare:
            found = balance_of(whole, told)
        else:
            found = compared(whole, replace(whole, what=compare), told)
    if plot is not None and not as_text:
        write_balance_plot(found, plot)
    if as_json:
        text = as_object(found.to_dict())
    elif as_text:
        text = balance_plot(found)
    else:
        text = format_balance(found) if isinstance(found, Balance) else format_comparison(found)
    echo(text)


def parse_share(text: str) -> float:
    """“0.5%” or “0.005”. Raises InputError for anything else."""
    from knightfall.errors import InputError

    try:
        number = float(text.strip().removesuffix("%"))
    except ValueError:
        raise InputError(f"--within {text}: expected a share such as 0.5%.") from None
    return number / 100 if text.strip().endswith("%") else number


def recount(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="An archive of threads.")],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl|FILE.parquet", help="Write here instead of printing.")
    ] = None,
    workers: Workers = 0,
    scheduler: Scheduler = "",
) -> None:
    """Count every thread of an archive, a line of JSON each.

    Example: knightfall recount threads --out counts.jsonl

    A thread is a file of posts (.jsonl, .jsonl.gz) or a folder of saved pages. A game.toml beside it is used.
    A thread that cannot be counted has a line with its error. --out FILE.parquet writes a table instead, with
    the same columns.
    """
    import json

    from knightfall.services.count.recount import PARQUET, check_out, threads_in, write_parquet
    from knightfall.services.count.recount import recount as rows_of

    if out is not None:
        check_out(out)
    rows = []
    with bar_of("Counting") as bar:
        number = len(threads_in(folder))
        for row in rows_of(folder, workers, scheduler):
            rows.append(row)
            if bar is not None:
                bar(len(rows), number)
    if out is not None and out.suffix.lower() == PARQUET:
        write_parquet(rows, out)
        return
    lines = [json.dumps(row.to_dict(), ensure_ascii=False) for row in rows]
    text = "\n".join(lines)
    if out is None:
        echo(text)
    else:
        out.write_text(f"{text}\n", encoding="utf-8")
