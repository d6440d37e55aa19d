"""Votecounts that a moderator posted by hand, read back.

Moderators write a wagon in many ways; a line is taken for one only where it agrees with itself, by the number
of votes that it tells and the names that are surely players'.
"""

from __future__ import annotations

import re
from collections import Counter
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


# What moderators add to a line: the distance, “(L-1)”, “E-2”, and “LYNCHED!” at its end.
_CLOSENESS = re.compile(
    r"[(\[]?\b[LE]\s?[-–]\s?\d+\b[)\]]?|\b(?:lynch|eliminat\w+|hammer)ed!*$", re.IGNORECASE
)
_BULLET = re.compile(r"^[\s•*·▪◦>]+")
# The label of those who do not vote: “Not voting”, “No vote”, “Non-voters”.
_IDLE = re.compile(r"^(?:not|non|no)[\s-]*(?:voting|voters?|votes?)\b", re.IGNORECASE)
# In what follows every run of blanks is one already, so that no line can be read in many ways.
# The size of a wagon, alone or of those needed: “3”, “(3)”, “[3/7]”. Not the digits of “Mina32”.
_NUMBER = r"[(\[{]?(?<!\w)(?P<size>\d{1,2})(?: ?/ ?\d{1,2})?(?!\w)[)\]}]?"
LONGEST = 2000
"""Letters of the longest line that can be a wagon."""
_SHAPES = (
    # Label, size, voters: “Ada (3): Boro, Fen, Elm”, “Ada - 3 votes - Boro, Fen, Elm”.
    re.compile(
        rf"^(?P<label>\S.*?) ?[-–—:=~]{{0,9}} ?{_NUMBER} ?(?:votes?\b)? ?[-–—:=~>]{{0,9}} ?(?P<voters>\S.*)$",
        re.IGNORECASE,
    ),
    # Size, label, voters: “3 Ada (Boro, Fen, Elm)”, “3 votes: Ada - Boro, Fen, Elm”.
    re.compile(
        rf"^{_NUMBER} ?(?:votes?\b)? ?[-–—:.]{{0,9}} ?(?P<label>\S.*?)"
        r" ?(?:[(\[]| [-–—~]{1,9} |[:=] ) ?(?P<voters>\S.*)$",
        re.IGNORECASE,
    ),
    # Label, voters: “Ada: Boro, Fen, Elm”, “Ada - Boro”.
    re.compile(r"^(?P<label>\S.*?) ?(?::| [-–—~]{1,9}|[-–—~](?= )) ?(?P<voters>\S.*)$"),
)
# A label that holds the size of its wagon, “Ada (3” or “Ada 3”, belongs to another shape or to none.
_COUNTS = re.compile(r"[(\[{]|(?<!\w)\d{1,2}$")
# Between voters: “Boro, Fen; Elm | Iris & Kestrel and Lumen”.
_COMMAS = re.compile(r"\s*[,;|]\s*|\s+(?:&|and)\s+")
# Behind a voter: “Boro (#123)”, “Boro [2]”.
_NOTE = re.compile(r"\s*[(\[#].*$")
_EDGES = " .()[]{}*-–—:~"


def posted_votecount(
    post: int, author: str, nodes: Nodes, names: Names, url: str | None = None
) -> PostedVotecount | None:
    """The count that a post of the moderator holds, or nothing. `names` are those of its moment."""
    written = (" ".join(line.text.split()) for line in lines_of(nodes))
    short = (line for line in written if len(line) <= LONGEST)
    lines = (_BULLET.sub("", _CLOSENESS.sub("", line)).strip() for line in short)
    rows = tuple(row for row in (_wagon(line, names) for line in lines) if row is not None)
    listed = Counter(voter.name for row in rows for voter in row.voters)
    if len(rows) < 2 or not listed or max(listed.values()) > 1:
        return None
    return PostedVotecount(post, author, rows, url)


def _wagon(line: str, names: Names) -> PostedWagon | None:
    """The line by the first shape in which it agrees with itself."""
    for shape in _SHAPES:
        found = shape.match(line)
        if found is None:
            continue
        label, told = found["label"].strip(_EDGES), found.groupdict().get("size")
        if not label or (told is None and _COUNTS.search(label)):
            continue

        # Who is surely named; the other names are strangers.
        parts = _COMMAS.split(found["voters"].strip().strip("()[]{}"))
        written = [name for part in parts if (name := _NOTE.sub("", part.strip()).strip(_EDGES))]
        matched = [(name, _surely(name, names)) for name in written]
        voters = tuple(slot for _, slot in matched if slot is not None)
        strangers = tuple(name for name, slot in matched if slot is None)
        idle = bool(_IDLE.match(label))
        target = None if idle else _surely(label, names)

        # A line that counts its voters may name more strangers than one that does not.
        known, strange = len(voters), len(strangers)
        if told is None:
            agrees = bool(known) and strange <= 1
        else:
            sure = target is not None or idle
            agrees = int(told) == known + strange and (strange < known or (sure and strange == 1))
        if agrees:
            return PostedWagon(label, target, voters, strangers, idle)
    return None


def _surely(text: str, names: Names) -> Slot | None:
    """Whom a text names by a tier that leaves no doubt; the rest is what there is to learn."""
    meant = names.match(text)
    return meant.slot if isinstance(meant, Matched) and meant.rule in SURE_RULES else None
