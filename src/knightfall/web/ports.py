"""The port of the page: the one of last time, so that a helper finds it again."""

from __future__ import annotations

import os
import socket
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from knightfall.errors import InputError
from knightfall.services.session import user_folder
from knightfall.web.own_list import OwnList

FILE = "ports.json"


@dataclass(frozen=True, slots=True)
class KnownPort:
    """The port of the games in a folder."""

    games: str
    port: int


@dataclass(frozen=True, slots=True)
class BoundPort:
    """A socket that has a port on this machine alone; `taken` is the port that these games are known by,
    where another program has that one now."""

    socket: socket.socket
    port: int
    taken: int | None = None


def bind(port: int | None, games: Path, own: Path | None = None) -> BoundPort:
    """The port that is asked for; None: the one that these games had the last time, else a free one. A port
    that is remembered stays so until another one is asked for, since helpers know it. `own` is
    where ports are remembered (None: this user's folder).

    Raises InputError for a port that was asked for and cannot be had.
    """
    kept = OwnList(own or user_folder(os.environ), FILE, _known, asdict)
    known = next((one.port for one in kept.all() if one.games == str(games)), None)
    try:
        found = _bound(port or known or 0)
    except OSError as error:
        if port is not None:
            raise InputError(
                f"Port {port} cannot be used ({error.strerror}). Leave out --port for a free one."
            ) from None
        return replace(_bound(0), taken=known)
    if found.port != known:
        kept.change(lambda one: one.games == str(games), (KnownPort(str(games), found.port),))
    return found


def _bound(port: int) -> BoundPort:
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind(("127.0.0.1", port))
    except OSError:
        bound.close()
        raise
    return BoundPort(bound, bound.getsockname()[1])


def _known(one: Any) -> KnownPort:
    found = KnownPort(str(one["games"]), int(one["port"]))
    if not 0 < found.port < 65536:
        raise ValueError(found.port)
    return found
