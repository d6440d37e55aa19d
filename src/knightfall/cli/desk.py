"""Which options do all verbs share that write one entry and one post, and where do they sit?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from knightfall.cli.folder import game_needed
from knightfall.cli.screen import echo

if TYPE_CHECKING:
    from knightfall.services.players import Desk

GameHere: TypeAlias = Annotated[
    Path | None, typer.Option(help="A game folder or its game.toml; else the folder you are in.")
]
Dialect: TypeAlias = Annotated[
    str | None, typer.Option("--as", metavar="DIALECT", help="Dialect of the post; else your site's.")
]
CopyIt: TypeAlias = Annotated[bool, typer.Option("--copy", help="Put the post on the clipboard, too.")]
FromPost: TypeAlias = Annotated[
    str | None,
    typer.Option("--at", metavar="POST", help="From this post on; else the one after the last read."),
]
Why: TypeAlias = Annotated[str, typer.Option(metavar="REASON", help="For the journal; never posted.")]


def desk(game: Path | None, dialect: str | None, copy: bool, allow: str) -> Desk:
    """The desk of a verb: the folder we are in or the one that is named, and this machine's clipboard."""
    from knightfall.cli.clipboard import Clipboard
    from knightfall.cli.context import real_session
    from knightfall.services.players import Desk

    folder = game_needed(game)
    session = real_session(folder, allow_private=False)
    return Desk(folder, session, echo, _aside, dialect, Clipboard() if copy else None, allow)


def _aside(sentence: str) -> None:
    echo(sentence, err=True)
