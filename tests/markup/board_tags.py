"""The tags that the boards read, as their documentation and sources have them, and a reader of posts that
finds what a board would show raw.

phpBB 3.3: the stock BBCodes of its text formatter. MyBB 1.8: the patterns of its parser. SMF 2.1: the list of
its parser, with what may stand in what. XenForo 2.2 and vBulletin 4: the BB code pages of their help.
MafiaScum: phpBB with the site's own tags. What a board was given beside these is told by `own`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag: `value` is what may follow its name, as a pattern.

    `raw`: its content is not read, and must be as this pattern. `inside`: it has to stand directly within one
    of these tags. `holds`: the only tags that may stand directly within it, and no text. `nests`: whether one
    may stand within another. `block`: it may stand in no tag that is within a line. `closes`: it has an end.
    """

    value: str = ""
    raw: str | None = None
    inside: frozenset[str] = frozenset()
    holds: frozenset[str] = frozenset()
    nests: bool = True
    block: bool = False
    closes: bool = True


@dataclass(frozen=True, slots=True)
class Board:
    """The tags of a board's software by name, in lower case.

    `own` are those that some boards add, by the name that a game file has for them. `unseen`: what the board
    shows as a mark for what it does not allow. `strict_blocks`: a block ends the tags of a line around it.
    """

    tags: Mapping[str, Tag]
    own: Mapping[str, Mapping[str, Tag]] = field(default_factory=dict)
    unseen: str | None = None
    strict_blocks: bool = False


# A colour: its digits, or a name of CSS.
_HEX = r"#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}"
_URL = r"[a-z]+:[^\s\"<>\[\]]+|[/.?#][^\s\"<>\[\]]*"
_IMAGE = r"https?://[^\s<>\"'\[\]]+"
_ANY = r"[\s\S]*"
_IN_LINE = {name: Tag() for name in "biu"}
_LIST = {"list": Tag(r"|=[1aAiI]", holds=frozenset("*")), "*": Tag(inside=frozenset({"list"}), closes=False)}
_IN_TABLE = {
    "table": Tag(holds=frozenset({"tr"})),
    "tr": Tag(inside=frozenset({"table"}), holds=frozenset({"td"})),
    "td": Tag(inside=frozenset({"tr"})),
}
_SPOILER = {"spoiler": Tag(r"|=[^\[\]\n]+")}

