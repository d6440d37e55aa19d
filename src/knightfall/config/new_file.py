"""A new game.toml, and the commented example of all its keys."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from textwrap import wrap

from knightfall.config.vote_presets import VOTES, vote_preset
from knightfall.engine.game import Option, Spec
from knightfall.games import game_ids
from knightfall.markup.dialects import dialect_names

_PIECES = Path(__file__).parent / "example"
_WIDTH = 80


def example(spec: Spec | None) -> str:
    """The commented file of a game; None: of a folder in which votes are counted."""
    kind = spec.id if spec else VOTES
    preset = vote_preset(kind, {})
    votes = bool(preset.death)
    facts = {
        "name": spec.name if spec else "a count of votes",
        "kind": kind,
        "kinds": _listed([VOTES, *game_ids()]),
        "sites": _listed([*dialect_names()]),
        "death": preset.death,
        "tie": preset.tie,
    }

    def piece(name: str) -> str:
        return Template((_PIECES / f"{name}.toml").read_text(encoding="utf-8")).substitute(facts)

    parts = [piece("game")]
    if spec is not None:
        parts += [piece("options"), *map(_option, spec.options)]
    parts += [piece("terms"), piece("threads")]
    if votes:
        parts += [piece("rules"), piece("prods")]
    parts.append(piece("players"))
    if votes:
        parts.append(piece("player-votes"))
    if spec is None:
        parts.append(piece("player-past"))
    if votes:
        parts += [piece("days"), piece("fixes")]
    return "".join(parts)


def _listed(words: list[str]) -> str:
    """In lines of a comment."""
    return "\n#   ".join(wrap(" | ".join(words), _WIDTH - 4, break_on_hyphens=False))


def _option(option: Option) -> str:
    """The question above, the default and the other values."""
    others = " | ".join(option.values[:8]) + (" | …" if len(option.values) > 8 or option.pattern else "")
    asked = wrap(f"{option.question}: {others}", _WIDTH, initial_indent="# ", subsequent_indent="#   ")
    return "\n".join([*asked, f'# {option.name} = "{option.default}"']) + "\n"


@dataclass(frozen=True, slots=True)
class FileStart:
    """What a game file begins with; `threads` are pairs of role and address."""

    kind: str
    title: str
    timezone: str = "UTC"
    site: str = ""
    moderators: tuple[str, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)
    threads: tuple[tuple[str, str], ...] = ()
    players: tuple[str, ...] = ()


def new_file(start: FileStart) -> str:
    """The file's text; the moderator's from now on."""
    # Only where votes are counted.
    rules: list[list[str]] = []
    preset = vote_preset(start.kind, start.options)
    if preset.death:
        rules.append(["[rules]", f'death = "{preset.death}"', f'tie = "{preset.tie}"'])
    game: list[str] = [
        f"kind = {quoted(start.kind)}",
        f"title = {quoted(start.title)}",
        f"timezone = {quoted(start.timezone)}",
    ]
    if start.site:
        game.append(f"site = {quoted(start.site)}")
    if start.moderators:
        game.append(f"moderators = [{', '.join(map(quoted, start.moderators))}]")

    options: list[list[str]] = []
    if start.options:
        chosen = [
            f"{name} = {quoted(value)}" for name, value in start.options.items() if isinstance(value, str)
        ]
        dealt = "# The setup itself stands in the journal once it is dealt: knightfall log."
        options.append(["[game.options]", *([dealt] if len(chosen) < len(start.options) else ()), *chosen])

    threads = [["[[thread]]", f'role = "{role}"', f"url = {quoted(url)}"] for role, url in start.threads]
    parts = (
        [f"# Every key with its meaning: knightfall new {start.kind} --example", "schema = 1"],
        ["[game]", *game],
        *options,
        *rules,
        *threads,
        *player_tables(start.players),
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
