"""The dialect of Invision Community 4 and later: HTML, to be pasted as rich text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from html import escape
from itertools import dropwhile
from typing import Literal

from knightfall.markup.boards import NO_BOARD, Board, board_of
from knightfall.markup.dialects.shapes import Tagged, form_of, shape_of
from knightfall.markup.dialects.simpler import simpler
from knightfall.markup.dialects.tree import (
    children,
    clean,
    has_block,
    hush,
    is_block,
    runs,
    with_guarded_texts,
)
from knightfall.markup.nodes import Break, Code, Heading, Listing, Node, Nodes, Table, Text

_SPOILER = (
    '<div class="ipsSpoiler" data-ipsspoiler=""><div class="ipsSpoiler_header"><span>{title}</span></div>'
    '<div class="ipsSpoiler_contents">{body}</div></div>'
)
FORMS: Mapping[str, str] = {
    "bold": "<strong>{body}</strong>",
    "italic": "<em>{body}</em>",
    "underline": "<u>{body}</u>",
    "strike": "<s>{body}</s>",
    "colour": '<span style="color:{colour}">{body}</span>',
    "size": '<span style="font-size:{percent}%">{body}</span>',
    "heading": "<h{level}>{body}</h{level}>",
    "link": '<a href="{url}">{body}</a>',
    "image": '<img src="{url}" alt="{alt}">',
    "quote": '<blockquote class="ipsQuote" data-ipsquote="">{body}</blockquote>',
    "quote_by": (
        '<blockquote class="ipsQuote" data-ipsquote="" data-ipsquote-username="{author}">'
        '<div class="ipsQuote_citation">{author}</div>{body}</blockquote>'
    ),
    "spoiler": _SPOILER.replace("{title}", "Spoiler"),
    "spoiler_titled": _SPOILER,
    "list": "<ul>{body}</ul>",
    "ordered": "<ol>{body}</ol>",
    "table": "<table><tbody>{body}</tbody></table>",
    "code": '<pre class="ipsCode">{body}</pre>',
    "mention": "@{name}",
}


@dataclass(frozen=True, slots=True)
class Html(Tagged):
    """HTML by its forms, of which `code` is always there; `tags` are those of `shapes.TAGS` that the site has
    (None: all that have a form). It sets no practical limit. `board` is what shows it (None: the board whose
    posts are written in this dialect)."""

    board: Board | None = field(default=None, repr=False)
    max_length: int | None = None
    unit: Literal["chars", "bytes"] = "chars"

    def write(self, nodes: Nodes) -> str:
        """The nodes as HTML, one block a line."""
        written: list[str] = []
        for group in runs(nodes):
            # A run of text is a paragraph, which makes the line ends before and after it anyway.
            if not has_block(group):
                if stripped := _stripped(group):
                    written.append(f"<p>{self._inline(stripped)}</p>")
            elif isinstance(node := group[0], Code):
                written.append(self.forms["code"].format(body=_text(node.text)))
            else:
                written.append(self._filled(node) if is_block(node) else self.write(simpler(node)))
        return "\n".join(written)

    def _inline(self, nodes: Nodes) -> str:
        written: list[str] = []
        for node in with_guarded_texts(nodes, self.board or board_of(self.name)):
            match node:
                case Text(text):
                    written.append(_text(text).replace("\n", "<br>"))
                case Break():
                    written.append("<br>")
                case Code(text):
                    written.append(f"<code>{_text(text)}</code>")
                case _:
                    written.append(self._filled(node))
        return "".join(written)

    def _filled(self, node: Node) -> str:
        shape = shape_of(node)
        form = form_of(shape, self.forms, self.tags)
        if form is None:
            return self.write(simpler(node)) if is_block(node) else self._inline(simpler(node))
        values = {key: _text(value) for key, value in shape.values.items()}
        return form.format_map({**values, "body": self._body(node)})

    def _body(self, node: Node) -> str:
        match node:
            case Listing(items):
                return "".join(f"<li>{self._tight(item)}</li>" for item in items)
            case Table(rows, head):
                written = ""
                for n, row in enumerate(rows):
                    tag = "th" if head and n == 0 else "td"
                    cells = (f"<{tag}>{self._tight(cell)}</{tag}>" for cell in row)
                    written += f"<tr>{''.join(cells)}</tr>"
                return written
            case _ if is_block(node) and not isinstance(node, Heading):
                return self.write(children(node))
            case _:
                return self._tight(children(node))

    def _tight(self, nodes: Nodes) -> str:
        """The nodes, without a paragraph around what is a single run."""
        return self.write(nodes) if has_block(nodes) else self._inline(nodes)


IPS = Html(name="ips", forms=FORMS, tags=("spoiler", "table", "strike"))

AS_READ = replace(IPS, board=NO_BOARD)
"""The HTML of what stands in a thread already: no board makes anything of it again."""


def _text(text: str) -> str:
    return escape(hush(clean(text)))


def _stripped(nodes: Nodes) -> Nodes:
    """The nodes without line ends before and after them."""
    tail = tuple(dropwhile(lambda node: isinstance(node, Break), reversed(nodes)))
    return tuple(dropwhile(lambda node: isinstance(node, Break), reversed(tail)))
