"""BBCode as it is typed, read into nodes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from itertools import groupby
from typing import TypeAlias

from knightfall.markup.dialects.tree import as_given, clean, unhush, words
from knightfall.markup.nodes import (
    Area,
    Bold,
    Break,
    Code,
    Colour,
    Countdown,
    Heading,
    Image,
    Italic,
    Link,
    Listing,
    Mention,
    Name,
    Node,
    Nodes,
    PostLink,
    Quote,
    Size,
    Spoiler,
    Strike,
    Table,
    Tag,
    Text,
    Title,
    Underline,
    VoteTag,
)
from knightfall.markup.sizes import SIZE, percent_of
from knightfall.markup.tags import TAG

_SPECIAL = "[]\n\"';=@"
_GUARD = {ord(char): 0xFDD0 + n for n, char in enumerate(_SPECIAL)}
# What begins a name that we wrote ourselves, words of somebody else, and a title; and what ends each.
_NAME, _GIVEN, _TITLE, _END = "\ufdd8", "\ufdd9", "\ufddb", "\ufdda"
_UNGUARD: dict[int, int | None] = {guard: char for char, guard in _GUARD.items()}
_UNGUARD |= dict.fromkeys(map(ord, (_NAME, _GIVEN, _TITLE, _END)))
_MARKED = re.compile(f"([{_NAME}{_GIVEN}{_TITLE}][^{_END}]*{_END})")
_CALLED = re.compile(r"(?<![\w/])@([^\W_](?:[\w.-]*[^\W_])?)")


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a site spells what our own BBCode spells otherwise.

    `sizes` are the percentages behind `size=`, `names` our names for its tags and the value that such a tag
    has with us, `raw` its tags whose content is code as it stands. `seam` is put beside what stands in
    `[nobbc]`, so that its letters are told from those next to it. `cited` is what follows the author of a
    quote in the same value, with the post in group 1.
    """

    sizes: Mapping[str, int] = field(default_factory=dict)
    names: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    raw: frozenset[str] = frozenset()
    seam: str = ""
    cited: re.Pattern[str] | None = None


OURS = Spelling()


@dataclass(frozen=True, slots=True)
class Part:
    """A list item, table row or cell, which is a node only inside its list or table."""

    name: str
    opening: str
    children: tuple[Piece, ...]
    closing: str


Piece: TypeAlias = Node | Part
Pieces: TypeAlias = tuple[Piece, ...]


def guarded(text: str) -> str:
    """Each special character replaced by a noncharacter of our own."""
    return text.translate(_GUARD)


def unguarded(text: str) -> str:
    """What `guarded` replaced is itself again."""
    return text.translate(_UNGUARD)


def lines(text: str) -> list[Node]:
    """Text, names, line ends, and who is mentioned by an @ that `guarded` and `neutral` did not touch; what
    they did is undone."""
    nodes: list[Node] = []
    if _END in text:
        for piece in _MARKED.split(text):
            if piece.startswith((_NAME, _TITLE)):
                kind = Name if piece.startswith(_NAME) else Title
                nodes.append(kind(unguarded(piece).replace("\n", " ")))
            elif piece.startswith(_GIVEN):
                nodes += as_given(tuple(lines(piece[1:-1])))
            else:
                nodes += lines(piece.replace(_END, ""))
        return nodes
    for place, piece in enumerate(_CALLED.split(text.replace("[\u200b", "["))):
        if place % 2:
            nodes.append(Mention(piece))
            continue
        for n, line in enumerate(unguarded(unhush(piece)).split("\n")):
            if n:
                nodes.append(Break())
            if line:
                nodes.append(Text(line))
    return nodes


