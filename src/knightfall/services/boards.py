"""Pictures of a board game where it stands, for everybody or for one player."""

from __future__ import annotations

from pathlib import Path

from knightfall.engine.game import SlotId
from knightfall.errors import InputError, SecretGuard
from knightfall.games import drawer_of, game_ids
from knightfall.pictures.scene import Scene
from knightfall.services.game_state import RunningGame, slot_meant, table_of
from knightfall.services.plots import ENDINGS, PUBLIC, write_scene
from knightfall.services.publish import PRIVATE_FOLDER, safe_name
from knightfall.services.session import Session


def plot_board(out: Path | None, session: Session, viewer: str | None = None) -> Path:
    """Draw the board as SVG or PNG by the ending of `out`, and return where; without it into the game's
    public folder, or into its private one where it is the board of one `viewer`.

    Raises InputError where the game has no board, hides it, or nobody is called so; SecretGuard where a
    player's own board would get among the public files.
    """
    if out is not None and out.suffix.lower() not in ENDINGS:
        raise InputError(f"--out {out}: a picture ends in {' or '.join(ENDINGS)}.")
    table = table_of(session)
    slot = None if viewer is None else slot_meant(table, viewer)
    scene = _scene(table, slot)
    path = out or _place(table, slot)
    _guarded(path, table, slot)
    write_scene(scene, path)
    return path


def _place(table: RunningGame, slot: SlotId | None) -> Path:
    """“public/board-014.svg”, “private/board-014-Ada.svg”."""
    number = f"board-{len(table.journal):03}"
    if slot is None:
        return table.folder / PUBLIC / f"{number}.svg"
    return table.folder / PRIVATE_FOLDER / f"{number}-{safe_name(slot)}.svg"


def _guarded(path: Path, table: RunningGame, slot: SlotId | None) -> None:
    public = (table.folder / PUBLIC).resolve()
    if slot is not None and path.resolve().is_relative_to(public):
        raise SecretGuard(f"{path} is among the public files, and this is {slot}'s board: nothing was drawn.")


def _scene(table: RunningGame, slot: SlotId | None) -> Scene:
    draw = drawer_of(table.game.spec.id)
    if draw is None:
        there = ", ".join(name for name in game_ids() if drawer_of(name))
        raise InputError(f"{table.game.spec.name} has no board to draw; there is one in {there}.")
    return draw(table.state, slot)
