"""Exceptions to a game's usual notices."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that the moderator should know.

    `key` names the thing that is noticed: two notices of one thing have one key. `words` are for the
    moderator's own screen; `outside` is what a server on the way may read, too ("" is what it may not). An
    `urgent` one is told in quiet hours as well.
    """

    key: str
    at: datetime
    words: str
    outside: str
    urgent: bool = False
