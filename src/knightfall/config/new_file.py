"""A new game.toml, and the commented example of all its keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from textwrap import wrap
from typing import Any

from knightfall.config.setup import VOTES
from knightfall.engine.game import DayRule, Game, Option
from knightfall.games import game_ids
from knightfall.markup.dialects import dialect_names

_COUNT_ALONE = DayRule("majority")
_PIECES = Path(__file__).parent / "example"
_WIDTH = 80


def example(game: Game[Any] | None) -> str:
    """The commented file of a game; None: of a folder in which votes are counted."""
    rule = day_rule(game)
    votes = rule is not None
    facts = {
        "name": game.spec.name if game else "a votes-only game",
        "kind": game.spec.id if game else VOTES,
        "kinds": _listed([VOTES, *game_ids()]),
        "sites": _listed([*dialect_names()]),
        "death": rule.death if rule else "",
        "tie": rule.tie if rule else "",
    }

    def piece(name: str) -> str:
        return Template((_PIECES / f"{name}.toml").read_text(encoding="utf-8")).substitute(facts)

    parts = [piece("game")]
    if game is not None:
        parts += [piece("options"), *map(_option, game.spec.options)]
    parts += [piece("terms"), piece("threads")]
    if votes:
        parts += [piece("rules"), piece("prods")]
    parts.append(piece("players"))
    if votes:
        parts.append(piece("player-votes"))
    if game is None:
        parts.append(piece("player-past"))
    if votes:
        parts += [piece("days"), piece("fixes")]
    return "".join(parts)


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
    others += f" ({option.form})" if option.form else ""
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
    at_deadline: str = "ask"
    """What happens where a majority decides and nobody has it at the deadline."""


def new_file(start: FileStart, game: Game[Any] | None) -> str:
    """The file's text; the moderator's from now on. `game` None: of a folder in which votes are counted."""
    # Only where votes are counted.
    rules: list[list[str]] = []
    rule = day_rule(game, start.options)
    if rule is not None:
        rules.append(["[rules]", f'death = "{rule.death}"', f'tie = "{rule.tie}"'])
        if rule.death == "majority":
            rules[-1].append(f"at_deadline = {quoted(start.at_deadline)}")
    head: list[str] = [
        f"kind = {quoted(start.kind)}",
        f"title = {quoted(start.title)}",
        f"timezone = {quoted(start.timezone)}",
    ]
    if start.site:
        head.append(f"site = {quoted(start.site)}")
    if start.moderators:
        head.append(f"moderators = [{', '.join(map(quoted, start.moderators))}]")

    options: list[list[str]] = []
    if start.options:
        chosen = [
            f"{name} = {quoted(value)}" for name, value in start.options.items() if isinstance(value, str)
        ]
        dealt = "# Once it is dealt, the setup itself is in the journal."
        options.append(["[game.options]", *([dealt] if len(chosen) < len(start.options) else ()), *chosen])

    threads = [["[[thread]]", f'role = "{role}"', f"url = {quoted(url)}"] for role, url in start.threads]
    parts = (
        ["# Every key with its meaning stands in the example of a game file.", "schema = 1"],
        ["[game]", *head],
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


SIGNED = "# signed up"
"""Behind the name of a player who came from the sign-up thread, and goes with their sign-up."""
_SIGNED_TABLE = re.compile(
    # A table of a name alone, as it was written here: what the moderator added to one is theirs.
    rf'^\[\[player\]\]\nname = ("(?:[^"\\\n]|\\.)*") {SIGNED}[ \t]*\n*(?=\[|\Z)',
    re.MULTILINE,
)


def with_signups(text: str, names: Sequence[str], gone: Set[str]) -> str:
    """A game file's text with a table for each of these names behind the others, and without those of `gone`
    that came from sign-ups; everything else stays as it was written."""
    kept = _SIGNED_TABLE.sub(lambda found: "" if json.loads(found[1]) in gone else found[0], text)
    tables = "".join(f"\n[[player]]\nname = {quoted(name)} {SIGNED}\n" for name in names)
    return kept.rstrip("\n") + "\n" + tables


def with_thread(text: str, role: str, url: str) -> str:
    """A game file's text with one more thread, at its end; everything else stays as it was written."""
    return f"{text.rstrip()}\n\n[[thread]]\nrole = {quoted(role)}\nurl = {quoted(url)}\n"


def with_option(text: str, name: str, value: str) -> str:
    """A game file's text with one more option, right below the head of its table or at the end; everything
    else stays as it was written."""
    line = f"{name} = {quoted(value)}"
    lines = text.rstrip("\n").split("\n")
    place = next((n for n, one in enumerate(lines) if one.split("#")[0].strip() == "[game.options]"), None)
    if place is None:
        return "\n".join([*lines, "", "[game.options]", line]) + "\n"
    return "\n".join([*lines[: place + 1], line, *lines[place + 1 :]]) + "\n"
