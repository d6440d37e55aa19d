"""`knightfall post`: the texts for the thread, from the sign-ups to the record of the game."""

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.folder import game_needed
from knightfall.cli.options import Game, PrivateHost
from knightfall.cli.screen import echo


def post(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="signup, rules, opening, day-start, votecount, note, end-of-day, dawn, results, error, "
            "endgame or archive.",
        ),
    ],
    game: Game = None,
    dialect: Annotated[
        str | None, typer.Option("--as", metavar="DIALECT", help="Dialect of the post, e.g. mafiascum.")
    ] = None,
    flavour: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Your own words before it, read for secrets first.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="So long may a post be; a longer one is split.")
    ] = None,
    form: Annotated[
        str | None, typer.Option("--format", metavar="csv|json", help="The archive record for programs.")
    ] = None,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show only what changes against the last posted one.")
    ] = False,
    copying: Annotated[bool, typer.Option("--copy", help="Put the post on the clipboard, too.")] = False,
    posted: Annotated[
        bool, typer.Option("--posted", help="Note in the game that this was posted; later ones compare.")
    ] = False,
    allow_leak: Annotated[
        str, typer.Option("--allow-leak", metavar="WHY", help="Let a secret pass for this reason.")
    ] = "",
    stored: Annotated[
        bool, typer.Option("--stored", help="Count what was read before, without asking the forum.")
    ] = False,
    allow_private_host: PrivateHost = False,
) -> None:
    """Write a post for the thread and keep it in public/.

    It is ready to paste. Before it is shown every text is read for secrets; exit status 5: it would give one
    away.

    Example: knightfall post dawn --flavour dawn.txt --as mafiascum --copy --posted
    """
    from knightfall.cli.clipboard import Clipboard
    from knightfall.cli.context import progress_bar, real_session
    from knightfall.services.posts import Asked
    from knightfall.services.posts import post as written

    folder = game_needed(game)
    asked = Asked(kind, folder, dialect, flavour, limit, form, allow_leak, diff, posted, stored)
    session = real_session(folder, allow_private_host)
    with progress_bar(session, "Reading and counting") as session:
        written(asked, session, echo, _aside, Clipboard() if copying else None)


def _aside(sentence: str) -> None:
    echo(sentence, err=True)
