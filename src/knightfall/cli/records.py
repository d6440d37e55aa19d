"""knightfall replay, knightfall moves: records of Knight Fight."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.screen import echo

_Record = Annotated[Path, typer.Argument(metavar="RECORD", help="A record, or the beginning of one.")]
_Turn = Annotated[int | None, typer.Option(min=0, help="The position after this turn; else the last.")]


def replay(
    record: _Record,
    turn: _Turn = None,
    every: Annotated[bool, typer.Option("--all", help="The board after each turn.")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.svg|FILE.png", help="A picture of the board, too.")
    ] = None,
) -> None:
    """Play a record of Knight Fight again by the rules. Example: knightfall replay bout.txt --turn 12

    The board, what each has, who won.
    """
    from knightfall.app.play.records import replay as played

    echo(played(record, turn, every, out))


def moves(record: _Record, turn: _Turn = None) -> None:
    """List the legal moves of a position of Knight Fight. Example: knightfall moves bout.txt

    It tells whether one of them wins.
    """
    from knightfall.app.play.records import moves as listed

    echo(listed(record, turn))
