"""Does Markdown show exactly the emphasis that was meant, letter for letter?"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it.token import Token

from knightfall.markup.dialects import DIALECTS
from knightfall.markup.dialects.markdown_family import Markdown
from knightfall.markup.dialects.tree import children, clean, hush
from knightfall.markup.nodes import Bold, Italic, Node, Nodes, Strike, Text
from markup.dialect_samples import texts
from markup.marks import markdown

KINDS = {Bold: "strong", Italic: "em", Strike: "s"}
Shown = list[tuple[str, frozenset[str]]]
"""Every letter that is seen, and the emphasis it stands in."""


def _emphasised(inner: st.SearchStrategy[list[Node]]) -> st.SearchStrategy[Nodes]:
    nodes = inner.map(tuple)
    return st.one_of(*(st.builds(kind, nodes) for kind in KINDS))


trees = st.lists(
    st.recursive(
        st.builds(Text, texts),
        lambda node: _emphasised(st.lists(node, min_size=1, max_size=3)),
        max_leaves=6,
    ),
    min_size=1,
    max_size=5,
).map(tuple)


def _meant(nodes: Nodes, around: frozenset[str] = frozenset()) -> Shown:
    shown: Shown = []
    for node in nodes:
        if isinstance(node, Text):
            shown += [(char, around) for char in hush(clean(node.text)) if not char.isspace()]
        else:
            shown += _meant(children(node), around | {KINDS[type(node)]})
    return shown


def _seen(tokens: list[Token]) -> Iterator[tuple[str, frozenset[str]]]:
    around: list[str] = []
    for token in (child for block in tokens for child in block.children or []):
        if token.type.endswith("_open"):
            around.append(token.tag)
        elif token.type.endswith("_close"):
            assert around.pop() == token.tag
        else:
            yield from ((char, frozenset(around)) for char in token.content if not char.isspace())


def _letters(shown: Shown) -> Shown:
    """Without the zero-width spaces that keep marks apart."""
    return [(char, around) for char, around in shown if char != "\u200b"]


@pytest.mark.parametrize(
    "one", [one for one in DIALECTS if isinstance(one, Markdown)], ids=lambda one: one.name
)
@given(nodes=trees)
def test_markdown_renders_to_exactly_the_emphasis_that_was_meant(one: Markdown, nodes: Nodes) -> None:
    seen = list(_seen(markdown(one.write((Text("x"), *nodes)))))
    assert _letters(seen) == _letters([("x", frozenset()), *_meant(nodes)])
