"""A new game.toml, and the commented example of all its keys."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from textwrap import wrap
from typing import Any

from knightfall.config.files import parse_toml
from knightfall.config.setup import VOTES
from knightfall.engine.game import DayRule, Game, Option
from knightfall.errors import SetupError
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
    """What a game file begins with; `threads` are pairs of role and address, `rules` the tables of rules and
    words that were chosen (see `rule_questions`)."""

    kind: str
    title: str
    timezone: str = "UTC"
    site: str = ""
    moderators: tuple[str, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)
    threads: tuple[tuple[str, str], ...] = ()
    players: tuple[str, ...] = ()
    rules: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def new_file(start: FileStart, game: Game[Any] | None) -> str:
    """The file's text; the moderator's from now on. `game` None: of a folder in which votes are counted."""
    # Only where votes are counted.
    rules: list[list[str]] = []
    rule = day_rule(game, start.options)
    if rule is not None:
        chosen_rules = {"death": rule.death, "tie": rule.tie}
        if rule.death == "majority":
            chosen_rules["at_deadline"] = "ask"
        chosen_rules |= start.rules.get("rules", {})
        tables = {"rules": chosen_rules, "terms": start.rules.get("terms", {})}
        rules += ([f"[{name}]", *_key_lines(table)] for name, table in tables.items() if table)
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
_PLAIN_TABLE = re.compile(
    # A table of a name alone, as it was written here: what the moderator added to one is theirs.
    rf'^\[\[player\]\]\nname = ("(?:[^"\\\n]|\\.)*")( {SIGNED})?[ \t]*\n*(?=\[|\Z)',
    re.MULTILINE,
)


def with_players(text: str, names: Sequence[str], gone: Set[str], *, signed: bool = False) -> str:
    """A game file's text with a table for each of these names behind the others, and without those of `gone`;
    `signed`: they signed up, and only who did so is taken out. Everything else stays as it was written."""

    def kept(found: re.Match[str]) -> str:
        return "" if json.loads(found[1]) in gone and (found[2] or not signed) else found[0]

    mark = f" {SIGNED}" if signed else ""
    tables = "".join(f"\n[[player]]\nname = {quoted(name)}{mark}\n" for name in names)
    return _PLAIN_TABLE.sub(kept, text).rstrip("\n") + "\n" + tables


def with_thread(text: str, role: str, url: str) -> str:
    """A game file's text with one more thread, at its end; everything else stays as it was written."""
    return f"{text.rstrip()}\n\n[[thread]]\nrole = {quoted(role)}\nurl = {quoted(url)}\n"


def _key_lines(values: Mapping[str, Any]) -> list[str]:
    return [f"{name} = {toml_value(value)}" for name, value in values.items()]


def toml_value(value: object) -> str:
    """A text, number, yes or no, list or table as TOML, on one line."""
    if isinstance(value, bool | int):
        return str(value).lower()
    if isinstance(value, Mapping):
        return f"{{ {', '.join(_key_lines(value))} }}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(toml_value, value))}]"
    return quoted(value)


def with_keys(text: str, table: str, values: Mapping[str, Any]) -> str:
    """A game file's text with these keys in a table, such as “game.options”; None takes a key out. A key that
    is there keeps its place and the remark behind it, a new one stands below the table's head, a new table
    at the end; everything else stays as it was written.

    Raises SetupError where the file writes the table in a way that cannot be changed so.
    """
    lines = text.rstrip("\n").split("\n")
    fresh = list[str]()
    head = next((n for n, one in enumerate(lines) if _is_head(one, table)), None)
    for name, value in values.items():
        place = None if head is None else _key_place(lines, head, name)
        line = [] if value is None else [f"{name} = {toml_value(value)}"]
        if place is None:
            fresh += line
            continue
        first, last = place
        if line and last == first + 1 and (remark := _remark(lines[first])):
            line = [f"{line[0]}{remark}"]
        lines[first:last] = line
    if head is not None:
        lines[head + 1 : head + 1] = fresh
    elif fresh:
        lines += ["", f"[{table}]", *fresh]
    after = "\n".join(lines) + "\n"
    _check_changed(text, after, table, values)
    return after


def _is_head(line: str, table: str) -> bool:
    return line.split("#")[0].strip() == f"[{table}]"


def _key_place(lines: Sequence[str], head: int, name: str) -> tuple[int, int] | None:
    """From which line to before which one a key of the table below a head stands; None where it does not."""
    key = re.compile(rf"""\s*(?:{re.escape(name)}|"{re.escape(name)}"|'{re.escape(name)}')\s*=""")
    first = head + 1
    while first < len(lines) and not lines[first].lstrip().startswith("["):
        # A value may go over several lines: as many as are TOML by themselves.
        ends = range(first + 1, len(lines) + 1)
        last = next((end for end in ends if _is_toml("\n".join(lines[first:end]))), first + 1)
        if key.match(lines[first]):
            return first, last
        first = last
    return None


def _is_toml(text: str) -> bool:
    try:
        parse_toml(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _remark(line: str) -> str:
    """The comment behind a value, with the blanks before it."""
    for place in (one.start() for one in re.finditer(r"\s*#", line)):
        if _is_toml(line[:place]):
            return line[place:]
    return ""


def _check_changed(before: str, after: str, table: str, values: Mapping[str, Any]) -> None:
    """Raises SetupError unless the text says what it said, but for these keys."""
    wanted = parse_toml(before)
    place = wanted
    for part in table.split("."):
        place = place.setdefault(part, {})
    place.update(values)
    for name in [name for name, value in values.items() if value is None]:
        del place[name]
    try:
        found = parse_toml(after)
        for one in (wanted, found):
            _without_empty(one, table)
        is_right = found == wanted
    except tomllib.TOMLDecodeError:
        is_right = False
    if not is_right:
        raise SetupError(
            f"The game file writes {table} in a way that cannot be changed from here. Edit the file itself."
        )


def _without_empty(tables: dict[str, Any], table: str) -> None:
    """Without that table where it holds nothing: with or without its head it says the same."""
    first, _, rest = table.partition(".")
    inner = tables.get(first)
    if rest and isinstance(inner, dict):
        _without_empty(inner, rest)
    if inner == {}:
        del tables[first]
