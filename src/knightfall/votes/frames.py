"""Frames: what the players of a thread write around one another's names, so that no form of a vote has to be
known beforehand.

Take the name out of every short live line and every marked text that holds one whole name of a player: what
is left, with its mark, is a frame. One that the moderator's rules show, or whose mark they name, is how
votes are written here; one that many players use and no rule shows is a question.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice

from knightfall.markup.html import parse_html
from knightfall.markup.html_style import HtmlStyle
from knightfall.models import Post, Roster
from knightfall.names import Names
from knightfall.reading.clauses import NAME, SHORT, clauses
from knightfall.reading.lexicon import says_role, stands_for_a_name
from knightfall.votes.ballots import FORM_OF, NAME_GAP, Form, Frame, Mark, Region
from knightfall.votes.body_memory import BodyMemory, digest
from knightfall.votes.lines import Line, Span, lines_of

LONGEST = 60
"""Letters of a line or a marked text that may be a vote."""
LONGEST_AROUND = 40
"""Letters around the name."""
LONGEST_BODY = 20_000
"""Letters of a body that is looked at: a form of a vote is found in the others."""
MOST_ENCLOSED = 20
"""So many texts between signs are looked at in a line."""
MOST_WORDS = 5
"""Words of a text without a name that may take a vote back."""
FEWEST = 3
"""So many players use a frame of a house that no rule shows."""


@dataclass(frozen=True, slots=True)
class Use:
    """A text in a frame: who wrote it, as it stands, and in which post."""

    voter: str
    text: str
    post: int


def frames_in(posts: Iterable[Post], html_style: HtmlStyle, names: Names) -> Mapping[Frame, tuple[Use, ...]]:
    """All that stands in the frames of these posts."""
    found: dict[Frame, list[Use]] = defaultdict(list)
    for post in posts:
        if post.hidden or len(post.body) > LONGEST_BODY:
            continue
        for mark, text in _marked_in(post.body, html_style):
            words = _around_name(text, names)
            if words is not None:
                frame = Frame(mark, words)
                if mark is not Mark.ANYWHERE or not frame.undoes:
                    found[frame].append(Use(post.author, text, post.number))
    return {frame: tuple(uses) for frame, uses in found.items()}


@cache
def _memory(html_style: HtmlStyle) -> BodyMemory[tuple[tuple[Mark, str], ...]]:  # noqa: ARG001 - one each
    return BodyMemory()


def _marked_in(body: str, html_style: HtmlStyle) -> tuple[tuple[Mark, str], ...]:
    """The texts of a body that may be a vote, with their marks; a body is read once."""
    memory = _memory(html_style)
    known = memory.get(digest(body))
    if known is None:
        lines = lines_of(parse_html(body, html_style), asides=True)
        known = tuple(
            marked for line in lines if line.region in (Region.LIVE, Region.CODE) for marked in _marked(line)
        )
        memory.keep(body, known)
    return known


_MARKS: tuple[Mark, ...] = tuple(mark for mark in FORM_OF if mark is not Mark.LINE)
_SIGNS = r"[^\w\s.,;:!?…'’\"“”„()/-]{1,3}"
_ENCLOSED = re.compile(rf"{_SIGNS}\s?\w[^\n<>]{{0,30}}?\s?{_SIGNS}")
"""A text between signs that are none of a sentence: “[[Ada]]”, “%Ada%”."""


def _marked(line: Line) -> Iterator[tuple[Mark, str]]:
    """The texts of a line that may be a vote, with their marks: each marked span, else the line; and what
    stands between signs."""
    spans: list[tuple[Mark, Span]] = [(mark, span) for mark in _MARKS for span in line.spans(mark)]
    marked = {span for mark, span in spans if mark is not Mark.ITEM}
    if (0, len(line.text)) not in marked and line.region is Region.LIVE:
        spans.append((Mark.LINE, (0, len(line.text))))
    for mark, (start, stop) in spans:
        text = line.text[start:stop].strip()
        if 0 < len(text) <= LONGEST:
            yield mark, text
    if line.region is Region.LIVE:
        for found in islice(_ENCLOSED.finditer(line.text), MOST_ENCLOSED):
            yield Mark.ANYWHERE, found[0]


@lru_cache(maxsize=1 << 15)
def _around_name(text: str, names: Names) -> str | None:
    """A text with a gap for the one whole name that stands in it, folded; a text of few words without a name
    as it is; None where it is neither."""
    read = clauses(text, names)
    named = [
        (clause, place) for clause in read for place, tag in enumerate(clause.tags) if tag in (NAME, SHORT)
    ]
    if not named:
        words = text.strip(" .!,;:*_~")
        few = 0 < len(words.split()) <= MOST_WORDS and words.lstrip("/!#")[:1].isalpha()
        return words.casefold() if few else None
    if len(named) != 1:
        return None
    clause, place = named[0]
    token = clause.tokens[place]
    start = text.find(token.text)
    around = f"{text[:start]}{NAME_GAP}{text[start + len(token.text) :]}"
    around = " ".join(around.split()).casefold().strip(" .!,;")
    return around if len(around) - len(NAME_GAP) <= LONGEST_AROUND else None


def is_known(frame: Frame, accepted: Set[Form]) -> bool:
    """Whether a frame is read without being named: the usual word in a mark that counts. Where it counts on
    any line, a code box shows how it is written."""
    usual = frame.words.replace(":", "").split()[:1] in (["vote"], ["unvote"])
    shows = frame.mark is Mark.CODE and Form.OWN_LINE in accepted
    return usual and (shows or FORM_OF.get(frame.mark) in accepted)


OWN_WORD = re.compile(r"(?P<word>[^\W\d_]{3,15}) ?: ?\{name\}")
"""“stimme: {name}”: a word of another language, or of the house, that stands for “vote”."""


def form_of(frame: Frame) -> str:
    """What a moderator answers to accept a frame: a word of the house for “vote”, else the frame."""
    own = OWN_WORD.fullmatch(frame.words) if not frame.words.startswith("vote") else None
    return f"word:{own['word'].capitalize()}" if own else frame.form


def is_talk(frame: Frame) -> bool:
    """Whether the words of a frame sort players and are no vote: a role, a side."""
    return says_role(" ".join(_WORD.findall(frame.words.replace(NAME_GAP, " "))))


_WORD = re.compile(r"[^\W\d_]+")


# ---- What the rules show


@dataclass(frozen=True, slots=True)
class Shown:
    """What the moderator wrote of votes before the game was on, folded: the sentences on votes, the lines
    that hold one, and the texts that they marked or quoted anywhere."""

    sentences: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    examples: frozenset[str] = frozenset()


def examples_in(posts: Iterable[Post], html_style: HtmlStyle) -> frozenset[str]:
    """The short texts that these posts mark or quote, folded."""
    found: set[str] = set()
    for post in posts:
        for line in lines_of(parse_html(post.body, html_style), asides=True):
            marked = [text for mark, text in _marked(line) if mark is not Mark.LINE]
            quoted = (one["said"] for one in islice(_QUOTED.finditer(line.text), MOST_ENCLOSED))
            found.update(" ".join(text.casefold().split()).strip(" .!,;") for text in (*marked, *quoted))
    return frozenset(found)


_QUOTED = re.compile(r"[“„\"«](?P<said>[^“”„\"«»]{2,60})[”“\"»]")
_PLACE = r"[\[<({„“\"'«]?(?P<name>\w[\w .'’-]{0,30}?)[\]>)}”“\"'»]?"
"""A name, or what stands for one, as rules write it."""


def shown_in(frame: Frame, shown: Shown, marks: Set[Mark], names: Names) -> bool:
    """Whether the moderator's rules show a frame: as an example that they mark or quote, in a sentence on
    votes with its words before a name or a word for one; or it is a name alone in a mark that they name."""
    if frame.undoes:
        return False
    before, _, behind = (piece.strip() for piece in frame.words.partition(NAME_GAP))
    if not before and not behind:
        return frame.mark in marks and not any(map(_SHOWS_A_WORD.search, shown.sentences))

    def stands(found: re.Match[str]) -> bool:
        return stands_for_a_name(found["name"]) or names.whole(found["name"]) is not None

    around = re.compile(rf"{_edged(before)}\s*{_PLACE}\s*{_edged(behind)}")
    for example in shown.examples if not frame.bare or frame.mark is Mark.ANYWHERE else ():
        found = around.fullmatch(example)
        if found and (stands(found) or any(example in sentence for sentence in shown.sentences)):
            return True
    if before and not frame.bare and not behind:
        follows = rf"{_edged(before)}(?:\s+|\s*[\[<(„“\"'])\w"
        return any(re.search(follows, sentence) for sentence in shown.sentences)
    return any(stands(found) for line in shown.lines for found in around.finditer(line)) or (
        not behind and any(re.search(rf"{_edged(before)}\s*[\[<(„“\"']?\w", one) for one in shown.sentences)
    )


def _edged(words: str) -> str:
    """The pattern of words that begin and end as words do, where they are letters."""
    begins = r"(?<!\w)" if words[:1].isalnum() else ""
    ends = r"(?!\w)" if words[-1:].isalnum() else ""
    return f"{begins}{re.escape(words)}{ends}"


# “Votes in bold, Vote: Name”: a name alone is none.
_SHOWS_A_WORD = re.compile(r"\bvote ?: ?\w")


def taken_back_in(frame: Frame, rules: Iterable[str]) -> bool:
    """Whether a sentence that tells how a vote is taken back shows a text without a name."""
    words = re.compile(_edged(frame.words))
    return frame.undoes and any(words.search(line) for line in rules)


# ---- What players write


def form_used(frame: Frame) -> str | None:
    """What a moderator answers of a frame that players use; None for talk, and for a line without a name."""
    if is_talk(frame) or (frame.undoes and frame.mark is Mark.LINE):
        return None
    return Form.OWN_LINE.value if _is_plain(frame) else form_of(frame)


def most_used(
    frames: Mapping[Frame, Sequence[Use]], roster: Roster, voting: Set[str], declined: Set[str]
) -> tuple[str, Use, int] | None:
    """The frame that most players use, as a form, with its first use and how many they are, where they are
    more than have voted (`voting`: their slots); None where there is none."""
    used: dict[str, list[Use]] = {}
    people: dict[str, set[str]] = {}
    for frame, uses in frames.items():
        form = form_used(frame)
        if frame.undoes or form is None or form in declined:
            continue
        for use in uses:
            slot = roster.slot_of(use.voter)
            if slot is not None:
                used.setdefault(form, []).append(use)
                people.setdefault(form, set()).add(slot.name)
    most = max(people, key=lambda form: len(people[form]), default="")
    if not most or len(people[most]) < max(FEWEST, len(voting) + 1):
        return None
    return most, used[most][0], len(people[most])


def _is_plain(frame: Frame) -> bool:
    """Whether a frame is the usual word on a line, which has a name of its own."""
    return frame.mark is Mark.LINE and frame.words.replace(":", "").split()[:1] in (["vote"], ["/vote"])
