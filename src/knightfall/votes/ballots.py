"""Ballots: the votes found in one post, and the forms of a vote that a game accepts.

A `Ballot` is one vote or unvote as written, `PostBallots` are those of a post; `vote_parser` finds them,
`tally` counts them. `Forms` are what a game accepts, `PLATFORM_FORMS` what it accepts by default.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from functools import cached_property
from types import MappingProxyType

import regex

from knightfall.errors import InputError

PROSE = 6
"""More words than this are a sentence, not a name."""


class Region(Enum):
    """Whose word a line is; the values are the reasons for which a vote does not count."""

    LIVE = "live"
    QUOTED = "quoted"
    SPOILERED = "spoilered"
    STRUCK = "struck"
    CODE = "code"
    SIGNATURE = "signature"


class Action(Enum):
    """What a ballot does."""

    VOTE = "vote"
    UNVOTE = "unvote"


class Form(Enum):
    """How a ballot was written; the values are the names that `rules.forms` of a game file uses."""

    TAG = "tag"
    EMPTY_TAG = "empty_tag"
    RAW_TAG = "raw_tag"
    BOLD_COLON = "bold_colon"
    BOLD = "bold"
    HASHES = "hashes"
    BANG = "bang"
    HEADING = "heading"
    OWN_LINE = "own_line"
    RED = "red"
    ITALIC = "italic"
    COLOUR = "colour"
    LARGE = "large"
    ITEM = "item"
    CODE = "code"
    SPOKEN = "spoken"
    """A sentence that says how its writer votes: “I am voting Ada today”."""
    HOUSE = "regex"


class Mark(Enum):
    """What sets the words of a frame off; the values are what stands before its colon."""

    LINE = "line"
    BOLD = "bold"
    ITALIC = "italic"
    """In italics, or underlined."""
    RED = "red"
    COLOUR = "colour"
    """In a colour, whichever."""
    LARGE = "large"
    HEADING = "heading"
    ITEM = "item"
    """An entry of a list."""
    CODE = "code"
    ANYWHERE = "anywhere"
    """Signs around the name set it off wherever it stands: “[[Ada]]”."""


FORM_OF: Mapping[Mark, Form] = MappingProxyType(
    {
        Mark.LINE: Form.OWN_LINE,
        Mark.BOLD: Form.BOLD,
        Mark.ITALIC: Form.ITALIC,
        Mark.RED: Form.RED,
        Mark.COLOUR: Form.COLOUR,
        Mark.LARGE: Form.LARGE,
        Mark.HEADING: Form.HEADING,
        Mark.ITEM: Form.ITEM,
        Mark.CODE: Form.CODE,
    }
)
"""Mark → the form of a vote by the usual word in it."""

WHERE: Mapping[Mark, str] = MappingProxyType(
    {
        Mark.LINE: "on a line of its own",
        Mark.BOLD: "in bold",
        Mark.ITALIC: "in italics",
        Mark.RED: "in red",
        Mark.COLOUR: "in a colour",
        Mark.LARGE: "in large letters",
        Mark.HEADING: "as a heading",
        Mark.ITEM: "as an entry of a list",
        Mark.CODE: "in a code box",
        Mark.ANYWHERE: "anywhere",
    }
)
"""Where the words of a frame stand, in words."""
NAME_GAP = "{name}"
"""Where the name stands in a frame."""


@dataclass(frozen=True)
class Frame:
    """What players of a house write around a name, in a mark: “→ {name}” in bold, “[X] {name}” on a line. One
    without a name takes a vote back: “Peace.”"""

    mark: Mark
    words: str

    @property
    def form(self) -> str:
        """The frame as a game file names it: “bold:→ {name}”."""
        return f"{self.mark.value}:{self.words}"

    @property
    def told(self) -> str:
        """How it is written, in words: “→ name” in bold."""
        return f"“{self.words.replace(NAME_GAP, 'name')}” {WHERE[self.mark]}"

    @property
    def bare(self) -> bool:
        """Whether a name alone is all of it, which may also be talk."""
        return not any(char.isalnum() for char in self.words.replace(NAME_GAP, ""))

    @property
    def undoes(self) -> bool:
        """Whether it takes a vote back."""
        return NAME_GAP not in self.words

    @cached_property
    def pattern(self) -> regex.Pattern[str]:
        """What fits it: any blanks, any case, signs around it; `ANYWHERE` nothing around it."""
        before, gap, behind = self.words.partition(NAME_GAP)
        if self.mark is Mark.ANYWHERE:
            around = (re.escape(piece.strip()) for piece in (before, behind))
            return regex.compile(r"\s?(?P<name>\w[^\n]{0,40}?)\s?".join(around))
        pieces = [r"\s+".join(map(regex.escape, piece.split())) for piece in (before, behind)]
        name = r"\s*(?P<name>\S.*?)\s*" if gap else ""
        signs = r"[\s.!,;*_~]*"
        lead = r"[\s*_~]*" if self.mark is not Mark.LINE else r"\s*"
        return regex.compile(f"{lead}{pieces[0]}{name}{pieces[1]}{signs}", regex.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Ballot:
    """One vote or unvote as written; `text` is the name as typed, `line` the line it stood in.

    `unclear` marks one of which only the moderator can say whether it counts, `prose` one whose verb stands
    in the middle of a sentence: in bold it may count, else it never does.
    """

    action: Action
    text: str
    form: Form
    line: str
    region: Region = Region.LIVE
    unclear: bool = False
    prose: bool = False


@dataclass(frozen=True, slots=True)
class Forms:
    """Which forms of a vote a game accepts, and the house's own patterns (`regex:…`, `word:…`).

    `words` are those words of another language that stand before a name as “vote” does (`word:Stimme`),
    in bold alone where the house says so. `frames` are what else players write around a name.
    `Form.EMPTY_TAG` is a habit of those platforms whose empty vote tag takes the vote back; elsewhere such a
    tag is put to the moderator.
    `marked_only` is true where no vote is read without bold, a tag or a heading, `bold` where one in bold is,
    with a colon at least; `letters` are the signs
    beside “vot” of which a command of these forms has at least one, in lower case: none tells anything where
    a pattern of the house may fit `anything`.
    """

    accepted: frozenset[Form]
    house: tuple[regex.Pattern[str], ...] = ()
    words: tuple[str, ...] = ()
    words_in_bold: bool = False
    frames: tuple[Frame, ...] = ()
    marked_only: bool = field(init=False, compare=False)
    bold: bool = field(init=False, compare=False)
    letters: tuple[str, ...] = field(init=False, compare=False)
    anything: bool = field(init=False, compare=False)
    word_patterns: tuple[regex.Pattern[str], ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "word_patterns", tuple(map(_word_pattern, self.words)))
        object.__setattr__(self, "anything", bool(self.house or self.frames))
        object.__setattr__(
            self,
            "marked_only",
            not (self.house or self.words or self.frames) and self.accepted <= _MARKED_FORMS,
        )
        bold = not self.accepted.isdisjoint({Form.BOLD, Form.BOLD_COLON})
        object.__setattr__(self, "bold", bold)
        letters = (sign for form in self.accepted for sign in _SIGNS.get(form, ()))
        object.__setattr__(self, "letters", (*letters, *(word.lower() for word in self.words)))


def _word_pattern(word: str) -> regex.Pattern[str]:
    """“Stimme: name” to the end of the line, or “Stimme zurück”, “voto fuera”."""
    return regex.compile(
        rf"(?<![\w'’]){regex.escape(word)}"
        r"(?:\s*[:=]\s*(?P<name>[^\s:].*)|\s+(?P<unvote>zurück\w*|weg|back|off|retirad[oa]|fuera|retirée?)(?!\w))",
        regex.IGNORECASE,
    )


_MARKED_FORMS = frozenset({Form.TAG, Form.EMPTY_TAG, Form.BOLD_COLON, Form.BOLD, Form.HEADING})
_SIGNS: dict[Form, tuple[str, ...]] = {
    Form.BOLD_COLON: ("v:",),
    Form.RAW_TAG: ("[v]", "[v=", "[unv]", "[uv]"),
    Form.BANG: ("!for", "!no", " for "),
}


@dataclass(frozen=True, slots=True)
class PostBallots:
    """The ballots of one post."""

    number: int
    author: str
    ballots: tuple[Ballot, ...]
    time: datetime | None = None
    edited: bool = False
    url: str | None = None


BOLD_OR_TAG = ("tag", "empty_tag", "raw_tag", "bold")

PLATFORM_FORMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "phpbb": ("tag", "bold"),
        "jsonl": ("tag", "bold"),  # posts without a page are read as phpBB's
        "xenforo": BOLD_OR_TAG,
        "vbulletin": ("bold", "hashes"),
        "smf": BOLD_OR_TAG,
        "mybb": BOLD_OR_TAG,
        "invision": ("bold", "hashes"),
        "discourse": BOLD_OR_TAG,
        "nodebb": ("bang", "bold"),
        "flarum": BOLD_OR_TAG,
        "discord": ("own_line", "bang", "bold"),
        "text": ("own_line", "bang", "hashes", "bold"),
        "plain": ("own_line", "bold"),
    }
)
"""Platform id, less its version → the forms that count there unless a game says otherwise: bold everywhere,
and what the site has beside it."""


def platform_forms(platform: str) -> Forms:
    """The forms that count on a platform by default, whatever its version (`xenforo1`, `xenforo2`)."""
    return parse_forms(PLATFORM_FORMS.get(platform.rstrip("0123456789"), BOLD_OR_TAG))


_MARKS = {mark.value: mark for mark in Mark}


def parse_forms(words: Iterable[str]) -> Forms:
    """The forms of a list such as `["tag", "bold", "word:Stimme", "regex:^I vote (?P<name>.+)$"]`; `bold`
    includes `bold_colon`. Raises InputError on an unknown word or a pattern that is none."""
    accepted: set[Form] = set()
    house: list[regex.Pattern[str]] = []
    verbs: list[str] = []
    frames: list[Frame] = []
    for word in words:
        if word.startswith("word:"):
            verb = word.removeprefix("word:").strip()
            if not verb or not verb.replace(" ", "").isalpha():
                raise InputError(f"“{word}” names no word. Expected letters, such as “word:Stimme”.")
            verbs.append(verb)
            continue
        if word.startswith("regex:"):
            source = word.removeprefix("regex:")
            try:
                house.append(regex.compile(source, regex.IGNORECASE))
            except regex.error as fault:
                raise InputError(
                    f"The vote pattern “{source}” is not a valid regular expression: {fault}."
                ) from None
            continue
        mark, parted, words_said = word.partition(":")
        if parted and mark in _MARKS and words_said.strip():
            frames.append(Frame(_MARKS[mark], " ".join(words_said.split())))
            continue
        try:
            accepted.add(Form(word))
        except ValueError:
            known = ", ".join(form.value for form in Form if form is not Form.HOUSE)
            raise InputError(
                f"“{word}” is not a form of vote. Expected one of {known}, a frame such as "
                "“bold:→ {name}”, "
                "“word:…” or “regex:…”."
            ) from None
    if Form.BOLD in accepted:
        accepted.add(Form.BOLD_COLON)
    return Forms(frozenset(accepted), tuple(house), tuple(verbs), frames=tuple(frames))
