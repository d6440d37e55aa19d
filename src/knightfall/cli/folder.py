"""Which game is meant: the one that is named, else the one whose folder the moderator stands in."""

from __future__ import annotations

from pathlib import Path

FILE = "game.toml"


def game_here(game: Path | None) -> Path | None:
    """The game that is named, else the folder we are in if it is one; None where there is no game."""
    return game or (Path() if Path(FILE).exists() else None)


def game_needed(game: Path | None) -> Path:
    """The same for verbs that need a game. Raises InputError where there is none."""
    from knightfall.errors import InputError

    found = game_here(game)
    if found is None:
        raise InputError(f"This needs a game: run it in a folder with a {FILE}, or name one: --game FOLDER.")
    return found
