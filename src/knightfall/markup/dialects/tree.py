"""What all dialects ask of nodes and texts: blocks, insides, bare words, and what would call a user."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from knightfall.markup.boards import UNSEEN, Board, apart
from knightfall.markup.nodes import (
    Area,
    Aside,
    Block,
    Break,
    Code,
    Given,
    Heading,
    Image,
    Listing,
    Mention,
    Node,
    Nodes,
    Quote,
    Spoiler,
    Table,
    Text,
)

BLOCKS = (Area, Aside, Block, Heading, Listing, Quote, Spoiler, Table)

# Control characters, lone surrogates, and the noncharacters that `bbcode` and `bbcode_family` use themselves.
_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef]")
_LINE_END = re.compile("\r\n|[\r\x85\u2028\u2029]")
CALLS = frozenset({"all", "channel", "everyone", "here"})
"""Names that call many at once on one site or another: nobody who plays is mentioned by them."""
# An @ that may call: before `everyone` or `here` wherever it stands, and at the end of a line, where the next
# node may go on with such a word; at the start of a word before anything. `%s` is where `hush` puts a space.
_AT = r"(?:@%s(?=\u200b*(?:everyone|here|$))|(?<![^\W_])@%s(?=\S))"
CALL = _AT % ("", "")
"""The @ of a call, as a pattern that minds neither case nor lines."""
_PING = re.compile(CALL, re.IGNORECASE | re.MULTILINE)
_HUSHED = re.compile(_AT % ("\u200b", "\u200b"), re.IGNORECASE | re.MULTILINE)
_SIGN = re.compile("u/", re.IGNORECASE)
# `u/Ada`, `/u/Ada` and doubled forms at the start of a word, not in a path.
_USERS = re.compile(r"(?<![^\W_])(?<![^\W_]/)/?(?:u/)+(?=[^\s\u200b])", re.IGNORECASE)
# What a link may begin with: the schemes of the web, and addresses on the site itself.
_WEB = re.compile(r"(?:https?://|mailto:|[/.?#])", re.IGNORECASE)
# What a URL must not hold as it stands: what is markup somewhere, and the letters that nobody sees.
_UNSAFE_IN_URL = re.compile("[\\s\\[\\]()<>\"'`\\\\|{}\u00ad\u200b-\u200f\u2060\ufeff]")


_LONGEST_IN_LINE = 200
"""Letters of code that still stands within a line."""


def is_block(node: Node) -> bool:
    """True for a node that begins and ends a line; code that is long, such as a file, does, too."""
    if isinstance(node, Code):
        return "\n" in clean(node.text) or len(node.text) > _LONGEST_IN_LINE
    return isinstance(node, BLOCKS)


def children(node: Node) -> Nodes:
    """What stands inside, whatever the node calls it."""
    if isinstance(node, Listing):
        return tuple(child for item in node.items for child in item)
    if isinstance(node, Table):
        return tuple(child for row in node.rows for cell in row for child in cell)
    if isinstance(node, Text | Break | Mention | Image | Code):
        return ()
    return node.children


def with_children(node: Node, change: Callable[[Nodes], Nodes]) -> Node:
    """The node with what stands inside it changed, whatever the node calls it."""
    match node:
        case Listing(items):
            return replace(node, items=tuple(map(change, items)))
        case Table(rows):
            return replace(node, rows=tuple(tuple(map(change, row)) for row in rows))
        case Text() | Break() | Mention() | Image() | Code():
            return node
        case _:
            return replace(node, children=change(node.children))


def has_block(nodes: Nodes) -> bool:
    """True where there is a block at any depth."""
    return any(is_block(node) or has_block(children(node)) for node in nodes)


def as_given(nodes: Nodes) -> Nodes:
    """The same nodes as the words of somebody else."""
    return tuple(map(_given, nodes))


def as_typed(nodes: Nodes) -> Nodes:
    """The same nodes as a moderator typed them into a template of their own: names stay names."""
    return tuple(Given(node.text) if type(node) is Text else with_children(node, as_typed) for node in nodes)


def _given(node: Node) -> Node:
    return Given(node.text) if isinstance(node, Text) else with_children(node, as_given)


def with_texts_in_pieces(nodes: Nodes, board: Board) -> Iterator[Node | tuple[str, ...]]:
    """The nodes, each run of texts as the pieces between which something unseen must stand."""
    for is_text, run in groupby(nodes, key=lambda node: isinstance(node, Text)):
        if is_text:
            yield apart([node for node in run if isinstance(node, Text)], board)
        else:
            yield from run


def with_guarded_texts(nodes: Nodes, board: Board) -> Iterator[Node]:
    """The nodes, each run of texts as one text of which the board makes nothing else."""
    for node in with_texts_in_pieces(nodes, board):
        yield Text(UNSEEN.join(node)) if isinstance(node, tuple) else node


def runs(nodes: Nodes) -> Iterator[Nodes]:
    """The nodes cut into single blocks and runs of what flows within lines."""
    for block, run in groupby(nodes, key=lambda node: has_block((node,))):
        if block:
            yield from ((node,) for node in run)
        else:
            yield tuple(run)


def words(nodes: Nodes) -> str:
    """The bare text on one line."""
    said: list[str] = []
    for node in nodes:
        match node:
            case Text(text) | Code(text):
                said.append(clean(text).replace("\n", " "))
            case Break():
                said.append(" ")
            case Mention(name):
                said.append(f"@{name}")
            case Image(alt):
                said.append(alt)
            case _:
                said.append(words(children(node)))
    return "".join(said)


_UNSEEN = ("Mn", "Me", "Cf")


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows as lines, every column as wide as its widest cell."""
    count = max((len(row) for row in rows), default=0)
    widths = [max((_width(row[n]) for row in rows if n < len(row)), default=0) for n in range(count)]
    padded = (
        (cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=False))
        for row in rows
    )
    return ["  ".join(row).rstrip() for row in padded]


def _width(text: str) -> int:
    """Columns in a terminal: wide letters take two, combining marks and what is not seen none."""
    return sum(
        0 if unicodedata.category(char) in _UNSEEN else 1 + (unicodedata.east_asian_width(char) in "WF")
        for char in text
    )


def clean(text: str) -> str:
    """The text without control characters, lone surrogates and the noncharacters that we use ourselves."""
    if text.isascii() and text.isprintable():
        return text
    return _UNWRITABLE.sub("", _LINE_END.sub("\n", text))


def hush(text: str) -> str:
    """`@everyone`, `@Ada` or a group's `@mods` call nobody: a zero-width space follows the @. Which names
    call whom is the site's to say, so an @ is left alone only in an address (`ada@example.org`) or before a
    blank; who is meant to be called is a `Mention`."""
    return _PING.sub("@\u200b", text)


def hush_users(text: str) -> str:
    """Hush a text for Reddit, which also calls by `u/` and `/u/` at the start of a word. A path such as
    `example.org/u/Ada` is left alone: it calls nobody."""
    return _USERS.sub(lambda found: _SIGN.sub("\\g<0>\u200b", found[0]), hush(text))


def unhush(text: str) -> str:
    """The text before `hush`."""
    return _HUSHED.sub("@", text)


def web_address(url: str) -> str | None:
    """The URL with nothing in it that a dialect could read as markup or as a call; None where it is no link
    to the web."""
    url = _PING.sub("%40", clean(url).strip())
    if not _WEB.match(url):
        return None
    return _UNSAFE_IN_URL.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), url)
