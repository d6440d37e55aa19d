"""knightfall conform: run numbered cases."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.screen import echo


def conform(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Case files, one JSON object a line.")
    ],
) -> None:
    """Run conformance cases and say which fail.

    Example: knightfall conform fixtures/conformance/*.jsonl

    One line for each that fails, then the sum; exit status 1 when any failed.
    """
    from knightfall.app.conform import conform as run
    from knightfall.cli.ports import progress_bar

    with progress_bar("Running cases") as progress:
        report = run(files, progress)
    echo("\n".join(report.lines()))
    raise typer.Exit(1 if report.failed else 0)