def as_nodes(pieces: Pieces) -> Nodes:
    """The pieces as nodes, neighbouring texts in one; a part outside its list or table is text again."""
    flat: list[Node] = []
    for piece in pieces:
        if isinstance(piece, Part):
            flat += [*lines(piece.opening), *as_nodes(piece.children), *lines(piece.closing)]
        else:
            flat.append(piece)

    joined: list[Node] = []
    for kind, run in groupby(flat, key=type):
        if kind is Text:
            joined.append(Text("".join(node.text for node in run if isinstance(node, Text))))
        else:
            joined += run
    return tuple(joined)


def _parts(pieces: Pieces) -> tuple[Part, ...] | None:
    """The parts among the pieces; None where anything but blank space stands between them."""
    others = tuple(piece for piece in pieces if not isinstance(piece, Part))
    if words(others).strip() or any(not isinstance(other, Text | Break) for other in others):
        return None
    return tuple(piece for piece in pieces if isinstance(piece, Part))


def _plain(value: str) -> str:
    """The value of an attribute without its quotes."""
    value = value.removeprefix("=").strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        value = value[1:-1]
    return unguarded(value).replace("\n", " ")


def _listing(value: str, pieces: Pieces) -> Node | None:
    parts = _parts(pieces)
    if parts is None:
        return None
    items: list[Nodes] = []
    for part in parts:
        nodes = as_nodes(part.children)
        # The blanks that follow the mark are no part of the item.
        if nodes and isinstance(first := nodes[0], Text):
            text = first.text.lstrip(" ")
            nodes = (*((replace(first, text=text),) if text else ()), *nodes[1:])
        while nodes and isinstance(nodes[-1], Break):  # an empty line between items is in neither
            nodes = nodes[:-1]
        items.append(nodes)
    return Listing(tuple(items), ordered=bool(value))


def _table(_: str, pieces: Pieces) -> Node | None:
    rows = _parts(pieces)
    cells = [_parts(row.children) for row in rows or ()]
    if rows is None or any(row is None for row in cells):
        return None
    known = [row for row in cells if row is not None]
    head = bool(known) and bool(known[0]) and all(cell.name == "th" for cell in known[0])
    return Table(tuple(tuple(as_nodes(cell.children) for cell in row) for row in known), head)


# `="Ada" post_id=12` (phpBB), `='Ada' pid='12'` (MyBB), ` author=Ada link=topic=7.msg12#msg12 date=5` (SMF):
# the post is optional, its quotes are a pair.
_AUTHOR_AND_POST = re.compile(
    r"(?:=| author=)(?P<author>.*?)"
    r"(?: (?:post_id|pid)=(?P<q>['\"]?)(?P<post>[0-9]{1,20})(?P=q)| link=\S*?msg(?P<msg>[0-9]{1,20})\S*)?"
    r"(?: (?:date|time)=.*)?"
)


def _quote(value: str, pieces: Pieces) -> Node:
    found = _AUTHOR_AND_POST.fullmatch(value)
    author = _plain(found["author"]) if found else ""
    return Quote(as_nodes(pieces), author or None, (found["post"] or found["msg"]) if found else None)


def _font(value: str, nodes: Nodes) -> Node:
    """ProBoards says size and colour with one tag."""
    kind, _, said = value.partition("=")
    return Size(percent_of(_plain(said)), nodes) if kind == "size" else Colour(_plain(said), nodes)


def _time(value: str, pieces: Pieces) -> Node | None:
    """A tag around an instant: seconds since 1970 (SMF), or a date with its offset in hours (MafiaScum)."""
    said = words(as_nodes(pieces))
    if re.fullmatch("[0-9]{1,11}", said):
        return Countdown(datetime.fromtimestamp(int(said), UTC), "")
    found = re.fullmatch(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) (-?\d{1,2}\.\d\d)", said)
    if found is None or value:
        return None
    try:
        zone = timezone(timedelta(hours=float(found[2])))
        return Countdown(datetime.fromisoformat(found[1]).replace(tzinfo=zone), "")
    except ValueError:
        return None


