"""Which user of this machine has the other end of a connection, where the system tells it (Linux)."""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

End: TypeAlias = tuple[str, int]
"""An IPv4 address and a port."""
TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
"""The connections of this machine. Whoever writes an IPv4 address as one of IPv6 stands in the second."""
LOOKS = 3
"""So often a connection is looked for: a table that changes while it is read may leave one out."""
_MAPPED = bytes(10) + b"\xff\xff"
"""What IPv6 puts before an IPv4 address."""


def user_here() -> int | None:
    """The number of the user who runs this; None where the system does not tell whose a connection is."""
    if not hasattr(os, "getuid"):
        return None
    with (
        socket.create_server(("127.0.0.1", 0)) as listening,
        socket.create_connection(listening.getsockname()) as own,
    ):
        user = os.getuid()
        return user if uid_of_peer(own.getsockname(), own.getpeername()) == user else None


def uid_of_peer(client: End, server: End, tables: tuple[Path, ...] = TABLES) -> int | None:
    """The number of the user whose program opened the connection from `client` to `server`, and still holds
    it; None where nobody knows."""
    try:
        ends = {f"{_written(client, prefix)} {_written(server, prefix)}" for prefix in (b"", _MAPPED)}
    except OSError:
        return None
    for _ in range(LOOKS):
        for row in _rows(tables):
            # sl local remote state queues timer retransmits uid timeout inode …
            cells = row.split()
            if len(cells) > 9 and f"{cells[1]} {cells[2]}" in ends and cells[9] != "0":
                return int(cells[7])
    return None


def _rows(tables: tuple[Path, ...]) -> Iterator[str]:
    for table in tables:
        try:
            text = table.read_text(encoding="ascii")
        except (OSError, ValueError):
            continue
        yield from text.splitlines()


def _written(end: End, prefix: bytes) -> str:
    """An address as the tables write it: four bytes at a time in the order of this machine, in hex. Raises
    OSError."""
    packed = prefix + socket.inet_aton(end[0])
    words = struct.unpack(f"={len(packed) // 4}I", packed)
    return f"{''.join(f'{word:08X}' for word in words)}:{end[1]:04X}"
