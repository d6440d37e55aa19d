"""The writer of BBCode, and the forms and tags of each site that has it.

Names and texts are data: a "[" that could begin a tag is followed by a zero-width space, or stands in the
site's own tag for what is not markup; values of attributes lose what could end them. Every form opens and
closes its own tags, so nothing is left open.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from knightfall.markup.boards import UNSEEN, apart, board_of
from knightfall.markup.dialects.shapes import Shape, Tagged, form_of, shape_of
from knightfall.markup.dialects.simpler import simpler
from knightfall.markup.dialects.tree import (
    BLOCKS,
    CALL,
    children,
    clean,
    hush,
    with_texts_in_pieces,
)
from knightfall.markup.nodes import (
    Bold,
    Break,
    Code,
    Countdown,
    Heading,
    Italic,
    Link,
    Listing,
    Node,
    Nodes,
    PostLink,
    Strike,
    Table,
    Text,
    Underline,
)

STOCK: Mapping[str, str] = {
    "block": "{body}",
    "bold": "[b]{body}[/b]",
    "italic": "[i]{body}[/i]",
    "underline": "[u]{body}[/u]",
    "colour": "[color={colour}]{body}[/color]",
    "size": "[size={size}]{body}[/size]",
    "link": "[url={url}]{body}[/url]",
    "image": "[img]{url}[/img]",
    "quote": "[quote]{body}[/quote]",
    "quote_by": '[quote="{author}"]{body}[/quote]',
    "code": "[code]{text}[/code]",
    "list": "[list]{body}[/list]",
    "ordered": "[list=1]{body}[/list]",
    "item": "[*]{body}",
    "mention": "@{name}",
}

# What a value must not hold, inside a tag, on any of the sites.
ATTRIBUTE: Mapping[str, str] = {"[": "(", "]": ")", '"': "'", "\n": " ", "\t": " "}

_IN_LINE = (Bold, Italic, Underline, Strike)
_LINKS = (Link, PostLink)
_NEW_LINE = "\ufddf"  # "here a line begins": taken out again by `_settled`, never part of a text
# A "[" that some site could read as the beginning of a tag: not one before a digit, a blank or a bracket.
_TAG_LIKE = re.compile(r"\[(?![\d\s\[\]])")
# What a site with a tag for raw text shows as it stands: what could begin a tag there, an item of a list
# (“[0]”, “[*]”) too, or a call.
_RAW = re.compile(rf"\[(?![1-9\s\[\]])|{CALL}", re.IGNORECASE | re.MULTILINE)
# What such a site would show as a mark for what it does not allow.
_UNSEEN = re.compile("[\u00ad\u200b\ufeff]")
# Line marks where a line begins or ends anyway: at either end of the text, or behind a line end.
_NEEDLESS = re.compile(f"(\\A|\n){_NEW_LINE}+|{_NEW_LINE}+\\Z")


@dataclass(frozen=True, slots=True)
class BBCode(Tagged):
    """A site's BBCode: `forms` by key (see `shapes`), `sizes` as (percent, how the site says it).

    `tags` are those of `shapes.TAGS` that the site has (None: all that have a form); a form of another is for
    sites that were given it. `raw_tag` is the tag whose content the site does not read, for sites that show a
    zero-width space. What the site makes of a text by itself is told by `boards`.
    """

    sizes: tuple[tuple[int, str], ...] = ()
    size_range: tuple[int, int] = (10, 200)
    attribute: Mapping[str, str] = field(default_factory=lambda: ATTRIBUTE)
    code_is_raw: bool = True
    raw_tag: str | None = None
    max_length: int | None = None
    unit: Literal["chars", "bytes"] = "chars"

    def write(self, nodes: Nodes) -> str:
        """The nodes as text to paste into the site's editor."""
        # Line marks become line ends, except where a line begins anyway.
        return re.sub(f"{_NEW_LINE}+", "\n", _NEEDLESS.sub(r"\1", self._all(nodes)))

    def _all(self, nodes: Nodes, around: frozenset[type[Node]] = frozenset()) -> str:
        """The nodes in a row; `around` are the kinds of tags in which they stand."""
        written: list[str] = []
        for node in with_texts_in_pieces(nodes, board_of(self.name)):
            if isinstance(node, tuple):
                written.append(self._text(node))
            elif isinstance(node, Break):
                written.append("\n")
            elif type(node) in around:
                # MyBB ends a tag at the first end of its kind, and a link cannot hold another anywhere.
                written.append(self._all(children(node), around))
            else:
                shape = shape_of(node)
                form = form_of(shape, self.forms, self.tags)
                written.append(
                    self._all(simpler(node), around)
                    if form is None
                    else self._filled(form, node, shape, around)
                )
        return "".join(written)

    def _filled(self, form: str, node: Node, shape: Shape, around: frozenset[type[Node]]) -> str:
        """A form with the values of a node, on lines of its own where the node is a block."""
        form = _bold_once(form, around)

        # Values stand inside a tag, so they lose what could end it. A URL is safe already.
        values = {
            key: value if key == "url" else self._attribute(value) for key, value in shape.values.items()
        }
        if title := shape.values.get("title"):
            # A title is a text of ours like others, except that no raw tag may stand in it.
            kept = title if self.raw_tag else UNSEEN.join(apart((Text(title),), board_of(self.name)))
            values["title"] = self._attribute(kept)
        values["body"] = self._body(node, around | _never_inside(node, form))

        # Code is raw on most sites: only what would close it is kept from doing so.
        if isinstance(node, Code) and self.code_is_raw:
            closing = re.escape(form.rpartition("[")[2])
            ends = re.compile(f"\\[(?=\u200b*{closing})", re.IGNORECASE)
            guard, text = ("[ ", self._seen(node.text)) if self.raw_tag else ("[\u200b", clean(node.text))
            values["text"] = ends.sub(guard, board_of(self.name).code_kept(text))
        elif isinstance(node, Code):
            values["text"] = self._neutral(node.text)

        # The size, as the site says it: the nearest step, else a percentage in its range.
        if "percent" in values:
            percent = int(values["percent"])
            if self.sizes:
                values["size"] = min(self.sizes, key=lambda step: abs(step[0] - percent))[1]
            else:
                values["size"] = str(min(max(percent, self.size_range[0]), self.size_range[1]))

        if isinstance(node, BLOCKS):
            if not isinstance(node, Heading):
                form = form.replace("{body}", f"{_NEW_LINE}{{body}}{_NEW_LINE}")
            form = f"{_NEW_LINE}{form}{_NEW_LINE}"
        return form.format_map(values)

    def _neutral(self, text: str) -> str:
        """The text such that the site finds no tag in it, and nobody to call."""
        if self.raw_tag is None:
            return neutral(text)
        return _RAW.sub(rf"[{self.raw_tag}]\g<0>[/{self.raw_tag}]", self._seen(text))

    def _text(self, pieces: tuple[str, ...]) -> str:
        """The pieces of a text, kept apart: where no unseen sign may stand, the letter before such a place is
        in the raw tag."""
        if self.raw_tag is None:
            return self._neutral(UNSEEN.join(pieces))
        parts = [self._neutral(piece) for piece in pieces]
        around = f"[{self.raw_tag}]", f"[/{self.raw_tag}]"
        return "".join(
            part if last or not part or part.endswith("]") else f"{part[:-1]}{around[0]}{part[-1]}{around[1]}"
            for part, last in ((part, place == len(parts)) for place, part in enumerate(parts, start=1))
        )

    def _attribute(self, value: str) -> str:
        return "".join(self.attribute.get(char, char) for char in self._quiet(value))

    def _quiet(self, value: str) -> str:
        """A value of an attribute that calls nobody; no tag can stand in one."""
        if self.raw_tag is None:
            return hush(clean(value))
        return _RAW.sub(lambda found: "(at)" if found[0] == "@" else found[0], self._seen(value))

    def _seen(self, text: str) -> str:
        return _UNSEEN.sub("", clean(text))

    def _body(self, node: Node, around: frozenset[type[Node]]) -> str:
        match node:
            case Listing(items):
                item_form = self.forms["item"]
                return "".join(_NEW_LINE + item_form.format(body=self._all(item, around)) for item in items)
            case Table(rows, head):
                written = ""
                for n, row in enumerate(rows):
                    cell = _bold_once(self.forms["head_cell" if head and n == 0 else "cell"], around)
                    held = around | _never_inside(node, cell)
                    cells = "".join(cell.format(body=self._all(content, held)) for content in row)
                    written += _NEW_LINE + self.forms["row"].format(body=cells)
                return written
            case Countdown():
                return self._all(simpler(node), around)
            case _:
                return self._all(children(node), around)


