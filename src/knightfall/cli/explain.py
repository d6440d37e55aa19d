"""`knightfall explain`: why a count stands as it does."""

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.folder import game_here


def explain(
    what: Annotated[str, typer.Argument(metavar="NAME|POST", help="A player with votes, or a post number.")],
    source: Annotated[
        list[str] | None, typer.Argument(metavar="URL | FILE...", help="The thread, as for vc.")
    ] = None,
    game: Annotated[Path | None, typer.Option(help="A game folder or its game.toml.")] = None,
    day: Annotated[int | None, typer.Option(min=1, help="Which day; the latest where not given.")] = None,
    at: Annotated[str | None, typer.Option(metavar="POST|TIME", help="As of this post or moment.")] = None,
    from_html: Annotated[bool, typer.Option("--from-html", help="From pages saved in a browser.")] = False,
    from_jsonl: Annotated[bool, typer.Option("--from-jsonl", help="From posts as JSON Lines.")] = False,
    stored: Annotated[bool, typer.Option("--stored", help="From what was read before.")] = False,
    allow_private_host: Annotated[
        bool, typer.Option("--allow-private-host", help="Read a forum of your own network, too.")
    ] = False,
) -> None:
    """Say why: for a player each vote with post, voter, text and how the name was matched; for a post all
    that was read in it, counted or not. For the moderator's eyes: weights are shown.

    In the folder of a game that is played there (knightfall new): every line that was told of a name or a
    number, with the entry and the rulings behind it; --at is then an entry of the log.
    """
    from knightfall.app.explain import explain as explained
    from knightfall.app.retold import begun, retold
    from knightfall.app.vc import Wanted
    from knightfall.cli.ports import progress_bar, real_ports

    game = game if source else game_here(game)
    ports = real_ports(game, allow_private_host)
    if game is not None and not source and begun(ports):
        typer.echo(retold(what, at, game, ports))
        return
    wanted = Wanted(tuple(source or ()), from_html, from_jsonl, game, day, at, stored=stored)
    with progress_bar() as progress:
        typer.echo(explained(what, wanted, ports, progress))
