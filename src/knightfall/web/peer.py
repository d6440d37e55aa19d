"""Which user of this machine has the other end of a connection, where the system tells it (Linux)."""

from __future__ import annotations

import socket
import struct
from pathlib import Path

TABLE = Path("/proc/net/tcp")


def uid_of_peer(client: tuple[str, int], server: tuple[str, int], table: Path = TABLE) -> int | None:
    """The number of the user whose program opened the connection from `client` to `server`, both an IPv4
    address and a port; None where nobody knows."""
    try:
        ends = f"{_written(client)} {_written(server)}"
        rows = table.read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return None
    for row in rows:
        # sl local remote state queues timer retransmits uid …
        cells = row.split()
        if len(cells) > 7 and f"{cells[1]} {cells[2]}" == ends:
            return int(cells[7])
    return None


def _written(end: tuple[str, int]) -> str:
    """An address as the table writes it: the bytes in the order of this machine, in hex. Raises OSError."""
    [number] = struct.unpack("=I", socket.inet_aton(end[0]))
    return f"{number:08X}:{end[1]:04X}"
