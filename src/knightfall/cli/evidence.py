"""`knightfall evidence`: what did a post say, and when?"""

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.folder import game_here
from knightfall.cli.options import AsJson
from knightfall.cli.screen import echo


def evidence(
    post: Annotated[str, typer.Argument(help="The number of the post, as the forum counts.")],
    url: Annotated[str | None, typer.Argument(help="The address of the thread; else the game's.")] = None,
    game: Annotated[Path | None, typer.Option(help="A game: its folder, game.toml or game.db.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show every version of a post that was read. Example: knightfall evidence 67

    With times, hashes and what differs.
    """
    from knightfall.cli.context import real_session
    from knightfall.engine.json_text import as_object
    from knightfall.services.evidence import as_text, history_of, history_values

    game = game if url else game_here(game)
    found = history_of(post, url, real_session(game, allow_private=False))
    echo(as_object(history_values(found)) if as_json else as_text(found))
