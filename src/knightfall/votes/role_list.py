"""Who has which role, by a list in any wording: “Ada - Town Cop”, “Goons: Boro, Elm”, a table of a wiki or
of a spreadsheet.

Nothing here knows what a role is: a line tells names and, beside them, words; what these mean is the game's.
Lines that name nobody and are no heading come back unread.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from knightfall.names import Matched, Names, fold
from knightfall.reading.clauses import named_in
from knightfall.reading.lexicon import says_role

MOST_LINES, LONGEST = 2_000, 400
"""Lines of a list that are read, and letters of each."""


@dataclass(frozen=True, slots=True)
class RoleLine:
    """A line of a role list: whose it is (slots, by their names; none: of everybody whom no line names), the
    role as it is written, the heading that it stands under, how they fared by it ("" where it does not say),
    and who held the seat before."""

    line: int
    slots: tuple[str, ...]
    role: str
    heading: str = ""
    fate: str = ""
    earlier: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoleList:
    """A role list as it was read; `unread` are the lines that name nobody we know, with their numbers."""

    lines: tuple[RoleLine, ...] = ()
    unread: tuple[tuple[int, str], ...] = ()


def read_role_list(text: str, names: Names) -> RoleList:
    """Read a list: a table with a head (comma, semicolon, tab, wiki, BBCode), else line by line."""
    lines = [line[:LONGEST] for line in text.splitlines()[:MOST_LINES]]
    cells = _wiki_rows(lines) or _bbcode_rows(text) or _separated_rows(lines)
    head = next((n for n, (_, row) in enumerate(cells) if _columns(row)), None)
    if head is not None:
        return _of_table(cells[head + 1 :], _columns(cells[head][1]), names)
    if cells and (_wiki_rows(lines) or _bbcode_rows(text)):
        return _of_lines(((number, " - ".join(row)) for number, row in cells), names)
    return _of_lines(enumerate(lines, start=1), names)


# ---- A table with a head

_HEADS = {
    "name": (
        "name",
        "names",
        "player",
        "players",
        "user",
        "username",
        "account",
        "slot",
        "spieler",
        "jugador",
    ),
    "role": ("role", "roles", "card", "rolle", "rol"),
    "side": ("side", "alignment", "faction", "team"),
    "fate": ("fate", "status", "result", "death", "died", "outcome"),
    "earlier": ("replaced", "replaces", "earlier", "previous", "original", "formerly", "was"),
}


def _columns(row: Sequence[str]) -> dict[str, int]:
    """What the cells of a head say, with their places; nothing for a row that is no head."""
    found: dict[str, int] = {}
    for place, cell in enumerate(row):
        said = fold(_plain(cell)).strip(" :*")
        for what, words in _HEADS.items():
            if said in words:
                found.setdefault(what, place)
    return found if {"name", "role"} <= found.keys() else {}


def _of_table(rows: Iterable[tuple[int, Sequence[str]]], columns: dict[str, int], names: Names) -> RoleList:
    lines: list[RoleLine] = []
    unread: list[tuple[int, str]] = []
    for number, row in rows:
        said = {what: _plain(row[place]) if place < len(row) else "" for what, place in columns.items()}
        meant = _slot_of(said["name"], names)
        if meant is None:
            unread += [(number, " | ".join(filter(None, map(_plain, row))))] if any(row) else []
            continue
        earlier = tuple(one for one in re.split(r"\s*[,;/]\s*", said.get("earlier", "")) if one)
        fate = said.get("fate", "")
        lines.append(RoleLine(number, (meant,), said["role"], said.get("side", ""), fate, earlier))
    return RoleList(tuple(lines), tuple(unread))


def _slot_of(name: str, names: Names) -> str | None:
    whole = names.whole(name)
    if whole is not None:
        return whole.name
    meant = names.surely(name)
    return meant.slot.name if isinstance(meant, Matched) else None


def _separated_rows(lines: Sequence[str]) -> list[tuple[int, list[str]]]:
    """The cells of lines with commas, semicolons, tabs or strokes between them."""
    first = next((line for line in lines if line.strip()), "")
    sign = max("\t;,|", key=first.count)
    if not first.count(sign):
        return []
    return [
        (number, row)
        for number, line in enumerate(lines, start=1)
        for row in csv.reader([line.strip().strip("|") if sign == "|" else line], delimiter=sign)
        if any(cell.strip() for cell in row) and not re.fullmatch(r"[\s|:+-]*", line)
    ]


def _wiki_rows(lines: Sequence[str]) -> list[tuple[int, list[str]]]:
    """The cells of a table of a wiki, a line or a cell a line."""
    if not any(line.lstrip().startswith("{|") for line in lines):
        return []
    rows: list[tuple[int, list[str]]] = []
    fresh = True
    for number, line in enumerate(lines, start=1):
        said = line.strip()
        if said.startswith(("{|", "|-", "|+", "|}")):
            fresh = True
        elif said.startswith(("|", "!")):
            cells = re.split(r"\|\||!!", said[1:])
            cells = [re.sub(r"^[^|\[{]*\|(?!\|)", "", cell) if "=" in cell else cell for cell in cells]
            if fresh:
                rows.append((number, []))
            fresh = False
            rows[-1][1].extend(cells)
    return rows


_ROW = re.compile(r"\[tr\b[^\]]*\](.*?)\[/tr\]", re.IGNORECASE | re.DOTALL)
_CELL = re.compile(r"\[t[dh]\b[^\]]*\](.*?)\[/t[dh]\]", re.IGNORECASE | re.DOTALL)


def _bbcode_rows(text: str) -> list[tuple[int, list[str]]]:
    """The cells of a table in BBCode."""
    return [
        (text.count("\n", 0, row.start()) + 1, [cell[1] for cell in _CELL.finditer(row[1])])
        for row in _ROW.finditer(text[: MOST_LINES * LONGEST])
    ]


# ---- Line by line

_TAG = re.compile(r"\[/?\w[^\]\[]{0,200}\](?!\()|<[^<>]{1,200}>")
_LINK = re.compile(r"\[\[(?:[^\]|]*\|)?([^\]|]*)\]\]|\[([^\]]*)\]\([^)]*\)")
_LEAD = re.compile(r"^\s*(?:[-*•·‣▪◦–—+>#~]+|\(?\d{1,2}\s*[.):\]–-])\s*")
_FATE = re.compile(
    r"[\s,;:(–—|-]*\b(?:(?:was|were|got|has\sbeen)\s)?(?P<fate>(?:lynched|eliminated|executed|hanged|hammered|mod-?killed|night-?killed"
    r"|killed|murdered|(?<=was\s)shot|died|dead|endgamed|survived|alive|living|replaced)\b[^,;|)]{0,40})\)?",
    re.IGNORECASE,
)
_IS = re.compile(
    r"^(?:is|was|are|were|has|got|as)\b(?:\s(?:the|a|an|our)\b)?\s*|^(?:the|a|an)\s", re.IGNORECASE
)
_EDGES = " \t,;:.*=~_|/\\<>→()[]{}–—-"
_NUMBER = re.compile(r"\s*[(\[]?\s*(?:x\s*)?\d{1,2}\s*(?:x|of)?\s*[)\]]?\s*$", re.IGNORECASE)


_ELSE = r"(?:all|every(?:one|body))\s+(?:the\s+)?(?:else|others?|rest)|(?:the\s+)?(?:rest|others)"
_REST = re.compile(
    rf"(?:and\s+)?(?:{_ELSE})\b(?:\s+(?:is|are|were))?[\s:=–—>-]+(?P<role>\S.*)"
    rf"|(?P<before>.*\S)\s*[:=–—>-]+\s*(?:{_ELSE})",
    re.IGNORECASE,
)
"""“all others VT”, “Vanilla Townie: everyone else”."""


@dataclass
class _Reading:
    """What was read so far, and the heading that stands above."""

    names: Names
    heading: str = ""
    lines: list[RoleLine] = field(default_factory=list)
    unread: list[tuple[int, str]] = field(default_factory=list)

    def take(self, number: int, line: str) -> None:
        """One more line."""
        said = _LEAD.sub("", _plain(line))
        if not said.strip(_EDGES):
            return
        named = list(self._named(said))
        if not named and (rest := _REST.fullmatch(said.strip(_EDGES))):
            self.lines.append(RoleLine(number, (), rest["role"] or rest["before"], self.heading))
        elif named:
            self.lines += self._told(number, said, named)
        elif self._is_heading(said):
            self.heading = _NUMBER.sub("", said.strip(_EDGES)).strip(_EDGES)
        else:
            self.unread.append((number, line.strip()))

    def _is_heading(self, said: str) -> bool:
        """A few words that end with a colon, or none that is not of a role or a side."""
        words = _NUMBER.sub("", said.strip(_EDGES)).split()
        known = all(says_role(word) or fold(word) in _OF_HEADINGS for word in words)
        return len(words) <= _LONGEST_HEADING and (said.rstrip().endswith(":") or known)

    def _named(self, said: str) -> Iterator[tuple[int, int, str]]:
        """Who is named: from letter to letter, each seat once; by whole names, else by a first cell that is
        surely a name."""
        seen: set[str] = set()
        for end, slot in named_in(said, self.names):
            if slot.name not in seen:
                seen.add(slot.name)
                yield *_span(said[:end], slot.names), slot.name
        if not seen:
            cell = re.split(r"\s+[-–—=|]\s+|\s*[:,(\t|=]\s*|\s*[-–—=]>\s*", said, maxsplit=1)[0]
            meant = self.names.surely(cell.strip(_EDGES)) if cell.strip(_EDGES) else None
            if isinstance(meant, Matched) and not says_role(cell):
                yield said.find(cell), said.find(cell) + len(cell), meant.slot.name

    def _told(self, number: int, said: str, named: Sequence[tuple[int, int, str]]) -> Iterator[RoleLine]:
        """What a line tells of whom it names: of each what stands behind their name, else what stands before
        the first, else the heading."""
        ends = [start for start, _, _ in named[1:]] + [len(said)]
        behind = [_FATE.sub("", said[end:until]) for (_, end, _), until in zip(named, ends, strict=True)]
        fates = [_FATE.search(said[end:until]) for (_, end, _), until in zip(named, ends, strict=True)]
        own = [_role_words(words) for words in behind]
        before = _role_words(said[: named[0][0]])
        if before and not all(map(says_role, own)):
            own = [before if not says_role(role) else role for role in own]
        elif len(named) > 1 and own[-1] and not any(own[:-1]):
            own = [own[-1]] * len(named)  # “Ada and Boro: Masons”
        for (_, _, slot), role, fate in zip(named, own, fates, strict=True):
            heading = self.heading
            yield RoleLine(number, (slot,), role, heading, fate["fate"].strip() if fate else "")


def _span(said: str, names: Sequence[str]) -> tuple[int, int]:
    """From where to where one of these names stands, last in a text that ends with it and perhaps signs."""
    low = said.casefold()
    found = [(start, start + len(name)) for name in names if (start := low.rfind(name.casefold())) >= 0]
    return max(found, default=(len(said), len(said)), key=lambda span: span[1])


_LONGEST_HEADING = 6
_OF_HEADINGS = frozenset(
    {"the", "team", "side", "faction", "players", "roles", "of", "aligned", "members", "group"}
)


def _of_lines(lines: Iterable[tuple[int, str]], names: Names) -> RoleList:
    reading = _Reading(names)
    for number, line in lines:
        reading.take(number, line)
    return RoleList(tuple(reading.lines), tuple(reading.unread))


def _role_words(said: str) -> str:
    """The words of a role without what joins them to a name."""
    bare = said.strip(_EDGES)
    bare = _IS.sub("", bare).strip(_EDGES)
    return "" if fold(bare) in _JOINS else bare


_JOINS = frozenset({"and", "&", "und", "y", "as", "with"})


def _plain(said: str) -> str:
    """A text without the marks of a wiki, of BBCode, Markdown or HTML."""
    said = _LINK.sub(lambda found: found[1] or found[2] or "", said)
    said = _TAG.sub("", said).replace("'''", "").replace("''", "").replace("**", "").replace("__", "")
    return " ".join(said.replace("{{", " ").replace("}}", " ").split())
