"""Does a posted votecount tell the same votes as a count, by whatever template it was written?

Read is line by line who is named in which order: a wagon is its target and then its voters. What else a
template says of its own is nobody's to compare; a line of ours with another number in it is a difference.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from html import unescape

from knightfall.votes.standing import Wagon
from knightfall.writeups.facts import View, Votecount, seen_by

_LINE_ENDS = re.compile(r"<(?:br|/p|/tr|/li|/div)\b[^<>\n]{0,300}>", re.IGNORECASE)
_LINK = re.compile(r"\[((?:\\.|[^\[\]\\\n])*)\]\([^()\n]*\)")
_TAG = re.compile(r"\[/?(?:\*|[a-z]+(?:=[^\[\]\n]{0,300})?)\]|</?[a-z][^<>\n]{0,300}>", re.IGNORECASE)
_UNSEEN = re.compile(r"[\u200b\u200e\u200f*~`\\]")
_PART = re.compile(r"\s*\(\d+/\d+\)\s*")
_DATED = re.compile(r"\d+|\b(?:mon|tue|wed|thu|fri|sat|sun)\b", re.IGNORECASE)
_MONTHS = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a post: who is named in it, in order, and the numbers beside that."""

    names: tuple[str, ...]
    numbers: frozenset[int]


def same_votes(posted: str, count: Votecount, ours: Collection[str]) -> bool:
    """Whether each wagon and who does not vote stand in the text, and nothing that speaks against them;
    `ours` are the texts of the count in every look of ours."""
    known = {line for text in ours for line in text.splitlines()}
    names = _names_in(count)
    if any(_altered(line, known) for line in posted.splitlines()):
        return False
    rows = tuple(_rows(posted, names))
    told = {row.names for text in ours for row in _rows(text, names)}
    return all(map(_is_in(rows), _wanted(count))) and all(
        len(row.names) < 2 or row.names in told for row in rows
    )
