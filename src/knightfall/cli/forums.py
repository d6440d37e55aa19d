"""`knightfall forums`: which platforms can be read?"""

import typer


def forums() -> None:
    """List the forum software that can be read, and what its pages tell."""
    from knightfall.app.forums import platforms_table

    typer.echo(platforms_table())
