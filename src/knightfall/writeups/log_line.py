"""The last line of a post, which holds the head of the game's log."""

from __future__ import annotations

from knightfall.engine.heads import line_of
from knightfall.markup.dialects.tree import is_block
from knightfall.markup.nodes import Break, Nodes, Text
from knightfall.writeups.render import Written, in_dialect


def under(nodes: Nodes, line: str) -> Nodes:
    """The post with the line under it, a blank line between them; as it is for ""."""
    if not line:
        return nodes
    gap = (Break(),) if nodes and is_block(nodes[-1]) else (Break(), Break())
    return (*nodes, *(gap if nodes else ()), Text(line))


def with_line(text: str, line: str, dialect: str) -> str:
    """The same of a post that is written in a dialect already; one that has its line keeps it."""
    if not line or line_of(text):
        return text
    if isinstance(text, Written):
        return in_dialect(under(text.nodes, line), dialect)
    return f"{text.rstrip()}\n\n{line}"
