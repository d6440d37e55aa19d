"""`knightfall plot`: pictures of a day."""

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.folder import game_here, game_needed
from knightfall.cli.options import At, FromHtml, FromJsonl, Game, PrivateHost, Source, Stored
from knightfall.cli.screen import echo

BOARD = "board"


def plot(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="wagons|activity|votes|board",
            help="Sizes of wagons, posts, who voted whom; or the board of a game played in this folder.",
        ),
    ],
    source: Source = None,
    game: Game = None,
    day: Annotated[int | None, typer.Option(min=1, help="Which day; activity: that day in hours.")] = None,
    at: At = None,
    from_html: FromHtml = False,
    from_jsonl: FromJsonl = False,
    stored: Stored = False,
    time: Annotated[bool, typer.Option("--time", help="Wagons along the time, not the posts.")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.svg|FILE.png", help="Where to; else the game's public/.")
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Print it as text, ready for a post.")] = False,
    viewer: Annotated[
        str | None, typer.Option("--for", metavar="NAME", help="board: as this player sees it, for a PM.")
    ] = None,
    allow_private_host: PrivateHost = False,
) -> None:
    """Draw the wagons, posts or votes of a day, or a board. Example: knightfall plot wagons --day 2 --text

    How the wagons grew, who posted how much, or who voted for whom when. Writes an SVG or PNG that players
    may see and prints its path; --text prints the same as text (put it between code tags: its columns want
    letters of one width). Where a game hides its board, --for NAME draws what that player may see, into the
    game's private/.
    """
    from knightfall.cli.context import progress_bar, real_session
    from knightfall.services.count_request import CountRequest
    from knightfall.services.plots import Plot, plot_file, plot_text

    game = game if source else game_here(game)
    if kind == BOARD:
        from knightfall.services.boards import plot_board

        folder = game_needed(game)
        echo(plot_board(out, real_session(folder, allow_private_host), viewer))
        return
    wanted = CountRequest(tuple(source or ()), from_html, from_jsonl, day, at, stored=stored)
    session = real_session(game, allow_private_host)
    with progress_bar(session) as session:
        if text:
            plot_text(Plot(kind, wanted, time), session, echo)
        else:
            plot_file(Plot(kind, wanted, time), out, session, echo)
