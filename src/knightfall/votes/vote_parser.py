"""The grammar of a vote: the live lines of a post, and what in them is a vote and in which words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import regex

from knightfall.errors import InputError
from knightfall.markup.html import parse_html
from knightfall.markup.html_style import HtmlStyle
from knightfall.markup.nodes import (
    Area,
    Aside,
    Block,
    Bold,
    Break,
    Code,
    Heading,
    Image,
    Listing,
    Mention,
    Node,
    Nodes,
    Quote,
    Spoiler,
    Strike,
    Table,
    Tag,
    Text,
    VoteTag,
)
from knightfall.models import Post
from knightfall.votes.ballots import Action, Ballot, Cast, Form, Forms, Region

TAG_MARK = "\ue100"
"""Stands in a line where a vote tag stood."""


@dataclass(frozen=True, slots=True)
class TagText:
    """What stands in a vote tag."""

    tag: Tag
    text: str


Span: TypeAlias = tuple[int, int]


class Line(NamedTuple):
    """One line: its text, the half-open spans that are bold or a heading, and its vote tags in order."""

    text: str
    bold: tuple[Span, ...]
    headings: tuple[Span, ...]
    tags: tuple[TagText, ...]
    region: Region
    struck: str = ""
    """What is struck out in the line; kept only where asides are."""
    item: bool = False
    """Begins an entry of a list."""


class _Draft:
    """A line being written."""

    __slots__ = ("bold", "headings", "item", "length", "struck", "tags", "text")

    def __init__(self) -> None:
        self.text: list[str] = []
        self.length = 0
        self.bold: list[Span] = []
        self.headings: list[Span] = []
        self.tags: list[TagText] = []
        self.struck: list[str] = []
        self.item = False

    def line(self) -> Line:
        spans, headings, tags = tuple(self.bold), tuple(self.headings), tuple(self.tags)
        struck = " ".join(self.struck)
        return Line("".join(self.text), spans, headings, tags, Region.LIVE, struck, self.item)


class _Writer:
    """Walks the nodes once; `asides` keeps what is not live, where it is asked for."""

    def __init__(self, asides: bool) -> None:
        self.asides = asides
        self.lines: list[Line] = []
        self.draft = _Draft()

    def write(self, nodes: Nodes, bold: bool = False, heading: bool = False) -> None:
        for node in nodes:
            match node:
                case Text(text):
                    self._text(text, bold, heading)
                case Bold(children):
                    self.write(children, True, heading)
                case Break():
                    self.end_line()
                case VoteTag():
                    self._tag(node)
                case Quote() | Spoiler() | Strike() | Aside() | Code():
                    # Text that is not the author's live word: a struck word leaves its line whole, a box
                    # ends it.
                    if not isinstance(node, Strike | Code):
                        self.end_line()
                    if self.asides:
                        inner = _Writer(asides=True)
                        inner.write((Text(node.text),) if isinstance(node, Code) else node.children)
                        inner.end_line()
                        if isinstance(node, Strike):
                            self.draft.struck.extend(line.text for line in inner.lines)
                        region = _REGIONS[type(node)]
                        self.lines.extend(
                            line._replace(region=region, struck="", item=False) for line in inner.lines
                        )

                case Image(alt):
                    self._text(alt, bold, heading)
                case Mention(name):
                    self._text(f"@{name}", bold, heading)
                case _:
                    self._box(node, bold, heading)

    def _box(self, node: Node, bold: bool, heading: bool) -> None:
        """Nodes that stand on lines of their own, and wrappers that change nothing of their text."""
        match node:
            case Block(children) | Area(children):
                self._own_lines((children,), bold, heading)
            case Heading(_, children):
                self._own_lines((children,), bold, True)
            case Listing(items):
                self._own_lines(items, bold, heading, item=True)
            case Table(rows):
                self._own_lines(tuple(cell for row in rows for cell in row), bold, heading)
            case _:
                self.write(getattr(node, "children", ()), bold, heading)

    def _text(self, text: str, bold: bool, heading: bool) -> None:
        draft = self.draft
        flat = text if text.isascii() and "\n" not in text else _flat(text)
        end = draft.length + len(flat)
        if bold:
            _extend(draft.bold, draft.length, end, draft.text)
        if heading:
            _extend(draft.headings, draft.length, end, draft.text)
        draft.text.append(flat)
        draft.length = end

    def _tag(self, node: VoteTag) -> None:
        """The tag's own text; tags within it (a tag left open swallows the next) follow as their own."""
        inner = _Writer(asides=False)
        inner.write(node.children)
        inner.end_line()
        text = " ".join(line.text for line in inner.lines if line.region is Region.LIVE)
        nested = [tag for line in inner.lines for tag in line.tags]
        for tag in (TagText(node.tag, text.split(TAG_MARK)[0].strip()), *nested):
            self.draft.tags.append(tag)
            self.draft.text.append(TAG_MARK)
            self.draft.length += 1

    def _own_lines(self, parts: tuple[Nodes, ...], bold: bool, heading: bool, item: bool = False) -> None:
        self.end_line()
        for part in parts:
            self.draft.item = item
            self.write(part, bold, heading)
            self.end_line()

    def end_line(self) -> None:
        if self.draft.length or self.draft.struck:
            self.lines.append(self.draft.line())
            self.draft = _Draft()


