"""The reference of the manual: commands, keys of the game file, options, pages, errors, as they are now.

`scripts/reference` writes `src/knightfall/manual/reference.md` again; a test compares the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from fastapi.routing import APIRoute
from typer import Context
from typer.main import get_command

from knightfall.cli import app
from knightfall.config.file_keys import file_keys
from knightfall.engine.game import Option
from knightfall.games import GAMES
from knightfall.services.manual import PAGE_OF_ERROR, topics
from knightfall.web import app as pages

FILE = Path(__file__).parents[2] / "src" / "knightfall" / "manual" / "reference.md"
HEAD = """\
# Reference

Everything that can be said to Knightfall, listed from the program itself. [Commands](commands.md) has every
command in one line, [the game file](game-file.md) an example, [games](games.md) what is played.
"""
LISTED = 12
"""More values of an option than this are counted, not listed."""
NO_PAGE = ("/api/", "/helper/", ".svg", ".png", ".zip", ".txt", "/row", "/live")
"""What is in an address that shows no page: answers for programs, files, parts of a page."""
_TYPE = re.compile(r" ?<([^<>]*)>")
_WORDS_OF_TYPE = {
    "path": "PATH",
    "int": "NUMBER",
    "int range": "NUMBER",
    "float": "NUMBER",
    "float range": "NUMBER",
}


def main() -> None:
    """Write the page again."""
    FILE.write_text(text(), encoding="utf-8")


def text() -> str:
    """The page."""
    parts = [HEAD, *_commands(), *_game_file(), *_options(), *_pages(), *_errors()]
    return "\n".join(part.rstrip("\n") + "\n" for part in parts)


def _commands() -> Iterator[str]:
    root: Any = get_command(app)
    context = Context(root, info_name="knightfall")
    yield "## Commands"
    yield "These options hold for every command:"
    yield _table(("option", "does"), _options_of(root, context))
    for name, command, where in _verbs(root, context):
        yield f"### knightfall {name}"
        yield f"`{' '.join(filter(None, (name, *map(_said_as, command.params))))}`"
        for paragraph in (command.help or "").split("\n\n"):
            yield _escaped(" ".join(paragraph.split()))
        arguments = _rows_of(command, where, "argument")
        if arguments:
            yield _table(("argument", "is"), arguments)
        if options := _options_of(command, where):
            yield _table(("option", "does"), options)


def _verbs(group: Any, context: Any, before: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Every command by its whole name, those of groups within groups too."""
    for word in group.list_commands(context):
        command = group.get_command(context, word)
        where = Context(command, info_name=word, parent=context)
        if hasattr(command, "list_commands"):
            yield from _verbs(command, where, f"{before}{word} ")
        else:
            yield f"{before}{word}", command, where


def _said_as(parameter: Any) -> str:
    """An argument as a usage line has it: “NAME”, “[URL]”, “FILE...”; "" for an option."""
    if parameter.param_type_name != "argument":
        return ""
    word = (parameter.metavar or parameter.name.upper()).strip("[]")
    word += "..." if parameter.nargs == -1 and not word.endswith("...") else ""
    return word if parameter.required else f"[{word}]"


def _options_of(command: Any, context: Any) -> list[tuple[str, str]]:
    return [row for row in _rows_of(command, context, "option") if row[0] != "`--help`"]


def _rows_of(command: Any, context: Any, kind: str) -> list[tuple[str, str]]:
    """Its options or arguments as its help has them, with the types as words."""
    rows = []
    for one in command.params:
        record = one.get_help_record(context) if one.param_type_name == kind else None
        if record is not None:
            name = _TYPE.sub(lambda found: _type_in_words(found[1], kind), record[0])
            rows.append((f"`{name}`".replace("|", "\\|"), _escaped(_said(record[1]))))
    return rows


def _said(help_text: str) -> str:
    """The help of an option without its limits, which whoever types another number is told."""
    said, _, notes = help_text.partition("  [")
    default = next((one for one in notes.rstrip("]").split("; ") if one.startswith("default")), "")
    return f"{said} ({default})" if default and "(default" not in said else said


def _type_in_words(name: str, kind: str) -> str:
    return "" if kind == "argument" else f" {_WORDS_OF_TYPE.get(name, 'TEXT')}"


def _game_file() -> Iterator[str]:
    yield "## The game file"
    yield "The first line is `schema = 1`. Every other key may be left out. Text stands in quotes."
    tables: dict[str, list[tuple[str, ...]]] = {}
    for one in file_keys():
        usual = f"`{one.usual}`" if one.usual else ""
        tables.setdefault(one.table, []).append(
            (f"`{one.key}`", _escaped(one.values), usual, _escaped(one.meaning))
        )
    for table, rows in tables.items():
        several = ", one for each" if table.startswith("[[") else ""
        yield f"### The table {table.strip('[]')}"
        yield f"`{table}`{several}."
        yield _table(("key", "value", "without it", "means"), rows)


def _options() -> Iterator[str]:
    yield "## Options of the games"
    yield "They stand under `[game.options]`. The first value holds where you say nothing."
    for game in GAMES:
        yield f"### {game.spec.name}"
        yield f"`{game.spec.id}`"
        rows = [
            (f"`{one.name}`", _escaped(one.question), _values(one), one.ruling) for one in game.spec.options
        ]
        yield _table(("option", "decides", "values", "ruling"), rows)


def _values(option: Option) -> str:
    listed = [f"`{one}`" for one in option.values[:LISTED]]
    more = len(option.values) - LISTED
    listed += [f"{more} more"] if more > 0 else []
    listed += [_escaped(option.form)] if option.form else []
    return ", ".join(listed)


def _pages() -> Iterator[str]:
    yield "## Pages in the browser"
    yield "`/games/{name}` is the game in the folder of that name. Links and buttons lead to all of them."
    yield _table(
        ("address", "shows"),
        [(f"`{one.path}`", _escaped(_sentence(one.endpoint.__doc__))) for one in routes()],
    )


def routes() -> list[APIRoute]:
    """Every route of the page that shows a page, in the order of their addresses."""
    routers = [module.router for module in vars(pages).values() if hasattr(module, "router")]
    found = [one for router in routers for one in router.routes if isinstance(one, APIRoute)]
    shown = [
        one
        for one in found
        if "GET" in (one.methods or ()) and not any(part in f"{one.path}/" for part in NO_PAGE)
    ]
    return sorted(shown, key=lambda one: one.path)


def _errors() -> Iterator[str]:
    yield "## Errors"
    yield "How a command ends that met one, and where you read what to do."
    titles = {one.name: one.title for one in topics()}
    rows = [
        (
            f"`{kind.__name__}`",
            str(kind.exit_status),
            _escaped(_sentence(kind.__doc__)),
            f"[{titles[where.partition('.md')[0]]}]({where})",
        )
        for kind, where in PAGE_OF_ERROR.items()
    ]
    yield _table(("error", "exit status", "means", "read on"), rows)


def _sentence(docstring: str | None) -> str:
    """The first sentence of a docstring."""
    return " ".join((docstring or "").split()).partition(". ")[0].rstrip(".") + "."


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _escaped(said: str) -> str:
    """Text in which no letter is a mark of Markdown or of a table."""
    return re.sub(r"([*<>|`\\\[\]])", r"\\\1", said)


if __name__ == "__main__":
    main()
