"""What is a ballot, and in which forms may one be written?

A ballot says what was written (vote or unvote, the name as typed) and in which form; who is meant and whether
it counts is decided elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

import regex

from knightfall.votes.lines import Region


class Action(Enum):
    """What a ballot does."""

    VOTE = "vote"
    UNVOTE = "unvote"


class Form(Enum):
    """How a ballot was written; the values are the names that `rules.forms` of a game file uses."""

    TAG = "tag"
    RAW_TAG = "raw_tag"
    BOLD_COLON = "bold_colon"
    BOLD = "bold"
    HASHES = "hashes"
    BANG = "bang"
    HEADING = "heading"
    OWN_LINE = "own_line"
    HOUSE = "regex"


@dataclass(frozen=True, slots=True)
class Ballot:
    """One vote or unvote as written; `text` is the name as typed, `line` the line it stood in."""

    action: Action
    text: str
    form: Form
    line: str
    region: Region = Region.LIVE


@dataclass(frozen=True, slots=True)
class Forms:
    """Which forms of a vote a game accepts, and the moderator's own patterns (`regex:…`).

    `marked_only` is true where no vote is read without bold, a tag or a heading; `letters` are the signs
    beside “vot” of which a command of these forms has at least one, in lower case.
    """

    accepted: frozenset[Form]
    house: tuple[regex.Pattern[str], ...] = ()
    marked_only: bool = field(init=False)
    letters: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "marked_only", not self.house and self.accepted <= _MARKED_FORMS)
        letters = (sign for form in self.accepted for sign in _SIGNS.get(form, ()))
        object.__setattr__(self, "letters", tuple(letters))


_MARKED_FORMS = frozenset({Form.TAG, Form.BOLD_COLON, Form.BOLD, Form.HEADING})
_SIGNS: dict[Form, tuple[str, ...]] = {
    Form.RAW_TAG: ("[v]", "[v=", "[unv]", "[uv]"),
    Form.BANG: ("!for", "!no", " for "),
}


@dataclass(frozen=True, slots=True)
class Cast:
    """The ballots of one post."""

    number: int
    author: str
    ballots: tuple[Ballot, ...]
    time: datetime | None = None
    edited: bool = False
    url: str | None = None