_REGIONS: dict[type, Region] = {
    Quote: Region.QUOTED,
    Spoiler: Region.SPOILERED,
    Strike: Region.STRUCK,
    Code: Region.CODE,
    Aside: Region.SIGNATURE,
}


def lines_of(nodes: Nodes, asides: bool = False) -> tuple[Line, ...]:
    """The lines of a body in document order, the live ones and, with `asides`, the others too."""
    writer = _Writer(asides)
    writer.write(nodes)
    writer.end_line()
    return tuple(writer.lines)


def _flat(raw: str) -> str:
    """Blanks single, widths and fractions made one (NFKC); a blank at either end still separates words."""
    words = " ".join(unicodedata.normalize("NFKC", raw).split())
    return (" " if raw[:1].isspace() else "") + words + (" " if words and raw[-1:].isspace() else "")


def _extend(spans: list[Span], start: int, end: int, text: list[str]) -> None:
    """Adds a span, joined to the one before where only blanks stand between."""
    if spans and not "".join(text)[spans[-1][1] : start].strip():
        spans[-1] = (spans[-1][0], end)
    elif end > start:
        spans.append((start, end))


Match: TypeAlias = "regex.Match[str]"

HOUSE_TIMEOUT = 0.1
"""Seconds that a moderator's pattern may take on one line."""

