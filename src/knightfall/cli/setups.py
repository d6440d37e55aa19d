"""knightfall setups: which setups does a game have?"""

from __future__ import annotations

from typing import Annotated

import typer

from knightfall.cli.options import AsJson
from knightfall.cli.screen import echo


def setups(
    game: Annotated[str, typer.Argument(metavar="GAME", help="knight-errant, empowered or knights-duty.")],
    code: Annotated[
        str | None,
        typer.Argument(
            metavar="CODE",
            help="A code of Knight-Errant: its walk; a board of Knight's Duty, or your board's file.",
        ),
    ] = None,
    players: Annotated[int | None, typer.Option(help="Empowered Mafia: for so many players.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the setups of a game. Example: knightfall setups knight-errant A1-RD

    The 48 setups of Knight-Errant, the numbers of Empowered Mafia, or the boards of Knight's Duty.
    """
    from knightfall.app.founding.setups_list import setups as listed

    echo(listed(game, code, players, as_json))
