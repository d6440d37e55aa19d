"""Where does an archive go, and how does it take the place of the one before, whole or not at all?"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from knightfall.errors import InputError
from knightfall.writeups.archive.printing import Page

OURS = re.compile(r"[a-z]+(?:-\d+){0,2}\.html|posts\.js|search\.js|archive\.css")
PRIVATE_MODE, PUBLIC_MODE = 0o700, 0o755


def checked(place: Path) -> Path:
    """The folder, where it may be written: new, empty, or an archive from before. Raises InputError."""
    if place.is_symlink() or (place.exists() and not place.is_dir()):
        raise InputError(f"{place} is no folder. Give another one: --out FOLDER")
    others = (
        [file.name for file in place.iterdir() if not OURS.fullmatch(file.name)] if place.exists() else []
    )
    if others:
        raise InputError(
            f"{place} holds {others[0]}, which is no part of an archive, so nothing was written. Give a new "
            "folder: --out FOLDER"
        )
    return place


def write_folder(place: Path, pages: Iterable[Page], secret: bool) -> int:
    """Writes the pages beside the folder and then puts them in its place; returns how many they are. Where
    making one raises, what stood there still stands. Raises InputError where it cannot be written."""
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(dir=place.parent, prefix=f".{place.name}."))
    except OSError as fault:
        raise InputError(f"{place} cannot be written: {fault.strerror}.") from None
    try:
        written = sum(_write(draft, page) for page in pages)
        draft.chmod(PRIVATE_MODE if secret else PUBLIC_MODE)
        _put(draft, place)
    except OSError as fault:
        raise InputError(f"{place} cannot be written: {fault.strerror}.") from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return written


def _write(draft: Path, page: Page) -> int:
    (draft / page.name).write_text(page.text, encoding="utf-8", errors="replace", newline="\n")
    return 1


def _put(draft: Path, place: Path) -> None:
    """The old archive goes out of the way first, and comes back where the new one cannot take its place."""
    old = draft.with_name(f"{draft.name}.old")
    if place.exists():
        place.rename(old)
    try:
        draft.rename(place)
    except OSError:
        if old.exists():
            old.rename(place)
        raise
    shutil.rmtree(old, ignore_errors=True)