def _bold_once(form: str, around: frozenset[type[Node]]) -> str:
    """The form without bold where it stands in bold, such as a heading within a heading."""
    return form.replace("[b]", "").replace("[/b]", "") if Bold in around else form


def _never_inside(node: Node, form: str) -> frozenset[type[Node]]:
    """The kinds of nodes that cannot stand within a node that has this form."""
    if isinstance(node, _LINKS):
        return frozenset(_LINKS)
    bold: frozenset[type[Node]] = frozenset({Bold}) if "[b]{body}" in form else frozenset()
    return bold | (frozenset({type(node)}) if isinstance(node, _IN_LINE) else frozenset())


def neutral(text: str) -> str:
    """The text such that no site finds a tag in it: `[b]` becomes `[`, zero-width space, `b]`."""
    return _TAG_LIKE.sub("[\u200b", hush(clean(text)))


PHPBB_FORMS = {
    **STOCK,
    "area": "[area]{body}[/area]",
    "area_titled": "[area={title}]{body}[/area]",
    "spoiler": "[spoiler]{body}[/spoiler]",
    # A board has either `[spoiler]` or `[spoiler=…]`, and mostly the first one.
    "spoiler_titled": "[b]{title}[/b] [spoiler]{body}[/spoiler]",
    "strike": "[s]{body}[/s]",
    "table": "[table]{body}[/table]",
    "row": "[tr]{body}[/tr]",
    "cell": "[td]{body}[/td]",
    "head_cell": "[td][b]{body}[/b][/td]",
    "countdown": "[countdown]{stamp}[/countdown] ({body})",
    "vote": "[vote]{body}[/vote]",
    "unvote": "[unvote]{body}[/unvote]",
    "heading": "[b][size=150]{body}[/size][/b]",
    "heading_small": "[b][size=120]{body}[/size][/b]",
    "quote_post": '[quote="{author}" post_id={post}]{body}[/quote]',
}

