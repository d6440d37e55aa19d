"""`knightfall archive`: the whole game as a folder of pages."""

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.desk import GameHere
from knightfall.cli.folder import game_needed
from knightfall.cli.options import AllowLeak
from knightfall.cli.screen import echo


def archive(
    game: GameHere = None,
    public: Annotated[
        bool, typer.Option("--public", help="For everybody: no secret until the game is over.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where to; else archive/ in public/ or private/.")
    ] = None,
    allow_leak: AllowLeak = "",
) -> None:
    """Write the game as pages to keep. Example: knightfall archive --public

    Posts, also by player, votes and wagons of each day, nights, people, rulings, the deal, a search. It opens
    by double click and loads nothing from anywhere. Made from what was read: run knightfall read first.
    """
    from knightfall.cli.context import progress_bar, real_session
    from knightfall.services.archive import Asked, make

    folder = game_needed(game)
    with progress_bar(real_session(folder, allow_private=False), "Writing pages") as session:
        make(Asked(folder, public, out, allow_leak), session, echo)
