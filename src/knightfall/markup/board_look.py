"""A post as it will look on the board for which it was written.

The text is read as that board reads it, and told in a few tags of ours: sizes small or large, links
underlined and leading nowhere, smilies as pictures, code boxes with what that board does to their blanks.
Nothing of it loads, runs or leads elsewhere. What the board makes of a text by itself is told by `boards`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

from knightfall.markup.bbcode import Spelling, parse_bbcode
from knightfall.markup.boards import HARD, Board, Made, board_of
from knightfall.markup.dialects import Dialect, base_name, dialect
from knightfall.markup.dialects.bbcode_family import BBCode
from knightfall.markup.dialects.ips import Html
from knightfall.markup.dialects.moments import in_words
from knightfall.markup.dialects.tree import children
from knightfall.markup.html import parse_html
from knightfall.markup.html_style import HtmlStyle
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
    Text,
    Underline,
    VoteTag,
)

_SEAM = "\u200b"
_LIST_TAGS = {"ul": ("list", ""), "ol": ("list", "=1")}
_SPELLINGS: Mapping[str, Spelling] = {
    "xenforo": Spelling(cited=re.compile(r", post: ([0-9]{1,20})")),
    "vbulletin": Spelling(cited=re.compile(r";([0-9]{1,20})")),
    "mafiascum": Spelling(names={"countdown": ("@time", "")}),
    "phpbb": Spelling(names={"countdown": ("@time", "")}),
    "smf": Spelling(names={"time": ("@time", "")}, seam=_SEAM),
    "proboards": Spelling(names={"font": ("@font", ""), **_LIST_TAGS}, raw=frozenset({"pre"})),
    "bgg": Spelling(
        names={"o": ("spoiler", ""), "q": ("quote", ""), "user": ("@user", "")}, raw=frozenset({"c"})
    ),
}
"""What the reader of BBCode must know of a dialect beside its sizes."""
# Tags that no reader of ours takes: those of no meaning, and one whose name is no word.
_DROPPED = {"proboards": re.compile(r"\[/?tbody\]"), "bgg": re.compile(r"\[(/?)-\]")}
_STRUCK = {"proboards": "", "bgg": r"[\1s]"}
_RICH = HtmlStyle(bolds=(".ipsSpoiler_header", ".ipsQuote_citation"))


def read_as_board(text: str, name: str) -> Nodes | None:
    """The nodes of a post in the dialect of that name, as its board reads it; None where it has no markup
    that we know. Raises InputError for an unknown dialect."""
    speech = dialect(name)
    if isinstance(speech, Html):
        return parse_html(text, _RICH)
    if isinstance(speech, BBCode):
        base = base_name(name)
        known = _SPELLINGS.get(base, Spelling())
        sizes = {written: percent for percent, written in speech.sizes}
        spelling = Spelling(sizes, known.names, known.raw, known.seam, known.cited)
        if base in _DROPPED:
            text = _DROPPED[base].sub(_STRUCK[base], text)
        return parse_bbcode(text, spelling)
    # Only who looks at Markdown waits for its reader.
    from knightfall.markup.dialects.markdown_family import Markdown
    from knightfall.markup.markdown import MarkdownSite, parse_markdown

    if isinstance(speech, Markdown):
        site = MarkdownSite(
            breaks=speech.line_end == "\n",
            brackets=any(form.startswith("[quote") for form in speech.forms.values()),
            hides=speech.spoiler_line is not None and not speech.chat,
            chat=speech.chat,
        )
        return parse_markdown(text, site)
    return None


def look(text: str, name: str) -> str:
    """A post in the dialect of that name as HTML of a few tags and classes, all escaped."""
    nodes = read_as_board(text, name)
    if nodes is None:
        return f"<pre>{escape(text)}</pre>"
    return _Page(board_of(name), _boxes_all_code(dialect(name))).html(nodes)


def _boxes_all_code(speech: Dialect) -> bool:
    """Whether code stands in a box of its own wherever it is."""
    return isinstance(speech, BBCode) and "[c]" not in speech.forms.get("code", "")


# ── what a reader of the post would stumble over ─────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Misread:
    """A name of which the board makes a smiley or a link, or by which it calls somebody."""

    name: str
    made: Made


@dataclass(frozen=True, slots=True)
class TallBox:
    """A code box of `lines` lines, of which the board shows `seen` at a time."""

    lines: int
    seen: int


def misread_names(nodes: Nodes, board: Board, names: Iterable[str]) -> tuple[Misread, ...]:
    """The names that the board would not leave as they are, in the order of the names."""
    found = set[Misread]()
    known = tuple(dict.fromkeys(name for name in names if name))
    for text in _texts(nodes):
        readings = tuple(board.readings(text))
        if not readings:
            continue
        for name in known:
            for place in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
                found |= {
                    Misread(name, one.made)
                    for one in readings
                    if one.start < place.end()
                    and place.start() < one.end
                    # “:word:” is a smiley only where the board has one of that name.
                    and (one.picture or one.made is not Made.SMILEY)
                }
    return tuple(sorted(found, key=lambda one: (known.index(one.name), one.made.value)))


def tall_boxes(nodes: Nodes, board: Board) -> tuple[TallBox, ...]:
    """The code boxes in which readers must scroll to see all."""
    if board.code_lines is None:
        return ()
    counts = (board.code_seen(text).count("\n") + 1 for text in _codes(nodes))
    return tuple(TallBox(count, board.code_lines) for count in counts if count > board.code_lines)


def _texts(nodes: Nodes) -> Iterator[str]:
    """The texts of the nodes, those beside each other in one; titles too, nothing of code."""
    for is_text, run in groupby(nodes, key=lambda node: isinstance(node, Text)):
        if is_text:
            yield "".join(node.text for node in run if isinstance(node, Text))
            continue
        for node in run:
            if isinstance(node, Spoiler | Area):
                yield node.title
            if isinstance(node, Listing):
                for item in node.items:
                    yield from _texts(item)
            elif isinstance(node, Table):
                for row in node.rows:
                    for cell in row:
                        yield from _texts(cell)
            else:
                yield from _texts(children(node))


def _codes(nodes: Nodes) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, Code):
            yield node.text
        else:
            yield from _codes(children(node))


# ── HTML ─────────────────────────────────────────────────────────────────────────────────────────

SIZES = (50, 60, 75, 85, 100, 120, 150, 175, 200)
"""The steps in which sizes are shown, in percent: one class each."""
_MARKS: Mapping[type[Node], str] = {Bold: "strong", Italic: "em", Underline: "u", Strike: "s"}
_WORD = re.compile(r"[^\W\d_]{3,}")
_SMILEY_NAME = re.compile(r":[\w+-]{1,30}:")
_LINK = '<span class="to">{}</span>'


@dataclass(frozen=True, slots=True)
class _Page:
    """The writer of a look: what `board` makes of texts is made, `in_link` none is a link."""

    board: Board
    boxes: bool
    in_link: bool = False

    def html(self, nodes: Nodes) -> str:
        """The nodes in a row."""
        written: list[str] = []
        for is_text, run in groupby(nodes, key=lambda node: isinstance(node, Text)):
            if is_text:
                written.append(self._text("".join(node.text for node in run if isinstance(node, Text))))
                continue
            boxed = False
            for node in run:
                # The line end behind a box is the box's own.
                if not (boxed and isinstance(node, Break)):
                    written.append(self._node(node))
                boxed = isinstance(node, Code) and self._in_box(node.text)
        return "".join(written)

    def _in_box(self, code: str) -> bool:
        return self.boxes or "\n" in code

    def _text(self, text: str) -> str:
        """A text with what the board makes of it, and its blanks as they are seen there."""
        written: list[str] = []
        at = 0
        for one in self.board.readings(text):
            said = text[one.start : one.end]
            if one.made is not Made.SMILEY and not self.in_link:
                made = _LINK.format(escape(said))
            elif one.picture:
                made = f'<span class="smiley" role="img" aria-label="{escape(said)}">{one.picture}</span>'
            else:
                continue
            written += (self._blanks(text[at : one.start]), made)
            at = one.end
        return "".join((*written, self._blanks(text[at:])))

    def _blanks(self, text: str) -> str:
        text = escape(text)
        return text.replace("  ", f"{HARD} ") if self.board.keeps_runs else text

    def _node(self, node: Node) -> str:
        match node:
            case Break():
                return "<br>"
            case Bold() | Italic() | Underline() | Strike():
                tag = _MARKS[type(node)]
                return f"<{tag}>{self.html(node.children)}</{tag}>"
            case Size(percent, inner):
                step = min(SIZES, key=lambda each: abs(each - percent))
                return f'<span class="size-{step}">{self.html(inner)}</span>'
            case Colour(colour, inner):
                hue = hue_of(colour)
                return f'<span class="ink-{hue}">{self.html(inner)}</span>' if hue else self.html(inner)
            case Link(url, inner):
                return self._link(inner, url)
            case PostLink(number, inner):
                return self._link(inner, f"#{number}")
            case Mention(name):
                said = escape(f"@{name}")
                return _LINK.format(said) if self.board.calls else said
            case Image(alt):
                return self._picture(alt)
            case VoteTag(tag, inner):
                said = self.html(inner)
                return f"<strong>{tag.name}{': ' if said else ''}{said}</strong>"
            case Countdown(children=inner):
                return self.html(inner) if inner else escape(in_words(node))
            case _:
                return self._on_own_lines(node)

    def _picture(self, alt: str) -> str:
        """A smiley as its letters; of another picture what it shows."""
        if alt and (not _WORD.search(alt) or _SMILEY_NAME.fullmatch(alt)):
            return self._text(alt)
        return f'<span class="picture">picture{f": {escape(alt)}" if alt else ""}</span>'

    def _on_own_lines(self, node: Node) -> str:
        match node:
            case Heading(level, inner):
                return f'<div class="head-{min(level, 3)}"><strong>{self.html(inner)}</strong></div>'
            case Block(inner):
                return f'<div class="para">{self.html(inner)}</div>'
            case Quote(inner, author):
                by = self._text((author or "").removeprefix("@"))
                cited = f'<div class="cited">{by} wrote:</div>' if by else ""
                return f"<blockquote>{cited}{self.html(inner)}</blockquote>"
            case Spoiler(inner, title):
                name = f"Spoiler: {self._text(title)}" if title else "Spoiler"
                return f"<details><summary>{name}</summary>{self.html(inner)}</details>"
            case Area(inner, title):
                head = f'<div class="box-title">{self._text(title)}</div>' if title else ""
                return f'<div class="box">{head}{self.html(inner)}</div>'
            case Code(text):
                return self._code(text)
            case Listing(items, ordered):
                tag = "ol" if ordered else "ul"
                return f"<{tag}>{''.join(f'<li>{self.html(item)}</li>' for item in items)}</{tag}>"
            case Table(rows, head):
                return self._table(rows, head)
            case Aside(_, inner):
                return f'<div class="para"><em>{self.html(inner)}</em></div>'
            case _:
                return self.html(children(node))

    def _link(self, inner: Nodes, otherwise: str) -> str:
        within = _Page(self.board, self.boxes, in_link=True)
        return _LINK.format(within.html(inner) or escape(otherwise))

    def _code(self, text: str) -> str:
        if not self._in_box(text):
            return f"<code>{escape(text)}</code>"
        seen = self.board.code_seen(text)
        lines = self.board.code_lines
        tall = f" lines-{lines}" if lines else ""
        return f'<pre class="code-box{tall}" tabindex="0">{escape(seen)}</pre>'

    def _table(self, rows: Sequence[Sequence[Nodes]], head: bool) -> str:
        written = ""
        for place, row in enumerate(rows):
            opening, tag = ('<th scope="col">', "th") if head and place == 0 else ("<td>", "td")
            written += f"<tr>{''.join(f'{opening}{self.html(cell)}</{tag}>' for cell in row)}</tr>"
        return f'<div class="wide" tabindex="0"><table><tbody>{written}</tbody></table></div>'


# ── colours ──────────────────────────────────────────────────────────────────────────────────────

_NAMED = {
    "red": "red darkred crimson firebrick maroon indianred tomato orangered",
    "orange": "orange darkorange brown chocolate sienna saddlebrown gold yellow goldenrod coral",
    "green": "green darkgreen lime limegreen olive seagreen forestgreen",
    "teal": "teal cyan aqua turquoise darkcyan lightblue skyblue",
    "blue": "blue navy darkblue mediumblue royalblue steelblue dodgerblue",
    "purple": "purple violet magenta fuchsia indigo darkviolet pink deeppink hotpink orchid",
    "grey": "grey gray silver darkgray darkgrey dimgray lightgrey lightgray",
}
_HUE_OF = {name: hue for hue, names in _NAMED.items() for name in names.split()}
_HEX = re.compile(r"#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
# Degrees of the colour circle up to which a hue goes.
_UP_TO = ((15, "red"), (65, "orange"), (160, "green"), (195, "teal"), (255, "blue"), (335, "purple"))


def hue_of(colour: str) -> str | None:
    """The hue that stands for a colour where both a light and a dark page must be readable; None for black,
    white and what is no colour."""
    named = _HUE_OF.get(colour.lower())
    found = _HEX.fullmatch(colour)
    if named or found is None:
        return named
    digits = found[1] if len(found[1]) == 6 else "".join(digit * 2 for digit in found[1])
    red, green, blue = (int(digits[at : at + 2], 16) for at in (0, 2, 4))
    most, least = max(red, green, blue), min(red, green, blue)
    if most - least < 40:
        return "grey" if 60 < most < 230 else None
    if most == red:
        degrees = 60 * (green - blue) / (most - least)
    elif most == green:
        degrees = 120 + 60 * (blue - red) / (most - least)
    else:
        degrees = 240 + 60 * (red - green) / (most - least)
    return next((hue for limit, hue in _UP_TO if degrees % 360 < limit), "red")
