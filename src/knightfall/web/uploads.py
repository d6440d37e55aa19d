"""Files that the moderator gave to the page: kept in a folder of their own until they are read."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from fastapi import UploadFile

PREFIX = "knightfall-"
LONGEST, LONGEST_ENDING = 180, 12
"""Bytes of a file's name, and letters of its ending."""


def new_folder() -> TemporaryDirectory[str]:
    """A folder for files that were given; it goes when nobody holds it any more."""
    return TemporaryDirectory(prefix=PREFIX)


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
