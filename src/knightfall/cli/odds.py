"""knightfall odds: how likely does an attack in Knight's Duty hit?"""

from __future__ import annotations

from typing import Annotated

import typer

from knightfall.cli.options import AsJson
from knightfall.cli.screen import echo


def odds(
    weapon: Annotated[
        str | None, typer.Argument(metavar="[WEAPON]", help="sword, spear or bow; a table of all without it.")
    ] = None,
    shield: Annotated[bool, typer.Option("--shield", help="The target shields.")] = False,
    parry: Annotated[bool, typer.Option("--parry", help="The target parries.")] = False,
    hill: Annotated[bool, typer.Option("--hill", help="The attacker is inspired.")] = False,
    edition: Annotated[str, typer.Option(help="Rules of current, r00, r02 or r03.")] = "current",
    as_json: AsJson = False,
) -> None:
    """Count the chance of a hit in Knight's Duty. Example: knightfall odds SWORD --shield --hill

    Also of being disarmed; by counting the cards of the pile.
    """
    from knightfall.app.odds import odds as counted

    echo(counted(weapon, shield, parry, hill, edition, as_json))
