"""`knightfall post`: texts for the thread."""

from pathlib import Path
from typing import Annotated

import typer


def post(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="rules: how voting works in this game.")],
    game: Annotated[Path, typer.Option(help="A game folder or its game.toml.")],
    dialect: Annotated[str, typer.Option("--as", metavar="DIALECT", help="Dialect of the post.")] = "phpbb",
) -> None:
    """Write a post for the thread, ready to paste: the rules of voting, with the table of votes needed."""
    from knightfall.app.post import post as written

    typer.echo(written(kind, game, dialect))
