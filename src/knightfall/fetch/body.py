"""How is the body of an answer received so that neither its size nor its packing can hurt?

Unpacked here and not by the session: a few packed kilobytes may unpack to gigabytes, so it is done bit by bit
and given up at the limit.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import requests

from knightfall.errors import IncompleteRead, ServerFault

PACKING = "gzip"
"""The only packing that is asked for."""
PART = 65536
_PLAIN = ("", "identity")
_GZIP = ("gzip", "x-gzip")
_GZIP_HEADER = 31


def received(url: str, reply: requests.Response, most: int) -> bytes:
    """The unpacked body. Raises IncompleteRead where it has more than `most` bytes, ServerFault where it
    cannot be unpacked, and what urllib3 raises where it does not arrive."""
    parts: list[bytes] = []
    size = 0
    packing = reply.headers.get("Content-Encoding", "").strip().lower()
    packed: Iterator[bytes] = reply.raw.stream(PART, decode_content=False)
    if packing in _PLAIN:
        unpacked = packed
    elif packing in _GZIP:
        unpacked = _gunzipped(url, packed, most)
    else:
        raise ServerFault(f"{url} comes packed as “{packing[:40]}”, which was not asked for: not read.")

    for part in unpacked:
        parts.append(part)
        size += len(part)
        if size > most:
            raise IncompleteRead(f"{url} is larger than {most // 1_000_000} MB: not read.")
    return b"".join(parts)


def _gunzipped(url: str, packed: Iterator[bytes], most: int) -> Iterator[bytes]:
    """Never more than one byte above `most` at once."""
    unpacker = zlib.decompressobj(_GZIP_HEADER)
    some = False
    for part in packed:
        some = some or bool(part)
        try:
            yield unpacker.decompress(part, most + 1)
        except zlib.error as error:
            raise ServerFault(f"{url} is damaged ({error}).") from None
    if some and not unpacker.eof:
        raise ServerFault(f"{url} ended before it could be unpacked to its end.")