PHPBB = BBCode(name="phpbb", forms=PHPBB_FORMS, tags=(), max_length=60_000)
"""A stock phpBB 3.2 or later: no spoiler, table or strike, unless the board made its own."""


MAFIASCUM = BBCode(
    name="mafiascum",
    forms={
        **PHPBB_FORMS,
        "spoiler_titled": "[spoiler={title}]{body}[/spoiler]",
        "row": "[row]{body}[/row]",
        "cell": "[cell]{body}[/cell]",
        "head_cell": "[header]{body}[/header]",
        "post_id": "[post=#{id}]{body}[/post]",
        "post_number": "[post={number}]{body}[/post]",
    },
    tags=("area", "spoiler", "table", "strike", "countdown", "post", "vote"),
    max_length=60_000,
)
"""MafiaScum: phpBB with boxes, spoilers, tables, votes, countdowns and links to posts.

Posts are linked by id where it is known: the number form counts hidden posts too and quietly leads to post 0.
"""


XENFORO = BBCode(
    name="xenforo",
    forms={
        **STOCK,
        "strike": "[s]{body}[/s]",
        "heading": "[size=6][b]{body}[/b][/size]",
        "heading_small": "[size=5][b]{body}[/b][/size]",
        "spoiler": "[spoiler]{body}[/spoiler]",
        "spoiler_titled": '[spoiler="{title}"]{body}[/spoiler]',
        "quote_post": '[quote="{author}, post: {post}"]{body}[/quote]',
        "table": "[table]{body}[/table]",
        "row": "[tr]{body}[/tr]",
        "cell": "[td]{body}[/td]",
        "head_cell": "[th]{body}[/th]",
    },
    tags=("spoiler", "table", "strike"),
    sizes=((60, "1"), (70, "2"), (80, "3"), (100, "4"), (120, "5"), (150, "6"), (175, "7")),
    attribute={**ATTRIBUTE, ",": " "},  # a comma begins the next attribute of a quote
    max_length=10_000,
)
"""XenForo 2."""


VBULLETIN = BBCode(
    name="vbulletin",
    forms={
        **STOCK,
        "heading": "[b][size=5]{body}[/size][/b]",
        "heading_small": "[b][size=4]{body}[/size][/b]",
        "quote_by": "[quote={author}]{body}[/quote]",
        "quote_post": "[quote={author};{post}]{body}[/quote]",
        "strike": "[s]{body}[/s]",
        "spoiler": "[spoiler]{body}[/spoiler]",
        "spoiler_titled": "[spoiler={title}]{body}[/spoiler]",
        "table": "[table]{body}[/table]",
        "row": "[tr]{body}[/tr]",
        "cell": "[td]{body}[/td]",
        "head_cell": "[td][b]{body}[/b][/td]",
        "post_id": "[post={id}]{body}[/post]",
    },
    tags=("table", "post"),
    sizes=((60, "1"), (80, "2"), (100, "3"), (120, "4"), (150, "5"), (180, "6"), (200, "7")),
    attribute={**ATTRIBUTE, ";": ","},  # what follows a semicolon is the id of the quoted post
    max_length=10_000,
)
"""vBulletin 4 and 5: no strike and no spoiler, unless the board made its own."""


