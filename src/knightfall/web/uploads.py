"""Files that the moderator gave to the page: kept in a folder of their own until they are read."""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from starlette.datastructures import UploadFile

from knightfall.storage.drafts import is_running

PREFIX = "knightfall-"
LONGEST, LONGEST_ENDING = 180, 12
"""Bytes of a file's name, and letters of its ending."""


def new_folder() -> TemporaryDirectory[str]:
    """A folder for files that were given; it goes when nobody holds it any more."""
    return TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-")


def sweep_uploads() -> None:
    """Remove the folders that runs of this user left behind when they were killed."""
    for folder in Path(gettempdir()).glob(f"{PREFIX}*-*"):
        process = folder.name.removeprefix(PREFIX).partition("-")[0]
        if process.isdigit() and not is_running(int(process)) and _is_ours(folder):
            shutil.rmtree(folder, ignore_errors=True)


def _is_ours(folder: Path) -> bool:
    """Whether it is a folder of this user, and no link that somebody else laid there."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    own = os.getuid() if hasattr(os, "getuid") else found.st_uid
    return stat.S_ISDIR(found.st_mode) and found.st_uid == own


def kept_files(given: Sequence[UploadFile], folder: str) -> tuple[Path, ...]:
    """The files, each in a folder of its own and under the name that it was given by, as far as a file can
    bear it."""
    paths: list[Path] = []
    for number, one in enumerate(file for file in given if file.filename):
        path = Path(folder) / str(number) / _name_of_file(one.filename or "")
        path.parent.mkdir()
        with path.open("wb") as out:
            shutil.copyfileobj(one.file, out)
        paths.append(path)
    return tuple(paths)


def _name_of_file(given: str) -> str:
    """A name that every system takes: the last part of the given one, without what is no text, its ending
    kept where it is cut."""
    last = re.split(r"[/\\]", given)[-1]
    name = "".join(letter for letter in last if letter.isprintable() and letter not in ':*?"<>|').strip(" .")
    ending = Path(name).suffix if len(Path(name).suffix) <= LONGEST_ENDING else ""
    # Names are limited in bytes, of which a letter has up to four.
    stem = name.removesuffix(ending).encode()[:LONGEST].decode(errors="ignore")
    return f"{stem}{ending}" if stem else "page.html"


def by_own_names(message: str) -> str:
    """A message in which files that were given are called as their owner calls them."""
    return re.sub(rf"{re.escape(gettempdir())}[/\\]{PREFIX}[^/\\\s]+[/\\](?:\d+[/\\])?", "", message)
