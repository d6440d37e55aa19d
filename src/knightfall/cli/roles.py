"""knightfall roles: which roles can a game of your own have, and what does one do?"""

from __future__ import annotations

from typing import Annotated

import typer

from knightfall.cli.options import AsJson
from knightfall.cli.screen import echo


def roles(
    name: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="A role in words; without it all roles and modifiers."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the roles for Custom Mafia, or say what one does. Example: knightfall roles 2-shot weak doctor"""
    from knightfall.app.roles import roles as listed

    echo(listed(" ".join(name) if name else None, as_json))
