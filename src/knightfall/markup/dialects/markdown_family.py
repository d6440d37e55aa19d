"""The writer of Markdown, and the forms and tags of each site that has it.

Names and texts are data: every character that Markdown reads as a mark is escaped, at the beginning of a line
also those of lists, rules and numbers. Marks are set line by line, because a blank line would end them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from string import punctuation
from typing import Literal

from knightfall.markup.boards import board_of
from knightfall.markup.dialects.shapes import Shape, Tagged, form_of, shape_of
from knightfall.markup.dialects.simpler import simpler
from knightfall.markup.dialects.tree import (
    children,
    clean,
    has_block,
    hush,
    hush_users,
    is_block,
    runs,
    with_guarded_texts,
    words,
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
    Quote,
    Spoiler,
    Strike,
    Table,
    Text,
    Underline,
)

COMMON: Mapping[str, str] = {
    "bold": "**{body}**",
    "italic": "*{body}*",
    "strike": "~~{body}~~",
    "link": "[{body}]({url})",
    "image": "![{alt}]({url})",
    "table": "{body}",
}

_MARK = re.compile(r"[\\`*_\[\]()#|>~<&^]")
# What Markdown reads as a list, a rule or a heading's underline where a line begins, and a list's number.
_LINE_START = re.compile(r"^([ \t]*)(?:([-+=.]|:(?=-))|(\d+)\.)", re.MULTILINE)
# A text that ends in an emphasis mark, not in an escaped one: an even number of backslashes stands before.
_ENDS_IN_MARK = re.compile(r"(?<!\\)(?:\\\\)*[*~]\Z")
_APART = "&#8203;"  # a zero-width space whose source looks like punctuation: marks beside it open and close
_CHAT_APART = "\u200b"  # where there are no entities
# A first or last mark with the unseen sign in it, where that keeps no other mark from melting into it.
_OPENED = re.compile(rf"\A(\*\*?|~~){_CHAT_APART}(?![*~])")
_CLOSED = re.compile(rf"(?<![*~]){_CHAT_APART}(\*\*?|~~)\Z")
_IN_ATTRIBUTE = str.maketrans('[]<>"`\n\t', "()‹›''  ")
_EMPHASIS = Bold | Italic | Strike | Underline
_LINKS = (Link, PostLink)


@dataclass(frozen=True, slots=True)
class Markdown(Tagged):
    """A site's Markdown: `forms` by key (see `shapes`), the `tags` that it has; `line_end` in a paragraph.

    `spoiler_line`, where set, hides one line at a time, because the site has no block that hides. `quiet`
    keeps a text from calling anybody. `chat`: it is read as Discord reads a message (`markup.markdown.CHAT`).
    """

    line_end: str = "\n"
    spoiler_line: str | None = None
    chat: bool = False
    max_length: int | None = None
    unit: Literal["chars", "bytes"] = "chars"
    quiet: Callable[[str], str] = field(default=hush, repr=False)

    def write(self, nodes: Nodes) -> str:
        """The nodes as text to paste into the site's editor."""
        blocks: list[str] = []
        for group in runs(nodes):
            if has_block(group):
                blocks.append(self._block(group[0]))
            else:
                # The lines of a run: blank ones part paragraphs. No line keeps blanks that would indent it.
                lines = "\n".join(line.strip(" \t") for line in self._inline(group).split("\n"))
                parts = re.split("\n\n+", lines.strip("\n"))
                blocks += [part.replace("\n", self.line_end) for part in parts if part]
        return "\n\n".join(blocks)

    def _block(self, node: Node) -> str:
        match node:
            case Code(text):
                # A fence has lines of its own: the line ends beside the tags would be empty lines in the box.
                code = clean(text).removeprefix("\n").removesuffix("\n")
                ticks = _ticks(code, 3)
                return f"{ticks}\n{code}\n{ticks}"
            case Listing(items, ordered):
                # Every line of an item but its first is indented as far as its mark.
                written: list[str] = []
                for n, item in enumerate(items, 1):
                    mark = f"{n}. " if ordered else "- "
                    indented = re.sub("(?m)^(?=.)", " " * len(mark), self.write(item))
                    written.append(mark + indented[len(mark) :])
                return "\n".join(written)
            case Table(rows, head) if self.tags is None or "table" in self.tags:
                width = max((len(row) for row in rows), default=0)
                first, others = (rows[0], rows[1:]) if head and rows else ((), rows)
                lines = [
                    self._row(first, width),
                    f"|{' --- |' * width}",
                    *(self._row(row, width) for row in others),
                ]
                return "\n".join(lines)
            case Heading(level, inner):
                return f"{'#' * min(max(level, 1), 3 if self.chat else 6)} {self._one_line(inner)}"
            case Spoiler(inner, title) if self.spoiler_line:
                heading = f"{self._inline((Bold((Text(title),)),))}\n\n" if title else ""
                lines = self.write(inner).split("\n")
                return heading + "\n".join(line and self.spoiler_line.format(body=line) for line in lines)
            case _:
                # Between an opening and a closing line where the dialect has them, else in simpler nodes.
                shape = shape_of(node)
                form = self._form(shape) if is_block(node) and not isinstance(node, Table) else None
                if form is not None:
                    values = {key: _in_attribute(value) for key, value in shape.values.items()}
                    return form.format_map({**values, "body": self.write(children(node))})
                if isinstance(node, Quote):
                    return re.sub(
                        "(?m)^(?=(.?))", lambda line: "> " if line[1] else ">", self.write(simpler(node))
                    )
                return self.write(simpler(node))

    @property
    def _apart(self) -> str:
        return _CHAT_APART if self.chat else _APART

    def _form(self, shape: Shape) -> str | None:
        return form_of(shape, self.forms, self.tags)

    def _row(self, cells: tuple[Nodes, ...], width: int) -> str:
        texts = [re.sub(r"(?<!\\)\|", r"\\|", self._one_line(cell)) for cell in cells]
        return f"| {' | '.join(texts + [''] * (width - len(texts)))} |"

    def _one_line(self, nodes: Nodes) -> str:
        text = escape(words(nodes), self.quiet) if has_block(nodes) else self._inline(nodes)
        return text.replace("\n", " ").strip(" \t")

    def _inline(self, nodes: Nodes, around: tuple[type[Node], ...] = ()) -> str:
        # The pieces in a row, kept apart where a mark would touch a letter or another mark.
        inner = with_guarded_texts(nodes, board_of(self.name))
        pieces = list(filter(None, (self._within_line(node, around) for node in inner)))
        written: list[str] = []
        for place, piece in enumerate(pieces):
            if place and _would_touch(pieces[place - 1], piece, self.chat):
                written.append(self._apart)
            written.append(piece)
        return "".join(_bare(written, whole=not around) if self.chat else written)

    def _within_line(self, node: Node, around: tuple[type[Node], ...]) -> str:
        match node:
            case Text(text):
                return escape(text, self.quiet)
            case Break():
                return "\n"
            case Code(text):
                code = clean(text)
                ticks = _ticks(code, 1)
                pad = " " if code.startswith(("`", " ")) or code.endswith(("`", " ")) else ""
                return f"{ticks}{pad}{code}{pad}{ticks}" if code else ""
        shape = shape_of(node)
        form = None if isinstance(node, around) else self._form(shape)
        if form is None:
            return self._inline(children(node) if isinstance(node, around) else simpler(node), around)
        values = {key: _in_attribute(value) for key, value in shape.values.items()}
        inner = simpler(node) if isinstance(node, Countdown) else children(node)

        # What Markdown cannot hold inside this: its own like, and no link in a link.
        never_inside: tuple[type[Node], ...]
        if isinstance(node, _LINKS):
            never_inside = _LINKS
        elif isinstance(node, _EMPHASIS):
            never_inside = (type(node),)
        else:
            never_inside = ()
        body = self._inline(inner, (*around, *never_inside))
        if "{body}" not in form:
            return form.format_map({**values, "alt": escape(values.get("alt", ""), self.quiet)})
        return "\n".join(
            _line(form, values, line, self._apart, self.chat)
            for line in (body or escape(values.get("url", ""), self.quiet)).split("\n")
        )


