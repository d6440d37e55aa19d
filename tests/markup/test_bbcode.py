"""Does the reader of BBCode find our tags, leave the rest as text, and stay quick on any text at all?"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import given

from growth import LINEAR, growth
from knightfall.markup.bbcode import DEPTH, guard, parse_bbcode
from knightfall.markup.dialects import dialect
from knightfall.markup.dialects.tree import children, clean
from knightfall.markup.nodes import (
    Area,
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
from markup.dialect_samples import t, texts, thorough


@pytest.mark.parametrize(
    ("source", "node"),
    [
        ("[b]x[/b]", Bold(t("x"))),
        ("[B][I]x[/i][/B]", Bold((Italic(t("x")),))),
        ("[u]x[/u]", Underline(t("x"))),
        ("[s]x[/s]", Strike(t("x"))),
        ("[color=#c00]x[/color]", Colour("#c00", t("x"))),
        ("[size=75]x[/size]", Size(75, t("x"))),
        ("[h=2]x[/h]", Heading(2, t("x"))),
        ("[url=https://a.example/?b=1;c]x[/url]", Link("https://a.example/?b=1;c", t("x"))),
        ("[url]https://a.example[/url]", Link("https://a.example", t("https://a.example"))),
        ("[img]https://a.example/b.png[/img]", Image("", "https://a.example/b.png")),
        ("[post=31]x[/post]", PostLink(31, t("x"))),
        (
            "[post=31;id=127;url=https://a.example/?p=1;q]x[/post]",
            PostLink(31, t("x"), "127", "https://a.example/?p=1;q"),
        ),
        ("[post=31;id=;url=]x[/post]", PostLink(31, t("x"))),
        ("[post=#127]#31[/post]", PostLink(31, t("#31"), "127")),
        ("[post=#127]Ada[/post]", PostLink(-1, t("Ada"), "127")),
        ("[vote]Fen[/vote]", VoteTag(Tag.VOTE, t("Fen"))),
        ("[unvote][/unvote]", VoteTag(Tag.UNVOTE, ())),
        ("[quote]x[/quote]", Quote(t("x"))),
        ('[quote="Mr T" post_id=12]\nx\n[/quote]', Quote(t("x"), "Mr T", "12")),
        ("[quote='Ada' pid='12']x[/quote]", Quote(t("x"), "Ada", "12")),
        ("[quote=Ada]x[/quote]", Quote(t("x"), "Ada")),
        ('[quote="Ada [mod]" post_id=12 time=5 user_id=3]x[/quote]', Quote(t("x"), "Ada [mod]", "12")),
        ("[quote author=Mr T link=topic=7.msg12#msg12 date=5]x[/quote]", Quote(t("x"), "Mr T", "12")),
        ("[strike]x[/strike]", Strike(t("x"))),
        ("[spoiler]x[/spoiler]", Spoiler(t("x"))),
        ('[spoiler="T: x"]x[/spoiler]', Spoiler(t("x"), "T: x")),
        (
            "[area=Votecount 1.3]\nx\n\ny\n[/area]",
            Area((*t("x"), Break(), Break(), *t("y")), "Votecount 1.3"),
        ),
        ("[list]\n[*]a\n[*] b\n[/list]", Listing((t("a"), t("b")))),
        ("[list=1][*]a[list][*]b[/list][/list]", Listing(((*t("a"), Listing((t("b"),))),), ordered=True)),
        ("[list][li]a[/li]\n[li]b[/li][/list]", Listing((t("a"), t("b")))),
        ("[table][tr][th]a[/th][/tr]\n[tr][td]b[/td][/tr][/table]", Table(((t("a"),), (t("b"),)))),
        ("[table]\n[tr][td]a[/td][td][/td][/tr]\n[/table]", Table(((t("a"), ()),), head=False)),
        ("[code][b]x[/b]\n[/code]", Code("[b]x[/b]\n")),
        (
            "[countdown=2026-11-26T01:00:00+00:00;America/New_York]tonight[/countdown]",
            Countdown(datetime(2026, 11, 26, 1, tzinfo=UTC), "America/New_York", t("tonight")),
        ),
    ],
)
def test_a_tag_becomes_its_node(source: str, node: Node) -> None:
    assert parse_bbcode(source) == (node,)


@pytest.mark.parametrize(
    "source",
    [
        "[b]x",
        "x[/b]",
        "[blink]x[/blink]",
        "[b=1]x[/b]",
        "[i think]",
        "[size=big]x[/size]",
        "[post=x]x[/post]",
        "[*]x",
        "[td]x[/td]",
        "[table]x[tr][td]y[/td][/tr][/table]",
        "[list]x[*]y[/list]",
        "[code]x",
        "[countdown=tomorrow;UTC]x[/countdown]",
        "[countdown=2026-11-26T01:00:00;UTC]x[/countdown]",
        "[",
        "[]",
        "[/",
    ],
)
def test_what_is_no_tag_stays_text(source: str) -> None:
    assert _shown(parse_bbcode(source)) == source


def test_a_tag_that_crosses_another_is_text() -> None:
    assert parse_bbcode("[b][i]x[/b]y[/i]") == (Bold(t("[i]x")), Text("y[/i]"))


def test_line_ends_beside_a_block_belong_to_it() -> None:
    assert parse_bbcode("a\n[area]\nb\n[/area]\n\nc") == (*t("a"), Break(), Area(t("b")), Break(), *t("c"))


@thorough
@given(text=texts)
def test_a_guarded_value_is_never_markup(text: str) -> None:
    read = parse_bbcode(f'[b]{guard(text)}[/b][quote="{guard(text)}" post_id=7]x[/quote]')
    bold, quote = read
    assert isinstance(bold, Bold)
    assert isinstance(quote, Quote)
    assert _shown(bold.children) == clean(text)
    assert (quote.author or "") in (clean(text).replace("\n", " "), clean(text).replace("\n", " ").strip())
    assert quote.post == "7"


@thorough
@given(text=texts)
def test_text_written_in_bbcode_is_read_as_it_was(text: str) -> None:
    assert _shown(parse_bbcode(dialect("phpbb").write(t(text)))) == clean(text)


def _shown(nodes: Nodes) -> str:
    assert all(isinstance(node, Text | Break) for node in nodes)
    return "".join(node.text if isinstance(node, Text) else "\n" for node in nodes)


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "bomb",
    [
        lambda size: "[b]" * size,
        lambda size: "[b]" * size + "[/b]" * size,
        lambda size: "[quote]" * size + "[/quote]" * size,
        lambda size: "[list][*]" * size,
        lambda size: "[code]" * size,
        lambda size: "[/b]" * size,
        lambda size: "[" * size,
        lambda size: "[b=" * size,
        lambda size: "[quote=" + '"' * size + "]",
        lambda size: "[quote=" + " post_id=1" * size + "x]y[/quote]",
        lambda size: "@" + "\u200b" * size,
        lambda size: "[table][tr][td]" * size + "[/td][/tr][/table]" * size,
        lambda size: "[i][b]x[/i]" * size,
    ],
    ids=lambda bomb: bomb(5)[:16],
)
def test_bombs_are_read_in_linear_time(bomb: Callable[[int], str]) -> None:
    def read_and_written(size: int) -> None:
        nodes = parse_bbcode(bomb(size))
        dialect("mafiascum").write(nodes)
        assert _depth(nodes) <= DEPTH

    assert growth(read_and_written, 1_000) < LINEAR


def _depth(nodes: Nodes) -> int:
    return max((1 + _depth(children(node)) for node in nodes if children(node)), default=0)


def test_an_empty_line_between_items_belongs_to_neither() -> None:
    (listing,) = parse_bbcode("[list]\n[*]one\n\n[*]two\n[/list]")
    assert isinstance(listing, Listing)
    assert listing.items == ((Text("one"),), (Text("two"),))