_VERB = regex.compile(
    r"""(?<![\w'’])
        (?P<un>un[\s-]?|des)?
        (?P<verb>vote|voto|(?:vtoe|voet|ovte|vot|votee|vvote)(?=\s*:))
        (?![\w'’])
        (?!\s*-?\s*(?:counts?|totals?|history|analysis|tall(?:y|ies)|wise|records?|here))""",
    regex.VERBOSE | regex.IGNORECASE,
)
_NEGATED = regex.compile(
    r"(?:\b(?:not|never|cannot|can't|won't|don't|didn't|doesn't|wouldn't|shouldn't|dont|wont|to|would|could"
    r"|should|might|may|will|can|you|they|we|who|he|she|the|a|my|your|his|her|their|this|that|of|if|vig|for"
    r"|last|next|first|1st|2nd|3rd|any|no|please)|n['’]t)\s*$",
    regex.IGNORECASE,
)
_AFTER_PUNCTUATION = regex.compile(
    r"(?:^|[^\w\s'’\"]|\b(?:and|then|&|also|i|so|hereby|now|officially)\s)\s*$", regex.IGNORECASE
)
_DENIED = regex.compile(r"(?:\bnot|n['’]t|never|vig)\s*$", regex.IGNORECASE)
_AFTER_UNVOTE = regex.compile(r"\bun-?vote\b[^.!?]*$", regex.IGNORECASE)
_LEADING = regex.compile(r"^(?:for|para|a)\s+", regex.IGNORECASE)
_SEPARATOR = regex.compile(r"^[\s:;=~>*.,|–—-]*")
_COLON = regex.compile(r"^\s*[:;=]")
_RAW_TAG = regex.compile(
    r"\[(?P<un>un?(?=v))?(?:vote|v)(?:=(?P<attr>[^\]]*))?\](?P<text>.*?)\[/(?:un?)?(?:vote|v)\]",
    regex.IGNORECASE,
)
_HASHES = regex.compile(r"(?<!\w)#{1,5}\s*(?P<un>un-?|des)?vot[eo]\b\s*:?", regex.IGNORECASE)
_BANG = regex.compile(
    r"(?:^|\s)(?:!(?P<un>un)?vote\b(?:\s+for\b)?|!for\b|@\w+\s+for\b|!no-?lynch\b)", regex.IGNORECASE
)
_OWN_LINE = regex.compile(r"^\s*/?(?P<un>un-?)?vote(?![\w'’])\s*(?P<colon>[:;]?)", regex.IGNORECASE)


def read_lines(lines: tuple[Line, ...], forms: Forms) -> tuple[Ballot, ...]:
    """The ballots of lines, in their order; each line is read in its own region."""
    found: list[Ballot] = []
    for place, line in enumerate(lines):
        if line.tags or may_hold(line.text, forms):
            following = lines[place + 1] if place + 1 < len(lines) else None
            found.extend(_line_ballots(line, following, forms))
    return tuple(found)


def may_hold(text: str, forms: Forms) -> bool:
    """False where no form that is accepted can be in the text; cheap, since every post is asked."""
    lower = text.lower()
    if "vot" in lower or forms.house:
        return True
    return bool(forms.letters) and any(letters in lower for letters in forms.letters)


def _line_ballots(line: Line, following: Line | None, forms: Forms) -> list[Ballot]:
    """Every reading of a line by where it begins; the form that is asked first wins a place."""
    found: dict[int, Ballot] = {}
    if not line.tags or Form.TAG not in forms.accepted:
        tag_ballots = []
    else:
        places = [place for place, letter in enumerate(line.text) if letter == TAG_MARK]
        tag_ballots = [(place, _tagged(tag, line)) for place, tag in zip(places, line.tags, strict=False)]

    for place, ballot in (
        *tag_ballots,
        *_bold_ballots(line, following, forms),
        *_plain_ballots(line, forms),
    ):
        found.setdefault(place, ballot)
    return [found[place] for place in sorted(found)]


def _tagged(tag: TagText, line: Line) -> Ballot:
    """A vote tag. An empty one and one that says “unvote” take the vote back."""
    text = tag.text
    undone = tag.tag is Tag.UNVOTE or not text.strip()
    while (verb := _VERB.match(text)) and _SEPARATOR.sub("", text[verb.end() :]) != text:
        undone = undone or bool(verb.group("un"))
        text = _SEPARATOR.sub("", text[verb.end() :])
    action = Action.UNVOTE if undone else Action.VOTE
    return Ballot(action, text.strip(), Form.TAG, _shown(line), line.region)


def _bold_ballots(line: Line, following: Line | None, forms: Forms) -> list[tuple[int, Ballot]]:
    bold_read = Form.BOLD in forms.accepted or Form.BOLD_COLON in forms.accepted
    spans = [(span, False) for span in line.bold] if bold_read else []
    if Form.HEADING in forms.accepted:
        spans += [(span, True) for span in line.headings]
    found: list[tuple[int, Ballot]] = []
    for span, heading in spans:
        found.extend(_stretch(line, span, following, forms, heading))
    return found


