"""Does the game file still say what the game began with: its kind, its players, its options?

These seeded the journal. Edited afterwards they would mean two games in one folder, so that is a question to
the moderator. Titles, terms, threads, aliases and the rest are his at any time.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from knightfall.app.founding.choices import chosen_values
from knightfall.app.founding.game_names import game_named, same_game
from knightfall.core.entries import Started
from knightfall.errors import DecisionNeeded, InputError, SetupError

FILE = "game.toml"
WAYS = (
    "The game goes on as it began. Put these keys back as they were. Who replaces whom, leaves or lives "
    "again is told by a verb (knightfall replace OLD NEW --at POST, modkill, kill, revive); other options or "
    "players are another game: a new folder."
)


def unchanged(started: Started, game: Path) -> None:
    """Looks whether the file of a game (its folder, or the file itself) agrees with its beginning. Raises
    DecisionNeeded with each key that does not, SetupError where the file is no TOML."""
    file = game if game.suffix == ".toml" else game / FILE
    if file.exists() and (found := list(_differences(_table(file), started, file))):
        listed = "\n".join(f"  {line}" for line in found)
        raise DecisionNeeded(f"{file} says something else than the game began with:\n{listed}\n{WAYS}")


def _table(file: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise SetupError(f"{file}: is not TOML: {fault}. Text goes in quotes, times do not.") from None


def _differences(table: Mapping[str, Any], started: Started, file: Path) -> Iterator[str]:
    game = _tables(table.get("game"))
    kind = str(game.get("kind", "votes"))
    if not same_game(kind, started.game):
        yield f'game.kind: found "{kind}", the game began as "{started.game}"'
    else:
        yield from _options(_tables(game.get("options")), started, file)
    yield from _players(table.get("player"), started)


def _tables(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _options(given: Mapping[str, Any], started: Started, file: Path) -> Iterator[str]:
    """A setup of the moderator's own stands in the journal alone."""
    spec = game_named(started.game).spec
    try:
        now, then = (chosen_values(spec.name, spec.options, one) for one in (given, started.options))
    except InputError as fault:
        raise SetupError(f"{file}: game.options: {fault}") from None
    for name, began in then.items():
        own = not isinstance(started.options.get(name, ""), str)
        if now[name] != began and not (own and name not in given):
            yield f'game.options.{name}: found "{now[name]}", the game began with "{began}"'


def _players(listed: object, started: Started) -> Iterator[str]:
    """A slot may have changed hands in the file as well: it is known by each name that it had."""
    tables = [_tables(one) for one in listed] if isinstance(listed, list) else []
    if not tables:
        return
    named = [{str(one.get("name")), *_earlier(one)} for one in tables]
    known = set(started.slots)
    for slot in started.slots:
        if not any(slot in names for names in named):
            yield f"player: “{slot}” is missing, with whom the game began"
    for one, names in zip(tables, named, strict=True):
        if not names & known:
            yield f"player: “{one.get('name')}” was not there when the game began"


def _earlier(player: Mapping[str, Any]) -> set[str]:
    replaces = player.get("replaces", ())
    return {str(_tables(one).get("name")) for one in replaces} if isinstance(replaces, list) else set()
