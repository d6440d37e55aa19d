"""What votes does a post hold, and what in it only looks like one?

Bodies → ballots. A body that can hold no command is not parsed; only live lines make ballots that can count,
the other regions are read only where near misses are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set

from knightfall.markup.flavour import Flavour
from knightfall.markup.html import parse_html
from knightfall.posts import Post
from knightfall.votes.ballots import Ballot, Cast, Form, Forms
from knightfall.votes.lines import Region, lines_of
from knightfall.votes.phrases import may_hold, other_forms, read_lines

EVERY_FORM = Forms(frozenset(Form) - {Form.HOUSE})

_MARKS = ("<b>", "<strong", "bold", "bbvote", 'class="vote', "<h", "<b ", "<font")
"""Lower-case openings of bold, headings and vote tags."""
_APART = (
    "quote",
    "spoil",
    "<s>",
    "<strike",
    "<del",
    "<code",
    "<pre",
    "<details",
    "line-through",
    "signature",
)
"""Lower-case signs of words that are not the author's live ones."""
_MARKED_VOTE = re.compile(r"(?:<(?:b|strong|h\d)\b[^>]*>|bold[^>]*>|vote[^>]*>)(?:[^<]|<br[^>]*>){0,200}?vot")
_BEFORE_VERB = re.compile(r"(<[^<>]*>|^|\n|\])[\s/!#]*(?:un-?)?$")
_INLINE_MARK = re.compile(r"<(?:b|strong|h\d|i|em|u|a|font)\b|bold|vote|sig")
_LINE_END = re.compile(r"<br\s*/?>", re.IGNORECASE)
_QUOTE = re.compile(r"<(/?)blockquote\b[^>]*>", re.IGNORECASE)


def read_body(body: str, flavour: Flavour, forms: Forms) -> tuple[Ballot, ...]:
    """The live ballots of a body. A body that can hold none is not parsed."""
    if not may_hold(body, forms):
        return ()

    # The body less its balanced blockquotes where these are quotes: what is quoted is never parsed.
    if "<blockquote" not in body or "blockquote" not in flavour.quotes:
        live = body
    else:
        kept: list[str] = []
        depth = place = 0
        for tag in _QUOTE.finditer(body):
            if not tag.group(1):
                if depth == 0:
                    kept.append(body[place : tag.start()])
                depth += 1
            elif depth:
                depth -= 1
                place = tag.end() if depth == 0 else place
        if depth:
            live = body
        else:
            kept.append(body[place:])
            live = "<br>".join(kept)

    if live is not body and not may_hold(live, forms):
        return ()
    if forms.marked_only and not _marked(live):
        return ()
    return read_lines(lines_of(parse_html(_trimmed(live, forms), flavour)), forms)


def casts_of(
    posts: Iterable[Post],
    flavour: Flavour,
    forms: Forms,
    moderators: Set[str] = frozenset(),
    decided: Set[int] = frozenset(),
    any_form: Set[int] = frozenset(),
) -> Iterator[Cast]:
    """The posts that hold ballots, in their order, and those of the numbers `decided`, on which the moderator
    has ruled; those of `any_form` are read in every form. A moderator's own posts and deleted ones are not
    read at all."""
    for post in posts:
        if not post.hidden and post.author.casefold() not in moderators:
            ballots = read_body(post.body, flavour, EVERY_FORM if post.number in any_form else forms)
            if ballots or post.number in decided:
                yield cast_of(post, ballots)


def cast_of(post: Post, ballots: tuple[Ballot, ...]) -> Cast:
    """The ballots of a post, with what the count needs to know of it."""
    return Cast(post.number, post.author, ballots, post.time, post.edit_note is not None, post.url)


def read_both(body: str, flavour: Flavour, forms: Forms) -> tuple[tuple[Ballot, ...], tuple[Ballot, ...]]:
    """The live ballots, and what looks like a vote and is none: for the moderator's eye only. One parse."""
    if not may_hold(body, forms):
        return (), ()
    if not _worth_a_look(body, forms):
        return read_body(body, flavour, forms), ()
    lines = lines_of(parse_html(_trimmed(body, forms), flavour), asides=True)
    live = tuple(line for line in lines if line.region is Region.LIVE)
    apart = tuple(line for line in lines if line.region is not Region.LIVE)
    counted = read_lines(live, forms)
    return counted, (*read_lines(apart, forms), *other_forms(live, counted, forms))


def _worth_a_look(body: str, forms: Forms) -> bool:
    """Words in the middle of a sentence are no near miss, nor is a body all of whose votes are live."""
    lower = body.lower()
    if not forms.accepted >= {Form.BOLD, Form.TAG} and _marked(lower):
        return True
    if any(sign in lower for sign in _APART) and _MARKED_VOTE.search(lower):
        return True
    return "[v" in lower or "[unv" in lower or _plain_vote(lower)


def _plain_vote(lower: str) -> bool:
    """True where a line begins with the verb and is not bold."""
    place = lower.find("vot")
    while place >= 0:
        before = _BEFORE_VERB.search(lower[max(0, place - 200) : place])
        if before and not _INLINE_MARK.search(before.group(1)):
            return True
        place = lower.find("vot", place + 3)
    return False


def _marked(live: str) -> bool:
    """True where bold, a heading or a vote tag opens before the last verb."""
    lower = live.lower()
    last = lower.rfind("vot")
    return any(lower.find(mark, 0, last) >= 0 for mark in _MARKS)


def _trimmed(body: str, forms: Forms) -> str:
    """The body less its lines of plain prose: no markup, no command, and not the line after a command (which
    may hold its name). Only what is left has to be parsed."""
    kept: list[str] = []
    after_command = False
    for line in _LINE_END.split(body):
        command = may_hold(line, forms)
        if command or after_command or "<" in line:
            kept.append(line)
        after_command = command
    return "<br>".join(kept)
