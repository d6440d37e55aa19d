"""`knightfall draw`: the moderator's own cards and dice, typed in."""

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.folder import game_needed
from knightfall.cli.screen import echo
from knightfall.cli.turns import GAME


def draw(
    label: Annotated[
        str, typer.Argument(metavar="[LABEL]", help="Which draw; without it what is still to be drawn.")
    ] = "",
    values: Annotated[
        list[str] | None, typer.Argument(metavar="[VALUE]…", help="What you drew; several for a shuffle.")
    ] = None,
    game: GAME = None,
) -> None:
    """Type in a card or die of your own. Example: knightfall draw "R2:Ada->Bob" Hit

    It holds for the next closing; what you do not type in is drawn by the seed. Secret until it is closed:
    the list shows who attacks whom.
    """
    from knightfall.app.play.draw import draw as take_in
    from knightfall.cli.ports import real_ports

    folder: Path = game_needed(game)
    echo(take_in(label, values or (), folder, real_ports(folder, allow_private=False)))