SMF = BBCode(
    name="smf",
    forms={
        **STOCK,
        "strike": "[s]{body}[/s]",
        "heading": "[size=1.5em][b]{body}[/b][/size]",
        "heading_small": "[size=1.25em][b]{body}[/b][/size]",
        "quote_by": "[quote author={author}]{body}[/quote]",
        "list": "[list]{body}[/list]",
        "ordered": "[list type=decimal]{body}[/list]",
        "item": "[li]{body}[/li]",
        "table": "[table]{body}[/table]",
        "row": "[tr]{body}[/tr]",
        "cell": "[td]{body}  [/td]",
        "head_cell": "[td][b]{body}[/b]  [/td]",
        "spoiler": "[spoiler]{body}[/spoiler]",
        "spoiler_titled": "[spoiler={title}]{body}[/spoiler]",
        "countdown": "[time]{unix}[/time] ({body})",
    },
    tags=("table", "strike", "countdown"),
    sizes=((50, "0.5em"), (75, "0.8em"), (100, "1em"), (125, "1.25em"), (150, "1.5em"), (200, "2em")),
    attribute={**ATTRIBUTE, "=": "-"},  # "Ada link=…" would name a post of our player's choice
    raw_tag="nobbc",
    max_length=20_000,
)
"""Simple Machines Forum 2.1.

Cells have no room between them, so each ends in two blanks, of which the site makes a hard one. Sizes below
1em have one digit, others two. A zero-width space is shown as “�”: what must not be read stands in [nobbc].
"""


MYBB = BBCode(
    name="mybb",
    forms={
        **STOCK,
        "strike": "[s]{body}[/s]",
        "spoiler": "[spoiler]{body}[/spoiler]",
        "spoiler_titled": "[spoiler={title}]{body}[/spoiler]",
        "table": "[table]{body}[/table]",
        "row": "[tr]{body}[/tr]",
        "cell": "[td]{body}[/td]",
        "head_cell": "[td][b]{body}[/b][/td]",
        "heading": "[size=x-large][b]{body}[/b][/size]",
        "heading_small": "[size=large][b]{body}[/b][/size]",
        "quote_by": "[quote='{author}']{body}[/quote]",
        "quote_post": "[quote='{author}' pid='{post}']{body}[/quote]",
    },
    tags=("strike",),
    sizes=(
        (60, "xx-small"),
        (75, "x-small"),
        (85, "small"),
        (100, "medium"),
        (120, "large"),
        (150, "x-large"),
    ),
    attribute={**ATTRIBUTE, "'": "’", '"': "”"},
    max_length=65_535,
    unit="bytes",
)
"""MyBB 1.8: no spoiler and no table of its own. Its limit counts bytes."""


PROBOARDS = BBCode(
    name="proboards",
    forms={
        **STOCK,
        "strike": "[s]{body}[/s]",
        "colour": '[font color="{colour}"]{body}[/font]',
        "size": '[font size="{size}"]{body}[/font]',
        "heading": '[font size="5"][b]{body}[/b][/font]',
        "heading_small": '[font size="4"][b]{body}[/b][/font]',
        "spoiler": "[spoiler]{body}[/spoiler]",
        "spoiler_titled": "[b]{title}[/b] [spoiler]{body}[/spoiler]",
        "quote_by": '[quote author="@{author}"]{body}[/quote]',
        "code": "[pre]{text}[/pre]",
        "list": "[ul]{body}[/ul]",
        "ordered": "[ol]{body}[/ol]",
        "item": "[li]{body}[/li]",
        "table": "[table][tbody]{body}[/tbody][/table]",
        "row": "[tr]{body}[/tr]",
        "cell": "[td]{body}[/td]",
        "head_cell": "[td][b]{body}[/b][/td]",
    },
    tags=("spoiler", "table", "strike"),
    sizes=((60, "1"), (80, "2"), (100, "3"), (120, "4"), (150, "5"), (180, "6"), (200, "7")),
    code_is_raw=False,
    max_length=60_000,
)
"""ProBoards v5."""


_KEPT = ("block", "bold", "italic", "underline", "colour", "size", "link")

BGG = BBCode(
    name="bgg",
    forms={
        **{key: STOCK[key] for key in _KEPT},
        "strike": "[-]{body}[/-]",
        "heading": "[size=15][b]{body}[/b][/size]",
        "heading_small": "[size=12][b]{body}[/b][/size]",
        "spoiler": "[o]{body}[/o]",
        "spoiler_titled": "[b]{title}[/b] [o]{body}[/o]",
        "quote": "[q]{body}[/q]",
        "quote_by": '[q="{author}"]{body}[/q]',
        "code": "[c]{text}[/c]",
        "mention": "[user={name}][/user]",
    },
    tags=("spoiler", "strike"),
    sizes=((75, "8"), (90, "9"), (100, "10"), (120, "12"), (150, "15"), (180, "18"), (240, "24")),
    code_is_raw=False,
)
"""BoardGameGeek. It has neither lists nor tables; a spoiler has no title."""
