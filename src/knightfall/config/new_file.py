"""A new game.toml, and the commented example of all its keys."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from textwrap import wrap

from knightfall.config.vote_presets import VOTES, House, house_of
from knightfall.engine.game import Option, Spec
from knightfall.games import game_ids
from knightfall.markup.dialects import dialect_names

_PIECES = Path(__file__).parent / "example"
_WIDTH = 80


def example(spec: Spec | None) -> str:
    """The commented file of a game; None: of a folder in which votes are counted."""
    return "".join(_piece(name, spec) if piece is None else piece for name, piece in _parts(spec))


def _parts(spec: Spec | None) -> Iterator[tuple[str, str | None]]:
    """In the order of the file: pieces by name, options as text."""
    votes = bool(_house(spec).death)
    yield "game", None
    if spec is not None:
        yield "options", None
        yield "", "".join(_option(option) for option in spec.options)
    yield from ((name, None) for name in ("terms", "threads"))
    if votes:
        yield from ((name, None) for name in ("rules", "prods"))
    yield "players", None
    if votes:
        yield "player-votes", None
    if spec is None:
        yield "player-past", None
    if votes:
        yield from ((name, None) for name in ("days", "fixes"))


def _piece(name: str, spec: Spec | None) -> str:
    house = _house(spec)
    facts = {
        "name": spec.name if spec else "a count of votes",
        "kind": _kind(spec),
        "kinds": _listed([VOTES, *game_ids()]),
        "sites": _listed([*dialect_names()]),
        "death": house.death,
        "tie": house.tie,
    }
    return Template((_PIECES / f"{name}.toml").read_text(encoding="utf-8")).substitute(facts)


def _listed(words: list[str]) -> str:
    """In lines of a comment."""
    return "\n#   ".join(wrap(" | ".join(words), _WIDTH - 4, break_on_hyphens=False))


def _house(spec: Spec | None) -> House:
    return house_of(_kind(spec), {})


def _kind(spec: Spec | None) -> str:
    return spec.id if spec else VOTES


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


def new_file(said: Said) -> str:
    """The file's text; the moderator's from now on."""
    # Only where votes are counted.
    rules: list[list[str]] = []
    house = house_of(said.kind, said.options)
    if house.death:
        rules.append(["[rules]", f'death = "{house.death}"', f'tie = "{house.tie}"'])
    game: list[str] = [
        f"kind = {quoted(said.kind)}",
        f"title = {quoted(said.title)}",
        f"timezone = {quoted(said.timezone)}",
    ]
    if said.site:
        game.append(f"site = {quoted(said.site)}")
    if said.moderators:
        game.append(f"moderators = [{', '.join(map(quoted, said.moderators))}]")

    threads = [["[[thread]]", f'role = "{role}"', f"url = {quoted(url)}"] for role, url in said.threads]
    parts = (
        [f"# Every key with its meaning: knightfall new {said.kind} --example", "schema = 1"],
        ["[game]", *game],
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
