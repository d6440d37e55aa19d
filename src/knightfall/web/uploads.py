"""Files that the moderator gave to the page: kept in a folder of their own until they are read."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from fastapi import UploadFile

PREFIX = "knightfall-"


def new_folder() -> TemporaryDirectory[str]:
    """A folder for files that were given; it goes when nobody holds it any more."""
    return TemporaryDirectory(prefix=PREFIX)


def kept_files(given: Sequence[UploadFile], folder: str) -> tuple[Path, ...]:
    """The files under the names that they were given by; where two have the same, each in a folder of its
    own."""
    paths: list[Path] = []
    for number, one in enumerate(file for file in given if file.filename):
        name = Path((one.filename or "").replace("\\", "/")).name or "page.html"
        path = Path(folder) / name
        if path in paths:
            path = Path(folder) / str(number) / name
            path.parent.mkdir()
        with path.open("wb") as out:
            shutil.copyfileobj(one.file, out)
        paths.append(path)
    return tuple(paths)


def by_own_names(message: str) -> str:
    """A message in which files that were given are called as their owner calls them."""
    return re.sub(rf"{re.escape(gettempdir())}[/\\]{PREFIX}[^/\\\s]+[/\\](?:\d+[/\\])?", "", message)
