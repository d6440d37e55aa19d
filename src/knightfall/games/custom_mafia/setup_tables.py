"""Tables of a post: BBCode, wiki, markdown, tabs, drawn with lines or with blanks, each as rows of cells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from knightfall.games.custom_mafia.setup_markup import bare, without_markup

MOST_CELLS = 400
"""So many cells of a table are read."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row, as it stands from letter `start` to `end` of the post."""

    start: int
    end: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PostTable:
    """A table, as it stands from letter `start` to `end` of the post."""

    start: int
    end: int
    rows: tuple[TableRow, ...]


# How a table, a row and a cell begin, and how they end: both are found apart, since a reader that looks for
# the end anew from each beginning takes the square of the time where no end comes.
_BBCODE = (
    re.compile(r"\[table(?:[=\s][^\[\]\n]*)?\]", re.IGNORECASE),
    re.compile(r"\[/table\]", re.IGNORECASE),
)
_HTML = re.compile(r"<table\b[^<>]*>", re.IGNORECASE), re.compile(r"</table>", re.IGNORECASE)
_WIKI = re.compile(r"^[ \t]*\{\|[^\n]*\n", re.MULTILINE), re.compile(r"^[ \t]*\|\}", re.MULTILINE)
_TAGGED_ROW = (
    re.compile(r"[\[<]tr\b[^\[\]<>]*[\]>]", re.IGNORECASE),
    re.compile(r"[\[<]/?tr\b|\Z", re.IGNORECASE),
)
_TAGGED_CELL = re.compile(r"(?i)[\[<]t[dh]\b[^\[\]<>]*[\]>]"), re.compile(r"(?i)[\[<]/t[dh][\]>]")
_WIKI_ROW = re.compile(r"^[ \t]*\|-[^\n]*$", re.MULTILINE)
_WIKI_LINE = re.compile(r"^[ \t]*(?P<sign>[|!])(?![-+}])(?P<said>[^\n]*)$", re.MULTILINE)
_RULE = re.compile(r"[\s|+:=─━│┼┌┐└┘├┤┬┴—–-]+")
_PIPE = re.compile(r"[|│]")
_GAP = re.compile(r"[ \u00a0]{2,}|[ ]*\t[ \t]*")
_BULLETED = re.compile(r"\s*(?:[-–—•·*>]|\d{1,2}[.)]|#{1,6}\s)")


def tables_in(text: str, plain: str) -> tuple[PostTable, ...]:
    """The tables of a post in their order; none within another. `plain`: the same without markup."""
    found = [*_tagged(text), *_wiki(text)]
    taken = [(table.start, table.end) for table in found]
    found += (
        one for one in _lined(plain) if not any(start < one.end and one.start < end for start, end in taken)
    )
    return tuple(sorted(found, key=lambda table: table.start))


def _between(text: str, begin: re.Pattern[str], end: re.Pattern[str]) -> Iterator[tuple[int, int, int, int]]:
    """What stands between a beginning and the first end behind it, none within another: where the beginning,
    the body, its end and the whole end."""
    ends = end.finditer(text)
    last, place = next(ends, None), 0
    for first in begin.finditer(text):
        if first.start() < place:
            continue
        while last is not None and last.start() < first.end():
            last = next(ends, None)
        if last is None:
            return
        place = last.start()
        yield first.start(), first.end(), place, last.end()


def _tagged(text: str) -> Iterator[PostTable]:
    for pattern in (_BBCODE, _HTML):
        for start, begins, ends, end in _between(text, *pattern):
            body = text[begins:ends]
            rows = [
                TableRow(begins + row, begins + behind, tuple(cells))
                for row, within, behind, _ in _between(body, *_TAGGED_ROW)
                if (cells := list(_tagged_cells(body[within:behind])))
            ]
            if rows:
                yield PostTable(start, end, tuple(rows))


def _tagged_cells(row: str) -> Iterator[str]:
    yield from (_words(row[begins:ends]) for _, begins, ends, _ in _between(row, *_TAGGED_CELL))


def _wiki(text: str) -> Iterator[PostTable]:
    for start, begins, ends, end in _between(text, *_WIKI):
        body = text[begins:ends]
        cuts = [0, *(cut.end() for cut in _WIKI_ROW.finditer(body)), len(body)]
        rows: list[TableRow] = []
        for first, last in pairwise(cuts):
            cells: list[str] = []
            for line in _WIKI_LINE.finditer(_WIKI_ROW.sub("", body[first:last])):
                parts = re.split(r"\|\||!!" if line["sign"] == "!" else r"\|\|", line["said"])
                cells += (_words(re.sub(r"^[^|\[{]*=[^|\[{]*\|(?!\|)", "", part)) for part in parts)
            if cells:
                rows.append(TableRow(begins + first, begins + last, tuple(cells)))
        if rows:
            yield PostTable(start, end, tuple(rows))


def _lined(plain: str) -> Iterator[PostTable]:
    """Lines under each other that are cut alike: by `|`, by tabs, by gaps of blanks."""
    block: list[TableRow] = []
    kind, place = "", 0
    for line in [*plain.split("\n"), ""]:
        start, place = place, place + len(line) + 1
        own, cells = _cut(line)
        if own == "rule" and block:
            continue
        if own != kind or not cells or (own == "gaps" and block and not _fits(block, cells)):
            if _is_table(block, kind):
                yield PostTable(block[0].start, block[-1].end, tuple(block))
            block, kind = [], own
        if cells:
            block.append(TableRow(start, start + len(line), cells))


def _cut(line: str) -> tuple[str, tuple[str, ...]]:
    """How a line is cut, and its cells; none of a line that is none of a table."""
    if len(line) > MOST_CELLS * 4 or not line.strip() or line.lstrip().startswith("//"):
        return "", ()
    if len(line.strip()) > 2 and _RULE.fullmatch(line):
        return "rule", ()
    if _PIPE.search(line):
        said = line.strip().removeprefix("|").removesuffix("|").strip("│")
        cells = tuple(map(_words, _PIPE.split(said)))
        return ("pipes", cells) if len(cells) > 1 else ("", ())
    if _BULLETED.match(line):
        return "", ()
    cells = tuple(map(_words, _GAP.split(line.strip(" "))))
    return ("gaps", cells) if len(cells) > 1 else ("", ())


def _fits(block: list[TableRow], cells: tuple[str, ...]) -> bool:
    """Whether a line has as many cells as those above; a head may lack the corner."""
    above = len(block[-1].cells)
    return above == len(cells) or (len(block) == 1 and above + 1 == len(cells))


def _is_table(block: list[TableRow], kind: str) -> bool:
    return len(block) > 1 and (kind == "gaps" or len({len(row.cells) for row in block}) == 1)


def _words(cell: str) -> str:
    return bare(without_markup(cell.replace("\n", " ")))
