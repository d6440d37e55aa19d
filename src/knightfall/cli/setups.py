"""knightfall setups: which setups does a game have?"""

from __future__ import annotations

from typing import Annotated

import typer


def setups(
    game: Annotated[str, typer.Argument(metavar="GAME", help="knight-errant or empowered.")],
    code: Annotated[
        str | None, typer.Argument(metavar="CODE", help="A code of Knight-Errant: its walk over the table.")
    ] = None,
    players: Annotated[int | None, typer.Option(help="Empowered Mafia: for so many players.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same for programs.")] = False,
) -> None:
    """The 48 setups of Knight-Errant with their chances, or the numbers of Empowered Mafia."""
    from knightfall.app.setups_list import setups as listed

    typer.echo(listed(game, code, players, as_json))
