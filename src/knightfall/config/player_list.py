"""Parse a list of players: names one a line, a table, or what `knightfall signup` wrote."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from io import StringIO
from itertools import combinations

from knightfall.engine.game import SlotId
from knightfall.errors import InputError
from knightfall.votes.names import strokes

HEADINGS = frozenset({"name", "names", "player", "players", "user", "username", "account"})
"""What the first column of a table is called."""
COLUMNS = ",;\t"
TABLES = (".csv", ".tsv")
NOTHING = "Nothing was made."

_GUARDED = re.compile(r"^['’](?=[=+\-@＝＋－＠])")
"""What keeps a spreadsheet from computing a name, see `core.spreadsheet`."""
_HTML_LINE = re.compile(r"<br>|</?(?:p|li|ol|ul)>")
_HEADING = re.compile(r"\s*(?:\[b\]|\*\*|<strong>)?Players \\?\((\d+)\\?\)(?:\[/b\]|\*\*|</strong>)?\s*")
_LINK = r"(?:\[(?:url|post)[^\]\n]*\]|<a [^>\n]*>|\[(?=\\?#))?"
_SIGNED = re.compile(
    rf"\s*(?:\[\*\]|\[li\]|\d+\.\s)?\s*(?P<name>\S.*)\s+"
    rf"(?:(?P<mark>\\?)\({_LINK}\\?#\d+.*\)(?:\[/li\])?|#\d+(?: \(.*\))?)\s*"
)
_LIST = re.compile(r"\s*(?:\[(?:list|ol)[^\]]*\])?\s*")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_UNPAIRED = f"Is a quotation mark unpaired? {NOTHING}"
_UNSEEN = str.maketrans("", "", "\u200b\u200e")


@dataclass(frozen=True, slots=True)
class _Line:
    """Who is named, and on which line, from 1."""

    number: int
    name: str


def parse_players(text: str, source: str) -> tuple[SlotId, ...]:
    """The names of a list in its order; `source` is what complaints call it, and by its ending tells a table.

    Raises InputError where nobody is named or somebody twice, where a list of sign-ups ends early, and for a
    table without a heading that no ending tells.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    signed = _signed(lines, source)
    found = tuple(_columns(lines, source) or _each(lines) if signed is None else signed)
    if not found:
        raise InputError(f"{source} names nobody: expected one name a line.")
    _refuse_doubles(found, source)
    return tuple(SlotId(one.name) for one in found)


def _each(lines: list[str]) -> list[_Line]:
    """One a line."""
    stripped = enumerate((line.strip() for line in lines), start=1)
    return [_Line(number, line) for number, line in stripped if line and not line.startswith("#")]


def _refuse_doubles(found: tuple[_Line, ...], source: str) -> None:
    """Case, accents, alphabets and strokes make no two players."""
    pairs = combinations(((one, strokes(one.name)) for one in found), 2)
    told = [
        f"{source}: lines {one.number} and {two.number} name the same player, or look so: “{one.name}”, "
        f"“{two.name}”."
        for (one, seen), (two, other) in pairs
        if seen == other
    ]
    if told:
        raise InputError(
            "\n".join(
                (*told, "Take one of them out; if they are two, name all on the command line.", NOTHING)
            )
        )


# ── the list of the sign-ups ─────────────────────────────────────────────────────────────────────


def _signed(lines: list[str], source: str) -> list[_Line] | None:
    """Who plays by the post of `signup`, in any dialect, or by what it prints; None where it is neither."""
    pieces = [_Line(number, piece) for number, line in enumerate(lines, start=1) for piece in _pieces(line)]
    for place, piece in enumerate(pieces):
        if heading := _HEADING.fullmatch(piece.name):
            signed = list(_below(pieces[place + 1 :]))
            wanted = int(heading[1])
            if len(signed) != wanted:
                raise InputError(
                    f"{source}: line {piece.number} says {wanted} players, and {len(signed)} stand below it: "
                    "is the list whole?"
                )
            return signed
    return None


def _pieces(line: str) -> list[str]:
    """HTML for an editor of rich text has all lines in one."""
    if not line.startswith("<"):
        return [line]
    return [unescape(piece) for piece in _HTML_LINE.split(line.replace("<li>", "<br>[*]"))]


def _below(pieces: list[_Line]) -> Iterator[_Line]:
    """The entries up to the first line that is none, but for blank ones and the tag of the list."""
    for piece in pieces:
        entry = _SIGNED.fullmatch(piece.name)
        if entry:
            yield _Line(piece.number, _written(entry))
        elif not _LIST.fullmatch(piece.name):
            return


def _written(entry: re.Match[str]) -> str:
    """The name as its player writes it, without what keeps a site from reading it as a mark."""
    name = _ESCAPED.sub(r"\1", entry["name"]) if entry["mark"] else entry["name"]
    return name.translate(_UNSEEN).strip()


# ── a table ──────────────────────────────────────────────────────────────────────────────────────


def _columns(lines: list[str], source: str) -> list[_Line]:
    """The first column of a table; nothing where it is none."""
    solid = [line for line in lines if line.strip() and not line.startswith("#")]
    comma = max(COLUMNS, key=solid[0].count) if solid else ","
    headed = bool(solid) and solid[0].split(comma)[0].strip('" ').casefold() in HEADINGS and comma in solid[0]
    if headed or source.lower().endswith(TABLES):
        return _first_cells(lines, comma, source)
    if len(solid) > 1 and all(comma in line for line in solid):
        raise InputError(
            f"{source}: every line has a “{comma}”: a table begins with a heading such as name{comma}…, or "
            f"its file ends in .csv. {NOTHING}"
        )
    return []


def _first_cells(lines: list[str], comma: str, source: str) -> list[_Line]:
    """The names, below the heading where there is one."""
    solid = [one for one in _cells(lines, comma, source) if one.name and not one.name.startswith("#")]
    broken = next((one.number for one in solid if "\n" in one.name), None)
    if broken is not None:
        raise InputError(f"{source}: line {broken}: a name goes on in the next line. {_UNPAIRED}")
    return solid[1:] if solid and solid[0].name.casefold() in HEADINGS else solid


def _cells(lines: list[str], comma: str, source: str) -> Iterator[_Line]:
    """The first cell of each row, and on which line it begins."""
    reader, before = csv.reader(StringIO("\n".join(lines)), delimiter=comma, strict=True), 0
    try:
        for row in reader:
            yield _Line(before + 1, _GUARDED.sub("", row[0].strip()) if row else "")
            before = reader.line_num
    except csv.Error as error:
        raise InputError(f"{source}: line {before + 1}: {error}. {_UNPAIRED}") from None
