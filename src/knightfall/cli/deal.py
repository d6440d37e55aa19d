"""knightfall deal and verify-deal: cards by a seed that is committed to, and the check afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def deal(
    game: Annotated[str, typer.Argument(metavar="GAME", help="For instance knight-errant.")],
    players: Annotated[Path, typer.Option(metavar="FILE", help="The names, one a line.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where private/ and public/ are written.")],
    setup: Annotated[str | None, typer.Option(metavar="CODE|FILE", help="A setup, or one of your own; drawn otherwise.")] = None,
    seed: Annotated[
        str | None, typer.Option(metavar="HEX", help="At least 16 bytes; drawn otherwise.")
    ] = None,
    salt: Annotated[
        str | None, typer.Option(metavar="HEX", help="At least 16 bytes; drawn otherwise.")
    ] = None,
) -> None:
    """Deal by a secret seed; only the commitment, for the opening post, is printed. Keep private/ secret."""
    from secrets import token_bytes

    from knightfall.app.deal import deal as dealt
    from knightfall.app.deal import parse_hex

    chance = parse_hex("--seed", seed) if seed else token_bytes(32)
    grain = parse_hex("--salt", salt) if salt else token_bytes(32)
    typer.echo(dealt(game, players, setup, chance, grain, out))


def verify_deal(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The published deal, TOML or JSON.")],
    published: Annotated[
        str | None, typer.Option(metavar="HEX", help="The commitment of the opening post.")
    ] = None,
) -> None:
    """Deal again from the published seed: are these the cards, and is this the commitment? Exit 1 if not."""
    from knightfall.app.deal import verified

    right, text = verified(file, published)
    typer.echo(text)
    raise typer.Exit(0 if right else 1)