PHPBB = Board(
    {
        **_IN_LINE,
        **_LIST,
        "color": Tag(rf"=(?:{_HEX}|[a-zA-Z]+)"),
        "size": Tag(r"=(?:[1-9][0-9]?|1[0-9]{2}|200)"),  # the board's limit is 200 unless it is changed
        "url": Tag(rf"=(?:{_URL})", nests=False),
        "img": Tag(raw=_IMAGE),
        "code": Tag(raw=_ANY),
        "quote": Tag(r"""|="[^"\[\]\n]+"(?: (?:post_id|time|user_id)=[0-9]+)*"""),
    },
    own={
        "spoiler": {"spoiler": Tag()},
        "area": {"area": Tag(r"|=[^\[\]\n]+")},
        "strike": {"s": Tag()},
        "table": _IN_TABLE,
        "countdown": {"countdown": Tag(raw=r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d -?\d{1,2}\.\d\d")},
        "vote": {"vote": Tag(), "unvote": Tag()},
    },
)

MAFIASCUM = Board(
    {
        **PHPBB.tags,
        **_SPOILER,
        **PHPBB.own["area"],
        **PHPBB.own["strike"],
        **PHPBB.own["countdown"],
        **PHPBB.own["vote"],
        "post": Tag(r"=#?[0-9]+", nests=False),
        "table": Tag(holds=frozenset({"row"})),
        "row": Tag(inside=frozenset({"table"}), holds=frozenset({"cell", "header"})),
        "cell": Tag(inside=frozenset({"row"})),
        "header": Tag(inside=frozenset({"row"})),
    }
)

MYBB = Board(
    {
        # The first end that follows ends them, so one in another of its kind is cut short.
        **{name: Tag(nests=False) for name in "bius"},
        **_LIST,
        "color": Tag(r"=(?:[a-zA-Z]+|#?[0-9a-fA-F]{3}|#?[0-9a-fA-F]{6})"),
        "size": Tag(r"=(?:xx-small|x-small|small|medium|large|x-large|xx-large|[+-]?[0-9]+)"),
        "url": Tag(r"=[a-z]+://[^\s\"<\[\]]+", nests=False),
        "img": Tag(raw=_IMAGE),
        "code": Tag(raw=_ANY),
        "quote": Tag(r"""|='[^'"\[\]\n]+'(?: pid='[0-9]+')?(?: dateline='[0-9]+')?"""),
    },
    own={"spoiler": _SPOILER, "table": _IN_TABLE},
)

SMF = Board(
    {
        **{name: Tag() for name in "bius"},
        "color": Tag(rf"=(?:{_HEX}|[A-Za-z]{{1,20}})"),
        "size": Tag(
            r"=(?:[1-9]\d?p[xt]|small(?:er)?|larger?|xx?-(?:small|large)|medium"
            r"|(?:0\.[1-9]|[1-9](?:\.\d\d?)?)em|[1-7])"
        ),
        "url": Tag(rf"=(?:{_URL})", nests=False),
        "img": Tag(raw=_IMAGE),
        "code": Tag(raw=_ANY, block=True),
        "quote": Tag(r"| author=[^\[\]\n=]{1,192}", block=True),
        "list": Tag(r"| type=decimal", holds=frozenset({"li"}), block=True),
        "li": Tag(inside=frozenset({"list"}), block=True),
        "table": Tag(holds=frozenset({"tr"}), block=True),
        "tr": Tag(inside=frozenset({"table"}), holds=frozenset({"td"}), block=True),
        "td": Tag(inside=frozenset({"tr"}), block=True),
        "time": Tag(raw=r"[0-9]+"),
        "nobbc": Tag(raw=r"[^\n]"),
    },
    own={"spoiler": _SPOILER},
    unseen="\u00ad\u200b\ufeff",
    strict_blocks=True,
)

XENFORO = Board(
    {
        **{name: Tag() for name in "bius"},
        **_LIST,
        **_SPOILER,
        "color": Tag(rf"=(?:{_HEX}|[a-zA-Z]+)"),
        "size": Tag(r"=[1-7]"),
        "url": Tag(rf"=(?:{_URL})", nests=False),
        "img": Tag(raw=_IMAGE),
        "code": Tag(raw=_ANY),
        "quote": Tag(r"""|="[^",\[\]\n]+(?:, (?:post|member): [0-9]+)*\""""),
        "table": Tag(holds=frozenset({"tr"})),
        "tr": Tag(inside=frozenset({"table"}), holds=frozenset({"td", "th"})),
        "td": Tag(inside=frozenset({"tr"})),
        "th": Tag(inside=frozenset({"tr"})),
    }
)

VBULLETIN = Board(
    {
        **_IN_LINE,
        **_LIST,
        **_IN_TABLE,
        "color": Tag(rf"=(?:{_HEX}|[a-zA-Z]+)"),
        "size": Tag(r"=[+-]?[1-7]"),
        "url": Tag(rf"=(?:{_URL})", nests=False),
        "img": Tag(raw=_IMAGE),
        "code": Tag(raw=_ANY),
        "quote": Tag(r"|=[^;\[\]\n]+(?:;[0-9]+)?"),
        "post": Tag(r"=[0-9]+", nests=False),
    },
    own={"spoiler": _SPOILER, "strike": {"s": Tag()}},
)

BOARDS: Mapping[str, Board] = {
    "phpbb": PHPBB,
    "mafiascum": MAFIASCUM,
    "mybb": MYBB,
    "smf": SMF,
    "xenforo": XENFORO,
    "vbulletin": VBULLETIN,
}
"""By the name of the dialect that is written for them."""

# What every board tries to read: a name, or the sign of a list item, and what follows it up to the bracket.
_TAG = re.compile(r"\[(/?)([a-zA-Z]+|\*)((?:[= ][^\[\]\n]*)?)\]")
_ITEM_SIGN = re.compile(r"(?:^|(?<=\s))\[[@+xo0#O]\]", re.MULTILINE)


@dataclass(slots=True)
class _Open:
    name: str
    tag: Tag
    texts: bool = False


def faults(name: str, text: str, own: tuple[str, ...] = ()) -> list[str]:
    """What a board would show raw, drop or misread in a post; `name` is that of its dialect, `own` the tags
    that this board was given beside its software's."""
    board = BOARDS[name]
    tags = dict(board.tags)
    for each in own:
        tags |= board.own.get(each, {})
    return list(_faults(board, tags, text))


def _faults(board: Board, tags: Mapping[str, Tag], text: str) -> Iterator[str]:
    if board.unseen and (found := re.search(f"[{board.unseen}]", text)):
        yield f"a character that is shown as a mark: {found[0]!r}"
    stack: list[_Open] = []
    at = 0
    while found := _TAG.search(text, at):
        closing, name, value = found[1], found[2].lower(), found[3]
        yield from _words(board, stack, text[at : found.start()])
        at = found.end()
        tag = tags.get(name)
        if tag is None:
            yield f"no such tag: {found[0]}"
            continue
        if closing:
            while stack and stack[-1].name == "*" and name == "list":
                stack.pop()
            if not stack or stack[-1].name != name:
                yield f"closes what is not open: {found[0]}"
            else:
                stack.pop()
            continue
        if not re.fullmatch(tag.value, value):
            yield f"not a form of the tag: {found[0]}"
        if name == "*" and stack and stack[-1].name == "*":
            stack.pop()
        yield from _misplaced(board, stack, name, tag)
        if tag.raw is not None:
            end = re.compile(rf"\[/{name}\]", re.IGNORECASE).search(text, at)
            if end is None:
                yield f"never closed: {found[0]}"
                continue
            if not re.fullmatch(tag.raw, text[at : end.start()]):
                yield f"not what the tag may hold: {text[found.start() : end.end()]}"
            at = end.end()
        else:
            stack.append(_Open(name, tag))
    yield from _words(board, stack, text[at:])
    yield from (f"never closed: [{one.name}]" for one in stack if one.tag.closes)


def _misplaced(board: Board, stack: list[_Open], name: str, tag: Tag) -> Iterator[str]:
    above = stack[-1] if stack else None
    if tag.inside and (above is None or above.name not in tag.inside):
        yield f"[{name}] stands outside {sorted(tag.inside)}"
    if above and above.tag.holds and name not in above.tag.holds:
        yield f"[{name}] stands directly within [{above.name}]"
    if not tag.nests and any(one.name == name for one in stack):
        yield f"[{name}] within another"
    if board.strict_blocks and tag.block and any(not one.tag.block for one in stack):
        yield f"[{name}] within {[one.name for one in stack if not one.tag.block]}"


def _words(board: Board, stack: list[_Open], text: str) -> Iterator[str]:
    """Words where only tags may stand, and signs that SMF takes for items of a list."""
    if text.strip() and stack and stack[-1].tag.holds:
        yield f"words directly within [{stack[-1].name}]: {text.strip()!r}"
    if board is SMF and (found := _ITEM_SIGN.search(text)):
        yield f"read as an item of a list: {found[0]}"
