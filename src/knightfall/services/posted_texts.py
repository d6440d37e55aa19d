"""A text that went out: how it was cut, which posts of a count it may be, whether it tells the same votes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from html import unescape
from itertools import chain
from pathlib import Path

from knightfall.errors import InputError
from knightfall.markup.dialects import Dialect, all_dialects, dialect, measure
from knightfall.markup.nodes import Nodes
from knightfall.services.count_request import PostFormat, count_nodes, themes
from knightfall.services.reading import dialect_of
from knightfall.services.votecount import Counted, with_footnotes
from knightfall.votes.votecount import View, Votecount, seen_by
from knightfall.writeups.facts import votecount_facts
from knightfall.writeups.render import written
from knightfall.writeups.split import MOST

GAP = "\n\n"
FEW = 9
"""Up to so many parts a mark has one digit on each side."""
UNCUT = 10**9
"""No post is so long."""

_MARK = re.compile(r"\\?\((\d{1,2})/(\d{1,2})\\?\)")
"""“(2/3)”, as some dialects write it with backslashes."""


def cut_alike(nodes: Nodes, speech: str, posted: str) -> Iterator[str]:
    """A post in a dialect, cut where a posted text may have been cut."""
    for limit in limits(posted, dialect(speech)):
        with suppress(InputError):  # a limit of another dialect
            yield GAP.join(written(nodes, speech, limit))


def limits(posted: str, speech: Dialect) -> tuple[int, ...]:
    """The limits, in the dialect's unit, under which such a text may have been cut so: in the parts that it
    names, and not at all, for (1/2) may be a wagon."""
    parts = parts_of(posted)
    if len(parts) < 2:
        return (UNCUT,)
    # While the text was cut, each mark had room for as many digits as there might be parts.
    room = FEW if len(parts) <= FEW else MOST
    longest = max(
        measure(part, speech) + len(f"{room}/{room}") - len(f"{number}/{len(parts)}")
        for number, part in enumerate(parts, start=1)
    )
    return (longest, UNCUT)


def parts_of(posted: str) -> tuple[str, ...]:
    """The parts of a text that says (1/2) in the first line of each; all of it where it does not."""
    blocks = posted.split(GAP)
    marks = [
        [(int(number), int(total)) for number, total in _MARK.findall(block.partition("\n")[0])]
        for block in blocks
    ]
    for first, total in marks[0]:
        if first != 1 or not 1 < total <= MOST:
            continue
        starts = list[int]()
        for place in range(len(blocks)):
            if (len(starts) + 1, total) in marks[place]:
                starts.append(place)
        if len(starts) == total:
            ends = (*starts[1:], len(blocks))
            return tuple(GAP.join(blocks[start:end]) for start, end in zip(starts, ends, strict=True))
    return (posted,)


def possible_posts(done: Counted, posted: str, folder: Path) -> Iterator[str]:
    """The posts of a count that a text may be, cut where that one is cut: as each view sees it, in the game's
    own look, our themes and the templates of its folder, in every dialect, the likeliest first."""
    own = dialect_of(None, done.setup, done.site, done.thread.platform)
    speeches = dict.fromkeys((own, *(one.name for one in all_dialects())))
    looks = [
        *(PostFormat(theme=theme) for theme in (None, *themes())),
        *(PostFormat(template=file) for file in sorted(folder.glob("*.j2"))),
    ]
    for count in _seen(done):
        for look in looks:
            with suppress(InputError):  # a template that is none of a count
                nodes = count_nodes(count, look, done.setup)
                yield from chain.from_iterable(cut_alike(nodes, speech, posted) for speech in speeches)


def _seen(done: Counted) -> Iterator[Votecount]:
    """With and without what may stand under it, and as the final count; for the players first."""
    noted = with_footnotes(done).count
    counts = [done.count] if noted == done.count else [done.count, noted]
    counts += [replace(one, final=True, number=None, changes=(), due=()) for one in counts]
    for view in View:
        yield from (seen for one in counts if (seen := seen_by(view, one)) != one or view is View.MOD)


_LINE_ENDS = re.compile(r"<(?:br|/p|/tr|/li|/div)\b[^<>\n]{0,300}>", re.IGNORECASE)
_LINK = re.compile(r"\[((?:\\.|[^\[\]\\\n])*)\]\([^()\n]*\)")
_TAG = re.compile(r"\[/?(?:\*|[a-z]+(?:=[^\[\]\n]{0,300})?)\]|</?[a-z][^<>\n]{0,300}>", re.IGNORECASE)
_UNSEEN = re.compile(r"[\u200b\u200e*~`\\]")
_PART = re.compile(r"\s*\(\d+/\d+\)\s*")
_CHANGING = re.compile(
    r"\d+|\b(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\b", re.IGNORECASE
)
"""Numbers and dates: two lines that are the same but for these are one line at two moments."""
_NUMBER = re.compile(r"\d{1,9}")


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of a post: who is named in it, in order, and the numbers beside that."""

    names: tuple[str, ...]
    numbers: frozenset[int]


