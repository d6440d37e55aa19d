"""How is a node said where the site has no form for it?

Each rule gives simpler nodes; a writer asks again until it knows them: table → list → lines; a box or a
heading → a bold line; a spoiler → text between two marks; a countdown → the time in words; a post link → a
link → its label; colour, size and underline are dropped, what was struck out stays marked.
"""

from __future__ import annotations

from functools import singledispatch

from knightfall.markup.dialects import moments
from knightfall.markup.dialects.tree import children
from knightfall.markup.nodes import (
    Area,
    Aside,
    Block,
    Bold,
    Code,
    Countdown,
    Heading,
    Image,
    Italic,
    Link,
    Listing,
    Mention,
    Node,
    Nodes,
    PostLink,
    Quote,
    Spoiler,
    Strike,
    Table,
    Tag,
    Text,
    VoteTag,
)


@singledispatch
def simpler(node: Node) -> Nodes:
    """The node in simpler ones; what only decorates leaves its content."""
    return children(node)


@simpler.register
def _table(node: Table) -> Nodes:
    rows = tuple(_joined(row) for row in node.rows)
    if node.head and rows:
        rows = ((Bold(rows[0]),), *rows[1:])
    return (Listing(rows),)


def _joined(cells: tuple[Nodes, ...]) -> Nodes:
    parts = [node for cell in cells for node in (Text(" | "), *cell)]
    return tuple(parts[1:])


@simpler.register
def _listing(node: Listing) -> Nodes:
    marks = (f"{n}. " if node.ordered else "• " for n in range(1, len(node.items) + 1))
    return tuple(Block((Text(mark), *item)) for mark, item in zip(marks, node.items, strict=True))


@simpler.register
def _area(node: Area) -> Nodes:
    title = (Block((Bold((Text(node.title),)),)),) if node.title else ()
    return (Block((*title, *node.children)),)


@simpler.register
def _heading(node: Heading) -> Nodes:
    return (Block((Bold(node.children),)),)


@simpler.register
def _spoiler(node: Spoiler) -> Nodes:
    opening = f"Spoiler ({node.title}):" if node.title else "Spoiler:"
    return (_bold_line(opening), Block(node.children), _bold_line("(end of spoiler)"))


def _bold_line(text: str) -> Block:
    return Block((Bold((Text(text),)),))


@simpler.register
def _quote(node: Quote) -> Nodes:
    by = (_bold_line(f"{node.author}:"),) if node.author else ()
    return (*by, Block(node.children))


@simpler.register
def _vote(node: VoteTag) -> Nodes:
    if not node.children:
        return (Bold((Text(node.tag.name),)),)
    return (Bold((Text("VOTE: " if node.tag is Tag.VOTE else "UNVOTE: "), *node.children)),)


@simpler.register
def _countdown(node: Countdown) -> Nodes:
    return node.children or (Text(moments.in_words(node)),)


@simpler.register
def _post_link(node: PostLink) -> Nodes:
    return (Link(node.url, node.children),) if node.url else node.children


@simpler.register
def _mention(node: Mention) -> Nodes:
    return (Text(f"@{node.name}"),)


@simpler.register
def _image(node: Image) -> Nodes:
    return (Text(node.alt or node.url),)


@simpler.register
def _strike(node: Strike) -> Nodes:
    return (Text("~~"), *node.children, Text("~~"))


@simpler.register
def _code(node: Code) -> Nodes:
    return (Text(node.text),)


@simpler.register
def _aside(node: Aside) -> Nodes:
    return (Block((Italic(node.children),)),)
