"""How does a text get onto the screen? Every verb prints through here, whoever wrote what it prints."""

from __future__ import annotations


def echo(text: object = "", err: bool = False, nl: bool = True) -> None:
    """Prints a text, without what would play tricks on a terminal."""
    import typer

    from knightfall.core.terminal import safe

    typer.echo(safe(str(text)), err=err, nl=nl)
