"""Rulings, games, platforms, what games themselves answer, and conformance cases, looked up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from knightfall.config.game_file import read_setup
from knightfall.conformance import CaseResult, Report, run_lines
from knightfall.engine.game import Spec
from knightfall.engine.lookup import Answer, TextFile
from knightfall.errors import InputError, SetupError
from knightfall.forums import outside_forums
from knightfall.forums.platforms import Platform, all_platforms
from knightfall.games import OUTSIDE, game_ids, loaded, lookups_of
from knightfall.services.game_choice import chosen_values, games_on_board, same_game
from knightfall.services.game_state import table_of
from knightfall.services.session import Progress, Session


@dataclass(frozen=True, slots=True)
class OptionChoice:
    """An option that a ruling leaves to the moderator, and the value that holds."""

    name: str
    question: str
    values: tuple[str, ...]
    default: str
    chosen: str
    form: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling by its number, with its options."""

    ruling: str
    text: str
    options: tuple[OptionChoice, ...]


@dataclass(frozen=True, slots=True)
class GameRulings:
    """The rulings of a game in the order of their numbers."""

    game: str
    name: str
    rulings: tuple[Ruling, ...]

    def to_dict(self) -> dict[str, object]:
        """{game, name, rulings: [{ruling, text, options: [{name, question, values, default, chosen,
        form}]}]}."""
        return asdict(self)


def rulings(game: str, folder: Path | None = None) -> GameRulings:
    """The rulings of a game with its options, as chosen in the folder's game.toml.

    Raises InputError for a game that is not on board or an unknown option, SetupError where the folder is
    another game's.
    """
    kind = next((name for name in game_ids() if same_game(game, name)), None)
    if kind is None:
        raise InputError(f"No rulings of “{game}”; there are those of {', '.join(game_ids())}.")
    spec = loaded(kind).spec
    given: Mapping[str, object] = {}
    if folder is not None:
        setup = read_setup(folder)
        if not same_game(setup.kind, kind):
            raise SetupError(f"{setup.source}: game.kind: found {setup.kind!r}, expected {kind!r}.")
        given = setup.options
    chosen = chosen_values(spec.name, spec.options, given)
    # A ruling without a line of its own has its option's question.
    texts = {option.ruling: option.question for option in spec.options} | dict(spec.rulings)

    def number(ruling: str) -> tuple[str, int]:
        """EM-R2 before EM-R10, KF-P01 after KF-45."""
        family = ruling.rstrip("0123456789")
        return family, int(ruling.removeprefix(family) or 0)

    def choices(ruling: str) -> tuple[OptionChoice, ...]:
        own = [option for option in spec.options if option.ruling == ruling]
        return tuple(
            OptionChoice(o.name, o.question, o.values, o.default, chosen[o.name], o.form) for o in own
        )

    found = (Ruling(ruling, texts[ruling], choices(ruling)) for ruling in sorted(texts, key=number))
    return GameRulings(kind, spec.name, tuple(found))


def ask(game: str, question: str, given: Mapping[str, object]) -> Answer:
    """What a game answers to one of its lookups, such as "setups"; a parameter that is None was not given.

    Raises InputError for a game that has none of that name, and for a parameter that it does not know.
    """
    kind = next((name for name in game_ids() if same_game(game, name)), "")
    lookup = lookups_of(kind).get(question) if kind else None
    if lookup is None:
        there = ", ".join(name for name in game_ids() if question in lookups_of(name))
        raise InputError(f"No {question} of “{game}”; there are those of {there}.")
    known = {parameter.name: parameter for parameter in lookup.parameters}
    asked: dict[str, object] = {}
    for name, value in given.items():
        if value is None:
            continue
        if name not in known:
            others = " and ".join(known) or "nothing"
            raise InputError(f"The {question} of {kind} are not asked for by {name}, but by {others}.")
        parameter = known[name]
        is_file = parameter.type is TextFile
        named = is_file and not isinstance(value, TextFile)
        asked[name] = _text_file(str(value), parameter.required) if named else value
    return lookup.answer(**asked)


def live_text(game: str, question: str, session: Session) -> TextFile:
    """What a lookup asks for, from the game that is played in a folder. Raises InputError where that is
    another game, or none was begun."""
    table, lookup = table_of(session), lookups_of(game)[question]
    if table.game.spec.id != game or lookup.live is None:
        raise InputError(f"{session.folder} holds a game of {table.game.spec.name}: it has no {question}.")
    return TextFile(str(session.folder), lookup.live(table.state))


def _text_file(name: str, required: bool) -> TextFile | str:
    """The text of a file; where none is required, the name itself if it is none of a text file.

    Raises InputError where the file is required and cannot be read.
    """
    try:
        return TextFile(name, Path(name).read_text(encoding="utf-8-sig"))
    except OSError as error:
        fault = f"{name}: the file cannot be read ({error.strerror})."
    except UnicodeDecodeError as error:
        fault = f"{name}: not UTF-8 text (byte {error.start})."
    if required:
        raise InputError(fault)
    return name


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game on board: for how many players, with how many options and rulings."""

    id: str
    name: str
    players: tuple[int, ...]
    options: int
    rulings: int


@dataclass(frozen=True, slots=True)
class GameList:
    """The games on board."""

    games: tuple[GameSummary, ...]
    faults: tuple[str, ...] = ()
    """A sentence for each game of another package that cannot be loaded."""

    def to_dict(self) -> dict[str, object]:
        """{games: [{id, name, players: numbers, options: how many, rulings: how many}]}."""
        return {"games": [asdict(game) for game in self.games]}


def games() -> GameList:
    """Every game on board."""
    specs: list[Spec] = [game.spec for game in games_on_board().values()]
    return GameList(
        tuple(
            GameSummary(spec.id, spec.name, tuple(spec.players), len(spec.options), len(spec.rulings))
            for spec in specs
        ),
        OUTSIDE.faults(),
    )


@dataclass(frozen=True, slots=True)
class ForumPlatforms:
    """The forum software that can be read."""

    platforms: tuple[Platform, ...]
    faults: tuple[str, ...] = ()
    """A sentence for each forum of another package that cannot be loaded."""

    def to_dict(self) -> dict[str, object]:
        """{platforms: [{platform, software, read_as, edits, deleted, times, checked_on}]}."""
        platforms = [
            {
                "platform": one.name,
                "software": one.software,
                "read_as": one.read_as,
                "edits": "yes" if one.edits else "no",
                "deleted": one.deleted.value,
                "times": one.times.value,
                "checked_on": one.checked.value,
            }
            for one in self.platforms
        ]
        return {"platforms": platforms}


def forum_platforms() -> ForumPlatforms:
    """Every platform that can be read, and how well."""
    return ForumPlatforms(tuple(all_platforms()), outside_forums().faults())


def conform(files: Sequence[Path], progress: Progress | None = None) -> Report:
    """Run every case of the files, in their order. Raises InputError for a file that cannot be read."""
    results: list[tuple[str, CaseResult]] = []
    for done, path in enumerate(files, start=1):
        try:
            lines = path.read_text(encoding="utf-8-sig").split("\n")
        except OSError as error:
            raise InputError(f"{path}: the file cannot be read ({error.strerror}).") from error
        except UnicodeDecodeError as error:
            raise InputError(f"{path}: not UTF-8 text (byte {error.start}).") from error
        results.extend(run_lines(lines, path.name).results)
        if progress:
            progress(done, len(files))
    return Report(tuple(results))
