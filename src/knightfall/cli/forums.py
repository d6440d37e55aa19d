"""`knightfall forums`: which platforms can be read?"""

from knightfall.cli.screen import echo


def forums() -> None:
    """List the forum software that can be read, and what its pages tell."""
    from knightfall.app.forums import platforms_table

    echo(platforms_table())
