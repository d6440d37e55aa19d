"""What a running process remembers of bodies, by their digests: so many of them, however long they are."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")

MOST_POSTS = 100_000
"""Bodies that one memory holds; longer threads are not kept for another process either."""
AT_HAND = 1 << 14
"""Bodies whose digests are at hand, since each count asks for them: those of a long thread, some 20 million
letters. Beyond, a digest costs a microsecond or two, a tenth of reading the body."""


@lru_cache(maxsize=AT_HAND)
def digest(body: str) -> bytes:
    """16 bytes that stand for a body."""
    return blake2b(body.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class BodyMemory(dict[bytes, T]):
    """What was found in bodies, by their digests. Where there is no room for one more, every other one is
    forgotten, so that of a thread that is too long a part is still remembered."""

    def keep(self, body: str, found: T) -> None:
        """Remember what was found in a body."""
        key = digest(body)
        if len(self) >= MOST_POSTS and key not in self:
            for other in tuple(self)[::2]:
                del self[other]
        self[key] = found
