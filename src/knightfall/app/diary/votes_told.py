"""Does a posted votecount tell the same votes as a count, by whatever template it was written?

Read is who is named on each line, in order: a wagon is its target and then its voters. What else a template
says is its own; only a line of ours with another number or date in it is a difference by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import unescape

from knightfall.votes.votecount import View, Votecount, seen_by
from knightfall.writeups.facts import votecount_facts

_LINE_ENDS = re.compile(r"<(?:br|/p|/tr|/li|/div)\b[^<>\n]{0,300}>", re.IGNORECASE)
_LINK = re.compile(r"\[((?:\\.|[^\[\]\\\n])*)\]\([^()\n]*\)")
_TAG = re.compile(r"\[/?(?:\*|[a-z]+(?:=[^\[\]\n]{0,300})?)\]|</?[a-z][^<>\n]{0,300}>", re.IGNORECASE)
_UNSEEN = re.compile(r"[\u200b\u200e*~`\\]")
_PART = re.compile(r"\s*\(\d+/\d+\)\s*")
_CHANGING = re.compile(
    r"\d+|\b(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a post: who is named in it, in order, and the numbers beside that."""

    names: tuple[str, ...]
    numbers: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Who must be named on a line, in order; which sizes and numbers can be beside them (none: any)."""

    names: tuple[str, ...]
    sizes: frozenset[int] = frozenset()
    own: frozenset[int] = frozenset()


def same_votes(posted: str, count: Votecount, ours: Iterable[str]) -> bool:
    """Whether each wagon, and who does not vote, is a line of the text, and no line speaks against the count;
    `ours` are its posts in every look of ours."""
    known = frozenset(line for text in ours for line in text.splitlines())
    names = _names_in(count)
    said, told = tuple(_rows(posted.splitlines(), names)), tuple(_rows(known, names))
    spoken = {row.names for row in told}
    return (
        all(_stands(wanted, said) for wanted in _wanted(count))
        and all(row.names in spoken for row in said if len(row.names) > 1)
        and not any(_altered(posted.splitlines(), known))
    )


def _wanted(count: Votecount) -> Iterator[_Wanted]:
    """What the text must tell: each wagon, with a size that players or the moderator see and no number that
    is not its own, and who does not vote."""
    seen = [votecount_facts(seen_by(view, count), history=False)["wagons"] for view in View]
    for wagon in seen[0]:
        same = [one for wagons in seen for one in wagons if one["name"] == wagon["name"]]
        names = (wagon["name"], *(voter["name"] for voter in wagon["voters"]))
        yield _Wanted(names, frozenset(one["count"] for one in same), frozenset(_numbers(same)))
    if count.tally.not_voting:
        yield _Wanted(tuple(slot.name for slot in count.tally.not_voting))


def _numbers(facts: object) -> Iterator[int]:
    """Every number that facts hold, however deep, and those in their words: “E-2”."""
    if isinstance(facts, Mapping):
        facts = list(facts.values())
    if isinstance(facts, list):
        for fact in facts:
            yield from _numbers(fact)
    else:
        yield from map(int, re.findall(r"\d{1,9}", str(facts)))


def _stands(wanted: _Wanted, said: Iterable[Row]) -> bool:
    """Whether a line names just these, and where it holds numbers, the size among them and no foreign one."""
    return any(row.names == wanted.names and _fits(row.numbers, wanted) for row in said)


def _fits(numbers: frozenset[int], wanted: _Wanted) -> bool:
    if not wanted.sizes or not numbers:
        return True
    return bool(numbers & wanted.sizes) and numbers <= wanted.own


def _rows(lines: Iterable[str], names: re.Pattern[str]) -> Iterator[Row]:
    for line in lines:
        for text in _plain(line).split("\n"):
            found = tuple(names.findall(text))
            yield Row(found, frozenset(map(int, re.findall(r"\d{1,9}", names.sub("", text)))))


def _names_in(count: Votecount) -> re.Pattern[str]:
    """Whoever may be named: who plays, who posted, and nobody."""
    tally = count.tally
    slots = [vote.voter for wagon in tally.wagons for vote in wagon.votes]
    slots += [wagon.target for wagon in tally.wagons if wagon.target] + list(tally.not_voting)
    known = {slot.name for slot in slots} | {post.author for post in count.posts.values()}
    words = sorted((_plain(one) for one in {*known, count.terms.no_elimination}), key=len, reverse=True)
    return re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in words if word))


def _plain(text: str) -> str:
    """Without marks of any dialect; lines of HTML are lines."""
    return unescape(_UNSEEN.sub("", _TAG.sub("", _LINK.sub(r"\1", _LINE_ENDS.sub("\n", text)))))


def _altered(posted: list[str], known: frozenset[str]) -> Iterator[bool]:
    """Of each line, whether it is one of ours but for a number or a date; the mark of a part is none."""
    shapes = {_CHANGING.sub("#", line) for line in known}
    for line in posted:
        ours = line in known or _PART.fullmatch(_plain(line))
        yield not ours and _CHANGING.sub("#", line) in shapes
