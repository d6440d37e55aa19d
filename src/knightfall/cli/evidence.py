"""`knightfall evidence`: what did a post say, and when?"""

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.folder import game_here
from knightfall.cli.screen import echo


def evidence(
    post: Annotated[str, typer.Argument(help="The number of the post, as the forum counts.")],
    url: Annotated[str | None, typer.Argument(help="The address of the thread; else the game's.")] = None,
    game: Annotated[Path | None, typer.Option(help="A game: its folder, game.toml or game.db.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The versions as JSON.")] = False,
) -> None:
    """Show every version of a post that was read, with times, hashes and what differs.

    Example: knightfall evidence 67
    """
    import json

    from knightfall.app.reading.evidence import as_json as values
    from knightfall.app.reading.evidence import as_text, history_of
    from knightfall.cli.ports import real_ports

    game = game if url else game_here(game)
    found = history_of(post, url, game, real_ports(game, allow_private=False))
    echo(json.dumps(values(found), ensure_ascii=False, indent=1) if as_json else as_text(found))