def _image(_: str, pieces: Pieces) -> Node | None:
    nodes = as_nodes(pieces)
    return Image("", words(nodes)) if all(isinstance(node, Text) for node in nodes) else None


def _post(value: str, pieces: Pieces) -> Node | None:
    nodes = as_nodes(pieces)
    number, _, more = value.removeprefix("=").partition(";")
    known = dict(part.partition("=")[::2] for part in more.split(";", 1) if part)
    post_id, url = _plain(known.get("id", "")), _plain(known.get("url", ""))
    if number.startswith("#"):
        label = words(nodes).lstrip("#")
        label_number = int(label) if re.fullmatch("[0-9]{1,9}", label) else -1
        return PostLink(label_number, nodes, number[1:], url or None)
    return PostLink(int(number), nodes, post_id or None, url or None)


def _countdown(value: str, pieces: Pieces) -> Node | None:
    instant, _, zone = value.removeprefix("=").partition(";")
    try:
        moment = datetime.fromisoformat(unguarded(instant))
    except ValueError:
        return None
    return Countdown(moment, unguarded(zone), as_nodes(pieces)) if moment.tzinfo else None


_Builder: TypeAlias = Callable[[str, Pieces], Node | None]


@dataclass(frozen=True, slots=True)
class Known:
    """A tag: what may follow its name, what it becomes, whether it stands on lines of its own."""

    value: re.Pattern[str]
    build: _Builder
    own_lines: bool = False


def _around(kind: Callable[[Nodes], Node]) -> Known:
    return Known(re.compile(""), lambda _, pieces: kind(as_nodes(pieces)))


def _valued(pattern: str, build: Callable[[str, Nodes], Node], own_lines: bool = False) -> Known:
    return Known(re.compile(pattern), lambda value, pieces: build(_plain(value), as_nodes(pieces)), own_lines)


TAGS: dict[str, Known] = {
    "b": _around(Bold),
    "i": _around(Italic),
    "u": _around(Underline),
    "s": _around(Strike),
    "vote": _around(lambda nodes: VoteTag(Tag.VOTE, nodes)),
    "unvote": _around(lambda nodes: VoteTag(Tag.UNVOTE, nodes)),
    "color": _valued(r"=.+", Colour),
    "size": _valued(f"={SIZE}", lambda value, nodes: Size(percent_of(value), nodes)),
    "h": _valued(r"=[1-6]", lambda value, nodes: Heading(int(value), nodes), own_lines=True),
    "spoiler": _valued(r"(?:=.*)?", lambda value, nodes: Spoiler(nodes, value), own_lines=True),
    "area": _valued(r"(?:=.*)?", lambda value, nodes: Area(nodes, value), own_lines=True),
    "url": _valued(r"(?:=.+)?", lambda value, nodes: Link(value or words(nodes), nodes)),
    "img": Known(re.compile(""), _image),
    "post": Known(re.compile(r"=(?:[0-9]{1,9}|#[0-9]{1,20})(?:;id=[^;]*)?(?:;url=.*)?"), _post),
    "countdown": Known(re.compile(r"=[^;]+(?:;.+)?"), _countdown),
    "quote": Known(re.compile(r"(?:=.*| author=.*)?"), _quote, own_lines=True),
    "list": Known(re.compile(r"(?:=1| type=decimal)?"), _listing, own_lines=True),
    "table": Known(re.compile(""), _table, own_lines=True),
}
# What no text of ours has, and some site: its own name for it is told by a `Spelling`.
TAGS |= {
    "@font": Known(
        re.compile(rf" (?:color=.+|size=\"?{SIZE}\"?)"),
        lambda value, pieces: _font(value.strip(), as_nodes(pieces)),
    ),
    "@time": Known(re.compile(""), _time),
    "@user": _valued(r"=.+", lambda value, _nodes: Mention(value)),
}
INSIDE = {"*": "list", "tr": "table", "td": "tr", "th": "tr"}
ALIASES = {
    "li": "*",
    "colour": "color",
    "strike": "s",
    "row": "tr",
    "cell": "td",
    "header": "th",
}


