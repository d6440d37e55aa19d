"""What does a text in BBCode say, as nodes? Read for our own templates and for what our dialects wrote.

Known are [b] [i] [u] [s] [color=] [size=] [h=2] [url] [url=] [img] [post=N;id=..;url=..] [post=#ID]
[vote] [unvote] [quote] [quote="X" post_id=N] [spoiler=] [area=] [list] [list=1] [*] [li] [table] [tr] [th]
[td] [code] [countdown=INSTANT;ZONE]. Whatever is unknown, unclosed, crossed over or too deep stays text:
nothing is an error and no character is lost. One line end after the opening and on both sides of the closing
of a block belongs to the tag. Time is linear in the length of the text.

`guard` makes a value safe to stand in such a text: its special characters are replaced one by one by
noncharacters, which can be no part of a tag and are read back as what they stood for.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from knightfall.markup.bbtags import (
    ALIASES,
    Piece,
    as_nodes,
    built,
    guarded,
    has_own_lines,
    lines,
    may_open,
    unguarded,
)
from knightfall.markup.dialects.tree import clean
from knightfall.markup.nodes import Break, Code, Nodes

DEPTH = 40

_TAG = re.compile(r"\[(/?)([a-z]{1,10}|\*)((?:[= ][^\[\]\n]*)?)\]", re.IGNORECASE | re.ASCII)
_CODE_END = re.compile(r"\[/code\]", re.IGNORECASE | re.ASCII)
_NEUTRAL_CODE = re.compile("\\[\u200b(?=\u200b*/code\\])", re.IGNORECASE)


def guard(text: str) -> str:
    """The text as a value that can never be markup, whatever stands in it."""
    return guarded(clean(text))


def parse_bbcode(source: str) -> Nodes:
    """The nodes of a text in BBCode; never fails."""
    reader = _Reader(source.replace("\r\n", "\n"))
    reader.read()
    return as_nodes(tuple(reader.stack[0].pieces))


@dataclass(slots=True)
class _Frame:
    """A tag that has been opened: how it was written, and what has been read inside it."""

    name: str
    value: str
    opening: str
    pieces: list[Piece] = field(default_factory=list)


@dataclass(slots=True)
class _Reader:
    """One pass over the source with a stack of open tags; the bottom of the stack is the text itself."""

    source: str
    stack: list[_Frame] = field(default_factory=lambda: [_Frame("", "", "")])
    too_deep: Counter[str] = field(default_factory=Counter)
    swallow: bool = False  # the next line end belongs to the tag before it
    code_ends: bool = True  # false once no [/code] is left: the rest is never searched twice

    def read(self) -> None:
        at = 0
        while tag := _TAG.search(self.source, at):
            self._text(self.source[at : tag.start()])

            # Read `[code]…[/code]` as one; None where the tag is another one or is never closed.
            code = None
            if tag[0].lower() == "[code]" and self.code_ends:
                end = _CODE_END.search(self.source, tag.end())
                self.code_ends = end is not None
                if end is not None:
                    text = _NEUTRAL_CODE.sub("[", self.source[tag.end() : end.start()])
                    self.stack[-1].pieces.append(Code(unguarded(text)))
                    self.swallow = False
                    code = end.end()

            at = code or self._tag(tag)
        self._text(self.source[at:])
        self._give_up_to(0)

    def _text(self, text: str) -> None:
        if text and self.swallow:
            text = text.removeprefix("\n")
            self.swallow = False
        self.stack[-1].pieces.extend(lines(text))

    def _tag(self, tag: re.Match[str]) -> int:
        name = ALIASES.get(tag[2].lower(), tag[2].lower())
        if tag[1]:
            written = tag[0]
            depth = self._depth_of(name)
            if self.too_deep[name]:
                self.too_deep[name] -= 1
                self._text(written)
            elif depth is None:
                self._text(written)
            else:
                self._give_up_to(depth)
                self._end(written)

        else:
            self._open(name, tag[3], tag[0])
        return tag.end()

    def _open(self, name: str, value: str, written: str) -> None:
        if name == "*":
            self._give_up_to(self._depth_of("list") or len(self.stack))
        if not may_open(name, value, self.stack[-1].name):
            self._text(written)
        elif len(self.stack) > DEPTH:
            self.too_deep[name] += 1
            self._text(written)
        else:
            self.stack.append(_Frame(name, value, written))
            self.swallow = has_own_lines(name)

    def _depth_of(self, name: str) -> int | None:
        return next((n for n in range(len(self.stack) - 1, 0, -1) if self.stack[n].name == name), None)

    def _give_up_to(self, depth: int) -> None:
        """End what is open above `depth`: list items end there, other tags were never closed and are text."""
        while len(self.stack) > depth + 1:
            if self.stack[-1].name == "*":
                self._end("")
            else:
                frame = self.stack.pop()
                self.stack[-1].pieces += [*lines(frame.opening), *frame.pieces]

    def _end(self, written: str) -> None:
        frame = self.stack.pop()
        if has_own_lines(frame.name) and frame.pieces and isinstance(frame.pieces[-1], Break):
            frame.pieces.pop()
        self.stack[-1].pieces += built(frame.name, frame.value, tuple(frame.pieces), frame.opening, written)
        self.swallow = has_own_lines(frame.name)
