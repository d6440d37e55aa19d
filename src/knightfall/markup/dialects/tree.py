"""What do all dialects ask about a node: is it a block, what is inside, what does it say in bare words?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from knightfall.markup.nodes import (
    Area,
    Aside,
    Block,
    Break,
    Code,
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

_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef]")
_LINE_END = re.compile("\r\n|[\r\x85\u2028\u2029]")
CALLS = frozenset({"all", "channel", "everyone", "here"})
"""Names that call many at once on one site or another: nobody who plays is mentioned by them."""
_AT = r"(?:@%s(?=\u200b*(?:everyone|here|$))|(?<![^\W_])@%s(?=\S))"
_PING = re.compile(_AT % ("", ""), re.IGNORECASE | re.MULTILINE)
_HUSHED = re.compile(_AT % ("\u200b", "\u200b"), re.IGNORECASE | re.MULTILINE)
_SIGN = re.compile("u/", re.IGNORECASE)
_USERS = re.compile(r"(?<![^\W_])(?<![^\W_]/)/?(?:u/)+(?=[^\s\u200b])", re.IGNORECASE)
_WEB = re.compile(r"(?:https?://|mailto:|[/.?#])", re.IGNORECASE)
_UNSAFE_IN_URL = re.compile(r"[\s\[\]()<>\"'`\\|{}]")


def is_block(node: Node) -> bool:
    """Does the node begin and end a line?"""
    return isinstance(node, BLOCKS) or (isinstance(node, Code) and "\n" in clean(node.text))


def children(node: Node) -> Nodes:
    """What stands inside, whatever the node calls it."""
    if isinstance(node, Listing):
        return tuple(child for item in node.items for child in item)
    if isinstance(node, Table):
        return tuple(child for row in node.rows for cell in row for child in cell)
    if isinstance(node, Text | Break | Mention | Image | Code):
        return ()
    return node.children


def has_block(nodes: Nodes) -> bool:
    """Is there a block at any depth?"""
    return any(is_block(node) or has_block(children(node)) for node in nodes)


def runs(nodes: Nodes) -> Iterator[Nodes]:
    """The nodes cut into single blocks and runs of what flows within lines."""
    for block, run in groupby(nodes, key=lambda node: has_block((node,))):
        if block:
            yield from ((node,) for node in run)
        else:
            yield tuple(run)


def words(nodes: Nodes) -> str:
    """The bare text on one line."""
    return "".join(_words(node) for node in nodes)


def _words(node: Node) -> str:
    match node:
        case Text(text) | Code(text):
            return clean(text).replace("\n", " ")
        case Break():
            return " "
        case Mention(name):
            return f"@{name}"
        case Image(alt):
            return alt
        case _:
            return words(children(node))


def clean(text: str) -> str:
    """Without control characters, lone surrogates and the noncharacters that we use ourselves."""
    return _UNWRITABLE.sub("", _LINE_END.sub("\n", text))


def hush(text: str) -> str:
    """`@everyone`, `@Ada` or a group's `@mods` call nobody: a zero-width space follows the @. Which names
    call whom is the site's to say, so an @ is left alone only in an address (`ada@example.org`) or before a
    blank; who is meant to be called is a `Mention`."""
    return _PING.sub("@\u200b", text)


def hush_users(text: str) -> str:
    """`hush`, and the same behind `u/` and `/u/` at the start of a word, by which Reddit calls. A path such
    as `example.org/u/Ada` is left alone: it calls nobody."""
    return _USERS.sub(lambda found: _SIGN.sub("\\g<0>\u200b", found[0]), hush(text))


def unhush(text: str) -> str:
    """The text before `hush`."""
    return _HUSHED.sub("@", text)


def web_address(url: str) -> str | None:
    """The URL with nothing in it that a dialect could read as markup or as a call; None where it is no link
    to the web."""
    url = _PING.sub("%40", clean(url).strip())
    return _UNSAFE_IN_URL.sub(_percent, url) if _WEB.match(url) else None


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode())
