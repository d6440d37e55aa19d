"""Rulings, games and platforms, looked up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from knightfall.config.game_file import read_setup
from knightfall.engine.game import Spec
from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import InputError, SetupError
from knightfall.forums import all_platforms, outside_forums
from knightfall.forums.platforms import Platform
from knightfall.games import OUTSIDE, game_ids, loaded, lookups_of
from knightfall.parameters import TextFile
from knightfall.services.games import chosen_values, games_on_board, same_game
from knightfall.services.now import now_of
from knightfall.services.session import Session
from knightfall.writeups.report import AsIs, Item, Items, Report, Rows

RULING_COLUMN = 8
LISTED = 12
"""More values of an option than this are counted, not listed."""
FORUMS_LEGEND = """\
edits       yes: edited posts are recognized, with the time if the page has it
deleted     marked: a deleted or hidden post keeps its place; no trace: guests
            can't see that there was a post
times       exact: the page gives the exact time; approx.: read from the text,
            in the board's time zone (see sites.toml); either: depends on the
            version or the age of the post
checked on  real pages; own pages: written for tests in the software's markup;
            docs only: from documentation. If a page fails, please send it to us"""


@dataclass(frozen=True, slots=True)
class OptionChoice:
    """An option that a ruling leaves to the moderator, and the value that holds."""

    name: str
    question: str
    values: tuple[str, ...]
    default: str
    chosen: str
    form: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Ruling(JsonAnswer):
    """A ruling by its number, with its options."""

    ruling: str
    text: str
    options: tuple[OptionChoice, ...]


@dataclass(frozen=True, slots=True, repr=False)
class GameRulings(JsonAnswer):
    """The rulings of a game in the order of their numbers."""

    game: str
    name: str
    rulings: tuple[Ruling, ...]

    def to_dict(self) -> dict[str, object]:
        """{game, name, rulings: [{ruling, text, options: [{name, question, values, default, chosen,
        form}]}]}."""
        return asdict(self)

    def report(self) -> Report:
        """Each ruling; below it its options: what holds, then what else could be chosen."""
        return Report(
            (
                self.name,
                Items(
                    tuple(
                        Item(one.ruling, one.text, tuple(map(_option_line, one.options)))
                        for one in self.rulings
                    ),
                    RULING_COLUMN,
                ),
            )
        )


def _option_line(option: OptionChoice) -> str:
    others = [one for one in option.values if one != option.chosen]
    listed = (", ".join(others) or "your own") if len(others) <= LISTED else f"one of {len(others)}"
    mark = "default" if option.chosen == option.default else "chosen here"
    further = f", or {option.form}" if option.form and others else ""
    listed = option.form if option.form and not others else listed
    return f"{option.name} = {option.chosen} ({mark}); else: {listed}{further}"


def rulings(game: str, folder: Path | None = None) -> GameRulings:
    """The rulings of a game with its options, as chosen in the folder's game.toml.

    Raises InputError for a game that is not on board or an unknown option, SetupError where the folder is
    another game's.
    """
    kind = next((name for name in game_ids() if same_game(game, name)), None)
    if kind is None:
        raise InputError(f"There are no rulings for “{game}”. Games that have them: {', '.join(game_ids())}.")
    spec = loaded(kind).spec
    given: Mapping[str, object] = {}
    if folder is not None:
        setup = read_setup(folder)
        if not same_game(setup.kind, kind):
            raise SetupError(f"{setup.source}: game.kind: found {setup.kind!r}, expected {kind!r}.")
        given = setup.options
    # A new game has some values otherwise than games that began before there was a choice.
    chosen = chosen_values(spec.name, spec.options, {**spec.begun_with, **given})
    # A ruling without a line of its own has its option's question.
    texts = {option.ruling: option.question for option in spec.options} | dict(spec.rulings)

    def number(ruling: str) -> tuple[str, int]:
        """EM-R2 before EM-R10, KF-P01 after KF-45."""
        family = ruling.rstrip("0123456789")
        return family, int(ruling.removeprefix(family) or 0)

    def choices(ruling: str) -> tuple[OptionChoice, ...]:
        own = [option for option in spec.options if option.ruling == ruling]
        return tuple(
            OptionChoice(
                o.name,
                o.question,
                o.values,
                spec.begun_with.get(o.name, o.default),
                chosen[o.name],
                o.form,
            )
            for o in own
        )

    found = (Ruling(ruling, texts[ruling], choices(ruling)) for ruling in sorted(texts, key=number))
    return GameRulings(kind, spec.name, tuple(found))


def live_text(game: str, question: str, session: Session) -> TextFile:
    """What a lookup asks for, from the game that is played in a folder. Raises InputError where that is
    another game, or none was begun."""
    table, lookup = now_of(session).running, lookups_of(game)[question]
    if table.game.spec.id != game or lookup.live is None:
        raise InputError(f"{session.folder} holds a game of {table.game.spec.name}: it has no {question}.")
    return TextFile(str(session.folder), lookup.live(table.state))


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game on board: for how many players, with how many options and rulings."""

    id: str
    name: str
    players: tuple[int, ...]
    options: int
    rulings: int
    lookups: tuple[str, ...] = ()
    """The verbs that this game answers from its rules."""


@dataclass(frozen=True, slots=True)
class GameList:
    """The games on board."""

    games: tuple[GameSummary, ...]
    faults: tuple[str, ...] = ()
    """A sentence for each game of another package that cannot be loaded."""

    def to_dict(self) -> dict[str, object]:
        """{games: [{id, name, players: numbers, options: how many, rulings: how many, lookups: names}]}."""
        return {"games": [asdict(game) for game in self.games]}

    def report(self) -> Report:
        """A table: id, name, players, options, rulings, what can be looked up."""
        heads = ("game", "name", "players", "options", "rulings", "look up")
        rows = tuple(
            (
                game.id,
                game.name,
                format_players(game.players),
                str(game.options),
                str(game.rulings),
                ", ".join(game.lookups),
            )
            for game in self.games
        )
        return Report((Rows(heads, rows, typed=frozenset({0, len(heads) - 1})),), self.faults)


def format_players(numbers: tuple[int, ...]) -> str:
    """“18”, “5-60” or “2, 4”."""
    if len(numbers) == 1:
        return str(numbers[0])
    unbroken = numbers == tuple(range(numbers[0], numbers[-1] + 1))
    return f"{numbers[0]}-{numbers[-1]}" if unbroken else ", ".join(map(str, numbers))


def games() -> GameList:
    """Every game on board."""
    specs: list[Spec] = [game.spec for game in games_on_board().values()]
    return GameList(
        tuple(_summary(spec) for spec in specs),
        OUTSIDE.faults(),
    )


def _summary(spec: Spec) -> GameSummary:
    lookups = tuple(lookups_of(spec.id))
    return GameSummary(spec.id, spec.name, tuple(spec.players), len(spec.options), len(spec.rulings), lookups)


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

    def report(self) -> Report:
        """All platforms in a table, and what its columns mean."""
        heads = ("platform", "software", "read as", "edits", "deleted", "times", "checked on")
        rows = tuple(
            (
                one.name,
                one.software,
                one.read_as,
                "yes" if one.edits else "no",
                one.deleted.value,
                one.times.value,
                one.checked.value,
            )
            for one in self.platforms
        )
        table = Rows(heads, rows, ruled=False, typed=frozenset({0}))
        return Report((table, AsIs(f"\n{FORUMS_LEGEND}")), self.faults)


def forum_platforms() -> ForumPlatforms:
    """Every platform that can be read, and how well."""
    return ForumPlatforms(tuple(all_platforms()), outside_forums().faults())
