"""What may stand in a game's game.toml, every key with its meaning: a file to begin with?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from string import Template
from textwrap import wrap

from knightfall.core.game import Option, Spec
from knightfall.games import game_ids
from knightfall.markup.dialects import dialect_names
from knightfall.setups.houses import VOTES, House, house_of

_PIECES = Path(__file__).parent / "example"
_WIDTH = 80


def example(spec: Spec | None) -> str:
    """The commented file of a game; None: of a folder in which votes are counted."""
    return "".join(_piece(name, spec) if piece is None else piece for name, piece in _parts(spec))


def _parts(spec: Spec | None) -> Iterator[tuple[str, str | None]]:
    """In the order of the file: pieces by name, options as text."""
    votes = bool(_house(spec).death)
    yield "game", None
    if spec is not None:
        yield "options", None
        yield "", "".join(_option(option) for option in spec.options)
    yield from ((name, None) for name in ("terms", "threads"))
    if votes:
        yield from ((name, None) for name in ("rules", "prods"))
    yield "players", None
    if votes:
        yield "player-votes", None
    if spec is None:
        yield "player-past", None
    if votes:
        yield from ((name, None) for name in ("days", "fixes"))


def _piece(name: str, spec: Spec | None) -> str:
    house = _house(spec)
    facts = {
        "name": spec.name if spec else "a count of votes",
        "kind": _kind(spec),
        "kinds": _listed([VOTES, *game_ids()]),
        "sites": _listed([*dialect_names()]),
        "death": house.death,
        "tie": house.tie,
    }
    return Template((_PIECES / f"{name}.toml").read_text(encoding="utf-8")).substitute(facts)


def _listed(words: list[str]) -> str:
    """In lines of a comment."""
    return "\n#   ".join(wrap(" | ".join(words), _WIDTH - 4, break_on_hyphens=False))


def _house(spec: Spec | None) -> House:
    return house_of(_kind(spec), {})


def _kind(spec: Spec | None) -> str:
    return spec.id if spec else VOTES


def _option(option: Option) -> str:
    """The question above, the default and the other values."""
    others = " | ".join(option.values[:8]) + (" | …" if len(option.values) > 8 or option.pattern else "")
    asked = wrap(f"{option.question}: {others}", _WIDTH, initial_indent="# ", subsequent_indent="#   ")
    return "\n".join([*asked, f'# {option.name} = "{option.default}"']) + "\n"
