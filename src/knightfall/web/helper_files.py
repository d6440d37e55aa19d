"""The helper for browsers: its files, written out for a browser or packed for a store, and what it may do."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import IO

from knightfall.errors import InputError

PERMISSIONS: Mapping[str, str] = {
    "activeTab": (
        "to read the page that you look at, and put the panel and the badges there, when you press the "
        "button and until you leave that page; never without"
    ),
    "scripting": "to run the helper’s own files on that page",
    "storage": "to remember the port and token of the pairing, and the threads that are kept up to date",
    "alarms": "to look at those threads every five minutes",
}
"""What the helper asks for when it is installed, and why it needs that."""
OPTIONAL: Mapping[str, str] = {
    "https://*/*": (
        "asked for one site, when you say that a thread of it is to be kept up to date; given back when you "
        "say stop"
    ),
    "http://*/*": "the same for a site without https",
}
"""What it asks for later, if ever."""
_SAME_TIME = (1980, 1, 1, 0, 0, 0)
"""The oldest time that a ZIP file can tell: the same files make the same bytes."""


def helper_files() -> Iterator[tuple[str, bytes]]:
    """The files of the helper by name, in order."""
    place = files("knightfall") / "helper"
    for one in sorted(place.iterdir(), key=lambda file: file.name):
        if one.is_file():
            yield one.name, one.read_bytes()


def write_helper(folder: Path) -> int:
    """Write the helper into a folder, from which a browser loads it; returns how many files it has. Raises
    InputError where that cannot be."""
    found = list(helper_files())
    ours = {name for name, _ in found}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        others = sorted(one.name for one in folder.iterdir() if one.name not in ours)
        if others:
            raise InputError(
                f"{folder} holds other files ({', '.join(others[:3])}), so nothing was written. Name an "
                "empty folder."
            )
        for name, content in found:
            (folder / name).write_bytes(content)
    except OSError as error:
        raise InputError(f"{folder} cannot be written ({error.strerror}). Name another folder.") from None
    return len(found)


def pack_helper(file: Path | IO[bytes]) -> None:
    """Pack the helper as stores take it: the same files always make the same bytes."""
    with zipfile.ZipFile(file, "w") as packed:
        for name, content in helper_files():
            packed.writestr(zipfile.ZipInfo(name, _SAME_TIME), content, zipfile.ZIP_DEFLATED, 9)
