"""Does every dialect write every node, and never a mark that we did not mean?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, get_args
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given

from knightfall.errors import InputError, TimeError
from knightfall.markup.bbcode import parse_bbcode
from knightfall.markup.dialects import DIALECTS, Dialect, base_name, dialect, is_dialect, measure
from knightfall.markup.dialects.bbcode_family import BBCode
from knightfall.markup.dialects.markdown_family import Markdown
from knightfall.markup.dialects.moments import stamp
from knightfall.markup.dialects.tree import children, clean, hush
from knightfall.markup.nodes import (
    Area,
    Bold,
    Break,
    Code,
    Colour,
    Countdown,
    Cut,
    Heading,
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
from markup.dialect_samples import SAMPLE, t, tame, texts, thorough, trees, wild_trees
from markup.marks import Elements, kinds, left_open, markdown, tags

GOLDEN = Path(__file__).parents[2] / "fixtures" / "golden" / "dialects"
BBCODES = [one for one in DIALECTS if isinstance(one, BBCode)]
MARKDOWNS = [one for one in DIALECTS if isinstance(one, Markdown)]


def _name(one: Dialect) -> str:
    return one.name


def _all(nodes: Nodes) -> set[type]:
    return {type(node) for node in nodes} | {kind for node in nodes for kind in _all(children(node))}


def test_the_sample_holds_every_node() -> None:
    assert _all(SAMPLE) == set(get_args(Node)) - {Cut}  # no post of ours is too deep to be read


def test_the_registry_has_all_dialects_in_order() -> None:
    names = " ".join(one.name for one in DIALECTS)
    assert names == (
        "phpbb mafiascum xenforo vbulletin smf mybb ips discourse nodebb proboards reddit bgg discord plain"
    )


@pytest.mark.parametrize("one", DIALECTS, ids=_name)
def test_the_sample_reads_as_in_the_golden_file(one: Dialect) -> None:
    assert one.write(SAMPLE) + "\n" == (GOLDEN / f"{one.name}.txt").read_text(encoding="utf-8")


def test_a_dialect_is_found_with_hyphens_and_any_case() -> None:
    assert dialect("MafiaScum").name == "mafiascum"
    with pytest.raises(InputError, match="Nearest: phpbb"):
        dialect("php-bb3")


def test_mybb_measures_bytes() -> None:
    assert measure("日本", dialect("mybb")) == 6
    assert measure("日本", dialect("phpbb")) == 2


# ── nothing but our own marks ────────────────────────────────────────────────────────────────────


@thorough
@given(wild=wild_trees)
def test_texts_make_no_tag_and_leave_none_open(wild: Nodes) -> None:
    for one in BBCODES:
        nodes = _without_code(wild) if one.code_is_raw else wild
        written = one.write(nodes)
        assert tags(written) == tags(one.write(tame(nodes))), one.name
        assert left_open(written) == [], one.name


def _without_code(nodes: Nodes) -> Nodes:
    """Raw code may show tags; that it ends where it should is tested by reading it back."""
    return tuple(
        replace(node, text="x") if isinstance(node, Code) else _with_children(node, _without_code)
        for node in nodes
    )


def _with_children(node: Node, change: Callable[[Nodes], Nodes]) -> Node:
    match node:
        case Listing(items):
            return replace(node, items=tuple(change(item) for item in items))
        case Table(rows):
            return replace(node, rows=tuple(tuple(change(cell) for cell in row) for row in rows))
        case _ if hasattr(node, "children"):
            parent: Any = node
            changed: Node = replace(parent, children=change(parent.children))
            return changed
        case _:
            return node


@thorough
@given(nodes=wild_trees)
def test_texts_make_nomarkdown(nodes: Nodes) -> None:
    for one in MARKDOWNS:
        assert kinds(markdown(one.write(nodes))) == kinds(markdown(one.write(tame(nodes)))), one.name


@thorough
@given(text=texts)
def test_markdown_shows_the_text_as_it_was(text: str) -> None:
    tokens = markdown("x" + dialect("nodebb").write(t(text)))
    shown = "".join(child.content or " " for token in tokens for child in token.children or [])
    assert "".join(shown.split()) == "x" + "".join(hush(clean(text)).split())


@thorough
@given(nodes=wild_trees)
def test_texts_make_no_html(nodes: Nodes) -> None:
    wild, calm = Elements(), Elements()
    wild.feed(dialect("ips").write(nodes))
    calm.feed(dialect("ips").write(tame(nodes)))
    assert wild.seen == calm.seen
    assert wild.open == []


# ── what we wrote, read back ─────────────────────────────────────────────────────────────────────


@thorough
@given(nodes=trees)
def test_mafiascum_reads_back_as_it_was_written(nodes: Nodes) -> None:
    nodes = _normal(_once(nodes))
    assert _normal(parse_bbcode(dialect("mafiascum").write(nodes))) == nodes


def _once(nodes: Nodes, around: frozenset[type] = frozenset()) -> Nodes:
    """Without what is written once only: bold in bold, a link in a link."""
    kept: list[Node] = []
    for node in nodes:
        kind = Link if isinstance(node, PostLink) else type(node)
        if kind in around:
            kept += _once(children(node), around)
        else:
            held = around | {kind} if kind in (Bold, Italic, Underline, Strike, Link) else around
            kept.append(_with_children(node, lambda inner, held=held: _once(inner, held)))  # type: ignore[misc]  # mypy knows no type of a default
    return tuple(kept)


def _normal(nodes: Nodes, own_lines: bool = False) -> Nodes:
    """Without what a line end beside a block, an empty text or a cut text cannot tell."""
    flat = [node for each in nodes for node in _split(each)]
    kept: list[Node] = []
    for node in flat:
        if isinstance(node, Quote | Spoiler | Area | Listing):
            kept = _without_last_breaks(kept)
        last = kept[-1] if kept else None
        if isinstance(node, Text) and isinstance(last, Text):
            kept.pop()
            node = Text(last.text + node.text)
        kept.append(node)
    return tuple(_without_last_breaks(kept) if own_lines else kept)


def _without_last_breaks(nodes: list[Node]) -> list[Node]:
    while nodes and isinstance(nodes[-1], Break):
        nodes = nodes[:-1]
    return nodes


def _split(node: Node) -> list[Node]:
    match node:
        case Text(text):
            lines = [line for part in clean(text).split("\n") for line in (Break(), Text(part))][1:]
            return [line for line in lines if line != Text("")]
        case Code(text):
            return [Code(clean(text))]
        case Listing(items):
            return [replace(node, items=tuple(_normal_item(item) for item in items))]
        case Quote() | Spoiler() | Area():
            return [replace(node, children=_normal(node.children, own_lines=True))]
        case _:
            return [_with_children(node, _normal)]


def _normal_item(item: Nodes) -> Nodes:
    nodes = list(_normal(item, own_lines=True))
    while nodes and (isinstance(nodes[0], Break) or (isinstance(nodes[0], Text) and nodes[0].text[0] == " ")):
        first = nodes.pop(0)
        left = first.text.lstrip(" ") if isinstance(first, Text) else ""
        nodes = [Text(left), *nodes] if left else nodes
    return tuple(nodes)


# ── countdowns, names, links ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("zone", "local", "offset"),
    [
        ("America/New_York", "2026-11-25 20:00:00", "-5.00"),
        ("America/New_York", "2026-07-01 20:00:00", "-4.00"),
        ("Europe/London", "2026-07-01 20:00:00", "1.00"),
        ("Europe/London", "2026-12-01 20:00:00", "0.00"),
        ("Asia/Kolkata", "2026-07-01 20:00:00", "5.50"),
        ("Asia/Kathmandu", "2026-07-01 20:00:00", "5.75"),
        ("America/St_Johns", "2026-11-25 20:00:00", "-3.50"),
        ("Australia/Adelaide", "2026-11-25 20:00:00", "10.50"),
    ],
)
def test_a_countdown_carries_the_offset_of_its_zone_at_that_instant(
    zone: str, local: str, offset: str
) -> None:
    instant = datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone))
    assert stamp(Countdown(instant, zone)) == f"{local} {offset}"
    assert f"[countdown]{local} {offset}[/countdown]" in dialect("mafiascum").write(
        (Countdown(instant, zone),)
    )


def test_a_countdown_without_a_tag_is_the_time_in_both_zones() -> None:
    instant = datetime(2026, 11, 25, 20, tzinfo=ZoneInfo("America/New_York"))
    written = dialect("phpbb").write((Countdown(instant, "America/New_York"),))
    assert written == "Wed 25 Nov 2026, 20:00 EST = Thu 26 Nov 01:00 UTC"


def test_a_countdown_needs_an_aware_instant_and_a_known_zone() -> None:
    naive = datetime(2026, 11, 25, 20)  # noqa: DTZ001 - the fault under test
    with pytest.raises(TimeError, match="no zone"):
        dialect("mafiascum").write((Countdown(naive, "Europe/London"),))
    with pytest.raises(TimeError, match="no time zone"):
        dialect("mafiascum").write((Countdown(naive.astimezone(), "Europe/Camelot"),))


@pytest.mark.parametrize("one", DIALECTS, ids=_name)
def test_everyone_is_never_called(one: Dialect) -> None:
    written = one.write((Text("@everyone "), Mention("everyone"), Text("@"), Text("here"), Area((), "@here")))
    assert "@everyone" not in written
    assert "@here" not in written


@pytest.mark.parametrize("one", DIALECTS, ids=_name)
def test_an_address_with_an_at_calls_nobody_and_still_leads_there(one: Dialect) -> None:
    written = one.write((Link("https://social.example/@Ada?by=fen@example.org", t("here")),))
    if one.name != "plain":
        assert "https://social.example/%40Ada?by=fen@example.org" in written


@pytest.mark.parametrize("one", DIALECTS, ids=_name)
def test_a_link_that_is_no_address_of_the_web_keeps_only_its_label(one: Dialect) -> None:
    if one.name != "plain":
        assert (
            one.write((Link("javascript:alert(1)", t("label")),)).replace("<p>label</p>", "label") == "label"
        )


def test_mafiascum_links_a_post_by_id_where_it_is_known() -> None:
    write = dialect("mafiascum").write
    assert write((PostLink(31, t("31"), "1270031"),)) == "[post=#1270031]31[/post]"
    assert write((PostLink(31, t("31")),)) == "[post=31]31[/post]"


def test_what_a_site_lacks_is_said_in_other_words() -> None:
    phpbb = dialect("phpbb").write
    assert phpbb((Area(t("body"), "Title"),)) == "[b]Title[/b]\nbody"
    assert phpbb((Spoiler(t("who"), "T"),)) == "[b]T:[/b]\nwho\n[b](end)[/b]"
    assert dialect("bgg").write((Listing((t("a"), t("b")), ordered=True),)) == "1. a\n2. b"
    assert dialect("nodebb").write((Colour("red", t("a")), Size(50, t("b")))) == "ab"
    assert phpbb((VoteTag(Tag.VOTE, t("Fen")),)) == "[b]VOTE: Fen[/b]"


def test_a_table_is_columns_where_the_site_has_none() -> None:
    table = Table(((t("Player"), t("Votes")), (t("Ada"), t("3")), (t("日本"), t("12"))))
    assert dialect("phpbb").write((table,)) == "[code]Player  Votes\nAda     3\n日本    12[/code]"
    assert dialect("phpbb:table").write((table,)).startswith("[table]\n[tr][td][b]Player[/b][/td]")
    assert dialect("mafiascum").write((table,)).startswith("[table]\n[row][header]Player[/header]")


def test_a_table_with_links_is_lines_where_the_site_has_none() -> None:
    voter = PostLink(12, t("12"), url="https://forum.example/p12")
    table = Table(
        ((t("Player"), t("Votes"), t("Voters")), (t("Ada"), t("1"), (Text("Boro "), voter)), (t("Fen"),))
    )
    assert dialect("phpbb").write((table,)) == (
        "[b]Ada[/b] – Votes: 1; Voters: Boro [url=https://forum.example/p12]12[/url]\n[b]Fen[/b]"
    )


def test_no_dialect_writes_a_table_as_a_list_with_bars() -> None:
    table = Table(((t("Player"), t("Votes")), (t("Ada"), t("3"))))
    for one in DIALECTS:
        written = (
            dialect(f"{one.name}:").write((table,)) if hasattr(one, "with_tags") else one.write((table,))
        )
        assert "|" not in written, one.name
        assert "[*]" not in written, one.name


def test_a_heading_of_rich_text_holds_no_paragraph() -> None:
    ips = dialect("ips").write
    assert [ips((Heading(level, t("Conduct")),)) for level in (1, 3)] == [
        "<h1>Conduct</h1>",
        "<h3>Conduct</h3>",
    ]


def test_bold_within_bold_is_written_once() -> None:
    mybb = dialect("mybb").write
    assert mybb((Bold((Text("a "), Bold(t("b")), Text(" c"))),)) == "[b]a b c[/b]"
    assert mybb((Heading(1, (Heading(3, t("b")),)),)).count("[b]") == 1


def test_code_on_mybb_keeps_the_blanks_that_it_begins_with() -> None:
    written = dialect("mybb").write((Code("\n   A B\n 1 x o\nMOVE 2 3"),))
    assert written.replace("\u00a0", "_") == "[code]\n___A_B\n_1_x_o\nMOVE 2 3[/code]"


def test_what_was_struck_out_is_said_where_the_site_cannot_strike() -> None:
    struck = (Strike(t("Dill")),)
    assert dialect("phpbb").write(struck) == "(was Dill)"
    assert dialect("phpbb:strike").write(struck) == "[s]Dill[/s]"
    assert dialect("mybb").write(struck) == "[s]Dill[/s]"


def test_smf_guards_a_name_with_its_own_tag_and_pads_its_cells() -> None:
    smf = dialect("smf").write
    assert smf(t("[b]ob, @mods, [0], Ze\u200bro")) == (
        "[nobbc][[/nobbc]b]ob, [nobbc]@[/nobbc]mods, [nobbc][[/nobbc]0], Zero"
    )
    assert parse_bbcode(smf(t("[b]ob @mods"))) == t("[b]ob @mods")
    assert (
        smf((Table(((t("Ada"), t("3")),), head=False),))
        == "[table]\n[tr][td]Ada  [/td][td]3  [/td][/tr]\n[/table]"
    )
    assert smf((Size(75, t("12")), Size(120, t("x")))) == "[size=0.8em]12[/size][size=1.25em]x[/size]"


def test_the_size_of_a_wagon_is_no_face_on_smf() -> None:
    assert dialect("smf").write((Text("Ada (8), Boro (18)"),)) == "Ada ([nobbc]8[/nobbc]), Boro (18)"
    assert dialect("phpbb").write((Text("Ada (8)"),)) == "Ada (8)"


# ── the tags of a board ──────────────────────────────────────────────────────────────────────────


def test_a_board_is_written_with_the_tags_that_it_has() -> None:
    spoiler = (Spoiler(t("who"), "T"),)
    assert dialect("phpbb:spoiler").write(spoiler) == "[b]T[/b] [spoiler]\nwho\n[/spoiler]"
    assert dialect("xenforo:").write(spoiler) == "[b]T:[/b]\nwho\n[b](end)[/b]"
    assert dialect("discourse:table").write(spoiler).startswith("**T:**")
    assert dialect("ips:table").write(spoiler).startswith("<p><strong>T:")


def test_a_dialect_with_tags_is_found_again_by_its_name() -> None:
    named = dialect("PhpBB: strike, spoiler")
    assert named.name == "phpbb:spoiler,strike"
    assert dialect(named.name) == named
    assert is_dialect(named.name)
    assert base_name(named.name) == "phpbb"


def test_a_dialect_that_lists_no_tags_has_all_that_it_has_a_form_of() -> None:
    own = BBCode("own", {"area_titled": "[box={title}]{body}[/box]", "strike": "[s]{body}[/s]"})
    assert own.write((Area(t("who"), "T"), Strike(t("Dill")))) == "[box=T]\nwho\n[/box]\n[s]Dill[/s]"
    assert own.with_tags(()).write((Strike(t("Dill")),)) == "(was Dill)"


def test_a_tag_that_there_is_not_or_that_the_dialect_cannot_write_is_refused() -> None:
    with pytest.raises(InputError, match=r"there is no tag 'spoilers'. phpbb can have: area, spoiler"):
        dialect("phpbb:spoilers")
    with pytest.raises(
        InputError, match=r"the dialect reddit knows no tag area. reddit can have: table, strike"
    ):
        dialect("reddit:area")
    with pytest.raises(InputError, match="the dialect plain has no tags to choose"):
        dialect("plain:spoiler")


@pytest.mark.parametrize("one", DIALECTS, ids=_name)
def test_the_tags_that_a_dialect_has_by_default_are_tags_that_it_can_write(one: Dialect) -> None:
    tags_of = getattr(one, "tags", None)
    if tags_of is not None:
        assert dialect(f"{one.name}:{','.join(tags_of)}").write(SAMPLE) == one.write(SAMPLE)


def test_markdown_marks_touch_neither_blanks_nor_letters() -> None:
    nodebb = dialect("nodebb").write
    assert nodebb((Bold(t(" a ")), Text("b"))) == "**a** b"
    assert nodebb((Bold(t("a")), Bold(t("b")))) == "**a**&#8203;**b**"
    assert nodebb((Bold((Text("a"), Break(), Break(), Text("b"))),)) == "**a**\n\n**b**"