def may_open(name: str, value: str, inside: str) -> bool:
    """True for a tag that is known, with a value that it can have, where it can stand."""
    if name in INSIDE:
        return inside == INSIDE[name] and not value
    return name in TAGS and TAGS[name].value.fullmatch(value) is not None


def has_own_lines(name: str) -> bool:
    """True where a line end beside the tag belongs to the tag."""
    return name in INSIDE or (name in TAGS and TAGS[name].own_lines)


def built(name: str, value: str, pieces: Pieces, opening: str, closing: str) -> Pieces:
    """What a closed tag becomes: a part, a node, or text around its content where that does not fit."""
    if name in INSIDE:
        return (Part(name, opening, pieces, closing),)
    node = TAGS[name].build(value, pieces)
    return (node,) if node else (*lines(opening), *pieces, *lines(closing))


DEPTH = 40

RAW = frozenset({"code", "nobbc"})
"""The tags whose content nobody reads."""
# An end inside code that was kept from ending it.
_NEUTRAL_CODE = re.compile("\\[\u200b(?=\u200b*/code\\])", re.IGNORECASE)


@lru_cache(maxsize=16)
def _end_of_raw(name: str) -> re.Pattern[str]:
    return re.compile(rf"\[/{re.escape(name)}\]", re.IGNORECASE | re.ASCII)


def guard(text: str) -> str:
    """The text as a value that can never be markup, whatever stands in it."""
    return guarded(clean(text))


def guard_name(name: str) -> str:
    """The name of a player as a value: it is read as a `Name`, and as its letters in code or an attribute."""
    return f"{_NAME}{guard(name)}{_END}"


def guard_given(text: str) -> str:
    """Words of somebody else as a value: they are read as `Given`."""
    return f"{_GIVEN}{guard(text)}{_END}" if text else ""


def guard_title(text: str) -> str:
    """A title as a value: it is read as a `Title`, and as its letters in code or an attribute."""
    return f"{_TITLE}{guard(text)}{_END}" if text else ""


def parse_bbcode(source: str, spelling: Spelling = OURS) -> Nodes:
    """The nodes of a text in BBCode, as a site spells it; never fails."""
    reader = _Reader(source.replace("\r\n", "\n"), spelling)
    reader.read()
    return as_nodes(tuple(reader.stack[0].pieces))


@dataclass(slots=True)
class _Frame:
    """A tag that has been opened: how it was written, and what has been read inside it."""

    name: str
    value: str
    opening: str
    pieces: list[Piece] = field(default_factory=list)


