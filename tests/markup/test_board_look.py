"""Does the preview read what every dialect writes, and show it as the board does?"""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import given

from knightfall.errors import InputError
from knightfall.markup.board_look import (
    SIZES,
    Misread,
    TallBox,
    hue_of,
    look,
    misread_names,
    read_as_board,
    tall_boxes,
)
from knightfall.markup.boards import HARD, Made, board_of
from knightfall.markup.dialects import DIALECTS, Dialect, dialect
from knightfall.markup.dialects.bbcode_family import BBCode
from knightfall.markup.dialects.shapes import form_of, shape_of
from knightfall.markup.dialects.tree import children, words
from knightfall.markup.nodes import (
    Area,
    Bold,
    Break,
    Code,
    Colour,
    Heading,
    Italic,
    Link,
    Listing,
    Name,
    Node,
    Nodes,
    Quote,
    Size,
    Spoiler,
    Strike,
    Table,
    Text,
    Underline,
    VoteTag,
)
from long_runs import first
from markup.dialect_samples import SAMPLE, URL, t, tame, thorough, wild_trees
from writeups.whole_games import texts_of

MARKED = [one for one in DIALECTS if one.name != "plain"]
every_dialect = pytest.mark.parametrize("one", MARKED, ids=lambda one: one.name)
# What is read as the same kind of node again wherever a dialect has a form of its own for it.
SAME_AGAIN = (
    Bold, Italic, Underline, Strike, Colour, Size, Link, Quote, Spoiler, Area, Listing, Table, VoteTag,
)  # fmt: skip
_TAG = re.compile(r"\[/?[a-z*-]+[^\[\]]*\]", re.IGNORECASE)


