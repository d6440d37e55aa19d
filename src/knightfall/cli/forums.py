"""`knightfall forums`: which platforms can be read?"""

from knightfall.cli.options import AsJson
from knightfall.cli.screen import echo, say


def forums(as_json: AsJson = False) -> None:
    """List the forum software that can be read. Example: knightfall forums

    With what its pages tell.
    """
    from knightfall.app.plain_values import as_object
    from knightfall.app.reading.forums import platforms_table, platforms_values, unusable_forums

    echo(as_object(platforms_values()) if as_json else platforms_table())
    for fault in unusable_forums():
        say(fault, err=True)
