"""`knightfall activity`: who posts how much, who is silent, and who is due a prod."""

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.folder import game_here


def activity(
    source: Annotated[
        list[str] | None, typer.Argument(metavar="URL | FILE...", help="The thread, as for vc.")
    ] = None,
    game: Annotated[Path | None, typer.Option(help="A game folder or its game.toml.")] = None,
    at: Annotated[
        str | None, typer.Option(metavar="POST|TIME", help="As of this post or moment; else now.")
    ] = None,
    dialect: Annotated[
        str | None, typer.Option("--as", metavar="DIALECT", help="The public post of prods in this dialect.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same for programs.")] = False,
    from_html: Annotated[bool, typer.Option("--from-html", help="From pages saved in a browser.")] = False,
    from_jsonl: Annotated[bool, typer.Option("--from-jsonl", help="From posts as JSON Lines.")] = False,
    stored: Annotated[bool, typer.Option("--stored", help="From what was read before.")] = False,
    allow_private_host: Annotated[
        bool, typer.Option("--allow-private-host", help="Read a forum of your own network, too.")
    ] = False,
) -> None:
    """List the living players: posts a day, last post, hours of silence that count, and who is due a prod by
    prod_after, prod_grace, max_prods, weekends and v_la of game.toml. With --as the public list of prods:
    names only. A time that the forum tells only roughly is marked with ~."""
    from knightfall.app.activity_report import run
    from knightfall.app.vc import Wanted
    from knightfall.cli.ports import progress_bar, real_ports

    game = game if source else game_here(game)
    wanted = Wanted(
        tuple(source or ()),
        from_html,
        from_jsonl,
        game,
        at=at,
        dialect=dialect,
        as_json=as_json,
        stored=stored,
    )
    with progress_bar() as progress:
        run(wanted, real_ports(game, allow_private_host), typer.echo, _aside, progress)


def _aside(sentence: str) -> None:
    typer.echo(sentence, err=True)