def escape(text: str, quiet: Callable[[str], str]) -> str:
    """The text such that Markdown finds no mark in it, and the site nobody to call."""
    return _LINE_START.sub(
        lambda found: f"{found[1]}\\{found[2]}" if found[2] else f"{found[1]}{found[3]}\\.",
        _MARK.sub(r"\\\g<0>", quiet(clean(text))),
    )


def _in_attribute(value: str) -> str:
    return hush(clean(value)).translate(_IN_ATTRIBUTE)


def _line(form: str, values: Mapping[str, str], line: str, apart: str, chat: bool) -> str:
    """One line in its marks, which must touch no blank.

    In a chat something unseen is no punctuation, so there it stands within the marks where the line has no
    letter: a mark beside a letter opens and closes whatever is on its other side.
    """
    core = line.strip()
    if not core:
        return line
    before, after = line.split(core, 1)

    # The core kept apart from marks around it that its own first or last one would melt into.
    mark = form[0]
    if mark not in "*~":
        within = core
    else:
        opens = core.startswith(mark) or (chat and not core[0].isalnum())
        closes = _ends_in(core, mark) or (chat and not core[-1].isalnum())
        within = f"{apart if opens else ''}{core}{apart if closes else ''}"

    return before + form.format_map({**values, "body": within}) + after


