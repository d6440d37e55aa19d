"""Which options do all verbs share that write one entry and one post, and where do they sit?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from knightfall.cli.folder import game_needed
from knightfall.cli.options import CopyIt as CopyIt
from knightfall.cli.options import Dialect as Dialect
from knightfall.cli.options import GameHere as GameHere
from knightfall.cli.screen import echo

if TYPE_CHECKING:
    from knightfall.services.desk import Desk


def desk(game: Path | None, dialect: str | None, copy: bool, allow: str) -> Desk:
    """The desk of a verb: the folder we are in or the one that is named, and this machine's clipboard."""
    from knightfall.cli.clipboard import Clipboard
    from knightfall.cli.context import real_session
    from knightfall.services.desk import Desk

    folder = game_needed(game)
    session = real_session(folder, allow_private=False)
    return Desk(folder, session, echo, _aside, dialect, Clipboard() if copy else None, allow)


def _aside(sentence: str) -> None:
    echo(sentence, err=True)
