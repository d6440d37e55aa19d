"""Parse a list of players: names one a line, a table, or what the reading of sign-ups wrote."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from html import unescape
from io import StringIO

from knightfall.errors import InputError
from knightfall.markup.tags import tag_pattern
from knightfall.names import strokes
from knightfall.sentence import SlotId

_COLUMN_HEADS = frozenset({"name", "names", "player", "players", "user", "username", "account"})
"""What the first column of a table is called."""
_TABLE_SUFFIXES = (".csv", ".tsv")
_NOTHING = "Nothing was created."
_MOST_TOLD = 20
"""So many names that stand twice are told one by one."""
_UNPAIRED = f"Is a quotation mark missing? {_NOTHING}"

_SPREADSHEET_QUOTE = re.compile(r"^['’](?=[=+\-@＝＋－＠])")
"""What keeps a spreadsheet from computing a name."""
_HTML_LINE = re.compile(r"<br>|</?(?:p|li|ol|ul)>")

# The post of the player list in any dialect, and what `signup read` prints: “Players (2)”, then an entry a
# line, “1. Ada (#4)”, with the number of the post as a link, as text, or behind a backslash of Markdown.
_HEADING = re.compile(
    rf"\s*(?:{tag_pattern('b')}|\*\*|<strong>)?Players \\?\((\d+)\\?\)"
    rf"(?:{tag_pattern('b', closing=True)}|\*\*|</strong>)?\s*"
)
_LINK = rf"(?:{tag_pattern('url', 'post')}|<a [^>\n]*>|\[(?=\\?#))?"
_ENTRY = re.compile(
    rf"\s*(?:{tag_pattern('*', 'li')}|\d+\.\s)?\s*(?P<name>\S.*)\s+"
    rf"(?:(?P<mark>\\?)\({_LINK}\\?#\d+.*\)(?:{tag_pattern('li', closing=True)})?|#\d+(?: \(.*\))?)\s*"
)
# “1. Ada”, “2) Ada”, “- Ada”, “• Ada”, “[*]Ada”, also “- 1. Ada”; a number without a sign; “@Ada”.
_BULLET = re.compile(rf"(?:(?:[-–—*•·‣◦▪]|\(?\d{{1,3}}[.):])(?:\s+|$)|{tag_pattern('*')}\s*)+")
_BARE_NUMBER = re.compile(r"(\d{1,3})\s+(?=\S)")
_MENTION = re.compile(r"^@(?=\w)")
_BLANK = " \t\r\n\v\f\u00a0\u200b\u200e\u2060\ufeff"
"""Blanks at the edge of a line, seen or not."""
_LIST_TAG = re.compile(rf"\s*(?:{tag_pattern('list', 'ol')})?\s*")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_UNSEEN = str.maketrans("", "", "\u200b\u200e\u2060\ufeff")
"""Characters that keep a site from reading a name as a mark."""
_RAW = re.compile(r"\[/?nobbc\]", re.IGNORECASE)
"""SMF's tags around what it is not to read as a mark."""


@dataclass(frozen=True, slots=True)
class _Line:
    """Who is named, and on which line, from 1."""

    number: int
    name: str


def parse_players(text: str, source: str) -> tuple[SlotId, ...]:
    """Parse the names of a list, in its order; `source` is what complaints call it; by its ending it tells a
    table.

    Raises InputError where nobody is named or somebody twice, where a list of sign-ups ends early, and for a
    table without a heading that no ending tells.
    """
    lines = _RAW.sub("", text.removeprefix("\ufeff")).splitlines()
    found = _signup_list(lines, source)
    if found is None:
        found = _first_column(lines, source)
    if found is None:
        stripped = enumerate((line.strip(_BLANK) for line in lines), start=1)
        found = _without_marks([_Line(n, line) for n, line in stripped if line and not line.startswith("#")])
    if not found:
        raise InputError(f"{source} contains no names. Expected one name per line.")

    # Case, accents, alphabets and strokes make no two players.
    first: dict[str, _Line] = {}
    twice = [
        f"{source}: lines {before.number} and {one.number} name the same player, or seem to: "
        f"“{before.name}”, “{one.name}”."
        for one in found
        if (before := first.setdefault(strokes(one.name), one)) is not one
    ]
    if twice:
        more = len(twice) - _MOST_TOLD
        twice = [*twice[:_MOST_TOLD], *([f"And {more} more."] if more > 0 else ())]
        ways = "Remove one of them. If they are two players, add one of them to the game file later."
        raise InputError("\n".join((*twice, ways, _NOTHING)))
    return tuple(SlotId(one.name) for one in found)