def _bare(pieces: Sequence[str], whole: bool) -> Iterator[str]:
    """The pieces without the unseen signs in marks that touch no letter; `whole`: these are whole lines."""
    end = " " if whole else _CHAT_APART
    for place, piece in enumerate(pieces):
        left = pieces[place - 1][-1] if place else end
        right = pieces[place + 1][0] if place + 1 < len(pieces) else end
        opened = _OPENED.sub(r"\1", piece) if _lets_open(left) else piece
        yield _CLOSED.sub(r"\1", opened) if _lets_open(right) else opened


def _ends_in(text: str, mark: str) -> bool:
    return text.endswith(mark) and _ENDS_IN_MARK.search(text) is not None


def _would_touch(left: str, right: str, chat: bool) -> bool:
    opens, closes = right[0] in "*~", _ENDS_IN_MARK.search(left) is not None
    if left[-1] == right[0] == "`" or (opens and closes):
        return True
    return not chat and ((opens and not _lets_open(left[-1])) or (closes and not _lets_open(right[0])))


def _lets_open(char: str) -> bool:
    return char.isspace() or char in punctuation


def _ticks(text: str, least: int) -> str:
    """More backticks in a row than the text has anywhere."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    return "`" * max(longest + 1, least)


DISCOURSE = Markdown(
    name="discourse",
    forms={
        **COMMON,
        "underline": "[u]{body}[/u]",
        "quote": "[quote]\n{body}\n[/quote]",
        "quote_by": '[quote="{author}"]\n{body}\n[/quote]',
        "spoiler": "[spoiler]\n{body}\n[/spoiler]",
        "spoiler_titled": '[details="{title}"]\n{body}\n[/details]',
        "mention": "@{name}",
        "countdown": '{body} ([date={date} time={time} timezone="{zone}" countdown=true])',
    },
    tags=("spoiler", "table", "strike", "countdown"),
    max_length=32_000,
)
"""Discourse: Markdown with a few tags in brackets."""


NODEBB = Markdown(name="nodebb", forms={**COMMON, "mention": "@{name}"}, max_length=32_767)
"""NodeBB."""


REDDIT = Markdown(
    name="reddit",
    forms={
        **{key: form for key, form in COMMON.items() if key != "image"},
        "mention": "u/{name}",
    },
    line_end="  \n",
    spoiler_line=">!{body}!<",
    max_length=10_000,
    quiet=hush_users,
)
"""Reddit. A line end needs its own mark; lines are hidden one by one; `u/` calls."""


DISCORD = Markdown(
    name="discord",
    forms={
        **{key: form for key, form in COMMON.items() if key not in ("image", "table")},
        "underline": "__{body}__",
        "mention": "@{name}",
        "countdown": "{body} (<t:{unix}:R>)",
    },
    tags=("strike", "countdown"),
    spoiler_line="||{body}||",
    chat=True,
    max_length=2_000,
)
"""Discord. What it hides is hidden line by line, and a table is a box of code."""
