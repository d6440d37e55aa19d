"""How is a game's folder made, so that nobody else on this machine can look into it?"""

from __future__ import annotations

from pathlib import Path

from knightfall.app.play.texts import PRIVATE
from knightfall.errors import InputError
from knightfall.setups.game_file import parse_setup
from knightfall.setups.setup import Setup
from knightfall.storage.drafts import PUBLIC, write_draft

FILE = "game.toml"
ALONE = 0o700


def made(folder: Path, text: str) -> Setup:
    """Makes the folder with its game file, readable by its owner alone; returns what the file says. Raises
    InputError where a game is there already or nothing can be written, SetupError for a file that is wrong;
    then nothing was made."""
    file = folder / FILE
    if file.exists():
        raise InputError(f"{folder} holds a game already ({FILE}): take another folder.")
    setup = parse_setup(text, str(file))
    try:
        _private(folder)
        for half in (PUBLIC, PRIVATE):
            (folder / half).mkdir(mode=ALONE, exist_ok=True)
            (folder / half).chmod(ALONE)
    except OSError as error:
        raise InputError(f"{folder} cannot be made: {error.strerror}.") from None
    write_file(folder, text)
    return setup


def write_file(folder: Path, text: str) -> None:
    """The game file, whole or not at all; its owner alone may read it, for it may tell roles."""
    write_draft(folder, ".", FILE, text)


def _private(folder: Path) -> None:
    """A folder that was there with something in it keeps the rights that it has."""
    fresh = not folder.exists() or not any(folder.iterdir())
    folder.mkdir(mode=ALONE, parents=True, exist_ok=True)
    if fresh:
        folder.chmod(ALONE)
