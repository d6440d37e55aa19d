"""Games by their names, their options, what they answer themselves, and whether a file still fits one."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from knightfall.config.files import parse_toml, read_file_text
from knightfall.engine.game import Game, Option, choose
from knightfall.engine.lookup import Answer, Lookup
from knightfall.errors import DecisionNeeded, InputError, SetupError
from knightfall.games import OUTSIDE, PLACES, game_ids, loaded, lookups_of
from knightfall.parameters import TextFile
from knightfall.sentence import Way, sentence

if TYPE_CHECKING:  # looking something up needs no journal
    from knightfall.engine.entries import Started


def chosen_values(game: str, options: Sequence[Option], given: Mapping[str, object]) -> Mapping[str, str]:
    """The value of every option, defaults included; one that is a name, as a setup code, in its own spelling;
    `game` is its name in messages.

    Raises InputError for an unknown option or value.
    """
    values = choose(game, _folded(tuple(options)), given).values
    written = {value.lower(): value for option in options for value in option.values}
    return {name: written.get(value, value) for name, value in values.items()}


@lru_cache(maxsize=64)
def _folded(options: tuple[Option, ...]) -> tuple[Option, ...]:
    """The options with their values in small letters."""
    return tuple(replace(one, values=tuple(map(str.lower, one.values))) for one in options)


def games_on_board() -> dict[str, Game[Any]]:
    """Every game by its id: ours, then those of other packages that can be loaded."""
    ours = {name: loaded(name) for name in PLACES}
    return ours | {game.spec.id: game for game in OUTSIDE.working()}


def same_game(written: str, game: str) -> bool:
    """Whether a written name means the game of this id: hyphens, blanks and capitals do not matter."""
    return written.strip().casefold().replace("-", "_").replace(" ", "_") == game


def game_named(written: str) -> Game[Any]:
    """The game on board. Raises InputError with those there are, BrokenPlugin where one cannot be loaded."""
    for name in PLACES:
        if same_game(written, name):
            return loaded(name)
    for name in OUTSIDE.names():
        if same_game(written, name):
            return loaded(name)
    raise InputError(f"There is no game called “{written}”. Games: {', '.join(game_ids())}.")


def require_unchanged(file: Path, started: Started) -> None:
    """Refuse a game file that says something else than its game began with; none is as good as the same.

    Raises DecisionNeeded with each key that differs, SetupError where the file is no TOML or has an option
    that cannot be.
    """
    if not file.exists():
        return
    try:
        table = _read(read_file_text(file))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise SetupError(f"{file}: not valid TOML: {fault}. Text needs quotes, times do not.") from None
    if drift := tuple(_drift(table, started, file)):
        listed = "\n".join(f"  {line}" for line in drift)
        raise DecisionNeeded(
            sentence(
                "{file} does not match the game that was started:\n"
                "{listed}\n"
                "The game goes on as it was started. Put these keys back as they were. To replace, remove "
                "or revive a player: {change}. For other options or players, start another game in a new "
                "folder.",
                file=file,
                listed=listed,
                change=Way("change_players"),
            )
        )


_read = lru_cache(maxsize=64)(parse_toml)
"""The tables of a game file, which is asked for with each look at the game: only to be looked at."""


def _drift(table: Mapping[str, Any], started: Started, file: Path) -> Iterator[str]:
    """Where a game file differs from the beginning of its game: key, what was found, what it began with."""
    game = _as_table(table.get("game"))
    kind = str(game.get("kind", "votes"))
    if not same_game(kind, started.game):
        yield f'game.kind: found "{kind}", but the game was started as "{started.game}"'
    else:
        spec, given = game_named(started.game).spec, _as_table(game.get("options"))
        try:
            now, then = (chosen_values(spec.name, spec.options, one) for one in (given, started.options))
        except InputError as fault:
            raise SetupError(sentence("{file}: game.options: {fault}", file=file, fault=fault)) from None
        for name, began in then.items():
            # A setup of the moderator's own stands in the journal alone.
            own = not isinstance(started.options.get(name, ""), str) or name in spec.begun_with
            if now[name] != began and not (own and name not in given):
                yield f'game.options.{name}: found "{now[name]}", but the game was started with "{began}"'

    # A slot may have changed hands in the file as well: it is known by each name that it had.
    listed = table.get("player")
    players = [_as_table(one) for one in listed] if isinstance(listed, list) else []
    if not players:
        return
    named = list[set[str]]()
    for player in players:
        replaces = player.get("replaces", ())
        earlier = replaces if isinstance(replaces, list) else ()
        named.append({str(player.get("name")), *(str(_as_table(one).get("name")) for one in earlier)})
    for slot in started.slots:
        if not any(slot in names for names in named):
            yield f"player: “{slot}” is missing, but was in the game when it started"
    for player, names in zip(players, named, strict=True):
        if not names & set(started.slots):
            yield f"player: “{player.get('name')}” was not in the game when it started"


def _as_table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def lookups_on_board() -> dict[str, Mapping[str, Lookup]]:
    """What can be looked up in each game that has something, by the game's id and the question's name."""
    found = {game: lookups_of(game) for game in (*PLACES, *(one.spec.id for one in OUTSIDE.working()))}
    return {game: lookups for game, lookups in found.items() if lookups}


def outside_lookup(question: str) -> str | None:
    """The game of another package that answers a question of this name; None where none does."""
    return next((one.spec.id for one in OUTSIDE.working() if question in lookups_of(one.spec.id)), None)


def pasted(text: str, required: bool) -> TextFile | str:
    """A text that was pasted where a file is asked for; where none is required, one line is a name."""
    return TextFile("the pasted text", text) if required or "\n" in text.strip() else text


def ask(
    game: str,
    question: str,
    given: Mapping[str, object],
    file: Callable[[str, bool], TextFile | str] | None = None,
) -> Answer:
    """What a game answers to one of its lookups, such as "setups"; a parameter that is None was not given.

    `file` makes a text of what was given for a file, and is told whether one is required (None: what was
    given is the file's name). Raises InputError for a game that has no question of that name, and for a
    parameter that it does not know or that cannot be read.
    """
    kind = next((name for name in game_ids() if same_game(game, name)), "")
    lookup = lookups_of(kind).get(question) if kind else None
    if lookup is None:
        there = ", ".join(name for name in game_ids() if question in lookups_of(name))
        raise InputError(f"There are no {question} for “{game}”. Games that have them: {there}.")
    known = {parameter.name: parameter for parameter in lookup.parameters}
    asked: dict[str, object] = {}
    for name, value in given.items():
        if value is None:
            continue
        if name not in known:
            others = " and ".join(known) or "nothing"
            raise InputError(f"The {question} of {kind} do not depend on {name}, only on {others}.")
        parameter = known[name]
        named = parameter.type is TextFile and not isinstance(value, TextFile)
        asked[name] = (file or _text_file)(str(value), parameter.required) if named else parameter.read(value)
    return lookup.answer(**asked)


def _text_file(name: str, required: bool) -> TextFile | str:
    """The text of a file; where none is required, the name itself if it is none of a text file.

    Raises InputError where the file is required and cannot be read.
    """
    try:
        return TextFile(name, read_file_text(Path(name)))
    except OSError as error:
        fault = f"{name}: the file cannot be read ({error.strerror})."
    except UnicodeDecodeError as error:
        fault = f"{name}: not UTF-8 text (byte {error.start})."
    if required:
        raise InputError(fault)
    return name
