"""The games on board: one line a game, each loaded when it is first asked for; packages may add more."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from knightfall.plugins import Family

if TYPE_CHECKING:  # who plays one game need not wait for the others
    from collections.abc import Callable, Iterable, Sequence

    from knightfall.engine.cases import Case, CaseResult
    from knightfall.engine.game import Game, Step
    from knightfall.engine.lookup import Lookup
    from knightfall.pictures.clickable import Clickable
    from knightfall.pictures.match_steps import MatchStep
    from knightfall.pictures.scene import Scene
    from knightfall.sentence import SlotId

    # Any: each game has a state of its own, and only the game itself looks into it.
    GAMES: tuple[Game[Any], ...]

PLACES: Mapping[str, str] = {
    "knight_errant": "KNIGHT_ERRANT",
    "empowered": "EMPOWERED",
    "kings_court": "KINGS_COURT",
    "knights_duty": "KNIGHTS_DUTY",
    "knight_fight": "KNIGHT_FIGHT",
    "custom_mafia": "CUSTOM_MAFIA",
}
"""The id of each game, which is the package that it lies in → what its module `game` calls it.

The same stands in pyproject.toml as entry points; a test compares them.
"""

OUTSIDE: Family[Game[Any]] = Family(
    "knightfall.games",
    "game",
    tuple(PLACES),
    ("spec", "setup", "windows", "submit", "close", "legal", "view", "outcome"),
    "spec.id",
)
"""What other installed packages add."""


def game_ids() -> tuple[str, ...]:
    """The id of every game: ours, then those of other packages; nothing is loaded."""
    return (*PLACES, *OUTSIDE.names())


def loaded(game: str) -> Game[Any]:
    """The game of an id of `game_ids`. Raises BrokenPlugin, and KeyError for an id of none."""
    if game in PLACES:
        found: Game[Any] = getattr(import_module(f"{__name__}.{game}.game"), PLACES[game])
        return found
    outside = OUTSIDE.named(game)
    if outside is None:
        raise KeyError(game)
    return outside


def lookups_of(game: str) -> Mapping[str, Lookup]:
    """What can be looked up about a game, by the name of the verb that asks."""
    return _part(game, "lookups", "LOOKUPS") or {}


def cases_of(game: str) -> Mapping[str, Callable[[Case], CaseResult]]:
    """What decides the conformance cases of a game, by their kind: night, win or match."""
    return _part(game, "cases", "CASES") or {}


def drawer_of(game: str) -> Callable[[Any, SlotId | None, Mapping[SlotId, str]], tuple[Scene, ...]] | None:
    """What draws the state of a game for a slot (None: for everybody), with the names of slots that changed
    hands as they are shown now: a picture, or several in their order; None for a game without a board.

    A game has `scene` for one picture, or `scenes` for several. Those of another package take state and slot
    alone.
    """
    several = _part(game, "pictures", "scenes")
    draw = several or _part(game, "pictures", "scene")
    if draw is None:
        return None

    def scenes(state: Any, slot: SlotId | None, names: Mapping[SlotId, str]) -> tuple[Scene, ...]:
        drawn = draw(state, slot, names) if game in PLACES else draw(state, slot)
        return tuple(drawn) if several else (drawn,)

    return scenes


def clickable_of(game: str) -> Callable[[Any, SlotId, Mapping[SlotId, str]], Clickable] | None:
    """What makes of a state the board that a slot may click on; None for a game without such a board."""
    found: Callable[[Any, SlotId, Mapping[SlotId, str]], Clickable] | None
    found = _part(game, "pictures", "clickable")
    return found


def steps_of(
    game: str,
) -> Callable[[Sequence[Step[Any]], Mapping[SlotId, str]], Iterable[MatchStep]] | None:
    """What makes of all that happened in a game the steps of its match, with everybody as they are called
    now; None for a game that has none."""
    found: Callable[[Sequence[Step[Any]], Mapping[SlotId, str]], Iterable[MatchStep]] | None
    found = _part(game, "pictures", "match_steps")
    return found


@lru_cache(maxsize=512)
@lru_cache(maxsize=512)
def role_aliases(role: str) -> tuple[str, ...]:
    """Other words that players use for a role, as the games on board know them."""
    known = (_part(game, "catalog", "role_aliases") for game in PLACES)
    return tuple(dict.fromkeys(alias for aliases in known if aliases for alias in aliases(role)))


def _part(game: str, module: str, name: str) -> Any:
    """What a module of ours beside the game calls so; None where the game has no such module, or nothing of
    that name in it.

    A game of another package has it as an attribute of that name in lower case.
    """
    if game not in PLACES:
        return getattr(OUTSIDE.named(game), name.lower(), None)
    if not (Path(__file__).parent / game / f"{module}.py").is_file():
        return None  # without loading the game to find that out
    return getattr(import_module(f"{__name__}.{game}.{module}"), name, None)


def templates_of(game: str) -> Path | None:
    """The folder of the post templates of a game that another package adds; None where there is none."""
    outside = None if game in PLACES else OUTSIDE.named(game)
    return outside.spec.templates if outside else None


def __getattr__(name: str) -> object:
    """`GAMES`: all of ours, in the order of `PLACES`."""
    if name == "GAMES":
        return tuple(map(loaded, PLACES))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
