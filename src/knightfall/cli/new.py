"""`knightfall new`: a folder for a game, dealt and ready to play."""

from pathlib import Path
from typing import Annotated

import typer


def new(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="For instance kings-court: see knightfall games.")
    ],
    players: Annotated[
        list[str] | None, typer.Argument(metavar="NAME...", help="The players, or give --players FILE.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--players", metavar="FILE", help="The names, one a line.")
    ] = None,
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where the game is kept; made if need be.")
    ] = Path("game"),
    title: Annotated[str, typer.Option(help="What the game is called.")] = "",
    timezone: Annotated[
        str, typer.Option("--tz", metavar="ZONE", help="For instance America/New_York.")
    ] = "UTC",
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option: see knightfall rulings GAME.")
    ] = None,
    setup: Annotated[
        str, typer.Option(metavar="CODE|FILE", help="A setup, or one of your own: a TOML file.")
    ] = "",
    dialect: Annotated[str, typer.Option("--as", metavar="DIALECT", help="Dialect of the posts.")] = "plain",
) -> None:
    """Begin a game. Example: knightfall new kings-court --players names.txt --out harbour/

    Makes game.toml, the deal with its commitment, the first posts in public/ and the PMs in private/.
    """
    from secrets import token_bytes

    from knightfall.app.deal import names_in
    from knightfall.app.new import Beginning, begin, said_options
    from knightfall.cli.ports import real_ports

    names = names_in(file) if file else tuple(players or ())
    chosen = said_options([*(option or ()), *([f"setup={setup}"] if setup else ())])
    asked = Beginning(
        game, tuple(names), out, token_bytes(32), token_bytes(32), title, timezone, chosen, dialect
    )
    typer.echo(begin(asked, real_ports(out, allow_private=False)))
