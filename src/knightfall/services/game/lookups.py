"""Rulings, games and platforms, looked up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from knightfall.config.game_file import read_setup
from knightfall.engine.game import Spec
from knightfall.engine.lookup import TextFile
from knightfall.errors import InputError, SetupError
from knightfall.forums import outside_forums
from knightfall.forums.platforms import Platform, all_platforms
from knightfall.games import OUTSIDE, game_ids, loaded, lookups_of
from knightfall.services.games import chosen_values, games_on_board, same_game
from knightfall.services.running import table_of
from knightfall.services.session import Session


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
    table, lookup = table_of(session), lookups_of(game)[question]
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
