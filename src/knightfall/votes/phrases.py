"""Which ballots does a line hold, in strict document order?

The grammar of votes: the site's tags, bold words, and the forms that need no bold. What was typed as a name
is taken as it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

import regex

from knightfall.errors import InputError
from knightfall.markup.nodes import Tag
from knightfall.votes.ballots import Action, Ballot, Form, Forms
from knightfall.votes.lines import TAG_MARK, Line, Span, TagText

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
