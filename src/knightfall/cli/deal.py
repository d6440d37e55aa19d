"""knightfall deal and verify-deal: cards by a seed that is committed to, and the check afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.folder import FILE, game_needed
from knightfall.cli.names import PlayersFrom, listed
from knightfall.cli.options import AllowLeak
from knightfall.cli.screen import echo


def deal(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="For instance knight-errant; in a folder its own.")
    ] = "",
    players: PlayersFrom = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Deal there, without a game file; else the game here.")
    ] = None,
    setup: Annotated[
        str | None, typer.Option(metavar="CODE|FILE", help="A setup, or one of your own; drawn otherwise.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option(metavar="HEX", help="At least 16 bytes; drawn otherwise.")
    ] = None,
    salt: Annotated[
        str | None, typer.Option(metavar="HEX", help="At least 16 bytes; drawn otherwise.")
    ] = None,
    dialect: Annotated[
        str, typer.Option("--as", metavar="DIALECT", help="Dialect of the first posts; else your site's.")
    ] = "",
    folder: Annotated[
        Path | None, typer.Option("--game", help="A game folder or its game.toml; else the one you are in.")
    ] = None,
    allow_leak: AllowLeak = "",
) -> None:
    """Deal by a secret seed. Example: knightfall deal --setup A1-RD

    In a game's folder: to the players of game.toml; the game begins, with its first posts in public/ and its
    PMs in private/. Elsewhere: knightfall deal GAME --players FILE --out DIR deals alone and prints the
    commitment, for the opening post. Keep private/ secret.
    """
    from secrets import token_bytes

    from knightfall.services.deal import parse_hex

    chance = parse_hex("--seed", seed) if seed else token_bytes(32)
    grain = parse_hex("--salt", salt) if salt else token_bytes(32)
    here = folder or (out if out is not None and (out / FILE).exists() else None)
    if out is not None and here is None:
        echo(_alone(game, players, setup, chance, grain, out))
        return
    echo(_here(game, players, setup or "", chance, grain, game_needed(here), dialect, allow_leak))


def _alone(game: str, players: Path | None, setup: str | None, seed: bytes, salt: bytes, out: Path) -> str:
    """The deal of cards without a game's folder."""
    from knightfall.errors import InputError
    from knightfall.services.deal import deal as dealt

    if not game or players is None:
        raise InputError(
            "--out DIR deals without a game file: knightfall deal GAME --players FILE --out DIR."
        )
    return dealt(game, listed(players), setup, seed, salt, out)


def _here(
    game: str,
    players: Path | None,
    setup: str,
    seed: bytes,
    salt: bytes,
    folder: Path,
    dialect: str,
    allow: str,
) -> str:
    """The deal to the players of the game's file."""
    from knightfall.cli.context import real_session
    from knightfall.services.new_game import Asked, deal_here
    from knightfall.services.session import game_folder

    names = listed(players) if players else ()
    asked = Asked(game_folder(folder), seed, salt, game, names, setup, dialect, allow)
    return deal_here(asked, real_session(folder, allow_private=False))


def verify_deal(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The published deal, TOML or JSON.")],
    published: Annotated[
        str | None, typer.Option(metavar="HEX", help="The commitment of the opening post.")
    ] = None,
) -> None:
    """Deal again from the published seed. Example: knightfall verify-deal deal.json --published 9f2c…

    Are these the cards, and is this the commitment? Exit status 1 if not.
    """
    from knightfall.services.deal import verified

    right, text = verified(file, published)
    echo(text)
    raise typer.Exit(0 if right else 1)
