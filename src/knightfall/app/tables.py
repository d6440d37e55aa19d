"""What does the board of a game that is played in a folder look like now, as a picture for its thread?

Only what the public sees is drawn: where a game hides its board, there is no picture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from knightfall.app.battlefields import turn_picture
from knightfall.app.plot import ENDINGS, PUBLIC, write_scene
from knightfall.app.read import Ports
from knightfall.app.records import picture
from knightfall.app.table import Table, table_of
from knightfall.errors import InputError
from knightfall.games.kings_court import seats_of
from knightfall.pictures.battlefield import battlefield_scene
from knightfall.pictures.board import board_scene
from knightfall.pictures.court import court_scene
from knightfall.pictures.scene import Scene

HIDING = "S"
"""The anomaly of Knight Fight that hides the board: Snapshot."""


def plot_board(out: Path | None, folder: Path, ports: Ports) -> Path:
    """Draws the board as SVG or PNG by the ending of `out`; without it into the game's public folder.

    Raises InputError where the game has no board, or hides it.
    """
    if out is not None and out.suffix.lower() not in ENDINGS:
        raise InputError(f"--out {out}: a picture ends in {' or '.join(ENDINGS)}.")
    table = table_of(folder, ports)
    scene = _scene(table)
    path = out or table.folder / PUBLIC / f"board-{len(table.journal):03}.svg"
    write_scene(scene, path)
    return path


def _scene(table: Table) -> Scene:
    draw = SCENES.get(table.game.spec.id)
    if draw is None:
        raise InputError(f"{table.game.spec.name} has no board to draw; there is one in {', '.join(SCENES)}.")
    return draw(table.state)


def _fight(state: Any) -> Scene:
    bout = state.table.bout if state.table is not None else None
    if bout is None:
        raise InputError("No bout is being played: there is nothing to draw.")
    if bout.has(HIDING):
        raise InputError("Snapshot hides the board: each player gets his own by PM.")
    return board_scene(picture(bout))


SCENES: Mapping[str, Callable[[Any], Scene]] = MappingProxyType(
    {
        "kings_court": lambda state: court_scene(seats_of(state)),
        "knight_fight": _fight,
        "knights_duty": lambda state: battlefield_scene(turn_picture(state)),
    }
)