@dataclass(frozen=True, slots=True)
class _ExpectedRow:
    """Who must be named on a line, in order; which sizes and numbers can be beside them (none: any)."""

    names: tuple[str, ...]
    sizes: frozenset[int] = frozenset()
    own: frozenset[int] = frozenset()

    def is_told_by(self, row: _Row) -> bool:
        """Whether a line names just these, and where it holds numbers, the size among them and no other."""
        if row.names != self.names:
            return False
        if not self.sizes or not row.numbers:
            return True
        return bool(row.numbers & self.sizes) and row.numbers <= self.own


def same_votes(posted: str, count: Votecount, ours: Iterable[str]) -> bool:
    """Whether each wagon, and who does not vote, is a line of the text, and no line speaks against the count;
    `ours` are its posts in every look of ours."""
    lines, known = posted.splitlines(), frozenset(line for text in ours for line in text.splitlines())
    names = _names_in(count)
    said, spoken = tuple(_rows(lines, names)), {row.names for row in _rows(known, names)}

    # Each wagon stands in it, and who does not vote.
    if not all(any(expected.is_told_by(row) for row in said) for expected in _expected_rows(count)):
        return False
    # No line names several who stand together on no line of ours.
    if any(row.names not in spoken for row in said if len(row.names) > 1):
        return False
    # No line is one of ours but for a number or a date; the mark of a part is none.
    shapes = {_CHANGING.sub("#", line) for line in known}
    return not any(
        line not in known and not _PART.fullmatch(_plain(line)) and _CHANGING.sub("#", line) in shapes
        for line in lines
    )


def _expected_rows(count: Votecount) -> Iterator[_ExpectedRow]:
    """What the text must tell: each wagon, with a size that players or the moderator see and no number that
    is not its own, and who does not vote."""
    seen = [votecount_facts(seen_by(view, count), history=False)["wagons"] for view in View]
    for wagon in seen[0]:
        same = [one for wagons in seen for one in wagons if one["name"] == wagon["name"]]
        names = (wagon["name"], *(voter["name"] for voter in wagon["voters"]))
        yield _ExpectedRow(names, frozenset(one["count"] for one in same), frozenset(_numbers(same)))
    if count.tally.not_voting:
        yield _ExpectedRow(tuple(slot.name for slot in count.tally.not_voting))


def _numbers(facts: object) -> Iterator[int]:
    """Every number that facts hold, however deep, and those in their words: “E-2”."""
    if isinstance(facts, Mapping):
        facts = list(facts.values())
    if isinstance(facts, list):
        for fact in facts:
            yield from _numbers(fact)
    else:
        yield from map(int, _NUMBER.findall(str(facts)))


def _rows(lines: Iterable[str], names: re.Pattern[str]) -> Iterator[_Row]:
    for line in lines:
        for text in _plain(line).split("\n"):
            numbers = _NUMBER.findall(names.sub("", text))
            yield _Row(tuple(names.findall(text)), frozenset(map(int, numbers)))


def _names_in(count: Votecount) -> re.Pattern[str]:
    """Whoever may be named: who plays, who posted, and nobody. The longest name first."""
    tally = count.tally
    slots = [vote.voter for wagon in tally.wagons for vote in wagon.votes]
    slots += [wagon.target for wagon in tally.wagons if wagon.target] + list(tally.not_voting)
    known = {slot.name for slot in slots} | {post.author for post in count.posts.values()}
    words = sorted((_plain(one) for one in {*known, count.terms.no_elimination}), key=len, reverse=True)
    return re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in words if word))


def _plain(text: str) -> str:
    """Without marks of any dialect; lines of HTML are lines."""
    return unescape(_UNSEEN.sub("", _TAG.sub("", _LINK.sub(r"\1", _LINE_ENDS.sub("\n", text)))))
