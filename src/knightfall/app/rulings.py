"""By which rulings is a game decided, which of them can be chosen otherwise, and what was chosen here?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill, wrap
from typing import Any

from knightfall.app.founding.choices import chosen_values
from knightfall.app.founding.game_names import games_on_board, same_game
from knightfall.app.plain_values import as_object
from knightfall.core.game import Option, Spec
from knightfall.errors import InputError, SetupError
from knightfall.setups.game_file import read_setup

_WIDTH = 80
_INDENT = " " * 8
_LISTED = 12  # more values than this are counted, not listed


@dataclass(frozen=True, slots=True)
class Rulebook:
    """A game's options, and its rulings as number → line."""

    game: str
    name: str
    options: tuple[Option, ...]
    rulings: Mapping[str, str]


def rulebooks() -> tuple[Rulebook, ...]:
    """Every game. A ruling without a line of its own has its option's question."""
    return tuple(_rulebook(name, game.spec) for name, game in games_on_board().items())


def _rulebook(game: str, spec: Spec) -> Rulebook:
    questions = {option.ruling: option.question for option in spec.options}
    return Rulebook(game, spec.name, spec.options, questions | dict(spec.rulings))


def rulings(game: str, folder: Path | None = None, as_json: bool = False) -> str:
    """The rulings of a game with its options, as chosen in the folder's game.toml.

    JSON: {schema, game, name, rulings: [{ruling, text, options: [{name, question, values, default,
    chosen}]}]}. Raises InputError for a game that is not on board or an unknown option, SetupError where the
    folder is another game's.
    """
    book = _book(game)
    chosen = _chosen(book, folder)
    sheet = [_entry(book, ruling, chosen) for ruling in _numbered(book)]
    if as_json:
        return as_object({"game": book.game, "name": book.name, "rulings": sheet})
    return "\n".join([book.name, *(line for entry in sheet for line in _lines(entry))])


def _book(game: str) -> Rulebook:
    books = rulebooks()
    for book in books:
        if same_game(game, book.game):
            return book
    raise InputError(f"No rulings of “{game}”; there are those of {', '.join(book.game for book in books)}.")


def _numbered(book: Rulebook) -> list[str]:
    """In the order of their numbers: EM-R2 before EM-R10, KF-P01 after KF-45."""
    return sorted(book.rulings, key=_place)


def _place(ruling: str) -> tuple[str, int]:
    family = ruling.rstrip("0123456789")
    return family, int(ruling.removeprefix(family) or 0)


def _chosen(book: Rulebook, folder: Path | None) -> Mapping[str, str]:
    """The value of every option."""
    given: Mapping[str, object] = {}
    if folder is not None:
        setup = read_setup(folder)
        if not same_game(setup.kind, book.game):
            raise SetupError(f"{setup.source}: game.kind: found {setup.kind!r}, expected {book.game!r}.")
        given = setup.options
    return chosen_values(book.name, book.options, given)


def _entry(book: Rulebook, ruling: str, chosen: Mapping[str, str]) -> dict[str, Any]:
    options = [
        {
            "name": option.name,
            "question": option.question,
            "values": list(option.values),
            "default": option.default,
            "chosen": chosen[option.name],
        }
        for option in book.options
        if option.ruling == ruling
    ]
    return {"ruling": ruling, "text": book.rulings[ruling], "options": options}


def _lines(entry: Mapping[str, Any]) -> list[str]:
    lines = wrap(f"{entry['ruling']:<7} {entry['text']}", _WIDTH, subsequent_indent=_INDENT)
    return lines + [_option_line(option) for option in entry["options"]]


def _option_line(option: Mapping[str, Any]) -> str:
    """The chosen value, then what else could be chosen."""
    value, default = option["chosen"], option["default"]
    others = [one for one in option["values"] if one != value]
    listed = (", ".join(others) or "your own") if len(others) <= _LISTED else f"one of {len(others)}"
    mark = " (default)" if value == default else " (chosen here)"
    text = f"{option['name']} = {value}{mark}; else: {listed}"
    return fill(text, _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT + "  ")
