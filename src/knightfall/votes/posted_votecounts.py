"""Votecounts that a moderator posted by hand, read back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from knightfall.markup.nodes import Nodes
from knightfall.models import Slot
from knightfall.names import SURE_TIERS, Matched, Names
from knightfall.votes.vote_parser import lines_of

SURE_RULES = frozenset(tier.rule for tier in SURE_TIERS)


@dataclass(frozen=True, slots=True)
class PostedWagon:
    """One wagon as posted: `target` is whom the label surely names (None: nobody we know), `voters` are those
    who are surely named, `strangers` the other names as written."""

    label: str
    target: Slot | None
    voters: tuple[Slot, ...]
    strangers: tuple[str, ...] = ()
    idle: bool = False
    """The list of those who do not vote."""


@dataclass(frozen=True, slots=True)
class PostedVotecount:
    """A votecount post of the moderator."""

    post: int
    author: str
    rows: tuple[PostedWagon, ...]
    url: str | None = None

    def row_of(self, voter: Slot) -> PostedWagon | None:
        """The wagon that lists the vote of a slot; None where no wagon does."""
        named = (row for row in self.rows if not row.idle)
        return next((row for row in named if any(v.name == voter.name for v in row.voters)), None)


_CLOSENESS = re.compile(
    r"[(\[]?\b[LE]\s?[-–]\s?\d+\b[)\]]?|\b(?:lynch|eliminat\w+|hammer)ed!*$", re.IGNORECASE
)
_BULLET = re.compile(r"^[\s•*·▪◦>]+")
_IDLE = re.compile(r"^(?:not|non|no)[\s-]*(?:voting|voters?|votes?)\b", re.IGNORECASE)
_NUMBER = r"[(\[{]?(?<!\w)(?P<size>\d{1,2})(?:\s*/\s*\d{1,2})?(?!\w)[)\]}]?"
_SHAPES = (
    re.compile(
        rf"^(?P<label>\S.*?)\s*[-–—:=~]*\s*{_NUMBER}\s*(?:votes?\b)?\s*[-–—:=~>]*\s*(?P<voters>\S.*)$",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^{_NUMBER}\s*(?:votes?\b)?\s*[-–—:.]*\s*(?P<label>\S.*?)"
        r"\s*(?:[(\[]|\s[-–—~]+\s|[:=]\s)\s*(?P<voters>\S.*)$",
        re.IGNORECASE,
    ),
    re.compile(r"^(?P<label>\S.*?)\s*(?::|\s[-–—~]+|[-–—~](?=\s))\s*(?P<voters>\S.*)$"),
)
"""Label, size, voters; size, label, voters; label, voters."""
_COUNTS = re.compile(r"[(\[{]|(?<!\w)\d{1,2}$")
"""A label that holds the size of its wagon was read by another shape, or agrees with nothing."""
_COMMAS = re.compile(r"\s*[,;|]\s*|\s+(?:&|and)\s+")
_NOTE = re.compile(r"\s*[(\[#].*$")
_EDGES = " .()[]{}*-–—:~"


def posted_votecount(
    post: int, author: str, nodes: Nodes, names: Names, url: str | None = None
) -> PostedVotecount | None:
    """The count that a post of the moderator holds, or nothing. `names` are those of its moment."""
    lines = (_BULLET.sub("", _CLOSENESS.sub("", line.text)).strip() for line in lines_of(nodes))
    rows = tuple(row for row in (next(_readings(line, names), None) for line in lines) if row is not None)
    listed = Counter(voter.name for row in rows for voter in row.voters)
    if len(rows) < 2 or not listed or max(listed.values()) > 1:
        return None
    return PostedVotecount(post, author, rows, url)


def _readings(line: str, names: Names) -> Iterator[PostedWagon]:
    """Each way to read the line in which it agrees with itself."""
    for shape in _SHAPES:
        found = shape.match(line)
        if found is None:
            continue
        label, size = found["label"].strip(_EDGES), found.groupdict().get("size")
        parts = _COMMAS.split(found["voters"].strip().strip("()[]{}"))
        written = tuple(name for part in parts if (name := _NOTE.sub("", part.strip()).strip(_EDGES)))
        row = _resolved(label, written, names)
        if (
            label
            and not (size is None and _COUNTS.search(label))
            and _agrees(row, None if size is None else int(size))
        ):
            yield row


def _agrees(row: PostedWagon, size: int | None) -> bool:
    """A line that counts its voters may name more strangers than one that does not."""
    known, strange = len(row.voters), len(row.strangers)
    if size is None:
        return bool(known) and strange <= 1
    sure = row.target is not None or row.idle
    return size == known + strange and (strange < known or (sure and strange == 1))


def _resolved(label: str, written: tuple[str, ...], names: Names) -> PostedWagon:
    found = [(name, surely(name, names)) for name in written]
    voters = tuple(slot for _, slot in found if slot is not None)
    strangers = tuple(name for name, slot in found if slot is None)
    idle = bool(_IDLE.match(label))
    return PostedWagon(label, None if idle else surely(label, names), voters, strangers, idle)


def surely(text: str, names: Names) -> Slot | None:
    """Whom a text names by a way to match that leaves no doubt; the rest is what there is to learn."""
    meant = names.match(text)
    return meant.slot if isinstance(meant, Matched) and meant.rule in SURE_RULES else None