def _stretch(
    line: Line, span: Span, following: Line | None, forms: Forms, heading: bool
) -> list[tuple[int, Ballot]]:
    """The ballots of one bold stretch: each verb that stands where an action can begin, up to the next."""
    text = line.text[span[0] : span[1]]
    verbs = [verb for verb in _VERB.finditer(text) if _begins_action(text, verb)]
    found = []
    for verb, end in _up_to_next(verbs, len(text)):
        tail = text[verb.end() : end]
        colon = bool(_COLON.match(tail))
        if not heading and not colon and Form.BOLD not in forms.accepted and not verb.group("un"):
            ballot = None
        else:
            form = Form.HEADING if heading else Form.BOLD_COLON if colon else Form.BOLD
            action = Action.UNVOTE if verb.group("un") else Action.VOTE
            ballot = Ballot(action, _typed(tail), form, _shown(line), line.region)

        if ballot is not None and not ballot.text and end == len(text) and ballot.action is Action.VOTE:
            ballot = _name_outside(ballot, line.text[span[1] :], following)
        if ballot is not None:
            found.append((span[0] + verb.start(), ballot))
    return found


def _begins_action(text: str, verb: Match) -> bool:
    """At the start, after punctuation or an unvote; elsewhere only with a colon. Never after “do not”."""
    before = text[: verb.start()]
    if _NEGATED.search(before) and not _COLON.match(text[verb.end() :]):
        return False
    if _DENIED.search(before):
        return False
    if _AFTER_PUNCTUATION.search(before) or _COLON.match(text[verb.end() :]):
        return True
    return bool(_AFTER_UNVOTE.search(before))


def _name_outside(ballot: Ballot, rest: str, following: Line | None) -> Ballot | None:
    """“Vote:” in bold with the name after the bold, or on the next bold line."""
    text = _typed(rest)
    if not text and following is not None and following.region is ballot.region and following.bold:
        start, end = following.bold[0]
        text = _typed(following.text[start:end]) if not following.text[:start].strip() else ""
    return None if not text else Ballot(ballot.action, text, ballot.form, ballot.line, ballot.region)


def _typed(tail: str) -> str:
    """The name as typed: separators before it and the words that lead to it are not part of it."""
    text = _SEPARATOR.sub("", tail.split(TAG_MARK)[0])
    return _LEADING.sub("", text).strip()


def _plain_ballots(line: Line, forms: Forms) -> list[tuple[int, Ballot]]:
    """Forms that need no bold: raw tags, ##vote, !vote, a line of its own, the house's own patterns."""
    found: list[tuple[int, Ballot]] = []
    if forms.marked_only:
        return found
    if Form.RAW_TAG in forms.accepted:
        found += [(m.start(), _raw(m, line)) for m in _RAW_TAG.finditer(line.text)]
    if Form.HASHES in forms.accepted:
        found += _commands(_HASHES, Form.HASHES, line)
    if Form.BANG in forms.accepted:
        found += _commands(_BANG, Form.BANG, line)
    if Form.OWN_LINE in forms.accepted:
        found += _commands(_OWN_LINE, Form.OWN_LINE, line)
    return found + [hit for pattern in forms.house for hit in _house(pattern, line)]


def _raw(match: Match, line: Line) -> Ballot:
    text = (match.group("text") or match.group("attr") or "").strip()
    undone = bool(match.group("un")) or not text or text.lower() == "unvote"
    return Ballot(Action.UNVOTE if undone else Action.VOTE, text, Form.RAW_TAG, _shown(line), line.region)


def _commands(pattern: regex.Pattern[str], form: Form, line: Line) -> list[tuple[int, Ballot]]:
    """Each command up to the next one on its line."""
    return [
        (_verb_place(match), _command(match, line.text[match.end() : end], form, line))
        for match, end in _up_to_next(list(pattern.finditer(line.text)), len(line.text))
    ]


def _up_to_next(matches: list[Match], length: int) -> Iterator[tuple[Match, int]]:
    """Each match with the place where the next one, or the text, begins or ends."""
    ends = [match.start() for match in matches[1:]]
    return zip(matches, [*ends, length], strict=False)


