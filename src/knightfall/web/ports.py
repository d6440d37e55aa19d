"""The port of the page: the one of last time where it is free, so that a bookmark holds."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

from platformdirs import user_data_path

from knightfall.errors import InputError
from knightfall.storage.drafts import write_draft

FILE = "ports.json"
MOST = 200
"""So many folders of games are remembered with their port."""


def bind(port: int | None, games: Path, own: Path | None = None) -> socket.socket:
    """A socket that has the port on this machine alone; None: the port that these games had the last time,
    else a free one. `own` is where ports are remembered (None: this user's folder).

    Raises InputError for a port that was asked for and cannot be had.
    """
    place = own or user_data_path("knightfall")
    known = _known(place)
    wanted = port or known.get(str(games), 0)
    try:
        bound = _bound(wanted)
    except OSError as error:
        if port is not None:
            raise InputError(
                f"Port {port} cannot be used ({error.strerror}). Leave out --port for a free one."
            ) from None
        bound = _bound(0)
    if (found := bound.getsockname()[1]) != known.get(str(games)):
        rest = [(folder, there) for folder, there in known.items() if folder != str(games)]
        write_draft(place, ".", FILE, json.dumps(dict([*rest[-MOST + 1 :], (str(games), found)])))
    return bound


def _bound(port: int) -> socket.socket:
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind(("127.0.0.1", port))
    except OSError:
        bound.close()
        raise
    return bound


def _known(place: Path) -> dict[str, int]:
    """Folder of games → its port; nothing where the file cannot be read."""
    try:
        found = json.loads((place / FILE).read_text(encoding="utf-8"))
        return {str(folder): int(port) for folder, port in found.items() if 0 < int(port) < 65536}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}
