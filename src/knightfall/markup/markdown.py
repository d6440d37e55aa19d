"""Markdown as it is pasted into a site's editor, read into nodes.

The reader of CommonMark is markdown-it; what a site adds to it is read here: Discourse's tags in brackets,
Reddit's hidden lines, Discord's bars around what is hidden. Nothing of it fails: what cannot be read is text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from markdown_it import MarkdownIt
from markdown_it.token import Token

from knightfall.markup.nodes import (
    Block,
    Bold,
    Break,
    Code,
    Countdown,
    Heading,
    Image,
    Italic,
    Link,
    Listing,
    Node,
    Nodes,
    Quote,
    Spoiler,
    Strike,
    Table,
    Text,
    Underline,
)

DEEPEST = 20
"""Tags in brackets within each other; deeper ones are text."""


@dataclass(frozen=True, slots=True)
class MarkdownSite:
    """What a site reads beside CommonMark: `breaks`, every line end ends a line; `brackets`, tags on lines of
    their own; `hides`, a line between `>!` and `!<` is hidden; `chat`, as Discord reads a message: a quote
    ends with its line, `__` underlines, `||` hides, and there are no tables, pictures or entities."""

    breaks: bool = True
    brackets: bool = False
    hides: bool = False
    chat: bool = False


CHAT = MarkdownSite(chat=True)
"""How a message of Discord is read."""


_MARKS: Mapping[str, Callable[[Nodes], Node]] = {
    "strong_open": Bold,
    "em_open": Italic,
    "s_open": Strike,
    "u_open": Underline,
}
_OPENING = re.compile(r'\[(quote|spoiler|details)(?:="([^"\n]*)")?\]')
_CLOSING = re.compile(r"\[/(quote|spoiler|details)\]")
_FENCE = re.compile(r"(`{3,}|~{3,})")
_HIDDEN_LINE = re.compile(r"(?m)^>!(.*?)!<[ ]*$")
# What stands for the marks of a hidden line while it is read: else `>` would begin a quote.
_HIDES, _SHOWS = "\ue000", "\ue001"
_DATE = re.compile(
    r'\[date=(\d{4}-\d\d-\d\d) time=(\d\d:\d\d:\d\d) timezone="([\w/+-]{1,64})"(?: countdown=true)?\]'
)
_WITHIN_LINE = re.compile(rf"(\[/?u\]|{_DATE.pattern}|{_HIDES}|{_SHOWS})")


def parse_markdown(source: str, site: MarkdownSite) -> Nodes:
    """The nodes of a text in a site's Markdown; never fails."""
    source = source.replace("\r\n", "\n")
    if site.chat:
        return _quoted_by_line(source.split("\n"), site)
    if site.hides:
        source = _HIDDEN_LINE.sub(rf"{_HIDES}\1{_SHOWS}", source)
    return _boxes(source.split("\n"), site) if site.brackets else _blocks(source, site)


def _quoted_by_line(lines: Sequence[str], site: MarkdownSite) -> Nodes:
    """Lines of which each that begins with “> ” is a quote, and all behind “>>> ”."""
    found: list[Node] = []
    kept: list[str] = []
    fence = False

    def flush(quoted: bool) -> None:
        nodes = _blocks("\n".join(kept), site)
        found.extend((Quote(nodes),) if quoted and nodes else nodes)
        kept.clear()

    quoting = False
    for at, line in enumerate(lines):
        if not fence and line.startswith(">>> "):
            flush(quoting)
            kept.extend((line.removeprefix(">>> "), *lines[at + 1 :]))
            quoting = True
            break
        is_quote = not fence and line.startswith("> ")
        if is_quote is not quoting:
            flush(quoting)
            quoting = is_quote
        fence ^= line.count("```") % 2 == 1
        kept.append(line.removeprefix("> ") if is_quote else line)
    flush(quoting)
    return tuple(found)


