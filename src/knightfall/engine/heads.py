"""The head of a game's log, which stands under its posts, so that what was kept cannot be cut unseen.

A post ends with `Log 6: 7ece8c41aabbccdd-0bd4a9127c1e`: how many posts the journal had noted as posted when
it was drafted, 64 bits over the journal's last entry and 48 over the last link of the evidence. The digest of
an entry is of all entries before it, and that of a link of all pages and posts that were read before it.
Whoever cuts, rolls back or exchanges a journal or its evidence can change everything on their own machine,
but not the posts that others have read.

Both parts are HMAC-SHA-256 (RFC 2104) with the secret seed of the game: an entry is short, and who could try
them all would read in the digits what somebody sent at night. For the same reason the line does not say how
many entries there are, or pages and posts: that would tell how many messages have come, and how much is said
in private rooms.
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from knightfall.engine.journal import Journal

_LINE = re.compile(r"\bLog (\d{1,6}): ([0-9a-f]{16})-([0-9a-f]{12})\b")
_MARKUP = re.compile(r"<[^>]*>|\[/?\w+\]")


@dataclass(frozen=True, slots=True)
class Head:
    """How many posts had been noted as posted, and the digits over journal and evidence."""

    posted: int
    journal: str
    evidence: str

    @property
    def line(self) -> str:
        """As it stands under a post."""
        return f"Log {self.posted}: {self.journal}-{self.evidence}"


class Unknown(Enum):
    """What a head tells of that is not there."""

    JOURNAL = "journal"
    EVIDENCE = "evidence"


def head_of(journal: Journal, evidence: str, seed: bytes) -> Head:
    """The head of a begun game's journal, with the digest of the last link of its evidence."""
    posted = posts_noted(journal)
    return Head(posted, _of_entry(posted, journal[-1].digest, seed), _of_link(evidence, seed))


def posts_noted(journal: Journal) -> int:
    """How many posts were ever noted as posted, whatever was taken back since."""
    from knightfall.engine.entries import (
        Published,  # who only looks for heads in a thread need not wait for it
    )

    return sum(isinstance(record.entry, Published) for record in journal)


def heads_in(text: str) -> tuple[Head, ...]:
    """Every head that stands in a text, in order."""
    return tuple(Head(int(posted), *digits) for posted, *digits in _LINE.findall(text))


def line_of(text: str) -> str:
    """The head with which a text of ours ends, as a line; "" where it ends with none."""
    found = list(_LINE.finditer(text))
    return found[-1].group() if found and not _MARKUP.sub("", text[found[-1].end() :]).strip() else ""


def without_line(text: str) -> str:
    """A text of ours without the head that it ends with: so two texts are compared, whose heads differ."""
    line = line_of(text)
    return text.replace(line, "").rstrip() if line else text


def unknown(
    heads: Iterable[Head], journal: Journal, links: Collection[str], seed: bytes
) -> Iterator[tuple[Head, Unknown]]:
    """The heads that tell of what is not there: of a state that never was, or was cut or changed. `links` are
    the digests of all links of the evidence, that of no evidence included."""
    evidence = {_of_link(link, seed) for link in links}
    for head in heads:
        if all(_of_entry(head.posted, record.digest, seed) != head.journal for record in journal):
            yield head, Unknown.JOURNAL
        elif head.evidence not in evidence:
            yield head, Unknown.EVIDENCE


def _of_entry(posted: int, digest: str, seed: bytes) -> str:
    return _keyed(["log", posted, digest], seed)[:16]


def _of_link(digest: str, seed: bytes) -> str:
    return _keyed(["evidence", digest], seed)[:12]


def _keyed(parts: list[object], seed: bytes) -> str:
    text = json.dumps(["log head", *parts], separators=(",", ":"))
    return hmac.digest(seed, text.encode(), "sha256").hex()
