"""What does the board of a game that is played in a folder look like now, as a picture?

For the thread only what the public sees is drawn. Where a game hides its board, each player has a picture of
his own, which goes where PMs go and never into the public folder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from knightfall.app.count.plot import ENDINGS, PUBLIC, write_scene
from knightfall.app.play.battlefields import turn_picture
from knightfall.app.play.fight_boards import own_picture, picture
from knightfall.app.play.table import Table, slot_meant, table_of
from knightfall.app.play.texts import PRIVATE, safe_name
from knightfall.app.ports import Ports
from knightfall.core.game import SlotId
from knightfall.errors import InputError, SecretGuard
from knightfall.games.kings_court import seats_of
from knightfall.games.knight_fight.anomalies.snapshot import SNAPSHOT
from knightfall.pictures.battlefield import battlefield_scene
from knightfall.pictures.board import board_scene
from knightfall.pictures.court import court_scene
from knightfall.pictures.scene import Scene


def plot_board(out: Path | None, folder: Path, ports: Ports, viewer: str | None = None) -> Path:
    """Draws the board as SVG or PNG by the ending of `out`; without it into the game's public folder, or into
    its private one where it is the board of one `viewer`.

    Raises InputError where the game has no board, hides it, or nobody is called so; SecretGuard where a
    player's own board would get among the public files.
    """
    if out is not None and out.suffix.lower() not in ENDINGS:
        raise InputError(f"--out {out}: a picture ends in {' or '.join(ENDINGS)}.")
    table = table_of(folder, ports)
    slot = None if viewer is None else slot_meant(table, viewer)
    scene = _scene(table, slot)
    path = out or _place(table, slot)
    _guarded(path, table, slot)
    write_scene(scene, path)
    return path


def _place(table: Table, slot: SlotId | None) -> Path:
    """“public/board-014.svg”, “private/board-014-Ada.svg”."""
    number = f"board-{len(table.journal):03}"
    if slot is None:
        return table.folder / PUBLIC / f"{number}.svg"
    return table.folder / PRIVATE / f"{number}-{safe_name(slot)}.svg"


def _guarded(path: Path, table: Table, slot: SlotId | None) -> None:
    public = (table.folder / PUBLIC).resolve()
    if slot is not None and path.resolve().is_relative_to(public):
        raise SecretGuard(f"{path} is among the public files, and this is {slot}'s board: nothing was drawn.")


def _scene(table: Table, slot: SlotId | None) -> Scene:
    draw = SCENES.get(table.game.spec.id)
    if draw is None:
        raise InputError(f"{table.game.spec.name} has no board to draw; there is one in {', '.join(SCENES)}.")
    return draw(table, slot)


def _fight(table: Table, slot: SlotId | None) -> Scene:
    bout = table.state.table.bout if table.state.table is not None else None
    if bout is None:
        raise InputError("No bout is being played: there is nothing to draw.")
    if not bout.has(SNAPSHOT.letter):
        return board_scene(picture(bout))
    if slot is None:
        raise InputError(
            "Snapshot hides the board: each player has his own.\nDraw it:  knightfall plot board --for NAME"
        )
    return board_scene(own_picture(table.game.view(table.state, slot).facts))


SCENES: Mapping[str, Callable[[Table, SlotId | None], Scene]] = MappingProxyType(
    {
        "kings_court": lambda table, _: court_scene(seats_of(table.state)),
        "knight_fight": _fight,
        "knights_duty": lambda table, _: battlefield_scene(turn_picture(table.state)),
    }
)
"""How each game that has a board is drawn for one slot, or for everybody."""
