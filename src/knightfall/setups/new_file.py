"""How does a new game's game.toml read: what was said at its beginning, the rest as the game has it?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from knightfall.setups.houses import house_of


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