class Shown(HTMLParser):
    """What a look says, and which elements and attributes it has."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def kinds(nodes: Nodes) -> set[type[Node]]:
    """The kinds of nodes at any depth."""
    return {type(node) for node in nodes} | {kind for node in nodes for kind in kinds(children(node))}


def has_form(node: Node, speech: Dialect) -> bool:
    """Whether a dialect has a form of its own for a node."""
    forms, tags_of = getattr(speech, "forms", {}), getattr(speech, "tags", None)
    return form_of(shape_of(node), forms, tags_of) is not None


# ── what a dialect writes, the preview understands ───────────────────────────────────────────────


@pytest.mark.few(65)
@every_dialect
@pytest.mark.parametrize("node", [node for node in SAMPLE if isinstance(node, SAME_AGAIN)], ids=repr)
def test_every_node_that_a_dialect_has_a_form_for_is_read_as_that_node(one: Dialect, node: Node) -> None:
    if has_form(node, one):
        read = read_as_board(one.write((Text("x "), node, Text(" y"))), one.name)
        assert type(node) in kinds(read or ())


@every_dialect
def test_every_size_that_a_dialect_writes_is_read_as_that_size(one: Dialect) -> None:
    if not has_form(Size(75, t("x")), one):
        return
    steps = [step for step, _ in one.sizes] if isinstance(one, BBCode) and one.sizes else [50, 85, 150]
    for step in steps:
        read = read_as_board(one.write((Size(step, t("x")),)), one.name) or ()
        sizes = [node.percent for node in _of(read, Size)]
        assert sizes == [step], one.write((Size(step, t("x")),))


def _of(nodes: Nodes, kind: type[Size]) -> list[Size]:
    return [
        found for node in nodes for found in ([node] if isinstance(node, kind) else _of(children(node), kind))
    ]


@thorough
@given(nodes=wild_trees)
def test_no_tag_of_any_dialect_is_shown_as_text(nodes: Nodes) -> None:
    calm: Nodes = tame(nodes)
    for one in MARKED:
        page = Shown(look(one.write(calm), one.name))
        assert page.open == []
        assert not _TAG.findall("".join(page.words)), (one.name, one.write(calm))


@thorough
@given(nodes=wild_trees)
def test_nothing_of_a_look_loads_or_leads_anywhere(nodes: Nodes) -> None:
    for one in MARKED:
        for element, attributes in Shown(look(one.write(nodes), one.name)).elements:
            assert element in ALLOWED, element
            assert set(attributes) <= {"class", "tabindex", "role", "aria-label", "scope"}


ALLOWED = {
    *("strong", "em", "u", "s", "span", "div", "br", "blockquote", "details", "summary", "pre", "code"),
    *("ul", "ol", "li", "table", "tbody", "tr", "th", "td"),
}


@every_dialect
def test_the_words_of_a_post_are_all_there_in_order(one: Dialect) -> None:
    said = "Ada, [b]ob and __Ada__ met Mr_T, 日本太郎 & Dusk_77."
    shown = "".join(Shown(look(one.write((Text(said), Break(), Bold(t("the end")))), one.name)).words)
    assert shown.replace("\u200b", "") == f"{said}the end"


def test_text_that_no_dialect_wrote_is_shown_and_never_fails() -> None:
    for one in DIALECTS:
        for text in ("[size=]x[/size]", "[/b][b]", ">!a", "[details=", "<p><b>x", "```\n[quote]", "\ue001"):
            assert look(text, one.name)
    assert look("<script>alert(1)</script>", "phpbb") == "&lt;script&gt;alert(1)&lt;/script&gt;"
    with pytest.raises(InputError):
        look("x", "nobody_speaks_it")


# ── as the board shows it ────────────────────────────────────────────────────────────────────────


def test_a_link_is_its_words_underlined_without_its_address() -> None:
    assert look(f"[url={URL}]12[/url]", "phpbb") == '<span class="to">12</span>'
    assert look("see www.kit.example", "phpbb") == 'see <span class="to">www.kit.example</span>'
    # No link is made within one.
    assert look(f"[url={URL}]www.kit.example[/url]", "phpbb") == '<span class="to">www.kit.example</span>'


@pytest.mark.parametrize(
    ("board", "text", "size"),
    [
        ("mybb", "[size=x-small]12[/size]", 75),
        ("smf", "[size=0.8em]12[/size]", 75),
        ("phpbb", "[size=85]12[/size]", 85),
        ("xenforo", "[size=2]12[/size]", 75),
        ("vbulletin", "[size=5]12[/size]", 150),
        ("proboards", '[font size="5"]12[/font]', 150),
        ("bgg", "[size=8]12[/size]", 75),
        ("ips", '<p><span style="font-size:75%">12</span></p>', 75),
    ],
)
def test_a_size_is_shown_as_its_board_means_it(board: str, text: str, size: int) -> None:
    assert f'<span class="size-{size}">12</span>' in look(text, board)
    if board == "ips":
        assert 'class="size-75"' in look(text, board)


def test_sizes_have_a_class_each() -> None:
    assert all(f'"size-{size}"' in look(f"[size={size}]x[/size]", "phpbb") for size in SIZES)
    assert '"size-120"' in look("[size=118]x[/size]", "phpbb")


def test_a_smiley_is_a_picture_where_the_board_makes_one() -> None:
    assert "😃" in look("hi :D", "phpbb")
    assert 'aria-label=":D"' in look("hi :D", "phpbb")
    assert "😃" not in look("[code]hi :D[/code]", "phpbb")
    assert "😎" in look("(to post 8)", "smf")
    assert "😎" not in look("(to post [nobbc]8[/nobbc])", "smf")
    assert "😎" not in look("(to post 8)", "phpbb")


def test_a_code_box_is_as_high_as_on_its_board_and_loses_what_it_loses() -> None:
    code = "[code]\n   A B\n 1 x o\n[/code]"
    assert look(code, "phpbb") == '<pre class="code-box lines-12" tabindex="0">   A B\n 1 x o</pre>'
    assert look(code, "mybb") == '<pre class="code-box lines-11" tabindex="0">A B\n1 x o</pre>'
    assert look("a  b", "smf") == f"a{HARD} b"


def test_a_line_end_behind_a_code_box_is_no_empty_line() -> None:
    assert look("[code]x[/code]\nnext", "phpbb").endswith("</pre>next")


def test_boxes_quotes_spoilers_and_tables_are_boxes() -> None:
    shown = look(dialect("mafiascum").write(SAMPLE), "mafiascum")
    for part in ('<div class="box">', "<blockquote>", "<details>", "<table>", '<th scope="col">', "<ol>"):
        assert part in shown
    assert "<summary>Spoiler: Who did it" in shown


def test_markdown_is_read_and_not_shown_raw() -> None:
    text = dialect("discourse").write(
        (Heading(2, t("Day 1")), Bold(t("Ada")), Text(" "), Quote(t("so"), "Boro"), Spoiler(t("hid"), "T"))
    )
    shown = look(text, "discourse")
    assert "<strong>Ada</strong>" in shown
    assert '<div class="cited">Boro wrote:</div>' in shown
    assert "<summary>Spoiler: T</summary>" in shown
    assert "**" not in shown
    assert "<details>" in look(">!hidden!<", "reddit")


def test_what_has_no_markup_stays_as_it_is_written() -> None:
    assert look("a < b\n :D", "plain") == "<pre>a &lt; b\n :D</pre>"


def test_a_colour_is_a_hue_that_can_be_read_on_light_and_dark() -> None:
    said = ("#cc0000", "red", "#00f", "gold", "#123456", "black", "#ffffff", "#888", "nonsense")
    hues = ["red", "red", "blue", "orange", "blue", None, None, "grey", None]
    assert [hue_of(one) for one in said] == hues
    assert look("[color=red]x[/color]", "phpbb") == '<span class="ink-red">x</span>'


# ── what a reader would stumble over ─────────────────────────────────────────────────────────────


def misread(text: str, board: str, *names: str) -> tuple[Misread, ...]:
    return misread_names(read_as_board(text, board) or (), board_of(board), names)


def test_a_name_that_is_not_kept_is_told() -> None:
    text = "Mr 8) Cool and Vic :D, www.Kit.com"
    names = ("Mr 8) Cool", "Vic :D", "www.Kit.com", "Ada")
    assert misread(text, "smf", *names) == (
        Misread("Mr 8) Cool", Made.SMILEY),
        Misread("Vic :D", Made.SMILEY),
        Misread("www.Kit.com", Made.LINK),
    )
    assert misread(text, "phpbb", *names)[0] == Misread("Vic :D", Made.SMILEY)
    assert misread(text, "ips", *names) == (Misread("www.Kit.com", Made.LINK),)


@every_dialect
def test_of_a_name_that_we_wrote_nothing_is_told(one: Dialect) -> None:
    names = ("Mr 8) Cool", "Vic :D", "www.Kit.com", "[b]ob")
    written = one.write((Text("Alive: "), *map(Name, names), Code("Vic :D")))
    assert misread(written, one.name, *names) == ()


def test_a_name_in_a_title_that_cannot_be_kept_is_told() -> None:
    speech = dialect("smf:spoiler")
    assert misread(speech.write((Spoiler(t("x"), "Vic :D"),)), speech.name, "Vic :D")


def test_a_box_that_is_higher_than_on_its_board_is_told() -> None:
    code = "[code]" + "\n".join("x" * 12) + "[/code]"
    assert tall_boxes(read_as_board(code, "mybb") or (), board_of("mybb")) == (TallBox(12, 11),)
    assert tall_boxes(read_as_board(code, "phpbb") or (), board_of("phpbb")) == ()


# ── the boards of the games ──────────────────────────────────────────────────────────────────────


def boxes(text: str, name: str) -> list[str]:
    """What readers of a board see in each code box of a post."""
    html = look(text, name)
    found = re.findall(r'<pre class="code-box[^>]*>(.*?)</pre>', html, re.DOTALL)
    return [_lines(unescape(box)) for box in found]


def _lines(code: str) -> str:
    return "\n".join(line.rstrip() for line in code.replace(HARD, " ").split("\n")).strip("\n")


@pytest.mark.few(4)
@pytest.mark.parametrize("game", first(2, ["kings_court", "knights_duty", "knight_fight"]))
@every_dialect
def test_every_board_text_of_a_game_has_its_columns_in_line(one: Dialect, game: str) -> None:
    for text in texts_of(game):
        # Plain phpBB keeps every blank, and has no table, so it has all boxes that there are.
        whole = [_lines(code) for code in _codes(read_as_board(text.write("phpbb"), "phpbb") or ())]
        found = set(boxes(text.write(one.name), one.name)) - set(whole)
        if one.max_length and len(text.write("phpbb")) > one.max_length:
            # A table that no post holds is cut between its rows, and each part has columns of its own.
            found -= {box for box in found if _rows(box) <= {row for each in whole for row in _rows(each)}}
        assert not found, text.heading


def _rows(box: str) -> set[str]:
    """The lines of a box, however wide their columns are."""
    return {" ".join(line.split()) for line in box.split("\n")}


@pytest.mark.few(3)
@every_dialect
@pytest.mark.parametrize("game", first(1, ["knights_duty", "knight_fight"]))
def test_the_games_of_squares_have_boards_in_every_dialect(one: Dialect, game: str) -> None:
    assert any("\n" in box for text in texts_of(game) for box in boxes(text.write(one.name), one.name))


def _codes(nodes: Nodes) -> list[str]:
    return [
        code for node in nodes for code in ([node.text] if isinstance(node, Code) else _codes(children(node)))
    ]


@pytest.mark.few(2)
@every_dialect
def test_every_text_of_a_game_says_the_same_on_every_board(one: Dialect) -> None:
    for text in texts_of("knight_fight"):
        shown = "".join(Shown(look(text.write(one.name), one.name)).words)
        assert not _TAG.findall(shown), text.heading
        assert words(read_as_board(text.write(one.name), one.name) or ())