def _without_marks(found: list[_Line]) -> list[_Line]:
    """The names of a list that was pasted from a post, without bullets, numbers and the @ of a mention.

    A bare number is one of the list only where all lines have theirs, from 1 on: somebody may be called
    “7 Seas”.
    """
    numbered = [_BARE_NUMBER.match(one.name) for one in found]
    counted = [int(match[1]) if match else 0 for match in numbered] == [*range(1, len(found) + 1)]
    names = list[_Line]()
    for one, match in zip(found, numbered, strict=True):
        name = one.name[match.end() :] if match and counted else one.name
        if bullet := _BULLET.match(name):
            name = name[bullet.end() :]
        name = name.translate(_UNSEEN)
        names.append(_Line(one.number, _MENTION.sub("", name)))
    return [one for one in names if one.name]


def _signup_list(lines: list[str], source: str) -> list[_Line] | None:
    """Who plays by the post of `signup`, in any dialect, or by what it prints; None where it is neither."""
    # HTML for an editor of rich text has all lines in one.
    pieces = list[_Line]()
    for number, line in enumerate(lines, start=1):
        html = line.startswith("<")
        split = _HTML_LINE.split(line.replace("<li>", "<br>[*]")) if html else [line]
        pieces += (_Line(number, unescape(piece) if html else piece) for piece in split)

    place = next((place for place, piece in enumerate(pieces) if _HEADING.fullmatch(piece.name)), None)
    if place is None:
        return None

    # The entries up to the first line that is none, but for blank ones and the tag of the list.
    found = list[_Line]()
    for piece in pieces[place + 1 :]:
        if entry := _ENTRY.fullmatch(piece.name):
            name = _ESCAPED.sub(r"\1", entry["name"]) if entry["mark"] else entry["name"]
            found.append(_Line(piece.number, name.translate(_UNSEEN).strip()))
        elif not _LIST_TAG.fullmatch(piece.name):
            break

    wanted = int(_HEADING.findall(pieces[place].name)[0])
    if len(found) != wanted:
        raise InputError(
            f"{source}: line {pieces[place].number} says {wanted} players, but {len(found)} "
            "follow it. Is the list complete?"
        )
    return found


def _first_column(lines: list[str], source: str) -> list[_Line] | None:
    """The first column of a table, without its heading; None where it is no table, or an empty one."""
    solid = [line for line in lines if line.strip() and not line.startswith("#")]
    comma = max(",;\t", key=solid[0].count) if solid else ","
    headed = (
        bool(solid) and solid[0].split(comma)[0].strip('" ').casefold() in _COLUMN_HEADS and comma in solid[0]
    )
    if not (headed or source.lower().endswith(_TABLE_SUFFIXES)):
        if len(solid) > 1 and all(comma in line for line in solid):
            raise InputError(
                f"{source}: every line has a “{comma}”: a table must begin with a heading such as "
                f"name{comma}…, or its file ends in .csv. {_NOTHING}"
            )
        return None

    # The first cell of each row, and on which line the row begins.
    cells = list[_Line]()
    reader, before = csv.reader(StringIO("\n".join(lines)), delimiter=comma, strict=True), 0
    try:
        for row in reader:
            name = _SPREADSHEET_QUOTE.sub("", row[0].strip()) if row else ""
            if name and not name.startswith("#"):
                cells.append(_Line(before + 1, name))
            before = reader.line_num
    except csv.Error as error:
        raise InputError(f"{source}: line {before + 1}: {error}. {_UNPAIRED}") from None
    broken = next((one.number for one in cells if "\n" in one.name), None)
    if broken is not None:
        raise InputError(f"{source}: line {broken}: a name continues on the next line. {_UNPAIRED}")
    return (cells[1:] if cells and cells[0].name.casefold() in _COLUMN_HEADS else cells) or None
