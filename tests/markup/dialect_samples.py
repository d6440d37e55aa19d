"""Which nodes do the tests of dialects and reader work on? One sample of everything, and any tree at all."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from knightfall.markup.dialects.tree import clean
from knightfall.markup.nodes import (
    Area,
    Aside,
    Block,
    Bold,
    Break,
    Code,
    Colour,
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
    Size,
    Spoiler,
    Strike,
    Table,
    Tag,
    Text,
    Underline,
    VoteTag,
)

URL = "https://forum.example/viewtopic.php?p=1270031#p1270031"
DEADLINE = datetime(2026, 11, 26, 1, tzinfo=UTC)


def t(text: str) -> Nodes:
    return (Text(text),)


SAMPLE: Nodes = (
    Heading(2, t("Day 1")),
    Text("Ada, [b]ob and __Ada__ met Mr_T, 日本太郎 & Dusk_77."),
    Break(),
    Text("1. not a list; @everyone is nobody; x[/area] ends nothing."),
    Break(),
    Break(),
    Bold(t("bold")),
    Text(" "),
    Italic(t("italic")),
    Text(" "),
    Underline(t("underlined")),
    Text(" "),
    Strike(t("struck")),
    Text(" "),
    Colour("#cc0000", t("red")),
    Text(" "),
    Size(75, t("small")),
    Text(" "),
    Bold((Text("a "), Italic(t("b")))),
    Bold(t("Fen")),
    Text("x"),
    Break(),
    Link("https://forum.example/a_(b)", t("a link")),
    Text(", post "),
    PostLink(31, t("31"), "1270031", URL),
    Text(", "),
    Mention("Elm"),
    Text(" "),
    Image(":)", "./smile.gif"),
    Text(" "),
    Image("wagons", "https://forum.example/wagons.png"),
    Text(" "),
    Code("[b]raw[/b] `x`"),
    Break(),
    VoteTag(Tag.VOTE, t("Fen")),
    Break(),
    VoteTag(Tag.UNVOTE, ()),
    Block(t("A paragraph.")),
    Block(t("Another.")),
    Quote((Text("I said"), Break(), Text("two lines.")), "Kestrel", "1270029"),
    Quote((Bold(t("nobody")), Quote(t("said it"), "[b]ob"))),
    Spoiler(t("The butler."), "Who did it]"),
    Spoiler(t("It was Lumen.")),
    Area((Text("inside"), Break(), Text("the box"), Listing((t("in it"),))), "Votecount 1.03"),
    Area(t("no title")),
    Code("def f():\n    return '[/code]'"),
    Listing((t("Ada"), (Text("Boro"), Listing((t("Cinder"), t("Elm")), ordered=True)))),
    Table(((t("Name"), t("Votes")), (t("Fen|"), (Bold(t("4")),)), (t("日本太郎"), t("12")))),
    Table(((t("a"), t("b")),), head=False),
    Text("Day 1 ends: "),
    Countdown(DEADLINE, "America/New_York"),
    Text(" or "),
    Countdown(DEADLINE, "Europe/London", t("tonight")),
    Aside("edited", t("Last edited by Moth.")),
)

NASTY = (
    "[b]",
    "[/b]",
    "[/area]",
    "[/quote]",
    "x]",
    "[*]",
    "[code]",
    "[/code]",
    "[\u200bb]",
    "@everyone",
    "@",
    "<script>",
    "**x**",
    "__Ada__",
    "`",
    "```",
    "~~",
    "1. a",
    "- a",
    "# a",
    "> a",
    ">!a!<",
    "===",
    "---",
    "    a",
    "a\nb",
    "\n\n1) a",
    "| a | b |\n| --- | --- |",
    "[a](https://evil.example)",
    "[a]: https://evil.example",
    '" post_id=9',
    "', pid='9",
    ", post: 9",
    "\\",
    "\u00a0",
    "&amp;",
    "{body}",
)
texts = st.one_of(st.sampled_from(NASTY), st.text(max_size=8), st.sampled_from(["Ada", "Boro ", " Elm"]))
thorough = settings(max_examples=max(40, settings().max_examples))
"""For what is quick: thirty trees do not show whether lines of Markdown begin with marks, and thirty texts
are not all that is nasty."""
_names = st.sampled_from(["Ada", "Mr_T", "日本太郎", "x: y"])


def _inner(children: st.SearchStrategy[Nodes]) -> st.SearchStrategy[Node]:
    digits = st.one_of(st.none(), st.integers(0, 99_999).map(str))
    return st.one_of(
        st.builds(Bold, children),
        st.builds(Italic, children),
        st.builds(Underline, children),
        st.builds(Colour, st.sampled_from(["red", "#cc0000"]), children),
        st.builds(Size, st.sampled_from([50, 75, 150]), children),
        st.builds(Link, st.just(URL), children),
        st.builds(PostLink, st.integers(0, 999), children),
        st.builds(VoteTag, st.sampled_from(Tag), children),
        st.builds(Quote, children),
        st.builds(Quote, children, _names, digits),
        st.builds(Spoiler, children, st.one_of(st.just(""), _names)),
        st.builds(Area, children, st.one_of(st.just(""), _names)),
        st.builds(Listing, st.lists(children, min_size=1, max_size=3).map(tuple), st.booleans()),
    )


def _degraded(children: st.SearchStrategy[Nodes]) -> st.SearchStrategy[Node]:
    rows = st.lists(st.lists(children, min_size=2, max_size=2).map(tuple), min_size=1, max_size=3).map(tuple)
    return st.one_of(
        st.builds(Quote, children, texts, st.just("9")),
        st.builds(Spoiler, children, texts),
        st.builds(Area, children, texts),
        st.builds(Block, children),
        st.builds(Strike, children),
        st.builds(Heading, st.integers(1, 6), children),
        st.builds(Table, rows, st.booleans()),
        st.builds(Aside, st.just("edited"), children),
        st.builds(Countdown, st.just(DEADLINE), st.just("Europe/London"), children),
        st.builds(Link, texts.map(lambda text: f"https://forum.example/{text}"), children),
        st.builds(Image, texts, st.just(URL)),
    )


def _trees(leaves: st.SearchStrategy[Node], *more: Any) -> st.SearchStrategy[Nodes]:
    def grow(node: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        children = st.lists(node, max_size=4).map(tuple)
        return st.one_of(*(kind(children) for kind in (_inner, *more)))

    return st.lists(st.recursive(leaves, grow, max_leaves=12), max_size=6).map(tuple)


_leaves = st.one_of(st.builds(Text, texts), st.just(Break()), st.builds(Code, texts))
trees = _trees(_leaves)
"""Trees of what MafiaScum has a form for."""
wild_trees = _trees(_leaves, _degraded)
"""Trees of anything."""


def tame(value: Any) -> Any:
    """The same tree with every letter of its texts made harmless."""
    if isinstance(value, tuple):
        return tuple(tame(inner) for inner in value)
    if not isinstance(value, Node):
        return value
    changed = {each.name: _tame_field(each.name, getattr(value, each.name)) for each in fields(value)}
    return replace(value, **changed)


def _tame_field(name: str, value: Any) -> Any:
    if name == "url" and value:
        return "https://forum.example/x"
    if name in ("text", "title", "author", "alt") and value:
        return "".join(char if char.isspace() else "x" for char in clean(value)) or "\x00"
    return tame(value)
