"""A game that is put away, brought back, or deleted."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

from knightfall.errors import InputError
from knightfall.services.publish import PRIVATE_FOLDER
from knightfall.services.session import GAME_FILE, Session, game_database, in_turn
from knightfall.storage.drafts import PUBLIC

PUT_AWAY = ".put-away"
"""The file that marks the folder of a game that is put away."""


def is_put_away(folder: Path) -> bool:
    """Whether the game of a folder is put away: it is kept as it is, and not listed with the others."""
    return (folder / PUT_AWAY).exists()


@in_turn
def put_away(session: Session, away: bool = True) -> None:
    """Put the game of the folder away, or bring it back; nothing else of it changes."""
    if away:
        (session.folder / PUT_AWAY).touch(mode=0o600)
    else:
        (session.folder / PUT_AWAY).unlink(missing_ok=True)


@in_turn
def delete_game(typed: str, session: Session) -> tuple[str, ...]:
    """Delete a game with all that was written of it, and return the names of the files that are not its own,
    which stay in the folder.

    Raises InputError where `typed` is not the name of its folder, or something cannot be deleted.
    """
    folder = session.folder
    if typed.strip() != folder.resolve().name:
        raise InputError(
            f"You typed “{typed.strip()}”, expected {folder.resolve().name}. Nothing was deleted."
        )
    try:
        for half in (PUBLIC, PRIVATE_FOLDER):
            if (folder / half).is_dir():
                shutil.rmtree(folder / half)
        # The game file goes last: what was cut off is still listed, and can be deleted again.
        for file in (*folder.glob(f"{game_database(folder).name}*"), folder / PUT_AWAY, folder / GAME_FILE):
            with suppress(PermissionError):  # Windows keeps a file that is open
                file.unlink(missing_ok=True)
        left = tuple(sorted(one.name for one in folder.iterdir()))
        if not left:
            folder.rmdir()
    except OSError as fault:
        raise InputError(f"{fault.filename}: cannot be deleted ({fault.strerror}).") from None
    return left