def _boxes(lines: Sequence[str], site: MarkdownSite, depth: int = 0) -> Nodes:
    """Lines in which tags on lines of their own hold what is between them."""
    found: list[Node] = []
    kept: list[str] = []
    fence, at = "", 0
    while at < len(lines):
        line = lines[at].strip()
        ticks = _FENCE.match(line)
        if ticks and (not fence or (line == ticks[1] and line.startswith(fence))):
            fence = "" if fence else ticks[1]
        opening = None if fence or depth > DEEPEST else _OPENING.fullmatch(line)
        end = _end_of_box(lines, at, opening[1]) if opening else None
        if opening and end is not None:
            found += _blocks("\n".join(kept), site)
            kept = []
            inner = _boxes(lines[at + 1 : end], site, depth + 1)
            found.append(
                Quote(inner, opening[2]) if opening[1] == "quote" else Spoiler(inner, opening[2] or "")
            )
            at = end
        else:
            kept.append(lines[at])
        at += 1
    return (*found, *_blocks("\n".join(kept), site))


def _end_of_box(lines: Sequence[str], start: int, name: str) -> int | None:
    """The line that closes the tag which opens on line `start`; None where it is never closed."""
    depth, fence = 0, ""
    for at in range(start, len(lines)):
        line = lines[at].strip()
        ticks = _FENCE.match(line)
        if ticks and (not fence or (line == ticks[1] and line.startswith(fence))):
            fence = "" if fence else ticks[1]
        if fence:
            continue
        opening, closing = _OPENING.fullmatch(line), _CLOSING.fullmatch(line)
        depth += 1 if opening and opening[1] == name else 0
        depth -= 1 if closing and closing[1] == name else 0
        if depth == 0:
            return at
    return None


@lru_cache(maxsize=2)
def _reader(chat: bool) -> MarkdownIt:
    # An escaped letter stays a token of its own: it is no part of a tag.
    reader = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("text_join")
    absent = ["blockquote", "code", "entity", "hr", "image", "lheading", "reference", "table"]
    return reader.disable(absent) if chat else reader


def _blocks(source: str, site: MarkdownSite) -> Nodes:
    return _Walk(_reader(site.chat).parse(source), site).nodes("") if source.strip() else ()


@dataclass(slots=True)
class _Walk:
    """One pass over the tokens of a text; `at` is the next of them."""

    tokens: Sequence[Token]
    site: MarkdownSite
    at: int = 0

    def nodes(self, until: str) -> Nodes:
        """The nodes up to a closing token, which is passed over."""
        found: list[Node] = []
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            if token.type == until:
                break
            found += self._node(token)
        return _joined(found)

    def _node(self, token: Token) -> Nodes:
        closing = token.type.replace("_open", "_close")
        match token.type:
            case "inline":
                return _hidden(_Walk(_tagged(token.children or (), self.site), self.site).nodes(""))
            case "text" | "text_special":
                return (Text(token.content),)
            case "softbreak" | "hardbreak":
                return (Break(),) if self.site.breaks or token.type == "hardbreak" else (Text(" "),)
            case "code_inline" | "code_block" | "fence":
                return (Code(token.content),)
            case "paragraph_open":
                inner = self.nodes(closing)
                return inner if token.hidden else (Block(inner),)
            case "heading_open":
                return (Heading(int(token.tag[1]), self.nodes(closing)),)
            case "blockquote_open":
                return (Quote(self.nodes(closing)),)
            case "bullet_list_open" | "ordered_list_open":
                return (self._list(closing),)
            case "table_open":
                return (self._table(),)
            case "link_open":
                return (Link(str(token.attrGet("href") or ""), self.nodes(closing)),)
            case "image":
                return (Image(token.content, str(token.attrGet("src") or "")),)
            case "hr":
                return (Break(),)
            case "date":
                return (_date(token.content),)
            case "strong_open" if self.site.chat and token.markup == "__":
                return (Underline(_hidden(self.nodes(closing))),)
            case _ if token.type in _MARKS:
                return (_MARKS[token.type](_hidden(self.nodes(closing))),)
            case _:
                return (Text(token.content),) if token.content else ()

    def _list(self, closing: str) -> Listing:
        items: list[Nodes] = []
        while self.at < len(self.tokens) and (token := self.tokens[self.at]).type != closing:
            self.at += 1
            if token.type == "list_item_open":
                items.append(self.nodes("list_item_close"))
        self.at += 1
        return Listing(tuple(items), ordered=closing.startswith("ordered"))

    def _table(self) -> Table:
        rows: list[list[Nodes]] = []
        while self.at < len(self.tokens) and (token := self.tokens[self.at]).type != "table_close":
            self.at += 1
            if token.type == "tr_open":
                rows.append([])
            elif token.type in ("th_open", "td_open") and rows:
                rows[-1].append(self.nodes(token.type.replace("open", "close")))
        self.at += 1
        # A table that begins with an empty head has none.
        head = bool(rows) and any(rows[0])
        return Table(tuple(tuple(row) for row in rows if head or row is not rows[0]), head)