def _verb_place(match: Match) -> int:
    """Where the verb itself begins, so that a bold reading of the same verb is the same place."""
    verb = _VERB.search(match.string, match.start())
    return verb.start() if verb and verb.start() < match.end() else match.start()


def _command(match: Match, tail: str, form: Form, line: Line) -> Ballot:
    said = match.group(0).lower()
    text = "no lynch" if "lynch" in said else _typed(tail)
    undone = "un" in match.groupdict() and bool(match.group("un"))
    return Ballot(Action.UNVOTE if undone else Action.VOTE, text, form, _shown(line), line.region)


def _house(pattern: regex.Pattern[str], line: Line) -> list[tuple[int, Ballot]]:
    """A moderator's own pattern: group `unvote` marks an unvote, group `name` (or the first) the name."""
    try:
        match = pattern.search(line.text, timeout=HOUSE_TIMEOUT)
    except TimeoutError:
        raise InputError(
            f"Your vote pattern “{pattern.pattern}” takes too long on the line “{line.text[:40]}…”. "
            "Make it simpler: no repetition inside a repetition."
        ) from None
    if match is None:
        return []
    groups = match.groupdict()
    name = groups.get("name") or (match.group(1) if match.re.groups and "name" not in groups else "") or ""
    action = Action.UNVOTE if groups.get("unvote") else Action.VOTE
    return [(match.start(), Ballot(action, name.strip(), Form.HOUSE, _shown(line), line.region))]


def other_forms(lines: tuple[Line, ...], counted: tuple[Ballot, ...], forms: Forms) -> tuple[Ballot, ...]:
    """Ballots in forms that the house does not accept, less those that are `counted` in one it does."""
    known = {(ballot.line, ballot.text) for ballot in counted}
    found = read_lines(lines, _others(forms))
    return tuple(b for b in found if b.text and (b.line, b.text) not in known)


@lru_cache(maxsize=32)
def _others(forms: Forms) -> Forms:
    """A bot's “for” stands in too many sentences to be worth a look."""
    return Forms(frozenset(Form) - forms.accepted - {Form.HOUSE, Form.BANG})


def _shown(line: Line) -> str:
    """The line as an excerpt, with the words of its tags put back."""
    text = line.text
    for tag in line.tags:
        text = text.replace(TAG_MARK, f"{tag.tag.name}: {tag.text}", 1)
    return text.strip()[:200]


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


def read_body(body: str, html_style: HtmlStyle, forms: Forms) -> tuple[Ballot, ...]:
    """The live ballots of a body. A body that can hold none is not parsed."""
    if not may_hold(body, forms):
        return ()

    # The body less its balanced blockquotes where these are quotes: what is quoted is never parsed.
    if "<blockquote" not in body or "blockquote" not in html_style.quotes:
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
    return read_lines(lines_of(parse_html(_trimmed(live, forms), html_style)), forms)


def casts_of(
    posts: Iterable[Post],
    html_style: HtmlStyle,
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
            ballots = read_body(post.body, html_style, EVERY_FORM if post.number in any_form else forms)
            if ballots or post.number in decided:
                yield cast_of(post, ballots)


def cast_of(post: Post, ballots: tuple[Ballot, ...]) -> Cast:
    """The ballots of a post, with what the count needs to know of it."""
    return Cast(post.number, post.author, ballots, post.time, post.edit_note is not None, post.url)


def read_both(
    body: str, html_style: HtmlStyle, forms: Forms
) -> tuple[tuple[Ballot, ...], tuple[Ballot, ...]]:
    """The live ballots, and what looks like a vote and is none: for the moderator's eye only. One parse."""
    if not may_hold(body, forms):
        return (), ()
    if not _worth_a_look(body, forms):
        return read_body(body, html_style, forms), ()
    lines = lines_of(parse_html(_trimmed(body, forms), html_style), asides=True)
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
