"""What does a body say in its author's own words? As the vote reader hears it: nothing quoted or hidden."""

from __future__ import annotations

from knightfall.markup.bbcode import parse_bbcode
from knightfall.markup.flavour import Flavour
from knightfall.markup.html import parse_html
from knightfall.markup.nodes import Nodes
from knightfall.votes.lines import TAG_MARK, Line, Region, lines_of


def words_of_html(body: str, flavour: Flavour) -> str:
    """The author's own lines of a post's body; quotes, spoilers, struck text, code and signature are gone."""
    return _words(parse_html(body, flavour))


def words_of_bbcode(text: str) -> str:
    """The same of a text as it is typed on a forum."""
    return _words(parse_bbcode(text))


def _words(nodes: Nodes) -> str:
    lines = (_tagged(line).strip() for line in lines_of(nodes) if line.region is Region.LIVE)
    return "\n".join(line for line in lines if line)


def _tagged(line: Line) -> str:
    """The line with its vote tags in words: “VOTE: Ada”."""
    parts = line.text.split(TAG_MARK)
    tags = [f"{tag.tag.name}: {tag.text}" for tag in line.tags]
    return "".join(word for pair in zip(parts, [*tags, ""], strict=False) for word in pair)
