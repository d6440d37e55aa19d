"""What is written in the place of a node where the site has no form for it.

Each rule gives simpler nodes; a writer asks again until it knows them: table → list → lines; a box or a
heading → a bold line; a spoiler → text between two marks; a countdown → the time in words; a post link → a
link → its label; colour, size and underline are dropped, what was struck out stays marked.
"""

from __future__ import annotations

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

_BAR = Text(" | ")


def simpler(node: Node) -> Nodes:
    """The node in simpler ones; what only decorates leaves its content."""
    match node:
        case Table(rows, head):
            lines = [tuple(part for cell in row for part in (_BAR, *cell))[1:] for row in rows]
            return (
                Listing(tuple((Bold(line),) if head and n == 0 else line for n, line in enumerate(lines))),
            )
        case Listing(items, ordered):
            marks = (f"{n}. " if ordered else "• " for n in range(1, len(items) + 1))
            return tuple(Block((Text(mark), *item)) for mark, item in zip(marks, items, strict=True))
        case Area(inner, title):
            return (Block((*((_bold_line(title),) if title else ()), *inner)),)
        case Heading(_, inner):
            return (Block((Bold(inner),)),)
        case Spoiler(inner, title):
            opening = f"Spoiler ({title}):" if title else "Spoiler:"
            return (_bold_line(opening), Block(inner), _bold_line("(end of spoiler)"))
        case Quote(inner, author):
            return (*((_bold_line(f"{author}:"),) if author else ()), Block(inner))
        case VoteTag(tag, ()):
            return (Bold((Text(tag.name),)),)
        case VoteTag(tag, inner):
            return (Bold((Text("VOTE: " if tag is Tag.VOTE else "UNVOTE: "), *inner)),)
        case Countdown():
            return node.children or (Text(moments.in_words(node)),)
        case PostLink():
            return (Link(node.url, node.children),) if node.url else node.children
        case Mention(name):
            return (Text(f"@{name}"),)
        case Image(alt, url):
            return (Text(alt or url),)
        case Strike(inner):
            return (Text("~~"), *inner, Text("~~"))
        case Code(text):
            return (Text(text),)
        case Aside(_, inner):
            return (Block((Italic(inner),)),)
        case _:
            return children(node)


def _bold_line(text: str) -> Block:
    return Block((Bold((Text(text),)),))