@dataclass(slots=True)
class _Reader:
    """One pass over the source with a stack of open tags; the bottom of the stack is the text itself."""

    source: str
    spelling: Spelling
    stack: list[_Frame] = field(default_factory=lambda: [_Frame("", "", "")])
    too_deep: Counter[str] = field(default_factory=Counter)
    swallow: bool = False  # the next line end belongs to the tag before it
    endless: set[str] = field(default_factory=set)  # raw tags without an end ahead: never searched twice

    def read(self) -> None:
        at = 0
        while tag := TAG.search(self.source, at):
            self._text(self.source[at : tag.start()])

            at = tag.end()

            # `[code]…[/code]` and `[nobbc]…[/nobbc]` are read as one; one that is never closed is text.
            raw = tag[0].lower()[1:-1]
            if (raw in RAW or raw in self.spelling.raw) and raw not in self.endless:
                end = _end_of_raw(raw).search(self.source, at)
                if end is None:
                    self.endless.add(raw)
                else:
                    self.stack[-1].pieces.append(self._raw(raw, self.source[at : end.start()]))
                    self.swallow = False
                    at = end.end()
                    continue

            name, value = ALIASES.get(tag[2].lower(), tag[2].lower()), tag[3]
            if name in self.spelling.names:
                name, added = self.spelling.names[name]
                value = added or value
            if tag[1]:
                self._close(name, tag[0])
            else:
                self._open(name, value, tag[0])
        self._text(self.source[at:])
        self._give_up_to(0)

    def _raw(self, name: str, text: str) -> Node:
        """What stands in a tag whose content nobody reads."""
        if name == "nobbc":
            return Text(f"{self.spelling.seam}{unguarded(text)}{self.spelling.seam}")
        if name == "code":
            return Code(unguarded(_NEUTRAL_CODE.sub("[", text)))
        return Code(unguarded(unhush(text.replace("[\u200b", "["))))

    def _text(self, text: str) -> None:
        if text and self.swallow:
            text = text.removeprefix("\n")
            self.swallow = False
        self.stack[-1].pieces.extend(lines(text))

    def _close(self, name: str, written: str) -> None:
        """End a tag; one that is not open, or was too deep to be, is text."""
        depth = self._depth_of(name)
        if self.too_deep[name]:
            self.too_deep[name] -= 1
            self._text(written)
        elif depth is None:
            self._text(written)
        else:
            self._give_up_to(depth)
            self._end(written)

    def _open(self, name: str, value: str, written: str) -> None:
        """Begin a tag; one that cannot stand here, or stands too deep, is text. A list item ends the last."""
        if name == "*":
            self._give_up_to(self._depth_of("list") or len(self.stack))
        value = self._spelt(name, value)
        if not may_open(name, value, self.stack[-1].name):
            self._text(written)
        elif len(self.stack) > DEPTH:
            self.too_deep[name] += 1
            self._text(written)
        else:
            self.stack.append(_Frame(name, value, written))
            self.swallow = has_own_lines(name)

    def _spelt(self, name: str, value: str) -> str:
        """The value of a tag as we spell it."""
        if name == "size" and (percent := self.spelling.sizes.get(_plain(value))):
            return f"={percent}"
        if name == "@font" and (percent := self.spelling.sizes.get(_plain(value.removeprefix(" size")))):
            return f" size={percent}"
        if name == "quote" and self.spelling.cited and (found := self.spelling.cited.search(value)):
            return f"={_plain(value[: found.start()] + value[found.end() :])} post_id={found[1]}"
        return value

    def _depth_of(self, name: str) -> int | None:
        return next((n for n in range(len(self.stack) - 1, 0, -1) if self.stack[n].name == name), None)

    def _give_up_to(self, depth: int) -> None:
        """End what is open above `depth`: list items end there, other tags were never closed and are text."""
        while len(self.stack) > depth + 1:
            if self.stack[-1].name == "*":
                self._end("")
            else:
                frame = self.stack.pop()
                self.stack[-1].pieces += [*lines(frame.opening), *frame.pieces]

    def _end(self, written: str) -> None:
        frame = self.stack.pop()
        if has_own_lines(frame.name) and frame.pieces and isinstance(frame.pieces[-1], Break):
            frame.pieces.pop()
        self.stack[-1].pieces += built(frame.name, frame.value, tuple(frame.pieces), frame.opening, written)
        self.swallow = has_own_lines(frame.name)


_STOCK = {
    "biggrin": ":D",
    "cheesy": ":D",
    "smile": ":)",
    "smiley": ":)",
    "frown": ":(",
    "sad": ":(",
    "wink": ";)",
    "tongue": ":p",
    "razz": ":p",
    "redface": ":o",
    "surprised": ":o",
    "mad": ":x",
    "cool": "8)",
    "neutral": ":|",
}
_FILE = re.compile(r"(?:^|/)(?:icon_)?([a-z]+)\.\w+$")


def smiley(source: str) -> str | None:
    """The characters behind a stock smiley's picture URL, None for any other picture."""
    name = _FILE.search(source)
    return _STOCK.get(name.group(1)) if name else None
