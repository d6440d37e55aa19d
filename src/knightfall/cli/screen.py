"""How does a text get onto the screen? Every verb prints through here, whoever wrote what it prints."""

from __future__ import annotations


def echo(text: object = "", err: bool = False, nl: bool = True) -> None:
    """Prints a text, without what would play tricks on a terminal; what goes to standard error beside the
    answer only where it is wanted."""
    from knightfall.cli.loudness import is_quiet

    if not (err and is_quiet()):
        say(text, err, nl)


def say(text: object, err: bool = False, nl: bool = True) -> None:
    """The same, however quiet it is to be: errors and questions."""
    import typer

    from knightfall.core.terminal import safe

    typer.echo(safe(str(text)), err=err, nl=nl)
