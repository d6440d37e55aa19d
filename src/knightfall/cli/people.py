"""`knightfall replace`, `modkill`, `kill`, `revive`, `prod`, `vla` and `mod-note`: what becomes of people."""

from typing import Annotated

import typer

from knightfall.cli.desk import CopyIt, Dialect, FromPost, GameHere, Why, desk
from knightfall.cli.options import AllowLeak

NAME = Annotated[str, typer.Argument(metavar="NAME", help="The player, by any name of his.")]


def replace(
    old: Annotated[str, typer.Argument(metavar="OLD", help="Who goes.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The account that comes.")],
    at: FromPost = None,
    why: Why = "",
    dialect: Dialect = None,
    copy: CopyIt = False,
    allow_leak: AllowLeak = "",
    game: GameHere = None,
) -> None:
    """Give a slot to somebody else. Example: knightfall replace Lumen Rook --at 412

    The slot keeps its vote and its role; counts as of earlier posts stay what they were. The post never says
    why.
    """
    from knightfall.services.players import replaced

    replaced(old, new, at, why, desk(game, dialect, copy, allow_leak))


def modkill(
    name: NAME,
    at: FromPost = None,
    why: Why = "",
    dialect: Dialect = None,
    copy: CopyIt = False,
    allow_leak: AllowLeak = "",
    game: GameHere = None,
) -> None:
    """Take a player out of the game. Example: knightfall modkill Elm --why "quoted a PM" --at 430

    Votes by and for the player fall, and the threshold with them, at that post. The post does not say why.
    """
    from knightfall.services.players import modkilled

    modkilled(name, at, why, desk(game, dialect, copy, allow_leak))


def kill(
    name: NAME,
    at: FromPost = None,
    why: Why = "",
    dialect: Dialect = None,
    copy: CopyIt = False,
    allow_leak: AllowLeak = "",
    game: GameHere = None,
) -> None:
    """Note that a player died during a day. Example: knightfall kill Fen --at 131 --why "shot by day"

    Exit status 3: the game that is played here knows no such death.
    """
    from knightfall.services.players import killed

    killed(name, at, why, desk(game, dialect, copy, allow_leak))


def revive(
    name: NAME,
    at: FromPost = None,
    why: Why = "",
    dialect: Dialect = None,
    copy: CopyIt = False,
    allow_leak: AllowLeak = "",
    game: GameHere = None,
) -> None:
    """Bring a player back to life. Example: knightfall revive Fen --at 150 --why "the shot was a mistake" """
    from knightfall.services.players import revived

    revived(name, at, why, desk(game, dialect, copy, allow_leak))


def prod(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME...", help="Whom; else all who are due by the rule.")
    ] = None,
    draft: Annotated[
        bool, typer.Option("--draft", help="Write the PMs into private/ and nothing else.")
    ] = False,
    dialect: Dialect = None,
    copy: CopyIt = False,
    allow_leak: AllowLeak = "",
    game: GameHere = None,
) -> None:
    """Remind players to post. Example: knightfall prod Elm Lumen --draft

    A PM for each lies in private/; the public post says how many were reminded, not whom. Uses the thread as
    it was last read.
    """
    from knightfall.services.players import prodded

    prodded(tuple(names or ()), draft, desk(game, dialect, copy, allow_leak))


def vla(
    name: NAME,
    days: Annotated[str, typer.Argument(metavar="FROM..TO", help="Both days are part of it; or one day.")],
    dialect: Dialect = None,
    copy: CopyIt = False,
    allow_leak: AllowLeak = "",
    game: GameHere = None,
) -> None:
    """Note an announced absence. Example: knightfall vla Elm 2026-11-28..2026-12-01"""
    from knightfall.services.players import away

    away(name, days, desk(game, dialect, copy, allow_leak))


def mod_note(
    text: Annotated[
        list[str], typer.Argument(metavar="TEXT", help="What everybody may read; “-” reads what is piped in.")
    ],
    dialect: Dialect = None,
    copy: CopyIt = False,
    allow_leak: AllowLeak = "",
    game: GameHere = None,
) -> None:
    """Write a note for everybody and keep it. Example: knightfall mod-note "Spoilers do not count." """
    import sys

    from knightfall.services.players import noted

    said = " ".join(text)
    noted(sys.stdin.read() if said.strip() == "-" else said, desk(game, dialect, copy, allow_leak))
