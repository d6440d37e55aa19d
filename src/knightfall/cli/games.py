"""`knightfall games`: what can be played."""

from knightfall.cli.options import AsJson
from knightfall.cli.screen import echo, say


def games(as_json: AsJson = False) -> None:
    """List the games on board. Example: knightfall games

    With players and how many options each has.
    """
    from knightfall.app.founding.games import games as listed
    from knightfall.app.founding.games import games_values, unusable_games
    from knightfall.app.plain_values import as_object

    echo(as_object(games_values()) if as_json else listed())
    for fault in unusable_games():
        say(fault, err=True)
