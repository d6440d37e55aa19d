"""`knightfall games`: what can be played."""

import typer


def games() -> None:
    """List the games on board, with players and how many options each has."""
    from knightfall.app.games import games as listed

    typer.echo(listed())
