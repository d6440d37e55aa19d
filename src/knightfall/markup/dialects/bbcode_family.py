"""How are nodes written in BBCode? One writer; what differs between the sites is data.

Names and texts are data: a "[" that could begin a tag is followed by a zero-width space, values of attributes
lose what could end them. Every form opens and closes its own tags, so nothing is left open.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from knightfall.markup.dialects.shapes import Shape, shape_of
from knightfall.markup.dialects.simpler import simpler
from knightfall.markup.dialects.tree import BLOCKS, children, clean, hush
from knightfall.markup.nodes import Break, Code, Countdown, Heading, Listing, Node, Nodes, Table, Text

STOCK: Mapping[str, str] = {
    "block": "{body}",
    "bold": "[b]{body}[/b]",
    "italic": "[i]{body}[/i]",
    "underline": "[u]{body}[/u]",
    "colour": "[color={colour}]{body}[/color]",
    "size": "[size={size}]{body}[/size]",
    "link": "[url={url}]{body}[/url]",
    "image": "[img]{url}[/img]",
    "quote": "[quote]{body}[/quote]",
    "quote_by": '[quote="{author}"]{body}[/quote]',
    "code": "[code]{text}[/code]",
    "list": "[list]{body}[/list]",
    "ordered": "[list=1]{body}[/list]",
    "item": "[*]{body}",
    "mention": "@{name}",
}

# What a value must not hold, inside a tag, on any of the sites.
ATTRIBUTE: Mapping[str, str] = {"[": "(", "]": ")", '"': "'", "\n": " ", "\t": " "}

_NEW_LINE = "\ufddf"  # "here a line begins": taken out again by `_settled`, never part of a text
_TAG_LIKE = re.compile(r"\[(?![\d\s\[\]])")
_NEEDLESS = re.compile(f"(\\A|\n){_NEW_LINE}+|{_NEW_LINE}+\\Z")


@dataclass(frozen=True, slots=True)
class BBCode:
    """A site's BBCode: `forms` by key (see `shapes`), `sizes` as (percent, how the site says it)."""

    name: str
    forms: Mapping[str, str] = field(repr=False)
    sizes: tuple[tuple[int, str], ...] = ()
    size_range: tuple[int, int] = (10, 200)
    attribute: Mapping[str, str] = field(default_factory=lambda: ATTRIBUTE)
    code_is_raw: bool = True
    max_length: int | None = None
    unit: Literal["chars", "bytes"] = "chars"

    def write(self, nodes: Nodes) -> str:
        """The nodes as text to paste into the site's editor."""
        return _settled(self._all(nodes))

    def _all(self, nodes: Nodes) -> str:
        return "".join(self._one(node) for node in nodes)

    def _one(self, node: Node) -> str:
        if isinstance(node, Text):
            return neutral(node.text)
        if isinstance(node, Break):
            return "\n"
        shape = shape_of(node)
        form = next((self.forms[key] for key in shape.keys if key in self.forms), None)
        return self._all(simpler(node)) if form is None else self._filled(form, node, shape)

    def _filled(self, form: str, node: Node, shape: Shape) -> str:
        values = {key: self._value(key, value) for key, value in shape.values.items()}
        values["body"] = self._body(node)
        if isinstance(node, Code):
            if not self.code_is_raw:
                code = neutral(node.text)
            else:
                closing = re.escape(form.rpartition("[")[2])
                code = re.sub(f"\\[(?=\u200b*{closing})", "[\u200b", clean(node.text), flags=re.IGNORECASE)

            values["text"] = code
        if "percent" in values:
            percent = int(values["percent"])
            if self.sizes:
                size = min(self.sizes, key=lambda step: abs(step[0] - percent))[1]
            else:
                size = str(min(max(percent, self.size_range[0]), self.size_range[1]))
            values["size"] = size
        if not isinstance(node, BLOCKS):
            on_own_lines = form
        else:
            inner = (
                form
                if isinstance(node, Heading)
                else form.replace("{body}", f"{_NEW_LINE}{{body}}{_NEW_LINE}")
            )
            on_own_lines = f"{_NEW_LINE}{inner}{_NEW_LINE}"

        return on_own_lines.format_map(values)

    def _value(self, key: str, value: str) -> str:
        if key == "url":
            return value
        return "".join(self.attribute.get(char, char) for char in hush(clean(value)))

    def _body(self, node: Node) -> str:
        match node:
            case Listing(items):
                return "".join(_NEW_LINE + self.forms["item"].format(body=self._all(item)) for item in items)
            case Table(rows, head):
                return "".join(self._row(row, head and n == 0) for n, row in enumerate(rows))
            case Countdown():
                return self._all(simpler(node))
            case _:
                return self._all(children(node))

    def _row(self, row: tuple[Nodes, ...], head: bool) -> str:
        cell = self.forms["head_cell" if head else "cell"]
        return _NEW_LINE + self.forms["row"].format(body="".join(cell.format(body=self._all(c)) for c in row))


def neutral(text: str) -> str:
    """The text such that no site finds a tag in it: `[b]` becomes `[`, zero-width space, `b]`."""
    return _TAG_LIKE.sub("[\u200b", hush(clean(text)))


def _settled(text: str) -> str:
    """Line marks become line ends, except where a line begins anyway."""
    return re.sub(f"{_NEW_LINE}+", "\n", _NEEDLESS.sub(r"\1", text))
