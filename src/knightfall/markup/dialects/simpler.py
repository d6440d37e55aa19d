"""What is written in the place of a node where the site has no form for it.

Each rule gives simpler nodes; a writer asks again until it knows them: a table → aligned columns, or lines
where a cell holds links; a list → lines; a box or a heading → a bold line; a spoiler → text between two
marks; a countdown → the time in words; a post link → a link → its label; what was struck out → “(was …)”;
colour, size and underline are dropped.
"""

from __future__ import annotations

from knightfall.markup.dialects import moments
from knightfall.markup.dialects.tree import children, clean, columns, hush, words
from knightfall.markup.nodes import (
    Area,
    Aside,
    Block,
    Bold,
    Break,
    Code,
    Countdown,
    Given,
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

_WIDEST = 100
"""So many letters of a line stand side by side in a box of code on most boards."""
_MEANS_MORE = (
    Break | Link | PostLink | Mention | Strike | VoteTag | Code | Countdown | Quote | Spoiler | Listing
)
"""What a cell would lose in a box of code, or what would end its line."""


def simpler(node: Node) -> Nodes:
    """The node in simpler ones; what only decorates leaves its content."""
    match node:
        case Table():
            return _without_table(node)
        case Listing(items, ordered):
            marks = (f"{n}. " if ordered else "• " for n in range(1, len(items) + 1))
            return tuple(Block((Text(mark), *item)) for mark, item in zip(marks, items, strict=True))
        case Area(inner, title):
            return (Block((*((_bold_line(title),) if title else ()), *inner)),)
        case Heading(_, inner):
            return (Block((Bold(inner),)),)
        case Spoiler(inner, title):
            opening = f"{title.rstrip(':')}:" if title else "Spoiler:"
            ending = "(end)" if title else "(end of spoiler)"
            return (_bold_line(opening), Block(inner), _bold_line(ending))
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
            return (Given(alt or url),)  # a smiley is meant as one
        case Strike(inner):
            return (Text("(was "), *inner, Text(")"))
        case Code(text):
            return (Text(text),)
        case Aside(_, inner):
            return (Block((Italic(inner),)),)
        case _:
            return children(node)


def _without_table(table: Table) -> Nodes:
    """A table as columns in a box of code; as a line for each row where a cell holds what code cannot."""
    if not any(_means_more(cell) for row in table.rows for cell in row):
        lines = columns([[hush(clean(words(cell)).replace("\n", " ")) for cell in row] for row in table.rows])
        if max(map(len, lines), default=0) <= _WIDEST:
            return (Block((Code("\n".join(lines)) if len(lines) > 1 else Text("".join(lines)),)),)

    # “Ada – Votes: 3; Voters: Boro, Fen”: each cell behind its head; who has none is a cell like the others.
    heads = table.rows[0] if table.head and len(table.rows) > 1 else ()
    written: list[Node] = []
    for row in table.rows[1:] if heads else table.rows:
        line: list[Node] = []
        for n, cell in enumerate(row):
            if not words(cell).strip():
                continue
            named = n > 0 and n < len(heads) and words(heads[n]).strip()
            mark = "" if not line else " – " if n == 1 or not heads else "; "
            line += [Text(f"{mark}{words(heads[n]).strip()}: " if named else mark)] if mark or named else []
            line += [Bold(cell)] if n == 0 and heads else cell
        written.append(Block(tuple(line)))
    return tuple(written)


def _means_more(nodes: Nodes) -> bool:
    return any(isinstance(node, _MEANS_MORE) or _means_more(children(node)) for node in nodes)


def _bold_line(text: str) -> Block:
    return Block((Bold((Text(text),)),))