def _tagged(tokens: Sequence[Token], site: MarkdownSite) -> Sequence[Token]:
    """The tokens of a line, with a site's own tags within it as tokens."""
    if site.chat:
        return _barred(tokens)
    if not (site.brackets or site.hides):
        return tokens
    made: list[Token] = []
    open_tags = 0
    for token in tokens:
        if token.type != "text":
            made.append(token)
            continue
        at = 0
        for found in _WITHIN_LINE.finditer(token.content):
            made.append(Token("text", "", 0, content=token.content[at : found.start()]))
            at = found.end()
            if found[0] == "[/u]" and not open_tags:
                made.append(Token("text", "", 0, content=found[0]))
                continue
            open_tags += {"[u]": 1, "[/u]": -1}.get(found[0], 0)
            kind = {"[u]": "u_open", "[/u]": "u_close", _HIDES: "text", _SHOWS: "text"}.get(found[0], "date")
            made.append(Token(kind, "", 0, content=found[0]))
        made.append(Token("text", "", 0, content=token.content[at:]))
    return made


def _barred(tokens: Sequence[Token]) -> Sequence[Token]:
    """The tokens with each pair of bars as the marks of a hidden part; a single one is text."""
    bars = sum(token.content.count("||") for token in tokens if token.type == "text")
    if bars < 2:
        return tokens
    made: list[Token] = []
    open_now, left = False, bars - bars % 2
    for token in tokens:
        if token.type != "text" or "||" not in token.content:
            made.append(token)
            continue
        first, *others = token.content.split("||")
        said = first
        for part in others:
            mark = (_SHOWS if open_now else _HIDES) if left else "||"
            open_now, left = (not open_now, left - 1) if left else (open_now, 0)
            said += mark + part
        made.append(Token("text", "", 0, content=said))
    return made


def _hidden(nodes: Nodes) -> Nodes:
    """A line in which a hidden part stands in a spoiler."""
    found: list[Node] = []
    began: int | None = None
    for node in nodes:
        if not isinstance(node, Text) or not (_HIDES in node.text or _SHOWS in node.text):
            found.append(node)
            continue
        for part in re.split(f"({_HIDES}|{_SHOWS})", node.text):
            if part == _HIDES:
                began = len(found)
            elif part == _SHOWS and began is not None:
                found[began:] = [Spoiler(tuple(found[began:]))]
                began = None
            elif part and part != _SHOWS:
                found.append(Text(part))
    return tuple(found)


def _date(written: str) -> Node:
    """Discourse's tag of an instant."""
    found = _DATE.fullmatch(written)
    assert found is not None  # it is a token because it was found
    try:
        instant = datetime.fromisoformat(f"{found[1]}T{found[2]}").replace(tzinfo=ZoneInfo(found[3]))
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return Text(written)
    return Countdown(instant, found[3])


def _joined(nodes: Sequence[Node]) -> Nodes:
    """The nodes with neighbouring texts in one."""
    joined: list[Node] = []
    for node in nodes:
        last = joined[-1] if joined else None
        if isinstance(node, Text) and isinstance(last, Text):
            joined[-1] = Text(last.text + node.text)
        elif not (isinstance(node, Text) and not node.text):
            joined.append(node)
    return tuple(joined)
