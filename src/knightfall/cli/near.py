"""`knightfall near`: what looks like a vote and was not counted."""

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.folder import game_here


def near(
    source: Annotated[
        list[str] | None, typer.Argument(metavar="URL | FILE...", help="The thread, as for vc.")
    ] = None,
    game: Annotated[Path | None, typer.Option(help="A game folder or its game.toml.")] = None,
    day: Annotated[int | None, typer.Option(min=1, help="Which day; the latest where not given.")] = None,
    at: Annotated[str | None, typer.Option(metavar="POST|TIME", help="As of this post or moment.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The list as JSON.")] = False,
    from_html: Annotated[bool, typer.Option("--from-html", help="From pages saved in a browser.")] = False,
    from_jsonl: Annotated[bool, typer.Option("--from-jsonl", help="From posts as JSON Lines.")] = False,
    stored: Annotated[bool, typer.Option("--stored", help="From what was read before.")] = False,
    allow_private_host: Annotated[
        bool, typer.Option("--allow-private-host", help="Read a forum of your own network, too.")
    ] = False,
) -> None:
    """List all that looks like a vote and was not counted, each with its reason and link.

    Decide on one with: knightfall fix POST --to NAME --why "…"
    """
    import json

    from knightfall.app.near import as_json as values
    from knightfall.app.near import as_text
    from knightfall.app.near import near as find
    from knightfall.app.vc import Wanted
    from knightfall.cli.ports import progress_bar, real_ports

    game = game if source else game_here(game)
    wanted = Wanted(tuple(source or ()), from_html, from_jsonl, game, day, at, stored=stored)
    with progress_bar() as progress:
        found = find(wanted, real_ports(game, allow_private_host), progress)
    typer.echo(json.dumps(values(found), ensure_ascii=False, indent=1) if as_json else as_text(found))
