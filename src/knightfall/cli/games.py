"""`knightfall games`: what can be played."""

from knightfall.cli.screen import echo


def games() -> None:
    """List the games on board, with players and how many options each has."""
    from knightfall.app.games import games as listed

    echo(listed())
