"""`knightfall activity`: who posts how much, who is silent, and who is due a prod."""

from typing import Annotated

import typer

from knightfall.cli.folder import game_here
from knightfall.cli.options import AllowLeak, AsJson, FromHtml, FromJsonl, Game, PrivateHost, Source, Stored
from knightfall.cli.screen import echo


def activity(
    source: Source = None,
    game: Game = None,
    at: Annotated[
        str | None, typer.Option(metavar="POST|TIME", help="As of this post or moment; else now.")
    ] = None,
    dialect: Annotated[
        str | None, typer.Option("--as", metavar="DIALECT", help="The public post of prods in this dialect.")
    ] = None,
    as_json: AsJson = False,
    from_html: FromHtml = False,
    from_jsonl: FromJsonl = False,
    stored: Stored = False,
    allow_leak: AllowLeak = "",
    allow_private_host: PrivateHost = False,
) -> None:
    """Show who posts and who is silent. Example: knightfall activity --at 84

    The living players: posts a day, last post, hours of silence that count, and who is due a prod by
    prod_after, prod_grace, max_prods, weekends and v_la of game.toml. With --as the public list of prods:
    names only. A time that the forum tells only roughly is marked with ~."""
    from knightfall.cli.context import progress_bar, real_session
    from knightfall.services.activity import run
    from knightfall.services.count_request import CountRequest

    game = game if source else game_here(game)
    wanted = CountRequest(
        tuple(source or ()),
        from_html,
        from_jsonl,
        at=at,
        dialect=dialect,
        as_json=as_json,
        stored=stored,
        allow=allow_leak,
    )
    with progress_bar(real_session(game, allow_private_host)) as session:
        run(wanted, session, echo, _aside)


def _aside(sentence: str) -> None:
    echo(sentence, err=True)
