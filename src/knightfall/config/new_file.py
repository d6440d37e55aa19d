"""A new game.toml, and the commented example of all its keys."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from textwrap import wrap
from typing import Any

from knightfall.engine.game import DayRule, Game, Option
from knightfall.games import game_ids
from knightfall.markup.dialects import dialect_names

VOTES = "votes"
"""The kind of a folder in which votes are counted and nothing else is played."""
_COUNT_ALONE = DayRule("majority")
_PIECES = Path(__file__).parent / "example"
_WIDTH = 80


def example(game: Game[Any] | None) -> str:
    """The commented file of a game; None: of a folder in which votes are counted."""
    return "".join(_piece(name, game) if piece is None else piece for name, piece in _parts(game))


def _parts(game: Game[Any] | None) -> Iterator[tuple[str, str | None]]:
    """In the order of the file: pieces by name, options as text."""
    votes = day_rule(game) is not None
    yield "game", None
    if game is not None:
        yield "options", None
        yield "", "".join(_option(option) for option in game.spec.options)
    yield from ((name, None) for name in ("terms", "threads"))
    if votes:
        yield from ((name, None) for name in ("rules", "prods"))
    yield "players", None
    if votes:
        yield "player-votes", None
    if game is None:
        yield "player-past", None
    if votes:
        yield from ((name, None) for name in ("days", "fixes"))


def _piece(name: str, game: Game[Any] | None) -> str:
    rule = day_rule(game)
    facts = {
        "name": game.spec.name if game else "a count of votes",
        "kind": game.spec.id if game else VOTES,
        "kinds": _listed([VOTES, *game_ids()]),
        "sites": _listed([*dialect_names()]),
        "death": rule.death if rule else "",
        "tie": rule.tie if rule else "",
    }
    return Template((_PIECES / f"{name}.toml").read_text(encoding="utf-8")).substitute(facts)


def _listed(words: list[str]) -> str:
    """In lines of a comment."""
    return "\n#   ".join(wrap(" | ".join(words), _WIDTH - 4, break_on_hyphens=False))


def day_rule(game: Game[Any] | None, options: Mapping[str, object] | None = None) -> DayRule | None:
    """How the days of a game are decided by votes, as its options have it; None: no votes are counted. Where
    votes are counted and nothing else is played (`game` None) a majority decides."""
    return game.day_rule(options or {}) if game else _COUNT_ALONE


def _option(option: Option) -> str:
    """The question above, the default and the other values."""
    others = " | ".join(option.values[:8]) + (" | …" if len(option.values) > 8 or option.pattern else "")
    asked = wrap(f"{option.question}: {others}", _WIDTH, initial_indent="# ", subsequent_indent="#   ")
    return "\n".join([*asked, f'# {option.name} = "{option.default}"']) + "\n"


@dataclass(frozen=True, slots=True)
class Said:
    """What a game file begins with; `threads` are pairs of role and address."""

    kind: str
    title: str
    timezone: str = "UTC"
    site: str = ""
    moderators: tuple[str, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)
    threads: tuple[tuple[str, str], ...] = ()
    players: tuple[str, ...] = ()


def new_file(said: Said, game: Game[Any] | None) -> str:
    """The file's text; the moderator's from now on. `game` None: of a folder in which votes are counted."""
    # Only where votes are counted.
    rules: list[list[str]] = []
    rule = day_rule(game, said.options)
    if rule is not None:
        rules.append(["[rules]", f'death = "{rule.death}"', f'tie = "{rule.tie}"'])
    head: list[str] = [
        f"kind = {quoted(said.kind)}",
        f"title = {quoted(said.title)}",
        f"timezone = {quoted(said.timezone)}",
    ]
    if said.site:
        head.append(f"site = {quoted(said.site)}")
    if said.moderators:
        head.append(f"moderators = [{', '.join(map(quoted, said.moderators))}]")

    threads = [["[[thread]]", f'role = "{role}"', f"url = {quoted(url)}"] for role, url in said.threads]
    parts = (
        [f"# Every key with its meaning: knightfall new {said.kind} --example", "schema = 1"],
        ["[game]", *head],
        *_options(said.options),
        *rules,
        *threads,
        *player_tables(said.players),
    )
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def quoted(value: object) -> str:
    """A TOML basic string is a JSON string, but for one character."""
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def player_tables(names: Sequence[str]) -> Iterator[list[str]]:
    """The lines of a table for each player."""
    yield from (["[[player]]", f"name = {quoted(name)}"] for name in names)


def with_option(text: str, name: str, value: str) -> str:
    """A game file's text with one more option, right below the head of its table or at the end; everything
    else stays as it was written."""
    line = f"{name} = {quoted(value)}"
    lines = text.rstrip("\n").split("\n")
    place = next((n for n, one in enumerate(lines) if one.split("#")[0].strip() == "[game.options]"), None)
    if place is None:
        return "\n".join([*lines, "", "[game.options]", line]) + "\n"
    return "\n".join([*lines[: place + 1], line, *lines[place + 1 :]]) + "\n"


def _options(options: Mapping[str, object]) -> Iterator[list[str]]:
    if options:
        said = [f"{name} = {quoted(value)}" for name, value in options.items() if isinstance(value, str)]
        own = "# The setup itself stands in the journal once it is dealt: knightfall log."
        yield ["[game.options]", *([own] if len(said) < len(options) else ()), *said]
