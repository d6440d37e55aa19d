"""Night files: read from disk, for any game on board that has nights."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from knightfall.errors import SetupError
from knightfall.games import game_ids, loaded
from knightfall.mafia.game import MafiaGame, NightFile
from knightfall.mafia.night_file import night_of as parse_tables
from knightfall.services.session import read_text


def read_night(path: Path) -> NightFile:
    """Read a night file. Raises SetupError with file, key, what was found and what was expected."""
    return parse_night(path.name, read_text(path))


def parse_night(name: str, text: str) -> NightFile:
    """Parse the text of a night file; `name` is what complaints call the file."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SetupError(f"{name}: not TOML: {error}.") from error
    return night_of(name, table)


def night_of(name: str, table: Mapping[str, Any]) -> NightFile:
    """The night of the tables that a night file has; `name` is what complaints call them."""
    key = "game" if "game" in table and "kind" not in table else "kind"
    kind = table.get(key)
    game = loaded(kind) if isinstance(kind, str) and kind in game_ids() else None
    if not isinstance(game, MafiaGame):
        known = (one for one in game_ids() if isinstance(loaded(one), MafiaGame))
        expected = " or ".join(f'"{one}"' for one in known)
        raise SetupError(f"{name}: {key}: found {kind!r}, expected {expected}.")
    return parse_tables(name, table, game)
